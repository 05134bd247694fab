/* complete.c - the parameters of a contact that are not given by name: carried over, by role, from
 * the law that this one stands in for, or derived from what is given.
 *
 * Defaults are sets published for one rig each. What another rig needs can often be said by a rule:
 *
 *     sigma0 = F/z_r, F the static level, z_r = 50 um; sigma1 = 2 sqrt(m sigma0): with it the
 *              sticking mass returns without overshoot. Rill et al. 2023, section 4.2; k_s =
 *              F_s0/delta of Olsson & Astrom 1993, section 3, is the first of the two as well
 *     v_r    = v_s/10 (section 4.1 there)
 *
 * A length has no meaning for a joint that turns, so there the stiffness is asked for. */
#include "setup.h"

#include "../fail.h"

#include <math.h>
#include <string.h>

static const double reference_deflection = 5e-5; /* Rill's example: 4 N, 80 kN/m [m] */
static const double standard_gravity = 9.81;

const char *bri_origin_name(bri_origin origin) {
    static const char *const names[BRI_ORIGIN_COUNT] = {
        [BRI_DEFAULT] = "default",
        [BRI_GIVEN] = "given",
        [BRI_CARRIED] = "carried",
        [BRI_DERIVED] = "derived",
    };
    return origin >= BRI_DEFAULT && origin < BRI_ORIGIN_COUNT ? names[origin] : "";
}

/* ---- rules --------------------------------------------------------------------------------- */

void setup_settle_levels(bri_setup *s) {
    int c = role_has(s, BRI_ROLE_LEVEL), t = role_has(s, BRI_ROLE_STATIC_LEVEL);
    int slow = role_has(s, BRI_ROLE_SLOW_LEVEL);
    const char *rule = "the other level: no stiction is given";
    if (c >= 0 && t >= 0 && role_known(s, BRI_ROLE_LEVEL) != role_known(s, BRI_ROLE_STATIC_LEVEL)) {
        int to = role_known(s, BRI_ROLE_LEVEL) ? t : c;
        role_put(s, to, s->p[to == t ? c : t], BRI_DERIVED, rule);
    }
    if (slow >= 0 && role_known(s, BRI_ROLE_LEVEL) && s->origin[slow] == BRI_DEFAULT)
        role_put(s, slow, 0.0, BRI_DERIVED, "no stiction is given");
}

/* A law that has levels has no viscous part unless it is given. */
static void derive_viscous(work *w) {
    const bri_role roles[2] = {BRI_ROLE_VISCOUS, BRI_ROLE_VISCOUS_PER_LOAD};
    int at;
    if (isnan(role_sliding_level(w->s, &at))) return;
    for (int k = 0; k < 2; k++) {
        int i = role_has(w->s, roles[k]);
        if (i >= 0 && !w->settled[i] && w->s->p[i] != 0.0)
            role_put(w->s, i, 0.0, BRI_DERIVED, "no viscous part is given");
    }
}

static bri_status ask_for(const work *w, int i, const char *reason, bri_error *err) {
    const bri_model *m = w->s->model;
    return bri_fail(err, BRI_BAD_VALUE, "%s is missing: %s needs its %s, and %s", m->params[i].name,
                    m->name, bri_role_name(m->params[i].role), reason);
}

/* A load that is zero and stays so: no parameter has an effect. */
static int open_for_good(const work *w) { return !w->at->varies && w->at->load == 0.0; }

static bri_status derive_stiffness(work *w, bri_error *err) {
    bri_setup *s = w->s;
    int i = role_has(s, BRI_ROLE_STIFFNESS), length = role_has(s, BRI_ROLE_DEFLECTION), at;
    int it = i >= 0 ? i : length;
    if (it < 0 || w->settled[it]) return BRI_OK;
    if (open_for_good(w)) return BRI_OK;
    if (w->at->turns) return ask_for(w, it, "no rule is known for a joint that turns", err);
    if (!(w->at->load > 0.0)) return ask_for(w, it, "the load at the start does not tell it", err);
    double k = role_static_level(s, &at) * w->at->load / reference_deflection;
    if (i >= 0)
        role_put(s, i, k, BRI_DERIVED, "static level over 0.05 mm (Rill et al. 2023, section 4.2)");
    else
        role_put(s, length, role_length_for(s, length, w->at->load, k), BRI_DERIVED,
                 "stiffness at rest: static level over 0.05 mm (Rill et al. 2023, section 4.2)");
    return BRI_OK;
}

static bri_status derive_damping(work *w, bri_error *err) {
    bri_setup *s = w->s;
    int i = role_has(s, BRI_ROLE_DAMPING), at;
    if (i < 0 || w->settled[i] || open_for_good(w)) return BRI_OK;
    double sigma0 = role_stiffness(s, w->at->load, &at), m = w->at->mass;
    const char *rule = "2 sqrt(m sigma0), m the moving mass (Rill et al. 2023, section 4.2)";
    if (!(m > 0.0) && w->at->turns)
        return ask_for(w, i, "no body with an inertia moves on the contact", err);
    if (!(m > 0.0)) {
        if (!(w->at->load > 0.0))
            return ask_for(w, i, "the load at the start does not tell it", err);
        m = role_static_level(s, &at) * w->at->load / standard_gravity;
        rule = "2 sqrt(m sigma0), m = static level/g (Rill et al. 2023, section 4.2)";
    }
    role_put(s, i, 2.0 * sqrt(m * sigma0), BRI_DERIVED, rule);
    return BRI_OK;
}

static void derive_elastic_limit(work *w) {
    bri_setup *s = w->s;
    int i = role_has(s, BRI_ROLE_ELASTIC_LIMIT), at;
    if (i < 0 || w->settled[i] || !(w->at->load > 0.0)) return;
    double k = role_stiffness(s, w->at->load, &at);
    role_put(s, i, 0.7 * role_sliding_level(s, &at) * w->at->load / k, BRI_DERIVED,
             "0.7 of the sliding level over sigma0");
}

/* The speed of the Stribeck curve, in this law or in the one it stands in for; NaN: nobody says. */
static double curve_speed(const bri_setup *s, bri_role *role) {
    static const bri_role roles[2] = {BRI_ROLE_STRIBECK_SPEED, BRI_ROLE_SLIDING_SPEED};
    for (int k = 0; s && k < 2; k++)
        if (role_known(s, roles[k])) {
            int i = role_has(s, *role = roles[k]);
            return role_as_speed(&s->model->params[i], s->p[i]);
        }
    return NAN;
}

static void derive_smoothing(work *w, bri_role which) {
    bri_setup *s = w->s;
    bri_role role;
    int i = role_has(s, which);
    if (i < 0 || w->settled[i]) return;
    const bri_param *row = &s->model->params[i];
    double v = curve_speed(s, &role), share = 0.1;
    const char *rule = "a tenth of the Stribeck speed (Rill et al. 2023, section 4.1)";
    if (!isnan(v)) { /* the law has both: as in its published set */
        const bri_param *other = &s->model->params[role_has(s, role)];
        share = role_as_speed(row, row->def) / role_as_speed(other, other->def);
        rule = "follows the Stribeck speed in the proportion of its defaults";
    } else if (isnan(v = curve_speed(w->other, &role))) {
        return;
    }
    role_put(s, i, role_as_speed(row, share * v), BRI_DERIVED, rule);
}

/* A law whose sliding begins where its smoothing ends has the two in proportion. */
static void derive_sliding_speed(work *w) {
    bri_setup *s = w->s;
    int i = role_has(s, BRI_ROLE_SLIDING_SPEED), j = role_has(s, BRI_ROLE_SMOOTHING);
    if (i < 0 || j < 0 || w->settled[i] || s->origin[j] == BRI_DEFAULT) return;
    const bri_param *row = &s->model->params[i], *other = &s->model->params[j];
    role_put(s, i, row->def / other->def * s->p[j], BRI_DERIVED,
             "follows the smoothing in the proportion of its defaults");
}

bri_status bri_setup_complete(bri_setup *s, const bri_setup *other, const bri_place *at,
                              bri_lost *lost, int *n_lost, bri_error *err) {
    work w = {.s = s, .other = other, .at = at};
    bri_status status = BRI_OK;
    for (int i = 0; i < s->model->n_params; i++) w.settled[i] = s->origin[i] != BRI_DEFAULT;
    if (other) status = stand_in(&w, lost, n_lost, err);
    if (status != BRI_OK) return status;
    setup_settle_levels(s);
    derive_viscous(&w);
    status = derive_stiffness(&w, err);
    if (status == BRI_OK) status = derive_damping(&w, err);
    derive_elastic_limit(&w);
    derive_smoothing(&w, BRI_ROLE_SMOOTHING);
    derive_smoothing(&w, BRI_ROLE_STICK_BAND);
    derive_sliding_speed(&w);
    return status;
}

int bri_setup_invented(const bri_setup *s, int i) {
    const bri_param *row = &s->model->params[i];
    if (s->origin[i] != BRI_DEFAULT || s->p[i] == 0.0 || role_idle(s, i)) return 0;
    if (row->role == BRI_ROLE_SIGN_BLEND) return 0;
    return row->force || row->role == BRI_ROLE_LEVEL_RATIO || strcmp(row->unit, "1") != 0;
}
