/* node.c - working with the tree of a scenario file. */
#include "node.h"

#include <stdio.h>
#include <string.h>

size_t text_mark(const char *text, size_t length) {
    return length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
}

node *node_get(const node *map, const char *key) {
    if (!map || map->kind != NODE_MAP) return NULL;
    for (node *n = map->first; n; n = n->next)
        if (strcmp(n->key, key) == 0) return n;
    return NULL;
}

static void replace(node *parent, node *before, node *old, node *child) {
    child->next = old->next;
    child->place = old->place;
    if (before)
        before->next = child;
    else
        parent->first = child;
    if (parent->last == old) parent->last = child;
}

void node_put(node *parent, node *child) {
    child->up = parent;
    child->next = NULL;
    for (node *n = parent->first, *before = NULL; n && child->key; before = n, n = n->next)
        if (n->key && strcmp(n->key, child->key) == 0) {
            replace(parent, before, n, child);
            return;
        }
    child->place = ++parent->count;
    if (parent->last)
        parent->last->next = child;
    else
        parent->first = child;
    parent->last = child;
}

void node_path(const node *n, char *text, size_t size) {
    size_t used = 0;
    text[0] = '\0';
    if (!n->up) return;
    node_path(n->up, text, size);
    used = strlen(text);
    const char *label = n->key ? n->key : n->name;
    if (label)
        snprintf(text + used, size - used, "%s%.64s", used ? "." : "", label);
    else
        snprintf(text + used, size - used, "[%d]", n->place);
}

void node_show(const node *n, char *text, size_t size) {
    if (n->kind == NODE_SCALAR)
        snprintf(text, size, n->text[0] ? "'%.60s'" : "nothing", n->text);
    else
        snprintf(text, size, n->kind == NODE_LIST ? "a list" : "a map");
}
