/* test_setup.c - numbers with units, nearest names, parameters by name, and every refusal with its
 * exact sentence. */
#include "bristle_tools.h"
#include "test.h"

#include <locale.h>
#include <pthread.h>

/* ---- quantities ------------------------------------------------------------------------------ */

static int units_are_there(void) {
    double value;
    return bri_quantity("1 mm", "m", &value, NULL) != BRI_MISSING;
}

static void reads(const char *text, const char *unit, double want) {
    bri_error err = {0};
    double value = -1.0;
    bri_status status = bri_quantity(text, unit, &value, &err);
    if (status) fail_msg("'%s' as %s: %s", text, unit, err.text);
    near(value, want, 1e-15, text);
}

static void refuses(const char *text, const char *unit, bri_status want, const char *sentence) {
    bri_error err = {0};
    double value = 12345.0;
    assert_int_equal(bri_quantity(text, unit, &value, &err), want);
    assert_int_equal(err.status, want);
    assert_string_equal(err.text, sentence);
    assert_true(value == 12345.0);
    assert_int_equal(bri_quantity(text, unit, &value, NULL), want);
}

static void bare_numbers_are_in_the_unit_of_the_table(void **state) {
    reads("0.01", "m/s", 0.01);
    reads("-2.5e-3", "m", -2.5e-3);
    reads(" +.5 ", "1", 0.5);
    reads("5.", "N", 5.0);
    reads("1E3", "N", 1000.0);
    reads("3 N/m", "N/m", 3.0);
}

static void units_are_converted(void **state) {
    if (!units_are_there()) skip();
    reads("10 mm/s", "m/s", 0.01);
    reads("71.3 N/um", "N/m", 71.3e6);
    reads("71.3 N/\xc2\xb5m", "N/m", 71.3e6); /* micro sign */
    reads("71.3 N/\xce\xbcm", "N/m", 71.3e6); /* Greek mu */
    reads("1e5N/m", "N/m", 1e5);
    reads("2 kN", "N", 2000.0);
    reads("3 %", "1", 0.03);
    reads("2 N.m", "N m", 2.0);
    reads("2 N m", "N m", 2.0);
    reads("3 N*m/rad", "N m", 3.0);
    reads("3 kg/s", "N s/m", 3.0);
    reads("5 m s-1", "m/s", 5.0);
    reads("5 1/mm", "1/m", 5000.0);
    reads("25 rad/s", "Hz", 25.0 / 6.28318530717958647692);
    reads("60 rpm", "Hz", 1.0);
    reads("4 kHz", "Hz", 4000.0);
}

static void what_is_no_number_is_refused(void **state) {
    refuses("", "m", BRI_BAD_VALUE, "a number is missing");
    refuses("  ", "m", BRI_BAD_VALUE, "a number is missing");
    refuses("nan", "m", BRI_BAD_VALUE, "'nan' is not a number");
    refuses("inf", "m", BRI_BAD_VALUE, "'inf' is not a number");
    refuses("-inf", "m", BRI_BAD_VALUE, "'-inf' is not a number");
    refuses("fast", "m/s", BRI_BAD_VALUE, "'fast' is not a number");
    refuses("1e999", "m", BRI_BAD_VALUE, "'1e999' is too large");
    char padded[200]; /* the unit must not be lost with the end of a long text */
    snprintf(padded, sizeof padded, "5%150skg", "");
    refuses(padded, "m", BRI_BAD_VALUE, "'5                   ...' is too long for a number");
    refuses("1,5", "m", BRI_BAD_VALUE, "'1,5': decimals are written with a point");
}

static void wrong_units_are_refused(void **state) {
    if (!units_are_there()) {
        refuses("10 mm/s", "m/s", BRI_MISSING,
                "'10 mm/s': this build has no units; rebuild with UDUNITS (Debian package "
                "libudunits2-dev)");
        return;
    }
    refuses("3 kg", "m/s", BRI_BAD_UNIT, "3 kg is not a velocity: the unit is m/s");
    refuses("3 m", "1", BRI_BAD_UNIT, "3 m is not a plain number: the unit is 1");
    refuses("3 N", "N s/m", BRI_BAD_UNIT, "3 N is not a damping coefficient: the unit is N s/m");
    refuses("3 s2/m", "s/m", BRI_BAD_UNIT, "3 s2/m does not fit: the unit is s/m");
    /* UDUNITS would take the reciprocal */
    refuses("10 s/m", "m/s", BRI_BAD_UNIT, "10 s/m is not a velocity: the unit is m/s");
    refuses("2 furlongz", "m", BRI_BAD_UNIT,
            "'2 furlongz': there is no unit 'furlongz'; the unit is m");
    /* UDUNITS would multiply */
    refuses("3 mm 5", "m", BRI_BAD_UNIT, "'3 mm 5': there is no unit 'mm 5'; the unit is m");
    refuses("0x10", "m", BRI_BAD_UNIT, "'0x10': there is no unit 'x10'; the unit is m");
}

/* A host program that sets a locale with decimal commas reads the same numbers. */
static void the_locale_of_the_host_does_not_matter(void **state) {
    static const char *const names[] = {"de_DE.UTF-8", "de_DE", "fr_FR.UTF-8"};
    const char *set = NULL;
    for (int i = 0; i < 3 && !set; i++) set = setlocale(LC_ALL, names[i]);
    if (!set) skip();
    reads("0.25", "m", 0.25);
    setlocale(LC_ALL, "C");
}

static void *convert_often(void *failed) {
    for (int i = 0; i < 5; i++) {
        double value = 0.0;
        if (bri_quantity("10 mm/s", "m/s", &value, NULL) || fabs(value - 0.01) > 1e-17)
            *(int *)failed = 1;
    }
    return NULL;
}

static void threads_may_convert_at_once(void **state) {
    if (!units_are_there()) skip();
    pthread_t threads[4];
    int failed[4] = {0};
    for (int i = 0; i < 4; i++) pthread_create(&threads[i], NULL, convert_often, &failed[i]);
    for (int i = 0; i < 4; i++) {
        pthread_join(threads[i], NULL);
        assert_int_equal(failed[i], 0);
    }
}

/* ---- nearest names -------------------------------------------------------------------------- */

static void the_nearest_name_is_offered_or_none(void **state) {
    static const char *const names[] = {"sigma0", "sigma1", "mu_c", "mu_s", "v_s"};
    assert_string_equal(bri_nearest("sgima1", names, 5), "sigma1"); /* one swap */
    assert_string_equal(bri_nearest("vs_", names, 5), "v_s");
    static const char *const levels[] = {"v_s", "Fc", "Fs"};
    assert_string_equal(bri_nearest("F_s", levels, 3), "Fs");       /* both one off: begins alike */
    assert_string_equal(bri_nearest("Sigma0", names, 5), "sigma0"); /* case */
    assert_string_equal(bri_nearest("muc", names, 5), "mu_c");      /* one missing */
    assert_string_equal(bri_nearest("mu_cc", names, 5), "mu_c");    /* one too many */
    assert_null(bri_nearest("temperature", names, 5));
    assert_null(bri_nearest("mu_c", names, 0));
    const char *keys[] = {"amplitude", "frequency", "from", "until", "unit", "from"};
    assert_string_equal(bri_nearest("freq", keys, 6), "frequency"); /* cut short */
    assert_string_equal(bri_nearest("Ampl", keys, 6), "amplitude");
    assert_string_equal(bri_nearest("until_time", keys, 6), "until"); /* too long */
    assert_string_equal(bri_nearest("from_time", keys, 6), "from");   /* one word, listed twice */
    assert_string_equal(bri_nearest("unt", keys, 6), "until");
    const char *alike[] = {"frame_rate", "frequency_of_frames", "from"};
    assert_string_equal(bri_nearest("fr", alike, 3), "from"); /* too short to tell */
    assert_string_equal(bri_nearest("fro", alike, 3), "from");
    const char *two[] = {"frequency_low", "frequency_high"};
    assert_null(bri_nearest("freq", two, 2)); /* either */
    assert_non_null(bri_nearest("v_s", names, 5));
    char endless[5000];
    memset(endless, 'x', sizeof endless);
    endless[sizeof endless - 1] = '\0';
    assert_null(bri_nearest(endless, names, 5));
}

/* ---- parameters ----------------------------------------------------------------------------- */

static bri_setup setup_of(const char *name) {
    bri_setup s;
    bri_setup_init(&s, bri_model_find(name));
    return s;
}

static void set_ok(bri_setup *s, const char *name, const char *text) {
    bri_error err;
    if (bri_setup_set(s, name, text, &err)) fail_msg("%s = %s: %s", name, text, err.text);
}

static double value_of(const bri_setup *s, const char *name) {
    return s->p[bri_model_param(s->model, name)];
}

static void set_refused(bri_setup *s, const char *name, const char *text, bri_status want,
                        const char *sentence) {
    bri_error err = {0};
    bri_setup before = *s;
    assert_int_equal(bri_setup_set(s, name, text, &err), want);
    assert_string_equal(err.text, sentence);
    assert_memory_equal(&before, s, sizeof before); /* a refusal changes nothing */
}

static void defaults_and_their_load_come_from_the_table(void **state) {
    bri_setup s = setup_of("lugre");
    assert_int_equal(bri_setup_finish(&s, 0.0, NULL), BRI_OK);
    near(s.load, s.model->load, 0.0, "load");
    for (int i = 0; i < s.model->n_params; i++)
        near(s.p[i], s.model->params[i].def, 0.0, s.model->params[i].name);
}

static void coefficients_are_multiplied_by_the_load_given(void **state) {
    bri_setup s = setup_of("lugre");
    set_ok(&s, "mu_c", "0.4");
    assert_int_equal(bri_setup_finish(&s, 20.0, NULL), BRI_OK);
    near(s.load, 20.0, 0.0, "load");
    near(bri_steady_force(&s, 100.0), 8.0, 1e-9, "mu_c times load");
}

static void levels_in_newtons_go_with_a_load_of_one(void **state) {
    bri_setup s = setup_of("lugre");
    set_ok(&s, "Fc", "8.3");
    set_ok(&s, "Fs", "11.1");
    assert_int_equal(bri_setup_finish(&s, 0.0, NULL), BRI_OK);
    assert_true(s.forces);
    near(s.load, 1.0, 0.0, "load");
    near(bri_steady_force(&s, 100.0), 8.3, 1e-9, "Fc");
}

/* The default of the other level belongs to another contact: 117.72 N of Pennestri's rig. */
static void a_level_not_given_is_the_other_one(void **state) {
    static const char *const pairs[][2] = {{"Fc", "Fs"}, {"Fs", "Fc"}, {"mu_c", "mu_s"}};
    for (int k = 0; k < 3; k++) {
        bri_setup s = setup_of("lugre");
        set_ok(&s, pairs[k][0], "50");
        assert_int_equal(bri_setup_finish(&s, 0.0, NULL), BRI_OK);
        near(value_of(&s, pairs[k][1]), 50.0, 0.0, pairs[k][1]);
        int i = bri_model_param(s.model, pairs[k][1]);
        assert_int_equal(s.origin[i], BRI_DERIVED);
        assert_string_equal(s.rule[i], "the other level: no stiction is given");
    }
    bri_setup s = setup_of("bliman_sorine"); /* and no peak */
    set_ok(&s, "Fc", "50");
    assert_int_equal(bri_setup_finish(&s, 0.0, NULL), BRI_OK);
    near(value_of(&s, "F2"), 0.0, 0.0, "F2");
    s = setup_of("bliman_sorine");
    set_ok(&s, "F2", "5");
    bri_error err;
    assert_int_equal(bri_setup_finish(&s, 0.0, &err), BRI_BAD_VALUE);
    assert_string_equal(err.text, "bliman_sorine: Fc is missing");
}

static void coefficients_and_forces_are_not_mixed(void **state) {
    bri_setup s = setup_of("lugre");
    set_ok(&s, "mu_c", "0.4");
    set_refused(&s, "Fs", "12", BRI_BAD_VALUE, "lugre: give mu_c and mu_s, or Fc and Fs, not both");
    s = setup_of("lugre");
    set_ok(&s, "Fs", "12");
    set_refused(&s, "mu_c", "0.1", BRI_BAD_VALUE,
                "lugre: give mu_c and mu_s, or Fc and Fs, not both");
    set_ok(&s, "Fs", "13"); /* saying the same again is fine */
    near(value_of(&s, "Fs"), 13.0, 0.0, "the later value holds");
}

static void a_load_with_levels_in_newtons_is_refused(void **state) {
    bri_setup s = setup_of("lugre");
    bri_error err;
    set_ok(&s, "Fc", "50");
    assert_int_equal(bri_setup_finish(&s, 20.0, &err), BRI_BAD_VALUE);
    assert_string_equal(err.text,
                        "lugre: with friction levels in newtons there is no load to give");
    s = setup_of("lugre");
    assert_int_equal(bri_setup_finish(&s, NAN, &err), BRI_BAD_VALUE);
    assert_string_equal(err.text, "the load must be a number of newtons below 1e9");
}

static void unknown_parameters_are_refused_with_the_nearest(void **state) {
    bri_setup s = setup_of("lugre");
    set_refused(&s, "sigm0", "1", BRI_NOT_FOUND,
                "lugre has no parameter 'sigm0'; did you mean 'sigma0'?");
    set_refused(&s, "fc", "1", BRI_NOT_FOUND, "lugre has no parameter 'fc'; did you mean 'Fc'?");
    s = setup_of("coulomb_sat");
    set_refused(&s, "temperature", "1", BRI_NOT_FOUND,
                "coulomb_sat has no parameter 'temperature'; it has mu_c, k, kv and Fc");
}

static void values_out_of_range_are_refused(void **state) {
    bri_setup s = setup_of("lugre");
    set_refused(&s, "v_s", "-1", BRI_BAD_VALUE,
                "lugre: v_s = -1 m/s is outside 1e-09 ... 1000 m/s");
    set_refused(&s, "gamma", "0", BRI_BAD_VALUE, "lugre: gamma = 0 is outside 0.1 ... 20");
    set_refused(&s, "Fc", "-3", BRI_BAD_VALUE, "lugre: Fc = -3 N is outside 1e-06 ... 1e+06 N");
    set_refused(&s, "fade", "0.5", BRI_BAD_VALUE, "lugre: fade = 0.5 must be a whole number");
    set_refused(&s, "sigma0", "nan", BRI_BAD_VALUE, "lugre: sigma0: 'nan' is not a number");
    if (units_are_there())
        set_refused(&s, "v_s", "3 kg", BRI_BAD_UNIT,
                    "lugre: v_s: 3 kg is not a velocity: the unit is m/s");
}

static void the_rule_of_the_law_is_checked_at_the_end(void **state) {
    bri_setup s = setup_of("lugre");
    bri_error err;
    set_ok(&s, "mu_c", "0.9");
    set_ok(&s, "mu_s", "0.6");
    assert_int_equal(bri_setup_finish(&s, 0.0, &err), BRI_BAD_VALUE);
    assert_string_equal(err.text, "lugre: mu_s must be >= mu_c");
    s = setup_of("lugre");
    set_ok(&s, "Fc", "98.1");
    set_ok(&s, "Fs", "5");
    assert_int_equal(bri_setup_finish(&s, 0.0, &err), BRI_BAD_VALUE);
    assert_string_equal(err.text, "lugre: mu_s must be >= mu_c (Fc = 98.1 N, Fs = 5 N)");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bare_numbers_are_in_the_unit_of_the_table),
        cmocka_unit_test(units_are_converted),
        cmocka_unit_test(what_is_no_number_is_refused),
        cmocka_unit_test(wrong_units_are_refused),
        cmocka_unit_test(the_locale_of_the_host_does_not_matter),
        cmocka_unit_test(threads_may_convert_at_once),
        cmocka_unit_test(the_nearest_name_is_offered_or_none),
        cmocka_unit_test(defaults_and_their_load_come_from_the_table),
        cmocka_unit_test(coefficients_are_multiplied_by_the_load_given),
        cmocka_unit_test(levels_in_newtons_go_with_a_load_of_one),
        cmocka_unit_test(a_level_not_given_is_the_other_one),
        cmocka_unit_test(coefficients_and_forces_are_not_mixed),
        cmocka_unit_test(a_load_with_levels_in_newtons_is_refused),
        cmocka_unit_test(unknown_parameters_are_refused_with_the_nearest),
        cmocka_unit_test(values_out_of_range_are_refused),
        cmocka_unit_test(the_rule_of_the_law_is_checked_at_the_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
