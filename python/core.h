/* core.h - what the files of the extension bristle._core share. Stable interface of Python 3.11. */
#ifndef BRI_PYTHON_CORE_H
#define BRI_PYTHON_CORE_H

#define Py_LIMITED_API 0x030b0000
#define PY_SSIZE_T_CLEAN
#include <Python.h>

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

extern PyType_Spec law_spec;                          /* law.c */
PyObject *core_run(PyObject *module, PyObject *args); /* run.c */

#endif
