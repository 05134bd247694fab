/* rig_unit.c - a rig as a unit: bodies, couplings, contacts and drives, with the engine of the
 * library.
 *
 * The tool writes before this file:
 *   rig_system, rig_start ... rig_rtol, rig_atol, rig_max_step  the definition, constant data
 *   rig_columns, rig_numbers, rig_sizes  columns, parameters and inputs, nominal sizes of the
 * states UNIT_SLOPES_KNOWN   nonzero: slopes of inputs are variables (FMI 3) RIG_COLUMNS,
 * RIG_PARAMETERS, RIG_STATES, RIG_INDICATORS   how many there are
 *
 * In Co-Simulation the simulation runs. In Model Exchange it stands where the last event was, and
 * says what rates and event functions are elsewhere; u->t and u->y are where the host is. */
#include "rig_unit.h"
#include "unit.h"

#include <stdlib.h>

struct unit {
    bri_sim *sim;
    bri_ref ref[RIG_PARAMETERS + 1];
    double p[RIG_PARAMETERS + 1]; /* parameters as the host wants them */
    int changed;                  /* nonzero: the simulation does not know all of them yet */
    int flowing;                  /* nonzero: nor forces and loads that change between events */
    int moving;                   /* nonzero: it knows a slope that holds no more */
    double start, stop, tolerance;
    double t, y[RIG_STATES + 1]; /* where the host is */
    char given[RIG_STATES + 1];  /* start values that the host has set */
    int here;                    /* nonzero: the simulation stands there */
    double row[RIG_COLUMNS + 1]; /* columns there */
    int row_known, slopes_known; /* nonzero: they, the slopes, belong to this place */
    double *slopes, *row_slopes; /* rates by states, columns by states; NULL: not asked for yet */
    double *by[RIG_PARAMETERS + 1];    /* rates, then columns, by a number; NULL: likewise */
    char by_known[RIG_PARAMETERS + 1]; /* which of them belong to this place */
    void *kept;                        /* room for the simulation while it looks elsewhere */
    size_t kept_size;
    bri_error err;
    char words[300];
};

static const char *unit_said(unit *u, bri_status status) {
    return status == BRI_OK ? NULL : u->err.text;
}

enum { RIG_EVENTS = 64 }; /* at contacts at the same time, the most that are kept */

/* ---- the definition ------------------------------------------------------------------------ */

static bri_sim_def rig_define(const unit *u) {
    bri_sim_def def = bri_sim_defaults();
    (void)rig_signals, (void)rig_functions, (void)rig_varying, (void)rig_z; /* some may be empty */
    def.system = rig_system;
    def.t_start = u->start;
    def.t_end = u->stop;
    def.rtol = u->tolerance;
    def.atol = rig_atol;
    def.max_step = rig_max_step;
    def.energies = 0;
    def.event_room = RIG_EVENTS;
    return def;
}

/* A simulation at its start, with the parameters of the unit; the old one stays if it fails. */
static const char *rig_create(unit *u) {
    bri_sim *sim = NULL;
    bri_sim_def def = rig_define(u);
    if (bri_sim_create(&def, &sim, &u->err) != BRI_OK) return u->err.text;
    bri_sim_free(u->sim);
    u->sim = sim;
    u->changed = 1;
    u->row_known = u->slopes_known = 0;
    return NULL;
}

/* ---- life ---------------------------------------------------------------------------------- */

/* Where the simulation is, but for what the host has given. */
static void unit_take_over(unit *u) {
    double y[RIG_STATES + 1];
    bri_sim_state_get(u->sim, y);
    u->here = 1;
    for (int k = 0; k < RIG_STATES; k++) {
        if (!u->given[k]) u->y[k] = y[k];
        if (u->y[k] != y[k]) u->here = 0;
    }
    u->row_known = u->slopes_known = 0;
}

static int rig_is_input(unsigned i) {
    return rig_numbers[i].role == RIG_INPUT || rig_numbers[i].role == RIG_FLOW;
}

/* Nonzero if number i is the value of an input with a slope, number i - 2, since time i - 1. */
static int unit_has_slope(unsigned i) {
    return i >= 2 && rig_is_input(i) && rig_numbers[i - 1].role == RIG_SINCE;
}

static double unit_input(const unit *u, unsigned i) {
    return unit_has_slope(i) ? u->p[i] + u->p[i - 2] * (u->t - u->p[i - 1]) : u->p[i];
}

/* Slopes count from the present time. */
static void unit_carry(unit *u) {
    for (unsigned i = 2; i < RIG_PARAMETERS; i++)
        if (unit_has_slope(i)) {
            u->p[i] = unit_input(u, i);
            u->p[i - 1] = u->t;
        }
}

/* Times that the host cannot tell apart: 0.3 s is where the third period of 0.1 s begins. */
static double unit_slack(const unit *u) { return 1e-14 * (fabs(u->t) + fabs(u->stop - u->start)); }

/* Where the host is, or the event a hair later that it has met. */
static double unit_now(const unit *u) {
    double met = bri_sim_time(u->sim);
    return u->t < met && met - u->t <= unit_slack(u) ? met : u->t;
}

/* Until a signal has its kink it is what it was before. */
static double unit_before_kink(unit *u) {
    double kink = bri_sim_next_kink(u->sim), now = unit_now(u);
    return now >= kink ? nextafter(kink, -INFINITY) : now;
}

/* Forces and loads as the host has them, without an event. */
static const char *unit_apply(unit *u) {
    for (unsigned i = 2; i < RIG_PARAMETERS; i++) {
        if (rig_numbers[i].role != RIG_FLOW) continue;
        double risen = u->p[i - 2] * fmax(u->p[i - 1] - bri_sim_get(u->sim, u->ref[i - 1]), 0.0);
        if (bri_sim_apply(u->sim, u->ref[i], u->p[i] - risen, &u->err) != BRI_OK)
            return u->err.text;
    }
    u->flowing = 0;
    return NULL;
}

/* The simulation with the parameters that the host wants, at the place where the host is. */
static const char *unit_settle(unit *u) {
    if (u->flowing && !u->changed) return unit_apply(u);
    if (u->changed) {
        unit_carry(u);
        int begun = bri_sim_time(u->sim) != u->start || u->t != u->start;
        if (begun && !u->here) {
            if (bri_sim_meet(u->sim, unit_now(u), u->y, &u->err) != BRI_OK) return u->err.text;
            u->here = 1;
        }
        if (bri_sim_set_all(u->sim, u->ref, u->p, RIG_PARAMETERS, &u->err) != BRI_OK)
            return u->err.text;
        u->changed = u->flowing = 0;
        unit_take_over(u);
    }
    if (!u->here && memchr(u->given, 1, sizeof u->given)) { /* contacts decide how they begin */
        if (bri_sim_place(u->sim, u->t, u->y, &u->err) != BRI_OK) return u->err.text;
        u->here = 1;
    }
    return NULL;
}

static void rig_find_numbers(unit *u) {
    bri_ref ref = {0};
    for (int ordinal = 0, i = 0; i < RIG_PARAMETERS && bri_sim_ref_next(u->sim, &ref); ordinal++)
        if (ordinal == rig_numbers[i].ordinal) {
            u->ref[i] = ref;
            u->p[i++] = bri_sim_get(u->sim, ref);
        }
}

void unit_free(unit *u) {
    if (!u) return;
    bri_sim_free(u->sim);
    free(u->kept);
    free(u->slopes);
    free(u->row_slopes);
    for (int i = 0; i < RIG_PARAMETERS; i++) free(u->by[i]);
    free(u);
}

void unit_reset(unit *u) {
    u->start = rig_start;
    u->stop = rig_stop;
    u->tolerance = rig_rtol;
    u->t = u->start;
    memset(u->given, 0, sizeof u->given);
    u->moving = u->flowing = 0;
    if (rig_create(u)) return; /* the old one is there */
    rig_find_numbers(u);
    u->changed = 0;
    unit_take_over(u);
}

unit *unit_new(void) {
    unit *u = calloc(1, sizeof *u);
    if (u) unit_reset(u);
    if (u && !u->sim) {
        unit_free(u);
        return NULL;
    }
    return u;
}

const char *unit_begin(unit *u, double start, double stop, double tolerance) {
    unit was = *u;
    double end = isfinite(stop) && stop > start ? stop : start + (rig_stop - rig_start);
    if (!(tolerance > 0.0)) tolerance = rig_rtol;
    if (start == u->start && end == u->stop && tolerance == u->tolerance) return NULL;
    u->start = u->t = start;
    u->stop = end;
    u->tolerance = fmin(fmax(tolerance, 1e-13), 0.1);
    const char *wrong = rig_create(u);
    if (wrong) {
        u->start = was.start, u->t = was.t, u->stop = was.stop, u->tolerance = was.tolerance;
        return wrong;
    }
    return NULL;
}

/* ---- variables ----------------------------------------------------------------------------- */

static unsigned unit_index(unsigned number) { return number % RIG_BLOCK; }

unit_kind unit_kind_of(unsigned number) {
    static const struct {
        unit_kind kind;
        unsigned count;
    } kinds[] = {
        {UNIT_TIME, 1},           {UNIT_OUTPUT, RIG_COLUMNS}, {UNIT_PARAMETER, RIG_PARAMETERS},
        {UNIT_STATE, RIG_STATES}, {UNIT_RATE, RIG_STATES},    {UNIT_INDICATOR, RIG_INDICATORS}};
    unsigned of = number / RIG_BLOCK;
    if (of >= sizeof kinds / sizeof *kinds || unit_index(number) >= kinds[of].count)
        return UNIT_NOTHING;
    if (kinds[of].kind != UNIT_PARAMETER) return kinds[of].kind;
    rig_role role = rig_numbers[unit_index(number)].role;
    int seen = role != RIG_SINCE && (role != RIG_SLOPE || UNIT_SLOPES_KNOWN);
    return !seen                   ? UNIT_NOTHING
           : role == RIG_PARAMETER ? UNIT_PARAMETER
           : role == RIG_FLOW      ? UNIT_INPUT
                                   : UNIT_HELD;
}

/* Of number i, as the description has it. */
static void rig_number_name(unit *u, unsigned i, char *name, size_t size) {
    text_format(name, size, "%s", bri_sim_number(u->sim, u->ref[i]).name);
    if (unit_has_slope(i)) name[strlen(name) - strlen(".ramp.before")] = '\0';
    if (rig_numbers[i].role == RIG_SLOPE)
        text_format(name + strlen(name) - strlen(".ramp.rate"), sizeof ".ramp.rate", "_slope");
}

void unit_name(unit *u, unsigned number, char *name, size_t size) {
    char word[BRI_ADDRESS] = "no variable";
    int i = (int)unit_index(number);
    unit_kind kind = unit_kind_of(number);
    if (kind == UNIT_TIME) text_format(word, sizeof word, "time");
    if (kind == UNIT_OUTPUT) text_format(word, sizeof word, "%s", rig_columns[i].name);
    if (kind == UNIT_PARAMETER || kind == UNIT_HELD || kind == UNIT_INPUT)
        rig_number_name(u, (unsigned)i, word, sizeof word);
    if (kind == UNIT_STATE || kind == UNIT_RATE) bri_sim_state_name(u->sim, i, word);
    if (kind == UNIT_INDICATOR) bri_sim_indicator_name(u->sim, i, word);
    text_format(name, size, kind == UNIT_RATE ? "der(%s)" : "%s", word);
}

static double rig_read(bri_sim *sim, const rig_column *c) {
    switch (c->what) {
    case RIG_BODY_X:
        return bri_sim_body(sim, c->index).x;
    case RIG_BODY_Z:
        return bri_sim_body(sim, c->index).z;
    case RIG_BODY_V:
        return bri_sim_body(sim, c->index).v;
    case RIG_BODY_VZ:
        return bri_sim_body(sim, c->index).vz;
    case RIG_SLIDING:
        return bri_sim_contact(sim, c->index).v;
    case RIG_FRICTION:
        return bri_sim_contact(sim, c->index).F;
    case RIG_LOAD:
        return bri_sim_contact(sim, c->index).N;
    case RIG_MOTION:
        return bri_sim_contact(sim, c->index).motion;
    case RIG_TENSION:
        return bri_sim_coupling_force(sim, c->index);
    default:
        break;
    }
    bri_energies e = bri_sim_energies(sim);
    return c->what == RIG_KINETIC ? e.kinetic : c->what == RIG_POTENTIAL ? e.potential : e.stored;
}

static void rig_read_all(bri_sim *sim, double *row) {
    for (int i = 0; i < RIG_COLUMNS; i++) row[i] = rig_read(sim, &rig_columns[i]);
}

/* All columns at a place of the host's, with another value of number `by` if that is not negative:
 * the simulation goes there and comes back. */
static const char *rig_read_at(unit *u, double t, const double *y, int by, double value,
                               double *row) {
    double there[RIG_STATES + 1];
    size_t size = bri_sim_size(u->sim);
    if (size > u->kept_size) {
        void *room = realloc(u->kept, size);
        if (!room) return "there is no memory";
        u->kept = room;
        u->kept_size = size;
    }
    memcpy(there, y, sizeof there);
    bri_sim_save(u->sim, u->kept);
    bri_status status = bri_sim_meet(u->sim, t, there, &u->err);
    if (status == BRI_OK && by >= 0) status = bri_sim_set(u->sim, u->ref[by], value, &u->err);
    if (status == BRI_OK) rig_read_all(u->sim, row);
    bri_error back;
    bri_status restored = bri_sim_restore(u->sim, u->kept, &back);
    if (restored != BRI_OK) u->err = back;
    return unit_said(u, status == BRI_OK ? restored : status);
}

static const char *unit_row(unit *u) {
    const char *wrong = unit_settle(u);
    if (wrong || u->row_known) return wrong;
    if (u->here)
        rig_read_all(u->sim, u->row);
    else
        wrong = rig_read_at(u, unit_before_kink(u), u->y, -1, 0.0, u->row);
    u->row_known = !wrong;
    return wrong;
}

const char *unit_get(unit *u, unsigned number, double *value) {
    double room[RIG_STATES + RIG_INDICATORS + 1];
    unsigned i = unit_index(number);
    const char *wrong = NULL;
    switch (unit_kind_of(number)) {
    case UNIT_TIME:
        *value = u->t;
        break;
    case UNIT_OUTPUT:
        wrong = unit_row(u);
        if (!wrong) *value = u->row[i];
        break;
    case UNIT_PARAMETER:
    case UNIT_HELD:
    case UNIT_INPUT:
        *value = unit_input(u, i);
        break;
    case UNIT_STATE:
        wrong = unit_settle(u);
        *value = u->y[i];
        break;
    default:
        wrong = (unit_kind_of(number) == UNIT_RATE ? unit_rates : unit_indicate)(u, room);
        if (!wrong) *value = room[i];
    }
    return wrong;
}

static const char *unit_range(unit *u, unsigned i, double value) {
    bri_number n = bri_sim_number(u->sim, u->ref[i]);
    rig_number_name(u, i, n.name, sizeof n.name);
    if (!(value >= n.min && value <= n.max))
        text_format(u->words, sizeof u->words, "%s = %g is outside %g ... %g", n.name, value, n.min,
                    n.max);
    else if (n.whole && value != floor(value))
        text_format(u->words, sizeof u->words, "%s = %g must be a whole number", n.name, value);
    else
        return NULL;
    return u->words;
}

/* Another value; the simulation hears of it when it is asked. */
static void unit_differs(unit *u, int flows) {
    if (!flows) {
        u->changed = 1;
        return;
    }
    u->flowing = 1;
    u->here = u->row_known = u->slopes_known = 0;
}

const char *unit_set(unit *u, unsigned number, double value, int flows) {
    unsigned i = unit_index(number);
    unit_kind kind = unit_kind_of(number);
    if (kind == UNIT_PARAMETER || kind == UNIT_HELD || kind == UNIT_INPUT) {
        const char *wrong = unit_range(u, i, value);
        if (wrong) return wrong;
        if (unit_input(u, i) != value) unit_differs(u, flows);
        if (rig_numbers[i].role == RIG_SLOPE) unit_carry(u);
        u->p[i] = value;
        if (unit_has_slope(i)) u->p[i - 1] = u->t;
        return NULL;
    }
    if (kind != UNIT_STATE) return "it cannot be set";
    if (!(fabs(value) <= 1e30)) return "a state must be finite, up to 1e30";
    u->y[i] = value;
    u->given[i] = 1;
    u->here = u->row_known = u->slopes_known = 0;
    return NULL;
}

const char *unit_slope(unit *u, unsigned number, double slope) {
    unsigned i = unit_index(number);
    if (!unit_has_slope(i)) return "it is no input that has a slope";
    unit_carry(u);
    if (u->p[i - 2] != slope) u->changed = 1;
    u->p[i - 2] = slope;
    return NULL;
}

/* After a step: values at its end; slopes that were told for the step alone hold no more. */
static void unit_after_step(unit *u) {
    unit_carry(u);
    u->moving = 0;
    for (unsigned i = 2; i < RIG_PARAMETERS && !UNIT_SLOPES_KNOWN; i++)
        if (unit_has_slope(i) && u->p[i - 2] != 0.0) {
            u->p[i - 2] = 0.0;
            u->moving = 1;
        }
}

/* What has been set fits together, and the simulation is where the host wants it to begin. */
const char *unit_check(unit *u) {
    const char *wrong = unit_settle(u);
    if (!wrong) memset(u->given, 0, sizeof u->given);
    return wrong;
}

/* ---- states and time ----------------------------------------------------------------------- */

int unit_states(void) { return RIG_STATES; }
int unit_indicators(void) { return RIG_INDICATORS; }

void unit_state_get(unit *u, double *z) {
    unit_settle(u);
    for (int i = 0; i < RIG_STATES; i++) z[i] = u->y[i];
}

const char *unit_state_set(unit *u, const double *z) {
    for (int i = 0; i < RIG_STATES; i++)
        if (!(fabs(z[i]) <= 1e30)) return "a state is not a number";
    for (int i = 0; i < RIG_STATES; i++) {
        if (u->y[i] != z[i]) u->here = u->row_known = u->slopes_known = 0;
        u->y[i] = z[i];
    }
    return NULL;
}

void unit_nominals(double *size) {
    for (int i = 0; i < RIG_STATES; i++) size[i] = rig_sizes[i];
}

void unit_time(unit *u, double time) {
    if (time != u->t) u->here = u->row_known = u->slopes_known = 0;
    u->t = time;
}

const char *unit_rates(unit *u, double *dz) {
    const char *wrong = unit_settle(u);
    if (wrong) return wrong;
    return unit_said(u, bri_sim_rhs(u->sim, unit_before_kink(u), u->y, dz, &u->err));
}

const char *unit_indicate(unit *u, double *g) {
    const char *wrong = unit_settle(u);
    if (wrong) return wrong;
    return unit_said(u, bri_sim_indicate(u->sim, unit_before_kink(u), u->y, g, &u->err));
}

/* Wherever rates may have jumped the states count as changed: there are hosts that go on with the
 * history of their integrator unless they do. */
const char *unit_event(unit *u, int *changed, double *next) {
    *changed = u->changed || !u->here;
    const char *wrong = unit_settle(u);
    if (wrong) return wrong;
    double t = unit_now(u);
    bri_status status = u->here ? BRI_OK : bri_sim_meet(u->sim, t, u->y, &u->err);
    *next = bri_sim_next_kink(u->sim);
    for (int i = 0; i < RIG_EVENTS && status == BRI_OK && *next - t <= unit_slack(u); i++) {
        status = bri_sim_meet(u->sim, t = fmax(t, *next), u->y, &u->err);
        *next = bri_sim_next_kink(u->sim);
        *changed = 1;
    }
    if (status != BRI_OK) return u->err.text;
    u->here = 1;
    u->row_known = u->slopes_known = 0;
    return NULL;
}

static const char *rig_advance(unit *u, double to, int stops) {
    u->changed |= u->moving;
    const char *wrong = unit_check(u);
    if (wrong) return wrong;
    bri_status status = to > u->stop ? bri_sim_extend(u->sim, to, &u->err) : BRI_OK;
    if (status == BRI_OK && to > u->stop) u->stop = to;
    bri_sim_forget_events(u->sim);
    if (status == BRI_OK)
        status = stops ? bri_sim_watch(u->sim, to, NULL, NULL, &u->err)
                       : bri_sim_advance(u->sim, to, &u->err);
    if (status != BRI_OK) return u->err.text;
    u->t = stops ? bri_sim_time(u->sim) : to;
    unit_after_step(u);
    unit_take_over(u);
    return NULL;
}

/* The tolerance was known at the beginning. */
const char *unit_advance(unit *u, double to, double tolerance) {
    (void)tolerance;
    return rig_advance(u, to, 0);
}

const char *unit_advance_to_event(unit *u, double to, double tolerance, int *event,
                                  double *reached) {
    (void)tolerance;
    const char *wrong = rig_advance(u, to, 1);
    bri_sim_events(u->sim, event, NULL);
    *event = *event > 0;
    *reached = u->t;
    return wrong;
}

/* ---- all of it ----------------------------------------------------------------------------- */

/* What stands before the simulation's own bytes, which may be read in another process. */
typedef struct unit_values {
    double start, stop, tolerance, t, changed, here, moving, flowing;
    double p[RIG_PARAMETERS + 1], y[RIG_STATES + 1], given[RIG_STATES + 1];
} unit_values;

static size_t unit_values_size(void) { return (sizeof(unit_values) + 15) / 16 * 16; }

size_t unit_size(unit *u) { return unit_values_size() + bri_sim_size(u->sim); }

void unit_save(unit *u, void *to) {
    unit_values now;
    memset(&now, 0, sizeof now);
    now.start = u->start;
    now.stop = u->stop;
    now.tolerance = u->tolerance;
    now.t = u->t;
    now.changed = u->changed;
    now.here = u->here;
    now.moving = u->moving;
    now.flowing = u->flowing;
    memcpy(now.p, u->p, sizeof now.p);
    memcpy(now.y, u->y, sizeof now.y);
    for (int k = 0; k < RIG_STATES; k++) now.given[k] = u->given[k];
    memcpy(to, &now, sizeof now);
    bri_sim_save(u->sim, (char *)to + unit_values_size());
}

const char *unit_restore(unit *u, const void *from, size_t size) {
    const char *bytes = (const char *)from + unit_values_size();
    unit_values now;
    if (size <= unit_values_size()) return "no state of this unit";
    memcpy(&now, from, sizeof now);
    if (bri_sim_restore(u->sim, bytes, NULL) != BRI_OK &&
        bri_sim_revive(u->sim, bytes, size - unit_values_size(), &u->err) != BRI_OK)
        return u->err.text;
    u->start = now.start;
    u->stop = now.stop;
    u->tolerance = now.tolerance;
    u->t = now.t;
    u->changed = now.changed != 0.0;
    u->here = now.here != 0.0;
    u->moving = now.moving != 0.0;
    u->flowing = now.flowing != 0.0;
    memcpy(u->p, now.p, sizeof now.p);
    memcpy(u->y, now.y, sizeof now.y);
    for (int k = 0; k < RIG_STATES; k++) u->given[k] = now.given[k] != 0.0;
    u->row_known = u->slopes_known = 0;
    return NULL;
}
