/* fmu.c - a law as an FMU: description, source, binaries and a page, in one archive. */
#include "fmu.h"

#include "../fail.h"
#include "../law/interpret.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static bri_status no_memory(bri_error *err) {
    return bri_fail(err, BRI_NO_MEMORY, "%s", bri_status_text(BRI_NO_MEMORY));
}

/* Equal sources have equal tokens: FNV-1a with two beginnings, written as a UUID. */
static void make_token(const char *source, char token[40]) {
    uint64_t hash[2] = {14695981039346656037u, 1099511628211u * 97u};
    for (const char *s = source; *s; s++)
        for (int i = 0; i < 2; i++) hash[i] = (hash[i] ^ (unsigned char)*s) * 1099511628211u;
    snprintf(token, 40, "{%08lx-%04lx-%04lx-%04lx-%012llx}",
             (unsigned long)(hash[0] >> 32 & 0xffffffffu), (unsigned long)(hash[0] >> 16 & 0xffff),
             (unsigned long)(hash[0] & 0xffff), (unsigned long)(hash[1] >> 48 & 0xffff),
             (unsigned long long)(hash[1] & 0xffffffffffffu));
}

static const char *license(void) {
    for (int i = 0; i < bri_fmu_texts_count; i++)
        if (strcmp(bri_fmu_texts[i].name, "LICENSE") == 0) return bri_fmu_texts[i].text;
    return "";
}

/* The whole source: how to build it, under which terms, its token, and what it is. */
static char *finish_source(const fmu_model *m, const char *body) {
    size_t room = strlen(body) + strlen(license()) + 1000;
    char *text = malloc(room);
    if (text)
        text_format(text, room,
                    "/* %s: %s, as an FMU for FMI %d.0. Written by bristle %s.\n *\n"
                    " *   cc -shared -fPIC -o %s.so %s.c -lm\n */\n/*\n%s*/\n"
                    "#define UNIT_TOKEN \"%s\"\n\n%s",
                    m->name, m->title, m->version, bri_version(), m->name, m->name, license(),
                    m->token, body);
    return text;
}

/* ---- the archive ------------------------------------------------------------------------------
 */

enum { MOST_ENTRIES = 8 };
typedef struct archive {
    zip_entry at[MOST_ENTRIES];
    char *owned[MOST_ENTRIES];
    int count;
} archive;

/* Takes the bytes over. */
static int add(archive *a, char *bytes, size_t size, const char *folder, const char *name,
               const char *ending) {
    zip_entry *e = &a->at[a->count];
    text_format(e->name, sizeof e->name, "%s%s%s", folder, name, ending);
    e->bytes = bytes;
    e->size = size;
    a->owned[a->count++] = bytes;
    return bytes != NULL;
}

static int add_text(archive *a, char *text, const char *folder, const char *name) {
    return add(a, text, text ? strlen(text) : 0, folder, name, "");
}

static bri_status add_binaries(archive *a, const fmu_model *m, const char *source,
                               bri_fmu_options *how, bri_error *err) {
    static const char *const folders[BRI_PLATFORM_COUNT][2] = {
        [BRI_LINUX64] = {"binaries/linux64/", "binaries/x86_64-linux/"},
        [BRI_WIN64] = {"binaries/win64/", "binaries/x86_64-windows/"},
        [BRI_AARCH64] = {"binaries/aarch64-linux/", "binaries/aarch64-linux/"},
    };
    how->made = 0;
    for (int p = 0; p < BRI_PLATFORM_COUNT && !how->sources_only; p++) {
        char *bytes;
        size_t size;
        if (how->wanted && !(how->wanted & 1u << p)) continue;
        bri_status status = fmu_compile((bri_platform)p, source, &bytes, &size, err);
        if (status == BRI_MISSING && !how->wanted) continue;
        if (status) return status;
        add(a, bytes, size, folders[p][m->version == 3], m->name, p == BRI_WIN64 ? ".dll" : ".so");
        how->made |= 1u << p;
    }
    return BRI_OK;
}

static bri_status write_archive(archive *a, const char *file, bri_error *err) {
    sink out;
    bri_status status = sink_open(&out, file, 1, err);
    if (status) return status;
    zip_put(&out, a->at, a->count);
    status = sink_status(&out, err);
    bri_status closed = sink_close(&out, status == BRI_OK, status ? NULL : err);
    return status ? status : closed;
}

static bri_status fill_archive(archive *a, fmu_model *m, char *body, bri_fmu_options *how,
                               bri_error *err) {
    make_token(body, m->token);
    char *source = finish_source(m, body);
    int good = add_text(a, fmu_description(m), "", "modelDescription.xml");
    good &= add(a, source, source ? strlen(source) : 0, "sources/", m->name, ".c");
    good &= add_text(a, fmu_build_description(m), "sources/", "buildDescription.xml");
    good &= add_text(a, fmu_page(m), "documentation/", "index.html");
    char *terms = malloc(strlen(license()) + 1);
    if (terms) memcpy(terms, license(), strlen(license()) + 1);
    good &= add_text(a, terms, "documentation/licenses/", "license.txt");
    return good ? add_binaries(a, m, source, how, err) : no_memory(err);
}

/* ---- from a law -------------------------------------------------------------------------------
 */

static bri_status write_law(const bri_setup *s, const bri_law *l, bri_fmu_options *how,
                            const char *file, bri_error *err) {
    fmu_model *m = malloc(sizeof *m);
    archive a = {.count = 0};
    char *body = NULL, *law_in_c = NULL;
    if (!m) return no_memory(err);
    expr_id roots[1 + BRI_MAX_STATES];
    int uses_x = 0;
    if (law_values(l->page, roots))
        for (int i = 0; i <= l->page->n_states; i++)
            uses_x |= expr_depends(l->page->g, roots[i], LAW_X);
    bri_status status = fmu_of_law(m, s, uses_x, how->version, err);
    if (!status) {
        law_in_c = law_to_c(l->page, "its page", err);
        if (law_in_c) body = fmu_law_source(m, s, law_in_c, err);
        status = body ? fill_archive(&a, m, body, how, err) : BRI_BAD_VALUE;
    }
    if (!status) status = write_archive(&a, file, err);
    for (int i = 0; i < a.count; i++) free(a.owned[i]);
    free(law_in_c);
    free(body);
    free(m);
    return status;
}

bri_status bri_fmu_write(const bri_setup *s, bri_fmu_options *how, const char *file,
                         bri_error *err) {
    bri_fmu_options plain = {0};
    bri_law *own = NULL;
    if (!how) how = &plain;
    if (how->version == 0) how->version = 2;
    if (how->version != 2 && how->version != 3)
        return bri_fail(err, BRI_BAD_VALUE, "there is no FMI %d: 2 or 3", how->version);
    if (how->wanted >> BRI_PLATFORM_COUNT)
        return bri_fail(err, BRI_BAD_VALUE, "there is no such platform");
    bri_error why;
    const bri_law *l = law_with_page(s->model, "made an FMU", &own, &why);
    if (!l) return bri_fail(err, why.status, "%s", why.text);
    bri_setup of_page = *s; /* the tables are those of the page, as in the binary */
    of_page.model = &l->model;
    bri_status status = write_law(&of_page, l, how, file, err);
    bri_law_free(own);
    return status;
}
