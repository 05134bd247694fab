/* test_promises.c - what every law promises at one instant, over samples of its parameters, inputs
 * and states: the Jacobian is the derivative, mirrored motion gives mirrored friction, everything
 * is finite, an open contact carries nothing, energy is balanced, nothing is allocated or
 * remembered. Each also holds for the law inside the stochastic wrapper. */
#include "allocations.h"
#include "bristle_law.h"
#include "samples.h"
#include "test.h"
#include <pthread.h>
#include <stdlib.h>

enum { MAX_COLUMNS = 3 + BRI_MAX_STATES, MAX_JACOBIAN = (1 + BRI_MAX_STATES) * MAX_COLUMNS };

/* ---- the Jacobian --------------------------------------------------------------------------- */

/* (F, dz/dt) with input or state number `column` moved by `by`. */
static void moved(const bri_model *m, const double *p, bri_input u, const double *z, int column,
                  double by, double *out) {
    double y[BRI_MAX_STATES];
    memcpy(y, z, sizeof y);
    *(column == 0 ? &u.x : column == 1 ? &u.v : column == 2 ? &u.n : &y[column - 3]) += by;
    out[0] = bri_model_eval(m, p, &u, y, out + 1);
}

/* Central differences with step h, h/2 and h/4, extrapolated twice; `trust` is their disagreement.
 */
static void extrapolated(const bri_model *m, const double *p, bri_input u, const double *z, int k,
                         int column, double h, double *slope, double *trust) {
    double up[1 + BRI_MAX_STATES], down[1 + BRI_MAX_STATES], D[3][1 + BRI_MAX_STATES];
    for (int level = 0; level < 3; level++, h /= 2.0) {
        moved(m, p, u, z, column, h, up);
        moved(m, p, u, z, column, -h, down);
        for (int i = 0; i <= k; i++) D[level][i] = (up[i] - down[i]) / (2.0 * h);
    }
    for (int i = 0; i <= k; i++) {
        double coarse = (4.0 * D[1][i] - D[0][i]) / 3.0, fine = (4.0 * D[2][i] - D[1][i]) / 3.0;
        slope[i] = (16.0 * fine - coarse) / 15.0;
        trust[i] = fabs(fine - coarse);
    }
}

typedef struct tally {
    long entries, skipped;
} tally;

/* Compare every entry of the Jacobian, scaled by the size of what is varied. An entry counts only
 * where the three step sizes agree: they do not if the samples straddle a kink. */
static void compare_jacobian(const bri_model *m, const double *p, bri_input u, const double *z,
                             tally *count) {
    int k = bri_model_states(m, p), width = 3 + k;
    double J[MAX_JACOBIAN], f[1 + BRI_MAX_STATES], size[MAX_COLUMNS];
    double slope[1 + BRI_MAX_STATES], trust[1 + BRI_MAX_STATES], row[1 + BRI_MAX_STATES];
    bri_model_jac(m, p, &u, z, J);
    f[0] = bri_model_eval(m, p, &u, z, f + 1);
    size[0] = 1.0, size[1] = fabs(u.v), size[2] = u.n;
    for (int j = 0; j < k; j++) size[3 + j] = fmax(fabs(z[j]), 1e-3 * m->states[j].nominal);
    for (int i = 0; i <= k; i++) {
        row[i] = fabs(f[i]);
        for (int j = 0; j < width; j++) row[i] = fmax(row[i], fabs(J[i * width + j]) * size[j]);
    }
    for (int j = 0; j < width; j++) {
        double fine[1 + BRI_MAX_STATES], doubt[1 + BRI_MAX_STATES];
        extrapolated(m, p, u, z, k, j, 1e-3 * size[j], slope, trust);
        extrapolated(m, p, u, z, k, j, 1e-5 * size[j], fine, doubt);
        for (int i = 0; i <= k; i++) {
            if (doubt[i] < trust[i]) slope[i] = fine[i], trust[i] = doubt[i];
            /* 1e-6 of the entry; 1e-9 of the row for the rounding that differences magnify */
            double tolerance = 1e-6 * fabs(slope[i]) + 1e-9 * row[i] / size[j];
            count->entries++;
            if (trust[i] > 0.3 * tolerance)
                count->skipped++;
            else
                hold(
                    m, fabs(J[i * width + j] - slope[i]) <= tolerance,
                    "J[%d][%d] = %.12g, differences give %.12g +- %.1g (v %g, n %g, mode %d, z %g)",
                    i, j, J[i * width + j], slope[i], trust[i], u.v, u.n, (int)u.mode,
                    k > 0 ? z[0] : 0.0);
        }
    }
}

/* Speeds over five decades on both sides; states within and beyond their nominal range; the mode
 * read from v, frozen, frozen and just past the reversal, and stuck. */
static void jacobian_holds(const bri_model *m, int samples, double most_skipped) {
    tally count = {0, 0};
    int refused = 0;
    for (int k = 0; k < samples; k++) {
        double p[BRI_MAX_PARAMS], z[BRI_MAX_STATES] = {0};
        if (!try_params(m, samples < 500 ? k / 4 : k / 20, p, NULL)) {
            refused++;
            continue;
        }
        sample_states(m, p, k, k % 5 == 0 ? 3.0 : k % 5 == 1 ? 0.1 : 1.0, z);
        double n = m->load * pow(10.0, 2.0 * halton(k, 3) - 1.0);
        double v = pow(10.0, -5.0 + 5.0 * halton(k, 2)) * (k % 2 ? 1.0 : -1.0);
        bri_input u = {
            .x = halton(k, 5) - 0.5, .v = v, .n = n, .fa = 2.0 * (halton(k, 7) - 0.5) * n};
        compare_jacobian(m, p, u, z, &count);
        u.mode = v > 0.0 ? BRI_SLIDE_POS : BRI_SLIDE_NEG;
        compare_jacobian(m, p, u, z, &count);
        u.v = fmin(fmax(-0.3 * v, -7e-4), 7e-4); /* past the reversal */
        compare_jacobian(m, p, u, z, &count);
        if (m->set_valued) {
            u.mode = BRI_STUCK;
            compare_jacobian(m, p, u, z, &count);
        }
    }
    hold(m, refused == 0 || (!bri_model_find(m->name) && 2 * refused < samples), "%d of %d refused",
         refused, samples);
    hold(m, (double)count.skipped < most_skipped * (double)count.entries,
         "%ld of %ld entries at kinks", count.skipped, count.entries);
}

static void jacobian_equals_differences(void **state) {
    const bri_model *m;
    for (int i = 0; (m = law_at(i)); i++)
        jacobian_holds(m, i >= bri_model_count() ? SAMPLE(80, 40) : SAMPLE(500, 200), 0.01);
}

/* The pages that are not part of the library's table, run from their text; those that are, are the
 * same to the bit: test_laws. */
static void jacobian_of_pages_equals_differences(void **state) {
    int pages = 0;
    for (int i = 0; i < bri_law_page_count(); i++) {
        bri_law *l;
        const char *name = bri_law_page_name(i), *text = bri_law_page(name);
        if (bri_model_find(name)) continue;
        bri_status status = bri_law_parse(text, strlen(text), name, &l, NULL);
        if (status == BRI_MISSING) skip();
        assert_int_equal(status, BRI_OK);
        jacobian_holds(bri_law_model(l), 200, 0.01);
        bri_law_free(l);
        pages++;
    }
    assert_true(pages >= 13);
}

/* With a frozen direction force and rates have one slope in v on both sides of v = 0. (A Stribeck
 * curve with gamma other than 1 or 2 and |v|^p with p < 1 cannot be continued.) */
static void a_frozen_direction_is_smooth_through_zero(void **state) {
    const bri_model *m;
    for (int i = 0; (m = law_at(i)); i++)
        for (int k = 0; k < 60; k++) {
            double p[BRI_MAX_PARAMS], z[BRI_MAX_STATES] = {0}, above[MAX_JACOBIAN],
                                      below[MAX_JACOBIAN];
            sample_params(m, k / 4, p);
            int gamma = bri_model_param(m, "gamma"), power = bri_model_param(m, "p");
            if (gamma >= 0) p[gamma] = k % 2 ? 1.0 : 2.0;
            if (power >= 0) p[power] = k % 2 ? 1.0 : 2.0;
            sample_states(m, p, k, 1.0, z);
            bri_mode mode = k % 3 ? BRI_SLIDE_POS : BRI_SLIDE_NEG;
            bri_input up = {.v = 1e-18, .n = m->load, .mode = mode}, down = up;
            down.v = -up.v;
            bri_model_jac(m, p, &up, z, above);
            bri_model_jac(m, p, &down, z, below);
            int width = 3 + bri_model_states(m, p);
            for (int row = 0; row < width - 2; row++) {
                double a = above[row * width + 1], b = below[row * width + 1];
                double scale = fmax(row == 0 ? m->load : 1.0, fmax(fabs(a), fabs(b)));
                hold(m, fabs(a - b) <= 1e-6 * scale, "the slope of row %d jumps from %g to %g", row,
                     b, a);
            }
        }
}

/* ---- symmetry ------------------------------------------------------------------------------- */

static void mirrored_motion_gives_mirrored_friction(void **state) {
    static const bri_mode modes[] = {BRI_AUTO, BRI_SLIDE_POS, BRI_SLIDE_NEG, BRI_STUCK};
    const bri_model *m;
    for (int i = 0; (m = law_at(i)); i++)
        for (int k = 0; k < 400; k++) {
            double p[BRI_MAX_PARAMS], z[BRI_MAX_STATES] = {0}, y[BRI_MAX_STATES] = {0};
            double dz[BRI_MAX_STATES], dy[BRI_MAX_STATES], back[BRI_MAX_STATES];
            sample_params(m, k / 10, p);
            if (param(m, p, "literal", 0.0) != 0.0) continue; /* the same noise both ways */
            if (strstr(m->name, "elasto_plastic") && param(m, p, "as_printed", 0.0) != 0.0)
                continue; /* a slip of the pen that knows forward only */
            sample_states(m, p, k, k % 2 ? 1.0 : 3.0, z);
            int n = bri_model_states(m, p);
            mirror_states(m, n, z, y);
            bri_input u = {.x = halton(k, 3),
                           .v = pow(10.0, -7.0 + 8.0 * halton(k, 2)),
                           .n = k % 9 ? m->load * 3.0 * halton(k, 5) : 0.0,
                           .fa = 2.0 * m->load * (halton(k, 7) - 0.5),
                           .mode = modes[k % 4]};
            if (k % 20 < 4) u.v = 0.0;
            bri_input w = mirrored(u);
            hold(m, bri_model_eval(m, p, &w, y, dy) == -bri_model_eval(m, p, &u, z, dz),
                 "F is not odd at v = %g", u.v);
            mirror_states(m, n, dz, back);
            for (int j = 0; j < n; j++)
                hold(m, dy[j] == back[j], "rate of %s: %.17g, mirrored %.17g", m->states[j].name,
                     back[j], dy[j]);
            hold(m, bri_model_motion(m, p, &w, y) == -bri_model_motion(m, p, &u, z),
                 "motion is not odd");
            double E = 0.0, D = 0.0, Ey = 0.0, Dy = 0.0;
            bri_model_energy(m, p, &u, z, &E, &D);
            bri_model_energy(m, p, &w, y, &Ey, &Dy);
            hold(m, E == Ey && D == Dy, "energy is not even");
            double h = pow(10.0, -6.0 + 6.0 * halton(k, 11));
            hold(m, bri_model_step(m, p, &w, h, y) == -bri_model_step(m, p, &u, h, z),
                 "step gives a force that is not odd at v = %g", u.v);
            mirror_states(m, n, z, back);
            for (int j = 0; j < n; j++)
                hold(m, y[j] == back[j], "step of %s is not odd", m->states[j].name);
        }
}

/* ---- finite --------------------------------------------------------------------------------- */

static void all_finite(const bri_model *m, const double *p, bri_input u, const double *z) {
    static const double steps[] = {0.0, 1e-12, 1e-3, 1.0, 1e6};
    int k = bri_model_states(m, p);
    double dz[BRI_MAX_STATES], J[MAX_JACOBIAN], y[BRI_MAX_STATES], E = 0.0, D = 0.0;
    double g[BRI_MAX_STATES], by_params[(1 + BRI_MAX_STATES) * BRI_MAX_PARAMS];
    const char *at = "%s at v %g, n %g, mode %d, z %g";
    double z0 = k > 0 ? z[k - 1] : 0.0;
    hold(m, isfinite(bri_model_eval(m, p, &u, z, dz)), at, "force", u.v, u.n, (int)u.mode, z0);
    for (int j = 0; j < k; j++)
        hold(m, isfinite(dz[j]), at, m->states[j].name, u.v, u.n, (int)u.mode, z0);
    bri_model_jac(m, p, &u, z, J);
    for (int j = 0; j < (1 + k) * (3 + k); j++)
        hold(m, isfinite(J[j]), at, "Jacobian", u.v, u.n, (int)u.mode, z0);
    bri_model_params_jac(m, p, &u, z, by_params);
    for (int j = 0; j < (1 + k) * m->n_params; j++)
        hold(m, isfinite(by_params[j]), at, m->params[j % m->n_params].name, u.v, u.n, (int)u.mode,
             z0);
    bri_model_energy(m, p, &u, z, &E, &D);
    hold(m, isfinite(E) && E >= 0.0, at, "energy", u.v, u.n, (int)u.mode, z0);
    hold(m, isfinite(D), at, "dissipation", u.v, u.n, (int)u.mode, z0);
    hold(m, abs(bri_model_motion(m, p, &u, z)) <= 1, at, "motion", u.v, u.n, (int)u.mode, z0);
    if (m->roots) {
        m->roots(m, p, &u, z, g);
        for (int j = 0; j < m->n_roots; j++)
            hold(m, isfinite(g[j]), at, "root", u.v, u.n, (int)u.mode, z0);
    }
    for (int i = 0; i < 5; i++) {
        memcpy(y, z, sizeof y);
        hold(m, isfinite(bri_model_step(m, p, &u, steps[i], y)), at, "force of a step", u.v, u.n,
             (int)u.mode, z0);
        for (int j = 0; j < k; j++)
            hold(m, isfinite(y[j]), "step %g of %s at v %g, n %g, mode %d, z %g", steps[i],
                 m->states[j].name, u.v, u.n, (int)u.mode, z0);
    }
}

/* Numbers up to 1e100, and down to nothing; parameters at the ends of their ranges. */
static void finite_at_the_edges(const bri_model *m, int sets, int stride) {
    static const double speeds[] = {0.0,   -0.0,  4.9e-324, 1e-310, 1e-300, 1e-200, 1e-100,
                                    1e-30, 1e-12, 1e-9,     1e-6,   1e-3,   1e-2,   0.1,
                                    1.0,   10.0,  1e3,      1e6,    1e50,   1e100};
    static const double loads[] = {0.0,   -0.0,  -1.0, 4.9e-324, 1e-300, 1.1e-30,
                                   1e-29, 1e-12, 1.0,  1e9,      1e50,   1e100};
    static const bri_mode modes[] = {BRI_AUTO, BRI_SLIDE_POS, BRI_SLIDE_NEG, BRI_STUCK};
    static const double sizes[] = {0.0, 1e-300, 1.0, -1.0, 1e3, -1e3};
    int corners = 0;
    for (int k = 0; k < sets; k++) {
        double p[BRI_MAX_PARAMS], z[BRI_MAX_STATES] = {0};
        if (!(k % 4 == 0 ? try_params(m, k / 4, p, NULL) : corner_params(m, k, p))) continue;
        corners++;
        for (int j = 0; j < 12; j++)
            for (int s = 0; s < 6; s++)
                for (int r = (k + j + s) % 3; r < 20; r += stride) {
                    for (int c = 0; c < bri_model_states(m, p); c++)
                        z[c] =
                            m->states[c].nominal * (m->states[c].even ? fabs(sizes[s]) : sizes[s]);
                    bri_input u = {.x = 1.0,
                                   .v = (r + k) % 2 ? speeds[r] : -speeds[r],
                                   .n = loads[j],
                                   .fa = sizes[s],
                                   .mode = modes[(k + r + s) % 4]};
                    all_finite(m, p, u, z);
                }
    }
    hold(m, 8 * corners >= 3 * sets, "only %d of %d corners of the ranges are valid", corners,
         sets);
}

static void everything_is_finite(void **state) {
    const bri_model *m;
    for (int i = 0; (m = law_at(i)); i++)
        finite_at_the_edges(m, i < bri_model_count() ? SAMPLE(100, 8) : SAMPLE(16, 8),
                            i < bri_model_count() ? 4 : 9);
}

static void pages_are_finite(void **state) {
    for (int i = 0; i < bri_law_page_count(); i++) {
        bri_law *l;
        const char *name = bri_law_page_name(i), *text = bri_law_page(name);
        if (bri_model_find(name)) continue; /* the same to the bit */
        bri_status status = bri_law_parse(text, strlen(text), name, &l, NULL);
        if (status == BRI_MISSING) skip();
        assert_int_equal(status, BRI_OK);
        finite_at_the_edges(bri_law_model(l), SAMPLE(32, 12), 7);
        bri_law_free(l);
    }
}

/* ---- lift-off ------------------------------------------------------------------------------- */

/* Rill (6): no force, and bristles relax with sigma1/sigma0. */
static void an_open_contact_carries_nothing(void **state) {
    const bri_model *m;
    int bristles = 0;
    for (int i = 0; (m = law_at(i)); i++)
        for (int k = 0; k < 40; k++) {
            double p[BRI_MAX_PARAMS], z[BRI_MAX_STATES] = {0}, dz[BRI_MAX_STATES],
                                      old[BRI_MAX_STATES];
            double E = 0.0, D = 0.0, J[MAX_JACOBIAN];
            sample_params(m, k, p);
            sample_states(m, p, k, 1.0, z);
            memcpy(old, z, sizeof old);
            bri_input u = {.v = halton(k, 2) - 0.5,
                           .n = k % 2 ? 0.0 : -1.0,
                           .fa = 1.0,
                           .mode = k % 4 == 3 ? BRI_STUCK : BRI_AUTO};
            hold(m, bri_model_eval(m, p, &u, z, dz) == 0.0, "force in the air");
            bri_model_jac(m, p, &u, z, J);
            for (int j = 0; j < 3 + bri_model_states(m, p); j++)
                hold(m, J[j] == 0.0, "the force in the air has a slope");
            bri_model_energy(m, p, &u, z, &E, &D);
            hold(m, E >= 0.0 && D >= 0.0, "%g J and %g W in the air", E, D);
            int second = strstr(m->name, "second_order") != NULL;
            double s0 = param(m, p, "sigma0", 0.0), s1 = param(m, p, "sigma1", 0.0);
            for (int j = 0; j < bri_model_states(m, p); j++) {
                const char *name = m->states[j].name;
                int bristle = strcmp(m->states[j].unit, "m") == 0 && !second;
                if (bristle && s1 / s0 > 1e-6) {
                    hold(m, fabs(dz[j] + s0 / s1 * z[j]) <= 1e-12 * fabs(dz[j]),
                         "%s relaxes with %g", name, dz[j] / z[j]);
                    bristles++;
                } else if (bristle)
                    hold(m, dz[j] * z[j] <= 0.0, "%s grows in the air", name);
                if (strcmp(name, "snaps") == 0) hold(m, dz[j] == 0.0, "forgets its snaps");
            }
            for (int j = 0; j < 5; j++)
                hold(m, bri_model_step(m, p, &u, 1e3, z) == 0.0, "a step in the air gives a force");
            for (int j = 0; j < bri_model_states(m, p); j++) {
                if (strcmp(m->states[j].unit, "m") == 0)
                    hold(m, fabs(z[j]) <= 1e-5 * m->states[j].nominal,
                         "%s is still %g after 5000 s", m->states[j].name, z[j]);
                if (strcmp(m->states[j].name, "snaps") == 0)
                    hold(m, z[j] == old[j], "a step in the air forgets snaps");
            }
        }
    assert_true(bristles > 100);
}

/* ---- energy --------------------------------------------------------------------------------- */

/* F v = d(stored)/dt + dissipated, where d(stored)/dt is taken by moving the states along their
 * rates. */
static void energy_is_balanced(void **state) {
    const bri_model *m;
    int defined = 0;
    for (int i = 0; (m = law_at(i)); i++)
        for (int k = 0; k < 200; k++) {
            double p[BRI_MAX_PARAMS], z[BRI_MAX_STATES] = {0}, dz[BRI_MAX_STATES];
            double E, D, up, down, size = 0.0;
            sample_params(m, k / 10, p);
            sample_states(m, p, k, 1.0, z);
            bri_input u = {.v = (k % 2 ? 1.0 : -1.0) * pow(10.0, -5.0 + 5.0 * halton(k, 2)),
                           .n = m->load * 2.0 * halton(k, 3)};
            int states = bri_model_states(m, p);
            double F = bri_model_eval(m, p, &u, z, dz);
            if (!bri_model_energy(m, p, &u, z, &E, &D)) {
                hold(m, m->n_states > 0 && !m->stored, "no energy");
                break;
            }
            defined += k == 0;
            for (int j = 0; j < states; j++) size = fmax(size, fabs(dz[j]) / m->states[j].nominal);
            double tau =
                size > 0.0 ? 1e-3 / size : 1.0; /* stored is quadratic: differences exact */
            double y[BRI_MAX_STATES] = {0}, w[BRI_MAX_STATES] = {0};
            for (int j = 0; j < states; j++) y[j] = z[j] + tau * dz[j], w[j] = z[j] - tau * dz[j];
            bri_model_energy(m, p, &u, y, &up, NULL);
            bri_model_energy(m, p, &u, w, &down, NULL);
            double rate = (up - down) / (2.0 * tau);
            hold(m,
                 fabs(F * u.v - rate - D) <= 1e-9 * (fabs(F * u.v) + fabs(rate)) + 1e-12 * E / tau,
                 "F v = %g, but %g are stored and %g lost", F * u.v, rate, D);
        }
    assert_true(defined >= 40);
}

/* Dissipation is never negative while deflections stay within the sliding level. Not so for
 *   sine_arctan with E != 0, whose curve oscillates through zero;
 *   gonthier, where the clamp cuts the force of a bristle that goes on stretching;
 *   bristle_second_order, which holds stick by a force against the last bit of sliding;
 *   haessig_friedland, which loses all of it when bonds snap, and nothing in between.
 * (LuGre and its kin may also give back for mu_c N < |sigma0 z| <= mu_s N where sigma1 is large.)
 */
static void friction_dissipates_at_every_instant(void **state) {
    for (int i = 0; i < bri_model_count(); i++) {
        const bri_model *m = bri_model_at(i);
        for (int k = 0; k < 1000; k++) {
            double p[BRI_MAX_PARAMS], z[BRI_MAX_STATES] = {0}, D = 0.0;
            sample_params(m, k / 50, p);
            if (param(m, p, "E", 0.0) != 0.0 || strcmp(m->name, "gonthier") == 0 ||
                strcmp(m->name, "bristle_second_order") == 0)
                continue;
            double n = m->load * 2.0 * halton(k, 3), level = param(m, p, "mu_c", 1.0) * n;
            double limit = param(m, p, "delta", level / param(m, p, "sigma0", 1.0));
            sample_states(m, p, k, 1.0, z);
            for (int j = 0; j < bri_model_states(m, p); j++)
                if (!m->states[j].even) z[j] *= limit / m->states[j].nominal;
            bri_input u = {.v = (k % 2 ? 1.0 : -1.0) * pow(10.0, -5.0 + 5.0 * halton(k, 2)),
                           .n = n};
            bri_model_energy(m, p, &u, z, NULL, &D);
            hold(m, D >= -1e-12 * level * fabs(u.v), "%g W at v = %g", D, u.v);
        }
    }
}

/* ---- no allocation, no memory, no shared state --------------------------------------------- */

enum { PER_SAMPLE = 8 + 3 * BRI_MAX_STATES + MAX_JACOBIAN, PER_LAW = 6, MAX_LAWS = 64 };
static const bri_model *all_laws[MAX_LAWS + 1];

/* Everything that can be computed of one law, for a few samples. */
static void everything_of(const bri_model *m, double *out) {
    memset(out, 0, sizeof *out * PER_SAMPLE * PER_LAW);
    for (int k = 0; k < PER_LAW; k++, out += PER_SAMPLE) {
        double p[BRI_MAX_PARAMS], z[BRI_MAX_STATES] = {0}, *J = out + 8 + 3 * BRI_MAX_STATES;
        sample_params(m, k, p);
        sample_states(m, p, k, 1.0, z);
        bri_input u = {
            .x = 0.1, .v = 0.2 * (halton(k, 2) - 0.5), .n = k ? m->load : 0.0, .fa = 1.0};
        out[0] = bri_model_eval(m, p, &u, z, out + 8);
        bri_model_jac(m, p, &u, z, J);
        bri_model_energy(m, p, &u, z, &out[1], &out[2]);
        out[3] = bri_model_motion(m, p, &u, z);
        if (m->roots) m->roots(m, p, &u, z, &out[4]);
        if (m->jump) out[5] = (double)m->jump(m, p, &u, z);
        out[6] = bri_model_step(m, p, &u, 1e-3, z);
        memcpy(out + 8 + BRI_MAX_STATES, z, sizeof z);
        bri_model_rest(m, p, out + 8 + 2 * BRI_MAX_STATES);
    }
}

static double first[PER_SAMPLE * PER_LAW * MAX_LAWS];

static void nothing_is_allocated(void **state) {
    void *volatile proof = malloc(1);
    proof = realloc(proof, 2);
    free(proof);
    assert_true(allocations >= 2); /* the counter counts */
    for (int i = 0; all_laws[i]; i++) {
        allocations = 0;
        everything_of(all_laws[i], first);
        hold(all_laws[i], allocations == 0, "%ld allocations", allocations);
    }
}

typedef struct worker {
    pthread_t thread;
    double *results;
} worker;

static void *work(void *data) {
    worker *w = data;
    for (int i = 0; all_laws[i]; i++)
        everything_of(all_laws[i], w->results + i * PER_SAMPLE * PER_LAW);
    return NULL;
}

static void threads_and_repeats_get_the_same_bytes(void **state) {
    worker w[4];
    work(&(worker){.results = first});
    for (int t = 0; t < 4; t++) {
        w[t].results = malloc(sizeof first);
        assert_int_equal(pthread_create(&w[t].thread, NULL, work, &w[t]), 0);
    }
    for (int t = 0; t < 4; t++) {
        pthread_join(w[t].thread, NULL);
        for (int i = 0; all_laws[i]; i++)
            hold(all_laws[i],
                 memcmp(w[t].results + i * PER_SAMPLE * PER_LAW, first + i * PER_SAMPLE * PER_LAW,
                        sizeof *first * PER_SAMPLE * PER_LAW) == 0,
                 "thread %d got other bytes", t);
        free(w[t].results);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(jacobian_equals_differences),
        cmocka_unit_test(jacobian_of_pages_equals_differences),
        cmocka_unit_test(a_frozen_direction_is_smooth_through_zero),
        cmocka_unit_test(mirrored_motion_gives_mirrored_friction),
        cmocka_unit_test(everything_is_finite),
        cmocka_unit_test(pages_are_finite),
        cmocka_unit_test(an_open_contact_carries_nothing),
        cmocka_unit_test(energy_is_balanced),
        cmocka_unit_test(friction_dissipates_at_every_instant),
        cmocka_unit_test(nothing_is_allocated),
        cmocka_unit_test(threads_and_repeats_get_the_same_bytes),
    };
    for (int i = 0; i < MAX_LAWS && (all_laws[i] = law_at(i)); i++) {
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
