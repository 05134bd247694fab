/* solvers.c - the table of time integrators. */
#include "solver.h"
#include <string.h>

static const bri_solver *const table[] = {
    &bri_rosenbrock, &bri_event_driven,  &bri_rodas4,     &bri_rodas5p,
#ifdef BRI_HAVE_SUNDIALS
    &bri_cvode_bdf,  &bri_cvode_adams,   &bri_erk_dopri5, &bri_erk_bs23,
#endif
    &bri_rk4,        &bri_time_stepping,
};

int bri_solver_count(void) { return (int)(sizeof table / sizeof *table); }

const bri_solver *bri_solver_at(int i) {
    return i >= 0 && i < bri_solver_count() ? table[i] : NULL;
}

const bri_solver *bri_solver_find(const char *name) {
    for (int i = 0; i < bri_solver_count(); i++)
        if (strcmp(table[i]->name, name) == 0) return table[i];
    return NULL;
}

const char *bri_solver_missing(const char *name) {
    static const char *const sundials[] = {"cvode_bdf", "cvode_adams", "erk_dopri5", "erk_bs23"};
    for (int i = 0; i < 4; i++)
        if (strcmp(sundials[i], name) == 0 && !bri_solver_find(name)) return "libsundials-dev";
    return NULL;
}

const char *bri_solver_name(const bri_solver *s) { return s->name; }

const char *bri_solver_text(const bri_solver *s) { return s->text; }

int bri_solver_fixed_step(const bri_solver *s) { return s->fixed_step; }
