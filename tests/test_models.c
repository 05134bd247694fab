/* test_models.c - what holds for every law of the table: well-formed tables, refusals with a named
 * reason, lookup by name, modes of the set-valued laws; and that a user's own record works. */
#include "bristle.h"
#include "samples.h"
#include "test.h"
#include <ctype.h>

/* ---- tables ------------------------------------------------------------------------------- */

static int is_word(const char *s) {
    for (int i = 0; s[i]; i++)
        if (!isalnum((unsigned char)s[i]) && s[i] != '_') return 0;
    return *s != '\0';
}

static int says_something(const char *s) { return s && strlen(s) >= 3; }

static void every_law_of_the_list_is_in_the_table(void **state) {
    static const char *const names[] = {"coulomb",
                                        "viscous",
                                        "coulomb_sat",
                                        "coulomb_tanh",
                                        "benson",
                                        "stribeck",
                                        "stribeck_sat",
                                        "stribeck_tanh",
                                        "velocity_based",
                                        "sine_arctan",
                                        "karnopp",
                                        "regularized",
                                        "dahl",
                                        "dankowicz",
                                        "bliman_sorine",
                                        "stribeck_dankowicz",
                                        "lugre",
                                        "lugre_consistent",
                                        "elasto_plastic",
                                        "stick_slip",
                                        "gonthier",
                                        "olsson_astrom",
                                        "bristle_implicit",
                                        "reset_integrator",
                                        "haessig_friedland",
                                        "bristle_second_order"};
    int n = (int)(sizeof names / sizeof *names);
    assert_true(bri_model_count() >= n); /* a new page of laws/ adds itself */
    for (int i = 0; i < n; i++) {
        const bri_model *m = bri_model_find(names[i]);
        if (!m) fail_msg("there is no %s", names[i]);
        assert_string_equal(m->name, names[i]);
    }
}

static void names_are_lower_case_and_unique(void **state) {
    for (int i = 0; i < bri_model_count(); i++) {
        const bri_model *m = bri_model_at(i);
        for (const char *c = m->name; *c; c++)
            hold(m, islower((unsigned char)*c) || *c == '_', "the letter %c", *c);
        for (int j = 0; j < i; j++)
            hold(m, strcmp(m->name, bri_model_at(j)->name) != 0, "is there twice");
    }
}

static void texts_are_written(void **state) {
    const bri_model *m;
    for (int i = 0; (m = law_at(i)); i++) {
        hold(m, says_something(m->title), "no title");
        hold(m, says_something(m->equations) && strchr(m->equations, 'F'), "no equation for F");
        hold(m, says_something(m->limits), "no limits");
        hold(m, says_something(m->cite), "no citation");
        hold(m, says_something(m->defaults), "no source of the defaults");
        hold(m, m->load > 0.0 && m->load < 1e6, "load %g", m->load);
    }
}

static void parameter_tables_are_well_formed(void **state) {
    const bri_model *m;
    for (int i = 0; (m = law_at(i)); i++) {
        hold(m, m->n_params > 0 && m->n_params <= BRI_MAX_PARAMS, "%d parameters", m->n_params);
        for (int j = 0; j < m->n_params; j++) {
            const bri_param *row = &m->params[j];
            hold(m, row->name && is_word(row->name), "parameter %d has no name", j);
            hold(m, row->unit && *row->unit, "%s has no unit", row->name);
            hold(m, says_something(row->text), "%s has no sentence", row->name);
            hold(m, row->min < row->max, "%s has no range", row->name);
            hold(m, row->def >= row->min && row->def <= row->max, "default of %s", row->name);
            hold(m, !row->force || strcmp(row->unit, "1") == 0, "level %s has a unit", row->name);
            hold(m, bri_model_param(m, row->name) == j, "%s is there twice", row->name);
            if (row->force)
                hold(m, bri_model_param(m, row->force) == j, "%s is there twice", row->force);
        }
    }
}

/* Every parameter says what it means, in a unit that fits; but for numbers that are a law's own, a
 * role is there once, so that a value finds its place by it. */
static void every_parameter_has_a_role(void **state) {
    static const struct {
        bri_role role;
        const char *units[3];
    } units[] = {
        {BRI_ROLE_LEVEL, {"1"}},
        {BRI_ROLE_STATIC_LEVEL, {"1"}},
        {BRI_ROLE_SLOW_LEVEL, {"1"}},
        {BRI_ROLE_VISCOUS, {"N s/m"}},
        {BRI_ROLE_VISCOUS_PER_LOAD, {"s/m"}},
        {BRI_ROLE_STIFFNESS, {"N/m"}},
        {BRI_ROLE_DEFLECTION, {"m"}},
        {BRI_ROLE_ELASTIC_LIMIT, {"m"}},
        {BRI_ROLE_DAMPING, {"N s/m"}},
        {BRI_ROLE_STRIBECK_SPEED, {"m/s", "s/m"}},
        {BRI_ROLE_SLIDING_SPEED, {"m/s"}},
        {BRI_ROLE_SMOOTHING, {"m/s", "s/m"}},
        {BRI_ROLE_STICK_BAND, {"m/s"}},
        {BRI_ROLE_DWELL_TIME, {"s"}},
        {BRI_ROLE_LAG_TIME, {"s"}},
        {BRI_ROLE_RELAXATION_TIME, {"s"}},
    };
    const bri_model *m;
    for (int i = 0; (m = law_at(i)); i++)
        for (int j = 0; j < m->n_params; j++) {
            const bri_param *row = &m->params[j];
            bri_role role = row->role;
            hold(m, role > BRI_ROLE_NONE && role < BRI_ROLE_COUNT, "%s has no role", row->name);
            hold(m, says_something(bri_role_text(role)), "role of %s has no words", row->name);
            hold(m, !row->force == !(role <= BRI_ROLE_SLOW_LEVEL), "%s is no level", row->name);
            int own = role == BRI_ROLE_SHAPE || role == BRI_ROLE_CHOICE || role == BRI_ROLE_SEED;
            hold(m, own || bri_model_role(m, role) == j, "%s: %s is there twice", row->name,
                 bri_role_name(role));
            for (size_t k = 0; k < sizeof units / sizeof *units; k++) {
                if (units[k].role != role) continue;
                int fits = 0;
                for (int u = 0; u < 3 && units[k].units[u]; u++)
                    fits |= strcmp(units[k].units[u], row->unit) == 0;
                hold(m, fits, "%s is no %s", row->unit, bri_role_name(role));
            }
        }
    assert_int_equal(bri_model_role(bri_model_find("coulomb"), BRI_ROLE_STIFFNESS), -1);
    assert_string_equal(bri_role_name(BRI_ROLE_COUNT), bri_role_name(BRI_ROLE_NONE));
}

/* Every law can be given a viscous part, and it is what it says: in sliding it adds kv v (nu N v)
 * to the force and nothing to the rates, and kv to the slope. Exceptions: laws with the viscous
 * part inside the friction characteristic (Rill (4)) are held to their steady curve by their own
 * tests; the viscous law is nothing else; olsson_astrom weighs it by s. */
static void viscous_friction_is_added_to_every_law(void **state) {
    const bri_model *m;
    int added = 0;
    for (int i = 0; (m = law_at(i)); i++) {
        int kv = bri_model_role(m, BRI_ROLE_VISCOUS);
        hold(m, kv >= 0 || bri_model_role(m, BRI_ROLE_VISCOUS_PER_LOAD) >= 0, "nothing viscous");
        if (kv < 0 || !strcmp(m->name, "viscous") || strstr(m->name, "olsson_astrom")) continue;
        if (strncmp(m->name, "stochastic:", 11) == 0) continue; /* gated by the force itself */
        added++;
        for (int k = 0; k < 50; k++) {
            double p[BRI_MAX_PARAMS], z[BRI_MAX_STATES], a[BRI_MAX_STATES], b[BRI_MAX_STATES];
            double Ja[(1 + BRI_MAX_STATES) * (3 + BRI_MAX_STATES)],
                Jb[(1 + BRI_MAX_STATES) * (3 + BRI_MAX_STATES)];
            sample_params(m, k, p);
            sample_states(m, p, k, 1.0, z);
            bri_input u = {.v = k % 2 ? -0.3 : 2.0, .n = k % 5 ? 3.0 : 0.0};
            if (m->set_valued) u.mode = k % 2 ? BRI_SLIDE_NEG : BRI_SLIDE_POS;
            int states = bri_model_states(m, p);
            double c = u.n > 0.0 ? 7.5 : 0.0; /* nothing in the air */
            p[kv] = 0.0;
            double F = bri_model_eval(m, p, &u, z, a);
            bri_model_jac(m, p, &u, z, Ja);
            p[kv] = 7.5;
            double with = bri_model_eval(m, p, &u, z, b);
            bri_model_jac(m, p, &u, z, Jb);
            double room = 1e-14 * (fabs(F) + fabs(with));
            hold(m, fabs(with - F - c * u.v) <= room, "adds %g", with - F);
            hold(m, fabs(Jb[1] - Ja[1] - c) <= 1e-14 * (fabs(Ja[1]) + fabs(Jb[1])), "slope");
            hold(m, states == 0 || memcmp(a, b, sizeof *a * (size_t)states) == 0, "rates");
            double za[BRI_MAX_STATES], zb[BRI_MAX_STATES];
            memcpy(za, z, sizeof za);
            memcpy(zb, z, sizeof zb);
            with = bri_model_step(m, p, &u, 1e-3, zb);
            p[kv] = 0.0;
            F = bri_model_step(m, p, &u, 1e-3, za);
            room = 1e-14 * (fabs(F) + fabs(with));
            hold(m, fabs(with - F - c * u.v) <= room, "adds %g in a step", with - F);
            hold(m, states == 0 || memcmp(za, zb, sizeof *za * (size_t)states) == 0, "states");
        }
    }
    assert_true(added >= 20);
}

static void state_tables_are_well_formed(void **state) {
    const bri_model *m;
    for (int i = 0; (m = law_at(i)); i++) {
        double p[BRI_MAX_PARAMS];
        hold(m, m->n_states >= 0 && m->n_states <= BRI_MAX_STATES, "%d states", m->n_states);
        for (int j = 0; j < m->n_states; j++) {
            const bri_state *row = &m->states[j];
            hold(m, row->name && is_word(row->name), "state %d has no name", j);
            hold(m, row->unit && *row->unit, "%s has no unit", row->name);
            hold(m, says_something(row->text), "%s has no sentence", row->name);
            hold(m, row->nominal > 0.0 && row->nominal < 1e3, "%s has no size", row->name);
            for (int k = 0; k < j; k++)
                hold(m, strcmp(row->name, m->states[k].name) != 0, "%s is there twice", row->name);
        }
        for (int k = 0; k < 10; k++) {
            sample_params(m, k, p);
            int n = bri_model_states(m, p);
            hold(m, n >= 0 && n <= m->n_states, "%d states of %d", n, m->n_states);
        }
    }
}

static void functions_are_complete(void **state) {
    const bri_model *m;
    for (int i = 0; (m = law_at(i)); i++) {
        hold(m, m->eval && m->jac, "no eval or jac");
        hold(m, m->n_states == 0 || (m->step && m->step_order >= 1), "states but no step");
        hold(m, (m->n_roots > 0) == (m->roots && m->jump), "%d roots", m->n_roots);
        hold(m, !m->set_valued || m->n_roots > 0, "set-valued without roots and jump");
    }
}

static void rest_is_a_state_without_force(void **state) {
    const bri_model *m;
    for (int i = 0; (m = law_at(i)); i++)
        for (int k = 0; k < 20; k++) {
            double p[BRI_MAX_PARAMS], z[BRI_MAX_STATES], dz[BRI_MAX_STATES], g[BRI_MAX_STATES];
            sample_params(m, k, p);
            if (param(m, p, "literal", 0.0) != 0.0) continue; /* shakes at rest */
            bri_input u = {.n = m->load};
            bri_model_rest(m, p, z);
            near(bri_model_eval(m, p, &u, z, dz), 0.0, 1e-12 * m->load, m->name);
            for (int j = 0; j < bri_model_states(m, p); j++)
                if (strcmp(m->states[j].name, "theta") != 0)
                    hold(m, dz[j] == 0.0, "%s moves at rest", m->states[j].name);
            if (m->roots) {
                m->roots(m, p, &u, z, g);
                for (int j = 0; j < m->n_roots; j++) hold(m, g[j] > 0.0, "rest is an event");
            }
        }
}

/* ---- lookup ------------------------------------------------------------------------------- */

static void lookup_by_name(void **state) {
    assert_null(bri_model_find("lugree"));
    assert_null(bri_model_find(""));
    assert_null(bri_model_at(-1));
    assert_null(bri_model_at(bri_model_count()));
    assert_string_equal(bri_model_nearest("lugree")->name, "lugre");
    assert_string_equal(bri_model_nearest("Dahl")->name, "dahl");
    assert_string_equal(bri_model_nearest("karnop")->name, "karnopp");
    assert_string_equal(bri_model_nearest("elastoplastic")->name, "elasto_plastic");
    assert_non_null(bri_model_nearest(""));
    const bri_model *m = bri_model_find("lugre");
    assert_string_equal(m->params[bri_model_param(m, "sigma1")].name, "sigma1");
    assert_int_equal(bri_model_param(m, "Fs"), bri_model_param(m, "mu_s"));
    assert_int_equal(bri_model_param(m, "Fc"), bri_model_param(m, "mu_c"));
    assert_int_equal(bri_model_param(m, "sigma3"), -1);
}

static void versions_and_statuses_have_words(void **state) {
    char version[40];
    snprintf(version, sizeof version, "%d.%d.%d", BRI_VERSION_MAJOR, BRI_VERSION_MINOR,
             BRI_VERSION_PATCH);
    assert_string_equal(bri_version(), version);
    for (int i = 0; i < BRI_STATUS_COUNT; i++) {
        assert_true(says_something(bri_status_text((bri_status)i)));
        for (int j = 0; j < i; j++)
            assert_string_not_equal(bri_status_text((bri_status)i), bri_status_text((bri_status)j));
    }
    assert_string_equal(bri_status_text(BRI_STATUS_COUNT), "unknown status");
    assert_string_equal(bri_status_text((bri_status)-1), "unknown status");
}

/* ---- refusals ------------------------------------------------------------------------------- */

static void refused(const bri_model *m, const double *p, const char *name) {
    bri_error err = {0};
    char begin[120];
    snprintf(begin, sizeof begin, "%s: %s ", m->name, name);
    hold(m, bri_model_check(m, p, &err) == BRI_BAD_VALUE, "accepts a bad %s", name);
    hold(m, bri_model_check(m, p, NULL) == BRI_BAD_VALUE, "needs an error to fill in");
    hold(m, err.status == BRI_BAD_VALUE && err.line == 0, "error of %s not filled in", name);
    hold(m, strncmp(err.text, begin, strlen(begin)) == 0, "says of %s: %s", name, err.text);
}

static void values_out_of_range_are_refused_by_name(void **state) {
    const bri_model *m;
    for (int i = 0; (m = law_at(i)); i++) {
        double p[BRI_MAX_PARAMS];
        bri_model_defaults(m, p);
        hold(m, bri_model_check(m, p, NULL) == BRI_OK, "refuses its defaults");
        for (int j = 0; j < m->n_params; j++) {
            const bri_param *row = &m->params[j];
            const double bad[] = {nextafter(row->min, -INFINITY), nextafter(row->max, INFINITY),
                                  -INFINITY, INFINITY, NAN};
            for (int k = 0; k < 5; k++) {
                p[j] = bad[k];
                refused(m, p, row->name);
            }
            p[j] = row->def;
            if (!row->whole) continue;
            p[j] = row->min + 0.5;
            refused(m, p, row->name);
            p[j] = row->def;
        }
    }
}

static void static_below_sliding_is_refused(void **state) {
    const bri_model *m;
    int found = 0;
    for (int i = 0; (m = law_at(i)); i++) {
        int c = bri_model_param(m, "mu_c"), s = bri_model_param(m, "mu_s");
        if (c < 0 || s < 0) continue;
        double p[BRI_MAX_PARAMS];
        bri_error err;
        char text[120];
        bri_model_defaults(m, p);
        p[s] = p[c];
        hold(m, bri_model_check(m, p, &err) == BRI_OK, "refuses mu_s = mu_c");
        p[s] = nextafter(p[c], 0.0);
        hold(m, bri_model_check(m, p, &err) == BRI_BAD_VALUE, "accepts mu_s < mu_c");
        snprintf(text, sizeof text, "%s: mu_s must be >= mu_c", m->name);
        assert_string_equal(err.text, text);
        found++;
    }
    assert_true(found >= 32);
}

static void refusals_read_well(void **state) {
    bri_error err;
    const bri_model *m = bri_model_find("lugre");
    double p[BRI_MAX_PARAMS];
    bri_model_defaults(m, p);
    p[bri_model_param(m, "v_s")] = -1.0;
    bri_model_check(m, p, &err);
    assert_string_equal(err.text, "lugre: v_s = -1 m/s is outside 1e-09 ... 1000 m/s");
    bri_model_defaults(m, p);
    p[bri_model_param(m, "mu_c")] = NAN;
    bri_model_check(m, p, &err);
    assert_string_equal(err.text, "lugre: mu_c = nan is outside 1e-06 ... 1e+06");
    m = bri_model_find("haessig_friedland");
    bri_model_defaults(m, p);
    p[bri_model_param(m, "n")] = 2.5;
    bri_model_check(m, p, &err);
    assert_string_equal(err.text, "haessig_friedland: n = 2.5 must be a whole number");
    m = bri_model_find("velocity_based");
    bri_model_defaults(m, p);
    p[bri_model_param(m, "v_d")] = p[bri_model_param(m, "v_s")];
    bri_model_check(m, p, &err);
    assert_string_equal(err.text, "velocity_based: v_d must be > v_s");
}

/* ---- set-valued laws ------------------------------------------------------------------------ */

/* Sampled: the sliding direction and root follow the mode; a stuck contact balances fa up to the
 * static level; jump agrees with the roots, and a second call changes nothing. */
static void modes_roots_and_jump_agree(void **state) {
    const bri_model *m;
    int found = 0;
    for (int i = 0; (m = law_at(i)); i++) {
        if (!m->set_valued) continue;
        found++;
        for (int k = 0; k < 300; k++) {
            double p[BRI_MAX_PARAMS], z[BRI_MAX_STATES] = {0}, dz[BRI_MAX_STATES], g;
            sample_params(m, k / 10, p);
            double n = m->load * (0.1 + halton(k, 2)), fs = param(m, p, "mu_s", 0.0) * n;
            double band = param(m, p, "v_d", 0.0), noise = 6.0 * param(m, p, "A", 0.0);
            double fa = fs * 3.0 * (halton(k, 3) - 0.5),
                   v = band + pow(10.0, -5.0 + 5.0 * halton(k, 5));

            bri_input u = {.n = n, .fa = fa, .mode = BRI_STUCK};
            double F = bri_model_eval(m, p, &u, z, dz);
            hold(m, F == fmin(fmax(fa, -fs), fs), "stuck with %g under %g of %g", F, fa, fs);
            hold(m, bri_model_motion(m, p, &u, z) == 0, "stuck and moves");
            u.mode = BRI_AUTO;
            hold(m, bri_model_eval(m, p, &u, z, dz) == F, "at v = 0 another force than stuck");
            u.mode = BRI_STUCK;
            m->roots(m, p, &u, z, &g);
            near(g, fs - fabs(fa), 1e-12, m->name);
            bri_mode after = m->jump(m, p, &u, z);
            hold(m, (g > 0.0) == (after == BRI_STUCK), "root %g, yet mode %d", g, (int)after);
            if (after != BRI_STUCK) hold(m, (int)after * fa > 0.0, "breaks away against the load");
            u.mode = after;
            hold(m, m->jump(m, p, &u, z) == after, "a second jump differs");
            u.fa = k % 2 ? fs : -fs;
            u.mode = BRI_STUCK;
            m->roots(m, p, &u, z, &g);
            hold(m, g == 0.0, "root %g at break-away", g);
            hold(m, m->jump(m, p, &u, z) == (k % 2 ? BRI_SLIDE_POS : BRI_SLIDE_NEG),
                 "no break-away");

            for (int d = -1; d <= 1; d += 2) {
                bri_input w = {.v = d * v, .n = n, .fa = fa, .mode = (bri_mode)d};
                double frozen = bri_model_eval(m, p, &w, z, dz);
                hold(m, d * frozen > -noise, "pushes along its motion");
                hold(m, bri_model_motion(m, p, &w, z) == d, "motion against the mode");
                m->roots(m, p, &w, z, &g);
                hold(m, g > 0.0 && fabs(g - (v - band)) <= 1e-15 * v, "root %g while sliding", g);
                w.mode = BRI_AUTO;
                hold(m, bri_model_eval(m, p, &w, z, dz) == frozen, "AUTO differs from the mode");
                w.mode = (bri_mode)d, w.v = d * band;
                m->roots(m, p, &w, z, &g);
                hold(m, g == 0.0, "root %g where sliding ends", g);
            }
        }
    }
    assert_int_equal(found, 8);
}

/* In the air the Jacobian is that of the rates there: central differences over a thousandth of each
 * state, which relaxes on its own, so that they are right to rounding. */
static void the_jacobian_knows_the_air(void **state) {
    const bri_model *m;
    for (int i = 0; (m = law_at(i)); i++)
        for (int k = 0; k < 20; k++) {
            double p[BRI_MAX_PARAMS], z[BRI_MAX_STATES], up[BRI_MAX_STATES], down[BRI_MAX_STATES];
            double J[(1 + BRI_MAX_STATES) * (3 + BRI_MAX_STATES)];
            const bri_input u = {.v = k % 2 ? -0.3 : 0.2, .n = 0.0};
            sample_params(m, k, p);
            sample_states(m, p, k, 1.0, z);
            int n = bri_model_states(m, p);
            bri_model_jac(m, p, &u, z, J);
            for (int j = 0; j < n; j++) {
                double at = z[j], h = 1e-3 * m->states[j].nominal;
                z[j] = at + h;
                bri_model_eval(m, p, &u, z, up);
                z[j] = at - h;
                bri_model_eval(m, p, &u, z, down);
                z[j] = at;
                for (int s = 0; s < n; s++) {
                    double slope = (up[s] - down[s]) / (2.0 * h);
                    double got = J[(1 + s) * (3 + n) + 3 + j];
                    double size = fabs(slope) + (fabs(up[s]) + fabs(down[s])) / h * 1e-6;
                    hold(m, fabs(got - slope) <= 1e-6 * size, "d(rate %d)/d(%s) is %g, not %g", s,
                         m->states[j].name, got, slope);
                }
            }
        }
}

/* Laws whose states meet a limit: sampled deflections below it and on it. */
static void a_jump_answers_its_root(void **state) {
    const bri_model *m;
    int found = 0;
    for (int i = 0; (m = law_at(i)); i++) {
        if (m->set_valued || !m->jump) continue;
        found++;
        for (int k = 0; k < 200; k++) {
            double p[BRI_MAX_PARAMS], z[BRI_MAX_STATES] = {0}, y[BRI_MAX_STATES], g, n = m->load;
            sample_params(m, k / 5, p);
            int eventful = m->eventful ? m->eventful(m, p) : 1; /* 2: the root has no unit */
            if (!eventful) continue;
            double s0 = param(m, p, "mu_c", 0.0) * n / param(m, p, "sigma0", 1.0);
            double limit = param(m, p, "delta", param(m, p, "delta_max", s0));
            int states = bri_model_states(m, p), last = states - 1;
            sample_states(m, p, k, 1.0, z);
            for (int j = 0; j < states; j++)
                if (!m->states[j].even) z[j] *= 0.9 * limit / m->states[j].nominal;
            bri_input u = {
                .v = k % 2 ? 0.1 : -0.1, .n = n, .mode = k % 2 ? BRI_SLIDE_POS : BRI_AUTO};
            m->roots(m, p, &u, z, &g);
            hold(m, g > 0.0, "root %g below the limit", g);
            memcpy(y, z, sizeof y);
            hold(m, m->jump(m, p, &u, z) == u.mode, "the mode changes");
            hold(m, memcmp(y, z, sizeof y) == 0, "jumps below the limit");
            z[last] = (eventful == 2 ? u.v > 0.0 : k % 3 != 0) ? limit : -limit;
            m->roots(m, p, &u, z, &g);
            near(g, 0.0, 1e-15 * (eventful == 2 ? 1.0 : limit), m->name);
            m->jump(m, p, &u, z);
            for (int j = 0; j < states; j++)
                if (!m->states[j].even) hold(m, fabs(z[j]) <= limit, "jumps beyond the limit");
            memcpy(y, z, sizeof y);
            m->jump(m, p, &u, z);
            hold(m, memcmp(y, z, sizeof y) == 0, "a second jump differs");
        }
    }
    assert_int_equal(found, 8); /* dahl and stochastic:dahl among them */
}

/* ---- a user's own law ----------------------------------------------------------------------- */

static const bri_param own_params[] = {{"k", "N/m", 10.0, 0.0, 1e3, "stiffness", NULL, 0}};
static const bri_state own_states[] = {{"z", "m", 0.1, "deflection", 0}};

static double own_eval(const bri_model *self, const double *p, const bri_input *u, const double *z,
                       double *dz) {
    dz[0] = u->v - fabs(u->v) * z[0] * z[0] * z[0];
    return p[0] * z[0] * (u->n > 0.0 ? u->n : 0.0) + u->x;
}

static const bri_model own = {.name = "own",
                              .params = own_params,
                              .n_params = 1,
                              .states = own_states,
                              .n_states = 1,
                              .eval = own_eval};

static double drag_eval(const bri_model *self, const double *p, const bri_input *u, const double *z,
                        double *dz) {
    return p[0] * u->v;
}

static const bri_model drag = {
    .name = "drag", .params = own_params, .n_params = 1, .eval = drag_eval};

static void a_minimal_record_is_a_law(void **state) {
    double p[1], z[1] = {0.5}, dz[1], J[2 * 4], stored = 7.0, dissipated = 7.0;
    bri_input u = {.x = 0.25, .v = -2.0, .n = 3.0};
    bri_model_defaults(&own, p);
    assert_int_equal(bri_model_check(&own, p, NULL), BRI_OK);
    p[0] = -1.0;
    refused(&own, p, "k");
    p[0] = 10.0;
    assert_int_equal(bri_model_states(&own, p), 1);
    near(bri_model_eval(&own, p, &u, z, dz), 15.25, 1e-15, "force");
    near(dz[0], -2.25, 1e-15, "rate");
    const double expected[8] = {1.0, 0.0, 5.0, 30.0, 0.0, 1.125, 0.0, -1.5};
    bri_model_jac(&own, p, &u, z, J);
    for (int i = 0; i < 8; i++) near(J[i], expected[i], 1e-8, "difference Jacobian");
    assert_true(z[0] == 0.5);
    assert_int_equal(bri_model_energy(&own, p, &u, z, &stored, &dissipated), 0);
    assert_true(stored == 7.0 && dissipated == 7.0);
    assert_int_equal(bri_model_motion(&own, p, &u, z), 0);
    z[0] = -0.95;
    assert_int_equal(bri_model_motion(&own, p, &u, z), -1);
    bri_model_rest(&own, p, z);
    assert_true(z[0] == 0.0);
    bri_input w = {.v = 1.0, .n = 1.0};
    for (int steps = 100; steps <= 10000; steps *= 10) { /* the step it did not bring: order 1 */
        z[0] = 0.0;
        for (int i = 0; i < steps; i++) bri_model_step(&own, p, &w, 0.5 / steps, z);
        near(z[0], 0.48516525780, 0.3 / steps, "dz/dt = 1 - z^3 from 0 to t = 1/2");
    }
    for (int i = 0; i < 100; i++) bri_model_step(&own, p, &w, 1e3, z);
    near(z[0], 1.0, 1e-9, "steady state by long steps");
    u.n = 0.0; /* no lift: the law takes care of it */
    near(bri_model_eval(&own, p, &u, z, dz), 0.25, 1e-15, "force in the air");
    assert_true(bri_model_find("own") == NULL);
}

static void a_law_without_states_needs_no_arrays(void **state) {
    double p[1] = {10.0}, J[3], stored, dissipated;
    bri_input u = {.v = -2.0, .n = 3.0};
    near(bri_model_eval(&drag, p, &u, NULL, NULL), -20.0, 1e-15, "force");
    near(bri_model_step(&drag, p, &u, 1.0, NULL), -20.0, 1e-15, "force after a step");
    bri_model_jac(&drag, p, &u, NULL, J);
    near(J[0], 0.0, 1e-15, "dF/dx");
    near(J[1], 10.0, 1e-9, "dF/dv");
    near(J[2], 0.0, 1e-15, "dF/dn");
    assert_int_equal(bri_model_energy(&drag, p, &u, NULL, &stored, &dissipated), 1);
    near(stored, 0.0, 1e-15, "stored");
    near(dissipated, 40.0, 1e-15, "dissipated");
    assert_int_equal(bri_model_energy(&drag, p, &u, NULL, NULL, NULL), 1);
    assert_int_equal(bri_model_motion(&drag, p, &u, NULL), -1);
    u.n = 0.0;
    near(bri_model_eval(&drag, p, &u, NULL, NULL), 0.0, 1e-15, "force in the air");
    near(bri_model_step(&drag, p, &u, 1.0, NULL), 0.0, 1e-15, "step in the air");
    bri_model_jac(&drag, p, &u, NULL, J);
    near(J[1], 0.0, 1e-15, "dF/dv in the air");
    bri_model_rest(&drag, p, NULL);
}

static void a_wrapper_needs_room(void **state) {
    static bri_state many[BRI_MAX_STATES];
    bri_stochastic w;
    bri_model full = own;
    full.states = many;
    full.n_states = BRI_MAX_STATES;
    assert_int_equal(bri_stochastic_init(&w, &full), BRI_BAD_VALUE);
    full.n_states = 1;
    full.n_params = BRI_MAX_PARAMS;
    assert_int_equal(bri_stochastic_init(&w, &full), BRI_BAD_VALUE);
    assert_int_equal(bri_stochastic_init(&w, &own), BRI_OK);
    assert_string_equal(w.model.name, "stochastic:own");
    assert_int_equal(bri_model_param(&w.model, "k"), 0);
    assert_int_equal(w.model.n_states, 2);
    double p[BRI_MAX_PARAMS], z[2] = {0.3, 0.5}, dz[2], J[3 * 5];
    bri_input u = {.x = 0.25, .v = -2.0, .n = 3.0};
    bri_model_defaults(&w.model, p);
    p[bri_model_param(&w.model, "A")] = 0.0;
    near(bri_model_eval(&w.model, p, &u, z, dz), 15.25, 1e-15, "force without noise");
    near(dz[1], -2.25, 1e-15, "rate inside");
    bri_model_jac(&w.model, p, &u, z, J);
    near(J[4], 30.0, 1e-8, "dF/dz inside");
    assert_int_equal(bri_model_energy(&w.model, p, &u, z, NULL, NULL), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_law_of_the_list_is_in_the_table),
        cmocka_unit_test(names_are_lower_case_and_unique),
        cmocka_unit_test(texts_are_written),
        cmocka_unit_test(parameter_tables_are_well_formed),
        cmocka_unit_test(every_parameter_has_a_role),
        cmocka_unit_test(viscous_friction_is_added_to_every_law),
        cmocka_unit_test(state_tables_are_well_formed),
        cmocka_unit_test(functions_are_complete),
        cmocka_unit_test(rest_is_a_state_without_force),
        cmocka_unit_test(lookup_by_name),
        cmocka_unit_test(versions_and_statuses_have_words),
        cmocka_unit_test(values_out_of_range_are_refused_by_name),
        cmocka_unit_test(static_below_sliding_is_refused),
        cmocka_unit_test(refusals_read_well),
        cmocka_unit_test(modes_roots_and_jump_agree),
        cmocka_unit_test(the_jacobian_knows_the_air),
        cmocka_unit_test(a_jump_answers_its_root),
        cmocka_unit_test(a_minimal_record_is_a_law),
        cmocka_unit_test(a_law_without_states_needs_no_arrays),
        cmocka_unit_test(a_wrapper_needs_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
