#!/usr/bin/env bash
# docs/models.md and the tables of docs/scenario.md are what the command prints, and the manual page has every command and option.
#   docs.sh BRISTLE SOURCE_DIR
set -euo pipefail
bristle=$1
cd "$2"
"$bristle" models --markdown | diff -u docs/models.md - || {
  echo "docs/models.md is not current; run: cmake --build build/release --target docs"
  exit 1
}
"$bristle" scenario --schema |
  diff -u <(sed -n '/^<!-- schema -->$/,/^<!-- end of schema -->$/{//!p}' docs/scenario.md) - || {
  echo "docs/scenario.md is not current; run: cmake --build build/release --target docs"
  exit 1
}

manual=$(sed 's/\\-/-/g' man/bristle.1)
help=$("$bristle" --help)
commands=$(sed -n '/^examples/q; s/^  \([a-z]*\) .*/\1/p' <<<"$help")
[ -n "$commands" ] || { echo "'bristle --help' names no command"; exit 1; }
for command in $commands; do
  grep -q "^\.SS $command$" <<<"$manual" || { echo "man/bristle.1: no section '$command'"; exit 1; }
  for option in $("$bristle" "$command" --help | sed -n 's/^ *\(--[a-z-]*\).*/\1/p'); do
    grep -qE "^\.BI? $option( |$)" <<<"$manual" || {
      echo "man/bristle.1: no option '$option', which 'bristle $command' has"
      exit 1
    }
  done
done
