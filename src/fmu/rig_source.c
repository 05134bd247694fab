/* rig_source.c - the sources of a rig's unit: its definition as tables of C, its laws, the engine.
 */
#define _POSIX_C_SOURCE 200809L
#include "fmu.h"

#include "../fail.h"
#include "../law/interpret.h"
#include "../memtext.h"
#include "../models/models.h"
#include "rig.h"

#include <stdlib.h>
#include <string.h>

/* ---- laws -------------------------------------------------------------------------------------
 */

const char *rig_c_law(const bri_model *m) {
    return m == &bri_karnopp             ? "bri_karnopp"
           : m == &bri_bristle_implicit  ? "bri_bristle_implicit"
           : m == &bri_haessig_friedland ? "bri_haessig_friedland"
                                         : NULL;
}

/* A law of the rig, or one that the engine knows, in a file of its own. */
static bri_status add_law(fmu_model *m, const bri_model *given, char *needed, bri_error *err) {
    bri_law *own = NULL;
    bri_error why;
    char name[80];
    memtext page;
    if (rig_c_law(given)) return BRI_OK;
    const bri_law *l = law_with_page(given, "put into an FMU", &own, &why);
    if (!l) return bri_fail(err, why.status, "%s", why.text);
    char *text = law_to_c(l->page, "its page", &why);
    bri_law_free(own);
    if (!text) return bri_fail(err, why.status, "%s", why.text);
    FILE *out = memtext_open(&page);
    if (out) {
        fputs("#include \"head.h\"\n", out);
        fmu_put_flat(out, text, "laws/law.c", needed);
    }
    free(text);
    snprintf(name, sizeof name, "law_%.60s.c", given->name);
    fmu_add_source(m, name, memtext_close(&page), 0);
    return m->failed ? bri_fail(err, BRI_NO_MEMORY, "%s", bri_status_text(BRI_NO_MEMORY)) : BRI_OK;
}

static void put_law_table(rig_writer *w) {
    for (int i = 0; i < w->n_laws; i++)
        if (!rig_c_law(w->laws[i]))
            fprintf(w->out, "extern const bri_model BRI_LAW(%s);\n", w->laws[i]->name);
    fputs("const bri_model *const bri_law_table[] = {\n", w->out);
    for (int i = 0; i < w->n_laws; i++) {
        const char *name = rig_c_law(w->laws[i]);
        fprintf(w->out, name ? "    &%s,\n" : "    &BRI_LAW(%s),\n",
                name ? name : w->laws[i]->name);
    }
    fprintf(w->out, "    NULL};\nconst int bri_law_table_count = %d;\n", w->n_laws);
}

/* ---- all files --------------------------------------------------------------------------------
 */

static int is_source(const char *path, int *engine) {
    size_t n = strlen(path);
    *engine = strncmp(path, "src/expr/", 9) != 0 && strncmp(path, "src/scenario/", 13) != 0;
    return n > 2 && strcmp(path + n - 2, ".c") == 0;
}

static void add_engine_text(fmu_model *m, int i, int engine, char *needed) {
    const char *path = bri_engine_texts[i].name;
    char name[80];
    int header;
    memtext page;
    FILE *out = memtext_open(&page);
    if (out) {
        if (is_source(path, &header)) fputs("#include \"head.h\"\n", out);
        fmu_put_flat(out, bri_engine_texts[i].text, path, needed);
    }
    fmu_flat_name(path, name, sizeof name);
    fmu_add_source(m, name, memtext_close(&page), engine);
}

/* The engine, then the headers that are needed, then those that these need. */
static void add_engine(fmu_model *m, int expressions, char *needed) {
    int engine, more = 1;
    for (int i = 0; i < bri_engine_texts_count; i++)
        if (is_source(bri_engine_texts[i].name, &engine) && (engine || expressions))
            add_engine_text(m, i, engine, needed);
    while (more) {
        more = 0;
        for (int i = 0; i < bri_engine_texts_count; i++)
            if (needed[i] == 1) {
                needed[i] = 2;
                add_engine_text(m, i, 0, needed);
                more = 1;
            }
    }
}

/* The unit itself: tables and what they are read by. */
static char *unit_source(rig_writer *w, const fmu_model *m, const double *sizes, char *needed) {
    static const char *const after[] = {"unit.h", "rig_unit.c", "rig_slopes.c", "host.h"};
    static const char heads[] = "#include \"system/kinds.h\"\n#include \"models/models.h\"\n";
    static const char runs[] = "#include \"scenario/timed_run.h\"\n#include \"expr/machine.h\"\n";
    memtext page;
    FILE *out = w->out = memtext_open(&page);
    if (!out) return NULL;
    fputs("#include \"head.h\"\n", out);
    fmu_put_flat(out, heads, "src/rig.c", needed);
    if (w->expressions.count > 0) fmu_put_flat(out, runs, "src/rig.c", needed);
    fputs("\n/* the same as in the engine, for this file alone */\n"
          "#define text_format unit_text_format\n#define text_vformat unit_text_vformat\n",
          out);
    fmu_put_file(out, "text.h");
    fmu_put_file(out, "text.c");
    fmu_put_file(out, "rig_unit.h");
    fputs("\n/* ==== the rig ==== */\n\n", out);
    fprintf(out, "#define UNIT_SLOPES_KNOWN %d /* slopes of inputs are variables */\n",
            m->version == 3);
    put_law_table(w);
    rig_put_definition(w, sizes);
    for (size_t i = 0; i < sizeof after / sizeof *after; i++) fmu_put_file(out, after[i]);
    fmu_put_file(out, m->version == 3 ? "fmi3.c" : "fmi2.c");
    return memtext_close(&page);
}

static char *head_text(void) {
    memtext page;
    FILE *out = memtext_open(&page);
    if (out)
        fprintf(out,
                "#ifndef BRI_FMU_HEAD_H\n#define BRI_FMU_HEAD_H\n#define _DEFAULT_SOURCE\n"
                "#include <ctype.h>\n#include <float.h>\n#include <stdatomic.h>\n"
                "#ifdef __linux__\n#include <sys/mman.h>\n#endif\n%s\n"
                "#define BRI_KERNEL_LEVEL base /* of vector kernels: no special ones */\n#endif\n",
                fmu_text("head.h"));
    return memtext_close(&page);
}

static bri_status add_sources(rig_writer *w, fmu_model *m, const double *sizes, char *needed) {
    static const char *const known[] = {"coulomb", "stribeck", "benson", "lugre"};
    char name[80];
    snprintf(name, sizeof name, "%s.c", m->name);
    fmu_add_source(m, name, unit_source(w, m, sizes, needed), 0);
    if (w->status) return w->status;
    fmu_add_source(m, "head.h", head_text(), 0);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) { /* fast paths ask for these */
        const bri_model *fast = bri_model_find(known[i]);
        int mine = 0;
        for (int k = 0; k < w->n_laws; k++) mine |= strcmp(w->laws[k]->name, known[i]) == 0;
        if (!mine && fast && (w->status = add_law(m, fast, needed, w->err))) return w->status;
    }
    for (int i = 0; i < w->n_laws; i++)
        if ((w->status = add_law(m, w->laws[i], needed, w->err))) return w->status;
    add_engine(m, w->expressions.count > 0, needed);
    return m->failed ? bri_fail(w->err, BRI_NO_MEMORY, "%s", bri_status_text(BRI_NO_MEMORY))
                     : BRI_OK;
}

bri_status fmu_rig_sources(fmu_model *m, const rig_plan *plan, const double *sizes,
                           bri_error *err) {
    rig_writer w = {.plan = plan, .def = &plan->def, .err = err};
    char *needed = calloc((size_t)bri_engine_texts_count + 1, 1);
    if (!needed) return bri_fail(err, BRI_NO_MEMORY, "%s", bri_status_text(BRI_NO_MEMORY));
    rig_collect(&w);
    bri_status status = w.status ? w.status : add_sources(&w, m, sizes, needed);
    free((void *)w.signals.at);
    free((void *)w.functions.at);
    free((void *)w.expressions.at);
    free(needed);
    return status;
}
