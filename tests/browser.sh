#!/usr/bin/env bash
# Reports as a browser shows them, in a wide and in a narrow window: all pictures are drawn, every row
# of a table is complete, nothing reaches beyond the window, the console has no errors, and nothing
# outside the page is asked for.
#   browser.sh BRISTLE CHROMIUM [SCREENSHOT_DIR]
set -euo pipefail
bristle=$1 chromium=$2 shots=${3:-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

browse() { # [OPTION...] URL: the browser, with its profile out of the way and without a network
  timeout 60 "$chromium" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage \
    --user-data-dir="$work/profile" --allow-file-access-from-files --hide-scrollbars \
    --host-resolver-rules='MAP * ~NOTFOUND' --enable-logging=stderr "$@" 2>>"$work/log"
}

# A page that holds the report in two windows and writes what it sees, one line for each: id, pictures,
# those drawn, rows, those complete, things outside the page, pixels beyond the window, length of title.
observer() {
  cat <<END
<!DOCTYPE html>
<html><head><meta charset="utf-8"><link rel="icon" href="data:,"></head><body>
<iframe id="wide" src="file://$1" width="1400" height="1000"></iframe>
<iframe id="narrow" src="file://$1" width="360" height="740"></iframe>
<pre id="result"></pre>
<script>
function look(id) {
  const page = document.getElementById(id).contentDocument, root = page.documentElement;
  const images = [...page.images], rows = [...page.querySelectorAll('tbody tr')];
  const drawn = images.filter(i => i.complete && i.naturalWidth > 100 &&
    i.getBoundingClientRect().width > 200 && i.getBoundingClientRect().height > 80);
  const whole = rows.filter(r =>
    r.cells.length === r.closest('table').tHead.rows[0].cells.length &&
    r.getBoundingClientRect().height > 5);
  const outside = [...page.querySelectorAll('[src],link[href]')].filter(e =>
    !(e.getAttribute('src') || e.getAttribute('href')).startsWith('data:'));
  return [id, images.length, drawn.length, rows.length, whole.length, outside.length,
    Math.max(0, root.scrollWidth - root.clientWidth), page.title.length].join(' ');
}
addEventListener('load', () => {
  document.getElementById('result').textContent = look('wide') + '\n' + look('narrow') + '\n';
});
</script>
</body></html>
END
}

look() { # REPORT.html LEAST_PICTURES LEAST_ROWS
  local report=$1 least_pictures=$2 least_rows=$3
  local view result pictures drawn rows whole outside over title name
  observer "$report" >"$work/look.html"
  : >"$work/log"
  browse --window-size=1500,2000 --virtual-time-budget=20000 --dump-dom "file://$work/look.html" \
    >"$work/dom"
  result=$(sed -n '/<pre id="result">/,/<\/pre>/p' "$work/dom" | sed 's/<[^>]*>//g')
  for view in wide narrow; do
    title=
    read -r _ pictures drawn rows whole outside over title < <(grep "^$view" <<<"$result") || true
    say() { echo "$report, $view window: $1" && failed=1; }
    if [ -z "$title" ]; then
      say "the page could not be looked at: $result"
      continue
    fi
    [ "$drawn" = "$pictures" ] || say "$drawn of $pictures pictures are drawn"
    [ "$pictures" -ge "$least_pictures" ] || say "$pictures pictures, $least_pictures wanted"
    [ "$whole" = "$rows" ] || say "$whole of $rows rows of tables are complete"
    [ "$rows" -ge "$least_rows" ] || say "$rows rows of tables, $least_rows wanted"
    [ "$outside" = 0 ] || say "$outside things are not part of the page"
    [ "$over" = 0 ] || say "reaches $over px beyond the window"
    [ "$title" -gt 0 ] || say "no title"
  done
  if grep CONSOLE "$work/log"; then
    echo "$report: the console is not empty"
    failed=1
  fi
  [ -n "$shots" ] || return 0
  name=$shots/$(basename "$(dirname "$report")")
  browse --window-size=1400,2400 --screenshot="$name-wide.png" "file://$report"
  browse --window-size=500,2000 --screenshot="$name-narrow.png" "file://$report"
}

"$bristle" compare rabinowicz --report "$work/compare" >/dev/null
look "$work/compare/report.html" 1 8
"$bristle" reproduce rill olsson --report "$work/reproduce" >/dev/null 2>&1
look "$work/reproduce/report.html" 4 60
[ "$failed" = 0 ]
