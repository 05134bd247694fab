/* emit.h - what the files of the generator share. */
#ifndef BRI_LAW_EMIT_H
#define BRI_LAW_EMIT_H

#include "law.h"

#include <stdarg.h>
#include <stdio.h>

typedef struct emitter {
    law *l;
    char *text;
    size_t used, room;
    int failed;
    int own_direction; /* abs(v) and sign(v) are those of v, whatever a solver freezes */
} emitter;

void emit(emitter *e, const char *format, ...);
void emit_string(emitter *e, const char *text);

/* All functions of the law: functions.c. 0 after a failure. */
int emit_functions(emitter *e);

/* Statements that compute roots, each node that is used twice or that has a name once; then
 * root i as text: body.c. */
typedef struct body body;
body *body_new(emitter *e, const expr_id *roots, int count);
const char *body_root(body *b, int i); /* valid until the next call */
int body_is_zero(const body *b, int i);
void body_free(body *b);

#endif
