/* test_laws.c - the files of laws/ against the C that is generated from them and that the library
 * runs: tables, value, rates, Jacobian and derivatives in the parameters, by the vector machine to
 * the bit. What is true of a law is tested elsewhere, whatever it is written in. */
#include "law/law.h"
#include "samples.h"

#include "bristle_law.h"

#include <stdlib.h>

enum { SAMPLES = SAMPLE(20000, 3000), MOST = 1 + BRI_MAX_STATES };

static void tell(void *to, int line, const char *words) {
    fail_msg("%s:%d: %s", (const char *)to, line, words);
}

/* Law i of the library, if it is a file. */
static const bri_model *file_law(int i) {
    const bri_model *m = bri_model_at(i);
    return bri_law_page(m->name) ? m : NULL;
}

static law *read_law(const char *name) {
    const char *text = bri_law_page(name);
    char file[100];
    snprintf(file, sizeof file, "%s.yaml", name);
    law *l = law_read(text, strlen(text), tell, file);
    assert_non_null(l);
    return l;
}

/* Most laws are files, and the library runs them under their names. */
static void test_tables(void **state) {
    int files = 0;
    for (int i = 0; i < bri_model_count(); i++) {
        const bri_model *m = file_law(i);
        if (!m) continue;
        law *l = read_law(m->name);
        files++;
        assert_string_equal(m->title, l->title);
        assert_string_equal(m->cite, l->cite);
        assert_string_equal(m->limits, l->limits);
        assert_int_equal(m->n_params, l->n_params);
        assert_int_equal(m->n_states, l->n_states);
        for (int j = 0; j < m->n_params; j++) {
            assert_string_equal(m->params[j].name, l->params[j].name);
            assert_string_equal(m->params[j].unit, l->params[j].unit);
            assert_string_equal(m->params[j].text, l->params[j].text);
            near(m->params[j].def, l->params[j].def, 0.0, "default");
            assert_int_equal(m->params[j].role, l->params[j].role);
        }
        law_free(l);
    }
    assert_true(files >= 22);
    (void)state;
}

/* ---- samples --------------------------------------------------------------------------------- */

typedef struct sample {
    double p[BRI_MAX_PARAMS], z[BRI_MAX_STATES];
    bri_input u;
} sample;

/* Sample number k: parameters within a decade of the defaults or at the ends of their ranges,
 * velocities from nothing to fast in both directions, also past a frozen reversal, loads down to
 * none. 0 where the law refuses the parameters. */
static int take_sample(const bri_model *m, int k, sample *s) {
    static const double edges[] = {0.0, -0.0, 5e-324, -1e-310, 1e-15, -1e-12, 1e3, -1e3};
    static const bri_mode modes[] = {BRI_AUTO, BRI_SLIDE_POS, BRI_SLIDE_NEG, BRI_AUTO, BRI_STUCK};
    double r = spread(k, 30);
    if (k % 8 == 7) {
        if (!corner_params(m, k, s->p)) return 0;
    } else {
        sample_params(m, k % 997, s->p);
    }
    double scale = param(m, s->p, "v_s", 0.01);
    s->u.v = (k & 1 ? 1.0 : -1.0) * scale * pow(10.0, 6.0 * r - 4.0);
    if (k % 16 == 3) s->u.v = edges[k / 16 % 8];
    s->u.x = spread(k, 31) - 0.5;
    s->u.n = m->load * pow(10.0, 2.0 * spread(k, 32) - 1.0);
    if (k % 32 == 5) s->u.n = k & 64 ? 0.0 : 1e-29;
    s->u.mode = modes[k % 5];
    if (s->u.mode == BRI_STUCK && !m->set_valued) s->u.mode = BRI_AUTO;
    /* a solver freezes no further than the next corner of the curve */
    if (s->u.mode == BRI_SLIDE_POS && s->u.v < 0.0) s->u.v *= 1e-3;
    if (s->u.mode == BRI_SLIDE_NEG && s->u.v > 0.0) s->u.v *= 1e-3;
    s->u.fa = 2.0 * (2.0 * spread(k, 33) - 1.0) * s->u.n * param(m, s->p, "mu_s", 1.0);
    sample_states(m, s->p, k, 2.0, s->z);
    if (k % 24 == 9)
        for (int j = 0; j < m->n_states; j++) s->z[j] = 0.0;
    return 1;
}

/* ---- the machine ----------------------------------------------------------------------------- */

typedef struct machine {
    law *l;
    expr_program *program;
    expr_frame *frame;
    int rows, width, count;
} machine;

static void machine_open(machine *x, const char *name) {
    static expr_id roots[MOST * (MOST + 3 + BRI_MAX_PARAMS)];
    x->l = read_law(name);
    x->rows = 1 + x->l->n_states;
    x->width = 3 + x->l->n_states;
    x->count = x->rows * (1 + x->width + x->l->n_params);
    assert_true(law_values(x->l, roots));
    assert_true(law_jacobian(x->l, roots + x->rows));
    assert_true(law_parameter_slopes(x->l, roots + x->rows * (1 + x->width)));
    const expr_compile how = {.frozen = LAW_V + 1};
    x->program = expr_program_new(x->l->g, roots, x->count, &how);
    assert_non_null(x->program);
    x->frame = expr_frame_new(x->program);
    assert_non_null(x->frame);
}

static void machine_close(machine *x) {
    expr_frame_free(x->frame);
    expr_program_free(x->program);
    law_free(x->l);
}

/* F, rates, Jacobian, derivatives in the parameters. */
static void machine_run(machine *x, const sample *s, double *out) {
    double in[200];
    int frozen = !law_own_direction(x->l), n = expr_variables(x->l->g);
    double d = frozen && s->u.mode == BRI_SLIDE_POS   ? 1.0
               : frozen && s->u.mode == BRI_SLIDE_NEG ? -1.0
                                                      : (s->u.v > 0.0) - (s->u.v < 0.0);
    assert_true(n + 2 < 200);
    in[LAW_X] = s->u.x;
    in[LAW_V] = s->u.v;
    in[LAW_N] = s->u.n;
    for (int i = 0; i < x->l->n_states; i++) in[LAW_STATES + i] = s->z[i];
    for (int i = 0; i < x->l->n_params; i++) in[law_param_variable(x->l, i)] = s->p[i];
    in[n] = frozen && (s->u.mode == BRI_SLIDE_POS || s->u.mode == BRI_SLIDE_NEG) ? d * s->u.v
                                                                                 : fabs(s->u.v);
    in[n + 1] = d;
    expr_run_one(x->frame, in, out);
}

/* While the contact is closed and slides, to the bit. */
static void test_generated(void **state) {
    static double want[MOST * (MOST + 3 + BRI_MAX_PARAMS)], got[MOST * (MOST + 3 + BRI_MAX_PARAMS)];
    for (int i = 0; i < bri_model_count(); i++) {
        const bri_model *m = file_law(i);
        machine x;
        int compared = 0;
        if (!m) continue;
        machine_open(&x, m->name);
        for (int k = 0; k < SAMPLES; k++) {
            sample s;
            if (!take_sample(m, k, &s) || s.u.n <= 1e-30) continue;
            if (m->set_valued && (s.u.mode == BRI_STUCK || s.u.v == 0.0)) continue;
            got[0] = bri_model_eval(m, s.p, &s.u, s.z, got + 1);
            bri_model_jac(m, s.p, &s.u, s.z, got + x.rows);
            bri_model_params_jac(m, s.p, &s.u, s.z, got + x.rows * (1 + x.width));
            machine_run(&x, &s, want);
            for (int r = 0; r < x.count; r++)
                hold(m, got[r] == want[r], "sample %d, entry %d: generated %a, machine %a (v = %g)",
                     k, r, got[r], want[r], s.u.v);
            compared++;
        }
        hold(m, compared > SAMPLES / 2, "only %d samples", compared);
        machine_close(&x);
    }
    (void)state;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tables),
        cmocka_unit_test(test_generated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
