#!/usr/bin/env bash
# What is built is loaded safely: libraries come from fixed places only, addresses are bound before
# main() and then read-only, the stack is guarded and not executable; and no name of the static
# library can meet one of a program.
#   hardened.sh COMMAND SHARED STATIC [COMMAND...]
set -euo pipefail
command=$(realpath "$1") shared=$(realpath "$2") static=$(realpath "$3")
shift 3
fail() {
  echo "hardened: $*"
  exit 1
}

for file in "$command" "$shared" "$@"; do
  dynamic=$(readelf -dW "$file")
  path=$(sed -nE 's/.*\((RUNPATH|RPATH)\).*\[(.*)\]$/\2/p' <<<"$dynamic")
  # An empty element, or one that does not begin with / or $ORIGIN, means the current folder.
  if [ -n "$path" ]; then
    while IFS= read -rd : element; do
      case $element in
        /* | "\$ORIGIN" | "\$ORIGIN"/*) ;;
        *) fail "$file looks for libraries in '$element' of '$path'" ;;
      esac
    done <<<"$path:"
  fi
  grep -qE '\(FLAGS\).*BIND_NOW|\(FLAGS_1\).*NOW' <<<"$dynamic" || fail "$file binds lazily"
  segments=$(readelf -lW "$file")
  grep -q GNU_RELRO <<<"$segments" || fail "$file: addresses stay writable"
  if grep -q 'GNU_STACK.* RWE ' <<<"$segments"; then fail "$file: the stack is executable"; fi
  grep -q __stack_chk_fail <<<"$(readelf -W --dyn-syms "$file")" || fail "$file: the stack is not guarded"
done
for file in "$command" "$@"; do
  grep -q 'DYN (' <<<"$(readelf -hW "$file")" || fail "$file stands at a fixed address"
done

# A library in the current folder is not loaded.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
for name in libm.so.6 libbristle.so.0.1 libyaml-0.so.2; do echo forged >$name; done
"$command" --version >/dev/null || fail "a file in the current folder is taken for a library"

names=$(nm -g --defined-only "$static" | awk 'NF == 3 && $3 !~ /^(bri_|__)/ { print $3 }')
[ -z "$names" ] || fail "names without prefix in the static library: $(echo "$names" | head -5 | xargs) ..."
