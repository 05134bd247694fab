/* next.c - what to measure next, computed: motions to and fro of several amplitudes and speeds, and
 * loads, are tried on the fitted rig, each as a recording with as many independent samples as there
 * are. With the information J'J/sigma^2 of both recordings together, the standard error of every
 * unknown becomes smaller; the motion that shrinks the least certain ones most is named. */
#include "identify.h"

#include "text.h"

#include <math.h>
#include <string.h>

enum { SAMPLES = 480, PERIODS = 3, AMPLITUDES = 5, SPEEDS = 5, LOADS = 3, TOLD = 2 };

typedef struct plan {
    double amplitude, speed, load; /* the load as a multiple */
} plan;

static double frequency_of(const plan *q) {
    return q->speed / q->amplitude / 6.28318530717958647692;
}

typedef struct planner {
    const id_force *f;
    const id_problem *p;
    const id_solution *s;
    const bri_fit *fit;
    double M[ID_UNKNOWNS * ID_UNKNOWNS]; /* information that there is, with a weak prior */
    double now[ID_UNKNOWNS];             /* standard errors */
    double best[ID_UNKNOWNS];            /* the least that any plan gives */
    plan at[ID_UNKNOWNS];
    double *room, *r, *J;
} planner;

/* J'J/sigma^2, worth so many samples. */
static void add_information(const planner *w, const double *J, long rows, double worth, double *M) {
    int n = w->p->count;
    double scale = worth / ((double)rows * w->fit->rms * w->fit->rms);
    for (int k = 0; k < n; k++)
        for (int l = 0; l < n; l++) {
            double sum = 0.0;
            for (long i = 0; i < rows; i++) sum += J[k * rows + i] * J[l * rows + i];
            M[k * n + l] += scale * sum;
        }
}

/* Standard errors from the information. 0: it is singular. */
static int errors_of(const double *M, int n, double *error) {
    double L[ID_UNKNOWNS * ID_UNKNOWNS], b[ID_UNKNOWNS];
    memcpy(L, M, (size_t)(n * n) * sizeof *L);
    if (!id_cholesky(L, n)) return 0;
    for (int k = 0; k < n; k++) {
        memset(b, 0, sizeof b);
        b[k] = 1.0;
        id_cholesky_solve(L, n, b);
        error[k] = sqrt(fmax(b[k], 0.0));
    }
    return 1;
}

/* The derivatives along x = A sin(w t), to w->J. Nonzero: they cannot be had. */
static int try_plan(planner *w, const plan *q) {
    const id_run *like = &w->f->run[0];
    double load = like->load ? like->load[like->count / 2] : w->f->rig->contacts[like->of].n;
    double turn = q->speed / q->amplitude, h = PERIODS * 6.28318530717958647692 / turn / SAMPLES;
    id_run run = *like;
    id_force f = *w->f;
    double *at = w->room;
    run.x = at, run.v = at + SAMPLES, run.a = at + 2 * SAMPLES, run.slide = at + 3 * SAMPLES;
    run.y = at + 4 * SAMPLES, run.load = at + 5 * SAMPLES;
    run.count = run.rows = SAMPLES, run.first = 0, run.step = 1, run.share = 0.0, run.h = h;
    for (int i = 0; i < SAMPLES; i++) {
        double phase = turn * h * i, side = like->of >= 0 && like->sign < 0.0 ? -1.0 : 1.0;
        run.x[i] = q->amplitude * sin(phase);
        run.v[i] = q->speed * cos(phase);
        run.a[i] = -q->speed * turn * sin(phase);
        run.slide[i] = side * run.v[i];
        run.y[i] = 0.0;
        run.load[i] = q->load * load;
    }
    f.run = &run, f.n_runs = 1, f.rows = SAMPLES, f.use = NULL, f.steps = 4;
    return id_force_residuals(&f, w->s->u, w->r, w->J);
}

static void look_at(planner *w, const plan *q) {
    int n = w->p->count;
    double M[ID_UNKNOWNS * ID_UNKNOWNS], error[ID_UNKNOWNS];
    if (try_plan(w, q) != 0) return;
    for (long i = 0; i < (long)SAMPLES * n; i++)
        if (!isfinite(w->J[i])) return;
    memcpy(M, w->M, sizeof M);
    add_information(w, w->J, SAMPLES, w->fit->effective, M);
    if (!errors_of(M, n, error)) return;
    for (int k = 0; k < n; k++)
        if (error[k] < 0.999 * w->best[k]) w->best[k] = error[k], w->at[k] = *q;
}

/* How uncertain an unknown is: the error of its logarithm, or over its size. */
static double doubt(const planner *w, int k) {
    const bri_estimate *e = &w->fit->estimate[k];
    double size = fmax(fabs(e->value), 1e-3 * fabs(e->start));
    return e->log ? w->now[k] : size > 0.0 ? w->now[k] / size : 0.0;
}

static void tell(const planner *w, int k, bri_fit *fit) {
    const plan *q = &w->at[k];
    int turns = strcmp(w->f->data->map.target[w->f->data->map.count - 1].unit, "rad") == 0;
    for (int i = 0; i < w->f->data->map.count; i++)
        turns = turns || strncmp(w->f->data->map.target[i].unit, "rad", 3) == 0;
    char load[60] = "";
    if (q->load != 1.0) text_format(load, sizeof load, " and %.2g times the load", q->load);
    id_say(
        &fit->sense,
        "Measure next for %s: a motion to and fro by +-%.3g %s at up to %.3g %s/s (%.3g Hz)%s; as "
        "many samples again would leave %.0f %% of its standard error.",
        fit->estimate[k].name, q->amplitude, turns ? "rad" : "m", q->speed, turns ? "rad" : "m",
        frequency_of(q), load, 100.0 * w->best[k] / w->now[k]);
}

/* Nonzero: a recording like this one can hold the motion, a period of it at least, and what is kept
 * of forces, below the filter or a twentieth of the rate, can show it. */
static int can_be_recorded(const id_force *f, const plan *q) {
    const id_run *r = &f->run[0];
    double seconds = 0.0, frequency = frequency_of(q);
    for (int i = 0; i < f->n_runs; i++) seconds += (double)f->run[i].count * f->run[i].h;
    return frequency * seconds >= 1.0 && frequency * r->h <= (r->share > 0.0 ? r->share : 0.05);
}

void id_next(const id_force *f, const id_problem *p, const id_solution *s, const double *J,
             bri_fit *fit) {
    int n = p->count, told[ID_UNKNOWNS] = {0};
    id_rough g = id_rough_of(f);
    planner w = {.f = f, .p = p, .s = s, .fit = fit};
    if (f->n_runs < 1 || f->run[0].of < 0 || !(fit->rms > 0.0) || !(g.travel > 0.0)) return;
    w.room = malloc((size_t)(SAMPLES * (7 + n)) * sizeof *w.room);
    if (!w.room) return;
    w.r = w.room + 6 * SAMPLES, w.J = w.r + SAMPLES;
    add_information(&w, J, p->rows, fit->effective, w.M);
    for (int k = 0; k < n; k++) { /* nobody knows nothing: a factor of 100, or the size itself */
        const bri_estimate *e = &fit->estimate[k];
        double wide = e->log ? 4.6 : 2.0 * fmax(fabs(e->value), fabs(e->start));
        w.M[k * (n + 1)] += wide > 0.0 ? 1.0 / (wide * wide) : 1.0;
    }
    if (errors_of(w.M, n, w.now)) {
        const bri_setup *setup = bri_scenario_setup(f->rig->scenario, f->run[0].of);
        int loads =
            setup && setup->forces ? 1 : LOADS; /* of levels that are forces none is known */
        memcpy(w.best, w.now, sizeof w.best);
        for (int a = 0; a < AMPLITUDES; a++)
            for (int v = 0; v < SPEEDS; v++)
                for (int l = 0; l < loads; l++) {
                    plan q = {0.5 * g.travel * pow(10.0, 0.5 * a - 1.5),
                              g.fast * pow(10.0, 0.5 * v - 1.5), pow(2.0, (l + 1) % LOADS - 1)};
                    if (can_be_recorded(f, &q)) look_at(&w, &q);
                }
        for (int t = 0; t < TOLD; t++) {
            int worst = -1;
            for (int k = 0; k < n; k++)
                if (!told[k] && f->unknowns->one[k].kind == ID_LAW && w.best[k] < 0.7 * w.now[k] &&
                    (fit->estimate[k].known != BRI_COUPLED || isfinite(fit->estimate[k].error)) &&
                    (worst < 0 || doubt(&w, k) > doubt(&w, worst)))
                    worst = k;
            if (worst < 0) break;
            told[worst] = 1;
            tell(&w, worst, fit);
        }
    }
    free(w.room);
    double value[ID_UNKNOWNS];
    id_decode(f->unknowns, s->u, value);
    id_put(f->unknowns, value, 0);
}
