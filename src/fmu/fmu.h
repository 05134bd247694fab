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
    FMU_HELD_INPUT, /* one that is constant between events, or over a step */
    FMU_OUTPUT,
    FMU_PARAMETER,
    FMU_STATE,
    FMU_SHOWN_STATE, /* one that is an output, too */
    FMU_RATE,
    FMU_INDICATOR
} fmu_kind;

typedef struct fmu_variable {
    fmu_kind kind;
    unsigned number; /* value reference */
    char name[BRI_ADDRESS + 8], unit[BRI_UNIT], text[200];
    double start, min, max, nominal; /* min < max: there is a range; nominal 0: none is known */
    int state;                       /* of a rate: index of its state in the table */
    int reinit;                      /* of a state: an event may change it */
} fmu_variable;

/* A file of sources/. */
typedef struct fmu_source {
    char name[80];
    char *text; /* to be freed */
    int engine; /* nonzero: of the library, the same in every unit */
} fmu_source;

typedef struct fmu_model {
    char name[64];                                 /* an identifier of C */
    const char *title, *cite, *equations, *limits; /* the last three of a law; else NULL */
    int version;                                   /* 2 or 3 */
    char token[40];
    fmu_variable *at;
    int count, room, indicators;
    int sloped;                          /* nonzero: inputs can have slopes */
    double tolerance, start, stop, step; /* of the default experiment */
    fmu_source *sources;                 /* the first is the unit itself */
    int n_sources;
    int failed;          /* nonzero: there was no memory */
    fmu_variable nobody; /* what is written to then */
} fmu_model;

/* One more variable, zero but for what is given; after a failure one that nobody reads. */
fmu_variable *fmu_add(fmu_model *m, fmu_kind kind, unsigned number, const char *name,
                      const char *unit, const char *text);

/* The rate of the state that was added last. */
fmu_variable *fmu_add_rate(fmu_model *m, unsigned number);

/* BRI_BAD_VALUE if two variables have the same name. */
bri_status fmu_names_differ(const fmu_model *m, const char *who, bri_error *err);

/* One more file; takes the text over. */
void fmu_add_source(fmu_model *m, const char *name, char *text, int engine);

/* ---- a law: law.c ---------------------------------------------------------------------------- */

/* The variables of a law. uses_x: its equations contain x. */
bri_status fmu_of_law(fmu_model *m, const bri_setup *s, int uses_x, int version, bri_error *err);

/* The one source of its binary, without the token, to be freed; NULL with the reason in err. */
char *fmu_law_source(const fmu_model *m, const bri_setup *s, const char *law_in_c, bri_error *err);

/* ---- a rig: rig.c, rig_source.c ---------------------------------------------------------------
 */

struct rig_plan;

/* The variables of a rig, and in *sizes (to be freed) nominal sizes of its states. */
bri_status fmu_of_rig(fmu_model *m, const bri_scenario *s, const struct rig_plan *plan,
                      const bri_fmu_options *how, double **sizes, bri_error *err);

/* Its sources, the first without the token. */
bri_status fmu_rig_sources(fmu_model *m, const struct rig_plan *plan, const double *sizes,
                           bri_error *err);

/* ---- texts that are put into sources: texts.c -------------------------------------------------
 */

/* A text of src/fmu/inside and of what it stands on, by its name; without its #include lines. */
const char *fmu_text(const char *name);
void fmu_put_file(FILE *out, const char *name);
void fmu_put_number(FILE *out, double x);

/* A text for a file of sources/, in which all lie side by side: what it includes has other names
 * there. from: where the text stands in the project, "src/sim/step.c". Headers that it needs are
 * marked in `needed` [bri_engine_texts_count]. */
void fmu_put_flat(FILE *out, const char *text, const char *from, char *needed);
void fmu_flat_name(const char *path, char *name, size_t size);

/* ---- texts: describe.c ----------------------------------------------------------------------- */

/* Each is to be freed; NULL: there was no memory. */
char *fmu_description(const fmu_model *m);
char *fmu_build_description(const fmu_model *m);
char *fmu_page(const fmu_model *m); /* HTML */

/* How to compile the sources, "cc -shared ...". */
void fmu_command(const fmu_model *m, char *text, size_t size);

/* ---- binaries: compile.c --------------------------------------------------------------------- */

/* Compile the sources into a shared library, read into *bytes (to be freed). BRI_MISSING if there
 * is no compiler for the platform. */
bri_status fmu_compile(bri_platform platform, const fmu_model *m, char **bytes, size_t *size,
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

/* Texts that are put into FMUs: generated from files. Those of the engine by their paths. */
extern const shipped bri_fmu_texts[];
extern const int bri_fmu_texts_count;
extern const shipped bri_engine_texts[];
extern const int bri_engine_texts_count;

#endif
