#!/usr/bin/env bash
# Every C file is as clang-format writes it. The version is fixed: others format differently.
#   format.sh SOURCE_DIR
set -euo pipefail
cd "$1"
command -v clang-format-14 >/dev/null || { echo "clang-format-14 is missing"; exit 1; }
mapfile -t files < <(find include src cli tests bench examples python octave -name '*.[ch]' -o -name '*.cpp' | sort)
[ ${#files[@]} -gt 0 ] || { echo "there are no files in $1"; exit 1; }
if ! clang-format-14 --dry-run -Werror "${files[@]}" >/dev/null 2>&1; then
  for file in "${files[@]}"; do
    clang-format-14 --dry-run -Werror "$file" >/dev/null 2>&1 || echo "not formatted; run: clang-format-14 -i $file"
  done
  exit 1
fi
