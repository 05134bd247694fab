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
