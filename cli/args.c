/* args.c - options from a table: "--name value", "--name=value", "-o value", switches. */
#include "cli.h"

#include <ctype.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void complain(const char *format, ...) {
    va_list rest;
    va_start(rest, format);
    fputs("bristle: ", stderr);
    vfprintf(stderr, format, rest);
    fputc('\n', stderr);
    va_end(rest);
}

int exit_code(bri_status status) {
    int user = status == BRI_NOT_FOUND || status == BRI_BAD_VALUE || status == BRI_BAD_UNIT;
    return status == BRI_OK ? DONE : user ? WRONG_USAGE : RUN_FAILED;
}

int reading_code(bri_status status) {
    int machine = status == BRI_NO_MEMORY || status == BRI_MISSING;
    return status == BRI_OK ? DONE : machine ? RUN_FAILED : WRONG_USAGE;
}

static int find_option(const option *options, int count, const char *name, size_t length) {
    for (int i = 0; i < count; i++)
        if (strlen(options[i].name) == length && strncmp(options[i].name, name, length) == 0)
            return i;
    return -1;
}

static int unknown_option(const args *a, const char *given, size_t length) {
    const char *names[64];
    int count = 0;
    for (int i = 0; i < a->n_options && count < 64; i++) names[count++] = a->options[i].name;
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)length, given);
    const char *near = bri_nearest(name, names, count);
    if (near)
        complain("there is no option '%s'; did you mean '%s'?", name, near);
    else
        complain("there is no option '%s'; try --help", name);
    return WRONG_USAGE;
}

static int repeatable(const char *name) {
    static const char *const names[] = {"--set",  "--laws",      "--vary",   "--random",
                                        "--each", "--correlate", "--measure"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0) return 1;
    return 0;
}

/* One option at argv[*i], with its value from the same or the next argument. */
static int take_option(args *a, int argc, char **argv, int *i) {
    const char *given = argv[*i], *equals = strchr(given, '=');
    size_t length = equals ? (size_t)(equals - given) : strlen(given);
    int k = find_option(a->options, a->n_options, given, length);
    if (k < 0 && length == 2 && (given[1] == 'o' || given[1] == 'h')) {
        const char *full = given[1] == 'o' ? "--output" : "--help";
        k = find_option(a->options, a->n_options, full, strlen(full));
    }
    if (k < 0) return unknown_option(a, given, length);
    const option *o = &a->options[k];
    const char *value = "";
    if (!o->value && equals) {
        complain("%s takes no value", o->name);
        return WRONG_USAGE;
    }
    if (o->value && equals) {
        value = equals + 1;
    } else if (o->value) {
        if (*i + 1 >= argc || strncmp(argv[*i + 1], "--", 2) == 0) {
            complain("%s needs a value: %s %s", o->name, o->name, o->value);
            return WRONG_USAGE;
        }
        value = argv[++*i];
    }
    if (!repeatable(o->name) && args_get(a, o->name)) {
        complain("%s is given twice", o->name);
        return WRONG_USAGE;
    }
    a->values[a->n_given] = value;
    a->which[a->n_given++] = k;
    return DONE;
}

int args_parse(args *a, const option *options, int n_options, int argc, char **argv) {
    size_t most = (size_t)argc + 1;
    *a = (args){.options = options, .n_options = n_options, .argc = argc, .argv = argv};
    a->words = malloc(most * sizeof *a->words);
    a->values = malloc(most * sizeof *a->values);
    a->which = malloc(most * sizeof *a->which);
    if (!a->words || !a->values || !a->which) {
        complain("%s", bri_status_text(BRI_NO_MEMORY));
        return RUN_FAILED;
    }
    int only_words = 0;
    for (int i = 1; i < argc; i++) {
        if (!only_words && strcmp(argv[i], "--") == 0) {
            only_words = 1;
        } else if (only_words || argv[i][0] != '-' || !argv[i][1]) {
            a->words[a->n_words++] = argv[i];
        } else {
            int failed = take_option(a, argc, argv, &i);
            if (failed) return failed;
        }
    }
    return DONE;
}

void args_free(args *a) {
    free(a->words);
    free(a->values);
    free(a->which);
}

const char *args_next(const args *a, const char *name, int *at) {
    while (*at < a->n_given) {
        int i = (*at)++;
        if (strcmp(a->options[a->which[i]].name, name) == 0) return a->values[i];
    }
    return NULL;
}

const char *args_get(const args *a, const char *name) {
    int at = 0;
    return args_next(a, name, &at);
}

int args_quantity(const args *a, const char *name, const char *unit, double *value) {
    const char *text = args_get(a, name);
    bri_error err;
    double given;
    if (!text) return DONE;
    bri_status status = bri_quantity(text, unit, &given, &err);
    if (status) {
        complain("%s: %s", name, err.text);
        return exit_code(status);
    }
    *value = given;
    return DONE;
}

int args_positive(const args *a, const char *name, const char *unit, double *value) {
    double given = 1.0;
    int failed = args_quantity(a, name, unit, &given);
    if (failed) return failed;
    if (!(given > 0.0)) {
        int bare = strcmp(unit, "1") == 0;
        complain("%s = %g%s%s must be > 0", name, given, bare ? "" : " ", bare ? "" : unit);
        return WRONG_USAGE;
    }
    if (args_get(a, name)) *value = given;
    return DONE;
}

int args_whole(const args *a, const char *name, int min, int max, int *value) {
    const char *text = args_get(a, name);
    if (!text) return DONE;
    char *end;
    long given = strtol(text, &end, 10);
    if (end == text || *end || given < min || given > max) {
        complain("%s: '%s' is not a whole number from %d to %d", name, text, min, max);
        return WRONG_USAGE;
    }
    *value = (int)given;
    return DONE;
}

int args_range(const args *a, const char *name, const char *unit, const char *example, double *min,
               double *max) {
    const char *text = args_get(a, name), *colon = text ? strchr(text, ':') : NULL;
    if (!text) return DONE;
    if (!colon || colon - text > 60 || strlen(colon) > 60) {
        complain("%s needs MIN:MAX, such as %s, not '%.60s'", name, example, text);
        return WRONG_USAGE;
    }
    char left[160];
    const char *behind = colon + 1;
    strtod(colon + 1, (char **)&behind);
    int n = (int)(colon - text);
    while (n > 0 && isspace((unsigned char)text[n - 1])) n--;
    int bare = n > 0 && (isdigit((unsigned char)text[n - 1]) || text[n - 1] == '.');
    snprintf(left, sizeof left, "%.*s%s", n, text, bare ? behind : "");
    bri_error err;
    bri_status status = bri_quantity(left, unit, min, &err);
    if (!status) status = bri_quantity(colon + 1, unit, max, &err);
    if (status) {
        complain("%s: %s", name, err.text);
        return exit_code(status);
    }
    if (!(*min < *max)) {
        complain("%s: MIN must be below MAX, not %g %s to %g %s", name, *min, unit, *max, unit);
        return WRONG_USAGE;
    }
    return DONE;
}

void options_print(const option *options, int n_options) {
    for (int i = 0; i < n_options; i++) {
        char left[48];
        const char *value = options[i].value;
        snprintf(left, sizeof left, "%s%s%s", options[i].name, value ? " " : "",
                 value ? value : "");
        printf("  %-26s %s\n", left, options[i].text);
    }
}

void put_words(int column, int indent, const char *text) {
    int first = 1;
    while (*text) {
        size_t n = strcspn(text, " \n");
        if (!first && column + 1 + (int)n > TEXT_WIDTH) {
            printf("\n%*s", indent, "");
            column = indent;
            first = 1;
        }
        column += printf("%s%.*s", first ? "" : " ", (int)n, text);
        first = 0;
        text += n;
        while (*text == ' ' || *text == '\n') text++;
    }
    putchar('\n');
}

int command(const option *options, int n_options, void (*help)(void), int (*run)(const args *a),
            int argc, char **argv) {
    args a;
    known_laws known = {0};
    int failed = args_parse(&a, options, n_options, argc, argv);
    a.known = &known;
    if (!failed && args_get(&a, "--help"))
        help();
    else if (!failed && (failed = outputs_check(&a)) == DONE &&
             (failed = known_laws_read(&known, &a)) == DONE)
        failed = run(&a);
    known_laws_free(&known);
    args_free(&a);
    return failed;
}
