/* indices.c - sensitivity indices: which input matters, from the designs of Saltelli and of Morris.
 *
 * Sobol, with y(A), y(B) and y(A_B^i), A with column i of B, and V the variance of all y(A), y(B):
 *     S_i  = 1 - mean (y(B) - y(A_B^i))^2 / (2 V)      share of the variance of input i alone
 *     ST_i =     mean (y(A) - y(A_B^i))^2 / (2 V)      with all in which it takes part
 * Jansen 1999; Saltelli et al. 2010, table 2. Morris 1991: elementary effects d_i = +-(y' - y)/0.5
 * of a step of half the shares; mu is their mean, mu* that of their sizes (Campolongo et al. 2007),
 * sigma their deviation. Intervals of 95 % by the bootstrap over samples or trajectories. */
#include "ensemble.h"

#include "../random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RESAMPLES = 400 };

typedef struct estimate {
    double first, second, third; /* S, ST, -; mu*, mu, sigma */
} estimate;

/* What a resample of the blocks (samples or trajectories) says; which[k]: the block that is taken
 * as k. */
typedef struct view {
    const bri_sweep *s;
    long first;         /* point of the grid: the first of its samples */
    int measure, input; /* column, and number of the random axis */
    const long *which;
    long blocks;
} view;

static double y_of(const view *v, long block, int place) {
    int per = v->s->design.n_random + (v->s->design.sampling == BRI_SAMPLE_SOBOL ? 2 : 1);
    return sheet_row(&v->s->sheet, v->first + v->which[block] * per + place)[v->measure];
}

static estimate sobol(const view *v) {
    double sum = 0.0, squares = 0.0, alone = 0.0, total = 0.0, n = (double)v->blocks;
    double shift = y_of(v, 0, 0); /* against cancellation */
    for (long k = 0; k < v->blocks; k++) {
        double a = y_of(v, k, 0) - shift, b = y_of(v, k, 1) - shift,
               ab = y_of(v, k, 2 + v->input) - shift;
        sum += a + b;
        squares += a * a + b * b;
        alone += (b - ab) * (b - ab);
        total += (a - ab) * (a - ab);
    }
    double mean = sum / (2.0 * n), variance = squares / (2.0 * n) - mean * mean;
    if (!(variance > 0.0)) return (estimate){NAN, NAN, NAN};
    return (estimate){1.0 - alone / (2.0 * n * variance), total / (2.0 * n * variance), NAN};
}

/* The effect of an input in a trajectory: where its share changes. */
static double effect(const view *v, long block) {
    const design *d = &v->s->design;
    double before[MOST_AXES], after[MOST_AXES];
    long first = v->which[block] * (d->n_random + 1);
    design_shares(d, first, before);
    for (int k = 1; k <= d->n_random; k++) {
        design_shares(d, first + k, after);
        double moved = after[v->input] - before[v->input];
        if (moved != 0.0) return (y_of(v, block, k) - y_of(v, block, k - 1)) / moved;
        memcpy(before, after, sizeof before);
    }
    return NAN;
}

static estimate morris(const view *v, const double *effects) {
    double sum = 0.0, sizes = 0.0, squares = 0.0, n = (double)v->blocks;
    for (long k = 0; k < v->blocks; k++) {
        double e = effects[v->which[k]];
        sum += e / n;
        sizes += fabs(e) / n;
    }
    for (long k = 0; k < v->blocks; k++) squares += pow(effects[v->which[k]] - sum, 2.0);
    return (estimate){sizes, sum, n > 1.0 ? sqrt(squares / (n - 1.0)) : NAN};
}

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Half the distance of the quantiles of 2.5 and 97.5 %. */
static double half_width(double *x) {
    qsort(x, RESAMPLES, sizeof *x, by_size);
    return 0.5 * (x[(int)(0.975 * RESAMPLES)] - x[(int)(0.025 * RESAMPLES)]);
}

/* Whether every point of a block has this measure. */
static int whole(const bri_sweep *s, long first, long block, int per, int measure) {
    for (int k = 0; k < per; k++) {
        long point = first + block * per + k;
        if (s->sheet.state[point] == ROW_NONE || !isfinite(sheet_row(&s->sheet, point)[measure]))
            return 0;
    }
    return 1;
}

bri_status bri_sweep_indices(bri_sweep *s, const char *measure, long at, bri_index *out,
                             bri_error *err) {
    const design *d = &s->design;
    int is_sobol = d->sampling == BRI_SAMPLE_SOBOL, per = d->n_random + (is_sobol ? 2 : 1),
        column = 0, n = 0;
    long all = d->samples / per, good = 0, first = at * d->samples;
    if (!is_sobol && d->sampling != BRI_SAMPLE_MORRIS)
        return bri_fail(err, BRI_BAD_VALUE,
                        "sensitivity indices need the sampling sobol or morris");
    while (column < s->sheet.n_columns && strcmp(s->sheet.columns[column].name, measure) != 0)
        column++;
    if (column == s->sheet.n_columns || s->sheet.columns[column].words || at < 0 ||
        first >= d->points)
        return bri_fail(err, BRI_NOT_FOUND, "there is no measure '%.100s' with numbers", measure);
    long *blocks = calloc((size_t)all + 1, sizeof *blocks),
         *drawn = calloc((size_t)all + 1, sizeof *drawn);
    double *effects = calloc((size_t)all + 1, sizeof *effects),
           *again = calloc(2 * RESAMPLES, sizeof *again);
    bri_status status = blocks && drawn && effects && again ? BRI_OK : BRI_NO_MEMORY;
    for (long k = 0; k < all && status == BRI_OK; k++)
        if (whole(s, first, k, per, column)) blocks[good++] = k;
    if (status == BRI_OK && good < 2) status = BRI_BAD_VALUE;
    for (int i = 0; i < d->n_axes && status == BRI_OK; i++) {
        if (d->axes[i].kind != AXIS_RANDOM) continue;
        view v = {s, first, column, n, blocks, good};
        for (long k = 0; k < good && !is_sobol; k++) effects[blocks[k]] = effect(&v, k);
        estimate best = is_sobol ? sobol(&v) : morris(&v, effects);
        v.which = drawn;
        for (int r = 0; r < RESAMPLES; r++) {
            for (long k = 0; k < good; k++)
                drawn[k] = blocks[(long)(bri_random(d->seed + 7.0e14, (double)r * 1e9 + (double)k) *
                                         (double)good)];
            estimate e = is_sobol ? sobol(&v) : morris(&v, effects);
            again[r] = e.first;
            again[RESAMPLES + r] = e.second;
        }
        out[n++] = (bri_index){.input = d->axes[i].name,
                               .first = best.first,
                               .first_off = half_width(again),
                               .total = best.second,
                               .total_off = half_width(again + RESAMPLES),
                               .deviation = best.third,
                               .samples = good};
    }
    free(blocks);
    free(drawn);
    free(effects);
    free(again);
    if (status == BRI_BAD_VALUE)
        return bri_fail(err, status, "%s: %ld of %ld samples have all their points; 2 are needed",
                        measure, good, all);
    return status ? bri_fail(err, status, "%s", bri_status_text(status)) : BRI_OK;
}

int bri_sweep_inputs(const bri_sweep *s) { return s->design.n_random; }
