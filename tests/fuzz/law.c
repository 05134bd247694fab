/* law.c - law files under coverage-guided fuzzing: whatever the bytes say, reading ends, a refusal
 * gives a reason, and what is taken becomes C or a reason why not. */
#include "law/law.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void count(void *to, int line, const char *words) {
    if (line < 0 || !words[0]) abort();
    ++*(int *)to;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    int complaints = 0;
    bri_error err = {0};
    law *l = law_read((const char *)data, size, count, &complaints);
    if (!l && complaints == 0) abort();
    if (!l) return 0;
    char *code = law_to_c(l, "fuzz.yaml", &err);
    if (!code && !err.text[0]) abort();
    free(code);
    law_free(l);
    return 0;
}
