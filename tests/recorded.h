/* recorded.h - a recording and a rig in files of their own, and what identify finds of them. */
#ifndef BRI_TEST_RECORDED_H
#define BRI_TEST_RECORDED_H

#include "bristle_identify.h"
#include "random.h"
#include "test.h"

#include <stdlib.h>
#include <unistd.h>

static const double pi = 3.14159265358979323846;
static char csv[64], rig[64];

static inline int make_files(void **state) {
    (void)state;
    strcpy(csv, "/tmp/bristle-identify-XXXXXX");
    strcpy(rig, "/tmp/bristle-identify-XXXXXX");
    int a = mkstemp(csv), b = mkstemp(rig);
    return a < 0 || b < 0 ? -1 : close(a) | close(b);
}

static inline int remove_files(void **state) {
    (void)state;
    return unlink(csv) | unlink(rig);
}

static inline void put(const char *file, const char *text) {
    FILE *out = fopen(file, "w");
    fputs(text, out);
    fclose(out);
}

static inline double normal(double seed, double i) {
    return sqrt(-2.0 * log(1.0 - bri_random(seed, 2.0 * i))) *
           cos(2.0 * pi * bri_random(seed, 2.0 * i + 1.0));
}

static inline bri_status run_identify(bri_identify_def def, bri_identified **r, bri_messages *m) {
    static const char *files[1];
    files[0] = csv;
    def.scenario = rig, def.files = files, def.n_files = 1, def.threads = 1;
    return bri_identify_run(&def, NULL, r, m);
}

static inline bri_identified *identify(bri_identify_def def) {
    bri_messages m = {0};
    bri_identified *r = NULL;
    if (run_identify(def, &r, &m) != BRI_OK) fail_msg("%s", m.message[0].text);
    return r;
}

static inline const bri_estimate *estimate(const bri_identified *r, const char *name) {
    for (int k = 0; k < r->fits[0].n_estimates; k++)
        if (strcmp(r->fits[0].estimate[k].name, name) == 0) return &r->fits[0].estimate[k];
    fail_msg("no estimate %s", name);
    return NULL;
}

#endif
