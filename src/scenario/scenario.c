/* scenario.c - a scenario from its text, a file or the shipped ones, to a definition that can be
 * simulated. */
#define _POSIX_C_SOURCE 200809L
#include "scope.h"

#include "../output/utf8.h"

#include "fail.h"

#include <locale.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* ---- reading ------------------------------------------------------------------------------- */

static void tree_report(void *to, int line, bri_status status, const char *words) {
    report_line(to, line, status, words);
}

static void read_title(reader *r, const node *root) {
    const node *n = node_get(root, "title");
    const char *slash = strrchr(r->file, '/'), *title = slash ? slash + 1 : r->file;
    if (n && want_text(r, n, "a title")) title = n->text;
    for (const char *c = title; n && *c;) {
        uint32_t code = utf8_next(&c);
        if (code >= 0xa0 || (code >= 0x20 && code < 0x7f) || code == '\n' || code == '\t') continue;
        report(r, n, BRI_BAD_VALUE, "the control character U+%04X cannot be shown", (unsigned)code);
        break;
    }
    char *copy = ARENA_NEW(r->memory, char, strlen(title) + 1);
    if (copy)
        r->s->title = strcpy(copy, title);
    else
        report_memory(r);
}

void note_file(bri_scenario *s, const char *name) {
    for (const file_read *f = s->files; f; f = f->next)
        if (strcmp(f->name, name) == 0) return;
    file_read *f = ARENA_NEW(&s->memory, file_read, 1);
    char *copy = ARENA_NEW(&s->memory, char, strlen(name) + 1);
    if (!f || !copy) return; /* the arena has failed, and says so in the end */
    *f = (file_read){.next = s->files, .name = strcpy(copy, name)};
    s->files = f;
}

/* All of the tree. What comes later relies on what came before: bodies, then what joins them. */
static void read_tree(reader *r, const node *root, const char *text, size_t length) {
    choice c = {0};
    int count;
    const bri_param *rows = bri_scenario_keys("", &count), *gravity = row_of("", "gravity");
    choice_rows(&c, rows, count);
    check_keys(r, root, &c);
    read_title(r, root);
    read_optional(r, root, gravity, gravity->unit, &r->s->def.system.gravity);
    read_scope(r, root);
    read_laws(r, root, text, length);
    if (r->status == BRI_NO_MEMORY || !find_groups(r, root)) return;
    read_bodies(r);
    if (r->status != BRI_NO_MEMORY && r->s->def.system.n_bodies == 0 && !node_get(root, "bodies"))
        report(r, NULL, BRI_BAD_VALUE, "bodies is missing: {block: {mass: 1 kg}}, for example");
    else if (r->status != BRI_NO_MEMORY && r->s->def.system.n_bodies == 0 && r->status == BRI_OK)
        report(r, node_get(root, "bodies"), BRI_BAD_VALUE, "there is no body");
    if (r->status == BRI_NO_MEMORY) return;
    read_couplings(r);
    read_compare(r, root);
    read_contacts(r);
    read_drives(r);
    read_run(r, root);
    timed_finish(r);
    list_parameters(r);
    if (r->status != BRI_NO_MEMORY) check_members(r);
}

static void read_text(reader *r, const char *text, size_t length,
                      const bri_scenario_options *options) {
    node *root = node_parse(text, length, r->memory, tree_report, r);
    if (!root) return;
    if (root->kind != NODE_MAP) {
        report_line(r, root->line, BRI_BAD_VALUE,
                    "a scenario is a map: title, bodies, contacts, run, ...");
        return;
    }
    for (int i = 0; options && i < options->n_overrides; i++)
        apply_override(r, root, &options->overrides[i]);
    read_tree(r, root, text, length);
}

bri_status bri_scenario_parse(const char *text, size_t length, const char *name,
                              const bri_scenario_options *options, bri_scenario **s,
                              bri_messages *messages) {
    *s = NULL;
    if (messages) memset(messages, 0, sizeof *messages);
    reader r = {.file = name, .messages = messages, .model = options ? options->model : NULL};
    if (length > MAX_FILE) {
        char words[120];
        snprintf(words, sizeof words,
                 "%zu bytes, at most %d are read: put long tables into CSV files", length,
                 MAX_FILE);
        report_line(&r, 0, BRI_BAD_FILE, words);
        return r.status;
    }
    r.s = calloc(1, sizeof *r.s);
    /* Numbers are read and written with a decimal point, whatever the host's locale. */
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0), host;
    if (!r.s || !plain) {
        report_memory(&r);
        if (plain) freelocale(plain);
        free(r.s);
        return r.status;
    }
    host = uselocale(plain);
    r.memory = &r.s->memory;
    r.s->def = bri_sim_defaults();
    r.s->laws = bri_laws_new(options ? options->laws : NULL);
    if (!r.s->laws)
        report_memory(&r);
    else
        read_text(&r, text, length, options);
    uselocale(host);
    freelocale(plain);
    if (r.status == BRI_OK && r.memory->failed) report_memory(&r);
    if (r.status == BRI_OK)
        *s = r.s;
    else
        bri_scenario_free(r.s);
    return r.status;
}

static bri_status nothing_there(const char *name, bri_messages *messages) {
    reader r = {.file = name, .messages = messages};
    choice c = {0};
    char hint[300], words[360];
    for (int i = 0; i < bri_shipped_count; i++) choice_add(&c, bri_shipped[i].name);
    choice_hint(&c, name, hint, sizeof hint);
    snprintf(words, sizeof words, "there is no such file, and no scenario of that name%s", hint);
    report_line(&r, 0, BRI_BAD_FILE, words);
    return r.status;
}

bri_status bri_scenario_load(const char *file_or_name, const bri_scenario_options *options,
                             bri_scenario **s, bri_messages *messages) {
    struct stat info;
    *s = NULL;
    if (messages) memset(messages, 0, sizeof *messages);
    if (stat(file_or_name, &info) != 0 || S_ISDIR(info.st_mode)) {
        const char *text = bri_scenario_text(file_or_name);
        if (text) return bri_scenario_parse(text, strlen(text), file_or_name, options, s, messages);
        if (stat(file_or_name, &info) != 0) return nothing_there(file_or_name, messages);
    }
    size_t length;
    bri_error err;
    char *text = read_file(file_or_name, MAX_FILE, &length, &err);
    if (!text) {
        reader r = {.file = file_or_name, .messages = messages};
        report_line(&r, 0, err.status, err.text);
        return r.status;
    }
    bri_status status = bri_scenario_parse(text, length, file_or_name, options, s, messages);
    free(text);
    if (status != BRI_OK) return status;
    note_file(*s, file_or_name);
    if (!(*s)->memory.failed) return BRI_OK;
    bri_scenario_free(*s);
    *s = NULL;
    reader r = {.file = file_or_name, .messages = messages};
    report_memory(&r);
    return r.status;
}

void bri_scenario_free(bri_scenario *s) {
    if (!s) return;
    expressions_free(s->expressions);
    bri_laws_free(s->laws); /* pages within the file are in its memory */
    arena_free(&s->memory);
    free(s->text);
    free(s->notes);
    free(s);
}

/* ---- what it says -------------------------------------------------------------------------- */

const bri_sim_def *bri_scenario_def(const bri_scenario *s) { return &s->def; }

const char *bri_scenario_title(const bri_scenario *s) { return s->title; }

double bri_scenario_output(const bri_scenario *s) { return s->output; }

const char *bri_scenario_file(const bri_scenario *s, int i) {
    const file_read *f = s->files;
    while (f && i-- > 0) f = f->next;
    return f ? f->name : NULL;
}

bri_laws *bri_scenario_laws(const bri_scenario *s) { return s->laws; }

int bri_scenario_rivals(const bri_scenario *s) { return s->n_rivals; }

const bri_model *bri_scenario_rival(const bri_scenario *s, int i) {
    return i >= 0 && i < s->n_rivals ? s->rivals[i].model : NULL;
}

const bri_model *bri_scenario_reference(const bri_scenario *s) { return s->reference; }

/* ---- shipped scenarios --------------------------------------------------------------------- */

int bri_scenario_count(void) { return bri_shipped_count; }

const char *bri_scenario_name(int i) {
    return i >= 0 && i < bri_shipped_count ? bri_shipped[i].name : NULL;
}

const char *bri_scenario_text(const char *name) {
    for (int i = 0; i < bri_shipped_count; i++)
        if (strcmp(bri_shipped[i].name, name) == 0) return bri_shipped[i].text;
    return NULL;
}
