/* identify.c - from recordings to laws with parameters: reads, judges the data, fits every law, and
 * ranks them. */
#define _POSIX_C_SOURCE 200809L
#include "identify.h"

#include "fail.h"

#include <math.h>
#include <string.h>

_Thread_local int id_starved;

const char *bri_way_name(bri_way way) {
    static const char *const names[] = {"auto", "curve", "force", "motion"};
    return way >= 0 && way < BRI_WAY_COUNT ? names[way] : NULL;
}

/* One law on the rig. */
typedef struct candidate {
    id_rig rig;
    id_force force, coarse;
    id_unknowns unknowns;
    id_extras *extras;
    double *held_out;
} candidate;

typedef struct study {
    const bri_identify_def *def;
    const bri_watch *watch;
    id_data data, thin, check; /* to fit, for a first look, to validate */
    candidate *laws;
    int n_laws;
    bri_identified *out;
    bri_override *overrides;
    int n_overrides;
    char backward[80];
    double filter;
    id_controller *loop; /* or NULL */
} study;

static bri_status fail_with(bri_messages *m, const bri_error *err) {
    if (m && m->count < BRI_MAX_MESSAGES) m->message[m->count++] = *err;
    return err->status;
}

/* ---- the rig -------------------------------------------------------------------------------- */

/* Nonzero: the rig gives the contact, name[0] .. name[n - 1], a `backward` of its own. */
static int has_direction(const bri_identify_def *def, const char *name, size_t n) {
    bri_scenario_options options = {
        .overrides = def->overrides, .n_overrides = def->n_overrides, .laws = def->known};
    bri_scenario *rig = NULL;
    bri_messages ignored = {0};
    int has = 0;
    if (bri_scenario_load(def->scenario, &options, &rig, &ignored) != BRI_OK) return 0;
    const bri_system *s = &bri_scenario_def(rig)->system;
    for (int i = 0; i < s->n_contacts; i++)
        if (strncmp(s->contacts[i].name, name, n) == 0 && s->contacts[i].name[n] == '\0')
            has = bri_model_param(s->contacts[i].model, "backward") >= 0;
    bri_scenario_free(rig);
    return has;
}

/* The changes of the user, and `backward` of a contact where that is unknown: the rig need not
 * have it. */
static bri_status list_overrides(study *s, bri_error *err) {
    const bri_identify_def *def = s->def;
    s->overrides = calloc((size_t)def->n_overrides + 1, sizeof *s->overrides);
    if (!s->overrides) return bri_fail(err, BRI_NO_MEMORY, "%s", bri_status_text(BRI_NO_MEMORY));
    const char *list = def->unknown ? def->unknown : "", *found = strstr(list, ".backward");
    if (found) {
        const char *from = found;
        while (from > list && from[-1] != ',' && from[-1] != ' ') from--;
        size_t n = (size_t)(found - from) + 9;
        if (n < sizeof s->backward && !has_direction(def, from, n - 9)) {
            memcpy(s->backward, from, n);
            s->overrides[s->n_overrides++] = (bri_override){s->backward, "1"};
        }
    }
    for (int i = 0; i < def->n_overrides; i++) s->overrides[s->n_overrides++] = def->overrides[i];
    return BRI_OK;
}

static bri_status load_rig(study *s, candidate *c, const bri_model *law, bri_messages *messages) {
    bri_scenario_options options = {.overrides = s->overrides,
                                    .n_overrides = s->n_overrides,
                                    .model = law,
                                    .laws = s->def->known};
    bri_scenario *scenario = NULL;
    bri_error err;
    bri_status status = bri_scenario_load(s->def->scenario, &options, &scenario, messages);
    if (status != BRI_OK) return status;
    status = id_rig_copy(&c->rig, scenario, &err);
    return status == BRI_OK ? status : fail_with(messages, &err);
}

/* ---- preparing ------------------------------------------------------------------------------ */

static bri_way way_of(const study *s) {
    if (s->def->way != BRI_WAY_AUTO) return s->def->way;
    if (s->loop) return BRI_WAY_MOTION;
    if (s->data.map.target[0].what != ID_TIME) return BRI_WAY_CURVE;
    return id_motion_possible(&s->data, &s->laws[0].rig) ? BRI_WAY_MOTION : BRI_WAY_FORCE;
}

static bri_status prepare(study *s, const id_data *d, id_force *f, id_rig *rig, bri_error *err) {
    if (s->out->way == BRI_WAY_CURVE) return id_steady_prepare(f, d, rig, err);
    if (s->out->way == BRI_WAY_MOTION) return id_motion_prepare(f, d, rig, s->loop, s->filter, err);
    return id_force_prepare(f, d, rig, s->filter, &s->filter, err);
}

/* For the search four samples per period of the filter do. */
static bri_status thin_data(study *s, bri_error *err) {
    long by = 1, most = 0;
    double rate = INFINITY;
    for (int i = 0; i < s->data.count; i++) {
        rate = fmin(rate, 1.0 / s->data.stretch[i].h);
        if (s->data.stretch[i].count > most) most = s->data.stretch[i].count;
    }
    s->filter = s->def->filter;
    if (s->filter >= 0.4 * rate)
        return bri_fail(err, BRI_BAD_VALUE,
                        "a filter at %g Hz does nothing to %g samples per second: it has to be "
                        "below %g Hz, or 0: none",
                        s->filter, rate, 0.4 * rate);
    if (s->out->way == BRI_WAY_FORCE && s->filter == 0.0)
        s->filter = id_filter_for(&s->data, &s->laws[0].rig);
    if (s->out->way == BRI_WAY_FORCE && s->filter > 0.0) by = (long)(rate / (4.0 * s->filter));
    while (by > 1 && most / by < 2000) by--; /* short recordings are cheap as they are */
    if (id_data_thin(&s->data, by > 1 ? by : 1, &s->thin)) return BRI_OK;
    return bri_fail(err, BRI_NO_MEMORY, "%s", bri_status_text(BRI_NO_MEMORY));
}

/* The files by the map, which the first rig explains. */
static bri_status read_data(study *s, bri_error *err) {
    const bri_identify_def *def = s->def;
    const bri_system *system = &s->laws[0].rig.def.system;
    double span[2] = {def->from, def->until};
    int spans = def->from != 0.0 || def->until != 0.0;
    bri_status status = id_map_read(&s->data.map, def->map ? def->map : "", system, err);
    if (status != BRI_OK) return status;
    s->check.map = s->data.map;
    if (def->controller) status = id_controller_read(&s->loop, def->controller, system, err);
    if (status != BRI_OK) return status;
    s->out->way = way_of(s);
    int timed = s->data.map.target[0].what == ID_TIME;
    int points = id_map_find(&s->data.map, ID_CONTACT_F, -1) >= 0 &&
                 id_map_find(&s->data.map, ID_CONTACT_V, -1) >= 0;
    if (!timed && (s->out->way != BRI_WAY_CURVE || !points))
        return bri_fail(err, BRI_MISSING,
                        "a motion has a time: map t to a column, t=time[s]; without one there are "
                        "points of steady sliding, CONTACT.v and CONTACT.F");
    status = id_data_read(&s->data, def->files, def->n_files, spans ? span : NULL, err);
    if (status == BRI_OK && def->n_validate > 0)
        status = id_data_read(&s->check, def->validate, def->n_validate, NULL, err);
    return status;
}

static int most_files(const bri_identify_def *def) {
    return def->n_files > def->n_validate ? def->n_files : def->n_validate;
}

/* Not every unknown has a meaning in every way. */
static bri_status allowed(bri_way way, const id_unknown *u, bri_error *err) {
    if (way == BRI_WAY_CURVE && u->kind >= ID_GAIN)
        return bri_fail(err, BRI_MISSING, "points of steady sliding know nothing of %s", u->name);
    if (way == BRI_WAY_FORCE && u->kind >= ID_START_X)
        return bri_fail(err, BRI_MISSING,
                        "%s can be unknown where the motion is simulated only: --way motion",
                        u->name);
    return BRI_OK;
}

/* A band of speeds that counts as stick is a means, not a property: where nobody gave one, it is a
 * thousandth of the largest speed, since the default of the law belongs to another rig. */
static void narrow_band(candidate *c, bri_fit *fit) {
    const bri_contact *k = &c->rig.contacts[0];
    int at = bri_model_role(k->model, BRI_ROLE_STICK_BAND);
    const bri_setup *setup = bri_scenario_setup(c->rig.scenario, 0);
    double most = 0.0;
    if (at < 0 || (setup && setup->origin[at] == BRI_GIVEN)) return;
    for (int i = 0; i < c->force.n_runs; i++) {
        const id_run *r = &c->force.run[i];
        const double *v = r->slide ? r->slide : r->v;
        for (long n = 0; v && n < r->count; n++) most = fmax(most, fabs(v[n]));
    }
    if (!(k->p[at] > 1e-3 * most) || !(most > 0.0)) return;
    for (int i = 0; i < c->rig.def.system.n_contacts; i++)
        if (c->rig.contacts[i].model == k->model) c->rig.contacts[i].p[at] = 1e-3 * most;
    snprintf(fit->band, sizeof fit->band, "%.40s.%.20s", k->name, k->model->params[at].name);
    fit->band_width = k->p[at];
}

static bri_status prepare_law(study *s, int i, bri_error *err) {
    candidate *c = &s->laws[i];
    int files = most_files(s->def);
    const char *list = s->def->unknown && *s->def->unknown ? s->def->unknown : NULL;
    c->extras = calloc((size_t)files, sizeof *c->extras);
    if (!c->extras) return bri_fail(err, BRI_NO_MEMORY, "%s", bri_status_text(BRI_NO_MEMORY));
    for (int f = 0; f < files; f++) c->extras[f].gain = 1.0;
    bri_status status = prepare(s, &s->data, &c->force, &c->rig, err);
    if (status == BRI_OK) narrow_band(c, &s->out->fits[i]);
    if (status == BRI_OK)
        status = id_unknowns_read(&c->unknowns, list ? list : "all", s->def->each,
                                  bri_scenario_replaced(c->rig.scenario, 0) != NULL, &c->rig,
                                  s->def->n_files, c->extras, err);
    for (int k = 0; status == BRI_OK && k < c->unknowns.count; k++)
        status = allowed(s->out->way, &c->unknowns.one[k], err);
    for (int k = 0; s->loop && k < c->unknowns.count; k++)
        if (c->unknowns.one[k].kind == ID_DELAY)
            c->unknowns.one[k].low = 0.0; /* commands act late */
    if (status == BRI_OK) status = prepare(s, &s->thin, &c->coarse, &c->rig, err);
    c->force.unknowns = c->coarse.unknowns = &c->unknowns;
    if (status == BRI_OK) c->held_out = malloc((size_t)c->force.rows * sizeof *c->held_out);
    if (status == BRI_OK && !c->held_out)
        status = bri_fail(err, BRI_NO_MEMORY, "%s", bri_status_text(BRI_NO_MEMORY));
    return status;
}

/* ---- fitting -------------------------------------------------------------------------------- */

/* The relative error on the files that were kept for that, with the values found. */
static double validate(study *s, candidate *c, const bri_fit *fit, id_residuals residuals) {
    id_force f;
    bri_error err;
    double sum = 0.0, result = NAN, u[ID_UNKNOWNS], value[ID_UNKNOWNS];
    if (prepare(s, &s->check, &f, &c->rig, &err) == BRI_OK) {
        f.unknowns = &c->unknowns;
        f.steps = c->force.steps;
        double *r = malloc((size_t)f.rows * sizeof *r);
        for (int k = 0; k < fit->n_estimates; k++) value[k] = fit->estimate[k].value;
        id_encode(&c->unknowns, value, u);
        if (r && residuals(&f, u, r, NULL) == 0) {
            for (long i = 0; i < f.rows; i++) sum += r[i] * r[i];
            result = sqrt(sum / (double)f.rows) / f.size;
        }
        free(r);
    }
    id_force_free(&f);
    return result;
}

static id_residuals residuals_of(const study *s) {
    return s->out->way == BRI_WAY_CURVE    ? id_steady_residuals
           : s->out->way == BRI_WAY_MOTION ? id_motion_residuals
                                           : id_force_residuals;
}

static void fit_one(void *context, int i) {
    study *s = context;
    candidate *c = &s->laws[i];
    bri_fit *fit = &s->out->fits[i];
    id_residuals residuals = residuals_of(s);
    int before = id_starved;
    if (fit->err.status != BRI_OK) return;
    id_starved = 0;
    id_fit(s->def, &c->force, &c->coarse, residuals, s->watch, fit, c->held_out);
    if (fit->err.status == BRI_OK && s->check.count > 0)
        fit->validated = validate(s, c, fit, residuals);
    if (id_starved) bri_fail(&fit->err, BRI_NO_MEMORY, "%s", bri_status_text(BRI_NO_MEMORY));
    id_starved = before;
}

/* Profiles of the law that is advised. */
static void profile_advised(study *s) {
    bri_fit *fit = s->out->advised >= 0 ? &s->out->fits[s->out->advised] : NULL;
    for (int i = 0; fit && i < s->n_laws; i++) {
        candidate *c = &s->laws[i];
        if (c->force.rows > 0 && strcmp(c->rig.contacts[0].model->name, fit->law) == 0)
            id_profiles(s->def, &c->force, &c->coarse, residuals_of(s), fit);
    }
}

static bri_status fit_all(study *s, bri_error *err) {
    bri_identified *out = s->out;
    double **held = calloc((size_t)s->n_laws, sizeof *held);
    if (!held) return bri_fail(err, BRI_NO_MEMORY, "%s", bri_status_text(BRI_NO_MEMORY));
    for (int i = 0; i < s->n_laws; i++) {
        bri_fit *fit = &out->fits[i];
        snprintf(fit->law, sizeof fit->law, "%.60s", s->laws[i].rig.contacts[0].model->name);
        if (fit->err.status == BRI_OK) prepare_law(s, i, &fit->err);
        held[i] = s->laws[i].held_out;
    }
    bri_parallel(s->n_laws, s->def->threads, fit_one, s, s->watch);
    for (int i = 0; i < s->n_laws; i++) {
        bri_fit *fit = &out->fits[i];
        if (fit->err.status == BRI_OK && !fit->y)
            bri_fail(&fit->err, BRI_NO_PROGRESS, "interrupted");
    }
    id_rank(out, held);
    if (s->def->profiles > 1 && out->way != BRI_WAY_MOTION) profile_advised(s);
    free(held);
    for (int i = 0; i < s->n_laws; i++)
        if (out->fits[i].err.status == BRI_NO_MEMORY) id_starved = 1;
    if (!id_starved) return BRI_OK;
    return bri_fail(err, BRI_NO_MEMORY, "%s", bri_status_text(BRI_NO_MEMORY));
}

/* ---- all ------------------------------------------------------------------------------------ */

static bri_status check_def(const bri_identify_def *def, bri_error *err) {
    if (!def->scenario) return bri_fail(err, BRI_BAD_VALUE, "name a rig: a scenario file");
    if (def->n_files < 1) return bri_fail(err, BRI_BAD_VALUE, "name measured data: CSV files");
    if (def->starts < 0 || def->starts > BRI_STARTS)
        return bri_fail(err, BRI_BAD_VALUE, "starts = %d must be from 1 to %d", def->starts,
                        (int)BRI_STARTS);
    if (def->folds < 0 || def->folds > 100)
        return bri_fail(err, BRI_BAD_VALUE, "folds = %d must be from 1 to 100", def->folds);
    if ((def->from != 0.0 || def->until != 0.0) && !(def->from < def->until))
        return bri_fail(err, BRI_BAD_VALUE, "from = %g s must be before until = %g s", def->from,
                        def->until);
    if (!(def->huber >= 0.0) || isnan(def->filter))
        return bri_fail(err, BRI_BAD_VALUE,
                        "a robust loss begins at a positive number of deviations");
    return BRI_OK;
}

static bri_status run(study *s, bri_messages *messages) {
    const bri_identify_def *def = s->def;
    bri_error err = {0};
    bri_status status = check_def(def, &err);
    if (status == BRI_OK) status = list_overrides(s, &err);
    if (status != BRI_OK) return fail_with(messages, &err);
    s->n_laws = def->n_laws > 0 ? def->n_laws : 1;
    s->laws = calloc((size_t)s->n_laws, sizeof *s->laws);
    s->out->fits = calloc((size_t)s->n_laws, sizeof *s->out->fits);
    if (!s->laws || !s->out->fits) {
        bri_fail(&err, BRI_NO_MEMORY, "%s", bri_status_text(BRI_NO_MEMORY));
        return fail_with(messages, &err);
    }
    for (int i = 0; i < s->n_laws; i++) {
        bri_messages own = {0};
        status =
            load_rig(s, &s->laws[i], def->n_laws > 0 ? def->laws[i] : NULL, i ? &own : messages);
        if (status != BRI_OK && i == 0) return status;
        if (status != BRI_OK) s->out->fits[i].err = own.message[0];
    }
    if (s->laws[0].rig.def.system.n_contacts < 1) {
        bri_fail(&err, BRI_BAD_VALUE, "%.200s: the rig has no contact", def->scenario);
        return fail_with(messages, &err);
    }
    status = read_data(s, &err);
    if (status == BRI_OK) status = thin_data(s, &err);
    if (status == BRI_OK) status = prepare_law(s, 0, &err);
    if (status == BRI_OK)
        status = id_verdict(def, &s->data, &s->laws[0].force, s->filter, &s->out->data, &err);
    if (status != BRI_OK) return fail_with(messages, &err);
    return BRI_OK;
}

static void name_units(study *s) {
    const id_rig *r = &s->laws[0].rig;
    const bri_contact *c = &r->contacts[0];
    int turns = c->a >= 0 && r->bodies[c->a].kind == BRI_ROTOR;
    snprintf(s->out->unit, sizeof s->out->unit, turns ? "N m" : "N");
    snprintf(s->out->x_unit, sizeof s->out->x_unit, turns ? "rad" : "m");
    const id_run *first = s->laws[0].force.run;
    int moves = s->out->way == BRI_WAY_MOTION && !first->command;
    snprintf(s->out->y_unit, sizeof s->out->y_unit, "%.8s%s", moves ? s->out->x_unit : s->out->unit,
             moves && first->speed ? "/s" : "");
}

static void free_law(candidate *c) {
    id_force_free(&c->force);
    id_force_free(&c->coarse);
    id_rig_free(&c->rig);
    free(c->extras);
    free(c->held_out);
}

bri_status bri_identify_run(const bri_identify_def *def, const bri_watch *watch,
                            bri_identified **out, bri_messages *messages) {
    study s = {.def = def, .watch = watch};
    bri_error err = {0};
    id_starved = 0;
    *out = NULL;
    s.out = calloc(1, sizeof *s.out);
    if (s.out) s.out->advised = -1;
    if (!s.out) {
        bri_fail(&err, BRI_NO_MEMORY, "%s", bri_status_text(BRI_NO_MEMORY));
        return fail_with(messages, &err);
    }
    bri_status status = run(&s, messages);
    if (status == BRI_OK) {
        snprintf(s.out->scenario, sizeof s.out->scenario, "%.190s", def->scenario);
        name_units(&s);
        free(s.laws[0].extras), free(s.laws[0].held_out); /* prepared for the verdict */
        id_force_free(&s.laws[0].force);
        id_force_free(&s.laws[0].coarse);
        s.laws[0].extras = NULL, s.laws[0].held_out = NULL;
        if (!s.out->data.refused || def->force) {
            s.out->n_fits = s.n_laws;
            status = fit_all(&s, &err);
            if (status != BRI_OK) fail_with(messages, &err);
        }
    }
    for (int i = 0; s.laws && i < s.n_laws; i++) free_law(&s.laws[i]);
    free(s.laws);
    free(s.overrides);
    id_data_free(&s.data);
    id_data_free(&s.thin);
    id_data_free(&s.check);
    id_controller_free(s.loop);
    if (status == BRI_OK) {
        *out = s.out;
        if (!s.out->advice) s.out->advice = calloc(1, 1);
    } else {
        bri_identified_free(s.out);
    }
    return status;
}

void bri_identified_free(bri_identified *r) {
    if (!r) return;
    for (int i = 0; r->fits && i < r->n_fits; i++) {
        bri_fit *f = &r->fits[i];
        free(f->t), free(f->y), free(f->r), free(f->v), free(f->x), free(f->file), free(f->sense);
        free(f->profile);
    }
    free(r->fits);
    free(r->data.text);
    free(r->advice);
    free(r);
}
