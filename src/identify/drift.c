/* drift.c - unknowns that change while the recording goes on: a rig that warms up.
 *
 * The recording is cut into laps of equal length. In each, one Gauss-Newton step from the common
 * solution, of all unknowns that are determined, says what this lap alone would have. An unknown
 * drifts if these only rise or only fall, by more than 1 %, or if a straight line through them is
 * steep against their scatter about it (Student's t). */
#include "identify.h"

#include <math.h>
#include <string.h>

enum { LAPS = 12 };

/* The step of the unknowns `of` that rows from .. to - 1 alone ask for. 0: they cannot tell. */
static int lap_step(const id_problem *p, const double *r, const double *J, const int *of, int n,
                    long from, long to, double *du) {
    double A[ID_UNKNOWNS * ID_UNKNOWNS];
    for (int a = 0; a < n; a++) {
        const double *x = J + of[a] * p->rows;
        for (int b = 0; b <= a; b++) {
            const double *y = J + of[b] * p->rows;
            double sum = 0.0;
            for (long i = from; i < to; i++) sum += x[i] * y[i];
            A[a * n + b] = A[b * n + a] = sum;
        }
        du[a] = 0.0;
        for (long i = from; i < to; i++) du[a] -= x[i] * r[i];
    }
    if (!id_cholesky(A, n)) return 0;
    id_cholesky_solve(A, n, du);
    return 1;
}

/* Laps: as many as the motion has pairs of reversals, from 3 to LAPS. */
static int count_laps(const id_force *f) {
    int turns = 0, way = 0;
    double most = 0.0;
    for (int i = 0; i < f->n_runs; i++)
        for (long k = 0; f->run[i].slide && k < f->run[i].count; k++)
            most = fmax(most, fabs(f->run[i].slide[k]));
    for (int i = 0; i < f->n_runs; i++)
        for (long k = 0; f->run[i].slide && k < f->run[i].count; k++) {
            double v = f->run[i].slide[k];
            int now = v > 0.1 * most ? 1 : v < -0.1 * most ? -1 : 0;
            turns += now && way && now != way;
            if (now) way = now;
        }
    int laps = (turns + 1) / 2;
    return laps > LAPS ? LAPS : laps;
}

static void tell(bri_fit *fit, const bri_estimate *e, const double *value, int laps, double slope) {
    double change = slope * (laps - 1), size = fabs(e->value);
    id_say(&fit->sense,
           "%s seems to drift: %.4g %s in the first of %d laps, %.4g in the last; a straight line "
           "through "
           "them %s by %.2g %%.",
           e->name, value[0], strcmp(e->unit, "1") ? e->unit : "", laps, value[laps - 1],
           change < 0.0 ? "falls" : "rises", 100.0 * fabs(change) / (size > 0.0 ? size : 1.0));
}

/* Whether a line through the values of the laps rises or falls by more than its scatter. */
static void look(bri_fit *fit, const bri_estimate *e, const double *value, int laps) {
    double mean = 0.0, xx = 0.0, xy = 0.0, left = 0.0, middle = 0.5 * (laps - 1);
    for (int k = 0; k < laps; k++) mean += value[k] / laps;
    for (int k = 0; k < laps; k++) {
        xx += (k - middle) * (k - middle);
        xy += (k - middle) * (value[k] - mean);
    }
    double slope = xy / xx;
    for (int k = 0; k < laps; k++) {
        double off = value[k] - mean - slope * (k - middle);
        left += off * off;
    }
    double error = sqrt(left / (laps - 2) / xx);
    int rises = 1, falls = 1;
    for (int k = 1; k < laps; k++) {
        rises = rises && value[k] > value[k - 1];
        falls = falls && value[k] < value[k - 1];
    }
    int steep = laps > 4 && fabs(slope) > id_t_quantile(laps - 2) * error;
    if ((rises || falls || steep) && fabs(slope) * (laps - 1) > 0.01 * fabs(mean))
        tell(fit, e, value, laps, slope);
}

void id_drift(const id_force *f, const id_problem *p, const double *r, const double *J,
              bri_fit *fit) {
    int of[ID_UNKNOWNS], n = 0, laps = count_laps(f);
    double value[ID_UNKNOWNS][LAPS], du[ID_UNKNOWNS];
    for (int k = 0; k < p->count; k++)
        if (fit->estimate[k].known == BRI_DETERMINED && f->unknowns->one[k].above < 0) of[n++] = k;
    if (laps < 4 || n == 0 || p->rows < 20L * n * laps) return;
    for (int l = 0; l < laps; l++) {
        if (!lap_step(p, r, J, of, n, p->rows * l / laps, p->rows * (l + 1) / laps, du)) return;
        for (int a = 0; a < n; a++) {
            const bri_estimate *e = &fit->estimate[of[a]];
            value[a][l] = e->log ? e->value * exp(du[a]) : e->value + du[a];
        }
    }
    for (int a = 0; a < n; a++) look(fit, &fit->estimate[of[a]], value[a], laps);
}
