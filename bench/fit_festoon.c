/* fit_festoon.c - what the paper does not say of its festoon (Rill et al. 2023, section 5), looked
 * for systematically: all numbers that the text quotes at once, over the masses, the ropes, the
 * Stribeck curve, the regularisation and the towing profile. Run by hand; what it finds best is in
 * scenarios/festoon.yaml.
 *   fit_festoon [SEED [EVALUATIONS [EXPONENT [FILE]]]]     FILE: begin at the settings in it
 *
 * Search: random points, then the simplex of Nelder and Mead from the best of them, again and again
 * until the evaluations are used up. The misfit is the sum of log(1 + u^2), u = (computed -
 * quoted)/half a unit of the last quoted digit: one number that cannot be had does not spoil the
 * others. In the first third of the search that half unit is taken thirty times, in the second six
 * times as wide, so that a number that is far off is felt at all. Prints every improvement; at the
 * end the settings and how each number comes out. */
#include "bristle_scenario.h"
#include "bristle_study.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double g = 9.81;

/* ---- what is not known --------------------------------------------------------------------- */

enum { M_C, K, C, V_A, V_R, OUT, RISE_OUT, PAUSE, BACK, RISE_BACK, N_UNKNOWN };

/* Ranges. The load of a trolley, (m_T + m_C) g = 22 N, and the sag of 0.967 m bound the masses and
 * the stiffness: the rope of 1 m is between 0.5 and 1.5 mm longer. */
static const struct {
    const char *name, *unit;
    double low, high;
    int logarithmic;
} unknown[N_UNKNOWN] = {
    [M_C] = {"mass of a cable", "kg", 1.0, 2.15, 0},
    [K] = {"stiffness", "N/m", 6e3, 1.6e4, 1},
    [C] = {"damping", "N s/m", 1.0, 100.0, 1},
    [V_A] = {"v_a", "mm/s", 0.3, 30.0, 1},
    [V_R] = {"v_r", "mm/s", 0.02, 3.0, 1},
    [OUT] = {"way out takes", "s", 1.5, 4.5, 0},
    [RISE_OUT] = {"ramps out, share of half", "1", 0.05, 1.0, 0},
    [PAUSE] = {"pause", "s", 0.0, 3.0, 0},
    [BACK] = {"way back takes", "s", 1.5, 5.5, 0},
    [RISE_BACK] = {"ramps back, share of half", "1", 0.05, 1.0, 0},
};

/* ---- what is quoted ------------------------------------------------------------------------ */

enum {
    STATIC_T1,
    STATIC_T2,
    SECOND_T1,
    SECOND_T2,
    LUGRE_T1,
    LUGRE_LEAVES,
    LUGRE_STRONG,
    LUGRE_STRONGEST,
    WEAK_LEAVES,
    N_QUOTED
};

static const struct {
    const char *name;
    double value, half;
    int side; /* 0: equal; +1, -1: at least, at most */
} quoted[N_QUOTED] = {
    [STATIC_T1] = {"static: T1 at 14 s [mm]", 0.4, 0.05, 0},
    [STATIC_T2] = {"static: T2 at 14 s [mm]", 17.9, 0.05, 0},
    [SECOND_T1] = {"second order: T1 at 14 s [mm], not visible", 0.1, 0.05, -1},
    [SECOND_T2] = {"second order: T2 at 14 s [mm]", 17.9, 0.05, 0},
    [LUGRE_T1] = {"LuGre: T1 at 14 s [mm] (0.5384 m less 0.5176 m)", 20.8, 0.05, 0},
    [LUGRE_LEAVES] = {"LuGre: T1 breaks away [s]", 10.3, 0.05, 0},
    [LUGRE_STRONG] = {"LuGre, friction +10 %: T1 at 14 s [mm], visible", 1.0, 0.2, 1},
    [LUGRE_STRONGEST] = {"LuGre, friction +25 %: T1 at 14 s [mm], insignificant", 1.0, 0.2, -1},
    [WEAK_LEAVES] = {"second order, -10 %: T1 leaves 'shortly after' 3 s [s]", 5.0, 0.2, -1},
};

/* ---- one run ------------------------------------------------------------------------------- */

typedef struct settings {
    double p[N_UNKNOWN], exponent, rtol;
} settings;

enum { CHANGES = 48, TEXT = 400 };
typedef struct changes {
    bri_override list[CHANGES];
    char key[CHANGES][60], value[CHANGES][TEXT];
    int count;
} changes;

static void change(changes *c, const char *key, const char *format, double a) {
    snprintf(c->key[c->count], sizeof c->key[0], "%s", key);
    snprintf(c->value[c->count], TEXT, format, a);
    c->list[c->count] = (bri_override){c->key[c->count], c->value[c->count]};
    c->count++;
}

/* Sag of a mass between two ropes of 1 m that it stretches, half the spacing apart. */
static double sag_of(const settings *s) {
    double half = 1.5529 / 6.0, length = 1.0, sag = 0.0;
    for (int i = 0; i < 60; i++) {
        sag = sqrt(length * length - half * half);
        length = 1.0 + s->p[M_C] * g * length / (2.0 * sag * s->p[K]);
    }
    return sag;
}

/* Trapezoids that lead 0.5 m out from 3 s on and 0.5 m back. */
static void profile(const settings *s, char *text, size_t size) {
    double out = s->p[OUT], r1 = 0.5 * s->p[RISE_OUT] * out, back = s->p[BACK],
           r2 = 0.5 * s->p[RISE_BACK] * back, from = 3.0 + out + s->p[PAUSE];
    snprintf(
        text, size,
        "{sum: [{trapezoid: {value: %.17g m/s, from: 3 s, until: %.17g s, rise: %.17g s, fall: "
        "%.17g s}}, {trapezoid: {value: %.17g m/s, from: %.17g s, until: %.17g s, rise: %.17g "
        "s, fall: %.17g s}}]}",
        0.5 / (out - r1), 3.0 + out, r1, r1, -0.5 / (back - r2), from, from + back, r2, r2);
}

static void change_all(changes *c, const settings *s, double friction) {
    static const char *const cables[] = {"C1", "C2", "C3"}, *const wheels[] = {"wheel1", "wheel2"};
    char key[60];
    c->count = 0;
    for (int i = 0; i < 3; i++) {
        snprintf(key, sizeof key, "%s.mass", cables[i]);
        change(c, key, "%.17g kg", s->p[M_C]);
        snprintf(key, sizeof key, "%s.z", cables[i]);
        change(c, key, "%.17g m", -sag_of(s));
    }
    change(c, "T1.mass", "%.17g kg", 2.25 - s->p[M_C]);
    change(c, "T2.mass", "%.17g kg", 2.25 - s->p[M_C]);
    for (int i = 1; i <= 6; i++) {
        snprintf(key, sizeof key, "rope%d.stiffness", i);
        change(c, key, "%.17g N/m", s->p[K]);
        snprintf(key, sizeof key, "rope%d.damping", i);
        change(c, key, "%.17g N s/m", s->p[C]);
    }
    for (int i = 0; i < 2; i++) {
        snprintf(key, sizeof key, "%s.mu_s", wheels[i]);
        change(c, key, "%.17g", 0.08 * friction);
        snprintf(key, sizeof key, "%s.mu_c", wheels[i]);
        change(c, key, "%.17g", 0.05 * friction);
        snprintf(key, sizeof key, "%s.v_s", wheels[i]);
        change(c, key, "%.17g mm/s", s->p[V_A]);
        snprintf(key, sizeof key, "%s.gamma", wheels[i]);
        change(c, key, "%.17g", s->exponent);
    }
    change(c, "compare.models.regularized.v_r", "%.17g mm/s", s->p[V_R]);
    change(c, "compare.models.bristle_second_order.v_r", "%.17g mm/s", s->p[V_R]);
    change(c, "run.until", "%.17g s", 14.0);
    change(c, "run.output", "%.17g s", 0.02);
    change(c, "run.rtol", "%.17g", s->rtol);
    change(c, "TT.velocity", "%.0f", 0.0);
    profile(s, c->value[c->count - 1], TEXT);
}

/* How far T1 and T2 have come at 14 s [mm], and when T1 has come 1 mm [s]. */
static int run(const settings *s, const char *law, double friction, double *T1, double *T2,
               double *leaves) {
    static changes c;
    bri_scenario *scenario;
    bri_messages messages;
    bri_trace t = {0};
    change_all(&c, s, friction);
    const bri_scenario_options options = {c.list, c.count, bri_model_find(law)};
    if (bri_scenario_load("festoon", &options, &scenario, &messages) != BRI_OK) {
        fprintf(stderr, "fit_festoon: %s\n", messages.message[0].text);
        exit(1);
    }
    bri_sim_def def = *bri_scenario_def(scenario);
    def.energies = 0;
    int done = bri_trace_run(&t, &def, bri_scenario_output(scenario), NULL) == BRI_OK;
    if (done) {
        const double *time = bri_trace_column(&t, 0), *x1 = bri_trace_find(&t, "T1.x"),
                     *x2 = bri_trace_find(&t, "T2.x");
        *T1 = 1e3 * (x1[t.n_rows - 1] - x1[0]);
        *T2 = 1e3 * (x2[t.n_rows - 1] - x2[0]);
        *leaves = 14.0;
        for (long i = 1; i < t.n_rows; i++)
            if (fabs(x1[i] - x1[0]) > 1e-3) {
                *leaves = time[i];
                break;
            }
    }
    bri_trace_free(&t);
    bri_scenario_free(scenario);
    return done;
}

/* ---- the misfit ---------------------------------------------------------------------------- */

static double wide = 1.0; /* by which the tolerances are widened */

static double misfit_of(int i, double value) {
    double u = (value - quoted[i].value) / (wide * quoted[i].half);
    if (quoted[i].side * u > 0.0) u = 0.0;
    return log1p(u * u);
}

static double misfit(const settings *s, double *found) {
    double T1, T2, leaves, sum = 0.0, beyond = 0.0;
    for (int i = 0; i < N_UNKNOWN; i++) {
        double width = unknown[i].high - unknown[i].low;
        beyond += fmax(0.0, (unknown[i].low - s->p[i]) / width) +
                  fmax(0.0, (s->p[i] - unknown[i].high) / width);
    }
    double end = 3.0 + s->p[OUT] + s->p[PAUSE] + s->p[BACK];
    beyond += fmax(0.0, end - 13.5);
    if (beyond > 0.0) return 200.0 + 100.0 * beyond;
    if (!run(s, "bristle_second_order", 1.0, &T1, &T2, &leaves)) return 100.0;
    found[SECOND_T1] = fabs(T1);
    found[SECOND_T2] = T2;
    if (!run(s, "lugre", 1.0, &T1, &T2, &leaves)) return 100.0;
    found[LUGRE_T1] = T1;
    found[LUGRE_LEAVES] = leaves;
    if (!run(s, "regularized", 1.0, &T1, &T2, &leaves)) return 100.0;
    found[STATIC_T1] = T1;
    found[STATIC_T2] = T2;
    if (!run(s, "lugre", 1.1, &T1, &T2, &leaves)) return 100.0;
    found[LUGRE_STRONG] = fabs(T1);
    if (!run(s, "lugre", 1.25, &T1, &T2, &leaves)) return 100.0;
    found[LUGRE_STRONGEST] = fabs(T1);
    if (!run(s, "bristle_second_order", 0.9, &T1, &T2, &leaves)) return 100.0;
    found[WEAK_LEAVES] = leaves;
    for (int i = 0; i < N_QUOTED; i++) sum += misfit_of(i, found[i]);
    return sum;
}

/* ---- the search ---------------------------------------------------------------------------- */

static unsigned long long seed;
static double uniform(void) {
    seed = seed * 6364136223846793005ull + 1442695040888963407ull;
    return (double)(seed >> 11) / 9007199254740992.0;
}

static long left, total; /* evaluations */
static settings best;
static double best_misfit = 1e9, best_found[N_QUOTED];

static void show(FILE *out) {
    fprintf(out, "misfit %.4f, exponent %g\n", best_misfit, best.exponent);
    for (int i = 0; i < N_UNKNOWN; i++)
        fprintf(out, "  %-26s %.17g %s\n", unknown[i].name, best.p[i], unknown[i].unit);
    for (int i = 0; i < N_QUOTED; i++)
        fprintf(out, "    %-56s %8.4f quoted %g%s\n", quoted[i].name, best_found[i],
                quoted[i].value, misfit_of(i, best_found[i]) > log(2.0) ? "  NO" : "");
    fflush(out);
}

/* Coordinates of the search: 0 ... 1 over each range. */
static void from_unit(const double *x, settings *s) {
    for (int i = 0; i < N_UNKNOWN; i++) {
        double a = unknown[i].low, b = unknown[i].high;
        s->p[i] = unknown[i].logarithmic ? a * pow(b / a, x[i]) : a + (b - a) * x[i];
    }
}

static void to_unit(const settings *s, double *x) {
    for (int i = 0; i < N_UNKNOWN; i++) {
        double a = unknown[i].low, b = unknown[i].high;
        x[i] = unknown[i].logarithmic ? log(s->p[i] / a) / log(b / a) : (s->p[i] - a) / (b - a);
    }
}

/* From wide tolerances to those of the digits. */
static void narrow(void) {
    double now = left > total * 2 / 3 ? 30.0 : left > total / 3 ? 6.0 : 1.0;
    if (now == wide) return;
    wide = now;
    best_misfit = best_misfit < 1e8 ? misfit(&best, best_found) : 1e9;
}

static double at(const double *x) {
    settings s = best;
    double found[N_QUOTED] = {0};
    left--;
    narrow();
    from_unit(x, &s);
    double m = misfit(&s, found);
    if (m < best_misfit) {
        best_misfit = m;
        best = s;
        memcpy(best_found, found, sizeof found);
        show(stdout);
    }
    return m;
}

/* x + share (middle - x). */
static double toward(const double *middle, const double *x, double share, double *to) {
    for (int j = 0; j < N_UNKNOWN; j++) to[j] = x[j] + share * (middle[j] - x[j]);
    return at(to);
}

/* Nelder and Mead from x, with a simplex of that size. */
static void simplex(const double *x, double size) {
    enum { N = N_UNKNOWN };
    double v[N + 1][N], f[N + 1], try[N], more[N];
    for (int i = 0; i <= N; i++) {
        memcpy(v[i], x, sizeof v[i]);
        if (i) v[i][i - 1] += v[i][i - 1] > 0.5 ? -size : size;
        f[i] = at(v[i]);
    }
    while (left > 0) {
        int low = 0, high = 0, next = 0;
        double middle[N] = {0};
        for (int i = 1; i <= N; i++) {
            if (f[i] < f[low]) low = i;
            if (f[i] > f[high]) high = i;
        }
        for (int i = 0; i <= N; i++)
            if (i != high && (next == high || f[i] > f[next])) next = i;
        if (f[high] - f[low] < 1e-3) return;
        for (int i = 0; i <= N; i++)
            for (int j = 0; i != high && j < N; j++) middle[j] += v[i][j] / N;
        double r = toward(middle, v[high], 2.0, try);
        if (r < f[low]) {
            double e = toward(middle, v[high], 3.0, more);
            memcpy(v[high], e < r ? more : try, sizeof try);
            f[high] = fmin(e, r);
        } else if (r < f[next]) {
            memcpy(v[high], try, sizeof try);
            f[high] = r;
        } else {
            double k = toward(middle, v[high], r < f[high] ? 1.5 : 0.5, more);
            if (k < fmin(r, f[high])) {
                memcpy(v[high], more, sizeof more);
                f[high] = k;
                continue;
            }
            for (int i = 0; i <= N; i++)
                if (i != low) f[i] = toward(v[low], v[i], 0.5, v[i]);
        }
    }
}

/* The settings that show() has written. */
static int read_settings(const char *file, settings *s) {
    FILE *in = fopen(file, "r");
    char line[200];
    int known = 0;
    while (in && fgets(line, sizeof line, in))
        for (int i = 0; i < N_UNKNOWN; i++) {
            size_t length = strlen(unknown[i].name);
            if (i == known && strncmp(line + 2, unknown[i].name, length) == 0) {
                s->p[i] = strtod(line + 29, NULL);
                known = i + 1;
                break;
            }
        }
    if (in) fclose(in);
    return known == N_UNKNOWN;
}

int main(int argc, char **argv) {
    seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    total = left = argc > 2 ? strtol(argv[2], NULL, 10) : 10000;
    best = (settings){.exponent = argc > 3 ? strtod(argv[3], NULL) : 2.0, .rtol = 1e-6};
    double x[N_UNKNOWN], start[N_UNKNOWN];
    if (argc > 4) {
        if (!read_settings(argv[4], &best)) {
            fprintf(stderr, "fit_festoon: %s has no settings\n", argv[4]);
            return 1;
        }
        to_unit(&best, x);
        simplex(x, 0.03);
    }
    while (left > 0) {
        double least = 1e9;
        for (int k = 0; k < 120 && left > 0; k++) { /* near the best one, or anywhere */
            double near[N_UNKNOWN], spread = 0.3 * uniform();
            int anywhere = best_misfit > 1e8 || uniform() < 0.5;
            if (!anywhere) to_unit(&best, near);
            for (int i = 0; i < N_UNKNOWN; i++)
                x[i] = anywhere ? uniform() : near[i] + spread * (2.0 * uniform() - 1.0);
            double m = at(x);
            if (m >= least) continue;
            least = m;
            memcpy(start, x, sizeof x);
        }
        simplex(start, 0.05);
        if (left > 0) {
            to_unit(&best, start);
            simplex(start, 0.02 * (0.2 + uniform()));
        }
    }
    wide = 1.0;
    best.rtol = 1e-8; /* as the scenario has it */
    best_misfit = misfit(&best, best_found);
    puts("with rtol 1e-8:");
    show(stdout);
    return 0;
}
