/* sweep_examples.c - sweeps that are ready to run: bristle sweep --example NAME. */
#include "sweep_examples.h"

#include <stdio.h>
#include <string.h>

/* Steady sliding of LuGre on a spring is stable where the polynomial of its linearisation is
 * Hurwitz. With g(v) the steady friction, a = sigma0 v/g and q = sigma1 v g'/g + nu N: m s^3 + (m a
 * + q) s^2 + (a (nu N + g') + k) s + a k, stable if (m a + q) a (nu N + g') + q k > 0. */
#define HURWITZ                                                                                    \
    "v = belt.velocity; e = exp(-(v/pad.v_s)^2); g = pad.load*(pad.mu_c + (pad.mu_s - "            \
    "pad.mu_c)*e); "                                                                               \
    "dg = -2*pad.load*(pad.mu_s - pad.mu_c)*v/pad.v_s^2*e; s2 = pad.nu*pad.load; a = "             \
    "pad.sigma0*v/g; "                                                                             \
    "q = pad.sigma1*v*dg/g + s2; limit = (block.mass*a + q)*a*(s2 + dg) + q*spring.stiffness"

/* The block starts at rest on the belt, whatever its speed. The softest spring breaks it away at
 * the lowest speed after 1.47 N/(10 N/m 5 mm/s) = 29 s, before the end. */
static const char *const map[] = {"belt",
                                  "--set",
                                  "pad.v_s=50 mm/s",
                                  "--set",
                                  "pad.nu=0.05 s/m",
                                  "--vary",
                                  "belt.velocity,block.v=log:0.005:0.5:50",
                                  "--vary",
                                  "spring.stiffness=log:10:1000:50",
                                  "--measure",
                                  "regime",
                                  "--from",
                                  "10 s",
                                  "--until",
                                  "32 s",
                                  "--rtol",
                                  "1e-5",
                                  "--slip-speed",
                                  "1 mm/s",
                                  "--limit",
                                  HURWITZ,
                                  NULL};
static const char *const stopping[] = {"brake",
                                       "--random",
                                       "disc.v=normal(3 %)",
                                       "--random",
                                       "pad.mu_c,pad.mu_s=normal(0.4, 10 %)",
                                       "--random",
                                       "disc.inertia=uniform(0.48, 0.52)",
                                       "--samples",
                                       "1000",
                                       "--sampling",
                                       "halton",
                                       "--measure",
                                       "way=last(disc.x), time=when(disc.v <= 0)",
                                       "--until",
                                       "15 s",
                                       NULL};
static const char *const leus[] = {
    "leus_vibrating",
    "--set",
    "support.velocity={sine: {amplitude: 4 mm/s, frequency: 1500 Hz}}",
    "--vary",
    "support.velocity.sine.amplitude=0.2:4:10 mm/s",
    "--vary",
    "support.velocity.sine.frequency=log:100:1500:6",
    "--measure",
    "force=mean(pull.F)",
    "--from",
    "2 s",
    "--until",
    "3 s",
    "--rtol",
    "1e-4",
    NULL};
static const char *const forced[] = {
    "belt",
    "--set",
    "belt.velocity={sum: [0.1 m/s, {sine: {amplitude: 0.05 m/s, frequency: 0.3 Hz}}]}",
    "--vary",
    "belt.velocity.sum.2.sine.frequency=0.05:0.6:111",
    "--measure",
    "peaks(block.x, 12)",
    "--until",
    "200 s",
    "--from",
    "60 s",
    "--output",
    "0.05 s",
    "--rtol",
    "1e-6",
    NULL};

static const struct {
    const char *name, *text;
    const char *const *args;
} examples[] = {
    {"stick-slip-map",
     "where a block on a belt sticks and slips, and the closed limit of steady sliding", map},
    {"stopping", "scatter of the angle in which a brake stops, by friction, speed and inertia",
     stopping},
    {"leus", "friction falls under a vibrating support: over speed and frequency of the vibration",
     leus},
    {"forced-belt", "bifurcation of a block on a belt whose speed swings", forced},
};
enum { EXAMPLES = sizeof examples / sizeof *examples };

const char *sweep_example_name(int i) { return i >= 0 && i < EXAMPLES ? examples[i].name : NULL; }
const char *sweep_example_text(int i) { return i >= 0 && i < EXAMPLES ? examples[i].text : NULL; }

const char *const *sweep_example_args(const char *name) {
    for (int i = 0; i < EXAMPLES; i++)
        if (strcmp(examples[i].name, name) == 0) return examples[i].args;
    return NULL;
}
