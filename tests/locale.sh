#!/usr/bin/env bash
# The locale of a host program writes 1,5 for 1.5: in the library numbers are written by text_format()
# and number_put(). The C library's printf may do it only in files that set the locale for it, and in
# the parts of a picture's script, which plot.c sets it for, and never with all digits, as for programs;
# strtod only in decimal.c.
#   locale.sh SOURCE_DIR
set -euo pipefail
cd "$1"
exact=$(grep -rnE '^[^*]*%\.1[5-9]g' src || true)
found=$exact$(find src -name '*.[ch]' ! -name 'plot_*.c' ! -path src/decimal.c -exec grep -L uselocale {} + | sort |
  xargs perl -0777 -ne '
    s{/\*.*?\*/}{}gs;
    while (/\b(\w*printf)\s*\(([^;]*);/g) {
      my ($call, $rest) = ($1, $2);
      my $texts = join "", $rest =~ /"((?:[^"\\]|\\.)*)"/g;
      $texts =~ s/%%//g;
      print "$ARGV: $call($rest\n" if $texts =~ /%[-+ #0-9.*]*L?[aefgAEFG]/;
    }
    print "$ARGV: $1\n" while /\b(strto[dfl]+|ato[fil]+|\w*scanf)\s*\(/g;' |
  grep -vE ': (strtol|strtoll|atoi|atol)$' || true)
if [ -n "$found" ]; then
  echo "$found"
  echo "the calls above go by the locale of the host program"
  exit 1
fi
