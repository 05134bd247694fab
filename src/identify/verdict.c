/* verdict.c - what recordings can tell, before anything is fitted.
 *
 * How much of the force follows from the motion at all is found without a law: by a regression on
 * inertia, viscous and dry friction, weight, stiffness and six hysteresis elements of lengths from
 * 0.3 % of the travel to all of it, with the force shifted in time. What that leaves, no friction
 * law will explain. */
#include "identify.h"

#include "fail.h"
#include "text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void id_say(char **text, const char *format, ...) {
    char line[600];
    va_list args;
    va_start(args, format);
    text_vformat(line, sizeof line, format, args);
    va_end(args);
    size_t old = *text ? strlen(*text) : 0, more = strlen(line);
    char *longer = realloc(*text, old + more + 2);
    if (!longer) return;
    *text = longer;
    memcpy(longer + old, line, more);
    memcpy(longer + old + more, "\n", 2);
}

static const double MOVES = 0.02; /* of the largest speed: what is slower counts as rest */

double id_fastest(const id_force *f) {
    double most = 0.0;
    for (int i = 0; i < f->n_runs; i++) {
        const double *v = f->run[i].slide ? f->run[i].slide : f->run[i].v;
        for (long k = 0; v && k < f->run[i].count; k++) most = fmax(most, fabs(v[k]));
    }
    return most;
}

/* ---- the regression ------------------------------------------------------------------------- */

enum { ELEMENTS = 6, BASIS = 7 + ELEMENTS, SHIFTS = 121 };

/* Regressors along a run, BASIS x count: a, v, sgn v, 1, x, sin x, cos x, elements. */
static void fill_basis(const id_run *r, double travel, int rotary, double *B) {
    double z[ELEMENTS] = {0};
    for (long i = 0; i < r->count; i++) {
        double v = r->slide ? r->slide[i] : r->v[i], moved = i > 0 ? v * r->h : 0.0;
        double x = r->body >= 0 ? r->x[i] : 0.0;
        double c[7] = {r->body >= 0 ? r->a[i] : 0.0,
                       v,
                       (double)((v > 0.0) - (v < 0.0)),
                       1.0,
                       x,
                       rotary ? sin(x) : 0.0,
                       rotary ? cos(x) : 0.0};
        for (int k = 0; k < 7; k++) B[k * r->count + i] = c[k];
        for (int k = 0; k < ELEMENTS; k++) {
            double length = travel * pow(10.0, -0.5 * (k + 0.05)), end = copysign(1.0, moved);
            if (moved != 0.0) z[k] = end + (z[k] - end) * exp(-fabs(moved) / length);
            B[(7 + k) * r->count + i] = z[k];
        }
    }
}

typedef struct shifts {
    double A[BASIS * BASIS], b[SHIFTS][BASIS], yy[SHIFTS], y[SHIFTS];
    long rows;
    double h;
} shifts;

/* Add a run to the sums; shift k is (k - SHIFTS/3) times a step of h. Samples slower than `slow` do
 * not count: at rest friction holds whatever acts. */
static int add_run(shifts *s, const id_run *r, double travel, int rotary, double h, double slow) {
    long n = r->count, wide = r->share > 0.0 ? id_low_pass_room(n, r->share) : 0;
    double *B = malloc(((size_t)n * (BASIS + 1) + (size_t)wide) * sizeof *B);
    if (!B) return 0;
    double *y = B + BASIS * n, *room = y + n;
    fill_basis(r, travel, rotary, B);
    memcpy(y, r->y, (size_t)n * sizeof *y);
    for (int k = 0; k <= BASIS && r->share > 0.0; k++) id_low_pass(B + k * n, n, r->share, room);
    for (long i = 0; i < r->rows; i++) {
        long at = r->first + i * r->step;
        if (fabs(r->slide ? r->slide[at] : r->v[at]) < slow) continue;
        for (int p = 0; p < BASIS; p++)
            for (int q = 0; q <= p; q++) s->A[p * BASIS + q] += B[p * n + at] * B[q * n + at];
        for (int k = 0; k < SHIFTS; k++) {
            long there = at + (long)lround((k - SHIFTS / 3) * h / r->h);
            double f = y[there < 0 ? 0 : there >= n ? n - 1 : there];
            for (int p = 0; p < BASIS; p++) s->b[k][p] += B[p * n + at] * f;
            s->yy[k] += f * f;
            s->y[k] += f;
        }
        s->rows++;
    }
    free(B);
    return 1;
}

/* Relative error that the regression leaves at a shift, of what varies; of all where that is small:
 * what a force of nearly one size varies by may be noise. b: its coefficients. */
static double left_at(const shifts *s, int k, double *b) {
    double L[BASIS * BASIS], left = s->yy[k];
    for (int p = 0; p < BASIS; p++)
        for (int q = 0; q < BASIS; q++)
            L[p * BASIS + q] = s->A[(p > q ? p : q) * BASIS + (p > q ? q : p)];
    for (int p = 0; p < BASIS; p++) L[p * (BASIS + 1)] += 1e-9 * L[p * (BASIS + 1)] + 1e-300;
    memcpy(b, s->b[k], sizeof s->b[k]);
    if (!id_cholesky(L, BASIS)) return NAN;
    id_cholesky_solve(L, BASIS, b);
    for (int p = 0; p < BASIS; p++) left -= b[p] * s->b[k][p];
    double size = s->yy[k] - s->y[k] * s->y[k] / (double)s->rows;
    if (s->yy[k] > 0.0 && left < 4e-4 * s->yy[k]) size = s->yy[k]; /* 2 % of the force is enough */
    return size > 0.0 ? sqrt(fmax(left, 0.0) / size) : NAN;
}

/* The work that friction takes, by the regression: forces with v, sgn v and path times v. Less than
 * nothing by far: force and motion count in opposite directions. */
static int feeds(const shifts *s, int k) {
    double b[BASIS], work = 0.0;
    if (!(left_at(s, k, b) < 0.25)) return 0;
    for (int p = 1; p < BASIS; p++)
        if (p < 3 || p >= 7) work += b[p] * s->A[(p > 1 ? p : 1) * BASIS + 1];
    return work < -0.02 * sqrt(s->A[BASIS + 1] * s->yy[k]);
}

static void explain(const id_force *f, double travel, int rotary, bri_data_verdict *v) {
    shifts *s = calloc(1, sizeof *s);
    v->explained = v->delay = NAN;
    if (!s || f->n_runs == 0) {
        free(s);
        return;
    }
    double h = fmax(f->run[0].h, 1e-3);
    int best = SHIFTS / 3, here = best;
    double slow = MOVES * id_fastest(f);
    for (int i = 0; i < f->n_runs; i++)
        if (!add_run(s, &f->run[i], travel, rotary, h, slow)) break;
    double b[BASIS], least = left_at(s, here, b), now = least;
    for (int k = 0; k < SHIFTS; k++) {
        double left = left_at(s, k, b);
        if (left < least) least = left, best = k;
    }
    if (s->rows < 3 * BASIS) least = NAN; /* the regression would explain anything */
    v->explained = least;
    if ((least < 0.9 * now && now > 0.03) || (least < 0.5 * now && now > 3e-3))
        v->delay = (best - here) * h;
    if (v->reversals > 0 && feeds(s, best))
        id_say(&v->text, "Friction would feed the motion, not brake it: force and motion count in "
                         "opposite directions. Turn the sign of one column in the map: "
                         "-1*COLUMN.");
    free(s);
}

/* ---- steps, noise, directions --------------------------------------------------------------- */

/* Sensors whose values are multiples of a step. */
static void look_at_steps(const id_data *d, bri_data_verdict *v) {
    char line[400] = "";
    size_t n = 0;
    for (int k = 0; k < d->map.count && n < sizeof line - 120; k++) {
        const id_target *t = &d->map.target[k];
        double step = d->step[k];
        if (t->what == ID_BODY_X) v->step_x = step;
        if (t->what == ID_DRIVE || t->what == ID_CONTACT_F) v->step_F = step;
        if (step > 0.0) {
            text_format(line + n, sizeof line - n, "%s%.60s %.3g %.20s", n ? ", " : "", t->name,
                        step, t->unit);
            n += strlen(line + n);
        }
    }
    if (n) id_say(&v->text, "Steps of the sensors: %s.", line);
}

static void look_at_noise(const id_force *f, bri_data_verdict *v) {
    double sum = 0.0, next = 0.0;
    long n = 0;
    for (int i = 0; i < f->n_runs; i++) {
        const id_run *r = &f->run[i];
        if (!(r->share > 0.0)) continue;
        long wide = id_low_pass_room(r->count, r->share);
        double *y = malloc((size_t)(r->count + wide) * sizeof *y), before = 0.0;
        if (!y) return;
        memcpy(y, r->y, (size_t)r->count * sizeof *y);
        id_low_pass(y, r->count, r->share, y + r->count);
        for (long k = 0; k < r->count; k++) {
            double e = r->y[k] - y[k];
            sum += e * e, next += e * before, n++;
            before = e;
        }
        free(y);
    }
    v->noise = n > 0 ? sqrt(sum / (double)n) : NAN;
    v->noise_colour = sum > 0.0 ? next / sum : NAN;
}

static void look_at_motion(const id_force *f, bri_data_verdict *v) {
    double most = id_fastest(f);
    long n = 0, rest = 0;
    for (int i = 0; i < f->n_runs; i++) {
        int way = 0;
        for (long k = 0; f->run[i].slide && k < f->run[i].count; k++) {
            double s = f->run[i].slide[k];
            int now = s > MOVES * most ? 1 : s < -MOVES * most ? -1 : 0;
            v->reversals += now != 0 && way != 0 && now != way;
            if (now) way = now;
            rest += fabs(s) < 1e-3 * most;
            n++;
        }
    }
    v->resting = n > 0 ? (double)rest / (double)n : 0.0;
}

/* ---- words ---------------------------------------------------------------------------------- */

static double spread(const double *y, long n) {
    double low = INFINITY, high = -INFINITY;
    for (long i = 0; i < n; i++) low = fmin(low, y[i]), high = fmax(high, y[i]);
    return high - low;
}

/* Signals that do not vary, or by more than can be computed with. */
static void look_for_nonsense(const id_data *d, bri_data_verdict *v) {
    for (int k = 0; k < d->map.count; k++) {
        const id_target *t = &d->map.target[k];
        double most = 0.0;
        if (t->what == ID_TIME || t->what == ID_CONTACT_N) continue;
        for (int i = 0; i < d->count; i++)
            if (d->stretch[i].value[k])
                most = fmax(most, spread(d->stretch[i].value[k], d->stretch[i].count));
        if (most > 0.0 && most < 1e100) continue;
        if (most > 0.0)
            id_say(&v->text, "Refused: %s varies by %.3g %s: look at its column and its unit.",
                   t->name, most, t->unit);
        else
            id_say(&v->text, "Refused: %s never changes: nothing can be learned from it.", t->name);
        v->refused = 1;
    }
}

static void tell(const bri_data_verdict *v, int curve, const char *unit, char **text) {
    if (v->holes)
        id_say(text, "%ld of %ld rows lack a number and are left out.", v->holes, v->rows);
    if (v->gaps)
        id_say(text, "%ld gap%s: states of the law start anew after each.", v->gaps,
               v->gaps > 1 ? "s" : "");
    if (v->thinned)
        id_say(text, "Means over %ld neighbouring rows are taken: the files are long.", v->thinned);
    if (v->jitter > 0.05)
        id_say(text,
               "The clock jitters by up to %.2g %% of a step: rows are met at even instants by "
               "straight lines.",
               100.0 * v->jitter);
    if (curve) return;
    if (v->reversals == 0)
        id_say(
            text,
            "The motion never turns round: an offset and a friction level cannot be told apart.");
    if (v->slow > 0.0 && v->fast < 5.0 * v->slow)
        id_say(text,
               "Speeds span a factor of %.2g only: how friction depends on speed is seen over that "
               "range alone.",
               v->fast / v->slow);
    if (v->resting > 0.5) id_say(text, "%.0f %% of the time nothing moves.", 100.0 * v->resting);
    if (isfinite(v->delay))
        id_say(text,
               "The force seems to be %s by %.3g ms against the motion: make the delay unknown, or "
               "mend the clock.",
               v->delay > 0.0 ? "late" : "early", 1e3 * fabs(v->delay));
    if (v->noise > 0.0 && isfinite(v->noise) && v->filter > 0.0)
        id_say(text,
               "Beyond the filter the force has %.3g %s (rms), neighbouring samples correlate by "
               "%.2f.",
               v->noise, unit, v->noise_colour);
}

bri_status id_verdict(const bri_identify_def *def, const id_data *d, const id_force *f,
                      double filter, bri_data_verdict *v, bri_error *err) {
    int curve = d->map.target[0].what != ID_TIME || f->motion, rotary = 0;
    char unit[16] = "N";
    *v = (bri_data_verdict){.rows = d->rows,
                            .holes = d->holes,
                            .gaps = d->gaps,
                            .files = def->n_files,
                            .stretches = d->count,
                            .jitter = d->jitter,
                            .thinned = d->thinned,
                            .filter = filter,
                            .delay = NAN,
                            .explained = NAN};
    for (int i = 0; i < d->count; i++) v->seconds += (double)d->stretch[i].count * d->stretch[i].h;
    if (d->stretch[0].h > 0.0) v->rate = 1.0 / d->stretch[0].h;
    for (int k = 0; k < d->map.count; k++) {
        const id_target *t = &d->map.target[k];
        if (strcmp(t->unit, "rad") == 0 || strcmp(t->unit, "rad/s") == 0) rotary = 1;
    }
    if (rotary) snprintf(unit, sizeof unit, "N m");
    look_for_nonsense(d, v);
    look_at_steps(d, v);
    id_rough g = id_rough_of(f);
    if (!g.still) v->slow = g.slow, v->fast = g.fast, v->travel = g.travel;
    if (!curve) {
        look_at_motion(f, v);
        look_at_noise(f, v);
        if (!v->refused) explain(f, g.travel, rotary, v);
    }
    tell(v, curve, unit, &v->text);
    if (v->explained > 0.25) {
        v->refused = 1;
        id_say(&v->text,
               "Refused: inertia, weight, stiffness and any friction that depends on speed and "
               "path leave %.0f %% of "
               "the force unexplained%s: the force does not belong to this motion. No law will "
               "fit; look at the "
               "sensor of the force, its delay and what else acts on the rig.",
               100.0 * v->explained,
               isfinite(v->delay) ? ", even with the force shifted in time" : "");
    }
    if (!v->text) v->text = calloc(1, 1);
    return v->text ? BRI_OK : bri_fail(err, BRI_NO_MEMORY, "%s", bri_status_text(BRI_NO_MEMORY));
}
