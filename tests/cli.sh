#!/usr/bin/env bash
# The command as a user meets it: data on standard output, words on standard error, exit codes.
#   cli.sh PATH_TO_BRISTLE
set -uo pipefail
bristle=$(realpath "$1")
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit
failures=0 checks=0

verdict() { # verdict OK_OR_NOT SENTENCE [DETAIL]
  checks=$((checks + 1))
  if [ "$1" = 0 ]; then
    echo "ok      $2"
  else
    echo "FAILED  $2${3:+: $3}"
    failures=$((failures + 1))
  fi
}

# run ARGUMENTS...: leaves out, err and code behind
run() {
  "$bristle" "$@" >out 2>err
  code=$?
}

# refuses CODE MESSAGE ARGUMENTS...: exactly that message, nothing on standard output, no new file
refuses() {
  local want=$1 message=$2 before
  shift 2
  rm -f out err
  before=$(ls -A)
  run "$@"
  local got
  got=$(cat err)
  [ $code = "$want" ] && [ "$got" = "bristle: $message" ] && [ ! -s out ] &&
    rm out err && [ "$(ls -A)" = "$before" ]
  verdict $? "refused: bristle $*" "exit $code, '$got'"
}

# prints PATTERN ARGUMENTS...: exit 0 and a line that matches
prints() {
  local pattern=$1
  shift
  run "$@"
  [ $code = 0 ] && grep -qE -- "$pattern" out
  verdict $? "bristle $* prints $pattern" "exit $code, $(head -c 200 err)"
}

# ---- help and usage ------------------------------------------------------------------------------

prints '^usage: bristle COMMAND' --help
prints '^usage: bristle COMMAND' help
prints '^bristle [0-9]+\.[0-9]+\.[0-9]+$' --version
for command in models curve loop; do
  prints '^examples:' $command --help
done
refuses 2 "name a command; try 'bristle --help'"
refuses 2 "there is no command 'modles'; did you mean 'models'?" modles
refuses 2 "there is no command 'simulate'; try 'bristle --help'" simulate
refuses 2 "there is no option '--pot'; did you mean '--plot'?" curve lugre --pot a.svg
refuses 2 "there is no option '--everything'; try --help" models --everything
refuses 2 "there is no option '-x'; try --help" curve lugre -x
refuses 2 "--load needs a value: --load N" curve lugre --load
refuses 2 "--load needs a value: --load N" curve lugre --load --points 3
refuses 2 "--json takes no value" models --json=1
refuses 2 "--load is given twice" curve lugre --load 1 --load 2

# ---- models --------------------------------------------------------------------------------------

run models --names
names=$(cat out)
[ $code = 0 ] && [ "$(wc -l <out)" = 26 ] && grep -qx lugre out
verdict $? "models --names lists 26 laws"

start=$(date +%s%N)
run models
took=$((($(date +%s%N) - start) / 1000000))
[ $code = 0 ] && [ -z "$(awk 'length > 100' out)" ]
verdict $? "the list of laws fits 100 columns"
missing=
for name in $names; do grep -q "^$name " out || missing+=" $name"; done
[ -z "$missing" ]
verdict $? "the list has every law" "$missing"
[ $took -lt 5000 ]
verdict $? "the list with measured traits takes $took ms"

for name in $names; do
  run models "$name"
  [ $code = 0 ] && [ ! -s err ] && grep -q "^$name - " out && grep -q '^Equations' out &&
    grep -q '^Parameters' out && grep -q '^Traits' out && grep -q '^Limits' out &&
    grep -q '^Source' out && [ -z "$(awk 'length > 100' out)" ]
  verdict $? "bristle models $name explains it within 100 columns"
done
prints '^gonthier - ' models lugre gonthier
prints 'A random part on top of any law' models stochastic
prints '^  noise_seed|^  A ' models stochastic:lugre
prints '"name": "lugre"' models --json lugre
refuses 2 "there is no law 'lurge'; did you mean 'lugre'?" models lurge
refuses 2 "there is no law 'nonsense'; see 'bristle models'" models nonsense
refuses 2 "there is no law 'x'; see 'bristle models'" models stochastic:x
refuses 2 "give one of --names, --json and --markdown" models --json --markdown
refuses 2 "--names lists all laws: leave the names out" models --names lugre

# Strings and brackets of JSON by a small automaton: every string closed, every escape known, every
# bracket matched, no comma before a closing one.
json_ok() {
  LC_ALL=C awk '
    { text = text $0 "\n" }
    END {
      depth = 0; last = ""
      for (i = 1; i <= length(text); i++) {
        c = substr(text, i, 1)
        if (inside) {
          if (c == "\n") exit 1
          if (c == "\\") {
            i++; e = substr(text, i, 1)
            if (index("\"\\/bfnrtu", e) == 0) exit 1
          } else if (c == "\"") inside = 0
          continue
        }
        if (c ~ /[ \n]/) continue
        if (c == "\"") inside = 1
        if (c == "{" || c == "[") { depth++; stack[depth] = c }
        if (c == "}" || c == "]") {
          if (last == "," || stack[depth] != (c == "}" ? "{" : "[")) exit 1
          depth--
        }
        if (index("{}[]:,\"-+.eE0123456789truefalsn", c) == 0) exit 1
        last = c
      }
      exit (depth != 0 || inside)
    }' "$1"
}
run models --json
[ $code = 0 ] && json_ok out && [ "$(grep -c '"equations":' out)" = 26 ]
verdict $? "models --json is well formed and complete"
sed '$d' out >cut_off
! json_ok cut_off
verdict $? "the check of JSON notices a missing end"
if command -v python3 >/dev/null; then
  python3 -c 'import json; json.load(open("out"))'
  verdict $? "python reads the JSON"
fi
run models --markdown
[ $code = 0 ] && head -1 out | grep -q "^<!-- Generated by 'bristle models --markdown'" &&
  [ "$(grep -c '^## ' out)" = 27 ]
verdict $? "models --markdown has a section per law and one for stochastic"

# ---- curve ---------------------------------------------------------------------------------------

run curve coulomb lugre stochastic:dahl --points 11
[ $code = 0 ] && [ "$(head -1 out)" = "v,coulomb,lugre,stochastic:dahl" ] && [ "$(wc -l <out)" = 12 ] &&
  awk -F, 'NF != 4 { exit 1 }' out
verdict $? "curve prints a header and one row per point"
run curve coulomb --v 0:1 --points 3
[ "$(sed -n 2p out)" = "0,0" ] && [ "$(sed -n 4p out)" = "1,98.099999999999994" ]
verdict $? "at v = 0 exact stick gives 0, then the level of sliding"
run curve lugre --set mu_c=0.25 --set mu_s=0.3 --load 4 --v 10:20 --points 2
awk -F, 'NR > 1 && ($2 < 0.9999999 || $2 > 1.0000001) { exit 1 }' out
verdict $? "--set and --load reach the law"
run curve dahl lugre --set lugre.mu_c=0.3 --v 50:60 --points 2
[ "$(sed -n 2p out | cut -d, -f2 | cut -c1-4)" = 98.1 ] &&
  sed -n 2p out | cut -d, -f3 | grep -qE '^58\.8(6|59999)'
verdict $? "LAW.NAME=VALUE sets one law only" "$(sed -n 2p out)"
run curve coulomb lugre --set sigma0=2e5 --points 2
verdict $code "--set may name a parameter that only some laws have"
run curve lugre --output curve.csv --points 5
[ $code = 0 ] && [ ! -s out ] && [ "$(wc -l <curve.csv)" = 6 ] && [ -z "$(find . -name "*new*")" ]
verdict $? "--output writes the file and nothing else"
run curve lugre -o curve2.csv --points 5
cmp -s curve.csv curve2.csv
verdict $? "-o is --output, and the same command gives the same bytes"

run curve lugre --points 2 --v '1:2 mm/s'
if grep -q libudunits2-dev err; then
  [ $code = 1 ] && [ ! -s out ]
  verdict $? "a build without units says so"
else
  run curve coulomb --v '2:10 mm/s' --points 3
  [ "$(sed -n 2p out | cut -d, -f1)" = 0.002 ] && [ "$(sed -n 4p out | cut -d, -f1)" = 0.01 ]
  verdict $? "a unit behind MAX holds for both ends of --v"
  run curve coulomb --v '1 mm/s:1 cm/s' --points 2
  [ "$(sed -n 2p out | cut -d, -f1)" = 0.001 ] && [ "$(sed -n 3p out | cut -d, -f1)" = 0.01 ]
  verdict $? "both ends of --v may have a unit"
  run curve coulomb --load '2 kN' --v 1:2 --points 2
  [ "$(sed -n 2p out)" = "1,1000" ]
  verdict $? "the load may have a unit"
  refuses 2 "lugre: v_s: 3 kg is not a velocity: the unit is m/s" curve lugre --set 'v_s=3 kg'
  refuses 2 "--load: 3 m is not a force: the unit is N" curve lugre --load '3 m'
  refuses 2 "--v: 10 s is not a velocity: the unit is m/s" curve lugre --v '1 mm/s:10 s'
fi

refuses 2 "name at least one law; 'bristle models' lists them" curve
refuses 2 "there is no law 'lurge'; did you mean 'lugre'?" curve lurge --plot a.svg
refuses 2 "'stochastic' is a random force on top of a law: write stochastic:lugre" curve stochastic
refuses 2 "lugre is named twice" curve lugre lugre
refuses 2 "lugre has no parameter 'sigm0'; did you mean 'sigma0'?" curve lugre --set sigm0=1
refuses 2 "none of the laws has a parameter 'sigm0'; did you mean 'sigma0'?" \
  curve coulomb lugre --set sigm0=1
refuses 2 "--set: 'dhal' is not among the laws named; did you mean 'dahl'?" \
  curve dahl lugre --set dhal.sigma0=1
refuses 2 "--set needs NAME=VALUE, not 'sigma0'" curve lugre --set sigma0
refuses 2 "lugre: sigma0: a number is missing" curve lugre --set sigma0=
refuses 2 "lugre: sigma0: 'nan' is not a number" curve lugre --set sigma0=nan --plot a.svg -o a.csv
refuses 2 "lugre: v_s = -1 m/s is outside 1e-09 ... 1000 m/s" curve lugre --set v_s=-1
refuses 2 "lugre: mu_s must be >= mu_c" curve lugre --set mu_c=2
refuses 2 "lugre: give mu_c and mu_s, or Fc and Fs, not both" curve lugre --set mu_c=0.1 --set Fs=3
refuses 2 "lugre: with friction levels in newtons there is no load to give" \
  curve lugre --set Fc=3 --load 2
refuses 2 "--load = -2 N must be > 0" curve lugre --load -2
refuses 2 "--v needs MIN:MAX, such as '0:10 mm/s', not '5'" curve lugre --v 5
refuses 2 "--v: MIN must be below MAX, not 2 m/s to 1 m/s" curve lugre --v 2:1
refuses 2 "--points: 'many' is not a whole number from 2 to 10000000" curve lugre --points many
refuses 2 "--points: '1' is not a whole number from 2 to 10000000" curve lugre --points 1
refuses 2 "--plot: 'a.gif': the name of a picture ends in .svg, .png or .pdf" curve lugre --plot a.gif
refuses 1 "no/such/dir.csv cannot be written: No such file or directory" \
  curve lugre -o no/such/dir.csv

# ---- loop ----------------------------------------------------------------------------------------

run loop dahl lugre --amplitude 0.002 --frequency 2 --samples 100
[ $code = 0 ] && [ "$(head -1 out)" = "t,x,v,dahl,lugre" ] && [ "$(wc -l <out)" = 102 ] &&
  grep -q '^law .*energy \[J\]' err && [ "$(grep -c '^dahl \|^lugre ' err)" = 2 ]
verdict $? "loop prints the last cycle and a summary on standard error"
# Dahl: 4 Fc d (A/d - tanh(A/d)) with Fc = 98.1, d = 1 mm, A = 2 mm
grep -q '^dahl  *0\.406516 ' err
verdict $? "the energy of Dahl's loop is that of its closed form" "$(grep dahl err)"
run loop olsson_astrom --velocity-mean 0.06 --velocity-amplitude 0.04 --frequency 3.183098861837907
grep -qE '^olsson_astrom .* 0\.0043329[0-9]* ' err
verdict $? "frictional lag of Olsson and Astrom: 4.33298e-3" "$(grep olsson err)"
run loop dahl --amplitude 3e-4 --cycles 1
grep -q '^note: the loop of dahl is not closed yet; more --cycles settle it' err
verdict $? "a loop that has not settled is told"
refuses 2 "give --amplitude or --velocity-amplitude, not both" \
  loop dahl --amplitude 1 --velocity-amplitude 1
refuses 2 "--frequency = 0 Hz must be > 0" loop dahl --frequency 0
refuses 2 "--samples: '3' is not a whole number from 16 to 1000000" loop dahl --samples 3
refuses 2 "--cycles: '0' is not a whole number from 1 to 100000" loop dahl --cycles 0

# ---- pictures ------------------------------------------------------------------------------------

if command -v gnuplot >/dev/null; then
  for kind in svg png pdf; do
    run curve stribeck lugre --plot "curves.$kind"
    [ $code = 0 ] && [ "$(wc -c <"curves.$kind")" -gt 3000 ]
    verdict $? "curve draws .$kind"
    run loop dahl lugre --plot "loops.$kind"
    [ $code = 0 ] && [ "$(wc -c <"loops.$kind")" -gt 3000 ]
    verdict $? "loop draws .$kind"
  done
  [ "$(head -c 4 curves.pdf)" = "%PDF" ] && [ "$(head -c 4 curves.png | tail -c 3)" = "PNG" ] &&
    tail -3 curves.svg | grep -q '</svg>'
  verdict $? "the pictures are what their names say"
  strange="a b'c\"d\$(touch oops)\`touch oops\`;e.svg"
  run curve lugre --plot "$strange"
  [ $code = 0 ] && [ -s "$strange" ] && [ ! -e oops ]
  verdict $? "file names with quotes, blanks and dollar signs are safe"
  refuses 1 "no/such/dir.svg cannot be written: No such file or directory" \
    curve lugre --plot no/such/dir.svg
fi
mkdir -p nothing
touch out err
before=$(ls -A)
PATH=$dir/nothing "$bristle" curve lugre --plot a.svg >out 2>err
code=$?
[ $code = 1 ] && [ ! -s out ] && [ ! -e a.svg ] &&
  [ "$(cat err)" = "bristle: gnuplot is needed to draw (Debian package gnuplot-nox)" ] &&
  [ "$(ls -A)" = "$before" ]
verdict $? "without gnuplot: one sentence, exit 1, nothing written" "exit $code, $(cat err)"
printf '#!/bin/sh\necho "line 1: no such terminal" >&2\nexit 1\n' >nothing/gnuplot
chmod +x nothing/gnuplot
PATH=$dir/nothing "$bristle" curve lugre --plot a.svg >out 2>err
code=$?
[ $code = 1 ] && [ ! -s out ] && [ "$(ls -A)" = "$before" ] &&
  [ "$(cat err)" = "bristle: a.svg: gnuplot failed: line 1: no such terminal" ]
verdict $? "a gnuplot that fails: its reason, exit 1, nothing written" "exit $code, $(cat err)"

# ---- standard output that goes away ----------------------------------------------------------------

{ "$bristle" curve lugre --points 20000 2>err; echo $? >code; } | head -1 >/dev/null
[ "$(cat code)" = 1 ] && grep -q '^bristle: standard output cannot be written' err
verdict $? "a closed pipe is told, exit 1"
if [ -w /dev/full ]; then
  "$bristle" models >/dev/full 2>err
  [ $? = 1 ] && grep -q '^bristle: standard output cannot be written: No space left on device' err
  verdict $? "a full disk is told, exit 1" "$(cat err)"
  "$bristle" curve lugre -o /dev/full 2>err
  [ $? = 1 ] && [ "$(cat err)" = "bristle: /dev/full cannot be written: No space left on device" ]
  verdict $? "a full disk behind --output is told, exit 1" "$(cat err)"
fi

echo
echo "$checks checks, $failures failed"
[ $failures = 0 ]
