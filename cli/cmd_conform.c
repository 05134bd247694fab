/* cmd_conform.c - bristle conform: which friction law keeps which promise, measured. */
#include "cli.h"

#include <stdlib.h>
#include <string.h>

static const option options[] = {
    LAWS_OPTION,
    {"--json", NULL, "one object per law and phenomenon, with all digits and the experiment"},
    {"--markdown", NULL, "as in the page docs/conformance.md, without times of this machine"},
    {"--html", NULL, "a web page with a legend; below each table its experiments"},
    HELP_OPTION,
};
enum { N_OPTIONS = sizeof options / sizeof *options };

/* Call each(group) for the groups of the table of phenomena, in order, until one fails. */
static int for_groups(void *context, int (*each)(void *context, const char *group)) {
    const char *last = "";
    int failed = DONE;
    for (int i = 0; i < bri_phenomenon_count() && !failed; i++) {
        const char *group = bri_phenomenon_at(i)->group;
        if (strcmp(group, last) != 0) failed = each(context, group);
        last = group;
    }
    return failed;
}

/* ---- words ----------------------------------------------------------------------------------- */

static int help_group(void *context, const char *group) {
    (void)context;
    printf("\n%s\n", group);
    for (int i = 0; i < bri_phenomenon_count(); i++) {
        const bri_phenomenon *p = bri_phenomenon_at(i);
        if (strcmp(p->group, group) != 0) continue;
        put_words(printf("  %s: ", p->name), 6, p->text);
    }
    return DONE;
}

static void help(void) {
    puts("bristle conform [LAW...] - which friction law keeps which promise, measured\n\n"
         "Every law goes through the same experiments with the same parameters, as far as it has\n"
         "them:");
    put_words(0, 0, bri_conform_standard());
    puts("Every number is computed twice, the second time with a tenth of the tolerance; digits "
         "that\n"
         "differ are not shown. A LAW may carry parameters of its own: lugre,sigma1=0\n"
         "On a terminal green, yellow and red tell how near a law comes to what is promised.\n\n"
         "examples:\n"
         "  bristle conform                              all laws; takes a quarter of a minute\n"
         "  bristle conform dahl lugre elasto_plastic    some of them\n"
         "  bristle conform lugre lugre,fade=1           a law and a variant\n"
         "  bristle conform mine --laws mine.yaml        a law of one's own\n"
         "  bristle conform --json | jq '.[] | select(.phenomenon == \"drift\")'\n\n"
         "options:");
    options_print(options, N_OPTIONS);
    puts("\nexperiments, by table:");
    for_groups(NULL, help_group);
}

/* ---- tables ---------------------------------------------------------------------------------- */

typedef struct shown {
    bri_conformance *c;
    bri_form form;
} shown;

/* Text for Markdown: no emphasis where a product is meant. */
static void put_md(const char *text) {
    for (; *text; text++) {
        if (strchr("|*<\\", *text)) putchar('\\');
        putchar(*text);
    }
}

/* Text for HTML. */
static void put_html(const char *text) {
    for (; *text; text++)
        if (*text == '<')
            fputs("&lt;", stdout);
        else if (*text == '&')
            fputs("&amp;", stdout);
        else
            putchar(*text);
}

/* How each phenomenon of a group is measured: below its table, and in HTML folded away, since the
 * titles of the columns say it too where there is a mouse. */
static void tell_group(const char *group, bri_form form) {
    int html = form == BRI_FORM_HTML;
    puts(html ? "<details>\n<summary>How it is measured</summary>\n<ul>" : "");
    for (int i = 0; i < bri_phenomenon_count(); i++) {
        const bri_phenomenon *p = bri_phenomenon_at(i);
        if (strcmp(p->group, group) != 0 || (p->machine && !html)) continue;
        printf(html ? "<li><b>%s</b>: " : "- **%s**: ", p->name);
        (html ? put_html : put_md)(p->text);
        puts(html ? ".</li>" : ".");
    }
    if (html) puts("</ul>\n</details>");
}

static int show_group(void *context, const char *group) {
    const shown *to = context;
    static const char *const heads[] = {[BRI_FORM_MARKDOWN] = "\n## %c%s\n\n",
                                        [BRI_FORM_HTML] =
                                            "<h2>%c%s</h2>\n<div class=\"scroll\">\n"};
    bri_table *t = bri_conformance_table(to->c, group, to->form != BRI_FORM_MARKDOWN);
    if (!t) {
        complain("%s", bri_status_text(BRI_NO_MEMORY));
        return RUN_FAILED;
    }
    if (to->form == BRI_FORM_MARKDOWN || to->form == BRI_FORM_HTML)
        printf(heads[to->form], group[0] - 'a' + 'A', group + 1);
    else
        printf("\n%s\n\n", group);
    int failed = study_print(t, to->form);
    bri_table_free(t);
    if (to->form == BRI_FORM_HTML) puts("</div>");
    if (to->form == BRI_FORM_MARKDOWN || to->form == BRI_FORM_HTML) tell_group(group, to->form);
    return failed;
}

static const char page_head[] =
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
    "<title>Which friction law keeps which promise</title>\n<style>\n"
    "body { font: 15px/1.45 system-ui, 'DejaVu Sans', sans-serif; margin: 1.5em auto; "
    "max-width: 60em; padding: 0 1em; color: #222; }\n"
    ".scroll { overflow-x: auto; }\n"
    "table { border-collapse: collapse; }\n"
    "th, td { padding: 0.15em 0.8em; border-bottom: 1px solid #ddd; text-align: left; }\n"
    "th { vertical-align: bottom; }\n"
    "th:first-child, td:first-child { position: sticky; left: 0; background: #fff; }\n"
    "th[title] { text-decoration: underline dotted #999; cursor: help; }\n"
    ".number { text-align: right; font-variant-numeric: tabular-nums; }\n"
    "ul.legend { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: 0.4em 1em; }\n"
    ".legend li { padding: 0.1em 0.6em; border: 1px solid #ddd; }\n"
    ".good { background: #dcf2e4; } .fair { background: #fdf0cc; } .bad { background: #fbdcd8; }\n"
    "</style>\n</head>\n<body>\n<h1>Which friction law keeps which promise</h1>\n";

static const char legend[] = "<ul class=\"legend\">\n"
                             "<li class=\"good\">keeps the promise</li>\n"
                             "<li class=\"fair\">nearly</li>\n"
                             "<li class=\"bad\">does not, or the experiment failed</li>\n"
                             "<li>no colour: there is no better or worse</li>\n"
                             "</ul>\n";

static int show(bri_conformance *c, bri_form form) {
    if (form == BRI_FORM_JSON) {
        bri_table *t = bri_conformance_list(c);
        int failed = t ? study_print(t, form) : RUN_FAILED;
        if (!t) complain("%s", bri_status_text(BRI_NO_MEMORY));
        bri_table_free(t);
        return failed;
    }
    shown to = {c, form};
    int html = form == BRI_FORM_HTML;
    if (html) fputs(page_head, stdout);
    printf("%s%s.%s\n", html ? "<p>" : "", bri_conform_standard(), html ? "</p>" : "");
    if (html) fputs(legend, stdout);
    int failed = for_groups(&to, show_group);
    if (html) puts("</body>\n</html>");
    return failed;
}

/* ---- laws ------------------------------------------------------------------------------------ */

typedef struct laws_measured {
    bri_setup *setups;
    const char **names;
    bri_stochastic **random; /* owners of models */
    int count;
} laws_measured;

/* "lugre", "stochastic:dahl" or "lugre,fade=1,sigma1=0". */
static int add_law(laws_measured *l, const args *a, const char *word) {
    char name[64];
    size_t length = strcspn(word, ",");
    bri_error err;
    if (length >= sizeof name) {
        complain("there is no law '%.40s...'; see 'bristle models'", word);
        return WRONG_USAGE;
    }
    memcpy(name, word, length);
    name[length] = '\0';
    int i = l->count++;
    l->names[i] = word;
    const bri_model *m = law_find(a, name, &l->random[i]);
    if (!m) return WRONG_USAGE;
    bri_status status =
        bri_conform_setup(&l->setups[i], m, word[length] ? word + length + 1 : NULL, &err);
    if (status) complain("%s", err.text);
    return exit_code(status);
}

static int fill_laws(laws_measured *l, const args *a) {
    int failed = DONE;
    for (int i = 0; i < a->n_words && !failed; i++) failed = add_law(l, a, a->words[i]);
    for (int i = 0; a->n_words == 0 && i < bri_laws_count(a->known->laws) && !failed; i++) {
        const char *name = bri_laws_at(a->known->laws, i)->name, *reading;
        failed = add_law(l, a, name);
        size_t length = strlen(name);
        for (int k = 0; !failed && (reading = bri_conform_reading(k)) != NULL; k++)
            if (strncmp(reading, name, length) == 0 && reading[length] == ',')
                failed = add_law(l, a, reading);
    }
    return failed;
}

static int measure(const laws_measured *l, bri_form form) {
    bri_conformance *c;
    bri_error err;
    const bri_watch *watch = study_watch_start();
    bri_status status = bri_conform(l->setups, l->names, l->count, 0.0, watch, &c, &err);
    study_watch_end();
    int failed = c ? show(c, form) : DONE;
    if (status) complain("%s%s", err.text, c ? ": what is missing shows as '-'" : "");
    bri_conformance_free(c);
    return status ? RUN_FAILED : failed;
}

static int run(const args *a) {
    int forms = !!args_get(a, "--json") + !!args_get(a, "--markdown") + !!args_get(a, "--html");
    if (forms > 1) {
        complain("give one of --json, --markdown and --html");
        return WRONG_USAGE;
    }
    int room = a->n_words + 2 * bri_laws_count(a->known->laws) + 8;
    laws_measured l = {.setups = calloc((size_t)room, sizeof *l.setups),
                       .names = calloc((size_t)room, sizeof *l.names),
                       .random = calloc((size_t)room, sizeof *l.random)};
    int failed = RUN_FAILED;
    if (l.setups && l.names && l.random) {
        failed = fill_laws(&l, a);
        if (!failed) failed = measure(&l, study_form(a));
    } else {
        complain("%s", bri_status_text(BRI_NO_MEMORY));
    }
    for (int i = 0; i < l.count; i++) free(l.random[i]);
    free(l.setups);
    free(l.names);
    free(l.random);
    return failed;
}

int cmd_conform(int argc, char **argv) {
    return command(options, N_OPTIONS, help, run, argc, argv);
}
