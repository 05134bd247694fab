# comments.awk - the public headers as Doxygen reads them: plain comments become documentation.
#   awk -f comments.awk HEADER.h
#
# A comment above declarations belongs to all that follow without a blank line in between; one
# behind a declaration belongs to that. A line of dashes with a title opens a group. Names that
# begin with bri_ or BRI_ become links, so that one which does not exist is a warning. Lines stay
# where they are.

# Text as Doxygen takes it: no markup but the links.
function escaped(s,    out, c) {
  out = ""
  while (s != "") {
    c = substr(s, 1, 1)
    if (match(s, /^(bri|BRI)_[A-Za-z0-9_]*[A-Za-z0-9]/)) c = substr(s, 1, RLENGTH)
    s = substr(s, length(c) + 1)
    if (length(c) > 1) {
      c = "#" c
      sub(/^\(\)/, "", s)
    }
    else if (index("\\@<>&#%", c)) c = "\\" c
    out = out c
  }
  gsub(/ al\. /, " al.\\ ", out) # not the end of a sentence
  return out
}

function ends(line) { return line ~ /\*\/ *$/ }

# "double x, *y; COMMENT" as one declaration for each name: Doxygen gives the comment to the last only.
function apart(code, comment,    type, out, names, n, i) {
  if (code !~ /^ +(const )?[a-z_]+ [][*A-Za-z0-9_]+(, [][*A-Za-z0-9_]+)+; *$/) return code comment
  match(code, /^ +(const )?[a-z_]+ /)
  out = substr(code, RLENGTH + 1)
  type = substr(code, 1, RLENGTH)
  sub(/; *$/, "", out)
  n = split(out, names, ", ")
  out = ""
  for (i = 1; i <= n; i++) out = out type names[i] "; " comment
  return out
}

# A line of a comment without its marks.
function words(line) {
  sub(/ *\*\/ *$/, "", line)
  sub(/^ *\/?\*+/, "", line)
  sub(/^ /, "", line)
  return line
}

function tail(line) { return ends(line) ? " */" : "" }

FNR == 1 { # "/* bristle.h - what it is"
  header = what = words($0)
  sub(/ - .*/, "", header)
  sub(/^.*\.h - /, "", what)
  id = header
  gsub(/[^a-z]/, "_", id)
  print "/** @file"
  print " * " escaped(toupper(substr(what, 1, 1)) substr(what, 2)) tail($0)
  head = !ends($0)
  next
}

head { # the rest of it; "Units      SI. ..." is an entry of a list
  text = words($0)
  if (match(text, /^[A-Z][a-z-]+  +/)) {
    name = entry = text
    sub(/ .*/, "", name)
    print " * - <b>" name "</b>: " escaped(substr(entry, RLENGTH + 1)) tail($0)
  } else {
    more = sub(/^    +/, "", text)
    print " * " (more ? "  " : "") escaped(text) tail($0)
  }
  head = !ends($0)
  next
}

/^#define BRISTLE_[A-Z_]*H$/ { next } # makes up for the line that @file took

/^#ifdef __cplusplus/ { foreign = 1; if (++borders == 2 && groups) printf "/** @} */" }
foreign { print ""; if (/^#endif/) foreign = 0; next } # extern "C"

/^\/\* ---- .* -+ \*\/$/ {
  title = words($0)
  gsub(/^-+ | -+$/, "", title)
  name = title
  gsub(/[^A-Za-z]+/, "_", name)
  if (groups++) printf "/** @} */ "
  print "/** @defgroup " id "_" name " " header ": " escaped(title)
  opening = 1
  next
}
opening { print " * @{ */"; opening = 0; next } # a blank line follows a title

!above && /^ *\/\*/ { # a comment that begins a line
  above = 1
  shared = ""
  indent = $0
  sub(/[^ ].*/, "", indent)
  printf "%s/** ", indent
}
above {
  if (shared != "") printf "%s * ", indent
  text = escaped(words($0))
  shared = shared " " text
  print text tail($0)
  if (ends($0)) { above = 0; fresh = 1 }
  next
}

behind { # the further lines of a comment behind a declaration
  print " * " escaped(words($0)) tail($0)
  behind = !ends($0)
  next
}

/^ *$/ { shared = "" }

{
  code = $0
  comment = ""
  if (at = index($0, "/*")) {
    code = substr($0, 1, at - 1)
    comment = substr($0, at)
  }
  again = shared != "" && !fresh && !unfinished && comment == "" && code !~ /^ *}|^#[^d]/
  fresh = 0
  if (again) printf "/**%s */ ", shared
  behind = comment != "" && !ends(comment)
  if (comment != "") comment = "/**< " escaped(words(comment)) tail(comment)
  print behind ? code comment : apart(code, comment)
  sub(/ +$/, "", code)
  unfinished = code !~ /[;{}]$/ && code !~ /^#/ && code != ""
  if (code ~ /[{]$/) shared = "" # what is in the braces has its own
}
