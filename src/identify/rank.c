/* rank.c - laws side by side: by their error on what was held out, in groups that cannot be told
 * apart, and what to take.
 *
 * Two laws are told apart if the mean of the differences of their squared errors over consecutive
 * blocks, or that of their logarithms, is more than so many of its standard errors that this
 * happens by chance to any of the laws in one study of forty (Student's t over the blocks, divided
 * among the laws and the two means; as Diebold & Mariano 1995 compare forecasts; the blocks are
 * long against the memory of the noise). The first sees what counts in the sum. The second sees a
 * law that is worse nearly everywhere also where one bad block makes the scatter of the first
 * large. Errors within a hundredth of each other are the same, however surely they differ. */
#include "identify.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { BLOCKS = 20 };
static const double LITTLE = 0.01; /* of an error: what nobody would take another law for */

/* A mean over its standard error; 0 where nothing scatters. */
static double in_standard_errors(const double *d, int n) {
    double mean = 0.0, var = 0.0;
    for (int k = 0; k < n; k++) mean += d[k] / n;
    for (int k = 0; k < n; k++) var += (d[k] - mean) * (d[k] - mean) / (n - 1);
    return var > 0.0 ? mean / sqrt(var / n) : 0.0;
}

/* By how many standard errors a is worse than b; NaN: it cannot be said. */
static double behind(const double *a, const double *b, long rows) {
    double more[BLOCKS], ratio[BLOCKS];
    int n = 0, ratios = 0;
    for (int k = 0; k < BLOCKS; k++) {
        long from = rows * k / BLOCKS, to = rows * (k + 1) / BLOCKS, used = 0;
        double aa = 0.0, bb = 0.0;
        for (long i = from; i < to; i++) {
            if (!isfinite(a[i]) || !isfinite(b[i])) continue;
            aa += a[i] * a[i], bb += b[i] * b[i];
            used++;
        }
        if (used > 0) more[n++] = (aa - bb) / (double)used;
        if (aa > 0.0 && bb > 0.0) ratio[ratios++] = log(aa / bb);
    }
    if (n < 3) return NAN;
    double by_sum = in_standard_errors(more, n);
    return ratios == n ? fmax(by_sum, in_standard_errors(ratio, n)) : by_sum;
}

/* What fits are sorted by: the error on what was held out, else all of it. */
static double worth(const bri_fit *f) {
    if (f->err.status != BRI_OK) return INFINITY;
    return isfinite(f->held_out) ? f->held_out : f->relative;
}

static void sort(bri_identified *r, double **held) {
    for (int i = 1; i < r->n_fits; i++)
        for (int k = i; k > 0 && worth(&r->fits[k]) < worth(&r->fits[k - 1]); k--) {
            bri_fit f = r->fits[k];
            double *h = held[k];
            r->fits[k] = r->fits[k - 1], r->fits[k - 1] = f;
            held[k] = held[k - 1], held[k - 1] = h;
        }
}

static void group(bri_identified *r, double **held) {
    int group = 0, rivals = r->n_fits > 1 ? r->n_fits - 1 : 1;
    double far = id_t_beyond(0.0125 / rivals, BLOCKS - 1.0);
    for (int done = 0; done < r->n_fits;) {
        const bri_fit *best = NULL;
        int lead = -1;
        for (int i = 0; i < r->n_fits && lead < 0; i++)
            if (r->fits[i].group == 0 && r->fits[i].err.status == BRI_OK) lead = i;
        if (lead < 0) break;
        best = &r->fits[lead];
        group++;
        for (int i = lead; i < r->n_fits; i++) {
            bri_fit *f = &r->fits[i];
            if (f->group != 0 || f->err.status != BRI_OK) continue;
            double worse =
                i == lead ? 0.0
                : isfinite(best->held_out) && isfinite(f->held_out) && f->samples == best->samples
                    ? behind(held[i], held[lead], f->samples)
                    : NAN;
            int close = f->held_out <= (1.0 + LITTLE) * best->held_out;
            if (group == 1) f->behind = worse;
            if (i == lead || worse < far || close) f->group = group, done++;
        }
        if (group > r->n_fits) break;
    }
}

/* AIC and BIC with the number of independent samples that the best law leaves. */
static void criteria(bri_identified *r) {
    double n = 0.0;
    for (int i = 0; i < r->n_fits; i++)
        if (r->fits[i].err.status == BRI_OK && r->fits[i].effective > n && r->fits[i].group == 1)
            n = r->fits[i].effective;
    for (int i = 0; i < r->n_fits; i++) {
        bri_fit *f = &r->fits[i];
        if (f->err.status != BRI_OK || !(f->rms > 0.0)) continue;
        double fit = n * log(f->rms * f->rms), k = f->n_estimates + 1.0;
        f->aic = fit + 2.0 * k;
        f->bic = fit + k * log(n);
    }
}

static int undetermined(const bri_fit *f) {
    int n = 0;
    for (int k = 0; k < f->n_estimates; k++) n += f->estimate[k].known != BRI_DETERMINED;
    return n;
}

/* The law to take: of those that cannot be told apart from the best, the one with the fewest
 * unknowns, and of these the one with the most that are determined. */
static int choose(const bri_identified *r) {
    int best = -1;
    for (int i = 0; i < r->n_fits; i++) {
        const bri_fit *f = &r->fits[i], *b = best >= 0 ? &r->fits[best] : NULL;
        if (f->group != 1) continue;
        if (!b || f->n_estimates < b->n_estimates ||
            (f->n_estimates == b->n_estimates && undetermined(f) < undetermined(b)))
            best = i;
    }
    return best;
}

static void advise(bri_identified *r) {
    int at = r->advised = choose(r), rivals = 0;
    if (at < 0) return;
    const bri_fit *f = &r->fits[at];
    int held = isfinite(f->held_out);
    for (int i = 0; i < r->n_fits; i++) rivals += r->fits[i].group == 1;
    if (r->n_fits > 1 && rivals > 1)
        id_say(&r->advice,
               "Take %s (row %d): %d laws cannot be told apart on what was held out, and it has "
               "the fewest "
               "unknowns, %d; its error there is %.3g %%.",
               f->law, at + 1, rivals, f->n_estimates, 100.0 * (held ? f->held_out : f->relative));
    else if (r->n_fits > 1)
        id_say(&r->advice,
               "Take %s (row %d): its error on what was held out, %.3g %%, is clearly the least.",
               f->law, at + 1, 100.0 * (held ? f->held_out : f->relative));
    if (held && f->held_out > 1.25 * f->relative)
        id_say(&r->advice,
               "%s: the error is %.3g %% on what was held out and %.3g %% on what was fitted: its "
               "parameters "
               "serve these samples better than others.",
               f->law, 100.0 * f->held_out, 100.0 * f->relative);
    if (f->n_ends > 1 && f->agreed == 1)
        id_say(&r->advice,
               "%s: only one of %d starts reached the best end: try more with --starts.", f->law,
               f->n_ends);
    if (undetermined(f))
        id_say(&r->advice, "%s: %d of %d unknowns are not determined: see the table.", f->law,
               undetermined(f), f->n_estimates);
}

void id_rank(bri_identified *r, double **held) {
    sort(r, held);
    group(r, held);
    criteria(r);
    advise(r);
    if (!r->advice) r->advice = calloc(1, 1);
}
