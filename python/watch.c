/* watch.c - Ctrl-C and progress while the library computes. The thread that called works, too, so
 * that signals, which only the main thread sees, are seen. */
#define _POSIX_C_SOURCE 200809L
#include "core.h"

#include <time.h>

static double seconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* With the interpreter: keep the exception for the end. */
static void remember(watcher *w) {
    PyObject *type, *value, *trace;
    PyErr_Fetch(&type, &value, &trace);
    if (w->stopped) {
        Py_XDECREF(type), Py_XDECREF(value), Py_XDECREF(trace);
        return;
    }
    w->wrong[0] = type, w->wrong[1] = value, w->wrong[2] = trace;
    w->stopped = 1;
}

static int stop(void *context) {
    watcher *w = context;
    if (w->stopped) return 1;
    double now = seconds_now();
    if (now < w->next) return 0;
    PyGILState_STATE before = PyGILState_Ensure();
    w->next = now + 0.05;
    if (PyErr_CheckSignals()) remember(w);
    PyGILState_Release(before);
    return w->stopped;
}

static void progress(void *context, double share) {
    watcher *w = context;
    if (w->stopped) return;
    PyGILState_STATE before = PyGILState_Ensure();
    PyObject *said = PyObject_CallFunction(w->progress, "d", share);
    if (!said) remember(w);
    Py_XDECREF(said);
    PyGILState_Release(before);
}

void watcher_begin(watcher *w, PyObject *tell) {
    *w = (watcher){.progress = tell == Py_None ? NULL : tell, .next = seconds_now() + 0.05};
    w->watch = (bri_watch){w, stop, w->progress ? progress : NULL};
    w->state = PyEval_SaveThread();
}

int watcher_end(watcher *w) {
    PyEval_RestoreThread(w->state);
    if (!w->stopped) return 0;
    PyErr_Restore(w->wrong[0], w->wrong[1], w->wrong[2]);
    return -1;
}
