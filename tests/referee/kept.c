/* kept.c - rigs on which the library was wrong once, each with what was the matter. Not drawn anew:
 * the populations of `referee` hold whatever comes, these what has been. */
#include "compare.h"
#include "draw.h"

#include <math.h>

enum { MAX_TEXT = 8192, MAX_EVALS = 3000000 };

typedef struct kept {
    unsigned long seed;
    long number;
    double rtol, allowed; /* share of the range */
    const char *what;
} kept;

static const kept rigs[] = {
    {555001, 130, 1e-4, 1e-3, "held at rest by the slope of |v|^0.5 after a turn: 0.9 %"},
    {910100002, 51, 1e-6, 1e-4, "bristle velocity measured by its table, not by v_s: 0.2 %"},
    {90210, 29, 1e-6, 1e-5, "a turn and back within the first step after a turn: 0.005 %"},
    {77001, 128, 1e-6, 1e-5, "a dip to 1.4 v_s between two fast ends, exact stick: 0.02 %"},
    {90217, 1413, 1e-4, 1e-2, "saturation of Dahl's bristle taken early, cycle by cycle: 63 %"},
    {31337, 342, 1e-4, 1e-3, "a step cut where it comes to rest, not held to the tolerance: 0.8 %"},
    {31337, 5472, 1e-4, 1e-3, "a stage that meets the peak of a narrow Stribeck curve: 0.2 %"},
    {8128, 352, 1e-6, 1e-5, "static level met to the rounding of a stiff spring: decided for ever"},
    {515253, 802, 1e-4, 1e-4, "at rest at once by the course over a long step: decided for ever"},
    {880077, 1387, 1e-6, 1e-4, "slides for no time at all, and cannot: never decided"},
    {604938271, 1242, 1e-8, 1e-6, "steps of a few roundings of the time, which stayed so: no end"},
};

int main(void) {
    static ref_verdict v;
    static ref_run run;
    static char text[MAX_TEXT];
    int bad = 0;
    for (size_t i = 0; i < sizeof rigs / sizeof *rigs; i++) {
        const kept *k = &rigs[i];
        ref_rig r;
        ref_rig_draw(&r, k->seed, k->number);
        ref_rig_write(&r, text, sizeof text);
        ref_solve(&r, 1e-11, 0.0, MAX_EVALS, &v.result);
        ref_find_ranges(&r, &v);
        ref_run_library(&r, text, "rosenbrock", k->rtol, 0.0, &run);
        double error = run.status == BRI_OK ? ref_error(&r, &v, &run.result, NULL) : INFINITY;
        int off = v.result.status != REF_OK || !(error <= k->allowed);
        printf("seed %lu rig %ld %s at %g: error %.2g, allowed %.2g (%s)%s %s\n", k->seed,
               k->number, r.kind, k->rtol, error, k->allowed, k->what, off ? ": OFF" : "",
               run.err.text);
        bad += off;
    }
    return bad > 0;
}
