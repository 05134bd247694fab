/* spread.c - distributions by their quantiles: a share u of all values lies below spread_value(u).
 */
#include "ensemble.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

/* ---- the standard normal distribution ------------------------------------------------------- */

double normal_share(double x) { return 0.5 * erfc(-x * 0.70710678118654752440); }

/* Abramowitz and Stegun 26.2.23 (error 4.5e-4), then three steps of Halley on the integral itself,
 * each of which triples the digits. The upper half is mirrored: there 1 - u has the digits. */
double normal_quantile(double u) {
    if (u > 0.5) return -normal_quantile(1.0 - u);
    double t = sqrt(-2.0 * log(u));
    double x = -(t - (2.515517 + t * (0.802853 + t * 0.010328)) /
                         (1.0 + t * (1.432788 + t * (0.189269 + t * 0.001308))));
    for (int i = 0; i < 3; i++) {
        double density = 0.39894228040143267794 * exp(-0.5 * x * x);
        double step = (normal_share(x) - u) / density;
        x -= step / (1.0 + 0.5 * x * step);
    }
    return x;
}

/* ---- values --------------------------------------------------------------------------------- */

double spread_value(const spread *s, double u) {
    double width = s->b - s->a, rise;
    switch (s->kind) {
    case SPREAD_NORMAL:
        return s->a + s->b * normal_quantile(u);
    case SPREAD_LOGNORMAL:
        return exp(s->a + s->b * normal_quantile(u));
    case SPREAD_UNIFORM:
        return s->a + u * width;
    default:
        rise = s->c - s->a; /* share below the likeliest: rise / width */
        return u * width < rise ? s->a + sqrt(u * width * rise)
                                : s->b - sqrt((1.0 - u) * width * (s->b - s->c));
    }
}

/* ---- text ----------------------------------------------------------------------------------- */

static const struct {
    const char *name, *form;
    int args;
    spread_kind kind;
} kinds[] = {
    {"normal", "normal(mean, deviation)", 2, SPREAD_NORMAL},
    {"lognormal", "lognormal(mean, deviation)", 2, SPREAD_LOGNORMAL},
    {"uniform", "uniform(least, most)", 2, SPREAD_UNIFORM},
    {"triangular", "triangular(least, likeliest, most)", 3, SPREAD_TRIANGULAR},
};
enum { KINDS = sizeof kinds / sizeof *kinds, ARGS = 3, ARG = 80 };

static int find_kind(const char *text, size_t length) {
    for (int i = 0; i < KINDS; i++)
        if (strlen(kinds[i].name) == length && strncmp(kinds[i].name, text, length) == 0) return i;
    return -1;
}

static bri_status no_kind(const char *text, size_t length, bri_error *err) {
    const char *names[KINDS];
    char word[40];
    for (int i = 0; i < KINDS; i++) names[i] = kinds[i].name;
    snprintf(word, sizeof word, "%.*s", (int)(length < 39 ? length : 39), text);
    const char *near = bri_nearest(word, names, KINDS);
    if (near)
        return bri_fail(err, BRI_NOT_FOUND, "there is no distribution '%s'; did you mean '%s'?",
                        word, near);
    return bri_fail(err, BRI_NOT_FOUND,
                    "'%.60s' is no distribution: normal(mean, deviation), lognormal(mean, "
                    "deviation), uniform(least, most) or triangular(least, likeliest, most)",
                    text);
}

/* The next argument without the blanks around it; 0: there is none. */
static int next_arg(const char **at, const char *end, char arg[ARG]) {
    if (*at >= end) return 0;
    const char *comma = memchr(*at, ',', (size_t)(end - *at)), *stop = comma ? comma : end;
    const char *from = *at;
    while (from < stop && isspace((unsigned char)*from)) from++;
    while (stop > from && isspace((unsigned char)stop[-1])) stop--;
    snprintf(arg, ARG, "%.*s", (int)(stop - from < ARG ? stop - from : ARG - 1), from);
    *at = comma ? comma + 1 : end;
    return 1;
}

static int is_share(const char *arg) {
    size_t n = strlen(arg);
    return n > 0 && arg[n - 1] == '%';
}

/* "5 %" of something; else a quantity. */
static bri_status read_arg(const char *arg, const char *unit, double of, double *value,
                           bri_error *err) {
    size_t n = strlen(arg);
    char number[ARG];
    if (!is_share(arg)) return bri_quantity(arg, unit, value, err);
    snprintf(number, sizeof number, "%.*s", (int)(n - 1), arg);
    while (n > 1 && isspace((unsigned char)number[n - 2])) number[--n - 1] = '\0';
    bri_status status = bri_quantity(number, "1", value, err);
    if (status != BRI_OK) return status;
    if (!isfinite(of))
        return bri_fail(err, BRI_BAD_VALUE, "%s of what? The value in the scenario is not known",
                        arg);
    if (of == 0.0)
        return bri_fail(err, BRI_BAD_VALUE, "%s of 0 is 0: give numbers in place of shares", arg);
    *value *= 0.01 * of;
    return BRI_OK;
}

static bri_status check(spread *s, const char *text, bri_error *err) {
    const char *wrong = NULL;
    if (s->kind == SPREAD_NORMAL && !(s->b > 0.0)) wrong = "the deviation must be > 0";
    if (s->kind == SPREAD_LOGNORMAL && !(s->a > 0.0)) wrong = "the mean must be > 0";
    if (s->kind == SPREAD_LOGNORMAL && !wrong && !(s->b > 0.0)) wrong = "the deviation must be > 0";
    if (s->kind == SPREAD_UNIFORM && !(s->a < s->b))
        wrong = "the first must be less than the second";
    if (s->kind == SPREAD_TRIANGULAR && !(s->a <= s->c && s->c <= s->b && s->a < s->b))
        wrong = "the three must be in order, least, likeliest, most";
    if (wrong) return bri_fail(err, BRI_BAD_VALUE, "%.100s: %s", text, wrong);
    if (s->kind == SPREAD_LOGNORMAL) { /* mean and deviation of x to those of log x */
        double variance = log1p(s->b * s->b / (s->a * s->a));
        s->a = log(s->a) - 0.5 * variance;
        s->b = sqrt(variance);
    }
    return BRI_OK;
}

bri_status spread_read(spread *s, const char *text, const char *unit, double nominal,
                       bri_error *err) {
    const char *open = strchr(text, '('), *end = open ? strrchr(open, ')') : NULL;
    size_t length = strcspn(text, " (");
    int kind = find_kind(text, length), n = 0, shares = 0;
    char arg[ARG];
    double value[ARGS];
    if (kind < 0) return no_kind(text, length, err);
    if (!end || end[1 + strspn(end + 1, " ")])
        return bri_fail(err, BRI_BAD_VALUE, "'%.80s' should read %s", text, kinds[kind].form);
    const char *at = open + 1;
    int has_deviation = kinds[kind].kind == SPREAD_NORMAL || kinds[kind].kind == SPREAD_LOGNORMAL;
    while (next_arg(&at, end, arg)) {
        if (n == kinds[kind].args)
            return bri_fail(err, BRI_BAD_VALUE, "'%.80s' should read %s", text, kinds[kind].form);
        double of = n > 0 && has_deviation ? fabs(value[0]) : nominal;
        bri_status status = read_arg(arg, unit, of, &value[n], err);
        if (status != BRI_OK) return status;
        shares += is_share(arg);
        n++;
    }
    if (n == 1 && has_deviation && shares == 1) {
        value[1] = nominal < 0.0 ? -value[0] : value[0]; /* a share alone: about the value of the */
        value[0] = nominal;                              /* scenario */
        n = 2;
    }
    if (n == 1 && has_deviation)
        return bri_fail(err, BRI_BAD_VALUE,
                        "'%.80s' should read %s, or %s(5 %%) about the value of the scenario", text,
                        kinds[kind].form, kinds[kind].name);
    if (n != kinds[kind].args)
        return bri_fail(err, BRI_BAD_VALUE, "'%.80s' should read %s", text, kinds[kind].form);
    if (!has_deviation && shares == n && nominal < 0.0) { /* 110 % of -2 is less than 90 % of it */
        double first = value[0];
        value[0] = value[n - 1];
        value[n - 1] = first;
    }
    *s = (spread){.kind = kinds[kind].kind, .a = value[0], .b = value[1]};
    if (kind == SPREAD_TRIANGULAR) {
        s->c = value[1];
        s->b = value[2];
    }
    return check(s, text, err);
}
