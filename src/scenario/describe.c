/* describe.c - a scenario in words. */
#define _POSIX_C_SOURCE 200809L
#include "scope.h"

#include "memtext.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *body_name(const bri_scenario *s, int i) {
    return i == BRI_GROUND ? "ground" : s->def.system.bodies[i].name;
}

static int turns(const bri_scenario *s, int i) {
    return i != BRI_GROUND && s->def.system.bodies[i].kind == BRI_ROTOR;
}

/* How values are shown: "mu_c 0.5, sigma0 98100 N/m". */
typedef struct style {
    int turns;       /* nonzero: of rotors */
    const char *own; /* the unit that "=" stands for */
} style;

static void put_params(FILE *out, const bri_param *rows, int count, const double *p, style how) {
    const char *gap = "";
    for (int i = 0; i < count; i++) {
        char text[64];
        int own = rows[i].unit[0] == '=';
        const char *unit = own ? how.own : rows[i].unit;
        if (fabs(p[i]) >= 1e15 && p[i] == rows[i].def) continue; /* no limit */
        if (how.turns) unit = units_of_rotation(unit, text, sizeof text);
        fprintf(out, "%s%s %.10g", gap, rows[i].name, p[i]);
        if (strcmp(unit, "1") != 0) fprintf(out, " %s%s", unit, own ? rows[i].unit + 1 : "");
        gap = ", ";
    }
}

static void put_signal(FILE *out, const bri_signal *s, const char *unit) {
    const char *shown = strcmp(unit, "1") == 0 ? "" : unit;
    if (s->kind == bri_signal_find("constant")) {
        fprintf(out, "%.10g %s", s->p[0], shown);
        return;
    }
    if (timed_text(s)) {
        fprintf(out, "%s", timed_text(s));
        return;
    }
    fprintf(out, "%s (", s->kind->name);
    if (s->kind->holds == BRI_POINTS)
        fprintf(out, "%d points, %.6g ... %.6g s", s->count, s->t[0], s->t[s->count - 1]);
    for (int i = 0; s->parts && i < s->count; i++) {
        if (i) fputs(s->kind->holds == BRI_FACTORS ? " * " : " + ", out);
        put_signal(out, &s->parts[i], s->kind->holds == BRI_FACTORS && i > 0 ? "1" : unit);
    }
    put_params(out, s->kind->params, s->kind->n_params, s->p, (style){.own = unit});
    fputc(')', out);
}

/* "  block           ", or "  block1 ... block100" of an array. */
static void put_name(FILE *out, const group *g) {
    char name[160];
    snprintf(name, sizeof name,
             g->array && g->count > 1 ? "%s1 ... %s%d"
             : g->array               ? "%s1"
                                      : "%s",
             g->name, g->name, g->count);
    fprintf(out, "  %-12s ", name);
}

static void put_body(FILE *out, const bri_body *b) {
    int rotor = b->kind == BRI_ROTOR;
    const char *length = rotor ? "rad" : "m", *speed = rotor ? "rad/s" : "m/s";
    if (b->position || b->velocity) {
        fputs(b->position ? "prescribed position: " : "prescribed velocity: ", out);
        put_signal(out, b->position ? b->position : b->velocity, b->position ? length : speed);
        if (b->velocity && b->x != 0.0) fprintf(out, ", from x = %.10g %s", b->x, length);
    } else {
        fprintf(out, rotor ? "rotor, inertia %.10g kg m2" : "mass %.10g kg", b->mass);
        fprintf(out, ", starts at x = %.10g %s, v = %.10g %s", b->x, length, b->v, speed);
    }
    if (b->kind == BRI_POINT) fprintf(out, ", z = %.10g m, vz = %.10g m/s", b->z, b->vz);
    if (b->kind == BRI_MASS && b->z != 0.0) fprintf(out, ", at height %.10g m", b->z);
    fputc('\n', out);
}

static void put_coupling(FILE *out, const bri_scenario *s, const group *g) {
    const bri_coupling *c = &s->def.system.couplings[g->first];
    int rotary = turns(s, c->a) || turns(s, c->b);
    fprintf(out, "%s from %s to %s: ", c->kind->name, body_name(s, c->a), body_name(s, c->b));
    if (g->text)
        fprintf(out, "tension %s, in %s", g->text, rotary ? "N m" : "N");
    else
        put_params(out, c->kind->params, c->kind->n_params, c->p,
                   (style){.turns = rotary && !c->kind->ratio});
    fputc('\n', out);
}

/* The parameters, one line for each origin, and what is lost. 0 if there is no memory. */
static int put_origins(FILE *out, const told *t) {
    for (int kind = 0; kind < 6; kind++) {
        static const bri_origin origins[4] = {BRI_GIVEN, BRI_CARRIED, BRI_DERIVED, BRI_DEFAULT};
        memtext m;
        FILE *to = memtext_open(&m);
        int count = !to         ? 0
                    : kind < 4  ? tell_origin(to, t, origins[kind])
                    : kind == 4 ? tell_invented(to, t)
                                : tell_lost(to, t);
        char *list = memtext_close(&m);
        if (!list) return 0;
        if (count == 0) {
            free(list);
            continue;
        }
        fprintf(out, "  %-12s ", "");
        if (kind == 1)
            fprintf(out, "given for %s", t->instead_of ? t->instead_of->name : "another law");
        else if (kind < 4)
            fputs(bri_origin_name(origins[kind]), out);
        else if (kind == 4)
            fputs("default, as published for another rig", out);
        else
            fprintf(out, "lost, of no use to %s", t->setup.model->name);
        fprintf(out, ": %s\n", list);
        free(list);
    }
    return 1;
}

/* 0 if there is no memory. */
static int put_contact(FILE *out, const bri_scenario *s, const group *g) {
    const bri_contact *c = &s->def.system.contacts[g->first];
    int rotary = turns(s, c->a) || turns(s, c->b);
    const char *unit = rotary ? "N m" : "N";
    fprintf(out, "%s on %s: %s", body_name(s, c->a), body_name(s, c->b), c->model->name);
    int constant = c->load == BRI_LOAD_CONSTANT, loaded = node_get(g->at, "load") != NULL;
    if (c->load == BRI_LOAD_REACTION) fputs(", load from the balance of forces", out);
    if (constant && loaded) fprintf(out, ", load %.10g %s", c->n, unit);
    if (c->load == BRI_LOAD_FUNCTION) fprintf(out, ", load %s, in %s", g->text, unit);
    if (c->load == BRI_LOAD_SIGNAL) {
        fputs(", load ", out);
        put_signal(out, c->n_of_t, unit);
    }
    fputc('\n', out);
    int all = put_origins(out, g->told);
    for (int i = 0; i < c->n_varying; i++) {
        const expression *e = c->varying[i].by.data;
        fprintf(out, "  %-12s varies: %s = %s\n", "", c->model->params[c->varying[i].param].name,
                e->text);
    }
    if (c->z) fprintf(out, "  %-12s starts with ", "");
    for (int i = 0; c->z && i < bri_model_states(c->model, c->p); i++)
        fprintf(out, "%s%s %.10g %s", i ? ", " : "", c->model->states[i].name, c->z[i],
                c->model->states[i].unit);
    if (c->z) fputc('\n', out);
    const char *advice = bri_model_advice(c->model, c->p);
    if (advice) fprintf(out, "  %-12s advice: %s\n", "", advice);
    return all;
}

static void put_drive(FILE *out, const bri_scenario *s, const group *g) {
    const bri_drive *d = &s->def.system.drives[g->first];
    int rotary = turns(s, d->body);
    fprintf(out, "%s on %s%s: ", rotary ? "torque" : "force", body_name(s, d->body),
            d->vertical ? " along z" : "");
    if (g->text)
        fprintf(out, "%s, in %s", g->text, rotary ? "N m" : "N");
    else
        put_signal(out, &d->force, rotary ? "N m" : "N");
    fputc('\n', out);
}

/* 0 if there is no memory. */
static int put_section(FILE *out, const bri_scenario *s, section which, const char *title) {
    int any = 0, all = 1;
    for (int i = 0; i < s->n_groups; i++) {
        const group *g = &s->groups[i];
        if (g->section != which) continue;
        if (!any++) fprintf(out, "%s\n", title);
        put_name(out, g);
        if (g->count == 0)
            fputs("none\n", out);
        else if (which == BODIES)
            put_body(out, &s->def.system.bodies[g->first]);
        else if (which == COUPLINGS)
            put_coupling(out, s, g);
        else if (which == CONTACTS)
            all &= put_contact(out, s, g);
        else
            put_drive(out, s, g);
    }
    return all;
}

static void put_scope(FILE *out, const bri_scenario *s) {
    char unit[EXPR_DIM_ROOM];
    if (s->n_parameters > 0) fputs("parameters\n", out);
    for (int i = 0; i < s->n_parameters; i++) {
        const parameter *p = &s->parameters[i];
        expr_dim_text(p->dim, unit, sizeof unit);
        fprintf(out, "  %-12s %.10g%s%s\n", p->name, p->value, strcmp(unit, "1") ? " " : "",
                strcmp(unit, "1") ? unit : "");
    }
    if (s->n_signals > 0) fputs("signals\n", out);
    for (int i = 0; i < s->n_signals; i++) {
        fprintf(out, "  %-12s ", s->signals[i].name);
        put_signal(out, &s->signals[i].signal, s->signals[i].unit);
        fputc('\n', out);
    }
}

static void put_run(FILE *out, const bri_scenario *s) {
    const bri_sim_def *def = &s->def;
    fprintf(out, "run\n  %.10g ... %.10g s, a sample every %.10g s, %s", def->t_start, def->t_end,
            s->output, def->solver ? bri_solver_name(def->solver) : "rosenbrock");
    if (def->solver && bri_solver_fixed_step(def->solver)) {
        fprintf(out, ", step %g s", def->step);
    } else {
        fprintf(out, ", rtol %g", def->rtol);
        if (def->atol > 0.0) fprintf(out, ", atol %g", def->atol);
    }
    if (def->max_step > 0.0) fprintf(out, ", steps up to %g s", def->max_step);
    if (def->max_steps > 0) fprintf(out, ", at most %ld steps", def->max_steps);
    fputc('\n', out);
    if (s->n_rivals == 0) return;
    fputs("compare\n  ", out);
    for (int i = 0; i < s->n_rivals; i++)
        fprintf(out, "%s%s", i ? ", " : "", s->rivals[i].model->name);
    if (s->reference) fprintf(out, "; reference %s", s->reference->name);
    fputc('\n', out);
}

const char *bri_scenario_describe(bri_scenario *s) {
    if (s->text) return s->text;
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (!plain) return "";
    locale_t host = uselocale(plain);
    memtext m;
    FILE *out = memtext_open(&m);
    int all = 1;
    if (out) {
        fprintf(out, "%s\n", s->title);
        put_scope(out, s);
        all &= put_section(out, s, BODIES, "bodies");
        all &= put_section(out, s, COUPLINGS, "couplings");
        all &= put_section(out, s, CONTACTS, "contacts");
        all &= put_section(out, s, DRIVES, "drives");
        fprintf(out, "gravity\n  %.10g m/s2\n", s->def.system.gravity);
        put_run(out, s);
    }
    s->text = memtext_close(&m);
    if (!all) { /* a part of it says something else */
        free(s->text);
        s->text = NULL;
    }
    uselocale(host);
    freelocale(plain);
    return s->text ? s->text : "";
}
