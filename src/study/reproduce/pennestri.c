/* pennestri.c - Pennestri et al. 2016, "Review and comparison of dry friction force models": the
 * Rabinowicz rig, the stack of three bodies, the pre-sliding rig. The runs, and what belongs
 * together; each section has a file. */
#include "pennestri.h"

#include <stdlib.h>

#define EXACT "run.solver=event_driven"

/* clang-format off */
/* The elasto-plastic law as printed has an alpha that jumps at z_max: tight tolerances are dear. */
static const lab_run runs[PENNESTRI_RUNS] = {
    [R_EXACT]          = {"rabinowicz", "coulomb", EXACT},
    [R_TANH]           = {"rabinowicz", "coulomb_tanh", NULL},
    [R_CLIPPED]        = {"rabinowicz", "coulomb_tanh", "pad.clipped=1"},
    [R_VELOCITY]       = {"rabinowicz", "velocity_based", NULL},
    [R_VELOCITY_CUBIC] = {"rabinowicz", "velocity_based", "pad.step=1"},
    [R_VELOCITY_MIXED] = {"rabinowicz", "velocity_based", "pad.step=2"},
    [R_DAHL]           = {"rabinowicz", "dahl", NULL},
    [R_LUGRE]          = {"rabinowicz", "lugre", NULL},
    [R_STICK_SLIP]     = {"rabinowicz", "stick_slip", NULL},
    [R_KARNOPP_BAND]   = {"rabinowicz", "karnopp", "pad.v_d=0.05 m/s; pad.as_printed=1"},
    [R_KARNOPP]        = {"rabinowicz", "karnopp", NULL},
    [R_ELASTO_1]       = {"rabinowicz", "elasto_plastic", NULL},
    [R_ELASTO_2]       = {"rabinowicz", "elasto_plastic", "pad.gamma=2"},
    [R_GONTHIER]       = {"rabinowicz", "gonthier", NULL},
    [R_EXPONENTIAL]    = {"rabinowicz", "coulomb_tanh", "pad.smoothing=1"},
    [R_SINE]           = {"rabinowicz", "coulomb_tanh", "pad.smoothing=2"},
    [R_STICK_SLIP_PRINTED] = {"rabinowicz", "stick_slip", "pad.as_printed=1"},
    [R_STICK_SLIP_RELAXED] = {"rabinowicz", "stick_slip", "pad.tau=0.01 s"},
    [R_STICK_SLIP_WHOLE] = {"rabinowicz", "stick_slip", "pad.as_printed=2"},
    [R_ELASTO_PRINTED] = {"rabinowicz", "elasto_plastic", "pad.gamma=2; pad.as_printed=1; run.rtol=1e-5"},
    [R_GONTHIER_PRINTED] = {"rabinowicz", "gonthier", "pad.as_printed=1"},
    [T_EXACT]          = {"three_dof", "coulomb", EXACT},
    [T_TANH]           = {"three_dof", "coulomb_tanh", NULL},
    [T_VELOCITY]       = {"three_dof", "velocity_based", NULL},
    [T_DAHL]           = {"three_dof", "dahl", NULL},
    [T_LUGRE]          = {"three_dof", "lugre", NULL},
    [T_STICK_SLIP]     = {"three_dof", "stick_slip", NULL},
    [T_KARNOPP]        = {"three_dof", "karnopp", EXACT},
    [T_ELASTO]         = {"three_dof", "elasto_plastic", NULL},
    [T_GONTHIER]       = {"three_dof", "gonthier", NULL},
    [T_STICK_SLIP_RELAXED] = {"three_dof", "stick_slip", "upper.tau=0.01 s; inner.tau=0.01 s; lower.tau=0.01 s"},
    [T_STICK_SLIP_WHOLE] = {"three_dof", "stick_slip", "upper.as_printed=2; inner.as_printed=2; lower.as_printed=2"},
    [P_TANH]           = {"presliding", "coulomb_tanh", NULL},
    [P_VELOCITY]       = {"presliding", "velocity_based", NULL},
    [P_DAHL]           = {"presliding", "dahl", NULL},
    [P_LUGRE]          = {"presliding", "lugre", NULL},
    [P_STICK_SLIP]     = {"presliding", "stick_slip", NULL},
    [P_KARNOPP]        = {"presliding", "karnopp", EXACT},
    [P_ELASTO]         = {"presliding", "elasto_plastic", NULL},
    [P_GONTHIER]       = {"presliding", "gonthier", NULL},
    [P_STICK_SLIP_RELAXED] = {"presliding", "stick_slip", "pad.tau=0.01 s"},
    [P_STICK_SLIP_WHOLE] = {"presliding", "stick_slip", "pad.as_printed=2"},
};
/* clang-format on */

static int prepare(lab *l) { return (l->notes = calloc(1, sizeof(pennestri_notes))) != NULL; }
static void forget(lab *l) { free(l->notes); }

static void more(lab *l, int i) {
    if (i < COST_CELLS)
        cost_do(l, i);
    else
        table_do(l, i - COST_CELLS);
}

static void draw(const lab *l, bri_report *r) {
    pennestri_draw_laws(l, r);
    pennestri_draw_runs(l, r);
    cost_report(l, r);
}

static const lab_section *const sections[] = {&pennestri_rabinowicz, &pennestri_tables,
                                              &pennestri_costs,      &pennestri_features,
                                              &pennestri_stack,      &pennestri_presliding};

const lab_paper lab_pennestri = {
    .key = "pennestri",
    .title = "Pennestri et al. 2016, Review and comparison of dry friction force models",
    .runs = runs,
    .n_runs = PENNESTRI_RUNS,
    .sections = sections,
    .n_sections = sizeof sections / sizeof *sections,
    .n_more = COST_CELLS + TABLE_CELLS,
    .more = more,
    .prepare = prepare,
    .forget = forget,
    .draw = draw,
};
