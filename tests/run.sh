#!/usr/bin/env bash
# bristle run as a user meets it: rows, files, pictures, failures, interrupts.
#   run.sh PATH_TO_BRISTLE
. "$(dirname "$0")/checks.sh"
leading=(run)

# whole FILE COLUMNS: a CSV of complete rows
whole() {
  [ "$(tail -c 1 "$1" | od -An -c | tr -d ' ')" = '\n' ] &&
    awk -F, -v n="$2" 'NF != n { bad = 1 } END { exit bad }' "$1"
}

# A run that takes seconds, and writes a row every few milliseconds.
cat >long.yaml <<'END'
title: Long
bodies:
  block: {mass: 1 kg, v: 1 m/s}
couplings:
  - {spring: [ground, block], stiffness: 1e4 N/m}
contacts:
  pad: {between: [block, ground], load: 1 N, model: lugre}
run: {until: 1e5 s, output: 0.01 s, rtol: 1e-8}
END
columns=15

# ---- rows ------------------------------------------------------------------------------------------

run chain --columns 'block1?.x,energy.residual' --every 100
[ $code = 0 ] && [ "$(head -1 out | cut -d, -f1-3)" = t,block10.x,block11.x ] && whole out 12 &&
  [ "$(wc -l <out)" = 7 ]
verdict $? "columns and rows are selected" "$(head -1 out)"
refuses 2 "bristle: no column matches 'brick*.x'" chain --columns 'block1.x,brick*.x'
refuses 2 "bristle: --every: '0' is not a whole number from 1 to 1000000000" chain --every 0
timeout 600 "$bristle" run chain --set block.repeat=4000 --until '0.1 s' --output '0.02 ms' --set run.max_steps=1 \
  >/dev/null 2>err
grep -q 'this writes about' err
verdict $? "a large output is announced" "$(head -1 err)"


run rabinowicz
head='t,block.x,block.v,slab.x,slab.v,pad.v,pad.F,pad.N,pad.mode,pad.z,spring.F,energy.kinetic'
head+=',energy.potential,energy.stored,energy.dissipated,energy.work,energy.residual'
[ $code = 0 ] && [ "$(head -1 out)" = "$head" ] && [ "$(wc -l <out)" = 5002 ] && whole out 17
verdict $? "rabinowicz has its columns and 5001 rows" "exit $code, $(head -1 out)"
[ "$(sed -n '2s/,.*//p;9s/,.*//p;$s/,.*//p' out | xargs)" = "0 0.07 50" ]
verdict $? "times are short decimals" "$(sed -n '2s/,.*//p;9s/,.*//p;$s/,.*//p' out | xargs)"
grep -qE '^5001 rows, [0-9]+ steps, [0-9]+ rejected, [0-9]+ evaluations, .* events, path [a-z]+$' err &&
  grep -qE '^energy: .* residual .* of the energy turned over' err && grep -q ': reached t = 50 s with rosenbrock' err
verdict $? "the summary goes to standard error" "$(cat err)"
cp out first.csv
run rabinowicz
cmp -s out first.csv
verdict $? "two runs give the same bytes"
run rabinowicz -o second.csv
cmp -s second.csv first.csv && [ ! -s out ]
verdict $? "-o writes the same bytes to a file"
run rabinowicz --until '1 s' --output '250 ms'
[ $code = 0 ] && [ "$(cut -d, -f1 out | xargs)" = "t 0 0.25 0.5 0.75 1" ]
verdict $? "--until and --output take units" "$(cut -d, -f1 out | xargs)"
run rabinowicz --until 1 --output 0.3
[ "$(cut -d, -f1 out | xargs)" = "t 0 0.3 0.6 0.9 1" ]
verdict $? "the end is a row of its own" "$(cut -d, -f1 out | xargs)"
run rabinowicz --model dahl --until 1
[ $code = 0 ] && cmp -s <(head -1 out) <(head -1 first.csv) && ! cmp -s <(sed -n 50p out) <(sed -n 50p first.csv)
verdict $? "--model puts another law on the contact" "exit $code, $(head -3 err)"
run rabinowicz --set pad.sigma0=2e5 --set block.mass='3 kg' --rtol 1e-5 --solver rodas4 --until 1
[ $code = 0 ] && grep -q 'rodas4, rtol 1e-05' err
verdict $? "--set, --rtol and --solver" "exit $code, $(cat err)"

run rabinowicz --model coulomb --set pad.backward=0.5 --until 20 --events half.csv -o half-rows.csv
[ $code = 0 ] && [ "$(sed -n 2p half.csv | cut -d, -f2-4)" = pad,0,-1 ] &&
  awk -F, 'NR == 2 && ($1 < 11.771999 || $1 > 11.772001) { exit 1 }' half.csv
verdict $? "half the friction backward: break-away after half the time" "exit $code, $(cat err half.csv)"
refuses 2 "rabinowicz: contacts.pad.backward: 0 is outside 0.001 ... 1000" rabinowicz --set pad.backward=0
# three contacts on one another, seen in a mirror: levels to the other side, and the inverse ratios
three=(three_dof --model coulomb --columns 'top.x,middle.x,bottom.x')
for solver in "event_driven" "time_stepping --step 1e-3"; do
  run "${three[@]}" --solver $solver -o left.csv --set upper.backward=0.5 --set inner.backward=1.25 --set lower.backward=0.2
  run "${three[@]}" --solver $solver -o right.csv --set top.x='-1 m' --set upper.backward=2 --set inner.backward=0.8 \
    --set lower.backward=5 --set upper.Fc=4.905 --set upper.Fs=7.355 --set inner.Fc=4.9 --set inner.Fs=7.35 \
    --set lower.Fc=2.354 --set lower.Fs=3.532
  paste -d, left.csv right.csv | awk -F, 'NR > 1 { for (i = 2; i < 5; i++) { d = $i + $(i + 4); if (d * d > 1e-18) bad = 1 }
    if ($4 * $4 > 0.01) slid = 1 } END { exit bad || !slid || NR < 100 }'
  verdict $? "a stack with directions is the same in a mirror, $solver" "$(tail -1 left.csv) $(tail -1 right.csv)"
done
run belt --solver rk4 --step 1e-5 --until 0.1 -o fixed.json
[ $code = 0 ] && grep -q 'with rk4, steps of 1e-05 s, in' err && ! grep -q rtol err fixed.json &&
  grep -q '"step": 1e-05' fixed.json
verdict $? "a fixed step has no tolerance" "exit $code, $(cat err)"

run belt --solver rk4 --step 1e-2 -o far.json
[ $code = 1 ] && grep -q 'no longer finite' err && ! grep -qi nan err far.json &&
  grep -q 'energy: no account' err
verdict $? "no numbers of energy where there are none" "exit $code, $(cat err)"
run rabinowicz --solver rk4 --step '0.1 ms' --until 0.1
[ $code = 0 ] && grep -q '1000 steps' err
verdict $? "--step sets the step of rk4" "exit $code, $(cat err)"
run rabinowicz --solver rk4 --step '10 ms' -o far.json
[ $code = 3 ] && grep -q 'not to be trusted' err && grep -q '"trusted": false' far.json &&
  grep -q '"doubt": ".*energ' far.json
verdict $? "a run that is not to be trusted says so" "exit $code, $(tail -1 err)"
run rabinowicz -o near.json
[ $code = 0 ] && grep -q '"trusted": true' near.json && ! grep -q 'to be trusted' err
verdict $? "one that is to be trusted says so" "exit $code, $(tail -1 err)"
run three_dof --model lugre --solver cvode_adams --rtol 1e-6 --output 1
if ! grep -q 'SUNDIALS' err; then # built with it
  [ $code = 0 ]
  verdict $? "cvode_adams gets through a stack of blocks" "exit $code, $(tail -1 err)"
fi
run three_dof --model coulomb --solver time_stepping --step 1e-4 --output 1
[ $code = 0 ] && grep -q '100000 steps' err && tail -1 out | cut -d, -f2 | grep -q '^-0.066[78]'
verdict $? "stacked bodies by time stepping" "exit $code, $(cat err)"
run three_dof --model coulomb --solver event_driven --events events.csv
[ $code = 0 ] && [ "$(head -1 events.csv)" = t,contact,from,to,F ] && whole events.csv 5 &&
  [ "$(sed 1d events.csv | cut -d, -f2-4 | xargs)" = "upper,-1,0 inner,-1,1 inner,1,-1 inner,-1,0" ]
verdict $? "--events lists what happens at the contacts" "exit $code, $(cat events.csv)"
# As it starts to slide, it is held by more than before.
cat >levels.yaml <<'END'
bodies: {block: {mass: 1 kg}}
drives: {push: {on: block, force: 1.2 N/s * t}}
contacts: {pad: {between: [block, ground], load: 10 N, model: coulomb, mu_c: 0.3 + 0.1*t/(1 s), mu_s: 0.5}}
run: {until: 10 s}
END
run levels.yaml
[ $code != 0 ] && grep -q 'decided.* at t = 4.16.*; mu_s must be >= mu_c, but mu_c = 0.7166[0-9]*, mu_s = 0.5$' err
verdict $? "a level that rises above the static one is named" "exit $code, $(cat err)"
stick=(chain_weakening --model coulomb --until 0.1 --solver)
message='exact stick by events needs about 12.8 GB for 20000 bodies that move, and at most 1 GB are taken: '
message+='take the solver time_stepping with a step, which is made for many contacts, or a smooth or bristle law'
refuses 2 "bristle: $message" "${stick[@]}" event_driven --set block.repeat=20000
many=100000
[ -z "${TEST_SAMPLE:-}" ] || many=20000
run "${stick[@]}" time_stepping --set block.repeat=$many --step '10 ms' --columns block1.x
[ $code = 0 ] && grep -q ' 10 steps' err
verdict $? "time stepping takes $many blocks" "exit $code, $(cat err)"

# systems that look wrong: all have an answer, the same from both solvers
cat >prescribed.yaml <<'END'
title: All prescribed
bodies:
  a: {velocity: 0.1 m/s}
  b: {position: {sine: {amplitude: 0.1 m, frequency: 1 Hz}}}
contacts:
  pad: {between: [a, b], load: 10 N, model: coulomb, mu_c: 0.3, mu_s: 0.4}
run: {until: 2 s, output: 0.5 s}
END
cat >zero.yaml <<'END'
title: No load anywhere
bodies:
  a: {mass: 1 kg, v: 1 m/s}
  b: {mass: 1 kg}
couplings:
  - {spring: [ground, a], stiffness: 10 N/m}
contacts:
  p: {between: [a, ground], load: 0 N, model: coulomb}
  q: {between: [a, b], load: 0 N, model: coulomb}
run: {until: 2 s, output: 0.5 s}
END
cat >start.yaml <<'END'
title: Start velocities that differ at contacts with much friction
bodies:
  a: {mass: 1 kg, v: 1 m/s}
  b: {mass: 1 kg, v: -1 m/s}
contacts:
  p: {between: [a, b], load: 1000 N, model: coulomb, mu_c: 0.9, mu_s: 2}
  q: {between: [b, ground], load: 1000 N, model: coulomb, mu_c: 0.9, mu_s: 2}
run: {until: 0.1 s, output: 0.1 s}
END
cat >parting.yaml <<'END'
title: Held between two motions that part
bodies:
  a: {mass: 1 kg}
  up: {velocity: {sine: {amplitude: 1 m/s, frequency: 1 Hz}}}
  down: {velocity: {sine: {amplitude: -1 m/s, frequency: 1 Hz}}}
contacts:
  p: {between: [a, up], load: 10 N, model: coulomb, mu_c: 0.3, mu_s: 0.4}
  q: {between: [a, down], load: 10 N, model: coulomb, mu_c: 0.3, mu_s: 0.4}
run: {until: 1 s, output: 0.1 s}
END
{
  printf 'title: Hundred\nbodies: {a: {mass: 100 kg}}\n'
  printf 'drives:\n  - {on: a, force: {sum: [400 N, {ramp: {rate: 100 N/s}}]}}\ncontacts:\n'
  for i in {1..100}; do
    echo "  p$i: {between: [a, ground], load: 10 N, model: coulomb, mu_c: 0.3, mu_s: 0.$((40 + i % 10))}"
  done
  echo 'run: {until: 1 s, output: 1 s}'
} >hundred.yaml

# ends FILE COLUMN VALUE WITHIN SENTENCE: the last value of a column, from both solvers
ends() {
  for solver in 'event_driven' 'time_stepping --step 1e-4'; do
    # shellcheck disable=SC2086
    run "$1" --solver $solver --columns "$2"
    [ $code = 0 ] && tail -1 out | awk -F, -v x="$3" -v eps="$4" '{ d = $2 - x; exit !(d < eps && d > -eps) }'
    verdict $? "$5, $solver" "exit $code, $(tail -1 out), $(cat err)"
  done
}
# a law of velocity alone between them: nothing is left to integrate but the heat
sed 's/coulomb,/viscous,/; s/mu_c: 0.3, mu_s: 0.4/kv: 5 N s\/m/' prescribed.yaml >nothing.yaml
solvers=$("$bristle" run --help | sed -n '/^Solvers:/,/^$/s/^  \([a-z0-9_]*\) .*/\1/p')
for solver in $solvers; do
  run nothing.yaml --solver "$solver" --step 1e-3 --columns energy.dissipated
  # 5 N s/m times the mean of (0.1 - 0.2 pi cos)^2, which is 0.01 + 0.02 pi^2, for 2 s
  [ $code = 0 ] && tail -1 out | awk -F, '{ d = $2 - 10 * (0.01 + 0.02 * 9.8696044); exit !(d < 2e-6 && d > -2e-6) }'
  verdict $? "all bodies prescribed, $solver" "exit $code, $(tail -1 out), $(cat err)"
done
# mean of |0.1 - 0.2 pi cos| in closed form, times 3 N and 2 s
ends prescribed.yaml energy.dissipated 2.430470 3e-5 "all bodies prescribed: heat"
# x = v/w sin wt
ends zero.yaml a.x 0.0130787 1e-5 "no load: free oscillation"
# a is slowed down by 900 m/s^2 for 1/900 s; b, by 1800 m/s^2 for 1/1800 s, then held by the ground
ends start.yaml a.x 5.5556e-4 5e-5 "start velocities that differ: a slides to rest"
ends start.yaml b.x -2.7778e-4 5e-5 "start velocities that differ: b slides to rest"
ends parting.yaml a.x 0 1e-12 "between two motions that part a body stays where it is"
# break-away at the sum of all levels, 445 N, at 0.45 s; then a = (t + 1 s) m/s^3
ends hundred.yaml a.v 0.94875 3e-4 "a hundred contacts on one body"

run rabinowicz --until 1 --events events.csv
[ $code = 0 ] && [ "$(head -1 events.csv)" = t,contact,from,to,F ]
verdict $? "--events with a bristle law" "exit $code, $(cat events.csv)"
run rabinowicz --until 1 --events /nowhere/events.csv
[ $code = 1 ] && grep -q '/nowhere/events.csv cannot be written: No such file' err && [ ! -s out ]
verdict $? "--events that cannot be written" "exit $code, $(cat err)"

# ---- slips -----------------------------------------------------------------------------------------

slips_head='start,end,duration,contacts,size,peak,first,complete'
run rabinowicz --model coulomb --solver event_driven --slips slips.csv
# break-away and re-stick in closed form; the slab goes 0.5 m/s times the period of 13.26927 s
[ $code = 0 ] && [ "$(head -1 slips.csv)" = $slips_head ] && whole slips.csv 8 && awk -F, '
  function off(a, b) { return a > b ? a - b : b - a }
  NR == 2 { bad = off($1, 23.544) > 1e-6 || off($2, 28.96527) > 1e-5 || off($5, 0.5 * 13.26927) > 1e-5 }
  NR == 3 { bad = bad || off($1, 36.81327) > 1e-5 || $4 != 1 || $7 != "pad" || $8 != 1 }
  END { exit bad || NR != 3 }' slips.csv
verdict $? "--slips lists the slips of the Rabinowicz rig" "exit $code, $(cat slips.csv err)"
grep -q '^slips: 2 complete, 0 cut off; size: median 6.635 m, largest 6.635 m of 1 contact at t = ' err
verdict $? "a line sums the slips up" "$(cat err)"
cp slips.csv first_slips.csv
run rabinowicz --model coulomb --solver event_driven --slips slips.csv --output 0.37
cmp -s slips.csv first_slips.csv
verdict $? "the list does not depend on the times of the rows"
run chain_weakening --slips slips.csv
[ $code = 0 ] && whole slips.csv 8 && awk -F, 'NR > 1 && ($2 <= $1 || $5 <= 0 || $4 < 1 || $4 > 20) { bad = 1 }
  $4 == 20 { large++ } END { exit bad || large < 3 }' slips.csv && grep -q 'sliding is from 0.01 m/s on' err
verdict $? "a smooth law slips in large events" "$(cat slips.csv err)"
run chain_weakening --slips slips.csv --slip-speed '2 m/s' --until '2.5 s'
[ $code = 0 ] && [ "$(wc -l <slips.csv)" = 1 ] && grep -q '^slips: 0 complete, 0 cut off; sliding is from 2 m/s on' err
verdict $? "--slip-speed is what counts as sliding" "$(cat slips.csv err)"
run chain_weakening --model stribeck --solver time_stepping --step '1 ms' --slips slips.csv
[ $code = 0 ] && whole slips.csv 8 && [ "$(wc -l <slips.csv)" -gt 3 ] && ! grep -q 'sliding is from' err
verdict $? "slips of time stepping" "exit $code, $(cat slips.csv err)"
run sheet --slips slips.csv
# from one to the next each of the 80 blocks falls back behind the plate, which goes 0.1 m/s
[ $code = 0 ] && whole slips.csv 8 && awk -F, '
  $4 == 80 { if (all++) { way = 80 * 0.1 * ($1 - start); bad = bad || size > way || size < 0.95 * way }
             start = $1; size = $5 } END { exit bad || all != 3 }' slips.csv
verdict $? "the whole sheet slips by what the plate goes" "exit $code, $(cat slips.csv err)"
refuses 2 "bristle: --slip-speed belongs to a list of slips: add --slips FILE.csv" chain --slip-speed 1
refuses 2 "bristle: --slip-speed = 0 m/s must be > 0" chain --slips slips2.csv --slip-speed 0
refuses 1 "bristle: no/dir/slips.csv cannot be written: No such file or directory" chain --slips no/dir/slips.csv

# ---- files and pictures ----------------------------------------------------------------------------

run rabinowicz --until 1 -o a.json
[ $code = 0 ] && [ ! -s out ] && head -c 1 a.json | grep -q '{' && grep -q '"name": "pad.F", "unit": "N"' a.json
verdict $? "JSON file"
run rabinowicz -o a.mat
[ $code = 0 ] && head -c 20 a.mat | grep -q 'MATLAB 5.0 MAT-file'
verdict $? "MAT file"
cp a.mat b.mat
run rabinowicz -o a.mat
cmp -s a.mat b.mat
verdict $? "two runs give the same MAT file"
if command -v octave >/dev/null; then
  octave --no-gui --norc -q --eval "
    s = load('a.mat'); c = dlmread('first.csv', ',', 1, 0);
    assert(size(s.t), [5001 1]);
    assert(isequal(s.block_x, c(:, 2)) && isequal(s.pad_F, c(:, 7)));
    assert(isequal(s.energy_residual, c(:, 17)));
    assert(s.units.pad_F, 'N'); assert(s.run.solver, 'rosenbrock'); assert(s.run.complete, 1);
    assert(ischar(s.run.title) && ! isempty(strfind(s.run.title, 'Rabinowicz')));
    disp('good')" >octave.out 2>octave.err
  grep -qx good octave.out
  verdict $? "the MAT file opens in Octave with the vectors of the CSV" "$(tail -3 octave.err)"
else
  echo "skipped the MAT file in Octave: octave is not installed"
fi
if command -v gnuplot >/dev/null; then
  for kind in svg png pdf; do
    run rabinowicz --until 5 --plot a.$kind
    [ $code = 0 ] && [ "$(wc -c <a.$kind)" -gt 5000 ] && [ "$(wc -l <out)" = 502 ]
    verdict $? "--plot a.$kind draws beside the rows" "exit $code, $(cat err)"
  done
  grep -q 'Rabinowicz' a.svg && grep -q 'friction force' a.svg
  verdict $? "the picture has title and labels"
  run rabinowicz --until 5 --plot b.svg --plot-columns 'block.x,pad.v:pad.F' --plot-window '1000:2000 ms'
  [ $code = 0 ] && [ "$(wc -l <out)" = 502 ] && grep -q '>block.x<' b.svg && grep -q '>pad.F over pad.v<' b.svg &&
    ! grep -q 'kinetic' b.svg && ! grep -q '>4<' b.svg
  verdict $? "--plot-columns and --plot-window choose what is drawn" "exit $code, $(cat err)"
  run rabinowicz --until 5
  cp out plain
  run rabinowicz --until 5 --plot b.svg
  cmp -s out plain
  verdict $? "drawing changes no row"
  refuses 2 "bristle: --plot-columns: no column matches 'blok.x'; did you mean 'block.x'?" \
    rabinowicz --plot b.svg --plot-columns blok.x
  refuses 2 "bristle: --plot-window: 60 to 70 s is no part of the run, 0 to 50 s" \
    rabinowicz --plot b.svg --plot-window 60:70
else
  echo "skipped the pictures: gnuplot is not installed"
fi

# ---- wrong usage -----------------------------------------------------------------------------------

refuses 2 "bristle: name a scenario or a file; 'bristle scenario' lists those that are built in"
refuses 2 "bristle: name one scenario: 'belt' is a second one" rabinowicz belt
refuses 2 "rabinowiz: there is no such file, and no scenario of that name; did you mean 'rabinowicz'?" rabinowiz
refuses 2 "bristle: there is no law 'lugr'; did you mean 'lugre'?" rabinowicz --model lugr
refuses 2 "bristle: --set needs KEY=VALUE, such as pad.sigma0=2e5, not 'sigma0'" rabinowicz --set sigma0
refuses 2 "rabinowicz: pda.sigma0=1: there is no 'pda'; did you mean 'pad'?" rabinowicz --set pda.sigma0=1
refuses 2 "rabinowicz: run.solver: there is no solver 'rosenbroc'; did you mean 'rosenbrock'?" rabinowicz --solver rosenbroc
refuses 2 "bristle: -o: 'a.txt': the name of a result file ends in .csv, .json or .mat" rabinowicz -o a.txt
refuses 2 "bristle: --output is the time between rows; name the file with -o a.csv" rabinowicz --output a.csv
refuses 2 "bristle: --plot: 'a.gif': the name of a picture ends in .svg, .png or .pdf" rabinowicz --plot a.gif
refuses 2 "bristle: --plot-window belongs to a picture: add --plot FILE.svg" rabinowicz --plot-window 1:2
refuses 2 "bristle: --plot-window needs MIN:MAX, such as '20:30 s', not '5'" rabinowicz --plot a.svg --plot-window 5
refuses 2 "bristle: --plot-window: MIN must be below MAX, not 3 s to 2 s" rabinowicz --plot a.svg --plot-window 3:2
refuses 2 "bristle: there is no option '--modle'; did you mean '--model'?" rabinowicz --modle lugre
refuses 1 "bristle: no/dir/a.csv cannot be written: No such file or directory" rabinowicz -o no/dir/a.csv
refuses 1 "bristle: no/dir/a.mat cannot be written: No such file or directory" rabinowicz -o no/dir/a.mat
printf 'title: x\nbodis: {}\nrun: {until: 1 kg}\n' >bad.yaml
run bad.yaml
[ $code = 2 ] && [ ! -s out ] && grep -q '^bad.yaml:2: ' err && grep -q '^bad.yaml:3: ' err
verdict $? "mistakes of a file come one per line with file and line" "exit $code, $(cat err)"

# ---- what goes wrong on the way --------------------------------------------------------------------

run rabinowicz --set run.max_steps=100
[ $code = 1 ] && grep -q 'step limit is reached at t = ' err && [ "$(wc -l <out)" -gt 10 ] && whole out 17
verdict $? "a run that fails keeps its rows and says the time" "exit $code, $(cat err)"
run rabinowicz --set run.max_steps=1 --output 20
[ $code = 1 ] && grep -qx 'bristle: the row at t = 0 s is kept' err
verdict $? "one row is one row" "exit $code, $(cat err)"
run rabinowicz --set run.max_steps=100 -o failed.json
[ $code = 1 ] && grep -q '"complete": false' failed.json && grep -q '"error": "the step limit' failed.json
verdict $? "a run that fails says so in its JSON file" "exit $code"
if [ -w /dev/full ]; then
  "$bristle" run rabinowicz >/dev/full 2>err
  code=$?
  [ $code = 1 ] && [ "$(cat err)" = 'bristle: standard output cannot be written: No space left on device' ]
  verdict $? "a full disk is reported" "exit $code, $(cat err)"
  run rabinowicz -o /dev/full
  [ $code = 1 ] && [ "$(cat err)" = 'bristle: /dev/full cannot be written: No space left on device' ]
  verdict $? "a full disk is reported with -o" "exit $code, $(cat err)"
  for list in events slips; do # few lines fail at the end, many on the way
    for until in 40 12000; do
      run rabinowicz --model coulomb --solver event_driven --until $until --output $until --$list /dev/full
      [ $code = 1 ] && [ "$(head -1 err)" = 'bristle: /dev/full cannot be written: No space left on device' ] &&
        [ "$(grep -c '/dev/full' err)" = 1 ]
      verdict $? "a full disk is reported with --$list, until $until s" "exit $code, $(cat err)"
    done
  done
fi
{ "$bristle" run rabinowicz 2>err; echo $? >code; } | head -1 >out
[ "$(cat code)" = 1 ] && [ "$(cat out)" = "$head" ] &&
  [ "$(cat err)" = 'bristle: standard output cannot be written: Broken pipe' ]
verdict $? "a closed pipe is reported" "exit $(cat code), $(cat err)"
"$bristle" run rabinowicz >&- 2>err
[ $? = 1 ]
verdict $? "a closed standard output is reported" "$(cat err)"

# ---- interrupts ------------------------------------------------------------------------------------

# The file has grown past its header.
rows_in() { [ -s "$1" ] && [ "$(wc -l <"$1")" -gt 3 ]; }

set -m # jobs in the background take SIGINT
for name in INT TERM; do
  rm -f long.csv
  "$bristle" run long.yaml -o long.csv >out 2>err &
  job=$!
  patiently rows_in long.csv
  kill -$name $job
  wait $job
  code=$?
  [ $code = 130 ] && grep -q '^bristle: interrupted at t = ' err && whole long.csv $columns
  verdict $? "SIG$name stops the run and leaves whole rows" "exit $code, $(head -2 err)"
done
"$bristle" run long.yaml -o long.json >out 2>err &
job=$!
patiently takes_signal $job 2
kill -INT $job
wait $job
code=$?
[ $code = 130 ] && grep -q '"error": "interrupted"' long.json && tail -c 2 long.json | grep -q '}'
verdict $? "an interrupted run writes its JSON file" "exit $code, $(head -2 err)"
rm -f long.csv
"$bristle" run long.yaml -o long.csv >out 2>err &
job=$!
patiently rows_in long.csv
kill -KILL $job
wait $job 2>/dev/null
sed '$d' long.csv >kept.csv # the last row may have been in the act of being written
[ "$(wc -l <kept.csv)" -gt 2 ] && whole kept.csv $columns
verdict $? "a killed process leaves a readable CSV" "$(wc -l <long.csv) lines"
# a pipe that nobody reads any more does not hold up the end
mkfifo pipe
sleep 1000 <pipe &
reader=$!
"$bristle" run long.yaml >pipe 2>err &
job=$!
patiently takes_signal $job 2
patiently is_stuck $job
SECONDS=0
kill -INT $job
wait $job
code=$?
[ $code = 130 ] && [ $SECONDS -le 500 ]
verdict $? "an interrupt ends a run that is stuck in a pipe" "exit $code after $SECONDS s"
grep -q '^bristle: interrupted at t = .* s; the last rows were not read and are lost$' err
verdict $? "and says that rows are lost" "$(cat err)"
"$bristle" run rabinowicz --model coulomb --solver event_driven --until 1e5 --output 0.01 --columns t \
  --events events.csv >pipe 2>err &
job=$!
patiently takes_signal $job 2
patiently is_stuck $job
interrupted() { ! kill -INT $job 2>/dev/null; } # again and again, until it is gone
patiently interrupted
wait $job
code=$?
[ $code = 130 ] && [ "$(wc -l <events.csv)" -gt 1 ] && whole events.csv 5
verdict $? "interrupts that come again and again do not put off the end; the events are whole" \
  "exit $code, $(tail -1 events.csv), $(cat err)"
{ kill $reader && wait $reader; } 2>/dev/null
set +m

"$bristle" check rabinowicz --model karnopp --set pad.v_d=0.02 >out 2>err
grep -q 'v_d 0.02 m/s' out
verdict $? "--set outweighs what the scenario says of the law put in" "$(grep v_d out)"

# ---- progress --------------------------------------------------------------------------------------

if command -v script >/dev/null; then
  for seconds in 1.5 15 150; do # as long as it takes
    script -qec "timeout -s INT $seconds '$bristle' run long.yaml -o long.csv" /dev/null >seen 2>&1 </dev/null
    grep -q ' % .* t = .* of 1e+05 s, about .* left' seen && break
  done
  grep -q ' % .* t = .* of 1e+05 s, about .* left' seen
  verdict $? "progress is shown on a terminal" "$(head -c 300 seen)"
else
  echo "skipped the progress on a terminal: script is not installed"
fi
timeout -s INT 1.5 "$bristle" run long.yaml -o long.csv >out 2>err
! grep -q ' left' err
verdict $? "and nowhere else" "$(head -c 300 err)"

echo "$checks checks, $failures failed"
[ $failures = 0 ]
