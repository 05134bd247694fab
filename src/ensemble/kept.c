/* kept.c - a folder with the rows of every run, and with the settings of the sweep they are of. */
#define _POSIX_C_SOURCE 200809L
#include "ensemble.h"

#include "../scenario/csv.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

void kept_name(char name[KEPT_NAME], const char *dir, long point) {
    snprintf(name, KEPT_NAME, "%.500s/point-%ld.csv", dir, point);
}

/* Nonzero: the rows of a run, as kept_name() calls them. */
static int is_run(const char *name) {
    if (strncmp(name, "point-", 6) != 0) return 0;
    size_t digits = strspn(name + 6, "0123456789");
    return digits > 0 && strcmp(name + 6 + digits, ".csv") == 0;
}

/* The first one that is found; "": the folder holds none. */
static void find_run(const char *dir, char found[40]) {
    DIR *all = opendir(dir);
    const struct dirent *one;
    *found = '\0';
    while (all && !*found && (one = readdir(all)) != NULL)
        if (is_run(one->d_name)) snprintf(found, 40, "%.39s", one->d_name);
    if (all) closedir(all);
}

bri_status kept_open(const char *dir, const char *settings, bri_error *err) {
    struct stat info;
    char name[KEPT_NAME], run[40];
    size_t length;
    bri_error why = {0};
    if (!dir) return BRI_OK;
    int here = stat(dir, &info) == 0 && S_ISDIR(info.st_mode);
    if (!here && mkdir(dir, 0777) != 0 && errno != EEXIST)
        return bri_fail(err, BRI_BAD_FILE, "%.200s cannot be made: %s", dir, strerror(errno));
    snprintf(name, sizeof name, "%.500s/runs.sweep", dir);
    find_run(dir, run);
    if (!*run) return sheet_settings(name, settings, err);
    if (stat(name, &info) != 0)
        return bri_fail(err, BRI_BAD_VALUE,
                        "%.200s holds %s already, and without %.200s nobody knows its settings; "
                        "take another folder",
                        dir, run, name);
    char *there = read_file(name, READ_ALL, &length, &why);
    if (!there) return bri_fail(err, why.status, "%.200s: %.200s", name, why.text);
    int same = length == strlen(settings) && memcmp(there, settings, length) == 0;
    bri_status status = same ? BRI_OK
                             : settings_refuse(dir, there, length, settings,
                                               "take another folder, or delete that one", err);
    free(there);
    return status;
}
