#!/usr/bin/env bash
# bristle compare as a user meets it: table, advice, files, measured data, mistakes, interrupts.
#   compare.sh PATH_TO_BRISTLE
. "$(dirname "$0")/checks.sh"
leading=(compare)

# ---- the table -------------------------------------------------------------------------------------

run rabinowicz
[ $code = 0 ] && [ ! -s err ] && [ "$(grep -c '^[a-z_][a-z_]* .* [0-9.]*$' out)" = 8 ] && grep -q '^lugre  *3.71  0.716 ' out
verdict $? "rabinowicz has its eight laws" "exit $code, $(cat err)"
[ "$(awk '{ if (length($0) > n) n = length($0) } END { print n }' out)" -le 120 ]
verdict $? "the table fits 120 columns" "$(awk '{ print length($0) }' out | sort -n | tail -1)"
grep -q '^Nearest to the reference: karnopp (xi 2.31 %' out && grep -q '^Cheapest within 5 %: ' out
verdict $? "the advice names the nearest and the cheapest law" "$(tail -5 out)"
run olsson_hysteresis --until '1 s'
[ $code = 0 ] && grep -q '^note: the scenario names no laws to compare' err && grep -q 'pad.F against' out
verdict $? "a scenario without rivals takes the usual ones, and says so" "exit $code, $(cat err)"
run rabinowicz --models lugre,stochastic:lugre --until '1 s'
[ $code = 0 ] && grep -q '^stochastic:lugre ' out
verdict $? "a random force on top of a law" "exit $code, $(cat err)"
run rabinowicz --models lugre --rtol 1e-4,1e-6 --until '30 s'
[ $code = 0 ] && grep -q 'own error' out && [ "$(grep -c '^lugre  1e-0[46] ' out)" = 2 ]
verdict $? "tolerances are rows of their own" "exit $code, $(cat out)"
run rabinowicz --models karnopp,lugre --solvers rk4,rosenbrock --until '1 s'
[ $code = 0 ] && grep -q '^Without numbers:' out && grep -q '^lugre: the solver rk4 needs a step size' out &&
  grep -q '^lugre  *rosenbrock ' out
verdict $? "a run that fails says why, the others stay" "exit $code, $(cat out)"
run rabinowicz --models karnopp --solvers rk4 --until '1 s'
[ $code = 1 ] && grep -q '^bristle: no run succeeded' err
verdict $? "exit code 1 if no run succeeds" "exit $code, $(cat err)"
run rabinowicz --column pad.z --until '1 s'
[ $code = 1 ] && grep -q '^bristle: the reference coulomb, .*: coulomb has no column pad.z' err && grep -q '^lugre ' out
verdict $? "a reference without the column is told" "exit $code, $(cat err)"

# A joint of 1.2 N m. The viscous part has another name in other laws: it is theirs all the same.
cat >joint.yaml <<'END'
title: joint
bodies: {arm: {inertia: 0.01 kg m2}}
contacts: {bearing: {between: [arm, ground], model: stribeck, Fc: 1 N m, Fs: 1.2 N m, v_s: 0.1 rad/s, kv: 0.05 N m s/rad}}
drives: {push: {on: arm, torque: {sine: {amplitude: 2 N m, frequency: 1 Hz}}}}
run: {until: 1 s, output: 1 ms}
END
run joint.yaml --models stribeck,stribeck_tanh,viscous
[ $code = 0 ] && grep -q '\[N m\]' out && ! grep -q '\[N\]' out && ! grep -q 'kv' out
verdict $? "torques of a joint are told in N m" "exit $code, $(cat out)"
sed 's/run:/compare: {models: {lugre: {sigma0: 1e3 N m\/rad}}}\nrun:/' joint.yaml >bristle.yaml
run bristle.yaml --csv
[ $code = 0 ] && grep -q '^lugre,.*sigma2 0.05' out
verdict $? "values go by role" "exit $code, $(cat out)"
sed 's/kv: /sigma2: /' joint.yaml >other.yaml
refuses 2 "other.yaml:3: contacts.bearing.sigma2: stribeck has no such parameter (another law has: compare.models takes it); it can be between, load, model, backward, stochastic, start, name, mu_c, mu_s, v_s, gamma, kv, Fc or Fs" other.yaml --models stribeck,lugre

# ---- other forms and files -------------------------------------------------------------------------

run rabinowicz --until '1 s' --json
[ $code = 0 ] && grep -q '"reference": "coulomb, event_driven, rtol 1e-10"' out && [ "$(grep -c '"law": ' out)" = 8 ] &&
  grep -q '"evaluations": [0-9]' out && grep -q '"parameters": "mu_c 0.5, ' out && grep -q '"advice": \[' out
verdict $? "JSON has every column and the advice" "exit $code, $(head -c 300 out)"
if command -v python3 >/dev/null; then
  python3 -c 'import json; d = json.load(open("out")); assert len(d["rows"]) == 8 and len(d["advice"]) > 2'
  verdict $? "and is JSON"
fi
run rabinowicz --until '1 s' --csv
[ $code = 0 ] && head -1 out | grep -q '^law,solver,rtol,xi,Gamma,rmse,' && [ "$(wc -l <out)" = 9 ]
verdict $? "CSV" "exit $code, $(head -1 out)"
run rabinowicz --until '1 s' --markdown
[ $code = 0 ] && grep -q '^| law | xi \[%\] |' out
verdict $? "Markdown" "exit $code, $(head -3 out)"
untimed() { # the columns before the first that holds processor time
  local time
  time=$(head -1 "$1" | tr , '\n' | grep -nx time | cut -d: -f1)
  cut -d, -f"1-$((time - 1))" "$1"
}
run rabinowicz --threads 1 --csv --until '25 s'
untimed out >one
run rabinowicz --threads 2 --csv --until '25 s'
untimed out >two
head -1 one | grep -q ',events$' && cmp -s one two
verdict $? "one and two threads give the same rows" "$(head -1 one)"
if command -v gnuplot >/dev/null; then
  run rabinowicz --plot a.svg --until '5 s'
  [ $code = 0 ] && grep -q 'Difference to the reference' a.svg && grep -q elasto_plastic a.svg && ! grep -q 'against cost' a.svg
  verdict $? "--plot draws all laws" "exit $code, $(cat err)"
  run rabinowicz --models lugre,dahl --rtol 1e-4,1e-6 --set pad.sigma1=500 --until '25 s' --report r --plot b.png
  [ $code = 0 ] && [ -s b.png ] && [ -s r/report.html ] && [ -s r/compare.csv ] && [ -s r/time.svg ] && [ -s r/cost.csv ] &&
    grep -q 'Changed: pad.sigma1 = 500' r/report.html && grep -q 'Nearest to the reference' r/report.html &&
    grep -q 'bristle compare rabinowicz --models lugre,dahl' r/report.html && grep -q 'Rabinowicz&#39;s rig\|Rabinowicz.s rig' r/report.html
  verdict $? "--report has settings, advice, table, pictures and the scenario" "exit $code, $(cat err), $(ls r)"
  cat >disc.yaml <<'END'
bodies: {disc: {inertia: 0.2 kg m^2, v: 30 rad/s}}
contacts: {brake: {between: [disc, ground], load: 2 N m, model: lugre, sigma0: 1000 N m, sigma1: 28 N m s}}
run: {until: 0.1 s, output: 1 ms}
END
  run disc.yaml --models lugre,dahl --plot disc.svg
  [ $code = 0 ] && grep -q 'friction torque  \[k*N m\]' disc.svg && grep -q 'angular velocity  \[rad/s\]' disc.svg
  verdict $? "a rotor has torques and angular velocities" "exit $code, $(cat err)"
  run rabinowicz --until '1 s' --plot no/dir/a.png
  [ $code = 1 ] && grep -q '^bristle: no/dir/a.png cannot be written' err && [ ! -s out ]
  verdict $? "a picture that cannot be written is told before anything is computed" "exit $code, $(cat err)"
  run rabinowicz --until '1 s' --report /nowhere/r
  [ $code = 1 ] && grep -q '^bristle: /nowhere/r cannot be made' err && grep -q '^lugre ' out
  verdict $? "a report that cannot be written leaves the table" "exit $code, $(cat err)"
else
  echo "skipped the pictures: gnuplot is not installed"
fi

# ---- measured data ---------------------------------------------------------------------------------

# What bristle run writes needs no map: the law is found again.
# Until the block has slid: what rests has no shift.
"$bristle" run rabinowicz --until '30 s' >lugre.csv 2>err
run rabinowicz --until '30 s' --models lugre,dahl --reference lugre.csv --csv
[ $code = 0 ] && [ "$(awk -F, '$1 == "lugre" { print ($6 < 1e-12) }' out)" = 1 ]
verdict $? "a file of bristle run is the reference" "exit $code, $(cut -c1-80 out)"
# The same in mm and ms, 0.25 s early, every third row.
awk -F, 'NR == 1 { print "clock;pos" } NR > 1 && NR % 3 == 0 { printf "%.12g;%.12g\n", 1e3 * ($1 - 0.25), 1e3 * $2 }' lugre.csv >own.csv
run rabinowicz --until '30 s' --models lugre,dahl --reference own.csv --map 'block.x=pos[mm],t=clock[ms]' --shift auto --csv
shift_of=$(awk -F, '$1 == "lugre" { print $8 }' out)
[ $code = 0 ] && awk -v s="$shift_of" 'BEGIN { exit !(s > 0.2499 && s < 0.2501) }'
verdict $? "units, separators and the shift" "exit $code, $shift_of, $(cat err)"
run rabinowicz --until '30 s' --models lugre --reference own.csv --map 'block.x=pos[mm],t=clock[ms]' --shift '250 ms' --csv
[ $code = 0 ] && [ "$(awk -F, '$1 == "lugre" { print ($6 < 1e-6) }' out)" = 1 ]
verdict $? "a shift with a unit" "exit $code, $(cut -c1-80 out)"
printf 'clock;pos\n1;2\n2;\n' >bad.csv
refuses 2 "bad.csv:3: '' is not a number" rabinowicz --reference bad.csv --map 'block.x=pos,t=clock'
refuses 2 "bad.csv:1: there is no column 't'; it can be clock or pos" rabinowicz --reference bad.csv --map block.x=pos
refuses 2 "data.csv: cannot be opened: No such file or directory" rabinowicz --reference data.csv
refuses 2 "block.x=pos[kg]: 1 kg is not a length: the unit is m" rabinowicz --reference own.csv --map 'block.x=pos[kg]'
refuses 2 "bristle: --shift is for measured data: name them with --reference FILE.csv" rabinowicz --shift 1
refuses 2 "rabinowicz: there is no column 'blok.x'; did you mean 'block.x'?" rabinowicz --reference own.csv --map 'blok.x=pos[mm],t=clock[ms]'

# ---- wrong usage -----------------------------------------------------------------------------------

refuses 2 "bristle: name a scenario or a file; 'bristle scenario' lists those that are built in"
refuses 2 "bristle: name one scenario: 'belt' is a second one" rabinowicz belt
refuses 2 "rabinowiz: there is no such file, and no scenario of that name; did you mean 'rabinowicz'?" rabinowiz
refuses 2 "bristle: there is no law 'lugr'; did you mean 'lugre'?" rabinowicz --models dahl,lugr
refuses 2 "bristle: --models: dahl is named twice" rabinowicz --models dahl,dahl
refuses 2 "bristle: there is no solver 'rosenbroc'; did you mean 'rosenbrock'?" rabinowicz --solvers rosenbroc
refuses 2 "bristle: --rtol: 'x' is no tolerance: a number between 0 and 1, such as 1e-6" rabinowicz --rtol 1e-4,x
refuses 2 "bristle: --rtol: 1e-4 is given twice" rabinowicz --rtol 1e-4,1e-4
refuses 2 "bristle: there is no law 'colomb'; did you mean 'coulomb'?" rabinowicz --reference colomb
refuses 2 "rabinowicz: there is no column 'block.y'; did you mean 'block.x'?" rabinowicz --column block.y
refuses 2 "rabinowicz: pda.sigma0=1: there is no 'pda'; did you mean 'pad'?" rabinowicz --set pda.sigma0=1
refuses 2 "rabinowicz: pad.z_ba: none of the laws compared has such a parameter" rabinowicz --models lugre,coulomb --set pad.z_ba=1e-4
refuses 2 "bristle: --plot: 'a.gif': the name of a picture ends in .svg, .png or .pdf" rabinowicz --plot a.gif
refuses 2 "bristle: --limit = -1 s must be >= 0" rabinowicz --limit=-1
refuses 2 "bristle: there is no option '--model'; did you mean '--models'?" rabinowicz --model dahl
printf 'bodies:\n  block: {mass: 1 kg}\nrun: {until: 1 s}\n' >free.yaml
refuses 2 "free.yaml: there is no contact, so that no law makes a difference" free.yaml

# ---- limits and interrupts -------------------------------------------------------------------------

cat >long.yaml <<'END'
bodies:
  block: {mass: 1 kg, v: 1 m/s}
couplings:
  - {spring: [ground, block], stiffness: 1e4 N/m}
contacts:
  pad: {between: [block, ground], load: 1 N, model: lugre}
run: {until: 1e5 s, output: 0.1 s, rtol: 1e-8}
END
run long.yaml --models lugre,dahl --limit '0.2 s'
[ $code = 1 ] && grep -q '^lugre: stopped at t = .* after 0.2 s of processor time, which is the limit' out
verdict $? "a run that takes too long is stopped" "exit $code, $(cat out err)"
set -m
"$bristle" compare long.yaml --models lugre,dahl >out 2>err &
job=$!
patiently takes_signal $job 2
kill -INT $job
wait $job
code=$?
set +m
[ $code = 130 ] && grep -q 'interrupted' err
verdict $? "SIGINT stops a comparison" "exit $code, $(cat err)"

echo "$checks checks, $failures failed"
[ $failures = 0 ]
