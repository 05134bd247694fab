/* step.c - the stable step of a law in C. While v and N are held and the rates are affine in their
 * states, z(h) = z + r h gain(b h) is exact, r the rate and b its slope; or, where the target
 * z - r/b is known, z - (target - z) (exp(b h) - 1). Of a cascade a state sees the mean of those
 * before it. What force and rates share is computed once. With its slope: the derivatives of the
 * states and of the force at the end in v, from the same exponentials. */
#include "emit.h"

#include <stdlib.h>
#include <string.h>

/* Variables that stand for the states at the end of the step and for their means over it, and the
 * expressions in them: rates, slopes, bounds, and the force at the end. */
typedef struct step_plan {
    stage stages[MOST_STAGES];
    int n_stages;
    expr_id roots[6 * BRI_MAX_STATES + 2];
    law_aim aims[BRI_MAX_STATES]; /* if there is one, target and decay stand for rate and slope */
    int bound_at[BRI_MAX_STATES]; /* of each state, its root; 0: it has none */
    int force_at, by_v_at, count; /* by_v_at: derivatives of the first 2 k roots in v, then those of
                                     the force in v and in the states at the end; 0: not wanted */
} step_plan;

static expr_id stage_variable(emitter *e, step_plan *s, const char *what, int i, int phase) {
    law *l = e->l;
    char name[80];
    snprintf(name, sizeof name, "law_%s_%d", what, i);
    int index = expr_variables(l->g), found = -1;
    for (int k = law_param_variable(l, l->n_params); k < index; k++)
        if (expr_variable_name(l->g, k) && strcmp(expr_variable_name(l->g, k), name) == 0)
            found = k;
    expr_id id =
        found >= 0
            ? expr_variable_at(l->g, found)
            : expr_variable(l->g, name, expr_at(l->g, expr_variable_at(l->g, LAW_STATES + i))->dim);
    s->stages[s->n_stages++] = (stage){found >= 0 ? found : index, phase};
    return id;
}

/* Roots with the first `count` states replaced. */
static int replace(law *l, const expr_id *states, int count, expr_id *roots, int n) {
    int variables = expr_variables(l->g), good = 0;
    expr_id *by = malloc(sizeof *by * ((size_t)variables + 1));
    if (!by) return 0;
    for (int i = 0; i < variables; i++) by[i] = EXPR_NONE;
    for (int i = 0; i < count; i++) by[LAW_STATES + i] = states[i];
    good = expr_substitute(l->g, by, roots, n, roots);
    free(by);
    return good;
}

static int make_plan(emitter *e, law_motion motion, const expr_id *rates, step_plan *s) {
    law *l = e->l;
    int k = l->n_states;
    expr_id mean[BRI_MAX_STATES], end[BRI_MAX_STATES];
    *s = (step_plan){.count = 2 * k};
    for (int i = 0; i < k; i++) {
        if (motion == LAW_CASCADE) mean[i] = stage_variable(e, s, "mean", i, i + 1);
        end[i] = stage_variable(e, s, "end", i, k);
    }
    for (int i = 0; i < k; i++) {
        s->roots[i] = rates[i];
        s->roots[k + i] = rates[k + i];
        if (motion == LAW_AFFINE)
            s->aims[i] = law_target(l, i, rates[i], rates[k + i], &s->roots[i], &s->roots[k + i]);
        int before = motion == LAW_CASCADE ? i : 0;
        if (before > 0 && (!replace(l, mean, before, &s->roots[i], 1) ||
                           !replace(l, mean, before, &s->roots[k + i], 1)))
            return 0;
        if (l->bounds[i] < 0 || l->bound_early[i]) continue;
        s->bound_at[i] = s->count;
        s->roots[s->count++] = l->bounds[i];
    }
    s->force_at = s->count;
    s->roots[s->count++] = l->force;
    return replace(l, end, k, &s->roots[s->force_at], 1);
}

/* The state at the end, and its mean. */
static void emit_advance(emitter *e, body *b, const step_plan *s, law_motion motion, int i) {
    int k = e->l->n_states, flat = body_is_zero(b, k + i);
    const char *type = e->vector ? "vec" : "double";
    emit(e, s->aims[i] ? "    const %s law_to_%d = %s;\n" : "    const %s law_r%d = %s;\n", type, i,
         body_root(b, i));
    if (s->aims[i] != LAW_NO_AIM)
        emit(e, "    const %s law_x%d = -(%s)*(%s);\n", type, i,
             s->aims[i] == LAW_BY_TIME ? "law_h"
             : e->vector               ? "law_abs(law_v)*law_h"
                                       : "fabs(law_u->v)*law_h",
             body_root(b, k + i));
    else if (!flat)
        emit(e, "    const %s law_x%d = (%s)*law_h;\n", type, i, body_root(b, k + i));
    int mean = motion == LAW_CASCADE && i + 1 < k; /* the last one is seen by none */
    if (mean && flat)
        emit(e, "    const %s law_mean_%d = law_z[%d] + law_r%d*(0.5*law_h);\n", type, i, i, i);
    else if (mean)
        emit(e, "    const %s law_mean_%d = law_z[%d] + law_r%d*law_h*law_mean_gain(law_x%d);\n",
             type, i, i, i, i);
    if (s->aims[i] && s->by_v_at) emit(e, "    const double law_e%d = law_expm1(law_x%d);\n", i, i);
    emit(e, "    const %s law_end_%d = ", type, i);
    if (s->bound_at[i]) emit(e, "law_within(");
    if (s->aims[i] && s->by_v_at)
        emit(e, "law_z[%d] - (law_to_%d - law_z[%d])*law_e%d", i, i, i, i);
    else if (s->aims[i])
        emit(e, "law_%s(law_z[%d], law_to_%d, law_x%d)",
             body_is_negative(b, k + i) ? "approach" : "settle", i, i, i);
    else if (flat)
        emit(e, "law_z[%d] + law_r%d*law_h", i, i);
    else
        emit(e, "law_z[%d] + law_r%d*law_h*law_gain(law_x%d)", i, i, i);
    if (s->bound_at[i]) emit(e, ", %s)", body_root(b, s->bound_at[i]));
    emit(e, ";\n");
}

/* ---- the slope ------------------------------------------------------------------------------- */

static int plan_slopes(emitter *e, step_plan *s) {
    law *l = e->l;
    int k = l->n_states;
    const expr_id *force = &s->roots[s->force_at];
    s->by_v_at = s->count;
    s->count += 3 * k + 1;
    expr_id *to = &s->roots[s->by_v_at];
    int good = expr_derive(l->g, s->roots, 2 * k, LAW_V, to) &&
               expr_derive(l->g, force, 1, LAW_V, to + 2 * k);
    for (int i = 0; i < k && good; i++)
        good = expr_derive(l->g, force, 1, s->stages[i].variable, to + 2 * k + 1 + i);
    return good;
}

/* With E = exp(x) - 1 the end is z - (target - z) E, or z + r h E/x. Where v = 0 the direction is
 * the one that the caller has chosen. A state at its bound stays there. */
static void emit_advance_slope(emitter *e, body *b, const step_plan *s, int i) {
    int k = e->l->n_states, flat = body_is_zero(b, k + i);
    int aim_stays = body_is_zero(b, s->by_v_at + i),
        decay_stays = body_is_zero(b, s->by_v_at + k + i);
    const char *h = "law_h", *path = "fabs(law_u->v)*law_h";
    emit(e, "    law_by_v[%d] = ", 1 + i);
    if (s->bound_at[i])
        emit(e, "fabs(law_end_%d) >= (%s) ? 0.0 : ", i, body_root(b, s->bound_at[i]));
    if (s->aims[i] == LAW_NO_AIM) {
        emit(e, "(%s)*law_h", body_root(b, s->by_v_at + i));
        if (!flat) emit(e, "*law_gain(law_x%d)", i);
        if (!decay_stays)
            emit(e, " + law_r%d*law_h*law_gain_slope(law_x%d)*((%s)*law_h)", i, i,
                 body_root(b, s->by_v_at + k + i));
        emit(e, ";\n");
        return;
    }
    emit(e, "(law_to_%d - law_z[%d])*(law_e%d + 1.0)*(", i, i, i);
    if (s->aims[i] == LAW_BY_PATH)
        emit(e, "law_direction_of(law_u)*law_h*(%s)", body_root(b, k + i));
    if (!decay_stays)
        emit(e, " + (%s)*(%s)", s->aims[i] == LAW_BY_PATH ? path : h,
             body_root(b, s->by_v_at + k + i));
    else if (s->aims[i] == LAW_BY_TIME)
        emit(e, "0.0");
    emit(e, ")");
    if (!aim_stays) emit(e, " - (%s)*law_e%d", body_root(b, s->by_v_at + i), i);
    emit(e, ";\n");
}

static void emit_force_slope(emitter *e, body *b, const step_plan *s) {
    int k = e->l->n_states, at = s->by_v_at + 2 * k;
    emit(e, "    law_by_v[0] = %s", body_root(b, at));
    for (int i = 0; i < k; i++)
        if (!body_is_zero(b, at + 1 + i))
            emit(e, " + (%s)*law_by_v[%d]", body_root(b, at + 1 + i), 1 + i);
    emit(e, ";\n");
}

int emit_step(emitter *e, int slope) {
    law *l = e->l;
    int k = l->n_states, good = 1;
    expr_id rates[2 * BRI_MAX_STATES];
    step_plan s;
    law_motion motion = law_affine(l, rates);
    if (motion != LAW_AFFINE && motion != LAW_CASCADE) return motion != LAW_FAILED;
    if (!make_plan(e, motion, rates, &s) || (slope && !plan_slopes(e, &s))) return 0;
    body *b = body_open(e, s.roots, s.count, s.stages, s.n_stages);
    for (int i = 0; i < k && b && good; i++) {
        if (i == 0 || motion == LAW_CASCADE) good = body_phase(b, i);
        if (good) emit_advance(e, b, &s, motion, i);
    }
    good = b && good && body_phase(b, k);
    for (int i = 0; i < k && good && slope; i++) emit_advance_slope(e, b, &s, i);
    if (good && slope) emit_force_slope(e, b, &s);
    for (int i = 0; i < k && good; i++) emit(e, "    law_z[%d] = law_end_%d;\n", i, i);
    if (good) emit(e, "    return %s;\n}\n\n", body_root(b, s.force_at));
    body_free(b);
    return good;
}
