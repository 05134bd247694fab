/* rig.c - a rig as a model of an FMU: its variables. */
#include "fmu.h"

#include "../fail.h"
#include "inside/rig_unit.h"
#include "rig.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- names ------------------------------------------------------------------------------------
 */

/* The name of the file as an identifier. */
static void name_model(fmu_model *m, const char *file) {
    const char *slash = file ? strrchr(file, '/') : NULL;
    if (slash) file = slash + 1;
    snprintf(m->name, sizeof m->name, "%.40s", file && *file ? file : "rig");
    char *dot = strrchr(m->name, '.');
    if (dot) *dot = '\0';
    for (char *c = m->name; *c; c++)
        if (!isalnum((unsigned char)*c)) *c = '_';
    if (!isalpha((unsigned char)m->name[0])) {
        memmove(m->name + 3, m->name, strlen(m->name) + 1);
        memcpy(m->name, "rig", 3);
    }
}

/* Names of FMI: "push.force.sum.1.sine.amplitude" is push.force.sum[1].sine.amplitude. */
static void structured(const char *address, char *name, size_t size) {
    size_t n = 0;
    for (const char *c = address; *c && n + 3 < size; c++) {
        if (*c != '.' || !isdigit((unsigned char)c[1])) {
            name[n++] = *c;
            continue;
        }
        name[n++] = '[';
        while (isdigit((unsigned char)c[1]) && n + 2 < size) name[n++] = *++c;
        name[n++] = ']';
    }
    name[n] = '\0';
}

/* ---- columns ----------------------------------------------------------------------------------
 */

/* What the columns of a run show, in their order, the first after the time; states of contacts are
 * left out. */
static int fill_columns(const bri_system *s, rig_column *to) {
    int n = 0;
    for (int i = 0; i < s->n_bodies; i++) {
        int plane = s->bodies[i].kind == BRI_POINT;
        to[n++] = (rig_column){RIG_BODY_X, i, NULL};
        if (plane) to[n++] = (rig_column){RIG_BODY_Z, i, NULL};
        to[n++] = (rig_column){RIG_BODY_V, i, NULL};
        if (plane) to[n++] = (rig_column){RIG_BODY_VZ, i, NULL};
    }
    for (int i = 0; i < s->n_contacts; i++)
        for (int what = RIG_SLIDING; what <= RIG_MOTION; what++)
            to[n++] = (rig_column){(rig_what)what, i, NULL};
    for (int i = 0; i < s->n_couplings; i++) to[n++] = (rig_column){RIG_TENSION, i, NULL};
    for (int what = RIG_KINETIC; what <= RIG_STORED; what++)
        to[n++] = (rig_column){(rig_what)what, 0, NULL};
    return n;
}

static const char *const column_text[] = {
    [RIG_BODY_X] = "position",
    [RIG_BODY_Z] = "height",
    [RIG_BODY_V] = "velocity",
    [RIG_BODY_VZ] = "vertical velocity",
    [RIG_SLIDING] = "sliding velocity",
    [RIG_FRICTION] = "friction force: the first body feels its negative",
    [RIG_LOAD] = "normal load",
    [RIG_MOTION] = "-1, 0, 1: slides backward, sticks, slides forward",
    [RIG_TENSION] = "tension",
    [RIG_KINETIC] = "energy of motion",
    [RIG_POTENTIAL] = "energy of couplings and of height",
    [RIG_STORED] = "energy in bristles",
};

rig_column *rig_columns_of(const bri_sim *sim, const bri_sim_def *def, const bri_recorder *r,
                           int *count) {
    const bri_system *s = &def->system;
    int most = 4 * s->n_bodies + 4 * s->n_contacts + s->n_couplings + 3, n = bri_sim_states(sim);
    rig_column *all = calloc((size_t)most + 1, sizeof *all);
    *count = 0;
    if (!all) return NULL;
    int filled = fill_columns(s, all), column = 1;
    for (int i = 0; i < filled; i++) {
        char state[BRI_ADDRESS];
        int is_state = 0;
        all[i].name = bri_recorder_name(r, column++);
        if (all[i].what == RIG_MOTION)
            column +=
                bri_model_states(s->contacts[all[i].index].model, s->contacts[all[i].index].p);
        for (int k = 0; k < n && !is_state && all[i].what <= RIG_BODY_VZ; k++) {
            bri_sim_state_name(sim, k, state);
            is_state = strcmp(state, all[i].name) == 0;
        }
        if (!is_state) all[(*count)++] = all[i];
    }
    return all;
}

static const char *unit_of(const bri_recorder *r, const char *name) {
    int column = bri_recorder_find(r, name);
    return column >= 0 ? bri_recorder_unit(r, column) : "1";
}

/* ---- variables --------------------------------------------------------------------------------
 */

static void add_states(fmu_model *m, bri_sim *sim, const bri_recorder *r, const double *y,
                       const double *sizes) {
    for (int k = 0; k < bri_sim_states(sim); k++) {
        char name[BRI_ADDRESS], text[BRI_ADDRESS + 40];
        bri_sim_state_name(sim, k, name);
        snprintf(text, sizeof text, "state %s", name);
        fmu_variable *v =
            fmu_add(m, FMU_SHOWN_STATE, RIG_NUMBER(RIG_OF_STATE, k), name, unit_of(r, name), text);
        v->start = y[k];
        v->nominal = sizes[k] != 1.0 ? sizes[k] : 0.0;
        v->reinit = 1;
        fmu_add_rate(m, RIG_NUMBER(RIG_OF_RATE, k));
    }
}

static void add_columns(fmu_model *m, const rig_column *all, int count, const bri_recorder *r) {
    for (int i = 0; i < count; i++)
        fmu_add(m, FMU_OUTPUT, RIG_NUMBER(RIG_OF_COLUMN, i), all[i].name, unit_of(r, all[i].name),
                column_text[all[i].what]);
}

static void add_parameters(fmu_model *m, const bri_sim *sim, const rig_plan *plan) {
    bri_ref ref = {0};
    for (int i = 0; bri_sim_ref_next(sim, &ref);) {
        bri_number n = bri_sim_number(sim, ref);
        char address[BRI_ADDRESS + 8], name[BRI_ADDRESS + 8];
        rig_role role = rig_role_of(plan, &n, address);
        if (role == RIG_LEFT_OUT) continue;
        m->sloped |= role == RIG_SLOPE;
        if (role != RIG_SINCE && (role != RIG_SLOPE || m->version == 3)) {
            structured(address, name, sizeof name);
            fmu_kind kind = role == RIG_PARAMETER ? FMU_PARAMETER
                            : role == RIG_FLOW    ? FMU_INPUT
                                                  : FMU_HELD_INPUT;
            fmu_variable *v = fmu_add(m, kind, RIG_NUMBER(RIG_OF_PARAMETER, i), name, n.unit,
                                      role == RIG_SLOPE ? "rate of the input within steps of "
                                                          "co-simulation, or between events"
                                                        : n.text);
            v->start = n.value;
            v->min = n.min;
            v->max = n.max;
        }
        i++;
    }
}

static void add_indicators(fmu_model *m, const bri_sim *sim) {
    m->indicators = bri_sim_indicators(sim);
    for (int k = 0; k < m->indicators; k++) {
        char name[BRI_ADDRESS];
        bri_sim_indicator_name(sim, k, name);
        fmu_add(m, FMU_INDICATOR, RIG_NUMBER(RIG_OF_INDICATOR, k), name, "1",
                "event: positive until it happens");
    }
}

/* Sizes of the states, a power of ten each: what they reach in a run, as far as that comes in a
 * while; 1 where nothing moves. */
static double *sizes_of(const bri_sim_def *def) {
    enum { LOOKS = 200, MOST_STEPS = 100000 };
    bri_sim_def brief = *def;
    bri_sim *sim;
    brief.max_steps = MOST_STEPS;
    if (bri_sim_create(&brief, &sim, NULL) != BRI_OK) return NULL;
    int n = bri_sim_states(sim);
    double *most = calloc((size_t)n + 1, sizeof *most), *y = calloc((size_t)n + 1, sizeof *y);
    for (int i = 0; i <= LOOKS && most && y; i++) {
        double t = def->t_start + (def->t_end - def->t_start) * i / LOOKS;
        if (i > 0 && bri_sim_advance(sim, t, NULL) != BRI_OK) break;
        bri_sim_state_get(sim, y);
        for (int k = 0; k < n; k++) most[k] = fmax(most[k], fabs(y[k]));
    }
    for (int k = 0; k < n && most; k++)
        most[k] = most[k] > 1e-30 ? pow(10.0, ceil(log10(most[k]))) : 1.0;
    bri_sim_free(sim);
    free(y);
    return most;
}

bri_status fmu_of_rig(fmu_model *m, const bri_scenario *s, const rig_plan *plan,
                      const bri_fmu_options *how, double **sizes, bri_error *err) {
    bri_sim_def def = plan->def;
    bri_sim *sim = NULL;
    bri_recorder *r = NULL;
    rig_column *columns = NULL;
    int count = 0;
    bri_status status = bri_sim_create(&def, &sim, err);
    if (status) return status;
    name_model(m, how->name ? how->name : bri_scenario_file(s, 0));
    m->title = bri_scenario_title(s);
    m->version = how->version;
    m->tolerance = def.rtol;
    m->start = def.t_start;
    m->stop = def.t_end;
    m->step = bri_scenario_output(s);
    status = bri_recorder_create(&def, &r, err);
    double *y = calloc((size_t)bri_sim_states(sim) + 1, sizeof *y);
    *sizes = sizes_of(&def);
    if (!status) columns = rig_columns_of(sim, &def, r, &count);
    if (!status && (!columns || !y || !*sizes))
        status = bri_fail(err, BRI_NO_MEMORY, "%s", bri_status_text(BRI_NO_MEMORY));
    if (!status) {
        bri_sim_state_get(sim, y);
        fmu_add(m, FMU_TIME, RIG_NUMBER(RIG_OF_TIME, 0), "time", "s", "time");
        add_states(m, sim, r, y, *sizes);
        add_columns(m, columns, count, r);
        add_parameters(m, sim, plan);
        add_indicators(m, sim);
        status = fmu_names_differ(m, m->name, err);
    }
    free(columns);
    free(y);
    bri_recorder_free(r);
    bri_sim_free(sim);
    return status;
}
