#!/usr/bin/env bash
# Laws of one's own on the command line: --laws, `laws:` of a scenario, the equations of pages.
#   law.sh BRISTLE SOURCE_DIR
source_dir=$(realpath "$2")
# shellcheck source=tests/checks.sh
. "$(dirname "$0")/checks.sh"

prefix='bristle: '

sed 's/^law: lugre$/law: mine/' "$source_dir/laws/lugre.yaml" >mine.yaml

# ---- known by name ---------------------------------------------------------------------------

run models mine --laws mine.yaml
[ $code = 0 ] && grep -q '^mine - LuGre' out && grep -q "  z' = v - sigma0/g" out
verdict $? "models knows a law of one's own, with its equations"
run models --names --laws mine.yaml
[ $code = 0 ] && grep -qx mine out
verdict $? "it is among the names"
run models --json --laws mine.yaml
[ $code = 0 ] && grep -q '"name": "mine"' out
verdict $? "and in the JSON"
refuses 2 "there is no law 'mime'; did you mean 'mine'?" curve mime --laws mine.yaml
refuses 2 "there is no law 'mine'; see 'bristle models'" curve mine

same() { # same COMMAND ARGUMENTS...: with mine and with lugre the numbers are the same
  local command=$1
  shift
  run "$command" mine --laws mine.yaml "$@"
  cp out own
  run "$command" lugre "$@"
  [ $code = 0 ] && [ "$(wc -l <own)" = "$(wc -l <out)" ] &&
    paste -d, own out | awk -F, 'NR > 1 && ($2 - $4 > 1e-9 || $4 - $2 > 1e-9) { exit 1 }'
  verdict $? "$command gives the numbers of the built-in law"
}
same curve --samples 21
run loop mine --laws mine.yaml --amplitude '1 mm' --samples 32
[ $code = 0 ] && [ "$(wc -l <out)" = 34 ]
verdict $? "loop knows it"
findings() { sed -n 's/.*"phenomenon": "\([a-z_0-9]*\)".*"word": "\([^"]*\)", "verdict": "\([a-z]*\)", "machine": 0.*/\1 \2 \3/p' "$1"; }
if [ -z "${TEST_SAMPLE:-}" ]; then # seconds, of which the memory sees nothing new
  run conform mine --laws mine.yaml --json
  cp out own
  run conform lugre --json
  [ "$(findings own | wc -l)" = 21 ] && diff <(findings own) <(findings out)
  verdict $? "conform finds what it finds with the built-in law"
fi

# ---- scenarios -------------------------------------------------------------------------------

position() { tail -1 "$1" | cut -d, -f2; }
near() { awk -v a="$1" -v b="$2" 'BEGIN { d = a - b; exit !(a != "" && d < 1e-6 && d > -1e-6) }'; }
run run rabinowicz --model mine --laws mine.yaml --until '5 s'
cp out own
[ $code = 0 ] && run run rabinowicz --model lugre --until '5 s' && near "$(position own)" "$(position out)"
verdict $? "run with it moves the block as the built-in law does" "$(position own) $(position out)"
run compare rabinowicz --models mine,lugre --laws mine.yaml --until '2 s' --csv
[ $code = 0 ] && grep -q '^mine,' out
verdict $? "compare knows it"
run check rabinowicz --model mine --laws mine.yaml
[ $code = 0 ] && grep -q mine out
verdict $? "check knows it"

mkdir sub
cp mine.yaml sub/other.yaml
sed -i 's/^law: mine$/law: other/' sub/other.yaml
cat >sub/rig.yaml <<'END'
laws: [other.yaml]
bodies: {block: {mass: 1 kg, v: 1 m/s}}
contacts: {pad: {between: [block, ground], model: other, load: 10 N, mu_c: 0.2, mu_s: 0.3, sigma0: 1e4, sigma1: 10}}
run: {until: 0.1 s}
END
run run sub/rig.yaml
[ $code = 0 ] && [ "$(wc -l <out)" -gt 100 ]
verdict $? "a scenario brings a law in a file beside it"
run compare sub/rig.yaml --models other,dahl --csv
[ $code = 0 ] && grep -q '^other,' out && grep -q '^dahl,' out
verdict $? "a law of the scenario can be named on the command line"
run compare sub/rig.yaml --models othr
[ $code = 2 ] && grep -q "did you mean 'other'" err
verdict $? "and its nearest spelling is found"
run run sub/rig.yaml -o sub/other.yaml
[ $code = 2 ] && head -1 sub/other.yaml | grep -q '^law: other'
verdict $? "a law file that is read is not written over" "$(cat err)"

# ---- further laws, known by name -----------------------------------------------------------------

run models brown_mcphee
[ $code = 0 ] && grep -q 'tanh(4\*r)' out
verdict $? "models explains a law of laws/more"
refuses 2 "there is no law 'brown_mcphe'; did you mean 'brown_mcphee'?" curve brown_mcphe
run models
[ $code = 0 ] && grep -q '^rate_and_state_aging *Rate-and-state' out
verdict $? "and lists it"
cat >slider.yaml <<'END'
bodies:
  slider: {mass: 1 kg, v: 1e-6 m/s, x: -60 um}
  drive: {velocity: {table: {t: [0, 50, 50.001, 100], y: [1e-6, 1e-6, 1e-5, 1e-5]}}}
couplings: [{spring: [drive, slider], stiffness: 1e6 N/m}]
contacts: {fault: {between: [slider, ground], model: rate_and_state_aging, load: 100 N}}
run: {until: 100 s}
END
run run slider.yaml --columns fault.F
awk -F, -v want=58.84870745350298 'END { exit !(NR == 1002 && $2 - want < 1e-6 && want - $2 < 1e-6) }' out
verdict $? "a step of the velocity: friction falls by (b - a) log(10) N" "$(tail -1 out)"

# ---- law check -------------------------------------------------------------------------------

if [ -z "${TEST_SAMPLE:-}" ]; then
  run law check mine.yaml
  [ $code = 0 ] && [ "$(grep -c ' ok  ' out)" = 9 ] && grep -qx 'verdict: mine is sound' out &&
    grep -q 'drift per cycle *bad' out
  verdict $? "law check: nine lines, what conform finds, a verdict"
fi
run law check dahl --quick
[ $code = 0 ] && ! grep -q conform out && [ "$(tail -1 out)" = 'verdict: dahl is sound' ]
verdict $? "law check --quick of a page that comes with bristle"

page() { # page EQUATION [LINES...]: a law with two parameters
  cat <<END
law: trial
title: One fault
cite: nobody
limits: wrong on purpose
defaults: {from: a guess, load: 10 N}
parameters:
  mu: {default: 0.5, range: [0.1, 1], text: level}
  k:  {default: 1000 N/m, range: [100, 10000], text: spring}
${2:-}
equations: |
$1
END
}
fails() { # fails TRIAL FILE: that trial, and the verdict says so
  run law check "$2" --quick
  [ $code = 1 ] && grep -q "^  $1 *FAILS " out && tail -1 out | grep -q '^verdict: trial is not sound'
  verdict $? "law check finds the fault: $1" "$(grep FAILS out)"
}
page '  F = mu*N*if(v > 0, 1, if(v < 0, -0.5, 0))' >a.yaml
fails symmetry a.yaml
page '  F = mu*N*log(abs(v)/(1 m/s))*sign(v)' >b.yaml
fails finite b.yaml
fails passivity b.yaml
page '  F = mu*N*tanh(v/(1 mm/s)) + 1 N' >c.yaml
fails rest c.yaml
state="states:
  z: {unit: m, nominal: 1 mm, text: deflection}"
page "  z' = v
  F = k*z" "$state
stored: -k*z^2/2
lift: 1 ms" >d.yaml
fails stored d.yaml
page "  z' = v - abs(v)*z*k/(mu*N)
  F = -k*z" "$state
lift: 1 ms" >e.yaml
fails passivity e.yaml
page "  z' = v - abs(v)*z*k/(mu*N)
  F = k*z" "$state
lift: 1 ms" >f.yaml
run law check f.yaml --quick
[ $code = 0 ] && grep -q '^  stored *- ' out
verdict $? "what a law does not have is told, and no fault"
page '  F = mu*N*tanh(v/(1 mm/s))' >g.yaml
run law check g.yaml a.yaml --quick
[ $code = 1 ] && grep -q 'trial is sound' out
verdict $? "of several files the worst decides"
prefix='bristle: '
refuses 2 "name a law file: 'bristle law check FILE'" law check
refuses 2 "say what is to be done: 'bristle law check FILE'" law

# ---- mistakes --------------------------------------------------------------------------------

sed "s/z' = v/z' = w/" mine.yaml >wrong.yaml
prefix=''
line=$(grep -n "z' = w" wrong.yaml | cut -d: -f1)
run models --laws wrong.yaml
[ $code = 2 ] && grep -q "^wrong.yaml:$line: equations: column [0-9]*: 'w' is not known here" err && [ ! -s out ]
verdict $? "a mistake in a law file is told with line and column" "$(cat err)"
refuses 2 'none.yaml: cannot be opened: No such file or directory' curve mine --laws none.yaml
refuses 2 "mine.yaml: law: there is a law 'mine' already: take another name" curve mine --laws mine.yaml --laws mine.yaml

echo "$checks checks, $failures failed"
[ $failures = 0 ]
