/* fit.c - one law: searches from several starts, the best end judged, blocks held out in turn. */
#define _POSIX_C_SOURCE 200809L
#include "identify.h"

#include "fail.h"

#include <math.h>
#include <string.h>
#include <time.h>

typedef struct room {
    double *r, *J, *y;
    unsigned char *use;
} room;

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double processor_seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double sum_of_squares(const double *r, const unsigned char *use, int wanted, long rows) {
    double sum = 0.0;
    for (long i = 0; i < rows; i++)
        if (!use || use[i] == wanted) sum += r[i] * r[i];
    return sum;
}

enum { TRIED = 8 }; /* random points that are looked at for each search that begins at one */

typedef struct start {
    double cost, u[ID_UNKNOWNS];
} start;

/* Points to begin at: the rig, the two regressions, and of TRIED times as many random points as are
 * wanted those with the least error, in this order. The number that there are. */
static int choose_starts(const id_problem *p, const id_force *f, double seed, int wanted, double *r,
                         start *at) {
    id_rough rough[2];
    rough[0] = id_rough_of(f), rough[1] = id_rough_falling(f, &rough[0]);
    double value[ID_UNKNOWNS];
    int fixed = wanted < 3 ? wanted : 3, count = fixed;
    for (int k = 0; k < fixed + TRIED * (wanted - fixed); k++) {
        start s = {.cost = -INFINITY};
        id_start(f->unknowns, &rough[k % 2 == 0], k, seed, value);
        id_encode(f->unknowns, value, s.u);
        if (k < fixed) {
            at[k] = s;
            continue;
        }
        if (p->watch && p->watch->stop && p->watch->stop(p->watch->context)) break;
        if (p->residuals(p->context, s.u, r, NULL) != 0) continue;
        s.cost = sum_of_squares(r, NULL, 0, p->rows);
        if (count == wanted && !(s.cost < at[count - 1].cost)) continue;
        int to = count < wanted ? count++ : count - 1;
        for (; at[to - 1].cost > s.cost; to--) at[to] = at[to - 1];
        at[to] = s;
    }
    return count;
}

/* The best end of all starts, on the coarse samples. 0: none of them is allowed. */
static int search(const bri_identify_def *def, const id_problem *fine, id_force *f, room *m,
                  bri_fit *fit, id_solution *best) {
    id_problem coarse = *fine, *p = &coarse;
    p->context = f, p->rows = f->rows, p->most = 40, p->enough = 1e-3;
    int starts = def->starts > 0 ? def->starts : 6, found = 0;
    double size = f->size * sqrt((double)f->rows);
    start at[BRI_STARTS];
    starts = choose_starts(p, f, def->seed, starts > BRI_STARTS ? BRI_STARTS : starts, m->r, at);
    for (int k = 0; k < starts; k++) {
        id_solution s = {.cost = INFINITY};
        memcpy(s.u, at[k].u, sizeof s.u);
        if (id_least_squares(p, &s, m->r, m->J) != 0 || !isfinite(s.cost)) continue;
        fit->ends[fit->n_ends++] = sqrt(2.0 * s.cost) / size;
        if (!found || s.cost < best->cost) *best = s;
        found = 1;
        if (p->watch && p->watch->stop && p->watch->stop(p->watch->context)) break;
    }
    qsort(fit->ends, (size_t)fit->n_ends, sizeof *fit->ends, by_size);
    for (int i = 0; i < fit->n_ends; i++) fit->agreed += fit->ends[i] <= 1.001 * fit->ends[0];
    return found;
}

/* Rows of fold k of n: every block is one n-th of an n-th of the rows, so that each fold has blocks
 * from all over the recording; halves: the second half of the rows. */
static void hold_out(unsigned char *use, long rows, int k, int n, int halves) {
    for (long i = 0; i < rows; i++) {
        long block = i * 2 * n / rows;
        use[i] = (unsigned char)(halves ? i < rows / 2 : block % n != k);
    }
}

/* Residuals on what was held out, fold after fold, to out; the relative error. */
static double predict(const bri_identify_def *def, id_force *f, const id_problem *p,
                      const id_solution *best, room *m, double *out) {
    int folds = def->halves ? 1 : def->folds > 0 ? def->folds : 4;
    double off = 0.0, size = 0.0;
    if (!def->halves && folds < 2) return NAN;
    for (long i = 0; i < f->rows; i++) out[i] = NAN;
    for (int k = 0; k < folds; k++) {
        id_solution s = *best;
        id_problem quick = *p;
        quick.most = 20, quick.enough = 1e-4;
        hold_out(m->use, f->rows, k, folds, def->halves);
        f->use = m->use;
        int failed = id_least_squares(&quick, &s, m->r, m->J);
        f->use = NULL;
        if (failed || p->residuals(p->context, s.u, m->r, NULL) != 0) return NAN;
        off += sum_of_squares(m->r, m->use, 0, f->rows);
        size += sum_of_squares(m->y, m->use, 0, f->rows);
        for (long i = 0; i < f->rows; i++)
            if (!m->use[i]) out[i] = m->r[i];
    }
    return size > 0.0 ? sqrt(off / size) : NAN;
}

/* The rms of the residuals without their filter, over all samples from the first row to the last.
 */
static double raw_rms(const id_force *f, id_residuals residuals, const double *u) {
    id_force all = *f;
    all.run = malloc((size_t)f->n_runs * sizeof *all.run);
    all.rows = 0, all.use = NULL;
    for (int i = 0; all.run && i < f->n_runs; i++) {
        id_run *r = &all.run[i];
        *r = f->run[i];
        r->rows = r->rows > 0 ? (r->rows - 1) * r->step + 1 : 0;
        r->step = 1, r->share = 0.0;
        all.rows += r->rows;
    }
    double *r = malloc((size_t)all.rows * sizeof *r), rms = NAN;
    if (all.run && r && residuals(&all, u, r, NULL) == 0)
        rms = sqrt(sum_of_squares(r, NULL, 0, all.rows) / (double)all.rows);
    free(all.run), free(r);
    return rms;
}

/* Copies of what a picture needs. */
static int keep_samples(const id_force *f, const room *m, bri_fit *fit) {
    size_t n = (size_t)f->rows;
    fit->t = malloc(n * sizeof(double)), fit->y = malloc(n * sizeof(double));
    fit->r = malloc(n * sizeof(double)), fit->v = malloc(n * sizeof(double));
    fit->x = malloc(n * sizeof(double)), fit->file = malloc(n * sizeof(int));
    if (!fit->t || !fit->y || !fit->r || !fit->v || !fit->x || !fit->file) return 0;
    memcpy(fit->t, f->time, n * sizeof(double));
    memcpy(fit->y, m->y, n * sizeof(double));
    memcpy(fit->r, m->r, n * sizeof(double));
    long row = 0;
    for (int i = 0; i < f->n_runs; i++) {
        const id_run *r = &f->run[i];
        double x = 0.0;
        long before = 0;
        for (long k = 0; k < r->rows; k++, row++) {
            long at = r->first + k * r->step;
            for (; r->body < 0 && r->slide && before < at; before++) x += r->h * r->slide[before];
            fit->x[row] = r->body >= 0 ? r->x[at] : x;
            fit->v[row] = r->slide ? r->slide[at] : r->v[at];
            fit->file[row] = r->file;
        }
    }
    return 1;
}

/* A law whose states cannot follow the samples is stepped finer, until the change is small against
 * what the mean of the residuals can tell. */
static void choose_steps(id_force *f, const id_problem *p, const double *u, double *r,
                         double *other) {
    for (f->steps = 1; f->steps < 16; f->steps *= 2) {
        double change = 0.0, size = 0.0, n = (double)f->rows;
        if (p->residuals(p->context, u, r, NULL) != 0) break;
        f->steps *= 2;
        int failed = p->residuals(p->context, u, other, NULL);
        f->steps /= 2;
        if (failed) break;
        for (long i = 0; i < f->rows; i++) {
            change += (r[i] - other[i]) * (r[i] - other[i]);
            size += r[i] * r[i];
        }
        if (sqrt(change / n) < fmax(1e-4 * f->size, 0.2 * sqrt(size) / n)) break;
    }
}

static bri_status fit_with(const bri_identify_def *def, id_force *f, id_force *coarse,
                           const id_problem *p, room *m, bri_fit *fit, double *held_out,
                           bri_error *err) {
    id_solution best = {.cost = INFINITY};
    if (!id_force_measured(f, m->y)) return bri_fail(err, BRI_NO_MEMORY, "not enough memory");
    if (!search(def, p, coarse, m, fit, &best))
        return bri_fail(err, BRI_NO_PROGRESS, "no start has a finite error");
    best.cost = INFINITY; /* that of the coarse samples is another one */
    if (f->n_runs > 0 && f->run[0].of >= 0 && f->rig->contacts[f->run[0].of].model->n_states > 0)
        choose_steps(f, p, best.u, m->r, m->J);
    if (id_least_squares(p, &best, m->r, m->J) != 0)
        return bri_fail(err, BRI_NO_PROGRESS, "the best end cannot be reached again");
    if (p->watch && p->watch->stop && p->watch->stop(p->watch->context))
        return bri_fail(err, BRI_NO_PROGRESS, "interrupted"); /* judging it takes long */
    fit->samples = f->rows;
    fit->iterations = best.iterations;
    fit->rms = sqrt(sum_of_squares(m->r, NULL, 0, f->rows) / (double)f->rows);
    fit->relative = f->size > 0.0 ? fit->rms / f->size : NAN;
    if (!keep_samples(f, m, fit)) return bri_fail(err, BRI_NO_MEMORY, "not enough memory");
    id_judge(f, coarse, p, &best, m->r, m->J, 0, fit);
    if (fit->band[0])
        id_say(&fit->sense,
               "%s was not given: a thousandth of the largest speed was taken, %.3g m/s.",
               fit->band, fit->band_width);
    if (!f->motion) id_drift(f, p, m->r, m->J, fit);
    if (p->residuals == id_force_residuals) id_next(f, p, &best, m->J, fit);
    id_bootstrap(def, f, p, &best, fit);
    fit->held_out = predict(def, f, p, &best, m, held_out);
    fit->raw = raw_rms(f, p->residuals, best.u);
    double value[ID_UNKNOWNS];
    id_decode(f->unknowns, best.u, value);
    id_put(f->unknowns, value, 0);
    return BRI_OK;
}

static id_problem problem_of(const bri_identify_def *def, id_force *f, id_residuals residuals,
                             const double *low, const double *high) {
    return (id_problem){.context = f,
                        .residuals = residuals,
                        .rows = f->rows,
                        .count = f->unknowns->count,
                        .low = low,
                        .high = high,
                        .huber = def->huber,
                        .most = 60,
                        .enough = 1e-5};
}

void id_profiles(const bri_identify_def *def, id_force *f, id_force *coarse, id_residuals residuals,
                 bri_fit *fit) {
    double low[ID_UNKNOWNS], high[ID_UNKNOWNS], value[ID_UNKNOWNS];
    size_t rows = (size_t)f->rows, n = (size_t)f->unknowns->count;
    double *r = malloc(rows * sizeof *r), *J = malloc(rows * n * sizeof *J);
    id_bounds(f->unknowns, low, high);
    id_problem p = problem_of(def, f, residuals, low, high);
    id_solution s = {.cost = INFINITY};
    bri_fit again = {.rms = fit->rms};
    for (int k = 0; k < fit->n_estimates; k++) value[k] = fit->estimate[k].value;
    id_encode(f->unknowns, value, s.u);
    if (r && J && id_least_squares(&p, &s, r, J) == 0) {
        id_judge(f, coarse, &p, &s, r, J, def->profiles, &again);
        fit->profile = again.profile, fit->n_profile = again.n_profile;
    }
    free(again.sense);
    free(r), free(J);
}

void id_fit(const bri_identify_def *def, id_force *f, id_force *coarse, id_residuals residuals,
            const bri_watch *watch, bri_fit *fit, double *held_out) {
    double low[ID_UNKNOWNS], high[ID_UNKNOWNS], began = processor_seconds();
    size_t rows = (size_t)(f->rows > coarse->rows ? f->rows : coarse->rows);
    size_t n = (size_t)f->unknowns->count;
    bri_watch quiet = watch ? *watch : (bri_watch){0};
    quiet.progress = NULL;
    id_bounds(f->unknowns, low, high);
    id_problem p = problem_of(def, f, residuals, low, high);
    p.watch = &quiet;
    room m = {malloc(rows * sizeof(double)), malloc(rows * n * sizeof(double)),
              malloc(rows * sizeof(double)), calloc(rows, 1)};
    fit->raw = fit->held_out = fit->validated = fit->aic = fit->bic = fit->relative = fit->rms =
        NAN;
    if (!m.r || !m.J || !m.y || !m.use)
        bri_fail(&fit->err, BRI_NO_MEMORY, "%s", bri_status_text(BRI_NO_MEMORY));
    else
        fit_with(def, f, coarse, &p, &m, fit, held_out, &fit->err);
    free(m.r), free(m.J), free(m.y), free(m.use);
    fit->seconds = processor_seconds() - began;
}
