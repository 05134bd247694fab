/* test_bristle_laws.c - what is true of each law with a bristle that follows the motion: Dahl and
 * its relatives, LuGre, the consistent LuGre, the elasto-plastic law. */
#include "models/decay.h"
#include "rig.h"

/* ---- the exponential of the Stribeck curve, made of a table and a polynomial ----------------- */

/* Every place of the table, in the middle and at the ends of its cell, over seven octaves, against
 * the C library. Rounding of t and of the sum: 4e-16 (1 + x). */
static void decay_is_the_exponential(void **state) {
    for (int k = 0; k < 7 * 128; k++)
        for (int i = 0; i <= 4; i++) {
            double t = k - 0.5 + 0.25 * i, x = t / DECAY_UNITS, want = exp(-x);
            near(decay_to(0.0, 1.0, t), want, 4e-16 * (1.0 + fabs(x)), "by the table");
            near(decay_to(2.0, 3.0, t), 2.0 + 3.0 * want, 4e-16 * (1.0 + fabs(x)), "on a base");
            decay_place near_by = {k, 3.0 * exp(-k / DECAY_UNITS)};
            near(decay_from(near_by, 3.0, t), 3.0 * want, 4e-16 * (1.0 + fabs(x)), "from nearby");
            near(decay_from(near_by, 3.0, t + 40.0), 3.0 * exp(-(t + 40.0) / DECAY_UNITS),
                 4e-16 * (2.0 + fabs(x)), "from far away");
        }
    near(decay_to(1.0, 1.0, 1e9), 1.0, 0.0, "far out");
    assert_true(decay_to(0.0, 1.0, 1e9) <= 0x1p-1022);
}

/* ---- Dahl ---------------------------------------------------------------------------------- */

/* Fc = 98.1 N and sigma0 = 98100 N/m: the length d = Fc/sigma0 is 1 mm. */
static const double Fc = 98.1, d = 1e-3;

/* The force after a pull from rest over a distance at constant speed, by the rates of the law. */
static double by_rates(const law *l, double distance) {
    rig r = rig_of(l);
    r.motion = move_at;
    r.c[0] = 0.02;
    rig_run(&r, distance / 0.02, 1e-11);
    return r.friction;
}

/* The same in seven steps. */
static double by_steps(const law *l, double distance) {
    double z[BRI_MAX_STATES], F = 0.0;
    bri_model_rest(l->m, l->p, z);
    for (int i = 0; i < 7; i++) F = advance(l, 0.02, distance / 0.14, z);
    return F;
}

/* Pennestri (7), (8): from rest F = Fc (1 - exp(-x/d)). */
static void dahl_follows_its_virgin_curve(void **state) {
    law l = law_of("dahl");
    for (double x = 0.1 * d; x < 5.0 * d; x *= 2.0) {
        near(by_rates(&l, x), Fc * (1.0 - exp(-x / d)), 1e-9, "rates");
        near(by_steps(&l, x), Fc * (1.0 - exp(-x / d)), 1e-14, "steps");
    }
}

/* Andersson (17): y = 1 - F/Fc obeys dy/dx = -y^i/d, so y^(1-i) = 1 - (1-i) x/d until y = 0. */
static void dahl_has_closed_forms_for_other_exponents(void **state) {
    law l = law_of("dahl");
    for (double x = 0.2 * d; x < 4.0 * d; x += 0.7 * d) {
        const struct {
            double i, F;
        } curve[] = {
            {0.0, fmin(x / d, 1.0)},                                    /* elastic, then plastic */
            {0.5, x < 2.0 * d ? 1.0 - pow(1.0 - 0.5 * x / d, 2) : 1.0}, /* ends at 2 d */
            {1.5, 1.0 - pow(1.0 + 0.5 * x / d, -2)},
            {2.0, x / (x + d)},
            {3.0, 1.0 - 1.0 / sqrt(1.0 + 2.0 * x / d)},
        };
        for (int k = 0; k < 5; k++) {
            set(&l, "i", curve[k].i);
            if (curve[k].F < 1.0) near(by_rates(&l, x), Fc * curve[k].F, 1e-7, "rates");
            near(by_steps(&l, x), Fc * curve[k].F, 1e-13, "steps");
        }
    }
}

/* Beyond the level, as after a fall of the load, the bristle comes back: with i = 2 and F = 2 Fc,
 * y = -1 goes to -1/(1 + x/d). */
static void dahl_comes_back_from_beyond_its_level(void **state) {
    law l = law_of("dahl");
    double z = -2e-3, dz;
    set(&l, "i", 2.0);
    force(&l, -0.3, &z, &dz);
    near(dz, 0.3, 1e-14, "rate");
    near(advance(&l, -0.3, 0.01, &z), -Fc * (1.0 + 1.0 / (1.0 + 3.0)), 1e-14, "after 3 d");
}

/* A symmetric loop of amplitude A reaches Fc tanh(A/d) and loses 4 Fc d (A/d - tanh(A/d)). */
static void dahl_loses_the_energy_of_the_closed_form_per_loop(void **state) {
    law l = law_of("dahl");
    for (double A = 0.25 * d; A < 5.0 * d; A *= 3.0) {
        rig r = rig_of(&l); /* x = -A cos(2 pi t) */
        r.motion = move_sine;
        r.c[0] = 2.0 * PI * A;
        r.c[1] = 2.0 * PI;
        for (int half = 1; half <= 40; half++) rig_run(&r, 0.5 * half, 1e-9);
        double before = r.y[1];
        near(r.friction, -Fc * tanh(A / d), 1e-7, "force at the left end");
        rig_run(&r, 20.5, 1e-10);
        near(r.friction, Fc * tanh(A / d), 1e-7, "force at the right end");
        rig_run(&r, 21.0, 1e-10);
        near(r.y[1] - before, 4.0 * Fc * d * (A / d - tanh(A / d)), 1e-7, "loss");
    }
}

/* Andersson (13) against (18): the same law with delta = Fc/sigma0. */
static void dankowicz_is_dahl_with_another_name_for_the_length(void **state) {
    law dahl = law_of("dahl"), dank = law_of("dankowicz");
    set(&dahl, "mu_c", 0.1);
    set(&dahl, "sigma0", 0.981 / 1e-5);
    dahl.n = dank.n = 9.81;
    double z = 0.0, y = 0.0, dz, dy;
    for (int k = 0; k < 500; k++) {
        double v = 0.01 * (halton(k, 2) - 0.5), h = 1e-3 * halton(k, 3);
        near(force(&dank, v, &y, &dy), force(&dahl, v, &z, &dz), 1e-12, "force");
        near(dy, dz, 1e-11, "rate");
        near(advance(&dank, v, h, &y), advance(&dahl, v, h, &z), 1e-12, "after a step");
    }
}

/* Andersson (20): sliding steadily is the Stribeck curve, just off rest a spring of Fs/delta. */
static void stribeck_dankowicz_slides_on_the_stribeck_curve(void **state) {
    law l = law_of("stribeck_dankowicz");
    l.n = 1.0;
    set(&l, "Fc", 1.0);
    set(&l, "Fs", 1.5);
    double z = 1e-5, dz; /* delta */
    near(force(&l, 0.01, &z, &dz), 1.187940, 4e-7, "F(0.01) of experiments.md");
    near(dz, 0.0, 1e-17, "steady");
    z = -z;
    near(force(&l, -0.1, &z, &dz), -1.04, 1e-14, "F(-0.1)");
    near(dz, 0.0, 1e-16, "steady");
    z = 1e-7;
    near(force(&l, 0.0, &z, &dz), 1.5 / 1e-5 * 1e-7, 1e-14, "spring at rest");
}

/* Bliman & Sorine: from rest F = f1 (1 - e^(-s/(eta eps))) - f2 (1 - e^(-s/eps)), f1 - f2 = Fc. Its
 * slope vanishes where e^(-s (1/eta - 1)/eps) = eta f2/f1, which gives place and height of the
 * peak. The slower element is subtracted: the other way round F would begin below zero and have
 * none. */
static void bliman_sorine_has_the_static_peak_of_the_closed_form(void **state) {
    law l = law_of("bliman_sorine");
    static const struct {
        double mu_2, eps, eta;
    } sets[] = {{0.1673, 0.013, 0.1}, {0.5, 1e-3, 0.5}, {1.5, 1e-5, 0.02}};
    for (int i = 0; i < 3; i++) {
        double eps = sets[i].eps, eta = sets[i].eta, r = sets[i].mu_2 / (0.5 + sets[i].mu_2);
        double at = eps * eta / (1.0 - eta) * log(1.0 / (eta * r));
        double high = Fc * (1.0 + r / (1.0 - r) * (1.0 - eta) * pow(eta * r, eta / (1.0 - eta)));
        set(&l, "mu_2", sets[i].mu_2);
        set(&l, "eps", eps);
        set(&l, "eta", eta);
        near(by_rates(&l, at), high, 1e-8, "peak by rates");
        near(by_steps(&l, at), high, 1e-13, "peak by steps");
        assert_true(by_steps(&l, 0.99 * at) < high && by_steps(&l, 1.01 * at) < high);
        near(by_steps(&l, 40.0 * eps), Fc, 1e-13, "sliding level");
    }
}

/* The defaults are said to give Pennestri's Fs/Fc = 1.2 and stiffness 98100 N/m. */
static void bliman_sorine_defaults_match_pennestris_levels(void **state) {
    law l = law_of("bliman_sorine");
    double top = 0.0, z[2] = {0.0, 0.0};
    for (int i = 0; i < 20000; i++) top = fmax(top, advance(&l, 1e-6, 1.0, z));
    near(top, 117.72, 5e-4, "peak");
    z[0] = z[1] = 1e-9;
    near(force(&l, 0.0, z, (double[2]){0}) / 1e-9, 98100.0, 2e-3, "stiffness");
}

/* ---- LuGre --------------------------------------------------------------------------------- */

/* The set of Canudas de Wit et al. 1995, table I. */
static law canudas(void) {
    law l = law_of("lugre");
    l.n = 1.0;
    set(&l, "Fc", 1.0);
    set(&l, "Fs", 1.5);
    set(&l, "v_s", 1e-3);
    set(&l, "gamma", 2.0);
    set(&l, "sigma0", 1e5);
    set(&l, "sigma1", sqrt(1e5));
    set(&l, "sigma2", 0.4);
    return l;
}

/* Pennestri (9)-(12): with dz/dt = 0, F = g(v) sgn(v) + sigma2 v. */
static void lugre_slides_on_the_stribeck_curve(void **state) {
    law l = canudas();
    static const double speeds[] = {-1.0, -1e-3, 1e-4, 1e-3, 3e-3};
    for (int i = 0; i < 5; i++) {
        double v = speeds[i], r = v / 1e-3, z = 0.0, dz;
        double g = copysign(1.0 + 0.5 * exp(-r * r), v);
        advance(&l, v, 10.0, &z); /* over many bristle lengths */
        near(z, g / 1e5, 1e-14, "deflection");
        near(force(&l, v, &z, &dz), g + 0.4 * v, 1e-12, "force");
    }
    set(&l, "nu", 3.0); /* Rill listing 5: nu N v on top */
    l.n = 2.0;
    double z = 2.0 / 1e5, dz;
    near(force(&l, 1.0, &z, &dz), 2.0 + 0.4 + 6.0, 1e-13, "viscous coefficient per unit load");
}

/* With v held z = z_ss + (z0 - z_ss) exp(-sigma0 |v| t/g): step() is exact for any h. */
static void lugre_relaxes_exponentially_at_constant_speed(void **state) {
    law l = canudas();
    for (int k = 0; k < 100; k++) {
        double v = (k % 2 ? 1 : -1) * pow(10.0, -6.0 + 6.0 * halton(k, 2)), r = v / 1e-3;
        double g = 1.0 + 0.5 * exp(-r * r), h = pow(10.0, -6.0 + 6.0 * halton(k, 3));
        double z0 = 1e-5 * (2.0 * halton(k, 5) - 1.0), zss = copysign(g / 1e5, v), z = z0;
        double want = zss + (z0 - zss) * exp(-1e5 * fabs(v) * h / g);
        double F = advance(&l, v, h, &z), dz = v - 1e5 * fabs(v) * want / g;
        near(z, want, 1e-13 * (1.0 + 1e-5 / fabs(want)), "deflection");
        near(F, 1e5 * want + sqrt(1e5) * dz + 0.4 * v, 1e-11, "force");
    }
    rig r = rig_of(&l); /* and the rates agree */
    r.motion = move_at;
    r.c[0] = 2e-3;
    rig_run(&r, 4e-3, 1e-11);
    double g = 1.0 + 0.5 * exp(-4.0);
    near(r.y[2], g / 1e5 * (1.0 - exp(-1e5 * 8e-6 / g)), 1e-9, "by rates");
}

/* Break-away, the largest friction force while the load on 1 kg rises steadily, falls with the rate
 * of loading: 1.4324 N at 1 N/s, 1.2200 N at 10 N/s (issue 2; sigma1 is sqrt(1e5), printed 316). */
static double lugre_break_away(double rate, double tol) {
    law l = canudas();
    rig r = rig_of(&l);
    r.pull = pull_ramp;
    r.c[0] = rate;
    r.h_max = 2e-4 / rate;
    double most = 0.0;
    while (rig_step(&r, 1.6 / rate, tol) && r.y[1] < 2e-3) most = fmax(most, r.friction);
    return most;
}

static void lugre_breaks_away_earlier_under_faster_loading(void **state) {
    near(lugre_break_away(1.0, 1e-8), 1.432415, 1e-6, "1 N/s");
    near(lugre_break_away(1.0, 1e-9), lugre_break_away(1.0, 1e-8), 1e-7, "converged");
    near(lugre_break_away(10.0, 1e-8), 1.219952, 1e-6, "10 N/s");
    near(lugre_break_away(10.0, 1e-9), lugre_break_away(10.0, 1e-8), 1e-7, "converged");
}

/* At rest a spring; with fade the damping falls by the Stribeck factor (Leus (22), Rill type 5). */
static void lugre_sticks_as_a_damped_spring(void **state) {
    law l = canudas();
    double z = 1e-6, dz;
    near(force(&l, 0.0, &z, &dz), 0.1, 1e-15, "spring");
    assert_true(dz == 0.0);
    z = 0.0;
    near(force(&l, 1e-3, &z, &dz), (sqrt(1e5) + 0.4) * 1e-3, 1e-14, "damping from rest");
    set(&l, "fade", 1.0);
    near(force(&l, 1e-3, &z, &dz), (sqrt(1e5) * exp(-1.0) + 0.4) * 1e-3, 1e-14, "faded");
}

/* Rill (6): in the air the force is zero and z falls to 1/e within sigma1/sigma0. */
static void lugre_relaxes_in_the_air(void **state) {
    law l = canudas();
    l.n = 0.0;
    double z = 1e-5, dz;
    assert_true(force(&l, 0.3, &z, &dz) == 0.0);
    near(dz, -1e-5 * 1e5 / sqrt(1e5), 1e-14, "rate");
    assert_true(advance(&l, 0.3, sqrt(1e5) / 1e5, &z) == 0.0);
    near(z, 1e-5 * exp(-1.0), 1e-14, "after sigma1/sigma0");
}

/* Work put in = energy kept + heat, and the energy is that of the spring sigma0 z^2/2. */
static void lugre_balances_its_energy(void **state) {
    law l = canudas();
    double stored, heat, total = 0.0, before = 0.0;
    rig r = rig_of(&l);
    r.motion = move_sine;
    r.c[0] = 2e-3;
    r.c[1] = 200.0;
    r.h_max = 1e-6;
    for (double t = 0.0; rig_step(&r, 0.02, 1e-9); t = r.t) {
        bri_input u = {.v = r.motion(&r, r.t), .n = 1.0};
        assert_int_equal(bri_model_energy(l.m, l.p, &u, r.y + 2, &stored, &heat), 1);
        near(stored, 0.5e5 * r.y[2] * r.y[2], 1e-14, "spring energy");
        total += 0.5 * (heat + before) * (r.t - t);
        before = heat;
    }
    near(stored + total, r.y[1], 1e-7, "work");
}

/* ---- consistent LuGre ---------------------------------------------------------------------- */

/* Rill (18)-(20), set 1. One step of the iteration with the secant of the curve means
 * F |v| = mu N (v - dz/dt); without damping it is LuGre. */
static void consistent_lugre_keeps_the_balance_of_its_secant(void **state) {
    law l = law_of("lugre_consistent"), plain = law_of("lugre");
    static const char *const same[] = {"mu_c", "mu_s", "v_s", "gamma", "sigma0", "sigma1"};
    for (int k = 0; k < 200; k++) {
        double v = (k % 2 ? 1 : -1) * pow(10.0, -5.0 + 5.0 * halton(k, 2)), dz, dz_plain;
        double z = 2e-4 * (halton(k, 3) - 0.5), a = fabs(v);
        set(&l, "sigma1", 395.0);
        set(&l, "nu", 0.2);
        double mu = 0.3 + 0.3 * exp(-a / 0.01) + 0.2 * a, F = force(&l, v, &z, &dz);
        near(F * a, mu * 9.81 * (v - dz), 1e-12 * (1.0 + fabs(v / (v - dz))), "secant");
        near(F, 3.9e4 * z + 395.0 * dz, 1e-13 * (1.0 + fabs(3.9e4 * z / F)), "bristle");

        set(&l, "sigma1", 0.0);
        set(&l, "nu", 0.0);
        for (int i = 0; i < 6; i++) set(&plain, same[i], l.p[bri_model_param(l.m, same[i])]);
        plain.n = l.n;
        near(force(&l, v, &z, &dz), force(&plain, v, &z, &dz_plain), 1e-14, "force of lugre");
        near(dz, dz_plain, 1e-12 * (1.0 + fabs(v / dz)), "rate of lugre");
    }
}

static void consistent_lugre_slides_on_its_characteristic(void **state) {
    law l = law_of("lugre_consistent");
    set(&l, "nu", 0.2);
    double z = 0.0, dz, want = -9.81 * (0.3 + 0.3 * exp(-1.0) + 0.2 * 0.01);
    near(advance(&l, -0.01, 10.0, &z), want, 1e-13, "viscous part inside mu");
    near(z, want / 3.9e4, 1e-13, "deflection");
    z = 0.0; /* by hand: mu N = 4.0256687, |v| sigma1 = 3.95 */
    set(&l, "nu", 0.0);
    force(&l, 0.01, &z, &dz);
    near(dz, 0.01 * 4.0256687 / 7.9756687, 1e-7, "rate from rest");
    advance(&l, 0.01, 0.03, &z); /* relaxes with |v| sigma0/(mu N + |v| sigma1) */
    near(z, 4.0256687 / 3.9e4 * (1.0 - exp(-0.03 * 390.0 / 7.9756687)), 1e-7, "exact step");
}

/* ---- elasto-plastic ------------------------------------------------------------------------ */

/* Pennestri (15): alpha at the quarter points between z_ba and z_max, read from the rate. */
static void elasto_plastic_blend_has_its_values_at_the_quarter_points(void **state) {
    static const double alpha[] = {0.0, 0.14644660940672624, 0.5, 0.85355339059327376, 1.0, 1.0};
    law l = law_of("elasto_plastic");
    const double speeds[] = {0.05, -0.05, 1e-4, -2.0};
    for (int i = 0; i < 4; i++) {
        double v = speeds[i], dz, z_ba = 1e-4;
        double z_max = (98.1 + 19.62 * exp(-fabs(v) / 0.05)) / 98100.0;
        for (int q = 0; q < 6; q++) {
            double z = copysign(z_ba + 0.25 * q * (z_max - z_ba), v);
            if (q == 0) z *= 1.0 - 1e-12;
            force(&l, v, &z, &dz);
            near((v - dz) * z_max / (fabs(v) * z), alpha[q], 1e-12, "alpha");
            z = -z; /* unloading is elastic whatever the deflection */
            force(&l, v, &z, &dz);
            near(dz, v, 0.0, "unloading");
        }
    }
}

/* As printed, (15) has z where it must have |z|: forward nothing changes, backward the middle of
 * the blend, |z| = (z_max + z_ba)/2, gives (1 + sin(-pi (z_max + z_ba)/(z_max - z_ba)))/2. */
static void elasto_plastic_as_printed_knows_forward_only(void **state) {
    law l = law_of("elasto_plastic"), right = law_of("elasto_plastic");
    set(&l, "as_printed", 1.0);
    double v = 0.05, dz, other, z_max = (98.1 + 19.62 * exp(-1.0)) / 98100.0, z_ba = 1e-4;
    double z = 0.5 * (z_max + z_ba);
    force(&l, v, &z, &dz);
    force(&right, v, &z, &other);
    near(dz, other, 0.0, "forward");
    z = -z;
    force(&l, -v, &z, &dz);
    double angle = -3.14159265358979324 * (z_max + z_ba) / (z_max - z_ba);
    near((-v - dz) * z_max / (v * z), 0.5 * (1.0 + sin(angle)), 1e-9, "backward");
}

/* Once z has reached z_max the law is LuGre; steady sliding is the Stribeck curve. */
static void elasto_plastic_slides_as_lugre(void **state) {
    law l = law_of("elasto_plastic"), plain = law_of("lugre");
    set(&l, "gamma", 2.0);
    set(&plain, "gamma", 2.0);
    for (int k = 0; k < 50; k++) {
        double v = (k % 2 ? 1 : -1) * pow(10.0, -4.0 + 4.0 * halton(k, 2)), dz, dz_plain, y = 0.0;
        double r = v / 0.05, g = copysign(98.1 + 19.62 * exp(-r * r), v);
        double z = g / 98100.0 * (1.0 + halton(k, 3));
        near(force(&l, v, &z, &dz), force(&plain, v, &z, &dz_plain), 1e-14, "force beyond z_max");
        near(dz, dz_plain, 1e-12, "rate beyond z_max");
        near(advance(&l, v, 1e3, &y), g, 1e-9, "steady sliding");
    }
}

/* Below z_ba the deflection takes up all of the motion: 200 load cycles leave no drift, where LuGre
 * walks away. The rig of Pennestri section 3.3. */
static double drift_after_cycles(const char *name) {
    law l = law_of(name);
    l.n = 1.0;
    set(&l, "Fc", 1.0);
    set(&l, "Fs", 1.1);
    set(&l, "sigma0", 100.0);
    set(&l, "sigma1", 2.0);
    set(&l, "v_s", 0.01);
    if (strcmp(name, "elasto_plastic") == 0) set(&l, "z_ba", 0.008);
    rig r = rig_of(&l);
    r.pull = pull_sine;
    r.c[0] = 0.3;
    r.c[1] = 4.0;
    double most = 0.0;
    rig_run(&r, 5.0, 1e-9);
    while (rig_step(&r, 200.0 * 2.0 * PI / 4.0, 1e-9)) most = fmax(most, fabs(r.y[2]));
    assert_true(most > 2.5e-3 && most < 8e-3);
    return fabs(r.y[0] - r.y[2]);
}

static void elasto_plastic_does_not_drift_below_z_ba(void **state) {
    near(drift_after_cycles("elasto_plastic"), 0.0, 1e-12, "drift [m]");
    assert_true(drift_after_cycles("lugre") > 1e-6);
}

/* ---- all of them --------------------------------------------------------------------------- */

/* |z| never exceeds the static level over the stiffness: the rate points inward there, and steps of
 * any size stay inside. */
static void deflections_stay_bounded(void **state) {
    static const struct {
        const char *name;
        double bound;
    } laws[] = {{"dahl", 1e-3},
                {"dankowicz", 1e-5},
                {"stribeck_dankowicz", 1e-5},
                {"lugre", 1.2e-3},
                {"lugre_consistent", 5.886 / 3.9e4},
                {"elasto_plastic", 1.2e-3}};
    for (int i = 0; i < 6; i++) {
        law l = law_of(laws[i].name);
        double z = 0.0, dz, edge;
        for (int k = 0; k < 2000; k++) {
            double v = (k % 3 ? 1 : -1) * pow(10.0, -7.0 + 8.0 * halton(k, 2));
            advance(&l, v, pow(10.0, -6.0 + 6.0 * halton(k, 3)), &z);
            assert_true(fabs(z) <= laws[i].bound * (1.0 + 1e-15));
            edge = copysign(laws[i].bound, k % 2 ? 1.0 : -1.0);
            force(&l, v, &edge, &dz);
            assert_true(dz * edge <= 1e-14 * fabs(v * edge));
        }
    }
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decay_is_the_exponential),
        cmocka_unit_test(dahl_follows_its_virgin_curve),
        cmocka_unit_test(dahl_has_closed_forms_for_other_exponents),
        cmocka_unit_test(dahl_comes_back_from_beyond_its_level),
        cmocka_unit_test(dahl_loses_the_energy_of_the_closed_form_per_loop),
        cmocka_unit_test(dankowicz_is_dahl_with_another_name_for_the_length),
        cmocka_unit_test(stribeck_dankowicz_slides_on_the_stribeck_curve),
        cmocka_unit_test(bliman_sorine_has_the_static_peak_of_the_closed_form),
        cmocka_unit_test(bliman_sorine_defaults_match_pennestris_levels),
        cmocka_unit_test(lugre_slides_on_the_stribeck_curve),
        cmocka_unit_test(lugre_relaxes_exponentially_at_constant_speed),
        cmocka_unit_test(lugre_breaks_away_earlier_under_faster_loading),
        cmocka_unit_test(lugre_sticks_as_a_damped_spring),
        cmocka_unit_test(lugre_relaxes_in_the_air),
        cmocka_unit_test(lugre_balances_its_energy),
        cmocka_unit_test(consistent_lugre_keeps_the_balance_of_its_secant),
        cmocka_unit_test(consistent_lugre_slides_on_its_characteristic),
        cmocka_unit_test(elasto_plastic_blend_has_its_values_at_the_quarter_points),
        cmocka_unit_test(elasto_plastic_as_printed_knows_forward_only),
        cmocka_unit_test(elasto_plastic_slides_as_lugre),
        cmocka_unit_test(elasto_plastic_does_not_drift_below_z_ba),
        cmocka_unit_test(deflections_stay_bounded),
    };
    if (argc > 1) cmocka_set_test_filter(argv[1]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
