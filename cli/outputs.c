/* outputs.c - no file that a command writes may be one that it reads, or another that it writes. */
#define _POSIX_C_SOURCE 200809L
#include "cli.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

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

int outputs_check(const args *a, const char *const *options, int n_options,
                  const bri_scenario *read) {
    for (int i = 0; i < n_options; i++) {
        const char *file = args_get(a, options[i]), *input;
        for (int k = 0; file && k < i; k++) {
            const char *other = args_get(a, options[k]);
            if (!other || !same_file(file, other)) continue;
            complain("%s and %s name the same file, %.200s", options[k], options[i], file);
            return WRONG_USAGE;
        }
        for (int k = 0; file && read && (input = bri_scenario_file(read, k)) != NULL; k++) {
            if (!same_file(file, input)) continue;
            complain("%s %.200s would overwrite what the scenario is read from", options[i], file);
            return WRONG_USAGE;
        }
    }
    return DONE;
}
