#!/usr/bin/env bash
# Installs into a new prefix, then builds and runs small programs against it: C and C++, shared and
# static, found by pkg-config and by find_package; and looks at what else is installed.
#   run.sh CMAKE BUILD_DIR VERSION CC
set -euo pipefail
cmake=$1 build=$2 version=$3 cc=$4
cxx=${CXX:-c++}
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
  echo "install: $*"
  exit 1
}
runs() { # a program prints the version
  local out
  out=$("$@") || fail "$1 exits with $?"
  [[ $out == *"$version"* ]] || fail "$1 prints '$out'"
  echo "ok: $1"
}

# The tree is moved after the installation, since nothing in it may depend on where it is.
"$cmake" --install "$build" --prefix "$work/first" >"$work/install.log"
mv "$work/first" "$work/prefix"
prefix=$work/prefix
lib=$(dirname "$(find "$prefix" -name libbristle.a)")
[ -f "$lib/pkgconfig/bristle.pc" ] || fail "no pkg-config file"

# The command runs from where it is, has a manual, and bash completes its laws.
runs "$prefix/bin/bristle" --version
[ -f "$prefix/share/man/man1/bristle.1" ] || fail "no manual page"
law=$(
  PATH=$prefix/bin:$PATH
  # shellcheck source=completions/bristle
  . "$prefix/share/bash-completion/completions/bristle"
  COMP_WORDS=(bristle curve lug) COMP_CWORD=2 COMPREPLY=()
  _bristle
  echo "${COMPREPLY[*]}"
)
[[ $law == *lugre* ]] || fail "'bristle curve lug' completes to '$law'"

# pkg-config, shared
export PKG_CONFIG_PATH=$lib/pkgconfig
[ "$(pkg-config --modversion bristle)" = "$version" ] || fail "pkg-config gives another version"
strict=(-O1 -Wall -Wextra -Wpedantic -Werror)
read -ra cflags <<<"$(pkg-config --cflags bristle)"
read -ra libs <<<"$(pkg-config --libs bristle)"
"$cc" -std=c17 "${strict[@]}" "${cflags[@]}" "$here/hello.c" "${libs[@]}" -lm -o "$work/shared_c"
"$cxx" -std=c++17 "${strict[@]}" "${cflags[@]}" "$here/hello.cpp" "${libs[@]}" -o "$work/shared_cpp"
LD_LIBRARY_PATH=$lib runs "$work/shared_c"
LD_LIBRARY_PATH=$lib runs "$work/shared_cpp"

# pkg-config, static: a copy of the tree without the shared library
cp -r "$prefix" "$work/static"
find "$work/static" -name 'libbristle.so*' -delete
PKG_CONFIG_PATH=${PKG_CONFIG_PATH/#$prefix/$work/static}
read -ra cflags <<<"$(pkg-config --static --cflags bristle)"
read -ra libs <<<"$(pkg-config --static --libs bristle)"
"$cc" -std=c17 "${strict[@]}" "${cflags[@]}" "$here/hello.c" "${libs[@]}" -o "$work/static_c"
"$cxx" -std=c++17 "${strict[@]}" "${cflags[@]}" "$here/hello.cpp" "${libs[@]}" -o "$work/static_cpp"
runs "$work/static_c"
runs "$work/static_cpp"

# A program may have functions of its own by every name that the library uses inside.
nm -g --defined-only "$work/static/${lib#"$prefix"/}/libbristle.a" | sed -n 's/.* bri_own_//p' | sort -u |
  grep -xE '[a-z_0-9]+' >"$work/names"
[ "$(wc -l <"$work/names")" -gt 100 ] || fail "the library has no names of its own"
sed 's/.*/void own_&(void) __asm__("&"); void own_&(void) {}/' "$work/names" >"$work/names.c"
"$cc" -c "$work/names.c" -o "$work/names.o"
"$cc" -std=c17 "${cflags[@]}" "$here/hello.c" "$work/names.o" "${libs[@]}" -o "$work/names_c"
runs "$work/names_c"

# The archive by its own name, with the shared library beside it; and the core, which needs libm only.
PKG_CONFIG_PATH=$lib/pkgconfig
needs_no() { ! readelf -d "$1" | grep -q "NEEDED.*$2" || fail "$1 needs $2"; }
for package in bristle-static bristle_core; do
  [ -f "$lib/pkgconfig/$package.pc" ] || continue # a build without the core
  read -ra cflags <<<"$(pkg-config --cflags $package)"
  read -ra libs <<<"$(pkg-config --libs $package)"
  "$cc" -std=c17 "${strict[@]}" "${cflags[@]}" "$here/hello.c" "${libs[@]}" -o "$work/$package"
  runs "$work/$package"
  needs_no "$work/$package" libbristle
done
[ ! -e "$work/bristle_core" ] || needs_no "$work/bristle_core" 'lib[a-z]*\(klu\|sundials\|yaml\|udunits\)'

# The links of the documents lead somewhere where they are installed, too.
bash "$here/../links.sh" "$prefix/share/doc/bristle" || fail "links of the installed documents"

# find_package, shared and static
CC=$cc CXX=$cxx "$cmake" -G Ninja -S "$here" -B "$work/stranger" -DWANTED="$version" \
  -DCMAKE_PREFIX_PATH="$prefix" >"$work/configure.log" || { cat "$work/configure.log"; exit 1; }
"$cmake" --build "$work/stranger" >"$work/build.log" || { cat "$work/build.log"; exit 1; }
for program in bristle_c bristle_cpp static_c static_cpp core_c; do
  [ -e "$work/stranger/$program" ] || [ ! -f "$lib/pkgconfig/bristle_core.pc" ] || fail "no $program"
  [ ! -e "$work/stranger/$program" ] || runs "$work/stranger/$program"
done
