/* sim.c - a living simulation as an object of Python: its numbers are items, sim["pad.sigma0"]. */
#include "core.h"

typedef struct rig rig;

typedef struct sim_object {
    PyObject base;
    bri_sim *sim;
    PyObject *rig;      /* capsule of the rig that its copies share */
    const rig *made_of; /* what it holds */
    double *row, *y;    /* room for a row of columns, and for states and rates */
    int busy;           /* nonzero: a thread advances it */
} sim_object;

/* ---- the rig: what a simulation and its copies read --------------------------------------------
 */

struct rig {
    source from; /* owns the laws */
    bri_scenario *scenario;
    bri_recorder *recorder;
    PyObject *given; /* the tuple whose texts `from` points to */
};

static const char rig_capsule[] = "bristle.rig", save_capsule[] = "bristle.snapshot";

static void rig_free(rig *r) {
    bri_recorder_free(r->recorder);
    bri_scenario_free(r->scenario);
    source_free(&r->from);
    Py_XDECREF(r->given);
    PyMem_Free(r);
}

static void rig_drop(PyObject *capsule) { rig_free(PyCapsule_GetPointer(capsule, rig_capsule)); }

static PyObject *rig_new(PyObject *tuple) {
    rig *r = PyMem_Calloc(1, sizeof *r);
    if (!r) return PyErr_NoMemory();
    r->given = Py_NewRef(tuple);
    bri_error err;
    if (source_take(&r->from, tuple) && (r->scenario = source_read(&r->from))) {
        bri_status status = bri_recorder_create(bri_scenario_def(r->scenario), &r->recorder, &err);
        PyObject *capsule =
            status ? refuse(status, err.text) : PyCapsule_New(r, rig_capsule, rig_drop);
        if (capsule) return capsule;
    }
    rig_free(r);
    return NULL;
}

/* ---- from the first breath to the last --------------------------------------------------------
 */

static sim_object *sim_of(PyObject *self) { return (sim_object *)self; }

/* Room, and the rig; the simulation itself comes after. */
static PyObject *sim_alloc(PyTypeObject *type, PyObject *capsule) {
    PyObject *self = ((allocfunc)PyType_GetSlot(type, Py_tp_alloc))(type, 0);
    if (!self) return NULL;
    sim_object *s = sim_of(self);
    s->rig = Py_NewRef(capsule);
    s->made_of = PyCapsule_GetPointer(capsule, rig_capsule);
    return self;
}

static PyObject *sim_ready(PyObject *self, bri_status status, const bri_error *err) {
    sim_object *s = sim_of(self);
    if (status) {
        refuse(status, err->text);
    } else {
        size_t n = (size_t)bri_sim_states(s->sim);
        s->row = PyMem_Calloc((size_t)bri_recorder_columns(s->made_of->recorder), sizeof *s->row);
        s->y = PyMem_Calloc(2 * n + 1, sizeof *s->y);
        if (s->row && s->y) return self;
        PyErr_NoMemory();
    }
    Py_DECREF(self);
    return NULL;
}

static PyObject *sim_new(PyTypeObject *type, PyObject *args, PyObject *given) {
    PyObject *tuple;
    bri_error err;
    (void)given;
    if (!PyArg_ParseTuple(args, "O!:Sim", &PyTuple_Type, &tuple)) return NULL;
    PyObject *capsule = rig_new(tuple), *self = capsule ? sim_alloc(type, capsule) : NULL;
    Py_XDECREF(capsule);
    if (!self) return NULL;
    sim_object *s = sim_of(self);
    return sim_ready(self, bri_sim_create(bri_scenario_def(s->made_of->scenario), &s->sim, &err),
                     &err);
}

static void sim_dealloc(PyObject *self) {
    sim_object *s = sim_of(self);
    PyTypeObject *type = Py_TYPE(self);
    bri_sim_free(s->sim);
    Py_XDECREF(s->rig);
    PyMem_Free(s->row);
    PyMem_Free(s->y);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

/* Nonzero, and an exception: another thread is at it. */
static int is_busy(const sim_object *s) {
    if (s->busy)
        PyErr_SetString(PyExc_RuntimeError, "another thread advances this simulation: copy it");
    return s->busy;
}

static PyObject *sim_copy(PyObject *self, PyObject *ignored) {
    (void)ignored;
    sim_object *s = sim_of(self);
    bri_error err;
    if (is_busy(s)) return NULL;
    PyObject *twin = sim_alloc(Py_TYPE(self), s->rig);
    return twin ? sim_ready(twin, bri_sim_copy(s->sim, &sim_of(twin)->sim, &err), &err) : NULL;
}

/* ---- time -------------------------------------------------------------------------------------
 */

/* What advances: until t, in one go, by a step, or to the next event. */
typedef bri_status mover(sim_object *s, double t, bri_error *err);

static bri_status by_step(sim_object *s, double t, bri_error *err) {
    return bri_sim_step(s->sim, t, err);
}

static bri_status all_the_way(sim_object *s, double t, bri_error *err) {
    return bri_sim_advance(s->sim, t, err);
}

static bri_status to_event(sim_object *s, double t, bri_error *err) {
    return bri_sim_watch(s->sim, t, NULL, NULL, err);
}

static PyObject *move(PyObject *self, PyObject *to, mover *how) {
    sim_object *s = sim_of(self);
    double t = PyFloat_AsDouble(to);
    bri_error err;
    if ((t == -1.0 && PyErr_Occurred()) || is_busy(s)) return NULL;
    s->busy = 1;
    PyThreadState *others = PyEval_SaveThread();
    bri_status status = how(s, t, &err);
    PyEval_RestoreThread(others);
    s->busy = 0;
    if (status) return refuse(status, err.text);
    Py_RETURN_NONE;
}

static PyObject *sim_advance(PyObject *self, PyObject *to) { return move(self, to, all_the_way); }

static PyObject *sim_step(PyObject *self, PyObject *to) { return move(self, to, by_step); }

static const bri_system *system_of(const sim_object *s) {
    return &bri_scenario_def(s->made_of->scenario)->system;
}

static PyObject *sim_watch(PyObject *self, PyObject *to) {
    sim_object *s = sim_of(self);
    int before, after;
    if (is_busy(s)) return NULL;
    bri_sim_events(s->sim, &before, NULL);
    PyObject *done = move(self, to, to_event);
    const bri_event *e = done ? bri_sim_events(s->sim, &after, NULL) : NULL;
    if (!done || after == before) return done;
    Py_DECREF(done);
    return event_row(&e[after - 1], system_of(s));
}

static PyObject *sim_extend(PyObject *self, PyObject *to) {
    sim_object *s = sim_of(self);
    double t = PyFloat_AsDouble(to);
    bri_error err;
    if ((t == -1.0 && PyErr_Occurred()) || is_busy(s)) return NULL;
    bri_status status = bri_sim_extend(s->sim, t, &err);
    if (status) return refuse(status, err.text);
    Py_RETURN_NONE;
}

static PyObject *sim_reset(PyObject *self, PyObject *ignored) {
    (void)ignored;
    sim_object *s = sim_of(self);
    bri_error err;
    if (is_busy(s)) return NULL;
    bri_status status = bri_sim_reset(s->sim, &err);
    if (status) return refuse(status, err.text);
    Py_RETURN_NONE;
}

static PyObject *sim_events(PyObject *self, PyObject *ignored) {
    (void)ignored;
    sim_object *s = sim_of(self);
    int count;
    if (is_busy(s)) return NULL;
    const bri_event *e = bri_sim_events(s->sim, &count, NULL);
    PyObject *list = PyList_New(0);
    for (int i = 0; list && i < count; i++)
        if (append(list, event_row(&e[i], system_of(s)))) {
            Py_DECREF(list);
            return NULL;
        }
    bri_sim_forget_events(s->sim);
    return list;
}

/* ---- snapshots: opaque, they keep the rig alive -------------------------------------------------
 */

static void save_drop(PyObject *capsule) {
    Py_XDECREF((PyObject *)PyCapsule_GetContext(capsule));
    PyMem_Free(PyCapsule_GetPointer(capsule, save_capsule));
}

/* The simulation itself is kept, since what is saved holds only while it or a copy lives. */
static PyObject *sim_save(PyObject *self, PyObject *ignored) {
    (void)ignored;
    sim_object *s = sim_of(self);
    if (is_busy(s)) return NULL;
    size_t size = bri_sim_size(s->sim);
    if (!size)
        return refuse(BRI_BAD_VALUE, "a simulation with a solver of SUNDIALS cannot be saved");
    void *to = PyMem_Malloc(size);
    if (!to) return PyErr_NoMemory();
    bri_sim_save(s->sim, to);
    PyObject *capsule = PyCapsule_New(to, save_capsule, save_drop);
    if (!capsule)
        PyMem_Free(to);
    else
        PyCapsule_SetContext(capsule, Py_NewRef(self));
    return capsule;
}

static PyObject *sim_restore(PyObject *self, PyObject *capsule) {
    sim_object *s = sim_of(self);
    bri_error err;
    if (is_busy(s)) return NULL;
    if (!PyCapsule_IsValid(capsule, save_capsule)) {
        PyErr_SetString(PyExc_TypeError, "restore: what save() returned is wanted");
        return NULL;
    }
    bri_status status = bri_sim_restore(s->sim, PyCapsule_GetPointer(capsule, save_capsule), &err);
    if (status) return refuse(status, err.text);
    Py_RETURN_NONE;
}

/* ---- numbers ------------------------------------------------------------------------------------
 */

static int find_number(const sim_object *s, PyObject *name, bri_ref *ref) {
    Py_ssize_t length;
    bri_error err;
    const char *text = PyUnicode_AsUTF8AndSize(name, &length);
    if (!text || is_busy(s)) return 0;
    if (bri_sim_find(s->sim, text, ref, &err) == BRI_OK) return 1;
    PyErr_SetString(PyExc_KeyError, err.text);
    return 0;
}

static PyObject *sim_item(PyObject *self, PyObject *name) {
    bri_ref ref;
    if (!find_number(sim_of(self), name, &ref)) return NULL;
    return PyFloat_FromDouble(bri_sim_get(sim_of(self)->sim, ref));
}

static int sim_put(PyObject *self, PyObject *name, PyObject *value) {
    sim_object *s = sim_of(self);
    bri_ref ref;
    bri_error err;
    double x;
    if (!value) {
        PyErr_SetString(PyExc_TypeError, "a number cannot be deleted");
        return -1;
    }
    if (!find_number(s, name, &ref)) return -1;
    /* The unit is needed for texts only, and to find it takes longer than all the rest. */
    if (PyUnicode_Check(value) ? take_number(value, bri_sim_number(s->sim, ref).unit, &x)
                               : take_number(value, "", &x))
        return -1;
    if (bri_sim_set(s->sim, ref, x, &err) == BRI_OK) return 0;
    refuse(BRI_BAD_VALUE, err.text);
    return -1;
}

/* Several that must fit together. */
static PyObject *sim_set(PyObject *self, PyObject *given) {
    sim_object *s = sim_of(self);
    PyObject *key, *value;
    Py_ssize_t at = 0, n = PyDict_Size(given);
    int k = 0, good = n >= 0;
    bri_error err;
    bri_ref *refs = good ? PyMem_Calloc((size_t)n + 1, sizeof *refs) : NULL;
    double *x = good ? PyMem_Calloc((size_t)n + 1, sizeof *x) : NULL;
    if (good && (!refs || !x)) good = PyErr_NoMemory() != NULL;
    for (; good && PyDict_Next(given, &at, &key, &value); k++)
        good = find_number(s, key, &refs[k]) &&
               take_number(value, bri_sim_number(s->sim, refs[k]).unit, &x[k]) == 0;
    if (good && bri_sim_set_all(s->sim, refs, x, k, &err) != BRI_OK)
        good = refuse(BRI_BAD_VALUE, err.text) != NULL;
    PyMem_Free(refs);
    PyMem_Free(x);
    if (!good) return NULL;
    Py_RETURN_NONE;
}

static PyObject *sim_numbers(PyObject *self, PyObject *ignored) {
    (void)ignored;
    sim_object *s = sim_of(self);
    if (is_busy(s)) return NULL;
    PyObject *list = PyList_New(0);
    for (bri_ref r = {0}; list && bri_sim_ref_next(s->sim, &r);) {
        bri_number n = bri_sim_number(s->sim, r);
        if (append(list, Py_BuildValue("{s:s,s:s,s:d,s:d,s:d,s:s}", "name", n.name, "unit", n.unit,
                                       "value", n.value, "min", n.min, "max", n.max, "text",
                                       n.text ? n.text : ""))) {
            Py_DECREF(list);
            return NULL;
        }
    }
    return list;
}

/* ---- what it does now
 * ---------------------------------------------------------------------------- */

static PyObject *sim_read(PyObject *self, PyObject *const *args, Py_ssize_t count) {
    sim_object *s = sim_of(self);
    const bri_recorder *r = s->made_of->recorder;
    if (is_busy(s)) return NULL;
    if (count > 1) {
        PyErr_SetString(PyExc_TypeError, "read(column): one column, or none for all");
        return NULL;
    }
    Py_ssize_t length;
    const char *name = count ? PyUnicode_AsUTF8AndSize(args[0], &length) : NULL;
    if (count && !name) return NULL;
    int column = name ? bri_recorder_find(r, name) : 0;
    if (column < 0) {
        PyErr_Format(PyExc_KeyError, "there is no column '%.60s'; see sim.units", name);
        return NULL;
    }
    bri_recorder_read(r, s->sim, s->row);
    if (name) return PyFloat_FromDouble(s->row[column]);
    PyObject *all = PyDict_New();
    for (int i = 0; all && i < bri_recorder_columns(r); i++) {
        PyObject *x = PyFloat_FromDouble(s->row[i]);
        if (!x || PyDict_SetItemString(all, bri_recorder_name(r, i), x)) Py_CLEAR(all);
        Py_XDECREF(x);
    }
    return all;
}

static PyObject *sim_units(PyObject *self, void *ignored) {
    (void)ignored;
    const bri_recorder *r = sim_of(self)->made_of->recorder;
    PyObject *all = PyDict_New();
    for (int i = 0; all && i < bri_recorder_columns(r); i++) {
        PyObject *unit = PyUnicode_FromString(bri_recorder_unit(r, i));
        if (!unit || PyDict_SetItemString(all, bri_recorder_name(r, i), unit)) Py_CLEAR(all);
        Py_XDECREF(unit);
    }
    return all;
}

static PyObject *sim_time(PyObject *self, void *ignored) {
    (void)ignored;
    return PyFloat_FromDouble(bri_sim_time(sim_of(self)->sim));
}

static PyObject *sim_end(PyObject *self, void *ignored) {
    (void)ignored;
    return PyFloat_FromDouble(bri_scenario_def(sim_of(self)->made_of->scenario)->t_end);
}

static PyObject *sim_output(PyObject *self, void *ignored) {
    (void)ignored;
    return PyFloat_FromDouble(bri_scenario_output(sim_of(self)->made_of->scenario));
}

static PyObject *sim_title(PyObject *self, void *ignored) {
    (void)ignored;
    return PyUnicode_FromString(bri_scenario_title(sim_of(self)->made_of->scenario));
}

static PyObject *sim_stats(PyObject *self, void *ignored) {
    (void)ignored;
    bri_stats n = bri_sim_stats(sim_of(self)->sim);
    return Py_BuildValue("{s:l,s:l,s:l,s:l,s:l,s:l}", "steps", n.steps, "rejected", n.rejected,
                         "evals", n.evals, "jacobians", n.jacobians, "factorisations",
                         n.factorisations, "events", n.events);
}

/* ---- states and rates
 * ----------------------------------------------------------------------------- */

static PyObject *sim_states(PyObject *self, void *ignored) {
    (void)ignored;
    char name[BRI_ADDRESS];
    const bri_sim *sim = sim_of(self)->sim;
    int n = bri_sim_states(sim);
    PyObject *list = PyList_New(0);
    for (int k = 0; list && k < n; k++) {
        bri_sim_state_name(sim, k, name);
        if (append(list, PyUnicode_FromString(name))) Py_CLEAR(list);
    }
    return list;
}

static PyObject *sim_get_y(PyObject *self, void *ignored) {
    (void)ignored;
    sim_object *s = sim_of(self);
    if (is_busy(s)) return NULL;
    bri_sim_state_get(s->sim, s->y);
    return list_of(s->y, bri_sim_states(s->sim));
}

/* Numbers of a sequence into the room for states. */
static int take_states(const sim_object *s, PyObject *value) {
    Py_ssize_t n = value ? PySequence_Size(value) : -1, states = bri_sim_states(s->sim);
    if (!value) PyErr_SetString(PyExc_AttributeError, "y cannot be deleted");
    if (n < 0 || is_busy(s)) return 0;
    if (n != states) {
        PyErr_Format(PyExc_ValueError, "y: %zd numbers, where %zd are wanted", n, states);
        return 0;
    }
    for (Py_ssize_t i = 0; i < n; i++) {
        PyObject *item = PySequence_GetItem(value, i);
        s->y[i] = item ? PyFloat_AsDouble(item) : -1.0;
        Py_XDECREF(item);
        if (PyErr_Occurred()) return 0;
    }
    return 1;
}

static int sim_set_y(PyObject *self, PyObject *value, void *ignored) {
    (void)ignored;
    sim_object *s = sim_of(self);
    bri_error err;
    if (!take_states(s, value)) return -1;
    bri_status status = bri_sim_state_set(s->sim, s->y, &err);
    if (!status) return 0;
    refuse(status, err.text);
    return -1;
}

static PyObject *sim_rhs(PyObject *self, PyObject *args) {
    sim_object *s = sim_of(self);
    PyObject *y;
    double t;
    bri_error err;
    if (!PyArg_ParseTuple(args, "dO:rhs", &t, &y) || !take_states(s, y)) return NULL;
    int n = bri_sim_states(s->sim);
    bri_status status = bri_sim_rhs(s->sim, t, s->y, s->y + n, &err);
    return status ? refuse(status, err.text) : list_of(s->y + n, n);
}

static PyObject *sim_jacobian(PyObject *self, PyObject *args) {
    sim_object *s = sim_of(self);
    PyObject *y;
    double t;
    bri_error err;
    if (!PyArg_ParseTuple(args, "dO:jacobian", &t, &y) || !take_states(s, y)) return NULL;
    size_t n = (size_t)bri_sim_states(s->sim);
    double *J = PyMem_Calloc(n * n + 1, sizeof *J);
    if (!J) return PyErr_NoMemory();
    bri_status status = bri_sim_jacobian(s->sim, t, s->y, J, &err);
    PyObject *rows = status ? refuse(status, err.text) : PyList_New(0);
    for (size_t i = 0; rows && i < n; i++)
        if (append(rows, list_of(J + i * n, (Py_ssize_t)n))) Py_CLEAR(rows);
    PyMem_Free(J);
    return rows;
}

/* ---- the type
 * ---------------------------------------------------------------------------------------- */

static PyMethodDef sim_methods[] = {
    {"advance", sim_advance, METH_O, "advance(t): go on to time t [s]"},
    {"step", sim_step, METH_O, "step(t): go on by one step of the integrator, not beyond t"},
    {"watch", sim_watch, METH_O,
     "watch(t): go on to the next event at a contact, (t, contact, from, to, F), or to t: None"},
    {"extend", sim_extend, METH_O, "extend(t_end): let the run end later than planned"},
    {"reset", sim_reset, METH_NOARGS, "reset(): back to the start, with the numbers as they are"},
    {"events", sim_events, METH_NOARGS,
     "events(): those since the last call, each (t, contact, from, to, F)"},
    {"copy", sim_copy, METH_NOARGS, "copy(): another simulation in the same condition"},
    {"save", sim_save, METH_NOARGS, "save(): a snapshot, for restore"},
    {"restore", sim_restore, METH_O, "restore(snapshot): back to what was saved, to the bit"},
    {"_set", sim_set, METH_O, "_set(dict): several numbers at once"},
    {"numbers", sim_numbers, METH_NOARGS,
     "numbers(): all of them, each with name, unit, value, min, max, text"},
    {"read", (PyCFunction)(void (*)(void))sim_read, METH_FASTCALL,
     "read(column): its value now, as in the columns of a run; read(): a dict of all"},
    {"rhs", sim_rhs, METH_VARARGS, "rhs(t, y): the rates dy/dt, a list"},
    {"jacobian", sim_jacobian, METH_VARARGS, "jacobian(t, y): d(dy/dt)/dy, a list of rows"},
    {NULL, NULL, 0, NULL}};

static PyGetSetDef sim_getset[] = {
    {"t", sim_time, NULL, "the present time [s]", NULL},
    {"t_end", sim_end, NULL, "the planned end of the run [s]", NULL},
    {"output", sim_output, NULL, "time between the rows of the scenario [s]", NULL},
    {"title", sim_title, NULL, "the title of the scenario", NULL},
    {"units", sim_units, NULL, "columns that can be read, and their units", NULL},
    {"stats", sim_stats, NULL, "counters of the integrator", NULL},
    {"states", sim_states, NULL, "names of the states y", NULL},
    {"y", sim_get_y, sim_set_y, "the states now: positions, velocities, states of contacts", NULL},
    {NULL, NULL, NULL, NULL, NULL}};

static PyType_Slot sim_slots[] = {{Py_tp_doc, "A living simulation."}, {Py_tp_new, sim_new},
                                  {Py_tp_dealloc, sim_dealloc},        {Py_mp_subscript, sim_item},
                                  {Py_mp_ass_subscript, sim_put},      {Py_tp_methods, sim_methods},
                                  {Py_tp_getset, sim_getset},          {0, NULL}};
PyType_Spec sim_spec = {"bristle._core.Sim", sizeof(sim_object), 0,
                        Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, sim_slots};
