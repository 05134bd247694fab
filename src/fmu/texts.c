/* texts.c - variables and sources as they are put together, and the texts that go into sources. */
#include "fmu.h"

#include "../law/law.h"

#include "../fail.h"
#include "../output/number.h"

#include <stdlib.h>
#include <string.h>

/* ---- variables --------------------------------------------------------------------------------
 */

fmu_variable *fmu_add(fmu_model *m, fmu_kind kind, unsigned number, const char *name,
                      const char *unit, const char *text) {
    fmu_variable *v = &m->nobody;
    if (m->count == m->room) {
        int room = m->room ? 2 * m->room : 64;
        fmu_variable *more = realloc(m->at, sizeof *more * (size_t)room);
        m->failed |= !more;
        if (more) m->at = more;
        if (more) m->room = room;
    }
    if (m->count < m->room && !m->failed) v = &m->at[m->count++];
    memset(v, 0, sizeof *v);
    v->kind = kind;
    v->number = number;
    snprintf(v->name, sizeof v->name, "%s", name);
    snprintf(v->unit, sizeof v->unit, "%s", unit);
    snprintf(v->text, sizeof v->text, "%s", text);
    return v;
}

fmu_variable *fmu_add_rate(fmu_model *m, unsigned number) {
    static const char *const units[][2] = {
        {"m/s", "m/s2"}, {"rad/s", "rad/s2"}, {"1", "1/s"}, {"m", "m/s"}, {"rad", "rad/s"}};
    char name[BRI_ADDRESS + 8], unit[BRI_UNIT], text[200];
    int state = m->count - 1;
    if (m->failed) return &m->nobody;
    fmu_variable of = m->at[state];
    snprintf(name, sizeof name, "der(%.*s)", BRI_ADDRESS, of.name);
    snprintf(text, sizeof text, "rate of %.*s", BRI_ADDRESS, of.name);
    snprintf(unit, sizeof unit, "%.40s/s", of.unit);
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(of.unit, units[i][0]) == 0) snprintf(unit, sizeof unit, "%s", units[i][1]);
    fmu_variable *v = fmu_add(m, FMU_RATE, number, name, unit, text);
    v->state = state;
    return v;
}

static int by_name(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

bri_status fmu_names_differ(const fmu_model *m, const char *who, bri_error *err) {
    const char **names = m->failed ? NULL : malloc(sizeof *names * (size_t)(m->count + 1));
    bri_status status = BRI_OK;
    if (!names) return bri_fail(err, BRI_NO_MEMORY, "%s", bri_status_text(BRI_NO_MEMORY));
    for (int i = 0; i < m->count; i++) names[i] = m->at[i].name;
    qsort((void *)names, (size_t)m->count, sizeof *names, by_name);
    for (int i = 1; i < m->count && !status; i++)
        if (strcmp(names[i - 1], names[i]) == 0)
            status =
                bri_fail(err, BRI_BAD_VALUE, "%s: an FMU has '%s' for itself: give it another name",
                         who, names[i]);
    free((void *)names);
    return status;
}

void fmu_add_source(fmu_model *m, const char *name, char *text, int engine) {
    fmu_source *more = realloc(m->sources, sizeof *more * (size_t)(m->n_sources + 1));
    if (more) m->sources = more;
    if (!more || !text) {
        m->failed = 1;
        free(text);
        return;
    }
    fmu_source *s = &m->sources[m->n_sources++];
    snprintf(s->name, sizeof s->name, "%s", name);
    s->text = text;
    s->engine = engine;
}

/* ---- one file of several ----------------------------------------------------------------------
 */

const char *fmu_text(const char *name) {
    for (int i = 0; i < bri_fmu_texts_count; i++)
        if (strcmp(bri_fmu_texts[i].name, name) == 0) return bri_fmu_texts[i].text;
    return "";
}

void fmu_put_file(FILE *out, const char *name) {
    fprintf(out, "\n/* ==== %s ==== */\n\n", name);
    law_put_lines(out, fmu_text(name));
}

void fmu_put_number(FILE *out, double x) {
    char text[NUMBER_ROOM + 1];
    *number_put(text, x) = '\0';
    fputs(text, out);
}

/* ---- many files side by side ------------------------------------------------------------------
 */

/* "src/sim/step.c" is sim_step.c, "include/bristle.h" is bristle.h. */
void fmu_flat_name(const char *path, char *name, size_t size) {
    if (strncmp(path, "src/", 4) == 0) path += 4;
    if (strncmp(path, "include/", 8) == 0) path += 8;
    snprintf(name, size, "%s", path);
    for (char *c = name; *c; c++)
        if (*c == '/') *c = '_';
}

static int engine_text(const char *path) {
    for (int i = 0; i < bri_engine_texts_count; i++)
        if (strcmp(bri_engine_texts[i].name, path) == 0) return i;
    return -1;
}

/* The header that a file means: beside it, or in one of the folders that are searched. */
static int find_header(const char *from, const char *header) {
    const char *slash = strrchr(from, '/');
    char path[200];
    int beside = slash ? (int)(slash - from) : 0, found;
    while (strncmp(header, "../", 3) == 0) {
        header += 3;
        while (beside > 0 && from[beside - 1] != '/') beside--;
        if (beside > 0) beside--;
    }
    snprintf(path, sizeof path, "%.*s/%s", beside, from, header);
    if ((found = engine_text(path)) >= 0) return found;
    snprintf(path, sizeof path, "src/%s", header);
    if ((found = engine_text(path)) >= 0) return found;
    snprintf(path, sizeof path, "include/%s", header);
    return engine_text(path);
}

void fmu_put_flat(FILE *out, const char *text, const char *from, char *needed) {
    static const char include[] = "#include \"";
    while (*text) {
        size_t n = strcspn(text, "\n"), begin = sizeof include - 1;
        char header[120];
        n += text[n] == '\n';
        if (strncmp(text, include, begin) == 0) {
            snprintf(header, sizeof header, "%.*s", (int)strcspn(text + begin, "\""), text + begin);
            int i = find_header(from, header);
            if (i >= 0) {
                needed[i] = 1;
                fmu_flat_name(bri_engine_texts[i].name, header, sizeof header);
            }
            fprintf(out, "%s%s\"\n", include, header);
        } else if (strncmp(text, "#define _", 9) != 0) { /* which head.h has done */
            fwrite(text, 1, n, out);
        }
        text += n;
    }
}
