/* test_traits.c - the traits that are measured, against what the literature says of each law.
 *
 * "Static force" and "Pre-sliding" are columns of Pennestri et al. 2016, table 8, and stand for
 * stiction and pre-sliding here; its section 3.3 tells which laws drift. Left out on purpose, since
 * the measurement and the table differ:
 * - velocity_based: table 8 gives it no static force, as it has none at v = 0. Under a rising force
 *   it creeps up to Fs before it slides at Fc, which is what stiction means here.
 * - stick_slip: table 8 gives it no pre-sliding, section 3.3 lets it drift. With the state Delta
 * that the paper leaves out its static part is a spring, and it holds. */
#include "bristle_tools.h"
#include "test.h"

static const char pennestri[] = "Pennestri et al. 2016, table 8 and section 3.3";
static const char andersson[] = "Andersson et al. 2007, sections 2 and 3";
static const char rill[] = "Rill et al. 2023, sections 2 to 4";
static const char olsson[] = "Olsson & Astrom 1993, section 4";
static const char lugre[] = "Canudas de Wit et al. 1995, section IV";
static const char dupont[] = "Dupont et al. 2002";
static const char leus[] = "Leus et al., eqs. (12)-(17)";
static const char haessig[] = "Haessig & Friedland 1991";
static const char bliman[] = "Bliman & Sorine 1995";

static const struct {
    const char *law;
    bri_trait trait;
    int has;
    const char *source;
} literature[] = {
    {"coulomb", BRI_STICTION, 1, "Pennestri (1)"},
    {"coulomb", BRI_STRIBECK, 0, "Pennestri (1)"},
    {"coulomb", BRI_SET_VALUED, 1, "Pennestri (1), Andersson (2)"},
    {"coulomb", BRI_PRESLIDING, 0, "Pennestri (1)"},
    {"coulomb", BRI_DRIFT_FREE, 1, "Andersson section 3: Coulomb does not move"},
    {"viscous", BRI_STICTION, 0, andersson},
    {"viscous", BRI_STRIBECK, 0, andersson},
    {"viscous", BRI_DRIFT_FREE, 0, andersson},
    {"coulomb_sat", BRI_DRIFT_FREE, 0, andersson},
    {"coulomb_sat", BRI_STICTION, 0, andersson},
    {"coulomb_tanh", BRI_STICTION, 0, pennestri},
    {"coulomb_tanh", BRI_PRESLIDING, 0, pennestri},
    {"coulomb_tanh", BRI_DRIFT_FREE, 0, pennestri},
    {"benson", BRI_STRIBECK, 1, "Pennestri (3)"},
    {"stribeck", BRI_STRIBECK, 1, andersson},
    {"stribeck", BRI_STICTION, 1, andersson},
    {"stribeck_sat", BRI_STRIBECK, 1, andersson},
    {"stribeck_sat", BRI_DRIFT_FREE, 0, andersson},
    {"stribeck_tanh", BRI_STRIBECK, 1, andersson},
    {"stribeck_tanh", BRI_DRIFT_FREE, 0, andersson},
    {"velocity_based", BRI_PRESLIDING, 0, pennestri},
    {"sine_arctan", BRI_STRIBECK, 1, "Pennestri (5), Wang & Rui 2000"},
    {"karnopp", BRI_STICTION, 1, pennestri},
    {"karnopp", BRI_PRESLIDING, 0, pennestri},
    {"karnopp", BRI_DRIFT_FREE, 1, pennestri},
    {"regularized", BRI_DRIFT_FREE, 0, rill},
    {"dahl", BRI_STICTION, 0, pennestri},
    {"dahl", BRI_STRIBECK, 0, "Pennestri section 2.4"},
    {"dahl", BRI_PRESLIDING, 1, pennestri},
    {"dahl", BRI_DRIFT_FREE, 0, pennestri},
    {"dahl", BRI_LAG, 0, "Dahl 1976: a function of displacement only"},
    {"dahl", BRI_RATE_DEPENDENT, 0, "Dahl 1976: a function of displacement only"},
    {"dankowicz", BRI_STRIBECK, 0, andersson},
    {"dankowicz", BRI_PRESLIDING, 1, andersson},
    {"stribeck_dankowicz", BRI_STRIBECK, 1, andersson},
    {"stribeck_dankowicz", BRI_PRESLIDING, 1, andersson},
    {"bliman_sorine", BRI_STICTION, 1, bliman},
    {"bliman_sorine", BRI_STRIBECK, 0, bliman}, /* the peak is in displacement, not in speed */
    {"bliman_sorine", BRI_PRESLIDING, 1, bliman},
    {"bliman_sorine", BRI_RATE_DEPENDENT, 0, bliman},
    {"lugre", BRI_STICTION, 1, pennestri},
    {"lugre", BRI_STRIBECK, 1, lugre},
    {"lugre", BRI_PRESLIDING, 1, lugre},
    {"lugre", BRI_LAG, 1, lugre},
    {"lugre", BRI_RATE_DEPENDENT, 1, lugre}, /* varying break-away force */
    {"lugre", BRI_DRIFT_FREE, 0, pennestri},
    {"lugre", BRI_DWELL, 0, "Pennestri (10): at rest z stays as it is"},
    {"lugre_consistent", BRI_STRIBECK, 1, rill},
    {"elasto_plastic", BRI_STICTION, 1, pennestri},
    {"elasto_plastic", BRI_PRESLIDING, 1, pennestri},
    {"elasto_plastic", BRI_DRIFT_FREE, 1, dupont},
    {"stick_slip", BRI_STICTION, 1, pennestri},
    {"gonthier", BRI_STICTION, 1, pennestri},
    {"gonthier", BRI_PRESLIDING, 1, pennestri},
    {"gonthier", BRI_DRIFT_FREE, 1, pennestri},
    {"gonthier", BRI_DWELL, 1, "Gonthier et al. 2004"},
    {"olsson_astrom", BRI_STICTION, 1, olsson},
    {"olsson_astrom", BRI_STRIBECK, 1, olsson},
    {"olsson_astrom", BRI_PRESLIDING, 1, olsson},
    {"olsson_astrom", BRI_LAG, 1, olsson},
    {"reset_integrator", BRI_STICTION, 1, leus},
    {"reset_integrator", BRI_PRESLIDING, 1, leus},
    {"reset_integrator", BRI_STRIBECK, 0, leus},
    {"bristle_implicit", BRI_DRIFT_FREE, 1, rill},
    {"bristle_implicit", BRI_PRESLIDING, 1, rill},
    {"bristle_implicit", BRI_STRIBECK, 1, rill},
    {"bristle_second_order", BRI_DRIFT_FREE, 1, rill},
    {"bristle_second_order", BRI_PRESLIDING, 1, rill},
    {"bristle_second_order", BRI_STRIBECK, 1, rill},
    {"haessig_friedland", BRI_STRIBECK, 0, haessig},
    {"haessig_friedland", BRI_PRESLIDING, 1, haessig},
};
enum { N_FACTS = sizeof literature / sizeof *literature };

static bri_setup setup_of(const bri_model *m, const char *name, const char *text) {
    bri_setup s;
    bri_error err;
    bri_setup_init(&s, m);
    if (name && bri_setup_set(&s, name, text, &err)) fail_msg("%s", err.text);
    if (bri_setup_finish(&s, 0.0, &err)) fail_msg("%s", err.text);
    return s;
}

static bri_traits with(const char *law, const char *name, const char *text) {
    bri_setup s = setup_of(bri_model_find(law), name, text);
    return bri_measure_traits(&s);
}

static void laws_do_what_the_literature_says(void **state) {
    int wrong = 0;
    for (int i = 0; i < N_FACTS; i++) {
        bri_trait t = literature[i].trait;
        bri_traits got = with(literature[i].law, NULL, NULL);
        if (got.has[t] == literature[i].has) continue;
        wrong++;
        print_message("%s, %s: measured %s (%g), but %s says otherwise\n", literature[i].law,
                      bri_trait_name(t), got.has[t] ? "yes" : "no", got.value[t],
                      literature[i].source);
    }
    assert_int_equal(wrong, 0);
}

/* The numbers behind the verdicts, where a closed form is known. */
static void the_numbers_are_those_of_the_parameters(void **state) {
    near(with("coulomb", NULL, NULL).value[BRI_STICTION], 0.6 / 0.5, 1e-2, "Fs/Fc");
    near(with("stribeck", NULL, NULL).value[BRI_STRIBECK], 1.0 - 0.5 / 0.6, 1e-3, "1 - Fc/Fs");
    /* Dahl from rest to Fc/2 takes d ln 2, back to zero d ln(3/2) */
    near(with("dahl", NULL, NULL).value[BRI_PRESLIDING], log(1.5) / log(2.0), 1e-3, "Dahl returns");
    near(with("reset_integrator", NULL, NULL).value[BRI_PRESLIDING], 1.0, 1e-2, "a spring returns");
    /* Bliman and Sorine: the levels of the table are those of peak and sliding */
    near(with("bliman_sorine", NULL, NULL).value[BRI_STICTION], 1.2, 1e-2, "peak");
}

/* The verdict follows the parameters: it is measured, not typed in. */
static void traits_go_when_their_parameters_go(void **state) {
    assert_false(with("coulomb", "mu_s", "0.5").has[BRI_STICTION]);
    assert_false(with("lugre", "mu_s", "0.5").has[BRI_STICTION]);
    assert_false(with("lugre", "mu_s", "0.5").has[BRI_STRIBECK]);
    assert_false(with("lugre", "mu_s", "0.5").has[BRI_LAG]);
    assert_false(with("gonthier", "mu_s", "0.5").has[BRI_DWELL]);
    assert_false(with("elasto_plastic", "z_ba", "0").value[BRI_DRIFT_FREE] > 0.1);
    assert_true(with("elasto_plastic", "z_ba", "1e-3").value[BRI_DRIFT_FREE] > 0.8);
}

/* The same law at another scale: a rig in tonnes and one in millinewtons have the same traits. */
static void the_scale_of_the_contact_does_not_matter(void **state) {
    static const char *const names[] = {"coulomb", "benson", "coulomb_tanh", "velocity_based"};
    for (int i = 0; i < 4; i++)
        for (double load = 1e-3; load < 1e6; load *= 100.0) {
            bri_setup s;
            bri_setup_init(&s, bri_model_find(names[i]));
            assert_int_equal(bri_setup_finish(&s, load, NULL), BRI_OK);
            bri_traits got = bri_measure_traits(&s), want = with(names[i], NULL, NULL);
            for (int t = 0; t < BRI_TRAIT_COUNT; t++)
                hold(s.model, got.has[t] == want.has[t], "%s at %g N", bri_trait_name((bri_trait)t),
                     load);
        }
}

/* ---- a law that only this file knows -------------------------------------------------------- */

/* Two springs that slide at different loads (Iwan 1966): no rate, no Stribeck, elastic at first. */
static double iwan_eval(const bri_model *self, const double *p, const bri_input *u, const double *z,
                        double *dz) {
    double F = 0.0;
    for (int i = 0; i < 2; i++) {
        double limit = p[i] * u->n / p[2];
        dz[i] = z[i] * u->v > 0.0 && fabs(z[i]) >= limit ? 0.0 : u->v;
        F += p[2] * z[i];
    }
    return F;
}

static double iwan_step(const bri_model *self, const double *p, const bri_input *u, double h,
                        double *z) {
    double dz[2];
    for (int i = 0; i < 2; i++) {
        double limit = p[i] * u->n / p[2];
        z[i] = fmax(-limit, fmin(limit, z[i] + h * u->v));
    }
    return iwan_eval(self, p, u, z, dz);
}

static double iwan_lift(const bri_model *self, const double *p) { return 1e-3; }

static void a_users_own_law_is_measured_too(void **state) {
    static const bri_param params[] = {
        {.name = "mu_1", .unit = "1", .def = 0.1, .min = 0.0, .max = 10.0, .text = "first element"},
        {.name = "mu_2",
         .unit = "1",
         .def = 0.3,
         .min = 0.0,
         .max = 10.0,
         .text = "second element"},
        {.name = "k", .unit = "N/m", .def = 1e6, .min = 1.0, .max = 1e9, .text = "each stiffness"},
    };
    static const bri_state states[] = {
        {.name = "z1", .unit = "m", .nominal = 1e-6, .text = "first element"},
        {.name = "z2", .unit = "m", .nominal = 1e-6, .text = "second element"},
    };
    static const bri_model iwan = {.name = "iwan",
                                   .title = "two elements",
                                   .load = 10.0,
                                   .params = params,
                                   .n_params = 3,
                                   .states = states,
                                   .n_states = 2,
                                   .step_order = 2,
                                   .eval = iwan_eval,
                                   .step = iwan_step,
                                   .lift = iwan_lift};
    bri_setup s = setup_of(&iwan, NULL, NULL);
    bri_traits t = bri_measure_traits(&s);
    static const int want[BRI_TRAIT_COUNT] = {[BRI_PRESLIDING] = 1, [BRI_DRIFT_FREE] = 1};
    for (int i = 0; i < BRI_TRAIT_COUNT; i++)
        hold(&iwan, t.has[i] == want[i], "%s: %g", bri_trait_name((bri_trait)i), t.value[i]);
    near(t.value[BRI_STICTION], 1.0, 1e-3, "4 N in all");
}

/* ---- all of them ---------------------------------------------------------------------------- */

static void every_trait_has_its_words(void **state) {
    for (int t = 0; t < BRI_TRAIT_COUNT; t++) {
        assert_true(strlen(bri_trait_name((bri_trait)t)) > 2);
        assert_true(strlen(bri_trait_meaning((bri_trait)t)) > 10);
        assert_true(strlen(bri_trait_text((bri_trait)t)) > 10);
    }
    assert_string_equal(bri_trait_name(BRI_TRAIT_COUNT), "unknown trait");
}

static void measuring_is_finite_and_repeatable(void **state) {
    for (int i = 0; law_at(i); i += USUALLY(1, 3, 8)) {
        bri_setup s = setup_of(law_at(i), NULL, NULL);
        bri_traits one = bri_measure_traits(&s);
        if (i % 4 == 0) {
            bri_traits two = bri_measure_traits(&s);
            assert_memory_equal(&one, &two, sizeof one);
        }
        for (int t = 0; t < BRI_TRAIT_COUNT; t++)
            hold(s.model, isfinite(one.value[t]), "%s", bri_trait_name((bri_trait)t));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(laws_do_what_the_literature_says),
        cmocka_unit_test(the_numbers_are_those_of_the_parameters),
        cmocka_unit_test(traits_go_when_their_parameters_go),
        cmocka_unit_test(the_scale_of_the_contact_does_not_matter),
        cmocka_unit_test(a_users_own_law_is_measured_too),
        cmocka_unit_test(every_trait_has_its_words),
        cmocka_unit_test(measuring_is_finite_and_repeatable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
