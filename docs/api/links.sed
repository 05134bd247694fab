# Links of the main page to files that are not part of the HTML become plain text.
s/\[\([^]]*\)\]([^)#:]*)/\1/g
