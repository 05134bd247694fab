/* rill.c - Rill et al. 2023, "LuGre or not LuGre": pulse load, conveyor belt, festoon. The runs,
 * and what the sections share; each has a file. */
#include "rill.h"

#include <math.h>
#include <stdio.h>

#define PULSE "push.force.pulses.value="

#define FRICTION(s, d)                                                                             \
    "wheel1.mu_s=" s "; wheel1.mu_c=" d "; wheel2.mu_s=" s "; wheel2.mu_c=" d "; run.until=14 s"
#define WEAK      FRICTION("0.072", "0.045")
#define STRONG    FRICTION("0.088", "0.055")
#define STRONGEST FRICTION("0.1", "0.0625")

/* clang-format off */
static const lab_run runs[RILL_RUNS] = {
    [PULSE_STATIC]       = {"pulse", "regularized", NULL},
    [PULSE_LUGRE]        = {"pulse", "lugre", NULL},
    [PULSE_IMPLICIT]     = {"pulse", "bristle_implicit", NULL},
    [PULSE_SECOND]       = {"pulse", "bristle_second_order", NULL},
    [MORE_LUGRE]         = {"pulse", "lugre", PULSE "4.5 N"},
    [MORE_IMPLICIT]      = {"pulse", "bristle_implicit", PULSE "4.5 N"},
    [MORE_SECOND]        = {"pulse", "bristle_second_order", PULSE "4.5 N"},
    [MOST_LUGRE]         = {"pulse", "lugre", PULSE "5.6 N"},
    [MOST_SECOND]        = {"pulse", "bristle_second_order", PULSE "5.6 N"},
    [MOST_LUGRE_DAMPED]  = {"pulse", "lugre", PULSE "5.6 N; pad.sigma1=790 N s/m"},
    [MOST_SECOND_DAMPED] = {"pulse", "bristle_second_order", PULSE "5.6 N; pad.sigma1=790 N s/m"},
    [PULSE_FADE]         = {"pulse", "lugre", "pad.fade=1"},
    [MORE_FADE]          = {"pulse", "lugre", "pad.fade=1; " PULSE "4.5 N"},
    [PULSE_CONSISTENT]   = {"pulse", "lugre_consistent", NULL},
    [MORE_CONSISTENT]    = {"pulse", "lugre_consistent", PULSE "4.5 N"},
    [BELT_CONSISTENT]    = {"belt", "lugre_consistent", "run.output=0.2 ms"},
    [BELT_EXACT]         = {"belt", "stribeck", "run.solver=event_driven"},
    [BELT_STATIC]        = {"belt", "regularized", "run.output=0.2 ms"},
    [BELT_LUGRE]         = {"belt", "lugre", "run.output=0.2 ms"},
    [BELT_SECOND]        = {"belt", "bristle_second_order", "run.output=0.2 ms"},
    [FESTOON_STATIC]     = {"festoon", "regularized", "run.output=2 ms"},
    [FESTOON_LUGRE]      = {"festoon", "lugre", "run.output=2 ms"},
    [FESTOON_SECOND]     = {"festoon", "bristle_second_order", "run.output=2 ms"},
    [WEAK_STATIC]        = {"festoon", "regularized", WEAK},
    [WEAK_LUGRE]         = {"festoon", "lugre", WEAK},
    [WEAK_SECOND]        = {"festoon", "bristle_second_order", WEAK},
    [STRONG_STATIC]      = {"festoon", "regularized", STRONG},
    [STRONG_LUGRE]       = {"festoon", "lugre", STRONG},
    [STRONG_SECOND]      = {"festoon", "bristle_second_order", STRONG},
    [STRONGEST_LUGRE]    = {"festoon", "lugre", STRONGEST},
};
/* clang-format on */

const double *rill_contact(const lab *l, int run, const char *contact, const char *what) {
    char name[40];
    snprintf(name, sizeof name, "%s.%s", contact, what);
    return lab_column(l, run, name);
}

double rill_bristle_rate(const lab *l, int run, const char *contact, long i) {
    const double *w = rill_contact(l, run, contact, "w"), *z = rill_contact(l, run, contact, "z");
    const double *F = rill_contact(l, run, contact, "F"), *v = rill_contact(l, run, contact, "v");
    const double *N = rill_contact(l, run, contact, "N");
    if (w) return w[i];
    if (!z) return 0.0;
    double nu = lab_param(l, run, "sigma2") >= 0.0 ? lab_param(l, run, "nu") : 0.0;
    return (F[i] - lab_param(l, run, "sigma0") * z[i] - nu * N[i] * v[i]) /
           lab_param(l, run, "sigma1");
}

double rill_prescribed(const lab *l, int run, double speed) {
    double mu_c = lab_param(l, run, "mu_c"), mu_s = lab_param(l, run, "mu_s");
    double decay = exp(-pow(speed / lab_param(l, run, "v_s"), lab_param(l, run, "gamma")));
    return mu_c + (mu_s - mu_c) * decay + lab_param(l, run, "nu") * speed;
}

double rill_shift(const lab *l, const lab_quantity *q) { return fabs(lab_moved(l, q)); }

static void draw(const lab *l, bri_report *r) {
    rill_draw_laws(l, r);
    rill_draw_demonstrations(l, r);
    rill_draw_festoon(l, r);
}

static const lab_section *const sections[] = {&rill_laws, &rill_demonstrations, &rill_festoon};

const lab_paper lab_rill = {
    .key = "rill",
    .title = "Rill et al. 2023, LuGre or not LuGre",
    .runs = runs,
    .n_runs = RILL_RUNS,
    .sections = sections,
    .n_sections = sizeof sections / sizeof *sections,
    .draw = draw,
};
