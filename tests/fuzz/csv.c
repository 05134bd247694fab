/* csv.c - tables in CSV files under coverage-guided fuzzing, as a scenario names them. */
#define _POSIX_C_SOURCE 200809L
#include "bristle_scenario.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char file[] = "/tmp/bristle-fuzz-XXXXXX";

static void remove_file(void) { unlink(file); }

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static bri_messages messages;
    static char text[400];
    bri_scenario *s;
    if (!text[0]) {
        int fd = mkstemp(file);
        if (fd < 0) abort();
        close(fd);
        atexit(remove_file);
        snprintf(text, sizeof text,
                 "bodies: {a: {mass: 1 kg}}\n"
                 "drives: {f: {on: a, force: {table: {file: %s, columns: [t, F]}}}}\n"
                 "run: {until: 1 s}\n",
                 file);
    }
    FILE *out = fopen(file, "wb");
    if (!out || fwrite(data, 1, size, out) != size || fclose(out) != 0) abort();
    bri_status status = bri_scenario_parse(text, strlen(text), "fuzz.yaml", NULL, &s, &messages);
    if ((status == BRI_OK) != (s != NULL) || (status != BRI_OK && messages.count == 0)) abort();
    bri_scenario_free(s);
    return 0;
}
