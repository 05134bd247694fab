/* columns.h - the order of the columns of a run: t, then for every body x and v (in the plane x, z,
 * vx, vz), for every contact v, F, N, mode and its states, for every coupling F, then the energies.
 */
#ifndef BRI_COLUMNS_H
#define BRI_COLUMNS_H

#include "bristle_sim.h"

static inline int body_columns(const bri_body *b) { return b->kind == BRI_POINT ? 4 : 2; }

static inline int contact_columns(const bri_contact *c) {
    return 4 + bri_model_states(c->model, c->p);
}

/* The first column of body i, or where the contacts begin if i is their number. */
static inline int body_column(const bri_system *s, int i) {
    int column = 1;
    for (int k = 0; k < i; k++) column += body_columns(&s->bodies[k]);
    return column;
}

/* The first column of contact i, or where the couplings begin if i is their number. */
static inline int contact_column(const bri_system *s, int i) {
    int column = body_column(s, s->n_bodies);
    for (int k = 0; k < i; k++) column += contact_columns(&s->contacts[k]);
    return column;
}

#endif
