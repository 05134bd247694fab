#!/usr/bin/env bash
# bristle-mpi with four ranks on this machine: the bytes of bristle sweep, also after a rank was killed.
#   mpi.sh PATH_TO_BRISTLE PATH_TO_BRISTLE_MPI
mpi=$(realpath "$2")
. "$(dirname "$0")/checks.sh"
if ! command -v mpirun >/dev/null; then
  echo "(left out: there is no mpirun)"
  exit 0
fi
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 # where tests are run by root
export ASAN_OPTIONS=detect_leaks=0                              # MPI keeps what it took until the end
among() { # RANKS ARGS...
  local ranks=$1
  shift
  timeout 1200 mpirun --oversubscribe -n "$ranks" "$mpi" "$@" >out 2>err
  code=$?
}

cat >rig.yaml <<'EOF'
bodies: {block: {mass: 1 kg, v: 0.1 m/s}, belt: {velocity: 0.1 m/s}}
couplings: {pull: {spring: [ground, block], stiffness: 20 N/m}}
contacts: {pad: {between: [block, belt], load: 9.81 N, model: stribeck, mu_c: 0.1, mu_s: 0.15, v_s: 1 mm/s}}
run: {until: 12 s, output: 10 ms, rtol: 1e-7}
EOF
[ -z "${TEST_SAMPLE:-}" ] || sed -i 's/until: 12 s/until: 5 s/' rig.yaml # sanitizers make it three times as slow
sweep=(sweep rig.yaml --vary belt.velocity=-0.05:0.2:26 --random block.mass='normal(40 %)' --samples 4 --seed 3 --measure 'events,top=max(block.x),xi')
"$bristle" "${sweep[@]}" -o whole.csv 2>/dev/null
grep -q ',failed,block.mass = -' whole.csv
verdict $? "some points fail, so that reasons come along"

among 4 "${sweep[@]}" -o four.csv
[ $code = 0 ] && cmp -s four.csv whole.csv && cmp -s four.csv.sweep whole.csv.sweep
verdict $? "four ranks write the bytes of one process" "exit $code, $(cat err)"
among 4 "${sweep[@]}" -o four.csv
[ $code = 2 ] && [ "$(grep -c 'four.csv exists already' err)" = 1 ]
verdict $? "what is refused is told once, and ends all ranks" "exit $code, $(cat err)"

# One is killed.
mpirun --oversubscribe -n 4 "$mpi" "${sweep[@]}" -o cut.csv >out 2>err &
pid=$!
patiently test -s cut.csv.sweep
# shellcheck disable=SC2046 # several
set -- $(cat /proc/$pid/task/*/children)
amid cut.csv.sweep "$@"
kill -KILL "${!#}" # the last
kill -CONT "$@" 2>/dev/null
wait $pid
code=$?
if [ -e cut.csv ]; then
  echo "(the sweep was done before the rank was killed)"
else
  [ $code != 0 ] && [ "$(grep -c -E ',(ok|failed),' cut.csv.sweep)" -gt 0 ]
  verdict $? "a rank that is killed ends the job, what was finished is kept" "exit $code, $(wc -l <cut.csv.sweep) lines"
fi
among 3 "${sweep[@]}" -o cut.csv --resume
[ $code = 0 ] && cmp -s cut.csv whole.csv
verdict $? "and three ranks end with the same bytes" "exit $code, $(cat err)"

echo "$checks checks, $failures failed"
[ $failures = 0 ]
