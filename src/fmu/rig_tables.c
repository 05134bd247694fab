/* rig_tables.c - the elements of a rig as constant tables of C, for the source of its unit. */
#include "fmu.h"

#include "../fail.h"
#include "rig.h"

#include <stdlib.h>
#include <string.h>

static void put_text(FILE *out, const char *text) {
    if (!text) {
        fputs("NULL", out);
        return;
    }
    fputc('"', out);
    for (; *text; text++) {
        if (strchr("\"\\?", *text)) fputc('\\', out); /* two ?? could begin a trigraph */
        if ((unsigned char)*text >= ' ') fputc(*text, out);
    }
    fputc('"', out);
}

/* One number more than there are. */
static void end_numbers(FILE *out) { fputs("    0};\n", out); }

static int find_signal(const rig_writer *w, const bri_signal *s) {
    return s ? rig_find(&w->signals, s) : -1;
}

static int find_function(const rig_writer *w, const bri_function *f) {
    return f ? rig_find(&w->functions, f) : -1;
}

static void put_bodies(rig_writer *w) {
    const bri_system *s = &w->def->system;
    rig_begin(w->out, "bri_body", "rig_bodies");
    for (int i = 0; i < s->n_bodies; i++) {
        const bri_body *b = &s->bodies[i];
        const double numbers[] = {b->mass, b->x, b->v, b->z, b->vz};
        fputs("    {", w->out);
        put_text(w->out, b->name);
        fprintf(w->out, ", (bri_body_kind)%d", (int)b->kind);
        for (int k = 0; k < 5; k++) fputs(", ", w->out), fmu_put_number(w->out, numbers[k]);
        rig_put_link(w->out, "position", "rig_signals", find_signal(w, b->position));
        rig_put_link(w->out, "velocity", "rig_signals", find_signal(w, b->velocity));
        fputs("},\n", w->out);
    }
    rig_end(w->out);
}

static void put_couplings(rig_writer *w) {
    const bri_system *s = &w->def->system;
    rig_begin(w->out, "bri_coupling", "rig_couplings");
    for (int i = 0; i < s->n_couplings; i++) {
        const bri_coupling *c = &s->couplings[i];
        int kind = 0;
        while (kind < bri_coupling_count() && bri_coupling_at(kind) != c->kind) kind++;
        if (kind == bri_coupling_count() && !w->status)
            w->status =
                bri_fail(w->err, BRI_NOT_FOUND,
                         "a coupling of the kind %s cannot be put into an FMU", c->kind->name);
        fputs("    {", w->out);
        put_text(w->out, c->name);
        fprintf(w->out, ", &bri_coupling_kinds[%d], %d, %d, ", kind, c->a, c->b);
        rig_put_numbers(w->out, c->p, c->kind->n_params);
        rig_put_link(w->out, "tension", "rig_functions", find_function(w, c->tension));
        fputs("},\n", w->out);
    }
    rig_end(w->out);
}

/* Parameters that vary, and states at the start. */
static void put_contact_parts(rig_writer *w) {
    const bri_system *s = &w->def->system;
    rig_begin(w->out, "bri_varying", "rig_varying");
    for (int i = 0; i < s->n_contacts; i++)
        for (int k = 0; k < s->contacts[i].n_varying; k++) {
            const bri_varying *v = &s->contacts[i].varying[k];
            fprintf(w->out, "    {.param = %d, .by = ", v->param);
            rig_put_function(w, rig_find(&w->functions, &v->by));
            fputs("},\n", w->out);
        }
    rig_end(w->out);
    rig_begin(w->out, "double", "rig_z");
    for (int i = 0; i < s->n_contacts; i++) {
        const bri_contact *c = &s->contacts[i];
        for (int k = 0; c->z && k < bri_model_states(c->model, c->p); k++)
            fputs("    ", w->out), fmu_put_number(w->out, c->z[k]), fputs(",\n", w->out);
    }
    end_numbers(w->out);
}

static void put_law_name(FILE *out, const bri_model *m) {
    if (rig_c_law(m))
        fputs(rig_c_law(m), out);
    else
        fprintf(out, "BRI_LAW(%s)", m->name);
}

static void put_contacts(rig_writer *w) {
    const bri_system *s = &w->def->system;
    int n_varying = 0, n_z = 0;
    rig_begin(w->out, "bri_contact", "rig_contacts");
    for (int i = 0; i < s->n_contacts; i++) {
        const bri_contact *c = &s->contacts[i];
        int states = bri_model_states(c->model, c->p);
        fputs("    {.name = ", w->out);
        put_text(w->out, c->name);
        fputs(", .model = &", w->out);
        put_law_name(w->out, c->model);
        fputs(", .p = ", w->out);
        rig_put_numbers(w->out, c->p, c->model->n_params);
        fprintf(w->out, ",\n     .a = %d, .b = %d, .load = (bri_load_kind)%d, .n = ", c->a, c->b,
                (int)c->load);
        fmu_put_number(w->out, c->n);
        fprintf(w->out, ", .forces = %d, .n_varying = %d", c->forces, c->n_varying);
        rig_put_link(w->out, "n_of_t", "rig_signals",
                     c->load == BRI_LOAD_SIGNAL ? find_signal(w, c->n_of_t) : -1);
        rig_put_link(w->out, "n_by", "rig_functions",
                     c->load == BRI_LOAD_FUNCTION ? find_function(w, c->n_by) : -1);
        rig_put_link(w->out, "varying", "rig_varying", c->n_varying > 0 ? n_varying : -1);
        rig_put_link(w->out, "z", "rig_z", c->z && states > 0 ? n_z : -1);
        fputs("},\n", w->out);
        n_varying += c->n_varying;
        if (c->z) n_z += states;
    }
    rig_end(w->out);
}

static void put_drives(rig_writer *w) {
    const bri_system *s = &w->def->system;
    rig_begin(w->out, "bri_drive", "rig_drives");
    for (int i = 0; i < s->n_drives; i++) {
        const bri_drive *d = &s->drives[i];
        fputs("    {.name = ", w->out);
        put_text(w->out, d->name);
        fprintf(w->out, ", .body = %d, .vertical = %d, .force = ", d->body, d->vertical);
        rig_put_signal(w, find_signal(w, &d->force));
        rig_put_link(w->out, "by", "rig_functions", find_function(w, d->by));
        fputs("},\n", w->out);
    }
    rig_end(w->out);
}

static void put_parameters(rig_writer *w) {
    const bri_system *s = &w->def->system;
    rig_begin(w->out, "bri_parameter", "rig_parameters");
    for (int i = 0; i < s->n_parameters; i++) {
        const char *const texts[] = {s->parameters[i].name, s->parameters[i].unit,
                                     s->parameters[i].fixed};
        fputs("    {", w->out);
        for (int k = 0; k < 3; k++) put_text(w->out, texts[k]), fputs(", ", w->out);
        fmu_put_number(w->out, s->parameters[i].value);
        fputs("},\n", w->out);
    }
    rig_end(w->out);
}

static void put_system(rig_writer *w) {
    const bri_system *s = &w->def->system;
    fprintf(w->out,
            "static const bri_system rig_system = {.bodies = rig_bodies, .n_bodies = %d,\n"
            "    .couplings = rig_couplings, .n_couplings = %d, .contacts = rig_contacts, "
            ".n_contacts = %d,\n    .drives = rig_drives, .n_drives = %d, "
            ".parameters = rig_parameters, .n_parameters = %d, .gravity = ",
            s->n_bodies, s->n_couplings, s->n_contacts, s->n_drives, s->n_parameters);
    fmu_put_number(w->out, s->gravity);
    fputs("};\n", w->out);
}

static void put_number_named(FILE *out, const char *name, double x) {
    fprintf(out, "static const double %s = ", name);
    fmu_put_number(out, x);
    fputs(";\n", out);
}

/* Columns, parameters and states. */
static void put_variables(rig_writer *w, const double *sizes) {
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
        rig_begin(out, "rig_column", "rig_columns");
        for (int i = 0; i < n_columns; i++) {
            fprintf(out, "    {(rig_what)%d, %d, ", (int)columns[i].what, columns[i].index);
            put_text(out, columns[i].name);
            fputs("},\n", out);
        }
        fputs("    {(rig_what)0, 0, NULL}};\n", out);
        rig_begin(out, "rig_number", "rig_numbers");
        for (int ordinal = 0; bri_sim_ref_next(sim, &ref); ordinal++) {
            bri_number n = bri_sim_number(sim, ref);
            char name[BRI_ADDRESS + 8];
            rig_role role = rig_role_of(w->plan, &n, name);
            if (role == RIG_LEFT_OUT) continue;
            fprintf(out, "    {%d, (rig_role)%d},\n", ordinal, (int)role);
            n_params++;
        }
        fputs("    {0, RIG_PARAMETER}};\n", out);
        fputs("static const double rig_sizes[] = ", out);
        rig_put_numbers(out, sizes, bri_sim_states(sim));
        fprintf(out,
                ";\nenum { RIG_COLUMNS = %d, RIG_PARAMETERS = %d, RIG_STATES = %d, "
                "RIG_INDICATORS = %d,\n       RIG_BODIES = %d, RIG_CONTACTS = %d, "
                "RIG_COUPLINGS = %d };\n",
                n_columns, n_params, bri_sim_states(sim), bri_sim_indicators(sim),
                w->def->system.n_bodies, w->def->system.n_contacts, w->def->system.n_couplings);
    }
    free(columns);
    bri_recorder_free(r);
    bri_sim_free(sim);
}

void rig_put_definition(rig_writer *w, const double *sizes) {
    const bri_sim_def *def = w->def;
    rig_put_signals(w);
    put_bodies(w);
    put_couplings(w);
    put_contact_parts(w);
    put_contacts(w);
    put_drives(w);
    put_parameters(w);
    put_system(w);
    put_number_named(w->out, "rig_start", def->t_start);
    put_number_named(w->out, "rig_stop", def->t_end);
    put_number_named(w->out, "rig_rtol", def->rtol);
    put_number_named(w->out, "rig_atol", def->atol);
    put_number_named(w->out, "rig_max_step", def->max_step);
    put_variables(w, sizes);
    fputs("#define UNIT_TOLERANCE rig_rtol\n#define UNIT_MOST_KNOWNS (RIG_STATES + RIG_PARAMETERS "
          "+ 1)\n",
          w->out);
}
