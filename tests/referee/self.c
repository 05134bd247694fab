/* self.c - the referee against closed forms, conservation laws, printed values and itself. */
#include "../test.h"

#include "laws.h"
#include "solve.h"

/* ---- rigs by hand --------------------------------------------------------------------------- */

static ref_rig rig_of(double end, double speed) {
    return (ref_rig){.kind = "hand", .end = end, .speed = speed, .length = speed * end};
}

static int mass(ref_rig *r, double m, double x, double v) {
    r->body[r->n_bodies] = (ref_body){.mass = m, .x = x, .v = v};
    return r->n_bodies++;
}

static int driven(ref_rig *r, double v) {
    r->body[r->n_bodies] = (ref_body){.motion = REF_VELOCITY, .signal = {.mean = v}};
    return r->n_bodies++;
}

static void join(ref_rig *r, ref_coupling c) { r->coupling[r->n_couplings++] = c; }

static double *rub(ref_rig *r, const char *law, int a, int b, double fc, double fs) {
    ref_contact *c = &r->contact[r->n_contacts++];
    c->law = ref_law_find(law);
    assert_true(c->law >= 0);
    c->a = a, c->b = b;
    c->p[REF_FC] = fc, c->p[REF_FS] = fs;
    c->p[REF_GAMMA] = c->p[REF_I] = c->p[REF_P] = 1.0;
    c->p[REF_VS] = 0.1;
    return c->p;
}

static ref_result *solve(const ref_rig *r) {
    static ref_result out;
    ref_solve(r, 1e-12, 0.0, 10000000, &out);
    assert_int_equal(out.status, REF_OK);
    return &out;
}

/* A body of 2 kg that slides on the ground at 0.8 m/s under one law. */
static double *sliding(ref_rig *r, double end, const char *law, double fc, double fs) {
    *r = rig_of(end, 0.8);
    mass(r, 2.0, 0.0, 0.8);
    return rub(r, law, 0, REF_GROUND, fc, fs);
}

/* ---- the method ----------------------------------------------------------------------------- */

static void order_is_eight(void **state) {
    (void)state;
    ref_rig r = rig_of(1.0, 1.0);
    mass(&r, 1.0, 1.0, 0.0);
    join(&r, (ref_coupling){REF_SPRING, REF_GROUND, 0, 1.0, 0.0, 0.0});
    double error[2];
    for (int i = 0; i < 2; i++) {
        ref_system s;
        double y[REF_UNKNOWNS], next[REF_UNKNOWNS], rate[REF_UNKNOWNS], h = i ? 0.5 : 1.0, e;
        ref_system_begin(&s, &r, y);
        ref_system_rates(&s, 0.0, y, rate);
        ref_step(&s, 0.0, y, rate, h, next, 1e-12, &e);
        error[i] = hypot(next[0] - cos(h), next[1] + sin(h));
    }
    /* the error of one step goes with h^9 */
    near(log2(error[0] / error[1]), 9.0, 0.05, "order of one step");
}

static void signals_integrate_and_differ(void **state) {
    (void)state;
    const ref_signal all[] = {{0.3, REF_SINE, {2.0, 0.7, 0.4, 0.0}},
                              {0.3, REF_RAMP, {2.0, 0.1, 0.6}},
                              {0.3, REF_TRAPEZOID, {2.0, 0.1, 0.9, 0.2, 0.3}},
                              {0.3, REF_PULSES, {2.0, 0.05, 0.07, 0.2}}};
    for (int k = 0; k < 4; k++)
        for (int i = 0; i < 97; i++) {
            double t = 0.013 + i * 0.0101, h = 1e-5, lo[4], mid[4], hi[4];
            ref_signal_eval(&all[k], t - h, t, lo);
            ref_signal_eval(&all[k], t, t, mid);
            ref_signal_eval(&all[k], t + h, t, hi);
            near((hi[0] - lo[0]) / (2.0 * h), mid[1], 1e-8, "integral");
            near((hi[1] - lo[1]) / (2.0 * h) - mid[2], 0.0, 1e-7, "first derivative");
            near((hi[2] - lo[2]) / (2.0 * h) - mid[3], 0.0, 1e-6, "second derivative");
        }
    /* integrals are continuous across kinks */
    for (int k = 1; k < 4; k++) {
        double kink[32], a[4], b[4];
        int n = ref_signal_kinks(&all[k], 0.0, 1.0, kink, 0, 32);
        assert_true(n >= 2);
        for (int i = 0; i < n; i++) {
            ref_signal_eval(&all[k], kink[i], kink[i] - 1e-6, a);
            ref_signal_eval(&all[k], kink[i], kink[i] + 1e-6, b);
            near(a[0], b[0], 1e-13, "integral at a kink");
        }
    }
}

static void oscillator_with_damper(void **state) {
    (void)state;
    ref_rig r = rig_of(2.0, 10.0);
    mass(&r, 1.0, 1.0, 0.0);
    join(&r, (ref_coupling){REF_SPRING_DAMPER, REF_GROUND, 0, 100.0, 2.0, 0.0});
    ref_result *out = solve(&r);
    double w = sqrt(99.0), t = 2.0;
    near(out->x[REF_ROWS][0], exp(-t) * (cos(w * t) + sin(w * t) / w), 1e-10, "x at the end");
}

/* Without damping and friction a rope gives back what it took. */
static void rope_gives_back(void **state) {
    (void)state;
    ref_rig r = rig_of(2.0, 1.0);
    mass(&r, 2.0, 0.0, 1.0);
    join(&r, (ref_coupling){REF_ROPE, REF_GROUND, 0, 200.0, 0.0, 0.3});
    ref_result *out = solve(&r);
    double back = 0.3 + REF_PI / 10.0; /* free way, half a period at 10 rad/s */
    near(out->v[REF_ROWS][0], 1.0, 1e-9, "speed after both ends"); /* returned twice */
    for (int row = 0; row <= REF_ROWS; row++) {
        double t = 0.01 * row;
        if (t > back && t < back + 0.6) near(out->v[row][0], -1.0, 1e-9, "speed on its way back");
    }
}

/* ---- static laws ---------------------------------------------------------------------------- */

static void coulomb_comes_to_rest(void **state) {
    (void)state;
    ref_rig r;
    sliding(&r, 2.0, "coulomb", 1.0, 1.5);
    ref_result *out = solve(&r); /* 0.5 m/s^2 for 1.6 s */
    near(out->x[REF_ROWS][0], 0.64, 1e-11, "where it stops");
    near(out->v[REF_ROWS][0], 0.0, 0.0, "exact rest");
    near(out->v[100][0], 0.3, 1e-11, "on its way");
}

/* Stick-slip on a belt: the same place after every period. */
static void belt_period(void **state) {
    (void)state;
    double m = 2.0, k = 50.0, v = 0.1, fc = 3.0, fs = 5.0, w = sqrt(k / m), d = fs - fc;
    double period = 2.0 * d / (k * v) + (REF_PI + 2.0 * atan(k * v / (w * d))) / w;
    ref_rig r = rig_of(fs / (k * v) + 3.0 * period, v);
    mass(&r, m, 0.0, v);
    driven(&r, v);
    join(&r, (ref_coupling){REF_SPRING, REF_GROUND, 0, k, 0.0, 0.0});
    rub(&r, "coulomb", 0, 1, fc, fs);
    ref_result *out = solve(&r);
    near(out->x[REF_ROWS][0], fs / k, 1e-9, "break-away again");
    near(out->v[REF_ROWS][0], v, 1e-6, "with the belt");
}

static void two_blocks_keep_momentum(void **state) {
    (void)state;
    static const char *const laws[] = {"coulomb", "lugre", "gonthier", "elasto_plastic"};
    for (int i = 0; i < 4; i++) {
        ref_rig r = rig_of(2.0, 1.0);
        mass(&r, 2.0, 0.0, 1.0);
        mass(&r, 3.0, 0.0, 0.0);
        double *p = rub(&r, laws[i], 0, 1, 4.0, 5.0);
        p[REF_SIGMA0] = 1e4, p[REF_SIGMA1] = 200.0, p[REF_ZBA] = 2e-4;
        p[REF_VT] = 1e-2, p[REF_TAU_DW] = 0.1;
        ref_result *out = solve(&r);
        for (int row = 0; row <= REF_ROWS; row++)
            near(2.0 * out->v[row][0] + 3.0 * out->v[row][1], 2.0, 1e-10, laws[i]);
        near(out->v[REF_ROWS][0], 0.4, i ? 1e-3 : 1e-10, laws[i]); /* together */
    }
}

static void smooth_laws_brake_as_they_should(void **state) {
    (void)state;
    double *p, t = 1.0;
    ref_rig r;
    p = sliding(&r, t, "viscous", 0.0, 0.0);
    p[REF_KV] = 3.0;
    near(solve(&r)->v[REF_ROWS][0], 0.8 * exp(-1.5), 1e-11, "viscous");
    p[REF_P] = 2.0;
    near(solve(&r)->v[REF_ROWS][0], 0.8 / (1.0 + 1.5 * 0.8), 1e-11, "viscous, p = 2");
    p = sliding(&r, t, "coulomb_tanh", 1.0, 1.0);
    p[REF_VD] = 0.2;
    near(solve(&r)->v[REF_ROWS][0], 0.2 * asinh(sinh(4.0) * exp(-2.5)), 1e-11, "coulomb_tanh");
    p = sliding(&r, 2.0, "coulomb_sat", 1.0, 1.0);
    p[REF_K] = 5.0; /* ramp below 0.2 m/s, reached after 1.2 s */
    near(solve(&r)->v[REF_ROWS][0], 0.2 * exp(-2.5 * 0.8), 1e-11, "coulomb_sat");
    p = sliding(&r, t, "benson", 1.0, 1.5);
    p[REF_C] = 3.0; /* m v' = -(A + B exp(-c v)) */
    double e = (exp(2.4) + 0.5) * exp(-1.5);
    near(solve(&r)->v[REF_ROWS][0], log(e - 0.5) / 3.0, 1e-11, "benson");
    p = sliding(&r, t, "stribeck", 1.0, 1.5);
    p[REF_VS] = 1.0 / 3.0;
    near(solve(&r)->v[REF_ROWS][0], log(e - 0.5) / 3.0, 1e-11, "stribeck, gamma = 1");
    p = sliding(&r, t, "velocity_based", 1.0, 1.0);
    p[REF_VS] = 1.0, p[REF_VD] = 2.0;
    double c = 0.25 * REF_PI; /* v' = -sin(pi v/2)/2 */
    near(solve(&r)->v[REF_ROWS][0], atan(tan(0.8 * c) * exp(-c)) / c, 1e-11, "velocity_based");
    p = sliding(&r, t, "sine_arctan", 0.0, 1.0);
    p[REF_B] = 2.0, p[REF_CC] = 1.0; /* sin(atan u) = u/sqrt(1 + u^2), u' = -u/sqrt(1 + u^2) */
    double u = 2.0 * solve(&r)->v[REF_ROWS][0], u0 = 1.6;
    near(sqrt(1.0 + u * u) - atanh(1.0 / sqrt(1.0 + u * u)) + 1.0,
         sqrt(1.0 + u0 * u0) - atanh(1.0 / sqrt(1.0 + u0 * u0)), 1e-11, "sine_arctan");
}

/* ---- laws with states ------------------------------------------------------------------------ */

/* Where the force depends on the way x alone, m v^2/2 falls by its integral. */
static void energy_by_way(const ref_rig *r, const char *what, double (*taken)(double x)) {
    ref_result *out = solve(r);
    for (int row = 0; row <= REF_ROWS && out->v[row][0] > 0.01; row++) {
        double x = out->x[row][0], v = out->v[row][0];
        near(v * v, 0.64 - taken(x), 1e-9, what); /* m = 2 */
    }
}

static double dahl_takes(double x) { return 4.0 * (x - 0.02 * (1.0 - exp(-x / 0.02))); }
static double dahl2_takes(double x) { return 4.0 * (x - 0.02 * log1p(x / 0.02)); }
static double dahl_half_takes(double x) { /* 1 - q = (1 - x/(2 d))^2 */
    double s = fmin(x / 0.04, 1.0);
    return 4.0 * (x - 0.04 / 3.0 * (1.0 - pow(1.0 - s, 3.0)));
}
static double elastic_takes(double x) { return 4.0 * (x < 0.02 ? 25.0 * x * x : x - 0.01); }
static double bliman_takes(double x) {
    double fast = 0.02, slow = 0.1;
    return 6.0 * (x - fast * (1.0 - exp(-x / fast))) - 2.0 * (x - slow * (1.0 - exp(-x / slow)));
}
static double reset_takes(double x) {
    return x < 0.02 ? 150.0 * x * x : 150.0 * 4e-4 + 4.0 * (x - 0.02);
}

static void bristles_take_energy_by_way(void **state) {
    (void)state;
    double *p;
    ref_rig r;
    p = sliding(&r, 0.2, "dahl", 4.0, 4.0);
    p[REF_SIGMA0] = 200.0;
    energy_by_way(&r, "dahl", dahl_takes);
    p[REF_I] = 2.0;
    energy_by_way(&r, "dahl, i = 2", dahl2_takes);
    p[REF_I] = 0.5;
    energy_by_way(&r, "dahl, i = 1/2", dahl_half_takes);
    p[REF_I] = 0.0;
    energy_by_way(&r, "dahl, i = 0", elastic_takes);
    p = sliding(&r, 0.2, "dankowicz", 4.0, 4.0);
    p[REF_DELTA] = 0.02;
    energy_by_way(&r, "dankowicz", dahl_takes);
    p = sliding(&r, 0.2, "bliman_sorine", 4.0, 4.0);
    p[REF_F2] = 2.0, p[REF_EPS] = 0.1, p[REF_ETA] = 0.2;
    energy_by_way(&r, "bliman_sorine", bliman_takes);
    p = sliding(&r, 0.2, "reset_integrator", 4.0, 6.0);
    p[REF_SIGMA0] = 200.0;
    energy_by_way(&r, "reset_integrator", reset_takes);
}

/* Below its limit an elasto-plastic contact is a spring and a damper. */
static void elastic_up_to_the_limit(void **state) {
    (void)state;
    double *p;
    ref_rig r;
    p = sliding(&r, 1.0, "elasto_plastic", 100.0, 120.0);
    p[REF_SIGMA0] = 200.0, p[REF_SIGMA1] = 4.0, p[REF_ZBA] = 0.4;
    ref_result *out = solve(&r);
    double w = sqrt(99.0);
    near(out->x[REF_ROWS][0], 0.8 * exp(-1.0) * sin(w) / w, 1e-10, "elasto_plastic");
}

/* The force in steady sliding on a belt, from the stretch of the spring that holds the block. */
static double *steady(ref_rig *r, const char *law, double v, double fc, double fs) {
    *r = rig_of(4.0, v);
    mass(r, 1.0, 0.0, 0.0);
    driven(r, v);
    join(r, (ref_coupling){REF_SPRING_DAMPER, REF_GROUND, 0, 400.0, 40.0, 0.0});
    return rub(r, law, 0, 1, fc, fs);
}

static double stretch(const ref_rig *r) { return 400.0 * solve(r)->x[REF_ROWS][0]; }

static void steady_sliding(void **state) {
    (void)state;
    ref_rig r;
    double *p, g = 1.0 + 0.5 * exp(-0.3 / 0.1), v = 0.3;
    static const char *const curve[] = {
        "lugre",         "elasto_plastic", "lugre_consistent", "stribeck_dankowicz",
        "stribeck_tanh", "stribeck_sat"};
    for (int i = 0; i < 6; i++) {
        p = steady(&r, curve[i], v, 1.0, 1.5);
        p[REF_SIGMA0] = 1e3, p[REF_SIGMA1] = 20.0, p[REF_ZBA] = 5e-4, p[REF_DELTA] = 1e-3;
        p[REF_SIGMA2] = p[REF_KV] = p[REF_NU] = 0.4, p[REF_K] = 200.0;
        if (i == 0) p[REF_NU] = 0.0;
        near(stretch(&r), g + 0.4 * v, 1e-9, curve[i]);
    }
    p = steady(&r, "regularized", v, 1.0, 1.5);
    p[REF_VR] = 0.05;
    near(stretch(&r), 1.0 + 0.5 * exp(-2.5), 1e-9, "regularized");
    p = steady(&r, "bristle_second_order", v, 1.0, 1.5);
    p[REF_SIGMA0] = 1e3, p[REF_SIGMA1] = 20.0, p[REF_VR] = 0.05;
    near(stretch(&r), 1.0 + 0.5 * exp(-3.0), 1e-9,
         "bristle_second_order"); /* dv = v_r: |F0| > Fs */
    p = steady(&r, "gonthier", v, 1.0, 1.5);
    p[REF_SIGMA0] = 1e3, p[REF_SIGMA1] = 20.0, p[REF_SIGMA2] = 0.4, p[REF_VT] = 0.01;
    p[REF_VS] = 0.02, p[REF_TAU_DW] = 0.05;
    near(stretch(&r), 1.0 + 0.4 * v, 1e-9, "gonthier");
}

/* The static curve of Olsson and Astrom, with their printed parameters; numbers by hand from
 * s = f(v), xi = tau_r v (1 - f)/f. */
static void olsson_static_curve(void **state) {
    (void)state;
    static const double at[][2] = {{0.01, 1.470070}, {0.04, 1.199111}, {0.1, 1.060849}};
    for (int i = 0; i < 3; i++) {
        ref_rig r;
        double *p;
        p = steady(&r, "olsson_astrom", at[i][0], 1.0, 1.5);
        p[REF_VS] = 0.04, p[REF_SIGMA0] = 1e4, p[REF_SIGMA1] = 1100.0, p[REF_KV] = 0.6;
        p[REF_TAU_DEL] = 0.01, p[REF_TAU_R] = 0.001, p[REF_VE] = 1e-4;
        near(stretch(&r), at[i][1], 1e-6, "olsson_astrom");
    }
}

/* ---- loads ---------------------------------------------------------------------------------- */

/* N = 10 (1 + 2 sin wt): friction takes mu times the positive part, and in the air nothing. */
static void lifting_load(void **state) {
    (void)state;
    double period = 0.5, w = 2.0 * REF_PI / period;
    ref_rig r;
    sliding(&r, period, "coulomb", 0.1, 0.1);
    r.contact[0].loaded = 1;
    r.contact[0].load = (ref_signal){10.0, REF_SINE, {20.0, 1.0 / period, 0.0, 0.0}};
    double a = REF_PI / 6.0; /* lifted from pi + a to 2 pi - a */
    double closed = 10.0 * (REF_PI + 2.0 * a + 2.0 * (cos(a) + 1.0) - 2.0 * (1.0 - cos(a))) / w;
    near(solve(&r)->v[REF_ROWS][0], 0.8 - 0.1 * closed / 2.0, 1e-11, "after one period");
}

/* ---- itself --------------------------------------------------------------------------------- */

/* LuGre on a support that vibrates at 89 Hz, drawn by a spring: CVODE, ARKODE and steps of 1 ms all
 * end at 0.3625 m. */
static void vibrating_support(void **state) {
    (void)state;
    ref_rig r = rig_of(1.2, 1.28);
    mass(&r, 14.0, 0.0, 0.0);
    driven(&r, 0.35);
    r.body[driven(&r, 0.0)].signal = (ref_signal){0.0, REF_SINE, {1.28, 89.0, 0.0, 0.0}};
    join(&r, (ref_coupling){REF_SPRING, 0, 1, 109.0, 0.0, 0.0});
    double *p = rub(&r, "lugre", 0, 2, 26.0, 26.0);
    p[REF_VS] = 0.05, p[REF_SIGMA0] = 2.1e5, p[REF_SIGMA1] = 780.0;
    near(solve(&r)->x[REF_ROWS][0], 0.3625, 1.4e-4, "lugre on a vibrating support");
}

/* Drawn rigs at two tolerances; those that differ are what `counts` leaves out. */
static void tolerances_agree(void **state) {
    (void)state;
    static ref_result a, b;
    enum { RIGS = SAMPLE(40, 12) };
    int sure = 0, runs = 0;
    for (long i = 0; i < RIGS; i++) {
        ref_rig r;
        ref_rig_draw(&r, 5, i);
        ref_solve(&r, 1e-12, 0.0, 300000, &a);
        ref_solve(&r, 1e-10, 0.0, 300000, &b);
        if (a.status != REF_OK || b.status != REF_OK) continue;
        double worst = 0.0, range = 1e-3 * r.speed;
        for (int row = 0; row <= REF_ROWS; row++)
            for (int k = 0; k < r.n_bodies; k++) {
                if (r.body[k].motion != REF_FREE) continue;
                worst = fmax(worst, fabs(a.v[row][k] - b.v[row][k]));
                range = fmax(range, fabs(a.v[row][k]));
            }
        runs++;
        sure += worst < 1e-6 * range;
    }
    assert_true(runs >= RIGS * 4 / 5);
    assert_true(sure >= runs - 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(order_is_eight),
        cmocka_unit_test(signals_integrate_and_differ),
        cmocka_unit_test(oscillator_with_damper),
        cmocka_unit_test(rope_gives_back),
        cmocka_unit_test(coulomb_comes_to_rest),
        cmocka_unit_test(belt_period),
        cmocka_unit_test(two_blocks_keep_momentum),
        cmocka_unit_test(smooth_laws_brake_as_they_should),
        cmocka_unit_test(bristles_take_energy_by_way),
        cmocka_unit_test(elastic_up_to_the_limit),
        cmocka_unit_test(steady_sliding),
        cmocka_unit_test(olsson_static_curve),
        cmocka_unit_test(lifting_load),
        cmocka_unit_test(vibrating_support),
        cmocka_unit_test(tolerances_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
