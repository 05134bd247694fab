/* design.c - the points of a sweep: which values every axis has at point i. Nothing but i and the
 * seed decides, so that points can be computed in any order and by anybody.
 *
 * From slow to fast: laws, solvers, rows of the file of points, grids in their order, samples. The
 * samples are the same at every point of the grid. */
#include "ensemble.h"

#include "../random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A number in (0, 1) from sample and axis. */
static double share(double seed, long k, int which) {
    return bri_random(seed, (double)k * 4096.0 + which) + 0x1p-54;
}

/* ---- the Halton sequence -------------------------------------------------------------------- */

/* Digits of k in base b, mirrored at the point, each replaced by a random permutation of its place
 * (Owen 2017, "A randomized Halton algorithm in R"): without it large bases are correlated. */
enum { DIGITS_BITS = 53 };

static int digits_of(int base) { return (int)ceil(DIGITS_BITS / log2(base)); }

static int prime_after(int n) {
    for (int p = n + 1;; p++) {
        int prime = p > 1;
        for (int d = 2; d * d <= p; d++) prime &= p % d != 0;
        if (prime) return p;
    }
}

static int halton_create(design *d, int axes) {
    long size = 0;
    d->halton_axes = axes;
    d->digits_at = calloc((size_t)axes + 1, 2 * sizeof *d->digits_at);
    if (!d->digits_at) return 0;
    long *base = d->digits_at + axes + 1;
    for (int i = 0, b = 1; i < axes; i++) {
        b = prime_after(b);
        base[i] = b;
        d->digits_at[i] = size;
        size += (long)b * digits_of(b);
    }
    d->digits = calloc((size_t)size + 1, sizeof *d->digits);
    if (!d->digits) return 0;
    for (int i = 0; i < axes; i++) {
        short *p = d->digits + d->digits_at[i];
        int b = (int)base[i];
        for (int place = 0; place < digits_of(b); place++, p += b) {
            for (int k = 0; k < b; k++) p[k] = (short)k;
            for (int k = b - 1; k > 0; k--) {
                double u = bri_random(d->seed + 0.5e15, (double)d->digits_at[i] + place * b + k);
                int other = (int)(u * (k + 1));
                short swap = p[k];
                p[k] = p[other];
                p[other] = swap;
            }
        }
    }
    return 1;
}

static double halton(const design *d, long k, int which) {
    int b = (int)d->digits_at[d->halton_axes + 1 + which], places = digits_of(b);
    const short *p = d->digits + d->digits_at[which];
    double u = 0.0, weight = 1.0 / b;
    for (int place = 0; place < places; place++, p += b, k /= b, weight /= b)
        u += weight * p[k % b];
    return u < 1.0 ? u + 0x1p-54 : 1.0 - 0x1p-53;
}

/* ---- samples -------------------------------------------------------------------------------- */

/* Saltelli 2010: two independent matrices A and B, and A with one column of B, for each axis. */
static void shares_for_sobol(const design *d, long k, double *u) {
    int n = d->n_random;
    long base = k / (n + 2);
    int which = (int)(k % (n + 2)); /* 0: A, 1: B, 2 + i: A with column i of B */
    for (int i = 0; i < n; i++) u[i] = halton(d, base, which == 1 || which == 2 + i ? n + i : i);
}

/* Morris 1991: from a random corner one axis after the other moves by half of the shares, in random
 * order. Four levels, 1/8 ... 7/8, so that no distribution is asked for its end. */
static void shares_for_morris(const design *d, long k, double *u) {
    int n = d->n_random, order[MOST_AXES];
    long path = k / (n + 1);
    int moved = (int)(k % (n + 1));
    for (int i = 0; i < n; i++) order[i] = i;
    for (int i = n - 1; i > 0; i--) {
        int other = (int)(share(d->seed, path, i + 1000) * (i + 1)), swap = order[i];
        order[i] = order[other];
        order[other] = swap;
    }
    for (int i = 0; i < n; i++) u[i] = 0.125 + 0.25 * floor(4.0 * share(d->seed, path, i));
    for (int i = 0; i < moved; i++) u[order[i]] += u[order[i]] < 0.5 ? 0.5 : -0.5;
}

void design_shares(const design *d, long k, double *u) {
    if (d->sampling == BRI_SAMPLE_SOBOL)
        shares_for_sobol(d, k, u);
    else if (d->sampling == BRI_SAMPLE_MORRIS)
        shares_for_morris(d, k, u);
    else
        for (int i = 0; i < d->n_random; i++)
            u[i] = d->sampling == BRI_SAMPLE_HALTON ? halton(d, k, i) : share(d->seed, k, i);
}

/* Normal scores with the given correlations, by their Cholesky factor, and back to shares. */
static void correlate(const design *d, double *u) {
    double score[MOST_AXES];
    int n = d->n_random;
    for (int i = 0; i < n; i++) score[i] = normal_quantile(u[i]);
    for (int i = 0; i < n; i++) {
        double sum = 0.0;
        for (int j = 0; j <= i; j++) sum += d->factor[i * n + j] * score[j];
        u[i] = fmin(fmax(normal_share(sum), 0x1p-1000), 1.0 - 0x1p-53);
    }
}

double design_member(const design *d, int which, long sample, long member) {
    double seed = d->seed + 1e9 * (which + 1);
    double u = bri_random(seed, (double)sample * 1048576.0 + (double)member) + 0x1p-54;
    return spread_value(&d->axes[which].spread, u);
}

/* ---- points --------------------------------------------------------------------------------- */

place_in design_place(const design *d, long point) {
    place_in at = {0};
    at.sample = point % d->samples;
    point /= d->samples;
    for (int i = d->n_axes - 1; i >= 0; i--) {
        if (d->axes[i].kind != AXIS_GRID) continue;
        at.grid[i] = point % d->axes[i].count;
        point /= d->axes[i].count;
    }
    at.row = point % d->file_rows;
    point /= d->file_rows;
    at.solver = (int)(point % d->n_solvers);
    at.law = (int)(point / d->n_solvers);
    return at;
}

void design_values(const design *d, const place_in *at, double *x) {
    double u[MOST_AXES];
    int next = 0;
    if (d->n_random > 0) design_shares(d, at->sample, u);
    if (d->n_random > 0 && d->factor) correlate(d, u);
    for (int i = 0; i < d->n_axes; i++) {
        const axis *a = &d->axes[i];
        x[i] = a->kind == AXIS_GRID     ? a->values[at->grid[i]]
               : a->kind == AXIS_FILE   ? a->values[at->row]
               : a->kind == AXIS_RANDOM ? spread_value(&a->spread, u[next++])
                                        : NAN;
        if (a->kind == AXIS_RANDOM && a->whole) x[i] = floor(x[i] + 0.5);
    }
    design_follow(d, x);
}

void design_follow(const design *d, double *x) {
    for (int i = 0; i < d->n_axes; i++)
        if (d->axes[i].kind == AXIS_SAME) x[i] = x[d->axes[i].of];
}

/* ---- correlations --------------------------------------------------------------------------- */

/* The number of the random axis whose name stands before `end`, blanks around it; -1: none. */
static int random_axis(const design *d, const char *name, const char *end) {
    int next = 0;
    while (name < end && *name == ' ') name++;
    while (end > name && end[-1] == ' ') end--;
    size_t length = (size_t)(end - name);
    for (int i = 0; i < d->n_axes; i++) {
        if (d->axes[i].kind != AXIS_RANDOM) continue;
        if (strlen(d->axes[i].name) == length && strncmp(d->axes[i].name, name, length) == 0)
            return next;
        next++;
    }
    return -1;
}

/* "a,b=0.8" into the matrix. */
static bri_status read_correlation(design *d, const char *given, bri_error *err) {
    const char *comma = strchr(given, ','), *equals = comma ? strchr(comma, '=') : NULL;
    double r;
    int n = d->n_random;
    if (!equals)
        return bri_fail(err, BRI_BAD_VALUE,
                        "correlate needs A,B=R, such as pad.mu_c,pad.mu_s=0.8, not '%.80s'", given);
    int a = random_axis(d, given, comma), b = random_axis(d, comma + 1, equals);
    if (a < 0 || b < 0 || a == b)
        return bri_fail(err, BRI_NOT_FOUND,
                        "correlate: '%.80s' does not name two of those that have a distribution",
                        given);
    bri_status status = bri_quantity(equals + 1, "1", &r, err);
    if (status == BRI_OK && !(r > -1.0 && r < 1.0))
        status = bri_fail(err, BRI_BAD_VALUE, "correlate: %g is no correlation: -1 < R < 1", r);
    if (status == BRI_OK && d->factor[a * n + b] != 0.0)
        status = bri_fail(err, BRI_BAD_VALUE, "correlate: '%.80s' is given a second time", given);
    if (status == BRI_OK) d->factor[a * n + b] = d->factor[b * n + a] = r;
    return status;
}

/* In place: the lower triangle becomes the factor. */
static int cholesky(double *c, int n) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            double sum = c[i * n + j];
            for (int k = 0; k < j; k++) sum -= c[i * n + k] * c[j * n + k];
            if (i == j && !(sum > 1e-12)) return 0;
            c[i * n + j] = i == j ? sqrt(sum) : sum / c[j * n + j];
        }
    return 1;
}

static bri_status read_correlations(design *d, const char *const *given, int count,
                                    bri_error *err) {
    int n = d->n_random;
    if (d->sampling == BRI_SAMPLE_SOBOL || d->sampling == BRI_SAMPLE_MORRIS)
        return bri_fail(err, BRI_BAD_VALUE,
                        "correlate: sensitivity indices are those of independent inputs");
    d->factor = calloc((size_t)n * (size_t)n + 1, sizeof *d->factor);
    if (!d->factor) return bri_fail(err, BRI_NO_MEMORY, "%s", bri_status_text(BRI_NO_MEMORY));
    for (int i = 0; i < n; i++) d->factor[i * n + i] = 1.0;
    for (int i = 0; i < count; i++) {
        bri_status status = read_correlation(d, given[i], err);
        if (status != BRI_OK) return status;
    }
    if (cholesky(d->factor, n)) return BRI_OK;
    return bri_fail(err, BRI_BAD_VALUE, "correlate: no numbers can have all these correlations");
}

/* ---- the whole ------------------------------------------------------------------------------ */

int design_by_chance(const design *d) {
    int chance = d->n_random > 0;
    for (int i = 0; i < d->n_axes; i++) chance |= d->axes[i].kind == AXIS_EACH;
    return chance;
}

bri_status design_finish(design *d, const char *const *correlations, int n_correlations,
                         bri_error *err) {
    const double most = 1e8;
    int n = d->n_random, halton_axes = d->sampling == BRI_SAMPLE_HALTON  ? n
                                       : d->sampling == BRI_SAMPLE_SOBOL ? 2 * n
                                                                         : 0;
    double per = d->sampling == BRI_SAMPLE_SOBOL    ? n + 2
                 : d->sampling == BRI_SAMPLE_MORRIS ? n + 1
                                                    : 1;
    double all = (double)d->n_laws * d->n_solvers * (double)d->file_rows, samples = 1.0;
    if (design_by_chance(d)) samples = per * (double)(d->base > 0 ? d->base : 100);
    for (int i = 0; i < d->n_axes; i++)
        if (d->axes[i].kind == AXIS_GRID) all *= (double)d->axes[i].count;
    all *= samples;
    if (!(all <= most))
        return bri_fail(err, BRI_BAD_VALUE,
                        "this makes %g points, and at most %g are possible: take fewer values, or "
                        "samples of distributions",
                        all, most);
    d->samples = (long)samples;
    d->points = (long)all;
    if ((d->sampling == BRI_SAMPLE_SOBOL || d->sampling == BRI_SAMPLE_MORRIS) && n == 0)
        return bri_fail(err, BRI_BAD_VALUE,
                        "sensitivity indices need inputs with distributions: --random");
    if ((d->sampling == BRI_SAMPLE_SOBOL || d->sampling == BRI_SAMPLE_MORRIS) && d->base == 1)
        return bri_fail(err, BRI_BAD_VALUE, "sensitivity indices need 2 samples or more");
    if (n_correlations > 0) {
        bri_status status = read_correlations(d, correlations, n_correlations, err);
        if (status != BRI_OK) return status;
    }
    if (halton_axes > 0 && !halton_create(d, halton_axes))
        return bri_fail(err, BRI_NO_MEMORY, "%s", bri_status_text(BRI_NO_MEMORY));
    return BRI_OK;
}

void design_free(design *d) {
    for (int i = 0; d->axes && i < d->n_axes; i++) free(d->axes[i].values);
    free(d->axes);
    free(d->factor);
    free(d->digits);
    free(d->digits_at);
}
