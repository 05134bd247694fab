/* dim.c - dimensions as exponents of the seven base units, and the units of the SI as text. */
#include "dim.h"
#include "../decimal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define D(m, kg, s, A, K, mol, cd)                                                                 \
    { {12 * (m), 12 * (kg), 12 * (s), 12 * (A), 12 * (K), 12 * (mol), 12 * (cd)}, 0 }

/* ---- arithmetic ---------------------------------------------------------------------------- */

int expr_dim_equal(expr_dim a, expr_dim b) {
    if (a.any || b.any) return a.any && b.any;
    return memcmp(a.e, b.e, sizeof a.e) == 0;
}

int expr_dim_fits(expr_dim a, expr_dim b) { return a.any || b.any || expr_dim_equal(a, b); }

/* a + s b, exponent by exponent; what leaves the range of exponents is any. */
static expr_dim combine(expr_dim a, expr_dim b, int s) {
    if (a.any || b.any) return dim_any;
    for (int i = 0; i < EXPR_BASES; i++) {
        int e = a.e[i] + s * b.e[i];
        if (e > DIM_MOST || e < -DIM_MOST) return dim_any;
        a.e[i] = (short)e;
    }
    return a;
}

expr_dim dim_times(expr_dim a, expr_dim b) { return combine(a, b, 1); }
expr_dim expr_dim_over(expr_dim a, expr_dim b) { return combine(a, b, -1); }

int dim_power(expr_dim a, double power, expr_dim *out) {
    *out = dim_any;
    if (a.any) return 1;
    for (int i = 0; i < EXPR_BASES; i++) {
        double e = a.e[i] * power;
        if (!(fabs(e) <= DIM_MOST) || fabs(e - nearbyint(e)) > 1e-6) return 0;
        a.e[i] = (short)nearbyint(e);
    }
    *out = a;
    return 1;
}

/* ---- text ---------------------------------------------------------------------------------- */

static const char *const base_names[EXPR_BASES] = {"m", "kg", "s", "A", "K", "mol", "cd"};

/* What engineers write for a product of base units. */
static const struct {
    const char *text;
    expr_dim dim;
} known[] = {
    {"N", D(1, 1, -2, 0, 0, 0, 0)},       {"N m", D(2, 1, -2, 0, 0, 0, 0)},
    {"N/m", D(0, 1, -2, 0, 0, 0, 0)},     {"N s/m", D(0, 1, -1, 0, 0, 0, 0)},
    {"N s2/m2", D(-1, 1, 0, 0, 0, 0, 0)}, {"N m s", D(2, 1, -1, 0, 0, 0, 0)},
    {"W", D(2, 1, -3, 0, 0, 0, 0)},       {"N/m3", D(-2, 1, -2, 0, 0, 0, 0)},
    {"Pa", D(-1, 1, -2, 0, 0, 0, 0)},     {"N/s", D(1, 1, -3, 0, 0, 0, 0)},
    {"1/N", D(-1, -1, 2, 0, 0, 0, 0)},    {"m/N", D(0, -1, 2, 0, 0, 0, 0)},
};

static size_t put(char *text, size_t size, size_t used, const char *words) {
    size_t n = strlen(words);
    if (used + n < size) memcpy(text + used, words, n + 1);
    return used + n;
}

/* One factor of a unit with the exponent e/12, which is not negative. */
static size_t put_factor(char *text, size_t size, size_t used, int base, int e) {
    char word[40];
    if (e == EXPR_TWELVE)
        snprintf(word, sizeof word, "%s", base_names[base]);
    else if (e % EXPR_TWELVE == 0)
        snprintf(word, sizeof word, "%s%d", base_names[base], e / EXPR_TWELVE);
    else /* in thousandths: the same in every locale; the reader rounds to twelfths */
        snprintf(word, sizeof word, "%s^%d.%03d", base_names[base], e / EXPR_TWELVE,
                 (e % EXPR_TWELVE * 1000 + EXPR_TWELVE / 2) / EXPR_TWELVE);
    return put(text, size, used, word);
}

void expr_dim_text(expr_dim dim, char *text, size_t size) {
    size_t used = 0;
    int above = 0, below = 0;
    text[0] = '\0';
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (expr_dim_equal(dim, known[i].dim)) {
            put(text, size, 0, known[i].text);
            return;
        }
    for (int i = 0; i < EXPR_BASES; i++) {
        above += dim.e[i] > 0;
        below += dim.e[i] < 0;
    }
    if (dim.any || !above) used = put(text, size, used, "1");
    if (dim.any) return;
    for (int i = 0, first = 1; i < EXPR_BASES; i++)
        if (dim.e[i] > 0) {
            if (!first) used = put(text, size, used, " ");
            used = put_factor(text, size, used, i, dim.e[i]);
            first = 0;
        }
    for (int i = 0; below && i < EXPR_BASES; i++)
        if (dim.e[i] < 0) {
            used = put(text, size, used, "/");
            used = put_factor(text, size, used, i, -dim.e[i]);
        }
}

/* ---- units --------------------------------------------------------------------------------- */

typedef struct unit_row {
    const char *name;
    double factor;
    int prefixed; /* nonzero: takes prefixes */
    expr_dim dim;
} unit_row;

static const unit_row units[] = {
    {"m", 1.0, 1, D(1, 0, 0, 0, 0, 0, 0)},
    {"kg", 1.0, 0, D(0, 1, 0, 0, 0, 0, 0)},
    {"g", 1e-3, 1, D(0, 1, 0, 0, 0, 0, 0)},
    {"t", 1e3, 0, D(0, 1, 0, 0, 0, 0, 0)},
    {"s", 1.0, 1, D(0, 0, 1, 0, 0, 0, 0)},
    {"min", 60.0, 0, D(0, 0, 1, 0, 0, 0, 0)},
    {"h", 3600.0, 0, D(0, 0, 1, 0, 0, 0, 0)},
    {"d", 86400.0, 0, D(0, 0, 1, 0, 0, 0, 0)},
    {"A", 1.0, 1, D(0, 0, 0, 1, 0, 0, 0)},
    {"K", 1.0, 1, D(0, 0, 0, 0, 1, 0, 0)},
    {"mol", 1.0, 1, D(0, 0, 0, 0, 0, 1, 0)},
    {"cd", 1.0, 1, D(0, 0, 0, 0, 0, 0, 1)},
    {"N", 1.0, 1, D(1, 1, -2, 0, 0, 0, 0)},
    {"J", 1.0, 1, D(2, 1, -2, 0, 0, 0, 0)},
    {"W", 1.0, 1, D(2, 1, -3, 0, 0, 0, 0)},
    {"Pa", 1.0, 1, D(-1, 1, -2, 0, 0, 0, 0)},
    {"bar", 1e5, 1, D(-1, 1, -2, 0, 0, 0, 0)},
    {"Hz", 1.0, 1, D(0, 0, -1, 0, 0, 0, 0)},
    {"V", 1.0, 1, D(2, 1, -3, -1, 0, 0, 0)},
    {"rad", 1.0, 1, D(0, 0, 0, 0, 0, 0, 0)},
    {"deg", 3.14159265358979323846 / 180.0, 0, D(0, 0, 0, 0, 0, 0, 0)},
    {"rpm", 3.14159265358979323846 / 30.0, 0, D(0, 0, -1, 0, 0, 0, 0)},
    {"percent", 1e-2, 0, D(0, 0, 0, 0, 0, 0, 0)},
};

static const struct {
    char letter;
    double factor;
} prefixes[] = {{'f', 1e-15}, {'p', 1e-12}, {'n', 1e-9}, {'u', 1e-6}, {'m', 1e-3}, {'c', 1e-2},
                {'d', 1e-1},  {'h', 1e2},   {'k', 1e3},  {'M', 1e6},  {'G', 1e9},  {'T', 1e12}};

static const unit_row *unit_named(const char *name, size_t length) {
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strlen(units[i].name) == length && strncmp(units[i].name, name, length) == 0)
            return &units[i];
    return NULL;
}

/* A unit, or one with a prefix; the name as it is comes first: min is a minute. */
static const unit_row *find_unit(const char *name, size_t length, double *prefix) {
    const unit_row *row = unit_named(name, length);
    *prefix = 1.0;
    if (row || length < 2) return row;
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (prefixes[i].letter == name[0]) {
            *prefix = prefixes[i].factor;
            row = unit_named(name + 1, length - 1);
            return row && row->prefixed ? row : NULL;
        }
    return NULL;
}

static int is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/* The exponent behind a name, "2", "^2", "^-1" or "^0.5", in twelfths; 12 where there is none. */
static const char *read_exponent(const char *s, int *twelfths) {
    int marked = *s == '^', negative = 0;
    *twelfths = EXPR_TWELVE;
    if (marked) s++;
    if (marked && *s == '-') {
        negative = 1;
        s++;
    }
    size_t n = s[0] >= '0' && s[0] <= '9' ? decimal_length(s) : 0;
    if (n == 0) return marked ? NULL : s;
    double value = EXPR_TWELVE * decimal_value(s, n);
    if (!(value <= DIM_MOST) || fabs(value - nearbyint(value)) > 0.05) return NULL;
    *twelfths = (int)nearbyint(negative ? -value : value);
    return s + n;
}

int expr_unit_si(void *to, const char *text, double *factor, expr_dim *dim) {
    const char *s = text;
    int sign = 1, twelfths;
    (void)to;
    *factor = 1.0;
    *dim = (expr_dim){{0}, 0};
    if (*s == '1' && !is_letter(s[1])) s++;
    while (*s) {
        while (*s == ' ') s++;
        if (*s == '/') {
            sign = -1;
            s++;
        } else if (*s == '*' || *s == '.') {
            s++;
        }
        while (*s == ' ') s++;
        const char *name = s;
        double prefix;
        expr_dim part;
        while (is_letter(*s)) s++;
        const unit_row *row = find_unit(name, (size_t)(s - name), &prefix);
        if (!row) return 0;
        s = read_exponent(s, &twelfths);
        if (!s) return 0;
        if (!dim_power(row->dim, (double)(sign * twelfths) / EXPR_TWELVE, &part)) return 0;
        *dim = dim_times(*dim, part);
        *factor *= pow(prefix * row->factor, (double)(sign * twelfths) / EXPR_TWELVE);
        sign = 1;
    }
    return !dim->any;
}
