/* test_step.c - what every law promises along a path: step converges to the law with its stated
 * order, stays bounded at any step size, reaches the steady state in one long step, and closed
 * cycles lose energy. */
#include "bristle.h"
#include "samples.h"
#include "test.h"

/* Number of the first state that is a deflection, -1 if there is none. */
static int deflection(const bri_model *m) {
    for (int j = 0; j < m->n_states; j++)
        if (strcmp(m->states[j].unit, "m") == 0) return j;
    return -1;
}

/* Nonzero for bonds that snap: they jump, and lose their energy at once. */
static int snaps(const bri_model *m) { return strstr(m->name, "haessig_friedland") != NULL; }

/* ---- a prescribed motion -------------------------------------------------------------------- */

/* v = peak sin(rate t + phase): crosses zero between steps, and moves by a few deflections. */
typedef struct motion {
    double peak, rate, phase;
} motion;

static motion motion_for(const bri_model *m) {
    int j = deflection(m);
    return (motion){0.05, 0.05 / (3.0 * (j < 0 ? 1e-3 : m->states[j].nominal)), 0.7};
}

static double velocity(const motion *x, double t) { return x->peak * sin(x->rate * t + x->phase); }

static double path(const motion *x, double from, double to) {
    return x->peak / x->rate * (cos(x->rate * from + x->phase) - cos(x->rate * to + x->phase));
}

static const double end_phase = 9.1; /* after 1.4 cycles, soon after a reversal */

/* ---- order ---------------------------------------------------------------------------------- */

static void run_steps(const bri_model *m, const double *p, const motion *x, int steps, double *z) {
    double h = end_phase / x->rate / steps;
    bri_model_rest(m, p, z);
    for (int i = 0; i < steps; i++) {
        bri_input u = {.v = velocity(x, (i + 0.5) * h), .n = m->load};
        bri_model_step(m, p, &u, h, z);
    }
}

static void rates_at(const bri_model *m, const double *p, const motion *x, double t,
                     const double *z, double *dz) {
    bri_input u = {.v = velocity(x, t), .n = m->load};
    bri_model_eval(m, p, &u, z, dz);
}

/* The classical Runge-Kutta method on the rates, in steps far below every time scale. */
static void run_rates(const bri_model *m, const double *p, const motion *x, int steps, double *z) {
    double h = end_phase / x->rate / steps, k[4][BRI_MAX_STATES], y[BRI_MAX_STATES];
    static const double at[4] = {0.0, 0.5, 0.5, 1.0};
    int n = bri_model_states(m, p);
    bri_model_rest(m, p, z);
    for (int i = 0; i < steps; i++) {
        for (int s = 0; s < 4; s++) {
            for (int j = 0; j < n; j++) y[j] = z[j] + (s ? at[s] * h * k[s - 1][j] : 0.0);
            rates_at(m, p, x, (i + at[s]) * h, y, k[s]);
        }
        for (int j = 0; j < n; j++)
            z[j] += h / 6.0 * (k[0][j] + 2.0 * (k[1][j] + k[2][j]) + k[3][j]);
    }
}

/* The laws whose rate jumps to zero at a limit, or whose bonds snap there, follow the path x alone:
 * dz = dx until the limit, then what the law says. */
static void run_path(const bri_model *m, const double *p, const motion *x, int steps, double *z) {
    double h = end_phase / x->rate / steps;
    double limit = snaps(m)
                       ? param(m, p, "delta", 0.0)
                       : param(m, p, "delta_max",
                               param(m, p, "mu_c", 0.0) * m->load / param(m, p, "sigma0", 1.0));
    int j = deflection(m);
    bri_model_rest(m, p, z);
    for (int i = 0; i < steps; i++) {
        bri_input u = {.v = velocity(x, (i + 0.5) * h), .n = m->load};
        z[j] += path(x, i * h, (i + 1) * h);
        double over = fabs(z[j]) - limit, side = z[j] > 0.0 ? 1.0 : -1.0;
        if (over < 0.0) continue;
        if (snaps(m)) m->jump(m, p, &u, z); /* the new bond is stretched by what was left to go */
        z[j] = snaps(m) ? z[j] + side * over : side * limit;
    }
}

static double distance(const bri_model *m, const double *p, const double *a, const double *b) {
    double worst = 0.0;
    for (int j = 0; j < bri_model_states(m, p); j++)
        worst = fmax(worst, fabs(a[j] - b[j]) / m->states[j].nominal);
    return worst;
}

static void step_converges_with_its_stated_order(void **state) {
    for (int i = 0; i < bri_model_count(); i++) {
        const bri_model *m = bri_model_at(i);
        if (m->n_states == 0) continue;
        int limited =
            strcmp(m->name, "stick_slip") == 0 || strcmp(m->name, "reset_integrator") == 0;
        for (int k = 0; k < 2; k++) {
            double p[BRI_MAX_PARAMS], exact[BRI_MAX_STATES] = {0}, z[BRI_MAX_STATES] = {0};
            double coarse = 0.0, fine = 0.0;
            motion x = motion_for(m);
            bri_model_defaults(m, p);
            if (bri_model_param(m, "n") >= 0) p[bri_model_param(m, "n")] = 1.0;
            if (k == 1) { /* another curve, another shape */
                x.phase = 2.0;
                if (bri_model_param(m, "gamma") >= 0)
                    p[bri_model_param(m, "gamma")] = 2.0;
                else if (bri_model_param(m, "i") >= 0)
                    p[bri_model_param(m, "i")] = 1.5;
                else
                    continue;
            }
            (limited || snaps(m) ? run_path : run_rates)(m, p, &x, 1 << SAMPLE(17, 15), exact);
            for (int s = 0; s < 8; s++) { /* where in a step v crosses zero matters: a mean */
                run_steps(m, p, &x, 500 + 17 * s, z);
                coarse += distance(m, p, z, exact) / 8.0;
                run_steps(m, p, &x, 8 * (500 + 17 * s), z);
                fine += distance(m, p, z, exact) / 8.0;
            }
            double order = log2(coarse / fine) / 3.0;
            hold(m, fine < 1e-2, "step is %g away from the law", fine);
            hold(m, order >= m->step_order - 0.3, "order %.2f instead of %d (errors %g, %g)", order,
                 m->step_order, coarse, fine);
        }
    }
}

/* The states inside the wrapper step as those of the law alone; the phase follows time or path. */
static void a_wrapper_steps_the_law_inside(void **state) {
    for (int i = 0; i < bri_model_count(); i++) {
        const bri_model *m = bri_model_at(i), *w = law_at(bri_model_count() + i);
        double p[BRI_MAX_PARAMS], z[BRI_MAX_STATES], y[BRI_MAX_STATES], h = 0.01, length = 0.0;
        bri_model_defaults(w, p);
        p[bri_model_param(w, "lambda")] = 0.02;
        bri_model_rest(m, p, z);
        bri_model_rest(w, p, y);
        for (int k = 0; k < 200; k++) {
            bri_input u = {.v = 0.2 * (halton(k, 2) - 0.5), .n = m->load};
            bri_model_step(m, p, &u, h, z);
            bri_model_step(w, p, &u, h, y);
            length += h * fabs(u.v);
        }
        near(y[0], 2.0 * acos(-1.0) * length / 0.02, 1e-12, "phase of the noise");
        for (int j = 0; j < bri_model_states(m, p); j++)
            hold(w, y[1 + j] == z[j], "%s differs inside", m->states[j].name);
    }
}

/* ---- any step size -------------------------------------------------------------------------- */

static void no_step_changes_nothing(void **state) {
    const bri_model *m;
    for (int i = 0; (m = law_at(i)); i++)
        for (int k = 0; k < 20; k++) {
            double p[BRI_MAX_PARAMS], z[BRI_MAX_STATES] = {0}, y[BRI_MAX_STATES],
                                      dz[BRI_MAX_STATES];
            sample_params(m, k, p);
            sample_states(m, p, k, 0.3, z);
            memcpy(y, z, sizeof y);
            bri_input u = {.v = halton(k, 2) - 0.5, .n = k % 4 ? m->load : 0.0};
            double F = bri_model_step(m, p, &u, 0.0, z);
            hold(m, memcmp(z, y, sizeof y) == 0, "moves in no time");
            hold(m, F == bri_model_eval(m, p, &u, z, dz), "another force");
        }
}

/* The largest |state| that the law allows after the contact has slid `length`, started from rest
 * with loads up to n and speeds up to v. */
static double bound(const bri_model *m, const double *p, int j, double n, double v, double length) {
    const char *name = m->states[j].name;
    double level = (param(m, p, "mu_s", param(m, p, "mu_c", 0.0)) + param(m, p, "nu", 0.0) * v) * n;
    if (strcmp(name, "s_dw") == 0 || (strcmp(name, "s") == 0 && m->states[j].even)) return 1.0;
    if (strcmp(name, "snaps") == 0 || strcmp(name, "theta") == 0) return INFINITY;
    if (strcmp(name, "w") == 0) return v + 2.0 * level / param(m, p, "sigma1", 0.0);
    /* These stretch without limit while they creep (see the limits of each law). */
    if (strstr(m->name, "gonthier")) return length + level / param(m, p, "sigma0", 0.0);
    if (strstr(m->name, "olsson")) return length;
    if (param(m, p, "tau", 0.0) > 0.0 && strstr(m->name, "stick_slip")) return length;
    if (param(m, p, "as_printed", 0.0) == 2.0 && strstr(m->name, "stick_slip")) return length;
    if (bri_model_param(m, "delta_max") >= 0) return param(m, p, "delta_max", 0.0);
    if (bri_model_param(m, "delta") >= 0) return param(m, p, "delta", 0.0);
    if (strcmp(name, "z1") == 0) return param(m, p, "eps", 0.0) * param(m, p, "eta", 0.0);
    if (strcmp(name, "z2") == 0) return param(m, p, "eps", 0.0);
    return level / param(m, p, "sigma0", 0.0);
}

static void any_step_stays_bounded(void **state) {
    static const double lengths[] = {1e-9, 1e-3, 1.0, 1e3};
    const bri_model *m;
    for (int i = 0; (m = law_at(i)); i++)
        for (int k = 0; k < (i < bri_model_count() ? SAMPLE(40, 8) : 4); k++) {
            double p[BRI_MAX_PARAMS], z[BRI_MAX_STATES], h = lengths[k % 4], length = 0.0;
            sample_params(m, k / 4, p);
            bri_model_rest(m, p, z);
            for (int s = 0; s < SAMPLE(1000, 300); s++) {
                bri_input u = {.v = pow(10.0, -6.0 + 7.0 * halton(s, 2)),
                               .n = m->load * halton(s, 3),
                               .mode = s % 7 == 6 ? BRI_SLIDE_POS : BRI_AUTO};
                if (halton(s, 5) < 0.5) u.v = -u.v;
                length += h * fabs(u.v);
                hold(m, isfinite(bri_model_step(m, p, &u, h, z)), "force after step %d of %g s", s,
                     h);
                for (int j = 0; j < bri_model_states(m, p); j++) {
                    double limit = bound(m, p, j, m->load, 10.0, length);
                    hold(m, fabs(z[j]) <= limit * (1.0 + 1e-9),
                         "%s = %g beyond %g, step %d of %g s", m->states[j].name, z[j], limit, s,
                         h);
                }
            }
        }
}

/* With v held, a long step ends where dz/dt = 0. Bonds that snap have no such place. */
static void a_long_step_reaches_the_steady_state(void **state) {
    static const double speeds[] = {1e-3, -0.02, 0.3, -5.0};
    for (int i = 0; i < bri_model_count(); i++) {
        const bri_model *m = bri_model_at(i);
        if (m->n_states == 0 || snaps(m)) continue;
        for (int k = 0; k < 40; k++) {
            double p[BRI_MAX_PARAMS], z[BRI_MAX_STATES], dz[BRI_MAX_STATES], F = 0.0;
            sample_params(m, k / 2, p);
            if (strstr(m->name, "stick_slip") && param(m, p, "as_printed", 0.0) == 2.0)
                continue; /* its state is the displacement itself */
            bri_model_rest(m, p, z);
            bri_input u = {.v = speeds[k % 4], .n = m->load * (k % 3 + 0.5)};
            /* Rill's bristles stick again at once, and never settle, unless the damping holds them
             * above the static level (see the limits of bristle_implicit). */
            double drop = (param(m, p, "mu_s", 0.0) - param(m, p, "mu_c", 0.0)) * u.n;
            if (strstr(m->name, "bristle_") && param(m, p, "sigma1", 0.0) * fabs(u.v) < drop)
                continue;
            for (int s = 0; s < 40; s++) F = bri_model_step(m, p, &u, 1e4, z);
            near(F, bri_model_eval(m, p, &u, z, dz), 1e-9, m->name);
            for (int j = 0; j < bri_model_states(m, p); j++) {
                double scale = strcmp(m->states[j].unit, "m") == 0 ? fabs(u.v) : 1.0;
                hold(m, fabs(dz[j]) <= 1e-7 * scale, "d(%s)/dt = %g at v = %g", m->states[j].name,
                     dz[j], u.v);
            }
        }
    }
}

/* dahl has one closed form for i = 1 and another for the rest; they meet. */
static void an_exponent_next_to_one_is_like_one(void **state) {
    const bri_model *m = bri_model_find("dahl");
    static const double exponents[] = {1.0, 1.0 + 4e-16, 1.0 - 4e-16, 1.0 + 1e-12, 1.0 - 1e-9};
    double p[BRI_MAX_PARAMS], z[5];
    bri_model_defaults(m, p);
    for (int k = 0; k < 5; k++) {
        bri_input u = {.v = 0.1, .n = m->load};
        p[bri_model_param(m, "i")] = exponents[k];
        z[k] = 1e-4;
        for (int s = 0; s < 100; s++) bri_model_step(m, p, &u, 1e-4, &z[k]);
        near(z[k], z[0], 1e-8, "dahl: z after 1 mm");
    }
}

/* A frozen direction past its reversal must not drive the states away. */
static void a_step_goes_where_v_goes(void **state) {
    const bri_model *m;
    for (int i = 0; (m = law_at(i)); i++) {
        double p[BRI_MAX_PARAMS], z[BRI_MAX_STATES] = {0}, y[BRI_MAX_STATES];
        if (m->set_valued) continue;
        bri_model_defaults(m, p);
        sample_states(m, p, 3, 0.2, z);
        memcpy(y, z, sizeof y);
        bri_input u = {.v = -0.1, .n = m->load};
        double F = bri_model_step(m, p, &u, 1.0, z);
        u.mode = BRI_SLIDE_POS;
        hold(m, bri_model_step(m, p, &u, 1.0, y) == F && memcmp(y, z, sizeof y) == 0,
             "depends on the mode");
    }
}

/* ---- energy --------------------------------------------------------------------------------- */

/* Over a settled cycle of prescribed motion the contact takes in work; where an energy is defined,
 * that work is what bri_model_energy says is lost. */
static void a_cycle_loses_energy(void **state) {
    enum { STEPS = SAMPLE(4000, 2000), CYCLES = SAMPLE(4, 3) };
    const bri_model *m;
    for (int i = 0; (m = law_at(i)); i++)
        for (int k = 0; k < (i < bri_model_count() ? SAMPLE(12, 3) : 1); k++) {
            double p[BRI_MAX_PARAMS], z[BRI_MAX_STATES], work = 0.0, heat = 0.0, size = 0.0;
            sample_params(m, k, p);
            if (param(m, p, "E", 0.0) != 0.0) continue; /* sine_arctan oscillates then */
            if (strstr(m->name, "stick_slip") && param(m, p, "as_printed", 0.0) != 0.0)
                continue; /* the print pushes a slow contact on */
            bri_model_rest(m, p, z);
            motion x = motion_for(m);
            x.rate *= pow(10.0, 2.0 * halton(k, 2) - 1.0);
            double h = 2.0 * acos(-1.0) / x.rate / STEPS, E0 = 0.0, E1 = 0.0, D;
            int known = 0;
            for (int s = 0; s < STEPS * CYCLES; s++) {
                bri_input u = {.v = velocity(&x, (s + 0.5) * h), .n = m->load};
                double F = bri_model_step(m, p, &u, h, z);
                if (s < STEPS * (CYCLES - 1)) continue;
                work += h * F * u.v;
                size += h * fabs(F * u.v);
                known = bri_model_energy(m, p, &u, z, &E1, &D);
                heat += known ? h * D : 0.0;
                if (s == STEPS * (CYCLES - 1)) E0 = E1;
            }
            hold(m, work >= 0.0, "gives %g J in a cycle", -work);
            if (known &&
                !snaps(m)) /* snapping bonds lose theirs at once; 5 %: one sample per step */
                hold(m, fabs(work - heat - (E1 - E0)) <= 0.05 * size,
                     "takes %g J in a cycle, but loses %g J", work, heat);
        }
}

/* What docs/howto/embed.md says of a mass that is integrated explicitly around the step: while it
 * sticks the eigenvalues of one tick, z' = z + h v, v' = v + h (pull - sigma0 z' - sigma1 v)/m, lie
 * within the circle if h^2 sigma0 + 2 h sigma1 < 4 m. A mass just above that comes to rest after a
 * touch; one just below never does; 0.1 kg, pulled by half of what it holds, drifts away. */
static void an_explicit_mass_has_a_limit(void **state) {
    const bri_model *m = bri_model_find("lugre");
    double p[BRI_MAX_PARAMS], h = 1e-3;
    bri_model_defaults(m, p);
    double sigma0 = p[bri_model_param(m, "sigma0")], sigma1 = p[bri_model_param(m, "sigma1")];
    double pull = 0.5 * p[bri_model_param(m, "mu_s")] * m->load;
    double least = (h * h * sigma0 + 2.0 * h * sigma1) / 4.0;
    near(least, 0.41, 0.02, "the mass that the pages name");
    const double masses[] = {1.1 * least, 0.9 * least, 0.1};
    for (int k = 0; k < 3; k++) {
        double z = 0.0, v = 1e-6, x = 0.0, most = 0.0;
        for (int i = 0; i < 4000; i++) {
            double F = bri_model_step(m, p, &(bri_input){.v = v, .n = m->load}, h, &z);
            v += h * ((k == 2 ? pull : 0.0) - F) / masses[k];
            x += h * v;
            if (i >= 3000) most = fmax(most, fabs(v));
        }
        if (k == 0)
            assert_true(most < 1e-9);
        else
            assert_true(most > 1e-3);
        if (k == 2) assert_true(fabs(x) > 0.1); /* it drifts away */
    }
}

/* The step with its slope is the step, and its slope what differences of the step give: exact where
 * it is derived from the equations, near where the step of elasto_plastic is taken along its path.
 * Corners spoil the differences of some. */
static void slopes_are_those_of_the_step(void **state) {
    (void)state;
    for (int i = 0; i < bri_model_count(); i++) {
        const bri_model *m = bri_model_at(i);
        int off = 0, count = 0, k;
        double good = strcmp(m->name, "elasto_plastic") == 0 ? 0.3 : 1e-4;
        if (!m->step_slope) continue;
        for (int s = 0; s < 400; s++) {
            double p[BRI_MAX_PARAMS], z[BRI_MAX_STATES], by[1 + BRI_MAX_STATES];
            double a[1 + BRI_MAX_STATES], b[1 + BRI_MAX_STATES], c[1 + BRI_MAX_STATES];
            if (!try_params(m, s % 20, p, NULL)) continue;
            k = bri_model_states(m, p);
            sample_states(m, p, s, 0.7, z);
            double h = pow(10.0, -5.0 + 3.0 * spread(s, 3)), way = s % 2 ? 1.0 : -1.0;
            double v = way * pow(10.0, -4.0 + 4.0 * spread(s, 5)), dv = 1e-5 * fabs(v);
            bri_input u = {.v = v, .n = m->load * (0.5 + spread(s, 7))};
            memcpy(c + 1, z, sizeof *z * (size_t)k);
            c[0] = m->step_slope(m, p, &u, h, c + 1, by);
            memcpy(a + 1, z, sizeof *z * (size_t)k);
            a[0] = bri_model_step(m, p, &u, h, a + 1);
            for (int j = 0; j <= k; j++)
                hold(m, fabs(a[j] - c[j]) <= 1e-12 * fabs(a[j]), "sample %d, %d: %g for %g", s, j,
                     c[j], a[j]);
            memcpy(a + 1, z, sizeof *z * (size_t)k);
            memcpy(b + 1, z, sizeof *z * (size_t)k);
            u.v = v + dv;
            a[0] = bri_model_step(m, p, &u, h, a + 1);
            u.v = v - dv;
            b[0] = bri_model_step(m, p, &u, h, b + 1);
            for (int j = 0; j <= k; j++) {
                double want = (a[j] - b[j]) / (2.0 * dv), size = fabs(c[j]) / fabs(v);
                count++;
                off += !(fabs(by[j] - want) <= good * (fabs(want) + size));
            }
        }
        hold(m, count > 0 && off <= 0.02 * count, "%d of %d slopes are off", off, count);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(step_converges_with_its_stated_order),
        cmocka_unit_test(a_wrapper_steps_the_law_inside),
        cmocka_unit_test(no_step_changes_nothing),
        cmocka_unit_test(any_step_stays_bounded),
        cmocka_unit_test(a_long_step_reaches_the_steady_state),
        cmocka_unit_test(an_exponent_next_to_one_is_like_one),
        cmocka_unit_test(a_step_goes_where_v_goes),
        cmocka_unit_test(slopes_are_those_of_the_step),
        cmocka_unit_test(a_cycle_loses_energy),
        cmocka_unit_test(an_explicit_mass_has_a_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
