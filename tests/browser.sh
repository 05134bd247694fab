#!/usr/bin/env bash
# Reports as a browser shows them, in a wide and in a narrow window: all pictures are drawn, every row
# of a table is complete, verdicts and reasons are within the window without scrolling sideways, the
# choice of verdicts and papers shows what it says, nothing reaches beyond the window, the console has
# no errors, and nothing outside the page is asked for.
#   browser.sh BRISTLE CHROMIUM [SCREENSHOT_DIR]
set -euo pipefail
bristle=$1 chromium=$2 shots=${3:-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

browse() { # [OPTION...] URL: the browser, with its profile out of the way and without a network
  timeout 900 "$chromium" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage \
    --user-data-dir="$work/profile" --allow-file-access-from-files --hide-scrollbars \
    --host-resolver-rules='MAP * ~NOTFOUND' --enable-logging=stderr "$@" 2>>"$work/log"
}

# A page that holds the report in two windows and writes what it sees, one line for each: id, pictures,
# those drawn, rows, those complete, things outside the page, pixels beyond the window, verdicts and
# reasons, those in sight, wrong answers of the choice, length of title.
observer() {
  cat <<END
<!DOCTYPE html>
<html><head><meta charset="utf-8"><link rel="icon" href="data:,"></head><body>
<iframe id="wide" src="file://$1" width="1400" height="1000"></iframe>
<iframe id="narrow" src="file://$1" width="360" height="740"></iframe>
<pre id="result"></pre>
<script>
// How often the rows in sight are not those whose verdict and paper are chosen.
function wrong(page) {
  const form = page.getElementById('choice');
  if (!form) return 0;
  const boxes = [...form.querySelectorAll('input')], rows = [...page.querySelectorAll('tr[data-verdict]')];
  let count = form.hidden ? 1 : 0;
  const check = () => {
    form.dispatchEvent(new Event('change'));
    const on = boxes.filter(b => b.checked).map(b => b.value);
    const wanted = rows.filter(r => on.includes(r.dataset.verdict) &&
      on.includes(r.closest('section').dataset.paper));
    const seen = rows.filter(r => r.getBoundingClientRect().height > 0);
    count += wanted.length !== seen.length || wanted.some((r, i) => r !== seen[i]) ||
      !form.querySelector('output').textContent.startsWith(seen.length + ' of ' + rows.length + ' ');
    return seen.length;
  };
  for (const box of boxes) {
    box.checked = false;
    const left = check();
    box.checked = true;
    const all = check();
    const has = rows.some(r => [r.dataset.verdict, r.closest('section').dataset.paper].includes(box.value));
    count += (left < all) !== has;
  }
  return count;
}
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
  const words = [...page.querySelectorAll('td.verdict, td.why')];
  const inside = words.filter(e => {
    const b = e.getBoundingClientRect();
    return b.left >= 0 && b.right <= root.clientWidth && b.width > 20 && b.height > 5;
  });
  return [id, images.length, drawn.length, rows.length, whole.length, outside.length,
    Math.max(0, root.scrollWidth - root.clientWidth), words.length, inside.length, wrong(page),
    page.title.length].join(' ');
}
addEventListener('load', () => {
  document.getElementById('result').textContent = look('wide') + '\n' + look('narrow') + '\n';
});
</script>
</body></html>
END
}

look() { # REPORT.html LEAST_PICTURES LEAST_ROWS LEAST_VERDICTS_AND_REASONS
  local report=$1 least_pictures=$2 least_rows=$3 least_words=$4
  local view result pictures drawn rows whole outside over words inside wrong title name
  observer "$report" >"$work/look.html"
  : >"$work/log"
  browse --window-size=1500,2000 --virtual-time-budget=20000 --dump-dom "file://$work/look.html" \
    >"$work/dom"
  result=$(sed -n '/<pre id="result">/,/<\/pre>/p' "$work/dom" | sed 's/<[^>]*>//g')
  for view in wide narrow; do
    title=
    read -r _ pictures drawn rows whole outside over words inside wrong title < <(grep "^$view" <<<"$result") || true
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
    [ "$inside" = "$words" ] || say "$inside of $words verdicts and reasons are in sight"
    [ "$words" -ge "$least_words" ] || say "$words verdicts and reasons, $least_words wanted"
    [ "$wrong" = 0 ] || say "the choice of rows is wrong $wrong times"
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
look "$work/compare/report.html" 1 8 0
"$bristle" reproduce andersson olsson --report "$work/reproduce" >/dev/null 2>&1
look "$work/reproduce/report.html" 4 60 120
mkdir "$work/conform"
"$bristle" conform coulomb coulomb,Fs=1 --html >"$work/conform/report.html"
look "$work/conform/report.html" 0 14 0
[ "$failed" = 0 ]
