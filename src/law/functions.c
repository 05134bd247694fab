/* functions.c - the functions of a law in C. Their arguments begin with law_, which no name of a
 * law does. */
#include "emit.h"

#include <stdlib.h>

static void open_function(emitter *e, const char *type, const char *name, const char *arguments) {
    emit(e, "static %s %s_%s(const bri_model *self, const double *law_p%s) {\n", type, e->l->name,
         name, arguments);
}

static const char inputs[] = ", const bri_input *law_u, const double *law_z";

/* While a set-valued law sticks, it gives back what holds it, within +-holds. */
static int emit_held_force(emitter *e) {
    if (e->l->holds < 0) return 1;
    emit(e, "    if (law_slides(law_u) == 0.0) {\n");
    body *b = body_new(e, &e->l->holds, 1);
    if (b) emit(e, "    return law_within(law_u->fa, %s);\n    }\n", body_root(b, 0));
    body_free(b);
    return b != NULL;
}

static int emit_values(emitter *e, const expr_id *roots) {
    body *b = body_new(e, roots, 1 + e->l->n_states);
    if (!b) return 0;
    for (int i = 0; i < e->l->n_states; i++)
        emit(e, "    law_dz[%d] = %s;\n", i, body_root(b, 1 + i));
    emit(e, "    return %s;\n", body_root(b, 0));
    body_free(b);
    return 1;
}

/* The case of an exponent that is 1 begins. */
static void open_special(emitter *e, int param) {
    emit(e, "    if (law_p[%d] == 1.0) { /* %s */\n", param, e->l->params[param].name);
}

static int emit_eval(emitter *e) {
    law *l = e->l;
    char arguments[120];
    expr_id roots[1 + BRI_MAX_STATES], special[1 + BRI_MAX_STATES];
    int param = law_power_parameter(l);
    e->inputs_first = l->holds >= 0; /* whether it slides has told the direction */
    snprintf(arguments, sizeof arguments, "%s, double *law_dz", inputs);
    if (!law_values(l, roots)) return 0;
    open_function(e, "double", "eval", arguments);
    if (!emit_held_force(e)) return 0;
    if (param >= 0) {
        if (!law_with_one(l, param, roots, 1 + l->n_states, special)) return 0;
        open_special(e, param);
        if (!emit_values(e, special)) return 0;
        emit(e, "    }\n");
    }
    if (!emit_values(e, roots)) return 0;
    emit(e, "}\n\n");
    return 1;
}

/* The force that holds does not depend on v or x; beyond its level it grows with the level. */
static int emit_held_slopes(emitter *e, int first, int width, const char *to) {
    law *l = e->l;
    expr_id roots[1 + BRI_MAX_PARAMS + 3];
    if (l->holds < 0) return 1;
    roots[0] = l->holds;
    for (int i = 0; i < width; i++)
        if (!expr_derive(l->g, &l->holds, 1, first + i, &roots[1 + i])) return 0;
    emit(e, "    if (law_slides(law_u) == 0.0) {\n");
    body *b = body_new(e, roots, 1 + width);
    if (!b) return 0;
    emit(e, "    const double law_side = fabs(law_u->fa) > (%s) ? law_sign_of(law_u->fa) : 0.0;\n",
         body_root(b, 0));
    for (int i = 0; i < width; i++)
        if (body_is_zero(b, 1 + i))
            emit(e, "    %s[%d] = 0.0;\n", to, i);
        else
            emit(e, "    %s[%d] = law_side*(%s);\n", to, i, body_root(b, 1 + i));
    emit(e, "    return;\n    }\n");
    body_free(b);
    return 1;
}

static int emit_matrix(emitter *e, const expr_id *roots, int count, const char *to) {
    body *b = body_new(e, roots, count);
    for (int i = 0; b && i < count; i++) emit(e, "    %s[%d] = %s;\n", to, i, body_root(b, i));
    body_free(b);
    return b != NULL;
}

static int emit_slopes(emitter *e, const char *name, const char *to, int first, int width,
                       int (*derive)(law *, expr_id *)) {
    law *l = e->l;
    char arguments[120];
    int count = (1 + l->n_states) * width, param = law_power_parameter(l);
    expr_id *roots = malloc(sizeof *roots * 2 * (size_t)(count + 1));
    snprintf(arguments, sizeof arguments, "%s, double *%s", inputs, to);
    open_function(e, "void", name, arguments);
    int good = roots && derive(l, roots) && emit_held_slopes(e, first, width, to);
    if (good && param >= 0) {
        open_special(e, param);
        expr_id *special = roots + count;
        good = law_with_one(l, param, roots, count, special) && emit_matrix(e, special, count, to);
        emit(e, "    return;\n    }\n");
    }
    good = good && emit_matrix(e, roots, count, to);
    emit(e, "}\n\n");
    free(roots);
    return good;
}

static int emit_check(emitter *e) {
    law *l = e->l;
    expr_id roots[LAW_RULES];
    if (l->n_rules == 0) return 1;
    for (int i = 0; i < l->n_rules; i++) roots[i] = l->rules[i].condition;
    open_function(e, "const char *", "check", "");
    body *b = body_new(e, roots, l->n_rules);
    if (!b) return 0;
    for (int i = 0; i < l->n_rules; i++) {
        emit(e, "    if (!(%s)) return ", body_root(b, i));
        emit_string(e, l->rules[i].words);
        emit(e, ";\n");
    }
    emit(e, "    return NULL;\n}\n\n");
    body_free(b);
    return 1;
}

static int emit_lift(emitter *e) {
    if (e->l->lift < 0) return 1;
    open_function(e, "double", "lift", "");
    body *b = body_new(e, &e->l->lift, 1);
    if (b) emit(e, "    return %s;\n}\n\n", body_root(b, 0));
    body_free(b);
    return b != NULL;
}

static int emit_stored(emitter *e) {
    law *l = e->l;
    char arguments[120];
    expr_id roots[1 + BRI_MAX_STATES];
    if (l->stored < 0) return 1;
    roots[0] = l->stored;
    for (int i = 0; i < l->n_states; i++)
        if (!expr_derive(l->g, &l->stored, 1, LAW_STATES + i, &roots[1 + i])) return 0;
    snprintf(arguments, sizeof arguments, "%s, double *law_grad", inputs);
    open_function(e, "double", "stored", arguments);
    body *b = body_new(e, roots, 1 + l->n_states);
    if (!b) return 0;
    for (int i = 0; i < l->n_states; i++)
        emit(e, "    law_grad[%d] = %s;\n", i, body_root(b, 1 + i));
    emit(e, "    return %s;\n}\n\n", body_root(b, 0));
    body_free(b);
    return 1;
}

static int emit_motion(emitter *e) {
    law *l = e->l;
    expr_id roots[2] = {l->sticks, l->slip >= 0 ? l->slip : expr_variable_at(l->g, LAW_V)};
    if (l->sticks < 0) return 1;
    open_function(e, "int", "motion", inputs);
    e->own_direction = 1; /* a report says what v does */
    body *b = body_new(e, roots, 2);
    e->own_direction = 0;
    if (!b) return 0;
    emit(e, "    if (%s) return 0;\n", body_root(b, 0));
    emit(e, "    return (int)law_sign_of(%s);\n}\n\n", body_root(b, 1));
    body_free(b);
    return 1;
}

/* A set-valued law ends sliding at v = 0 and stick at its level. */
static int emit_held_events(emitter *e) {
    law *l = e->l;
    open_function(e, "void", "roots",
                  ", const bri_input *law_u, const double *law_z, double *law_g");
    body *b = body_new(e, &l->holds, 1);
    if (!b) return 0;
    emit(e,
         "    const double law_d = law_slides(law_u);\n"
         "    law_g[0] = law_d != 0.0 ? law_d*law_u->v : (%s) - fabs(law_u->fa);\n}\n\n",
         body_root(b, 0));
    body_free(b);
    open_function(e, "bri_mode", "jump", ", const bri_input *law_u, double *law_z");
    b = body_new(e, &l->holds, 1);
    if (!b) return 0;
    emit(e, "    return law_let_go(law_u, %s);\n}\n\n", body_root(b, 0));
    body_free(b);
    return 1;
}

/* Nonzero: events can be left out with some parameters, or are to be taken early. */
static int events_vary(const law *l) {
    int vary = 0;
    for (int i = 0; i < l->n_states; i++)
        if (l->bounds[i] >= 0) vary |= l->bound_when[i] >= 0 || l->bound_early[i];
    return vary;
}

static int emit_eventful(emitter *e) {
    law *l = e->l;
    if (!events_vary(l)) return 1;
    open_function(e, "int", "eventful", "");
    for (int i = 0; i < l->n_states; i++) {
        if (l->bounds[i] < 0) continue;
        const char *yes = l->bound_early[i] ? "2" : "1";
        emit(e, "    {\n");
        body *b = l->bound_when[i] >= 0 ? body_new(e, &l->bound_when[i], 1) : NULL;
        if (l->bound_when[i] >= 0 && !b) return 0;
        emit(e, "    if (%s) return %s;\n    }\n", b ? body_root(b, 0) : "1", yes);
        body_free(b);
    }
    emit(e, "    return 0;\n}\n\n");
    return 1;
}

/* A state reaches its bound. */
static int emit_bound_events(emitter *e) {
    law *l = e->l;
    expr_id roots[BRI_MAX_STATES];
    int at[BRI_MAX_STATES], count = 0;
    for (int i = 0; i < l->n_states; i++)
        if (l->bounds[i] >= 0) {
            roots[count] = l->bounds[i];
            at[count++] = i;
        }
    if (count == 0) return 1;
    open_function(e, "void", "roots",
                  ", const bri_input *law_u, const double *law_z, double *law_g");
    body *b = body_new(e, roots, count);
    if (!b) return 0;
    for (int i = 0; i < count; i++)
        if (l->bound_early[at[i]])
            emit(e, "    law_g[%d] = law_distance(law_u, law_z[%d], %s);\n", i, at[i],
                 body_root(b, i));
        else
            emit(e, "    law_g[%d] = (%s) - fabs(law_z[%d]);\n", i, body_root(b, i), at[i]);
    emit(e, "}\n\n");
    body_free(b);
    open_function(e, "bri_mode", "jump", ", const bri_input *law_u, double *law_z");
    b = body_new(e, roots, count);
    if (!b) return 0;
    for (int i = 0; i < count; i++)
        emit(e,
             l->bound_early[at[i]] ? "    law_put_on_near_bound(law_u, &law_z[%d], %s);\n"
                                   : "    law_put_on_bound(&law_z[%d], %s);\n",
             at[i], body_root(b, i));
    emit(e, "    return law_u->mode;\n}\n\n");
    body_free(b);
    return emit_eventful(e);
}

static int emit_advice(emitter *e) {
    law *l = e->l;
    if (l->advice < 0) return 1;
    open_function(e, "const char *", "advice", "");
    body *b = body_new(e, &l->advice, 1);
    if (!b) return 0;
    emit(e, "    return (%s) ? ", body_root(b, 0));
    emit_string(e, l->advice_words);
    emit(e, " : NULL;\n}\n\n");
    body_free(b);
    return 1;
}

/* A bit for each corner. */
static int emit_pieces(emitter *e) {
    expr_id roots[LAW_CORNERS];
    int count = law_corners(e->l, roots);
    if (count <= 0) return count == 0;
    open_function(e, "unsigned", "pieces", inputs);
    body *b = body_new(e, roots, count);
    if (!b) return 0;
    emit(e, "    unsigned law_bits = 0;\n");
    for (int i = 0; i < count; i++)
        emit(e, "    law_bits |= (unsigned)((%s) > 0) << %d;\n", body_root(b, i), i);
    emit(e, "    return law_bits;\n}\n\n");
    body_free(b);
    return 1;
}

/* ---- steps --------------------------------------------------------------------------------- */

static const char step_arguments[] = ", const bri_input *law_u, double law_h, double *law_z";

/* Rates that are not affine: the general step, kept within the bounds. */
static int emit_bounded_step(emitter *e) {
    law *l = e->l;
    int any = 0;
    for (int i = 0; i < l->n_states; i++) any |= l->bounds[i] >= 0 && !l->bound_early[i];
    if (!any) return 1;
    open_function(e, "double", "step", step_arguments);
    emit(e, "    double law_dz[%d];\n    bri_implicit_step(self, law_p, law_u, law_h, law_z);\n",
         l->n_states);
    for (int i = 0; i < l->n_states; i++) {
        if (l->bounds[i] < 0 || l->bound_early[i]) continue;
        emit(e, "    {\n");
        body *b = body_new(e, &l->bounds[i], 1);
        if (!b) return 0;
        emit(e, "    law_z[%d] = law_within(law_z[%d], %s);\n    }\n", i, i, body_root(b, 0));
        body_free(b);
    }
    emit(e, "    return %s_eval(self, law_p, law_u, law_z, law_dz);\n}\n\n", l->name);
    return 1;
}

static int emit_own_step(emitter *e) {
    expr_id rates[2 * BRI_MAX_STATES];
    if (e->l->step) return 1;
    law_motion motion = law_affine(e->l, rates);
    if (motion == LAW_FAILED) return 0;
    if (motion == LAW_GENERAL) return emit_bounded_step(e);
    open_function(e, "double", "step", step_arguments);
    return emit_step(e, 0);
}

int emit_has_step_slope(emitter *e) {
    expr_id rates[2 * BRI_MAX_STATES];
    const law *l = e->l;
    if (l->step || l->holds >= 0) return 0;
    if (l->n_states == 0) return 1;
    law_motion motion = law_affine(e->l, rates);
    e->failed |= motion == LAW_FAILED;
    return motion == LAW_AFFINE;
}

/* The step with its slope: of a law without states, the force with its slope. */
static int emit_step_slope(emitter *e) {
    law *l = e->l;
    expr_id roots[2] = {l->force};
    if (!emit_has_step_slope(e)) return 1;
    open_function(e, "double", "step_slope",
                  ", const bri_input *law_u, double law_h, double *law_z, double *law_by_v");
    if (l->n_states > 0) return emit_step(e, 1);
    body *b = expr_derive(l->g, roots, 1, LAW_V, roots + 1) ? body_new(e, roots, 2) : NULL;
    if (!b) return 0;
    emit(e, "    law_by_v[0] = %s;\n", body_root(b, 1));
    emit(e, "    return %s;\n}\n\n", body_root(b, 0));
    body_free(b);
    return 1;
}

/* What is read before a call of the C library has to be kept over it: forces and steps read what
 * they need where they need it. Matrices need nearly all after the calls, and are faster if they
 * read all before. */
int emit_functions(emitter *e) {
    law *l = e->l;
    if (!emit_check(e) || !emit_eval(e)) return 0;
    e->inputs_first = 1;
    if (!emit_slopes(e, "jac", "law_J", LAW_X, 3 + l->n_states, law_jacobian)) return 0;
    if (l->n_params > 0 && !emit_slopes(e, "params_jac", "law_D", law_param_variable(l, 0),
                                        l->n_params, law_parameter_slopes))
        return 0;
    e->inputs_first = 0;
    if (!emit_lift(e) || !emit_stored(e) || !emit_motion(e) || !emit_advice(e) || !emit_pieces(e))
        return 0;
    if (!emit_own_step(e) || !emit_step_slope(e)) return 0;
    return l->holds >= 0 ? emit_held_events(e) : emit_bound_events(e);
}
