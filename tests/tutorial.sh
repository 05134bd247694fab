#!/usr/bin/env bash
# What the pages show is what happens. In a block ```yaml or ```csv whose first line is "# NAME" that
# file is written; in a block ```console every line that begins with "$ " is run and what follows is
# compared with what it prints: numbers to 1e-4 or to one unit of the last decimal that is shown, below
# 2e-5 as zero (rounding); "..." stands for the rest of a line, or for lines.
#   tutorial.sh BRISTLE PAGE.md...
set -uo pipefail
bristle=$(realpath "$1")
shift
pages=()
for page in "$@"; do pages+=("$(realpath "$page")"); done
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
mkdir "$dir/bin" && ln -s "$bristle" "$dir/bin/bristle"
PATH=$dir/bin:$PATH
plots=1
command -v gnuplot >/dev/null || { plots=0; echo "no gnuplot: pictures are left out"; }

# same EXPECTED GOT: the first line that differs, if any
same() {
  awk '
    function number(s) { return s ~ /^[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?$/ }
    function last_decimal(s,    e, at) { # one unit of it; of a whole number: none
      e = (at = match(s, /[eE]/)) ? substr(s, at + 1) + 0 : 0
      if (at) s = substr(s, 1, at - 1)
      return index(s, ".") ? 10 ^ (e - length(s) + index(s, ".")) : 0
    }
    function alike(want, got,    a, b, n, m, i, gap) {
      sub(/ +$/, "", want); sub(/ +$/, "", got)
      n = split(want, a, /[ ,]+/); m = split(got, b, /[ ,]+/)
      for (i = 1; i <= n; i++) {
        if (a[i] == "...") return 1
        if (i > m) return 0
        if (a[i] == b[i]) continue
        if (!number(a[i]) || !number(b[i])) return 0
        if (a[i] ^ 2 < 4e-10 && b[i] ^ 2 < 4e-10) continue
        gap = a[i] - b[i]; if (gap < 0) gap = -gap
        if (gap > 1e-4 * (a[i] < 0 ? -a[i] : a[i]) && gap > 1.01 * last_decimal(a[i])) return 0
      }
      return n == m
    }
    NR == FNR { want[++w] = $0; next }
    { got[++g] = $0 }
    END {
      at = 1
      for (k = 1; k <= w; k++) {
        if (want[k] == "...") { skip = 1; continue }
        while (skip && at <= g && !alike(want[k], got[at])) at++
        skip = 0
        if (at > g) { print "missing: " want[k]; exit }
        if (!alike(want[k], got[at])) { print "page: " want[k]; print "now:  " got[at]; exit }
        at++
      }
      if (!skip && at <= g) print "not on the page: " got[at]
    }' "$1" "$2"
}

failures=0 commands=0
finish() { # the command that was begun, if any
  [ -n "${command:-}" ] || return 0
  commands=$((commands + 1))
  [ $plots = 1 ] || command=$(sed -E "s/ --plot[-a-z]* ('[^']*'|[^ ]*)//g" <<<"$command")
  bash -c "$command" >"$dir/got" 2>&1 </dev/null
  code=$?
  difference=$(same "$dir/want" "$dir/got")
  if [ $code -ne 0 ] && ! grep -qvxF ... "$dir/want"; then # a page that shows a failure shows its words
    difference="exit code $code: $(head -n 1 "$dir/got")"
  fi
  if [ -n "$difference" ]; then
    printf 'FAILED  %s: %s\n%s\n' "$name" "$command" "$difference"
    failures=$((failures + 1))
  else
    echo "ok      $name: $command"
  fi
  command=
}

for page in "${pages[@]}"; do
  name=$(basename "$page") block='' file='' command='' before=$commands
  mkdir "$dir/$name" && cd "$dir/$name" || exit 1
  while IFS= read -r line || [ -n "$line" ]; do
    if [[ $line == '```'* ]]; then
      finish
      [ -z "$block" ] && block=${line#'```'} || block=
      [ "$line" != '```' ] || [ -n "$block" ] || file=
    elif [[ $block == yaml || $block == csv ]]; then
      if [ -z "$file" ] && [[ $line == '# '* ]]; then
        file=${line#'# '}
        : >"$file"
        [ "$block" = csv ] && continue
      fi
      [ -z "$file" ] || printf '%s\n' "$line" >>"$file"
    elif [ "$block" = console ]; then
      if [[ $line == '$ '* ]]; then
        finish
        command=${line#'$ '}
        : >"$dir/want"
      elif [[ -n $command && $command == *'\' && ! -s $dir/want ]]; then
        command=${command%'\'}$line
      else
        printf '%s\n' "$line" >>"$dir/want"
      fi
    fi
  done <"$page"
  [ $commands -gt $before ] || { echo "FAILED  $name shows no command"; failures=$((failures + 1)); }
done
echo "$commands commands, $failures differ from the page"
[ $failures -eq 0 ]
