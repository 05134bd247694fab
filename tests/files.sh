#!/usr/bin/env bash
# What the command does to files when things go wrong: nothing that was there is lost or torn, inputs
# stay inputs, links and permissions are kept, and every failure is told.
#   files.sh PATH_TO_BRISTLE [FOLDER_OF_LOCALES]
locales=$(realpath -m "${2:-/nowhere}")
. "$(dirname "$0")/checks.sh"

# whole FILE COLUMNS: a CSV of complete rows
whole() {
  [ "$(tail -c 1 "$1" | od -An -c | tr -d ' ')" = '\n' ] &&
    awk -F, -v n="$2" 'NF != n { bad = 1 } END { exit bad }' "$1"
}
# spent PID: its processor time, in ticks; has_computed PID SINCE: a tenth of a second since then
spent() { awk '{ print $14 + $15 }' "/proc/$1/stat"; }
has_computed() { [ "$(spent "$1")" -ge $(($2 + $(getconf CLK_TCK) / 10)) ]; }

# has_rows PATTERN: a file of that name has something in it
has_rows() {
  local file
  file=$(compgen -G "$1" | head -1)
  [ -s "${file:-/dev/null}" ]
}

cat >tab.yaml <<'END'
title: A table
bodies:
  a: {mass: 1 kg}
drives:
  - {on: a, force: {table: {file: in.csv, column: F}}}
contacts:
  pad: {between: [a, ground], load: 1 N, model: coulomb, mu_c: 0.5, mu_s: 0.6}
run: {until: 1 s, output: 0.1 s}
END
columns=13
printf 't,F\n0,2\n1,3\n' >in.csv
cat >long.yaml <<'END'
title: Long
bodies:
  block: {mass: 1 kg, v: 1 m/s}
couplings:
  - {spring: [ground, block], stiffness: 1e4 N/m}
contacts:
  pad: {between: [block, ground], load: 1 N, model: lugre}
run: {until: 1e5 s, output: 0.01 s, rtol: 1e-8}
END

# ---- inputs stay inputs ----------------------------------------------------------------------------

cp tab.yaml tab.keep
cp in.csv in.keep
ln -s in.csv link.csv
ln in.csv hard.csv
mkdir sub
for file in in.csv ./in.csv sub/../in.csv link.csv hard.csv; do
  refuses 2 "bristle: -o $file would overwrite what is read" run tab.yaml -o $file
done
refuses 2 "bristle: --events tab.yaml would overwrite what is read" run tab.yaml --events tab.yaml
refuses 2 "bristle: --slips in.csv would overwrite what is read" run tab.yaml --slips in.csv
refuses 2 "bristle: -o and --events name the same file, x.csv" run tab.yaml -o x.csv --events x.csv
refuses 2 "bristle: --events and --slips name the same file, ./x.csv" run tab.yaml --events x.csv --slips ./x.csv
echo old >x.csv
refuses 2 "bristle: -o and --slips name the same file, x.csv" run tab.yaml -o "$dir/x.csv" --slips x.csv
[ "$(cat x.csv)" = old ] && cmp -s tab.yaml tab.keep && cmp -s in.csv in.keep
verdict $? "files that were named twice are as they were"
cp tab.keep tab.yaml
cp in.keep in.csv
run run tab.yaml --events /dev/null --slips /dev/null -o /dev/null
[ $code = 0 ]
verdict $? "a device may be named twice" "exit $code, $(cat err)"

# Every command: laws that are read, files or folders of them, tables of measured data.
cat >law.yaml <<'END'
law: bit_of_glue
title: Coulomb with some glue
cite: nobody
limits: none
defaults: {from: nobody, load: 10 N}
parameters:
  mu: {default: 0.3, range: [0, 2], role: sliding level, text: "friction coefficient"}
equations: |
  F = N*mu*tanh(v/(1 mm/s))
END
if "$bristle" curve bit_of_glue --laws law.yaml >/dev/null 2>err; then
  cp law.yaml law.keep
  mkdir pages
  cp law.yaml pages/one.yaml
  cp law.yaml page.svg
  sed 's/^title:/laws: [page.svg]\n&/' tab.yaml >own.yaml
  printf 't,a.x\n0,0\n1,1\n' >data.csv
  cp data.csv data.svg
  cp data.csv data.keep
  for command in curve loop "export --to c"; do
    # shellcheck disable=SC2086
    refuses 2 "bristle: --output law.yaml would overwrite what is read" $command bit_of_glue --laws law.yaml -o law.yaml
    # shellcheck disable=SC2086
    refuses 2 "bristle: --output pages/one.yaml would overwrite what is read" $command bit_of_glue --laws pages -o pages/one.yaml
  done
  refuses 2 "bristle: --plot page.svg would overwrite what is read" curve bit_of_glue --laws page.svg --plot page.svg
  refuses 2 "bristle: --plot page.svg would overwrite what is read" run own.yaml --plot page.svg
  refuses 2 "bristle: --plot page.svg would overwrite what is read" compare own.yaml --models dahl --plot page.svg
  refuses 2 "bristle: --plot data.svg would overwrite what is read" compare tab.yaml --reference data.svg --plot data.svg
  refuses 2 "bristle: --report . could overwrite data.csv, which is read: take another folder" \
    compare tab.yaml --reference data.csv --report .
  for options in '--data data.csv' '--data other.csv,data.csv' '--data other.csv --validate data.csv'; do
    # shellcheck disable=SC2086
    refuses 2 "bristle: -o ./data.csv would overwrite what is read" identify tab.yaml $options --map t=t[s] -o ./data.csv
  done
  refuses 2 "bristle: -o in.csv would overwrite what is read" identify tab.yaml --data data.csv \
    --map 'a.x=x[m],t=t[s]' -o in.csv
  cmp -s law.yaml law.keep && cmp -s pages/one.yaml law.keep && cmp -s page.svg law.keep &&
    cmp -s data.csv data.keep && cmp -s data.svg data.keep
  verdict $? "laws and data are as they were"
else
  verdict 1 "a law of one's own can be drawn" "$(cat err)"
fi
refuses 2 "bristle: --output and --plot name the same file, ./x.svg" curve lugre -o x.svg --plot ./x.svg

# ---- nothing is touched until everything can be opened ---------------------------------------------

echo old >events.csv
refuses 1 "bristle: no/dir.csv cannot be written: No such file or directory" \
  run tab.yaml --events events.csv --slips fresh.csv -o no/dir.csv
refuses 1 "bristle: no/dir.csv cannot be written: No such file or directory" \
  run tab.yaml -o fresh.csv --events events.csv --slips no/dir.csv
refuses 1 "bristle: no/dir.svg cannot be written: No such file or directory" \
  run tab.yaml -o fresh.csv --events events.csv --plot no/dir.svg
echo old >old.svg
refuses 1 "bristle: no/dir.csv cannot be written: No such file or directory" curve lugre --plot old.svg -o no/dir.csv
refuses 1 "bristle: no/dir.svg cannot be written: No such file or directory" \
  compare tab.yaml --models dahl --plot no/dir.svg
[ "$(cat old.svg)" = old ]
verdict $? "a failing -o has not touched --plot" "$(head -c 80 old.svg)"
[ "$(cat events.csv)" = old ]
verdict $? "a failing -o has not touched --events" "$(cat events.csv)"

# ---- what existed stays until the new one is whole -------------------------------------------------

set -m
# A system that ends a program in the middle of a write may leave a part of it, so that it must be
# whole in one of eight; were rows not kept together, it would be in one of hundreds.
echo old >old.csv
for _ in 1 2 3 4 5 6 7 8; do
  rm -f old.csv.*
  "$bristle" run long.yaml -o old.csv >out 2>err &
  job=$!
  patiently has_rows 'old.csv.*-0'
  [ "$(cat old.csv)" = old ]
  there=$?
  { kill -KILL $job && wait $job; } 2>/dev/null
  whole "$(compgen -G 'old.csv.*-0')" 15 && break
done
verdict $there "while a run goes on, the file of the last one is there" "$(head -1 old.csv)"
[ "$(cat old.csv)" = old ] && whole "$(compgen -G 'old.csv.*-0')" 15
verdict $? "and when it is killed; its rows are whole, beside it" "$(tail -c 100 old.csv.*-0)"
rm -f old.csv.*
"$bristle" run long.yaml -o old.csv >out 2>err &
job=$!
patiently has_rows 'old.csv.*-0'
kill -TERM $job
wait $job
code=$?
[ $code = 130 ] && whole old.csv 15 && ! compgen -G 'old.csv.*' >/dev/null
verdict $? "an interrupted run replaces it with its rows" "exit $code, $(ls), $(cat err)"

cat >tick.yaml <<'END'
title: Ticks
bodies:
  block: {mass: 1 kg}
  belt: {velocity: 1 m/s}
couplings:
  - {spring: [ground, block], stiffness: 1e4 N/m}
contacts:
  a_pad_with_quite_a_long_name: {between: [block, belt], load: 100 N, model: stribeck, mu_c: 0.3, mu_s: 0.9, v_s: 0.1 m/s}
run: {until: 1e6 s, output: 0.01 s, solver: event_driven}
END
for _ in 1 2 3 4 5 6 7 8; do
  rm -f ev.csv
  "$bristle" run tick.yaml -o /dev/null --events ev.csv >out 2>err &
  job=$!
  patiently has_rows ev.csv
  { kill -KILL $job && wait $job; } 2>/dev/null
  whole ev.csv 5 && break
done
[ "$(wc -l <ev.csv)" -gt 3 ] && whole ev.csv 5
verdict $? "after kill -9 the list of events ends with a whole row" "$(tail -1 ev.csv)"
for signal in HUP TERM; do
  for kind in json mat; do
    rm -f sig.* started.csv
    "$bristle" run long.yaml -o sig.$kind --events started.csv >out 2>err &
    job=$!
    patiently takes_signal $job 15
    patiently has_computed $job "$(spent $job)"
    kill -$signal $job
    wait $job
    code=$?
    [ $code = 130 ] && [ "$(wc -c <sig.$kind)" -gt 2000 ] && grep -q '^bristle: interrupted at t = ' err
    verdict $? "SIG$signal keeps a run in .$kind" "exit $code, $(cat err)"
  done
done
# Studies: what is not done is not written, and the exit code says why.
cat >swing.yaml <<'END'
bodies: {block: {mass: 2 kg}}
contacts: {pad: {between: [block, ground], model: lugre, load: 10 N}}
drives: {push: {on: block, force: {sine: {amplitude: 12 N, frequency: 1 Hz}}}}
run: {until: 6 s, output: 1 ms}
END
"$bristle" identify swing.yaml --synthetic '1 kHz' --map 't=t,block.x=x[mm],push.force=F' -o swing.csv >out 2>err
for study in 'identify swing.yaml --data swing.csv --map t=t,block.x=x[mm],push.force=F --free all --way motion --report cut -o cut.yaml' \
  'conform bristle_second_order gms'; do
  "$bristle" $study >out 2>err &
  job=$!
  patiently takes_signal $job 15
  kill -TERM $job
  wait $job
  code=$?
  [ $code = 130 ] && grep -q '^bristle: interrupted' err && [ ! -e cut/report.html ] && [ ! -e cut.yaml ]
  verdict $? "SIGTERM ends ${study%% *}" "exit $code, $(cat err)"
done
set +m

# A run whose steps are without number ends as well when it is asked to.
cat >endless.yaml <<'END'
bodies:
  a: {mass: 1 kg}
drives:
  - {on: a, force: "1 N*sin(1e300*t/(1 s))"}
run: {until: 1 s, output: 0.1 s}
END
sed 's|".*"|"1 N*0/0"|' endless.yaml >none.yaml
refuses 2 "none.yaml:4: drives.force.force: the expression comes to no number" check none.yaml
for seconds in 1 10 100; do # until it has begun
  BRISTLE_STOP_SECONDS=1 timeout -s TERM -k 1000 $seconds "$bristle" run endless.yaml -o endless.csv >out 2>err
  code=$?
  ! grep -q '^bristle: interrupted, and ended' err || break
done
[ $code = 124 ] && grep -q '^bristle: interrupted, and ended' err
verdict $? "a run that makes no progress can be ended" "exit $code, $(cat err)"

# ---- links and permissions -------------------------------------------------------------------------

for kind in csv json mat; do
  echo old >real.$kind
  chmod 640 real.$kind
  ln -sf real.$kind via.$kind
  ln -sf sub/new.$kind dangling.$kind
  run run tab.yaml -o via.$kind
  [ $code = 0 ] && [ -L via.$kind ] && [ "$(stat -c %a real.$kind)" = 640 ] && [ "$(wc -c <real.$kind)" -gt 300 ]
  verdict $? ".$kind: the link stays, the file keeps its permissions" "exit $code, $(ls -l real.$kind via.$kind)"
  run run tab.yaml -o dangling.$kind
  [ $code = 0 ] && [ -L dangling.$kind ] && [ "$(wc -c <sub/new.$kind)" -gt 300 ]
  verdict $? ".$kind: a link to nothing yet is followed" "exit $code, $(ls -l sub)"
done
echo precious >precious
(
  # names made of the number of a process: this shell becomes the command
  for end in '' -0 -new; do ln -sf precious "curve.csv.$BASHPID$end"; done
  exec "$bristle" curve lugre -o curve.csv
) >out 2>err
[ $? = 0 ] && [ "$(cat precious)" = precious ] && [ "$(wc -l <curve.csv)" -gt 10 ] && [ ! -L curve.csv ]
verdict $? "a planted link is not followed" "$(head -3 err precious)"
rm -f curve.csv.*
name=$(printf 'n%.0s' $(seq 251)).csv
run run tab.yaml -o "$name"
[ $code = 0 ] && run run tab.yaml -o "$name" && [ $code = 0 ] && whole "$name" $columns
verdict $? "the longest name of a file can be replaced" "exit $code, $(cut -c1-100 err)"
rm -f "$name"

# ---- limits, full and read-only folders ------------------------------------------------------------

(
  ulimit -f 100
  exec "$bristle" run rabinowicz -o limit.csv
) >out 2>err
code=$?
[ $code = 1 ] && grep -q '^bristle: limit.csv cannot be written: File too large' err && whole limit.csv 17
verdict $? "a limit of the file size is told, and rows are whole" "exit $code, $(cat err)"
for kind in csv json mat; do
  echo old >limit.$kind
  (
    ulimit -f 100
    exec "$bristle" run rabinowicz -o limit.$kind
  ) >out 2>err
  code=$?
  [ $code = 1 ] && grep -q "^bristle: limit.$kind cannot be written: File too large" err && [ "$(cat limit.$kind)" = old ]
  verdict $? "and the .$kind that was there stays" "exit $code, $(cat err)"
  rest=$(compgen -G "limit.$kind.*")
  if [ $kind = csv ]; then
    grep -qF "what it got is in $PWD/$rest" err && whole "$rest" 17
    verdict $? "the rows that fitted are told and whole" "$(cat err), $rest"
    rm -f "$rest"
  else
    [ -z "$rest" ]
    verdict $? "nothing is left beside it" "$rest"
  fi
done
# A disk that is full, where that can be had.
mkdir disk
if mount -t tmpfs -o size=64k none disk 2>/dev/null; then
  trap 'umount "$dir/disk"; rm -rf "$dir"' EXIT
  for kind in csv json mat svg; do
    echo old >disk/a.$kind
    option=-o
    [ $kind = svg ] && option=--plot
    run run rabinowicz $option disk/a.$kind
    [ $code = 1 ] && grep -qE "^bristle: disk/a.$kind(: gnuplot did not complete| cannot be written: No space left)" err &&
      [ "$(cat disk/a.$kind)" = old ]
    verdict $? "a full disk: a.$kind stays" "exit $code, $(head -2 err)"
    rm -f disk/*
  done
  "$bristle" compare rabinowicz --models lugre --report disk/r >out 2>err
  code=$?
  [ $code = 1 ] && [ -s err ] && ! compgen -G 'disk/r/*-[0-9]' >/dev/null
  verdict $? "a full disk: a report that does not fit" "exit $code, $(cat err)"
  # and one that is read-only, which even the superuser meets
  for kind in csv json mat svg; do echo old >disk/a.$kind; done
  mount -o remount,ro disk
  for kind in csv json mat svg; do
    option=-o
    [ $kind = svg ] && option=--plot
    refuses 1 "bristle: disk/a.$kind cannot be written: Read-only file system" run tab.yaml $option disk/a.$kind
    refuses 1 "bristle: disk/b.$kind cannot be written: Read-only file system" run tab.yaml $option disk/b.$kind
  done
  refuses 1 "bristle: disk/a.csv cannot be written: Read-only file system" curve lugre -o disk/a.csv
  refuses 1 "bristle: disk/e.csv cannot be written: Read-only file system" run tab.yaml --events disk/e.csv -o /dev/null
  umount disk
  trap 'rm -rf "$dir"' EXIT
else
  echo "skipped the full and the read-only disk: mount is not allowed here"
fi
mkdir closed
echo old >closed/a.csv
chmod 555 closed
if [ ! -w closed ]; then
  refuses 1 "bristle: closed/b.json cannot be written: Permission denied" run tab.yaml -o closed/b.json
  refuses 1 "bristle: closed/a.csv cannot be written: Permission denied" run tab.yaml -o closed/a.csv
  [ "$(cat closed/a.csv)" = old ]
  verdict $? "a folder that cannot be written keeps its file"
fi
chmod 755 closed
chmod 444 closed/a.csv
if [ ! -w closed/a.csv ]; then
  refuses 1 "bristle: closed/a.csv cannot be written: Permission denied" run tab.yaml -o closed/a.csv
  refuses 1 "bristle: closed/a.csv cannot be written: Permission denied" curve lugre -o closed/a.csv
fi

# ---- streams that are closed, pipes and devices ----------------------------------------------------

rm -f x.csv
"$bristle" run tab.yaml -o x.csv 2>&-
[ $? = 0 ] && whole x.csv $columns
verdict $? "words do not go into a file when standard error is closed" "$(tail -2 x.csv)"
"$bristle" run tab.yaml -o x.csv --events y.csv --slips z.csv <&- >&- 2>&-
[ $? = 0 ] && whole x.csv $columns && whole y.csv 5 && whole z.csv 8
verdict $? "all three streams closed" "$(head -3 x.csv y.csv z.csv)"
"$bristle" models >&- 2>err
[ $? = 1 ] && grep -q '^bristle: standard output cannot be written' err
verdict $? "a closed standard output is told" "$(cat err)"
if command -v gnuplot >/dev/null; then
  "$bristle" curve lugre -o /dev/null --plot closed.svg <&- >&- 2>&-
  [ $? = 0 ] && [ "$(tail -c 8 closed.svg | xargs -0)" = '</svg>' ]
  verdict $? "a picture is drawn when all three streams are closed" "$(tail -c 20 closed.svg)"
fi
mkfifo fifo.csv fifo.json
for kind in csv json; do
  timeout 600 cat fifo.$kind >got.$kind &
  timeout 600 "$bristle" run tab.yaml -o fifo.$kind >out 2>err
  code=$?
  wait
  [ $code = 0 ] && [ -p fifo.$kind ] && [ "$(wc -c <got.$kind)" -gt 300 ]
  verdict $? "a named pipe takes .$kind and stays one" "exit $code, $(cat err)"
done
for device in fifo.csv /dev/zero /dev/stdin sub; do # a table that never ends, or never begins
  sed "s|in.csv|$device|" tab.yaml >device.yaml
  timeout 600 "$bristle" check device.yaml >out 2>err </dev/null
  code=$?
  [ $code = 2 ] && grep -q "$device: is not a regular file" err
  verdict $? "a table cannot be read from $device" "exit $code, $(cat err)"
done
mkdir piped
mkfifo piped/pipe.yaml
for device in fifo.csv /dev/zero piped; do # and a law
  { echo "laws: [$device]"; cat tab.yaml; } >device.yaml
  timeout 600 "$bristle" check device.yaml >out 2>err </dev/null
  code=$?
  [ $code = 2 ] && grep -qE "^$device.*: is not a regular file" err
  verdict $? "a scenario cannot have a law read from $device" "exit $code, $(cat err)"
done
run run tab.yaml -o sub
[ $code = 2 ]
verdict $? "a folder is no file" "exit $code, $(cat err)"

# ---- gnuplot ---------------------------------------------------------------------------------------

mkdir fake
draws() { # draws CODE PATTERN SENTENCE [SECONDS]: the old picture stays, nothing is left beside it
  echo old >pic.svg
  BRISTLE_PLOT_SECONDS=${4:-300} PATH=$dir/fake:$PATH timeout 600 "$bristle" curve lugre --plot pic.svg >out 2>err
  code=$?
  [ $code = "$1" ] && grep -qE "$2" err && [ "$(cat pic.svg)" = old ] && ! compgen -G 'pic.svg.*' >/dev/null
  verdict $? "$3" "exit $code, $(cat err)"
}
fake() {
  printf '#!/bin/sh\n%s\n' "$1" >fake/gnuplot
  chmod +x fake/gnuplot
}
# shellcheck disable=SC2016
fake 'kill -9 $$'
draws 1 '^bristle: pic.svg: gnuplot failed' "a gnuplot that is killed"
fake 'echo "<svg>half a pic"; exit 0'
draws 1 '^bristle: pic.svg: gnuplot did not complete the picture' "a picture that is not whole is not shown"
fake 'exec sleep 1000'
draws 1 '^bristle: pic.svg: gnuplot did not come to an end within 1 s' "a gnuplot that hangs is ended" 1
fake 'exit 0'
draws 1 '^bristle: pic.svg: gnuplot did not complete the picture' "a gnuplot that draws nothing"

if command -v gnuplot >/dev/null && command -v python3 >/dev/null; then
  # titles are texts, whatever they hold; one program reads all pictures
  # shellcheck disable=SC2016
  titles=("'tis" "''" 'a ]]> b' '`touch pwned`' '$(touch pwned)' 'a\nb' '@x $d0 #c %s' '"quoted"' '<b>&amp;') codes=()
  for i in "${!titles[@]}"; do
    { printf "title: '%s'\n" "${titles[i]//\'/\'\'}"; sed 1d tab.yaml; } >title.yaml
    run run title.yaml --plot title$i.svg -o /dev/null
    codes+=("$code, $(head -1 err)")
  done
  mapfile -t shown < <(python3 -c "
import sys, xml.etree.ElementTree as tree
for i, title in enumerate(sys.argv[1:]):
    try:
        root = tree.parse('title%d.svg' % i)
    except Exception as e:
        print(str(e).replace('\n', ' '))
        continue
    texts = [''.join(e.itertext()).strip() for e in root.iter() if e.tag.endswith('}text')]
    want = ' '.join(title.replace(']]>', ']] >').split())
    print(any(' '.join(t.split()) == want for t in texts))" "${titles[@]}" 2>&1)
  for i in "${!titles[@]}"; do
    [ "${codes[i]%%,*}" = 0 ] && [ "${shown[i]:-}" = True ] && [ ! -e pwned ]
    verdict $? "the title ${titles[i]} is drawn" "exit ${codes[i]}, ${shown[i]:-}"
  done
fi
{ printf 'title: "a \\e[31m red"\n'; sed 1d tab.yaml; } >escape.yaml
refuses 2 "escape.yaml:1: title: the control character U+001B cannot be shown" run escape.yaml
{ printf 'title: "a \\x9b31m red"\n'; sed 1d tab.yaml; } >escape.yaml
refuses 2 "escape.yaml:1: title: the control character U+009B cannot be shown" check escape.yaml

# ---- a decimal comma -------------------------------------------------------------------------------

# write_all NAME [VARIABLE=VALUE...]: rows, lists, a picture, a table
write_all() {
  local name=$1 as=("env" "${@:2}" "$bristle")
  "${as[@]}" run rabinowicz --until 1.5 -o "$name.csv" --events "$name.events" 2>err &&
    "${as[@]}" run rabinowicz --until 1.5 -o "$name.mat" 2>>err &&
    "${as[@]}" check rabinowicz --set pad.mu_c=0.25 >"$name.check" 2>>err &&
    "${as[@]}" conform viscous --markdown >"$name.md" 2>>err &&
    { ! command -v gnuplot >/dev/null || "${as[@]}" curve lugre --plot "$name.svg" -o "$name.curve" 2>>err; }
}
if [ -d "$locales/de_DE.UTF-8" ]; then
  write_all point
  write_all comma LOCPATH="$locales" LC_ALL=de_DE.UTF-8
  verdict $? "all is written where decimals have a comma" "$(cat err)"
  for file in point.*; do
    [ -s "$file" ] && cmp -s "$file" "comma.${file#point.}"
    verdict $? "a decimal comma changes no byte of ${file#point.}" "$(diff "$file" "comma.${file#point.}" | head -3)"
  done
fi

# ---- what a scenario may tell about other files ----------------------------------------------------

printf 'root:secret:0:0\nbin:secret:1:1\n' >secret
sed 's/in.csv/secret/' tab.yaml >curious.yaml
run check curious.yaml
[ $code = 2 ] && ! grep -q 'secret:0' err && grep -q "there is no column 't'" err
verdict $? "an error does not show a file that is no table" "$(cat err)"
printf 'password: hunter2\nkeys: {first: hunter3}\n' >secret.yaml
{ echo 'laws: [secret.yaml]'; cat tab.yaml; } >curious.yaml
run check curious.yaml
[ $code = 2 ] && ! grep -qE 'password|hunter|first' err && grep -q "^secret.yaml:1: this is no law" err
verdict $? "nor one that is no law" "$(cat err)"
printf 'time,force\n0,1\n1,2\n' >other.csv
sed 's/in.csv/other.csv/' tab.yaml >curious.yaml
run check curious.yaml
[ $code = 2 ] && grep -q 'time' err
verdict $? "but names the columns of one that is" "$(cat err)"

echo
echo "$checks checks, $failures failed"
[ $failures = 0 ]
