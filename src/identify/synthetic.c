/* synthetic.c - recordings as a test stand would make them of a rig, for planning a test: the rig
 * is run, its columns are sampled, late, noisy and in steps, and written with the names and units
 * of the files that the same map reads. */
#define _POSIX_C_SOURCE 200809L
#include "identify.h"

#include "fail.h"
#include "output/escape.h"
#include "random.h"

#include <math.h>
#include <string.h>

/* What the sensors do to each target. */
typedef struct sensor {
    double noise, step, late; /* in our unit, in our unit, [s] */
    double factor;            /* from ours to theirs */
    double *value;
} sensor;

/* Of a list "axis.x=1 um,motor.force=0.2 N" the value of a target; 0: it is not named. */
static bri_status value_for(const char *list, const id_target *t, const char *unit, double *value,
                            bri_error *err) {
    size_t length = strlen(t->name);
    for (const char *at = list; at && *at;) {
        at += strspn(at, " ");
        size_t n = strcspn(at, ",");
        if (strncmp(at, t->name, length) == 0 && at[length] == '=') {
            char text[80];
            snprintf(text, sizeof text, "%.*s", (int)(n - length - 1 < 79 ? n - length - 1 : 79),
                     at + length + 1);
            bri_status status = bri_quantity(text, unit, value, err);
            if (status == BRI_OK && !(*value >= 0.0))
                status = bri_fail(err, BRI_BAD_VALUE, "%s=%s must not be negative", t->name, text);
            return status;
        }
        at += n + (at[n] == ',');
    }
    return BRI_OK;
}

/* Every name of a list has to be one that is mapped. */
static bri_status check_list(const char *list, const id_map *m, bri_error *err) {
    for (const char *at = list; at && *at;) {
        at += strspn(at, " ");
        size_t n = strcspn(at, ","), name = strcspn(at, "=");
        int known = 0;
        for (int k = 0; k < m->count; k++)
            known = known ||
                    (strlen(m->target[k].name) == name && !strncmp(at, m->target[k].name, name));
        if (n > 0 && (!known || name >= n))
            return bri_fail(err, BRI_BAD_VALUE,
                            "'%.*s' is no column of the map with a value, such as %s=0.1",
                            (int)(n < 60 ? n : 60), at, m->target[m->count - 1].name);
        at += n + (at[n] == ',');
    }
    return BRI_OK;
}

static bri_status read_sensor(const bri_synthetic_def *def, const id_target *t, sensor *s,
                              bri_error *err) {
    const id_term *m = &t->term[0];
    double unit = 1.0;
    char one[80];
    if (t->n_terms != 1)
        return bri_fail(err, BRI_BAD_VALUE, "%s: a column that is made is one column, not a sum",
                        t->name);
    snprintf(one, sizeof one, "1 %.60s", m->unit);
    if (m->unit[0] && bri_quantity(one, t->unit, &unit, err) != BRI_OK) {
        if (!m->scaled) return err->status;
        unit = 1.0; /* the factor has a unit of its own, N/V */
    }
    s->factor = 1.0 / (m->factor * unit);
    bri_status status = value_for(def->noise, t, t->unit, &s->noise, err);
    if (status == BRI_OK) status = value_for(def->step, t, t->unit, &s->step, err);
    if (status == BRI_OK) status = value_for(def->late, t, "s", &s->late, err);
    return status;
}

static double read_target(bri_sim *sim, const bri_system *y, const id_target *t, double at) {
    switch (t->what) {
    case ID_BODY_X:
        return bri_sim_body(sim, t->index).x;
    case ID_BODY_V:
        return bri_sim_body(sim, t->index).v;
    case ID_DRIVE:
        return y->drives[t->index].by ? id_function_now(sim, y, y->drives[t->index].by, at)
                                      : bri_signal_value(&y->drives[t->index].force, at);
    case ID_CONTACT_F:
        return bri_sim_contact(sim, t->index).F;
    case ID_CONTACT_V:
        return bri_sim_contact(sim, t->index).v;
    case ID_CONTACT_N:
        return bri_sim_contact(sim, t->index).N;
    case ID_TIME:
        break;
    }
    return at;
}

/* One target along the run: a sensor that is late shows what was, and its first value before. */
static bri_status record(const bri_sim_def *def, const id_target *t, const sensor *s, double h,
                         long rows, bri_error *err) {
    bri_sim *sim = NULL;
    bri_status status = bri_sim_create(def, &sim, err);
    for (long i = 0; status == BRI_OK && i < rows; i++) {
        double at = fmax(def->t_start + (double)i * h - s->late, def->t_start);
        status = bri_sim_advance(sim, fmin(at, def->t_end), err);
        s->value[i] = read_target(sim, &def->system, t, at);
    }
    bri_sim_free(sim);
    return status;
}

static double normal(double seed, double i) {
    return sqrt(-2.0 * log(1.0 - bri_random(seed, 2.0 * i))) *
           cos(6.28318530717958647692 * bri_random(seed, 2.0 * i + 1.0));
}

/* Noise that remembers by rho from row to row, then steps. */
static void spoil(const sensor *s, long rows, double rho, double seed) {
    double e = normal(seed, 0.0), fresh = sqrt(1.0 - rho * rho);
    for (long i = 0; i < rows; i++) {
        if (i > 0) e = rho * e + fresh * normal(seed, (double)i);
        s->value[i] += s->noise * e;
        if (s->step > 0.0) s->value[i] = s->step * floor(s->value[i] / s->step + 0.5);
    }
}

static void write_rows(const id_map *m, const sensor *s, double h, double from, long rows,
                       FILE *out) {
    for (int k = 0; k < m->count; k++) {
        const id_term *t = &m->target[k].term[0];
        char head[140];
        snprintf(head, sizeof head, t->unit[0] ? "%.63s [%.63s]" : "%.63s", t->name, t->unit);
        if (k) fputc(',', out);
        csv_text(out, head);
    }
    fputc('\n', out);
    for (long i = 0; i < rows; i++) {
        for (int k = 0; k < m->count; k++) {
            double ours = k == 0 ? from + (double)i * h : s[k].value[i];
            char text[NUMBER_ROOM + 1];
            *number_put(text, (ours - m->target[k].offset) * s[k].factor) = '\0';
            fprintf(out, "%s%s", k ? "," : "", text);
        }
        fputc('\n', out);
    }
}

/* The number of rows; < 0 with a reason. */
static long count_rows(const bri_synthetic_def *def, const bri_sim_def *run, bri_error *err) {
    const double most = 1e7;
    if (!(def->rate > 0.0) || !isfinite(def->rate))
        return bri_fail(err, BRI_BAD_VALUE, "a recording has a rate, such as 1 kHz"), -1;
    if (!(fabs(def->colour) < 1.0))
        return bri_fail(err, BRI_BAD_VALUE, "the colour of noise lies between -1 and 1"), -1;
    double rows = floor((run->t_end - run->t_start) * def->rate + 1e-9) + 1.0;
    if (rows < 2.0 || rows > most)
        return bri_fail(err, BRI_BAD_VALUE, "%.4g rows: a recording has 2 to %.0e", rows, most), -1;
    return (long)rows;
}

static bri_status make(const bri_synthetic_def *def, const bri_sim_def *run, FILE *out,
                       bri_error *err) {
    id_map map;
    sensor s[ID_TARGETS] = {{0}};
    bri_sim_def plain = *run;
    bri_status status = id_map_read(&map, def->map ? def->map : "", &run->system, err);
    if (status == BRI_OK && map.target[0].what != ID_TIME)
        status = bri_fail(err, BRI_MISSING, "a recording has a time: map t to a column");
    if (status == BRI_OK) status = check_list(def->noise, &map, err);
    if (status == BRI_OK) status = check_list(def->step, &map, err);
    if (status == BRI_OK) status = check_list(def->late, &map, err);
    long rows = status == BRI_OK ? count_rows(def, run, err) : -1;
    if (rows < 0) return err->status;
    plain.energies = 0, plain.event_room = -1;
    for (int k = 0; status == BRI_OK && k < map.count; k++) {
        status = read_sensor(def, &map.target[k], &s[k], err);
        if (status != BRI_OK || k == 0) continue;
        s[k].value = malloc((size_t)rows * sizeof *s[k].value);
        status = s[k].value ? record(&plain, &map.target[k], &s[k], 1.0 / def->rate, rows, err)
                            : bri_fail(err, BRI_NO_MEMORY, "%s", bri_status_text(BRI_NO_MEMORY));
        if (status == BRI_OK) spoil(&s[k], rows, def->colour, def->seed + 1000003.0 * k);
    }
    if (status == BRI_OK) write_rows(&map, s, 1.0 / def->rate, run->t_start, rows, out);
    for (int k = 0; k < map.count; k++) free(s[k].value);
    return status;
}

bri_status bri_identify_synthetic(const bri_synthetic_def *def, FILE *out, bri_messages *messages) {
    bri_scenario_options options = {
        .overrides = def->overrides, .n_overrides = def->n_overrides, .laws = def->known};
    bri_scenario *scenario = NULL;
    bri_error err = {0};
    bri_status status = bri_scenario_load(def->scenario, &options, &scenario, messages);
    if (status != BRI_OK) return status;
    status = make(def, bri_scenario_def(scenario), out, &err);
    bri_scenario_free(scenario);
    if (status != BRI_OK && messages && messages->count < BRI_MAX_MESSAGES)
        messages->message[messages->count++] = err;
    return status;
}
