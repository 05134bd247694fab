#!/usr/bin/env bash
# bristle reproduce as a user meets it: rows, verdicts, a report, refusals.
#   reproduce.sh PATH_TO_BRISTLE
. "$(dirname "$0")/checks.sh"
leading=(reproduce)

run olsson
[ $code = 0 ] && [ "$(grep -c ' matches ' out)" = 30 ] && grep -q '30 match, 0 are explained, 0 are not determined by the paper, 1 differ' err
verdict $? "a paper is reproduced" "exit $code, $(tail -1 err)"
grep -q 'Fig. 5, stick-slip *peaks of the spring force *N *1.59116 *1.59116 ' out
verdict $? "a row says what is published and what is computed" "$(grep peaks out)"

run olsson --json
[ $code = 0 ] && [ "$(head -c 1 out)" = '[' ] && [ "$(grep -c '"verdict": "matches"' out)" = 30 ]
verdict $? "JSON has the same rows" "$(head -3 out)"
run olsson --markdown
[ $code = 0 ] && grep -q '^| Fig. 2, hysteresis | area at 20 rad/s over that at 4 rad/s |  | > 1 | 4.8' out
verdict $? "Markdown has them too" "$(head -5 out)"

run olsson --set pad.sigma0='2e4 N/m'
[ $code = 1 ] && grep -q 'half range of the displacement .* differs ' out && [ "$(grep -c ' matches ' out)" -gt 5 ]
verdict $? "a wrong rig differs and ends with 1" "exit $code, $(tail -1 err)"

refuses 2 "bristle: there is no paper 'rll'; did you mean 'rill'?" rll
refuses 2 "bristle: there is no paper 'einstein'; try 'bristle reproduce --help'" einstein
refuses 2 "bristle: --set needs KEY=VALUE, such as pad.sigma0=2e5, not 'sigma0'" olsson --set sigma0
touch file
run olsson --report file/report
[ $code = 1 ] && [ ! -s out ] && [ -s err ]
verdict $? "a report that cannot be written is refused before the work" "exit $code, $(cat err)"

if command -v gnuplot >/dev/null; then
  run olsson --report report
  [ $code = 0 ] && [ -s report/report.html ] && [ -s report/olsson-6.svg ] &&
    [ "$(grep -c . report/olsson.csv)" = 32 ] && grep -q 'Fig. 2: hysteresis,velocity' report/olsson-2.csv
  verdict $? "a report has the table and the figures" "exit $code, $(ls report 2>&1 | tr '\n' ' ')"
  page=report/report.html
  [ "$(grep -c '<tr data-verdict="matches">' $page)" = 30 ] && grep -q '<form id="choice" hidden>' $page &&
    ! grep -q '<tr[^>]*hidden' $page
  verdict $? "every row stands in the report once, also without the script" "$(grep -c data-verdict $page)"
  first=$(grep -n '<div class="scroll" id="counts">' $page | cut -d: -f1)
  [ "$first" -lt "$(grep -n 'Verdicts:' $page | cut -d: -f1)" ] && grep -q ',31,30,0,0,1$' report/counts.csv
  verdict $? "the report begins with the counts" "line $first, $(cat report/counts.csv)"
  # the rows of Fig. 5 are in the part of the page that the picture of Fig. 5 opens
  [ "$(awk '/^<div class="sheet/ {part++} /alt="Fig. 5/ {at = part} /<small>Fig. 5,/ {rows[part]++}
    END {print rows[at] + 0}' $page)" = 5 ]
  verdict $? "rows stand beside the figure they belong to"
  # break-away at 1.5 N, where the curve has it (Olsson 1996, Fig. 5); all papers with BRISTLE_TEST_ALL=1:
  # deflection 0.0513 mm just before 0.1 s, drift 0.02129 mm after 0.2 s (Rill et al. 2023, section 5.2)
  grep -q 'friction \[N\],printed,7\.50[0-9]*,1\.5$' report/olsson-5.csv && grep -q 'Black dots: numbers that the paper prints' $page
  verdict $? "what a paper prints is drawn in" "$(grep printed report/olsson-5.csv)"
  if [ -n "${BRISTLE_TEST_ALL:-}" ]; then
    run rill --report rill
    [ $code = 0 ] && grep -q 'bristle \[m\],printed,0.0995,5.1[23][0-9]*e-05$' rill/rill-pulse.csv &&
      grep -q 'displacement \[m\],printed,0.2,2.12[89][0-9]*e-05$' rill/rill-pulse.csv
    verdict $? "also two numbers of one picture" "exit $code, $(grep -c printed rill/rill-pulse.csv)"
  fi
fi

run --help
[ $code = 0 ] && for paper in pennestri rill andersson olsson leus; do grep -q "^  $paper " out || code=1; done
[ $code = 0 ]
verdict $? "the help names the papers"

"$bristle" reproduce leus >out 2>err &
job=$!
patiently takes_signal $job 15
kill -TERM $job # INT is ignored by what a script starts behind itself
wait $job
[ $? = 130 ] && grep -q interrupted err
verdict $? "an interrupt ends it" "$(cat err)"

echo "$checks checks, $failures failed"
[ $failures = 0 ]
