/* csv.c - tables under coverage-guided fuzzing: whatever the bytes say, reading ends without harm,
 * a refusal gives a reason, and what is taken is a table of finite numbers whose times increase. */
#include "scenario/csv.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const columns[2] = {"t", "F"};
    double *values[2];
    arena memory = {0};
    bri_error err = {0};
    int count = 0;
    bri_status status = csv_parse((const char *)data, size, columns, &memory, values, &count, &err);
    if (status != BRI_OK && !err.text[0]) abort();
    if (status == BRI_OK && count < 2) abort();
    for (int i = 0; status == BRI_OK && i < count; i++) {
        if (!isfinite(values[0][i]) || !isfinite(values[1][i])) abort();
        if (i > 0 && !(values[0][i] > values[0][i - 1])) abort();
    }
    arena_free(&memory);
    return 0;
}
