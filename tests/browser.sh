#!/usr/bin/env bash
# A report as a browser shows it, in a wide and in a narrow window: all pictures are drawn, every row
# of a table is complete, nothing reaches beyond the window, the console has no errors, and nothing
# outside the page is asked for.
#   browser.sh CHROMIUM REPORT.html LEAST_PICTURES LEAST_ROWS [SCREENSHOT_PREFIX]
set -euo pipefail
chromium=$1 report=$(realpath "$2") least_pictures=$3 least_rows=$4 shot=${5:-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

browse() { # [OPTION...] URL: the browser, with its profile out of the way
  timeout 60 "$chromium" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage \
    --user-data-dir="$work/profile" --allow-file-access-from-files --hide-scrollbars \
    --host-resolver-rules='MAP * ~NOTFOUND' --enable-logging=stderr "$@"
}

# A page that holds the report in two windows and looks at it.
cat >"$work/look.html" <<END
<!DOCTYPE html>
<html><head><meta charset="utf-8"><link rel="icon" href="data:,"></head><body>
<iframe id="wide" src="file://$report" width="1400" height="1000"></iframe>
<iframe id="narrow" src="file://$report" width="360" height="740"></iframe>
<pre id="result"></pre>
<script>
function look(id) {
  const page = document.getElementById(id).contentDocument;
  const images = [...page.images], rows = [...page.querySelectorAll('tbody tr')];
  const drawn = images.filter(i => i.complete && i.naturalWidth > 100 &&
    i.getBoundingClientRect().width > 200 && i.getBoundingClientRect().height > 80);
  const whole = rows.filter(r =>
    r.cells.length === r.closest('table').tHead.rows[0].cells.length &&
    r.getBoundingClientRect().height > 5);
  const outside = [...page.querySelectorAll('[src],link[href]')].filter(e =>
    !(e.getAttribute('src') || e.getAttribute('href')).startsWith('data:'));
  const root = page.documentElement;
  return [id, images.length, drawn.length, rows.length, whole.length, outside.length,
    Math.max(0, root.scrollWidth - root.clientWidth), page.title.length].join(' ');
}
addEventListener('load', () => {
  document.getElementById('result').textContent = look('wide') + '\n' + look('narrow') + '\n';
});
</script>
</body></html>
END
browse --window-size=1500,2000 --virtual-time-budget=20000 --dump-dom "file://$work/look.html" \
  >"$work/dom" 2>"$work/log"
result=$(sed -n '/<pre id="result">/,/<\/pre>/p' "$work/dom" | sed 's/<[^>]*>//g' | sed '/^$/d')
failed=0
for view in wide narrow; do
  read -r _ pictures drawn rows whole outside over title < <(grep "^$view" <<<"$result" || echo)
  if [ -z "${title:-}" ]; then
    echo "$view: the page could not be looked at: $result"
    exit 1
  fi
  say() { echo "$report, $view window: $1" && failed=1; }
  [ "$drawn" = "$pictures" ] || say "$drawn of $pictures pictures are drawn"
  [ "$pictures" -ge "$least_pictures" ] || say "$pictures pictures, at least $least_pictures wanted"
  [ "$whole" = "$rows" ] || say "$whole of $rows rows of tables are complete"
  [ "$rows" -ge "$least_rows" ] || say "$rows rows of tables, at least $least_rows wanted"
  [ "$outside" = 0 ] || say "$outside things are not part of the page"
  [ "$over" = 0 ] || say "reaches $over px beyond the window"
  [ "$title" -gt 0 ] || say "no title"
done
if grep CONSOLE "$work/log"; then
  echo "$report: the console is not empty"
  failed=1
fi
if [ -n "$shot" ]; then
  browse --window-size=1400,1800 --screenshot="$shot-wide.png" "file://$report" 2>>"$work/log"
  browse --window-size=500,1500 --screenshot="$shot-narrow.png" "file://$report" 2>>"$work/log"
fi
[ "$failed" = 0 ] && echo "$report: as it should be ($pictures pictures, $rows rows)"
