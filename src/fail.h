/* fail.h - fill in a bri_error and return its status in one line. */
#ifndef BRI_FAIL_H
#define BRI_FAIL_H

#include "bristle.h"
#include "text.h"

#include <stdarg.h>
#include <stdio.h>

#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
static inline bri_status
bri_fail(bri_error *err, bri_status status, const char *format, ...) {
    if (!err) return status;
    va_list args;
    va_start(args, format);
    err->status = status;
    err->line = 0;
    text_vformat(err->text, sizeof err->text, format, args);
    va_end(args);
    return status;
}

#endif
