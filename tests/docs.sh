#!/usr/bin/env bash
# The generated pages are what scripts/docs writes now, every law is in the theory, examples are short,
# and the manual page has every command and option.
#   docs.sh BRISTLE SOURCE_DIR
set -euo pipefail
bristle=$1
cd "$2"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cp docs/scenario.md "$dir"
bash scripts/docs "$bristle" "$dir"
# A law that laws/order does not name is a new file: it works as it is. The pages wait for its place there.
laws=$("$bristle" models --names)
for file in laws/*.yaml; do
  law=$(basename "$file" .yaml)
  grep -v '^#' laws/order | grep -qw "$law" && continue
  laws=$(grep -vx "$law" <<<"$laws")
  echo "note: $law is not in laws/order: the pages of docs/ need not have it yet"
  awk -v law="$law" '/^## / { off = $2 == law } !off && index($0, "| [" law "](#") != 1' "$dir/models.md" >"$dir/known"
  mv "$dir/known" "$dir/models.md"
done
pages=(models.md scenario.md command-line.md)
# the help lists the solvers of the build: the page is that of a complete one
"$bristle" run --help | grep -q '^  cvode_bdf ' || pages=(models.md scenario.md)
for page in "${pages[@]}"; do
  diff -u "docs/$page" "$dir/$page" || {
    echo "docs/$page is not current; run: cmake --build build/release --target docs"
    exit 1
  }
done

# The counts in README.md are those of the page of published experiments; times are counted apart.
awk '
  /^\*\*/ { gsub(/\*/, ""); paper[++n] = $0 }
  /^\| [^|]*processor time \|/ { next }
  n && /^\|.*\| (matches|explained|undetermined|differs) \|/ {
    all[n]++
    if (/\| matches \|/) good[n]++
    else if (/\| explained \|/) excused[n]++
    else if (/\| undetermined \|/) open[n]++
    else bad[n]++
  }
  END {
    for (i = 1; i <= n; i++)
      printf "| %s | %d | %d | %d | %d | %d |\n", paper[i], all[i], good[i], excused[i], open[i], bad[i]
  }' docs/reproduction.md |
  diff <(sed -n '/^<!-- counts -->$/,/^<!-- end of counts -->$/{/^| paper/d; /^|-/d; /^|/p}' README.md) - || {
  echo "README.md does not have the counts of docs/reproduction.md"
  exit 1
}

# Every experiment of the page belongs to a section of its paper, and every section names experiments that
# are there: names in backquotes, or how they begin.
i=0
for paper in pennestri rill andersson olsson leus; do
  i=$((i + 1))
  awk -v i=$i '/^\*\*/ { n++ } n == i && /^\| / && !/^\| experiment / { split($0, c, " [|] "); print substr(c[1], 3) }' \
    docs/reproduction.md | sort -u >"$dir/experiments"
  test "$(wc -l <"$dir/experiments")" -ge 8
  sed -n '/^## Section by section/,$ { /^|/ { s/[^`]*`\([^`]*\)`[^`]*/\1\n/g; p } }' docs/papers/$paper.md |
    grep -v '^|' | grep . | sort -u >"$dir/sections"
  while IFS= read -r name; do
    awk -v name="$name" 'index($0, name) == 1 { found = 1 } END { exit !found }' "$dir/experiments" || {
      echo "docs/papers/$paper.md names '$name', which is no experiment"
      exit 1
    }
  done <"$dir/sections"
  awk 'NR == FNR { name[++n] = $0; next } { for (k = 1; k <= n; k++) if (index($0, name[k]) == 1) next; print; bad = 1 } END { exit bad }' \
    "$dir/sections" "$dir/experiments" || {
    echo "docs/papers/$paper.md has no section for these experiments"
    exit 1
  }
done

# The rows of docs/speed.md are those of the table that the page names.
sed -n '/^<!-- rows -->$/,/^<!-- end of rows -->$/{/^| `/p}' docs/speed.md |
  sed 's/^| `//; s/` | /,/; s/ | /,/g; s/ |$//' >"$dir/speed"
test "$(wc -l <"$dir/speed")" -ge 12
while IFS= read -r row; do
  grep -qxF "rabinowicz,lugre,$row" bench/results/amd-epyc-gcc-12.2.0/bench_run.csv || {
    echo "docs/speed.md has a row that was not measured: $row"
    exit 1
  }
done <"$dir/speed"

# Examples are complete programs of less than 60 lines, each of them built and run.
for example in examples/*.c; do
  [ "$(wc -l <"$example")" -lt 60 ] || { echo "$example has 60 lines or more"; exit 1; }
  name=$(basename "$example" .c)
  grep -qw "$name" examples/CMakeLists.txt || { echo "$example is not built"; exit 1; }
done

# Every law has its place in the theory: a section, or a row of a table, with its source.
for law in $laws stochastic; do
  page=$(grep -lE "^##.* $law(,|:|$)|^\\| .$law. \\|" docs/theory/[a-z]*.md || true)
  [ "$(wc -w <<<"$page")" -eq 1 ] || { echo "docs/theory: $law is on these pages: $page"; exit 1; }
  grep -q "($(basename "$page")) |.*\`$law\`" docs/theory/README.md || {
    echo "docs/theory/README.md does not say that $law is on $(basename "$page")"
    exit 1
  }
done

manual=$(sed 's/\\-/-/g' man/bristle.1)
help=$("$bristle" --help)
commands=$(sed -n '/^examples/q; s/^  \([a-z]*\) .*/\1/p' <<<"$help")
[ -n "$commands" ] || { echo "'bristle --help' names no command"; exit 1; }
for command in $commands; do
  grep -q "^\.SS $command$" <<<"$manual" || { echo "man/bristle.1: no section '$command'"; exit 1; }
  for option in $("$bristle" "$command" --help | sed -n 's/^ *\(--[a-z-]*\).*/\1/p'); do
    grep -qE "^\.BI? $option( |$)" <<<"$manual" || {
      echo "man/bristle.1: no option '$option', which 'bristle $command' has"
      exit 1
    }
  done
done
