/* test_chain.c - chains and sheets of blocks: matrices against dense ones, results against another
 * solver and against other orders of the same blocks, energy, memory. */
#include "../src/system/matrix.h"
#include "bristle_sim.h"
#include "test.h"

#include <stdlib.h>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

/* ---- matrices ------------------------------------------------------------------------------ */

/* The pattern of a grid of nx by ny blocks. */
static pattern grid_pattern(int nx, int ny) {
    pattern p = {.n = nx * ny};
    p.row = calloc((size_t)p.n * 4, sizeof *p.row);
    p.column = calloc((size_t)p.n * 4, sizeof *p.column);
    for (int i = 0; i < p.n; i++)
        for (int k = 0; k < 2; k++) {
            int j = k == 0 ? i + 1 : i + nx;
            if ((k == 0 && j % nx == 0) || j >= p.n) continue;
            p.row[p.count] = p.column[p.count + 1] = i;
            p.column[p.count] = p.row[p.count + 1] = j;
            p.count += 2;
        }
    return p;
}

/* Fill with numbers, solve, and compare A x with b. */
static void solves(const pattern *p, int kind, const char *name, double *x) {
    arena memory = {0};
    matrix m = {0};
    matrix_create(&m, p, kind, &memory);
    if (memory.failed) fail_msg("%s: no memory", name);
    assert_string_equal(matrix_name(&m), name);
    double *b = calloc((size_t)p->n, sizeof *b);
    for (int round = 0; round < 2; round++) { /* factors are reused */
        memset(m.value, 0, sizeof *m.value * (size_t)m.values);
        for (int i = 0; i < p->n; i++) {
            m.value[matrix_slot(&m, i, i)] = 3.0 + halton(i + round, 2);
            x[i] = b[i] = halton(i, 3) - 0.5;
        }
        for (long k = 0; k < p->count; k++)
            m.value[matrix_slot(&m, p->row[k], p->column[k])] -= halton((int)k, 5);
        assert_true(matrix_factor(&m));
        matrix_solve(&m, x);
        for (int i = 0; i < p->n; i++) b[i] -= (3.0 + halton(i + round, 2)) * x[i];
        for (long k = 0; k < p->count; k++) b[p->row[k]] += halton((int)k, 5) * x[p->column[k]];
        for (int i = 0; i < p->n; i++) near(b[i], 0.0, 1e-13, name);
    }
    free(b);
    matrix_free(&m);
    arena_free(&memory);
}

static void matrices_agree_with_dense_ones(void **state) {
    static const int sizes[][2] = {{1, 1}, {2, 1}, {3, 1}, {4, 1}, {7, 1}, {200, 1}, {9, 5}};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        int nx = sizes[s][0], ny = sizes[s][1];
        pattern p = grid_pattern(nx, ny);
        double *dense = calloc((size_t)p.n, sizeof *dense), *x = calloc((size_t)p.n, sizeof *x);
        solves(&p, MATRIX_DENSE, p.n == 1 ? "scalar" : "dense", dense);
        for (int kind = MATRIX_TRIDIAGONAL; kind <= MATRIX_SPARSE; kind++) {
            if (p.n == 1 || (kind == MATRIX_SPARSE && !sparse_usable())) continue;
            if (kind == MATRIX_TRIDIAGONAL && (ny > 1 || p.n < 3)) continue;
            if (kind == MATRIX_SMALL && p.n > SMALL) continue;
            solves(&p, kind,
                   kind == MATRIX_TRIDIAGONAL ? "tridiagonal"
                   : kind == MATRIX_BANDED    ? "banded"
                   : kind == MATRIX_SPARSE    ? "klu"
                                              : "dense",
                   x);
            for (int i = 0; i < p.n; i++) near(x[i], dense[i], 1e-12, "solution");
        }
        free(dense);
        free(x);
        free(p.row);
        free(p.column);
    }
}

/* One direction in which the matrix is negative, as of a contact that breaks away, wherever it
 * stands and whatever the other rows are. */
static void a_matrix_that_is_not_positive_is_refused(void **state) {
    for (int kind = MATRIX_TRIDIAGONAL; kind <= MATRIX_SPARSE; kind++)
        for (int at = 0; at < 6; at++) {
            if (kind == MATRIX_SPARSE && !sparse_usable()) continue;
            pattern p = grid_pattern(6, 1);
            arena memory = {0};
            matrix m = {0};
            matrix_create(&m, &p, kind, &memory);
            for (int i = 0; i < 6; i++) m.value[matrix_slot(&m, i, i)] = i == at ? 0.2 : 2.0;
            for (long k = 0; k < p.count; k++)
                m.value[matrix_slot(&m, p.row[k], p.column[k])] = -1.0;
            assert_false(matrix_factor(&m));
            matrix_free(&m);
            arena_free(&memory);
            free(p.row);
            free(p.column);
        }
}

static void a_singular_matrix_is_refused(void **state) {
    for (int kind = MATRIX_TRIDIAGONAL; kind <= MATRIX_DENSE; kind++) {
        pattern p = grid_pattern(6, 1);
        arena memory = {0};
        matrix m = {0};
        matrix_create(&m, &p, kind, &memory);
        for (int i = 0; i < 6; i++) m.value[matrix_slot(&m, i, i)] = i == 0 || i == 5 ? 1.0 : 2.0;
        for (long k = 0; k < p.count; k++)
            m.value[matrix_slot(&m, p.row[k], p.column[k])] = -1.0; /* a free chain */
        assert_false(matrix_factor(&m));
        arena_free(&memory);
        free(p.row);
        free(p.column);
    }
}

/* ---- rigs ---------------------------------------------------------------------------------- */

typedef struct sheet {
    int n, nx;
    bri_sim_def def;
    bri_signal plate;
    bri_body *bodies;
    bri_coupling *springs;
    bri_contact *pads;
    int *place; /* body of block i */
} sheet;

/* Blocks drawn by a plate; shuffled: the bodies stand in another order, and so do the contacts. */
static void make(sheet *s, int nx, int ny, const char *law, int shuffled) {
    int n = nx * ny;
    *s = (sheet){.n = n, .nx = nx, .def = bri_sim_defaults(), .plate = bri_signal_constant(0.1)};
    s->bodies = calloc((size_t)n + 1, sizeof *s->bodies);
    s->springs = calloc(3 * (size_t)n, sizeof *s->springs);
    s->pads = calloc((size_t)n, sizeof *s->pads);
    s->place = calloc((size_t)n, sizeof *s->place);
    int prime = n % 7 ? 7 : 11, springs = 0;
    for (int i = 0; i < n; i++) s->place[i] = shuffled ? i * prime % n : i;
    bri_coupling spring = bri_coupling_defaults(bri_coupling_find("spring"), n, 0);
    bri_contact pad = {.name = "pad", .model = bri_model_find(law), .b = BRI_GROUND, .n = 9.81};
    bri_model_defaults(pad.model, pad.p);
    static const char *const names[] = {"gamma", "sigma0", "sigma1"};
    const double values[] = {2.0, 1e4, 100.0};
    for (int k = 0; k < 3; k++) {
        int at = bri_model_param(pad.model, names[k]);
        if (at >= 0) pad.p[at] = values[k];
    }
    for (int i = 0; i < n; i++) {
        int here = s->place[i], k = shuffled ? i * prime % n : i;
        double x = -0.1427 + 2e-3 * (halton(i, 2) - 0.5);
        s->bodies[here] = (bri_body){.name = "block", .mass = 1.0 + 0.1 * (i % 3), .x = x};
        s->pads[k] = pad;
        s->pads[k].a = here;
        s->springs[springs] = spring;
        s->springs[springs].p[0] = 40.0;
        s->springs[springs++].b = here;
    }
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 2; k++) {
            int j = k == 0 ? i + 1 : i + nx;
            if ((k == 0 && j % nx == 0) || j >= n) continue;
            s->springs[springs] = spring;
            s->springs[springs].p[0] = 1000.0;
            s->springs[springs].a = s->place[i];
            s->springs[springs++].b = s->place[j];
        }
    s->bodies[n] = (bri_body){.name = "plate", .velocity = &s->plate};
    s->def.system = (bri_system){.bodies = s->bodies,
                                 .couplings = s->springs,
                                 .contacts = s->pads,
                                 .n_bodies = n + 1,
                                 .n_couplings = springs,
                                 .n_contacts = n};
}

static void throw_away(sheet *s) {
    free(s->bodies);
    free(s->springs);
    free(s->pads);
    free(s->place);
}

/* Positions and velocities of all blocks at t. */
static bri_sim *run(sheet *s, const char *solver, double rtol, double t, double *out) {
    bri_sim *sim;
    bri_error err;
    s->def.t_end = t;
    s->def.rtol = rtol;
    s->def.solver = bri_solver_find(solver);
    if (bri_sim_create(&s->def, &sim, &err) || bri_sim_advance(sim, t, &err))
        fail_msg("%s", err.text);
    for (int i = 0; out && i < s->n; i++) {
        bri_body_now b = bri_sim_body(sim, s->place[i]);
        out[2 * i] = b.x;
        out[2 * i + 1] = b.v;
    }
    return sim;
}

static void compare(const sheet *s, const double *got, const double *want, double tolerance) {
    for (int i = 0; i < s->n; i++) {
        near(got[2 * i] - want[2 * i], 0.0, 0.1 * tolerance, "position");
        near(got[2 * i + 1] - want[2 * i + 1], 0.0, tolerance, "velocity");
    }
}

/* ---- results ------------------------------------------------------------------------------- */

static void chains_agree_with_cvode(void **state) {
    static const char *const laws[] = {"lugre", "stribeck_tanh", "elasto_plastic",
                                       "bristle_second_order"};
    if (!bri_solver_find("cvode_bdf")) skip();
    for (int k = 0; k < 4; k += USUALLY(1, 2, 4)) {
        sheet s;
        enum { BLOCKS = 40 }; /* so many that all laws are computed in rows */
        double got[2 * BLOCKS], want[2 * BLOCKS];
        make(&s, BLOCKS, 1, laws[k], 0);
        bri_sim *sim = run(&s, "rosenbrock", 1e-7, 0.7, got);
        assert_string_equal(bri_sim_linear_solver(sim), "tridiagonal");
        bri_sim_free(sim);
        bri_sim_free(run(&s, "cvode_bdf", 1e-9, 0.7, want));
        compare(&s, got, want, 2e-4);
        throw_away(&s);
    }
}

/* A step that a contact ends early by turning is made up to there at once, not a second time: with
 * its 52 turns this chain refuses 19 steps, and 37 if nothing is foreseen. */
static void turns_are_foreseen(void **state) {
    sheet s;
    make(&s, 10, 1, "lugre", 0);
    bri_sim *sim = run(&s, "rosenbrock", 1e-4, 2.0, NULL);
    bri_stats is = bri_sim_stats(sim);
    long turns = is.events;
    if (turns < 20 || 5 * is.rejected > 2 * turns)
        fail_msg("%ld turns, %ld steps, %ld refused", turns, is.steps, is.rejected);
    bri_sim_free(sim);
    throw_away(&s);
}

/* Springs with dampers, all alike, or each with numbers of its own. */
static void damp(sheet *s, int alike) {
    for (int i = 0; i < s->def.system.n_couplings; i++) {
        bri_coupling *c = &s->springs[i];
        double stiffness = c->p[0];
        *c = bri_coupling_defaults(bri_coupling_find("spring_damper"), c->a, c->b);
        c->p[0] = stiffness * (alike ? 1.0 : 0.7 + halton(i, 2));
        c->p[1] = alike ? 1e-3 : 2e-3 * halton(i, 3);
        c->p[2] = alike ? 3.0 : 6.0 * halton(i, 5);
    }
}

/* The order of the blocks decides how they are computed, in rows or one by one, and with which
 * matrix; the results stay. */
static void order_does_not_matter(void **state) {
    static const int sizes[][2] = {{12, 1}, {40, 1}, {100, 1}, {12, 9}};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        for (int kind = 0; kind < 3; kind++) {
            sheet s, t;
            double got[2 * 120], want[2 * 120];
            make(&s, sizes[k][0], sizes[k][1], "lugre", 0);
            make(&t, sizes[k][0], sizes[k][1], "lugre", 1);
            if (kind > 0) damp(&s, kind == 1), damp(&t, kind == 1);
            bri_sim_free(run(&s, "rosenbrock", 1e-9, SAMPLE(0.5, 0.1), want));
            bri_sim_free(run(&t, "rosenbrock", 1e-9, SAMPLE(0.5, 0.1), got));
            compare(&s, got, want, 1e-6);
            throw_away(&s);
            throw_away(&t);
        }
}

/* Springs are found to follow each other in whatever order they are given, such as all springs of a
 * block after those of another: the run takes the same way and gives the same numbers. */
static void springs_may_stand_in_any_order(void **state) {
    enum { BLOCKS = 40 };
    for (int damped = 0; damped < 2; damped++) {
        sheet s;
        double got[2 * BLOCKS], want[2 * BLOCKS];
        bri_coupling mixed[2 * BLOCKS];
        make(&s, BLOCKS, 1, "lugre", 0);
        if (damped) damp(&s, 0);
        bri_sim *sim = run(&s, "rosenbrock", 1e-6, 0.5, want);
        assert_string_equal(bri_sim_path(sim), "rows");
        bri_sim_free(sim);
        int n = s.def.system.n_couplings, prime = n % 7 ? 7 : 11;
        for (int i = 0; i < n; i++) mixed[i] = s.springs[i * prime % n];
        memcpy(s.springs, mixed, sizeof *mixed * (size_t)n);
        sim = run(&s, "rosenbrock", 1e-6, 0.5, got);
        assert_string_equal(bri_sim_path(sim), "rows");
        bri_sim_free(sim);
        compare(&s, got, want, 1e-9);
        throw_away(&s);
    }
}

static void sheets_are_solved_sparsely(void **state) {
    sheet s;
    enum { SIDE = 14 };
    double got[2 * SIDE * SIDE], want[2 * SIDE * SIDE];
    make(&s, SIDE, SIDE, "lugre", 0);
    bri_sim *sim = run(&s, "rosenbrock", 1e-7, SAMPLE(0.3, 0.12), got);
    assert_string_equal(bri_sim_linear_solver(sim), sparse_usable() ? "klu" : "banded");
    bri_sim_free(sim);
    if (bri_solver_find("cvode_bdf")) {
        bri_sim_free(run(&s, "cvode_bdf", 1e-9, SAMPLE(0.3, 0.12), want));
        compare(&s, got, want, 1e-4);
    }
    throw_away(&s);
}

static void energy_is_accounted_for(void **state) {
    static const char *const laws[] = {"lugre", "stribeck_tanh"};
    for (int k = 0; k < 2; k++) {
        sheet s;
        make(&s, SAMPLE(100, 40), 1, laws[k], 0);
        bri_sim *sim = run(&s, "rosenbrock", 1e-8, 1.0, NULL);
        bri_energies e = bri_sim_energies(sim);
        assert_true(e.dissipated > 0.01 * s.n && e.work > 0.01 * s.n);
        near(e.residual, 0.0, 1e-6 * e.work, "residual");
        double F = 0.0; /* what is read of a contact in a row */
        for (int i = 0; i < s.n; i++) F += bri_sim_contact(sim, i).F;
        assert_true(F > 0.0 && isfinite(F));
        bri_sim_free(sim);
        throw_away(&s);
    }
}

/* Contacts with different parameters and loads, and none at all. */
static void contacts_in_a_row_may_differ(void **state) {
    sheet s, t;
    double got[2 * 36], want[2 * 36];
    make(&s, 36, 1, "lugre", 0);
    make(&t, 36, 1, "lugre", 1);
    for (int i = 0; i < s.n; i++) {
        double mu_s = 0.6 + 0.01 * (i % 5), n = i == 7 ? 0.0 : 9.0 + 0.3 * (i % 4);
        int at = bri_model_param(s.pads[0].model, "mu_s");
        for (int k = 0; k < s.n; k++)
            if (t.pads[k].a == t.place[i]) t.pads[k].p[at] = mu_s, t.pads[k].n = n;
        s.pads[i].p[at] = mu_s;
        s.pads[i].n = n;
    }
    bri_sim_free(run(&s, "rosenbrock", 1e-9, 0.3, want));
    bri_sim_free(run(&t, "rosenbrock", 1e-9, 0.3, got));
    compare(&s, got, want, 1e-6);
    throw_away(&s);
    throw_away(&t);
}

static void memory_is_linear(void **state) {
#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)
    double per_block[2];
    for (int k = 0; k < 2; k++) {
        sheet s;
        bri_sim *sim;
        make(&s, k == 0 ? 2000 : SAMPLE(40000, 8000), 1, "lugre", 0);
        struct mallinfo2 before = mallinfo2();
        assert_int_equal(bri_sim_create(&s.def, &sim, NULL), BRI_OK);
        struct mallinfo2 after = mallinfo2();
        per_block[k] =
            ((double)(after.uordblks + after.hblkhd) - (double)(before.uordblks + before.hblkhd)) /
            s.n;
        bri_sim_free(sim);
        throw_away(&s);
    }
    if (per_block[0] > 0.0) near(per_block[1] / per_block[0], 1.0, 0.1, "bytes per block");
#endif
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matrices_agree_with_dense_ones),
        cmocka_unit_test(a_matrix_that_is_not_positive_is_refused),
        cmocka_unit_test(a_singular_matrix_is_refused),
        cmocka_unit_test(chains_agree_with_cvode),
        cmocka_unit_test(turns_are_foreseen),
        cmocka_unit_test(order_does_not_matter),
        cmocka_unit_test(springs_may_stand_in_any_order),
        cmocka_unit_test(sheets_are_solved_sparsely),
        cmocka_unit_test(energy_is_accounted_for),
        cmocka_unit_test(contacts_in_a_row_may_differ),
        cmocka_unit_test(memory_is_linear),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
