#!/usr/bin/env bash
# bristle export: every law that has a page, in every language, compiled or run where the tools are
# there; each file tests itself against numbers of the library to 1e-12.
#   export.sh BRISTLE SOURCE_DIR CC
source_dir=$(realpath "$2")
cc=$3
# shellcheck source=tests/checks.sh
. "$(dirname "$0")/checks.sh"
prefix='bristle: '

names=$(cd "$source_dir/laws" && ls ./*.yaml more/*.yaml 2>/dev/null | sed 's|.*/||; s/\.yaml$//')
[ "$(wc -w <<<"$names")" -ge 23 ] || exit 1

for name in $names; do
  run export "$name" --to c -o "$name.c"
  [ "$code" = 0 ] && "$cc" -std=c99 -O1 -Wall -Wextra -Werror "-D${name}_TEST" "$name.c" -o "$name" -lm &&
    "./$name" >out
  verdict $? "$name in C" "$(cat err out)"
done
if command -v python3 >/dev/null; then
  for name in $names; do
    run export "$name" --to python -o "$name.py"
    [ "$code" = 0 ] && python3 "$name.py" >out 2>err
    verdict $? "$name in Python" "$(tail -1 err) $(cat out)"
  done
else
  echo "skipped Python: python3 is not installed"
fi
for name in $names; do
  run export "$name" --to matlab -o "$name.m"
  [ "$code" = 0 ] && [ "$(grep -c '^function ' "$name.m")" -ge 6 ]
  verdict $? "$name in MATLAB is written"
done
if command -v octave >/dev/null; then
  # one process for all: it takes longer to start than to compute
  octave --no-gui --quiet --eval "for name = strsplit('$(xargs <<<"$names")'), try, law = feval(name{1}); e = law.test();
    printf('%s %d %g\n', name{1}, e <= 1e-12, e), catch err, printf('%s 0 %s\n', name{1}, err.message), end, end" >all 2>err
  for name in $names; do
    grep -q "^$name 1 " all
    verdict $? "$name in Octave" "$(grep "^$name " all) $(head -3 err)"
  done
else
  echo "skipped MATLAB: octave is not installed"
fi
for name in $names; do
  run export "$name" --to st -o "$name.st"
  [ "$code" = 0 ] && [ "$(grep -c '^END_FUNCTION_BLOCK$' "$name.st")" -ge 1 ] && grep -q "^PROGRAM ${name}_test$" "$name.st"
  verdict $? "$name in structured text is written" "$(cat err)"
done
# matiec makes C of structured text: MATIEC is the folder with iec2c and its lib. Debian has no package of it.
if [ -x "${MATIEC:-}/iec2c" ]; then
  for name in $names; do
    rm -rf st && mkdir st && "$MATIEC/iec2c" -I "$MATIEC/lib" -T st "$name.st" >out 2>err
    code=$? upper=${name^^}
    cat >st/main.c <<END
#include "iec_std_lib.h"
#include "accessor.h"
TIME __CURRENT_TIME;
BOOL __DEBUG;
#include "POUS.h"
#include "POUS.c"
#include <stdio.h>
static ${upper}_TEST test;
int main(void) {
    ${upper}_TEST_init__(&test, 0);
    ${upper}_TEST_body__(&test);
    printf("%g\n", (double)test.LAW_WORST.value);
    return !(test.LAW_WORST.value <= 1e-12);
}
END
    [ "$code" = 0 ] && "$cc" -w -O1 -I "$MATIEC/lib/C" -I st st/main.c -o st/test -lm 2>err && st/test >out
    verdict $? "$name in structured text" "$(head -3 err) $(tail -1 out)"
  done
else
  echo "skipped structured text: MATIEC names no folder with iec2c"
fi

# ---- what is in the files ----------------------------------------------------------------------

run export lugre --to c --set sigma0='2 N/um' --load '50 N'
[ "$code" = 0 ] && grep -q '^    .sigma0 = 2000000.0,$' out && grep -q ', 50.0, ' out
verdict $? "a parameter and the load are those given"
cp out other.c
"$cc" -std=c99 -Dlugre_TEST other.c -o other -lm && ./other >/dev/null
verdict $? "and the test vector goes with them"
cat dahl.c stribeck.c lugre.c >three.c
"$cc" -std=c99 -Dlugre_TEST three.c -o three -lm && ./three >/dev/null
verdict $? "the files of three laws go into one program"
sed 's/\.mu_c = 0.5/.mu_c = 0.50000001/' lugre.c >wrong.c
"$cc" -std=c99 -Dlugre_TEST wrong.c -o wrong -lm && ! ./wrong >/dev/null
verdict $? "a file that is changed fails its own test"
sed 's/^law: lugre$/law: mine/; s/\bnu\b/lambda/g' "$source_dir/laws/lugre.yaml" >mine.yaml
if command -v python3 >/dev/null; then
  run export mine --laws mine.yaml --to python -o mine.py
  [ "$code" = 0 ] && grep -q 'self.lambda_ = ' mine.py && python3 mine.py >/dev/null
  verdict $? "a law of one's own, with a name that Python has for itself" "$(cat err)"
fi
sed 's/^law: lugre$/law: mine/; s/\bnu\b/double/g' "$source_dir/laws/lugre.yaml" >double.yaml
refuses 2 "mine: the name 'double' cannot stand in c" export mine --laws double.yaml --to c
refuses 2 "karnopp has no page of equations, so that it cannot be written in c" export karnopp --to c
sed 's/^law: lugre$/law: mine/; s/\bnu\b/SIGMA2/g' "$source_dir/laws/lugre.yaml" >capital.yaml
refuses 2 "mine: the name 'SIGMA2' cannot stand in st" export mine --laws capital.yaml --to st
refuses 2 "say which language: --to c, python, matlab or st" export lugre
refuses 2 "--to: there is no 'pythn'; did you mean 'python'?" export lugre --to pythn
refuses 2 "name a law; 'bristle models' lists them" export --to c
refuses 2 "name one law: 'dahl' is a second one" export lugre dahl --to c

echo "$checks checks, $failures failed"
[ $failures = 0 ]
