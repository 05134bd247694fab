/* yaml.c - from YAML text to a tree, by libyaml where it is not plain.
 *
 * What a scenario has no use for is refused: anchors and aliases (with them a short file can stand
 * for an endless one), tags, several documents, keys that are not words. */
#include "node.h"

#include <stdio.h>
#include <string.h>

#ifdef BRI_HAVE_YAML
#include <yaml.h>

typedef struct loader {
    yaml_parser_t parser;
    const char *text;
    size_t length;
    arena *memory;
    node_report *report;
    void *to;
    node *root, *top; /* top: the list or map being filled */
    node *key;        /* read, waiting for its value */
    int depth, nodes, failed;
} loader;

static void refuse(loader *l, int line, bri_status status, const char *words) {
    l->report(l->to, line, status, words);
    l->failed = 1;
}

static int line_of(yaml_mark_t mark) { return (int)mark.line + 1; }

/* ---- the text itself ----------------------------------------------------------------------- */

/* Length of the UTF-8 character at s, 0 if it is none. */
static size_t character(const unsigned char *s, size_t rest) {
    size_t n = s[0] < 0x80                   ? 1
               : s[0] >= 0xC2 && s[0] < 0xE0 ? 2
               : s[0] >= 0xE0 && s[0] < 0xF0 ? 3
               : s[0] >= 0xF0 && s[0] < 0xF5 ? 4
                                             : 0;
    if (n == 0 || n > rest) return 0;
    for (size_t i = 1; i < n; i++)
        if ((s[i] & 0xC0) != 0x80) return 0;
    if (s[0] == 0xE0 && s[1] < 0xA0) return 0; /* longer than needed */
    if (s[0] == 0xED && s[1] > 0x9F) return 0; /* half a pair of UTF-16 */
    if (s[0] == 0xF0 && s[1] < 0x90) return 0;
    if (s[0] == 0xF4 && s[1] > 0x8F) return 0;
    return n;
}

/* Not UTF-8, or nothing in it but blanks and comments. */
static void check_text(loader *l) {
    const unsigned char *s = (const unsigned char *)l->text;
    char words[120];
    int line = 1;
    for (size_t i = 0, n; i < l->length && !l->failed; i += n) {
        n = character(s + i, l->length - i);
        if (n == 0 || s[i] == 0) {
            snprintf(words, sizeof words, "byte 0x%02X is not text: save the file as UTF-8", s[i]);
            refuse(l, line, BRI_BAD_FILE, words);
            n = 1;
        }
        if (s[i] == '\n') line++;
    }
}

/* The byte at a mark, which counts characters. */
static char byte_at(const loader *l, yaml_mark_t mark) {
    size_t i = 0;
    for (size_t line = 0; line < mark.line && i < l->length; i++) line += l->text[i] == '\n';
    for (size_t k = 0; k < mark.column && i < l->length; k++)
        i += character((const unsigned char *)l->text + i, l->length - i);
    return i < l->length ? l->text[i] : '\0';
}

static void not_yaml(loader *l) {
    const yaml_parser_t *p = &l->parser;
    char words[300];
    int line = line_of(p->problem_mark);
    if (p->error == YAML_MEMORY_ERROR) {
        refuse(l, 0, BRI_NO_MEMORY, "not enough memory");
        return;
    }
    if (p->error == YAML_READER_ERROR) {
        line = 1;
        for (size_t i = 0; i < p->problem_offset && i < l->length; i++) line += l->text[i] == '\n';
    }
    if (p->error != YAML_READER_ERROR && byte_at(l, p->problem_mark) == '\t')
        snprintf(words, sizeof words, "a tab: YAML indents with blanks");
    else
        snprintf(words, sizeof words, "not YAML: %s%s%s", p->context ? p->context : "",
                 p->context ? ", " : "", p->problem ? p->problem : "cannot be read");
    refuse(l, line, BRI_BAD_FILE, words);
}

/* ---- building ------------------------------------------------------------------------------ */

static node *new_node(loader *l, node_kind kind, int line) {
    if (++l->nodes > MAX_NODES) {
        char words[120];
        snprintf(words, sizeof words,
                 "more than %d values: put long tables into a CSV file (table: {file: ...})",
                 MAX_NODES);
        refuse(l, line, BRI_BAD_FILE, words);
        return NULL;
    }
    node *n = ARENA_NEW(l->memory, node, 1);
    if (!n) {
        refuse(l, 0, BRI_NO_MEMORY, "not enough memory");
        return NULL;
    }
    n->kind = kind;
    n->line = n->key_line = line;
    return n;
}

/* Keys are compared when the map is complete, so that a map of many is not searched for each. */
static void append(loader *l, node *n) {
    node *parent = l->top;
    n->up = parent;
    if (!parent) {
        l->root = n;
        return;
    }
    if (parent->kind == NODE_MAP) {
        n->key = l->key->text;
        n->key_line = l->key->line;
        l->key = NULL;
    }
    n->place = ++parent->count;
    if (parent->last)
        parent->last->next = n;
    else
        parent->first = n;
    parent->last = n;
}

static void open_node(loader *l, node_kind kind, const yaml_event_t *e, int marked) {
    int line = line_of(e->start_mark);
    if (marked) {
        refuse(l, line, BRI_BAD_FILE,
               "anchors (&), aliases (*) and tags (!) are not taken: write the value out");
    } else if (l->top && l->top->kind == NODE_MAP && !l->key && kind != NODE_SCALAR) {
        refuse(l, line, BRI_BAD_FILE, "a key must be a word, not a list or a map");
    } else if (kind != NODE_SCALAR && ++l->depth > MAX_DEPTH) {
        refuse(l, line, BRI_BAD_FILE, "more than 32 levels deep");
    }
    node *n = l->failed ? NULL : new_node(l, kind, line);
    if (!n) return;
    n->column = (int)e->start_mark.column + 1;
    if (kind == NODE_SCALAR) {
        n->block = e->data.scalar.style == YAML_LITERAL_SCALAR_STYLE;
        size_t length = e->data.scalar.length;
        char *text = ARENA_NEW(l->memory, char, length + 1);
        if (!text) {
            refuse(l, 0, BRI_NO_MEMORY, "not enough memory");
            return;
        }
        memcpy(text, e->data.scalar.value, length);
        n->text = text;
        if (memchr(text, '\0', length)) refuse(l, line, BRI_BAD_FILE, "a zero byte in a text");
        if (l->top && l->top->kind == NODE_MAP && !l->key) {
            l->key = n;
            return;
        }
    }
    append(l, n);
    if (kind != NODE_SCALAR) l->top = n;
}

static int by_key(const void *a, const void *b) {
    const node *m = *(node *const *)a, *n = *(node *const *)b;
    int order = strcmp(m->key, n->key);
    return order ? order : m->place - n->place;
}

/* Report what is given twice and keep the first. */
static void drop_duplicates(loader *l, node *map) {
    node **sorted = map->count > 1 ? malloc(sizeof *sorted * (size_t)map->count) : NULL;
    int k = 0, kept = 0, doubled = 0;
    if (map->count > 1 && !sorted) refuse(l, 0, BRI_NO_MEMORY, "not enough memory");
    if (!sorted) return;
    for (node *n = map->first; n; n = n->next) sorted[k++] = n;
    qsort(sorted, (size_t)k, sizeof *sorted, by_key);
    for (int i = 1; i < k; i++) {
        if (strcmp(sorted[i]->key, sorted[kept]->key) != 0) {
            kept = i;
            continue;
        }
        char path[200], words[320];
        node_path(sorted[i], path, sizeof path);
        snprintf(words, sizeof words, "%s: is given twice, first in line %d", path,
                 sorted[kept]->key_line);
        l->report(l->to, sorted[i]->key_line, BRI_BAD_VALUE, words);
        sorted[i]->place = 0;
        doubled = 1;
    }
    free(sorted);
    if (!doubled) return;
    node *rest = map->first;
    map->first = map->last = NULL;
    map->count = 0;
    for (node *n = rest, *next; n; n = next) {
        next = n->next;
        n->next = NULL;
        if (!n->place) continue;
        n->place = ++map->count;
        if (map->last)
            map->last->next = n;
        else
            map->first = n;
        map->last = n;
    }
}

static void close_node(loader *l) {
    if (l->top->kind == NODE_MAP) drop_duplicates(l, l->top);
    l->top = l->top->up;
    l->depth--;
}

static void take(loader *l, const yaml_event_t *e) {
    switch (e->type) {
    case YAML_DOCUMENT_START_EVENT:
        if (l->root)
            refuse(l, line_of(e->start_mark), BRI_BAD_FILE,
                   "a second document starts here: one document per file");
        break;
    case YAML_ALIAS_EVENT:
        open_node(l, NODE_SCALAR, e, 1);
        break;
    case YAML_SCALAR_EVENT:
        open_node(l, NODE_SCALAR, e, e->data.scalar.anchor || e->data.scalar.tag);
        break;
    case YAML_SEQUENCE_START_EVENT:
        open_node(l, NODE_LIST, e, e->data.sequence_start.anchor || e->data.sequence_start.tag);
        break;
    case YAML_MAPPING_START_EVENT:
        open_node(l, NODE_MAP, e, e->data.mapping_start.anchor || e->data.mapping_start.tag);
        break;
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        close_node(l);
        break;
    default:
        break;
    }
}

node *whole_parse(const char *text, size_t length, arena *memory, node_report *report, void *to) {
    size_t skip = text_mark(text, length);
    text += skip;
    length -= skip;
    loader l = {.text = text, .length = length, .memory = memory, .report = report, .to = to};
    check_text(&l);
    if (l.failed) return NULL;
    if (!yaml_parser_initialize(&l.parser)) {
        refuse(&l, 0, BRI_NO_MEMORY, "not enough memory");
        return NULL;
    }
    yaml_parser_set_input_string(&l.parser, (const unsigned char *)text, length);
    yaml_parser_set_encoding(&l.parser, YAML_UTF8_ENCODING);
    for (int done = 0; !done && !l.failed;) {
        yaml_event_t event;
        if (!yaml_parser_parse(&l.parser, &event)) {
            not_yaml(&l);
            break;
        }
        take(&l, &event);
        done = event.type == YAML_STREAM_END_EVENT;
        yaml_event_delete(&event);
    }
    yaml_parser_delete(&l.parser);
    if (!l.failed && !l.root) refuse(&l, 0, BRI_BAD_FILE, "the file is empty");
    return l.failed ? NULL : l.root;
}

static void unheard(void *to, int line, bri_status status, const char *words) {
    (void)to, (void)line, (void)status, (void)words;
}

/* libyaml takes more time than all that is done with the tree. Where it is asked, what was read so
 * far stays in the arena. */
node *node_parse(const char *text, size_t length, arena *memory, node_report *report, void *to) {
    node *root = plain_parse(text, length, memory, unheard, NULL);
    return root ? root : whole_parse(text, length, memory, report, to);
}
#else
node *node_parse(const char *text, size_t length, arena *memory, node_report *report, void *to) {
    (void)text, (void)length, (void)memory;
    report(to, 0, BRI_MISSING,
           "this build cannot read YAML; rebuild with libyaml (Debian package libyaml-dev)");
    return NULL;
}
#endif
