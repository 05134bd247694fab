#!/usr/bin/env bash
# libbristle_core.a: it needs libm alone, runs a rig to the same numbers as the whole library, and compiles for
# a microcontroller.
#   core.sh LIBRARY SOURCE_DIR BUILD_DIR CC
source_dir=$(realpath "$2") build=$(realpath "$3") cc=$4
# shellcheck source=tests/checks.sh
. "$(dirname "$0")/checks.sh"
library=$bristle

# "Nothing else": a program of it is linked with libm only, and every symbol is found.
for name in controller rig hello; do
  "$cc" -std=c17 -I"$source_dir/include" "$source_dir/examples/$name.c" "$library" -lm -o $name 2>said
  verdict $? "examples/$name.c is linked with libm alone" "$(head -3 said)"
done
./controller >out 2>/dev/null && grep -q '^x = 0\.1037461[12]' out
verdict $? "the controller comes to where SciPy's LSODA gets" "$(cat out)"
LD_LIBRARY_PATH=$build "$build/examples/example_rig" >whole 2>&1
./rig >alone 2>&1
awk 'NR == FNR { for (i = 1; i <= NF; i++) a[FNR, i] = $i; next }
  { for (i = 1; i <= NF; i++) if ($i + 0 == $i) { d = $i - a[FNR, i]; if (d < 0) d = -d
      if (d > 1e-4*($i < 0 ? -$i : $i) + 1e-9) bad = 1 } }
  END { exit bad || NR < 2 }' whole alone
verdict $? "the rig gives the numbers of the whole library" "$(paste whole alone | head -4)"

if command -v arm-none-eabi-gcc >/dev/null && echo '#include <math.h>' | arm-none-eabi-gcc -E -x c - >/dev/null 2>&1; then
  flags=(-std=c17 -Os -mcpu=cortex-m7 -mfpu=fpv5-d16 -mfloat-abi=hard -ffunction-sections -fdata-sections -ffp-contract=off
    -I"$source_dir/include" -I"$source_dir/src" -DBRI_KERNEL_LEVEL=base)
  cat >loop.c <<'END'
#include <bristle.h>
extern const bri_model bri_law_lugre;
volatile double speed, friction;
int main(void) {
    static double p[BRI_MAX_PARAMS], z[BRI_MAX_STATES];
    bri_model_defaults(&bri_law_lugre, p);
    for (;;) {
        bri_input u = {.v = speed, .n = 10.0};
        friction = bri_model_step(&bri_law_lugre, p, &u, 1e-3, z);
    }
}
END
  mapfile -t sources < <(cd "$source_dir/src" && ls sim/*.c system/*.c models/*.c solvers/{rosenbrock,solvers,time_stepping,rk4}.c \
    kernels/{plain,sweep,sweeps}.c {batch,mass,model,nearest,status,sweep,text,role,large}.c)
  good=0
  mkdir arm
  for file in "${sources[@]/#/$source_dir/src/}" "$build/laws/lugre.c" loop.c; do
    arm-none-eabi-gcc "${flags[@]}" -fsyntax-only "$file" 2>>said || good=1
  done
  verdict $good "the core compiles for a Cortex-M7" "$(grep error said | head -3)"
  for file in "$source_dir"/src/{model,text,status}.c "$source_dir/src/models/steps.c" "$build/laws/lugre.c" loop.c; do
    arm-none-eabi-gcc "${flags[@]}" -c "$file" -o "arm/$(basename "$file").o" 2>>said
  done
  arm-none-eabi-gcc "${flags[@]}" -Wl,--gc-sections --specs=nosys.specs arm/*.o -lm -o loop.elf 2>said
  verdict $? "a loop with LuGre is linked for it" "$(grep -v warning said | head -3)"
  arm-none-eabi-size loop.elf
else
  echo "skipped the microcontroller: arm-none-eabi-gcc or newlib is not installed"
fi

echo "$checks checks, $failures failed"
[ $failures = 0 ]
