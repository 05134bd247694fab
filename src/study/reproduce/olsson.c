/* olsson.c - Olsson & Astrom 1993, "Friction Modelling", section 4: the six figures. */
#include "olsson.h"

#include <math.h>

static const double two_pi = 6.28318530717958647692;

enum { SLOW, FAST, REVERSAL, PRESLIDING, STICK_SLIP, STICKING, TO, FRO, FRO_EXACT, LOOP, N_RUNS };

static const lab_run runs[N_RUNS] = {
    [SLOW] = {"olsson_hysteresis", NULL, "run.output=0.2 ms; run.until=3.3 s"},
    [FAST] = {"olsson_hysteresis", NULL,
              "block.velocity.sine.frequency=20 rad/s; run.output=0.04 ms; run.until=0.7 s"},
    [REVERSAL] = {"olsson_reversal", NULL, "run.output=0.1 ms"},
    [PRESLIDING] = {"olsson_presliding", NULL, NULL},
    [STICK_SLIP] = {"olsson_stick_slip", NULL, "run.output=1 ms"},
    [STICKING] = {"olsson_stick_slip", NULL, "run.output=0.1 ms; run.until=11.5 s"},
    [TO] = {"olsson_stick_slip", NULL, "pad.backward=0.7; run.until=30 s"},
    [FRO] = {"olsson_stick_slip", NULL,
             "pad.backward=0.7; puller.velocity=-0.1 m/s; run.until=30 s"},
    [FRO_EXACT] = {"olsson_stick_slip", "coulomb",
                   "pad.backward=0.7; puller.velocity=-0.1 m/s; run.until=8 s"},
    [LOOP] = {"olsson_reversal", NULL, "pad.backward=0.7; run.output=0.1 ms"},
};

/* ---- measures ------------------------------------------------------------------------------ */

/* Force of the steady curve at speed a: the law with the parameters of the rig. */
static double steady(const lab *l, const lab_quantity *q) {
    const bri_sim_def *def = lab_def(l, q->run);
    if (!def) return NAN;
    const bri_contact *c = &def->system.contacts[0];
    bri_setup s;
    bri_setup_init(&s, c->model);
    for (int i = 0; i < c->model->n_params; i++) s.p[i] = c->p[i];
    s.load = c->n;
    return bri_steady_force(&s, q->a);
}

/* F_s0/k_s: the displacement at which the spring alone reaches break-away. */
static double presliding_limit(const lab *l, const lab_quantity *q) {
    const bri_sim_def *def = lab_def(l, q->run);
    if (!def) return NAN;
    return lab_param(l, q->run, "mu_s") * def->system.contacts[0].n /
           lab_param(l, q->run, "sigma0");
}

/* Integral of F over q->column in one period 2 pi/a from the second period on; values between
 * samples on straight lines. */
static double area(const lab *l, const lab_quantity *q) {
    const bri_trace *trace = lab_trace(l, q->run);
    const double *t = lab_time(l, q->run), *F = lab_column(l, q->run, "pad.F"),
                 *u = lab_column(l, q->run, q->column);
    if (trace->err.status != BRI_OK || !t || !F || !u) return NAN;
    double from = two_pi / q->a, until = 2.0 * from, sum = 0.0;
    double F0 = bri_value_at(t, F, trace->n_rows, from), F1;
    double u0 = bri_value_at(t, u, trace->n_rows, from), u1;
    for (long i = 0; i < trace->n_rows && t[i] < until; i++) {
        if (t[i] <= from) continue;
        sum += 0.5 * (F0 + F[i]) * (u[i] - u0);
        F0 = F[i];
        u0 = u[i];
    }
    F1 = bri_value_at(t, F, trace->n_rows, until);
    u1 = bri_value_at(t, u, trace->n_rows, until);
    return sum + 0.5 * (F0 + F1) * (u1 - u0);
}

static double growth(const lab *l, const lab_quantity *q) {
    lab_quantity slow = *q, fast = *q;
    slow.run = SLOW, slow.a = 4.0;
    fast.run = FAST, fast.a = 20.0;
    return area(l, &fast) / area(l, &slow);
}

/* Energy of a cycle with another friction backward, over that with the same. */
static double share_of_energy(const lab *l, const lab_quantity *q) {
    lab_quantity same = *q;
    same.run = REVERSAL;
    return area(l, q) / area(l, &same);
}

static double half_range(const lab *l, const lab_quantity *q) { return 0.5 * lab_range(l, q); }

/* When the block is caught the first time: its speed has fallen to a hundredth of the pull's. */
static double caught(const lab *l, int run) {
    const lab_quantity q = {.run = run, .column = "block.v", .a = 8.5, .b = 1e-3};
    return lab_falls_below(l, &q);
}

/* The largest friction at the moment of sticking over the one that holds the block 0.2 s later. */
static double overshoot(const lab *l, const lab_quantity *q) {
    double at = caught(l, q->run);
    lab_quantity peak = *q, holds = *q;
    peak.a = at - 0.1, peak.b = at + 0.1;
    holds.a = at + 0.2;
    return lab_most(l, &peak) / lab_at(l, &holds);
}

/* ---- quantities ---------------------------------------------------------------------------- */

/* clang-format off */
static const lab_quantity quantities[] = {
    {.experiment = "Fig. 1, static curve", .name = "force at 1 \xc2\xb5" "m/s: the break-away level F_s0",
     .unit = "N", .source = PRINTED, .published = "1.5", .run = SLOW, .measure = steady, .a = 1e-6},
    {.experiment = "Fig. 1, static curve", .name = "force at 0.01 m/s", .unit = "N",
     .source = INDEPENDENT, .published = "1.470070", .run = SLOW, .measure = steady, .a = 0.01},
    {.experiment = "Fig. 1, static curve", .name = "force at 0.04 m/s", .unit = "N",
     .source = INDEPENDENT, .published = "1.199111", .run = SLOW, .measure = steady, .a = 0.04},
    {.experiment = "Fig. 1, static curve", .name = "force at 0.1 m/s", .unit = "N",
     .source = INDEPENDENT, .published = "1.060849", .run = SLOW, .measure = steady, .a = 0.1},

    {.experiment = "Fig. 2, hysteresis", .name = "area of F over v, 4 rad/s", .unit = "N m/s",
     .source = INDEPENDENT, .published = "9.01517e-4", .run = SLOW, .measure = area,
     .column = "pad.v", .a = 4.0},
    {.experiment = "Fig. 2, hysteresis", .name = "area of F over v, 20 rad/s", .unit = "N m/s",
     .source = INDEPENDENT, .published = "4.33298e-3", .run = FAST, .measure = area,
     .column = "pad.v", .a = 20.0},
    {.experiment = "Fig. 2, hysteresis", .name = "area at 20 rad/s over that at 4 rad/s",
     .unit = "", .source = CLAIM, .relation = ABOVE, .published = "1",
     .grounds = "the hysteresis grows with the frequency", .run = FAST, .measure = growth,
     .column = "pad.v"},

    {.experiment = "Fig. 3, reversal", .name = "energy per cycle, v = 0.1 sin(25 t) m/s",
     .unit = "J", .source = INDEPENDENT, .published = "0.01769", .run = REVERSAL,
     .measure = area, .column = "block.x", .a = 25.0},

    {.experiment = "Fig. 4, pre-sliding", .name = "half range of the displacement", .unit = "m",
     .source = INDEPENDENT, .published = "1.0508e-4", .run = PRESLIDING,
     .measure = half_range, .column = "block.x", .a = 0.8, .b = 4.0},
    {.experiment = "Fig. 4, pre-sliding", .name = "the same with s_v = 0, closed form", .unit = "m",
     .source = CLOSED_FORM, .published = "1.0548e-4", .tolerance = 1e-6,
     .grounds = "'it is assumed that s_v = 0 in the stiction zone': within 1 %", .run = PRESLIDING,
     .measure = half_range, .column = "block.x", .a = 0.8, .b = 4.0},
    {.experiment = "Fig. 4, pre-sliding", .name = "largest displacement", .unit = "m",
     .source = CLAIM, .relation = BELOW, .published = "1.5e-4",
     .grounds = "no true sliding: less than the bristle gives at break-away, F_s0/k_s",
     .run = PRESLIDING, .measure = lab_most, .column = "block.x", .a = 0.0, .b = 4.0},

    {.experiment = "section 3", .name = "pre-sliding displacement of its parameters, F_s0/k_s", .unit = "mm",
     .source = CLAIM, .relation = BELOW, .published = "0.01",
     .grounds = "section 2: 'in the order of 1-10 microns'", .run = STICK_SLIP,
     .measure = presliding_limit, .expected = "0.15",
     .reason = "the parameters of section 4 are softer than what section 2 observes"},
    {.experiment = "Fig. 5, stick-slip", .name = "friction at break-away", .unit = "N",
     .source = PRINTED, .published = "1.5", .run = STICK_SLIP, .measure = lab_most,
     .column = "pad.F", .a = 0.0, .b = 8.0},
    {.experiment = "Fig. 5, stick-slip", .name = "break-away: friction reaches 1.4999 N", .unit = "s",
     .source = INDEPENDENT, .published = "7.50", .run = STICK_SLIP, .measure = lab_exceeds,
     .column = "pad.F", .a = 1.0, .b = 1.4999},
    {.experiment = "Fig. 5, stick-slip", .name = "peaks of the spring force", .unit = "N",
     .source = INDEPENDENT, .published = "1.59116", .run = STICK_SLIP, .measure = lab_high,
     .column = "pull.F", .a = 20.0, .b = 60.0},
    {.experiment = "Fig. 5, stick-slip", .name = "valleys of the spring force", .unit = "N",
     .source = INDEPENDENT, .published = "0.79143", .run = STICK_SLIP, .measure = lab_low,
     .column = "pull.F", .a = 20.0, .b = 60.0},
    {.experiment = "Fig. 5, stick-slip", .name = "period", .unit = "s",
     .source = INDEPENDENT, .published = "6.5724", .run = STICK_SLIP, .measure = lab_period,
     .column = "pull.F", .a = 20.0, .b = 60.0},

    {.experiment = "Fig. 6, sticking", .name = "peak of friction over the force that holds then",
     .unit = "", .source = CLAIM, .relation = ABOVE, .published = "1",
     .grounds = "the force rises and is then reduced to what holds the mass", .run = STICKING,
     .measure = overshoot, .column = "pad.F"},

    /* "the magnitude of friction is different for different directions of motion" */
    {.experiment = "section 2, direction", .name = "0.7 times the friction backward: break-away to", .unit = "N",
     .source = CLOSED_FORM, .published = "1.500", .run = TO, .measure = lab_most,
     .column = "pad.F", .a = 0.0, .b = 8.0},
    {.experiment = "section 2, direction", .name = "0.7 times the friction backward: break-away fro", .unit = "N",
     .source = CLOSED_FORM, .published = "-1.050", .run = FRO, .measure = lab_least,
     .column = "pad.F", .a = 0.0, .b = 8.0},
    {.experiment = "section 2, direction", .name = "Coulomb's law: break-away fro, 0.7 F_s/(k v)", .unit = "s",
     .source = CLOSED_FORM, .published = "5.250000", .run = FRO_EXACT, .measure = lab_event, .a = 0},
    {.experiment = "section 2, direction", .name = "steady force at -0.1 m/s, 0.7 of that at 0.1 m/s", .unit = "N",
     .source = INDEPENDENT, .published = "-0.74259", .run = TO, .measure = steady, .a = -0.1},
    {.experiment = "section 2, direction", .name = "energy of a cycle over that with equal friction, (1 + 0.7)/2", .unit = "",
     .source = CLOSED_FORM, .published = "0.8500", .run = LOOP, .measure = share_of_energy,
     .column = "block.x", .a = 25.0},
};
/* clang-format on */

/* ---- figures ------------------------------------------------------------------------------- */

enum { SPEEDS = 400 };

/* A figure of one diagram. */
static void begin_one(lab_figure *f, const char *title, const char *x_name, const char *x_unit) {
    lab_figure_begin(f, NULL, 1, 2);
    lab_panel(f, 0, 0, title, x_name, x_unit, "friction", "N");
    f->panels[0].rows = 2;
}

static void draw_curve(const lab *l, bri_report *r) {
    lab_figure f;
    double v[SPEEDS], F[SPEEDS];
    begin_one(&f, "Fig. 1: static relation", "velocity", "m/s");
    for (int i = 0; i < SPEEDS; i++) {
        const lab_quantity q = {.run = SLOW, .a = 0.6 * (i + 0.5 - SPEEDS / 2) / SPEEDS};
        v[i] = q.a;
        F[i] = steady(l, &q);
    }
    lab_line(&f, NULL, v, F, SPEEDS, LINE);
    lab_figure_end(&f, r, "olsson-1", "Fig. 1: steady friction.");
}

/* Figs. 2 to 4: friction over velocity or displacement. */
static void draw_loops(const lab *l, bri_report *r) {
    lab_figure f;
    begin_one(&f, "Fig. 2: hysteresis", "velocity", "m/s");
    lab_curve(&f, l, SLOW, "4 rad/s", "pad.v", "pad.F", two_pi / 4.0, two_pi / 2.0);
    lab_curve(&f, l, FAST, "20 rad/s", "pad.v", "pad.F", two_pi / 20.0, two_pi / 10.0);
    lab_figure_end(&f, r, "olsson-2", "Fig. 2: the loop is wider at the higher frequency.");
    begin_one(&f, "Fig. 3: reversal", "displacement", "m");
    lab_curve(&f, l, REVERSAL, NULL, "block.x", "pad.F", 0.0, 0.6);
    lab_figure_end(&f, r, "olsson-3", "Fig. 3: friction while the motion turns round.");
    begin_one(&f, "Fig. 4: pre-sliding", "displacement", "m");
    lab_curve(&f, l, PRESLIDING, NULL, "block.x", "pad.F", 0.0, 4.0);
    lab_figure_end(&f, r, "olsson-4", "Fig. 4: below break-away the contact gives like a spring.");
}

/* Figs. 5 and 6: two histories each. */
static void draw_histories(const lab *l, bri_report *r) {
    lab_figure f;
    double at = caught(l, STICKING);
    lab_figure_begin(&f, NULL, 1, 2);
    lab_panel(&f, 0, 0, "Fig. 5: stick-slip", "time", "s", "position", "m");
    lab_share_x(&f);
    lab_curve(&f, l, STICK_SLIP, "end of the spring", NULL, "puller.x", 0.0, 30.0);
    lab_curve(&f, l, STICK_SLIP, "mass", NULL, "block.x", 0.0, 30.0);
    lab_panel(&f, 0, 1, NULL, "time", "s", "friction", "N");
    lab_curve(&f, l, STICK_SLIP, NULL, NULL, "pad.F", 0.0, 30.0);
    lab_figure_end(&f, r, "olsson-5", "Fig. 5: a mass drawn by a spring whose end moves steadily.");
    lab_figure_begin(&f, NULL, 1, 2);
    lab_panel(&f, 0, 0, "Fig. 6: the mass gets stuck", "time", "s", "velocity", "m/s");
    lab_share_x(&f);
    lab_curve(&f, l, STICKING, NULL, NULL, "block.v", at - 0.1, at + 0.1);
    lab_panel(&f, 0, 1, NULL, "time", "s", "friction", "N");
    lab_curve(&f, l, STICKING, NULL, NULL, "pad.F", at - 0.1, at + 0.1);
    lab_figure_end(&f, r, "olsson-6", "Fig. 6: the last moments before rest.");
}

/* Section 2: what the report's model would be with another friction backward. */
static void draw_direction(const lab *l, bri_report *r) {
    lab_figure f;
    lab_figure_begin(&f, NULL, 2, 2);
    lab_panel(&f, 0, 0, "to and fro", "displacement", "m", "friction", "N");
    f.panels[0].rows = 2;
    lab_curve(&f, l, REVERSAL, "the same both ways", "block.x", "pad.F", 0.3, 0.56);
    lab_curve(&f, l, LOOP, "0.7 backward", "block.x", "pad.F", 0.3, 0.56);
    lab_panel(&f, 1, 0, "pulled to and fro", "time", "s", "friction", "N");
    f.panels[1].rows = 2;
    lab_curve(&f, l, TO, "forward", NULL, "pad.F", 0.0, 30.0);
    lab_curve(&f, l, FRO, "backward", NULL, "pad.F", 0.0, 30.0);
    lab_figure_end(&f, r, "olsson-direction",
                   "Section 2: friction whose magnitude differs with the direction, which the "
                   "report names and leaves out; the ratio 0.7 is chosen.");
}

static void draw(const lab *l, bri_report *r) {
    draw_curve(l, r);
    draw_loops(l, r);
    draw_histories(l, r);
    draw_direction(l, r);
    olsson_draw_dwell(r);
    olsson_draw_servo(r);
}

static const lab_section all = LAB_SECTION(quantities);
static const lab_section *const sections[] = {&all, &olsson_dwell, &olsson_servo};

const lab_paper lab_olsson = {
    .key = "olsson",
    .title = "Olsson and Astrom 1993, Friction Modelling",
    .runs = runs,
    .n_runs = N_RUNS,
    .sections = sections,
    .n_sections = sizeof sections / sizeof *sections,
    .draw = draw,
};
