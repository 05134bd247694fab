/* law_unit.c - a friction law as a unit: velocity and load in, friction force out.
 *
 * The tool writes before this file:
 *   UNIT_LAW                       the law
 *   unit_start_p, unit_start_load  what a new instance has
 *   unit_names                     names of the parameters, per unit of load or in newtons
 *   unit_inputs, unit_uses         names of the inputs; nonzero: this law has it
 *   unit_slopes_known              nonzero: slopes of inputs are variables (FMI 3)
 * Numbers of variables are those of law_unit.h. */
#include "law_unit.h"
#include "unit.h"

#include <stdlib.h>

typedef struct unit_values {
    double time;
    double in[LAW_INPUTS], slope[LAW_INPUTS];
    double p[BRI_MAX_PARAMS], z[BRI_MAX_STATES];
    double fits; /* nonzero: the parameters have been checked together */
} unit_values;

struct unit {
    unit_values now;
    bri_error err;
    char words[160];
};

unit *unit_new(void) {
    unit *u = malloc(sizeof *u);
    if (u) unit_reset(u);
    return u;
}

void unit_free(unit *u) { free(u); }

void unit_reset(unit *u) {
    memset(u, 0, sizeof *u);
    for (int i = 0; i < UNIT_LAW->n_params; i++) u->now.p[i] = unit_start_p[i];
    u->now.in[LAW_INPUT_N] = unit_start_load;
    bri_model_rest(UNIT_LAW, u->now.p, u->now.z);
}

/* ---- variables ----------------------------------------------------------------------------- */

static unsigned unit_index(unsigned number) { return number % LAW_BLOCK; }

unit_kind unit_kind_of(unsigned number) {
    unsigned i = unit_index(number);
    switch (number / LAW_BLOCK) {
    case LAW_OF_TIME:
        return i == 0 ? UNIT_TIME : UNIT_NOTHING;
    case LAW_OF_INPUT:
        return i < LAW_INPUTS && unit_uses[i] ? UNIT_INPUT : UNIT_NOTHING;
    case LAW_OF_SLOPE:
        return unit_slopes_known && i < LAW_INPUTS && unit_uses[i] ? UNIT_INPUT : UNIT_NOTHING;
    case LAW_OF_OUTPUT:
        return i == 0 ? UNIT_OUTPUT : UNIT_NOTHING;
    case LAW_OF_PARAMETER:
        return i < (unsigned)UNIT_LAW->n_params ? UNIT_PARAMETER : UNIT_NOTHING;
    case LAW_OF_STATE:
        return i < (unsigned)UNIT_LAW->n_states ? UNIT_STATE : UNIT_NOTHING;
    case LAW_OF_RATE:
        return i < (unsigned)UNIT_LAW->n_states ? UNIT_RATE : UNIT_NOTHING;
    case LAW_OF_INDICATOR:
        return i < (unsigned)unit_indicators() ? UNIT_INDICATOR : UNIT_NOTHING;
    default:
        return UNIT_NOTHING;
    }
}

void unit_name(unit *u, unsigned number, char *name, size_t size) {
    (void)u;
    unsigned i = unit_index(number);
    const char *before = "", *word = "no variable", *after = "";
    switch (unit_kind_of(number)) {
    case UNIT_NOTHING:
    case UNIT_HELD:
        break;
    case UNIT_TIME:
        word = "time";
        break;
    case UNIT_INPUT:
        word = unit_inputs[i];
        if (number / LAW_BLOCK == LAW_OF_SLOPE) after = "_slope";
        break;
    case UNIT_OUTPUT:
        word = "F";
        break;
    case UNIT_PARAMETER:
        word = unit_names[i];
        break;
    case UNIT_RATE:
        before = "der(", after = ")";
        word = UNIT_LAW->states[i].name;
        break;
    case UNIT_STATE:
        word = UNIT_LAW->states[i].name;
        break;
    case UNIT_INDICATOR:
        word = "an event indicator";
        break;
    }
    text_format(name, size, "%s%s%s", before, word, after);
}

static bri_input unit_input(const unit *u, double after) {
    double in[LAW_INPUTS];
    for (int i = 0; i < LAW_INPUTS; i++) in[i] = u->now.in[i] + after * u->now.slope[i];
    bri_input input = {in[LAW_INPUT_X], in[LAW_INPUT_V], in[LAW_INPUT_N], in[LAW_INPUT_FA],
                       BRI_AUTO};
    return input;
}

const char *unit_check(unit *u) {
    if (u->now.fits == 0.0 && bri_model_check(UNIT_LAW, u->now.p, &u->err)) return u->err.text;
    u->now.fits = 1.0;
    return NULL;
}

static const char *unit_force(unit *u, double *F, double *dz) {
    bri_input in = unit_input(u, 0.0);
    const char *wrong = unit_check(u);
    if (!wrong) *F = bri_model_eval(UNIT_LAW, u->now.p, &in, u->now.z, dz);
    return wrong;
}

const char *unit_rates(unit *u, double *dz) {
    double F;
    return unit_force(u, &F, dz);
}

/* Nothing of a law happens at these but a change of slope, a jump, or a state at its limit: the
 * reversal of motion; then break-away of a set-valued law, or what the law itself looks out for. */
int unit_indicators(void) { return 1 + UNIT_LAW->n_roots; }

const char *unit_indicate(unit *u, double *g) {
    bri_input in = unit_input(u, 0.0);
    const char *wrong = unit_check(u);
    g[0] = in.v;
    if (UNIT_LAW->set_valued) in.mode = BRI_STUCK;
    if (!wrong && UNIT_LAW->n_roots > 0) UNIT_LAW->roots(UNIT_LAW, u->now.p, &in, u->now.z, g + 1);
    return wrong;
}

const char *unit_get(unit *u, unsigned number, double *value) {
    double dz[BRI_MAX_STATES], g[1 + BRI_MAX_STATES], F;
    unsigned i = unit_index(number);
    const char *wrong = NULL;
    switch (number / LAW_BLOCK) {
    case LAW_OF_TIME:
        *value = u->now.time;
        break;
    case LAW_OF_INPUT:
        *value = u->now.in[i];
        break;
    case LAW_OF_SLOPE:
        *value = u->now.slope[i];
        break;
    case LAW_OF_OUTPUT:
        wrong = unit_force(u, value, dz);
        break;
    case LAW_OF_PARAMETER:
        *value = u->now.p[i];
        break;
    case LAW_OF_STATE:
        *value = u->now.z[i];
        break;
    case LAW_OF_RATE:
        wrong = unit_force(u, &F, dz);
        if (!wrong) *value = dz[i];
        break;
    default:
        wrong = unit_indicate(u, g);
        if (!wrong) *value = g[i];
    }
    return wrong;
}

static const char *unit_range(unit *u, unsigned i, double value) {
    const bri_param *row = &UNIT_LAW->params[i];
    if (!(value >= row->min && value <= row->max))
        text_format(u->words, sizeof u->words, "%s = %g is outside %g ... %g", unit_names[i], value,
                    row->min, row->max);
    else if (row->whole && value != floor(value))
        text_format(u->words, sizeof u->words, "%s = %g must be a whole number", unit_names[i],
                    value);
    else
        return NULL;
    return u->words;
}

const char *unit_set(unit *u, unsigned number, double value, int flows) {
    (void)flows;
    unsigned i = unit_index(number);
    const char *wrong = NULL;
    switch (number / LAW_BLOCK) {
    case LAW_OF_INPUT:
        u->now.in[i] = value;
        break;
    case LAW_OF_SLOPE:
        u->now.slope[i] = value;
        break;
    case LAW_OF_PARAMETER:
        wrong = unit_range(u, i, value);
        if (wrong) return wrong;
        u->now.p[i] = value;
        u->now.fits = 0.0;
        break;
    case LAW_OF_STATE:
        u->now.z[i] = value;
        break;
    default:
        return "it cannot be set";
    }
    return NULL;
}

const char *unit_slope(unit *u, unsigned number, double slope) {
    if (number / LAW_BLOCK != LAW_OF_INPUT) return "it is no input that has a slope";
    u->now.slope[unit_index(number)] = slope;
    return NULL;
}

/* ---- states and time ----------------------------------------------------------------------- */

int unit_states(void) { return UNIT_LAW->n_states; }

void unit_state_get(unit *u, double *z) {
    for (int i = 0; i < UNIT_LAW->n_states; i++) z[i] = u->now.z[i];
}

const char *unit_state_set(unit *u, const double *z) {
    for (int i = 0; i < UNIT_LAW->n_states; i++)
        if (!isfinite(z[i])) return "a state is not a number";
    for (int i = 0; i < UNIT_LAW->n_states; i++) u->now.z[i] = z[i];
    return NULL;
}

void unit_nominals(double *size) {
    for (int i = 0; i < UNIT_LAW->n_states; i++) size[i] = UNIT_LAW->states[i].nominal;
}

void unit_time(unit *u, double time) { u->now.time = time; }

const char *unit_begin(unit *u, double start, double stop, double tolerance) {
    (void)stop, (void)tolerance;
    u->now.time = start;
    return NULL;
}

const char *unit_event(unit *u, int *changed, double *next) {
    double g[1 + BRI_MAX_STATES], before[BRI_MAX_STATES];
    const char *wrong = unit_indicate(u, g);
    *changed = 0;
    *next = INFINITY;
    if (wrong || UNIT_LAW->set_valued) return wrong;
    int due = 0;
    for (int i = 0; i < UNIT_LAW->n_roots; i++) due |= g[1 + i] <= 0.0;
    if (!due) return NULL;
    bri_input in = unit_input(u, 0.0);
    memcpy(before, u->now.z, sizeof before);
    UNIT_LAW->jump(UNIT_LAW, u->now.p, &in, u->now.z);
    *changed = memcmp(before, u->now.z, sizeof before) != 0;
    return NULL;
}

/* One step of the law from the time `from` within the step, inputs as in its middle. */
static void unit_small_step(const unit *u, double from, double h, double *z) {
    bri_input in = unit_input(u, from + 0.5 * h);
    bri_model_step(UNIT_LAW, u->now.p, &in, h, z);
}

/* One step against two of half its length: their difference tells the error, which is then taken
 * away. Returns the error over what is allowed. */
static double unit_try_step(const unit *u, double from, double h, double tolerance, double *z) {
    double once[BRI_MAX_STATES], worst = 0.0, part = UNIT_LAW->step_order >= 2 ? 1.0 / 3.0 : 1.0;
    int k = UNIT_LAW->n_states;
    memcpy(once, u->now.z, sizeof once);
    memcpy(z, u->now.z, sizeof once);
    unit_small_step(u, from, h, once);
    unit_small_step(u, from, 0.5 * h, z);
    unit_small_step(u, from + 0.5 * h, 0.5 * h, z);
    for (int i = 0; i < k; i++) {
        double off = z[i] - once[i], size = fabs(z[i]) + UNIT_LAW->states[i].nominal;
        worst = fmax(worst, fabs(off) * part / (tolerance * size));
        z[i] += part * off;
    }
    return worst;
}

const char *unit_advance(unit *u, double to, double tolerance) {
    double z[BRI_MAX_STATES], h = to - u->now.time, done = 0.0, part = h;
    int order = UNIT_LAW->step_order >= 2 ? 2 : 1;
    const char *wrong = unit_check(u);
    if (wrong) return wrong;
    while (UNIT_LAW->n_states > 0 && done < h) {
        int last = done + part >= h;
        if (last) part = h - done;
        double off = unit_try_step(u, done, part, tolerance, z);
        if (off <= 1.0 || part < 1e-9 * h) {
            memcpy(u->now.z, z, sizeof z);
            done = last ? h : done + part;
        }
        part *= fmax(0.2, fmin(5.0, 0.9 * pow(fmax(off, 1e-10), -1.0 / (1 + order))));
    }
    for (int i = 0; i < LAW_INPUTS; i++) {
        u->now.in[i] += h * u->now.slope[i];
        if (!unit_slopes_known) u->now.slope[i] = 0.0;
    }
    u->now.time = to;
    int changed;
    double next;
    return unit_event(u, &changed, &next);
}

/* What happens to a law is over when its step is. */
const char *unit_advance_to_event(unit *u, double to, double tolerance, int *event,
                                  double *reached) {
    *event = 0;
    *reached = to;
    return unit_advance(u, to, tolerance);
}

/* ---- derivatives --------------------------------------------------------------------------- */

/* In the air dz/dt = -z/lift: the parameters are in `lift` only. */
static double unit_slope_in_air(const unit *u, int row, unsigned i) {
    double p[BRI_MAX_PARAMS], h = 1e-6 * fmax(fabs(u->now.p[i]), 1e-6), ends[2];
    if (row == 0 || !UNIT_LAW->lift) return 0.0;
    memcpy(p, u->now.p, sizeof p);
    for (int k = 0; k < 2; k++) {
        p[i] = u->now.p[i] + (k ? -h : h);
        ends[k] = -u->now.z[row - 1] / UNIT_LAW->lift(UNIT_LAW, p);
    }
    return (ends[0] - ends[1]) / (2.0 * h);
}

const char *unit_partial(unit *u, unsigned unknown, unsigned known, double *slope) {
    double J[(1 + BRI_MAX_STATES) * (3 + BRI_MAX_STATES)];
    double D[(1 + BRI_MAX_STATES) * BRI_MAX_PARAMS];
    int k = UNIT_LAW->n_states, column = -1;
    unit_kind of = unit_kind_of(unknown);
    unsigned i = unit_index(known);
    bri_input in = unit_input(u, 0.0);
    const char *wrong = unit_check(u);
    if (wrong) return wrong;
    if (of != UNIT_OUTPUT && of != UNIT_RATE) return "it is neither an output nor a rate";
    int row = of == UNIT_OUTPUT ? 0 : 1 + (int)unit_index(unknown);
    int air = lifted_off(&in) && (k == 0 || UNIT_LAW->lift);
    *slope = 0.0;
    switch (known / LAW_BLOCK) {
    case LAW_OF_INPUT: /* x, v, N are the first columns; the force that holds is given back */
        if (i != LAW_INPUT_FA)
            column = (int)i;
        else if (!air && row == 0 && in.v == 0.0) {
            double level[1];
            in.mode = BRI_STUCK;
            UNIT_LAW->roots(UNIT_LAW, u->now.p, &in, u->now.z, level);
            *slope = level[0] > 0.0;
        }
        break;
    case LAW_OF_STATE:
        column = 3 + (int)i;
        break;
    case LAW_OF_PARAMETER:
        if (air) {
            *slope = unit_slope_in_air(u, row, i);
        } else {
            bri_model_params_jac(UNIT_LAW, u->now.p, &in, u->now.z, D);
            *slope = D[row * UNIT_LAW->n_params + (int)i];
        }
        break;
    case LAW_OF_SLOPE: /* it acts on what is to come */
        break;
    default:
        return "nothing can be derived in it";
    }
    if (column >= 0) {
        bri_model_jac(UNIT_LAW, u->now.p, &in, u->now.z, J);
        *slope = J[row * (3 + k) + column];
    }
    return NULL;
}

int unit_depends(unsigned unknown, unsigned *on) {
    unit_kind of = unit_kind_of(unknown);
    int count = 0;
    if (of != UNIT_OUTPUT && of != UNIT_RATE && of != UNIT_INDICATOR) return 0;
    for (unsigned i = 0; i < LAW_INPUTS; i++)
        if (unit_uses[i]) on[count++] = LAW_NUMBER(LAW_OF_INPUT, i);
    for (int i = 0; i < UNIT_LAW->n_states; i++)
        on[count++] = LAW_NUMBER(LAW_OF_STATE, (unsigned)i);
    return count;
}

/* ---- all of it ----------------------------------------------------------------------------- */

size_t unit_size(unit *u) { return sizeof u->now; }
void unit_save(unit *u, void *to) { memcpy(to, &u->now, sizeof u->now); }
const char *unit_restore(unit *u, const void *from, size_t size) {
    if (size != sizeof u->now) return "no state of this unit";
    memcpy(&u->now, from, sizeof u->now);
    return NULL;
}
