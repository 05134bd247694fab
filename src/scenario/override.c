/* override.c - changes to the tree before it is understood, "pad.sigma0" = "2e5 N/m".
 *
 * A path begins with the name of an element or with a key of the file. What it names is replaced,
 * or added where it is not there; whether it makes sense is found out when the tree is read. */
#include "reader.h"

#include <stdio.h>
#include <string.h>

typedef struct change {
    reader *r;
    const bri_override *given;
} change;

static void refuse(const change *c, const char *words) {
    char text[480];
    snprintf(text, sizeof text, "%.80s=%.60s: %s", c->given->key, c->given->value, words);
    report_line(c->r, 0, BRI_NOT_FOUND, text);
}

static void bad_value(void *to, int line, bri_status status, const char *words) {
    const change *c = to;
    (void)line;
    if (status == BRI_NO_MEMORY)
        report_memory(c->r);
    else
        refuse(c, words);
}

static void forget_lines(node *n) {
    n->line = n->key_line = 0;
    for (node *child = n->first; child; child = child->next) forget_lines(child);
}

static void no_such_start(const change *c, const char *word) {
    choice names = {0};
    int count;
    char hint[200], words[300];
    const bri_param *rows = bri_scenario_keys("", &count);
    for (int i = 0; i < c->r->s->n_groups; i++) choice_add(&names, c->r->s->groups[i].name);
    choice_rows(&names, rows, count);
    choice_hint(&names, word, hint, sizeof hint);
    snprintf(words, sizeof words, "there is no '%.60s'%s", word, hint);
    refuse(c, words);
}

/* The child of that name, made if it is not there; NULL if there can be none. */
static node *step_into(const change *c, node *at, const char *word) {
    char words[300], shown[80], path[120];
    if (at->kind == NODE_LIST)
        for (node *n = at->first; n; n = n->next)
            if (n->name && strcmp(n->name, word) == 0) return n;
    if (at->kind != NODE_MAP) {
        node_show(at, shown, sizeof shown);
        node_path(at, path, sizeof path);
        snprintf(words, sizeof words, "%s is %s, which has no '%.40s'", path, shown, word);
        refuse(c, words);
        return NULL;
    }
    node *n = node_get(at, word);
    if (n) return n;
    n = ARENA_NEW(c->r->memory, node, 1);
    char *key = ARENA_NEW(c->r->memory, char, strlen(word) + 1);
    if (!n || !key) {
        report_memory(c->r);
        return NULL;
    }
    strcpy(key, word);
    *n = (node){.kind = NODE_MAP, .key = key};
    node_put(at, n);
    return n;
}

/* Put the value in the place of what stands there. */
static void put_value(const change *c, node *at) {
    change copy = *c;
    if (!c->given->value[strspn(c->given->value, " ")]) {
        refuse(c, "a value is missing");
        return;
    }
    node *value =
        node_parse(c->given->value, strlen(c->given->value), c->r->memory, bad_value, &copy);
    if (!value) return;
    forget_lines(value);
    at->kind = value->kind;
    at->text = value->text;
    at->first = value->first;
    at->last = value->last;
    at->count = value->count;
    at->line = at->key_line = 0;
    for (node *n = at->first; n; n = n->next) n->up = at;
}

void apply_override(reader *r, node *root, const bri_override *given) {
    change c = {r, given};
    char word[80];
    const char *rest = given->key;
    node *at = NULL;
    r->quiet++; /* names only; mistakes are found when all is read */
    int found = find_groups(r, root);
    r->quiet--;
    if (!found) {
        report_memory(r);
        return;
    }
    for (int depth = 0; rest; depth++) {
        const char *dot = strchr(rest, '.');
        size_t length = dot ? (size_t)(dot - rest) : strlen(rest);
        if (length == 0 || length >= sizeof word || depth >= MAX_DEPTH) {
            refuse(&c, "is no path of names and keys, such as pad.sigma0");
            return;
        }
        memcpy(word, rest, length);
        word[length] = '\0';
        rest = dot ? dot + 1 : NULL;
        const group *g = depth == 0 && rest ? find_group(r, word) : NULL;
        node *named = depth == 0 ? node_get(root, "parameters") : NULL;
        if (named && named->kind == NODE_MAP && !rest && (named = node_get(named, word)) != NULL) {
            at = named;
        } else if (g) {
            at = g->at;
        } else if (depth == 0 && !row_of("", word)) {
            if (!rest && find_group(r, word))
                refuse(&c, "says which element, but not which of its keys");
            else
                no_such_start(&c, word);
            return;
        } else if ((at = step_into(&c, depth == 0 ? root : at, word)) == NULL) {
            return;
        }
    }
    put_value(&c, at);
}
