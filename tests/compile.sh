#!/usr/bin/env bash
# bristle run --compile: the same bytes as from the equations; what is kept belongs to the user alone
# and is used again; what others could have written is not; without a compiler a sentence.
#   compile.sh BRISTLE LAWS
set -uo pipefail
bristle=$(realpath "$1") laws=$(realpath "$2")
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
export XDG_CACHE_HOME=$dir/cache
failures=0
verdict() { # STATUS WHAT
  if [ "$1" = 0 ]; then echo "ok      $2"; else echo "FAILED  $2"; failures=$((failures + 1)); fi
}
command -v cc >/dev/null || { echo "no cc: nothing to try"; exit 0; }

# a law with states, one with an event and bounds, one that sticks exactly
for law in lugre bliman_sorine stribeck bristle_second_order; do
  sed "s/^law: $law\$/law: own_$law/" "$laws/$law.yaml" >own_$law.yaml
  run() { "$bristle" run belt --until '5 s' --laws own_$law.yaml --model own_$law "$@" 2>err; }
  run -o plain.csv && run --compile -o compiled.csv && cmp -s plain.csv compiled.csv
  verdict $? "own_$law gives the same bytes compiled"
done
[ "$(ls "$XDG_CACHE_HOME/bristle" | wc -l)" = 4 ]
verdict $? "each law is kept once, and nothing else is left"
[ "$(stat -c %a "$XDG_CACHE_HOME/bristle")" = 700 ] &&
  [ "$(stat -c %a "$XDG_CACHE_HOME"/bristle/*.so | sort -u)" = 500 ]
verdict $? "what is kept is the user's alone"
if command -v readelf >/dev/null; then
  [ "$(for file in "$XDG_CACHE_HOME"/bristle/*.so; do readelf -dW "$file"; done | grep -c '(FLAGS).*BIND_NOW')" = 4 ]
  verdict $? "addresses in it are bound when it is loaded"
fi

PATH=/nowhere "$bristle" run belt --until '5 s' --laws own_lugre.yaml --model own_lugre --compile -o again.csv 2>err
verdict $? "what is kept is used again, without a compiler"
sed -i 's/^law: own_lugre/law: other_lugre/' own_lugre.yaml
PATH=/nowhere "$bristle" run belt --laws own_lugre.yaml --model other_lugre --compile -o x.csv 2>err
[ $? = 1 ] && grep -q "there is no C compiler: 'cc' cannot be started" err
verdict $? "without a compiler a sentence, exit 1"

chmod 777 "$XDG_CACHE_HOME/bristle"
"$bristle" run belt --laws own_stribeck.yaml --model own_stribeck --compile -o x.csv 2>err
[ $? = 1 ] && grep -q 'is not yours alone' err
verdict $? "a folder that others can write is not used"
chmod 700 "$XDG_CACHE_HOME/bristle"
chmod 766 "$XDG_CACHE_HOME"/bristle/own_stribeck-*.so
"$bristle" run belt --laws own_stribeck.yaml --model own_stribeck --compile -o x.csv 2>err
[ $? = 1 ] && grep -q 'is not yours alone' err
verdict $? "a file that others can write is not loaded"
file=$(ls "$XDG_CACHE_HOME"/bristle/own_stribeck-*.so)
mv "$file" elsewhere.so && chmod 500 elsewhere.so && ln -s "$dir/elsewhere.so" "$file"
"$bristle" run belt --laws own_stribeck.yaml --model own_stribeck --compile -o x.csv 2>err
[ $? = 1 ] && grep -q 'is not yours alone' err
verdict $? "a link is not followed"
"$bristle" run belt --until '1 s' --laws own_stribeck.yaml --model own_stribeck -o x.csv 2>err
verdict $? "nothing is compiled or loaded unless asked for"

# a law from a stranger does what its equations say, whatever its texts hold
# shellcheck disable=SC2016
sed -e 's/^law: .*/law: foreign/' \
  -e 's|^title: .*|title: "x */ __attribute__((constructor)) static void f(void) { __builtin_trap(); } /*"|' \
  "$laws/stribeck.yaml" >foreign.yaml
"$bristle" run belt --until '1 s' --laws foreign.yaml --model foreign --compile -o x.csv 2>err
[ $? = 2 ] && grep -qF 'foreign.yaml:2: title: */ cannot stand in a text of a law' err &&
  ! compgen -G "$XDG_CACHE_HOME/bristle/foreign*" >/dev/null
verdict $? "a law whose texts could become code is refused"
echo "$failures failed"
[ $failures = 0 ]
