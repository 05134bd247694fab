#!/usr/bin/env bash
# Sources are printable ASCII without tabs and without blanks at the end of a line.
#   ascii.sh SOURCE_DIR
set -euo pipefail
cd "$1"
files=(CMakeLists.txt CMakePresets.json LICENSE .clang-format .ci cmake completions man scripts
  include src cli tests bench examples scenarios laws)
if LC_ALL=C grep -rnI --exclude='*.md' --exclude='*.svg' --exclude-dir=bad --exclude-dir=corpus -e '[^ -~]' -e ' $' "${files[@]}"; then
  echo "the lines above have a tab, a character outside ASCII or a blank at the end"
  exit 1
fi
