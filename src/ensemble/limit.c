/* limit.c - a line that is known from elsewhere: where an expression of the axes is 0. It may name
 * every number of the scenario, pad.sigma0 or block.mass. Units are checked, and numbers may have
 * one. */
#include "formula.h"

#include <stdlib.h>
#include <string.h>

struct limit {
    expr_program *program;
    double *in; /* values of all variables; the axes come first */
    int n_axes, count;
    int *axis; /* which axis each of the first variables is */
};

static int declare(expr_graph *g, limit *l, const char *name, const char *unit, double value,
                   int *room) {
    static const char letters[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.";
    if (strspn(name, letters) != strlen(name) || strlen(name) > 63) return 1;
    for (int i = 0; i < l->count; i++)
        if (strcmp(expr_variable_name(g, i), name) == 0) return 1;
    if (l->count == *room) {
        *room = 2 * *room + 16;
        double *more = realloc(l->in, (size_t)*room * sizeof *more);
        if (!more) return 0;
        l->in = more;
    }
    if (expr_variable(g, name, meter_dim(unit)) < 0) return 0;
    l->in[l->count++] = value;
    return 1;
}

/* Nonzero: "limit = ..." alone. */
static int is_named(const char *text) {
    text += strspn(text, " ");
    if (strncmp(text, "limit", 5) != 0) return 0;
    text += 5 + strspn(text + 5, " ");
    return text[0] == '=' && text[1] != '=';
}

/* One expression, or equations parted by ; that end with limit = ... */
static expr_id read_text(expr_graph *g, const char *text, expr_error *why) {
    if (!strchr(text, ';') && !is_named(text)) return expr_read(g, text, strlen(text), why);
    if (!expr_equations(g, text, strlen(text), why)) return EXPR_NONE;
    const expr_definition *last = expr_find(g, "limit", 0);
    if (last) return last->id;
    snprintf(why->text, sizeof why->text, "the equations must end with limit = ...");
    return EXPR_NONE;
}

bri_status limit_create(limit **to, const char *text, const axis *axes, int n_axes,
                        const bri_sim *sim, bri_error *err) {
    limit *l = calloc(1, sizeof *l);
    expr_graph *g = expr_new(NULL);
    expr_error why = {0};
    bri_ref ref = {0};
    int room = 0, good = l && g;
    bri_status status = BRI_OK;
    *to = l;
    if (good) good = (l->axis = calloc((size_t)n_axes + 1, sizeof *l->axis)) != NULL;
    for (int i = 0; i < n_axes && good; i++) {
        int before = l->count;
        good = declare(g, l, axes[i].name, axes[i].is_key ? "?" : axes[i].unit, 0.0, &room);
        if (good && l->count > before) l->axis[l->n_axes++] = i;
    }
    while (good && l->count < 2000 && bri_sim_ref_next(sim, &ref)) {
        bri_number n = bri_sim_number(sim, ref);
        good = declare(g, l, n.name, n.unit, n.value, &room);
    }
    expr_id root = good ? read_text(g, text, &why) : EXPR_NONE;
    if (!good)
        status = bri_fail(err, BRI_NO_MEMORY, "%s", bri_status_text(BRI_NO_MEMORY));
    else if (root < 0 || expr_is_condition(g, root))
        status = bri_fail(err, BRI_BAD_VALUE, "limit: %.300s",
                          root < 0 ? why.text : "a condition is no number");
    else if ((l->program = expr_program_new(g, &root, 1, &(expr_compile){0})) == NULL)
        status = bri_fail(err, BRI_NO_MEMORY, "%s", bri_status_text(BRI_NO_MEMORY));
    expr_free(g);
    return status;
}

void limit_free(limit *l) {
    if (!l) return;
    expr_program_free(l->program);
    free(l->in);
    free(l->axis);
    free(l);
}

double limit_value(const limit *l, const double *axes) {
    expr_frame *frame = expr_frame_new(l->program);
    double out = 0.0;
    if (!frame) return out;
    for (int i = 0; i < l->n_axes; i++) l->in[i] = axes[l->axis[i]];
    expr_run_one(frame, l->in, &out);
    expr_frame_free(frame);
    return out;
}
