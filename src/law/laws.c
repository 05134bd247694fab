/* laws.c - law files: read one by one, and known by name beside the laws of the library. */
#define _POSIX_C_SOURCE 200809L
#include "laws.h"

#include "interpret.h"

#include <dirent.h>
#include <string.h>
#include <sys/stat.h>

enum { MOST_LAWS = 1000, MOST_BYTES = 1 << 20 };

struct bri_laws {
    const bri_laws *base;
    bri_law **own; /* added */
    int n_own;
    bri_law **pages; /* of the library, those that were asked for */
    int n_pages;
};

/* ---- one law ------------------------------------------------------------------------------- */

static void tell(void *to, int line, bri_status status, const char *words) {
    report_line(to, line, status, words);
}

/* Names are typed on command lines, and written before commas and behind colons there. */
static int good_name(const char *name) {
    size_t length = strlen(name);
    return length > 0 && length < 64 && !strchr("0123456789", name[0]) &&
           strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") ==
               length;
}

/* root NULL: the text is the page. */
static bri_law *make_law(const node *root, const char *text, size_t length, reader *r) {
    law *page = law_read_tree(root, text, length, tell, r);
    if (!page) return NULL;
    if (!good_name(page->name)) {
        char words[200];
        snprintf(words, sizeof words,
                 "law: '%.60s' is no name: at most 63 letters, digits and _, a letter first",
                 page->name);
        report_line(r, 0, BRI_BAD_VALUE, words);
        law_free(page);
        return NULL;
    }
    return law_interpret(page, tell, r);
}

static bri_law *make_from_file(const char *file, reader *r) {
    size_t length;
    bri_error err;
    char *text = read_file(file, MOST_BYTES, &length, &err);
    if (!text) report_line(r, 0, err.status, err.text);
    bri_law *l = text ? make_law(NULL, text, length, r) : NULL;
    free(text);
    return l;
}

bri_status bri_law_parse(const char *text, size_t length, const char *name, bri_law **l,
                         bri_messages *messages) {
    reader r = {.file = name, .messages = messages};
    if (messages) memset(messages, 0, sizeof *messages);
    *l = NULL;
    if (length > MOST_BYTES)
        report_line(&r, 0, BRI_BAD_FILE, "more than a megabyte, which is the limit");
    else
        *l = make_law(NULL, text, length, &r);
    return r.status;
}

bri_status bri_law_load(const char *file, bri_law **l, bri_messages *messages) {
    reader r = {.file = file, .messages = messages};
    if (messages) memset(messages, 0, sizeof *messages);
    *l = make_from_file(file, &r);
    return r.status;
}

/* ---- sets ---------------------------------------------------------------------------------- */

bri_laws *bri_laws_new(const bri_laws *base) {
    bri_laws *laws = calloc(1, sizeof *laws);
    if (laws) laws->base = base;
    return laws;
}

void bri_laws_free(bri_laws *laws) {
    if (!laws) return;
    for (int i = 0; i < laws->n_own; i++) bri_law_free(laws->own[i]);
    for (int i = 0; i < laws->n_pages; i++) bri_law_free(laws->pages[i]);
    free(laws->own);
    free(laws->pages);
    free(laws);
}

bri_status bri_laws_compile(bri_laws *laws, bri_error *err) {
    bri_status status = BRI_OK;
    for (int i = 0; i < laws->n_own && status == BRI_OK; i++)
        status = bri_law_compile(laws->own[i], err);
    for (int i = 0; i < laws->n_pages && status == BRI_OK; i++)
        status = bri_law_compile(laws->pages[i], err);
    return status;
}

static const bri_model *named(bri_law *const *list, int count, const char *name) {
    for (int i = 0; i < count; i++)
        if (strcmp(list[i]->model.name, name) == 0) return &list[i]->model;
    return NULL;
}

static const bri_model *find_added(const bri_laws *laws, const char *name) {
    const bri_model *m = NULL;
    for (; laws && !m; laws = laws->base) m = named(laws->own, laws->n_own, name);
    return m;
}

/* Put the law at the end of the list; 0 without memory. */
static int append(bri_law ***list, int *count, bri_law *l) {
    bri_law **longer = realloc(*list, sizeof **list * (size_t)(*count + 1));
    if (!longer) return 0;
    *list = longer;
    longer[(*count)++] = l;
    return 1;
}

static int take(bri_laws *laws, bri_law *l, reader *r) {
    char words[200];
    const char *name = l->model.name;
    if (bri_model_find(name) || find_added(laws, name)) {
        snprintf(words, sizeof words, "law: there is a law '%.60s' already: take another name",
                 name);
        report_line(r, 0, BRI_BAD_VALUE, words);
    } else if (laws->n_own == MOST_LAWS) {
        snprintf(words, sizeof words, "more than %d laws", MOST_LAWS);
        report_line(r, 0, BRI_BAD_VALUE, words);
    } else if (!append(&laws->own, &laws->n_own, l)) {
        report_memory(r);
    } else {
        return 1;
    }
    bri_law_free(l);
    return 0;
}

int laws_add_tree(bri_laws *laws, const node *root, const char *text, size_t length, reader *r) {
    bri_law *l = make_law(root, text, length, r);
    return l ? take(laws, l, r) : 0;
}

/* Messages name the file; what was found goes on in r. What nobody has typed must be a regular
 * file: a pipe would be waited for. */
static int add_one(bri_laws *laws, const char *file, int typed, reader *r) {
    reader inner = {.file = file, .messages = r->messages, .quiet = r->quiet};
    struct stat info;
    bri_law *l = NULL;
    if (!typed && stat(file, &info) == 0 && !S_ISREG(info.st_mode))
        report_line(&inner, 0, BRI_BAD_FILE, "is not a regular file");
    else
        l = make_from_file(file, &inner);
    int good = l ? take(laws, l, &inner) : 0;
    if (r->status == BRI_OK) r->status = inner.status;
    r->reported += inner.reported;
    return good;
}

static int is_page(const struct dirent *entry) {
    size_t length = strlen(entry->d_name);
    return length > 5 && entry->d_name[0] != '.' &&
           strcmp(entry->d_name + length - 5, ".yaml") == 0;
}

static int add_folder(bri_laws *laws, const char *folder, reader *r) {
    struct dirent **entries = NULL;
    int count = scandir(folder, &entries, is_page, alphasort), good = count > 0;
    char path[4096], words[200];
    if (count <= 0) {
        snprintf(words, sizeof words, "%s",
                 count < 0 ? "the folder cannot be read" : "the folder holds no file *.yaml");
        reader inner = {.file = folder, .messages = r->messages};
        report_line(&inner, 0, BRI_BAD_FILE, words);
        if (r->status == BRI_OK) r->status = BRI_BAD_FILE;
    }
    for (int i = 0; i < count; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
        good &= add_one(laws, path, 0, r);
        free(entries[i]);
    }
    free(entries);
    return good;
}

int laws_add_file(bri_laws *laws, const char *file, reader *r) {
    struct stat info;
    if (stat(file, &info) == 0 && S_ISDIR(info.st_mode)) return add_folder(laws, file, r);
    return add_one(laws, file, !r->s, r);
}

bri_status bri_laws_add(bri_laws *laws, const char *file, bri_messages *messages) {
    reader r = {.file = file, .messages = messages};
    if (messages) memset(messages, 0, sizeof *messages);
    laws_add_file(laws, file, &r);
    return r.status;
}

/* ---- looking up ---------------------------------------------------------------------------- */

/* A page of the library, read when it is first asked for, by the set or by its base. */
static const bri_model *find_page(bri_laws *laws, const char *name) {
    const bri_model *m = NULL;
    for (const bri_laws *l = laws; l && !m; l = l->base) m = named(l->pages, l->n_pages, name);
    const char *text = m ? NULL : bri_law_page(name);
    if (!text) return m;
    reader r = {.file = name};
    bri_law *l = make_law(NULL, text, strlen(text), &r);
    if (l && append(&laws->pages, &laws->n_pages, l)) return &l->model;
    bri_law_free(l);
    return NULL;
}

const bri_model *bri_laws_find(bri_laws *laws, const char *name) {
    const bri_model *m = bri_model_find(name);
    if (!m) m = find_added(laws, name);
    if (!m && laws) m = find_page(laws, name);
    return m;
}

bri_status bri_laws_keep(bri_laws *laws, const bri_laws *from) {
    for (; from; from = from->base)
        for (int i = 0; i < from->n_pages; i++)
            if (!bri_laws_find(laws, from->pages[i]->model.name)) return BRI_NO_MEMORY;
    return BRI_OK;
}

int bri_laws_count(const bri_laws *laws) {
    int count = bri_model_count();
    for (; laws; laws = laws->base) count += laws->n_own;
    return count;
}

const bri_model *bri_laws_at(const bri_laws *laws, int i) {
    int before = laws ? bri_laws_count(laws->base) : bri_model_count();
    if (i < before) return laws ? bri_laws_at(laws->base, i) : bri_model_at(i);
    return laws && i - before < laws->n_own ? &laws->own[i - before]->model : NULL;
}

const char *bri_laws_nearest(const bri_laws *laws, const char *name) {
    int count = 0, all = bri_laws_count(laws) + bri_law_pages_count;
    const char **names = malloc(sizeof *names * (size_t)all), *near = NULL;
    for (int i = 0; names && i < bri_laws_count(laws); i++)
        names[count++] = bri_laws_at(laws, i)->name;
    for (int i = 0; names && i < bri_law_pages_count; i++)
        if (!bri_model_find(bri_law_pages[i].name)) names[count++] = bri_law_pages[i].name;
    if (names) near = bri_nearest(name, names, count);
    free(names);
    return near;
}

/* ---- pages of the library ------------------------------------------------------------------ */

int bri_law_page_count(void) { return bri_law_pages_count; }

const char *bri_law_page_name(int i) {
    return i >= 0 && i < bri_law_pages_count ? bri_law_pages[i].name : NULL;
}

const char *bri_law_page(const char *name) {
    for (int i = 0; i < bri_law_pages_count; i++)
        if (strcmp(bri_law_pages[i].name, name) == 0) return bri_law_pages[i].text;
    return NULL;
}
