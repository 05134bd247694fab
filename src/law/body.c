/* body.c - the inside of a generated function: one statement per name of the law and per node that
 * is used more than once, in the order of the graph. */
#include "emit.h"

#include "expr/ops.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_ROOM = 140, TEXT_ROOM = 20000 };

struct body {
    emitter *e;
    const expr_id *roots;
    expr_id *simple;
    int end, n_names;
    unsigned char *uses;   /* of each node: 0, 1, 2 for more */
    unsigned char *phase;  /* of each node */
    unsigned char *single; /* of each node: 1 needs parameters only, 2 these and the load, 0 more */
    range *ranges;         /* of each node */
    unsigned char *turns;  /* of each node, an angle: see expr_names */
    expr_id *lower;        /* of the slope of a guarded power: the power */
    guards branches;       /* for contacts one by one; on vectors all branches are computed */
    unsigned char *written; /* of each name: 0, WRITING, WRITTEN */
    unsigned char *there;   /* of each node, nonzero: an input that is declared */
    int n_roots;
    const stage *stages;
    int n_stages;
    expr_name *names;
    char (*room)[NAME_ROOM];
    char text[TEXT_ROOM];
};

static int is_leaf(const law *l, expr_id id) {
    const expr_node *n = expr_at(l->g, id);
    if (expr_ops[n->op].arity == 0) return 1;
    const expr_node *of = expr_at(l->g, n->at[0]);
    if (n->op == EXPR_NEG) return of->op == EXPR_CONST || of->op == EXPR_VAR;
    return (n->op == EXPR_ABS || n->op == EXPR_SIGN) && of->op == EXPR_VAR && of->index == LAW_V;
}

/* How often each node is needed; what a leaf is made of is not looked at. */
static void count_uses(body *b, int count) {
    const law *l = b->e->l;
    for (int i = 0; i < count; i++)
        if (b->uses[b->simple[i]] < 2) b->uses[b->simple[i]]++;
    for (int i = b->end - 1; i >= 0; i--) {
        const expr_node *n = expr_at(l->g, i);
        for (int k = 0; b->uses[i] && !is_leaf(l, i) && k < expr_ops[n->op].arity; k++)
            if (b->uses[n->at[k]] < 2) b->uses[n->at[k]]++;
        if (b->uses[i] && b->lower[i] >= 0) b->uses[b->lower[i]] = 2;
    }
    for (int i = 0; i < b->end; i++) { /* variables inside leaves */
        const expr_node *n = expr_at(l->g, i);
        if (b->uses[i] && is_leaf(l, i) && n->op == EXPR_NEG && !b->uses[n->at[0]])
            b->uses[n->at[0]] = 1;
    }
}

/* Slopes of a guarded power are made of the power itself, which costs the most. */
static int find_lower(body *b) {
    expr_graph *g = b->e->l->g;
    for (int i = 0; i < b->end; i++) {
        const expr_node n = *expr_at(g, i);
        b->lower[i] = EXPR_NONE;
        if (n.op != EXPR_GPOW || expr_at(g, n.at[2])->value == 0.0) continue;
        expr_id zero = expr_number(g, 0.0, expr_at(g, n.at[2])->dim);
        b->lower[i] = expr_make(g, EXPR_GPOW, n.at[0], n.at[1], zero);
        if (b->lower[i] >= i) b->lower[i] = EXPR_NONE; /* it is not computed anyway */
    }
    return 1;
}

/* What each node needs: the last phase, and whether parameters and load are enough. */
static void look(body *b) {
    const law *l = b->e->l;
    for (int i = 0; i < b->end; i++) {
        const expr_node *n = expr_at(l->g, i);
        b->single[i] = n->op != EXPR_VAR || n->index >= LAW_STATES + l->n_states ? 1
                       : n->index == LAW_N                                       ? 2
                                                                                 : 0;
        for (int k = 0; n->op == EXPR_VAR && k < b->n_stages; k++)
            if (b->stages[k].variable == n->index) {
                b->phase[i] = (unsigned char)b->stages[k].phase;
                b->single[i] = 0;
            }
        for (int k = 0; k < expr_ops[n->op].arity; k++) {
            if (b->phase[n->at[k]] > b->phase[i]) b->phase[i] = b->phase[n->at[k]];
            unsigned char below = b->single[n->at[k]];
            b->single[i] = !below || !b->single[i] ? 0
                           : below > b->single[i]  ? below
                                                   : b->single[i];
        }
    }
}

/* What is known of the argument of a sine: within a quarter turn, or within many turns. */
static int find_ranges(body *b) {
    b->ranges = ranges_find(b->e->l, b->end);
    for (int i = 0; b->ranges && i < b->end; i++) {
        double most = fmax(-b->ranges[i].low, b->ranges[i].high);
        b->turns[i] = most <= EXPR_PI_VALUE / 2.0 ? 1 : most <= 1e5 ? 2 : 0;
    }
    return b->ranges != NULL;
}

static void add_name(body *b, expr_id id, const char *format, const char *name, const char *by) {
    if (id < 0 || id >= b->end || !b->uses[id] || is_leaf(b->e->l, id)) return;
    if (expr_at(b->e->l->g, id)->constant) return;
    for (int i = 0; i < b->n_names; i++)
        if (b->names[i].id == id) return;
    snprintf(b->room[b->n_names], NAME_ROOM, format, name, by);
    for (int i = 0; i < b->n_names; i++) /* a name means one thing */
        if (strcmp(b->names[i].name, b->room[b->n_names]) == 0) return;
    b->names[b->n_names] = (expr_name){id, b->room[b->n_names]};
    b->n_names++;
}

/* Names of the law for its nodes, and for their derivatives: g, z_rate, g_by_v. */
static int name_nodes(body *b) {
    law *l = b->e->l;
    int n = expr_definitions(l->g);
    for (int i = 0; i < n; i++) {
        const expr_definition *d = expr_definition_at(l->g, i);
        expr_id id;
        if (!expr_simplify(l->g, &d->id, 1, &id)) return 0;
        add_name(b, id, d->rate ? "%s_rate%s" : "%s%s", d->name, "");
    }
    for (int i = 0; i < n; i++)
        for (int k = 0; k < law_param_variable(l, l->n_params); k++) {
            const expr_definition *d = expr_definition_at(l->g, i);
            expr_id id;
            if (!expr_derive(l->g, &d->id, 1, k, &id)) return 0;
            if (id >= b->end || b->uses[id] < 2) continue;
            add_name(b, id, d->rate ? "%s_rate_by_%s" : "%s_by_%s", d->name,
                     expr_variable_name(l->g, k));
        }
    char number[16];
    for (int i = 0, t = 0; i < b->end; i++)
        if (b->uses[i] > 1 && !is_leaf(l, i)) {
            snprintf(number, sizeof number, "%d", ++t);
            add_name(b, i, "law_t%s%s", number, "");
        }
    return 1;
}

static expr_names names_of(const body *b) {
    return (expr_names){.at = b->names,
                        .count = b->n_names,
                        .lower = b->lower,
                        .single = b->single,
                        .turns = b->turns,
                        .frozen = LAW_V + 1,
                        .abs_name = "law_speed",
                        .sign_name = "law_direction"};
}

static int name_at(const body *b, expr_id id) {
    for (int i = 0; i < b->n_names; i++)
        if (b->names[i].id == id) return i;
    return -1;
}

static void emit_input(body *b, const char *name, const char *from, int at) {
    const char *type = b->e->vector ? "vec" : "double";
    if (at >= 0)
        emit(b->e, "    const %s %s = %s[%d];\n", type, name, from, at);
    else
        emit(b->e, "    const %s %s = %s;\n", type, name, from);
}

/* |v| or sgn(v), as a solver that freezes the direction has them. */
static void emit_direction(body *b, int speed) {
    int own = b->e->own_direction || law_own_direction(b->e->l), vector = b->e->vector;
    static const char *const from[2][2][2] = {
        {{"law_direction_of(law_u)", "law_sign_of(law_u->v)"},
         {"law_direction_of(law_v, law_k)", "law_sign(law_v)"}},
        {{"law_speed_of(law_u)", "fabs(law_u->v)"},
         {"law_speed_of(law_v, law_k)", "law_abs(law_v)"}}};
    emit_input(b, speed ? "law_speed" : "law_direction", from[speed][vector][own], -1);
}

static void emit_variable(body *b, const expr_node *n) {
    const law *l = b->e->l;
    const char *name = expr_variable_name(l->g, n->index);
    static const char *const inputs[] = {"law_u->x", "law_u->v", "law_u->n"};
    static const char *const vectors[] = {"law_number(0.0)", "law_v", "law_n"};
    int state = n->index - LAW_STATES, param = state - l->n_states;
    if (state < 0)
        emit_input(b, name, (b->e->vector ? vectors : inputs)[n->index], -1);
    else if (param < 0)
        emit_input(b, name, "law_z", state);
    else if (param < l->n_params)
        emit_input(b, name, "law_p", param);
}

/* The inputs that the text of a node needs and that are not there yet. */
static void emit_inputs(body *b, expr_id id, int whole) {
    const law *l = b->e->l;
    const expr_node *n = expr_at(l->g, id);
    int leaf = is_leaf(l, id), turned = leaf && (n->op == EXPR_ABS || n->op == EXPR_SIGN);
    if (n->constant || (!whole && name_at(b, id) >= 0)) return;
    if (turned || n->op == EXPR_VAR) {
        if (b->there[id]) return;
        b->there[id] = 1;
        if (turned)
            emit_direction(b, n->op == EXPR_ABS);
        else
            emit_variable(b, n);
        return;
    }
    for (int k = 0; k < expr_ops[n->op].arity; k++) emit_inputs(b, n->at[k], 0);
}

static int by_id(const void *a, const void *b) {
    const expr_name *m = a, *n = b;
    return m->id < n->id ? -1 : m->id > n->id;
}

static expr_style style_of(const body *b) { return b->e->vector ? EXPR_VECTOR : EXPR_C; }

/* ---- statements ------------------------------------------------------------------------------ */

enum { WRITING = 1, WRITTEN };

/* Nonzero: a call of the C library is in the text of the node. */
static int is_dear(const body *b, expr_id id) {
    const expr_node *n = expr_at(b->e->l->g, id);
    int dear = guards_is_dear(n->op);
    for (int k = 0; k < expr_ops[n->op].arity && !dear && !is_leaf(b->e->l, id); k++)
        dear = name_at(b, n->at[k]) < 0 && is_dear(b, n->at[k]);
    return dear;
}

static int write_name(body *b, int k, int phase);

/* The names that the text of a node needs. 0: one of them waits for this one, or a failure. */
static int write_below(body *b, expr_id id, int phase) {
    const expr_node *n = expr_at(b->e->l->g, id);
    expr_id below[4] = {n->at[0], n->at[1], n->at[2], b->lower[id]};
    for (int k = 0; k < 4 && !is_leaf(b->e->l, id); k++) {
        int name = below[k] >= 0 ? name_at(b, below[k]) : -1;
        if (below[k] < 0 || (k < 3 && k >= expr_ops[n->op].arity)) continue;
        if (name >= 0 ? !write_name(b, name, phase) : !write_below(b, below[k], phase)) return 0;
    }
    return 1;
}

/* "a < b && !(c) ? ": where the node is needed, as far as that is known by then. 0: everywhere. */
static int write_guard(body *b, expr_id id, int phase) {
    law *l = b->e->l;
    expr_names names = names_of(b);
    int any = 0;
    char guard[TEXT_ROOM] = "";
    if (b->e->vector || expr_is_condition(l->g, id) || !is_dear(b, id)) return 0;
    for (int i = 0; i < 2 * b->branches.count; i++) {
        expr_id condition = b->branches.conditions[i / 2];
        int name = name_at(b, condition);
        if (!(b->branches.needs[id] >> i & 1) || b->phase[condition] > phase) continue;
        if (b->single[condition] == 1)
            continue; /* compilers find choices of the parameters alone */
        if (name >= 0 ? !write_name(b, name, phase) : !write_below(b, condition, phase)) continue;
        if (name < 0) emit_inputs(b, condition, 0);
        if (name < 0 && expr_print(l->g, condition, EXPR_C, &names, b->text, sizeof b->text) < 0)
            continue;
        const char *text = name >= 0 ? b->names[name].name : b->text;
        size_t used = strlen(guard);
        const char *form = name >= 0 ? i % 2 ? "%s!%s" : "%s%s" : i % 2 ? "%s!(%s)" : "%s(%s)";
        if (used + strlen(text) + 10 > sizeof guard) continue;
        snprintf(guard + used, sizeof guard - used, form, any ? " && " : "", text);
        any = 1;
    }
    memcpy(b->text, guard, sizeof guard);
    return any;
}

static int write_name(body *b, int k, int phase) {
    law *l = b->e->l;
    expr_id id = b->names[k].id;
    expr_names names = names_of(b);
    int condition = expr_is_condition(l->g, id);
    const char *type = b->e->vector ? condition ? "mask" : "vec" : condition ? "int" : "double";
    if (b->phase[id] != phase || b->written[k] == WRITTEN) return 1;
    if (b->written[k] == WRITING) return 0;
    b->written[k] = WRITING;
    int good = write_below(b, id, phase), guarded = good && write_guard(b, id, phase);
    b->written[k] = good ? WRITTEN : 0;
    if (!good) return 0;
    emit_inputs(b, id, 1);
    emit(b->e, "    const %s %s = ", type, b->names[k].name);
    if (guarded) emit(b->e, "%s ? ", b->text);
    if (expr_print(l->g, id, style_of(b), &names, b->text, sizeof b->text) < 0) {
        b->e->too_long = 1;
        return 0;
    }
    emit(b->e, guarded ? "%s : 0.0;\n" : "%s;\n", b->text);
    return 1;
}

int body_phase(body *b, int phase) {
    for (int i = 0; i < b->n_names; i++)
        if (!write_name(b, i, phase)) return 0;
    for (int i = 0; i < b->n_roots; i++)
        if (b->phase[b->simple[i]] == phase) emit_inputs(b, b->simple[i], 0);
    return 1;
}

static int take_room(body *b) {
    size_t n = (size_t)b->end + 1;
    b->uses = calloc(n, 1);
    b->phase = calloc(n, 1);
    b->single = calloc(n, 1);
    b->turns = calloc(n, 1);
    b->lower = calloc(n, sizeof *b->lower);
    b->names = calloc(n, sizeof *b->names);
    b->room = calloc(n, sizeof *b->room);
    b->written = calloc(n, 1);
    b->there = calloc(n, 1);
    return b->there && b->turns && b->written && b->uses && b->phase && b->single && b->lower &&
           b->names && b->room;
}

body *body_open(emitter *e, const expr_id *roots, int count, const stage *stages, int n_stages) {
    body *b = calloc(1, sizeof *b);
    law *l = e->l;
    int good = 0;
    if (!b) return NULL;
    b->e = e;
    b->stages = stages;
    b->n_stages = n_stages;
    b->n_roots = count;
    b->simple = malloc(sizeof *b->simple * ((size_t)count + 1));
    if (b->simple && expr_simplify(l->g, roots, count, b->simple)) {
        b->end = expr_count(l->g);
        if (take_room(b) && find_lower(b) && find_ranges(b)) {
            look(b);
            count_uses(b, count);
            good =
                name_nodes(b) && guards_find(&b->branches, l, b->simple, count, b->lower, b->end);
        }
    }
    if (!good) {
        body_free(b);
        return NULL;
    }
    qsort(b->names, (size_t)b->n_names, sizeof *b->names, by_id);
    for (int i = 0; i < b->end && e->inputs_first; i++)
        if (b->uses[i] && is_leaf(l, i)) emit_inputs(b, i, 1);
    return b;
}

body *body_new(emitter *e, const expr_id *roots, int count) {
    body *b = body_open(e, roots, count, NULL, 0);
    if (b && body_phase(b, 0)) return b;
    body_free(b);
    return NULL;
}

const char *body_root(body *b, int i) {
    expr_names names = names_of(b);
    for (int k = 0; k < b->n_names; k++)
        if (b->names[k].id == b->simple[i]) return b->names[k].name;
    if (expr_print(b->e->l->g, b->simple[i], style_of(b), &names, b->text, sizeof b->text) < 0)
        b->e->failed = b->e->too_long = 1;
    return b->text;
}

int body_is_zero(const body *b, int i) {
    const expr_node *n = expr_at(b->e->l->g, b->simple[i]);
    return n->constant && n->value == 0.0;
}

int body_is_negative(const body *b, int i) { return b->ranges[b->simple[i]].low < 0.0; }

void body_free(body *b) {
    if (!b) return;
    free(b->simple);
    free(b->uses);
    free(b->phase);
    free(b->single);
    free(b->turns);
    free(b->ranges);
    free(b->lower);
    free(b->names);
    free(b->room);
    free(b->branches.needs);
    free(b->written);
    free(b->there);
    free(b);
}
