/* export.h - a law as a file of another language: what its writers share. */
#ifndef BRI_LAW_EXPORT_H
#define BRI_LAW_EXPORT_H

#include "interpret.h"

#include "../scenario/reader.h"

/* A test vector: inputs, and what the library finds. */
enum { EXPORT_ROWS = 12 };
typedef struct export_row {
    double x, v, N, fa, h;
    double z[BRI_MAX_STATES], F, dz[BRI_MAX_STATES]; /* here */
    double F_end, z_end[BRI_MAX_STATES];             /* after a step of h */
} export_row;

enum { EXPORT_LOCALS = 200 };
typedef struct export_local {
    char name[80];
    int truth; /* nonzero: a condition */
} export_local;

#define EXPORT_NO_MEMORY "not enough memory" /* as graphs say it */

typedef struct exporter {
    FILE *out;
    expr_style style;
    const bri_setup *s; /* names of the law, values of its parameters */
    const bri_law *law;
    law *page;
    const char *name;
    int n_states, n_params;
    int lifts;  /* nonzero: an open contact is no business of the equations */
    int affine; /* nonzero: the step is exact */
    export_row rows[EXPORT_ROWS];
    const char *failure;
    struct export_code *code;
    export_local locals[EXPORT_LOCALS]; /* of languages that declare them first */
    int n_locals;
} exporter;

void put(exporter *e, const char *format, ...);
void put_number(exporter *e, double x);       /* shortest that reads back */
void put_name(exporter *e, const char *name); /* as it may stand in the language */
void put_comment(exporter *e, const char *begin, const char *text); /* line by line */

/* The texts that expressions rely on: "expr_math", "math_py", "math_m", "math_st". */
const char *export_math(const char *name);
extern const shipped bri_law_math[];
extern const int bri_law_math_count;

extern const shipped bri_law_texts[];
extern const int bri_law_texts_count;

/* Statements that compute roots in the function that is being written, indented; then root i as
 * text, valid until the next call: export_body.c. 0 after a failure. */
int export_open(exporter *e, const expr_id *roots, int count, const char *indent);
const char *export_root(exporter *e, int i);
void export_close(exporter *e);

/* What the step needs: with e->affine rates and slopes, else rates and their matrix. The number of
 * roots, 0 after a failure. */
int export_step_roots(exporter *e, expr_id *roots);

/* The languages. */
void export_c(exporter *e);
void export_python(exporter *e);
void export_matlab(exporter *e);
void export_st(exporter *e);

#endif
