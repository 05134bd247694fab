#!/usr/bin/env bash
# Every call for memory, and every open, write, rename, close and sync of the main commands fails once,
# and from then on. What must come of it: the result as if nothing had been, or exit 1 with a sentence
# that says why; never a crash, a half file, a wrong table or silence.
#   run.sh PATH_TO_BRISTLE SHIM.so [MOST_PER_COMMAND] [REGEX]      (default 60 of each kind, evenly spread;
#                                                                 commands whose words the expression fits)
set -uo pipefail
bristle=$(realpath "$1") shim=$(realpath "$2") most=${3:-60} chosen=${4:-.}
laws=$(realpath "$(dirname "$0")/../../laws")
dir=$(mktemp -d)
export XDG_CACHE_HOME=$dir/work/cache
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit
tried=0 failures=0 harmless=0

# What a fault may make a command say.
declare -A reason=(
  [memory]='memory|Cannot allocate'
  [open]='cannot be (written|opened|read|made|started)|Too many open files|standard output|gnuplot'
  [write]='No space left|cannot be written'
  [rename]='cannot be written|Invalid cross-device'
  [close]='Input/output error|cannot be written'
  [sync]='Input/output error'
)

# fault KIND N MODE ARGUMENTS...: run with that fault in a folder of its own; leaves code behind
fault() {
  local kind=$1 n=$2 mode=$3
  shift 3
  rm -rf work && cp -r given work
  (cd work && BRISTLE_FAULT="$kind $n $mode" BRISTLE_FAULT_COUNT="$dir/count" LD_PRELOAD="$shim" \
    exec "$bristle" "$@" >../out 2>../err)
  code=$?
  # processor times, and what rests on them
  [ $code != 0 ] || sed -i -E 's/"(time|Psi)": [^,}]*/"\1": 0/g; s/, [0-9.e-]+ m?s, Psi [0-9.e+-]+ %//' out
}

# whole_files: nothing is left beside, and what is neither as given nor as without a fault reads as it should
whole_files() {
  local f
  for f in work/* work/*/* work/*/*/*; do
    [ -f "$f" ] || continue
    if [[ $f == *-[0-9] ]] && [ ! -s "$f" ]; then return 1; fi
    case $f in
      *.csv | *.json | *.svg) ;;
      *) continue ;;
    esac
    ! cmp -s "$f" "given/${f#work/}" && ! cmp -s "$f" "good_files/${f#work/}" || continue
    case $f in
      *.json) python3 -m json.tool "$f" >/dev/null || return 1 ;;
      *.csv) [ ! -s "$f" ] || [ "$(tail -c 1 "$f" | od -An -c | tr -d ' ')" = '\n' ] || return 1 ;;
      *.svg) tail -c 20 "$f" | grep -q '</svg>' || return 1 ;;
    esac
  done
}

bad() {
  failures=$((failures + 1))
  [ $failures -gt 40 ] || echo "FAILED  $1: exit $code, '$(head -c 200 err)'"
}

# command KINDS ARGUMENTS...: all faults of these kinds
command_with() {
  local kinds=$1
  shift
  [[ "$*" =~ $chosen ]] || return 0
  fault memory 0 once "$@"
  [ $code = 0 ] || { echo "FAILED  bristle $*: exit $code without a fault: $(cat err)"; failures=$((failures + 1)); return; }
  cp out good
  rm -rf good_files && mv work good_files
  local counts
  counts=$(cat count)
  for kind in $kinds; do
    local count step
    count=$(awk -v kind="$kind" '$1 == kind { print $2 }' <<<"$counts")
    step=$(((count + most - 1) / most))
    [ "$step" -gt 0 ] || step=1
    for mode in once on; do
      for ((n = 1; n <= count; n += step)); do
        fault "$kind" $n $mode "$@"
        tried=$((tried + 1))
        if [ $code = 0 ]; then # a fault that was got over must not show
          harmless=$((harmless + 1))
          cmp -s out good && diff -rq work good_files >/dev/null || { bad "$kind $n $mode passes for a result: bristle $*"; diff -r work good_files | head -5; }
        elif [ $code = 2 ] && [ $kind = open ] && grep -qE 'cannot be (opened: Too many open files|read)' err; then
          : # of what is read: as if it were not there
        elif [ $code != 1 ]; then
          bad "$kind $n $mode: bristle $*"
        elif ! grep -qE "${reason[$kind]}" err; then
          bad "$kind $n $mode is not told: bristle $*"
        elif ! whole_files; then
          bad "$kind $n $mode leaves $(ls work | xargs): bristle $*"
        fi
      done
    done
  done
  echo "$tried faults so far, bristle $*"
}

# a command that takes most of a second: a tenth of them
slow() {
  local most=$(((most + 9) / 10))
  command_with "$@"
}

# What each command finds in its folder.
mkdir given
echo old >given/old.csv
sed 's/^law: .*/law: own/' "$laws/dahl.yaml" >given/own.yaml
cat >given/rig.yaml <<'END'
bodies:
  a: {mass: 1 kg}
drives:
  push: {on: a, force: {sine: {amplitude: 5 N, frequency: 2 Hz}}}
contacts:
  pad: {between: [a, ground], load: 10 N, model: coulomb_tanh, mu_c: 0.3}
run: {until: 1 s, output: 10 ms}
END
(
  cd given || exit
  "$bristle" identify rig.yaml --synthetic '200 Hz' --map 't=t,a.x=x,push.force=F,pad.F=f,pad.v=v' -o data.csv
  for i in 1 2; do
    "$bristle" sweep rig.yaml --vary pad.mu_c=0.1:0.3:4 --measure 'last(a.x)' --threads 1 --part $i/2 -o part$i.csv
  done
  # one that was killed with three of its points done
  "$bristle" sweep rig.yaml --vary pad.mu_c=0.1:0.3:4 --measure 'last(a.x)' --threads 1 -o half.csv &&
    { echo --- && head -4 half.csv; } >>half.csv.sweep && rm half.csv
  "$bristle" sweep rig.yaml --vary pad.mu_c=0.1:0.3:4 --measure 'last(a.x)' --threads 1 --part 1/2 -o part1.sqlite
) >out 2>err || { echo "FAILED  what the commands need cannot be made: $(cat err)"; exit 1; }

files='memory open write rename close sync'
command_with memory models lugre
command_with memory models --json
command_with "$files" curve lugre -o old.csv
command_with memory loop dahl
command_with memory check rabinowicz
command_with "$files" run rabinowicz --until 0.2 -o old.csv --events e.csv --slips s.csv
command_with "$files" run rabinowicz --until 0.2 -o x.json
command_with "$files" run rabinowicz --until 0.2 -o x.mat
command_with memory run rabinowicz --until 0.2 --model coulomb
command_with memory run rabinowicz --until 0.2 --set pad.sigma0='1e5 N/m' --model lugre
command_with memory compare rabinowicz --models lugre --set run.until=1 --json
slow memory conform dahl --markdown
sweep=(sweep rig.yaml --vary pad.mu_c=0.1:0.3:4 --measure 'last(a.x)' --threads 1)
command_with "$files" "${sweep[@]}" -o old.csv --overwrite
command_with "$files" "${sweep[@]}" -o x.sqlite
command_with "$files" "${sweep[@]}" -o half.csv --resume
command_with memory "${sweep[@]}" --model dahl,lugre
command_with "$files" merge part1.csv part2.csv -o old.csv
command_with memory merge part1.sqlite part2.csv -o x.sqlite
command_with "$files" identify rig.yaml --data data.csv --map 'pad.v=v,pad.F=f' --way curve --free pad.mu_c --starts 1 --threads 1 -o best.yaml
slow memory law check own.yaml --quick
command_with "$files" export own --laws own.yaml --to c -o old.csv
command_with "$files" fmu own --laws own.yaml --platforms none -o x.fmu
command_with "$files" fmu rig.yaml --platforms none -o x.fmu
command_with memory scenario belt
slow memory reproduce andersson --json
if command -v cc >/dev/null; then # which is started once only; then what it made is there
  compile=(run rig.yaml --until 0.1 --laws own.yaml --model own --compile -o old.csv)
  mkdir fake
  (cd given && XDG_CACHE_HOME=$dir/kept "$bristle" "${compile[@]}") >out 2>&1
  # shellcheck disable=SC2016
  printf '#!/bin/sh\nwhile [ "$1" != -o ]; do shift; done\nexec cp %s/kept/bristle/own-*.so "$2"\n' "$dir" >fake/cc
  chmod +x fake/cc
  echo old >given/old.csv
  PATH=$dir/fake:$PATH command_with "$files" "${compile[@]}"
fi
if command -v gnuplot >/dev/null; then
  command_with "$files" curve lugre -o old.csv --plot a.svg
fi

echo "$tried faults, $harmless of them got over, $failures failed"
[ $failures = 0 ]
