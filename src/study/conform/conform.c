/* conform.c - measure laws by the table of phenomena, every number twice. */
#include "results.h"

#include "../../fail.h"
#include "phenomena.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char word_failed[] = "gave up", word_memory[] = "no memory";
static const char unsettled[] = "unsettled";

static const double standard_rtol = 1e-8;

/* ---- one experiment -------------------------------------------------------------------------- */

/* Significant digits that two numbers have in common, 3 at most: half a unit of the last one. */
static int common_digits(double a, double b, double floor) {
    if (a == b || (fabs(a) < floor && fabs(b) < floor)) return 3;
    double apart = fabs(a - b) / fmax(fabs(a), fabs(b));
    return apart <= 5e-4 ? 3 : apart <= 5e-3 ? 2 : apart <= 5e-2 ? 1 : 0;
}

static bri_tone verdict(const bri_phenomenon *what, const bri_finding *f) {
    if (f->word == word_failed || f->word == unsettled) return BRI_TONE_BAD;
    if (isnan(what->want) || isnan(f->value)) return BRI_TONE_PLAIN;
    double off = what->above ? what->want - f->value : fabs(f->value - what->want);
    return off <= what->good ? BRI_TONE_GOOD : off <= what->fair ? BRI_TONE_FAIR : BRI_TONE_BAD;
}

bri_finding bri_conform_one(const bri_setup *law, const bri_phenomenon *what, double rtol) {
    const experiment *e = experiment_of(what);
    bri_finding f = {NAN, word_failed, 0, BRI_TONE_BAD};
    if (!e) return f;
    if (!(rtol > 0.0)) rtol = standard_rtol;
    bri_status trouble = BRI_OK;
    bench coarse = bench_of(law, rtol, &trouble), fine = bench_of(law, 0.1 * rtol, &trouble);
    result r = e->measure(&fine, e->with), first = r;
    if (!what->machine && r.word != word_failed) first = e->measure(&coarse, e->with);
    if (trouble != BRI_OK) {
        f.word = word_memory;
        return f;
    }
    f.value = fabs(r.value) < what->floor ? 0.0 : r.value;
    f.word = r.word;
    f.digits = r.word ? 3 : what->machine ? 2 : common_digits(first.value, r.value, what->floor);
    if (r.word != first.word || f.digits == 0) {
        f.word = r.word == word_failed ? r.word : unsettled;
        f.digits = 0;
    }
    f.tone = verdict(what, &f);
    return f;
}

/* ---- all of them ----------------------------------------------------------------------------- */

static void measure(bri_conformance *c, int law, int what) {
    findings_at(c, law, what)[0] = bri_conform_one(&c->laws[law], bri_phenomenon_at(what), c->rtol);
    c->done[law * bri_phenomenon_count() + what] = 1;
}

/* Phenomenon by phenomenon, so that the long experiments do not all come last. */
static void job(void *context, int i) {
    bri_conformance *c = context;
    if (!bri_phenomenon_at(i / c->n)->machine) measure(c, i % c->n, i / c->n);
}

bri_status bri_conform(const bri_setup *laws, const char *const *names, int n, double rtol,
                       const bri_watch *watch, bri_conformance **to, bri_error *err) {
    int count = bri_phenomenon_count();
    bri_conformance *c = calloc(1, sizeof *c);
    *to = c;
    if (c) {
        *c = (bri_conformance){.laws = laws, .names = names, .n = n, .rtol = rtol};
        c->findings = calloc((size_t)n * (size_t)count + 1, sizeof *c->findings);
        c->done = calloc((size_t)n * (size_t)count + 1, 1);
        c->columns = calloc(2 * (size_t)count, sizeof *c->columns);
    }
    if (!c || !c->findings || !c->done || !c->columns) {
        bri_conformance_free(c);
        *to = NULL;
        return bri_fail(err, BRI_NO_MEMORY, "%s", bri_status_text(BRI_NO_MEMORY));
    }
    bri_parallel(n * count, 0, job, c, watch);
    for (int i = 0; i < n * count; i++) /* times are taken alone */
        if (bri_phenomenon_at(i / n)->machine &&
            !(watch && watch->stop && watch->stop(watch->context)))
            measure(c, i % n, i / n);
    for (int i = 0; i < n * count; i++)
        if (c->findings[i].word == word_memory)
            return bri_fail(err, BRI_NO_MEMORY, "%s", bri_status_text(BRI_NO_MEMORY));
    for (int i = 0; i < n * count; i++)
        if (!c->done[i]) return bri_fail(err, BRI_NO_PROGRESS, "interrupted");
    return BRI_OK;
}

void bri_conformance_free(bri_conformance *c) {
    if (!c) return;
    free(c->findings);
    free(c->done);
    free(c->columns);
    free(c);
}

bri_finding bri_conformance_finding(const bri_conformance *c, int law, int phenomenon) {
    bri_finding none = {NAN, NULL, 0, BRI_TONE_PLAIN};
    if (law < 0 || law >= c->n || phenomenon < 0 || phenomenon >= bri_phenomenon_count())
        return none;
    if (!c->done[law * bri_phenomenon_count() + phenomenon]) return none;
    return *findings_at(c, law, phenomenon);
}
