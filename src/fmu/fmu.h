/* fmu.h - what the files that write an FMU share. */
#ifndef BRI_FMU_H
#define BRI_FMU_H

#include "bristle_fmu.h"
#include "bristle_law.h"

#include "../output/sink.h"
#include "../scenario/reader.h"

/* One variable of the model, as the description has it. */
typedef enum fmu_kind {
    FMU_TIME,
    FMU_INPUT,
    FMU_OUTPUT,
    FMU_PARAMETER,
    FMU_STATE,
    FMU_RATE,
    FMU_INDICATOR
} fmu_kind;

typedef struct fmu_variable {
    fmu_kind kind;
    unsigned number; /* value reference */
    char name[80], unit[48], text[200];
    double start, min, max, nominal; /* min < max: there is a range; nominal 0: none is known */
    int state;                       /* of a rate: index of its state in the table */
    int reinit;                      /* of a state: an event may change it */
} fmu_variable;

enum { FMU_MOST = 8 + 4 * BRI_MAX_STATES + BRI_MAX_PARAMS };

typedef struct fmu_model {
    const char *name, *title, *cite, *equations, *limits; /* of the law */
    int version;                                          /* 2 or 3 */
    char token[40];
    fmu_variable at[FMU_MOST];
    int count, indicators;
    double tolerance, stop, step; /* of the default experiment */
} fmu_model;

/* ---- a law: law.c ---------------------------------------------------------------------------- */

/* The variables of a law. uses_x: its equations contain x. */
bri_status fmu_of_law(fmu_model *m, const bri_setup *s, int uses_x, int version, bri_error *err);

/* The one source of its binary, without the token, to be freed; NULL with the reason in err. */
char *fmu_law_source(const fmu_model *m, const bri_setup *s, const char *law_in_c, bri_error *err);

/* ---- texts: describe.c ----------------------------------------------------------------------- */

/* Each is to be freed; NULL: there was no memory. */
char *fmu_description(const fmu_model *m);
char *fmu_build_description(const fmu_model *m);
char *fmu_page(const fmu_model *m); /* HTML */

/* ---- binaries: compile.c --------------------------------------------------------------------- */

/* Compile a source into a shared library, read into *bytes (to be freed). BRI_MISSING if there is
 * no compiler for the platform. */
bri_status fmu_compile(bri_platform platform, const char *source, char **bytes, size_t *size,
                       bri_error *err);

/* ---- the file: zip.c ------------------------------------------------------------------------- */

/* A file in the archive; the bytes are the caller's. */
typedef struct zip_entry {
    char name[160];
    const void *bytes;
    size_t size;
    unsigned long crc, offset; /* used inside */
} zip_entry;

void zip_put(sink *to, zip_entry *entries, int count);

/* Texts that are put into FMUs: generated from files. */
extern const shipped bri_fmu_texts[];
extern const int bri_fmu_texts_count;

#endif
