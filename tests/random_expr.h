/* random_expr.h - expressions made at random, with everything the language has, and numbers to put
 * into them. The same seed gives the same expression. */
#ifndef BRI_TEST_RANDOM_EXPR_H
#define BRI_TEST_RANDOM_EXPR_H

#include "expr/expr.h"

#include <stdint.h>
#include <string.h>

typedef struct dice {
    uint64_t state;
} dice;

static inline double roll(dice *d) { /* within (0, 1) */
    d->state += 0x9e3779b97f4a7c15u;
    uint64_t z = d->state;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return ((double)((z ^ z >> 31) >> 11) + 0.5) * 0x1p-53;
}
static inline int roll_to(dice *d, int n) { return (int)(roll(d) * n); }

enum { RANDOM_VARIABLES = 4 };
static const char *const random_names[RANDOM_VARIABLES] = {"x", "v", "mu_s", "sigma0"};

typedef struct pen {
    char text[20000];
    size_t used;
    dice dice;
} pen;

static inline void pen_put(pen *p, const char *words) {
    size_t n = strlen(words);
    if (p->used + n >= sizeof p->text) return;
    memcpy(p->text + p->used, words, n + 1);
    p->used += n;
}

static inline void write_number(pen *p, int depth);

static inline void write_condition(pen *p, int depth) {
    static const char *const signs[] = {" < ", " <= ", " > ", " >= ", " == ", " != "};
    int kind = depth > 0 ? roll_to(&p->dice, 6) : 0;
    if (kind == 5) {
        pen_put(p, "not (");
        write_condition(p, depth - 1);
        pen_put(p, ")");
    } else if (kind == 4) {
        pen_put(p, "(");
        write_condition(p, depth - 1);
        pen_put(p, roll(&p->dice) < 0.5 ? " and " : " or ");
        write_condition(p, depth - 1);
        pen_put(p, ")");
    } else {
        write_number(p, depth - 1);
        pen_put(p, signs[roll_to(&p->dice, 6)]);
        write_number(p, depth - 1);
    }
}

static inline void write_leaf(pen *p) {
    static const char *const numbers[] = {"2", "0.5", "3", "1", "0", "1.25e-1", "pi", "7"};
    if (roll(&p->dice) < 0.7)
        pen_put(p, random_names[roll_to(&p->dice, RANDOM_VARIABLES)]);
    else
        pen_put(p, numbers[roll_to(&p->dice, 8)]);
}

/* A function with what it takes; the arguments of those that grow fast or end are tamed. */
static inline void write_function(pen *p, int depth) {
    static const char *const forms[] = {
        "abs(@)",
        "sign(@)",
        "min(@, @)",
        "max(@, @)",
        "clamp(@, -1, 2)",
        "clamp(@, 3)",
        "exp(-(@)^2)",
        "expm1(tanh(@))",
        "log(1 + (@)^2)",
        "log1p((@)^2)",
        "sqrt(1 + (@)^2)",
        "sin(@)",
        "cos(@)",
        "tan(tanh(@))",
        "atan(@)",
        "tanh(@)",
        "step(@)",
        "stribeck(@, 1.5, 1.7)",
        "stribeck(@, 1 + mu_s, 1 + sigma0)",
        "(1 + (@)^2)^(sin(@))",
        "(2 + tanh(@))^-1.5",
        "if(?, @, @)",
        "stribeck(@, 0.8, 2)",
        "stribeck(@, 1.2, 1)",
        "max(@, @, @)",
        "(@)^3",
        "(@)/(2 + (@)^2)",
    };
    const char *form = forms[roll_to(&p->dice, sizeof forms / sizeof *forms)];
    for (; *form; form++) {
        char letter[2] = {*form, '\0'};
        if (*form == '@')
            write_number(p, depth - 1);
        else if (*form == '?')
            write_condition(p, depth - 1);
        else
            pen_put(p, letter);
    }
}

static inline void write_number(pen *p, int depth) {
    static const char *const signs[] = {" + ", " - ", "*", " * "};
    int kind = depth <= 0 ? 0 : roll_to(&p->dice, 8);
    if (kind == 0) {
        write_leaf(p);
    } else if (kind == 1) {
        pen_put(p, "-");
        if (roll(&p->dice) < 0.5) pen_put(p, "(");
        size_t open = p->used;
        write_leaf(p);
        if (open > 0 && p->text[open - 1] == '(') pen_put(p, ")");
    } else if (kind < 5) {
        pen_put(p, "(");
        write_number(p, depth - 1);
        pen_put(p, signs[roll_to(&p->dice, 4)]);
        write_number(p, depth - 1);
        pen_put(p, ")");
    } else {
        write_function(p, depth);
    }
}

/* Expression number k. */
static inline const char *random_expression(pen *p, int k) {
    p->used = 0;
    p->text[0] = '\0';
    p->dice.state = (uint64_t)k * 0x632be59bd9b4e019u + 1;
    write_number(p, 2 + k % 4);
    return p->text;
}

#endif
