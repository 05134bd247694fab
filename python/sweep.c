/* sweep.c - one scenario at many points: names and units of the columns, rows as lists, indices as
 * JSON text. */
#define _POSIX_C_SOURCE 200809L
#include "core.h"

#include <bristle_sweep.h>

#include <stdio.h>
#include <stdlib.h>

static PyObject *words_of(const bri_sweep_column *c) {
    if (!c->words) Py_RETURN_NONE;
    PyObject *list = PyList_New(0);
    for (int i = 0; list && i < c->n_words; i++)
        if (append(list, PyUnicode_FromString(c->words[i]))) Py_CLEAR(list);
    return list;
}

/* ([(name, unit, words), ...], [(index, row, doubtful or failed, reason), ...], indices as JSON or
 * None, settings) */
static PyObject *results(bri_sweep *s, PyObject *indices) {
    int columns = bri_sweep_columns(s), failed = 0;
    PyObject *heads = PyList_New(0), *points = PyList_New(0);
    for (int i = 0; heads && points && !failed && i < columns; i++) {
        bri_sweep_column c = bri_sweep_column_at(s, i);
        failed = append(heads, Py_BuildValue("(ssN)", c.name, c.unit, words_of(&c)));
    }
    for (long i = 0; heads && points && !failed && i < bri_sweep_points(s); i++) {
        bri_sweep_point p;
        if (bri_sweep_result(s, i, &p))
            failed = append(points, Py_BuildValue("(lNis)", i, list_of(p.row, columns),
                                                  (int)p.status, p.reason ? p.reason : ""));
    }
    if (heads && points && indices && !failed)
        return Py_BuildValue("NNNs", heads, points, indices, bri_sweep_settings(s));
    Py_XDECREF(heads);
    Py_XDECREF(points);
    Py_XDECREF(indices);
    return NULL;
}

/* The table of sensitivity indices as JSON; None: the samples are none of such a design, or some of
 * them are elsewhere. */
static PyObject *indices_of(bri_sweep *s, const bri_sweep_def *def) {
    char *text = NULL;
    size_t size = 0;
    bri_error err = {0};
    if ((def->sampling != BRI_SAMPLE_SOBOL && def->sampling != BRI_SAMPLE_MORRIS) ||
        bri_sweep_done(s) < bri_sweep_points(s))
        Py_RETURN_NONE;
    bri_table *t = bri_sweep_index_table(s, &err);
    FILE *out = t ? open_memstream(&text, &size) : NULL;
    bri_status status = out ? bri_table_write(t, BRI_FORM_JSON, out, &err) : BRI_NO_MEMORY;
    if (out && fclose(out) && !status) status = BRI_NO_MEMORY;
    PyObject *made = status ? refuse(status, err.status == status ? err.text : "")
                            : PyUnicode_FromStringAndSize(text, (Py_ssize_t)size);
    bri_table_free(t);
    free(text);
    return made;
}

/* Files that are written beside what is returned; NULL: none. */
typedef struct outputs {
    const char *file, *plot, *report;
    bri_sweep_start how;
} outputs;

/* All that can be refused before anything is run. */
static bri_status prepare(bri_sweep *s, const outputs *to, bri_error *err) {
    bri_status status = to->plot ? bri_sweep_drawable(s, err) : BRI_OK;
    if (status == BRI_OK && to->file) status = bri_sweep_keep(s, to->file, to->how, err);
    return status;
}

static bri_status run_and_write(bri_sweep *s, const outputs *to, const bri_watch *watch,
                                bri_error *err) {
    bri_status status = bri_sweep_run(s, watch, NULL, NULL, err);
    if (status == BRI_OK && to->file) status = bri_sweep_write(s, to->file, err);
    if (status == BRI_OK && to->plot) status = bri_sweep_plot(s, to->plot, err);
    if (status == BRI_OK && to->report) status = bri_sweep_report(s, to->report, NULL, err);
    return status;
}

static PyObject *sweep(const source *from, bri_sweep_def *def, const outputs *to,
                       PyObject *progress) {
    bri_messages *wrong = PyMem_Malloc(sizeof *wrong);
    bri_sweep *s = NULL;
    bri_error err;
    PyObject *result = NULL;
    watcher w;
    if (!wrong) return PyErr_NoMemory();
    def->scenario = from->text;
    def->overrides = from->overrides;
    def->n_overrides = from->n_overrides;
    def->known = from->laws;
    bri_status status = bri_sweep_create(def, &s, wrong);
    if (status) {
        refuse_all(status, wrong);
    } else if ((status = prepare(s, to, &err)) != BRI_OK) {
        refuse(status, err.text);
    } else {
        watcher_begin(&w, progress);
        status = run_and_write(s, to, &w.watch, &err);
        if (watcher_end(&w) == 0)
            result = status ? refuse(status, err.text) : results(s, indices_of(s, def));
    }
    bri_sweep_free(s);
    PyMem_Free(wrong);
    return result;
}

/* ---- what Python gives ------------------------------------------------------------------------
 */

static int sampling_of(const char *name, bri_sampling *to) {
    for (int i = 0; i < BRI_SAMPLING_COUNT; i++)
        if (strcmp(name, bri_sampling_name((bri_sampling)i)) == 0) {
            *to = (bri_sampling)i;
            return 1;
        }
    PyErr_Format(PyExc_ValueError, "sampling: there is no '%.40s'; take random or halton", name);
    return 0;
}

/* Solvers by their names, owned by the caller. 0 after an exception. */
static int solvers_of(const char *const *names, int count, const bri_solver ***to) {
    *to = PyMem_Calloc((size_t)count + 1, sizeof **to);
    if (!*to) return PyErr_NoMemory() != NULL;
    for (int i = 0; i < count; i++) {
        if (((*to)[i] = bri_solver_find(names[i])) != NULL) continue;
        const char *package = bri_solver_missing(names[i]);
        PyErr_Format(PyExc_KeyError,
                     package ? "the solver '%.40s' was not built: it needs the package %s"
                             : "there is no solver '%.40s'",
                     names[i], package);
        return 0;
    }
    return 1;
}

PyObject *core_sweep(PyObject *self, PyObject *args) {
    (void)self;
    enum { LISTS = 6 }; /* vary, random, each, correlate, measures, solvers */
    PyObject *tuple, *names, *lists[LISTS], *progress, *result = NULL;
    bri_sweep_def def = {0};
    outputs to = {0};
    const bri_model **laws = NULL;
    const bri_solver **solvers = NULL;
    const char **texts[LISTS] = {0}, *sampling;
    int counts[LISTS] = {0}, how, good;
    source from;
    if (!PyArg_ParseTuple(args, "O!O!O!O!O!O!O!O!ldsddiiizzzzizzO:sweep", &PyTuple_Type, &tuple,
                          &PyList_Type, &names, &PyList_Type, &lists[0], &PyList_Type, &lists[1],
                          &PyList_Type, &lists[2], &PyList_Type, &lists[3], &PyList_Type, &lists[4],
                          &PyList_Type, &lists[5], &def.samples, &def.seed, &sampling, &def.from,
                          &def.slip_speed, &def.part, &def.parts, &def.threads, &def.points,
                          &def.keep, &def.limit, &to.file, &how, &to.plot, &to.report, &progress) ||
        !sampling_of(sampling, &def.sampling))
        return NULL;
    to.how = (bri_sweep_start)how;
    good = source_take(&from, tuple) && source_models(&from, names, &laws, &def.n_laws);
    for (int i = 0; good && i < LISTS; i++) good = take_texts(lists[i], &texts[i], &counts[i]);
    if (good) good = solvers_of(texts[5], counts[5], &solvers);
    if (good) {
        def.laws = laws;
        def.solvers = solvers, def.n_solvers = counts[5];
        def.vary = texts[0], def.n_vary = counts[0];
        def.random = texts[1], def.n_random = counts[1];
        def.each = texts[2], def.n_each = counts[2];
        def.correlate = texts[3], def.n_correlate = counts[3];
        def.measures = texts[4], def.n_measures = counts[4];
        result = sweep(&from, &def, &to, progress);
    }
    for (int i = 0; i < LISTS; i++) PyMem_Free((void *)texts[i]);
    PyMem_Free((void *)laws);
    PyMem_Free((void *)solvers);
    source_free(&from);
    return result;
}

PyObject *core_merge(PyObject *self, PyObject *args) {
    (void)self;
    PyObject *list;
    const char **files = NULL, *to;
    int count = 0, unfinished;
    long points = 0;
    bri_error err;
    if (!PyArg_ParseTuple(args, "O!sp:merge", &PyList_Type, &list, &to, &unfinished)) return NULL;
    bri_status status = BRI_OK;
    int good = take_texts(list, &files, &count);
    if (good) status = bri_sweep_merge(files, count, to, unfinished, &points, &err);
    PyMem_Free((void *)files);
    if (!good) return NULL;
    return status ? refuse(status, err.text) : PyLong_FromLong(points);
}
