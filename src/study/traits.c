/* traits.c - what a law can do, each found by an experiment on the law as it is given.
 *
 * Levels, lengths, times and speeds come from probe.c, so that the experiments suit every law, also
 * one that a user brings. */
#include "bristle_tools.h"

#include "curve.h"
#include "probe.h"

#include <math.h>
#include <string.h>

static const double tau = 6.28318530717958647692;

static const struct {
    const char *name, *meaning, *text;
} traits[BRI_TRAIT_COUNT] = {
    [BRI_STICTION] = {"stiction", "breaking away takes more force than sliding",
                      "largest friction under a slowly rising force, over that of sliding: "
                      "yes above 1.02"},
    [BRI_STRIBECK] = {"Stribeck", "steady friction falls with speed somewhere",
                      "largest relative fall of the steady curve from 1 \xc2\xb5"
                      "m/s to 10 m/s: "
                      "yes above 0.01"},
    [BRI_PRESLIDING] = {"pre-sliding", "below break-away the contact gives like a spring",
                        "share of the displacement at half load that unloading returns: "
                        "yes above 0.3"},
    [BRI_LAG] = {"lag", "friction lags behind a varying speed",
                 "area of F over v while the speed swings slowly, over both ranges, negative if "
                 "friction leads: yes above 0.001"},
    [BRI_DWELL] = {"dwell", "break-away grows with the time of rest",
                   "relative gain of the next peak from a long rest against a short one: "
                   "yes above 0.01"},
    [BRI_DRIFT_FREE] = {"drift-free",
                        "a load below break-away, constant or varying, does not creep",
                        "largest of 0.9, 0.5, 0.2 and 0.07 times the sliding force that may vary "
                        "by half without drift: yes above 0.05"},
    [BRI_RATE_DEPENDENT] = {"rate", "break-away depends on the rate of loading",
                            "relative change of the break-away force when loading 100 times "
                            "faster: yes beyond 0.02 either way"},
    [BRI_SET_VALUED] = {"set-valued", "exact stick: the force at v = 0 is whatever balances",
                        "share of an applied force that friction balances at v = 0: "
                        "yes above 0.99"},
};

const char *bri_trait_name(bri_trait t) {
    return (unsigned)t < BRI_TRAIT_COUNT ? traits[t].name : "unknown trait";
}

const char *bri_trait_meaning(bri_trait t) {
    return (unsigned)t < BRI_TRAIT_COUNT ? traits[t].meaning : "";
}

const char *bri_trait_text(bri_trait t) {
    return (unsigned)t < BRI_TRAIT_COUNT ? traits[t].text : "";
}

/* The force on a mass at rest rises to the peak of the steady curve within the given time, and on
 * until the body slides: largest friction up to there, over that of sliding (of a random law, over
 * the largest that occurs). A curve that only rises is compared at the speed reached. */
static double break_away(const probe *p, double time) {
    enum { STEPS = 400 };
    rig r = bri_rig_at_rest(p);
    double most = 0.0;
    int falls = p->fall > 0.01;
    for (int i = 1; i < 3 * STEPS && r.v < 10.0 * p->v_fall; i++) {
        bri_rig_step(&r, p->peak * i / STEPS, time / STEPS);
        if (!falls || r.v < 2.0 * p->v_fall) most = fmax(most, r.F);
    }
    return most / fmax(p->top, falls ? p->slide : bri_steady_force(p->setup, r.v));
}

/* Area of F over v in one cycle of v (1 + 0.6 cos), relative to the swing of v and the level, in a
 * period that is long against the times of the states: the mean over some cycles, and 0 where they
 * scatter as much (random laws). Positive if friction is larger while the speed rises. */
static double lag(const probe *p) {
    enum { STEPS = 120, CYCLES = 4 };
    const bri_setup *s = p->setup;
    double z[BRI_MAX_STATES] = {0}, dz[BRI_MAX_STATES], top, sum = 0.0, squares = 0.0;
    if (p->states == 0) return 0.0;
    bri_steady_state(s, 1.6 * p->v_fall, z, &top);
    double time = bri_slowest(p, p->v_fall, z);
    if (time <= 0.0) return 0.0;
    double h = 5.0 * tau * time / STEPS;
    for (int cycle = 0; cycle <= CYCLES; cycle++) {
        double area = 0.0, v0 = 1.6 * p->v_fall;
        bri_input u = {.v = v0, .n = s->load};
        double F0 = bri_model_eval(s->model, s->p, &u, z, dz);
        for (int i = 1; i <= STEPS; i++) {
            double v1 = p->v_fall * (1.0 + 0.6 * cos(tau * i / STEPS));
            u.v = p->v_fall * (1.0 + 0.6 * cos(tau * (i - 0.5) / STEPS));
            bri_model_step(s->model, s->p, &u, h, z);
            u.v = v1;
            double F1 = bri_model_eval(s->model, s->p, &u, z, dz);
            area += 0.5 * (F0 + F1) * (v1 - v0);
            v0 = v1;
            F0 = F1;
        }
        if (cycle == 0) continue; /* settling */
        sum += area;
        squares += area * area;
    }
    double mean = sum / CYCLES, scatter = sqrt(fmax(0.0, squares / CYCLES - mean * mean));
    return fabs(mean) > 2.0 * scatter ? mean / (1.2 * p->v_fall * p->slide) : 0.0;
}

/* Slide, stop for a while under load, push on over half the elastic length: the largest force. */
static double peak_after_rest(const probe *p, double rest, double push_time,
                              const double *sliding) {
    enum { STEPS = 100 };
    const bri_setup *s = p->setup;
    double z[BRI_MAX_STATES], most = 0.0;
    memcpy(z, sliding, sizeof z);
    bri_input u = {.n = s->load};
    for (int i = 0; i < STEPS; i++) bri_model_step(s->model, s->p, &u, rest / STEPS, z);
    u.v = 0.5 * p->length / push_time;
    for (int i = 0; i < STEPS; i++)
        most = fmax(most, bri_model_step(s->model, s->p, &u, push_time / STEPS, z));
    return most;
}

static double dwell(const probe *p) {
    double z[BRI_MAX_STATES] = {0}, top;
    if (p->states == 0 || p->length <= 0.0) return 0.0;
    bri_steady_state(p->setup, 10.0 * p->v_fall, z, &top);
    double time = bri_slowest(p, 0.0, z);
    if (time <= 0.0) return 0.0;
    double after_short = peak_after_rest(p, 0.02 * time, 0.2 * time, z);
    double after_long = peak_after_rest(p, 20.0 * time, 0.2 * time, z);
    return after_short > 0.0 ? after_long / after_short - 1.0 : 0.0;
}

/* Load to a level, hold, then let the load swing between the level and half of it: displacement per
 * cycle at the end, relative to that of the first loading. */
static double drift(const probe *p, double level) {
    enum { STEPS = 40, CYCLES = 12, LAST = 4 };
    rig r = bri_rig_at_rest(p);
    double h = 100.0 * p->time / STEPS, reach = 0.0, from = 0.0;
    for (int i = 1; i <= STEPS; i++) bri_rig_step(&r, level * i / STEPS, h);
    reach = r.x;
    for (int i = 0; i < STEPS; i++) bri_rig_step(&r, level, h);
    for (int i = 1; i <= STEPS * CYCLES; i++) {
        bri_rig_step(&r, level * (0.75 + 0.25 * cos(tau * i / STEPS)), h);
        if (i == STEPS * (CYCLES - LAST)) from = r.x;
    }
    double creep = fabs(r.x - from) / LAST;
    return creep > 0.0 ? creep / fabs(reach) : 0.0;
}

static double drift_free_level(const probe *p) {
    static const double shares[] = {0.9, 0.5, 0.2, 0.07};
    for (int i = 0; i < 4; i++)
        if (drift(p, shares[i] * p->slide) < 2e-3) return shares[i];
    return 0.0;
}

/* How far the force at v = 0 follows what is applied. */
static double balance(const probe *p) {
    const bri_setup *s = p->setup;
    double z[BRI_MAX_STATES] = {0}, dz[BRI_MAX_STATES];
    bri_model_rest(s->model, s->p, z);
    bri_input u = {.n = s->load, .fa = 0.5 * p->slide};
    double up = bri_model_eval(s->model, s->p, &u, z, dz);
    u.fa = -u.fa;
    double down = bri_model_eval(s->model, s->p, &u, z, dz);
    return p->slide > 0.0 ? (up - down) / p->slide : 0.0;
}

bri_traits bri_measure_traits(const bri_setup *s) {
    bri_traits t = {0};
    probe p = bri_probe(s);
    if (!(p.slide > 0.0)) return t; /* no friction, no traits */
    t.value[BRI_STICTION] = break_away(&p, 3000.0 * p.time);
    t.value[BRI_STRIBECK] = p.fall;
    t.value[BRI_PRESLIDING] = p.recovered;
    t.value[BRI_LAG] = lag(&p);
    t.value[BRI_DWELL] = dwell(&p);
    t.value[BRI_DRIFT_FREE] = drift_free_level(&p);
    if (t.value[BRI_STICTION] > 0.0)
        t.value[BRI_RATE_DEPENDENT] = break_away(&p, 30.0 * p.time) / t.value[BRI_STICTION] - 1.0;
    t.value[BRI_SET_VALUED] = balance(&p);
    t.has[BRI_STICTION] = t.value[BRI_STICTION] > 1.02;
    t.has[BRI_STRIBECK] = t.value[BRI_STRIBECK] > 0.01;
    t.has[BRI_PRESLIDING] = t.value[BRI_PRESLIDING] > 0.3;
    t.has[BRI_LAG] = t.value[BRI_LAG] > 1e-3;
    t.has[BRI_DWELL] = t.value[BRI_DWELL] > 0.01;
    t.has[BRI_DRIFT_FREE] = t.value[BRI_DRIFT_FREE] > 0.05;
    double noise = p.top / p.slide - 1.0;
    t.has[BRI_RATE_DEPENDENT] = fabs(t.value[BRI_RATE_DEPENDENT]) > 0.02 + noise;
    t.has[BRI_SET_VALUED] = t.value[BRI_SET_VALUED] > 0.99;
    return t;
}
