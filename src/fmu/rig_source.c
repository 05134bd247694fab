/* rig_source.c - the sources of a rig's unit: its definition as tables of C, its laws, the engine.
 */
#define _POSIX_C_SOURCE 200809L
#include "fmu.h"

#include "../expr/machine.h"
#include "../fail.h"
#include "../law/interpret.h"
#include "../memtext.h"
#include "../models/models.h"
#include "../scenario/expression_run.h"
#include "rig.h"

#include <stdlib.h>
#include <string.h>

/* What is collected while the definition is written: each thing once, in the order of its first
 * use. */
enum { MOST_LAWS = 64, MOST_LISTED = 1 << 20 };
typedef struct list {
    const void **at;
    int count, room;
} list;

typedef struct writer {
    FILE *out;
    const bri_sim_def *def;
    list signals;     /* bri_signal; parts of one follow each other */
    list functions;   /* bri_function */
    list expressions; /* expression */
    const bri_model *laws[MOST_LAWS];
    int n_laws, n_args, n_varying, n_z;
    bri_status status;
    bri_error *err;
} writer;

static int list_add(writer *w, list *l, const void *thing) {
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

static int list_find(const list *l, const void *thing) {
    for (int i = 0; i < l->count; i++)
        if (l->at[i] == thing) return i;
    return -1;
}

/* ---- collecting -------------------------------------------------------------------------------
 */

static int collect_signal(writer *w, const bri_signal *s) {
    if (!s) return -1;
    int at = list_find(&w->signals, s);
    if (at >= 0) return at;
    at = list_add(w, &w->signals, s);
    int known = !s->kind;
    for (int i = 0; i < bri_signal_count() && !known; i++) known = bri_signal_at(i) == s->kind;
    if (!known && !w->status)
        w->status = bri_fail(w->err, BRI_NOT_FOUND,
                             "a motion or signal that is an %s of time cannot be put into an FMU: "
                             "give it as a table, or as a sum or product of signals",
                             s->kind->name);
    return at;
}

/* Parts stand side by side: all of one signal, then what they consist of. */
static void collect_parts(writer *w) {
    for (int i = 0; i < w->signals.count && !w->status; i++) {
        const bri_signal *s = w->signals.at[i];
        if (!s->parts || s->kind->holds == BRI_POINTS) continue;
        for (int k = 0; k < s->count; k++) list_add(w, &w->signals, &s->parts[k]);
    }
}

static int collect_function(writer *w, const bri_function *f) {
    if (!f) return -1;
    int at = list_find(&w->functions, f);
    if (at >= 0) return at;
    const expression *e = expression_of(f);
    if (!e) {
        if (!w->status)
            w->status = bri_fail(w->err, BRI_NOT_FOUND,
                                 "a function that is code of the host cannot be put into an FMU");
        return -1;
    }
    if (list_find(&w->expressions, e) < 0) list_add(w, &w->expressions, e);
    for (int i = 0; i < f->n_args; i++) collect_signal(w, f->args[i].signal);
    return list_add(w, &w->functions, f);
}

static int collect_law(writer *w, const bri_model *m) {
    for (int i = 0; i < w->n_laws; i++)
        if (w->laws[i] == m) return i;
    if (w->n_laws == MOST_LAWS) {
        if (!w->status)
            w->status = bri_fail(w->err, BRI_BAD_VALUE, "the rig has more than %d laws", MOST_LAWS);
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

static void collect(writer *w) {
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

/* ---- tables -----------------------------------------------------------------------------------
 */

static void put_text(FILE *out, const char *text) {
    if (!text) {
        fputs("NULL", out);
        return;
    }
    fputc('"', out);
    for (; *text; text++) {
        if (*text == '"' || *text == '\\') fputc('\\', out);
        if ((unsigned char)*text >= ' ') fputc(*text, out);
    }
    fputc('"', out);
}

static void put_numbers(FILE *out, const double *x, int count) {
    fputc('{', out);
    for (int i = 0; i < count; i++) {
        if (i) fputs(i % 8 ? ", " : ",\n    ", out);
        fmu_put_number(out, x[i]);
    }
    fputs(count ? "}" : "0}", out);
}

static void begin(FILE *out, const char *type, const char *name) {
    fprintf(out, "static const %s %s[] = {\n", type, name);
}

/* One row more than there are: no table is empty. */
static void end(FILE *out) { fputs("    {0}};\n", out); }
static void end_numbers(FILE *out) { fputs("    0};\n", out); }

static int kind_of_signal(const bri_signal *s) {
    int i = 0;
    while (i < bri_signal_count() && bri_signal_at(i) != s->kind) i++;
    return s->kind ? i : 0; /* a drive that is a function has no signal: zero */
}

static void put_signals(writer *w) {
    FILE *out = w->out;
    for (int i = 0; i < w->signals.count; i++) {
        const bri_signal *s = w->signals.at[i];
        if (!s->kind || s->kind->holds != BRI_POINTS) continue;
        const double *const columns[] = {s->t, s->y, s->sum};
        static const char *const names[] = {"t", "y", "sum"};
        for (int k = 0; k < 3; k++) {
            if (!columns[k]) continue;
            fprintf(out, "static const double rig_%s%d[] = ", names[k], i);
            put_numbers(out, columns[k], s->count);
            fputs(";\n", out);
        }
    }
    begin(out, "bri_signal", "rig_signals");
    for (int i = 0; i < w->signals.count; i++) {
        const bri_signal *s = w->signals.at[i];
        int points = s->kind && s->kind->holds == BRI_POINTS;
        fputs("    {.p = ", out);
        put_numbers(out, s->p, s->kind ? s->kind->n_params : 0);
        if (points) fprintf(out, ", .t = rig_t%d, .y = rig_y%d", i, i);
        if (points && s->sum) fprintf(out, ", .sum = rig_sum%d", i);
        fprintf(out, ", .count = %d},\n", s->count);
    }
    end(out);
    begin(out, "rig_signal", "rig_signal_links");
    for (int i = 0; i < w->signals.count; i++) {
        const bri_signal *s = w->signals.at[i];
        int parts = s->parts && s->kind && s->kind->holds != BRI_POINTS && s->count > 0;
        fprintf(out, "    {%d, %d},\n", kind_of_signal(s),
                parts ? list_find(&w->signals, &s->parts[0]) : -1);
    }
    end(out);
}

static void put_ints(FILE *out, const int *x, int count) {
    fputc('{', out);
    for (int i = 0; i < count; i++) fprintf(out, i ? ", %d" : "%d", x[i]);
    fputs(count ? "}" : "0}", out);
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
    end(out);
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

static void put_expressions(writer *w) {
    static const char *const names[] = {"value", "slopes", "switches", "pace"};
    FILE *out = w->out;
    if (w->expressions.count == 0) {
        fputs("#define RIG_EXPRESSION(i, args) ((void)(i), (void)(args), (bri_function){0})\n",
              out);
        return;
    }
    for (int i = 0; i < w->expressions.count; i++) {
        const expression *e = w->expressions.at[i];
        const expr_program *const programs[] = {e->value, e->slopes, e->switches, e->pace};
        for (int k = 0; k < 4; k++) put_program(out, programs[k], names[k], i);
    }
    begin(out, "expression", "rig_expressions");
    for (int i = 0; i < w->expressions.count; i++) {
        const expression *e = w->expressions.at[i];
        const expr_program *const programs[] = {e->value, e->slopes, e->switches, e->pace};
        fputs("    {", out);
        for (int k = 0; k < 4; k++)
            if (programs[k]) fprintf(out, ".%s = &rig_%s%d, ", names[k], names[k], i);
        fprintf(out, ".n_args = %d, .n_switches = %d, .n_paces = %d,\n     .arg = ", e->n_args,
                e->n_switches, e->n_paces);
        put_ints(out, e->arg, e->n_args);
        fputs(", .side = ", out);
        put_ints(out, e->side, e->n_switches);
        fputs(", .rate = ", out);
        put_ints(out, e->rate, e->n_paces ? e->n_args : 0);
        fputs("},\n", out);
    }
    end(out);
    fputs("#define RIG_EXPRESSION(i, args) expression_with(&rig_expressions[i], args)\n", out);
}

static void put_functions(writer *w) {
    FILE *out = w->out;
    begin(out, "bri_arg", "rig_args");
    for (int i = 0; i < w->functions.count; i++) {
        const bri_function *f = w->functions.at[i];
        for (int k = 0; k < f->n_args; k++)
            fprintf(out, "    {.kind = (bri_arg_kind)%d, .index = %d},\n", (int)f->args[k].kind,
                    f->args[k].index);
    }
    end(out);
    begin(out, "int", "rig_arg_links");
    for (int i = 0; i < w->functions.count; i++) {
        const bri_function *f = w->functions.at[i];
        for (int k = 0; k < f->n_args; k++)
            fprintf(out, "    %d,\n", list_find(&w->signals, f->args[k].signal));
    }
    end_numbers(out);
    begin(out, "rig_function", "rig_function_links");
    for (int i = 0; i < w->functions.count; i++) {
        const bri_function *f = w->functions.at[i];
        fprintf(out, "    {%d, %d},\n", list_find(&w->expressions, f->data), w->n_args);
        w->n_args += f->n_args;
    }
    end(out);
}

static void put_bodies(writer *w) {
    const bri_system *s = &w->def->system;
    begin(w->out, "bri_body", "rig_bodies");
    for (int i = 0; i < s->n_bodies; i++) {
        const bri_body *b = &s->bodies[i];
        const double numbers[] = {b->mass, b->x, b->v, b->z, b->vz};
        fputs("    {", w->out);
        put_text(w->out, b->name);
        fprintf(w->out, ", (bri_body_kind)%d", (int)b->kind);
        for (int k = 0; k < 5; k++) fputs(", ", w->out), fmu_put_number(w->out, numbers[k]);
        fputs(", NULL, NULL},\n", w->out);
    }
    end(w->out);
    begin(w->out, "rig_body", "rig_body_links");
    for (int i = 0; i < s->n_bodies; i++)
        fprintf(w->out, "    {%d, %d},\n",
                s->bodies[i].position ? list_find(&w->signals, s->bodies[i].position) : -1,
                s->bodies[i].velocity ? list_find(&w->signals, s->bodies[i].velocity) : -1);
    end(w->out);
}

static void put_couplings(writer *w) {
    const bri_system *s = &w->def->system;
    begin(w->out, "bri_coupling", "rig_couplings");
    for (int i = 0; i < s->n_couplings; i++) {
        const bri_coupling *c = &s->couplings[i];
        fputs("    {", w->out);
        put_text(w->out, c->name);
        fprintf(w->out, ", NULL, %d, %d, ", c->a, c->b);
        put_numbers(w->out, c->p, c->kind->n_params);
        fputs(", NULL},\n", w->out);
    }
    end(w->out);
    begin(w->out, "rig_coupling", "rig_coupling_links");
    for (int i = 0; i < s->n_couplings; i++) {
        const bri_coupling *c = &s->couplings[i];
        int kind = 0;
        while (kind < bri_coupling_count() && bri_coupling_at(kind) != c->kind) kind++;
        if (kind == bri_coupling_count() && !w->status)
            w->status =
                bri_fail(w->err, BRI_NOT_FOUND,
                         "a coupling of the kind %s cannot be put into an FMU", c->kind->name);
        fprintf(w->out, "    {%d, %d},\n", kind,
                c->tension ? list_find(&w->functions, c->tension) : -1);
    }
    end(w->out);
}

static void put_contact_parts(writer *w) {
    const bri_system *s = &w->def->system;
    begin(w->out, "bri_varying", "rig_varying");
    for (int i = 0; i < s->n_contacts; i++)
        for (int k = 0; k < s->contacts[i].n_varying; k++)
            fprintf(w->out, "    {.param = %d},\n", s->contacts[i].varying[k].param);
    end(w->out);
    begin(w->out, "int", "rig_varying_links");
    for (int i = 0; i < s->n_contacts; i++)
        for (int k = 0; k < s->contacts[i].n_varying; k++)
            fprintf(w->out, "    %d,\n", list_find(&w->functions, &s->contacts[i].varying[k].by));
    end_numbers(w->out);
    begin(w->out, "double", "rig_z");
    for (int i = 0; i < s->n_contacts; i++) {
        const bri_contact *c = &s->contacts[i];
        for (int k = 0; c->z && k < bri_model_states(c->model, c->p); k++)
            fputs("    ", w->out), fmu_put_number(w->out, c->z[k]), fputs(",\n", w->out);
    }
    end_numbers(w->out);
}

static void put_contacts(writer *w) {
    const bri_system *s = &w->def->system;
    put_contact_parts(w);
    begin(w->out, "bri_contact", "rig_contacts");
    for (int i = 0; i < s->n_contacts; i++) {
        const bri_contact *c = &s->contacts[i];
        fputs("    {.name = ", w->out);
        put_text(w->out, c->name);
        fputs(", .p = ", w->out);
        put_numbers(w->out, c->p, c->model->n_params);
        fprintf(w->out, ",\n     .a = %d, .b = %d, .load = (bri_load_kind)%d, .n = ", c->a, c->b,
                (int)c->load);
        fmu_put_number(w->out, c->n);
        fprintf(w->out, ", .forces = %d, .n_varying = %d},\n", c->forces, c->n_varying);
    }
    end(w->out);
    begin(w->out, "rig_contact", "rig_contact_links");
    for (int i = 0; i < s->n_contacts; i++) {
        const bri_contact *c = &s->contacts[i];
        int states = bri_model_states(c->model, c->p);
        fprintf(w->out, "    {%d, %d, %d, %d, %d},\n", collect_law(w, c->model),
                c->load == BRI_LOAD_SIGNAL ? list_find(&w->signals, c->n_of_t) : -1,
                c->load == BRI_LOAD_FUNCTION ? list_find(&w->functions, c->n_by) : -1,
                c->n_varying > 0 ? w->n_varying : -1, c->z && states > 0 ? w->n_z : -1);
        w->n_varying += c->n_varying;
        if (c->z) w->n_z += states;
    }
    end(w->out);
}

static void put_drives(writer *w) {
    const bri_system *s = &w->def->system;
    begin(w->out, "bri_drive", "rig_drives");
    for (int i = 0; i < s->n_drives; i++) {
        fputs("    {.name = ", w->out);
        put_text(w->out, s->drives[i].name);
        fprintf(w->out, ", .body = %d, .vertical = %d},\n", s->drives[i].body,
                s->drives[i].vertical);
    }
    end(w->out);
    begin(w->out, "rig_drive", "rig_drive_links");
    for (int i = 0; i < s->n_drives; i++)
        fprintf(w->out, "    {%d, %d},\n", list_find(&w->signals, &s->drives[i].force),
                s->drives[i].by ? list_find(&w->functions, s->drives[i].by) : -1);
    end(w->out);
}

static void put_parameters(writer *w) {
    const bri_system *s = &w->def->system;
    begin(w->out, "bri_parameter", "rig_parameters");
    for (int i = 0; i < s->n_parameters; i++) {
        const char *const texts[] = {s->parameters[i].name, s->parameters[i].unit,
                                     s->parameters[i].fixed};
        fputs("    {", w->out);
        for (int k = 0; k < 3; k++) put_text(w->out, texts[k]), fputs(", ", w->out);
        fmu_put_number(w->out, s->parameters[i].value);
        fputs("},\n", w->out);
    }
    end(w->out);
}

static void put_number_named(FILE *out, const char *name, double x) {
    fprintf(out, "static const double %s = ", name);
    fmu_put_number(out, x);
    fputs(";\n", out);
}

/* Columns, parameters and states. */
static void put_variables(writer *w, const double *sizes) {
    FILE *out = w->out;
    const bri_sim_def *def = w->def;
    bri_sim *sim = NULL;
    bri_recorder *r = NULL;
    bri_ref ref = {0};
    int n_columns = 0, n_params = 0;
    if (!w->status) w->status = bri_sim_create(def, &sim, w->err);
    if (!w->status) w->status = bri_recorder_create(def, &r, w->err);
    rig_column *columns = w->status ? NULL : rig_columns_of(sim, def, r, &n_columns);
    if (columns) {
        begin(out, "rig_column", "rig_columns");
        for (int i = 0; i < n_columns; i++) {
            fprintf(out, "    {(rig_what)%d, %d, ", (int)columns[i].what, columns[i].index);
            put_text(out, columns[i].name);
            fputs("},\n", out);
        }
        fputs("    {(rig_what)0, 0, NULL}};\n", out);
        begin(out, "int", "rig_refs");
        for (int ordinal = 0; bri_sim_ref_next(sim, &ref); ordinal++) {
            bri_number n = bri_sim_number(sim, ref);
            if (!rig_is_parameter(&n)) continue;
            fprintf(out, "    %d,\n", ordinal);
            n_params++;
        }
        end_numbers(out);
        fputs("static const double rig_sizes[] = ", out);
        put_numbers(out, sizes, bri_sim_states(sim));
        fprintf(out,
                ";\nenum { RIG_COLUMNS = %d, RIG_PARAMETERS = %d, RIG_STATES = %d, "
                "RIG_INDICATORS = %d };\n",
                n_columns, n_params, bri_sim_states(sim), bri_sim_indicators(sim));
    }
    free(columns);
    bri_recorder_free(r);
    bri_sim_free(sim);
}

static void put_definition(writer *w, const double *sizes) {
    const bri_sim_def *def = w->def;
    const bri_system *s = &def->system;
    FILE *out = w->out;
    put_signals(w);
    put_expressions(w);
    put_functions(w);
    put_bodies(w);
    put_couplings(w);
    put_contacts(w);
    put_drives(w);
    put_parameters(w);
    fprintf(out,
            "enum { RIG_SIGNALS = %d, RIG_FUNCTIONS = %d, RIG_ARGS = %d, RIG_VARYING = %d,\n"
            "       RIG_BODIES = %d, RIG_COUPLINGS = %d, RIG_CONTACTS = %d, RIG_DRIVES = %d,\n"
            "       RIG_NAMED = %d };\n",
            w->signals.count, w->functions.count, w->n_args, w->n_varying, s->n_bodies,
            s->n_couplings, s->n_contacts, s->n_drives, s->n_parameters);
    put_number_named(out, "rig_gravity", s->gravity);
    put_number_named(out, "rig_start", def->t_start);
    put_number_named(out, "rig_stop", def->t_end);
    put_number_named(out, "rig_rtol", def->rtol);
    put_number_named(out, "rig_atol", def->atol);
    put_number_named(out, "rig_max_step", def->max_step);
    put_variables(w, sizes);
    fputs("#define UNIT_TOLERANCE rig_rtol\n#define UNIT_MOST_KNOWNS (RIG_STATES + 1)\n", out);
}

/* ---- laws -------------------------------------------------------------------------------------
 */

/* The name of a law in C: those that are C themselves, or that of its page. */
static const char *c_law(const bri_model *m) {
    return m == &bri_karnopp             ? "bri_karnopp"
           : m == &bri_bristle_implicit  ? "bri_bristle_implicit"
           : m == &bri_haessig_friedland ? "bri_haessig_friedland"
                                         : NULL;
}

/* A law of the rig, or one that the engine knows, in a file of its own. */
static bri_status add_law(fmu_model *m, const bri_model *given, char *needed, bri_error *err) {
    bri_law *own = NULL;
    bri_error why;
    char name[80];
    memtext page;
    if (c_law(given)) return BRI_OK;
    const bri_law *l = law_with_page(given, "put into an FMU", &own, &why);
    if (!l) return bri_fail(err, why.status, "%s", why.text);
    char *text = law_to_c(l->page, "its page", err);
    bri_law_free(own);
    if (!text) return BRI_NO_MEMORY;
    FILE *out = memtext_open(&page);
    if (out) {
        fputs("#include \"head.h\"\n", out);
        fmu_put_flat(out, text, "laws/law.c", needed);
    }
    free(text);
    snprintf(name, sizeof name, "law_%.60s.c", given->name);
    fmu_add_source(m, name, memtext_close(&page), 0);
    return m->failed ? bri_fail(err, BRI_NO_MEMORY, "%s", bri_status_text(BRI_NO_MEMORY)) : BRI_OK;
}

static void put_law_table(writer *w) {
    for (int i = 0; i < w->n_laws; i++)
        if (!c_law(w->laws[i]))
            fprintf(w->out, "extern const bri_model BRI_LAW(%s);\n", w->laws[i]->name);
    fputs("const bri_model *const bri_law_table[] = {\n", w->out);
    for (int i = 0; i < w->n_laws; i++) {
        const char *name = c_law(w->laws[i]);
        fprintf(w->out, name ? "    &%s,\n" : "    &BRI_LAW(%s),\n",
                name ? name : w->laws[i]->name);
    }
    fprintf(w->out, "    NULL};\nconst int bri_law_table_count = %d;\n", w->n_laws);
}

/* ---- all files --------------------------------------------------------------------------------
 */

static int is_source(const char *path, int *engine) {
    size_t n = strlen(path);
    *engine = strncmp(path, "src/expr/", 9) != 0 && strncmp(path, "src/scenario/", 13) != 0;
    return n > 2 && strcmp(path + n - 2, ".c") == 0;
}

static void add_engine_text(fmu_model *m, int i, int engine, char *needed) {
    const char *path = bri_engine_texts[i].name;
    char name[80];
    int header;
    memtext page;
    FILE *out = memtext_open(&page);
    if (out) {
        if (is_source(path, &header)) fputs("#include \"head.h\"\n", out);
        fmu_put_flat(out, bri_engine_texts[i].text, path, needed);
    }
    fmu_flat_name(path, name, sizeof name);
    fmu_add_source(m, name, memtext_close(&page), engine);
}

/* The engine, then the headers that are needed, then those that these need. */
static void add_engine(fmu_model *m, int expressions, char *needed) {
    int engine, more = 1;
    for (int i = 0; i < bri_engine_texts_count; i++)
        if (is_source(bri_engine_texts[i].name, &engine) && (engine || expressions))
            add_engine_text(m, i, engine, needed);
    while (more) {
        more = 0;
        for (int i = 0; i < bri_engine_texts_count; i++)
            if (needed[i] == 1) {
                needed[i] = 2;
                add_engine_text(m, i, 0, needed);
                more = 1;
            }
    }
}

/* The unit itself: tables and what they are read by. */
static char *unit_source(writer *w, const fmu_model *m, const double *sizes, char *needed) {
    static const char *const after[] = {"unit.h", "rig_unit.c", "host.h"};
    static const char heads[] = "#include \"bristle_sim.h\"\n#include \"models/models.h\"\n";
    static const char runs[] =
        "#include \"scenario/expression_run.h\"\n#include \"expr/machine.h\"\n";
    memtext page;
    FILE *out = w->out = memtext_open(&page);
    if (!out) return NULL;
    fputs("#include \"head.h\"\n", out);
    fmu_put_flat(out, heads, "src/rig.c", needed);
    if (w->expressions.count > 0) fmu_put_flat(out, runs, "src/rig.c", needed);
    fputs("\n/* the same as in the engine, for this file alone */\n"
          "#define text_format unit_text_format\n#define text_vformat unit_text_vformat\n",
          out);
    fmu_put_file(out, "text.h");
    fmu_put_file(out, "text.c");
    fmu_put_file(out, "rig_unit.h");
    fputs("\n/* ==== the rig ==== */\n\n", out);
    put_law_table(w);
    put_definition(w, sizes);
    for (size_t i = 0; i < sizeof after / sizeof *after; i++) fmu_put_file(out, after[i]);
    fmu_put_file(out, m->version == 3 ? "fmi3.c" : "fmi2.c");
    return memtext_close(&page);
}

static char *head_text(void) {
    memtext page;
    FILE *out = memtext_open(&page);
    if (out)
        fprintf(out,
                "#ifndef BRI_FMU_HEAD_H\n#define BRI_FMU_HEAD_H\n#define _DEFAULT_SOURCE\n"
                "#include <ctype.h>\n#include <float.h>\n#include <stdatomic.h>\n"
                "#ifdef __linux__\n#include <sys/mman.h>\n#endif\n%s\n"
                "#define BRI_KERNEL_LEVEL base /* of vector kernels: no special ones */\n#endif\n",
                fmu_text("head.h"));
    return memtext_close(&page);
}

static bri_status add_sources(writer *w, fmu_model *m, const double *sizes, char *needed) {
    static const char *const known[] = {"coulomb", "stribeck", "benson", "lugre"};
    char name[80];
    snprintf(name, sizeof name, "%s.c", m->name);
    fmu_add_source(m, name, unit_source(w, m, sizes, needed), 0);
    if (w->status) return w->status;
    fmu_add_source(m, "head.h", head_text(), 0);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) { /* fast paths ask for these */
        const bri_model *fast = bri_model_find(known[i]);
        int mine = 0;
        for (int k = 0; k < w->n_laws; k++) mine |= strcmp(w->laws[k]->name, known[i]) == 0;
        if (!mine && fast && (w->status = add_law(m, fast, needed, w->err))) return w->status;
    }
    for (int i = 0; i < w->n_laws; i++)
        if ((w->status = add_law(m, w->laws[i], needed, w->err))) return w->status;
    add_engine(m, w->expressions.count > 0, needed);
    return m->failed ? bri_fail(w->err, BRI_NO_MEMORY, "%s", bri_status_text(BRI_NO_MEMORY))
                     : BRI_OK;
}

bri_status fmu_rig_sources(fmu_model *m, const bri_scenario *s, const double *sizes,
                           bri_error *err) {
    bri_sim_def def = rig_def(s);
    writer w = {.def = &def, .err = err};
    char *needed = calloc((size_t)bri_engine_texts_count + 1, 1);
    if (!needed) return bri_fail(err, BRI_NO_MEMORY, "%s", bri_status_text(BRI_NO_MEMORY));
    collect(&w);
    bri_status status = w.status ? w.status : add_sources(&w, m, sizes, needed);
    free((void *)w.signals.at);
    free((void *)w.functions.at);
    free((void *)w.expressions.at);
    free(needed);
    return status;
}
