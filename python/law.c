/* law.c - a friction law as an object of Python: parameters are attributes, states are its own. */
#include "core.h"

/* ---- laws ------------------------------------------------------------------------------------ */

typedef struct law_object {
    PyObject base;
    bri_law *own;  /* of a page of text; NULL: of the library */
    bri_laws *set; /* where it was found */
    const bri_model *model;
    double p[BRI_MAX_PARAMS], z[BRI_MAX_STATES];
} law_object;

static law_object *law_of(PyObject *self) { return (law_object *)self; }

static int law_find(law_object *l, const char *name) {
    l->set = bri_laws_new(NULL);
    l->model = l->set ? bri_laws_find(l->set, name) : NULL;
    if (l->model) return 1;
    const char *near = l->set ? bri_laws_nearest(l->set, name) : NULL;
    if (near)
        PyErr_Format(PyExc_KeyError, "there is no law '%.40s'; did you mean '%s'?", name, near);
    else
        PyErr_Format(PyExc_KeyError, "there is no law '%.40s'; see bristle.laws()", name);
    return 0;
}

static int law_read(law_object *l, const char *text, Py_ssize_t length) {
    bri_messages *wrong = PyMem_Malloc(sizeof *wrong);
    if (!wrong) return PyErr_NoMemory() != NULL;
    bri_status status = bri_law_parse(text, (size_t)length, "text", &l->own, wrong);
    if (status)
        refuse_all(status, wrong);
    else
        l->model = bri_law_model(l->own);
    PyMem_Free(wrong);
    return status == BRI_OK;
}

/* A number, or text with a unit, into a parameter; the others must still fit. */
static int law_put(law_object *l, int i, PyObject *value) {
    const bri_param *row = &l->model->params[i];
    double x, before = l->p[i];
    bri_error err;
    if (!value) {
        PyErr_Format(PyExc_AttributeError, "%s cannot be deleted", row->name);
        return -1;
    }
    if (take_number(value, row->unit, &x)) return -1;
    l->p[i] = x;
    if (bri_model_check(l->model, l->p, &err) == BRI_OK) return 0;
    l->p[i] = before;
    refuse(BRI_BAD_VALUE, err.text);
    return -1;
}

static int no_parameter(const law_object *l, const char *name, PyObject *kind) {
    const char *names[BRI_MAX_PARAMS];
    for (int i = 0; i < l->model->n_params; i++) names[i] = l->model->params[i].name;
    const char *near = bri_nearest(name, names, l->model->n_params);
    PyErr_Format(kind,
                 near ? "%s has no parameter '%s'; did you mean '%s'?" : "%s has no parameter '%s'",
                 l->model->name, name, near);
    return -1;
}

/* Parameters given together need to fit together only. */
static int law_put_all(law_object *l, PyObject *given) {
    PyObject *key, *value;
    Py_ssize_t at = 0;
    double before[BRI_MAX_PARAMS];
    memcpy(before, l->p, sizeof before);
    /* Twice: a level may have to wait for the other one. */
    for (int round = 0; round < 2; round++) {
        int failed = 0;
        at = 0;
        while (PyDict_Next(given, &at, &key, &value)) {
            Py_ssize_t length;
            const char *name = PyUnicode_AsUTF8AndSize(key, &length);
            int i = name ? bri_model_param(l->model, name) : -1;
            if (i < 0 || strcmp(l->model->params[i].name, name) != 0)
                return name ? no_parameter(l, name, PyExc_TypeError) : -1;
            if (law_put(l, i, value)) {
                failed = 1;
                if (round == 1) break;
                PyErr_Clear();
            }
        }
        if (!failed) return 0;
    }
    memcpy(l->p, before, sizeof before);
    return -1;
}

static PyObject *law_new(PyTypeObject *type, PyObject *args, PyObject *given) {
    PyObject *from;
    int is_text = 0;
    if (!PyArg_ParseTuple(args, "U|p:Law", &from, &is_text)) return NULL;
    Py_ssize_t length;
    const char *text = PyUnicode_AsUTF8AndSize(from, &length);
    allocfunc make = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    PyObject *self = text ? make(type, 0) : NULL;
    if (!self) return NULL;
    law_object *l = law_of(self);
    if (is_text ? law_read(l, text, length) : law_find(l, text)) {
        bri_model_defaults(l->model, l->p);
        if (!given || law_put_all(l, given) == 0) {
            bri_model_rest(l->model, l->p, l->z);
            return self;
        }
    }
    Py_DECREF(self);
    return NULL;
}

static void law_dealloc(PyObject *self) {
    law_object *l = law_of(self);
    PyTypeObject *type = Py_TYPE(self);
    bri_law_free(l->own);
    bri_laws_free(l->set);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

/* Methods come first: a parameter that is called like one is read by law.parameters. */
static PyObject *law_getattro(PyObject *self, PyObject *name) {
    law_object *l = law_of(self);
    Py_ssize_t length;
    PyObject *found = PyObject_GenericGetAttr(self, name);
    if (found || !PyErr_ExceptionMatches(PyExc_AttributeError)) return found;
    const char *text = PyUnicode_AsUTF8AndSize(name, &length);
    int i = text ? bri_model_param(l->model, text) : -1;
    if (i < 0 || strcmp(l->model->params[i].name, text) != 0) return NULL;
    PyErr_Clear();
    return PyFloat_FromDouble(l->p[i]);
}

static int law_setattro(PyObject *self, PyObject *name, PyObject *value) {
    law_object *l = law_of(self);
    Py_ssize_t length;
    const char *text = PyUnicode_AsUTF8AndSize(name, &length);
    int i = text ? bri_model_param(l->model, text) : -1;
    if (!text) return -1;
    if (i >= 0 && strcmp(l->model->params[i].name, text) == 0) return law_put(l, i, value);
    /* what classes have, and what is private; anything else is a parameter that is misspelt */
    if (text[0] != '_' && !PyObject_HasAttr((PyObject *)Py_TYPE(self), name))
        return no_parameter(l, text, PyExc_AttributeError);
    return PyObject_GenericSetAttr(self, name, value);
}

/* ---- one contact ----------------------------------------------------------------------------- */

/* Floats of a call, from `least` to `most` of them. */
static int take_floats(PyObject *const *args, Py_ssize_t count, Py_ssize_t least, Py_ssize_t most,
                       double *to, const char *form) {
    if (count < least || count > most) {
        PyErr_Format(PyExc_TypeError, "%s: %zd arguments", form, count);
        return 0;
    }
    for (Py_ssize_t i = 0; i < count; i++) {
        to[i] = PyFloat_AsDouble(args[i]);
        if (to[i] == -1.0 && PyErr_Occurred()) return 0;
        if (!isfinite(to[i])) {
            PyErr_Format(PyExc_ValueError, "%s: argument %zd is not a finite number", form, i + 1);
            return 0;
        }
    }
    return 1;
}

static PyObject *law_force(PyObject *self, PyObject *const *args, Py_ssize_t count) {
    law_object *l = law_of(self);
    double a[4] = {0}, dz[BRI_MAX_STATES];
    if (!take_floats(args, count, 2, 4, a, "force(v, n, x=0, fa=0)")) return NULL;
    bri_input u = {.v = a[0], .n = a[1], .x = a[2], .fa = a[3]};
    return PyFloat_FromDouble(bri_model_eval(l->model, l->p, &u, l->z, dz));
}

static PyObject *law_rates(PyObject *self, PyObject *const *args, Py_ssize_t count) {
    law_object *l = law_of(self);
    double a[3] = {0}, dz[BRI_MAX_STATES];
    if (!take_floats(args, count, 2, 3, a, "rates(v, n, x=0)")) return NULL;
    bri_input u = {.v = a[0], .n = a[1], .x = a[2]};
    bri_model_eval(l->model, l->p, &u, l->z, dz);
    int k = bri_model_states(l->model, l->p);
    return list_of(dz, k);
}

static PyObject *law_jac(PyObject *self, PyObject *const *args, Py_ssize_t count) {
    law_object *l = law_of(self);
    double a[3] = {0}, J[(1 + BRI_MAX_STATES) * (3 + BRI_MAX_STATES)];
    if (!take_floats(args, count, 2, 3, a, "jac(v, n, x=0)")) return NULL;
    bri_input u = {.v = a[0], .n = a[1], .x = a[2]};
    int k = bri_model_states(l->model, l->p);
    bri_model_jac(l->model, l->p, &u, l->z, J);
    PyObject *rows = PyList_New(0);
    for (int i = 0; rows && i <= k; i++)
        if (append(rows, list_of(J + i * (3 + k), 3 + k))) Py_CLEAR(rows);
    return rows;
}

static PyObject *law_params_jac(PyObject *self, PyObject *const *args, Py_ssize_t count) {
    law_object *l = law_of(self);
    double a[3] = {0}, D[(1 + BRI_MAX_STATES) * BRI_MAX_PARAMS];
    if (!take_floats(args, count, 2, 3, a, "params_jac(v, n, x=0)")) return NULL;
    bri_input u = {.v = a[0], .n = a[1], .x = a[2]};
    int k = bri_model_states(l->model, l->p), n = l->model->n_params;
    bri_model_params_jac(l->model, l->p, &u, l->z, D);
    PyObject *rows = PyList_New(0);
    for (int i = 0; rows && i <= k; i++)
        if (append(rows, list_of(D + i * n, n))) Py_CLEAR(rows);
    return rows;
}

static PyObject *law_step(PyObject *self, PyObject *const *args, Py_ssize_t count) {
    law_object *l = law_of(self);
    double a[5] = {0};
    if (!take_floats(args, count, 3, 5, a, "step(v, n, h, x=0, fa=0)")) return NULL;
    if (!(a[2] >= 0.0)) return refuse(BRI_BAD_VALUE, "step: h must be >= 0");
    bri_input u = {.v = a[0], .n = a[1], .x = a[3], .fa = a[4]};
    return PyFloat_FromDouble(bri_model_step(l->model, l->p, &u, a[2], l->z));
}

static PyObject *law_mass_step(PyObject *self, PyObject *const *args, Py_ssize_t count) {
    law_object *l = law_of(self);
    double a[6];
    if (!take_floats(args, count, 6, 6, a, "mass_step(mass, force, n, h, x, v)")) return NULL;
    bri_push on = {.mass = a[0], .force = a[1], .n = a[2]};
    double F = bri_mass_step(l->model, l->p, &on, a[3], &a[4], &a[5], l->z);
    if (isnan(F))
        return refuse(BRI_BAD_VALUE,
                      "mass_step: mass and h must be positive, force and v finite numbers");
    return Py_BuildValue("ddd", F, a[4], a[5]);
}

static PyObject *law_rest(PyObject *self, PyObject *ignored) {
    (void)ignored;
    law_object *l = law_of(self);
    bri_model_rest(l->model, l->p, l->z);
    Py_RETURN_NONE;
}

/* ---- arrays of contacts ---------------------------------------------------------------------- */

/* 0 after an exception. */
static int all_finite(const Py_buffer *view, const char *name) {
    const double *x = view->buf;
    Py_ssize_t n = view->len / (Py_ssize_t)sizeof *x, i = 0;
    while (i < n && isfinite(x[i])) i++;
    if (i < n) PyErr_Format(PyExc_ValueError, "%s: number %zd is not finite", name, i);
    return i == n;
}

static void batch_step(const law_object *l, const Py_buffer *view, const double *load, size_t count,
                       double h) {
    bri_batch b = {.model = l->model,
                   .count = count,
                   .p = l->p,
                   .v = view[0].buf,
                   .n = load ? load : view[1].buf,
                   .own_loads = !load};
    PyThreadState *others = PyEval_SaveThread();
    bri_batch_step(&b, h, view[2].buf, view[3].buf);
    PyEval_RestoreThread(others);
}

static PyObject *law_steps(PyObject *self, PyObject *args) {
    law_object *l = law_of(self);
    PyObject *from[4]; /* v, n, z, F */
    Py_buffer view[4];
    static const char *const names[] = {"v", "n", "z", "F"};
    double h;
    if (!PyArg_ParseTuple(args, "OOdOO:steps", &from[0], &from[1], &h, &from[2], &from[3]))
        return NULL;
    if (!(h >= 0.0) || !isfinite(h)) return refuse(BRI_BAD_VALUE, "steps: h must be >= 0");
    int one_load = PyFloat_Check(from[1]) || PyLong_Check(from[1]), taken = 0;
    double load = one_load ? PyFloat_AsDouble(from[1]) : 0.0;
    if (!isfinite(load)) return refuse(BRI_BAD_VALUE, "steps: the load is not a finite number");
    Py_ssize_t count = -1;
    for (int i = 0; i < 4; i++) {
        if (i == 1 && one_load) continue;
        Py_ssize_t wanted = i == 2 ? count * bri_model_states(l->model, l->p) : count;
        if (!take_doubles(from[i], &view[i], wanted, i > 1, names[i])) goto done;
        taken |= 1 << i;
        if (i < 3 && !all_finite(&view[i], names[i])) goto done;
        if (i == 0) count = view[0].len / (Py_ssize_t)sizeof(double);
    }
    batch_step(l, view, one_load ? &load : NULL, (size_t)count, h);
done:
    for (int i = 0; i < 4; i++)
        if (taken & 1 << i) PyBuffer_Release(&view[i]);
    if (PyErr_Occurred()) return NULL;
    Py_RETURN_NONE;
}

static PyObject *law_curve(PyObject *self, PyObject *args) {
    law_object *l = law_of(self);
    PyObject *speeds, *forces;
    Py_buffer v, F;
    bri_setup s;
    double load;
    if (!PyArg_ParseTuple(args, "OdO:curve", &speeds, &load, &forces)) return NULL;
    bri_setup_init(&s, l->model);
    memcpy(s.p, l->p, sizeof s.p);
    s.load = load;
    if (!isfinite(load)) return refuse(BRI_BAD_VALUE, "curve: the load is not a finite number");
    if (!take_doubles(speeds, &v, -1, 0, "v")) return NULL;
    if (all_finite(&v, "v") &&
        take_doubles(forces, &F, v.len / (Py_ssize_t)sizeof(double), 1, "F")) {
        PyThreadState *others = PyEval_SaveThread();
        for (size_t i = 0; i < (size_t)v.len / sizeof(double); i++)
            ((double *)F.buf)[i] = bri_steady_force(&s, ((const double *)v.buf)[i]);
        PyEval_RestoreThread(others);
        PyBuffer_Release(&F);
    }
    PyBuffer_Release(&v);
    if (PyErr_Occurred()) return NULL;
    Py_RETURN_NONE;
}

/* ---- what is known of a law ------------------------------------------------------------------ */

static PyObject *law_text(PyObject *self, void *which) {
    const bri_model *m = law_of(self)->model;
    const char *const texts[] = {m->name, m->title, m->equations, m->limits, m->cite, m->defaults};
    return PyUnicode_FromString(texts[(size_t)which]);
}

static PyObject *law_load(PyObject *self, void *ignored) {
    (void)ignored;
    return PyFloat_FromDouble(law_of(self)->model->load);
}

/* The law for the functions of this module; it keeps the object alive. */
const char law_capsule[] = "bristle.model";

static void model_drop(PyObject *capsule) { Py_XDECREF((PyObject *)PyCapsule_GetContext(capsule)); }

static PyObject *law_model(PyObject *self, void *ignored) {
    (void)ignored;
    PyObject *capsule = PyCapsule_New((void *)law_of(self)->model, law_capsule, model_drop);
    if (capsule) PyCapsule_SetContext(capsule, Py_NewRef(self));
    return capsule;
}

static PyObject *law_parameters(PyObject *self, void *ignored) {
    (void)ignored;
    law_object *l = law_of(self);
    PyObject *list = PyList_New(l->model->n_params);
    for (int i = 0; list && i < l->model->n_params; i++) {
        const bri_param *r = &l->model->params[i];
        PyObject *row = Py_BuildValue("{s:s,s:s,s:d,s:d,s:d,s:d,s:s}", "name", r->name, "unit",
                                      r->unit, "value", l->p[i], "default", r->def, "min", r->min,
                                      "max", r->max, "text", r->text);
        if (!row || PyList_SetItem(list, i, row)) {
            Py_DECREF(list);
            return NULL;
        }
    }
    return list;
}

static PyObject *law_states(PyObject *self, void *ignored) {
    (void)ignored;
    law_object *l = law_of(self);
    int k = bri_model_states(l->model, l->p);
    PyObject *list = PyList_New(k);
    for (int i = 0; list && i < k; i++) {
        const bri_state *r = &l->model->states[i];
        PyObject *row = Py_BuildValue("{s:s,s:s,s:d,s:d,s:s}", "name", r->name, "unit", r->unit,
                                      "value", l->z[i], "nominal", r->nominal, "text", r->text);
        if (!row || PyList_SetItem(list, i, row)) {
            Py_DECREF(list);
            return NULL;
        }
    }
    return list;
}

static PyObject *law_get_z(PyObject *self, void *ignored) {
    (void)ignored;
    law_object *l = law_of(self);
    return list_of(l->z, bri_model_states(l->model, l->p));
}

static int law_set_z(PyObject *self, PyObject *value, void *ignored) {
    (void)ignored;
    law_object *l = law_of(self);
    double z[BRI_MAX_STATES];
    int k = bri_model_states(l->model, l->p);
    Py_ssize_t n = value ? PySequence_Size(value) : -1;
    if (!value) PyErr_SetString(PyExc_AttributeError, "z cannot be deleted");
    if (n < 0) return -1;
    if (n != k) {
        PyErr_Format(PyExc_ValueError, "z: %zd numbers, where %d are wanted", n, k);
        return -1;
    }
    for (int i = 0; i < k; i++) {
        PyObject *item = PySequence_GetItem(value, i);
        z[i] = item ? PyFloat_AsDouble(item) : -1.0;
        Py_XDECREF(item);
        if (PyErr_Occurred()) return -1;
        if (!isfinite(z[i])) {
            PyErr_SetString(PyExc_ValueError, "z: a state is not a number");
            return -1;
        }
    }
    memcpy(l->z, z, sizeof *z * (size_t)k);
    return 0;
}

#define FAST(name, words)                                                                          \
    { #name, (PyCFunction)(void (*)(void))law_##name, METH_FASTCALL, words }
static PyMethodDef law_methods[] = {
    FAST(force, "force(v, n, x=0, fa=0): friction force [N] with the present states"),
    FAST(rates, "rates(v, n, x=0): rates of the states"),
    FAST(jac, "jac(v, n, x=0): d(F, rates)/d(x, v, n, states), a list of rows"),
    FAST(params_jac, "params_jac(v, n, x=0): d(F, rates)/d(parameters), a list of rows"),
    FAST(step,
         "step(v, n, h, x=0, fa=0): advance the states by h [s], return the force at the end"),
    FAST(mass_step, "mass_step(mass, force, n, h, x, v): advance a mass with its contact by h; "
                    "(F, x, v)"),
    {"rest", law_rest, METH_NOARGS, "rest(): states of a contact that has been at rest for long"},
    {"_steps", law_steps, METH_VARARGS, "_steps(v, n, h, z, F)"},
    {"_curve", law_curve, METH_VARARGS, "_curve(v, n, F)"},
    {NULL, NULL, 0, NULL}};

static PyGetSetDef law_getset[] = {
    {"name", law_text, NULL, "name of the law", (void *)0},
    {"title", law_text, NULL, "what it is, in one line", (void *)1},
    {"equations", law_text, NULL, "its equations", (void *)2},
    {"limits", law_text, NULL, "what it cannot do", (void *)3},
    {"cite", law_text, NULL, "where it comes from", (void *)4},
    {"defaults", law_text, NULL, "where the default parameters come from", (void *)5},
    {"load", law_load, NULL, "normal load of the default parameters [N]", NULL},
    {"parameters", law_parameters, NULL,
     "the parameters: name, unit, value, default, min, max, text", NULL},
    {"states", law_states, NULL, "the states: name, unit, value, nominal, text", NULL},
    {"z", law_get_z, law_set_z, "values of the states", NULL},
    {"_model", law_model, NULL, "the law for functions of the module", NULL},
    {NULL, NULL, NULL, NULL, NULL}};

static PyType_Slot law_slots[] = {
    {Py_tp_doc, "A friction law with parameters and states of its own."},
    {Py_tp_new, law_new},
    {Py_tp_dealloc, law_dealloc},
    {Py_tp_getattro, law_getattro},
    {Py_tp_setattro, law_setattro},
    {Py_tp_methods, law_methods},
    {Py_tp_getset, law_getset},
    {0, NULL}};
PyType_Spec law_spec = {"bristle._core.Law", sizeof(law_object), 0,
                        Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, law_slots};
