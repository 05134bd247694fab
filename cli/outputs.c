/* outputs.c - no file that a command writes may be one that it reads, or another that it writes,
 * and all must be there to be written before the first is touched. Which files are read is found in
 * the command line itself: whatever is named there and not an output. */
#define _POSIX_C_SOURCE 200809L
#include "cli.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

static int same(const struct stat *a, const struct stat *b) {
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* The folder that a name is in. */
static int folder_of(const char *name, struct stat *info) {
    const char *slash = strrchr(name, '/');
    char *folder = slash ? strndup(name, (size_t)(slash - name) + 1) : strdup(".");
    int found = folder && stat(folder, info) == 0;
    free(folder);
    return found;
}

static const char *last_part(const char *name) {
    const char *slash = strrchr(name, '/');
    return slash ? slash + 1 : name;
}

/* By device and inode, so that links and detours do not hide it; names that nothing has yet are the
 * same in the same folder. Devices and pipes can be shared. */
static int same_file(const char *a, const char *b) {
    struct stat x, y;
    int has_a = stat(a, &x) == 0, has_b = stat(b, &y) == 0;
    if (has_a && has_b) return S_ISREG(x.st_mode) && same(&x, &y);
    if (has_a != has_b || strcmp(last_part(a), last_part(b)) != 0) return 0;
    return folder_of(a, &x) && folder_of(b, &y) && same(&x, &y);
}

/* ---- what a command line names ------------------------------------------------------------------
 */

/* Whether the i-th option that was given names a file that is written. */
static int writes(const args *a, int i) {
    static const char *const names[] = {"-o", "--output", "--events", "--slips", "--plot"};
    const option *o = &a->options[a->which[i]];
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (strcmp(o->name, names[k]) == 0) return strcmp(o->value, "FILE") == 0;
    return 0;
}

static const char *name_of(const args *a, int i) { return a->options[a->which[i]].name; }

static int ends_in(const char *name, const char *end) {
    size_t n = strlen(name), m = strlen(end);
    return n >= m && strcasecmp(name + n - m, end) == 0;
}

/* A folder of --laws is read page by page. */
static int page_of(const char *file, const char *folder) {
    struct stat own, x, y;
    return stat(folder, &x) == 0 && S_ISDIR(x.st_mode) && stat(file, &own) == 0 &&
           (ends_in(file, ".yaml") || ends_in(file, ".yml")) && folder_of(file, &y) && same(&x, &y);
}

/* A report has pages, tables and pictures of several names in its folder. */
static int in_report(const char *input, const char *folder) {
    struct stat own, x, y;
    return (ends_in(input, ".html") || ends_in(input, ".csv") || ends_in(input, ".svg")) &&
           stat(input, &own) == 0 && stat(folder, &x) == 0 && folder_of(input, &y) && same(&x, &y);
}

/* A sweep writes FILE.sweep as well. */
static int is_beside(const char *file, const char *input) {
    size_t size = strlen(file) + 8;
    char *name = ends_in(input, ".sweep") ? malloc(size) : NULL;
    int found = name && snprintf(name, size, "%s.sweep", file) > 0 && same_file(name, input);
    free(name);
    return found;
}

static int refuse_input(const args *a, const char *input) {
    const char *report = args_get(a, "--report");
    if (report && in_report(input, report)) {
        complain("--report %.200s could overwrite %.200s, which is read: take another folder",
                 report, input);
        return WRONG_USAGE;
    }
    for (int i = 0; i < a->n_given; i++) {
        if (!writes(a, i) || !(same_file(a->values[i], input) || page_of(a->values[i], input) ||
                               is_beside(a->values[i], input)))
            continue;
        complain("%s %.200s would overwrite what is read", name_of(a, i), a->values[i]);
        return WRONG_USAGE;
    }
    return DONE;
}

/* A value may be a list of files, parted by commas. */
static int refuse_inputs(const args *a, const char *list) {
    int failed = refuse_input(a, list);
    for (const char *at = strchr(list, ',') ? list : NULL; at && !failed;) {
        const char *comma = strchr(at, ',');
        char *one = comma ? strndup(at, (size_t)(comma - at)) : strdup(at);
        if (!one) {
            complain("%s", bri_status_text(BRI_NO_MEMORY));
            return RUN_FAILED;
        }
        failed = refuse_input(a, one + strspn(one, " "));
        free(one);
        at = comma ? comma + 1 : NULL;
    }
    return failed;
}

int outputs_keep(const args *a, const bri_scenario *read) {
    const char *input;
    int failed = DONE;
    for (int k = 0; !failed && (input = bri_scenario_file(read, k)) != NULL; k++)
        failed = refuse_input(a, input);
    return failed;
}

int outputs_folder(const char *name) {
    struct stat info;
    if (!name || (stat(name, &info) == 0 && S_ISDIR(info.st_mode))) return DONE;
    if (mkdir(name, 0777) == 0) {
        rmdir(name);
        return DONE;
    }
    complain("%.200s cannot be made: %s", name, strerror(errno));
    return RUN_FAILED;
}

int outputs_check(const args *a) {
    bri_error err;
    int failed = DONE;
    for (int i = 0; i < a->n_given; i++)
        for (int k = 0; k < i && writes(a, i); k++) {
            if (!writes(a, k) || !same_file(a->values[i], a->values[k])) continue;
            complain("%s and %s name the same file, %.200s", name_of(a, k), name_of(a, i),
                     a->values[i]);
            return WRONG_USAGE;
        }
    for (int i = 0; !failed && i < a->n_words; i++) failed = refuse_input(a, a->words[i]);
    for (int i = 0; !failed && i < a->n_given; i++)
        if (!writes(a, i)) failed = refuse_inputs(a, a->values[i]);
    for (int i = 0; !failed && i < a->n_given; i++) {
        struct stat info;
        if (!writes(a, i) || bri_file_try(a->values[i], &err) == BRI_OK) continue;
        complain("%s", err.text);
        int folder = stat(a->values[i], &info) == 0 && S_ISDIR(info.st_mode);
        failed = folder ? WRONG_USAGE : RUN_FAILED;
    }
    return failed;
}

int outputs_spare(const args *a, const bri_scenario_options *how) {
    bri_scenario *s = NULL;
    int any = args_get(a, "--report") != NULL, failed = DONE;
    for (int i = 0; i < a->n_given; i++) any |= writes(a, i);
    if (any && a->n_words > 0 && bri_scenario_load(a->words[0], how, &s, NULL) == BRI_OK)
        failed = outputs_keep(a, s);
    bri_scenario_free(s);
    return failed;
}
