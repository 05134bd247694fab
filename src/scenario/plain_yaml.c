/* plain_yaml.c - the YAML that most files are written in, without libyaml: for the generator of
 * laws, which is built before everything else and on every machine, and for scenarios, which are
 * read six times as fast as by libyaml. Maps and lists in blocks, {maps} and [lists], plain texts
 * and "quoted" ones on one line, blocks | and >-, comments. The tree is the one that libyaml makes;
 * whatever libyaml might understand in another way is refused. */
#include "node.h"

#include <stdio.h>
#include <string.h>

/* Bytes of a file and keys of a map: keys are compared one by one. */
enum { MOST_BYTES = 1 << 16, MOST_KEYS = 200, MOST_LETTERS = 200 };

typedef struct plain {
    const char *at, *end; /* what is left of the text, which ends with a line */
    const char *row;      /* start of the line */
    int line, failed, depth;
    arena *memory;
    node_report *report;
    void *to;
} plain;

static void refuse(plain *p, const char *words) {
    if (!p->failed) p->report(p->to, p->line, BRI_BAD_FILE, words);
    p->failed = 1;
}

static char peek(const plain *p) { return p->at < p->end ? *p->at : '\n'; }

static int indent_of(const plain *p) {
    int n = 0;
    while (p->row + n < p->end && p->row[n] == ' ') n++;
    return n;
}

static void skip_blanks(plain *p) {
    while (p->at < p->end && *p->at == ' ') p->at++;
}

static int ends_line(const plain *p) {
    char c = peek(p);
    return c == '\n' || (c == '#' && (p->at == p->row || p->at[-1] == ' '));
}

static void next_line(plain *p) {
    while (p->at < p->end && *p->at != '\n') p->at++;
    if (p->at < p->end) p->at++;
    p->row = p->at;
    p->line++;
}

/* Go to the next line that says something; 0 at the end, or if something is wrong. */
static int find_line(plain *p) {
    while (p->at < p->end && !p->failed) {
        p->at = p->row + indent_of(p);
        if (!ends_line(p)) return 1;
        next_line(p);
    }
    return 0;
}

/* Nothing but a comment may be left of a line. */
static void end_line(plain *p) {
    skip_blanks(p);
    if (!ends_line(p)) refuse(p, "something is left at the end of the line");
    next_line(p);
}

static node *new_node(plain *p, node_kind kind) {
    node *n = ARENA_NEW(p->memory, node, 1);
    if (!n) {
        refuse(p, "not enough memory");
        return NULL;
    }
    n->kind = kind;
    n->line = n->key_line = p->line;
    n->column = (int)(p->at - p->row) + 1;
    return n;
}

/* key_line: that of its key. */
static void put(plain *p, node *parent, node *child, const char *key, int key_line) {
    int count = parent->count;
    child->key = key;
    if (key) child->key_line = key_line;
    node_put(parent, child);
    if (parent->count == count) refuse(p, "a key is given twice");
    if (key && count > MOST_KEYS) refuse(p, "more keys than a plain file has");
}

/* ---- values within brackets and lines -------------------------------------------------------- */

static node *read_value(plain *p, int flow);

/* Up to the quote that ends it; no escapes but \" and \\. */
static const char *quoted(plain *p) {
    const char *end = p->at + 1;
    while (*end != '"' && *end != '\n') end += 1 + (*end == '\\' && end[1] != '\n');
    char *text = ARENA_NEW(p->memory, char, end - p->at);
    if (!text || *end != '"') {
        refuse(p, text ? "a quoted text ends on its line" : "not enough memory");
        return "";
    }
    size_t n = 0;
    for (p->at++; p->at < end; p->at++) {
        if (*p->at == '\\' && *++p->at != '"' && *p->at != '\\')
            refuse(p, "no letter but a quote or a \\ stands behind a \\");
        text[n++] = *p->at;
    }
    p->at++;
    return text;
}

static int is_letter(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* Whether a plain text begins here: not with what begins something else in YAML. */
static int begins_text(const plain *p) {
    char c = peek(p), next = p->at + 1 < p->end ? p->at[1] : '\n';
    if (c == '-' || c == '+') return is_letter(next) || next == '.' || next == '(';
    if (c == '.') return next >= '0' && next <= '9';
    return is_letter(c) || c == '(' || c == '/' || c == '<' || c == '~';
}

/* A plain text: within brackets it ends at , ] }, as a key at ": ". */
static const char *plain_text(plain *p, int flow, int key) {
    const char *start = p->at, *last = start;
    if (!begins_text(p)) refuse(p, "this kind of value has no place in a plain file");
    for (; !p->failed && !ends_line(p); p->at++) {
        char c = *p->at;
        if (flow && (c == ',' || c == ']' || c == '}')) break;
        if (flow && (c == '[' || c == '{' || c == '?'))
            refuse(p, "a bracket within a text: put the text in quotes");
        if (c == ':') {
            int colon = p->at[1] == ' ' || p->at[1] == '\n';
            if (colon && (key || flow)) break;
            if (colon || flow) refuse(p, "a ':' within a text: put the text in quotes");
        }
        if (c != ' ') last = p->at + 1;
    }
    char *copy = ARENA_NEW(p->memory, char, last - start + 1);
    if (!copy) {
        refuse(p, "not enough memory");
        return "";
    }
    return memcpy(copy, start, (size_t)(last - start));
}

static const char *read_key(plain *p) {
    const char *start = p->at, *key = plain_text(p, 1, 1);
    if (peek(p) != ':') refuse(p, "a key with a ':' behind it is wanted here");
    if (p->at - start > MOST_LETTERS) refuse(p, "a key is too long");
    p->at += p->at < p->end;
    skip_blanks(p);
    return key;
}

/* Within brackets lines mean nothing. */
static void skip_lines(plain *p) {
    for (skip_blanks(p); p->at < p->end && ends_line(p); skip_blanks(p)) next_line(p);
}

static node *read_brackets(plain *p) {
    char close = *p->at == '{' ? '}' : ']';
    node *n = new_node(p, close == '}' ? NODE_MAP : NODE_LIST);
    p->at++;
    if (++p->depth > MAX_DEPTH) refuse(p, "more than 32 levels deep");
    for (skip_lines(p); n && !p->failed && peek(p) != close; skip_lines(p)) {
        int line = p->line;
        const char *key = close == '}' ? read_key(p) : NULL;
        node *value = p->failed ? NULL : read_value(p, 1);
        if (!value) break;
        put(p, n, value, key, line);
        skip_lines(p);
        if (peek(p) == ',')
            p->at++;
        else if (peek(p) != close)
            refuse(p, "commas stand between what is in brackets, which are closed again");
    }
    p->depth--;
    p->at += p->at < p->end;
    return n;
}

static node *read_value(plain *p, int flow) {
    char c = peek(p);
    if (c == '{' || c == '[') return read_brackets(p);
    node *n = new_node(p, NODE_SCALAR);
    if (n) n->text = c == '"' ? quoted(p) : plain_text(p, flow, 0);
    return n;
}

/* ---- lines ----------------------------------------------------------------------------------- */

/* The lines below that are further in than the key: as they are (|), or as one (>-). */
static const char *read_block(plain *p, int outer, int fold) {
    const char *start = p->at += fold ? 2 : 1, *stop;
    int inner = 0, empties = 0;
    end_line(p);
    for (; p->at < p->end && !p->failed; next_line(p)) { /* how far it goes */
        int indent = indent_of(p), empty = p->row[indent] == '\n';
        if (!empty && indent <= outer) break;
        if (!empty && inner == 0) inner = indent;
        if (empty ? indent > 0 : indent < inner || (fold && (indent > inner || empties > 0)))
            refuse(p, "the lines of a text below its key begin at the same place");
        empties += empty;
    }
    stop = p->row;
    if (inner == 0) refuse(p, "a text below its key is missing");
    char *text = p->failed ? NULL : ARENA_NEW(p->memory, char, stop - start + 2);
    size_t n = 0;
    for (const char *row = strchr(start, '\n') + 1; text && row < stop;) {
        const char *end = strchr(row, '\n');
        if (end > row) {
            if (fold && end[-1] == ' ') refuse(p, "a blank at the end of a line");
            if (fold && n > 0) text[n++] = ' ';
            size_t length = (size_t)(end - row) - (size_t)inner;
            memcpy(text + n, row + inner, length);
            n += length;
        }
        if (!fold) text[n++] = '\n';
        row = end + 1;
    }
    while (!fold && n > 1 && text[n - 2] == '\n') text[--n] = '\0'; /* one at the end is kept */
    if (!text) refuse(p, "not enough memory");
    return text ? text : "";
}

static node *read_lines(plain *p);

/* What stands behind a key: on its line, or below it. */
static node *read_behind(plain *p, int indent) {
    char c = peek(p);
    if (c == '|' || (c == '>' && p->at[1] == '-')) {
        node *n = new_node(p, NODE_SCALAR);
        if (n) n->block = c == '|';
        if (n) n->text = read_block(p, indent, c == '>');
        return n;
    }
    if (!ends_line(p)) {
        node *n = read_value(p, 0);
        end_line(p);
        return n;
    }
    next_line(p);
    if (find_line(p) && indent_of(p) > indent) return read_lines(p);
    refuse(p, "a key without a value");
    return NULL;
}

static int at_dash(const plain *p) { return peek(p) == '-' && p->at[1] == ' '; }

/* Nonzero if a line follows that belongs to the block; one further in belongs to none. */
static int goes_on(plain *p, int indent) {
    int more = find_line(p);
    if (more && indent_of(p) > indent) refuse(p, "a line too far in");
    return more && indent_of(p) == indent && !p->failed;
}

/* From the first key on, which need not be the first of its line. */
static node *read_map(plain *p) {
    int indent = (int)(p->at - p->row);
    node *map = new_node(p, NODE_MAP);
    if (++p->depth > MAX_DEPTH) refuse(p, "more than 32 levels deep");
    do {
        int line = p->line;
        const char *key = read_key(p);
        node *value = p->failed ? NULL : read_behind(p, indent);
        if (!map || !value || p->failed) break;
        put(p, map, value, key, line);
    } while (goes_on(p, indent));
    p->depth--;
    return map;
}

/* Behind a dash: a value, or a map that begins there. */
static node *read_item(plain *p) {
    const char *start = p->at;
    node *n;
    if (peek(p) == '{' || peek(p) == '[' || peek(p) == '"') {
        n = read_value(p, 0);
    } else {
        n = new_node(p, NODE_SCALAR);
        if (n) n->text = plain_text(p, 0, 1);
        if (peek(p) == ':' && !p->failed) {
            p->at = start;
            return read_map(p);
        }
    }
    end_line(p);
    return n;
}

static node *read_list(plain *p) {
    int indent = (int)(p->at - p->row);
    node *list = new_node(p, NODE_LIST);
    if (++p->depth > MAX_DEPTH) refuse(p, "more than 32 levels deep");
    do {
        if (!at_dash(p)) refuse(p, "a dash is wanted here");
        p->at++;
        skip_blanks(p);
        node *item = p->failed ? NULL : read_item(p);
        if (!list || !item || p->failed) break;
        put(p, list, item, NULL, 0);
    } while (goes_on(p, indent));
    p->depth--;
    return list;
}

static node *read_lines(plain *p) { return at_dash(p) ? read_list(p) : read_map(p); }

/* Lines of ASCII: what else there is counts as one letter to libyaml, or as the end of a line. */
static void check_letters(plain *p) {
    if (p->end - p->at > MOST_BYTES) refuse(p, "a plain file has no more than 65536 bytes");
    if (p->at < p->end && p->end[-1] != '\n') refuse(p, "the last line has no end");
    for (const char *c = p->at; c < p->end && !p->failed; c++) {
        if (*c == '\n')
            p->line++;
        else if (*c == '\t')
            refuse(p, "a tab: YAML indents with blanks");
        else if (*c < ' ' || *c > '~')
            refuse(p, "a plain file has letters of ASCII only");
    }
    p->line = 1;
}

node *plain_parse(const char *text, size_t length, arena *memory, node_report *report, void *to) {
    size_t skip = text_mark(text, length);
    plain p = {.at = text + skip,
               .end = text + length,
               .row = text + skip,
               .line = 1,
               .memory = memory,
               .report = report,
               .to = to};
    check_letters(&p);
    node *root = NULL;
    if (find_line(&p)) {
        if (p.at > p.row) refuse(&p, "the keys of a file begin at its margin");
        root = p.failed ? NULL : read_map(&p);
        if (!p.failed && p.at < p.end) refuse(&p, "the keys of a file begin at its margin");
    }
    if (!p.failed && !root) refuse(&p, "the file is empty");
    return p.failed ? NULL : root;
}
