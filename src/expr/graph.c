/* graph.c - nodes, each of them once, the names they are known by, and walks over them. */
#include "graph.h"

#include <stdint.h>
#include <string.h>

static const expr_limits usual = {
    .nodes = 50000, .depth = 200, .levels = 2000, .length = 100000, .work = 20000000};

expr_graph *expr_new(const expr_limits *limits) {
    expr_graph *g = calloc(1, sizeof *g);
    if (!g) return NULL;
    g->limits = usual;
    if (limits) {
        if (limits->nodes > 0) g->limits.nodes = limits->nodes;
        if (limits->depth > 0) g->limits.depth = limits->depth;
        if (limits->levels > 0) g->limits.levels = limits->levels;
        if (limits->length > 0) g->limits.length = limits->length;
        if (limits->work > 0) g->limits.work = limits->work;
    }
    g->read_unit = expr_unit_si;
    return g;
}

void expr_free(expr_graph *g) {
    if (!g) return;
    free(g->nodes);
    free(g->table);
    free((void *)g->names);
    free(g->variables);
    free(g->has_rate);
    free(g->symbols);
    free(g->definitions);
    arena_free(&g->memory);
    free(g);
}

void expr_units(expr_graph *g, expr_unit_reader *read, void *to) {
    g->read_unit = read;
    g->read_to = to;
}

const expr_node *expr_at(const expr_graph *g, expr_id id) { return &g->nodes[id]; }
int expr_count(const expr_graph *g) { return g->count; }
const char *expr_failure(const expr_graph *g) { return g->failure; }

expr_id graph_fail(expr_graph *g, const char *why) {
    if (!g->failure) g->failure = why;
    return EXPR_NONE;
}

void expr_lacks_memory(expr_graph *g) { graph_fail(g, "not enough memory"); }

int graph_work(expr_graph *g, long n) {
    g->work += n;
    if (g->work <= g->limits.work) return 1;
    graph_fail(g, "the expressions take too much work");
    return 0;
}

int graph_grow(expr_graph *g, void **array, int count, int *room, size_t size) {
    if (count < *room) return 1;
    int wanted = *room ? 2 * *room : 64;
    void *larger = realloc(*array, (size_t)wanted * size);
    if (!larger) {
        graph_fail(g, "not enough memory");
        return 0;
    }
    *array = larger;
    *room = wanted;
    return 1;
}

/* ---- each node once ------------------------------------------------------------------------ */

static uint64_t mix(uint64_t h, uint64_t x) {
    h = (h ^ x) * 0x9e3779b97f4a7c15u;
    return h ^ h >> 29;
}

static uint64_t hash(const expr_node *n) {
    uint64_t bits = 0, h = mix(17, (uint64_t)n->op);
    for (int i = 0; i < 3; i++) h = mix(h, (uint64_t)(uint32_t)n->at[i]);
    h = mix(h, (uint64_t)n->index);
    if (n->op == EXPR_CONST) {
        memcpy(&bits, &n->value, sizeof bits);
        h = mix(h, bits);
        for (int i = 0; i < EXPR_BASES; i++) h = mix(h, (uint64_t)(uint16_t)n->dim.e[i]);
    }
    return h;
}

static int same(const expr_node *a, const expr_node *b) {
    if (a->op != b->op || a->index != b->index || memcmp(a->at, b->at, sizeof a->at) != 0) return 0;
    return a->op != EXPR_CONST ||
           (memcmp(&a->value, &b->value, sizeof a->value) == 0 && expr_dim_equal(a->dim, b->dim));
}

static int *place(expr_graph *g, const expr_node *n) {
    uint64_t mask = (uint64_t)g->table_size - 1, i = hash(n) & mask; /* a power of two */
    while (g->table[i] >= 0 && !same(&g->nodes[g->table[i]], n)) i = (i + 1) & mask;
    return &g->table[i];
}

static int enlarge_table(expr_graph *g) {
    int size = g->table_size ? 2 * g->table_size : 256;
    int *table = malloc(sizeof *table * (size_t)size);
    if (!table) {
        graph_fail(g, "not enough memory");
        return 0;
    }
    for (int i = 0; i < size; i++) table[i] = -1;
    free(g->table);
    g->table = table;
    g->table_size = size;
    for (int i = 0; i < g->count; i++) *place(g, &g->nodes[i]) = i;
    return 1;
}

static expr_id add_node(expr_graph *g, const expr_node *n) {
    if (!graph_work(g, 1)) return EXPR_NONE;
    if (2 * (g->count + 1) > g->table_size && !enlarge_table(g)) return EXPR_NONE;
    int *at = place(g, n);
    if (*at >= 0) return *at;
    if (g->count >= g->limits.nodes) return graph_fail(g, "the expressions are too large");
    if (n->depth > g->limits.levels) return graph_fail(g, "the expressions are nested too deeply");
    if (!graph_grow(g, (void **)&g->nodes, g->count, &g->room, sizeof *g->nodes)) return EXPR_NONE;
    g->nodes[g->count] = *n;
    return *at = g->count++;
}

static const expr_node blank = {
    .at = {EXPR_NONE, EXPR_NONE, EXPR_NONE}, .depth = 1, .plain = EXPR_NONE};

expr_id expr_number(expr_graph *g, double value, expr_dim dim) {
    expr_node n = blank;
    n.op = EXPR_CONST;
    n.constant = 1;
    n.value = fabs(value);
    n.dim = value == 0.0 ? dim_any : dim.any ? dim_one : dim;
    if (!isfinite(n.value)) return graph_fail(g, "a constant is not finite");
    expr_id id = add_node(g, &n);
    return value < 0.0 ? expr_make(g, EXPR_NEG, id, EXPR_NONE, EXPR_NONE) : id;
}

expr_id expr_make(expr_graph *g, expr_op op, expr_id a, expr_id b, expr_id c) {
    expr_node n = blank;
    const expr_id all[3] = {a, b, c};
    double x[3] = {0.0, 0.0, 0.0};
    n.op = op;
    n.constant = 1;
    for (int i = 0; i < expr_ops[op].arity; i++) {
        if (all[i] < 0 || all[i] >= g->count) return EXPR_NONE;
        n.at[i] = all[i];
    }
    int known_as = g->table_size > 0 ? *place(g, &n) : EXPR_NONE;
    if (known_as >= 0 && !g->nodes[known_as].mismatch) { /* most have been made before */
        g->mismatch[0] = '\0';
        return graph_work(g, 1) ? known_as : EXPR_NONE;
    }
    for (int i = 0; i < expr_ops[op].arity; i++) {
        const expr_node *child = &g->nodes[n.at[i]];
        n.constant &= child->constant;
        x[i] = child->value;
        if (child->depth >= n.depth) n.depth = child->depth + 1;
    }
    n.value = n.constant ? expr_apply(op, x[0], x[1], x[2]) : 0.0;
    int known = op == EXPR_POW && g->nodes[b].constant;
    n.dim = graph_dimension(g, op, n.at, x[1], known);
    n.mismatch = g->mismatch[0] != '\0';
    return add_node(g, &n);
}

/* ---- names --------------------------------------------------------------------------------- */

const char *graph_copy(expr_graph *g, const char *text, size_t length) {
    char *copy = ARENA_NEW(&g->memory, char, length + 1);
    if (copy)
        memcpy(copy, text, length);
    else
        graph_fail(g, "not enough memory");
    return copy;
}

const symbol *graph_symbol(const expr_graph *g, const char *name, int function, int rate) {
    for (int i = 0; i < g->n_symbols; i++) {
        const symbol *s = &g->symbols[i];
        if ((s->kind == SYMBOL_FUNCTION) == function && s->rate == rate &&
            strcmp(s->name, name) == 0)
            return s;
    }
    return NULL;
}

symbol *graph_add_symbol(expr_graph *g, const char *name, symbol_kind kind, int rate) {
    const char *copy = graph_copy(g, name, strlen(name));
    if (!copy ||
        !graph_grow(g, (void **)&g->symbols, g->n_symbols, &g->symbols_room, sizeof *g->symbols))
        return NULL;
    symbol *s = &g->symbols[g->n_symbols++];
    *s = (symbol){.name = copy, .kind = kind, .rate = rate, .id = EXPR_NONE};
    return s;
}

static expr_id add_variable(expr_graph *g, const char *name, expr_dim dim) {
    int room = g->variables_room;
    expr_node n = blank;
    n.op = EXPR_VAR;
    n.index = g->n_variables;
    n.dim = dim;
    if (!graph_grow(g, (void **)&g->variables, g->n_variables, &room, sizeof *g->variables))
        return EXPR_NONE;
    room = g->variables_room;
    if (!graph_grow(g, (void **)&g->names, g->n_variables, &room, sizeof *g->names))
        return EXPR_NONE;
    if (!graph_grow(g, (void **)&g->has_rate, g->n_variables, &g->variables_room, 1))
        return EXPR_NONE;
    expr_id id = add_node(g, &n);
    if (id < 0) return id;
    g->variables[g->n_variables] = id;
    g->has_rate[g->n_variables] = 0;
    g->names[g->n_variables++] = name;
    return id;
}

expr_id graph_argument(expr_graph *g) { return add_variable(g, NULL, dim_any); }

static int is_name(const char *s) {
    size_t n = strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.");
    if (n == 0 || s[n] || n > NAME_MOST || (s[0] >= '0' && s[0] <= '9') || s[0] == '.') return 0;
    return strcmp(s, "and") != 0 && strcmp(s, "or") != 0 && strcmp(s, "not") != 0 &&
           strcmp(s, "pi") != 0;
}

expr_id expr_variable(expr_graph *g, const char *name, expr_dim dim) {
    if (!is_name(name) || graph_symbol(g, name, 0, 0))
        return graph_fail(g, "a variable has a name that is none or that is taken");
    symbol *s = graph_add_symbol(g, name, SYMBOL_VARIABLE, 0);
    return s ? s->id = add_variable(g, s->name, dim) : EXPR_NONE;
}

int expr_variables(const expr_graph *g) { return g->n_variables; }
const char *expr_variable_name(const expr_graph *g, int index) { return g->names[index]; }
expr_id expr_variable_at(const expr_graph *g, int index) { return g->variables[index]; }

int expr_has_rate(expr_graph *g, const char *name) {
    const symbol *s = graph_symbol(g, name, 0, 0);
    if (!s || s->kind != SYMBOL_VARIABLE || s->id < 0) return 0;
    g->has_rate[g->nodes[s->id].index] = 1;
    return 1;
}

int expr_definitions(const expr_graph *g) { return g->n_definitions; }
const expr_definition *expr_definition_at(const expr_graph *g, int i) { return &g->definitions[i]; }

const expr_definition *expr_find(const expr_graph *g, const char *name, int rate) {
    for (int i = 0; i < g->n_definitions; i++)
        if (g->definitions[i].rate == rate && strcmp(g->definitions[i].name, name) == 0)
            return &g->definitions[i];
    return NULL;
}

int expr_is_condition(const expr_graph *g, expr_id id) {
    return expr_gives_condition(g->nodes[id].op);
}
