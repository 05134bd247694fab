/* compile.c - from a graph to instructions: what depends on uniform inputs only is done once, and a
 * register is used again when its value is no longer wanted. */
#include "machine.h"

#include <string.h>

typedef struct compiler {
    expr_graph *g;
    expr_program *p;
    const unsigned char *uniform;
    int frozen; /* variable, -1 if none */
    int end;
    unsigned char *reached;
    unsigned char *single; /* node: one value for all elements */
    int *slot;             /* node: its register */
    int *last;             /* node: the last one that reads it */
    int *free_slots;
    int n_free;
} compiler;

/* The input that a node is, or -1. */
static int input_of(const compiler *c, expr_id id) {
    const expr_node *n = &c->g->nodes[id];
    if (n->op == EXPR_VAR) return n->index;
    if ((n->op != EXPR_ABS && n->op != EXPR_SIGN) || c->frozen < 0) return -1;
    const expr_node *of = &c->g->nodes[n->at[0]];
    if (of->op != EXPR_VAR || of->index != c->frozen) return -1;
    return c->g->n_variables + (n->op == EXPR_SIGN);
}

static int is_leaf(const compiler *c, expr_id id) {
    return c->g->nodes[id].constant || input_of(c, id) >= 0;
}

/* Leaves and what needs no variable are not looked into; then which nodes hold one value, and who
 * reads them last. */
static void look(compiler *c, const expr_id *roots, int count) {
    const expr_node *nodes = c->g->nodes;
    memset(c->reached, 0, (size_t)c->end);
    for (int i = 0; i < count; i++) {
        c->reached[roots[i]] = 1;
        c->last[roots[i]] = c->end;
    }
    for (int i = c->end - 1; i >= 0; i--)
        for (int k = 0; c->reached[i] && !is_leaf(c, i) && k < expr_ops[nodes[i].op].arity; k++) {
            c->reached[nodes[i].at[k]] = 1;
            if (c->last[nodes[i].at[k]] < i) c->last[nodes[i].at[k]] = i;
        }
    for (int i = 0; i < c->end; i++) {
        if (!c->reached[i]) continue;
        int input = input_of(c, i), single = 1;
        if (input >= 0)
            single = input < c->g->n_variables && c->uniform && c->uniform[input];
        else if (!nodes[i].constant)
            for (int k = 0; k < expr_ops[nodes[i].op].arity; k++)
                single &= c->single[nodes[i].at[k]];
        c->single[i] = (unsigned char)single;
    }
}

static void emit(compiler *c, instruction *list, int *n, expr_id id) {
    const expr_node *node = &c->g->nodes[id];
    instruction *ins = &list[(*n)++];
    *ins = (instruction){.op = node->op, .to = c->slot[id]};
    for (int k = 0; k < expr_ops[node->op].arity; k++) ins->at[k] = c->slot[node->at[k]];
}

/* Everything with one value: a register each. */
static void place_single(compiler *c) {
    expr_program *p = c->p;
    for (int i = 0; i < c->end; i++) {
        if (!c->reached[i] || !c->single[i]) continue;
        int input = input_of(c, i);
        c->slot[i] = p->n_uniform++;
        if (c->g->nodes[i].constant)
            p->constants[p->n_constants++] = (constant){c->slot[i], c->g->nodes[i].value};
        else if (input >= 0)
            p->uniform_inputs[input] = c->slot[i];
        else
            emit(c, p->once, &p->n_once, i);
    }
}

/* The others. The register of the result is never one of the operands, so that the loops may
 * assume that they do not overlap. */
static void place_varying(compiler *c) {
    expr_program *p = c->p;
    p->n_registers = p->n_uniform + p->n_inputs;
    for (int i = 0; i < c->end; i++) {
        if (!c->reached[i] || c->single[i]) continue;
        int input = input_of(c, i);
        if (input >= 0) {
            c->slot[i] = p->n_uniform + input;
            p->needed[input] = 1;
            continue;
        }
        c->slot[i] = c->n_free > 0 ? c->free_slots[--c->n_free] : p->n_registers++;
        emit(c, p->each, &p->n_each, i);
        const expr_node *n = &c->g->nodes[i];
        for (int k = 0; k < expr_ops[n->op].arity; k++) {
            expr_id a = n->at[k];
            int again = (k > 0 && a == n->at[0]) || (k > 1 && a == n->at[1]);
            if (c->last[a] == i && !again && !c->single[a] && input_of(c, a) < 0)
                c->free_slots[c->n_free++] = c->slot[a];
        }
    }
}

static int take_room(compiler *c, int count) {
    expr_program *p = c->p;
    size_t n = (size_t)c->end + 1, inputs = (size_t)p->n_inputs + 1;
    c->single = calloc(n, 1);
    c->slot = calloc(n, sizeof *c->slot);
    c->last = calloc(n, sizeof *c->last);
    c->free_slots = calloc(n, sizeof *c->free_slots);
    p->once = malloc(n * sizeof *p->once); /* written one by one */
    p->each = malloc(n * sizeof *p->each);
    p->constants = malloc(n * sizeof *p->constants);
    p->uniform_inputs = calloc(inputs, sizeof *p->uniform_inputs);
    p->needed = calloc(inputs, 1);
    p->roots = calloc((size_t)count + 1, sizeof *p->roots);
    if (!c->single || !c->slot || !c->last || !c->free_slots || !p->once || !p->each ||
        !p->constants || !p->uniform_inputs || !p->needed || !p->roots)
        return 0;
    for (int i = 0; i < p->n_inputs; i++) p->uniform_inputs[i] = -1;
    return 1;
}

static void fill(compiler *c, const expr_id *roots, int count) {
    look(c, roots, count);
    place_single(c);
    place_varying(c);
    c->p->n_roots = count;
    for (int i = 0; i < count; i++) c->p->roots[i] = c->slot[roots[i]];
}

expr_program *expr_program_new(expr_graph *g, const expr_id *roots, int count,
                               const expr_compile *how) {
    expr_program *p = calloc(1, sizeof *p);
    expr_id *simple = malloc(sizeof *simple * ((size_t)count + 1));
    compiler c = {.g = g, .p = p, .frozen = how ? how->frozen - 1 : -1};
    int good = 0;
    if (how) c.uniform = how->uniform;
    if (p && simple && expr_simplify(g, roots, count, simple)) {
        p->n_inputs = g->n_variables + 2;
        c.reached = graph_reached(g, simple, count, &c.end);
        if (c.reached && take_room(&c, count)) {
            fill(&c, simple, count);
            good = 1;
        }
    }
    free(simple);
    free(c.reached);
    free(c.single);
    free(c.slot);
    free(c.last);
    free(c.free_slots);
    if (good) return p;
    graph_fail(g, "not enough memory");
    expr_program_free(p);
    return NULL;
}

void expr_program_free(expr_program *p) {
    if (!p) return;
    free(p->once);
    free(p->each);
    free(p->constants);
    free(p->uniform_inputs);
    free(p->needed);
    free(p->roots);
    free(p);
}

int expr_program_length(const expr_program *p, int uniform) {
    return uniform ? p->n_once : p->n_each;
}
