/* results.h - the findings of a study of conformance. */
#ifndef BRI_CONFORM_RESULTS_H
#define BRI_CONFORM_RESULTS_H

#include "bristle_study.h"

struct bri_conformance {
    const bri_setup *laws;
    const char *const *names; /* NULL: those of the models */
    int n;
    double rtol;
    bri_finding *findings; /* law after law */
    char *done;            /* the same, nonzero once measured */
    bri_column *columns;   /* for each phenomenon two: that of the laws, its own */
};

static inline bri_finding *findings_at(const bri_conformance *c, int law, int phenomenon) {
    return &c->findings[law * bri_phenomenon_count() + phenomenon];
}

#endif
