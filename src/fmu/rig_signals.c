/* rig_signals.c - what the definition of a rig consists of, and its signals, expressions and
 * functions as constant tables of C. */
#include "fmu.h"

#include "../expr/machine.h"
#include "../fail.h"
#include "../scenario/timed_run.h"
#include "rig.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_LISTED = 1 << 20 };

static int list_add(rig_writer *w, rig_list *l, const void *thing) {
    if (l->count == l->room) {
        int room = l->room ? 2 * l->room : 32;
        const void **more = realloc((void *)l->at, sizeof *more * (size_t)room);
        if (!more || room > MOST_LISTED) {
            if (more) l->at = more;
            if (!w->status) w->status = bri_fail(w->err, BRI_NO_MEMORY, "the rig is too large");
            return -1;
        }
        l->at = more;
        l->room = room;
    }
    l->at[l->count] = thing;
    return l->count++;
}

/* The last one: of parts that are side by side the first stands where the others follow. */
int rig_find(const rig_list *l, const void *thing) {
    int i = l->count - 1;
    while (i >= 0 && l->at[i] != thing) i--;
    return i;
}

/* ---- collecting -------------------------------------------------------------------------------
 */

static int collect_signal(rig_writer *w, const bri_signal *s) {
    if (!s) return -1;
    int at = rig_find(&w->signals, s);
    return at >= 0 ? at : list_add(w, &w->signals, s);
}

static void collect_expression(rig_writer *w, const expression *e) {
    if (rig_find(&w->expressions, e) < 0) list_add(w, &w->expressions, e);
}

static int is_known(const bri_signal_kind *kind) {
    int known = !kind || kind == &timed_kind;
    for (int i = 0; i < bri_signal_count() && !known; i++) known = bri_signal_at(i) == kind;
    return known;
}

/* What the signals consist of, and what that consists of. Parts stand side by side. */
static void collect_parts(rig_writer *w) {
    for (int i = 0; i < w->signals.count && !w->status; i++) {
        const bri_signal *s = w->signals.at[i];
        if (!is_known(s->kind))
            w->status = bri_fail(w->err, BRI_NOT_FOUND,
                                 "a signal of the kind %s, which is code of the host, cannot be "
                                 "put into an FMU",
                                 s->kind->name);
        if (s->kind == &timed_kind) {
            const timed *by = s->data;
            collect_expression(w, by->e);
            for (int k = 0; k < by->n_by; k++) collect_signal(w, by->by[k].signal);
        } else if (s->parts && s->kind->holds != BRI_POINTS) {
            for (int k = 0; k < s->count; k++) list_add(w, &w->signals, &s->parts[k]);
        }
    }
}

static int collect_function(rig_writer *w, const bri_function *f) {
    if (!f) return -1;
    int at = rig_find(&w->functions, f);
    if (at >= 0) return at;
    const expression *e = expression_of(f);
    if (!e) {
        if (!w->status)
            w->status = bri_fail(w->err, BRI_NOT_FOUND,
                                 "a function that is code of the host cannot be put into an FMU");
        return -1;
    }
    collect_expression(w, e);
    for (int i = 0; i < f->n_args; i++) collect_signal(w, f->args[i].signal);
    return list_add(w, &w->functions, f);
}

static int collect_law(rig_writer *w, const bri_model *m) {
    for (int i = 0; i < w->n_laws; i++)
        if (w->laws[i] == m) return i;
    if (w->n_laws == RIG_MOST_LAWS) {
        if (!w->status)
            w->status =
                bri_fail(w->err, BRI_BAD_VALUE, "the rig has more than %d laws", RIG_MOST_LAWS);
        return -1;
    }
    const bri_model *known = bri_model_find(m->name);
    if (known && known != m && !w->status)
        w->status = bri_fail(w->err, BRI_NOT_FOUND,
                             "%s is not the law that the library has under this name, so that it "
                             "cannot be put into an FMU",
                             m->name);
    w->laws[w->n_laws] = m;
    return w->n_laws++;
}

void rig_collect(rig_writer *w) {
    const bri_system *s = &w->def->system;
    for (int i = 0; i < s->n_bodies; i++) {
        collect_signal(w, s->bodies[i].position);
        collect_signal(w, s->bodies[i].velocity);
    }
    for (int i = 0; i < s->n_couplings; i++) collect_function(w, s->couplings[i].tension);
    for (int i = 0; i < s->n_contacts; i++) {
        const bri_contact *c = &s->contacts[i];
        collect_law(w, c->model);
        if (c->load == BRI_LOAD_SIGNAL) collect_signal(w, c->n_of_t);
        if (c->load == BRI_LOAD_FUNCTION) collect_function(w, c->n_by);
        for (int k = 0; k < c->n_varying; k++) collect_function(w, &c->varying[k].by);
    }
    for (int i = 0; i < s->n_drives; i++) {
        collect_signal(w, &s->drives[i].force);
        collect_function(w, s->drives[i].by);
    }
    collect_parts(w);
}

/* ---- tables ---------------------------------------------------------------------------------- */

void rig_put_numbers(FILE *out, const double *x, int count) {
    fputc('{', out);
    for (int i = 0; i < count; i++) {
        if (i) fputs(i % 8 ? ", " : ",\n    ", out);
        fmu_put_number(out, x[i]);
    }
    fputs(count ? "}" : "0}", out);
}

static void put_ints(FILE *out, const int *x, int count) {
    fputc('{', out);
    for (int i = 0; i < count; i++) fprintf(out, i ? ", %d" : "%d", x[i]);
    fputs(count ? "}" : "0}", out);
}

void rig_put_link(FILE *out, const char *name, const char *table, int i) {
    if (i >= 0) fprintf(out, ", .%s = &%s[%d]", name, table, i);
}

void rig_begin(FILE *out, const char *type, const char *name) {
    fprintf(out, "static const %s %s[] = {\n", type, name);
}

void rig_end(FILE *out) { fputs("    {0}};\n", out); }

/* ---- signals and functions ------------------------------------------------------------------- */

static int has_points(const bri_signal *s) { return s->kind && s->kind->holds == BRI_POINTS; }

/* Points of tables. */
static void put_points(rig_writer *w) {
    for (int i = 0; i < w->signals.count; i++) {
        const bri_signal *s = w->signals.at[i];
        const double *const columns[] = {s->t, s->y, s->sum};
        static const char *const names[] = {"t", "y", "sum"};
        for (int k = 0; k < 3 && has_points(s); k++) {
            if (!columns[k]) continue;
            fprintf(w->out, "static const double rig_%s%d[] = ", names[k], i);
            rig_put_numbers(w->out, columns[k], s->count);
            fputs(";\n", w->out);
        }
    }
}

/* What is computed of expressions of time; the numbers are those of the signals. */
static void put_timed(rig_writer *w) {
    FILE *out = w->out;
    for (int i = 0; i < w->signals.count; i++) {
        const bri_signal *s = w->signals.at[i];
        if (s->kind != &timed_kind) continue;
        const timed *by = s->data;
        fprintf(out, "static timed_use rig_uses%d[] = {\n", i);
        for (int k = 0; k < by->n_by; k++) {
            fputs("    {.variable = ", out);
            put_ints(out, by->by[k].variable, TIMED_ORDERS);
            rig_put_link(out, "signal", "rig_signals", rig_find(&w->signals, by->by[k].signal));
            fprintf(out, ", .third = %d},\n", by->by[k].third);
        }
        rig_end(out);
        fprintf(out, "static double rig_kinks%d[] = ", i);
        rig_put_numbers(out, by->kinks, by->n_kinks);
        fprintf(out,
                ";\nstatic const timed rig_timed%d = {.e = &rig_expressions[%d], .t = %d, "
                ".by = rig_uses%d, .n_by = %d, .kinks = rig_kinks%d, .n_kinks = %d,\n    .from = ",
                i, rig_find(&w->expressions, by->e), by->t, i, by->n_by, i, by->n_kinks);
        fmu_put_number(out, by->from);
        fputs(", .span = ", out);
        fmu_put_number(out, by->span);
        fputs("};\n", out);
    }
}

/* The signal of the list, as the value of a bri_signal. */
void rig_put_signal(rig_writer *w, int i) {
    static const bri_signal none = {0};
    FILE *out = w->out;
    const bri_signal *s = i >= 0 ? w->signals.at[i] : &none;
    int kind = 0;
    while (s->kind && kind < bri_signal_count() && bri_signal_at(kind) != s->kind) kind++;
    fputs("{.p = ", out);
    rig_put_numbers(out, s->p, s->kind ? s->kind->n_params : 0);
    if (s->kind == &timed_kind)
        fprintf(out, ", .kind = &timed_kind, .data = &rig_timed%d", i);
    else /* a drive that is a function has no signal: zero */
        rig_put_link(out, "kind", "bri_signal_kinds", kind);
    if (has_points(s)) fprintf(out, ", .t = rig_t%d, .y = rig_y%d", i, i);
    if (has_points(s) && s->sum) fprintf(out, ", .sum = rig_sum%d", i);
    if (!has_points(s) && s->kind != &timed_kind && s->parts && s->count > 0)
        rig_put_link(out, "parts", "rig_signals", rig_find(&w->signals, &s->parts[0]));
    fprintf(out, ", .count = %d}", s->count);
}

/* A program without uniform inputs, as expression_run.c runs it. */
static void put_program(FILE *out, const expr_program *p, const char *name, int i) {
    if (!p) return;
    fprintf(out, "static instruction rig_%s_each%d[] = {\n", name, i);
    for (int k = 0; k < p->n_each; k++)
        fprintf(out, "    {(expr_op)%d, %d, {%d, %d, %d}},\n", (int)p->each[k].op, p->each[k].to,
                p->each[k].at[0], p->each[k].at[1], p->each[k].at[2]);
    fputs("    {(expr_op)0, 0, {0, 0, 0}}};\n", out);
    fprintf(out, "static constant rig_%s_constants%d[] = {\n", name, i);
    for (int k = 0; k < p->n_constants; k++) {
        fprintf(out, "    {%d, ", p->constants[k].to);
        fmu_put_number(out, p->constants[k].value);
        fputs("},\n", out);
    }
    rig_end(out);
    fprintf(out, "static int rig_%s_roots%d[] = ", name, i);
    put_ints(out, p->roots, p->n_roots);
    fprintf(
        out,
        ";\nstatic expr_program rig_%s%d = {.n_inputs = %d, .n_uniform = %d, .n_registers = %d, "
        ".each = rig_%s_each%d, .n_each = %d,\n    .constants = rig_%s_constants%d, "
        ".n_constants = %d, .roots = rig_%s_roots%d, .n_roots = %d};\n",
        name, i, p->n_inputs, p->n_uniform, p->n_registers, name, i, p->n_each, name, i,
        p->n_constants, name, i, p->n_roots);
}

static void put_args(rig_writer *w, const bri_arg *args, int count) {
    for (int k = 0; k < count; k++) {
        fprintf(w->out, "    {.kind = (bri_arg_kind)%d, .index = %d", (int)args[k].kind,
                args[k].index);
        rig_put_link(w->out, "signal", "rig_signals",
                     args[k].signal ? rig_find(&w->signals, args[k].signal) : -1);
        fputs("},\n", w->out);
    }
}

/* Nonzero: a signal is computed by it, which reads its arguments there. */
static int is_timed(const rig_writer *w, const expression *e) {
    for (int i = 0; i < w->signals.count; i++) {
        const bri_signal *s = w->signals.at[i];
        if (s->kind == &timed_kind && ((const timed *)s->data)->e == e) return 1;
    }
    return 0;
}

enum { PROGRAMS = 6 };
static const char *const program_names[PROGRAMS] = {"value", "slopes", "switches",
                                                    "pace",  "rates",  "bends"};

static void programs_of(const expression *e, const expr_program *to[PROGRAMS]) {
    const expr_program *const all[] = {e->value, e->slopes, e->switches,
                                       e->pace,  e->rates,  e->bends};
    memcpy((void *)to, (const void *)all, sizeof all);
}

static void put_expressions(rig_writer *w) {
    FILE *out = w->out;
    const expr_program *programs[PROGRAMS];
    if (w->expressions.count == 0) return;
    for (int i = 0; i < w->expressions.count; i++) {
        programs_of(w->expressions.at[i], programs);
        for (int k = 0; k < PROGRAMS; k++) put_program(out, programs[k], program_names[k], i);
    }
    rig_begin(out, "expression", "rig_expressions");
    for (int i = 0; i < w->expressions.count; i++) {
        const expression *e = w->expressions.at[i];
        programs_of(e, programs);
        fputs("    {", out);
        for (int k = 0; k < PROGRAMS; k++)
            if (programs[k])
                fprintf(out, ".%s = &rig_%s%d, ", program_names[k], program_names[k], i);
        fprintf(out, ".n_args = %d, .n_switches = %d, .n_paces = %d,\n     .arg = ", e->n_args,
                e->n_switches, e->n_paces);
        put_ints(out, e->arg, e->n_args);
        fputs(", .side = ", out);
        put_ints(out, e->side, e->n_switches);
        fputs(", .rate = ", out);
        put_ints(out, e->rate, e->n_paces ? e->n_args : 0);
        if (is_timed(w, e)) {
            fputs(", .args = {\n", out);
            put_args(w, e->args, e->n_args);
            fputs("    {0}}", out);
        }
        fputs("},\n", out);
    }
    rig_end(out);
}

/* The function of the list, as the value of a bri_function. */
void rig_put_function(rig_writer *w, int i) {
    const bri_function *f = w->functions.at[i];
    const expression *e = f->data;
    fprintf(w->out,
            "{.args = rig_args%d, .n_args = %d, .data = &rig_expressions[%d], "
            ".eval = expression_eval, .n_switches = %d%s%s%s}",
            i, f->n_args, rig_find(&w->expressions, e), e->n_switches,
            e->n_switches > 0 ? ", .switches = expression_switches" : "",
            e->n_paces > 0 ? ", .pace = expression_pace" : "", e->affine ? ", .affine = 1" : "");
}

void rig_put_signals(rig_writer *w) {
    FILE *out = w->out;
    fprintf(out, "static const bri_signal rig_signals[%d];\n", w->signals.count + 1);
    put_points(w);
    put_expressions(w);
    put_timed(w);
    fprintf(out, "static const bri_signal rig_signals[%d] = {\n", w->signals.count + 1);
    for (int i = 0; i < w->signals.count; i++) {
        fputs("    ", out);
        rig_put_signal(w, i);
        fputs(",\n", out);
    }
    rig_end(out);
    for (int i = 0; i < w->functions.count; i++) {
        const bri_function *f = w->functions.at[i];
        fprintf(out, "static const bri_arg rig_args%d[] = {\n", i);
        put_args(w, f->args, f->n_args);
        rig_end(out);
    }
    rig_begin(out, "bri_function", "rig_functions");
    for (int i = 0; i < w->functions.count; i++) {
        fputs("    ", out);
        rig_put_function(w, i);
        fputs(",\n", out);
    }
    rig_end(out);
}
