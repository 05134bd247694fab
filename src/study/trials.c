/* trials.c - whether a law is sound: finite, odd, its derivatives those of its force, passive,
 * harmless in the air, its step stable. Samples are the same in every run. */
#include "bristle_study.h"

#include "conform/conform.h"
#include "text.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

enum { SAMPLES = 2000, MOST = (1 + BRI_MAX_STATES) * (3 + BRI_MAX_STATES) };

typedef struct sample {
    double p[BRI_MAX_PARAMS], z[BRI_MAX_STATES];
    bri_input u;
    int states;
    int corner; /* parameters at the ends of their ranges */
} sample;

/* ---- samples ------------------------------------------------------------------------------- */

/* Number k of sequence j: fills (0, 1) evenly. */
static double spread(int k, int j) {
    double turn = (k + 1) * sqrt(2.0 + 3.0 * j + (j % 2 ? 0.5 : 0.1));
    return turn - floor(turn);
}

/* A decade to either side of the default; a few units where that is zero; whole numbers all. */
static double near_default(const bri_param *row, double r) {
    double x = row->def * pow(10.0, 2.0 * r - 1.0);
    if (row->whole)
        x = row->min + floor(r * (fmin(row->max, row->min + 9.0) - row->min + 0.999));
    else if (row->def == 0.0)
        x = r < 0.3 ? 0.0 : 3.0 * (r - 0.3);
    return fmin(fmax(x, row->min), row->max);
}

static void take_params(const bri_model *m, int k, sample *s) {
    bri_model_defaults(m, s->p);
    s->corner = k % 8 == 7;
    if (k == 0) return;
    for (int i = 0; i < m->n_params; i++) {
        const bri_param *row = &m->params[i];
        double r = spread(k, i);
        if (!s->corner)
            s->p[i] = near_default(row, r);
        else if (r < 0.33 || r > 0.67)
            s->p[i] = r < 0.5 ? row->min : row->max;
    }
    /* rules between them: back to the defaults, one after the other */
    for (int i = 0; i < m->n_params && bri_model_check(m, s->p, NULL) != BRI_OK; i++)
        s->p[i] = m->params[i].def;
}

static double usual_speed(const bri_model *m) {
    double most = 0.0;
    for (int i = 0; i < m->n_params; i++)
        if (strcmp(m->params[i].unit, "m/s") == 0) most = fmax(most, m->params[i].def);
    return most > 0.0 ? most : 0.01;
}

static sample take_sample(const bri_model *m, int k) {
    static const double edges[] = {0.0, 5e-324, -1e-310, 1e-15, -1e-12, 1e3};
    sample s = {.u = {.mode = BRI_AUTO}};
    take_params(m, k, &s);
    s.u.v = (k & 1 ? 1.0 : -1.0) * usual_speed(m) * pow(10.0, 5.0 * spread(k, 40) - 3.0);
    if (k % 16 == 3) s.u.v = edges[k / 16 % 6];
    s.u.x = spread(k, 41) - 0.5;
    s.u.n = m->load * pow(10.0, 2.0 * spread(k, 42) - 1.0);
    s.u.fa = 2.0 * (2.0 * spread(k, 43) - 1.0) * s.u.n;
    s.states = bri_model_states(m, s.p);
    for (int i = 0; i < s.states; i++) {
        double r = spread(k, 44 + i);
        s.z[i] = 2.0 * m->states[i].nominal * (m->states[i].even ? r : 2.0 * r - 1.0);
    }
    return s;
}

/* ---- what was found ------------------------------------------------------------------------ */

/* Remember the first failure: what, and at which sample. Returns 0. */
#if defined(__GNUC__)
__attribute__((format(printf, 4, 5)))
#endif
static int
blame(bri_trial *t, const bri_model *m, const sample *s, const char *format, ...) {
    va_list args;
    va_start(args, format);
    int used = text_vformat(t->found, sizeof t->found, format, args);
    va_end(args);
    t->passed = 0;
    if (used < 0 || (size_t)used >= sizeof t->found) return 0;
    used += text_format(t->found + used, sizeof t->found - (size_t)used, " at v = %g, N = %g",
                        s->u.v, s->u.n);
    for (int i = 0; i < s->states && (size_t)used < sizeof t->found; i++)
        used += text_format(t->found + used, sizeof t->found - (size_t)used, ", %s = %g",
                            m->states[i].name, s->z[i]);
    for (int i = 0; i < m->n_params && (size_t)used < sizeof t->found; i++)
        if (s->p[i] != m->params[i].def)
            used += text_format(t->found + used, sizeof t->found - (size_t)used, ", %s = %g",
                                m->params[i].name, s->p[i]);
    return 0;
}

/* Row i of the results: the force, then the rates. */
static const char *row_name(const bri_model *m, int i) {
    return i == 0 ? "F" : m->states[i - 1].name;
}

static void values(const bri_model *m, const sample *s, double *out) {
    out[0] = bri_model_eval(m, s->p, &s->u, s->z, out + 1);
}

/* ---- trials -------------------------------------------------------------------------------- */

static int try_finite(const bri_model *m, const sample *s, bri_trial *t) {
    double out[MOST];
    values(m, s, out);
    for (int i = 0; i <= s->states; i++)
        if (!isfinite(out[i]))
            return blame(t, m, s, "%s%s = %g", row_name(m, i), i ? "'" : "", out[i]);
    bri_model_jac(m, s->p, &s->u, s->z, out);
    for (int i = 0; i < (1 + s->states) * (3 + s->states); i++)
        if (!isfinite(out[i]))
            return blame(t, m, s, "a derivative of %s%s is %g", row_name(m, i / (3 + s->states)),
                         i < 3 + s->states ? "" : "'", out[i]);
    return 1;
}

/* Sizes of what the rows are made of, so that terms may cancel. */
static void sizes(const bri_model *m, const sample *s, const double *out, double *size) {
    double J[MOST];
    int width = 3 + s->states;
    bri_model_jac(m, s->p, &s->u, s->z, J);
    for (int i = 0; i <= s->states; i++) {
        const double *row = J + i * width;
        size[i] =
            fabs(out[i]) + fabs(row[0] * s->u.x) + fabs(row[1] * s->u.v) + fabs(row[2] * s->u.n);
        for (int j = 0; j < s->states; j++) size[i] += fabs(row[3 + j] * s->z[j]);
    }
}

static int try_odd(const bri_model *m, const sample *s, bri_trial *t) {
    double a[1 + BRI_MAX_STATES], b[1 + BRI_MAX_STATES], size[1 + BRI_MAX_STATES];
    sample mirror = *s;
    mirror.u.x = -s->u.x;
    mirror.u.v = -s->u.v;
    mirror.u.fa = -s->u.fa;
    for (int i = 0; i < s->states; i++) mirror.z[i] = m->states[i].even ? s->z[i] : -s->z[i];
    values(m, s, a);
    values(m, &mirror, b);
    sizes(m, s, a, size);
    for (int i = 0; i <= s->states; i++) {
        double want = i > 0 && m->states[i - 1].even ? a[i] : -a[i];
        if (!(fabs(b[i] - want) <= 1e-9 * size[i]))
            return blame(t, m, s, "%s%s is %g one way and %g the other", row_name(m, i),
                         i ? "'" : "", a[i], b[i]);
    }
    return 1;
}

/* Extrapolated central difference along a column, with the two it is made of. */
static void difference(const bri_model *m, const sample *s, int column, double h, double *out) {
    sample at = *s;
    double up[1 + BRI_MAX_STATES], down[1 + BRI_MAX_STATES];
    double *x = column == 0   ? &at.u.x
                : column == 1 ? &at.u.v
                : column == 2 ? &at.u.n
                              : &at.z[column - 3];
    double here = *x;
    *x = here + h;
    values(m, &at, up);
    *x = here - h;
    values(m, &at, down);
    for (int i = 0; i <= s->states; i++) out[i] = (up[i] - down[i]) / (2.0 * h);
}

/* Where two differences are far apart there is a corner, which is not judged. */
static int try_derivatives(const bri_model *m, const sample *s, bri_trial *t) {
    double J[MOST], out[1 + BRI_MAX_STATES], size[1 + BRI_MAX_STATES];
    double coarse[1 + BRI_MAX_STATES], fine[1 + BRI_MAX_STATES];
    int width = 3 + s->states;
    static const char *const inputs[] = {"x", "v", "N"};
    if (s->corner || fabs(s->u.v) < 1e-9) return 1;
    values(m, s, out);
    sizes(m, s, out, size);
    bri_model_jac(m, s->p, &s->u, s->z, J);
    for (int c = 0; c < width; c++) {
        double at = c == 0 ? s->u.x : c == 1 ? s->u.v : c == 2 ? s->u.n : s->z[c - 3];
        double h = 2e-4 * fmax(fabs(at), c > 2 ? 0.01 * m->states[c - 3].nominal : 1e-12);
        difference(m, s, c, h, coarse);
        difference(m, s, c, 0.5 * h, fine);
        for (int i = 0; i <= s->states; i++) {
            double want = (4.0 * fine[i] - coarse[i]) / 3.0, apart = fabs(fine[i] - coarse[i]);
            double noise = 1e-13 * size[i] / h + 1e-6 * fabs(want);
            if (apart > 1e-3 * fabs(want) + 10.0 * noise) continue;
            if (!(fabs(J[i * width + c] - want) <= apart + 10.0 * noise))
                return blame(t, m, s, "d%s%s/d%s = %g, by differences %g", row_name(m, i),
                             i ? "'" : "", c < 3 ? inputs[c] : m->states[c - 3].name,
                             J[i * width + c], want);
        }
    }
    return 1;
}

static int try_air(const bri_model *m, const sample *s, bri_trial *t) {
    double out[1 + BRI_MAX_STATES];
    sample air = *s;
    air.u.n = 0.0;
    air.u.fa = 0.0;
    values(m, &air, out);
    if (out[0] != 0.0 && (m->n_states == 0 || m->lift)) return blame(t, m, &air, "F = %g", out[0]);
    for (int i = 0; i <= s->states; i++)
        if (!isfinite(out[i])) return blame(t, m, &air, "%s is %g", row_name(m, i), out[i]);
    return 1;
}

static int try_rest(const bri_model *m, const sample *s, bri_trial *t) {
    double out[1 + BRI_MAX_STATES];
    sample rest = *s;
    rest.u.v = rest.u.x = rest.u.fa = 0.0;
    bri_model_rest(m, rest.p, rest.z);
    values(m, &rest, out);
    return fabs(out[0]) <= 1e-9 * rest.u.n ? 1 : blame(t, m, &rest, "F = %g", out[0]);
}

/* A function of the velocity takes energy away at every speed. Laws with states are moved about. */
static int try_passive(const bri_model *m, const sample *s, bri_trial *t) {
    if (m->n_states > 0) return 1;
    double out[1];
    if (bri_model_motion(m, s->p, &s->u, NULL) == 0) return 1; /* what balances does no work */
    values(m, s, out);
    return out[0] * s->u.v >= 0.0 ? 1 : blame(t, m, s, "F = %g drives the motion", out[0]);
}

static int try_step(const bri_model *m, const sample *s, bri_trial *t) {
    double dz[BRI_MAX_STATES];
    if (m->n_states == 0) return -1;
    for (int k = 0; k < 6; k++) {
        double h = pow(10.0, 3.0 * k - 9.0);
        sample after = *s;
        double F = bri_model_step(m, s->p, &s->u, h, after.z);
        if (!isfinite(F)) return blame(t, m, s, "F = %g after a step of %g s", F, h);
        for (int i = 0; i < s->states; i++)
            if (!isfinite(after.z[i]))
                return blame(t, m, s, "%s = %g after a step of %g s", m->states[i].name, after.z[i],
                             h);
        double again = bri_model_eval(m, s->p, &s->u, after.z, dz);
        if (!m->set_valued && !(fabs(again - F) <= 1e-3 * (fabs(F) + fabs(again)) + 1e-9 * s->u.n))
            return blame(t, m, s, "a step of %g s ends with F = %g, where it is %g", h, F, again);
    }
    return 1;
}

static int try_stored(const bri_model *m, const sample *s, bri_trial *t) {
    double grad[BRI_MAX_STATES], other[BRI_MAX_STATES];
    if (!m->stored || s->corner) return m->stored ? 1 : -1;
    double energy = m->stored(m, s->p, &s->u, s->z, grad);
    if (!(energy >= 0.0)) return blame(t, m, s, "%g J are stored", energy);
    for (int i = 0; i < s->states; i++) {
        sample at = *s;
        double h = 1e-4 * m->states[i].nominal, here = at.z[i];
        at.z[i] = here + h;
        double up = m->stored(m, s->p, &s->u, at.z, other);
        at.z[i] = here - h;
        double want = (up - m->stored(m, s->p, &s->u, at.z, other)) / (2.0 * h);
        if (!(fabs(grad[i] - want) <= 1e-5 * (fabs(want) + energy / m->states[i].nominal)))
            return blame(t, m, s, "its slope in %s is %g, by differences %g", m->states[i].name,
                         grad[i], want);
    }
    return 1;
}

static const struct {
    const char *name, *text;
    int (*at)(const bri_model *m, const sample *s, bri_trial *t);
} trials[] = {
    {"finite", "force, rates and derivatives are numbers everywhere in the ranges", try_finite},
    {"symmetry", "a motion in a mirror has the force in a mirror", try_odd},
    {"derivatives", "the Jacobian is that of force and rates, by extrapolated differences",
     try_derivatives},
    {"rest", "no force at rest", try_rest},
    {"lift-off", "no force without a load", try_air},
    {"passivity", "friction takes energy away: at every speed, or in random motions", try_passive},
    {"step", "stable and finite from 1 ns to 1e6 s, and its force that of where it ends", try_step},
    {"stored", "the energy is not negative, and its slope that of differences", try_stored},
};

int bri_trial_count(void) { return (int)(sizeof trials / sizeof *trials); }

/* Forty random motions: the least net work that was ever put in, as `bristle conform` measures. */
static void try_motions(const bri_model *m, bri_trial *t) {
    const bri_phenomenon *work = bri_phenomenon_find("work");
    bri_setup s;
    bri_error err;
    bri_status status = bri_conform_setup(&s, m, NULL, &err);
    if (status) {
        t->passed = status == BRI_NO_MEMORY ? -2 : 0;
        text_format(t->found, sizeof t->found, "%.200s", err.text);
        return;
    }
    bri_finding found = bri_conform_one(&s, work, 0.0);
    t->passed = found.word == word_memory ? -2 : found.tone != BRI_TONE_BAD;
    if (isnan(found.value))
        text_format(t->found, sizeof t->found, "random motions cannot be run: %s",
                    found.word ? found.word : "no number");
    else if (!t->passed)
        text_format(t->found, sizeof t->found,
                    "random motions get work out of it: net work falls to %g of what was moved",
                    found.value);
}

bri_trial bri_trial_at(int i) {
    bri_trial t = {.name = "", .text = "", .passed = -1};
    if (i < 0 || i >= bri_trial_count()) return t;
    t.name = trials[i].name;
    t.text = trials[i].text;
    return t;
}

bri_trial bri_try_law(const bri_model *m, int i) {
    bri_trial t = bri_trial_at(i);
    if (!t.text[0]) return t;
    for (int k = 0; k < SAMPLES; k++) {
        sample s = take_sample(m, k);
        if (bri_model_check(m, s.p, NULL) != BRI_OK) continue;
        int passed = trials[i].at(m, &s, &t);
        if (passed >= 0) t.passed = passed;
        if (passed == 0) return t;
    }
    if (trials[i].at == try_passive && m->n_states > 0) try_motions(m, &t);
    return t;
}
