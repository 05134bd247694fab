/* test_expr.c - expressions: values against the C compiler's, derivatives against extrapolated
 * differences, text there and back, units, limits, messages. */
#include "random_expr.h"
#include "test.h"

#include <float.h>
#include <stdlib.h>

static const expr_dim plain = {{0}, 0};

static expr_graph *new_graph(void) {
    expr_graph *g = expr_new(NULL);
    assert_non_null(g);
    for (int i = 0; i < RANDOM_VARIABLES; i++)
        assert_true(expr_variable(g, random_names[i], plain) >= 0);
    return g;
}

static expr_id must_read(expr_graph *g, const char *text) {
    expr_error err;
    expr_id id = expr_read(g, text, strlen(text), &err);
    if (id < 0) fail_msg("'%s': %d:%d: %s", text, err.line, err.column, err.text);
    return id;
}

static double value(expr_graph *g, expr_id id, const double *in) {
    double all[64] = {0}, out;
    for (int i = 0; i < RANDOM_VARIABLES; i++) all[i] = in[i];
    expr_program *p = expr_program_new(g, &id, 1, NULL);
    assert_non_null(p);
    expr_frame *f = expr_frame_new(p);
    assert_non_null(f);
    expr_run_one(f, all, &out);
    expr_frame_free(f);
    expr_program_free(p);
    return out;
}

/* ---- values ---------------------------------------------------------------------------------- */

/* The right column is computed by the compiler of this file. */
static void test_values(void **state) {
    const double in[RANDOM_VARIABLES] = {0.3, -1.7, 2.5, 0.9};
    const double x = in[0], v = in[1], mu_s = in[2], sigma0 = in[3], pi = acos(-1.0);
    const struct {
        const char *text;
        double want;
    } rows[] = {
        {"1 + 2*3", 7.0},
        {"2^3^2", 512.0},
        {"-2^2", -4.0},
        {"2^-1", 0.5},
        {"10 - 4 - 3", 3.0},
        {"16/4/2", 2.0},
        {"2*-3", -6.0},
        {"--3", 3.0},
        {"-x^2", -(x * x)},
        {"x - v*mu_s/sigma0", x - v * mu_s / sigma0},
        {"(x - v)*mu_s", (x - v) * mu_s},
        {"1e-3 + .5 + 2.", 1e-3 + 0.5 + 2.0},
        {"pi", pi},
        {"abs(v) + sign(v) + sign(0)", fabs(v) - 1.0},
        {"min(x, v) + max(x, v, mu_s)", v + mu_s},
        {"clamp(v, -1, 1) + clamp(mu_s, 2) + clamp(x, 0, 1)", -1.0 + 2.0 + x},
        {"exp(x) + expm1(x) + log(mu_s) + log1p(x)", exp(x) + expm1(x) + log(mu_s) + log1p(x)},
        {"sqrt(mu_s) + sin(v) + cos(v) + tan(v)", sqrt(mu_s) + sin(v) + cos(v) + tan(v)},
        {"atan(v) + tanh(v)", atan(v) + tanh(v)},
        {"step(0.25) + step(-1) + step(2)", 0.25 * 0.25 * 2.5 + 1.0},
        {"stribeck(v, mu_s, sigma0)", exp(-pow(fabs(v) / mu_s, sigma0))},
        {"stribeck(v, 2, 2)", exp(-(v / 2.0) * (v / 2.0))},
        {"mu_s^sigma0", pow(mu_s, sigma0)},
        {"x^5", (x * x) * (x * x) * x},
        {"x^-2", 1.0 / (x * x)},
        {"mu_s^0.5", sqrt(mu_s)},
        {"if(x < v, 1, 2) + if(x > v and mu_s >= sigma0, 10, 20)", 12.0},
        {"if(not x < v or x == v, 1, 2)", 1.0},
        {"if(x != v and (x <= v or x < 1), 1, 2)", 1.0},
        {"3 mm + 2 m", 2.003},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        expr_graph *g = new_graph();
        double got = value(g, must_read(g, rows[i].text), in);
        if (got != rows[i].want && fabs(got - rows[i].want) > 2e-16 * fabs(rows[i].want))
            fail_msg("%s: %.17g, expected %.17g", rows[i].text, got, rows[i].want);
        expr_free(g);
    }
    (void)state;
}

/* Blocks, single elements and uniform inputs agree to the bit, whatever the number of elements. */
static void test_machine(void **state) {
    enum { COUNT = 203 };
    static double in[RANDOM_VARIABLES][COUNT], out[2][COUNT];
    static pen ink;
    for (int k = 0; k < 300; k++) {
        expr_graph *g = new_graph();
        dice d = {(uint64_t)k};
        const unsigned char uniform[RANDOM_VARIABLES] = {0, 0, 1, (unsigned char)(k % 2)};
        const expr_compile how = {.uniform = uniform};
        expr_id roots[2] = {must_read(g, random_expression(&ink, k)), EXPR_NONE};
        assert_true(expr_derive(g, roots, 1, 1, &roots[1]));
        expr_program *p = expr_program_new(g, roots, 2, &how);
        expr_program *q = expr_program_new(g, roots, 2, NULL);
        expr_frame *f = expr_frame_new(p), *one = expr_frame_new(q);
        for (int i = 0; i < RANDOM_VARIABLES; i++)
            for (int j = 0; j < COUNT; j++)
                in[i][j] = uniform[i] && j > 0 ? in[i][0] : 4.0 * roll(&d) - 2.0;
        const double *at[] = {in[0], in[1], in[2], in[3]};
        double *to[] = {out[0], out[1]};
        const double shared[] = {0.0, 0.0, in[2][0], in[3][0]};
        int count = 1 + k % COUNT;
        memset(out, 0x55, sizeof out);
        expr_prepare(f, shared);
        expr_run(f, at, to, (size_t)count);
        for (int j = 0; j < count; j++) {
            const double element[] = {in[0][j], in[1][j], in[2][j], in[3][j]};
            double want[2];
            expr_run_one(one, element, want);
            for (int r = 0; r < 2; r++)
                if (memcmp(&out[r][j], &want[r], sizeof want[r]) != 0 &&
                    !(isnan(out[r][j]) && isnan(want[r])) && out[r][j] != want[r])
                    fail_msg("%s: root %d, element %d: %a and %a", ink.text, r, j, out[r][j],
                             want[r]);
        }
        double untouched;
        memset(&untouched, 0x55, sizeof untouched);
        if (count < COUNT) assert_memory_equal(&out[0][count], &untouched, sizeof untouched);
        expr_frame_free(f);
        expr_frame_free(one);
        expr_program_free(p);
        expr_program_free(q);
        expr_free(g);
    }
    (void)state;
}

/* Simplifying changes no value: the expression as written is evaluated node by node here. */
static double plainly(const expr_graph *g, expr_id id, const double *in);

static double child_value(const expr_graph *g, expr_id id, int k, const double *in) {
    return plainly(g, expr_at(g, id)->at[k], in);
}

static double plainly(const expr_graph *g, expr_id id, const double *in) {
    const expr_node *n = expr_at(g, id);
#define A child_value(g, id, 0, in)
#define B child_value(g, id, 1, in)
#define C child_value(g, id, 2, in)
    switch (n->op) {
    case EXPR_CONST:
        return n->value;
    case EXPR_PI:
        return acos(-1.0);
    case EXPR_VAR:
        return in[n->index];
    case EXPR_NEG:
        return -A;
    case EXPR_ADD:
        return A + B;
    case EXPR_SUB:
        return A - B;
    case EXPR_MUL:
        return A * B;
    case EXPR_DIV:
        return A / B;
    case EXPR_POW:
        return pow(A, B);
    case EXPR_ABS:
        return fabs(A);
    case EXPR_SIGN:
        return A > 0.0 ? 1.0 : A < 0.0 ? -1.0 : 0.0;
    case EXPR_MIN:
        return fmin(A, B);
    case EXPR_MAX:
        return fmax(A, B);
    case EXPR_CLAMP:
        return fmin(fmax(A, B), C);
    case EXPR_EXP:
        return exp(A);
    case EXPR_EXPM1:
        return expm1(A);
    case EXPR_LOG:
        return log(A);
    case EXPR_LOG1P:
        return log1p(A);
    case EXPR_SQRT:
        return sqrt(A);
    case EXPR_SIN:
        return sin(A);
    case EXPR_COS:
        return cos(A);
    case EXPR_TAN:
        return tan(A);
    case EXPR_ATAN:
        return atan(A);
    case EXPR_TANH:
        return tanh(A);
    case EXPR_STEP: {
        double u = fmin(fmax(A, 0.0), 1.0);
        return u * u * (3.0 - 2.0 * u);
    }
    case EXPR_STRIBECK:
        return exp(-pow(fabs(A) / B, C));
    case EXPR_LT:
        return A < B;
    case EXPR_LE:
        return A <= B;
    case EXPR_GT:
        return A > B;
    case EXPR_GE:
        return A >= B;
    case EXPR_EQ:
        return A == B;
    case EXPR_NE:
        return A != B;
    case EXPR_AND:
        return A != 0.0 && B != 0.0;
    case EXPR_OR:
        return A != 0.0 || B != 0.0;
    case EXPR_NOT:
        return A == 0.0;
    case EXPR_IF:
        return A != 0.0 ? B : C;
    default:
        fail_msg("operation %d is not in the test", (int)n->op);
    }
#undef A
#undef B
#undef C
    return NAN;
}

/* A whole power is a product here and pow() there: a few units in the last place. */
static void test_simplify(void **state) {
    static pen ink;
    int compared = 0;
    for (int k = 0; k < 3000; k++) {
        expr_graph *g = new_graph();
        dice d = {(uint64_t)k + 77};
        expr_id id = must_read(g, random_expression(&ink, k));
        for (int trial = 0; trial < 3; trial++) {
            double in[RANDOM_VARIABLES];
            for (int i = 0; i < RANDOM_VARIABLES; i++) in[i] = 0.1 + 2.0 * roll(&d);
            if (roll(&d) < 0.5) in[1] = -in[1];
            double want = plainly(g, id, in), got = value(g, id, in);
            if (!isfinite(want)) continue;
            if (!(fabs(got - want) <= 1e-11 * (1.0 + fabs(want))))
                fail_msg("%s: %.17g, as written %.17g", ink.text, got, want);
            compared++;
        }
        expr_free(g);
    }
    assert_true(compared > 8000);
    (void)state;
}

/* Without powers the order of operations, and so every bit, is kept. */
static void test_order_kept(void **state) {
    static const char *const texts[] = {"x + v + mu_s + sigma0 + 0.1",
                                        "x*v*mu_s*sigma0*0.1",
                                        "x - (v - mu_s) - sigma0",
                                        "x/(v/mu_s)/sigma0",
                                        "(x*v)*(mu_s*sigma0)",
                                        "x*(v + mu_s) - sigma0*(x - v)",
                                        "0.1*x*3*v*7",
                                        "-(x - v)*-(mu_s + x)/-v",
                                        "x + -v*mu_s - -sigma0",
                                        "x*1 + 0*v + (mu_s - 0)/1",
                                        "(0.1 + 0.2 + x) + 0.3",
                                        "1/3*x/3/7"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        expr_graph *g = new_graph();
        dice d = {i};
        expr_id id = must_read(g, texts[i]);
        for (int trial = 0; trial < 200; trial++) {
            double in[RANDOM_VARIABLES];
            for (int j = 0; j < RANDOM_VARIABLES; j++) in[j] = 3.0 * roll(&d) - 1.0;
            double want = plainly(g, id, in), got = value(g, id, in);
            if (got != want) fail_msg("%s: %a, as written %a", texts[i], got, want);
        }
        expr_free(g);
    }
    (void)state;
}

/* ---- derivatives ----------------------------------------------------------------------------- */

/* Richardson's extrapolation of central differences, four halvings of the step, and how far its
 * last two columns are apart. */
static double difference(expr_graph *g, expr_id id, const double *in, int variable, double *doubt) {
    double T[5][5], at[RANDOM_VARIABLES], best = NAN;
    *doubt = INFINITY;
    memcpy(at, in, sizeof at);
    for (int i = 0; i < 5; i++) {
        double h = 2e-2 / (1 << i);
        at[variable] = in[variable] + h;
        double up = value(g, id, at);
        at[variable] = in[variable] - h;
        T[i][0] = (up - value(g, id, at)) / (2.0 * h);
        for (int j = 1; j <= i; j++) {
            T[i][j] = T[i][j - 1] + (T[i][j - 1] - T[i - 1][j - 1]) / (pow(4.0, j) - 1.0);
            double change = fmax(fabs(T[i][j] - T[i][j - 1]), fabs(T[i][j] - T[i - 1][j - 1]));
            if (change < *doubt) {
                *doubt = change;
                best = T[i][j];
            }
        }
    }
    return best;
}

/* Random expressions at random points, in every variable. Where a kink lies within the step, the
 * differences do not converge and say so; these points are left out, and counted. */
static void test_derivatives(void **state) {
    static pen ink;
    int compared = 0, doubtful = 0;
    for (int k = 0; k < 1200; k++) {
        expr_graph *g = new_graph();
        dice d = {(uint64_t)k + 5};
        expr_id id = must_read(g, random_expression(&ink, k)), slope;
        int variable = k % RANDOM_VARIABLES;
        assert_true(expr_derive(g, &id, 1, variable, &slope));
        double in[RANDOM_VARIABLES], doubt;
        for (int i = 0; i < RANDOM_VARIABLES; i++) in[i] = 0.1 + 2.0 * roll(&d);
        if (k & 4) in[1] = -in[1];
        double got = value(g, slope, in), want = difference(g, id, in, variable, &doubt);
        double size = 1.0 + fabs(want) + fabs(value(g, id, in));
        if (doubt > 1e-8 * size || !isfinite(want)) {
            doubtful++;
        } else {
            compared++;
            if (!(fabs(got - want) <= 1e-7 * size))
                fail_msg("%s in %s: %.12g, differences %.12g (+- %g)", ink.text,
                         random_names[variable], got, want, doubt);
        }
        expr_free(g);
    }
    if (compared < 1000) fail_msg("only %d compared, %d left out", compared, doubtful);
    (void)state;
}

/* Second derivatives are derivatives of graphs that hold what derivatives make. */
static void test_second_derivatives(void **state) {
    static const char *const texts[] = {"stribeck(v, mu_s, sigma0)",
                                        "stribeck(v, 1, 1.3)",
                                        "v^mu_s*x",
                                        "sqrt(x*mu_s)",
                                        "exp(x*v)*tanh(v)",
                                        "stribeck(v, 1.1, 3)",
                                        "log(x)/mu_s",
                                        "x^3*step(0.4*x)",
                                        "tan(x)*atan(v)"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        for (int a = 0; a < RANDOM_VARIABLES; a++)
            for (int b = 0; b < RANDOM_VARIABLES; b++) {
                const double in[RANDOM_VARIABLES] = {0.9, 0.7, 1.6, 1.4};
                expr_graph *g = new_graph();
                expr_id id = must_read(g, texts[i]), first, second;
                double doubt;
                assert_true(expr_derive(g, &id, 1, a, &first));
                assert_true(expr_derive(g, &first, 1, b, &second));
                double want = difference(g, first, in, b, &doubt);
                near(value(g, second, in), want, 1e-7 + 1e-8 / fmax(1e-3, fabs(want)), texts[i]);
                expr_free(g);
            }
    (void)state;
}

/* At the edges: finite, and what docs/language.md promises. */
static void test_edges(void **state) {
    const struct {
        const char *text;
        int variable;
        double v, want;
    } rows[] = {
        {"abs(v)", 1, 0.0, 0.0},
        {"abs(v)", 1, -2.0, -1.0},
        {"sign(v)", 1, 0.0, 0.0},
        {"stribeck(v, 0.1, 0.5)", 1, 0.0, 0.0},
        {"stribeck(v, 0.1, 1)", 1, 0.0, 0.0}, /* mean of both sides: sign(0) = 0 */
        {"stribeck(v, 0.1, 2)", 1, 0.0, 0.0},
        {"stribeck(v, 1e-9, 20)", 1, 1e200, 0.0},
        {"stribeck(v, mu_s, sigma0)", 3, 0.0, 0.0}, /* in the exponent */
        {"stribeck(v, mu_s, sigma0)", 2, 0.0, 0.0}, /* in v_s */
        {"abs(v)^mu_s", 2, 0.0, 0.0},
        {"abs(v)^2", 1, 0.0, 0.0},
        {"max(v, 0)", 1, -1.0, 0.0},
        {"sqrt(max(v, 0))", 1, 0.0, 0.0},
        {"clamp(v, 1)", 1, 2.0, 0.0},
        {"clamp(v, 1)", 1, 0.5, 1.0},
        {"clamp(v, 1)", 1, 1.0, 1.0}, /* at the limits it is v that is taken */
        {"clamp(v, 1)", 1, -1.0, 1.0},
        {"clamp(v, mu_s, sigma0)", 2, 0.1, 1.0},
        {"clamp(v, mu_s, sigma0)", 3, 0.1, 0.0},
        {"clamp(v, mu_s, sigma0)", 2, 3.0, 0.0},
        {"clamp(v, mu_s, sigma0)", 3, 3.0, 1.0},
        {"min(v, 2*v)", 1, 3.0, 1.0},
        {"min(v, x)", 0, 1.0, 1.0}, /* of equal ones the last */
        {"min(v, x)", 1, 1.0, 0.0},
        {"max(v, x)", 0, 1.0, 1.0},
        {"max(v, x)", 1, 1.0, 0.0},
        {"v^mu_s", 1, 0.0, 5e5}, /* below 1e-12 that at 1e-12 */
        {"v^mu_s", 1, 1e-14, 5e5},
        {"v^(x + mu_s)", 1, 1e-14, 1.5e-7}, /* exact where it is finite */
        {"if(v > 0, v^2, 0)", 1, -1.0, 0.0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double in[RANDOM_VARIABLES] = {1.0, rows[i].v, 0.5, 0.7};
        expr_graph *g = new_graph();
        expr_id id = must_read(g, rows[i].text), slope;
        assert_true(expr_derive(g, &id, 1, rows[i].variable, &slope));
        near(value(g, slope, in), rows[i].want, 1e-15, rows[i].text);
        expr_free(g);
    }
    (void)state;
}

/* The power of a Stribeck curve, v^e: with f = e (e-1) ... its slopes in v, and those again in e.
 * At 0 they are finite; there is an end to them. */
static void test_guarded_power(void **state) {
    const double v = 0.7, e = 2.3, factors[] = {1.0, e, e * (e - 1.0), e * (e - 1.0) * (e - 2.0)};
    const double by_e[] = {0.0, 1.0, 2.0 * e - 1.0, 3.0 * e * e - 6.0 * e + 2.0};
    expr_graph *g = new_graph();
    expr_id power = must_read(g, "gpow(v, mu_s)"), slope;
    for (int n = 0; n < 4; n++) {
        double in[RANDOM_VARIABLES] = {0.0, v, e, 0.0};
        assert_true(expr_derive(g, &power, 1, 2, &slope));
        near(value(g, slope, in), pow(v, e - n) * (factors[n] * log(v) + by_e[n]), 1e-14, "in e");
        in[1] = 0.0;
        near(value(g, slope, in), 0.0, 0.0, "in e at 0");
        in[2] = 0.5;
        near(value(g, slope, in), 0.0, 0.0, "in an exponent below 1 at 0");
        assert_true(expr_derive(g, &power, 1, 1, &power));
    }
    power = must_read(g, "gpow(v, mu_s, 9)");
    assert_false(expr_derive(g, &power, 1, 1, &slope));
    expr_free(g);
    (void)state;
}

/* abs(v) and sign(v) of a frozen velocity come from outside, also inside stribeck(); the slope of
 * abs(v) is then the frozen direction. */
static void test_frozen(void **state) {
    expr_graph *g = new_graph();
    expr_id roots[4] = {must_read(g, "abs(v)"), must_read(g, "stribeck(v, 0.5, 1) + sign(-v)"),
                        must_read(g, "abs(v + 0*x) + sign(x)"), EXPR_NONE};
    assert_true(expr_derive(g, roots, 1, 1, &roots[3]));
    const expr_compile how = {.frozen = 2};
    expr_program *p = expr_program_new(g, roots, 4, &how);
    expr_frame *f = expr_frame_new(p);
    double out[4], in[RANDOM_VARIABLES + 2] = {3.0, -0.1, 0.0, 0.0, -0.1, 1.0};
    expr_run_one(f, in, out); /* past a reversal: |v| goes on as v */
    near(out[0], -0.1, 0.0, "abs");
    near(out[1], exp(0.2) - 1.0, 1e-15, "stribeck");
    near(out[2], 0.9, 1e-15, "abs of a sum that comes to v");
    near(out[3], 1.0, 0.0, "slope of abs");
    expr_frame_free(f);
    expr_program_free(p);
    expr_free(g);
    (void)state;
}

/* ---- there and back -------------------------------------------------------------------------- */

/* What is printed reads back as the same node of the same graph: of expressions as written, of
 * simplified ones and of derivatives. */
static void test_round_trip(void **state) {
    static pen ink;
    static char text[400000];
    int printed = 0;
    for (int k = 0; k < 2000; k++) {
        expr_graph *g = new_graph();
        expr_id ids[3] = {must_read(g, random_expression(&ink, k)), EXPR_NONE, EXPR_NONE};
        assert_true(expr_simplify(g, ids, 1, &ids[1]));
        assert_true(expr_derive(g, ids, 1, k % RANDOM_VARIABLES, &ids[2]));
        for (int i = 0; i < 3; i++) {
            int n = expr_print(g, ids[i], EXPR_ASCII, NULL, text, 50000);
            if (n < 0) continue; /* a long one: the graph shares what the text repeats */
            assert_int_equal(n, strlen(text));
            if (must_read(g, text) != ids[i])
                fail_msg("form %d of %s: printed as %s", i, ink.text, text);
            printed++;
        }
        expr_free(g);
    }
    assert_true(printed > 5500);
    (void)state;
}

/* Equations keep the names they were written with. */
static void test_names(void **state) {
    static const char text[] = "g = mu_s + x*v # a comment\nh = g^2 - sigma0*(g + 1)\n";
    expr_graph *g = new_graph();
    expr_error err;
    char out[200];
    assert_true(expr_equations(g, text, strlen(text), &err));
    const expr_name at[] = {{expr_find(g, "g", 0)->id, "g"}};
    const expr_names names = {.at = at, .count = 1};
    expr_print(g, expr_find(g, "h", 0)->id, EXPR_ASCII, &names, out, sizeof out);
    assert_string_equal(out, "g^2 - sigma0*(g + 1)");
    expr_print(g, expr_find(g, "g", 0)->id, EXPR_ASCII, &names, out, sizeof out);
    assert_string_equal(out, "mu_s + x*v");
    expr_print(g, expr_find(g, "h", 0)->id, EXPR_LATEX, &names, out, sizeof out);
    assert_string_equal(out, "{g}^{2} - \\sigma_{0} \\, \\left(g + 1\\right)");
    expr_free(g);
    (void)state;
}

static void test_styles(void **state) {
    const struct {
        const char *text;
        expr_style style;
        const char *want;
    } rows[] = {
        {"x - (v - 1)", EXPR_ASCII, "x - (v - 1)"},
        {"(x - v) - 1", EXPR_ASCII, "x - v - 1"},
        {"x/(v*mu_s)", EXPR_ASCII, "x/(v*mu_s)"},
        {"-(x + v)", EXPR_ASCII, "-(x + v)"},
        {"(-x)^2", EXPR_ASCII, "(-x)^2"},
        {"3 N s/m * v", EXPR_ASCII, "3 N s/m*v"},
        {"5 1/s", EXPR_ASCII, "5 1/s"},
        {"(2 m)^2", EXPR_ASCII, "(2 m)^2"},
        {"v*3 N / x", EXPR_ASCII, "v*3 N / x"},
        {"if(not (x < v or x > 1) and v > 2, 1, 0)", EXPR_ASCII,
         "if(not (x < v or x > 1) and v > 2, 1, 0)"},
        {"abs(v)*x/2", EXPR_C, "fabs(v)*x/2.0"},
        {"x^mu_s", EXPR_C, "expr_pow(x, mu_s)"},
        {"if(x < v, 1, if(x > 2, 2, x))", EXPR_C, "x < v ? 1.0 : (x > 2.0 ? 2.0 : x)"},
        {"-(-x)", EXPR_C, "-(-x)"},
        {"x/v", EXPR_LATEX, "\\frac{x}{v}"},
        {"sqrt(abs(x))", EXPR_LATEX, "\\sqrt{\\left|x\\right|}"},
        {"x*-v", EXPR_LATEX, "x \\, \\left(-v\\right)"},
        {"stribeck(v, mu_s, 2)", EXPR_LATEX,
         "{e}^{-{\\left(\\frac{\\left|v\\right|}{\\mu_{s}}\\right)}^{2}}"},
        {"x/sigma0", EXPR_MATHML,
         "<mfrac><mrow><mi>x</mi></mrow><mrow><msub><mi>&#x3C3;</mi><mi>0</mi></msub></mrow>"
         "</mfrac>"},
    };
    char text[400];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        expr_graph *g = new_graph();
        assert_true(
            expr_print(g, must_read(g, rows[i].text), rows[i].style, NULL, text, sizeof text) > 0);
        assert_string_equal(text, rows[i].want);
        expr_free(g);
    }
    assert_true(expr_print_name("z'", EXPR_LATEX, text, sizeof text) > 0);
    assert_string_equal(text, "\\dot{z}");
    (void)state;
}

/* Tags of MathML close in the order they open. */
static void balanced(const char *s) {
    char open[200][16];
    int depth = 0;
    for (; (s = strchr(s, '<')) != NULL; s++) {
        const char *end = strchr(s, '>');
        int closing = s[1] == '/';
        char name[16];
        assert_non_null(end);
        if (end[-1] == '/') continue;
        size_t n = strcspn(s + 1 + closing, " >");
        assert_true(n < sizeof name);
        memcpy(name, s + 1 + closing, n);
        name[n] = '\0';
        if (!closing) {
            assert_true(depth < 200);
            strcpy(open[depth++], name);
        } else {
            assert_true(depth > 0);
            assert_string_equal(open[--depth], name);
        }
    }
    assert_int_equal(depth, 0);
}

static void test_typeset(void **state) {
    static pen ink;
    static char text[200000];
    for (int k = 0; k < 400; k++) {
        expr_graph *g = new_graph();
        expr_id id = must_read(g, random_expression(&ink, k));
        if (expr_at(g, id)->depth < 15 &&
            expr_print(g, id, EXPR_MATHML, NULL, text, sizeof text) > 0)
            balanced(text);
        assert_true(expr_print(g, id, EXPR_LATEX, NULL, text, sizeof text) > 0);
        int braces = 0;
        for (const char *s = text; *s; s++) {
            braces += (*s == '{') - (*s == '}');
            assert_true(braces >= 0);
        }
        assert_int_equal(braces, 0);
        expr_free(g);
    }
    (void)state;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),      cmocka_unit_test(test_machine),
        cmocka_unit_test(test_simplify),    cmocka_unit_test(test_order_kept),
        cmocka_unit_test(test_derivatives), cmocka_unit_test(test_second_derivatives),
        cmocka_unit_test(test_edges),       cmocka_unit_test(test_guarded_power),
        cmocka_unit_test(test_frozen),      cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_names),       cmocka_unit_test(test_styles),
        cmocka_unit_test(test_typeset),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
