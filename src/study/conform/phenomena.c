/* phenomena.c - the table of phenomena: what is measured, how, and what is good. */
#include "conform.h"

#include "phenomena.h"

#include <math.h>
#include <string.h>

#define MICRO            "\xc2\xb5" /* the sign of the prefix, in UTF-8 */
#define NO_VERDICT       .want = NAN
#define IN(unit, factor) .shown = (unit), .scale = (factor)

/* clang-format off */
static const experiment rows[] = {
    {{"creep_30", "creep at 30 %", "m/s", "holding",
      "load 0.3 Fs on a mass of 1 kg, raised smoothly within 3 s (0.3 Fc for laws without Fs): mean speed from 8 to 13 s",
      IN(MICRO "m/s", 1e6), .floor = 1e-11, .want = 0.0, .good = 1e-9, .fair = 1e-6}, creep, 0.3},
    {{"creep_95", "creep at 95 %", "m/s", "holding",
      "the same under 0.95 Fs; 'slides': it is not held",
      IN(MICRO "m/s", 1e6), .floor = 1e-11, .want = 0.0, .good = 1e-9, .fair = 1e-6}, creep, 0.95},
    {{"drift", "drift per cycle", "m", "holding",
      "load swings between 0.15 and 0.45 Fs at 1 Hz: advance per cycle, cycles 11 to 15",
      IN(MICRO "m", 1e6), .floor = 1e-10, .want = 0.0, .good = 1e-9, .fair = 1e-7}, drift, 0.0},

    {{"break_away_1", "at 1 N/s", "Fs", "break-away",
      "force on a mass of 1 kg rises at 1 N/s: largest friction until it slides at 10 mm/s, over Fs",
      .floor = 1e-6, .want = 1.0, .good = 0.02, .fair = 0.1}, break_away, 1.0},
    {{"break_away_10", "at 10 N/s", "Fs", "break-away",
      "the same at 10 N/s",
      .floor = 1e-6, .want = 1.0, .good = 0.02, .fair = 0.1}, break_away, 10.0},
    {{"break_away_100", "at 100 N/s", "Fs", "break-away",
      "the same at 100 N/s; inertia and bristle damping matter here",
      .floor = 1e-6, .want = 1.0, .good = 0.02, .fair = 0.1}, break_away, 100.0},
    {{"rest_short", "after 0.01 s", "Fs", "break-away",
      "let go at 10 mm/s, stopped by friction within 0.01 s, rested for 0.01 s, loaded at 10 N/s: largest friction, over Fs",
      .floor = 1e-6, NO_VERDICT}, after_rest, 0.01},
    {{"rest_long", "after 10 s", "Fs", "break-away",
      "the same after a rest of 10 s: larger than after 0.01 s if the law strengthens with dwell time",
      .floor = 1e-6, NO_VERDICT}, after_rest, 10.0},

    {{"curve", "curve deviation", "1", "sliding",
      "steady friction at 31 speeds from 0.2 mm/s to 0.2 m/s: largest relative distance from "
      "Fc + (Fs - Fc) exp(-(v/v_s)^2)",
      .floor = 1e-9, .want = 0.0, .good = 0.01, .fair = 0.1}, curve_deviation, 0.0},
    {{"lag_1", "lag at 1 Hz", "N m/s", "sliding",
      "v = (2 + 1.5 cos(2 pi f t)) mm/s at f = 1 Hz: area of F over v, positive if friction is "
      "larger while the speed rises",
      IN("N " MICRO "m/s", 1e6), .floor = 1e-10, NO_VERDICT}, lag_area, 1.0},
    {{"lag_10", "lag at 10 Hz", "N m/s", "sliding",
      "the same at 10 Hz",
      IN("N " MICRO "m/s", 1e6), .floor = 1e-10, NO_VERDICT}, lag_area, 10.0},

    {{"stiffness", "stiffness", "N/m", "pre-sliding",
      "2e-4 Fs on a mass of 1 kg, raised smoothly within 3 s: load over displacement after 4 s; 'rigid': none, "
      "'flows': it does not come to rest",
      IN("N/mm", 1e-3), .floor = 0.0, NO_VERDICT}, stiffness, 0.0},
    {{"path", "path to break-away", "m", "pre-sliding",
      "force rises at 1 N/s: displacement at which friction has reached 95 % of its break-away",
      IN(MICRO "m", 1e6), .floor = 1e-12, NO_VERDICT}, break_away_path, 1.0},
    {{"loop", "loop area", "J", "pre-sliding",
      "motion between +-5 " MICRO "m, half of Fc/sigma0, at 20 " MICRO "m/s: loss in the tenth cycle",
      IN(MICRO "J", 1e6), .floor = 1e-13, NO_VERDICT}, loop_area, 5e-6},
    {{"memory", "inner loop gap", "Fc", "pre-sliding",
      "slide 100 " MICRO "m, back 18 " MICRO "m, forward 9 " MICRO "m, back 9 " MICRO "m at 10 " MICRO
      "m/s: difference of the forces at the "
      "two arrivals over Fc; none with non-local memory",
      .floor = 1e-6, .want = 0.0, .good = 1e-3, .fair = 0.05}, inner_loop, 0.0},

    {{"work", "least net work", "1", "passivity",
      "40 random motions from rest, each 20 stretches of 0.1 to 100 mm/s over 1 to 100 " MICRO "m: smallest "
      "net work put in until the end of a stretch, over the work moved either way; below 0 the "
      "contact has created energy",
      .floor = 1e-6, .want = 0.0, .above = 1}, least_work, 0.0},
    {{"dissipation", "dissipation regained", "1", "passivity",
      "the same motions: largest fall of the dissipated energy (work less the energy that the law "
      "says it stores), over the work moved either way, with a minus sign; 'undefined': the law "
      "defines no stored energy",
      .floor = 1e-6, .want = 0.0, .good = 1e-6, .fair = 0.01, .above = 1}, least_dissipation, 0.0},

    {{"period", "period", "s", "stick-slip",
      "1 kg drawn at 0.1 m/s by a spring of 2 N/m: mean period of the spring force from 20 to 100 s; "
      "'none': the mass is not below 5 mm/s for a fifth of the time",
      .floor = 0.0, NO_VERDICT}, stick_slip_period, 0.1},
    {{"swing", "swing", "N", "stick-slip",
      "the same: highest less lowest spring force of a cycle",
      .floor = 0.0, NO_VERDICT}, stick_slip_swing, 0.1},

    {{"rate_rest", "rate at rest", "1/s", "cost",
      "fastest rate of a mass of 1 kg on the contact at rest: largest magnitude of an eigenvalue of the Jacobian",
      .floor = 1e-6, NO_VERDICT}, fastest_rate, 0.0},
    {{"rate_sliding", "rate in sliding", "1/s", "cost",
      "the same while it slides at 0.1 m/s",
      .floor = 1e-6, NO_VERDICT}, fastest_rate, 0.1},
    {{"time", "time", "ns", "cost",
      "one evaluation of force and rates on this machine, least of 20 rounds",
      .floor = 0.0, NO_VERDICT, .machine = 1}, time_per_eval, 0.0},
    {{"time_relative", "over coulomb", "1", "cost",
      "the same over that of the law coulomb, on this machine",
      .floor = 0.0, NO_VERDICT, .machine = 1}, time_over_coulomb, 0.0},
};
/* clang-format on */

enum { COUNT = sizeof rows / sizeof *rows };

int bri_phenomenon_count(void) { return COUNT; }

const bri_phenomenon *bri_phenomenon_at(int i) { return i >= 0 && i < COUNT ? &rows[i].is : NULL; }

const bri_phenomenon *bri_phenomenon_find(const char *key) {
    for (int i = 0; i < COUNT; i++)
        if (strcmp(rows[i].is.key, key) == 0) return &rows[i].is;
    return NULL;
}

const experiment *experiment_of(const bri_phenomenon *what) {
    for (int i = 0; i < COUNT; i++)
        if (&rows[i].is == what) return &rows[i];
    return NULL;
}
