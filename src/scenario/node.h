/* node.h - a YAML file as a tree with line numbers. */
#ifndef BRI_NODE_H
#define BRI_NODE_H

#include "arena.h"
#include "bristle_tools.h"

typedef enum node_kind { NODE_SCALAR, NODE_LIST, NODE_MAP } node_kind;

typedef struct node node;
struct node {
    node_kind kind;
    int line;         /* 0: comes from an override */
    int key_line;     /* of the key, where the value starts on another line */
    int column;       /* where the value starts, from 1; 0: comes from an override */
    int block;        /* a text below its key (|): its lines are those that follow */
    const char *text; /* of a scalar, never NULL there */
    const char *key;  /* in a map */
    const char *name; /* of an element in a list, for messages; NULL: its place */
    int place;        /* in a list, from 1 */
    int count;        /* of children */
    node *up, *first, *last, *next;
};

enum { MAX_FILE = 16 << 20, MAX_DEPTH = 32, MAX_NODES = 1000000 };

/* Told of everything that is wrong with the text. */
typedef void node_report(void *to, int line, bri_status status, const char *words);

/* The tree of a text in UTF-8; NULL after a report. A duplicate key is reported and left out. */
node *node_parse(const char *text, size_t length, arena *memory, node_report *report, void *to);

/* The two ways to it: without libyaml what is plain, see plain_yaml.c; by libyaml, see yaml.c. */
node *plain_parse(const char *text, size_t length, arena *memory, node_report *report, void *to);
node *whole_parse(const char *text, size_t length, arena *memory, node_report *report, void *to);

/* Length of the byte order mark that some editors put before UTF-8 text, 0 if there is none. */
size_t text_mark(const char *text, size_t length);

/* The child of that key, or NULL. */
node *node_get(const node *map, const char *key);

/* Put child at the end of parent, or in the place of one with the same key. */
void node_put(node *parent, node *child);

/* "contacts.pad.mu_s", "drives.push.force.table.t[3]". */
void node_path(const node *n, char *text, size_t size);

/* "a list", "a map", "'3 mm'", for messages. */
void node_show(const node *n, char *text, size_t size);

#endif
