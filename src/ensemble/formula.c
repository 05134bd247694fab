/* formula.c - one expression of a measure as a program, and what it needs: columns, facts of the
 * run, axes, and what was computed before it. */
#include "formula.h"

#include "../decimal.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- memory --------------------------------------------------------------------------------- */

static bri_status no_memory(bri_error *err) {
    return bri_fail(err, BRI_NO_MEMORY, "%s", bri_status_text(BRI_NO_MEMORY));
}

int meter_grow(void **list, int count, int *room, size_t size) {
    if (count < *room) return 1;
    int more = *room ? 2 * *room : 8;
    void *to = realloc(*list, (size_t)more * size);
    if (!to) return 0;
    *list = to;
    *room = more;
    return 1;
}

int meter_need(meter *m, const char *name) {
    for (int i = 0; i < m->n_columns; i++)
        if (strcmp(m->columns[i], name) == 0) return i;
    if (!meter_grow((void **)&m->columns, m->n_columns, &m->columns_room, sizeof *m->columns))
        return -1;
    char *copy = malloc(strlen(name) + 1);
    if (!copy) return -1;
    m->columns[m->n_columns] = strcpy(copy, name);
    return m->n_columns++;
}

/* ---- expressions ---------------------------------------------------------------------------- */

/* Names of the language, or with letters that it does not have, cannot be variables. */
static int can_be_variable(const char *name) {
    static const char letters[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.";
    return strspn(name, letters) == strlen(name) && strlen(name) <= 63 &&
           (isalpha((unsigned char)name[0]) || name[0] == '_') && strcmp(name, "pi") != 0 &&
           strcmp(name, "and") != 0 && strcmp(name, "or") != 0 && strcmp(name, "not") != 0;
}

expr_dim meter_dim(const char *unit) {
    double factor;
    expr_dim dim = {0};
    if (!expr_unit_si(NULL, unit, &factor, &dim)) dim.any = 1; /* fits everything */
    return dim;
}

typedef struct scope {
    meter *m;
    expr_graph *g;
    source *sources;
    int count, room;
} scope;

static int declare(scope *s, const char *name, expr_dim dim, source_kind kind, int index) {
    if (!can_be_variable(name)) return 1;
    for (int i = 0; i < s->count; i++)
        if (strcmp(expr_variable_name(s->g, i), name) == 0) return 1; /* the first one means it */
    if (!meter_grow((void **)&s->sources, s->count, &s->room, sizeof *s->sources)) return 0;
    if (expr_variable(s->g, name, dim) < 0) return 0;
    s->sources[s->count++] = (source){.kind = kind, .index = index};
    return 1;
}

/* Everything that a text may name; of many columns, and of what was reduced before, only those that
 * it does name: thousands of measures are compiled one by one. */
static int declare_all(scope *s, const char *text) {
    const meter *m = s->m;
    const bri_recorder *r = m->names.recorder;
    int good = 1, columns = r ? bri_recorder_columns(r) : 0;
    for (int i = 0; i < columns && good; i++)
        if (columns < 300 || strstr(text, bri_recorder_name(r, i)))
            good = declare(s, bri_recorder_name(r, i), meter_dim(bri_recorder_unit(r, i)),
                           FROM_COLUMN, i);
    for (const char *at = text; (at = strstr(at, "_r")) != NULL && good; at += 2) {
        char name[20];
        size_t digits = strspn(at + 2, "0123456789");
        int i = digits > 0 && digits < 9 ? (int)decimal_value(at + 2, digits) : -1;
        if (i < 0 || i >= m->n_reductions) continue;
        snprintf(name, sizeof name, "_r%d", i);
        good = declare(s, name, m->reductions[i].dim, FROM_REDUCTION, i);
    }
    for (int i = 0; i < n_facts && good; i++)
        good = declare(s, facts[i].name, meter_dim(facts[i].unit), FROM_FACT, i);
    for (int i = 0; i < m->names.n_axes && good; i++)
        good = declare(s, m->names.axes[i].name, meter_dim(m->names.axes[i].unit), FROM_AXIS, i);
    return good;
}

/* What the root needs: columns by their number among those that are read. */
static int settle_sources(scope *s, expr_id root, formula *f) {
    meter *m = s->m;
    for (int i = 0; i < s->count; i++) {
        source *at = &s->sources[i];
        at->needed = expr_depends(s->g, root, i);
        if (!at->needed) continue;
        if (at->kind == FROM_FACT) {
            if (facts[at->index].needs & NEEDS_SLIPS) m->slips |= LOOK_AT_SLIPS;
            if (facts[at->index].needs & NEEDS_ENERGIES) m->energies = 1;
        }
        if (at->kind != FROM_COLUMN) continue;
        at->index = meter_need(m, bri_recorder_name(m->names.recorder, at->index));
        if (at->index < 0) return 0;
        f->columns = 1;
    }
    f->alone = f->column = -1;
    if (expr_at(s->g, root)->op == EXPR_VAR) {
        const source *is = &s->sources[expr_at(s->g, root)->index];
        if (is->kind == FROM_REDUCTION) f->alone = is->index;
        if (is->kind == FROM_COLUMN) f->column = is->index;
    }
    return 1;
}

bri_status formula_compile(meter *m, const char *text, const char *shown, formula *f,
                           bri_error *err) {
    scope s = {.m = m, .g = expr_new(NULL)};
    expr_error why = {0};
    bri_status status = BRI_OK;
    if (!s.g || !declare_all(&s, text)) status = no_memory(err);
    expr_id root = status ? EXPR_NONE : expr_read(s.g, text, strlen(text), &why);
    if (status == BRI_OK && root < 0)
        status = bri_fail(err, BRI_BAD_VALUE, "measure '%.100s': %.250s", shown, why.text);
    if (status == BRI_OK && expr_is_condition(s.g, root))
        status = bri_fail(err, BRI_BAD_VALUE,
                          "measure '%.100s' is a condition: fraction(...), when(...) or count(...) "
                          "make a number of it",
                          shown);
    unsigned char *uniform = status ? NULL : calloc((size_t)s.count + 1, 1);
    for (int i = 0; uniform && i < s.count; i++) uniform[i] = s.sources[i].kind != FROM_COLUMN;
    if (status == BRI_OK) {
        f->dim = expr_at(s.g, root)->dim;
        if (uniform && settle_sources(&s, root, f))
            f->program = expr_program_new(s.g, &root, 1, &(expr_compile){.uniform = uniform});
        f->sources = s.sources;
        f->n_sources = s.count;
        s.sources = NULL;
        if (!f->program) status = no_memory(err);
    }
    free(uniform);
    free(s.sources);
    expr_free(s.g);
    return status;
}
