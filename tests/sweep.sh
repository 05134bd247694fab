#!/usr/bin/env bash
# bristle sweep and merge on the command line: numbers against single runs, files that are not lost, what is refused.
#   sweep.sh PATH_TO_BRISTLE
. "$(dirname "$0")/checks.sh"

cat >rig.yaml <<'EOF'
bodies: {block: {mass: 1 kg, v: 0.1 m/s}, belt: {velocity: 0.1 m/s}}
couplings: {pull: {spring: [ground, block], stiffness: 20 N/m}}
contacts: {pad: {between: [block, belt], load: 9.81 N, model: stribeck, mu_c: 0.1, mu_s: 0.15, v_s: 1 mm/s}}
run: {until: 4 s, output: 10 ms, rtol: 1e-7}
EOF

# ---- single points are single runs -----------------------------------------------------------------

measures='top=max(abs(pad.F)),end=last(block.x),stuck=fraction(pad.mode == 0),late=mean(block.v),events,dissipated'
run sweep rig.yaml --vary belt.velocity='50:200:4 mm/s' --vary pull.stiffness=log:20:80:3 --measure "$measures" -o grid.csv
[ $code = 0 ] && [ "$(wc -l <grid.csv)" = 13 ] && [ ! -s out ]
verdict $? "a grid of 4 times 3 is 12 rows" "exit $code, $(cat err)"
[ "$(head -1 grid.csv)" = "point,belt.velocity,pull.stiffness,top,end,stuck,late,events,dissipated,status,reason" ]
verdict $? "the head names axes and measures" "$(head -1 grid.csv)"

# The same from the rows of bristle run, by awk: largest, last, and trapezoids over the time.
bad=0
while IFS=, read -r point v k rest; do
  [ "$point" = 1 ] || [ "$point" = 6 ] || [ "$point" = 11 ] || continue
  "$bristle" run rig.yaml --set belt.velocity="$v" --set pull.stiffness="$k" -o one.csv --events ev.csv 2>/dev/null
  expected=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
    { F = $c["pad.F"]; F = F < 0 ? -F : F; top = F > top ? F : top; s = $c["pad.mode"] == 0; v = $c["block.v"]; t = $1
      if (NR > 2) { stuck += (s + s0) / 2 * (t - t0); mean += (v + v0) / 2 * (t - t0) }
      s0 = s; v0 = v; t0 = t; x = $c["block.x"]; heat = $c["energy.dissipated"] }
    END { printf "%.12g %.12g %.12g %.12g %.12g", top, x, stuck / t, mean / t, heat }' one.csv)
  awk -F, -v e="$expected" -v n="$(($(wc -l <ev.csv) - 1))" -v p="$point" '
    function off(a, b) { return (a - b) > 1e-9 || (b - a) > 1e-9 }
    $1 == p { split(e, w, " "); bad = off($4, w[1]) || off($5, w[2]) || off($6, w[3]) || off($7, w[4]) || off($9, w[5]) || $8 != n }
    END { exit bad }' grid.csv || { bad=1; echo "point $point: $expected"; }
done <grid.csv
verdict $bad "points have the numbers of single runs"

# ---- any number of threads, to a pipe or a file ----------------------------------------------------

for k in 1 2 4; do
  "$bristle" sweep rig.yaml --vary belt.velocity='50:200:4 mm/s' --vary pull.stiffness=log:20:80:3 --measure "$measures" --threads $k 2>/dev/null | cmp -s - grid.csv
  verdict $? "the same bytes with $k threads"
done

# ---- nothing is lost -------------------------------------------------------------------------------

# long enough to be interrupted, also where sanitizers make it three times as slow
until=16
[ -z "${TEST_SAMPLE:-}" ] || until=3
slow=(sweep rig.yaml --vary belt.velocity=0.05:0.2:60 --random block.mass='normal(5 %)' --samples 2 --measure "$measures" --until "$until s" --threads 2)
"$bristle" "${slow[@]}" -o whole.csv 2>/dev/null
for signal in KILL INT TERM; do
  rm -f cut.csv cut.csv.sweep
  set -m # else a shell lets what runs in the background ignore SIGINT
  "$bristle" "${slow[@]}" -o cut.csv 2>err &
  pid=$!
  set +m
  amid cut.csv.sweep $pid
  before=$(grep -c ',ok,$' cut.csv.sweep)
  kill -$signal $pid
  kill -CONT $pid
  wait $pid 2>/dev/null
  code=$?
  if [ -e cut.csv ]; then
    echo "(the sweep was done before SIG$signal came)"
  else
    [ "$before" -gt 0 ] && [ "$(grep -c ',ok,$' cut.csv.sweep)" -ge "$before" ]
    verdict $? "what was finished before SIG$signal is kept" "$before rows before it"
    [ $signal != INT ] || { [ $code = 130 ] && grep -q 'interrupted: [0-9]* of 120 points are kept in cut.csv.sweep; --resume goes on' err; }
    verdict $? "an interrupt is told" "exit $code, $(cat err)"
  fi
  run "${slow[@]}" -o cut.csv --resume
  [ $code = 0 ] && cmp -s cut.csv whole.csv
  verdict $? "after SIG$signal --resume ends with the same bytes" "exit $code, $(cat err)"
done

# A disk that is full: what fits is kept, and goes on when there is room.
rm -f cut.csv cut.csv.sweep
(ulimit -f 5 && "$bristle" "${slow[@]}" -o cut.csv >out 2>err)
code=$?
[ $code = 1 ] && grep -q 'cut.csv.sweep cannot be written: File too large' err && [ ! -e cut.csv ] &&
  [ "$(tail -c 1 cut.csv.sweep | od -An -c | tr -d ' ')" = '\n' ]
verdict $? "a full disk is told, and no row is torn" "exit $code, $(cat err)"
kept=$(grep -c '^[0-9]*,.*,ok,$' cut.csv.sweep)
grep -q ": $kept of 120 points are kept in cut.csv.sweep" err && grep -q "^$kept of 120 points in " err
verdict $? "the points that are kept are counted" "$kept, $(cat err)"
run "${slow[@]}" -o cut.csv --resume
[ $code = 0 ] && cmp -s cut.csv whole.csv
verdict $? "and goes on when there is room" "exit $code, $(cat err)"

# ---- parts ------------------------------------------------------------------------------------------

for i in 1 2 3 4; do "$bristle" "${slow[@]}" --part $i/4 -o part$i.csv 2>/dev/null; done
run merge part1.csv part2.csv part3.csv part4.csv -o merged.csv
[ $code = 0 ] && cmp -s merged.csv whole.csv && cmp -s merged.csv.sweep whole.csv.sweep
verdict $? "four parts are merged to the bytes of one sweep" "exit $code, $(cat err)"
refuses 2 "bristle: 30 of 120 points are missing, the first is point 2; --unfinished takes what is there" \
  merge part1.csv part2.csv part4.csv -o some.csv
cp part1.csv foreign.csv
sed '/^column: /a words: a|b\nwords: c|d|e|f|g' part1.csv.sweep >foreign.csv.sweep
refuses 1 "bristle: foreign.csv gives words of a column twice" merge foreign.csv -o some.csv
refuses 2 "bristle: part1.csv was made with other settings: 'part: 1/4' only there; take another name, or --overwrite" "${slow[@]}" -o part1.csv --resume
refuses 2 "bristle: whole.csv was made with other settings: 'part: 1/4' only here; take another name, or --overwrite" "${slow[@]}" --part 1/4 -o whole.csv --resume
sed '2s/,ok,$/0,ok,/' part1.csv >other.csv
cp part1.csv.sweep other.csv.sweep
refuses 2 "bristle: other.csv contradicts another part about point 0" merge part1.csv other.csv part2.csv part3.csv part4.csv -o some.csv
run merge part1.csv part1.csv part2.csv part3.csv part4.csv -o twice.csv
[ $code = 0 ] && cmp -s twice.csv whole.csv
verdict $? "a part may be named twice" "exit $code, $(cat err)"
refuses 2 "bristle: part1.csv and grid.csv are of different sweeps" merge part1.csv grid.csv -o some.csv
cp grid.csv before.csv
refuses 2 "bristle: grid.csv was made with other settings; take another name" merge part1.csv part2.csv part3.csv part4.csv -o grid.csv
cmp -s grid.csv before.csv
verdict $? "a merge leaves the result of another sweep as it is" "grid.csv has changed"
run merge part1.csv part2.csv part4.csv -o some.csv --unfinished
[ $code = 0 ] && [ "$(wc -l <some.csv)" = 91 ]
verdict $? "parts of it are taken when asked for" "exit $code"

# ---- what is refused, and what is left alone ---------------------------------------------------------

cp grid.csv keep.csv
again=(sweep rig.yaml --vary belt.velocity='50:200:4 mm/s' --measure period -o grid.csv)
refuses 2 "bristle: grid.csv exists already: --resume goes on with it if the settings are the same, --overwrite makes it anew" "${again[@]}"
run "${again[@]}" --resume
[ $code = 2 ] && grep -q "^bristle: grid.csv was made with other settings: 'vary: " err && [ "$(wc -l <err)" = 1 ]
verdict $? "results of other settings are refused in one sentence" "exit $code, $(cat err)"
cmp -s grid.csv keep.csv
verdict $? "and are as they were"
refuses 2 "bristle: belt has no 'velocty'; did you mean 'belt.velocity'?" sweep rig.yaml --vary belt.velocty=1:2:3 --measure period -o new.csv
refuses 2 "bristle: pad.mu_c: normal(0.3, -1): the deviation must be > 0" sweep rig.yaml --random 'pad.mu_c=normal(0.3, -1)' --measure period -o new.csv
refuses 2 "bristle: this makes 1e+12 points, and at most 1e+08 are possible: take fewer values, or samples of distributions" \
  sweep rig.yaml --vary belt.velocity=1:2:1000000 --vary block.mass=1:2:1000000 --measure period -o new.csv
refuses 2 "bristle: -o: 'new.txt': the name of a result ends in .csv or .sqlite" sweep rig.yaml --vary belt.velocity=1,2 --measure period -o new.txt
refuses 2 "bristle: --part needs I/N with I from 1 to N, such as 2/8, not '5/4'" sweep rig.yaml --vary belt.velocity=1,2 --measure period --part 5/4
refuses 2 "bristle: nothing is measured: --measure period, for example" sweep rig.yaml --vary belt.velocity=1,2

# ---- other inputs ------------------------------------------------------------------------------------

printf 'block.mass [g],belt.velocity [mm/s]\n500,100\n1500,200\n' >points.csv
run sweep rig.yaml --points points.csv --measure 'last(block.x)' --model stribeck,coulomb
[ $code = 0 ] && [ "$(cut -d, -f1-4 out | tr '\n' ' ')" = "point,block.mass,belt.velocity,model 0,0.5,0.1,stribeck 1,1.5,0.2,stribeck 2,0.5,0.1,coulomb 3,1.5,0.2,coulomb " ]
verdict $? "points of a file, with units, and two laws" "exit $code, $(cat out err)"
cp out points.out
printf '0.1,0.2\n0.1,0.3\n' >headless.csv
refuses 2 "bristle: headless.csv: its first line must name the columns, and begins with 0.1" sweep rig.yaml --points headless.csv --measure period
printf 'block.mass [s]\n1\n' >odd-unit.csv
refuses 2 "bristle: odd-unit.csv: block.mass: 1 s is not a mass: the unit is kg" sweep rig.yaml --points odd-unit.csv --measure period
printf 'block.mass [g],belt.velocity [mm/s]\n500,100\n' >one.csv
run sweep rig.yaml --points one.csv --measure 'last(block.x)'
[ $code = 0 ] && grep -q '^0,0.5,0.1,.*,ok,$' out
verdict $? "one point of a file" "exit $code, $(cat out err)"
for between in ';' '\t'; do
  tr , "$between" <points.csv >other.csv
  run sweep rig.yaml --points other.csv --measure 'last(block.x)' --model stribeck,coulomb
  [ $code = 0 ] && cmp -s out points.out
  verdict $? "points parted by '$between'" "exit $code, $(cat out err)"
done
refuses 2 "bristle: pull.stiffness: '2 N/mm' has a unit, but the last value has none: give it to the last for all, or to each" \
  sweep rig.yaml --vary 'pull.stiffness=2 N/mm,3' --measure period
refuses 2 "bristle: pull.stiffness: '2 N/mm' has a unit, but the last value has none: give it to the last for all, or to each" \
  sweep rig.yaml --vary 'pull.stiffness=2 N/mm:3:5' --measure period
run sweep rig.yaml --vary 'pull.stiffness=20,0.03 N/mm' --measure 'first(block.x)'
[ $code = 0 ] && [ "$(cut -d, -f2 out | tr '\n' ' ')" = "pull.stiffness 20000 30 " ]
verdict $? "a unit behind the last value is that of all" "exit $code, $(cat out err)"
refuses 2 "bristle: pad.model is no number: --model lugre,dahl varies the law of all contacts" sweep rig.yaml --vary pad.model=lugre,dahl --measure period
refuses 2 "bristle: run.solver is no number: --solver rosenbrock,cvode_bdf varies the solver" sweep rig.yaml --vary run.solver=rk4 --measure period
refuses 1 "bristle: /nowhere/page cannot be made: No such file or directory" sweep rig.yaml --vary block.mass=1,2 --measure period --report /nowhere/page
# several addresses with the same values
run sweep rig.yaml --vary belt.velocity,block.v=0.05,0.2 --measure 'first(block.v)/first(belt.v),last(block.x)'
[ $code = 0 ] && [ "$(cut -d, -f1-3 out | tr '\n' ' ')" = "point,belt.velocity,first(block.v)/first(belt.v) 0,0.05,1 1,0.2,1 " ] &&
  [ "$(sed -n 's/^1,0.2,1,\(.*\),ok,$/\1/p' out)" = "$("$bristle" sweep rig.yaml --set block.v=0.2 --set belt.velocity=0.2 --measure 'last(block.x)' 2>/dev/null | sed -n 's/^0,\(.*\),ok,$/\1/p')" ]
verdict $? "two addresses have the same values" "exit $code, $(cat out err)"
run sweep brake --random pad.mu_c,pad.mu_s='normal(5 %)' --samples 20 --measure 'last(disc.x)' --until '1 s'
[ $code = 0 ] && [ "$(grep -c ',ok,$' out)" = 20 ] && [ "$(head -1 out)" = "point,pad.mu_c,last(disc.x),status,reason" ]
verdict $? "also with distributions" "exit $code, $(cat err)"
refuses 2 "bristle: block.mass cannot have the values of belt.velocity, which has another unit" sweep rig.yaml --vary belt.velocity,block.mass=1,2 --measure period
refuses 2 "bristle: belt.velocity=...: an address is missing" sweep rig.yaml --vary belt.velocity,=1,2 --measure period
refuses 2 "bristle: belt has no 'velocty'; did you mean 'belt.velocity'?" sweep rig.yaml --vary block.v,belt.velocty=1,2 --measure period
# numbers of values as 1e2; too many are refused as such
run sweep rig.yaml --vary block.mass=1:2:2e0 --measure 'first(block.x)'
[ $code = 0 ] && [ "$(wc -l <out)" = 3 ]
verdict $? "a number of values may be 2e0" "exit $code, $(cat err)"
refuses 2 "bristle: block.mass: 1e+12 values are too many: at most 100000000" sweep rig.yaml --vary block.mass=1:2:1e12 --measure period
refuses 2 "bristle: block.mass: '2.5' is not a number of values, such as 50" sweep rig.yaml --vary block.mass=1:2:2.5 --measure period
refuses 2 "bristle: block.mass: 'normal(1)' should read normal(mean, deviation), or normal(5 %) about the value of the scenario" \
  sweep rig.yaml --random 'block.mass=normal(1)' --measure period
run sweep rig.yaml --set 'parameters.speed=0.1 m/s' --set block.v=speed --set belt.velocity=speed --vary speed=1,2 --measure period
[ $code = 2 ] && grep -q "^bristle: speed: .*give its numbers units" err
verdict $? "a parameter that the file does not take so says why" "exit $code, $(cat err)"
# numbers of the file's parameters: in SI, with their units in measures, also as distributions and from a file
cat >named.yaml <<'EOF'
parameters: {speed: 0.1 m/s, beat: 2 Hz}
bodies: {block: {mass: 1 kg}, belt: {velocity: speed}}
contacts: {pad: {between: [block, belt], load: 9.81 N, model: coulomb, mu_c: 0.1, mu_s: 0.15}}
drives: {push: {on: block, force: {sine: {amplitude: 2 N, frequency: beat}}}}
run: {until: 2 s, output: 10 ms}
EOF
run sweep named.yaml --vary 'speed=5,10 cm/s' --measure 'r=last(belt.x)/speed' -o named.csv
[ $code = 0 ] && [ "$(cut -d, -f2,3 named.csv | tr '\n' ' ')" = "speed,r 0.05,2 0.1,2 " ] && grep -q '^column: measure, s, plain, r$' named.csv.sweep
verdict $? "a parameter in another unit" "exit $code, $(cat named.csv err)"
run sweep named.yaml --random 'speed=uniform(5 cm/s, 0.1 m/s)' --random 'beat=normal(2 Hz, 5 %)' --samples 20 --measure 'r=last(belt.x)/speed,k=beat*(1 s)'
[ $code = 0 ] && awk -F, 'NR > 1 { if ($2 < 0.05 || $2 > 0.1 || $3 < 1.5 || $3 > 2.5 || ($4 - 2)^2 > 1e-20 || $5 != $3) exit 1; n++ } END { exit n != 20 }' out
verdict $? "distributions of parameters with units" "exit $code, $(cat out err)"
# shares of the value that the file gives a parameter, with its unit; others may follow it
for law in 'normal(2 %)' 'uniform(90 %, 110 %)' 'triangular(90 %, 100 %, 110 %)' 'uniform(-11 cm/s, 90 %)'; do
  run sweep named.yaml --set 'parameters.speed=-10 cm/s' --random "speed,block.v=$law" --samples 50 --measure 'r=last(belt.x)/speed,q=first(block.v)/speed' -o share.csv --overwrite
  [ $code = 0 ] && awk -F, 'NR > 1 { if ($2 < -0.1101 || $2 > -0.09 || ($3 - 2)^2 > 1e-20 || $4 != 1) exit 1; sum += $2 } END { exit !(sum < -4.9 && sum > -5.1) }' share.csv &&
    grep -q '^column: axis, m/s, random, speed$' share.csv.sweep
  verdict $? "$law of a parameter, -10 cm/s" "exit $code, $(head -3 share.csv; cat err)"
done
run sweep named.yaml --set parameters.mu=0.1 --set pad.mu_c=mu --random 'mu=normal(5 %)' --random 'beat=normal(5 %)' --samples 10 --measure 'xi(block.x*beat*mu)'
[ $code = 0 ] && awk -F, 'NR > 1 { if ($2 < 0.08 || $2 > 0.12 || $3 < 1.6 || $3 > 2.4 || !($4 > 0)) exit 1; n++ } END { exit n != 10 }' out
verdict $? "shares of pure numbers and frequencies" "exit $code, $(head -3 out; cat err)"
refuses 2 "bristle: there is no 'beats'; did you mean 'beat'?" sweep named.yaml --random 'beats=normal(5 %)' --measure period
refuses 2 "bristle: run.until: 5 % of what? The value in the scenario is not known" sweep named.yaml --random 'run.until=normal(5 %)' --measure period
printf 'speed [cm/s],run.until [ms]\n5,500\n10,1000\n' >named-points.csv
run sweep named.yaml --points named-points.csv --measure 'last(belt.x),t_end'
[ $code = 0 ] && [ "$(cut -d, -f2-5 out | tr '\n' ' ')" = "speed,run.until,last(belt.x),t_end 0.05,0.5,0.025,0.5 0.1,1,0.1,1 " ]
verdict $? "points of parameters with units" "exit $code, $(cat out err)"
run sweep rig.yaml --vary run.until=1,2,3 --measure t_end
[ $code = 0 ] && [ "$(cut -d, -f3 out | tr '\n' ' ')" = "t_end 1 2 3 " ]
verdict $? "keys of the file can be varied, too" "exit $code, $(cat out err)"
run sweep rig.yaml --vary block.mass=-1,1 --measure 'last(block.x)'
[ $code = 0 ] && grep -q '^0,-1,,failed,block.mass = -1 kg is outside' out && grep -q '^1,1,.*,ok,$' out
verdict $? "a point that fails is a row with its reason" "exit $code, $(cat out err)"
run sweep rig.yaml --vary block.mass=-1,-2 --measure 'last(block.x)'
[ $code = 1 ] && grep -q 'no point succeeded' err
verdict $? "and exit code 1 if all do" "exit $code, $(cat err)"
run sweep rig.yaml --vary block.mass=1,2 --measure 'last(block.x)' --keep runs
[ $code = 0 ] && "$bristle" run rig.yaml --set block.mass=2 2>/dev/null | cmp -s - runs/point-1.csv
verdict $? "runs that are kept are those of bristle run" "exit $code, $(cat err)"

# The slips of a point are those of bristle run, with the threshold of that point.
run sweep belt --vary belt.velocity=0.05,0.3 --measure slips --until '30 s'
"$bristle" run belt --set belt.velocity=0.3 --until '30 s' --slips slips.csv -o /dev/null 2>/dev/null
[ "$(sed -n 's/^1,0.3,\([0-9]*\),ok,$/\1/p' out)" = "$(awk -F, 'NR > 1 && $8 == 1' slips.csv | wc -l)" ]
verdict $? "slips are those of bristle run" "$(cat out)"

# They begin and end within steps: at 1e-4 as at 1e-9.
run sweep belt --vary run.rtol=1e-4,1e-9 --measure slips,slip_size,slip_time,slip_peak --until '30 s'
[ $code = 0 ] && awk -F, 'NR > 1 { for (i = 3; i <= 6; i++) { if (NR == 3 && (!($i > 0) || ($i / x[i] - 1) ^ 2 > 1e-9)) exit 1; x[i] = $i } }' out
verdict $? "slips do not depend on steps" "$(cat out)"

run sweep rig.yaml --random pad.mu_c='uniform(0.05, 0.1)' --random block.mass='normal(1 %)' --measure 'max(block.x)' --until '1 s' --samples 16 --indices sobol --csv
[ $code = 0 ] && [ "$(head -1 out)" = "point,measure,input,first,first_off,total,total_off" ] && [ "$(wc -l <out)" = 3 ]
verdict $? "indices of two inputs are two rows" "exit $code, $(cat out err)"
refuses 2 "bristle: --json is for the table of --indices; rows are always CSV" sweep rig.yaml --vary block.mass=1,2 --measure period --json
for what in '--samples 20' '--seed 2' '--sampling halton'; do
  # shellcheck disable=SC2086
  refuses 2 "bristle: ${what% *}: nothing is drawn at random; --random ADDR=DIST gives a number a distribution" \
    sweep rig.yaml --vary block.mass=1,2 --measure period $what
done
refuses 2 "bristle: sensitivity indices need inputs with distributions: --random" sweep rig.yaml --vary block.mass=1,2 --measure period --indices morris

for count in 4294967299 3x 2.5 -1 ''; do
  refuses 2 "bristle: peaks(X, COUNT) needs a count from 1 to 200" sweep rig.yaml --vary block.mass=1,2 --measure "peaks(block.x, $count)"
done

# ---- what measures refuse ----------------------------------------------------------------------------

two=(sweep rig.yaml --vary block.mass=1,2)
for name in point status reason; do
  refuses 2 "bristle: a column '$name' is there already: name the measure otherwise" "${two[@]}" --measure "$name=last(block.x)"
done
refuses 2 "bristle: measure 'last(block.x': a ) is missing" "${two[@]}" --measure 'last(block.x'
refuses 2 "bristle: at(X, 0.5 kg): the second argument is a time" "${two[@]}" --measure 'at(block.x, 0.5 kg)'
refuses 2 "bristle: peak(X, 1 m): the second argument is a pure number" "${two[@]}" --measure 'peak(block.x, 1 m)'
refuses 2 "bristle: quantile(X, 2): a share is from 0 to 1" "${two[@]}" --measure 'quantile(block.x, 2)'
refuses 2 "bristle: at(X, 5 s): 0 ... 4 s are measured" "${two[@]}" --measure 'at(block.x, 5 s)'
refuses 2 "bristle: at(X, 1): 2 ... 4 s are measured" "${two[@]}" --measure 'at(block.x, 1)' --from '2 s'
refuses 2 "bristle: peak(X, 0): peaks are counted from 1" "${two[@]}" --measure 'peak(block.x, 0)'
refuses 2 "bristle: peak(X, 1.5): peaks are counted from 1" "${two[@]}" --measure 'peak(block.x, 1.5)'
refuses 2 "bristle: measure: 'slips' is of the whole run and stands alone, without brackets" "${two[@]}" --measure 'slips(pad)'
refuses 2 "bristle: measure 'block.x': a condition is wanted here, such as X > A" "${two[@]}" --measure 'fraction(block.x)'
run sweep rig.yaml --vary run.until=1,4 --measure 'at(block.x, 2 s)'
[ $code = 0 ] && grep -q '^0,1,,ok,$' out && grep -Eq '^1,4,[0-9.e-]+,ok,$' out
verdict $? "a time that some of the runs reach" "exit $code, $(cat out err)"
for what in 'last(t)/(1 s),4' 'max(t)/(2 s),2' 'max(3),3' 'last(block.mass)/block.mass,1' 'fraction(t >= 2 s),0.5'; do
  run "${two[@]}" --measure "${what%,*}"
  [ $code = 0 ] && [ "$(sed -n 's/,ok,$//; s/^0,1,//p' out | cut -c1-3)" = "${what#*,}" ]
  verdict $? "${what%,*} without other columns" "exit $code, $(cat out err)"
done
run sweep rig.yaml --vary run.until=1,2,3 --from '2 s' --measure sliding,events
[ $code = 0 ] && [ "$(grep -c 'failed,"measuring begins at 2 s, but the run ends at [12] s"$' out)" = 2 ] && grep -q '^2,3,.*,ok,$' out
verdict $? "a run that ends before it is measured fails" "exit $code, $(cat out err)"
run "${two[@]}" --measure 'at(block.x, 500 ms)-at(block.x, 0.5)' --until '1 s'
[ $code = 0 ] && [ "$(grep -c '^[01],[12],0,ok,$' out)" = 2 ]
verdict $? "a time with a unit, and in seconds without" "exit $code, $(cat out err)"
run "${two[@]}" --measure $'\tlast(block.x) -\n first(block.x)\n' --until '1 s' -o lines.csv
[ $code = 0 ] && [ "$(head -1 lines.csv)" = 'point,block.mass,last(block.x) -  first(block.x),status,reason' ] && "$bristle" merge lines.csv -o lines2.csv 2>/dev/null && cmp -s lines.csv lines2.csv
verdict $? "a measure of two lines has a name of one" "exit $code, $(cat lines.csv err)"
deep() { printf 'max(%.0s' $(seq "$1"); printf 'block.x'; printf ')%.0s' $(seq "$1"); }
run "${two[@]}" --measure "$(deep 20000)"
[ $code = 2 ] && [ "$(cat err)" = "bristle: a measure is more than 100 calls deep" ]
verdict $? "too many calls within calls are refused" "exit $code, $(head -c 200 err)"
run "${two[@]}" --measure "top=$(deep 90)-max(block.x)" --until '1 s'
[ $code = 0 ] && [ "$(grep -c ',0,ok,$' out)" = 2 ]
verdict $? "calls within calls" "exit $code, $(cat out err)"
# thousands of measures: each is read for itself
many=$(for i in 1 2 3 4 5 6 7 8 9 10 11; do printf ',c%d=course(block.x, 200)' $i; done)
timeout 60 "$bristle" "${two[@]}" --measure "${many#,}" --until '1 s' >out 2>err
code=$?
[ $code = 0 ] && [ "$(head -1 out | tr , '\n' | wc -l)" = 2204 ]
verdict $? "2,200 measures do not take long" "exit $code, $(cat err)"

# ---- lists, shares and points ------------------------------------------------------------------------

refuses 2 "bristle: block.mass: 2 is given twice" sweep rig.yaml --vary block.mass=2,1,2 --measure period
refuses 2 "bristle: block.mass: 'inf' is not a number" sweep rig.yaml --vary block.mass=1:inf:3 --measure period
refuses 2 "bristle: block.mass: 'inf' is not a number" sweep rig.yaml --vary block.mass=1,inf --measure period
refuses 2 "bristle: 'stribeck,': a name is missing" sweep rig.yaml --model stribeck, --measure period
refuses 2 "bristle: '': a name is missing" sweep rig.yaml --solver '' --measure period
refuses 2 "bristle: pad.kv: 5 % of 0 is 0: give numbers in place of shares" sweep rig.yaml --random 'pad.kv=normal(5 %)' --measure period
# shares of a negative value are on its side
for law in 'uniform(90 %, 110 %)' 'triangular(90 %, 100 %, 110 %)' 'normal(2 %)'; do
  run sweep rig.yaml --set block.v=-0.1 --random "block.v=$law" --samples 50 --measure 'first(block.v)'
  [ $code = 0 ] && awk -F, 'NR > 1 { if ($2 < -0.11 || $2 > -0.09) exit 1; sum += $2 } END { exit !(sum < -4.9 && sum > -5.1) }' out
  verdict $? "$law of -0.1" "exit $code, $(head -3 out; cat err)"
done
printf '\357\273\277block.mass (g),belt.velocity [mm/s]\r\n500,100\r\n1500,200\r\n' >marked.csv
run sweep rig.yaml --points marked.csv --measure 'last(block.x)' --model stribeck,coulomb
[ $code = 0 ] && cmp -s out points.out
verdict $? "points of a spreadsheet, with a mark before the text" "exit $code, $(cat out err)"
echo 'block.mass' >none.csv
refuses 2 "bristle: none.csv: it has no rows" sweep rig.yaml --points none.csv --measure period
seq -s, -f 'a%g' 33 >wide.csv
refuses 2 "bristle: wide.csv: more than 32 columns" sweep rig.yaml --points wide.csv --measure period
refuses 1 "bristle: no/such cannot be made: No such file or directory" "${two[@]}" --measure period --keep no/such

# ---- laws and solvers that do not go together are rows -------------------------------------------------

run sweep rig.yaml --model coulomb,lugre --solver rk4,rosenbrock --step '10 us' --until '0.1 s' --measure 'last(block.x)'
[ $code = 0 ] && [ "$(cut -d, -f1-3 out | tr '\n' ' ')" = "point,model,solver 0,coulomb,rk4 1,coulomb,rosenbrock 2,lugre,rk4 3,lugre,rosenbrock " ] &&
  grep -q '^0,coulomb,rk4,,failed,"pad: coulomb sticks exactly, which the solver rk4 cannot do' out && [ "$(grep -c ',ok,$' out)" = 3 ]
verdict $? "a law that a solver cannot run is a row with its reason" "exit $code, $(cat out err)"
run sweep rig.yaml --model coulomb --solver rk4,implicit_midpoint --step '10 us' --measure 'last(block.x)'
[ $code = 2 ] && [ "$(wc -l <err)" = 1 ]
verdict $? "none that go together is refused" "exit $code, $(cat out err)"

# ---- settings that decide --------------------------------------------------------------------------------

one=(sweep rig.yaml --random 'block.mass=normal(5 %)' --samples 1 --measure 'last(block.x)' -o one-sample.csv)
"$bristle" "${one[@]}" --seed 1 2>/dev/null
refuses 2 "bristle: one-sample.csv was made with other settings: 'seed: 1' there, 'seed: 2' here; take another name, or --overwrite" "${one[@]}" --seed 2 --resume
cat >mine.yaml <<'EOF'
law: mine
title: Coulomb friction of one's own
cite: none
limits: none are known
defaults: {from: nowhere, load: 1 N}
parameters:
  mu_c: {default: 0.5, range: [1e-6, 1e6], level: Fc, role: sliding level, text: sliding friction coefficient}
equations: |
  F = mu_c*N*sign(v)
holds: mu_c*N
EOF
own=(sweep rig.yaml --laws mine.yaml --model mine --vary block.mass=1,2 --until '1 s' --measure 'max(abs(pad.F))' -o own.csv)
run "${own[@]}"
[ $code = 0 ] && [ "$(grep -c ',ok,$' own.csv)" = 2 ]
verdict $? "a law of one's own" "exit $code, $(cat err)"
run "${own[@]}" --resume
verdict $code "is taken up again" "$(cat err)"
sed -i 's/mu_c[*]N/1.5*mu_c*N/' mine.yaml
refuses 2 "bristle: a file that the sweep reads has changed since own.csv was made; take another name, or --overwrite" "${own[@]}" --resume

# rows that somebody has changed, settings that were cut, a folder in their place
"$bristle" "${two[@]}" --measure 'last(block.x)' -o rows-of-two.csv 2>/dev/null
sed 's/^1,2,/1,3,/' rows-of-two.csv >changed.csv
cp rows-of-two.csv.sweep changed.csv.sweep
refuses 2 "bristle: changed.csv has a row of point 1 that is none of this sweep; take another name, or --overwrite" "${two[@]}" --measure 'last(block.x)' -o changed.csv --resume
head -c 60 rows-of-two.csv.sweep >cut-short.csv.sweep
run "${two[@]}" --measure 'last(block.x)' -o cut-short.csv --resume
[ $code = 0 ] && cmp -s cut-short.csv rows-of-two.csv
verdict $? "settings that end early are written again" "exit $code, $(cat err)"
mkdir folder.csv.sweep
refuses 1 "bristle: folder.csv.sweep: is a directory" "${two[@]}" --measure 'last(block.x)' -o folder.csv --resume

# arrays of several sizes: numbers and contacts are those of their names
cat >array.yaml <<'EOF'
bodies: {block: {mass: 1 kg, v: 0.1 m/s, repeat: 3}, belt: {velocity: 0.1 m/s}, still: {mass: 1 kg, v: 1 m/s}}
couplings: {pull: {spring: [ground, block], stiffness: 20 N/m}}
contacts:
  pad: {between: [block, belt], load: 9.81 N, model: stribeck, mu_c: 0.1, mu_s: 0.15, v_s: 1 mm/s}
  rest: {between: [still, ground], load: 9.81 N, model: stribeck, mu_c: 0.1, mu_s: 0.15, v_s: 1 mm/s}
run: {until: 2 s, output: 10 ms}
EOF
run sweep array.yaml --vary block.repeat=1,3,5 --vary rest.mu_c=0.1,0.05 --measure 'last(still.x),regime(rest),sliding(rest),break_away(rest)'
cp out array.out
[ $code = 0 ] && [ "$(grep -c ',ok,$' array.out)" = 6 ] &&
  awk -F, 'NR > 1 { for (i = 4; i <= 7; i++) if (i != 5) { if (($3, i) in x && ($i - x[$3, i]) ^ 2 > 1e-10) exit 1; x[$3, i] = $i } }
    END { exit !(x["0.05", 4] > 1.5 * x["0.1", 4]) }' array.out
verdict $? "a contact behind an array of several sizes" "exit $code, $(cat array.out err)"
run sweep array.yaml --vary block.repeat=2,3 --vary block3.mass=1,2 --measure 'starts(pad1)'
[ $code = 0 ] && [ "$(grep -c "failed,there is no 'block3'" out)" = 2 ] && [ "$(grep -c ',ok,$' out)" = 2 ]
verdict $? "a member that is not there fails" "exit $code, $(cat out err)"
run sweep array.yaml --vary block.repeat=2,3 --measure 'starts(pad3)'
[ $code = 0 ] && grep -q '^0,2,,failed,there is no contact pad3 here$' out && grep -q '^1,3,[0-9]*,ok,$' out
verdict $? "a contact that is not there fails" "exit $code, $(cat out err)"
run sweep array.yaml --vary block.repeat=1,3 --each 'block.mass=normal(20 %)' --samples 3 --measure 'last(still.x)'
[ $code = 0 ] && awk -F, 'NR > 1 { if (NR > 2 && ($3 - x) ^ 2 > 1e-10) exit 1; x = $3 } END { exit NR != 7 }' out
verdict $? "each member of an array, and nothing behind it" "exit $code, $(cat out err)"
refuses 2 "bristle: block.repeat: array.yaml: bodies.block.repeat: 1.5 must be a whole number" sweep array.yaml --vary block.repeat=1.5,2 --measure t_end
run sweep array.yaml --random 'block.repeat=uniform(1, 5)' --random 'run.max_steps=uniform(1e5, 2e5)' --samples 6 --measure t_end
[ $code = 0 ] && [ "$(grep -Ec '^[0-5],[1-5],[0-9]+,2,ok,$' out)" = 6 ]
verdict $? "samples of whole numbers" "exit $code, $(cat out err)"

# runs that are wanted later
run "${two[@]}" --measure 'last(block.x)' -o rows-of-two.csv --resume --keep later
[ $code = 0 ] && grep -q '^2 points in' err && cmp -s later/point-1.csv runs/point-1.csv
verdict $? "runs of points that are finished" "exit $code, $(cat err; ls later)"
rm later/point-0.csv
cp rows-of-two.csv before.csv
run "${two[@]}" --measure 'last(block.x)' -o rows-of-two.csv --resume --keep later
[ $code = 0 ] && grep -q '^2 points, 1 of them now in' err && [ -s later/point-0.csv ] && cmp -s before.csv rows-of-two.csv
verdict $? "those that are missing" "exit $code, $(cat err; ls later)"

# runs of other settings are not written over
for now in later runs; do
  cp $now/point-1.csv kept-before.csv
  refuses 2 "bristle: $now was made with other settings: 'vary: block.mass=1,2' there, 'vary: block.mass=1,3' here; take another folder, or delete that one" \
    sweep rig.yaml --vary block.mass=1,3 --measure 'last(block.x)' --keep $now -o other-runs.csv
  cmp -s kept-before.csv $now/point-1.csv && [ ! -e other-runs.csv.sweep ]
  verdict $? "runs in $now are as they were"
done
cp rig.yaml moved.yaml
moved=(sweep moved.yaml --vary block.mass=1,2 --measure 'last(block.x)' --until '1 s' --keep moved)
"$bristle" "${moved[@]}" --part 1/2 >/dev/null 2>&1
run "${moved[@]}" --part 2/2
[ $code = 0 ] && [ -s moved/point-0.csv ] && [ -s moved/point-1.csv ]
verdict $? "parts of a sweep share a folder for their runs" "exit $code, $(cat err; ls moved)"
run "${moved[@]}"
verdict $code "the same sweep writes the same runs again" "$(cat err)"
echo '# another file' >>moved.yaml
refuses 2 "bristle: a file that the sweep reads has changed since moved was made; take another folder, or delete that one" "${moved[@]}"
rm moved/runs.sweep
run "${moved[@]}"
[ $code = 2 ] && grep -q '^bristle: moved holds point-[01].csv already, and without moved/runs.sweep nobody knows its settings; take another folder$' err
verdict $? "runs of nobody knows what are not written over" "exit $code, $(cat err)"
rm moved/point-*.csv
run sweep moved.yaml --vary block.mass=1,3 --measure 'last(block.x)' --until '1 s' --keep moved
verdict $code "a folder without runs is taken" "$(cat err)"

# Indices of several places say which.
run sweep rig.yaml --vary belt.velocity=0.1,0.2 --model stribeck,coulomb --random 'block.mass=normal(1 %)' --until '1 s' --measure 'max(block.x)' --samples 4 --indices morris --csv
[ $code = 0 ] && [ "$(cut -d, -f1-5 out | tr '\n' ' ')" = "point,belt.velocity,model,measure,input 0,0.1,stribeck,max(block.x),block.mass 8,0.2,stribeck,max(block.x),block.mass 16,0.1,coulomb,max(block.x),block.mass 24,0.2,coulomb,max(block.x),block.mass " ]
verdict $? "indices name their place in the grids" "exit $code, $(cat out err)"
# indices of parts: when they are together
design=(sweep rig.yaml --random 'block.mass=normal(1 %)' --random pad.mu_c='uniform(0.05, 0.1)' --until '1 s' --measure 'max(block.x)' --samples 8 --indices sobol --csv)
"$bristle" "${design[@]}" >whole-indices.csv 2>/dev/null
for i in 1 2; do
  run "${design[@]}" --part $i/2 -o share$i.csv
  [ $code = 0 ] && [ ! -s out ]
  verdict $? "part $i of a design" "exit $code, $(cat out err)"
done
"$bristle" merge share1.csv share2.csv -o shares.csv 2>/dev/null
run "${design[@]}" -o shares.csv --resume
[ $code = 0 ] && cmp -s out whole-indices.csv
verdict $? "parts of a design have the indices of the whole" "exit $code, $(cat out err)"
pair=(sweep rig.yaml --random 'block.mass=normal(1 %)' --random 'pad.mu_c=uniform(0.05, 0.1)' --measure period)
refuses 2 "bristle: correlate: 'pad.mu_c,block.mass=0.6' is given a second time" "${pair[@]}" --correlate block.mass,pad.mu_c=0.5 --correlate pad.mu_c,block.mass=0.6
run "${pair[@]}" --correlate 'block.mass, pad.mu_c = 0.5' --samples 2 --until '1 s'
verdict $code "blanks around correlated names" "$(cat err)"
refuses 2 "bristle: sensitivity indices need 2 samples or more" sweep rig.yaml --random 'block.mass=normal(1 %)' --measure period --samples 1 --indices sobol

run sweep rig.yaml --random 'block.mass=normal (1 %)' --measure 'regime' --samples 4 --until '1 s' --indices sobol
[ $code = 0 ] && grep -q '^bristle: regime: words have no indices, only numbers$' err
verdict $? "words have no indices" "exit $code, $(cat out err)"

# Angles keep their unit: rad is none for expressions, but it is that of a column.
run sweep brake --random 'disc.inertia=normal(1 %)' --samples 2 --until '1 s' --measure 'last(disc.x),max(disc.v),max(abs(disc.v)),swing(disc.x),last(disc.x)*2' -o angle.csv
[ "$(sed -n 's/^column: measure, \([^,]*\),.*/\1/p' angle.csv.sweep | tr '\n' ' ')" = "rad rad/s rad/s rad 1 " ]
verdict $? "angles are in rad" "exit $code, $(cat err angle.csv.sweep)"

# ---- a database --------------------------------------------------------------------------------------

base=(sweep rig.yaml --vary belt.velocity=0.05:0.2:4 --measure 'regime,max(block.x)' --model stribeck,coulomb --until '1 s')
"$bristle" "${base[@]}" -o rows.csv 2>/dev/null
run "${base[@]}" -o rows.sqlite --threads 1
if grep -q 'has no SQLite' err; then
  echo "(this build has no SQLite)"
else
  [ $code = 0 ] && [ "$(head -c 15 rows.sqlite)" = "SQLite format 3" ]
  verdict $? "results as a database" "exit $code, $(cat err)"
  "$bristle" "${base[@]}" -o again.sqlite --threads 2 2>/dev/null
  cmp -s rows.sqlite again.sqlite
  verdict $? "it has the same bytes with two threads"
  for i in 1 2; do "$bristle" "${base[@]}" --part $i/2 -o half$i.sqlite 2>/dev/null; done
  run merge half1.sqlite half2.sqlite -o both.csv
  [ $code = 0 ] && cmp -s both.csv rows.csv
  verdict $? "databases are merged to the bytes of the CSV file" "exit $code, $(cat err)"
  run merge half1.sqlite half2.sqlite -o both.sqlite
  [ $code = 0 ] && cmp -s both.sqlite rows.sqlite
  verdict $? "and of the database" "exit $code, $(cat err)"
  run "${base[@]}" -o rows.sqlite --resume
  [ $code = 0 ] && grep -q '^8 points$' err
  verdict $? "a database that is complete is taken as it is" "exit $code, $(cat err)"
  if command -v sqlite3 >/dev/null; then
    cp half1.sqlite twin.sqlite
    cp half1.sqlite.sweep twin.sqlite.sweep
    run merge half1.sqlite twin.sqlite half2.sqlite -o both.csv
    [ $code = 0 ] && cmp -s both.csv rows.csv
    verdict $? "a database may be named twice" "exit $code, $(cat err)"
    sqlite3 twin.sqlite 'UPDATE points SET "max(block.x)" = 1.5 WHERE point = 0'
    refuses 2 "bristle: twin.sqlite contradicts another part about point 0" \
      merge half1.sqlite twin.sqlite half2.sqlite -o both.csv
    sqlite3 -csv -header rows.sqlite 'SELECT point, model FROM points WHERE status = '"'ok'" | tr -d '\r' >got.csv
    cut -d, -f1,3 rows.csv | cmp -s - got.csv
    verdict $? "sqlite3 reads the points" "$(head -3 got.csv)"
    [ "$(sqlite3 rows.sqlite "SELECT unit FROM columns WHERE name = 'max(block.x)'")" = m ] &&
      [ "$(sqlite3 rows.sqlite "SELECT value FROM settings WHERE key = 'scenario'")" = rig.yaml ]
    verdict $? "units and settings are inside"
    # a file of a stranger: rows without end, other values, states and types
    for sql in 'CREATE VIEW points AS WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i FROM n) SELECT i, 0.05, 0, 0, 1, "ok", "" FROM n' \
      'UPDATE points SET status = "fine"' 'UPDATE points SET model = "none"' 'UPDATE points SET "max(block.x)" = "text"' \
      'UPDATE points SET reason = zeroblob(2000000)' 'UPDATE points SET point = 1000 WHERE point = 0'; do
      cp half1.sqlite odd.sqlite && cp half1.sqlite.sweep odd.sqlite.sweep
      case $sql in CREATE*) sqlite3 odd.sqlite 'DROP TABLE points' ;; esac
      sqlite3 odd.sqlite "$sql"
      refuses 2 "bristle: odd.sqlite has other rows than this sweep writes; take another name, or --overwrite" \
        merge odd.sqlite half2.sqlite -o odd.csv
    done
  fi
  refuses 2 "bristle: a database cannot tell the columns 'a' and 'A' apart; NAME=... names a measure" "${two[@]}" --measure 'a=last(block.x),A=first(block.x)' -o capital.sqlite
  refuses 2 "bristle: 2201 columns are too many for a database, at most 1990: take FILE.csv" "${two[@]}" --measure "${many#,}" -o wide.sqlite
  echo old >real.sqlite
  chmod 600 real.sqlite
  ln -s real.sqlite via.sqlite
  run "${base[@]}" -o via.sqlite --overwrite
  [ $code = 0 ] && [ -L via.sqlite ] && [ "$(stat -c %a real.sqlite)" = 600 ] && cmp -s real.sqlite rows.sqlite
  verdict $? "a link to a database stays, and its permissions" "exit $code, $(ls -l via.sqlite real.sqlite)"
fi

# ---- FILE.sweep is written where nobody named it -------------------------------------------------------

echo precious >precious
ln -s precious plant.csv.sweep
refuses 1 "bristle: plant.csv.sweep cannot be written: Too many levels of symbolic links" "${base[@]}" -o plant.csv --overwrite
ln -s nowhere dangling.csv.sweep
refuses 1 "bristle: dangling.csv.sweep cannot be written: Too many levels of symbolic links" "${base[@]}" -o dangling.csv
for i in 1 2; do "$bristle" "${base[@]}" --part $i/2 -o piece$i.csv 2>/dev/null; done
run merge piece1.csv piece2.csv -o plant.csv
[ $code = 1 ] && [ "$(cat err)" = "bristle: plant.csv.sweep cannot be written: it is no file" ] && [ "$(cat precious)" = precious ] && [ ! -e nowhere ]
verdict $? "a link that stands there is not followed" "exit $code, $(cat err precious)"
cp rig.yaml read.csv.sweep
refuses 2 "bristle: -o read.csv would overwrite what is read" sweep ./read.csv.sweep "${base[@]:2}" -o read.csv --overwrite
refuses 2 "bristle: -o piece1.csv would overwrite what is read" merge piece1.csv.sweep --unfinished -o piece1.csv

# ---- pictures and examples ---------------------------------------------------------------------------

if command -v gnuplot >/dev/null; then
  grid=(--vary belt.velocity=log:0.05:0.2:4 --until '1 s')
  run sweep rig.yaml "${grid[@]}" --vary pull.stiffness=20,40,80 --measure regime --plot map.svg --limit 'pull.stiffness - 40 N/m*(belt.velocity/0.1 m/s)'
  [ $code = 0 ] && grep -q 'stick' map.svg && grep -q 'limit' map.svg && grep -q 'belt.velocity' map.svg
  verdict $? "a map of words with a limit" "exit $code, $(cat err)"
  run sweep rig.yaml "${grid[@]}" --vary pull.stiffness=20,40,80 --measure 'max(block.x)' --plot map.png
  [ $code = 0 ] && [ -s map.png ]
  verdict $? "a map of numbers with contours" "exit $code, $(cat err)"
  run sweep rig.yaml "${grid[@]}" --measure 'max(block.x)' --part 1/2 --plot part.svg
  [ $code = 0 ] && grep -q 'rig.yaml, 2 of 4 points' part.svg
  verdict $? "a picture of a part says so" "exit $code, $(cat err)"
  # lists in any order are drawn in the order of their values
  "$bristle" sweep rig.yaml --vary pull.stiffness=80,20,40 --vary belt.velocity=0.2,0.05 --measure 'top=max(block.x)' --until '1 s' --report mixed >mixed.out 2>err
  "$bristle" sweep rig.yaml --vary pull.stiffness=20,40,80 --vary belt.velocity=0.05,0.2 --measure 'top=max(block.x)' --until '1 s' --report sorted >/dev/null 2>&1
  cmp -s mixed/map1.csv sorted/map1.csv && cmp -s mixed/map1.svg sorted/map1.svg && [ -s sorted/map1.svg ]
  verdict $? "a map of lists in any order" "$(cat err; head -5 mixed/map1.csv)"
  "$bristle" sweep rig.yaml --vary belt.velocity=0.2,0.05,0.1 --measure 'top=max(block.x)' --until '1 s' --report mixed1 >/dev/null 2>err
  [ "$(sed 1d mixed1/picture.csv | cut -d, -f5 | tr '\n' ' ')" = "0.05 0.1 0.2 " ]
  verdict $? "a line over a list in any order" "$(cat err; cat mixed1/picture.csv)"
  run sweep rig.yaml --vary belt.velocity=0.05,0.2 --measure 'x=course(block.x, 11)' --until '1 s' --plot courses.svg
  [ $code = 0 ] && grep -q 'belt.velocity = 0.05 m/s' courses.svg && ! grep -q median courses.svg
  verdict $? "courses of two points are two lines" "exit $code, $(cat err)"
  # of two laws two maps, each of its own values
  run sweep rig.yaml "${grid[@]}" --vary pull.stiffness=20,40,80 --measure 'top=max(block.x)' --model stribeck,coulomb --plot maps.svg --report maps
  [ $code = 0 ] && grep -q 'stribeck: top' maps.svg && grep -q 'coulomb: top' maps.svg &&
    cmp -s <(awk -F, 'NR > 1 && $4 == "top" { print $1, $5, $6, $7 }' maps/map1.csv | sort) <(awk -F, 'NR > 1 { print $4, $2, $3, $5 }' out | sort)
  verdict $? "a map for every law" "exit $code, $(cat err; head -3 maps/map1.csv)"
  run sweep rig.yaml "${grid[@]}" --vary pull.stiffness=20,40 --vary block.mass=1,2 --measure 'regime' --plot maps.svg
  [ $code = 0 ] && grep -q 'block.mass = 2 kg: regime' maps.svg
  verdict $? "a map for every value of a third grid" "exit $code, $(cat err)"
  refuses 2 "bristle: --plot: a picture has at most 9 maps, not 10, one for each law, solver and value beyond the first two grids" \
    sweep rig.yaml "${grid[@]}" --vary pull.stiffness=20,40 --vary block.mass=1:2:10 --measure regime --plot maps.svg -o never.csv
  refuses 2 "bristle: --plot: laws and solvers alone are no picture: vary a number as well" \
    sweep rig.yaml --model stribeck,coulomb --measure period --plot maps.svg -o never.csv
  # nothing repeats: an empty panel beside a full one, over a logarithmic grid
  run sweep rig.yaml --vary belt.velocity=log:0.05:0.2:4 --until '0.1 s' --measure 'period,max(block.x)' --plot empty.svg
  [ $code = 0 ] && grep -q period empty.svg
  verdict $? "a measure that no point has is an empty panel" "exit $code, $(cat err)"
  run sweep rig.yaml --vary block.mass=-1,1,2 --measure 'max(block.x)' --until '1 s' --plot failed.svg
  [ $code = 0 ] && grep -q 'rig.yaml, 3 points, 1 failed' failed.svg
  verdict $? "a picture tells how many points failed" "exit $code, $(cat err)"
  run sweep rig.yaml "${grid[@]}" --measure 'max(block.x),events,peaks(block.v, 3)' --model stribeck,coulomb --plot lines.svg
  [ $code = 0 ] && grep -q 'coulomb' lines.svg && grep -q 'peaks' lines.svg
  verdict $? "lines of two laws" "exit $code, $(cat err)"
  run sweep rig.yaml --random pad.mu_c='uniform(0.05, 0.1)' --samples 20 --until '1 s' --measure 'max(block.x)' --plot samples.svg
  [ $code = 0 ] && grep -q 'share of points' samples.svg && grep -q 'pad.mu_c' samples.svg
  verdict $? "a histogram and what it depends on" "exit $code, $(cat err)"
  run sweep rig.yaml "${grid[@]}" --random pad.mu_c='uniform(0.05, 0.1)' --samples 5 --measure 'max(block.x)' --plot band.svg
  [ $code = 0 ] && grep -q '5 to 95 %' band.svg && grep -q 'median' band.svg
  verdict $? "quantiles over a grid" "exit $code, $(cat err)"
  run sweep rig.yaml --random pad.mu_c='uniform(0.05, 0.1)' --samples 20 --until '1 s' --measure 'x=course(block.x, 11)' --plot band.svg
  [ $code = 0 ] && grep -q '25 to 75 %' band.svg && grep -q 'time' band.svg && grep -q 'block.x  \[' band.svg
  verdict $? "a band over time" "exit $code, $(cat err)"
  # words in place of numbers: at an axis, in a histogram, and their shares where there are samples
  run sweep rig.yaml "${grid[@]}" --measure regime --plot words.svg
  [ $code = 0 ] && grep -q '>stick-slip<' words.svg && ! grep -q '>0.5<' words.svg
  verdict $? "words stand at the axis" "exit $code, $(cat err)"
  run sweep rig.yaml "${grid[@]}" --random pad.mu_c='uniform(0.05, 0.1)' --samples 5 --measure regime --report shares
  [ $code = 0 ] && awk -F, 'NR > 1 { n[$5] += $6 } END { for (x in n) if (n[x] < 99.9 || n[x] > 100.1) exit 1 }' shares/picture.csv
  verdict $? "the shares of words make 100 %" "exit $code, $(cat err; head -3 shares/picture.csv)"
  run sweep rig.yaml --random pad.mu_c='uniform(0.05, 0.1)' --samples 40 --until '1 s' --measure 'x=max(block.x)' --model stribeck,coulomb --report bars
  [ $code = 0 ] && [ "$(awk -F, '$1 == "x" && $4 ~ /^(stribeck|coulomb)$/ && !seen[$4, $5, $6]++ && $6 > 0 && k++ % 2 == 0 { n[$4] += $6 } END { print n["stribeck"], n["coulomb"] }' bars/picture.csv)" = "100 100" ]
  verdict $? "a histogram for every law" "exit $code, $(cat err; grep -c . bars/picture.csv)"
  for law in stribeck coulomb; do
    [ "$(awk -F, -v law=$law '$1 == law { print $9 }' bars/measures.csv)" = "$(awk -F, -v law=$law '$3 == law && $4 > m { m = $4 } END { print m }' out)" ]
    verdict $? "the table has the largest value of $law" "$(cat bars/measures.csv)"
  done
  # points of a file: dots over every column
  run sweep rig.yaml --points points.csv --measure 'max(block.x)' --plot dots.svg --until '1 s'
  [ $code = 0 ] && grep -q 'max(block.x) over block.mass' dots.svg && grep -q 'max(block.x) over belt.velocity' dots.svg
  verdict $? "points of a file over all that they vary" "exit $code, $(cat err)"
  # a bifurcation has the dots of every law
  run sweep rig.yaml --vary belt.velocity=0.1,0.2 --until '3 s' --measure 'peaks(block.x, 2)' --model stribeck,coulomb --report fork
  [ $code = 0 ] && [ "$(grep -c ',stribeck,' fork/picture.csv)" = "$(grep ',stribeck,' out | cut -d, -f4-5 | tr ',' '\n' | grep -c .)" ] &&
    grep -q '^peaks,belt.velocity \[m/s\],peaks of block.x \[m\],coulomb,' fork/picture.csv
  verdict $? "a bifurcation of two laws" "exit $code, $(cat err; cat fork/picture.csv | head -3)"
  run sweep rig.yaml "${grid[@]}" --vary block.mass=-1,1,2 --measure 'regime,top=max(block.x)' --report page --plot map.svg
  [ $code = 0 ] && [ "$(grep -c 'data:image/svg' page/report.html)" -ge 2 ] && grep -q 'block.mass = -1 kg is outside' page/report.html &&
    grep -q 'vary: belt.velocity=log:0.05:0.2:4' page/report.html && grep -q 'bristle sweep' page/report.html &&
    ! grep -Eq '(src|href)="(https?:)?//' page/report.html && [ -s page/map1.svg ] && [ -s page/map2.csv ]
  verdict $? "a page of its own: maps, failures, settings, the command" "exit $code, $(cat err)"
  cmp -s page/points.csv out
  verdict $? "and all rows beside it"
  [ "$(awk -F, '$1 == "top" { print $4 }' page/measures.csv)" = "$(awk -F, 'NR > 1 && $5 != "" { m = m == "" || $5 < m ? $5 : m } END { print m }' out)" ]
  verdict $? "its table has the least value of the rows" "$(cat page/measures.csv)"
  run sweep rig.yaml --random pad.mu_c='uniform(0.05, 0.1)' --random block.mass='normal(1 %)' --measure 'max(block.x)' --until '1 s' --samples 8 --indices morris --csv --report page2
  cmp -s page2/indices.csv out
  verdict $? "indices in the page are those that are told" "$(head -2 page2/indices.csv out)"
fi
run sweep rig.yaml --vary block.mass=1,2 --measure period --limit 'limit = pull.stiffness - 40 N/m'
verdict $code "a limit with its name" "$(cat err)"
refuses 2 "bristle: limit: units do not allow a difference: one is N/m, the other s" sweep rig.yaml --vary block.mass=1,2 --measure period --limit 'pull.stiffness - 40 s'
run sweep rig.yaml --vary pad=1,2 --measure period
[ $code = 2 ] && grep -q '^bristle: pad says no number; it has mu_c, mu_s, v_s, ' err
verdict $? "an element is no number" "$(cat err)"
refuses 2 "bristle: there is no 'tyre' here, but gravity, block, belt, pull, pad" sweep rig.yaml --vary tyre.velocity=1,2 --measure period
refuses 2 "bristle: there is no 'stiffness'; did you mean 'pull.stiffness'?" sweep rig.yaml --vary stiffness=1,2 --measure period
refuses 2 "bristle: limit: 'pul.stiffness' is not known here; did you mean 'pull.stiffness'?" sweep rig.yaml --vary block.mass=1,2 --measure period --limit 'pul.stiffness - 1'
# The map: from stick, stick-slip is there up to where viscous friction takes what the falling one gives, 0.313 m/s,
# whatever the stiffness.
run sweep --example stick-slip-map --vary belt.velocity,block.v=0.005,0.28,0.33 --vary spring.stiffness=10,1000
[ $code = 0 ] && [ "$(cut -d, -f2-4 out | tr '\n' ' ')" = "belt.velocity,spring.stiffness,regime 0.005,10,stick-slip 0.005,1000,stick-slip 0.28,10,stick-slip 0.28,1000,stick-slip 0.33,10,slides 0.33,1000,slides " ]
verdict $? "stick-slip ends at its second border" "exit $code, $(cat out)"
# What the help shows works, at every point.
"$bristle" sweep --help | sed -n '/^examples/,/^options/s/^  //p' | sed -e ':a;/\\$/{N;s/\\\n *//;ba;}' |
  grep '^bristle sweep' | grep -v -- '--example\|my.yaml' | sed "s/ --from '[^']*'//; s/ -o [a-z]*[.]csv//" >shown
while read -r line; do
  eval "run ${line#bristle } --until '0.5 s'"
  [ $code = 0 ] && ! grep -q failed err
  verdict $? "$line" "exit $code, $(cat err)"
done <shown
[ "$(wc -l <shown)" -ge 5 ]
verdict $? "examples are shown" "$(cat shown)"
run sweep --example
[ $code = 0 ] && [ "$(wc -l <out)" = 4 ]
verdict $? "examples are listed" "exit $code"
while read -r name _; do
  few=()
  [ "$name" != stopping ] || few=(--samples 3)
  run sweep --example "$name" --until '0.1 s' --from '0.05 s' --threads 2 "${few[@]}"
  [ $code = 0 ] && [ "$(grep -c ',ok,' out)" -gt 2 ]
  verdict $? "the example $name runs" "exit $code, $(cat err)"
done < <("$bristle" sweep --example | grep -v leus)
refuses 2 "bristle: there is no example 'stoping'; did you mean 'stopping'?" sweep --example stoping

echo "$checks checks, $failures failed"
[ $failures = 0 ]
