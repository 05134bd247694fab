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
