/* test_laws.c - the files of laws/ against the laws written in C, which are the oracle:
 * tables, value, rates, Jacobian, energy, events; by the vector machine and as generated C.
 * Derivatives in the parameters are compared with differences of the oracle. */
#include "expr/ops.h"
#include "law/law.h"
#include "samples.h"

#include <stdlib.h>

extern const law_row *const bri_law_rows[];
extern const int bri_law_count;

enum { SAMPLES = 20000, MOST = 1 + BRI_MAX_STATES };

/* ---- reading --------------------------------------------------------------------------------- */

static void tell(void *to, int line, const char *words) {
    fail_msg("%s:%d: %s", (const char *)to, line, words);
}

static law *read_law(const char *name) {
    static char text[20000], path[400];
    snprintf(path, sizeof path, "%s/%s.yaml", TEST_LAWS, name);
    FILE *in = fopen(path, "rb");
    assert_non_null(in);
    size_t n = fread(text, 1, sizeof text, in);
    fclose(in);
    law *l = law_read(text, n, tell, path);
    assert_non_null(l);
    return l;
}

static void same_text(const bri_model *m, const char *what, const char *a, const char *b) {
    if ((!a) != (!b) || (a && strcmp(a, b) != 0))
        fail_msg("%s: %s: '%s' and '%s'", m->name, what, a ? a : "NULL", b ? b : "NULL");
}

/* Every row of every table is that of the C law; so are the texts. */
static void test_tables(void **state) {
    assert_true(bri_law_count >= 22);
    for (int i = 0; i < bri_law_count; i++) {
        const bri_model *got = bri_law_rows[i]->model, *m = bri_model_find(got->name);
        assert_non_null(m);
        same_text(m, "title", got->title, m->title);
        same_text(m, "limits", got->limits, m->limits);
        same_text(m, "cite", got->cite, m->cite);
        same_text(m, "defaults", got->defaults, m->defaults);
        near(got->load, m->load, 0.0, "load");
        assert_int_equal(got->n_params, m->n_params);
        assert_int_equal(got->n_states, m->n_states);
        assert_int_equal(got->set_valued, m->set_valued);
        /* the event of Dahl's law with i < 1, relative and early, is in the C law alone */
        assert_int_equal(got->n_roots, strcmp(m->name, "dahl") == 0 ? 0 : m->n_roots);
        hold(m,
             !got->check == !m->check && !got->lift == !m->lift && !got->stored == !m->stored &&
                 !got->motion == !m->motion,
             "one has a function that the other has not");
        for (int j = 0; j < m->n_params; j++) {
            const bri_param *a = &got->params[j], *b = &m->params[j];
            same_text(m, "name of a parameter", a->name, b->name);
            same_text(m, "unit of a parameter", a->unit, b->unit);
            same_text(m, "text of a parameter", a->text, b->text);
            same_text(m, "level of a parameter", a->force, b->force);
            hold(m,
                 a->def == b->def && a->min == b->min && a->max == b->max && a->whole == b->whole,
                 "%s: numbers differ", b->name);
            same_text(m, "role of a parameter", bri_role_name(a->role), bri_role_name(b->role));
        }
        for (int j = 0; j < m->n_states; j++) {
            const bri_state *a = &got->states[j], *b = &m->states[j];
            same_text(m, "name of a state", a->name, b->name);
            same_text(m, "unit of a state", a->unit, b->unit);
            same_text(m, "text of a state", a->text, b->text);
            hold(m, a->nominal == b->nominal && a->even == b->even, "%s: numbers differ", b->name);
        }
    }
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

/* Where file and C law differ on purpose: viscous below 1e-9 m/s. A power below 1 has an infinite
 * slope at zero. The C law cuts the slope off and keeps the force, the file makes a straight line
 * of both; the forces differ by at most kv (1e-9)^p. */
static int differs(const bri_model *m, const sample *s) {
    return strcmp(m->name, "viscous") == 0 && param(m, s->p, "p", 1.0) != 1.0 &&
           fabs(s->u.v) < 1e-9;
}

static void test_differences(void **state) {
    const bri_model *m = bri_model_find("viscous"), *own = NULL;
    for (int i = 0; i < bri_law_count; i++)
        if (strcmp(bri_law_rows[i]->model->name, "viscous") == 0) own = bri_law_rows[i]->model;
    assert_non_null(own);
    for (int k = 0; k < SAMPLES; k++) {
        sample s;
        if (!take_sample(m, k, &s) || s.u.n <= 1e-30) continue;
        s.u.v = 1e-9 * (2.0 * spread(k, 3) - 1.0);
        double room = s.p[0] * pow(1e-9, s.p[1]), J[3];
        double got = bri_model_eval(own, s.p, &s.u, NULL, NULL);
        near(got, bri_model_eval(m, s.p, &s.u, NULL, NULL),
             room / fmax(1e-300, fabs(bri_model_eval(m, s.p, &s.u, NULL, NULL))), "viscous");
        bri_model_jac(own, s.p, &s.u, NULL, J);
        near(J[1], s.p[0] * pow(1e-9, s.p[1] - 1.0), 1e-14, "slope of the straight line");
    }
    (void)state;
}

/* ---- the machine ----------------------------------------------------------------------------- */

typedef struct machine {
    law *l;
    expr_program *program;
    expr_frame *frame;
    int rows, width;
    expr_id roots[MOST * (MOST + 3)];
    double in[200];        /* of the last run */
    double *value, *terms; /* per node: its value, and the size of the terms it is made of */
} machine;

static void machine_open(machine *x, const char *name) {
    x->l = read_law(name);
    x->rows = 1 + x->l->n_states;
    x->width = 3 + x->l->n_states;
    assert_true(law_values(x->l, x->roots));
    assert_true(law_jacobian(x->l, x->roots + x->rows));
    const expr_compile how = {.frozen = LAW_V + 1};
    x->program = expr_program_new(x->l->g, x->roots, x->rows * (1 + x->width), &how);
    assert_non_null(x->program);
    x->frame = expr_frame_new(x->program);
    assert_non_null(x->frame);
    x->value = calloc((size_t)expr_count(x->l->g), sizeof *x->value);
    x->terms = calloc((size_t)expr_count(x->l->g), sizeof *x->terms);
}

static void machine_close(machine *x) {
    expr_frame_free(x->frame);
    expr_program_free(x->program);
    law_free(x->l);
    free(x->value);
    free(x->terms);
}

static void machine_run(machine *x, const sample *s, double *F, double *J) {
    double *in = x->in, out[MOST * (MOST + 3)];
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
    memcpy(F, out, sizeof *F * (size_t)x->rows);
    memcpy(J, out + x->rows, sizeof *J * (size_t)(x->rows * x->width));
}

/* By how many times the last digit of a node can be wrong: the size of its terms where they cancel,
 * carried on through what is made of it (first order). */
static double terms_of(const machine *x, const expr_node *n, double f) {
    double a = n->at[0] >= 0 ? fabs(x->value[n->at[0]]) : 0.0, A = a, B = 0.0, b = 0.0;
    if (n->at[0] >= 0) A = x->terms[n->at[0]];
    if (n->at[1] >= 0) {
        b = fabs(x->value[n->at[1]]);
        B = x->terms[n->at[1]];
    }
    switch (n->op) {
    case EXPR_ADD:
    case EXPR_SUB:
        return A + B;
    case EXPR_MUL:
        return fmax(A * b, a * B);
    case EXPR_DIV:
        return b > 0.0 ? fmax(A, fabs(f) * B) / b : INFINITY;
    case EXPR_NEG:
    case EXPR_ABS:
        return A;
    case EXPR_IF:
        return x->terms[x->value[n->at[0]] != 0.0 ? n->at[1] : n->at[2]];
    case EXPR_MIN:
    case EXPR_MAX:
    case EXPR_CLAMP:
        return fmax(fmax(A, B), fabs(f));
    case EXPR_EXP:
        return fabs(f) * (1.0 + A);
    case EXPR_SQRT:
    case EXPR_POW:
    case EXPR_GPOW:
        return a > 0.0 ? fabs(f) * (1.0 + (1.0 + b) * A / a) : fabs(f);
    case EXPR_SIN:
    case EXPR_COS:
    case EXPR_ATAN:
    case EXPR_TANH:
        return fabs(f) + A;
    default:
        return fabs(f);
    }
}

static void find_terms(machine *x) {
    const expr_graph *g = x->l->g;
    int n = expr_variables(g);
    for (int i = 0; i < expr_count(g); i++) {
        const expr_node *e = expr_at(g, i);
        double at[3] = {0.0, 0.0, 0.0};
        for (int k = 0; k < expr_ops[e->op].arity; k++) at[k] = x->value[e->at[k]];
        int of_v = e->at[0] >= 0 && expr_at(g, e->at[0])->op == EXPR_VAR &&
                   expr_at(g, e->at[0])->index == LAW_V;
        double f = e->op == EXPR_VAR            ? x->in[e->index]
                   : e->op == EXPR_ABS && of_v  ? x->in[n]
                   : e->op == EXPR_SIGN && of_v ? x->in[n + 1]
                   : e->constant                ? e->value
                                                : expr_apply(e->op, at[0], at[1], at[2]);
        x->value[i] = f;
        x->terms[i] = terms_of(x, e, f);
    }
}

/* The same equation with other roundings: F and the rates, then the Jacobian. x has been run. */
static void same_numbers(const bri_model *m, int k, const sample *s, const char *who, machine *x,
                         const double *F, const double *J, const double *F_want,
                         const double *J_want) {
    find_terms(x);
    for (int i = 0; i < x->rows * (1 + x->width); i++) {
        int slope = i >= x->rows, at = i - x->rows;
        double got = slope ? J[at] : F[i], want = slope ? J_want[at] : F_want[i];
        /* exp(-700) on its way through a product has no digits left */
        double room = (slope ? 1e-13 : 1e-14) * x->terms[x->roots[i]] + (slope ? 1e-290 : 1e-320);
        hold(m, fabs(got - want) <= room || got == want,
             "%s, sample %d, %s %d: %.17g, oracle %.17g +- %g (v = %g, n = %g, mode %d)", who, k,
             slope ? "slope" : "value", slope ? at : i, got, want, room, s->u.v, s->u.n,
             (int)s->u.mode);
    }
}

/* The graph, evaluated by the machine, while the contact is closed and slides. */
static void test_graph(void **state) {
    for (int i = 0; i < bri_law_count; i++) {
        const bri_model *m = bri_model_find(bri_law_rows[i]->model->name);
        machine x;
        int compared = 0;
        machine_open(&x, m->name);
        for (int k = 0; k < SAMPLES; k++) {
            sample s;
            double F[MOST], J[MOST * (MOST + 3)], F_want[MOST], J_want[MOST * (MOST + 3)];
            if (!take_sample(m, k, &s) || s.u.n <= 1e-30 || differs(m, &s)) continue;
            if (m->set_valued && (s.u.mode == BRI_STUCK || s.u.v == 0.0)) continue;
            F_want[0] = bri_model_eval(m, s.p, &s.u, s.z, F_want + 1);
            bri_model_jac(m, s.p, &s.u, s.z, J_want);
            machine_run(&x, &s, F, J);
            same_numbers(m, k, &s, "graph", &x, F, J, F_want, J_want);
            compared++;
        }
        hold(m, compared > SAMPLES / 2, "only %d samples", compared);
        machine_close(&x);
    }
    (void)state;
}

/* ---- generated C ----------------------------------------------------------------------------- */

/* To the bit what the machine computes, which the test above holds against the oracle; and to the
 * bit the oracle in the air and while a set-valued law is held. */
static void test_generated(void **state) {
    for (int i = 0; i < bri_law_count; i++) {
        const bri_model *own = bri_law_rows[i]->model, *m = bri_model_find(own->name);
        machine x;
        machine_open(&x, m->name);
        for (int k = 0; k < SAMPLES; k++) {
            sample s;
            double F[MOST], J[MOST * (MOST + 3)], F_want[MOST], J_want[MOST * (MOST + 3)];
            if (!take_sample(m, k, &s)) continue;
            F[0] = bri_model_eval(own, s.p, &s.u, s.z, F + 1);
            bri_model_jac(own, s.p, &s.u, s.z, J);
            machine_run(&x, &s, F_want, J_want);
            if (s.u.n <= 1e-30 || (m->set_valued && (s.u.mode == BRI_STUCK || s.u.v == 0.0))) {
                /* in the air, or held: no equation of the law, so nothing is rounded otherwise */
                F_want[0] = bri_model_eval(m, s.p, &s.u, s.z, F_want + 1);
                bri_model_jac(m, s.p, &s.u, s.z, J_want);
            }
            for (int r = 0; r < x.rows; r++)
                hold(m, F[r] == F_want[r], "sample %d: generated %a, wanted %a (n = %g)", k, F[r],
                     F_want[r], s.u.n);
            for (int r = 0; r < x.rows * x.width; r++)
                hold(m, J[r] == J_want[r], "sample %d, J %d: generated %a, wanted %a (n = %g)", k,
                     r, J[r], J_want[r], s.u.n);
        }
        machine_close(&x);
    }
    (void)state;
}

/* Check, rest, energy, motion and events. */
static void test_companions(void **state) {
    for (int i = 0; i < bri_law_count; i++) {
        const bri_model *own = bri_law_rows[i]->model, *m = bri_model_find(own->name);
        for (int k = 0; k < SAMPLES; k++) {
            sample s;
            double a[MOST] = {0}, b[MOST] = {0}, E[2], P[2];
            int fine = take_sample(m, k, &s);
            bri_error one = {0}, two = {0};
            assert_int_equal(bri_model_check(own, s.p, &one), bri_model_check(m, s.p, &two));
            assert_string_equal(one.text, two.text);
            if (!fine) continue;
            bri_model_rest(own, s.p, a);
            bri_model_rest(m, s.p, b);
            for (int j = 0; j < m->n_states; j++) near(a[j], b[j], 0.0, "rest");
            int moves = bri_model_motion(own, s.p, &s.u, s.z);
            hold(m, moves == bri_model_motion(m, s.p, &s.u, s.z), "sample %d: motion %d (v = %g)",
                 k, moves, s.u.v);
            int known = bri_model_energy(m, s.p, &s.u, s.z, &E[0], &P[0]);
            assert_int_equal(known, bri_model_energy(own, s.p, &s.u, s.z, &E[1], &P[1]));
            if (known) near(E[1], E[0], 1e-15, m->name);
            if (own->n_roots == 0) continue;
            own->roots(own, s.p, &s.u, s.z, a);
            m->roots(m, s.p, &s.u, s.z, b);
            if (m->eventful && !m->eventful(m, s.p)) { /* then a page's limit is never reached */
                for (int j = 0; j < m->n_roots; j++) assert_true(a[j] > 1e200);
                continue;
            }
            for (int j = 0; j < m->n_roots; j++)
                near(a[j], b[j], b[j] == 0.0 ? 1e-300 : 1e-13, m->name);
            memcpy(a, s.z, sizeof *a * (size_t)m->n_states);
            memcpy(b, s.z, sizeof *b * (size_t)m->n_states);
            assert_int_equal(own->jump(own, s.p, &s.u, a), m->jump(m, s.p, &s.u, b));
            for (int j = 0; j < m->n_states; j++) near(a[j], b[j], 1e-15, m->name);
        }
    }
    (void)state;
}

/* d(F, dz/dt)/dp against differences of the C law, extrapolated; those that do not settle, next to
 * a kink, are left out and counted. */
static double by_parameter(const bri_model *m, sample s, int j, int row, double *doubt) {
    double T[4][4], at = s.p[j], size = fabs(at) > 0.0 ? fabs(at) : 1.0, out[2][MOST];
    double best = 0.0;
    *doubt = INFINITY;
    for (int i = 0; i < 4; i++) {
        double h = 2e-3 * size / (1 << i);
        for (int side = 0; side < 2; side++) {
            s.p[j] = at + (side ? h : -h);
            out[side][0] = bri_model_eval(m, s.p, &s.u, s.z, out[side] + 1);
        }
        T[i][0] = (out[1][row] - out[0][row]) / (2.0 * h);
        for (int c = 1; c <= i; c++) {
            T[i][c] = T[i][c - 1] + (T[i][c - 1] - T[i - 1][c - 1]) / (pow(4.0, c) - 1.0);
            double change = fabs(T[i][c] - T[i - 1][c - 1]);
            if (change < *doubt) {
                *doubt = change;
                best = T[i][c];
            }
        }
    }
    return best;
}

static void test_parameter_slopes(void **state) {
    for (int i = 0; i < bri_law_count; i++) {
        const bri_model *m = bri_model_find(bri_law_rows[i]->model->name);
        int compared = 0, doubtful = 0;
        for (int k = 0; k < 400; k++) {
            sample s;
            double D[MOST * BRI_MAX_PARAMS], F[MOST];
            if (!take_sample(m, k, &s) || s.u.n <= 1e-20 || k % 8 == 7 || differs(m, &s)) continue;
            bri_law_rows[i]->slopes(bri_law_rows[i]->model, s.p, &s.u, s.z, D);
            F[0] = bri_model_eval(m, s.p, &s.u, s.z, F + 1);
            for (int j = 0; j < m->n_params; j++) {
                if (m->params[j].whole) continue; /* an option, not a number to vary */
                /* the C laws have other formulas at 1 and 2: differences would mix them */
                if ((strcmp(m->params[j].name, "gamma") == 0 ||
                     strcmp(m->params[j].name, "i") == 0 || strcmp(m->params[j].name, "p") == 0) &&
                    (s.p[j] == 1.0 || s.p[j] == 2.0) && s.u.mode != BRI_AUTO)
                    continue;
                for (int row = 0; row <= m->n_states; row++) {
                    double doubt, want = by_parameter(m, s, j, row, &doubt);
                    double got = D[row * m->n_params + j];
                    double size = fabs(want) + fabs(F[row] / (s.p[j] != 0.0 ? s.p[j] : 1.0));
                    assert_true(isfinite(got));
                    /* far below v_s the C laws lose digits in 1 - exp(-(v/v_s)^2) */
                    if (fabs(s.u.v) < 1e-3 * param(m, s.p, "v_s", 0.0)) continue;
                    if (doubt > 1e-7 * size) {
                        doubtful++;
                        continue;
                    }
                    compared++;
                    hold(m, fabs(got - want) <= 1e-6 * size + 1e-300,
                         "sample %d, d(%d)/d%s: %.12g, differences %.12g +- %g (v = %g, mode %d)",
                         k, row, m->params[j].name, got, want, doubt, s.u.v, (int)s.u.mode);
                }
            }
        }
        hold(m, compared > 10 * doubtful, "%d compared, %d doubtful", compared, doubtful);
    }
    (void)state;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_differences), cmocka_unit_test(test_tables),
        cmocka_unit_test(test_graph),       cmocka_unit_test(test_generated),
        cmocka_unit_test(test_companions),  cmocka_unit_test(test_parameter_slopes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
