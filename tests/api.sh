#!/usr/bin/env bash
# Doxygen understands the public headers without a warning, every function that they declare is
# there, and everything that is there has a text.
#   api.sh DOXYGEN SOURCE_DIR HEADER.h...
set -euo pipefail
doxygen=$1 source=$2
shift 2
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
fail() { echo "$*"; exit 1; }

bash "$source/scripts/api" "$doxygen" test "$dir" GENERATE_XML=YES XML_PROGRAMLISTING=NO ||
  fail "doxygen complains about the comments of the headers, see above"
[ -f "$dir/html/index.html" ] || fail "there is no main page"

# One "kind name" per line for what has no text: functions, members, enumerators, structs.
cd "$dir/xml"
silent=$(awk '
  /<(memberdef|enumvalue|compounddef) / {
    kind = $0; sub(/^ *</, "", kind); sub(/ .*/, "", kind)
    depth++; kinds[depth] = kind; names[depth] = ""; texts[depth] = 0
  }
  depth && names[depth] == "" && /<(name|compoundname)>/ {
    name = $0; gsub(/.*<(name|compoundname)>|<\/.*/, "", name); names[depth] = name
  }
  depth && /<para>/ { texts[depth] = 1 }
  /<\/(memberdef|enumvalue|compounddef)>/ {
    if (!texts[depth] && names[depth] ~ /^(bri|BRI)_|^@/ || kinds[depth] == "memberdef" && !texts[depth])
      print kinds[depth], names[depth]
    depth--
  }' struct*.xml group*.xml)
[ -z "$silent" ] || fail "without a text: $silent"

declared=$(sed -n '/^BRI_API/,/;/p' "$@" | grep -o 'bri_[a-z0-9_]*(' | tr -d '(' | sort)
found=$(grep -h -A20 '<memberdef kind="function"' group*.xml |
  sed -n 's/^ *<name>\(.*\)<\/name>$/\1/p' | sort)
diff <(echo "$declared") <(echo "$found") || fail "left: declared in the headers, right: in the pages"
[ "$(wc -l <<<"$found")" -gt 50 ] || fail "hardly any functions: $found"
