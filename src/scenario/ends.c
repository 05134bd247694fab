/* ends.c - the bodies that an element joins: "ground", "block", of an array "block3",
 * "block.first", "block.last", or each of them, "block" and "block.next"; in a grid also
 * "block.above". */
#include "reader.h"

#include <ctype.h>
#include <string.h>

static void no_such_body(reader *r, const node *n) {
    choice c = {0};
    char near[260];
    choice_add(&c, "ground");
    for (int i = 0; !flooded(r) && i < r->s->n_groups; i++)
        if (r->s->groups[i].section == BODIES) choice_add(&c, r->s->groups[i].name);
    hint(r, &c, n->text, near, sizeof near);
    report(r, n, BRI_NOT_FOUND, "there is no body '%.60s'%s", n->text, near);
}

/* The body whose name is the first `length` letters of text. */
static const group *body_named(const reader *r, const char *text, size_t length) {
    char name[64];
    if (length >= sizeof name) return NULL;
    memcpy(name, text, length);
    name[length] = '\0';
    const group *g = find_group(r, name);
    return g && g->section == BODIES ? g : NULL;
}

/* A member by its number; 0 if there is none. */
static int numbered(const reader *r, const char *text, body_end *e) {
    size_t all = strlen(text), length = all;
    while (length > 0 && isdigit((unsigned char)text[length - 1])) length--;
    if (length == all || text[length] == '0' || all - length > 8) return 0;
    const group *g = body_named(r, text, length);
    int number = atoi(text + length);
    if (!g || !g->array || number > g->count) return 0;
    *e = (body_end){.body = g, .from = number - 1};
    return 1;
}

int read_end(reader *r, const node *n, body_end *e) {
    if (!want_text(r, n, "the name of a body")) return 0;
    const char *dot = strchr(n->text, '.');
    const group *g = body_named(r, n->text, dot ? (size_t)(dot - n->text) : strlen(n->text));
    *e = (body_end){.body = g, .each = g && g->array, .per_row = g ? g->row : 1};
    if (strcmp(n->text, "ground") == 0 || (g && !dot)) return 1;
    if (!dot && numbered(r, n->text, e)) return 1;
    if (!g) {
        no_such_body(r, n);
        return 0;
    }
    const char *which = dot + 1;
    int next = strcmp(which, "next") == 0, above = strcmp(which, "above") == 0 && g->row < g->count;
    int first = strcmp(which, "first") == 0, last = strcmp(which, "last") == 0;
    if (g->array && (next || above || first || last)) {
        *e = (body_end){.body = g, .each = next || above, .right = next, .up = above};
        e->from = next ? 1 : above ? g->row : last ? g->count - 1 : 0;
        e->per_row = g->row - next;
        return 1;
    }
    if (g->array)
        report(r, n, BRI_NOT_FOUND, "'%.60s': an array has .next, .first and .last%s", n->text,
               g->row < g->count ? ", a grid .above" : "");
    else
        report(r, n, BRI_BAD_VALUE, "'%.60s': %s is one body, not an array (repeat: ...)", n->text,
               g->name);
    return 0;
}

int end_body(const body_end *e, int i) {
    if (!e->body) return BRI_GROUND;
    if (!e->each) return e->body->first + e->from;
    return e->body->first + e->from + i / e->per_row * e->body->row + i % e->per_row;
}

int end_count(const body_end *e) {
    return e->each ? e->per_row * (e->body->count / e->body->row - e->up) : 1;
}

static int turns(const body_end *e) { return e->body && e->body->kind == BRI_ROTOR; }

int pair_turns(const pair *p) { return turns(&p->a) || turns(&p->b); }

/* Nonzero if some element of the pair has the same body at both ends. */
static int meets_itself(const pair *p) {
    if (p->a.body != p->b.body) return 0;
    if (!p->a.body || p->a.each == p->b.each) return p->a.from == p->b.from;
    const body_end *each = p->a.each ? &p->a : &p->b, *one = p->a.each ? &p->b : &p->a;
    return one->from >= each->from;
}

static const char *body_name(const body_end *e) { return e->body ? e->body->name : "ground"; }

int read_pair(reader *r, const node *n, int mixed, pair *p) {
    *p = (pair){.count = 1};
    if (!want_list(r, n, "[a, b]")) return 0;
    if (n->count != 2) {
        report(r, n, BRI_BAD_VALUE, "two bodies are joined, not %d", n->count);
        return 0;
    }
    int a = read_end(r, n->first, &p->a), b = read_end(r, n->last, &p->b);
    if (!a || !b) return 0;
    p->array = p->a.each || p->b.each;
    if (p->a.each && p->b.each && p->a.body->count != p->b.body->count) {
        report(r, n, BRI_BAD_VALUE, "%s has %d bodies and %s has %d", body_name(&p->a),
               p->a.body->count, body_name(&p->b), p->b.body->count);
        return 0;
    }
    if (p->a.each && p->b.each && p->a.body->row != p->b.body->row) {
        report(r, n, BRI_BAD_VALUE, "%s has rows of %d bodies and %s of %d", body_name(&p->a),
               p->a.body->row, body_name(&p->b), p->b.body->row);
        return 0;
    }
    if (p->a.each && p->b.each) { /* members for which both ends are there */
        int right = p->a.right || p->b.right, up = p->a.up || p->b.up;
        p->a.per_row = p->b.per_row = p->a.body->row - right;
        p->a.up = p->b.up = up;
    }
    if (p->array) p->count = end_count(p->a.each ? &p->a : &p->b);
    if (meets_itself(p)) {
        report(r, n, BRI_BAD_VALUE, "joins %s with itself", body_name(&p->a));
        return 0;
    }
    if (!mixed && p->a.body && p->b.body && turns(&p->a) != turns(&p->b)) {
        report(r, n, BRI_BAD_VALUE, "joins a rotor with a body that slides, %s with %s",
               body_name(&p->a), body_name(&p->b));
        return 0;
    }
    return 1;
}

pair *read_pairs(reader *r, section s, const node *(*between)(reader *, const group *),
                 int *total) {
    pair *pairs = ARENA_NEW(r->memory, pair, r->s->n_groups + 1);
    long sum = 0;
    if (!pairs) report_memory(r);
    for (int i = 0; pairs && i < r->s->n_groups; i++) {
        group *g = &r->s->groups[i];
        if (g->section != s) continue;
        const node *n = between(r, g);
        const bri_coupling_kind *kind =
            n && n->key && s == COUPLINGS ? bri_coupling_find(n->key) : NULL;
        g->count = n && read_pair(r, n, kind && kind->rack, &pairs[i]) ? pairs[i].count : 0;
        g->array = pairs[i].array;
        if (sum + g->count > MAX_ELEMENTS) {
            report(r, g->at, BRI_BAD_VALUE, "more than %d of them in all", MAX_ELEMENTS);
            g->count = 0;
        }
        g->first = (int)sum;
        sum += g->count;
    }
    *total = (int)sum;
    return pairs;
}
