/* fmu.c - a law or a rig as an FMU: description, sources, binaries and a page, in one archive. */
#include "fmu.h"
#include "rig.h"

#include "../fail.h"
#include "../law/interpret.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static bri_status no_memory(bri_error *err) {
    return bri_fail(err, BRI_NO_MEMORY, "%s", bri_status_text(BRI_NO_MEMORY));
}

/* Equal sources have equal tokens: FNV-1a with two beginnings, written as a UUID. */
static void make_token(const fmu_model *m, char token[40]) {
    uint64_t hash[2] = {14695981039346656037u, 1099511628211u * 97u};
    for (int k = 0; k < m->n_sources; k++)
        for (const char *s = m->sources[k].text; *s; s++)
            for (int i = 0; i < 2; i++) hash[i] = (hash[i] ^ (unsigned char)*s) * 1099511628211u;
    snprintf(token, 40, "{%08lx-%04lx-%04lx-%04lx-%012llx}",
             (unsigned long)(hash[0] >> 32 & 0xffffffffu), (unsigned long)(hash[0] >> 16 & 0xffff),
             (unsigned long)(hash[0] & 0xffff), (unsigned long)(hash[1] >> 48 & 0xffff),
             (unsigned long long)(hash[1] & 0xffffffffffffu));
}

static const char *license(void) { return fmu_text("LICENSE"); }

/* A title within a comment of C: nothing in it can end that. */
static void comment_text(const char *title, char *text, size_t size) {
    size_t used = 0;
    for (; *title && used + 1 < size; title++) {
        int plain = (unsigned char)*title >= ' ' && !strchr("*\\?", *title);
        text[used++] = plain ? *title : ' ';
    }
    text[used] = '\0';
}

/* The first source whole: how to build it, under which terms, its token, and what it is. */
static void finish_source(fmu_model *m) {
    char *body = m->sources[0].text, command[200], title[300];
    size_t room = strlen(body) + strlen(license()) + 1000;
    char *text = malloc(room);
    make_token(m, m->token);
    fmu_command(m, command, sizeof command);
    comment_text(m->title, title, sizeof title);
    if (text)
        text_format(text, room,
                    "/* %s: %s, as an FMU for FMI %d.0. Written by bristle %s.\n *\n"
                    " *   %s\n */\n/*\n%s*/\n"
                    "#define UNIT_TOKEN \"%s\"\n\n%s",
                    m->name, title, m->version, bri_version(), command, license(), m->token, body);
    m->failed |= !text;
    m->sources[0].text = text;
    free(body);
}

/* ---- the archive ------------------------------------------------------------------------------
 */

enum { MOST_OTHERS = 8 }; /* files besides the sources */
typedef struct archive {
    zip_entry *at;
    int count;
    char *owned[MOST_OTHERS];
    int n_owned;
} archive;

static void add(archive *a, const char *bytes, size_t size, const char *folder, const char *name,
                const char *ending) {
    zip_entry *e = &a->at[a->count++];
    text_format(e->name, sizeof e->name, "%s%s%s", folder, name, ending);
    e->bytes = bytes;
    e->size = size;
}

/* Takes the text over. */
static int add_text(archive *a, char *text, const char *folder, const char *name) {
    a->owned[a->n_owned++] = text;
    if (text) add(a, text, strlen(text), folder, name, "");
    return text != NULL;
}

/* The binary of one platform, made by a thread of its own: compilers take their time. */
typedef struct binary {
    const fmu_model *m;
    bri_platform platform;
    int wanted, threaded;
    pthread_t thread;
    bri_status status;
    bri_error err;
    char *bytes;
    size_t size;
} binary;

static void *compile_one(void *to) {
    binary *b = to;
    b->status = fmu_compile(b->platform, b->m, &b->bytes, &b->size, &b->err);
    return NULL;
}

static void compile_all(binary all[BRI_PLATFORM_COUNT], const fmu_model *m,
                        const bri_fmu_options *how) {
    for (int p = 0; p < BRI_PLATFORM_COUNT; p++) {
        binary *b = &all[p];
        *b = (binary){.m = m, .platform = (bri_platform)p};
        b->wanted = !how->sources_only && (!how->wanted || how->wanted & 1u << p);
        if (b->wanted) b->threaded = pthread_create(&b->thread, NULL, compile_one, b) == 0;
        if (b->wanted && !b->threaded) compile_one(b);
    }
    for (int p = 0; p < BRI_PLATFORM_COUNT; p++)
        if (all[p].threaded) pthread_join(all[p].thread, NULL);
}

static bri_status add_binaries(archive *a, const fmu_model *m, bri_fmu_options *how,
                               bri_error *err) {
    static const char *const folders[BRI_PLATFORM_COUNT][2] = {
        [BRI_LINUX64] = {"binaries/linux64/", "binaries/x86_64-linux/"},
        [BRI_WIN64] = {"binaries/win64/", "binaries/x86_64-windows/"},
        [BRI_AARCH64] = {"binaries/aarch64-linux/", "binaries/aarch64-linux/"},
    };
    binary all[BRI_PLATFORM_COUNT];
    bri_status status = BRI_OK;
    compile_all(all, m, how);
    how->made = 0;
    for (int p = 0; p < BRI_PLATFORM_COUNT; p++) {
        binary *b = &all[p];
        a->owned[a->n_owned++] = b->bytes;
        if (!b->wanted || (b->status == BRI_MISSING && !how->wanted)) continue;
        if (b->status && !status) status = bri_fail(err, b->status, "%s", b->err.text);
        if (b->status) continue;
        add(a, b->bytes, b->size, folders[p][m->version == 3], m->name,
            p == BRI_WIN64 ? ".dll" : ".so");
        how->made |= 1u << p;
    }
    return status;
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

static bri_status fill_archive(archive *a, fmu_model *m, bri_fmu_options *how, bri_error *err) {
    finish_source(m);
    if (m->failed) return no_memory(err);
    a->at = calloc((size_t)m->n_sources + MOST_OTHERS, sizeof *a->at);
    if (!a->at) return no_memory(err);
    int good = add_text(a, fmu_description(m), "", "modelDescription.xml");
    for (int i = 0; i < m->n_sources; i++)
        add(a, m->sources[i].text, strlen(m->sources[i].text), "sources/", m->sources[i].name, "");
    good &= add_text(a, fmu_build_description(m), "sources/", "buildDescription.xml");
    good &= add_text(a, fmu_page(m), "documentation/", "index.html");
    add(a, license(), strlen(license()), "documentation/licenses/", "license.txt", "");
    return good ? add_binaries(a, m, how, err) : no_memory(err);
}

/* The file of a model that has its variables and sources. */
static bri_status write_model(fmu_model *m, bri_fmu_options *how, const char *file,
                              bri_error *err) {
    archive a = {0};
    bri_status status = m->failed ? no_memory(err) : fill_archive(&a, m, how, err);
    if (!status) status = write_archive(&a, file, err);
    for (int i = 0; i < a.n_owned; i++) free(a.owned[i]);
    free(a.at);
    return status;
}

static void free_model(fmu_model *m) {
    for (int i = 0; i < m->n_sources; i++) free(m->sources[i].text);
    free(m->sources);
    free(m->at);
}

static bri_status check_options(bri_fmu_options *how, bri_error *err) {
    if (how->version == 0) how->version = 2;
    if (how->version != 2 && how->version != 3)
        return bri_fail(err, BRI_BAD_VALUE, "there is no FMI %d: 2 or 3", how->version);
    if (how->wanted >> BRI_PLATFORM_COUNT)
        return bri_fail(err, BRI_BAD_VALUE, "there is no such platform");
    return BRI_OK;
}

/* ---- from a law -------------------------------------------------------------------------------
 */

static bri_status write_law(const bri_setup *s, const bri_law *l, bri_fmu_options *how,
                            const char *file, bri_error *err) {
    fmu_model m = {0};
    char name[80], *body = NULL;
    expr_id roots[1 + BRI_MAX_STATES];
    int uses_x = 0;
    if (law_values(l->page, roots))
        for (int i = 0; i <= l->page->n_states; i++)
            uses_x |= expr_depends(l->page->g, roots[i], LAW_X);
    bri_status status = fmu_of_law(&m, s, uses_x, how->version, err);
    if (!status) {
        bri_error why = {0};
        char *law_in_c = law_to_c(l->page, "its page", &why);
        if (law_in_c) body = fmu_law_source(&m, s, law_in_c, &why);
        if (!body) status = bri_fail(err, why.status, "%s", why.text);
        free(law_in_c);
    }
    if (!status) {
        snprintf(name, sizeof name, "%s.c", m.name);
        fmu_add_source(&m, name, body, 0);
        status = write_model(&m, how, file, err);
    }
    free_model(&m);
    return status;
}

bri_status bri_fmu_write(const bri_setup *s, bri_fmu_options *how, const char *file,
                         bri_error *err) {
    bri_fmu_options plain = {0};
    bri_law *own = NULL;
    if (!how) how = &plain;
    bri_status status = check_options(how, err);
    if (status) return status;
    bri_error why;
    const bri_law *l = law_with_page(s->model, "made an FMU", &own, &why);
    if (!l) return bri_fail(err, why.status, "%s", why.text);
    bri_setup of_page = *s; /* the tables are those of the page, as in the binary */
    of_page.model = &l->model;
    status = write_law(&of_page, l, how, file, err);
    bri_law_free(own);
    return status;
}

/* ---- from a rig -------------------------------------------------------------------------------
 */

bri_status bri_fmu_write_rig(const bri_scenario *s, bri_fmu_options *how, const char *file,
                             bri_error *err) {
    bri_fmu_options plain = {0};
    fmu_model m = {0};
    rig_plan plan = {0};
    double *sizes = NULL;
    if (!how) how = &plain;
    bri_status status = check_options(how, err);
    if (!status) status = rig_plan_make(&plan, s, how->inputs, err);
    if (!status) status = fmu_of_rig(&m, s, &plan, how, &sizes, err);
    if (!status) status = fmu_rig_sources(&m, &plan, sizes, err);
    if (!status) status = write_model(&m, how, file, err);
    rig_plan_free(&plan);
    free_model(&m);
    free(sizes);
    return status;
}
