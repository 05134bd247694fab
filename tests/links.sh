#!/usr/bin/env bash
# Every relative link of the Markdown pages leads to a file, and to a heading of it if it names one.
#   links.sh SOURCE_DIR
set -euo pipefail
cd "$1"
# The anchors of a page, as GitHub makes them from its headings.
anchors() {
  awk '/^```/ { code = !code } !code && /^#+ / { sub(/^#+ /, ""); print tolower($0) }' "$1" |
    sed -e 's/`//g' -e 's/[^a-z0-9 _-]//g' -e 's/ /-/g'
}

bad=0 links=0
while IFS= read -r page; do
  while IFS= read -r link; do
    links=$((links + 1))
    file=${link%%#*} anchor=
    [[ $link != *#* ]] || anchor=${link#*#}
    target=$page
    [ -z "$file" ] || target=$(dirname "$page")/$file
    if [ ! -e "$target" ]; then
      echo "$page: there is no $link"
      bad=1
    elif [ -n "$anchor" ] && ! anchors "$target" | grep -qxF -e "$anchor"; then
      echo "$page: $target has no heading #$anchor"
      bad=1
    fi
  done < <(awk '/^```/ { code = !code } !code' "$page" | grep -v '^    ' |
    grep -oE '\]\([^) ]+\)' | sed -e 's/^](//' -e 's/)$//' | grep -vE '^[a-z]+:' || true)
done < <(find . -name '*.md' -not -path './build/*' -not -path './.git/*' | sort)
[ "$links" -gt 40 ] || { echo "only $links links were found"; exit 1; }
exit $bad
