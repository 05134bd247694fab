#!/usr/bin/env bash
# Every C file is as clang-format writes it. The version is fixed: others format differently.
#   format.sh SOURCE_DIR
set -euo pipefail
cd "$1"
command -v clang-format-14 >/dev/null || { echo "clang-format-14 is missing"; exit 1; }
bad=()
while IFS= read -r file; do
  clang-format-14 --dry-run -Werror "$file" 2>/dev/null || bad+=("$file")
done < <(find include src cli tests bench examples -name '*.[ch]' -o -name '*.cpp' | sort)
if [ ${#bad[@]} -gt 0 ]; then
  echo "not formatted; run: clang-format-14 -i ${bad[*]}"
  exit 1
fi
