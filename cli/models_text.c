/* models_text.c - the laws for people at a terminal: the list, and one law explained. */
#include "cli.h"

#include <string.h>

static void put_wrapped(int indent, const char *text) {
    printf("%*s", indent, "");
    put_words(indent, indent, text);
}

/* Lines of text, kept as they are, each after an indent. */
static void put_lines(int indent, const char *text) {
    while (*text) {
        size_t n = strcspn(text, "\n");
        printf("%*s%.*s\n", indent, "", (int)n, text);
        text += n + (text[n] == '\n');
    }
}

static int states_of(const bri_model *m) {
    double p[BRI_MAX_PARAMS];
    bri_model_defaults(m, p);
    return bri_model_states(m, p);
}

/* A unit to print behind a number: nothing for 1. */
static const char *shown_unit(const char *unit) { return strcmp(unit, "1") == 0 ? "" : unit; }

/* Length of the longest part of a title that fits and ends with a word. */
static int cut(const char *title, int room) {
    int n = (int)strlen(title);
    if (n <= room) return n;
    for (n = room; n > 0 && title[n] != ' ' && title[n] != ','; n--) {
    }
    return n;
}

/* Laws that are run from their pages: their names. */
static void put_pages(void) {
    for (int i = 0; i < bri_law_page_count(); i++) {
        const char *name = bri_law_page_name(i);
        const char *text = bri_law_page(name), *title = strstr(text, "\ntitle: ");
        if (bri_model_find(name) || !title) continue;
        title += strlen("\ntitle: ");
        printf("%-20s %.*s\n", name, (int)strcspn(title, "\n"), title);
    }
}

void models_list(const law_facts *facts, int count) {
    int room = 44; /* for the title: 100 columns, less the name, the states and the traits */
    printf("%-20s %-*s  z", "law", room, "");
    for (int t = 0; t < BRI_TRAIT_COUNT; t++) printf(" %.3s", bri_trait_name((bri_trait)t));
    putchar('\n');
    for (int i = 0; i < count; i++) {
        const bri_model *m = facts[i].model;
        printf("%-20s %-*.*s %2d", facts[i].name, room, cut(m->title, room), m->title,
               states_of(m));
        for (int t = 0; t < BRI_TRAIT_COUNT; t++)
            printf("  %c ", facts[i].traits.has[t] ? 'x' : '.');
        putchar('\n');
    }
    put_pages();
    printf("%-20s %-*s\n\n", "stochastic:LAW", room, "any law with a random force on top");
    puts("z: internal states. Traits, measured with the default parameters:");
    for (int t = 0; t < BRI_TRAIT_COUNT; t++) {
        const char *name = bri_trait_name((bri_trait)t);
        printf("  %.3s  %-15s %s\n", name, name, bri_trait_meaning((bri_trait)t));
    }
    puts("'bristle models NAME' explains a law, its parameters and how the traits are measured.");
}

static void put_params(const bri_model *m) {
    for (int i = 0; i < m->n_params; i++) {
        const bri_param *row = &m->params[i];
        char range[48];
        snprintf(range, sizeof range, "%g ... %g", row->min, row->max);
        char text[300];
        snprintf(text, sizeof text, "%s%s%s%s%s", row->text, row->force ? "; or " : "",
                 row->force ? row->force : "", row->force ? " [N]" : "",
                 row->whole ? " (whole number)" : "");
        int column =
            printf("  %-10s %10g %-5s  %-17s  ", row->name, row->def, shown_unit(row->unit), range);
        put_words(column, column, text);
    }
}

static void put_states(const bri_model *m) {
    int count = states_of(m);
    for (int i = 0; i < count && i < m->n_states; i++) {
        const bri_state *row = &m->states[i];
        printf("  %-10s %10g %-5s  %s\n", row->name, row->nominal, shown_unit(row->unit),
               row->text);
    }
}

static void put_traits(const bri_traits *traits) {
    for (int t = 0; t < BRI_TRAIT_COUNT; t++) {
        int column = printf("  %-11s %-3s %9.3g  ", bri_trait_name((bri_trait)t),
                            traits->has[t] ? "yes" : "no", traits->value[t]);
        put_words(column, column, bri_trait_text((bri_trait)t));
    }
}

void models_teach(const law_facts *fact) {
    const bri_model *m = fact->model;
    printf("%s - %s\n\n", fact->name, m->title);
    puts("Equations");
    put_lines(2, fact->equations);
    printf("\nParameters (default, unit, range; the defaults go with a load of %g N)\n", m->load);
    put_params(m);
    if (states_of(m) > 0) {
        puts("\nStates (usual size, unit)");
        put_states(m);
    }
    puts("\nTraits, measured with the default parameters");
    put_traits(&fact->traits);
    puts("\nLimits");
    put_wrapped(2, m->limits);
    puts("\nSource");
    put_wrapped(2, m->cite);
    put_words(printf("  Defaults: "), 2, m->defaults);
}
