/* bristle_mex.c - friction laws and rigs in Octave and MATLAB, one function with a word first:
 *
 *   bristle_mex('laws')                                      names of all laws
 *   s = bristle_mex('law', 'lugre')                          texts, load, parameters, states
 *   [F, dz] = bristle_mex('force', name, p, v, n, z)         force and rates
 *   [F, z] = bristle_mex('step', name, p, v, n, h, z)        the states a time h later
 *   [F, x, v, z] = bristle_mex('mass_step', name, p, mass, force, n, h, x, v, z)
 *   F = bristle_mex('curve', name, p, v, n)                  steady sliding
 *   r = bristle_mex('run', rig, set, model)                  data, names, units, events, title
 *
 * p is a struct of parameters, with numbers in SI or texts with units; what it does not have is as
 * in the table of the law. v is any array, n one number or as many; z has a row for each state, []:
 * at rest. rig is the name of a scenario, a file, or its text; set a struct or a cell
 * {key, value; ...}.
 *
 *   mkoctfile --mex bristle_mex.c -lbristle         mex bristle_mex.c -lbristle
 */
#include <bristle_law.h>
#include <bristle_study.h>

#include <math.h>
#include <mex.h>
#include <stdlib.h>
#include <string.h>

/* ---- what is wrong ------------------------------------------------------------------------------
 */

/* mexErrMsgIdAndTxt does not return, and nobody frees what malloc gave: whatever is taken below
 * comes from mxMalloc, which the host frees, or is freed here. */
typedef struct owned {
    bri_laws *laws;
    bri_scenario *rig;
    bri_trace trace;
} owned;

static void give_back(owned *o) {
    bri_trace_free(&o->trace);
    bri_scenario_free(o->rig);
    bri_laws_free(o->laws);
    *o = (owned){0};
}

static void refuse(owned *o, const char *words) {
    char text[2000];
    snprintf(text, sizeof text, "%s", words);
    give_back(o);
    mexErrMsgIdAndTxt("bristle:refused", "%s", text);
}

static char *text_of(owned *o, const mxArray *a, const char *what) {
    char words[100];
    snprintf(words, sizeof words, "%s: a text is wanted", what);
    char *text = a && mxIsChar(a) ? mxArrayToString(a) : NULL;
    if (!text) refuse(o, words);
    return text;
}

/* Finite doubles, `wanted` of them; (size_t)-1: any number. */
static const double *numbers_of(owned *o, const mxArray *a, size_t wanted, const char *what) {
    char words[160];
    if (!a || !mxIsDouble(a) || mxIsComplex(a) || mxIsSparse(a)) {
        snprintf(words, sizeof words, "%s: real numbers are wanted", what);
        refuse(o, words);
    }
    if (wanted != (size_t)-1 && mxGetNumberOfElements(a) != wanted) {
        snprintf(words, sizeof words, "%s: %lu numbers, where %lu are wanted", what,
                 (unsigned long)mxGetNumberOfElements(a), (unsigned long)wanted);
        refuse(o, words);
    }
    for (size_t i = 0; i < mxGetNumberOfElements(a); i++)
        if (!isfinite(mxGetPr(a)[i])) {
            snprintf(words, sizeof words, "%s: %g is not a finite number", what, mxGetPr(a)[i]);
            refuse(o, words);
        }
    return mxGetPr(a);
}

/* [], which stands for what is not given: empty texts, cells and structs are none. */
static int is_none(const mxArray *a) { return !a || (mxIsEmpty(a) && mxIsDouble(a)); }

static double number_of(owned *o, const mxArray *a, const char *what) {
    return *numbers_of(o, a, 1, what);
}

/* ---- a law with its parameters
 * ---------------------------------------------------------------------
 */

static const bri_model *find_law(owned *o, const mxArray *name) {
    char words[200], *text = text_of(o, name, "the law");
    if (!o->laws) o->laws = bri_laws_new(NULL);
    const bri_model *m = o->laws ? bri_laws_find(o->laws, text) : NULL;
    const char *near = o->laws && !m ? bri_laws_nearest(o->laws, text) : NULL;
    if (m) return m;
    if (near)
        snprintf(words, sizeof words, "there is no law '%.40s'; did you mean '%s'?", text, near);
    else
        snprintf(words, sizeof words, "there is no law '%.40s'", text);
    refuse(o, words);
    return NULL;
}

static void take_parameter(owned *o, const bri_model *m, const char *name, const mxArray *value,
                           double *p) {
    char words[300];
    bri_error err;
    int i = bri_model_param(m, name);
    if (i < 0 || strcmp(m->params[i].name, name) != 0) {
        snprintf(words, sizeof words, "%s has no parameter '%.40s'", m->name, name);
        refuse(o, words);
    }
    if (value && mxIsChar(value)) {
        if (bri_quantity(text_of(o, value, name), m->params[i].unit, &p[i], &err)) {
            snprintf(words, sizeof words, "%s: %.250s", name, err.text);
            refuse(o, words);
        }
    } else {
        p[i] = number_of(o, value, name);
    }
}

static void take_parameters(owned *o, const bri_model *m, const mxArray *given, double *p) {
    bri_error err;
    bri_model_defaults(m, p);
    if (!is_none(given)) {
        if (!mxIsStruct(given) || mxGetNumberOfElements(given) != 1)
            refuse(o, "p: a struct of parameters is wanted, or []");
        for (int k = 0; k < mxGetNumberOfFields(given); k++)
            take_parameter(o, m, mxGetFieldNameByNumber(given, k), mxGetFieldByNumber(given, 0, k),
                           p);
    }
    if (bri_model_check(m, p, &err)) refuse(o, err.text);
}

/* ---- arrays of contacts
 * ------------------------------------------------------------------------------
 */

/* What the calls for laws have in common. Arrays of the library are state after state, those of
 * Octave contact after contact: z is copied. */
typedef struct contacts {
    bri_batch batch;
    double p[BRI_MAX_PARAMS];
    double *z;
    size_t states;
    const mxArray *shape; /* v, whose shape the forces have */
} contacts;

static void take_states(owned *o, contacts *c, const mxArray *z) {
    size_t n = c->batch.count, k = c->states;
    double rest[BRI_MAX_STATES];
    c->z = mxMalloc(sizeof *c->z * (n * k + 1));
    bri_model_rest(c->batch.model, c->p, rest);
    const double *from = is_none(z) ? NULL : numbers_of(o, z, n * k, "z");
    if (from && k > 1 && mxGetM(z) != k)
        refuse(o, "z: a row for each state is wanted, a column for each contact");
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < k; j++) c->z[j * n + i] = from ? from[i * k + j] : rest[j];
}

static mxArray *give_states(const contacts *c, const double *z) {
    size_t n = c->batch.count, k = c->states;
    mxArray *to = mxCreateDoubleMatrix(k, n, mxREAL);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < k; j++) mxGetPr(to)[i * k + j] = z[j * n + i];
    return to;
}

static mxArray *like(const mxArray *a) {
    return mxCreateNumericArray(mxGetNumberOfDimensions(a), mxGetDimensions(a), mxDOUBLE_CLASS,
                                mxREAL);
}

/* Arguments 1 and 2: the law and its parameters; v and n as they are given. */
static void take_contacts(owned *o, contacts *c, const mxArray **in, const mxArray *v,
                          const mxArray *n) {
    const bri_model *m = find_law(o, in[1]);
    take_parameters(o, m, in[2], c->p);
    size_t count = mxGetNumberOfElements(v), loads = mxGetNumberOfElements(n);
    c->shape = v;
    c->states = (size_t)bri_model_states(m, c->p);
    c->batch = (bri_batch){.model = m,
                           .count = count,
                           .p = c->p,
                           .v = numbers_of(o, v, (size_t)-1, "v"),
                           .n = numbers_of(o, n, loads == 1 ? 1 : count, "n"),
                           .own_loads = loads != 1};
}

static void call_force(owned *o, int n_out, mxArray **out, const mxArray **in) {
    contacts c;
    take_contacts(o, &c, in, in[3], in[4]);
    take_states(o, &c, in[5]);
    double *dz = mxMalloc(sizeof *dz * (c.batch.count * c.states + 1));
    out[0] = like(c.shape);
    bri_batch_eval(&c.batch, c.z, mxGetPr(out[0]), dz);
    if (n_out > 1) out[1] = give_states(&c, dz);
}

static double step_of(owned *o, const mxArray *h) {
    double x = number_of(o, h, "h");
    if (!(x >= 0.0)) refuse(o, "h must be a number >= 0");
    return x;
}

static void call_step(owned *o, int n_out, mxArray **out, const mxArray **in) {
    contacts c;
    take_contacts(o, &c, in, in[3], in[4]);
    double h = step_of(o, in[5]);
    take_states(o, &c, in[6]);
    out[0] = like(c.shape);
    bri_batch_step(&c.batch, h, c.z, mxGetPr(out[0]));
    if (n_out > 1) out[1] = give_states(&c, c.z);
}

static void call_mass_step(owned *o, int n_out, mxArray **out, const mxArray **in) {
    contacts c;
    take_contacts(o, &c, in, in[8], in[5]);
    size_t n = c.batch.count;
    double h = step_of(o, in[6]);
    const double *mass = numbers_of(o, in[3], n, "mass"), *force = numbers_of(o, in[4], n, "force");
    const double *x = numbers_of(o, in[7], n, "x"), *v = numbers_of(o, in[8], n, "v");
    take_states(o, &c, in[9]);
    mxArray *moved[3] = {like(c.shape), like(c.shape), like(c.shape)};
    memcpy(mxGetPr(moved[1]), x, n * sizeof *x);
    memcpy(mxGetPr(moved[2]), v, n * sizeof *v);
    bri_mass_steps(&c.batch, mass, force, h, mxGetPr(moved[1]), mxGetPr(moved[2]), c.z,
                   mxGetPr(moved[0]));
    for (size_t i = 0; i < n; i++)
        if (isnan(mxGetPr(moved[0])[i]))
            refuse(o, "mass and h must be positive, force and v finite numbers");
    for (int i = 0; i < 3 && i < (n_out > 1 ? n_out : 1); i++) out[i] = moved[i];
    if (n_out > 3) out[3] = give_states(&c, c.z);
}

static void call_curve(owned *o, int n_out, mxArray **out, const mxArray **in) {
    contacts c;
    bri_setup s;
    (void)n_out;
    take_contacts(o, &c, in, in[3], in[4]);
    bri_setup_init(&s, c.batch.model);
    memcpy(s.p, c.p, sizeof s.p);
    out[0] = like(c.shape);
    for (size_t i = 0; i < c.batch.count; i++) {
        s.load = c.batch.n[c.batch.own_loads ? i : 0];
        mxGetPr(out[0])[i] = bri_steady_force(&s, c.batch.v[i]);
    }
}

/* ---- what is known of laws
 * ---------------------------------------------------------------------------
 */

static void call_laws(owned *o, int n_out, mxArray **out, const mxArray **in) {
    int n = 0, at = 0;
    (void)o, (void)n_out, (void)in;
    for (int i = 0; i < bri_law_page_count(); i++) n += !bri_model_find(bri_law_page_name(i));
    out[0] = mxCreateCellMatrix((size_t)(bri_model_count() + n), 1);
    for (int i = 0; i < bri_model_count(); i++)
        mxSetCell(out[0], (size_t)at++, mxCreateString(bri_model_at(i)->name));
    for (int i = 0; i < bri_law_page_count(); i++)
        if (!bri_model_find(bri_law_page_name(i)))
            mxSetCell(out[0], (size_t)at++, mxCreateString(bri_law_page_name(i)));
}

static void call_law(owned *o, int n_out, mxArray **out, const mxArray **in) {
    const char *fields[] = {"name", "title", "equations", "limits", "cite",
                            "load", "p",     "units",     "z"};
    const char *names[BRI_MAX_PARAMS];
    double p[BRI_MAX_PARAMS], rest[BRI_MAX_STATES];
    (void)n_out;
    const bri_model *m = find_law(o, in[1]);
    const char *const texts[] = {m->name, m->title, m->equations, m->limits, m->cite};
    bri_model_defaults(m, p);
    bri_model_rest(m, p, rest);
    out[0] = mxCreateStructMatrix(1, 1, 9, fields);
    for (int i = 0; i < 5; i++) mxSetField(out[0], 0, fields[i], mxCreateString(texts[i]));
    mxSetField(out[0], 0, "load", mxCreateDoubleScalar(m->load));
    for (int i = 0; i < m->n_params; i++) names[i] = m->params[i].name;
    mxArray *values = mxCreateStructMatrix(1, 1, m->n_params, names);
    mxArray *units = mxCreateStructMatrix(1, 1, m->n_params, names);
    for (int i = 0; i < m->n_params; i++) {
        mxSetField(values, 0, names[i], mxCreateDoubleScalar(p[i]));
        mxSetField(units, 0, names[i], mxCreateString(m->params[i].unit));
    }
    mxSetField(out[0], 0, "p", values);
    mxSetField(out[0], 0, "units", units);
    mxArray *z = mxCreateDoubleMatrix((size_t)bri_model_states(m, p), 1, mxREAL);
    memcpy(mxGetPr(z), rest, sizeof *rest * mxGetNumberOfElements(z));
    mxSetField(out[0], 0, "z", z);
}

/* ---- rigs
 * --------------------------------------------------------------------------------------------
 */

/* A number as a file has it. */
static const char *value_text(owned *o, const mxArray *value, const char *key) {
    if (value && mxIsChar(value)) return text_of(o, value, key);
    char *text = mxMalloc(40);
    snprintf(text, 40, "%.17g", number_of(o, value, key));
    return text;
}

/* {key, value; ...}: keys have points, which names of a struct cannot have; there __ stands for
 * one. */
static int take_settings(owned *o, const mxArray *set, bri_override **to) {
    int n = 0;
    *to = NULL;
    if (is_none(set) || (mxIsCell(set) && mxIsEmpty(set))) return 0;
    if (mxIsCell(set) && mxGetN(set) == 2) {
        n = (int)mxGetM(set);
        *to = mxCalloc((size_t)n, sizeof **to);
        for (int i = 0; i < n; i++) {
            (*to)[i].key = text_of(o, mxGetCell(set, (size_t)i), "a key of set");
            (*to)[i].value = value_text(o, mxGetCell(set, (size_t)(n + i)), (*to)[i].key);
        }
    } else if (mxIsStruct(set) && mxGetNumberOfElements(set) == 1) {
        n = mxGetNumberOfFields(set);
        *to = mxCalloc((size_t)n, sizeof **to);
        for (int i = 0; i < n; i++) {
            const char *name = mxGetFieldNameByNumber(set, i);
            char *key = mxMalloc(strlen(name) + 1), *end = key;
            for (; *name; name++) {
                int point = name[0] == '_' && name[1] == '_';
                *end++ = point ? '.' : *name;
                name += point;
            }
            *end = '\0';
            (*to)[i].key = key;
            (*to)[i].value = value_text(o, mxGetFieldByNumber(set, 0, i), key);
        }
    } else {
        refuse(o, "set: a cell {key, value; ...} or a struct is wanted");
    }
    return n;
}

static mxArray *column_texts(const bri_recorder *r,
                             const char *(*text)(const bri_recorder *r, int column)) {
    mxArray *cell = mxCreateCellMatrix(1, (size_t)bri_recorder_columns(r));
    for (int i = 0; i < bri_recorder_columns(r); i++)
        mxSetCell(cell, (size_t)i, mxCreateString(text(r, i)));
    return cell;
}

static void read_rig(owned *o, const mxArray *source, const bri_scenario_options *how) {
    char *text = text_of(o, source, "the rig");
    bri_messages *wrong = mxMalloc(sizeof *wrong);
    bri_status status = strchr(text, '\n')
                            ? bri_scenario_parse(text, strlen(text), "text", how, &o->rig, wrong)
                            : bri_scenario_load(text, how, &o->rig, wrong);
    if (status) refuse(o, wrong->count ? wrong->message[0].text : bri_status_text(status));
}

static void call_run(owned *o, int n_out, mxArray **out, const mxArray **in) {
    const char *fields[] = {"title", "names", "units", "data", "events"};
    bri_override *overrides;
    bri_scenario_options how = {0};
    (void)n_out;
    how.n_overrides = take_settings(o, in[2], &overrides);
    how.overrides = overrides;
    if (!is_none(in[3])) how.model = find_law(o, in[3]);
    read_rig(o, in[1], &how);
    if (bri_trace_run(&o->trace, bri_scenario_def(o->rig), bri_scenario_output(o->rig), NULL))
        refuse(o, o->trace.err.text);
    const bri_trace *t = &o->trace;
    size_t rows = (size_t)t->n_rows;
    out[0] = mxCreateStructMatrix(1, 1, 5, fields);
    mxSetField(out[0], 0, "title", mxCreateString(bri_scenario_title(o->rig)));
    mxSetField(out[0], 0, "names", column_texts(t->recorder, bri_recorder_name));
    mxSetField(out[0], 0, "units", column_texts(t->recorder, bri_recorder_unit));
    mxArray *data = mxCreateDoubleMatrix(rows, (size_t)t->n_columns, mxREAL);
    for (int i = 0; i < t->n_columns; i++)
        memcpy(mxGetPr(data) + (size_t)i * rows, bri_trace_column(t, i), rows * sizeof(double));
    mxSetField(out[0], 0, "data", data);
    size_t n = (size_t)t->n_events;
    mxArray *events = mxCreateDoubleMatrix(n, 5, mxREAL); /* t, contact, from, to, F */
    for (size_t i = 0; i < n; i++) {
        const bri_event *e = &t->events[i];
        const double row[5] = {e->t, e->contact + 1, e->from, e->to, e->F};
        for (size_t k = 0; k < 5; k++) mxGetPr(events)[k * n + i] = row[k];
    }
    mxSetField(out[0], 0, "events", events);
}

/* ---- the words
 * ------------------------------------------------------------------------------------------
 */

enum { MOST = 10 };
static const struct {
    const char *word;
    int least, most, gives; /* arguments, the word among them; values */
    void (*call)(owned *o, int n_out, mxArray **out, const mxArray **in);
} words[] = {
    {"laws", 1, 1, 1, call_laws},
    {"law", 2, 2, 1, call_law},
    {"force", 5, 6, 2, call_force},
    {"step", 6, 7, 2, call_step},
    {"mass_step", 9, 10, 4, call_mass_step},
    {"curve", 5, 5, 1, call_curve},
    {"run", 2, 4, 1, call_run},
};

void mexFunction(int n_out, mxArray **out, int n_in, const mxArray **in) {
    owned o = {0};
    const mxArray *args[MOST] = {0};
    char text[200];
    char *word = text_of(&o, n_in > 0 ? in[0] : NULL, "the first argument, what to do");
    for (int i = 0; i < n_in && i < MOST; i++) args[i] = in[i];
    for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
        if (strcmp(word, words[k].word) != 0) continue;
        if (n_in < words[k].least || n_in > words[k].most) {
            snprintf(text, sizeof text, "%s: %d arguments, where %d to %d are wanted", word, n_in,
                     words[k].least, words[k].most);
            refuse(&o, text);
        }
        if (n_out > words[k].gives) {
            snprintf(text, sizeof text, "%s: %d values are asked for, it gives %d", word, n_out,
                     words[k].gives);
            refuse(&o, text);
        }
        words[k].call(&o, n_out, out, args);
        give_back(&o);
        return;
    }
    snprintf(text, sizeof text,
             "there is no '%.40s': laws, law, force, step, mass_step, curve or run", word);
    refuse(&o, text);
}
