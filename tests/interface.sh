#!/usr/bin/env bash
# Every function that a public header declares is called by a test or by a program that the tests run; those of
# bristle.h, bristle_sim.h and bristle_fmu.h are shown by a document or an example as well. What each has in words is
# the test `api`.
#   interface.sh SOURCE_DIR
set -uo pipefail
cd "$1" || exit
bad=0 count=0
words() { cat "$@" | grep -o 'bri_[a-z0-9_]*' | sort -u; }
called=$(words tests/*.[ch] tests/*/*.[ch] examples/*.c cli/*.c python/*.c octave/*.c)
# In tables of documents `bri_signal_count`, `_at` stands for bri_signal_at, too.
short() {
  awk '{
    while (match($0, /`(bri_[a-z0-9_]*|_[a-z0-9_]*)`/)) {
      word = substr($0, RSTART + 1, RLENGTH - 2); $0 = substr($0, RSTART + RLENGTH)
      if (word ~ /^bri_/) { split(word, part, "_"); before = part[1] "_" part[2] } else print before word
    }
  }' "$@"
}
shown=$({ words README.md docs/*.md docs/howto/*.md docs/theory/*.md examples/*.c; short docs/howto/*.md; } | sort -u)
for header in include/*.h; do
  for name in $(sed 's|/\*.*\*/||' "$header" | sed -n '/^BRI_API/,/;/p' | grep -o 'bri_[a-z0-9_]*(' | tr -d '('); do
    count=$((count + 1))
    grep -qx "$name" <<<"$called" || { echo "$header: nothing calls $name"; bad=1; }
    case $header in
      */bristle.h | */bristle_sim.h | */bristle_fmu.h)
        grep -qx "$name" <<<"$shown" || { echo "$header: no document or example shows $name"; bad=1; } ;;
    esac
  done
done
[ $count -gt 250 ] || { echo "only $count functions were found"; exit 1; }
[ $bad = 0 ] && echo "$count functions"
exit $bad
