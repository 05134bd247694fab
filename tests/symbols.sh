#!/usr/bin/env bash
# The shared library exports what the headers declare and nothing else, and the core neither
# allocates nor does input and output.
#   symbols.sh LIBRARY HEADER.h... CORE_OBJECT.o...
set -euo pipefail
library=$1
shift
headers=() objects=()
for file in "$@"; do
  case $file in
    *.h) headers+=("$file") ;;
    *) objects+=("$file") ;;
  esac
done

exported=$(nm -D --defined-only "$library" | awk '{print $3}' | grep -vxE '_init|_fini' | sort)
declared=$(sed -n '/^BRI_API/,/;/p' "${headers[@]}" | grep -o 'bri_[a-z0-9_]*(' | tr -d '(' | sort)
diff <(echo "$declared") <(echo "$exported") || {
  echo "left: declared in the headers, right: exported by the library"
  exit 1
}

refused='malloc|calloc|realloc|free|aligned_alloc|strdup'
refused+='|f?printf|f?puts|fwrite|fopen|popen|system|abort|exit|ut_[a-z_]*'
for object in "${objects[@]}"; do
  if nm -u "$object" | awk '{print $2}' | grep -xE "$refused"; then
    echo "$object: the core must not call the functions above"
    exit 1
  fi
done
