/* rows.c - the instants at which a run is looked at. */
#include "bristle_scenario.h"

#include <math.h>

/* Multiples of 0.01 s are i / 100, which is the double nearest to the decimal, and not i times the
 * double nearest to 0.01: so the column of times reads 0.07 and not 0.07000000000000001. */
bri_rows bri_rows_of(const bri_sim_def *def, double output) {
    bri_rows r = {.start = def->t_start, .end = def->t_end, .step = output, .scale = 1.0};
    for (double scale = 1.0; scale <= 1e15; scale *= 10.0) {
        double whole = round(output * scale);
        if (whole < 1.0 || fabs(output * scale - whole) > 1e-12 * whole) continue;
        r.step = whole;
        r.scale = scale;
        break;
    }
    double count = (r.end - r.start) / output;
    r.count = (long)floor(count * (1.0 + 1e-12)) + 1;
    if (count - (double)(r.count - 1) > 1e-9) r.count++; /* and one at the end */
    return r;
}

double bri_row_time(const bri_rows *r, long row) {
    return row == r->count - 1 ? r->end : r->start + (double)row * r->step / r->scale;
}
