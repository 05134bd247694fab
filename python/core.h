/* core.h - what the files of the extension bristle._core share. Stable interface of Python 3.11. */
#ifndef BRI_PYTHON_CORE_H
#define BRI_PYTHON_CORE_H

#define Py_LIMITED_API 0x030b0000
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <bristle_identify.h>
#include <bristle_law.h>
#include <bristle_study.h>

#include <math.h>
#include <string.h>

/* The exception that a status stands for, with a sentence, or with all that is wrong with a text.
 * Return NULL. */
PyObject *refuse(bri_status status, const char *words);
PyObject *refuse_all(bri_status status, const bri_messages *m);

/* Contiguous doubles of a buffer, `wanted` of them; < 0: any number. 0 after an exception. */
int take_doubles(PyObject *from, Py_buffer *view, Py_ssize_t wanted, int write, const char *name);

/* A number, or text with a unit, in that unit. -1 after an exception. */
int take_number(PyObject *from, const char *unit, double *value);

/* Doubles as a list, and as bytes. */
PyObject *list_of(const double *x, Py_ssize_t count);
PyObject *bytes_of(const double *x, Py_ssize_t count);

/* Append and drop the reference; -1 after an exception, also if there is nothing to append. */
int append(PyObject *list, PyObject *item);

/* ---- where scenarios come from: source.c ------------------------------------------------------
 */

/* A scenario as Python asks for it: its name or text, values that are set, laws. Members that
 * objects of Python own live as long as these do. */
typedef struct source {
    const char *text;         /* file, name or text */
    Py_ssize_t length;        /* of the text */
    int is_text;              /* nonzero: text */
    bri_override *overrides;  /* owned; their texts are those of Python */
    int n_overrides;          /* how many */
    bri_laws *laws;           /* owned: those that are known by name */
    const bri_model *model;   /* in the place of all others; or NULL */
    bri_scenario_options how; /* all that for the library */
} source;

/* From the tuple (source, is_text, [(key, value), ...], [file of laws, ...], model), model None, a
 * name or the capsule of a Law. 0 after an exception. source_free in any case. */
int source_take(source *s, PyObject *tuple);
void source_free(source *s);

/* Read it. NULL after an exception. */
bri_scenario *source_read(const source *s);

/* A list of names of laws to laws, owned by the caller; *count of them. 0 after an exception. */
int source_models(const source *s, PyObject *names, const bri_model ***to, int *count);

/* The law of a name, or of a capsule; NULL after an exception. */
const bri_model *source_model(bri_laws *laws, PyObject *law);

/* A list of texts as an array that the caller frees by PyMem_Free. 0 after an exception. */
int take_texts(PyObject *list, const char ***to, int *count);

/* ---- long calls: watch.c ----------------------------------------------------------------------
 */

/* Ctrl-C and progress of a call that lets other threads run. */
typedef struct watcher {
    bri_watch watch;      /* for the library */
    PyObject *progress;   /* called with the share that is done; or NULL */
    PyThreadState *state; /* of the thread that waits */
    double next;          /* time at which signals are looked for again */
    PyObject *wrong[3];   /* the exception that ended it */
    volatile int stopped; /* nonzero: end */
} watcher;

void watcher_begin(watcher *w, PyObject *progress); /* lets go of the interpreter */
int watcher_end(watcher *w);                        /* takes it again; -1 after an exception */

/* ---- types and functions ----------------------------------------------------------------------
 */

extern PyType_Spec law_spec; /* law.c */
extern PyType_Spec sim_spec; /* sim.c */
extern const char law_capsule[];
PyObject *core_run(PyObject *module, PyObject *args);              /* run.c */
PyObject *core_compare(PyObject *module, PyObject *args);          /* study.c */
PyObject *core_identify(PyObject *module, PyObject *args);         /* study.c */
PyObject *core_sweep(PyObject *module, PyObject *args);            /* sweep.c */
PyObject *core_merge(PyObject *module, PyObject *args);            /* sweep.c */
PyObject *event_row(const bri_event *e, const bri_system *system); /* run.c */

#endif
