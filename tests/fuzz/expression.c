/* expression.c - expressions and equations under coverage-guided fuzzing: whatever the bytes say,
 * reading ends, a refusal gives a reason, and what is taken can be derived, printed, read back as
 * the same graph and evaluated. The first byte says whether the rest is equations. */
#include "expr/expr.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { VARIABLES = 5 };

static expr_graph *contact(void) {
    static const char *const rows[VARIABLES][2] = {
        {"x", "m"}, {"v", "m/s"}, {"N", "N"}, {"z", "m"}, {"gamma", "1"}};
    const expr_limits limits = {.nodes = 5000, .work = 500000};
    expr_graph *g = expr_new(&limits);
    if (!g) abort();
    for (int i = 0; i < VARIABLES; i++) {
        double factor;
        expr_dim dim;
        if (!expr_unit_si(NULL, rows[i][1], &factor, &dim)) abort();
        if (expr_variable(g, rows[i][0], dim) < 0) abort();
    }
    if (!expr_has_rate(g, "z")) abort();
    return g;
}

/* Text, and the same node again. The room of the text limits what a graph may stand for. */
static void print(expr_graph *g, expr_id id, int read_back) {
    static char text[20000];
    expr_error err;
    for (expr_style style = EXPR_C; style <= EXPR_MATHML; style++)
        expr_print(g, id, style, NULL, text, sizeof text);
    int n = expr_print(g, id, EXPR_ASCII, NULL, text, sizeof text);
    if (n < 0 || !read_back) return;
    if (expr_read(g, text, (size_t)n, &err) != id && !expr_failure(g) &&
        !strstr(err.text, "levels deep"))
        abort();
}

static void evaluate(expr_graph *g, const expr_id *roots, int count) {
    enum { ELEMENTS = 70 };
    static double room[64][ELEMENTS], out[2][ELEMENTS];
    const double *in[64];
    double *to[2] = {out[0], out[1]};
    if (expr_variables(g) + 2 > 64) return;
    for (int i = 0; i < 64; i++) {
        in[i] = room[i];
        for (int k = 0; k < ELEMENTS; k++) room[i][k] = 0.37 * (k % 9) - 1.0;
    }
    expr_program *p = expr_program_new(g, roots, count, NULL);
    expr_frame *f = p ? expr_frame_new(p) : NULL;
    if (f) expr_run(f, in, to, ELEMENTS);
    expr_frame_free(f);
    expr_program_free(p);
}

static void use(expr_graph *g, expr_id id, int read_back) {
    expr_id roots[2] = {id, EXPR_NONE};
    print(g, id, read_back);
    if (expr_is_condition(g, id)) return;
    if (!expr_derive(g, &id, 1, 1, &roots[1])) return;
    print(g, roots[1], 0);
    evaluate(g, roots, 2);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    expr_error err = {0};
    if (size == 0) return 0;
    expr_graph *g = contact();
    const char *text = (const char *)data + 1;
    if (data[0] & 1) {
        if (!expr_equations(g, text, size - 1, &err) && !err.text[0]) abort();
        for (int i = 0; i < expr_definitions(g) && !expr_failure(g); i++)
            use(g, expr_definition_at(g, i)->id, 1);
    } else {
        expr_id id = expr_read(g, text, size - 1, &err);
        if (id < 0 && !err.text[0]) abort();
        if (id >= 0) use(g, id, 1);
    }
    expr_free(g);
    return 0;
}
