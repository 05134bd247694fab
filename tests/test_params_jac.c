/* test_params_jac.c - derivatives in the parameters, of the laws of the library, of pages that are
 * run from their text, and of laws inside others, against differences that are extrapolated here.
 */
#include "bristle_law.h"
#include "samples.h"

#include <stdlib.h>

enum { MOST = 1 + BRI_MAX_STATES, SAMPLES = SAMPLE(300, 100), SETS = 41 };

typedef struct sample {
    double p[BRI_MAX_PARAMS], z[BRI_MAX_STATES];
    bri_input u;
} sample;

/* 0 where a rule of the law refuses the parameters. */
static int take_sample(const bri_model *m, int k, sample *s) {
    static const bri_mode modes[] = {BRI_AUTO, BRI_SLIDE_POS, BRI_SLIDE_NEG, BRI_AUTO, BRI_STUCK};
    for (int j = 0; j < m->n_params; j++)
        s->p[j] = sample_param(&m->params[j], spread(k % SETS, j));
    settle(m, s->p, "mu_c", "mu_s");
    if (bri_model_param(m, "v_t") < 0) settle(m, s->p, "v_s", "v_d");
    if (bri_model_check(m, s->p, NULL) != BRI_OK) return 0;
    double scale = param(m, s->p, "v_s", 0.01), d = k & 1 ? 1.0 : -1.0;
    s->u = (bri_input){.x = spread(k, 31) - 0.5, .mode = modes[k % 5]};
    s->u.v = d * scale * pow(10.0, 3.0 * spread(k, 30) - 2.0);
    if (s->u.mode == BRI_SLIDE_POS) s->u.v = fabs(s->u.v);
    if (s->u.mode == BRI_SLIDE_NEG) s->u.v = -fabs(s->u.v);
    if (s->u.mode == BRI_STUCK && !m->set_valued) s->u.mode = BRI_AUTO;
    if (s->u.mode == BRI_STUCK) s->u.v = 0.0;
    s->u.n = m->load * pow(10.0, 2.0 * spread(k, 32) - 1.0);
    if (k % 32 == 5) s->u.n = 0.0;
    s->u.fa = 2.0 * (2.0 * spread(k, 33) - 1.0) * s->u.n * param(m, s->p, "mu_s", 1.0);
    sample_states(m, s->p, k, 1.3, s->z);
    return 1;
}

/* All entries of column j by Neville's scheme on central differences; where the numbers do not
 * settle, next to a kink, doubt is large. */
static void by_differences(const bri_model *m, const sample *at, int j, double *best,
                           double *doubt) {
    sample s = *at;
    double size = fabs(at->p[j]) > 0.0 ? fabs(at->p[j]) : 1.0, T[5][5][MOST], out[2][MOST];
    int rows = 1 + bri_model_states(m, at->p);
    for (int r = 0; r < rows; r++) doubt[r] = INFINITY;
    for (int i = 0; i < 5; i++) {
        double h = 2e-3 * size / (1 << i);
        for (int side = 0; side < 2; side++) {
            s.p[j] = at->p[j] + (side ? h : -h);
            out[side][0] = bri_model_eval(m, s.p, &s.u, s.z, out[side] + 1);
        }
        for (int r = 0; r < rows; r++) {
            T[i][0][r] = (out[1][r] - out[0][r]) / (2.0 * h);
            for (int c = 1; c <= i; c++) {
                double last = T[i - 1][c - 1][r], next = T[i][c - 1][r];
                T[i][c][r] = next + (next - last) / (pow(4.0, c) - 1.0);
                if (fabs(T[i][c][r] - last) >= doubt[r]) continue;
                doubt[r] = fabs(T[i][c][r] - last);
                best[r] = T[i][c][r];
            }
        }
    }
}

/* Where a rule of the law binds two parameters, differences may pass it; that is no harm. A law
 * that has no derivatives of its own is given differences, which miss where a jump is near. */
static void agrees(const bri_model *m, int exact) {
    int compared = 0, doubtful = 0, missed = 0;
    for (int k = 1; k < SAMPLES; k++) {
        sample s;
        double D[MOST * BRI_MAX_PARAMS], F[MOST], want[MOST], doubt[MOST];
        if (!take_sample(m, k, &s)) continue;
        int rows = 1 + bri_model_states(m, s.p), n = m->n_params;
        F[0] = bri_model_eval(m, s.p, &s.u, s.z, F + 1);
        for (int i = 0; i < rows * n; i++) D[i] = NAN;
        bri_model_params_jac(m, s.p, &s.u, s.z, D);
        for (int j = 0; j < n; j++) {
            if (!m->params[j].whole) by_differences(m, &s, j, want, doubt);
            for (int r = 0; r < rows; r++) {
                double got = D[r * n + j];
                hold(m, isfinite(got), "sample %d: d(%d)/d%s is %g", k, r, m->params[j].name, got);
                if (m->params[j].whole) {
                    hold(m, got == 0.0, "sample %d: d(%d)/d%s is %g", k, r, m->params[j].name, got);
                    continue;
                }
                double size = fabs(want[r]) + fabs(F[r] / (s.p[j] != 0.0 ? s.p[j] : 1.0));
                if (doubt[r] > 1e-7 * size) {
                    doubtful++;
                    continue;
                }
                compared++;
                if (!exact && !(fabs(got - want[r]) <= 2e-6 * size + 1e-300)) missed++;
                hold(m, !exact || fabs(got - want[r]) <= 2e-6 * size + 1e-300,
                     "sample %d, d(%d)/d%s: %.12g, differences %.12g +- %g (v %g n %g mode %d)", k,
                     r, m->params[j].name, got, want[r], doubt[r], s.u.v, s.u.n, (int)s.u.mode);
            }
        }
    }
    hold(m, compared > 8 * doubtful, "%d compared, %d doubtful", compared, doubtful);
    hold(m, missed <= compared / 500, "%d of %d missed", missed, compared);
}

/* Those of the table, and each with noise. */
static void laws_of_the_library(void **state) {
    for (int i = 0; law_at(i); i++)
        agrees(law_at(i), bri_model_at(i % bri_model_count())->params_jac != NULL);
    (void)state;
}

static void laws_with_a_direction(void **state) {
    bri_directed w;
    for (int i = 0; i < bri_model_count(); i++) {
        assert_int_equal(bri_directed_init(&w, bri_model_at(i)), BRI_OK);
        agrees(&w.model, bri_model_at(i)->params_jac != NULL);
    }
    (void)state;
}

/* Run from their text they are exact: no digit is lost to a difference. */
static void laws_from_pages(void **state) {
    for (int i = 0; i < bri_law_page_count(); i++) {
        bri_law *l;
        const char *name = bri_law_page_name(i), *text = bri_law_page(name);
        bri_status status = bri_law_parse(text, strlen(text), name, &l, NULL);
        if (status == BRI_MISSING) skip();
        assert_int_equal(status, BRI_OK);
        assert_non_null(bri_law_model(l)->params_jac);
        agrees(bri_law_model(l), 1);
        bri_law_free(l);
    }
    (void)state;
}

/* A closed form: LuGre in steady sliding, F = N (mu_c + (mu_s - mu_c) e) + (sigma2 + nu N) v. Along
 * the steady state dF/dp = dF/dp + dF/dz dz/dp with dz/dp = -(dr/dz)^-1 dr/dp. */
static void steady_sliding(void **state) {
    const bri_model *m = bri_model_find("lugre");
    double p[BRI_MAX_PARAMS], D[2 * BRI_MAX_PARAMS], J[8];
    int n = m->n_params;
    for (int k = 0; k < 200; k++) {
        sample_params(m, k, p);
        double v_s = param(m, p, "v_s", 0.0), gamma = param(m, p, "gamma", 0.0), v;
        double mu_c = param(m, p, "mu_c", 0.0), mu_s = param(m, p, "mu_s", 0.0);
        bri_input u = {.v = v = v_s * (0.05 + 3.0 * spread(k, 1)), .n = 10.0 + k};
        double power = pow(v / v_s, gamma), e = exp(-power), drop = u.n * (mu_s - mu_c) * e;
        double z = u.n * (mu_c + (mu_s - mu_c) * e) / param(m, p, "sigma0", 0.0);
        bri_model_params_jac(m, p, &u, &z, D);
        bri_model_jac(m, p, &u, &z, J);
        const struct {
            const char *name;
            double want;
        } rows[] = {{"mu_c", u.n * (1.0 - e)},
                    {"mu_s", u.n * e},
                    {"v_s", drop * power * gamma / v_s},
                    {"gamma", -drop * power * log(v / v_s)},
                    {"sigma0", 0.0},
                    {"sigma1", 0.0},
                    {"sigma2", v},
                    {"nu", u.n * v}};
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
            int j = bri_model_param(m, rows[i].name);
            double got = D[j] - J[3] * D[n + j] / J[7];
            double size = fabs(D[j]) + fabs(rows[i].want) + u.n * mu_s / fmax(p[j], 1e-3);
            hold(m, fabs(got - rows[i].want) <= 1e-9 * size, "sample %d, %s: %.15g, wanted %.15g",
                 k, rows[i].name, got, rows[i].want);
        }
    }
    (void)state;
}

/* Arrays hold, entry by entry, what the calls for one contact give. */
static void arrays_of_contacts(void **state) {
    enum { COUNT = 13 };
    static double p[BRI_MAX_PARAMS * COUNT], z[BRI_MAX_STATES * COUNT], F[COUNT], one[COUNT];
    static double dz[BRI_MAX_STATES * COUNT], rates[BRI_MAX_STATES * COUNT];
    static double J[MOST * (3 + BRI_MAX_STATES) * COUNT], D[MOST * BRI_MAX_PARAMS * COUNT];
    for (int l = 0; l < bri_model_count(); l++) {
        const bri_model *m = bri_model_at(l);
        sample s[COUNT];
        double v[COUNT], loads[COUNT];
        for (int i = 0; i < COUNT; i++) {
            assert_true(take_sample(m, SETS * i + 3, &s[i]));
            s[i].u.mode = BRI_AUTO;
            s[i].u.x = s[i].u.fa = 0.0;
            v[i] = s[i].u.v;
            loads[i] = s[i].u.n = i == 4 ? 0.0 : s[i].u.n;
            for (int j = 0; j < m->n_params; j++) p[j * COUNT + i] = s[i].p[j];
            for (int j = 0; j < m->n_states; j++) z[j * COUNT + i] = s[i].z[j];
        }
        bri_batch b = {m, COUNT, p, v, loads, 1, 1, BRI_LEVEL_LIBM};
        int k = bri_model_states(m, s[0].p), n = m->n_params;
        bri_batch_eval(&b, z, one, rates);
        bri_batch_jac(&b, z, F, dz, J);
        assert_memory_equal(F, one, sizeof F);
        assert_memory_equal(dz, rates, sizeof *dz * COUNT * (size_t)k);
        memset(F, 0, sizeof F);
        bri_batch_params_jac(&b, z, F, dz, D);
        assert_memory_equal(F, one, sizeof F);
        for (int i = 0; i < COUNT; i++) {
            double J_one[MOST * (3 + BRI_MAX_STATES)], D_one[MOST * BRI_MAX_PARAMS];
            bri_model_jac(m, s[i].p, &s[i].u, s[i].z, J_one);
            bri_model_params_jac(m, s[i].p, &s[i].u, s[i].z, D_one);
            for (int e = 0; e < (1 + k) * (3 + k); e++)
                hold(m, J[e * COUNT + i] == J_one[e], "J %d of contact %d", e, i);
            for (int e = 0; e < (1 + k) * n; e++)
                hold(m, D[e * COUNT + i] == D_one[e], "D %d of contact %d", e, i);
        }
        bri_batch_params_jac(&b, z, NULL, NULL, D);
        bri_batch_jac(&b, z, NULL, NULL, J);
    }
    (void)state;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(laws_of_the_library), cmocka_unit_test(laws_with_a_direction),
        cmocka_unit_test(laws_from_pages),     cmocka_unit_test(steady_sliding),
        cmocka_unit_test(arrays_of_contacts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
