/* sweep.c - the loops of time stepping, compiled once per instruction set. Apart from the
 * exponential every level gives the same bits. */
#include "sweep.h"
#include "vecmath.h"

/* Sum over the neighbours. */
INLINE vec neighbours(const bri_sweep *s, const double *of, size_t i, int n) {
    vec sum = splat(0.0);
    for (int k = 0; k < n; k++)
        sum += load(s->value + (size_t)k * s->count + (i - s->first)) *
               load(of + ((ptrdiff_t)i + s->shift[k]));
    return sum;
}

INLINE vec between(vec low, vec x, vec high) {
    vec y = where(less(x, low), low, x);
    return where(less(high, y), high, y);
}

INLINE double largest(vec x) {
    double most = 0.0;
    for (int i = 0; i < WIDTH; i++) most = x[i] > most ? x[i] : most;
    return most;
}

/* A node that nothing else moves goes on with the velocity free; friction takes away what it can of
 * the velocity relative to its partner, and exactly all of it if it can. */
INLINE double relax_runs(const bri_sweep *s, int n) {
    vec change = splat(0.0), scale = splat(s->scale);
    for (size_t i = s->first; i < s->first + s->count; i += WIDTH) {
        vec V = load(s->partner + i), old = load(s->v + i);
        vec free = (load(s->b + i) + scale * neighbours(s, s->v, i, n)) * load(s->per_d + i);
        vec rest = free - V, slip = between(-load(s->below + i), rest, load(s->above + i));
        vec v = V + (rest - slip);
        store(s->v + i, v);
        store(s->slip + i, slip);
        change = larger(change, magnitude(v - old));
    }
    return largest(change);
}

static double relax(const bri_sweep *s) {
    switch (s->n_runs) {
    case 0:
        return relax_runs(s, 0);
    case 1:
        return relax_runs(s, 1);
    case 2:
        return relax_runs(s, 2);
    default:
        return relax_runs(s, s->n_runs);
    }
}

INLINE void load_runs(const bri_sweep *s, int n, int n_outer) {
    vec h = splat(s->h);
    for (size_t i = s->first; i < s->first + s->count; i += WIDTH) {
        vec v = load(s->v_prev + i);
        vec pull = neighbours(s, s->x, i, n) - load(s->stiffness + i) * load(s->x + i);
        vec b = load(s->mass + i) * v + h * (load(s->force + i) + pull);
        for (int k = 0; k < n_outer; k++) b += load(s->outer[k] + i) * splat(s->outer_by[k]);
        store(s->b + i, b);
        store(s->v + i, v);
    }
}

static void load_all(const bri_sweep *s) {
    if (s->n_runs == 2 && s->n_outer == 1)
        load_runs(s, 2, 1);
    else
        load_runs(s, s->n_runs, s->n_outer);
}

enum { ANY, ONE, TWO };

INLINE void level_loop(const bri_sweep *s, int exponent) {
    vec h = splat(s->h), g = splat(s->exponent), lead = splat(s->lead);
    for (size_t i = s->first; i < s->first + s->count; i += WIDTH) {
        vec zero = splat(0.0), v = load(s->v_prev + i), w = v - load(s->partner_prev + i);
        vec now = magnitude(w), ahead = with_sign(splat(1.0), w) * lead * (v - load(s->v + i));
        vec r = larger(now + ahead, 0.5 * now) * load(s->sharp + i), per = h * load(s->per_d + i);
        vec e = exponent == ANY   ? exp_minus_power(r, g)
                : exponent == ONE ? exp_minus(r)
                                  : exp_minus(r * r);
        vec low = load(s->low + i), drop = load(s->drop + i);
        vec slide = (low + drop * e) * per, hold = (low + drop) * per;
        store(s->above + i, where(less(zero, w), slide, hold));
        store(s->below + i, where(less(w, zero), slide, hold));
    }
}

static void level(const bri_sweep *s) {
    if (s->exponent == 1.0)
        level_loop(s, ONE);
    else if (s->exponent == 2.0)
        level_loop(s, TWO);
    else
        level_loop(s, ANY);
}

static double finish(const bri_sweep *s) {
    vec sum = splat(0.0), before = splat(1.0 - s->theta), theta = splat(s->theta);
    vec h = splat(s->h), ahead = splat(s->h * s->theta * (1.0 - s->theta));
    for (size_t i = s->first; i < s->first + s->count; i += WIDTH) {
        vec v = load(s->v + i), mean = theta * v + before * load(s->v_prev + i);
        vec V = theta * load(s->partner + i) + before * load(s->partner_prev + i);
        vec q = load(s->q_prev + i) + h * mean;
        store(s->q + i, q);
        store(s->x + i, q + ahead * v);
        sum += load(s->slip + i) * load(s->d + i) * (mean - V);
    }
    double heat = 0.0;
    for (int i = 0; i < WIDTH; i++) heat += sum[i];
    return heat;
}

#define JOIN(a, b)   a##b
#define TABLE(level) JOIN(bri_sweep_, level)

extern const bri_sweep_table TABLE(BRI_KERNEL_LEVEL);
const bri_sweep_table TABLE(BRI_KERNEL_LEVEL) = {relax, load_all, level, finish};
