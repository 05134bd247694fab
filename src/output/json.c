/* json.c - results as JSON (RFC 8259): settings, columns with name, unit and data, outcome.
 *
 * A number that is not finite, which JSON does not have, is null. */
#include "number.h"
#include "utf8.h"
#include "writer.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void put_string(sink *out, const char *text) {
    sink_text(out, "\"");
    while (text && *text) {
        const char *start = text;
        uint32_t c = utf8_next(&text);
        char code[8];
        if (c == '"' || c == '\\')
            snprintf(code, sizeof code, "\\%c", (int)c);
        else if (c < 0x20 || c == 0xfffd)
            snprintf(code, sizeof code, "\\u%04x", (unsigned)c);
        else
            snprintf(code, sizeof code, "%.*s", (int)(text - start), start);
        sink_text(out, code);
    }
    sink_text(out, "\"");
}

static void put_number(sink *out, double x) {
    char *to = sink_room(out, NUMBER_ROOM);
    if (!to) return;
    if (isfinite(x))
        sink_filled(out, number_put(to, x));
    else
        sink_text(out, "null");
}

/* `"key": ` on a line of its own, after a comma unless it is the first of its object. */
static void put_key(sink *out, int depth, int first, const char *key) {
    sink_text(out, first ? "\n" : ",\n");
    for (int i = 0; i < depth; i++) sink_text(out, "  ");
    put_string(out, key);
    sink_text(out, ": ");
}

static void pair(sink *out, int depth, int first, const char *key, const char *text) {
    put_key(out, depth, first, key);
    if (text)
        put_string(out, text);
    else
        sink_text(out, "null");
}

static void value(sink *out, int depth, int first, const char *key, double x) {
    put_key(out, depth, first, key);
    put_number(out, x);
}

static void put_contact(sink *out, const bri_contact *c, int first) {
    sink_text(out, first ? "\n      {\"name\": " : ",\n      {\"name\": ");
    put_string(out, c->name);
    sink_text(out, ", \"model\": ");
    put_string(out, c->model->name);
    sink_text(out, ", \"parameters\": {");
    for (int k = 0; k < c->model->n_params; k++) {
        if (k) sink_text(out, ", ");
        put_string(out, c->model->params[k].name);
        sink_text(out, ": ");
        put_number(out, c->p[k]);
    }
    sink_text(out, "}, \"load\": ");
    if (c->load == BRI_LOAD_CONSTANT)
        put_number(out, c->n);
    else
        put_string(out, c->load == BRI_LOAD_SIGNAL ? "signal" : "reaction");
    sink_text(out, "}");
}

static void put_settings(sink *out, const bri_run_head *head) {
    const bri_sim_def *def = head->def;
    put_key(out, 1, 0, "settings");
    sink_text(out, "{");
    pair(out, 2, 1, "solver", def->solver ? bri_solver_name(def->solver) : "rosenbrock");
    if (!def->solver || !bri_solver_fixed_step(def->solver)) {
        value(out, 2, 0, "rtol", def->rtol);
        value(out, 2, 0, "atol", def->atol > 0.0 ? def->atol : def->rtol);
    } else {
        value(out, 2, 0, "step", def->step);
    }
    value(out, 2, 0, "from", def->t_start);
    value(out, 2, 0, "until", def->t_end);
    value(out, 2, 0, "output", head->output);
    put_key(out, 2, 0, "contacts");
    sink_text(out, "[");
    for (int i = 0; i < def->system.n_contacts; i++)
        put_contact(out, &def->system.contacts[i], i == 0);
    sink_text(out, "]\n  }");
}

static void put_columns(bri_writer *w) {
    sink *out = &w->out;
    put_key(out, 1, 0, "columns");
    sink_text(out, "[");
    for (int i = 0; i < w->n_columns; i++) {
        sink_text(out, i ? ",\n    {\"name\": " : "\n    {\"name\": ");
        put_string(out, bri_recorder_name(w->head.recorder, i));
        sink_text(out, ", \"unit\": ");
        put_string(out, bri_recorder_unit(w->head.recorder, i));
        sink_text(out, ", \"data\": [");
        for (size_t k = 0; k < w->n_rows; k++) {
            if (k) sink_text(out, ",");
            put_number(out, w->rows[k * (size_t)w->n_columns + (size_t)i]);
        }
        sink_text(out, "]}");
    }
    sink_text(out, "\n  ]");
}

static void put_outcome(sink *out, const bri_run_end *end) {
    const bri_stats *s = &end->stats;
    const bri_energies *e = &end->energies;
    put_key(out, 1, 0, "complete");
    sink_text(out, end->status == BRI_OK ? "true" : "false");
    if (end->status != BRI_OK) pair(out, 1, 0, "error", end->text ? end->text : "");
    int doubtful = end->doubt && end->doubt[0];
    put_key(out, 1, 0, "trusted");
    sink_text(out, doubtful || end->status != BRI_OK ? "false" : "true");
    if (doubtful) pair(out, 1, 0, "doubt", end->doubt);
    if (end->path) pair(out, 1, 0, "path", end->path);
    put_key(out, 1, 0, "stats");
    sink_text(out, "{");
    value(out, 2, 1, "t", s->t);
    value(out, 2, 0, "steps", (double)s->steps);
    value(out, 2, 0, "rejected", (double)s->rejected);
    value(out, 2, 0, "evaluations", (double)s->evals);
    value(out, 2, 0, "jacobians", (double)s->jacobians);
    value(out, 2, 0, "factorisations", (double)s->factorisations);
    value(out, 2, 0, "events", (double)s->events);
    value(out, 2, 0, "energy_dissipated", e->dissipated);
    value(out, 2, 0, "energy_work", e->work);
    value(out, 2, 0, "energy_residual", e->residual);
    value(out, 2, 0, "energy_turned_over", end->findings.turned);
    value(out, 2, 0, "residual_share", end->findings.residual);
    value(out, 2, 0, "regained_share", end->findings.regained);
    value(out, 2, 0, "astray_share", end->findings.astray);
    value(out, 2, 0, "steps_unseen", (double)end->findings.unseen);
    sink_text(out, "\n  }");
}

static bri_status finish(bri_writer *w, const bri_run_end *end, bri_error *err) {
    sink *out = &w->out;
    sink_text(out, "{");
    pair(out, 1, 1, "bristle", bri_version());
    pair(out, 1, 0, "title", w->head.title);
    pair(out, 1, 0, "scenario", w->head.source);
    put_settings(out, &w->head);
    put_outcome(out, end);
    put_columns(w);
    sink_text(out, "\n}\n");
    return sink_status(out, err);
}

const writer_kind json_kind = {.suffix = ".json", .finish = finish};
