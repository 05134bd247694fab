/* vectors.c - the laws on vectors of contacts: the same bodies in types of vectors, with the lines
 * that make kernels of them. An exponent that is 1 or 2, and the usual choice among the readings of
 * a law, are put into the equations. */
#include "emit.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_CHOICES = 4, MOST_VECTOR_STATES = 4 };

typedef struct vectors {
    emitter *e;
    law *l;
    int exponent; /* place of the parameter, -1: none */
    int choices[MOST_CHOICES], n_choices;
} vectors;

static int is_exponent(bri_role role) {
    return role == BRI_ROLE_STRIBECK_EXPONENT || role == BRI_ROLE_BRISTLE_EXPONENT ||
           role == BRI_ROLE_VISCOUS_EXPONENT;
}

static void look(vectors *x) {
    x->exponent = -1;
    for (int i = 0; i < x->l->n_params; i++) {
        const bri_param *row = &x->l->params[i];
        if (is_exponent(row->role) && x->exponent < 0) x->exponent = i;
        if (row->role == BRI_ROLE_CHOICE && row->whole && x->n_choices < MOST_CHOICES)
            x->choices[x->n_choices++] = i;
    }
}

/* The law with an exponent (0: as it is) and the usual choices put in. */
static int put_in(const vectors *x, double exponent, int usual, law *to) {
    law *l = x->l;
    int count = 0, variables = expr_variables(l->g), good;
    expr_id *by = malloc(sizeof *by * (size_t)variables), list[2 * BRI_MAX_STATES + 2];
    expr_id *places[2 * BRI_MAX_STATES + 2];
    if (!by) return 0;
    *to = *l;
    for (int i = 0; i < variables; i++) by[i] = EXPR_NONE;
    for (int i = 0; usual && i < x->n_choices; i++) {
        int at = law_param_variable(l, x->choices[i]);
        by[at] = expr_number(l->g, l->params[x->choices[i]].def,
                             expr_at(l->g, expr_variable_at(l->g, at))->dim);
    }
    if (exponent > 0.0) {
        int at = law_param_variable(l, x->exponent);
        by[at] = expr_number(l->g, exponent, expr_at(l->g, expr_variable_at(l->g, at))->dim);
    }
    places[count++] = &to->force;
    for (int i = 0; i < l->n_states; i++) {
        places[count++] = &to->rates[i];
        if (l->bounds[i] >= 0) places[count++] = &to->bounds[i];
    }
    for (int i = 0; i < count; i++) list[i] = *places[i];
    good = expr_substitute(l->g, by, list, count, list) && expr_simplify(l->g, list, count, list);
    for (int i = 0; i < count; i++) *places[i] = list[i];
    free(by);
    return good;
}

/* ---- functions ------------------------------------------------------------------------------- */

static const char inputs[] = "const vec *law_p, vec law_v, vec law_n";

static int put_lift(vectors *x) {
    emitter *e = x->e;
    if (x->l->lift < 0) return 1;
    emit(e,
         "INLINE vec %s_lift(const vec *law_p) {\n    const kind law_k = {.shared = 0};\n"
         "    (void)law_k;\n",
         x->l->name);
    body *b = body_new(e, &x->l->lift, 1);
    if (b) emit(e, "    return %s;\n}\n\n", body_root(b, 0));
    body_free(b);
    return b != NULL;
}

/* A set-valued law that no force holds gives none at rest. */
static void put_at_rest(const law *l, emitter *e, const char *text) {
    if (l->holds >= 0)
        emit(e, "law_if(law_eq(law_v, law_number(0.0)), law_number(0.0), %s)", text);
    else
        emit(e, "%s", text);
}

static int put_eval(vectors *x, law *l, const char *suffix) {
    emitter *e = x->e;
    expr_id roots[1 + BRI_MAX_STATES];
    e->l = l;
    if (!law_values(l, roots)) return 0;
    emit(e, "INLINE vec %s_eval_%s(%s, const vec *law_z, vec *law_dz, kind law_k) {\n", l->name,
         suffix, inputs);
    body *b = body_new(e, roots, 1 + l->n_states);
    if (!b) return 0;
    for (int i = 0; i < l->n_states; i++) emit(e, "    law_dz[%d] = %s;\n", i, body_root(b, 1 + i));
    emit(e, "    return ");
    put_at_rest(l, e, body_root(b, 0));
    emit(e, ";\n}\n\n");
    body_free(b);
    return 1;
}

/* A step that the law names, which looks at exponents and readings while it runs. */
static void put_named_step(vectors *x) {
    const law *l = x->l;
    emit(x->e,
         "INLINE vec %s_step(%s, double law_h, vec *law_z, kind law_k) {\n"
         "    return law_step_%s(%s_eval_%s, law_p, law_v, law_n, law_h, law_z, law_k);\n}\n\n",
         l->name, inputs, l->step->name, l->name, x->n_choices > 0 ? "all" : "any");
    emit(x->e, "CHOICE_KERNEL(%s_step_k, step_loop, %s_step, %s%s, %d, %d)\n\n", l->name, l->name,
         l->lift >= 0 ? l->name : "NULL", l->lift >= 0 ? "_lift" : "", l->n_params, l->n_states);
}

/* 1 if there is one, 0 if not, -1 after a failure. */
static int put_step(vectors *x, law *l, const char *suffix) {
    emitter *e = x->e;
    expr_id rates[2 * BRI_MAX_STATES];
    law_motion motion = law_affine(l, rates);
    if (motion == LAW_FAILED) return -1;
    if (motion == LAW_GENERAL) return 0;
    e->l = l;
    emit(e, "INLINE vec %s_step_%s(%s, double law_h, vec *law_z, kind law_k) {\n", l->name, suffix,
         inputs);
    return emit_step(e, 0) ? 1 : -1;
}

/* one: the parameter that is 1, -1: none is. */
static int put_slopes(vectors *x, law *l, const char *what, int width, int one,
                      int (*derive)(law *, expr_id *)) {
    emitter *e = x->e;
    int rows = 1 + l->n_states, count = rows * (1 + width);
    expr_id *roots = malloc(sizeof *roots * ((size_t)count + 1));
    body *b = NULL;
    e->l = l;
    emit(e, "INLINE void %s_%s(%s, const vec *law_z, vec *law_out, vec *law_M, kind law_k) {\n",
         l->name, what, inputs);
    if (roots && law_values(l, roots) && derive(l, roots + rows) &&
        (one < 0 || law_with_one(l, one, roots, count, roots)))
        b = body_new(e, roots, count);
    for (int i = 0; b && i < count; i++) {
        emit(e, i < rows ? "    law_out[%d] = " : "    law_M[%d] = ", i < rows ? i : i - rows);
        put_at_rest(l, e, body_root(b, i));
        emit(e, ";\n");
    }
    emit(e, "}\n\n");
    free(roots);
    body_free(b);
    return b != NULL;
}

/* ---- kernels --------------------------------------------------------------------------------- */

static const char *const suffixes[] = {"any", "1", "2", "all"};
enum { VARIANTS = 4 };

static void put_kernel(vectors *x, const char *kind, const char *suffix, int exponent) {
    const law *l = x->l;
    emit(x->e, "%s_KERNEL(%s_%s_%s_k, %s_loop, %s_%s_%s, %s%s, %d, %d",
         exponent < 0 ? "CHOICE" : "VALUE", l->name, kind, suffix, kind, l->name, kind, suffix,
         l->lift >= 0 ? l->name : "NULL", l->lift >= 0 ? "_lift" : "", l->n_params, l->n_states);
    emit(x->e, exponent < 0 ? ")\n\n" : ", %d)\n\n", exponent);
}

/* Nonzero: a variant of the law that there is. */
static int has_variant(const vectors *x, int i) {
    const bri_param *row = x->exponent >= 0 ? &x->l->params[x->exponent] : NULL;
    if (i == 0) return 1;
    if (i == 3) return x->n_choices > 0;
    return row && row->min <= i && i <= row->max;
}

/* Force, rates and steps; the row of the table goes to `rows`. */
static int put_values(vectors *x, emitter *rows) {
    law variant, *l = x->l;
    int stepped[VARIANTS] = {0};
    if (!put_lift(x)) return 0;
    for (int i = 0; i < VARIANTS; i++) {
        if (!has_variant(x, i)) continue;
        if (!put_in(x, i == 1 || i == 2 ? i : 0.0, i < 3, &variant)) return 0;
        if (!put_eval(x, &variant, suffixes[i])) return 0;
        put_kernel(x, "eval", suffixes[i], i == 3 ? -1 : i);
        stepped[i] = l->n_states > 0 ? put_step(x, &variant, suffixes[i]) : 0;
        if (stepped[i] < 0) return 0;
        if (stepped[i] > 0) put_kernel(x, "step", suffixes[i], i == 3 ? -1 : i);
    }
    if (l->step) put_named_step(x);
    emit(rows, "    {&bri_law_%s, %d, %d, {", l->name, x->exponent, x->n_choices);
    for (int i = 0; i < x->n_choices || i == 0; i++)
        emit(rows, i > 0 ? ", %d" : "%d", i < x->n_choices ? x->choices[i] : 0);
    static const char *const kinds[] = {"eval", "step"};
    for (int kind = 0; kind < 2; kind++) {
        emit(rows, "}, {");
        for (int i = 0; i < VARIANTS; i++)
            if (kind == 1 && !stepped[i] && l->step)
                emit(rows, "%s%s_step_k", i > 0 ? ", " : "", l->name);
            else if (kind == 1 ? stepped[i] : has_variant(x, i))
                emit(rows, "%s%s_%s_%s_k", i > 0 ? ", " : "", l->name, kinds[kind], suffixes[i]);
            else
                emit(rows, "%s", i > 0 ? ", 0" : "0");
    }
    emit(rows, "}},\n");
    return 1;
}

/* Derivatives with the usual choices, with any, and with the usual ones and an exponent of 1. */
static int put_derivatives(vectors *x, emitter *rows) {
    law variant, *l = x->l;
    static const char *const names[2][3] = {{"jac", "jac_all", "jac_1"},
                                            {"params", "params_all", "params_1"}};
    int power = law_power_parameter(l), there[3] = {1, x->n_choices > 0, power >= 0};
    if (power >= 0 && power != x->exponent) there[2] = 0; /* batches look at one exponent */
    if (!put_lift(x)) return 0;
    for (int all = 0; all < 3; all++) {
        if (!there[all]) continue;
        if (!put_in(x, 0.0, all != 1, &variant)) return 0;
        for (int params = 0; params < 2; params++) {
            int width = params ? l->n_params : 3 + l->n_states;
            const char *name = names[params][all];
            if (params && l->n_params == 0) continue;
            if (!put_slopes(x, &variant, name, width, all == 2 ? power : -1,
                            params ? law_parameter_slopes : law_jacobian))
                return 0;
            emit(x->e, "SLOPE_KERNEL(%s_%s_k, %s_%s, %s%s, %d, %d, %d)\n\n", l->name, name, l->name,
                 name, l->lift >= 0 ? l->name : "NULL", l->lift >= 0 ? "_lift" : "", l->n_params,
                 l->n_states, !params);
        }
    }
    emit(rows, "    {");
    for (int params = 0; params < 2; params++) {
        emit(rows, params ? ", {" : "{");
        for (int all = 0; all < 3; all++)
            if (!there[all] || (params && l->n_params == 0))
                emit(rows, all ? ", 0" : "0");
            else
                emit(rows, "%s%s_%s_k", all ? ", " : "", l->name, names[params][all]);
        emit(rows, "}");
    }
    emit(rows, "},\n");
    return 1;
}

/* ---- lanes ----------------------------------------------------------------------------------- */

/* Lanes take a law that has up to two states and does not stick exactly. */
static int has_lanes(const law *l) { return l->n_states <= 2 && l->holds < 0; }

/* What its bristle stores, and a bit for each corner, added up as a number. */
static int put_lane_values(vectors *x) {
    emitter *e = x->e;
    law *l = x->l;
    expr_id roots[LAW_CORNERS];
    int corners = law_corners(l, roots);
    e->l = l;
    if (corners < 0) return 0;
    for (int pieces = 0; pieces < 2; pieces++) {
        int count = pieces ? corners : l->stored >= 0;
        if (count == 0) continue;
        emit(e, "INLINE vec %s_%s(%s, const vec *law_z, kind law_k) {\n", l->name,
             pieces ? "pieces" : "stored", inputs);
        body *b = body_new(e, pieces ? roots : &l->stored, count);
        if (!b) return 0;
        if (!pieces) emit(e, "    return %s;\n}\n\n", body_root(b, 0));
        if (pieces) emit(e, "    vec law_bits = law_number(0.0);\n");
        for (int i = 0; pieces && i < count; i++) {
            int condition = expr_is_condition(l->g, roots[i]);
            emit(e, "    law_bits += law_bit(%s%s%s, %d);\n", condition ? "" : "law_gt(",
                 body_root(b, i), condition ? "" : ", law_number(0.0))", i);
        }
        if (pieces) emit(e, "    return law_bits;\n}\n\n");
        body_free(b);
    }
    return 1;
}

/* An exponent stays what it is: below zero its power is guarded. */
static int put_lane_laws(vectors *x, emitter *rows, law *variant) {
    law *l = x->l;
    expr_id roots[LAW_CORNERS];
    int corners = law_corners(l, roots), any = 0;
    if (has_lanes(l) && !put_lane_values(x)) return 0;
    emit(rows, "    {{");
    for (int i = 0; i < VARIANTS; i++) {
        int all = i == 3;
        if (!has_lanes(l) || !has_variant(x, i)) {
            emit(rows, i > 0 ? ", 0" : "0");
            continue;
        }
        if (all || !any) {
            if (!put_in(x, 0.0, !all, variant) || !put_eval(x, variant, all ? "all" : "any") ||
                !put_slopes(x, variant, all ? "jac_all" : "jac_any", 3 + l->n_states, -1,
                            law_jacobian))
                return 0;
            any = 1;
        }
        const char *reading = all ? "all" : "any";
        emit(x->e, "LANE_LAW%s(%s_lanes_%s, %s_eval_%s, %s_jac_%s, %s%s, %s%s, %d, %d, %d)\n\n",
             l->n_states == 1 ? "" : "_ALONE", l->name, suffixes[i], l->name, reading, l->name,
             reading, l->stored >= 0 ? l->name : "law_none", l->stored >= 0 ? "_stored" : "",
             corners > 0 ? l->name : "law_none", corners > 0 ? "_pieces" : "", l->n_params,
             l->n_states, all ? 0 : i);
        emit(rows, "%s&%s_lanes_%s", i > 0 ? ", " : "", l->name, suffixes[i]);
    }
    emit(rows, "}},\n");
    return 1;
}

static int put_lanes(vectors *x, emitter *rows) {
    law variant;
    int good = put_lane_laws(x, rows, &variant);
    x->e->l = x->l; /* no longer that one */
    return good;
}

int law_to_vectors(law *l, law_vectors what, char **code, char **row, bri_error *err) {
    emitter e = {.l = l, .vector = 1}, rows = {.l = l};
    vectors x = {.e = &e, .l = l};
    *code = *row = NULL;
    if (l->n_states > MOST_VECTOR_STATES) return 1;
    look(&x);
    emit(&e, "\n/* ---- %s: %s */\n\n", l->name, l->title);
    int good = what == LAW_SLOPES  ? put_derivatives(&x, &rows)
               : what == LAW_LANES ? put_lanes(&x, &rows)
                                   : put_values(&x, &rows);
    if (good && !e.failed && !rows.failed && !expr_failure(l->g)) {
        *code = e.text;
        *row = rows.text;
        return 1;
    }
    free(e.text);
    free(rows.text);
    e.too_long |= rows.too_long;
    emit_failure(&e, err);
    return 0;
}
