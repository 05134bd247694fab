#!/usr/bin/env bash
# bristle check and bristle scenario: what they print, and their exit codes.
#   check.sh BRISTLE SOURCE_DIR
set -euo pipefail
bristle=$1
cd "$2"
fail() { echo "$*"; exit 1; }

for file in scenarios/*.yaml; do
  name=$(basename "$file" .yaml)
  "$bristle" scenario "$name" | cmp - "$file" || fail "'bristle scenario $name' is not $file"
  told=$("$bristle" check "$name") || fail "'bristle check $name' fails"
  diff <(echo "$told") <("$bristle" check "$file") || fail "$name is not $file"
done
[ "$("$bristle" scenario --names)" = "$(cd scenarios && ls | sed 's/\.yaml$//')" ] ||
  fail "'bristle scenario --names' does not name scenarios/"
[ "$("$bristle" scenario | wc -l)" -eq "$(ls scenarios | wc -l)" ] || fail "'bristle scenario' lists others"

# refused COMMAND... prints what is refused, which must end in exit code 2 and print no data
refused() {
  local code=0
  out=$("$bristle" "$@" 2>/tmp/bristle-check.$$) || code=$?
  words=$(cat /tmp/bristle-check.$$)
  rm -f /tmp/bristle-check.$$
  [ $code -eq 2 ] || fail "'bristle $*' ends with $code"
  [ -z "$out" ] || fail "'bristle $*' prints data"
  [ -n "$words" ] || fail "'bristle $*' says nothing"
}
refused check tests/bad/unknown_key.yaml
[ "$(wc -l <<<"$words")" -eq 4 ] || fail "not four mistakes: $words"
refused check
refused check belt pulse
refused check belt --set pad.sigma0
refused scenario belt pulse
refused scenario beld
grep -q "did you mean 'belt'" <<<"$words" || fail "no nearest name: $words"
refused check belt --set run.solver=rk4
grep -q "step" <<<"$words" || fail "a fixed step without a size is accepted: $words"
# the paper's own v_t is a hundredth of its Stribeck velocity, against the advice that it quotes
"$bristle" check rabinowicz --model gonthier | grep -q 'advice: v_t should be at least v_s/10' || fail "no advice"
"$bristle" run rabinowicz --model gonthier --until '0.1 s' 2>&1 >/dev/null |
  grep -qx 'pad: gonthier: v_t should be at least v_s/10 (Gonthier et al. 2004)' || fail "no advice in a run"
"$bristle" run rabinowicz --model gonthier --set pad.v_t='5 mm/s' --until '0.1 s' 2>&1 >/dev/null |
  grep -q 'v_t should' && fail "advice that was followed"
! "$bristle" check rabinowicz --model gonthier --set pad.v_t='5 mm/s' | grep -q advice || fail "advice for v_s/10"
"$bristle" check pulse --model dahl --set block.mass='3 kg' | grep -q 'mass 3 kg' || fail "--set is lost"

# Every parameter is marked, in words and in JSON; what is lost is told.
text=$("$bristle" check belt --model dahl)
grep -q 'given for lugre: mu_c 0.1, sigma0 100000 N/m, kv 0.1 N s/m (from nu: times the load)' <<<"$text" ||
  fail "nu is not carried: $text"
grep -q 'lost, of no use to dahl: mu_s 0.15 (static level)' <<<"$text" || fail "the loss is not told: $text"
"$bristle" check pulse | grep -q 'given: mu_c 0.3, mu_s 0.6' || fail "what is given is not marked"
text=$("$bristle" check wall_step --model gonthier)
grep -q 'derived: sigma0 19620 N/m (static level over 0.05 mm (Rill' <<<"$text" || fail "no rule: $text"
grep -q 'default, as published for another rig: v_s 0.05 m/s, tau_dw 0.1 s' <<<"$text" || fail "no default: $text"
"$bristle" check wall_step --model gonthier --json >/tmp/bristle-check.$$
for words in '"instead_of": "coulomb_tanh"' '"role": "stiffness", "origin": "derived"' \
  '"origin": "carried", "from": "v_d"' '"origin": "default"' '"invented": true' '"lost": \['; do
  grep -q "$words" /tmp/bristle-check.$$ || fail "JSON has no $words"
done
if command -v python3 >/dev/null; then python3 -m json.tool /tmp/bristle-check.$$ >/dev/null; fi
rm -f /tmp/bristle-check.$$

# A small file must not ask for days of work: a sum of sums with 4,095 parts on each of 100,000 bodies. It is
# refused before there is memory for them all: 400 MB will do where a limit can be set (sanitizers map more).
many=$(mktemp)
trap 'rm -f "$many"' EXIT
tree='1 N'
for i in {1..11}; do tree="{sum: [$tree, $tree]}"; done
printf 'bodies: {a: {mass: 1 kg, repeat: 100000}}\nrun: {until: 1 s}\ndrives: {f: {on: a, force: %s}}\n' "$tree" >"$many"
if { (ulimit -v 400000 && "$bristle" --version); } >/dev/null 2>&1; then ulimit -v 400000; fi
refused check "$many"
grep -q 'the signals have more than 10000000 parts in all' <<<"$words" || fail "not refused in time: $words"
