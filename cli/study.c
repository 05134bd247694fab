/* study.c - what the commands that study laws share: the form of their tables, the watch over long
 * computations, the command line for the report. */
#define _POSIX_C_SOURCE 200809L
#include "cli.h"
#include "watch.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bri_form study_form(const args *a) {
    static const struct {
        const char *option;
        bri_form form;
    } forms[] = {{"--json", BRI_FORM_JSON},
                 {"--csv", BRI_FORM_CSV},
                 {"--markdown", BRI_FORM_MARKDOWN},
                 {"--html", BRI_FORM_HTML}};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (args_get(a, forms[i].option)) return forms[i].form;
    const char *off = getenv("NO_COLOR");
    return isatty(STDOUT_FILENO) && !(off && *off) ? BRI_FORM_COLOUR : BRI_FORM_TEXT;
}

int study_print(const bri_table *t, bri_form form) {
    bri_error err;
    bri_status status = bri_table_write(t, form, stdout, &err);
    if (status == BRI_OK || status == BRI_BAD_FILE) return DONE; /* main() tells of a bad output */
    complain("%s", err.text);
    return RUN_FAILED;
}

/* ---- watching -------------------------------------------------------------------------------- */

static progress shown;

static int stop(void *context) {
    (void)context;
    return watch_interrupted();
}

static void show(void *context, double share) { progress_share(context, watch_seconds(), share); }

const bri_watch *study_watch_start(void) {
    static const bri_watch watch = {.context = &shown, .stop = stop, .progress = show};
    watch_interrupts(1); /* the laws that are complete are shown */
    progress_start(&shown, 0);
    return &watch;
}

void study_watch_end(void) {
    progress_clear(&shown);
    watch_done();
}

/* ---- the command ----------------------------------------------------------------------------- */

/* In quotes where a shell would see more than a word. */
static void put_word(FILE *out, const char *word) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "-_./:=,+@%";
    if (*word && strspn(word, plain) == strlen(word)) {
        fputs(word, out);
        return;
    }
    fputc('\'', out);
    for (; *word; word++)
        if (*word == '\'')
            fputs("'\\''", out);
        else
            fputc(*word, out);
    fputc('\'', out);
}

char *study_command(const args *a) {
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out) return NULL;
    fputs("bristle", out);
    for (int i = 0; i < a->argc; i++) {
        fputc(' ', out);
        put_word(out, a->argv[i]);
    }
    if (fclose(out) == 0) return text;
    free(text);
    return NULL;
}
