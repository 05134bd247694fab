/* test_expr_memory.c - expressions and law files when memory runs out, at every single request: a
 * reason is given, nothing is lost (the sanitizers look) and nothing is touched that is not there.
 */
#include "law/law.h"
#include "test.h"

#include <stdlib.h>

static long left = -1; /* requests until the one that fails; below zero: none does */
static int failed;

static int refuse(void) {
    if (left < 0) return 0;
    int now = left-- == 0;
    failed |= now;
    return now;
}

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);

void *__wrap_malloc(size_t size) { return refuse() ? NULL : __real_malloc(size); }
void *__wrap_calloc(size_t count, size_t size) {
    return refuse() ? NULL : __real_calloc(count, size);
}
void *__wrap_realloc(void *old, size_t size) { return refuse() ? NULL : __real_realloc(old, size); }

static void count(void *to, int line, const char *words) {
    (void)line;
    if (words[0]) ++*(int *)to;
}

/* From a file to C. 0 if memory ran out. */
static int generate(const char *text) {
    int complaints = 0;
    bri_error err = {0};
    law *l = law_read(text, strlen(text), count, &complaints);
    if (!l) {
        assert_true(complaints > 0);
        return 0;
    }
    char *code = law_to_c(l, "mine.yaml", &err);
    if (!code) assert_true(err.text[0]);
    int good = code != NULL;
    free(code);
    law_free(l);
    return good;
}

/* From text to a number. */
static int evaluate(const char *text) {
    static const expr_dim plain = {{0}, 0};
    static const char equations[] = "f(a) = a*stribeck(a, 2, 1.5)\nq = f(x) + f(v)\n";
    expr_error err = {0};
    expr_id roots[2];
    double in[8] = {0.7, -0.3}, out[2] = {0.0, 0.0};
    expr_graph *g = expr_new(NULL);
    if (!g) return 0;
    expr_program *p = NULL;
    expr_frame *f = NULL;
    if (expr_variable(g, "x", plain) >= 0 && expr_variable(g, "v", plain) >= 0 &&
        expr_equations(g, equations, strlen(equations), &err)) {
        roots[0] = expr_read(g, text, strlen(text), &err);
        if (roots[0] < 0) assert_true(err.text[0]);
        if (expr_derive(g, roots, 1, 1, &roots[1])) p = expr_program_new(g, roots, 2, NULL);
        if (p) f = expr_frame_new(p);
        if (f) expr_run_one(f, in, out);
    }
    int good = f != NULL;
    if (!good && !p) assert_true(err.text[0] || expr_failure(g));
    expr_frame_free(f);
    expr_program_free(p);
    expr_free(g);
    return good;
}

static void test_text(void **state) {
    int tries = 0;
    do {
        left = tries++;
        failed = 0;
        int good = evaluate("q^2*sin(x) - if(x > v, clamp(v, 1), tanh(q))");
        left = -1;
        if (failed == good) fail_msg("request %d: failed %d, result %d", tries, failed, good);
    } while (failed);
    assert_true(tries > 20);
    (void)state;
}

static void test_law(void **state) {
    static const char text[] = "law: mine\n"
                               "title: A bristle\n"
                               "cite: nobody\n"
                               "limits: many\n"
                               "defaults: {from: a guess, load: 100 N}\n"
                               "parameters:\n"
                               "  mu: {default: 0.5, range: [0, 1], text: level}\n"
                               "  k: {default: 1e5 N/m, range: [1, 1e9], text: spring}\n"
                               "require: mu >= 0.1\n"
                               "states:\n"
                               "  z: {unit: m, nominal: 1 mm, text: deflection}\n"
                               "equations: |\n"
                               "  z' = v - k*abs(v)*z/(mu*N)\n"
                               "  F = k*z\n"
                               "lift: 1 ms\n"
                               "stored: k*z^2/2\n";
    int tries = 0;
    do {
        left = tries++;
        failed = 0;
        int good = generate(text);
        left = -1;
        if (failed == good) fail_msg("request %d: failed %d, result %d", tries, failed, good);
    } while (failed);
    assert_true(tries > 50);
    (void)state;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text),
        cmocka_unit_test(test_law),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
