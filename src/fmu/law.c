/* law.c - a friction law as an FMU: its variables, and the source of its binary. */
#define _POSIX_C_SOURCE 200809L
#include "fmu.h"

#include "../law/law.h"

#include "../fail.h"
#include "../memtext.h"
#include "../output/number.h"
#include "inside/law_unit.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name, *unit, *text;
} inputs[LAW_INPUTS] = {
    [LAW_INPUT_X] = {"x", "m", "relative displacement"},
    [LAW_INPUT_V] = {"v", "m/s", "relative velocity"},
    [LAW_INPUT_N] = {"N", "N", "normal load; none or less: an open contact"},
    [LAW_INPUT_FA] = {"fa", "N",
                      "tangential force that would hold v at zero: what F balances while "
                      "it sticks"},
};

static int input_used(int i, const bri_setup *s, int uses_x) {
    return i == LAW_INPUT_X ? uses_x : i != LAW_INPUT_FA || s->model->set_valued;
}

/* A level given in newtons has its name and unit in newtons. */
static const char *param_name(const bri_setup *s, int i) {
    const bri_param *row = &s->model->params[i];
    return s->forces && row->force ? row->force : row->name;
}

static void add_inputs(fmu_model *m, const bri_setup *s, int uses_x) {
    char name[80], unit[48], text[200];
    for (int slopes = 0; slopes < (m->version == 3 ? 2 : 1); slopes++)
        for (int i = 0; i < LAW_INPUTS; i++) {
            if (!input_used(i, s, uses_x)) continue;
            int of = slopes ? LAW_OF_SLOPE : LAW_OF_INPUT;
            snprintf(name, sizeof name, slopes ? "%s_slope" : "%s", inputs[i].name);
            snprintf(unit, sizeof unit, slopes ? "%s/s" : "%s", inputs[i].unit);
            snprintf(text, sizeof text, slopes ? "rate of %s within steps of co-simulation" : "%s",
                     slopes ? inputs[i].name : inputs[i].text);
            fmu_variable *v = fmu_add(m, FMU_INPUT, LAW_NUMBER(of, (unsigned)i), name,
                                      slopes && i == LAW_INPUT_V ? "m/s2" : unit, text);
            if (!slopes && i == LAW_INPUT_N) v->start = s->load;
        }
}

static void add_states(fmu_model *m, const bri_setup *s) {
    double rest[BRI_MAX_STATES];
    bri_model_rest(s->model, s->p, rest);
    for (int i = 0; i < s->model->n_states; i++) {
        const bri_state *row = &s->model->states[i];
        fmu_variable *v = fmu_add(m, FMU_STATE, LAW_NUMBER(LAW_OF_STATE, (unsigned)i), row->name,
                                  row->unit, row->text);
        v->start = rest[i];
        v->nominal = row->nominal;
        v->reinit = s->model->n_roots > 0 && !s->model->set_valued;
        fmu_add_rate(m, LAW_NUMBER(LAW_OF_RATE, (unsigned)i));
    }
}

static void add_params(fmu_model *m, const bri_setup *s) {
    for (int i = 0; i < s->model->n_params; i++) {
        const bri_param *row = &s->model->params[i];
        int newtons = s->forces && row->force;
        fmu_variable *v = fmu_add(m, FMU_PARAMETER, LAW_NUMBER(LAW_OF_PARAMETER, (unsigned)i),
                                  param_name(s, i), newtons ? "N" : row->unit, row->text);
        v->start = s->p[i];
        v->min = row->min;
        v->max = row->max;
    }
}

static void add_indicators(fmu_model *m, const bri_setup *s) {
    char name[80];
    fmu_add(m, FMU_INDICATOR, LAW_NUMBER(LAW_OF_INDICATOR, 0), "reversal", "m/s",
            "event: changes its sign when the motion turns");
    for (int i = 0; i < s->model->n_roots; i++) {
        snprintf(name, sizeof name, s->model->set_valued ? "break_away" : "limit_%d", i + 1);
        fmu_add(m, FMU_INDICATOR, LAW_NUMBER(LAW_OF_INDICATOR, (unsigned)i + 1), name,
                s->model->set_valued ? "N" : "1",
                s->model->set_valued
                    ? "event: falls through zero when the force that holds is exceeded"
                    : "event: falls through zero when a state reaches its limit");
    }
    m->indicators = 1 + s->model->n_roots;
}

bri_status fmu_of_law(fmu_model *m, const bri_setup *s, int uses_x, int version, bri_error *err) {
    const bri_model *of = s->model;
    memset(m, 0, sizeof *m);
    snprintf(m->name, sizeof m->name, "%s", of->name);
    m->title = of->title;
    m->cite = of->cite;
    m->equations = of->equations;
    m->limits = of->limits;
    m->version = version;
    m->tolerance = 1e-6;
    m->stop = 1.0;
    m->step = 1e-3;
    m->sloped = 1;
    fmu_add(m, FMU_TIME, LAW_NUMBER(LAW_OF_TIME, 0), "time", "s", "time");
    add_inputs(m, s, uses_x);
    fmu_add(m, FMU_OUTPUT, LAW_NUMBER(LAW_OF_OUTPUT, 0), "F", "N",
            "friction force: resists, has the sign of v in steady sliding");
    add_states(m, s);
    add_params(m, s);
    add_indicators(m, s);
    return fmu_names_differ(m, of->name, err);
}

/* ---- its source ------------------------------------------------------------------------------ */

/* The tables that inside/law_unit.c reads. */
static void put_tables(FILE *out, const fmu_model *m, const bri_setup *s) {
    int used[LAW_INPUTS] = {0};
    for (int i = 0; i < m->count; i++)
        if (m->at[i].number / LAW_BLOCK == LAW_OF_INPUT) used[m->at[i].number % LAW_BLOCK] = 1;
    fprintf(out, "\n#define UNIT_LAW (&BRI_LAW(%s))\n#define UNIT_TOLERANCE 1e-6\n", m->name);
    fprintf(out, "#define UNIT_MOST_KNOWNS (4 + BRI_MAX_STATES)\n");
    fprintf(out, "static const double unit_start_p[] = {");
    for (int i = 0; i < s->model->n_params; i++) fmu_put_number(out, s->p[i]), fputs(", ", out);
    fprintf(out, "0};\nstatic const double unit_start_load = ");
    fmu_put_number(out, s->load);
    fprintf(out, ";\nstatic const char *const unit_names[] = {");
    for (int i = 0; i < s->model->n_params; i++) fprintf(out, "\"%s\", ", param_name(s, i));
    fprintf(out, "\"\"};\nstatic const char *const unit_inputs[] = {");
    for (int i = 0; i < LAW_INPUTS; i++) fprintf(out, "\"%s\", ", inputs[i].name);
    fprintf(out, "\"\"};\nstatic const int unit_uses[] = {");
    for (int i = 0; i < LAW_INPUTS; i++) fprintf(out, "%d, ", used[i]);
    fprintf(out, "0};\nstatic const int unit_slopes_known = %d;\n", m->version == 3);
}

char *fmu_law_source(const fmu_model *m, const bri_setup *s, const char *law_in_c, bri_error *err) {
    static const char *const after[] = {"law_unit.h", "unit.h", "law_unit.c", "host.h"};
    memtext page;
    FILE *out = memtext_open(&page);
    if (out) {
        fputs(fmu_text("head.h"), out);
        law_put_alone(out, law_in_c);
        put_tables(out, m, s);
        for (size_t i = 0; i < sizeof after / sizeof *after; i++) fmu_put_file(out, after[i]);
        fmu_put_file(out, m->version == 3 ? "fmi3.c" : "fmi2.c");
    }
    char *text = memtext_close(&page);
    if (!text) bri_fail(err, BRI_NO_MEMORY, "%s", bri_status_text(BRI_NO_MEMORY));
    return text;
}
