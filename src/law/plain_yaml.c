/* plain_yaml.c - the YAML that law files are written in, for the generator, which is built before
 * everything else and on every machine: it needs the C library only. Block maps, {maps} and [lists]
 * within a line, plain and "quoted" texts, blocks | and >-, comments. Everything else is refused;
 * the tree is the one that libyaml makes. */
#include "../scenario/node.h"

#include <stdio.h>
#include <string.h>

typedef struct plain {
    const char *at, *end; /* what is left of the text */
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

/* Go to the next line that says something; 0 at the end. */
static int find_line(plain *p) {
    while (p->at < p->end) {
        p->at = p->row + indent_of(p);
        if (peek(p) == '\t') refuse(p, "a tab: YAML indents with blanks");
        if (!ends_line(p)) return !p->failed;
        next_line(p);
    }
    return 0;
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

static const char *keep(plain *p, const char *text, size_t length) {
    char *copy = ARENA_NEW(p->memory, char, length + 1);
    if (!copy) {
        refuse(p, "not enough memory");
        return "";
    }
    memcpy(copy, text, length);
    return copy;
}

/* ---- values within a line -------------------------------------------------------------------- */

static node *read_value(plain *p, int flow);

/* Up to the quote that ends it; no escapes but \" and \\. */
static const char *quoted(plain *p) {
    char *text = ARENA_NEW(p->memory, char, (size_t)(p->end - p->at) + 1);
    size_t n = 0;
    for (p->at++; text && peek(p) != '"' && peek(p) != '\n'; p->at++) {
        if (*p->at == '\\') p->at++;
        text[n++] = peek(p);
    }
    if (peek(p) != '"') refuse(p, "a quoted text ends on its line");
    p->at += p->at < p->end;
    return text ? text : "";
}

/* A plain text: within brackets it ends at , ] }, as a key at ": ". */
static const char *plain_text(plain *p, int flow, int key) {
    const char *start = p->at, *last = start;
    if (strchr("&*!|>%@`'{}[]\",", peek(p)))
        refuse(p, "this kind of value has no place in a law file");
    for (; !ends_line(p); p->at++) {
        if (flow && strchr(",]}", *p->at)) break;
        if (*p->at == ':' && (p->at + 1 >= p->end || p->at[1] == ' ' || p->at[1] == '\n')) {
            if (key || flow) break;
            refuse(p, "a ':' within a text: put the text in quotes");
        }
        if (*p->at != ' ') last = p->at + 1;
    }
    return keep(p, start, (size_t)(last - start));
}

static const char *read_key(plain *p) {
    const char *key = plain_text(p, 1, 1);
    if (peek(p) != ':') refuse(p, "a key with a ':' behind it is wanted here");
    p->at += p->at < p->end;
    skip_blanks(p);
    return key;
}

static node *read_brackets(plain *p) {
    char close = *p->at == '{' ? '}' : ']';
    node *n = new_node(p, close == '}' ? NODE_MAP : NODE_LIST);
    p->at++;
    if (++p->depth > MAX_DEPTH) refuse(p, "more than 32 levels deep");
    for (skip_blanks(p); n && !p->failed && peek(p) != close; skip_blanks(p)) {
        const char *key = close == '}' ? read_key(p) : NULL;
        node *value = read_value(p, 1);
        if (!value) break;
        value->key = key;
        if (key && node_get(n, key)) refuse(p, "a key is given twice");
        node_put(n, value);
        skip_blanks(p);
        if (peek(p) == ',')
            p->at++;
        else if (peek(p) != close)
            refuse(p, "brackets end on their line, with commas between what is in them");
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
    char *text = ARENA_NEW(p->memory, char, (size_t)(p->end - p->at) + 2);
    size_t n = 0;
    int inner = 0;
    for (next_line(p); text && p->at < p->end; next_line(p)) {
        int indent = indent_of(p), empty = p->row[indent] == '\n' || p->row + indent >= p->end;
        if (!empty && indent <= outer) break;
        if (!empty && inner == 0) inner = indent;
        if (fold && n > 0) text[n++] = ' ';
        const char *from = p->row + (empty || indent < inner ? indent : inner);
        size_t length = strcspn(from, "\n");
        if (length > (size_t)(p->end - from)) length = (size_t)(p->end - from);
        memcpy(text + n, from, length);
        n += length;
        if (!fold) text[n++] = '\n';
    }
    if (!fold)
        while (n > 1 && text[n - 2] == '\n') text[--n] = '\0'; /* one at the end is kept */
    return text ? text : "";
}

static node *read_map(plain *p, int indent);

/* What stands behind a key: on its line, or below it. */
static node *read_behind(plain *p, int indent) {
    char c = peek(p);
    if (c == '|' || (c == '>' && p->at + 1 < p->end && p->at[1] == '-')) {
        node *n = new_node(p, NODE_SCALAR);
        if (n) n->block = c == '|';
        if (n) n->text = read_block(p, indent, c == '>');
        return n;
    }
    if (!ends_line(p)) {
        node *n = read_value(p, 0);
        skip_blanks(p);
        if (!ends_line(p)) refuse(p, "something is left at the end of the line");
        next_line(p);
        return n;
    }
    next_line(p);
    if (find_line(p) && indent_of(p) > indent) return read_map(p, indent_of(p));
    refuse(p, "a key without a value");
    return NULL;
}

static node *read_map(plain *p, int indent) {
    node *map = NULL;
    if (++p->depth > MAX_DEPTH) refuse(p, "more than 32 levels deep");
    while (find_line(p) && indent_of(p) == indent) {
        if (!map) map = new_node(p, NODE_MAP);
        int line = p->line;
        const char *key = read_key(p);
        node *value = p->failed ? NULL : read_behind(p, indent);
        if (!map || !value || p->failed) break;
        value->key = key;
        value->key_line = line;
        if (node_get(map, key)) refuse(p, "a key is given twice");
        node_put(map, value);
    }
    if (!p->failed && p->at < p->end && indent_of(p) > indent) refuse(p, "a line too far in");
    p->depth--;
    return map;
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
    node *root = read_map(&p, 0);
    if (!p.failed && p.at < p.end) refuse(&p, "the keys of a law file begin at its margin");
    if (!p.failed && !root) refuse(&p, "the file is empty");
    return p.failed ? NULL : root;
}
