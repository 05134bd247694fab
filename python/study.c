/* study.c - comparing laws and identifying parameters: what is found comes as JSON text, curves as
 * bytes. */
#define _POSIX_C_SOURCE 200809L
#include "core.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- comparing ------------------------------------------------------------------------------- */

/* JSON that a function of the library writes. */
static PyObject *json_of(const void *result,
                         bri_status (*write)(const void *result, FILE *out, bri_error *err)) {
    char *text = NULL;
    size_t size = 0;
    bri_error err = {.text = ""};
    FILE *out = open_memstream(&text, &size);
    bri_status status = out ? write(result, out, &err) : BRI_NO_MEMORY;
    if (out && fclose(out) && !status) status = BRI_NO_MEMORY;
    PyObject *made =
        status ? refuse(status, err.text) : PyUnicode_FromStringAndSize(text, (Py_ssize_t)size);
    free(text);
    return made;
}

static bri_status compare_json(const void *c, FILE *out, bri_error *err) {
    return bri_compare_json(c, out, err);
}

/* (json, t, [(y, v, F) or None, ...]) */
static PyObject *comparison(const bri_compare *c) {
    PyObject *curves = PyList_New(0);
    for (int i = 0; curves && i < c->n_rows; i++) {
        const bri_compare_row *r = &c->rows[i];
        Py_ssize_t n = c->n_times;
        PyObject *curve =
            r->err.status || !r->y
                ? Py_NewRef(Py_None)
                : Py_BuildValue("(NNN)", bytes_of(r->y, n), bytes_of(r->v, n), bytes_of(r->F, n));
        if (append(curves, curve)) {
            Py_DECREF(curves);
            return NULL;
        }
    }
    PyObject *json = curves ? json_of(c, compare_json) : NULL;
    if (json) return Py_BuildValue("NNN", json, bytes_of(c->t, c->n_times), curves);
    Py_XDECREF(curves);
    return NULL;
}

static PyObject *compare(const source *from, bri_compare_def *def, PyObject *progress) {
    bri_messages *wrong = PyMem_Malloc(sizeof *wrong);
    bri_compare *c = NULL;
    PyObject *result = NULL;
    watcher w;
    if (!wrong) return PyErr_NoMemory();
    def->scenario = from->text;
    def->overrides = from->overrides;
    def->n_overrides = from->n_overrides;
    def->known = from->laws;
    watcher_begin(&w, progress);
    bri_status status = bri_compare_run(def, &w.watch, &c, wrong);
    if (watcher_end(&w) == 0) result = status ? refuse_all(status, wrong) : comparison(c);
    bri_compare_free(c);
    PyMem_Free(wrong);
    return result;
}

PyObject *core_compare(PyObject *self, PyObject *args) {
    (void)self;
    PyObject *tuple, *names, *reference, *progress, *result = NULL;
    bri_compare_def def = {0};
    const bri_model **laws = NULL;
    source from;
    if (!PyArg_ParseTuple(args, "O!O!OzzzdpiO:compare", &PyTuple_Type, &tuple, &PyList_Type, &names,
                          &reference, &def.column, &def.measured, &def.map, &def.shift,
                          &def.find_shift, &def.threads, &progress))
        return NULL;
    if (source_take(&from, tuple) && source_models(&from, names, &laws, &def.n_laws) &&
        (reference == Py_None || (def.reference = source_model(from.laws, reference)))) {
        def.laws = laws;
        result = compare(&from, &def, progress);
    }
    PyMem_Free((void *)laws);
    source_free(&from);
    return result;
}

/* ---- identifying ----------------------------------------------------------------------------- */

static bri_status identified_json(const void *r, FILE *out, bri_error *err) {
    return bri_identified_json(r, out, err);
}

/* (json, [scenario or None, ...]) */
static PyObject *identification(const bri_identified *r, const bri_identify_def *def) {
    PyObject *rigs = PyList_New(0);
    for (int i = 0; rigs && i < r->n_fits; i++) {
        char *text = r->fits[i].err.status ? NULL : bri_identified_scenario(r, i, def, NULL);
        int failed = append(rigs, text ? PyUnicode_FromString(text) : Py_NewRef(Py_None));
        free(text);
        if (failed) {
            Py_DECREF(rigs);
            return NULL;
        }
    }
    PyObject *json = rigs ? json_of(r, identified_json) : NULL;
    if (json) return Py_BuildValue("NN", json, rigs);
    Py_XDECREF(rigs);
    return NULL;
}

static PyObject *identify(const source *from, bri_identify_def *def, PyObject *progress) {
    bri_messages *wrong = PyMem_Malloc(sizeof *wrong);
    bri_identified *r = NULL;
    PyObject *result = NULL;
    watcher w;
    if (!wrong) return PyErr_NoMemory();
    def->scenario = from->text;
    def->overrides = from->overrides;
    def->n_overrides = from->n_overrides;
    def->known = from->laws;
    watcher_begin(&w, progress);
    bri_status status = bri_identify_run(def, &w.watch, &r, wrong);
    if (watcher_end(&w) == 0) result = status ? refuse_all(status, wrong) : identification(r, def);
    bri_identified_free(r);
    PyMem_Free(wrong);
    return result;
}

PyObject *core_identify(PyObject *self, PyObject *args) {
    (void)self;
    PyObject *tuple, *names, *files, *validate, *progress, *result = NULL;
    bri_identify_def def = {0};
    const bri_model **laws = NULL;
    const char **data = NULL, **checks = NULL, *way;
    source from;
    if (!PyArg_ParseTuple(args, "O!O!O!O!szzsdpiO:identify", &PyTuple_Type, &tuple, &PyList_Type,
                          &names, &PyList_Type, &files, &PyList_Type, &validate, &def.map,
                          &def.unknown, &def.each, &way, &def.filter, &def.force, &def.threads,
                          &progress))
        return NULL;
    while (def.way < BRI_WAY_COUNT && strcmp(bri_way_name(def.way), way) != 0) def.way++;
    if (def.way == BRI_WAY_COUNT) {
        PyErr_Format(PyExc_ValueError, "way: '%.40s' is none of auto, curve, force, motion", way);
        return NULL;
    }
    if (source_take(&from, tuple) && source_models(&from, names, &laws, &def.n_laws) &&
        take_texts(files, &data, &def.n_files) && take_texts(validate, &checks, &def.n_validate)) {
        def.laws = laws;
        def.files = data;
        def.validate = checks;
        result = identify(&from, &def, progress);
    }
    PyMem_Free((void *)laws);
    PyMem_Free((void *)data);
    PyMem_Free((void *)checks);
    source_free(&from);
    return result;
}
