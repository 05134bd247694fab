/* variants.c - a law with a solver: how each axis is set. By its address, unless the file has rules
 * that depend on it (a level that follows another, a damping derived from a mass): then the
 * scenario is read again. Which of the two is found out by trying both. */
#include "ensemble.h"

#include "../output/number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { VALUE = 100 };

static bri_status no_memory(bri_error *err) {
    return bri_fail(err, BRI_NO_MEMORY, "%s", bri_status_text(BRI_NO_MEMORY));
}

/* ---- reading the scenario ------------------------------------------------------------------- */

/* "2e5 N/m", as it would stand in the file. */
static void value_text(const axis *a, double x, char text[VALUE]) {
    char *end = number_put(text, x);
    const char *unit = a->is_key ? a->suffix : strcmp(a->unit, "1") == 0 ? "" : a->unit;
    snprintf(end, (size_t)(text + VALUE - end), "%s%.40s", *unit ? " " : "", unit);
}

bri_status load_variant(const bri_sweep *s, const variant *v, const double *x, int only,
                        bri_scenario **scenario, bri_messages *messages) {
    const bri_sweep_def *def = &s->def;
    const design *d = &s->design;
    int count = def->n_overrides;
    size_t most = (size_t)count + (size_t)d->n_axes + 1;
    bri_override *list = calloc(most, sizeof *list);
    char(*text)[VALUE] = calloc(most, sizeof *text);
    bri_status status = BRI_NO_MEMORY;
    *scenario = NULL;
    if (list && text) {
        if (count > 0) memcpy(list, def->overrides, (size_t)count * sizeof *list);
        for (int i = 0; x && i < d->n_axes; i++) {
            if (only >= 0 ? i != only : !v->by_key[i]) continue;
            value_text(&d->axes[i], x[i], text[i]);
            list[count++] = (bri_override){d->axes[i].name, text[i]};
        }
        if (v->solver) list[count++] = (bri_override){"run.solver", bri_solver_name(v->solver)};
        const bri_scenario_options how = {list, count, v->law, s->laws ? s->laws : def->known};
        status = bri_scenario_load(def->scenario, &how, scenario, messages);
    } else if (messages) {
        *messages = (bri_messages){.count = 1};
        no_memory(&messages->message[0]);
    }
    free(list);
    free(text);
    return status;
}

/* ---- how an axis is set --------------------------------------------------------------------- */

/* Whether two simulations have the same numbers, all of them. */
static int same_numbers(const bri_sim *a, const bri_sim *b) {
    bri_ref p = {0}, q = {0};
    for (;;) {
        int more = bri_sim_ref_next(a, &p), as_many = bri_sim_ref_next(b, &q);
        if (!more || !as_many) return more == as_many;
        double x = bri_sim_get(a, p), y = bri_sim_get(b, q);
        if (memcmp(&x, &y, sizeof x) != 0 && !(x == y)) return 0;
    }
}

/* Whether a number set by its address is what the file would have made of it: both at a value. 1:
 * the same, 0: another, -1: the file does not take it; or *trouble says why that is not known. */
static int agrees(const bri_sweep *s, const variant *v, int which, bri_sim *sim, bri_ref ref,
                  double value, bri_status *trouble) {
    bri_scenario *scenario = NULL;
    bri_sim *other = NULL;
    double before = bri_sim_get(sim, ref), x[MOST_AXES];
    int same = -1;
    x[which] = value;
    bri_status status = load_variant(s, v, x, which, &scenario, NULL);
    if (status == BRI_OK) status = bri_sim_create(bri_scenario_def(scenario), &other, NULL);
    if (status == BRI_NO_MEMORY || status == BRI_BAD_FILE) *trouble = status;
    if (status == BRI_OK) {
        same = bri_sim_set(sim, ref, value, NULL) == BRI_OK && same_numbers(sim, other);
        bri_sim_set(sim, ref, before, NULL);
    }
    bri_sim_free(other);
    bri_scenario_free(scenario);
    return same;
}

/* Address or key, for one axis of one variant. */
static bri_status decide(bri_sweep *s, variant *v, int i, bri_sim *sim, bri_messages *messages) {
    const axis *a = &s->design.axes[i];
    bri_error why;
    bri_ref ref;
    bri_status found = bri_sim_find(sim, a->name, &ref, &why);
    if (found == BRI_OK && a->kind == AXIS_EACH) return BRI_OK;
    bri_status trouble = found == BRI_NO_MEMORY ? found : BRI_OK;
    int low =
        found == BRI_OK ? agrees(s, v, i, sim, ref, axis_trial(s->design.axes, i, 0), &trouble) : 0;
    int high =
        low > 0 ? agrees(s, v, i, sim, ref, axis_trial(s->design.axes, i, 1), &trouble) : low;
    if (trouble) {
        bri_error *told = &messages->message[0];
        *messages = (bri_messages){.count = 1};
        return trouble == BRI_NO_MEMORY
                   ? no_memory(told)
                   : bri_fail(told, trouble, "%.200s cannot be read again", s->def.scenario);
    }
    if (found == BRI_OK && (low < 0 || high != 0))
        return BRI_OK; /* the short name of a signal: < 0 */
    double x[MOST_AXES];
    bri_scenario *scenario = NULL;
    x[i] = axis_trial(s->design.axes, i, 0);
    bri_status status = load_variant(s, v, x, i, &scenario, messages);
    bri_scenario_free(scenario);
    if (status == BRI_NO_MEMORY) return status;
    v->by_key[i] = 1;
    if (status == BRI_OK || found == BRI_OK) return BRI_OK; /* a bad value is told by its row */
    if (strncmp(a->name, "run.", 4) != 0) {                 /* the nearest address says more */
        *messages = (bri_messages){.count = 1, .message = {why}};
        return found;
    }
    return status;
}

/* A law that a solver cannot run, or that does not fit the scenario, is told by the rows of the
 * two. 0: no memory. */
static int tell_by_rows(variant *v, const bri_messages *messages) {
    const char *text = messages->count > 0 ? messages->message[0].text : "";
    v->wrong = malloc(strlen(text) + 1);
    if (v->wrong) strcpy(v->wrong, text);
    return v->wrong != NULL;
}

static bri_status variant_create(bri_sweep *s, variant *v, bri_messages *messages) {
    const design *d = &s->design;
    bri_scenario *scenario = NULL;
    bri_sim *sim = NULL;
    v->by_key = calloc((size_t)d->n_axes + 1, 1);
    if (!v->by_key) {
        *messages = (bri_messages){.count = 1};
        return no_memory(&messages->message[0]);
    }
    bri_status status = load_variant(s, v, NULL, -1, &scenario, messages);
    if (status == BRI_OK) {
        bri_error err;
        status = bri_sim_create(bri_scenario_def(scenario), &sim, &err);
        if (status != BRI_OK) *messages = (bri_messages){.count = 1, .message = {err}};
    }
    if (status == BRI_BAD_VALUE && d->n_laws * d->n_solvers > 1) {
        bri_scenario_free(scenario);
        if (tell_by_rows(v, messages)) return BRI_OK;
        *messages = (bri_messages){.count = 1};
        return no_memory(&messages->message[0]);
    }
    for (int i = 0; i < d->n_axes && status == BRI_OK; i++) status = decide(s, v, i, sim, messages);
    bri_sim_free(sim);
    bri_scenario_free(scenario);
    return status;
}

bri_status variants_create(bri_sweep *s, bri_messages *messages) {
    const design *d = &s->design;
    int count = d->n_laws * d->n_solvers;
    bri_status status = BRI_OK;
    s->variants = calloc((size_t)count, sizeof *s->variants);
    if (!s->variants) {
        *messages = (bri_messages){.count = 1};
        return no_memory(&messages->message[0]);
    }
    int good = 0;
    for (int i = 0; i < count && status == BRI_OK; i++) {
        s->variants[i].law = s->def.n_laws > 0 ? s->def.laws[i / d->n_solvers] : NULL;
        s->variants[i].solver = s->def.n_solvers > 0 ? s->def.solvers[i % d->n_solvers] : NULL;
        status = variant_create(s, &s->variants[i], messages);
        good += !s->variants[i].wrong;
    }
    if (status == BRI_OK && good == 0) return messages->message[0].status;
    if (status == BRI_OK) *messages = (bri_messages){0};
    return status;
}

void variants_free(bri_sweep *s) {
    for (int i = 0; s->variants && i < s->design.n_laws * s->design.n_solvers; i++) {
        free(s->variants[i].by_key);
        free(s->variants[i].wrong);
    }
    free(s->variants);
}
