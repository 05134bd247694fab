/* page.h - what the core asks of a law that is run from its page, beside what a bri_model tells.
 * Such a law begins with this struct, and has bri_page_rest for its rest. */
#ifndef BRI_PAGE_H
#define BRI_PAGE_H

#include "bristle.h"

typedef struct bri_page {
    bri_model model;
    const double *rest; /* its states after a long rest */

    /* Forces and rates of many contacts, to the bit those of the calls for one: 0: not done. */
    int (*many)(const bri_model *self, const bri_batch *b, const double *z, double *F, double *dz);
} bri_page;

void bri_page_rest(const bri_model *self, const double *p, double *z); /* batch.c */

static inline const bri_page *bri_page_of(const bri_model *m) {
    return m->rest == bri_page_rest ? (const bri_page *)(const void *)m : NULL;
}

#endif
