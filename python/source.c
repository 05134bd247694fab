/* source.c - scenarios, settings and laws as Python gives them. */
#include "core.h"

int take_texts(PyObject *list, const char ***to, int *count) {
    Py_ssize_t n = PyList_Size(list), length;
    *to = n < 0 ? NULL : PyMem_Calloc((size_t)n + 1, sizeof **to);
    *count = (int)n;
    if (n < 0) return 0;
    if (!*to) return PyErr_NoMemory() != NULL;
    for (Py_ssize_t i = 0; i < n; i++) {
        PyObject *item = PyList_GetItem(list, i);
        if (!item || !((*to)[i] = PyUnicode_AsUTF8AndSize(item, &length))) return 0;
        if (strlen((*to)[i]) == (size_t)length) continue;
        PyErr_SetString(PyExc_ValueError, "a text holds a character 0");
        return 0;
    }
    return 1;
}

/* "key", "value" pairs of a list into overrides; the texts are those of the list. */
static int take_overrides(source *s, PyObject *list) {
    Py_ssize_t n = PyList_Size(list), length;
    s->overrides = n < 0 ? NULL : PyMem_Calloc((size_t)n + 1, sizeof *s->overrides);
    if (n < 0) return 0;
    if (!s->overrides) return PyErr_NoMemory() != NULL;
    for (Py_ssize_t i = 0; i < n; i++) {
        PyObject *pair = PyList_GetItem(list, i), *key, *value;
        if (!pair || !PyArg_ParseTuple(pair, "UU", &key, &value)) return 0;
        s->overrides[i].key = PyUnicode_AsUTF8AndSize(key, &length);
        s->overrides[i].value = PyUnicode_AsUTF8AndSize(value, &length);
        if (!s->overrides[i].key || !s->overrides[i].value) return 0;
    }
    s->n_overrides = (int)n;
    return 1;
}

static int add_laws(source *s, PyObject *files) {
    const char **file = NULL;
    int n, good = take_texts(files, &file, &n);
    bri_messages *wrong = PyMem_Malloc(sizeof *wrong);
    if (!wrong) good = PyErr_NoMemory() != NULL;
    for (int i = 0; good && i < n; i++) {
        bri_status status = bri_laws_add(s->laws, file[i], wrong);
        if (status) good = refuse_all(status, wrong) != NULL;
    }
    PyMem_Free(wrong);
    PyMem_Free((void *)file);
    return good;
}

const bri_model *source_model(bri_laws *laws, PyObject *law) {
    if (PyCapsule_CheckExact(law)) return PyCapsule_GetPointer(law, law_capsule);
    Py_ssize_t length;
    const char *name = PyUnicode_AsUTF8AndSize(law, &length);
    if (!name) return NULL;
    const bri_model *m = bri_laws_find(laws, name);
    const char *near = m ? NULL : bri_laws_nearest(laws, name);
    if (near)
        PyErr_Format(PyExc_KeyError, "there is no law '%.40s'; did you mean '%s'?", name, near);
    else if (!m)
        PyErr_Format(PyExc_KeyError, "there is no law '%.40s'; see bristle.laws()", name);
    return m;
}

int source_take(source *s, PyObject *tuple) {
    PyObject *list, *files, *law;
    *s = (source){0};
    if (!PyArg_ParseTuple(tuple, "s#pO!O!O", &s->text, &s->length, &s->is_text, &PyList_Type, &list,
                          &PyList_Type, &files, &law))
        return 0;
    if (!take_overrides(s, list)) return 0;
    if (!(s->laws = bri_laws_new(NULL))) return PyErr_NoMemory() != NULL;
    if (!add_laws(s, files)) return 0;
    if (law != Py_None && !(s->model = source_model(s->laws, law))) return 0;
    s->how = (bri_scenario_options){.overrides = s->overrides,
                                    .n_overrides = s->n_overrides,
                                    .model = s->model,
                                    .laws = s->laws};
    return 1;
}

void source_free(source *s) {
    bri_laws_free(s->laws);
    PyMem_Free(s->overrides);
}

bri_scenario *source_read(const source *s) {
    bri_scenario *made = NULL;
    bri_messages *wrong = PyMem_Malloc(sizeof *wrong);
    if (!wrong) {
        PyErr_NoMemory();
        return NULL;
    }
    bri_status status =
        s->is_text ? bri_scenario_parse(s->text, (size_t)s->length, "text", &s->how, &made, wrong)
                   : bri_scenario_load(s->text, &s->how, &made, wrong);
    if (status) refuse_all(status, wrong);
    PyMem_Free(wrong);
    return made;
}

int source_models(const source *s, PyObject *names, const bri_model ***to, int *count) {
    Py_ssize_t n = PyList_Size(names);
    *to = n < 0 ? NULL : PyMem_Calloc((size_t)n + 1, sizeof **to);
    *count = (int)n;
    if (n < 0) return 0;
    if (!*to) return PyErr_NoMemory() != NULL;
    for (Py_ssize_t i = 0; i < n; i++)
        if (!((*to)[i] = source_model(s->laws, PyList_GetItem(names, i)))) return 0;
    return 1;
}
