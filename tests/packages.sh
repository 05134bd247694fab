#!/usr/bin/env bash
# What debian/ says fits what is built: version, name of the library, and every file that a package takes is
# installed. The packages themselves are built by scripts/packages.
#   packages.sh CMAKE BUILD_DIR SOURCE_DIR VERSION
set -uo pipefail
cmake=$1 build=$(realpath "$2") source_dir=$(realpath "$3") version=$4
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
bad=0
complain() { echo "packages: $*"; bad=1; }
cd "$source_dir/debian" || exit
"$cmake" --install "$build" --prefix "$dir/usr" >/dev/null || complain "cannot be installed"
[ "$(sed -n '1s/.*(\(.*\)).*/\1/p' changelog)" = "$version" ] || complain "debian/changelog has another version than $version"
soname=$(find "$dir" -name 'libbristle.so.*.*' -printf '%f\n' | sed 's/^libbristle\.so\.//' | sort | head -1)
grep -qx "Package: libbristle$soname" control || complain "no package libbristle$soname in debian/control"
[ -e "libbristle$soname.install" ] || complain "no libbristle$soname.install"
for file in *.install; do
  grep -qx "Package: ${file%.install}" control || complain "$file: there is no such package"
  while read -r pattern _; do
    pattern=${pattern/usr\/lib\/\*/usr\/lib*}
    compgen -G "$dir/$pattern" >/dev/null || compgen -G "$dir/${pattern/usr\/lib\*/usr\/lib*\/*}" >/dev/null ||
      complain "$file: nothing is installed as $pattern"
  done <"$file"
done
# Who links statically has what the archive needs.
for library in yaml udunits2 sqlite3 sundials klu; do
  grep -q -- "-l$library" "$build/bristle-static.pc" || continue
  package=lib${library/klu/suitesparse}-dev
  [ "$(sed -n '/^Build-Depends/,/^Standards/p; /^Package: libbristle-dev/,/^Description/p' control | grep -cx " $package,")" = 2 ] ||
    complain "$package is not among what is built and linked with"
done
[ $bad = 0 ] && echo "packages: $(find . -name '*.install' | wc -l) lists of files"
exit $bad
