/* varied.c - what a sweep varies: its grids, distributions and files of points become axes. */
#include "builder.h"

#include "../arena.h"
#include "../decimal.h"
#include "../scenario/csv.h"
#include "../scenario/node.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bri_status no_memory(bri_error *err) {
    return bri_fail(err, BRI_NO_MEMORY, "%s", bri_status_text(BRI_NO_MEMORY));
}

/* What is no number has an option of its own. */
static bri_status check_choice(const char *name, bri_error *err) {
    const char *dot = strrchr(name, '.');
    int law = dot && strcmp(dot, ".model") == 0;
    if (!law && strcmp(name, "run.solver") != 0) return BRI_OK;
    return bri_fail(err, BRI_BAD_VALUE, "%s is no number: --%s varies %s", name,
                    law ? "model lugre,dahl" : "solver rosenbrock,cvode_bdf",
                    law ? "the law of all contacts" : "the solver");
}

/* A parameter of the file that is no address, as one that is part of a number; NULL: it is none. */
static const bri_parameter *parameter_of(const builder *b, const char *name) {
    const bri_system *s = &bri_scenario_def(b->scenario)->system;
    for (int i = 0; i < s->n_parameters; i++)
        if (strcmp(s->parameters[i].name, name) == 0) return &s->parameters[i];
    return NULL;
}

/* A new axis: its unit and its value in the scenario, if it is an address. */
static bri_status add_axis(builder *b, const char *name, axis_kind kind, axis **to,
                           bri_error *err) {
    design *d = &b->s->design;
    bri_ref ref;
    bri_error why;
    for (int i = 0; i < d->n_axes; i++)
        if (strcmp(d->axes[i].name, name) == 0)
            return bri_fail(err, BRI_BAD_VALUE, "%s is varied twice", name);
    bri_status choice = b->sim ? check_choice(name, err) : BRI_OK;
    if (choice != BRI_OK) return choice;
    if (d->n_axes == MOST_AXES)
        return bri_fail(err, BRI_BAD_VALUE, "more than %d numbers are varied", MOST_AXES);
    axis *a = *to = &d->axes[d->n_axes++];
    *a = (axis){.kind = kind, .nominal = NAN, .unit = "1"};
    snprintf(a->name, sizeof a->name, "%s", name);
    if (!b->sim) return BRI_OK;
    bri_status status = bri_sim_find(b->sim, name, &ref, &why);
    if (status != BRI_OK) {
        const bri_parameter *own = parameter_of(b, name);
        a->is_key = 1; /* perhaps a key of the file; decided when it is tried */
        if (own) a->nominal = own->value;
        if (kind != AXIS_EACH) return BRI_OK;
        return bri_fail(err, status, "%s", why.text);
    }
    bri_number number = bri_sim_number(b->sim, ref);
    snprintf(a->unit, sizeof a->unit, "%s", number.unit);
    a->nominal = number.value;
    a->whole = number.whole;
    if (kind == AXIS_EACH && ref.count < 2)
        return bri_fail(err, BRI_BAD_VALUE, "%s is a single number, not one of an array: --random",
                        name);
    return BRI_OK;
}

/* Whether the file takes a value of a key. */
static bri_status try_key(builder *b, const axis *a, double value) {
    variant v = {.law = b->def->n_laws > 0 ? b->def->laws[0] : NULL};
    double x[MOST_AXES];
    int i = (int)(a - b->s->design.axes);
    bri_scenario *scenario = NULL;
    x[i] = value;
    bri_status status = load_variant(b->s, &v, x, i, &scenario, b->messages);
    bri_scenario_free(scenario);
    return status;
}

/* A key that is no address: whether the file takes it at all. */
static bri_status check_key(builder *b, axis *a, bri_error *err) {
    bri_error why;
    bri_ref ref;
    int of_run = strncmp(a->name, "run.", 4) == 0;
    if (!a->is_key || (of_run && a->kind != AXIS_RANDOM)) return BRI_OK;
    const axis *axes = b->s->design.axes;
    double value = axis_trial(axes, (int)(a - axes), 0);
    if (a->kind == AXIS_RANDOM) value += (spread_value(&a->spread, 0.5) - value) / 1024.0;
    bri_status status = try_key(b, a, value);
    if (status == BRI_BAD_VALUE && a->kind == AXIS_RANDOM) {
        a->whole = try_key(b, a, floor(value + 0.5)) == BRI_OK; /* it has to be */
        if (a->whole) return BRI_OK;
        try_key(b, a, value); /* for what is told */
    }
    if (status == BRI_OK || of_run) return BRI_OK;
    bri_status found = bri_sim_find(b->sim, a->name, &ref, &why);
    if ((found == BRI_BAD_VALUE || status == BRI_BAD_VALUE) && b->messages->count > 0)
        /* it is there, but takes no such value */
        return bri_fail(err, status, "%s: %.300s", a->name, b->messages->message[0].text);
    return bri_fail(err, found, "%s", why.text);
}

/* Further addresses that have the values of axis `of`. */
static bri_status add_same(builder *b, int of, const char *more, const char *rest, bri_error *err) {
    const design *d = &b->s->design;
    char name[BRI_ADDRESS];
    axis *a;
    while (axis_more(&more, rest, name)) {
        const axis *first = &d->axes[of];
        if (!*name || !b->sim || first->kind == AXIS_EACH)
            return bri_fail(err, BRI_BAD_VALUE, "%s=...: %s", first->name,
                            *name ? "several addresses cannot have the same values here"
                                  : "an address is missing");
        bri_status status = add_axis(b, name, AXIS_SAME, &a, err);
        if (status != BRI_OK) return status;
        a->of = of;
        strcpy(a->suffix, a->is_key && !first->is_key ? first->unit : first->suffix);
        if (a->is_key) strcpy(a->unit, first->unit);
        int plain = strcmp(first->unit, "1") == 0 && *first->suffix; /* such as a share in % */
        if (!a->is_key && (plain || strcmp(a->unit, first->unit) != 0))
            return bri_fail(err, BRI_BAD_VALUE,
                            "%s cannot have the values of %s, which has another unit", name,
                            first->name);
        status = check_key(b, a, err);
        if (status != BRI_OK) return status;
    }
    return BRI_OK;
}

static bri_status add_grids(builder *b, bri_error *err) {
    bri_status status = BRI_OK;
    for (int i = 0; i < b->def->n_vary && status == BRI_OK; i++) {
        char name[BRI_ADDRESS];
        const char *more, *rest;
        axis *a;
        status = axis_name(b->def->vary[i], "vary", name, &more, &rest, err);
        if (status == BRI_OK) status = add_axis(b, name, AXIS_GRID, &a, err);
        if (status == BRI_OK) status = axis_grid(a, rest, err);
        if (status == BRI_OK) status = check_key(b, a, err);
        if (status == BRI_OK) status = add_same(b, (int)(a - b->s->design.axes), more, rest, err);
    }
    return status;
}

/* The unit of a distribution of a key, whose own nobody knows: "uniform(0.1 m/s, 0.2 m/s)". Shares
 * alone are of a parameter, which has one. */
static void take_unit_of(const builder *b, axis *a, const char *text) {
    const bri_parameter *own = b->sim ? parameter_of(b, a->name) : NULL;
    char unit[41] = "";
    int shares = 1;
    for (const char *at = strchr(text, '('); at && !*unit; at = strchr(at + 1, ',')) {
        at += 1 + strspn(at + 1, " ");
        at += decimal_length(at);
        at += strspn(at, " ");
        size_t n = strcspn(at, ",)");
        while (n > 0 && at[n - 1] == ' ') n--;
        shares &= n > 0 && *at == '%';
        if (n > 0 && n < sizeof unit && *at != '%') snprintf(unit, sizeof unit, "%.*s", (int)n, at);
    }
    if (shares && own && strcmp(own->unit, "1") != 0)
        snprintf(unit, sizeof unit, "%.40s", own->unit);
    axis_take_unit(a, unit);
}

static bri_status add_spreads(builder *b, const char *const *given, int count, axis_kind kind,
                              bri_error *err) {
    bri_status status = BRI_OK;
    for (int i = 0; i < count && status == BRI_OK; i++) {
        char name[BRI_ADDRESS];
        const char *more, *rest;
        bri_error why = {0};
        axis *a;
        status =
            axis_name(given[i], kind == AXIS_EACH ? "each" : "random", name, &more, &rest, err);
        if (status == BRI_OK) status = add_axis(b, name, kind, &a, err);
        if (status != BRI_OK) break;
        if (a->is_key) take_unit_of(b, a, rest);
        status = spread_read(&a->spread, rest, a->unit, a->nominal, &why);
        if (status != BRI_OK && a->is_key && isnan(a->nominal)) { /* perhaps it is not there */
            bri_error missing = {0};
            a->spread = (spread){.kind = SPREAD_UNIFORM, .a = 1.0, .b = 1.0};
            if (check_key(b, a, &missing) == BRI_NOT_FOUND) {
                why = missing;
                *name = '\0';
            }
        }
        if (status != BRI_OK)
            status = bri_fail(err, status, "%s%s%.300s", name, *name ? ": " : "", why.text);
        if (status == BRI_OK) status = check_key(b, a, err);
        b->s->design.n_random += kind == AXIS_RANDOM;
        if (status == BRI_OK) status = add_same(b, (int)(a - b->s->design.axes), more, rest, err);
    }
    return status;
}

/* The names in the head of a file of points, "block.mass [kg],pad.mu_c", parted as csv.c has it. */
static int point_names(char *head, const char *names[], int most) {
    char between = strchr(head, ',') ? ',' : strchr(head, ';') ? ';' : '\t';
    int count = 0;
    for (char *at = head; at && count < most;) {
        char *comma = strchr(at, between), *unit;
        if (comma) *comma = '\0';
        while (*at == ' ' || *at == '"') at++;
        if ((unit = strpbrk(at, "[(")) != NULL) *unit = '\0';
        for (char *end = at + strlen(at); end > at && strchr(" \"\r", end[-1]);) *--end = '\0';
        if (*at && strcmp(at, "point") != 0) names[count++] = at;
        at = comma ? comma + 1 : NULL;
    }
    return count;
}

static bri_status add_points(builder *b, arena *memory, bri_error *err) {
    const char *file = b->def->points, *names[CSV_COLUMNS + 1];
    char unit[CSV_COLUMNS][CSV_UNIT];
    double *values[CSV_COLUMNS];
    long rows = 0;
    size_t length;
    bri_error why = {0};
    char *text = read_file(file, (size_t)1 << 30, &length, &why);
    if (!text) return bri_fail(err, why.status, "%.150s: %.200s", file, why.text);
    text[length] = '\0';
    text[strcspn(text, "\n")] = '\0';
    int count = point_names(text + text_mark(text, length), names, CSV_COLUMNS + 1);
    const csv_want want = {.names = names, .count = count, .single = 1, .unit = unit};
    bri_status status = BRI_OK;
    if (count < 1)
        status = bri_fail(err, BRI_BAD_FILE, "%.150s: its first line names no columns", file);
    else if (decimal_length(names[0]) == strlen(names[0]))
        status = bri_fail(err, BRI_BAD_FILE,
                          "%.150s: its first line must name the columns, and begins with %.40s",
                          file, names[0]);
    else if (count > CSV_COLUMNS)
        status = bri_fail(err, BRI_BAD_FILE, "%.150s: more than %d columns", file, CSV_COLUMNS);
    else
        status = csv_file_columns(file, &want, memory, values, &rows, err);
    for (int k = 0; k < count && status == BRI_OK; k++) {
        axis *a;
        char one[CSV_UNIT + 8];
        double factor = 1.0;
        status = add_axis(b, names[k], AXIS_FILE, &a, err);
        if (status == BRI_OK && a->is_key) axis_take_unit(a, unit[k]);
        if (status == BRI_OK && unit[k][0] && (!a->is_key || strcmp(a->unit, "1") != 0)) {
            snprintf(one, sizeof one, "1 %.30s", unit[k]);
            status = bri_quantity(one, a->unit, &factor, &why);
            if (status != BRI_OK)
                bri_fail(err, status, "%.150s: %s: %.200s", file, a->name, why.text);
        }
        if (status == BRI_OK && !(a->values = calloc((size_t)rows, sizeof *a->values)))
            status = no_memory(err);
        if (status != BRI_OK) break;
        a->count = rows;
        for (long i = 0; i < rows; i++) a->values[i] = factor * values[k][i];
        status = check_key(b, a, err);
    }
    b->s->design.file_rows = rows > 0 ? rows : 1;
    free(text);
    return status;
}

bri_status builder_design(builder *b, bri_error *err) {
    design *d = &b->s->design;
    const bri_sweep_def *def = b->def;
    arena memory = {0};
    bri_status status = BRI_OK;
    *d = (design){.n_laws = def->n_laws > 0 ? def->n_laws : 1,
                  .n_solvers = def->n_solvers > 0 ? def->n_solvers : 1,
                  .file_rows = 1,
                  .base = def->samples,
                  .seed = def->seed,
                  .sampling = def->sampling,
                  .axes = calloc(MOST_AXES, sizeof *d->axes)};
    if (!d->axes) return no_memory(err);
    if (def->points) status = add_points(b, &memory, err);
    arena_free(&memory);
    if (status == BRI_OK) status = add_grids(b, err);
    if (status == BRI_OK) status = add_spreads(b, def->random, def->n_random, AXIS_RANDOM, err);
    if (status == BRI_OK) status = add_spreads(b, def->each, def->n_each, AXIS_EACH, err);
    return status ? status : design_finish(d, def->correlate, def->n_correlate, err);
}
