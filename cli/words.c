/* words.c - lists on the command line: "lugre,dahl". */
#include "cli.h"

#include <stdlib.h>
#include <string.h>

int words_split(word_list *l, const char *text) {
    size_t commas = 1;
    *l = (word_list){0};
    if (!text) return DONE;
    for (const char *c = text; *c; c++) commas += *c == ',';
    l->text = malloc(strlen(text) + 1);
    l->word = calloc(commas, sizeof *l->word);
    if (!l->text || !l->word) {
        complain("%s", bri_status_text(BRI_NO_MEMORY));
        return RUN_FAILED;
    }
    strcpy(l->text, text);
    for (char *at = l->text; at;) {
        char *comma = strchr(at, ',');
        if (comma) *comma++ = '\0';
        while (*at == ' ') at++;
        for (char *end = at + strlen(at); end > at && end[-1] == ' ';) *--end = '\0';
        if (!*at) {
            complain("'%.80s': a name is missing", text);
            return WRONG_USAGE;
        }
        l->word[l->count++] = at;
        at = comma;
    }
    return DONE;
}

void words_free(word_list *l) {
    free(l->text);
    free(l->word);
}

int no_solver(const char *word) {
    const char *package = bri_solver_missing(word), *names[64];
    int count = 0;
    for (int i = 0; i < bri_solver_count() && count < 64; i++)
        names[count++] = bri_solver_name(bri_solver_at(i));
    const char *near = bri_nearest(word, names, count);
    if (package)
        complain("the solver '%s' was not built: it needs the package %s", word, package);
    else if (near)
        complain("there is no solver '%s'; did you mean '%s'?", word, near);
    else
        complain("there is no solver '%s'; 'bristle run --help' lists them", word);
    return WRONG_USAGE;
}
