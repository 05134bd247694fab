#!/usr/bin/env bash
# bristle identify on the command line: data from a run of the library itself, tables, files, exit codes.
#   identify.sh BRISTLE
set -euo pipefail
bristle=$(realpath "$1")
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
fail() { echo "identify.sh: $*"; exit 1; }

# A block is driven to and fro by a sine; what is recorded is x and the force of the drive.
cat >rig.yaml <<'END'
bodies: {block: {mass: 2 kg}}
contacts: {pad: {between: [block, ground], model: coulomb, Fc: 3 N, kv: 5 N s/m}}
drives: {push: {on: block, force: {sine: {amplitude: 12 N, frequency: 1 Hz}}}}
run: {until: 6 s, output: 1 ms}
END
"$bristle" run rig.yaml --columns 'block.x,pad.F' -o run.csv 2>/dev/null
awk -F, -v OFS=, 'NR == 1 {print "t [s]", "pos [mm]", "drive [N]"; next}
  {print $1, 1000 * $2, 12 * sin(2 * 3.14159265358979 * $1)}' run.csv >data.csv
sed 's/2 kg/1 kg/; s/3 N,/1 N,/; s/5 N s/1 N s/' rig.yaml >guess.yaml
map='t=t,block.x=pos,push.force=drive'
free=pad.Fc,pad.kv,block.mass,offset

"$bristle" identify guess.yaml --data data.csv --map "$map" --free $free --filter '20 Hz' \
  -o fitted.yaml --report page --json >found.json
value() { grep -o "\"name\": \"$1\", \"value\": [-0-9.e]*" found.json | sed 's/.* //'; }
near() { awk -v a="$(value "$1")" -v b="$2" -v e="$3" 'BEGIN {exit !(a - b < e && b - a < e)}' ||
  fail "$1 is $(value "$1"), not $2"; }
near pad.Fc 3 0.05
near pad.kv 5 0.3
near block.mass 2 0.02
near offset 0 0.05
grep -q '"known": "determined"' found.json || fail "nothing is determined"
test -s page/report.html -a -s page/fit.svg -a -s page/estimates.csv || fail "the report lacks files"
"$bristle" check fitted.yaml >check.txt || fail "the fitted rig cannot be read"
grep -q 'mass 2\.0\|mass 1\.9' check.txt || fail "the fitted rig has another mass"

# Several laws: the ranking, and the advice that cites its row.
"$bristle" identify guess.yaml --data data.csv --map "$map" --free all,block.mass,offset --filter '20 Hz' \
  --models coulomb,viscous,dahl --starts 2 >table.txt
grep -q '^  1  \(coulomb\|dahl\)' table.txt || fail "the ranking"
grep -q '^Take \(coulomb\|dahl\) (row ' table.txt || fail "no advice"
"$bristle" identify guess.yaml --data data.csv --map "$map" --free $free --csv >rows.csv
test "$(wc -l <rows.csv)" = 5 || fail "CSV has $(wc -l <rows.csv) lines"

if [ -z "${TEST_SAMPLE:-}" ]; then # of the fits that take seconds, where memory is watched, the servo alone
  # Motion under the measured force: the rig is simulated.
  "$bristle" identify guess.yaml --data data.csv --map "$map" --free pad.Fc,pad.kv,block.mass --way motion \
    --set block.mass='1.8 kg' --set pad.Fc='2.7 N' --set pad.kv='4 N s/m' --starts 1 --folds 1 --json >found.json
  near pad.Fc 3 0.05
  near pad.kv 5 0.3
  near block.mass 2 0.02
fi
# A loop with its controller: no force is measured, and the motion is what is compared.
cat >servo.yaml <<'END'
bodies: {block: {mass: 2 kg}, wish: {position: {sine: {amplitude: 20 mm, frequency: 1 Hz}}}}
couplings:
  kp: {spring: [wish, block], stiffness: 900 N/m}
  kd: {damper: [ground, block], damping: 40 N s/m}
contacts: {pad: {between: [block, ground], model: dahl, Fc: 3 N, sigma0: 2e4 N/m, kv: 5 N s/m}}
run: {until: 3 s, output: 2 ms}
END
"$bristle" run servo.yaml --columns 'block.x,wish.x' -o servo.csv 2>/dev/null
"$bristle" identify servo.yaml --data servo.csv --map 't=t,block.x=block.x,wish.x=wish.x' --set pad.Fc='2 N' \
  --set block.mass='1.5 kg' --free pad.Fc,block.mass --starts 1 --folds 1 --json >found.json
grep -q '"way": "motion"' found.json || fail "the way is not motion"
near pad.Fc 3 0.03
near block.mass 2 0.1

# A controller that is computed at the samples: made by a loop of our own in awk, with steps of a
# hundredth of a sample, a mass of 2 kg, viscous friction of 8 N s/m and Coulomb friction of 3 N.
cat >sampled.yaml <<'END'
bodies: {block: {mass: 1.5 kg}, wish: {position: {sine: {amplitude: 20 mm, frequency: 1 Hz}}}}
contacts: {pad: {between: [block, ground], model: coulomb, Fc: 2 N, kv: 4 N s/m}}
drives: {push: {on: block, force: 0 N}}
run: {until: 1 s}
END
awk 'BEGIN {h = 0.004; x = 0; v = 0; pi = 3.14159265358979; late = 0; print "t,x,wish,F"
  for (i = 0; i < 750; i++) {
    w = 0.02 * sin(2 * pi * i * h); u = 900 * (w - x) - 30 * (i ? (x - before) / h : 0); before = x
    printf "%.4f,%.12g,%.12g,%.12g\n", i * h, x, w, u
    for (k = 0; k < 100; k++) { # the command acts 2 ms late; v goes through zero without rest
      f = k < 50 ? late : u; dry = v > 0 || (v == 0 && f > 0) ? 3 : -3
      a = (f - 8 * v - dry) / 2
      if (v == 0 && (f < 0 ? -f : f) <= 3) a = 0
      n = v + a * h / 100
      if (v * n < 0 && (f < 0 ? -f : f) <= 3) n = 0
      x += h / 100 * (v + n) / 2; v = n }
    late = u } }' >sampled.csv
if [ -z "${TEST_SAMPLE:-}" ]; then
  "$bristle" identify sampled.yaml --data sampled.csv --map 't=t[s],block.x=x[m],wish.x=wish[m],push.force=F[N]' \
    --controller 'push.force = 900 N/m*(wish.x - block.x) - 30 N s/m*block.v' \
    --free pad.Fc,pad.kv,block.mass,delay --starts 1 --folds 1 --report loop --json >found.json
  near pad.Fc 3 0.03
  near pad.kv 8 0.3
  near block.mass 2 0.02
  near delay 0.002 0.0001
  test -s loop/report.html || fail "no report of a closed loop"
fi

# An arm with weight under a measured torque, from a start that is not quite the measured one: by
# Euler-Cromer in awk with steps of 20 us.
cat >arm.yaml <<'END'
bodies: {arm: {inertia: 0.1 kg m^2}}
contacts: {pad: {between: [arm, ground], model: coulomb, Fc: 0.05 N m, kv: 0.05 N m s/rad}}
drives: {motor: {on: arm, torque: 0 N m}}
run: {until: 1 s}
END
awk 'BEGIN {x = 0.3; v = 0; pi = 3.14159265358979; print "t,x,T"
  for (i = 0; i < 1000; i++) {
    printf "%.4f,%.12g,%.12g\n", i * 0.004, x + (i == 0 ? 0.02 : 0), 1.5 * sin(2 * pi * i * 0.004)
    for (k = 0; k < 200; k++) {
      T = 1.5 * ((1 - k / 200) * sin(2 * pi * i * 0.004) + k / 200 * sin(2 * pi * (i + 1) * 0.004))
      v += (T - 2 * sin(x - 0.1) - 0.1 * v - (v > 0 ? 0.08 : -0.08)) / 0.1 * 2e-5; x += 2e-5 * v } } }' >arm.csv
if [ -z "${TEST_SAMPLE:-}" ]; then
  "$bristle" identify arm.yaml --data arm.csv --map 't=t[s],arm.x=x[rad],motor.force=T[N m]' --way motion \
    --set arm.inertia='0.1 kg m^2' --free pad.Fc,pad.kv,gravity,gravity_angle,start_x,start_v --starts 1 --folds 1 --json >found.json
  near gravity 2 0.02
  near gravity_angle 0.1 0.005
  near start_x -0.02 0.002
  near pad.Fc 0.08 0.01
  near pad.kv 0.1 0.01
fi

# Recordings that are made: noise of the size and colour that was asked for, steps, delay, and what
# comes back of them. The same seed gives the same bytes.
make_data() { "$bristle" identify rig.yaml --synthetic '1 kHz' --map 't=t[ms],block.x=pos[mm],push.force=F[N]' "$@"; }
make_data >clean.csv
make_data --noise 'push.force=0.3 N' --colour 0.6 --resolution 'block.x=10 um' --seed 4 -o noisy.csv
make_data --noise 'push.force=0.3 N' --colour 0.6 --resolution 'block.x=10 um' --seed 4 | cmp - noisy.csv || fail "another recording from the same seed"
make_data --late 'push.force=5 ms' >late.csv
test "$(head -1 noisy.csv)" = 't [ms],pos [mm],F [N]' || fail "columns: $(head -1 noisy.csv)"
paste -d, clean.csv noisy.csv late.csv | awk -F, 'NR > 1 {
    n++; e = $6 - $3; ss += e * e; if (n > 1) next_to += e * was; was = e
    q = $5 / 0.01 - int($5 / 0.01 + ($5 < 0 ? -0.5 : 0.5)); if (q > 1e-6 || q < -1e-6) wrong++
    F[n] = $3; if (n > 5 && ($9 - F[n - 5]) ^ 2 > 1e-18) wrong++ }
  END {s = sqrt(ss / n); r = next_to / ss; exit !(n == 6001 && !wrong && s > 0.28 && s < 0.32 && r > 0.55 && r < 0.65)}' ||
  fail "noise, steps or delay are not what was asked for"
"$bristle" identify guess.yaml --data noisy.csv --map 't=t,block.x=pos,push.force=F' --free $free --bootstrap 60 --starts 2 \
  --folds 1 --json >found.json
near pad.Fc 3 0.1
near block.mass 2 0.05
# Redrawn residuals give intervals of about the same width, about the same value.
test "$(grep -c boot_low found.json)" = 4 || fail "no bootstrap"
awk '/boot_low/ {match($0, /"low": [-0-9.e+]*/); l = substr($0, RSTART + 7, RLENGTH - 7) + 0
    match($0, /"high": [-0-9.e+]*/); h = substr($0, RSTART + 8, RLENGTH - 8) + 0
    match($0, /"boot_low": [-0-9.e+]*/); bl = substr($0, RSTART + 12, RLENGTH - 12) + 0
    match($0, /"boot_high": [-0-9.e+]*/); bh = substr($0, RSTART + 13, RLENGTH - 13) + 0
    if (!((bh - bl) > 0.5 * (h - l) && (bh - bl) < 2 * (h - l) && bl < h && bh > l)) bad++}
  END {exit bad > 0}' found.json || fail "the intervals of the bootstrap are others: $(grep boot_low found.json)"
# What to measure next: where only slow motion was seen, viscous friction asks for speed.
"$bristle" identify rig.yaml --set push.force.sine.amplitude='6 N' --synthetic '200 Hz' --map 't=t,block.x=x,push.force=F' \
  --noise 'push.force=0.2 N' -o slow.csv
"$bristle" identify guess.yaml --data slow.csv --map 't=t,block.x=x,push.force=F' --free pad.Fc,pad.kv --set block.mass='2 kg' \
  --starts 2 --folds 1 | tr '\n' ' ' | tr -s ' ' >next.txt
grep -q 'Measure next for pad.kv: a motion to and fro by' next.txt || fail "nothing to measure next: $(cat next.txt)"
sed 's/.*speeds [-0-9.e]* to \([-0-9.e]*\) m.*next for pad.kv[^;]*at up to \([-0-9.e]*\) m.*/\1 \2/' next.txt |
  awk '{exit !($2 > 2 * $1)}' || fail "more speed would tell of pad.kv: $(cat next.txt)"
expect_words() { { "$bristle" identify rig.yaml --synthetic '1 kHz' "$@" 2>&1 || true; } | tr '\n' ' ' | tr -s ' '; }
expect_words --map 't=t,block.x=x' --noise 'blok.x=1 um' | grep -q 'is no column of the map' || fail "no word on a wrong name"
expect_words --map 'block.x=x' | grep -q 'map t to a column' || fail "no word on a missing time"
expect_words --map 't=t,block.x=x' --colour 2 | grep -q 'between -1 and 1' || fail "no word on the colour"

# What is wrong is told, with the exit code that is promised.
expect() { # CODE WORDS ARGUMENTS...
  local code=0 want=$1 words=$2
  shift 2
  "$bristle" identify "$@" >out.txt 2>err.txt || code=$?
  test $code = "$want" || fail "exit code $code, not $want: $* ($(cat err.txt))"
  cat out.txt err.txt | tr '\n' ' ' | tr -s ' ' | grep -q -- "$words" || fail "no '$words' in: $(cat out.txt err.txt)"
}
expect 2 'is no controller' sampled.yaml --data sampled.csv --map 't=t,block.x=x,wish.x=wish' --controller 'pull.force=1 N'
expect 2 'do its numbers have units' sampled.yaml --data sampled.csv --map 't=t,block.x=x,wish.x=wish' \
  --controller 'push.force=900*(wish.x - block.x)'
expect 2 'needs measured data' guess.yaml --map "$map"
expect 2 'say what the columns are' guess.yaml --data data.csv
expect 2 "did you mean 'pad.Fc'" guess.yaml --data data.csv --map "$map" --free pad.Fcc
expect 2 'there is no column' guess.yaml --data data.csv --map 't=t,block.x=position,push.force=drive'
expect 1 'where the motion is simulated only' guess.yaml --data data.csv --map "$map" --free pad.Fc,start_x
expect 2 'nowhere.csv: cannot be opened' guess.yaml --data nowhere.csv --map "$map"
expect 2 '/dev/zero: is not a regular file' guess.yaml --data /dev/zero --map "$map"
expect 2 'is none of' guess.yaml --data data.csv --map "$map" --way guess
expect 1 'only couplings' <(sed 's/^run/couplings: [{spring: [block, b2], stiffness: 1 N\/m}]\nrun/; s/bodies: {/bodies: {b2: {mass: 1 kg}, /' guess.yaml) --data data.csv --map "$map" --free $free
awk -F, -v OFS=, 'NR > 1 {$3 = 7} {print}' data.csv >constant.csv
expect 3 'never changes' guess.yaml --data constant.csv --map "$map" --free $free
awk -F, -v OFS=, 'NR == 50 {$1 = 0} {print}' data.csv >back.csv
expect 2 'back.csv:50: the time 0 does not lie after' guess.yaml --data back.csv --map "$map" --free $free
awk -F, -v OFS=, 'NR % 10 == 5 {$2 = "nan"} {print}' data.csv >holes.csv
expect 0 '600 of 6001 rows lack a number' guess.yaml --data holes.csv --map "$map" --free $free --filter '20 Hz'
