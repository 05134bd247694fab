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
  "$bristle" check "$name" >/dev/null || fail "'bristle check $name' fails"
  diff <("$bristle" check "$name") <("$bristle" check "$file") || fail "$name is not $file"
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
! "$bristle" check rabinowicz --model gonthier --set pad.v_t='5 mm/s' | grep -q advice || fail "advice for v_s/10"
"$bristle" check pulse --model dahl --set block.mass='3 kg' | grep -q 'mass 3 kg' || fail "--set is lost"
