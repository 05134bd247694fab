#!/usr/bin/env bash
# The blocks ```c of the pages are valid C with the public headers alone. Those of a page become one
# file: what begins with enum, static or typedef as it stands, all else in one function, with stand-ins
# for what belongs to the reader.
#   snippets.sh COMPILER INCLUDE_DIR PAGE.md...
set -euo pipefail
cc=$1
include=$2
shift 2
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
checks=0 failed=0
for page in "$@"; do
  awk -v top="$dir/top" -v body="$dir/body" '
    BEGIN { printf "" >top; printf "" >body }
    /^```c$/ { inside = 1; to = ""; blocks++; next }
    /^```$/ { inside = 0 }
    !inside { next }
    /^#include/ { print >top; next }
    to == "" && /[^ ]/ { to = /^(enum|static|typedef)/ ? top : body }
    to != "" { print >to }
    END { exit blocks == 0 }' "$page" || { echo "FAILED  $page has no block of C"; failed=$((failed + 1)); continue; }
  {
    printf "#include <bristle_study.h>\n#include <math.h>\n#include <stdlib.h>\n"
    cat <<'STAND_INS'
int complain(const char *text);
void use(double x, double F), command_torque(double M), wait_for_next_tick(void);
double measured_speed(void), controller(void);
extern bri_error err;
extern bri_body bodies[2];
extern bri_contact pad;
extern double v_body, v_support, load, pull, mass, h, v[1000];
int snippet(double *F, double *dz, double *z);
STAND_INS
    cat "$dir/top"
    printf 'int snippet(double *F, double *dz, double *z) {\n(void)F; (void)dz; (void)z;\n{\n'
    cat "$dir/body"
    printf '}\nreturn 0;\n}\n'
  } >"$dir/page.c"
  checks=$((checks + 1))
  if "$cc" -std=c17 -Wall -Wextra -Werror -Wno-unused -Wno-unused-parameter -fsyntax-only -I "$include" "$dir/page.c" 2>"$dir/said"; then
    echo "ok      $page"
  else
    echo "FAILED  $page"
    cat "$dir/said"
    failed=$((failed + 1))
  fi
done
echo "$checks checks, $failed failed"
[ "$failed" -eq 0 ]
