/* run.c - a scenario read and run, its columns as bytes. */
#include "core.h"

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

PyObject *event_row(const bri_event *e, const bri_system *system) {
    const char *name = system->contacts[e->contact].name;
    return Py_BuildValue("(dsiid)", e->t, name ? name : "", e->from, e->to, e->F);
}

static PyObject *events_of(const bri_trace *t, const bri_system *system) {
    PyObject *list = PyList_New(0);
    for (long i = 0; list && i < t->n_events; i++)
        if (append(list, event_row(&t->events[i], system))) {
            Py_DECREF(list);
            return NULL;
        }
    return list;
}

static PyObject *run_scenario(bri_scenario *s, PyObject *progress) {
    bri_trace t;
    watcher w;
    PyObject *result = NULL;
    const bri_sim_def *def = bri_scenario_def(s);
    watcher_begin(&w, progress);
    bri_status status = bri_trace_run(&t, def, bri_scenario_output(s), &w.watch);
    if (watcher_end(&w) == 0) {
        if (status) {
            refuse(status, t.err.text);
        } else {
            PyObject *columns = columns_of(&t);
            PyObject *events = columns ? events_of(&t, &def->system) : NULL;
            result = events ? Py_BuildValue("sNNs", bri_scenario_title(s), columns, events,
                                            bri_scenario_notes(s))
                            : NULL;
            if (!events) Py_XDECREF(columns);
        }
    }
    bri_trace_free(&t);
    return result;
}

PyObject *core_run(PyObject *self, PyObject *args) {
    (void)self;
    PyObject *tuple, *progress, *result = NULL;
    source from;
    if (!PyArg_ParseTuple(args, "O!O:run", &PyTuple_Type, &tuple, &progress)) return NULL;
    if (source_take(&from, tuple)) {
        bri_scenario *s = source_read(&from);
        if (s) result = run_scenario(s, progress);
        bri_scenario_free(s);
    }
    source_free(&from);
    return result;
}
