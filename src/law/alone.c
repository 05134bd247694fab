/* alone.c - the C of a law in one source with what it needs of the library, for a compiler that
 * sees nothing else: FMUs, and laws that are compiled at run time. */
#include "export.h"

#include <string.h>

/* What #include lines name stands before them already. */
void law_put_lines(FILE *out, const char *text) {
    while (*text) {
        size_t n = strcspn(text, "\n");
        n += text[n] == '\n';
        if (strncmp(text, "#include", 8) != 0) fwrite(text, 1, n, out);
        text += n;
    }
}

void law_put_alone(FILE *out, const char *law_in_c) {
    static const char *const before[] = {"bristle.h",    "text.h",      "fail.h",        "models.h",
                                         "steps.h",      "expr_math.h", "text.c",        "model.c",
                                         "step_words.h", "step_root.h", "step_bodies.h", "steps.c",
                                         "law_code.h"};
    for (size_t i = 0; i < sizeof before / sizeof *before; i++)
        for (int k = 0; k < bri_law_texts_count; k++)
            if (strcmp(bri_law_texts[k].name, before[i]) == 0) {
                fprintf(out, "\n/* ==== %s ==== */\n\n", before[i]);
                law_put_lines(out, bri_law_texts[k].text);
            }
    fputs("\n/* ==== the law ==== */\n\n", out);
    law_put_lines(out, law_in_c);
}
