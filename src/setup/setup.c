/* setup.c - the parameters of one contact, given by name and as text.
 *
 * Friction levels are coefficients (mu_c, mu_s) to be multiplied by the load, or forces (Fc, Fs) in
 * newtons; never a mixture. With forces the levels in p are newtons and the load is 1. What is not
 * given is found in complete.c. */
#include "bristle_tools.h"

#include "../fail.h"
#include "../nearest.h"
#include "setup.h"

#include <math.h>
#include <string.h>

void bri_setup_init(bri_setup *s, const bri_model *m) {
    memset(s, 0, sizeof *s);
    s->model = m;
    s->load = m->load;
    bri_model_defaults(m, s->p);
}

/* All names a parameter of the law can be set by; returns their number. */
static int parameter_names(const bri_model *m, const char *names[2 * BRI_MAX_PARAMS]) {
    int count = 0;
    for (int i = 0; i < m->n_params; i++) names[count++] = m->params[i].name;
    for (int i = 0; i < m->n_params; i++)
        if (m->params[i].force) names[count++] = m->params[i].force;
    return count;
}

/* "a, b and c" into text. */
static void join(const char *const *names, int count, char *text, size_t size) {
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; i < count && used < size; i++) {
        const char *gap = i == 0 ? "" : i == count - 1 ? " and " : ", ";
        int n = snprintf(text + used, size - used, "%s%s", gap, names[i]);
        if (n > 0) used += (size_t)n;
    }
}

static bri_status unknown_name(const bri_model *m, const char *name, bri_error *err) {
    const char *names[2 * BRI_MAX_PARAMS];
    int count = parameter_names(m, names);
    const char *near = bri_nearest(name, names, count);
    if (near)
        return bri_fail(err, BRI_NOT_FOUND, "%s has no parameter '%.40s'; did you mean '%s'?",
                        m->name, name, near);
    char list[300];
    join(names, count, list, sizeof list);
    return bri_fail(err, BRI_NOT_FOUND, "%s has no parameter '%.40s'; it has %s", m->name, name,
                    list);
}

/* Coefficients and forces must not be mixed: how the levels of this law are called. */
static bri_status mixed_levels(const bri_model *m, bri_error *err) {
    const char *coefficients[BRI_MAX_PARAMS], *forces[BRI_MAX_PARAMS];
    int count = 0;
    for (int i = 0; i < m->n_params; i++)
        if (m->params[i].force) {
            coefficients[count] = m->params[i].name;
            forces[count++] = m->params[i].force;
        }
    char a[150], b[150];
    join(coefficients, count, a, sizeof a);
    join(forces, count, b, sizeof b);
    return bri_fail(err, BRI_BAD_VALUE, "%s: give %s, or %s, not both", m->name, a, b);
}

static const char *unit_of(const bri_param *row, const char *name) {
    return strcmp(name, row->name) != 0 ? "N" : row->unit;
}

bri_status bri_setup_set(bri_setup *s, const char *name, const char *text, bri_error *err) {
    int i = bri_model_param(s->model, name);
    if (i < 0) return unknown_name(s->model, name, err);
    bri_error why;
    double value;
    bri_status status = bri_quantity(text, unit_of(&s->model->params[i], name), &value, &why);
    if (status) return bri_fail(err, status, "%s: %s: %s", s->model->name, name, why.text);
    return bri_setup_put(s, name, value, err);
}

bri_status bri_setup_put(bri_setup *s, const char *name, double value, bri_error *err) {
    const bri_model *m = s->model;
    int i = bri_model_param(m, name);
    if (i < 0) return unknown_name(m, name, err);
    const bri_param *row = &m->params[i];
    int force = strcmp(name, row->name) != 0;
    const char *unit = unit_of(row, name);
    if (!(value >= row->min && value <= row->max)) {
        const char *shown = strcmp(unit, "1") == 0 ? "" : unit, *gap = *shown ? " " : "";
        return bri_fail(err, BRI_BAD_VALUE, "%s: %s = %g%s%s is outside %g ... %g%s%s", m->name,
                        name, value, gap, shown, row->min, row->max, gap, shown);
    }
    if (row->whole && value != floor(value))
        return bri_fail(err, BRI_BAD_VALUE, "%s: %s = %g must be a whole number", m->name, name,
                        value);
    if (row->force) {
        for (int k = 0; k < m->n_params; k++)
            if (m->params[k].force && s->given[k] && s->given[k] != 1 + force)
                return mixed_levels(m, err);
        s->forces = force;
    }
    s->p[i] = value;
    s->given[i] = (unsigned char)(1 + force);
    s->origin[i] = BRI_GIVEN;
    s->from[i] = s->rule[i] = NULL;
    return BRI_OK;
}

/* " (Fc = 8.3 N, Fs = 5 N)": the levels in newtons, for a rule that speaks of coefficients. */
static void show_levels(const bri_setup *s, char *text, size_t size) {
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; s->forces && i < s->model->n_params && used < size; i++) {
        const char *name = s->model->params[i].force;
        int n = name ? text_format(text + used, size - used, "%s%s = %g N", used ? ", " : " (",
                                   name, s->p[i])
                     : 0;
        if (n > 0) used += (size_t)n;
    }
    if (used && used < size) snprintf(text + used, size - used, ")");
}

bri_status bri_setup_finish(bri_setup *s, double load, bri_error *err) {
    const bri_model *m = s->model;
    if (!(load <= 1e9)) /* also a NaN */
        return bri_fail(err, BRI_BAD_VALUE, "the load must be a number of newtons below 1e9");
    if (!s->forces) {
        s->load = load > 0.0 ? load : m->load;
    } else if (load > 0.0) {
        return bri_fail(err, BRI_BAD_VALUE,
                        "%s: with friction levels in newtons there is no load to give", m->name);
    } else {
        s->load = 1.0;
    }
    setup_settle_levels(s);
    for (int i = 0; s->forces && i < m->n_params; i++)
        if (m->params[i].force && s->origin[i] == BRI_DEFAULT)
            return bri_fail(err, BRI_BAD_VALUE, "%s: %s is missing", m->name, m->params[i].force);
    bri_error why;
    bri_status status = bri_model_check(m, s->p, &why);
    if (!status) return BRI_OK;
    char levels[200];
    show_levels(s, levels, sizeof levels);
    return bri_fail(err, status, "%s%s", why.text, levels);
}
