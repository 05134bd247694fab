/* test_changes.c - arrays of elements, changes of keys, laws put in the place of others. */
#include "texts.h"

/* ---- arrays -------------------------------------------------------------------------------- */

static void arrays_are_repeated(void **state) {
    bri_scenario *s = read_text("bodies:\n"
                                "  plate: {velocity: 1 m/s}\n"
                                "  block: {repeat: 100, mass: 1 kg, x: 1 m, spacing: 0.5 m}\n"
                                "  lid: {repeat: 100, mass: 2 kg}\n"
                                "couplings:\n"
                                "  - {spring: [block, block.next], stiffness: 3 N/m, name: chain}\n"
                                "  - {spring: [ground, block.first], stiffness: 4 N/m}\n"
                                "  - {spring: [block.last, block7], stiffness: 5 N/m}\n"
                                "contacts:\n"
                                "  pad: {between: [block, plate], load: 1 N, model: lugre}\n"
                                "  top: {between: [lid, block], load: 1 N, model: dahl}\n"
                                "drives: [{on: lid, force: 2 N}]\n"
                                "run: {until: 1 s}\n");
    const bri_system *y = system_of(s);
    assert_int_equal(y->n_bodies, 201);
    assert_int_equal(y->n_couplings, 101);
    assert_int_equal(y->n_contacts, 200);
    assert_int_equal(y->n_drives, 100);
    assert_string_equal(y->bodies[1].name, "block1");
    assert_string_equal(y->bodies[100].name, "block100");
    near(y->bodies[3].x, 2.0, 1e-15, "spacing");
    assert_string_equal(y->couplings[98].name, "chain99");
    assert_int_equal(y->couplings[98].a, 99);
    assert_int_equal(y->couplings[98].b, 100);
    assert_int_equal(y->couplings[99].b, 1);
    assert_string_equal(y->couplings[99].name, "spring");
    assert_int_equal(y->couplings[100].a, 100);
    assert_int_equal(y->couplings[100].b, 7);
    assert_string_equal(y->contacts[99].name, "pad100");
    assert_int_equal(y->contacts[99].a, 100);
    assert_int_equal(y->contacts[99].b, 0);
    assert_int_equal(y->contacts[100].a, 101);
    assert_int_equal(y->contacts[100].b, 1);
    assert_int_equal(y->drives[4].body, 105);
    assert_string_equal(y->drives[4].name, "force5");
    bri_scenario_free(s);
}

static void a_chain_of_100000_is_ten_lines(void **state) {
    bri_scenario *s =
        read_text("bodies: {block: {repeat: 100000, mass: 1 kg}}\n"
                  "couplings: [{spring: [block, block.next], stiffness: 3 N/m}]\n"
                  "contacts: {pad: {between: [block, ground], load: 1 N, model: lugre}}\n"
                  "run: {until: 1 s}\n");
    assert_int_equal(system_of(s)->n_couplings, 99999);
    assert_int_equal(system_of(s)->n_contacts, 100000);
    bri_scenario_free(s);
}

/* ---- changes ------------------------------------------------------------------------------- */

static void keys_can_be_changed(void **state) {
    const bri_override changes[] = {
        {"pad.sigma0", "2e5 N/m"},
        {"block.mass", "3 kg"},
        {"run.until", "7 s"},
        {"spring.stiffness", "5"},
        {"gravity", "1.62"},
        {"push.force.sine.frequency", "9 Hz"},
        {"pad.load", "{step: 4 N}"},
        {"contacts.pad.mu_s", "0.9"},
        {"couplings.spring.length", "1 cm"},
        {"pad.stochastic.A", "1 N"},
    };
    const bri_scenario_options options = {changes, sizeof changes / sizeof *changes, NULL};
    bri_scenario *s = read_with(rig, &options);
    const bri_system *y = system_of(s);
    const bri_contact *c = &y->contacts[0];
    near(c->p[bri_model_param(c->model, "sigma0")], 2e5, 0.0, "sigma0");
    near(c->p[bri_model_param(c->model, "mu_s")], 0.9, 0.0, "mu_s");
    near(y->bodies[0].mass, 3.0, 0.0, "mass");
    near(bri_scenario_def(s)->t_end, 7.0, 0.0, "until");
    near(y->couplings[0].p[0], 5.0, 0.0, "stiffness");
    near(y->couplings[0].p[1], 0.01, 1e-15, "length");
    near(y->gravity, 1.62, 0.0, "gravity");
    near(y->drives[0].force.p[1], 9.0, 0.0, "frequency");
    assert_int_equal(c->load, BRI_LOAD_SIGNAL);
    assert_string_equal(c->model->name, "stochastic:lugre");
    bri_scenario_free(s);
}

static void refuses_change(const char *key, const char *value, const char *sentence) {
    const bri_override change = {key, value};
    const bri_scenario_options options = {&change, 1, NULL};
    bri_scenario *s;
    assert_int_not_equal(bri_scenario_parse(rig, strlen(rig), "rig.yaml", &options, &s, &messages),
                         BRI_OK);
    assert_null(s);
    assert_string_equal(messages.message[0].text, sentence);
}

static void wrong_changes_are_refused(void **state) {
    refuses_change("pda.sigma0", "1",
                   "rig.yaml: pda.sigma0=1: there is no 'pda'; did you mean 'pad'?");
    refuses_change("pad.sgma0", "1",
                   "rig.yaml: contacts.pad.sgma0: there is no such key; did you mean 'sigma0'?");
    refuses_change("pad.sigma0", "1 N",
                   "rig.yaml: contacts.pad.sigma0: 1 N is not a stiffness: the unit is N/m");
    refuses_change("pad", "1", "rig.yaml: pad=1: says which element, but not which of its keys");
    refuses_change("pad.load.sine", "1",
                   "rig.yaml: pad.load.sine=1: contacts.pad.load is '20 N', which has no 'sine'");
    refuses_change("pad.load", "{a",
                   "rig.yaml: pad.load={a: not YAML: while parsing a flow mapping, "
                   "did not find expected ',' or '}'");
    refuses_change("pad.load", "", "rig.yaml: pad.load=: a value is missing");
    refuses_change("pad..load", "1",
                   "rig.yaml: pad..load=1: is no path of names and keys, such as pad.sigma0");
    refuses_change("pad.Fc", "1 N",
                   "rig.yaml: contacts.pad.Fc: lugre: give mu_c and mu_s, or Fc and Fs, not both");
}

static void a_law_takes_the_place_of_others(void **state) {
    const bri_scenario_options dahl = {NULL, 0, bri_model_find("dahl")};
    bri_scenario *s = read_with(rig, &dahl); /* mu_s is dropped, sigma0 comes from compare */
    const bri_contact *c = &system_of(s)->contacts[0];
    assert_string_equal(c->model->name, "dahl");
    near(c->p[bri_model_param(c->model, "sigma0")], 5e4, 0.0, "sigma0");
    assert_true(c->n == 20.0);
    bri_scenario_free(s);

    for (int i = 0; i < bri_model_count(); i++) {
        const bri_scenario_options any = {NULL, 0, bri_model_at(i)};
        s = read_with(rig, &any);
        assert_ptr_equal(system_of(s)->contacts[0].model, bri_model_at(i));
        bri_scenario_free(s);
    }
    const bri_override bad = {"pad.sgma0", "1"};
    const bri_scenario_options wrong = {&bad, 1, bri_model_find("dahl")};
    assert_int_equal(bri_scenario_parse(rig, strlen(rig), "rig.yaml", &wrong, &s, &messages),
                     BRI_NOT_FOUND);
}

/* One level is given: a law in the place of another has both, and no stiction. Two: both as given.
 * None: the default of the law in the file, since it is the same contact. */
static void one_level_is_both(void **state) {
    static const struct {
        const char *levels, *law;
        double c, s;
    } cases[] = {
        {"load: 1 N, mu_c: 0.1", "coulomb", 0.1, 0.1},
        {"load: 1 N, mu_c: 0.1", "gonthier", 0.1, 0.1},
        {"Fc: 3 N", "lugre", 3.0, 3.0},
        {"load: 1 N, mu_c: 0.1, mu_s: 0.2", "coulomb", 0.1, 0.2},
        {"load: 1 N", "coulomb", 0.5, 0.5},
        {"load: 1 N", "dankowicz", 0.5, NAN},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[300];
        snprintf(text, sizeof text,
                 "bodies: {a: {mass: 1}}\ncontacts:\n  p: {between: [a, ground], model: %s, %s}\n"
                 "run: {until: 1}\n",
                 strstr(cases[i].levels, "mu_s") ? "stribeck" : "dahl", cases[i].levels);
        const bri_scenario_options options = {NULL, 0, bri_model_find(cases[i].law)};
        bri_scenario *s = read_with(text, &options);
        const bri_contact *c = &system_of(s)->contacts[0];
        near(c->p[bri_model_param(c->model, "mu_c")], cases[i].c, 0.0, "sliding");
        if (!isnan(cases[i].s))
            near(c->p[bri_model_param(c->model, "mu_s")], cases[i].s, 0.0, "static");
        bri_scenario_free(s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrays_are_repeated),
        cmocka_unit_test(a_chain_of_100000_is_ten_lines),
        cmocka_unit_test(keys_can_be_changed),
        cmocka_unit_test(wrong_changes_are_refused),
        cmocka_unit_test(a_law_takes_the_place_of_others),
        cmocka_unit_test(one_level_is_both),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
