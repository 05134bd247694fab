/* core.c - the extension bristle._core: laws and runs for Python, by the stable interface of 3.11.
 *
 * Numbers go in and out as floats, or as buffers of doubles without a copy; the interpreter is let
 * go while arrays and runs are computed. A law of Python owns its parameters and states. What the
 * library refuses is ValueError with its sentence, a name it does not know KeyError or
 * AttributeError, a run that fails RuntimeError. */
#include "core.h"

/* ---- errors ---------------------------------------------------------------------------------- */

PyObject *refuse(bri_status status, const char *words) {
    PyObject *kind = status == BRI_NO_MEMORY     ? PyExc_MemoryError
                     : status == BRI_BAD_FILE    ? PyExc_OSError
                     : status == BRI_NO_PROGRESS ? PyExc_RuntimeError
                     : status == BRI_MISSING     ? PyExc_RuntimeError
                                                 : PyExc_ValueError;
    PyErr_SetString(kind, words);
    return NULL;
}

/* All that is wrong with a text, a line each. */
PyObject *refuse_all(bri_status status, const bri_messages *m) {
    PyObject *all = PyUnicode_FromString("");
    for (int i = 0; all && i < m->count; i++) {
        PyObject *more = PyUnicode_FromFormat("%U%s%s", all, i ? "\n" : "", m->message[i].text);
        Py_DECREF(all);
        all = more;
    }
    if (!all) return NULL;
    PyErr_SetObject(status == BRI_NO_MEMORY  ? PyExc_MemoryError
                    : status == BRI_BAD_FILE ? PyExc_OSError
                                             : PyExc_ValueError,
                    all);
    Py_DECREF(all);
    return NULL;
}

/* ---- arrays ---------------------------------------------------------------------------------- */

int take_doubles(PyObject *from, Py_buffer *view, Py_ssize_t wanted, int write, const char *name) {
    if (PyObject_GetBuffer(from, view,
                           PyBUF_C_CONTIGUOUS | PyBUF_FORMAT | (write ? PyBUF_WRITABLE : 0)))
        return 0;
    const char *format = view->format ? view->format : "B";
    if (*format == '@' || *format == '=') format++;
    if (strcmp(format, "d") != 0) {
        PyErr_Format(PyExc_TypeError, "%s: doubles are wanted, format 'd', not '%s'", name, format);
    } else if (wanted >= 0 && view->len != wanted * (Py_ssize_t)sizeof(double)) {
        PyErr_Format(PyExc_ValueError, "%s: %zd numbers, where %zd are wanted", name,
                     view->len / (Py_ssize_t)sizeof(double), wanted);
    } else {
        return 1;
    }
    PyBuffer_Release(view);
    return 0;
}

int take_number(PyObject *from, const char *unit, double *value) {
    bri_error err;
    Py_ssize_t length;
    if (!PyUnicode_Check(from)) {
        *value = PyFloat_AsDouble(from);
        return *value == -1.0 && PyErr_Occurred() ? -1 : 0;
    }
    const char *text = PyUnicode_AsUTF8AndSize(from, &length);
    if (!text) return -1;
    if (bri_quantity(text, unit, value, &err) == BRI_OK) return 0;
    refuse(BRI_BAD_VALUE, err.text);
    return -1;
}

PyObject *list_of(const double *x, Py_ssize_t count) {
    PyObject *list = PyList_New(count);
    for (Py_ssize_t i = 0; list && i < count; i++)
        PyList_SetItem(list, i, PyFloat_FromDouble(x[i]));
    return list;
}

PyObject *bytes_of(const double *x, Py_ssize_t count) {
    return PyBytes_FromStringAndSize((const char *)x, count * (Py_ssize_t)sizeof *x);
}

int append(PyObject *list, PyObject *item) {
    int failed = item ? PyList_Append(list, item) : -1;
    Py_XDECREF(item);
    return failed;
}

static PyObject *core_laws(PyObject *self, PyObject *ignored) {
    (void)self, (void)ignored;
    PyObject *list = PyList_New(0);
    for (int k = 0; list && k < 2; k++)
        for (int i = 0; i < (k ? bri_law_page_count() : bri_model_count()); i++) {
            const char *name = k ? bri_law_page_name(i) : bri_model_at(i)->name;
            if (k && bri_model_find(name)) continue;
            if (append(list, PyUnicode_FromString(name))) {
                Py_DECREF(list);
                return NULL;
            }
        }
    return list;
}

/* Names of the scenarios that come with the library. */
static PyObject *core_scenarios(PyObject *self, PyObject *ignored) {
    (void)self, (void)ignored;
    PyObject *list = PyList_New(0);
    for (int i = 0; list && i < bri_scenario_count(); i++)
        if (append(list, PyUnicode_FromString(bri_scenario_name(i)))) Py_CLEAR(list);
    return list;
}

static PyMethodDef core_methods[] = {
    {"laws", core_laws, METH_NOARGS, "laws(): names of all laws"},
    {"scenarios", core_scenarios, METH_NOARGS, "scenarios(): names of those that ship"},
    {"run", core_run, METH_VARARGS, "run(source, progress)"},
    {"compare", core_compare, METH_VARARGS,
     "compare(source, laws, reference, column, measured, map, shift, find_shift, threads, "
     "progress)"},
    {"identify", core_identify, METH_VARARGS,
     "identify(source, laws, files, validate, map, unknown, each, way, filter, force, threads, "
     "progress)"},
    {"sweep", core_sweep, METH_VARARGS,
     "sweep(source, laws, vary, random, each, correlate, measures, solvers, samples, seed, "
     "sampling, from, slip_speed, part, parts, threads, points, keep, limit, file, how, plot, "
     "report, progress)"},
    {"merge", core_merge, METH_VARARGS, "merge(files, to, unfinished)"},
    {NULL, NULL, 0, NULL}};

static int add_type(PyObject *module, const char *name, PyType_Spec *spec) {
    PyObject *type = PyType_FromSpec(spec);
    int failed = type ? PyModule_AddObjectRef(module, name, type) : -1;
    Py_XDECREF(type);
    return failed;
}

static int core_exec(PyObject *module) {
    return add_type(module, "Law", &law_spec) || add_type(module, "Sim", &sim_spec) ||
                   PyModule_AddStringConstant(module, "version", bri_version())
               ? -1
               : 0;
}

static PyModuleDef_Slot core_slots[] = {{Py_mod_exec, core_exec}, {0, NULL}};
static PyModuleDef core_module = {
    PyModuleDef_HEAD_INIT, "bristle._core", NULL, 0, core_methods, core_slots, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__core(void);
PyMODINIT_FUNC PyInit__core(void) { return PyModuleDef_Init(&core_module); }
