/* sweep.c - one scenario at many points: names and units of the columns, rows as bytes. */
#include "core.h"

#include <bristle_sweep.h>

static PyObject *words_of(const bri_sweep_column *c) {
    if (!c->words) Py_RETURN_NONE;
    PyObject *list = PyList_New(0);
    for (int i = 0; list && i < c->n_words; i++)
        if (append(list, PyUnicode_FromString(c->words[i]))) Py_CLEAR(list);
    return list;
}

/* ([(name, unit, words), ...], [(index, row, doubtful or failed, reason), ...]) */
static PyObject *results(bri_sweep *s) {
    int columns = bri_sweep_columns(s), failed = 0;
    PyObject *heads = PyList_New(0), *points = PyList_New(0);
    for (int i = 0; heads && points && !failed && i < columns; i++) {
        bri_sweep_column c = bri_sweep_column_at(s, i);
        failed = append(heads, Py_BuildValue("(ssN)", c.name, c.unit, words_of(&c)));
    }
    for (long i = 0; heads && points && !failed && i < bri_sweep_points(s); i++) {
        bri_sweep_point p;
        if (bri_sweep_result(s, i, &p))
            failed = append(points, Py_BuildValue("(Nis)", list_of(p.row, columns), (int)p.status,
                                                  p.reason ? p.reason : ""));
    }
    if (heads && points && !failed) return Py_BuildValue("NN", heads, points);
    Py_XDECREF(heads);
    Py_XDECREF(points);
    return NULL;
}

static PyObject *sweep(const source *from, bri_sweep_def *def, PyObject *progress) {
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
    } else {
        watcher_begin(&w, progress);
        status = bri_sweep_run(s, &w.watch, NULL, NULL, &err);
        if (watcher_end(&w) == 0) result = status ? refuse(status, err.text) : results(s);
    }
    bri_sweep_free(s);
    PyMem_Free(wrong);
    return result;
}

static int sampling_of(const char *name, bri_sampling *to) {
    for (int i = 0; i < BRI_SAMPLING_COUNT; i++)
        if (strcmp(name, bri_sampling_name((bri_sampling)i)) == 0) {
            *to = (bri_sampling)i;
            return 1;
        }
    PyErr_Format(PyExc_ValueError, "sampling: there is no '%.40s'; take random or halton", name);
    return 0;
}

PyObject *core_sweep(PyObject *self, PyObject *args) {
    (void)self;
    enum { LISTS = 5 }; /* vary, random, each, correlate, measures */
    PyObject *tuple, *names, *lists[LISTS], *progress, *result = NULL;
    bri_sweep_def def = {0};
    const bri_model **laws = NULL;
    const char **texts[LISTS] = {0}, *sampling;
    int counts[LISTS] = {0}, good;
    source from;
    if (!PyArg_ParseTuple(args, "O!O!O!O!O!O!O!ldsdiO:sweep", &PyTuple_Type, &tuple, &PyList_Type,
                          &names, &PyList_Type, &lists[0], &PyList_Type, &lists[1], &PyList_Type,
                          &lists[2], &PyList_Type, &lists[3], &PyList_Type, &lists[4], &def.samples,
                          &def.seed, &sampling, &def.from, &def.threads, &progress) ||
        !sampling_of(sampling, &def.sampling))
        return NULL;
    good = source_take(&from, tuple) && source_models(&from, names, &laws, &def.n_laws);
    for (int i = 0; good && i < LISTS; i++) good = take_texts(lists[i], &texts[i], &counts[i]);
    if (good) {
        def.laws = laws;
        def.vary = texts[0], def.n_vary = counts[0];
        def.random = texts[1], def.n_random = counts[1];
        def.each = texts[2], def.n_each = counts[2];
        def.correlate = texts[3], def.n_correlate = counts[3];
        def.measures = texts[4], def.n_measures = counts[4];
        result = sweep(&from, &def, progress);
    }
    for (int i = 0; i < LISTS; i++) PyMem_Free((void *)texts[i]);
    PyMem_Free((void *)laws);
    source_free(&from);
    return result;
}
