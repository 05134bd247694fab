#!/usr/bin/env bash
# bristle fmu: what is in the file, that its source compiles with one plain command, that its binary
# needs an old C library only, that other machines' binaries give the same force, and what is refused.
#   fmu.sh BRISTLE SOURCE_DIR CC CMAKE
source_dir=$(realpath "$2")
cc=$3
cmake=$4
# shellcheck source=tests/checks.sh
. "$(dirname "$0")/checks.sh"
prefix='bristle: '

# ---- the file ------------------------------------------------------------------------------------

here=(--platforms linux64) # others take seconds
[ -z "${BRISTLE_TEST_ALL:-}" ] || here=()
run fmu lugre "${here[@]}" -o lugre.fmu
[ "$code" = 0 ] && [ ! -s out ] && grep -q '^lugre.fmu: FMI 2.0, Model Exchange and Co-Simulation, sources, linux64' err
verdict $? "an FMU is written, and what is in it is told" "$(cat err)"
mkdir two three
(cd two && "$cmake" -E tar xf ../lugre.fmu)
[ -s two/modelDescription.xml ] && [ -s two/sources/lugre.c ] && [ -s two/documentation/index.html ] &&
  cmp -s two/documentation/licenses/license.txt "$source_dir/LICENSE"
verdict $? "another program unpacks it"
run fmu lugre --fmi 3 --platforms linux64 --set sigma0='2 N/um' --load '50 N' -o lugre3.fmu
(cd three && "$cmake" -E tar xf ../lugre3.fmu)
run fmu lugre --fmi 3 --platforms linux64 --set sigma0='2 N/um' --load '50 N' -o again.fmu
cmp -s lugre3.fmu again.fmu
verdict $? "the same law gives the same bytes"
[ "$code" = 0 ] && [ -s three/binaries/x86_64-linux/lugre.so ] &&
  grep -q '<Float64 name="sigma0" .* start="2000000"' three/modelDescription.xml &&
  grep -q '<Float64 name="N" .* start="50"' three/modelDescription.xml
verdict $? "FMI 3.0, with a parameter and a load" "$(cat err)"
if command -v xmllint >/dev/null; then
  xmllint --noout two/modelDescription.xml three/modelDescription.xml {two,three}/sources/buildDescription.xml
  verdict $? "the descriptions are well-formed XML"
else
  echo "skipped XML: xmllint is not installed"
fi
# known VERSION FILE: elements and attributes are those of the schema, parts in its order; prints what is not
known() {
  [ "$(sed -n 's/^  <\([A-Z][A-Za-z]*\).*/\1/p' "$2" | tr '\n' ' ')" = \
    'ModelExchange CoSimulation UnitDefinitions LogCategories DefaultExperiment ModelVariables ModelStructure ' ] || echo "order"
  tr '\n' ' ' <"$2" | sed 's/<!--.*-->//; s/</\n</g' | awk -v version="$1" '
    NR == FNR { if ($1 == version) { known[$2] = 1; for (i = 3; i <= NF; i++) {
      name = $i; if (sub(/^!/, "", name)) must[$2] = must[$2] " " name; may[$2, name] = 1 } } next }
    match($0, /^<[A-Za-z][A-Za-z0-9]*/) {
      element = substr($0, 2, RLENGTH - 1); rest = substr($0, RLENGTH + 1); split("", has)
      if (!known[element]) { print element; next }
      while (match(rest, / [A-Za-z0-9]+="[^"]*"/)) {
        name = substr(rest, RSTART + 1, RLENGTH - 1); sub(/=.*/, "", name); has[name] = 1
        if (!((element, name) in may)) print element "." name
        rest = substr(rest, RSTART + RLENGTH) }
      n = split(must[element], all, " "); for (i = 1; i <= n; i++) if (!has[all[i]]) print element " without " all[i]
      count++
    }
    END { if (count < 20) print "hardly any elements" }' "$source_dir/tests/fmi_elements.txt" -
}
for folder in 'two 2' 'three 3'; do
  strange=$(known "${folder#* }" "${folder% *}/modelDescription.xml" | sort -u)
  [ -z "$strange" ]
  verdict $? "elements and attributes of FMI ${folder#* } in their places" "$strange"
done
run fmu lugre --set Fc='5 N' --set Fs='6 N' --platforms none -o forces.fmu
mkdir forces
(cd forces && "$cmake" -E tar xf ../forces.fmu)
[ "$code" = 0 ] && [ ! -e forces/binaries ] && grep -q 'name="Fc"' forces/modelDescription.xml &&
  grep -A1 'name="Fc"' forces/modelDescription.xml | grep -q 'unit="N" .* start="5"' &&
  grep -A1 'name="N"' forces/modelDescription.xml | grep -q 'start="1"'
verdict $? "levels in newtons have their names and units, at a load of 1" "$(cat err)"

# ---- source and binary ---------------------------------------------------------------------------

for folder in two three; do
  (cd $folder/sources && "$cc" -shared -fPIC -Wall -Werror -o lugre.so lugre.c -lm) 2>err
  verdict $? "the source in $folder compiles with one plain command, without a warning" "$(head -3 err)"
done
newest() { objdump -T "$1" | grep -o 'GLIBC_[0-9.]*' | sort -Vu | tail -1; }
outside() { objdump -T "$1" | grep ' g  ' | awk '{print $NF}' | grep -v '^fmi[23]' | grep -c . || true; }
if command -v objdump >/dev/null; then
  for file in two/binaries/linux64/lugre.so three/binaries/x86_64-linux/lugre.so; do
    version=$(newest $file)
    [ "$(printf '%s\nGLIBC_2.4\n' "$version" | sort -V | tail -1)" = GLIBC_2.4 ]
    verdict $? "$file needs nothing newer than GLIBC_2.4" "$version"
    [ "$(objdump -p $file | awk '/NEEDED/ {print $2}' | sort | tr '\n' ' ')" = 'libc.so.6 libm.so.6 ' ]
    verdict $? "and the C library only" "$(objdump -p $file | grep NEEDED)"
    head=$(objdump -p $file)
    grep -qE '^ *FLAGS +0x0*8$' <<<"$head" && grep -q RELRO <<<"$head" && ! grep -qE 'R(UN)?PATH' <<<"$head"
    verdict $? "bound when it is loaded, from no place of its own" "$(grep -E 'FLAGS|RELRO|PATH' <<<"$head")"
    [ "$(outside $file)" = 0 ]
    verdict $? "and shows the functions of FMI only" "$(outside $file) others"
  done
else
  echo "skipped symbols: objdump is not installed"
fi

guid=$(sed -n 's/.* guid="\([^"]*\)".*/\1/p' two/modelDescription.xml)
"$cc" -std=c99 -o probe "$source_dir/tests/fmu_probe.c" -lm -ldl && ./probe ./two/binaries/linux64/lugre.so "$guid" >here
verdict $? "the binary is loaded and stepped"
(cd two/sources && "../../probe" ./lugre.so "$guid") >plain
cmp -s here plain
verdict $? "and so is what the plain command makes, with the same force" "$(cat here plain)"

# close A B: to 13 digits, for the mathematics of another C library
close() { awk -v a="$(cat "$1")" -v b="$(cat "$2")" 'BEGIN {d = a - b; if (d < 0) d = -d; exit !(a < -7 && d <= -1e-13*a)}'; }
if [ -d two/binaries/aarch64-linux ] && command -v aarch64-linux-gnu-gcc >/dev/null && command -v qemu-aarch64 >/dev/null &&
  [ -e /usr/aarch64-linux-gnu/lib/ld-linux-aarch64.so.1 ]; then
  aarch64-linux-gnu-gcc -std=c99 -o probe-arm "$source_dir/tests/fmu_probe.c" -lm -ldl &&
    qemu-aarch64 -L /usr/aarch64-linux-gnu ./probe-arm ./two/binaries/aarch64-linux/lugre.so "$guid" >arm && close arm here
  verdict $? "the binary for aarch64 gives the same force" "$(cat arm)"
  version=$(aarch64-linux-gnu-objdump -T two/binaries/aarch64-linux/lugre.so | grep -o 'GLIBC_[0-9.]*' | sort -Vu | tail -1)
  [ "$version" = GLIBC_2.17 ]
  verdict $? "and needs nothing newer than GLIBC_2.17" "$version"
else
  echo "skipped aarch64: not asked for by --all, no compiler or no qemu-user"
fi
wine=$(command -v wine64 || command -v wine || ls /usr/lib/wine/wine64 2>/dev/null || true)
if [ -d two/binaries/win64 ] && command -v x86_64-w64-mingw32-gcc >/dev/null && [ -n "$wine" ]; then
  x86_64-w64-mingw32-gcc -std=c99 -o probe.exe "$source_dir/tests/fmu_probe.c" &&
    WINEPREFIX=$dir/wine WINEDEBUG=-all "$wine" probe.exe two/binaries/win64/lugre.dll "$guid" 2>err | tr -d '\r' >windows
  WINEPREFIX=$dir/wine "$(command -v wineserver || ls /usr/lib/wine/wineserver* | head -1)" -k
  close windows here
  verdict $? "the binary for Windows gives the same force" "$(cat windows err)"
else
  echo "skipped win64: not asked for by --all, no compiler or no wine"
fi

# ---- rigs ----------------------------------------------------------------------------------------

mkdir rig
run fmu belt --platforms none --inputs belt.velocity -o belt.fmu
(cd rig && "$cmake" -E tar xf ../belt.fmu)
[ "$code" = 0 ] && [ ! -e rig/binaries ] && [ "$(wc -l <rig/sources/sim_step.c)" = "$(($(wc -l <"$source_dir/src/sim/step.c") + 1))" ] &&
  grep -q '<ScalarVariable name="belt.velocity" .* causality="input" variability="discrete"' rig/modelDescription.xml
verdict $? "a rig with an input, with the engine in its sources" "$(cat err)"
strange=$(known 2 rig/modelDescription.xml | sort -u)
[ -z "$strange" ]
verdict $? "elements and attributes of a rig" "$strange"
(cd rig/sources && "$cc" -shared -fPIC -Wall -Werror -Wl,--no-undefined -o belt.so *.c -lm) 2>err
verdict $? "the sources of a rig compile with one plain command, without a warning" "$(head -3 err)"
if command -v objdump >/dev/null; then
  version=$(newest rig/sources/belt.so)
  [ -n "$version" ] && [ "$(printf '%s\nGLIBC_2.4\n' "$version" | sort -V | tail -1)" = GLIBC_2.4 ] &&
    [ "$(outside rig/sources/belt.so)" = 0 ]
  verdict $? "and need nothing newer than GLIBC_2.4, and show the functions of FMI only" "$version"
fi

# ---- compilers -----------------------------------------------------------------------------------

mkdir empty
PATH_BEFORE=$PATH
PATH=$dir/empty CC='' "$bristle" fmu lugre -o bare.fmu 2>err
code=$?
PATH=$PATH_BEFORE
[ $code = 0 ] && [ -s bare.fmu ] && grep -q '^note: no binary: there is no compiler' err
verdict $? "without a compiler: sources only, with a note" "$(cat err)"
message=$(PATH=$dir/empty "$bristle" fmu lugre --platforms win64 -o no.fmu 2>&1)
[ $? = 1 ] && [ "$message" = "bristle: no compiler for win64 (Debian package gcc-mingw-w64-x86-64)" ] && [ ! -e no.fmu ]
verdict $? "a platform that is asked for and cannot be had" "$message"
printf '#!/bin/sh\necho "unit.c:1: error: out of ink" >&2\nexit 1\n' >empty/broken
chmod +x empty/broken
message=$(CC=$dir/empty/broken "$bristle" fmu lugre --platforms linux64 -o no.fmu 2>&1)
[ $? = 1 ] && [ "$message" = "bristle: the compiler for linux64 failed: out of ink" ] && [ ! -e no.fmu ]
verdict $? "a compiler that fails" "$message"
printf '#!/bin/sh\nkill -INT $PPID\nexit 1\n' >empty/stopped # as Ctrl-C ends both
chmod +x empty/stopped
mkdir rest
message=$(TMPDIR=$dir/rest CC=$dir/empty/stopped "$bristle" fmu lugre --platforms linux64 -o no.fmu 2>&1)
[ $? = 130 ] && [ "$message" = "bristle: interrupted: nothing is written" ] && [ ! -e no.fmu ] && [ -z "$(ls rest)" ]
verdict $? "interrupted: no file, and nothing is left among temporary ones" "$message"

# ---- refusals ------------------------------------------------------------------------------------

refuses 2 "name a law or a rig; 'bristle models' and 'bristle scenario' list those there are" fmu
refuses 2 "name one law or rig: 'dahl' is a second one" fmu lugre dahl
refuses 2 "--load is for a law: the contacts of a rig have their loads in its file" fmu belt --load '5 N'
refuses 2 "belt has no 'velocty'; did you mean 'belt.velocity'?" fmu belt --inputs belt.velocty --platforms none
refuses 2 "block.x is a start value: it cannot be an input" fmu belt --inputs block.x --platforms none
refuses 2 "stochastic:lugre has no page of equations, so that it cannot be put into an FMU" fmu belt --model stochastic:lugre --platforms none
refuses 2 "--fmi: '1' is not a whole number from 2 to 3" fmu lugre --fmi 1
refuses 2 "--platforms: there is no 'linux46'; did you mean 'linux64'?" fmu lugre --platforms linux46
refuses 2 "--platforms: there is no ''; it can be linux64, win64, aarch64 or none" fmu lugre --platforms win64,
refuses 2 "karnopp has no page of equations, so that it cannot be made an FMU" fmu karnopp
sed 's/^law: lugre$/law: mine/; s/\bnu\b/time/g' "$source_dir/laws/lugre.yaml" >time.yaml
refuses 2 "mine: an FMU has 'time' for itself: give it another name" fmu mine --laws time.yaml

echo "$checks checks, $failures failed"
[ $failures = 0 ]
