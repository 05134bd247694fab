/* sweep.c - a sweep from its definition: axes, points, measures, the sheet of results, settings. */
#include "builder.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const samplings[BRI_SAMPLING_COUNT] = {
    [BRI_SAMPLE_RANDOM] = "random",
    [BRI_SAMPLE_HALTON] = "halton",
    [BRI_SAMPLE_SOBOL] = "sobol",
    [BRI_SAMPLE_MORRIS] = "morris",
};

const char *bri_sampling_name(bri_sampling s) {
    return (unsigned)s < BRI_SAMPLING_COUNT ? samplings[s] : "";
}

static bri_status no_memory(bri_error *err) {
    return bri_fail(err, BRI_NO_MEMORY, "%s", bri_status_text(BRI_NO_MEMORY));
}

/* ---- the definition ------------------------------------------------------------------------- */

/* A copy that lives as long as the sweep; NULL: no memory, or there was none to copy. */
static char *own(bri_sweep *s, const char *text) {
    char *copy = text ? malloc(strlen(text) + 1) : NULL;
    if (!copy) return NULL;
    if (s->n_own == s->own_room) {
        int room = 2 * s->own_room + 16;
        char **more = realloc(s->own, (size_t)room * sizeof *more);
        if (!more) {
            free(copy);
            return NULL;
        }
        s->own = more;
        s->own_room = room;
    }
    return s->own[s->n_own++] = strcpy(copy, text);
}

static int copy_definition(bri_sweep *s, const bri_sweep_def *def) {
    bri_override *list = calloc((size_t)def->n_overrides + 1, sizeof *list);
    s->def = *def;
    s->def.overrides = list;
    if (!list) return 0;
    s->def.scenario = own(s, def->scenario);
    s->def.keep = own(s, def->keep);
    int good = (!def->scenario || s->def.scenario) && (!def->keep || s->def.keep);
    for (int i = 0; i < def->n_overrides && good; i++) {
        list[i] = (bri_override){own(s, def->overrides[i].key), own(s, def->overrides[i].value)};
        good = list[i].key && list[i].value;
    }
    s->part = def->parts > 1 ? def->part : 1;
    s->parts = def->parts > 1 ? def->parts : 1;
    return good;
}

static bri_status tell(builder *b, const bri_error *err) {
    *b->messages = (bri_messages){.count = 1, .message = {*err}};
    return err->status;
}

/* ---- the sheet ------------------------------------------------------------------------------ */

static int set_words(sheet_column *c, const char *const *words, int count) {
    c->words = calloc((size_t)count + 1, sizeof *c->words);
    for (int i = 0; c->words && i < count; i++) {
        c->words[i] = malloc(strlen(words[i]) + 1);
        if (!c->words[i]) return 0;
        strcpy(c->words[c->n_words++], words[i]);
    }
    return c->words != NULL;
}

/* The column of the laws or of the solvers. */
static int add_choice(sheet *s, int column, const char *name, const bri_sweep_def *def, int count) {
    const char **words = calloc((size_t)count, sizeof *words);
    for (int i = 0; words && i < count; i++)
        words[i] =
            strcmp(name, "model") == 0 ? def->laws[i]->name : bri_solver_name(def->solvers[i]);
    int good =
        words && sheet_name(s, column, name, "1") && set_words(&s->columns[column], words, count);
    s->columns[column].kind = BRI_SWEEP_CHOICE;
    free(words);
    return good;
}

/* Columns that every table has are no names for others. */
static bri_status check_names(const sheet *s, bri_error *err) {
    static const char *const fixed[] = {"point", "status", "reason"};
    for (int i = 0; i < s->n_columns; i++) {
        for (size_t k = 0; k < sizeof fixed / sizeof *fixed; k++)
            if (strcmp(s->columns[i].name, fixed[k]) == 0)
                return bri_fail(err, BRI_BAD_VALUE,
                                "a column '%s' is there already: name the measure otherwise",
                                fixed[k]);
        for (int k = 0; k < i; k++)
            if (strcmp(s->columns[i].name, s->columns[k].name) == 0)
                return bri_fail(err, BRI_BAD_VALUE,
                                "two columns are called '%.100s'; NAME=... names a measure",
                                s->columns[i].name);
    }
    return BRI_OK;
}

static bri_status make_sheet(builder *b, bri_error *err) {
    bri_sweep *s = b->s;
    const design *d = &s->design;
    int measures = s->meter ? meter_count(s->meter) : b->def->n_measures;
    int columns = measures + (d->n_laws > 1) + (d->n_solvers > 1), at = 0;
    for (int i = 0; i < d->n_axes; i++) columns += axis_shown(&d->axes[i]);
    int good = sheet_create(&s->sheet, columns, d->points);
    if (!good)
        return bri_fail(err, BRI_NO_MEMORY, "no memory for %ld points of %d columns", d->points,
                        columns);
    for (int i = 0; i < d->n_axes && good; i++) {
        const axis *a = &d->axes[i];
        if (!axis_shown(a)) continue;
        good = sheet_name(&s->sheet, at, a->name, a->is_key && a->suffix[0] ? a->suffix : a->unit);
        s->sheet.columns[at].random = a->kind == AXIS_RANDOM;
        s->sheet.columns[at++].logarithmic = a->logarithmic;
    }
    if (good && d->n_laws > 1) good = add_choice(&s->sheet, at++, "model", b->def, d->n_laws);
    if (good && d->n_solvers > 1)
        good = add_choice(&s->sheet, at++, "solver", b->def, d->n_solvers);
    for (int i = 0; i < measures && good; i++, at++) {
        good = sheet_name(&s->sheet, at, s->meter ? meter_name(s->meter, i) : b->def->measures[i],
                          s->meter ? meter_unit(s->meter, i) : "1");
        s->sheet.columns[at].kind = BRI_SWEEP_MEASURE;
        s->sheet.columns[at].instant = s->meter ? meter_instant(s->meter, i) : NAN;
        if (good && s->meter && meter_words(s->meter, i))
            good = set_words(&s->sheet.columns[at], meter_words(s->meter, i), 3);
    }
    s->row = calloc((size_t)columns + 1, sizeof *s->row);
    return good && s->row ? check_names(&s->sheet, err) : no_memory(err);
}

/* ---- creation ------------------------------------------------------------------------------- */

static bri_status check_definition(const bri_sweep_def *def, bri_error *err) {
    if (!def->scenario == !def->function)
        return bri_fail(err, BRI_BAD_VALUE, "a sweep is of a scenario or of a function");
    if (def->n_measures < 1)
        return bri_fail(err, BRI_BAD_VALUE, "nothing is measured: --measure period, for example");
    if (def->parts < 0 || (def->parts > 1 && (def->part < 1 || def->part > def->parts)))
        return bri_fail(err, BRI_BAD_VALUE, "part %d of %d: there is no such part", def->part,
                        def->parts);
    if (def->samples < 0)
        return bri_fail(err, BRI_BAD_VALUE, "%ld samples: at least 1", def->samples);
    if (!(def->from >= 0.0))
        return bri_fail(err, BRI_BAD_VALUE, "measuring begins at %g s: 0 or later", def->from);
    return BRI_OK;
}

/* One law with one solver; messages say what is wrong with them. */
static bri_status load_pair(builder *b, int law, int solver) {
    bri_error err = {0};
    variant v = {.law = b->def->n_laws > 0 ? b->def->laws[law] : NULL,
                 .solver = b->def->n_solvers > 0 ? b->def->solvers[solver] : NULL};
    bri_status status = load_variant(b->s, &v, NULL, -1, &b->scenario, b->messages);
    if (status != BRI_OK) return status;
    status = bri_sim_create(bri_scenario_def(b->scenario), &b->sim, &err);
    if (status == BRI_OK) return BRI_OK;
    bri_scenario_free(b->scenario);
    b->scenario = NULL;
    return tell(b, &err);
}

/* The scenario as it is without axes: for units, columns and messages. Of laws and solvers the
 * first that go together. */
static bri_status load_nominal(builder *b, bri_error *err) {
    int laws = b->def->n_laws > 1 ? b->def->n_laws : 1,
        pairs = laws * (b->def->n_solvers > 1 ? b->def->n_solvers : 1);
    bri_status status = BRI_BAD_VALUE, first = BRI_OK;
    for (int i = 0; i < pairs && status == BRI_BAD_VALUE; i++) {
        status = load_pair(b, i / (pairs / laws), i % (pairs / laws));
        if (i == 0) first = status;
    }
    if (status == BRI_BAD_VALUE && pairs > 1) load_pair(b, 0, 0); /* the first is told of */
    if (status != BRI_OK) return status == BRI_BAD_VALUE ? first : status;
    *b->messages = (bri_messages){0};
    b->s->laws = bri_laws_new(b->s->def.known);
    if (!b->s->laws || bri_laws_keep(b->s->laws, bri_scenario_laws(b->scenario)) != BRI_OK) {
        no_memory(err);
        return tell(b, err);
    }
    const bri_sim_def *def = bri_scenario_def(b->scenario);
    status = bri_recorder_create(def, &b->recorder, err);
    if (status == BRI_OK && !(b->def->from < def->t_end))
        status = bri_fail(err, BRI_BAD_VALUE, "measuring begins at %g s, but the run ends at %g s",
                          b->def->from, def->t_end);
    return status ? tell(b, err) : BRI_OK;
}

static bri_status build(builder *b) {
    bri_sweep *s = b->s;
    bri_error err = {0};
    bri_status status = check_definition(b->def, &err);
    if (status == BRI_OK && !copy_definition(s, b->def)) status = no_memory(&err);
    if (status == BRI_OK && b->def->scenario && (status = load_nominal(b, &err)) != BRI_OK)
        return status;
    if (status == BRI_OK) status = builder_design(b, &err);
    if (status == BRI_OK && b->def->scenario) {
        const bri_sim_def *def = bri_scenario_def(b->scenario);
        const meter_names names = {def,
                                   b->recorder,
                                   s->design.axes,
                                   s->design.n_axes,
                                   fmax(b->def->from, def->t_start),
                                   def->t_end};
        status = meter_create(&s->meter, &names, b->def->measures, b->def->n_measures, &err);
    }
    if (status == BRI_OK && b->def->limit && b->sim)
        status =
            limit_create(&s->limit, b->def->limit, s->design.axes, s->design.n_axes, b->sim, &err);
    if (status == BRI_OK) status = make_sheet(b, &err);
    if (status == BRI_OK) status = make_settings(s, b->def, b->scenario, &err);
    if (status != BRI_OK) return tell(b, &err);
    if (b->def->scenario) status = variants_create(s, b->messages);
    if (status != BRI_OK) return status;
    status = kept_open(b->def->keep, s->sheet.settings, &err);
    return status ? tell(b, &err) : BRI_OK;
}

bri_status bri_sweep_create(const bri_sweep_def *def, bri_sweep **to, bri_messages *messages) {
    bri_messages *own_messages = messages ? NULL : calloc(1, sizeof *own_messages);
    bri_messages *told = messages ? messages : own_messages;
    bri_sweep *s = calloc(1, sizeof *s);
    builder b = {.s = s, .def = def, .messages = told};
    bri_status status = BRI_NO_MEMORY;
    *to = NULL;
    if (told) memset(told, 0, sizeof *told);
    if (s && told)
        status = build(&b);
    else if (told)
        status = bri_fail(&told->message[told->count++], BRI_NO_MEMORY, "%s",
                          bri_status_text(BRI_NO_MEMORY));
    bri_recorder_free(b.recorder);
    bri_sim_free(b.sim);
    bri_scenario_free(b.scenario); /* whose laws may be those of the sweep */
    free(own_messages);
    if (status == BRI_OK)
        *to = s;
    else
        bri_sweep_free(s);
    return status;
}

void bri_sweep_free(bri_sweep *s) {
    if (!s) return;
    journal_close(s->journal, 0, NULL);
    variants_free(s);
    bri_laws_free(s->laws);
    meter_free(s->meter);
    limit_free(s->limit);
    design_free(&s->design);
    sheet_free(&s->sheet);
    for (int i = 0; i < s->n_own; i++) free(s->own[i]);
    free(s->own);
    free((void *)s->def.overrides);
    free(s->row);
    free(s);
}
