# What the test scripts of the command share: a place to work in, and a line per check.
# Sourced with the path of the command as $1.
set -uo pipefail
bristle=$(realpath "$1")
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit
failures=0 checks=0

verdict() { # verdict OK_OR_NOT SENTENCE [DETAIL]
  checks=$((checks + 1))
  if [ "$1" = 0 ]; then
    echo "ok      $2"
  else
    echo "FAILED  $2${3:+: $3}"
    failures=$((failures + 1))
  fi
}

# What is waited for comes when the machine gets to it: nothing is said about how long that takes, up
# to ten minutes.
patiently() { # patiently COMMAND...: until it succeeds
  local i
  for ((i = 0; i < 6000; i++)); do
    "$@" && return 0
    sleep 0.1
  done
  return 1
}

# takes_signal PID NUMBER: the process handles that signal itself, so that it has begun to work; as
# long as it is still the shell that starts it, the handler is that of the shell
takes_signal() {
  local mask
  ! grep -q '^Name:[[:space:]]*bash$' "/proc/$1/status" 2>/dev/null || return 1
  mask=$(sed -n 's/^SigCgt:[[:space:]]*//p' "/proc/$1/status" 2>/dev/null)
  [ -n "$mask" ] && [ $((0x$mask >> ($2 - 1) & 1)) = 1 ]
}

# is_stuck PID: the process has written something, and waits for half a second; its time of computing
# may be less than the clock of the kernel tells
is_stuck() {
  local before after written
  before=$(awk '{print $3, $14}' "/proc/$1/stat" 2>/dev/null)
  sleep 0.5
  after=$(awk '{print $3, $14}' "/proc/$1/stat" 2>/dev/null)
  written=$(sed -n 's/^wchar: //p' "/proc/$1/io" 2>/dev/null)
  [ "$before" = "$after" ] && [ "${after%% *}" = S ] && [ "${written:-1}" -gt 0 ]
}

# amid FILE.sweep PID...: the processes of a sweep are held amid it, with rows in its file: those are handed to the
# system once a second, so all are held for so long, and run a moment at a time until there is one, or the end
amid() {
  local file=$1 i
  shift
  patiently test -s "$file"
  kill -STOP "$@" && sleep 1.1
  for ((i = 0; i < 3000; i++)); do
    kill -CONT "$@" 2>/dev/null || return
    sleep 0.03
    kill -STOP "$@" 2>/dev/null || return
    ! grep -q -E ',(ok|failed),' "$file" || return
  done
}

leading=() # words that stand before the arguments of every call
prefix=''  # what every refusal begins with

# run ARGUMENTS...: leaves out, err and code behind
run() {
  "$bristle" "${leading[@]}" "$@" >out 2>err
  code=$?
}

# refuses CODE MESSAGE ARGUMENTS...: exactly that message, nothing on standard output, no new file
refuses() {
  local want=$1 message=$2 before
  shift 2
  rm -f out err
  before=$(ls -A)
  run "$@"
  local got
  got=$(cat err)
  [ $code = "$want" ] && [ "$got" = "$prefix$message" ] && [ ! -s out ] &&
    rm out err && [ "$(ls -A)" = "$before" ]
  verdict $? "refused: bristle ${leading[*]} $*" "exit $code, '$got'"
}
