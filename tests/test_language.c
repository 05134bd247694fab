/* test_language.c - the language of expressions: units, definitions, messages with their places,
 * limits, and text that is none. */
#include "random_expr.h"
#include "test.h"

#include <stdlib.h>

static expr_dim unit(const char *text) {
    double factor;
    expr_dim dim;
    if (!expr_unit_si(NULL, text, &factor, &dim)) fail_msg("no unit %s", text);
    return dim;
}

/* A contact: what a law of friction is given. */
static expr_graph *contact(const expr_limits *limits) {
    static const char *const rows[][2] = {
        {"x", "m"},        {"v", "m/s"},        {"N", "N"},       {"z", "m"},
        {"mu_c", "1"},     {"mu_s", "1"},       {"v_s", "m/s"},   {"gamma", "1"},
        {"sigma0", "N/m"}, {"sigma1", "N s/m"}, {"arm.x", "rad"},
    };
    expr_graph *g = expr_new(limits);
    assert_non_null(g);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_true(expr_variable(g, rows[i][0], unit(rows[i][1])) >= 0);
    assert_true(expr_has_rate(g, "z"));
    return g;
}

/* ---- units ----------------------------------------------------------------------------------- */

static void test_unit_reader(void **state) {
    const struct {
        const char *text;
        double factor;
        const char *same; /* SI */
    } rows[] = {
        {"mm", 1e-3, "m"},
        {"kN/mm", 1e6, "N/m"},
        {"m/s2", 1.0, "m s^-2"},
        {"m/s^2", 1.0, "m/s2"},
        {"N s/m", 1.0, "kg/s"},
        {"rpm", acos(-1.0) / 30.0, "1/s"},
        {"deg", acos(-1.0) / 180.0, "1"},
        {"g", 1e-3, "kg"},
        {"min", 60.0, "s"},
        {"MPa", 1e6, "kg/m/s2"},
        {"J", 1.0, "N m"},
        {"Hz", 1.0, "1/s"},
        {"um/ms", 1e-3, "m/s"},
        {"rad/s", 1.0, "1/s"},
        {"m^0.5", 1.0, "m^0.5"},
        {"cd", 1.0, "cd"},
        {"1", 1.0, "rad"},
        {"bar", 1e5, "Pa"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double factor, one;
        expr_dim have, want;
        assert_true(expr_unit_si(NULL, rows[i].text, &factor, &have));
        assert_true(expr_unit_si(NULL, rows[i].same, &one, &want));
        near(factor, rows[i].factor, 1e-15, rows[i].text);
        if (!expr_dim_equal(have, want)) fail_msg("%s is not %s", rows[i].text, rows[i].same);
        char text[EXPR_DIM_ROOM]; /* and what is printed reads back */
        expr_dim_text(have, text, sizeof text);
        assert_true(expr_unit_si(NULL, text, &one, &want));
        near(one, 1.0, 1e-15, text);
        if (!expr_dim_equal(have, want)) fail_msg("%s is printed %s", rows[i].text, text);
    }
    static const char *const none[] = {"furlong", "m//s", "m^",  "m^x", "/",       "kkg",
                                       "m^9999",  "2 m",  "m 2", "(m)", "m^0.123", "mmin"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        double factor;
        expr_dim dim;
        if (expr_unit_si(NULL, none[i], &factor, &dim)) fail_msg("'%s' is taken", none[i]);
    }
    (void)state;
}

/* The unit of expressions that are right. */
static void test_units(void **state) {
    static const char *const rows[][2] = {
        {"sigma0*z + sigma1*v", "N"},
        {"10 N + 3 N s/m * v", "N"},
        {"10 N + 3 N s/m*v", "N"},
        {"2 m / v", "s"},
        {"sqrt(sigma0*x*N)", "N"},
        {"x^2", "m2"},
        {"x^(1/2)*x^0.5", "m"},
        {"x^-1", "1/m"},
        {"if(v > 0, 0, N)", "N"}, /* zero has every unit */
        {"max(0, x, z)", "m"},
        {"sign(x)*stribeck(v, v_s, gamma)", "1"},
        {"abs(v)/v_s", "1"},
        {"(abs(v)/(1 m/s))^gamma", "1"},
        {"sin(arm.x)*9.81 m/s2", "m/s2"},
        {"sigma0*z^2/2", "J"},
        {"clamp(x, 3 mm)", "m"},
        {"500 rpm", "rad/s"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        expr_graph *g = contact(NULL);
        expr_error err;
        expr_id id = expr_read(g, rows[i][0], strlen(rows[i][0]), &err);
        if (id < 0) fail_msg("%s: %s", rows[i][0], err.text);
        if (!expr_dim_equal(expr_at(g, id)->dim, unit(rows[i][1]))) {
            char have[EXPR_DIM_ROOM];
            expr_dim_text(expr_at(g, id)->dim, have, sizeof have);
            fail_msg("%s is %s", rows[i][0], have);
        }
        expr_free(g);
    }
    (void)state;
}

/* Derivatives and simpler forms have the right units as well: they print, and read back without a
 * complaint. */
static void test_units_of_derivatives(void **state) {
    static const char text[] = "g = N*(mu_c + (mu_s - mu_c)*stribeck(v, v_s, gamma))\n"
                               "z' = v - sigma0*abs(v)*z/g + sqrt(max(v*v_s, 0))\n"
                               "F = sigma0*z + sigma1*z' + 2 N*step(abs(x)/(3 mm))\n";
    expr_graph *g = contact(NULL);
    expr_error err;
    static char out[20000];
    if (!expr_equations(g, text, strlen(text), &err)) fail_msg("%s", err.text);
    expr_id F = expr_find(g, "F", 0)->id, slope;
    for (int i = 0; i < expr_variables(g); i++) {
        assert_true(expr_derive(g, &F, 1, i, &slope));
        expr_dim by = expr_at(g, expr_variable_at(g, i))->dim, have = expr_at(g, slope)->dim;
        expr_dim want = expr_dim_over(unit("N"), by);
        if (!expr_dim_fits(have, want)) fail_msg("in %s", expr_variable_name(g, i));
        assert_true(expr_print(g, slope, EXPR_ASCII, NULL, out, sizeof out) > 0);
        if (expr_read(g, out, strlen(out), &err) != slope)
            fail_msg("%s: %s: %s", expr_variable_name(g, i), out, err.text);
    }
    expr_free(g);
    (void)state;
}

/* A reader of units from outside. */
static int elephants(void *to, const char *text, double *factor, expr_dim *dim) {
    ++*(int *)to;
    *factor = 6000.0;
    *dim = unit("kg");
    return strcmp(text, "elephant") == 0;
}

static void test_unit_hook(void **state) {
    expr_graph *g = contact(NULL);
    int asked = 0;
    expr_units(g, elephants, &asked);
    expr_id id = expr_read(g, "2 elephant", 10, NULL);
    assert_true(id >= 0);
    near(expr_at(g, id)->value, 12000.0, 0.0, "two elephants");
    assert_int_equal(asked, 1);
    assert_int_equal(expr_read(g, "2 m", 3, NULL), EXPR_NONE);
    expr_free(g);
    (void)state;
}

/* ---- messages -------------------------------------------------------------------------------- */

typedef struct complaint {
    const char *text;
    int line, column;
    const char *words; /* part of the message */
} complaint;

static void expect(const complaint *rows, size_t count, int equations) {
    for (size_t i = 0; i < count; i++) {
        expr_graph *g = contact(NULL);
        expr_error err;
        size_t n = strlen(rows[i].text);
        if (!equations) expr_read(g, rows[i].text, n, &err); /* told again, though it is known */
        int good = equations ? expr_equations(g, rows[i].text, n, &err)
                             : expr_read(g, rows[i].text, n, &err) >= 0;
        if (good) fail_msg("'%s' is taken", rows[i].text);
        if (err.line != rows[i].line || err.column != rows[i].column ||
            !strstr(err.text, rows[i].words))
            fail_msg("'%s': %d:%d: %s; expected %d:%d: ...%s", rows[i].text, err.line, err.column,
                     err.text, rows[i].line, rows[i].column, rows[i].words);
        expr_free(g);
    }
}

static void test_messages(void **state) {
    static const complaint rows[] = {
        {"x + N", 1, 3, "units do not add up: one is m, the other N"},
        {"v - x", 1, 3, "units do not allow a difference"},
        {"x +\n\n z + 3", 3, 4, "one is m, the other a pure number"},
        {"max(x, v)", 1, 1, "units of 'max' differ"},
        {"x < v", 1, 3, "units of '<' differ"},
        {"if(x > z, x, v)", 1, 1, "units of 'if' differ"},
        {"exp(x)", 1, 1, "exp() must be a pure number, and is m"},
        {"2^x", 1, 2, "an exponent must be a pure number, and is m"},
        {"x^gamma", 1, 2, "the base of a variable power must be a pure number, and is m"},
        {"x^0.37", 1, 2, "the base of such a power"},
        {"stribeck(x, v_s, gamma)", 1, 1, "units of 'stribeck' differ"},
        {"stribeck(v, v_s, x)", 1, 1, "the exponent of stribeck()"},
        {"sigma_0*z", 1, 1, "'sigma_0' is not known here; did you mean 'sigma0'?"},
        {"z + mus", 1, 5, "did you mean 'mu_s'?"},
        {"strbeck(v, v_s, 1)", 1, 1, "there is no function 'strbeck'; did you mean 'stribeck'?"},
        {"q", 1, 1, "'q' is not known here"},
        {"2 v", 1, 3, "there is no unit 'v'; a product is written with *"},
        {"3 N/gamma", 1, 3, "no unit 'N/gamma'"},
        {"x(3)", 1, 1, "'x' is not a function; a product is written x*(...)"},
        {"(x + z", 1, 7, "')' is missing: '(' stands in line 1, column 1"},
        {"x + z)", 1, 6, "')' is not expected here"},
        {"x +", 1, 4, "the end stands where a number or name is wanted"},
        {"", 1, 1, "the end stands where"},
        {"x * / z", 1, 5, "'/' stands where"},
        {"x z", 1, 3, "'z' is not expected here"},
        {"3 4", 1, 3, "an operator is missing before '4'"},
        {"x ** 2", 1, 3, "a power is written ^"},
        {"x $ 2", 1, 3, "'$' is not known"},
        {"x \x01", 1, 3, "the byte 0x01 is not known"},
        {"1e999", 1, 1, "a number is too large"},
        {"1 < 2 < 3", 1, 7, "joined by 'and'"},
        {"1 + (x > z)", 1, 5, "a condition is not a number"},
        {"x > z > 1", 1, 7, "joined by 'and'"},
        {"if(x, 1, 2)", 1, 4, "if() begins with a condition"},
        {"if(1 > 0, 1)", 1, 1, "if() takes three arguments, and has 2"},
        {"sin()", 1, 1, "sin() takes one argument, and has 0"},
        {"not x", 1, 5, "a condition is wanted"},
        {"x > z and z", 1, 11, "a condition is wanted"},
        {"z'", 1, 1, "'z'' is not known here"},
        {"gpow(gamma, 2, gamma)", 1, 1, "a whole number"},
        {"min(1, 2", 1, 9, "',' or ')' is missing"},
        {"abs", 1, 1, "'abs' is not known here"},
    };
    expect(rows, sizeof rows / sizeof *rows, 0);
    (void)state;
}

static void test_equation_messages(void **state) {
    static const complaint rows[] = {
        {"g = x\ng = v", 2, 1, "'g' has an equation already, in line 1"},
        {"x = v", 1, 1, "'x' is given from outside"},
        {"x' = v", 1, 1, "'x' is not a state"},
        {"q' = v", 1, 1, "'q' is not a state"},
        {"z' = v\nz' = v", 2, 1, "'z'' has an equation already, in line 1"},
        {"3 = x", 1, 1, "an equation begins with a name"},
        {"g x", 1, 3, "'=' is missing behind 'g'"},
        {"g =\nh = 3", 1, 4, "the end of the line stands where"},
        {"sin(x) = x", 1, 1, "'sin' is a function of the language"},
        {"pi = 3", 1, 1, "'pi' is a word of the language"},
        {"a.b = 3", 1, 1, "a new name has no point"},
        {"f(a, a) = a", 1, 6, "'a' is an argument already"},
        {"f(a) = b", 1, 8, "'b' is not known here"},
        {"f(a) = a + 1 N\ng = f(x)", 2, 5, "f(), defined in line 1: units do not add up"},
        {"f(a) = a\ng = f(x, x)", 2, 5, "f() takes 1 argument, and has 2"},
        {"f(a) = a\ng = a", 2, 5, "'a' is not known here"},
        {"f(a) = f(a)", 1, 8, "there is no function 'f'"},
        {"g = h + 1\nh = 2", 1, 5, "'h' is not known here"},
        {"g = x > z", 1, 5, "a condition is not a number"},
        {"g = x; g = x", 1, 8, "'g' has an equation already"},
        {"# nothing\n\n  g = (x +\n v)", 3, 10, "units do not add up"},
    };
    expect(rows, sizeof rows / sizeof *rows, 1);
    (void)state;
}

/* ---- definitions ----------------------------------------------------------------------------- */

static void test_definitions(void **state) {
    static const char text[] = "# lugre, with a function of its own\n"
                               "level(a, b) = a + (b - a)*stribeck(v, v_s, gamma)\n"
                               "g = N*level(mu_c, mu_s); r = z/g   # two in a line\n"
                               "z' = v -\n"
                               "     sigma0*abs(v)*r\n"
                               "F = (sigma0*z\n"
                               "     + sigma1*z')\n";
    static const char same[] = "sigma0*z + sigma1*(v - sigma0*abs(v)*(z/(N*(mu_c + (mu_s - mu_c)*"
                               "stribeck(v, v_s, gamma)))))";
    expr_graph *g = contact(NULL);
    expr_error err;
    if (!expr_equations(g, text, strlen(text), &err))
        fail_msg("%d:%d: %s", err.line, err.column, err.text);
    assert_int_equal(expr_definitions(g), 4);
    const expr_definition *rate = expr_find(g, "z", 1), *F = expr_find(g, "F", 0);
    assert_non_null(rate);
    assert_non_null(F);
    assert_int_equal(rate->line, 4);
    assert_true(expr_dim_equal(expr_at(g, F->id)->dim, unit("N")));
    assert_int_equal(F->id, expr_read(g, same, strlen(same), &err));
    expr_free(g);
    (void)state;
}

/* ---- limits ---------------------------------------------------------------------------------- */

static char *repeated(const char *open, const char *middle, const char *close, int times) {
    size_t n = (strlen(open) + strlen(close)) * (size_t)times + strlen(middle) + 1;
    char *text = calloc(n, 1), *to = text;
    assert_non_null(text);
    for (int i = 0; i < times; i++) to += sprintf(to, "%s", open);
    to += sprintf(to, "%s", middle);
    for (int i = 0; i < times; i++) to += sprintf(to, "%s", close);
    return text;
}

static void test_limits(void **state) {
    const struct {
        const char *open, *middle, *close;
        int times;
        const char *words; /* NULL: is taken */
    } rows[] = {
        {"(", "x", ")", 150, NULL},
        {"(", "x", ")", 40000, "more than 200 levels deep"},
        {"-", "x", "", 90000, "more than 200 levels deep"},
        {"not ", "x > z", "", 20000, "more than 200 levels deep"},
        {"abs(", "x", ")", 15000, "more than 200 levels deep"},
        {"2^", "3", "", 40000, "more than 200 levels deep"},
        {"if(x > z, x, ", "x", ")", 5000, "more than 200 levels deep"},
        {"", "x", " + x", 1500, NULL},
        {"", "x", " + x", 20000, "nested too deeply"},
        {"", "x", " + x", 100000, "more than 100000 bytes"},
        {"(", "", "", 99000, "more than 200 levels deep"},
        {"1,", "", "", 40000, "not expected"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        expr_graph *g = contact(NULL);
        expr_error err;
        char *text = repeated(rows[i].open, rows[i].middle, rows[i].close, rows[i].times);
        expr_id id = expr_read(g, text, strlen(text), &err);
        if (rows[i].words ? id >= 0 || !strstr(err.text, rows[i].words) : id < 0)
            fail_msg("row %zu: %s", i, id < 0 ? err.text : "is taken");
        expr_free(g);
        free(text);
    }
    (void)state;
}

/* Functions that double with each call stand for texts of any length: size and work are bounded. */
static void test_bombs(void **state) {
    static char sum[4000], chain[4000], text[100];
    expr_error err;
    size_t n = 0, k = 0;
    n += (size_t)sprintf(sum, "f0(a) = a*a + 1\n");
    k += (size_t)sprintf(chain, "f0(a) = sin(a)*cos(a + 1)\n");
    for (int i = 1; i < 60; i++) {
        n += (size_t)sprintf(sum + n, "f%d(a) = f%d(a) + f%d(a)\n", i, i - 1, i - 1);
        k += (size_t)sprintf(chain + k, "f%d(a) = f%d(f%d(a))\n", i, i - 1, i - 1);
    }
    expr_graph *g = contact(NULL);
    if (!expr_equations(g, sum, n, &err)) fail_msg("%s", err.text); /* shared: 60 nodes more */
    expr_id id = expr_read(g, "f59(gamma)", 10, &err);
    assert_true(id >= 0);
    assert_int_equal(expr_print(g, id, EXPR_ASCII, NULL, text, sizeof text), -1);
    assert_true(strlen(text) < sizeof text);
    assert_int_equal(expr_print(g, id, EXPR_LATEX, NULL, text, sizeof text), -1);
    expr_id slope;
    assert_true(expr_derive(g, &id, 1, 7, &slope));
    expr_free(g);

    g = contact(NULL);
    assert_false(expr_equations(g, chain, k, &err));
    assert_non_null(strstr(err.text, "nested too deeply"));
    assert_non_null(expr_failure(g));
    expr_free(g);

    const expr_limits small = {.nodes = 40, .work = 100000};
    g = contact(&small);
    assert_int_equal(expr_read(g, "sin(gamma) + cos(gamma)*exp(gamma)*tan(gamma)", 45, &err) >= 0,
                     1);
    while (expr_failure(g) == NULL) { /* ends, by one limit or the other */
        id = expr_read(g, "tanh(gamma)^2", 13, &err);
        if (id >= 0) expr_derive(g, &id, 1, 7, &slope);
    }
    assert_int_equal(expr_read(g, "x", 1, &err), EXPR_NONE);
    expr_free(g);
    (void)state;
}

/* Expressions with bytes changed, cut and doubled at random: read or refused with a reason. */
static void test_damaged(void **state) {
    static pen ink;
    int taken = 0;
    for (int k = 0; k < 20000; k++) {
        char text[3000];
        size_t n = strlen(random_expression(&ink, k % 500));
        dice d = {(uint64_t)k};
        if (n >= sizeof text) n = sizeof text - 1;
        memcpy(text, ink.text, n);
        for (int i = 0; i < 1 + k % 4; i++) {
            size_t at = (size_t)(roll(&d) * (double)n);
            if (roll(&d) < 0.5)
                text[at] = "()+-*/^<>=!,.'#\n;0 1eNmsx\0\xff"[roll_to(&d, 27)];
            else
                memmove(text + at, text + at / 2, n - at);
        }
        expr_graph *g = contact(NULL);
        expr_error err = {0};
        expr_id id = expr_read(g, text, n, &err);
        taken += id >= 0;
        if (id < 0) assert_true(err.text[0] != '\0' && err.line > 0);
        if (!expr_equations(g, text, n, &err)) assert_true(err.text[0] != '\0');
        expr_free(g);
    }
    assert_true(taken < 20000);
    (void)state;
}

/* Names of variables that are none. */
static void test_variables(void **state) {
    static const char *const bad[] = {"", "3x", "a b", "z'", "and", "pi", "x", ".x", "a-b"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        expr_graph *g = contact(NULL);
        assert_int_equal(expr_variable(g, bad[i], unit("m")), EXPR_NONE);
        assert_non_null(expr_failure(g));
        expr_free(g);
    }
    expr_graph *g = contact(NULL);
    assert_false(expr_has_rate(g, "nobody"));
    assert_true(expr_depends(g, expr_read(g, "x + z", 5, NULL), 3));
    assert_false(expr_depends(g, expr_read(g, "x + z", 5, NULL), 4));
    expr_free(g);
    (void)state;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_unit_reader),
        cmocka_unit_test(test_units),
        cmocka_unit_test(test_units_of_derivatives),
        cmocka_unit_test(test_unit_hook),
        cmocka_unit_test(test_messages),
        cmocka_unit_test(test_equation_messages),
        cmocka_unit_test(test_definitions),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_bombs),
        cmocka_unit_test(test_damaged),
        cmocka_unit_test(test_variables),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
