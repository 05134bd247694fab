/* test_batch.c - arrays of contacts: layout, levels, tails, open contacts, and that the plain loop
 * is the law itself. How close the kernels come to it is the subject of test_kernels.c. */
#define _POSIX_C_SOURCE 200809L
#include "bristle_law.h"
#include "kernels/kernels.h"
#include "samples.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST = 67, GUARD = 9, ROOM = BRI_MAX_STATES * MOST + 2 * GUARD + 1 };

/* Contacts of one law, arrays between guards; `shift` doubles off any alignment. */
typedef struct contacts {
    double p[BRI_MAX_PARAMS * MOST + 1], v[MOST + 1], n[MOST + 1], z[ROOM];
    double F[MOST + 2 * GUARD + 1], dz[ROOM];
} contacts;

static const double guard = -12345.678;

static void fill(double *a, size_t n, double value) {
    for (size_t i = 0; i < n; i++) a[i] = value;
}

/* Contact i is sample first + i; its parameters are those of sample `set` if they are shared. */
static void prepare(const bri_model *m, size_t count, int set, int own, contacts *c) {
    double p[BRI_MAX_PARAMS], z[BRI_MAX_STATES];
    fill(c->z, ROOM, guard);
    for (size_t i = 0; i < count; i++) {
        sample_params(m, own ? set + (int)i : set, p);
        for (int j = 0; j < m->n_params; j++) c->p[own ? (size_t)j * count + i : (size_t)j] = p[j];
        sample_states(m, p, (int)i, 1.5, z);
        for (int j = 0; j < bri_model_states(m, p); j++) c->z[GUARD + (size_t)j * count + i] = z[j];
        double r = spread((int)i, 31);
        c->v[i] = i % 11 == 3 ? 0.0 : (i % 2 ? -1.0 : 1.0) * pow(10.0, 5.0 * r - 4.0);
        c->n[i] = i % 13 == 5 ? 0.0 : i % 17 == 7 ? -2.0 : m->load * (0.2 + spread((int)i, 32));
    }
}

static bri_batch batch_of(const bri_model *m, const contacts *c, size_t count, int own_params,
                          int own_loads, bri_level level) {
    return (bri_batch){m, count, c->p, c->v, c->n, own_params, own_loads, level};
}

static void run(const bri_batch *b, int step, contacts *c) {
    fill(c->F, MOST + 2 * GUARD + 1, guard);
    fill(c->dz, ROOM, guard);
    if (step)
        bri_batch_step(b, 1e-4, c->z + GUARD, c->F + GUARD);
    else
        bri_batch_eval(b, c->z + GUARD, c->F + GUARD, c->dz + GUARD);
}

static int same(const double *a, const double *b, size_t n) {
    return memcmp(a, b, n * sizeof *a) == 0;
}

/* ---- promises ------------------------------------------------------------------------------- */

/* At level libm every law gives, contact by contact, the bytes of the call for one contact. */
static void plain_loop_is_the_law(void **state) {
    static contacts c, got;
    for (int l = 0; law_at(l); l++)
        for (int variant = 0; variant < 8; variant++) {
            const bri_model *m = law_at(l);
            int own = variant & 1, loads = variant >> 1 & 1, step = variant >> 2;
            prepare(m, MOST, 1, own, &c);
            got = c;
            bri_batch b = batch_of(m, &c, MOST, own, loads, BRI_LEVEL_LIBM);
            assert_int_equal(bri_batch_vectorised(&b), 0);
            run(&b, step, &got);
            for (size_t i = 0; i < MOST; i++) {
                double p[BRI_MAX_PARAMS], z[BRI_MAX_STATES], dz[BRI_MAX_STATES] = {0};
                for (int j = 0; j < m->n_params; j++)
                    p[j] = c.p[own ? (size_t)j * MOST + i : (size_t)j];
                int k = bri_model_states(m, p);
                for (int j = 0; j < k; j++) z[j] = c.z[GUARD + (size_t)j * MOST + i];
                bri_input u = {.v = c.v[i], .n = c.n[loads ? i : 0]};
                double F =
                    step ? bri_model_step(m, p, &u, 1e-4, z) : bri_model_eval(m, p, &u, z, dz);
                hold(m, same(&F, &got.F[GUARD + i], 1), "force of contact %d", (int)i);
                for (int j = 0; j < k; j++)
                    hold(m,
                         same(step ? &z[j] : &dz[j],
                              &(step ? got.z : got.dz)[GUARD + (size_t)j * MOST + i], 1),
                         "state %d of contact %d", j, (int)i);
            }
        }
}

/* Arrays of any length, none of them aligned to more than a double. */
static void nothing_is_written_beside_the_arrays(void **state) {
    static contacts c;
    for (int l = 0; l < bri_model_count(); l++)
        for (bri_level level = BRI_LEVEL_LIBM; level < BRI_LEVEL_COUNT; level++)
            for (size_t count = 0; count <= MOST; count++)
                for (int variant = 0; variant < 4; variant++) {
                    const bri_model *m = bri_model_at(l);
                    double p[BRI_MAX_PARAMS];
                    if (!bri_level_usable(level)) continue;
                    bri_model_defaults(m, p);
                    size_t end = GUARD + (size_t)bri_model_states(m, p) * count;
                    prepare(m, count, 0, 0, &c);
                    bri_batch b = batch_of(m, &c, count, 0, variant & 1, level);
                    run(&b, variant >> 1, &c);
                    for (size_t i = 0; i < GUARD; i++)
                        hold(
                            m,
                            c.F[i] == guard && c.F[GUARD + count + i] == guard && c.z[i] == guard &&
                                c.z[end + i] == guard && c.dz[i] == guard && c.dz[end + i] == guard,
                            "%s: written beside an array of %d", bri_level_name(level), (int)count);
                }
}

/* The bytes of a contact are the same in an array, with parameters of its own among others or
 * shared with all, and alone. */
static void contact_does_not_feel_its_neighbours(void **state) {
    static contacts before, c;
    for (int l = 0; l < bri_model_count(); l++)
        for (int variant = 0; variant < 16; variant++) {
            const bri_model *m = bri_model_at(l);
            bri_level level = (bri_level)(BRI_LEVEL_LIBM + variant % 4);
            int step = variant / 4 % 2, own = variant / 8;
            if (!bri_level_usable(level)) continue;
            prepare(m, MOST, 5, own, &before);
            c = before;
            bri_batch b = batch_of(m, &c, MOST, own, 1, level);
            run(&b, step, &c);
            for (size_t i = 0; i < MOST; i++) {
                double p[BRI_MAX_PARAMS], z[BRI_MAX_STATES], dz[BRI_MAX_STATES], F;
                for (int j = 0; j < m->n_params; j++)
                    p[j] = before.p[own ? (size_t)j * MOST + i : (size_t)j];
                int k = bri_model_states(m, p);
                for (int j = 0; j < k; j++) z[j] = before.z[GUARD + (size_t)j * MOST + i];
                bri_batch alone = {m, 1, p, before.v + i, before.n + i, 0, 0, level};
                /* dahl has a step for exponent 1: in a mixed array the plain loop does it */
                if (!own && before.n[i] > 0.0)
                    hold(m, bri_batch_vectorised(&alone) == bri_batch_vectorised(&b), "kernel");
                if (own && step && strcmp(m->name, "dahl") == 0) continue;
                if (step)
                    bri_batch_step(&alone, 1e-4, z, &F);
                else
                    bri_batch_eval(&alone, z, &F, dz);
                int open = !(before.n[i] > 0.0); /* alone it is left to the plain loop */
                hold(m, open ? F == c.F[GUARD + i] : same(&F, &c.F[GUARD + i], 1),
                     "%s: force of contact %d alone", bri_level_name(level), (int)i);
                for (int j = 0; j < k && !(open && step); j++)
                    hold(m,
                         same(step ? &z[j] : &dz[j],
                              &(step ? c.z : c.dz)[GUARD + (size_t)j * MOST + i], 1),
                         "%s: state %d of contact %d alone", bri_level_name(level), j, (int)i);
            }
        }
}

/* The same parameters written once, or once per contact. */
static void shared_and_own_parameters_agree(void **state) {
    static contacts a, b;
    for (int l = 0; l < bri_model_count(); l++)
        for (int set = 0; set < 12; set++)
            for (bri_level level = BRI_LEVEL_LIBM; level < BRI_LEVEL_COUNT; level++)
                for (int step = 0; step < 2; step++) {
                    const bri_model *m = bri_model_at(l);
                    if (!bri_level_usable(level)) continue;
                    prepare(m, MOST, set, 0, &a);
                    b = a;
                    for (int j = 0; j < m->n_params; j++) fill(b.p + j * MOST, MOST, a.p[j]);
                    fill(b.n, MOST, a.n[0]);
                    bri_batch shared = batch_of(m, &a, MOST, 0, 0, level);
                    bri_batch own = batch_of(m, &b, MOST, 1, 1, level);
                    run(&shared, step, &a);
                    run(&own, step, &b);
                    hold(m,
                         same(a.F, b.F, MOST + 2 * GUARD) && same(a.z, b.z, ROOM) &&
                             same(a.dz, b.dz, ROOM),
                         "%s: parameters %d differ when every contact has them",
                         bri_level_name(level), set);
                }
}

/* d(F, dz/dt)/d(v or z) by differences of the law itself: central ones, extrapolated twice. */
static void slopes(const bri_model *m, const double *p, bri_input u, double z, int by_z,
                   double to[2]) {
    double *x = by_z ? &z : &u.v, at = *x, h = 1e-2 * fabs(at), d[3][2], dz;
    for (int k = 0; k < 3; k++, h *= 0.5)
        for (int row = 0; row < 2; row++) {
            double F[2], rate[2];
            for (int side = 0; side < 2; side++) {
                *x = at + (side ? h : -h);
                F[side] = bri_model_eval(m, p, &u, &z, &dz);
                rate[side] = dz;
            }
            *x = at;
            d[k][row] = (row ? rate[1] - rate[0] : F[1] - F[0]) / (2.0 * h);
        }
    for (int row = 0; row < 2; row++) {
        double a = (4.0 * d[1][row] - d[0][row]) / 3.0, b = (4.0 * d[2][row] - d[1][row]) / 3.0;
        to[row] = (16.0 * b - a) / 15.0;
    }
}

/* The derivatives that solvers take of LuGre are those of the law, to rounding, and those of its
 * differences (of all laws: test_kernels); both signs of v, v = 0 and open contacts among them. The
 * largest of the terms whose sum a derivative is: with c = sigma0/g they are 1, c z, and what the
 * slope of g makes of it. */
static void derivatives_are_those_of_the_law(void **state) {
    static contacts c;
    static double J[BRI_DERIVATIVES * MOST];
    int seen[BRI_LEVEL_COUNT] = {0};
    const bri_model *m = bri_model_find("lugre");
    for (int k = 0; k < 40 * BRI_LEVEL_COUNT; k++) {
        bri_level level = (bri_level)(k % BRI_LEVEL_COUNT);
        int own = k / BRI_LEVEL_COUNT % 2, set = k / BRI_LEVEL_COUNT / 2;
        if (!bri_level_usable(level)) continue;
        prepare(m, MOST, set, own, &c);
        bri_batch b = batch_of(m, &c, MOST, own, 1, level);
        if (!bri_batch_slopes(&b, c.z + GUARD, J)) continue;
        seen[level]++;
        for (size_t i = 0; i < MOST; i++) {
            double p[BRI_MAX_PARAMS], z = c.z[GUARD + i], rows[8], by_v[2], by_z[2];
            for (int j = 0; j < m->n_params; j++)
                p[j] = c.p[own ? (size_t)j * MOST + i : (size_t)j];
            bri_input u = {.v = c.v[i], .n = c.n[i]};
            bri_model_jac(m, p, &u, &z, rows);
            const double law[BRI_DERIVATIVES] = {rows[1], rows[3], rows[5], rows[7]};
            double F_size = fmax(fabs(law[BRI_F_BY_V]), fabs(law[BRI_F_BY_Z]) * fabs(z));
            int open = !(u.n > 0.0), still = u.v == 0.0;
            slopes(m, p, u, z, 0, by_v), slopes(m, p, u, z, 1, by_z);
            const double differences[BRI_DERIVATIVES] = {by_v[0], by_z[0], by_v[1], by_z[1]};
            for (int j = 0; j < BRI_DERIVATIVES; j++) {
                double got = J[(size_t)j * MOST + i], size = fabs(law[j]);
                if (j == BRI_F_BY_V) size = fmax(size, fabs(law[BRI_Z_BY_V]) * p[5]);
                if (j == BRI_F_BY_Z) size = fmax(size, fabs(law[BRI_Z_BY_Z]) * p[5]);
                hold(m, fabs(got - law[j]) <= 1e-11 * (size + 1e-3 * F_size) + 1e-14,
                     "%s: derivative %d of contact %d is %.17g, not %.17g", bri_level_name(level),
                     j, (int)i, got, law[j]);
                if (open || still) continue;
                hold(m, fabs(got - differences[j]) <= 1e-5 * (size + F_size) + 1e-9,
                     "%s: derivative %d of contact %d is %.17g, by differences %.17g",
                     bri_level_name(level), j, (int)i, got, differences[j]);
            }
        }
    }
    for (bri_level level = TEST_KERNELS; level < BRI_LEVEL_COUNT; level++)
        if (bri_level_usable(level)) assert_true(seen[level] > 0);
}

/* Every law that is a file has kernels; the rest works all the same (above). */
static void kernels_are_used(void **state) {
    double v = 0.1;
    for (bri_level level = TEST_KERNELS; level < BRI_LEVEL_COUNT; level++)
        for (int i = 0; i < bri_model_count(); i++) {
            const bri_model *m = bri_model_at(i);
            double p[BRI_MAX_PARAMS];
            if (!bri_law_page(m->name)) continue;
            bri_model_defaults(m, p);
            bri_batch b = {m, 1, p, &v, &m->load, 0, 0, level};
            if (bri_level_usable(level))
                hold(m, bri_batch_vectorised(&b), "%s has no kernel", bri_level_name(level));
            bri_directed w; /* with a direction it is computed by those of the law inside */
            double q[BRI_MAX_PARAMS];
            assert_int_equal(bri_directed_init(&w, m), BRI_OK);
            bri_model_defaults(&w.model, q);
            bri_batch directed = {&w.model, 1, q, &v, &m->load, 0, 0, level};
            hold(m, bri_batch_vectorised(&directed) == bri_batch_vectorised(&b), "directed");
            bri_model copy = *m; /* a user's own law is never mistaken for one of ours */
            b.model = &copy;
            hold(m, !bri_batch_vectorised(&b), "a copy is taken for the law");
        }
}

/* Kernels that were found once write the same bytes, for laws with a direction, too; a law whose
 * step has no kernel finds none. */
static void found_kernels(bri_level level) {
    static const char *const names[] = {"lugre", "stick_slip", "elasto_plastic",
                                        "bristle_implicit"};
    static contacts a, b;
    enum { COUNT = 2 * BRI_KERNEL_WIDTH };
    for (int k = 0; k < 8; k++) {
        const bri_model *m = bri_model_find(names[k / 2]);
        bri_directed w;
        bri_batch_kernels by;
        prepare(m, COUNT, 3, 1, &a);
        if (k % 2) {
            assert_int_equal(bri_directed_init(&w, m), BRI_OK);
            for (int i = 0; i < COUNT; i++) a.p[m->n_params * COUNT + i] = 0.5 + 0.1 * i;
            m = &w.model;
        }
        b = a;
        bri_batch x = batch_of(m, &a, COUNT, 1, 1, level);
        hold(m, bri_batch_find(&x, &by) == (k / 2 < 3), "found");
        if (k / 2 == 3) continue;
        assert_int_equal(COUNT % by.width, 0);
        bri_batch_step(&x, 1e-4, a.z + GUARD, a.F);
        bri_batch_step_by(&by, &x, 1e-4, b.z + GUARD, b.F);
        assert_true(same(a.F, b.F, COUNT) && same(a.z, b.z, ROOM));
        bri_batch_eval(&x, a.z + GUARD, a.F, a.dz);
        bri_batch_eval_by(&by, &x, b.z + GUARD, b.F, b.dz);
        assert_true(same(a.F, b.F, COUNT) && same(a.dz, b.dz, COUNT));
    }
}

static void found_kernels_write_the_same(void **state) {
    (void)state;
    for (bri_level level = TEST_KERNELS; level < BRI_LEVEL_COUNT; level++)
        if (bri_level_usable(level)) found_kernels(level);
}

/* Without states a step is the force of now, by the same code: to the bit. */
static void a_step_without_states_is_the_force(void **state) {
    static contacts c;
    static double F[MOST], z[GUARD + MOST];
    for (bri_level level = BRI_LEVEL_LIBM; level < BRI_LEVEL_COUNT; level++)
        for (int i = 0; i < bri_model_count(); i++) {
            const bri_model *m = bri_model_at(i);
            if (m->n_states > 0 || !bri_level_usable(level)) continue;
            prepare(m, MOST, i, 1, &c);
            bri_batch b = batch_of(m, &c, MOST, 1, 1, level);
            bri_batch_eval(&b, z, c.F, NULL);
            bri_batch_step(&b, 1e-3, z, F);
            hold(m, memcmp(F, c.F, sizeof F) == 0, "%s: steps differ", bri_level_name(level));
            for (size_t k = 0; k < MOST; k++) {
                double p[BRI_MAX_PARAMS];
                for (int j = 0; j < m->n_params; j++) p[j] = c.p[(size_t)j * MOST + k];
                bri_input u = {.v = c.v[k], .n = c.n[k]};
                double one = bri_model_step(m, p, &u, 1e-3, z);
                hold(m, fabs(F[k] - one) <= 1e-13 * (fabs(one) + fabs(u.n)),
                     "%s: contact %d is %g, not %g", bri_level_name(level), (int)k, F[k], one);
            }
        }
}

static void open_contacts_carry_nothing(void **state) {
    static contacts c;
    for (bri_level level = BRI_LEVEL_LIBM; level < BRI_LEVEL_COUNT; level++)
        for (int shared = 0; shared < 2; shared++) {
            const bri_model *m = bri_model_find("lugre");
            if (!bri_level_usable(level)) continue;
            prepare(m, MOST, 0, 0, &c);
            fill(c.n, MOST, shared ? -1.0 : 0.0);
            bri_batch b = batch_of(m, &c, MOST, 0, !shared, level);
            run(&b, 0, &c);
            for (size_t i = 0; i < MOST; i++) {
                assert_true(c.F[GUARD + i] == 0.0);
                near(c.dz[GUARD + i], -c.z[GUARD + i] * 98100.0 / 780.0, 1e-15,
                     "relaxation in the air");
            }
        }
}

/* ---- levels ---------------------------------------------------------------------------------
 */

static void levels_have_names(void **state) {
    static const char *const names[] = {"auto", "libm", "base", "v3", "v4"};
    for (int l = 0; l < BRI_LEVEL_COUNT; l++)
        assert_string_equal(bri_level_name((bri_level)l), names[l]);
    assert_non_null(bri_level_name((bri_level)99));
    assert_false(bri_level_usable((bri_level)99));
    assert_true(bri_level_usable(BRI_LEVEL_AUTO) && bri_level_usable(BRI_LEVEL_LIBM));
    assert_true(bri_level_usable(bri_level_best()) && bri_level_best() != BRI_LEVEL_AUTO);
}

/* What bri_level_best() says in a process started with BRISTLE_LEVEL=value. */
static int best_with(const char *program, const char *value) {
    pid_t child = fork();
    if (child == 0) {
        if (value)
            setenv("BRISTLE_LEVEL", value, 1);
        else
            unsetenv("BRISTLE_LEVEL");
        execl(program, program, "--best", (char *)NULL);
        _exit(99);
    }
    int status = 0;
    assert_true(child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void environment_chooses_the_level(void **state) {
    const char *program = *state;
    int best = best_with(program, NULL);
    assert_true(bri_level_usable((bri_level)best));
    for (int l = BRI_LEVEL_LIBM; l < BRI_LEVEL_COUNT; l++)
        assert_int_equal(best_with(program, bri_level_name((bri_level)l)),
                         bri_level_usable((bri_level)l) ? l : best);
    assert_int_equal(best_with(program, "v99"), best);
    assert_int_equal(best_with(program, ""), best);
    assert_int_equal(best_with(program, "auto"), best);
}

/* ---- threads --------------------------------------------------------------------------------
 */

static void *work(void *arg) {
    contacts *c = arg;
    const bri_model *m = bri_model_find("lugre");
    for (int i = 0; i < 500; i++) {
        prepare(m, MOST, 3, 1, c);
        bri_batch b = batch_of(m, c, MOST, 1, 1, BRI_LEVEL_AUTO);
        run(&b, i % 2, c);
    }
    return NULL;
}

static void threads_get_the_same_bytes(void **state) {
    static contacts c[4];
    pthread_t threads[4];
    for (int i = 0; i < 4; i++) assert_int_equal(pthread_create(&threads[i], NULL, work, &c[i]), 0);
    for (int i = 0; i < 4; i++) assert_int_equal(pthread_join(threads[i], NULL), 0);
    for (int i = 1; i < 4; i++)
        assert_true(same(c[i].F, c[0].F, MOST + 2 * GUARD) && same(c[i].z, c[0].z, ROOM));
}

int main(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], "--best") == 0) return (int)bri_level_best();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_loop_is_the_law),
        cmocka_unit_test(nothing_is_written_beside_the_arrays),
        cmocka_unit_test(contact_does_not_feel_its_neighbours),
        cmocka_unit_test(shared_and_own_parameters_agree),
        cmocka_unit_test(derivatives_are_those_of_the_law),
        cmocka_unit_test(kernels_are_used),
        cmocka_unit_test(found_kernels_write_the_same),
        cmocka_unit_test(a_step_without_states_is_the_force),
        cmocka_unit_test(open_contacts_carry_nothing),
        cmocka_unit_test(levels_have_names),
        cmocka_unit_test_prestate(environment_chooses_the_level, argv[0]),
        cmocka_unit_test(threads_get_the_same_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
