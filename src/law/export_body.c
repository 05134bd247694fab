/* export_body.c - the inside of an exported function: a statement per name of the law and per node
 * that is used more than once. */
#include "export.h"

#include "../expr/ops.h"

#include <stdlib.h>
#include <string.h>

enum { NAME_ROOM = 80, TEXT_ROOM = 20000 };

typedef struct export_code {
    expr_id *simple; /* roots */
    int end, n_names;
    unsigned char *uses; /* of each node: 0, 1, 2 for more */
    expr_name *names;
    char (*room)[NAME_ROOM];
    char text[TEXT_ROOM];
} export_code;

static int is_leaf(const law *l, expr_id id) {
    const expr_node *n = expr_at(l->g, id);
    if (n->op == EXPR_NEG) n = expr_at(l->g, n->at[0]);
    return expr_ops[n->op].arity == 0;
}

static void count_uses(export_code *c, const law *l, int count) {
    for (int i = 0; i < count; i++)
        if (c->uses[c->simple[i]] < 2) c->uses[c->simple[i]]++;
    for (int i = c->end - 1; i >= 0; i--) {
        const expr_node *n = expr_at(l->g, i);
        for (int k = 0; c->uses[i] && k < expr_ops[n->op].arity; k++)
            if (c->uses[n->at[k]] < 2) c->uses[n->at[k]]++;
    }
}

static void add_name(exporter *e, expr_id id, const char *name, const char *behind) {
    export_code *c = e->code;
    char *room = c->room[c->n_names];
    if (id < 0 || id >= c->end || !c->uses[id] || is_leaf(e->page, id)) return;
    if (expr_at(e->page->g, id)->constant) return;
    for (int i = 0; i < c->n_names; i++)
        if (c->names[i].id == id) return;
    expr_print_name(name, e->style, room, NAME_ROOM - 8);
    strcat(room, behind);
    for (int i = 0; i < c->n_names; i++) /* a name means one thing */
        if (strcmp(c->names[i].name, room) == 0) return;
    c->names[c->n_names++] = (expr_name){id, room};
}

static int name_nodes(exporter *e) {
    export_code *c = e->code;
    law *l = e->page;
    char number[24];
    for (int i = 0; i < expr_definitions(l->g); i++) {
        const expr_definition *d = expr_definition_at(l->g, i);
        expr_id id;
        if (!expr_simplify(l->g, &d->id, 1, &id)) return 0;
        add_name(e, id, d->name, d->rate ? "_rate" : "");
    }
    for (int i = 0, t = 0; i < c->end; i++)
        if (c->uses[i] > 1 && !is_leaf(l, i)) {
            snprintf(number, sizeof number, "law_t%d", ++t);
            add_name(e, i, number, "");
        }
    return 1;
}

/* Variables that are needed: inputs are arguments, the others come out of arrays. */
static void put_variables(exporter *e, const char *indent) {
    const law *l = e->page;
    const char *own = e->style == EXPR_C ? "const double " : "";
    const char *end = e->style == EXPR_PYTHON ? "" : ";";
    if (e->style == EXPR_ST) return; /* there they are what the block is given */
    for (int i = 0; i < e->code->end; i++) {
        const expr_node *n = expr_at(l->g, i);
        int state = n->index - LAW_STATES, param = state - l->n_states;
        if (!e->code->uses[i] || n->op != EXPR_VAR || state < 0) continue;
        put(e, "%s%s", indent, own);
        put_name(e, expr_variable_name(l->g, n->index));
        if (param < 0) {
            if (e->style == EXPR_MATLAB)
                put(e, " = law_z(%d)%s\n", state + 1, end);
            else
                put(e, " = law_z[%d]%s\n", state, end);
        } else {
            put(e, e->style == EXPR_C ? " = law_p->" : " = law_p.");
            put_name(e, expr_variable_name(l->g, n->index));
            put(e, "%s\n", end);
        }
    }
}

static int by_id(const void *a, const void *b) {
    const expr_name *m = a, *n = b;
    return m->id < n->id ? -1 : m->id > n->id;
}

/* 0: there are too many. The same name means the same in all parts of a block. */
static int declare(exporter *e, const char *name, int truth) {
    if (e->style != EXPR_ST) return 1;
    for (int i = 0; i < e->n_locals; i++)
        if (strcmp(e->locals[i].name, name) == 0) {
            e->locals[i].truth |= truth;
            return 1;
        }
    if (e->n_locals == EXPORT_LOCALS) return 0;
    export_local *local = &e->locals[e->n_locals++];
    snprintf(local->name, sizeof local->name, "%s", name);
    local->truth = truth;
    return 1;
}

static int put_statements(exporter *e, const char *indent) {
    export_code *c = e->code;
    law *l = e->page;
    const expr_names names = {.at = c->names, .count = c->n_names};
    const char *end = e->style == EXPR_PYTHON ? "" : ";";
    qsort(c->names, (size_t)c->n_names, sizeof *c->names, by_id);
    for (int i = 0; i < c->n_names; i++) {
        expr_id id = c->names[i].id;
        const char *own = e->style != EXPR_C            ? ""
                          : expr_is_condition(l->g, id) ? "const int "
                                                        : "const double ";
        if (expr_print(l->g, id, e->style, &names, c->text, sizeof c->text) < 0) return 0;
        put(e, e->style == EXPR_ST ? "%s%s%s := %s%s\n" : "%s%s%s = %s%s\n", indent, own,
            c->names[i].name, c->text, end);
        if (!declare(e, c->names[i].name, expr_is_condition(l->g, id))) return 0;
    }
    return 1;
}

int export_open(exporter *e, const expr_id *roots, int count, const char *indent) {
    export_code *c = e->code = calloc(1, sizeof *c);
    law *l = e->page;
    int good = 0;
    if (c) c->simple = malloc(sizeof *c->simple * ((size_t)count + 1));
    if (c && c->simple && expr_simplify(l->g, roots, count, c->simple)) {
        c->end = expr_count(l->g);
        c->uses = calloc((size_t)c->end + 1, 1);
        c->names = calloc((size_t)c->end + 1, sizeof *c->names);
        c->room = calloc((size_t)c->end + 1, sizeof *c->room);
        if (c->uses && c->names && c->room) {
            count_uses(c, l, count);
            good = name_nodes(e);
        }
    }
    if (good) {
        put_variables(e, indent);
        good = put_statements(e, indent);
    }
    if (!good) {
        int room = c && c->simple && c->uses && c->names && c->room;
        e->failure = expr_failure(l->g) ? expr_failure(l->g)
                     : room             ? "an expression is too long"
                                        : EXPORT_NO_MEMORY;
        export_close(e);
    }
    return good;
}

const char *export_root(exporter *e, int i) {
    export_code *c = e->code;
    const expr_names names = {.at = c->names, .count = c->n_names};
    for (int k = 0; k < c->n_names; k++)
        if (c->names[k].id == c->simple[i]) return c->names[k].name;
    if (expr_print(e->page->g, c->simple[i], e->style, &names, c->text, sizeof c->text) < 0)
        e->failure = "an expression is too long";
    return c->text;
}

void export_close(exporter *e) {
    export_code *c = e->code;
    e->code = NULL;
    if (!c) return;
    free(c->simple);
    free(c->uses);
    free(c->names);
    free(c->room);
    free(c);
}
