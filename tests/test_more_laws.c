/* test_more_laws.c - the pages of laws/more: each law against a closed form, and all of them
 * through the trials that `bristle law check` makes. */
#include "bristle_law.h"
#include "bristle_study.h"
#include "test.h"

#include <stdlib.h>

static bri_laws *laws;

static const bri_model *law_of(const char *name) {
    const bri_model *m = bri_laws_find(laws, name);
    if (!m) fail_msg("there is no law %s", name);
    return m;
}

/* A law with parameters "a=1 b=2", defaults otherwise; the others by name. */
typedef struct contact {
    const bri_model *m;
    double p[BRI_MAX_PARAMS], z[BRI_MAX_STATES], N;
} contact;

static contact make(const char *name, double load) {
    contact c = {.m = law_of(name), .N = load};
    bri_model_defaults(c.m, c.p);
    bri_model_rest(c.m, c.p, c.z);
    return c;
}

static double *at(contact *c, const char *name) {
    int i = bri_model_param(c->m, name);
    if (i < 0) fail_msg("%s has no %s", c->m->name, name);
    return &c->p[i];
}

static double force(contact *c, double v, double *dz) {
    double own[BRI_MAX_STATES];
    bri_input u = {.v = v, .n = c->N};
    return bri_model_eval(c->m, c->p, &u, c->z, dz ? dz : own);
}

static double slope(contact *c, double v) {
    double J[(1 + BRI_MAX_STATES) * (3 + BRI_MAX_STATES)];
    bri_input u = {.v = v, .n = c->N};
    bri_model_jac(c->m, c->p, &u, c->z, J);
    return J[1];
}

/* The states after a time at constant velocity, by the classical method of Runge and Kutta. */
static void move(contact *c, double v, double time, int steps) {
    int n = c->m->n_states;
    double h = time / steps, z0[BRI_MAX_STATES], k[4][BRI_MAX_STATES];
    for (int s = 0; s < steps; s++) {
        memcpy(z0, c->z, sizeof z0);
        for (int j = 0; j < 4; j++) {
            double share = j == 0 ? 0.0 : j == 3 ? 1.0 : 0.5;
            for (int i = 0; j > 0 && i < n; i++) c->z[i] = z0[i] + share * h * k[j - 1][i];
            force(c, v, k[j]);
        }
        for (int i = 0; i < n; i++)
            c->z[i] = z0[i] + h / 6.0 * (k[0][i] + 2.0 * (k[1][i] + k[2][i]) + k[3][i]);
    }
}

/* ---- functions of the velocity --------------------------------------------------------------- */

static void test_threlfall(void **state) {
    contact c = make("threlfall", 100.0);
    near(force(&c, 0.001, NULL), 50.0 * (1.0 - exp(-3.0)), 1e-14, "at v_d");
    near(force(&c, 1.0, NULL), 50.0 * 0.950212931632136, 1e-14, "beyond: 95 %");
    near(slope(&c, 0.0), 50.0 * 3.0 / 0.001, 1e-14, "slope at zero");
    (void)state;
}

static void test_bengisu_akay(void **state) {
    contact c = make("bengisu_akay", 100.0);
    near(force(&c, 0.001, NULL), 60.0, 1e-14, "the peak is the static level");
    near(force(&c, -0.0005, NULL), -45.0, 1e-14, "three quarters at half of v_0");
    near(force(&c, 0.001 + 1.0 / 20.0, NULL), 50.0 + 10.0 * exp(-1.0), 1e-13, "the fall");
    near(slope(&c, 0.0005), 60.0 / 0.001, 1e-13, "half of the slope 2 Fs/v_0");
    (void)state;
}

static void test_ambrosio(void **state) {
    contact c = make("ambrosio", 100.0);
    near(force(&c, 5e-5, NULL), 0.0, 0.0, "nothing below v_0");
    near(force(&c, -5.5e-4, NULL), -25.0, 1e-13, "half in the middle");
    near(force(&c, 0.5, NULL), 50.0, 0.0, "whole");
    (void)state;
}

static void test_brown_mcphee(void **state) {
    contact c = make("brown_mcphee", 100.0);
    double sech = 1.0 / cosh(4.0);
    near(force(&c, 0.01, NULL), 50.0 * tanh(4.0) + 10.0, 1e-14, "at v_t");
    /* r/(r^2/4 + 3/4)^2 has its peak, 1, at r = 1 */
    near(slope(&c, 0.01), 50.0 * 4.0 / 0.01 * sech * sech, 1e-12, "slope at v_t");
    near(slope(&c, 0.0), (50.0 * 4.0 + 10.0 / (0.75 * 0.75)) / 0.01, 1e-14, "slope at zero");
    (void)state;
}

static void test_makkar(void **state) {
    contact c = make("makkar", 1.0);
    *at(&c, "mu_b") = 0.25, *at(&c, "mu_c") = 0.1;
    *at(&c, "v_2") = *at(&c, "v_5") = 1e-4, *at(&c, "v_3") = 1e3, *at(&c, "kv") = 0.01;
    near(force(&c, 0.1, NULL), 0.25 + 0.1 + 0.001, 1e-4, "the static level, mu_b + mu_c");
    *at(&c, "v_3") = 1.0;
    near(force(&c, 100.0, NULL), 0.1 + 1.0, 1e-14, "the peak is gone");
    near(slope(&c, 0.0), 0.25 * (1e4 - 1.0) + 0.1e4 + 0.01, 1e-13, "slope at zero");
    (void)state;
}

static void test_thomsen_fidlin(void **state) {
    contact c = make("thomsen_fidlin", 10.0);
    bri_input stuck = {.n = 10.0, .fa = 3.9, .mode = BRI_STUCK};
    near(force(&c, 0.5, NULL), 2.5, 1e-14, "least friction at v_m");
    near(slope(&c, 0.5), 0.0, 1e-12, "which is a minimum");
    near(slope(&c, 1e-12), -10.0 * 1.5 * 0.15 / 0.5, 1e-9, "-k_1 N = -3/2 (mu_s - mu_m) N/v_m");
    near(bri_model_eval(c.m, c.p, &stuck, NULL, NULL), 3.9, 0.0, "holds what balances");
    stuck.fa = 4.1;
    near(bri_model_eval(c.m, c.p, &stuck, NULL, NULL), 4.0, 1e-15, "up to mu_s N");
    (void)state;
}

static void test_load_dependent(void **state) {
    contact c = make("load_dependent", 0.5), twice = make("load_dependent", 1.0);
    near(force(&c, 1e-9, NULL), 0.03 + 0.0115 + 0.02 + 0.06, 1e-9, "level at break-away");
    /* far beyond the Stribeck curves the load adds mu_c per newton */
    near(force(&twice, 300.0, NULL) - force(&c, 300.0, NULL), 0.5 * 0.023, 1e-12, "by the load");
    near(force(&c, 300.0, NULL), 0.03 + 0.0115 + 0.45, 1e-13, "and kv v");
    (void)state;
}

/* ---- laws with states ------------------------------------------------------------------------ */

/* dz/dx = (1 - z^2)/u_y for n = 2 on first loading: z = tanh(x/u_y). With beta = 1/2 unloading is a
 * straight line. */
static void test_bouc_wen(void **state) {
    contact c = make("bouc_wen", 100.0);
    *at(&c, "beta") = 0.5;
    move(&c, 0.01, 0.07, 2000); /* 0.7 mm */
    near(c.z[0], tanh(0.7), 1e-10, "loading");
    near(force(&c, 0.01, NULL), 50.0 * tanh(0.7), 1e-10, "force");
    move(&c, -0.01, 0.02, 2000); /* back 0.2 mm */
    near(c.z[0], tanh(0.7) - 0.2, 1e-10, "unloading");
    c = make("bouc_wen", 100.0);
    *at(&c, "n") = 1.0;
    move(&c, 0.01, 0.07, 2000);
    near(c.z[0], 1.0 - exp(-0.7), 1e-8, "n = 1: Dahl's curve");
    (void)state;
}

/* In sliding the deflection goes to F/K with the time B/K; in stick it follows the motion. */
static void test_kikuuwe(void **state) {
    contact c = make("kikuuwe", 100.0);
    double dz, T = 780.0 / 98100.0;
    c.z[0] = 1e-4;
    near(force(&c, 0.01, &dz), 98100.0 * 1e-4 + 780.0 * 0.01, 1e-14, "sticks: spring and damper");
    near(dz, 0.01, 1e-13, "and moves along");
    c.z[0] = 0.0;
    near(force(&c, 1.0, &dz), 50.0, 1e-14, "slides");
    near(dz, 50.0 / 780.0, 1e-13, "slower than v");
    move(&c, 1.0, 2.0 * T, 400);
    near(c.z[0], 50.0 / 98100.0 * (1.0 - exp(-2.0)), 1e-9, "the deflection follows");
    (void)state;
}

/* In steady sliding theta is D_c/v, psi = log(V_0/v), and friction mu_0 + (a - b) log(v/V_0); a
 * step of the velocity shows a log(v/V_0) at once (the regularisation is 1e-26 here). */
static void test_rate_and_state(void **state) {
    static const char *const names[] = {"rate_and_state_aging", "rate_and_state_slip"};
    for (int i = 0; i < 2; i++) { /* the state is theta, or its logarithm */
        contact c = make(names[i], 100.0);
        double dz;
        c.z[0] = i == 0 ? 10.0 : 0.0;
        near(force(&c, 1e-6, &dz), 60.0, 1e-13, "steady at V_0");
        near(dz, 0.0, 1e-15, "steady");
        near(force(&c, 1e-5, NULL), 100.0 * (0.6 + 0.01 * log(10.0)), 1e-13, "direct effect");
        c.z[0] = i == 0 ? 1.0 : log(0.1);
        near(force(&c, 1e-5, &dz), 100.0 * (0.6 - 0.005 * log(10.0)), 1e-13, "steady at 10 V_0");
        near(dz, 0.0, 1e-13, "steady there");
        near(slope(&c, 0.0), 100.0 * 0.01 * exp((0.6 + 0.015 * log(0.1)) / 0.01) / 2e-6, 1e-12,
             "slope at zero: a/(2 V_0) exp((mu_0 + b psi)/a)");
        *at(&c, "a") = 1e-3; /* exp(mu_0/a) is 1e260, and beyond all numbers at mu_0 = 10 */
        *at(&c, "b") = 0.0;
        near(force(&c, 1e-6, NULL), 60.0, 1e-13, "a thousandth");
        *at(&c, "mu_0") = 10.0;
        near(force(&c, -1e-5, NULL), -100.0 * (10.0 + 1e-3 * log(10.0)), 1e-13, "and ten");
    }
    contact aging = make(names[0], 100.0);
    near(aging.z[0], 10.0, 0.0, "theta = D_c/V_0 after a rest");
    move(&aging, 0.0, 100.0, 10);
    near(aging.z[0], 110.0, 1e-13, "heals by the time");
    /* the slip law forgets over the distance D_c: from V_0 to 10 V_0, 20 um on */
    contact slip = make(names[1], 100.0);
    move(&slip, 1e-5, 2.0, 2000);
    near(slip.z[0], log(0.1) * (1.0 - exp(-2.0)), 1e-9, "evolution over the slip");
    move(&slip, 0.0, 100.0, 10);
    near(slip.z[0], log(0.1) * (1.0 - exp(-2.0)), 1e-9, "no healing at rest");
    (void)state;
}

/* With a constant acceleration a the lag is a tau: the branches are (mu_s - mu_c) N exp(-v/v_s)
 * above and below mu_c N; in between it is a/a_0 of that. A steady speed forgets them, exp(-t/tau).
 */
static void test_two_branch(void **state) {
    contact c = make("two_branch", 100.0);
    double a_0 = *at(&c, "a_0"), tau = *at(&c, "tau"), dz;
    for (int d = -1; d <= 1; d += 2) { /* forward and backward */
        double v = 0.03 * d, span = 10.0 * exp(-0.03 / 0.05);
        static const double shares[] = {2.0, 1.0, 0.4, 0.0, -0.4, -1.0, -2.0};
        for (int i = 0; i < 7; i++) {
            c.z[0] = v - d * shares[i] * a_0 * tau;
            double want = d * (50.0 + span * fmin(fmax(shares[i], -1.0), 1.0));
            near(force(&c, v, &dz), want, 1e-12, "on a branch");
            near(dz, d * shares[i] * a_0, 1e-10, "the acceleration");
        }
        c.z[0] = v - d * a_0 * tau;
        move(&c, v, 2.0 * tau, 200);
        near(force(&c, v, NULL), d * (50.0 + span * exp(-2.0)), 1e-9, "on the way back");
    }
    *at(&c, "mu_s") = 2.1 * *at(&c, "mu_c"); /* the lower branch would drive */
    assert_int_equal(bri_model_check(c.m, c.p, NULL), BRI_BAD_VALUE);
    (void)state;
}

/* Steady sliding is on the Stribeck curve, the stiffness at rest is that of all elements; after an
 * inner loop an element is where it was: the memory is not local. */
static void test_elements(void **state) {
    static const char *const names[] = {"gms", "leuven"};
    for (int i = 0; i < 2; i++) {
        contact c = make(names[i], 196.2);
        double s = 196.2 * (0.5 + 0.1 * exp(-4.0)), dz[4], sum = 0.0;
        move(&c, 0.1, 1.0, 20000);
        near(force(&c, 0.1, NULL), s, 1e-6, c.m->name);
        c = make(names[i], 196.2);
        force(&c, 1e-5, dz);
        for (int j = 0; j < 4; j++) sum += dz[j];
        near(sum, 98100.0 * 1e-5, 1e-12, "stiffness at rest");
        /* what the Leuven law slides before break-away, |F/s|^n of the way, leaves no trace in its
         * memory: next to none with n = 20 at half of the level */
        if (i == 1) *at(&c, "n") = 20.0;
        /* forward 0.5 mm, an inner loop of 0.1 mm, at 0.01 mm/s: slow, so that the gap is small */
        move(&c, 1e-5, 50.0, 20000);
        double before = force(&c, 0.0, NULL);
        move(&c, -1e-5, 10.0, 4000);
        double between = force(&c, 0.0, NULL);
        move(&c, 1e-5, 10.0, 4000);
        double gap = fabs(force(&c, 0.0, NULL) - before);
        hold(c.m, between < before - 5.0, "the loop is none: %g and %g", before, between);
        if (i == 0) /* element 1 slips: it is back within its last twentieth, at 1/e of that */
            near(gap, 0.05 * exp(-1.0) * 0.1 * 0.6 * 196.2, 1e-4, "gap of the smoothed corner");
        else
            hold(c.m, gap < 0.01 * (before - between), "the loop is open: %g N", gap);
    }
    (void)state;
}

/* ---- all of them ----------------------------------------------------------------------------- */

static void test_trials(void **state) {
    int more = 0;
    for (int i = 0; i < bri_law_page_count(); i++) {
        const char *name = bri_law_page_name(i);
        if (bri_model_find(name)) continue;
        const bri_model *m = law_of(name);
        bri_setup standard; /* of bristle conform, by the roles of its parameters */
        bri_error err;
        if (bri_conform_setup(&standard, m, NULL, &err)) fail_msg("%s", err.text);
        if (more++ % USUALLY(1, 4, 7)) continue;
        assert_string_equal(m->name, name);
        for (int k = 0; k < bri_trial_count(); k++) {
            bri_trial t = bri_try_law(m, k);
            hold(m, t.passed != 0, "%s: %s", t.name, t.found);
        }
    }
    assert_true(more >= 14); /* a new page of laws/more adds itself */
    assert_string_equal(bri_laws_nearest(laws, "brown_mcphe"), "brown_mcphee");
    (void)state;
}

/* A set that has been asked for a page lends it to all that is read with it. */
static void test_pages_are_shared(void **state) {
    bri_scenario *first = NULL, *again = NULL;
    bri_laws *kept = bri_laws_new(NULL);
    (void)state;
    assert_int_equal(bri_scenario_load("velocity_steps", NULL, &first, NULL), BRI_OK);
    assert_int_equal(bri_laws_keep(kept, bri_scenario_laws(first)), BRI_OK);
    const bri_model *page = bri_laws_find(kept, "rate_and_state_aging");
    const bri_model *own = bri_scenario_def(first)->system.contacts[0].model;
    assert_string_equal(own->name, page->name);
    assert_true(own != page);
    bri_scenario_free(first);
    const bri_scenario_options how = {.laws = kept};
    assert_int_equal(bri_scenario_load("velocity_steps", &how, &again, NULL), BRI_OK);
    assert_true(bri_scenario_def(again)->system.contacts[0].model == page);
    bri_scenario_free(again);
    bri_laws_free(kept);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_threlfall),      cmocka_unit_test(test_bengisu_akay),
        cmocka_unit_test(test_ambrosio),       cmocka_unit_test(test_brown_mcphee),
        cmocka_unit_test(test_makkar),         cmocka_unit_test(test_thomsen_fidlin),
        cmocka_unit_test(test_load_dependent), cmocka_unit_test(test_bouc_wen),
        cmocka_unit_test(test_two_branch),     cmocka_unit_test(test_kikuuwe),
        cmocka_unit_test(test_rate_and_state), cmocka_unit_test(test_elements),
        cmocka_unit_test(test_trials),         cmocka_unit_test(test_pages_are_shared),
    };
    laws = bri_laws_new(NULL);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    bri_laws_free(laws);
    return failed;
}
