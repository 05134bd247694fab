/* run.c - a scenario read and run, its columns as bytes. */
#include "core.h"

/* ---- runs ------------------------------------------------------------------------------------ */

static PyObject *columns_of(const bri_trace *t) {
    PyObject *names = PyDict_New();
    for (int i = 0; names && i < t->n_columns; i++) {
        PyObject *column = Py_BuildValue("(y#s)", (const char *)bri_trace_column(t, i),
                                         (Py_ssize_t)t->n_rows * (Py_ssize_t)sizeof(double),
                                         bri_recorder_unit(t->recorder, i));
        if (!column || PyDict_SetItemString(names, bri_recorder_name(t->recorder, i), column)) {
            Py_XDECREF(column);
            Py_DECREF(names);
            return NULL;
        }
        Py_DECREF(column);
    }
    return names;
}

static PyObject *events_of(const bri_trace *t, const bri_sim_def *def) {
    PyObject *list = PyList_New(0);
    for (long i = 0; list && i < t->n_events; i++) {
        const bri_event *e = &t->events[i];
        const char *name = def->system.contacts[e->contact].name;
        PyObject *row = Py_BuildValue("(dsiid)", e->t, name ? name : "", e->from, e->to, e->F);
        if (!row || PyList_Append(list, row)) {
            Py_XDECREF(row);
            Py_DECREF(list);
            return NULL;
        }
        Py_DECREF(row);
    }
    return list;
}

static PyObject *run_scenario(bri_scenario *s) {
    bri_trace t;
    bri_status status;
    PyObject *result = NULL;
    PyThreadState *others = PyEval_SaveThread();
    status = bri_trace_run(&t, bri_scenario_def(s), bri_scenario_output(s), NULL);
    PyEval_RestoreThread(others);
    if (status) {
        refuse(status, t.err.text);
    } else {
        PyObject *columns = columns_of(&t);
        PyObject *events = columns ? events_of(&t, bri_scenario_def(s)) : NULL;
        result = events ? Py_BuildValue("sNN", bri_scenario_title(s), columns, events) : NULL;
        if (!result) Py_XDECREF(columns), Py_XDECREF(events);
    }
    bri_trace_free(&t);
    return result;
}

/* "key", "value" pairs of a list into overrides; the texts are those of the list. */
static int take_overrides(PyObject *list, bri_override *to, int room) {
    Py_ssize_t n = PyList_Size(list), length;
    if (n < 0) return -1;
    if (n > room) {
        PyErr_Format(PyExc_ValueError, "more than %d values are set", room);
        return -1;
    }
    for (Py_ssize_t i = 0; i < n; i++) {
        PyObject *pair = PyList_GetItem(list, i), *key, *value;
        if (!pair || !PyArg_ParseTuple(pair, "UU", &key, &value)) return -1;
        to[i].key = PyUnicode_AsUTF8AndSize(key, &length);
        to[i].value = PyUnicode_AsUTF8AndSize(value, &length);
        if (!to[i].key || !to[i].value) return -1;
    }
    return (int)n;
}

PyObject *core_run(PyObject *self, PyObject *args) {
    (void)self;
    enum { ROOM = 200 };
    const char *source, *model;
    Py_ssize_t length;
    int is_text;
    PyObject *list, *result = NULL;
    if (!PyArg_ParseTuple(args, "s#pO!z:run", &source, &length, &is_text, &PyList_Type, &list,
                          &model))
        return NULL;
    bri_override *overrides = PyMem_Malloc(ROOM * sizeof *overrides);
    bri_messages *wrong = PyMem_Malloc(sizeof *wrong);
    bri_scenario *s = NULL;
    bri_scenario_options how = {.overrides = overrides};
    int n = overrides && wrong ? take_overrides(list, overrides, ROOM) : -1;
    bri_laws *laws = n >= 0 ? bri_laws_new(NULL) : NULL;
    if (n >= 0 && model && laws && !(how.model = bri_laws_find(laws, model))) {
        PyErr_Format(PyExc_KeyError, "there is no law '%.40s'", model);
    } else if (laws) {
        how.n_overrides = n;
        bri_status status =
            is_text ? bri_scenario_parse(source, (size_t)length, "text", &how, &s, wrong)
                    : bri_scenario_load(source, &how, &s, wrong);
        result = status ? refuse_all(status, wrong) : run_scenario(s);
    } else if (!PyErr_Occurred()) {
        PyErr_NoMemory();
    }
    bri_scenario_free(s);
    bri_laws_free(laws);
    PyMem_Free(overrides);
    PyMem_Free(wrong);
    return result;
}
