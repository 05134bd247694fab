/* axes.c - what is varied, as text: "belt.velocity=0.01:1:50", "k=log:1:1e4:50", "m=1,2,5 kg". */
#include "formula.h"

#include "../decimal.h"
#include "../expr/dim.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT = 200, SUFFIX = 41, MOST_VALUES = 100000000 };

/* The name at the start of a text that ends at `end`, without blanks around it. */
static int copy_name(const char *from, const char *end, char name[BRI_ADDRESS]) {
    while (from < end && *from == ' ') from++;
    while (end > from && end[-1] == ' ') end--;
    size_t length = (size_t)(end - from);
    if (length == 0 || length >= BRI_ADDRESS) return 0;
    memcpy(name, from, length);
    name[length] = '\0';
    return 1;
}

bri_status axis_name(const char *given, const char *option, char name[BRI_ADDRESS],
                     const char **more, const char **rest, bri_error *err) {
    const char *equals = strchr(given, '=');
    const char *comma = equals ? memchr(given, ',', (size_t)(equals - given)) : NULL;
    if (!equals || !copy_name(given, comma ? comma : equals, name))
        return bri_fail(err, BRI_BAD_VALUE, "%s needs ADDRESS=VALUES, such as %s, not '%.80s'",
                        option,
                        strcmp(option, "vary") == 0 ? "belt.velocity=0.01:1:50"
                                                    : "pad.mu_c='normal(0.3, 0.02)'",
                        given);
    *rest = equals + 1 + strspn(equals + 1, " ");
    *more = comma ? comma + 1 : *rest;
    return BRI_OK;
}

int axis_more(const char **more, const char *rest, char name[BRI_ADDRESS]) {
    if (*more >= rest) return 0;
    const char *end = *more + strcspn(*more, ",=");
    int good = copy_name(*more, end, name);
    *more = *end == '=' ? rest : end + 1;
    if (!good) name[0] = '\0';
    return 1;
}

void axis_take_unit(axis *a, const char *unit) {
    double factor;
    expr_dim dim;
    char si[sizeof a->unit];
    snprintf(a->suffix, sizeof a->suffix, "%.40s", unit);
    if (!a->is_key || !*unit || !expr_unit_si(NULL, unit, &factor, &dim)) return;
    int angle = strstr(unit, "rad") || strstr(unit, "deg") || strstr(unit, "rpm");
    expr_dim_text(dim, si, sizeof si);
    if (strcmp(si, "1") == 0) /* a share stays what it is */
        strcpy(si, angle ? "rad" : "");
    else if (expr_dim_equal(dim, meter_dim("1/s")))
        strcpy(si, angle ? "rad/s" : strstr(unit, "Hz") ? "Hz" : "1/s");
    if (!*si) return;
    strcpy(a->unit, si);
    strcpy(a->suffix, si);
}

/* One number; `suffix` is the unit of those that have none of their own. */
static bri_status read_value(axis *a, const char *text, const char *suffix, double *value,
                             bri_error *err) {
    char whole[TEXT];
    size_t number = decimal_length(text + strspn(text, " ")) + strspn(text, " ");
    int bare = number > 0 && !text[number + strspn(text + number, " ")];
    if (a->is_key && strcmp(a->unit, "1") == 0) { /* not known: all must be written alike */
        const char *own = text + number + strspn(text + number, " ");
        if (number == 0) return bri_fail(err, BRI_BAD_VALUE, "'%.60s' is not a number", text);
        if (*own && strcmp(own, suffix) != 0)
            return bri_fail(err, BRI_BAD_VALUE, "the values of %s must have the same unit",
                            a->name);
        return bri_quantity((snprintf(whole, sizeof whole, "%.*s", (int)number, text), whole), "1",
                            value, err);
    }
    snprintf(whole, sizeof whole, "%.120s%s%.60s", text, bare && *suffix ? " " : "",
             bare ? suffix : "");
    return bri_quantity(whole, a->unit, value, err);
}

/* What stands behind the number at the start of a text; "" if it does not begin with one. */
static const char *behind_number(const char *text) {
    text += strspn(text, " ");
    size_t number = decimal_length(text);
    text += number > 0 ? number : strlen(text);
    return text + strspn(text, " ");
}

static int room(axis *a, long count) {
    a->values = calloc((size_t)count, sizeof *a->values);
    a->count = a->values ? count : 0;
    return a->values != NULL;
}

static bri_status no_memory(bri_error *err) {
    return bri_fail(err, BRI_NO_MEMORY, "%s", bri_status_text(BRI_NO_MEMORY));
}

/* A unit of one value alone is a slip of the pen: those without would be SI. */
static bri_status check_unit(const char *text, const char *suffix, bri_error *err) {
    if (*suffix || !*behind_number(text)) return BRI_OK;
    return bri_fail(err, BRI_BAD_VALUE,
                    "'%.60s' has a unit, but the last value has none: give it to the last for all, "
                    "or to each",
                    text + strspn(text, " "));
}

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* A value that stands in a list twice would be the same run twice. */
static bri_status check_twice(const axis *a, bri_error *err) {
    double *sorted = malloc((size_t)a->count * sizeof *sorted);
    if (!sorted) return no_memory(err);
    memcpy(sorted, a->values, (size_t)a->count * sizeof *sorted);
    qsort(sorted, (size_t)a->count, sizeof *sorted, by_size);
    bri_status status = BRI_OK;
    for (long i = 1; i < a->count && status == BRI_OK; i++)
        if (sorted[i] == sorted[i - 1])
            status = bri_fail(err, BRI_BAD_VALUE, "%g is given twice", sorted[i]);
    free(sorted);
    return status;
}

static bri_status read_list(axis *a, char *text, bri_error *err) {
    long count = 1, i = 0;
    char *last = strrchr(text, ',');
    const char *suffix = behind_number(last ? last + 1 : text);
    for (const char *c = text; *c; c++) count += *c == ',';
    if (!room(a, count)) return no_memory(err);
    char own[SUFFIX];
    snprintf(own, sizeof own, "%.40s", suffix);
    axis_take_unit(a, own);
    for (char *at = text; at; i++) {
        char *comma = strchr(at, ',');
        if (comma) *comma = '\0';
        bri_status status = read_value(a, at, own, &a->values[i], err);
        if (status == BRI_OK) status = check_unit(at, own, err);
        if (status != BRI_OK) return status;
        at = comma ? comma + 1 : NULL;
    }
    return check_twice(a, err);
}

/* a:b:n, with a unit behind n that holds for both ends unless they have their own. */
static bri_status read_range(axis *a, char *text, bri_error *err) {
    char *first = strchr(text, ':'), *second = first ? strchr(first + 1, ':') : NULL;
    double from, to;
    if (!second || strchr(second + 1, ':'))
        return bri_fail(err, BRI_BAD_VALUE,
                        "'%.80s' should read LEAST:MOST:COUNT, log:LEAST:MOST:COUNT or A,B,C",
                        text);
    *first = *second = '\0';
    const char *number = second + 1 + strspn(second + 1, " ");
    size_t digits = decimal_length(number); /* 50, or 1e3 */
    const char *suffix = number + digits + strspn(number + digits, " ");
    double count = decimal_value(number, digits);
    if (digits == 0 || count != floor(count) ||
        (*suffix && !isalpha((unsigned char)*suffix) && *suffix != '%' && *suffix != '1'))
        return bri_fail(err, BRI_BAD_VALUE, "'%.60s' is not a number of values, such as 50",
                        number);
    if (!*suffix) suffix = behind_number(first + 1);
    char own[SUFFIX];
    snprintf(own, sizeof own, "%.40s", suffix);
    axis_take_unit(a, own);
    bri_status status = read_value(a, text, own, &from, err);
    if (status == BRI_OK) status = check_unit(text, own, err);
    if (status == BRI_OK) status = read_value(a, first + 1, own, &to, err);
    if (status != BRI_OK) return status;
    if (!(count >= 2.0))
        return bri_fail(err, BRI_BAD_VALUE, "a range has at least 2 values, not %g", count);
    if (!(count <= MOST_VALUES))
        return bri_fail(err, BRI_BAD_VALUE, "%g values are too many: at most %d", count,
                        MOST_VALUES);
    if (!(from < to) && !(to < from))
        return bri_fail(err, BRI_BAD_VALUE, "both ends of the range are %g", from);
    if (a->logarithmic && !(from > 0.0 && to > 0.0))
        return bri_fail(err, BRI_BAD_VALUE, "a logarithmic range begins and ends above 0");
    if (!room(a, (long)count)) return no_memory(err);
    for (long i = 0; i < a->count; i++) {
        double u = (double)i / (double)(a->count - 1);
        a->values[i] = a->logarithmic ? from * pow(to / from, u) : from + (to - from) * u;
    }
    a->values[a->count - 1] = to;
    return BRI_OK;
}

bri_status axis_grid(axis *a, const char *text, bri_error *err) {
    bri_error why;
    int log_scale = strncmp(text, "log:", 4) == 0;
    char *copy = malloc(strlen(text) + 1);
    if (!copy) return no_memory(err);
    strcpy(copy, text + (log_scale ? 4 : 0));
    a->logarithmic = log_scale;
    bri_status status = strchr(copy, ':') ? read_range(a, copy, &why) : read_list(a, copy, &why);
    free(copy);
    if (status != BRI_OK) return bri_fail(err, status, "%s: %.300s", a->name, why.text);
    for (long i = 0; a->whole && i < a->count; i++)
        if (a->values[i] != floor(a->values[i]))
            return bri_fail(err, BRI_BAD_VALUE, "%s is a whole number, not %g", a->name,
                            a->values[i]);
    return BRI_OK;
}

double axis_trial(const axis *axes, int which, int upper) {
    const axis *a = &axes[axes[which].kind == AXIS_SAME ? axes[which].of : which];
    if (a->kind == AXIS_RANDOM || a->kind == AXIS_EACH) {
        double value = spread_value(&a->spread, upper ? 0.7 : 0.3);
        return a->whole ? floor(value + 0.5) : value;
    }
    return a->values[upper ? a->count - 1 : 0];
}
