/* test_lanes_guards.c - what a lane calls plain is plain for its simulation: attempts at steps of
 * random sizes, from random places of rigs drawn at random, are looked at both ways. */
#include "bristle_scenario.h"
#include "depth.h"
#include "test.h"

#include "sim/lanes_parts.h"
#include "sim/sim.h"

#include <stdlib.h>

static uint64_t seed = 20261119;

static double uniform(double low, double high) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (double)(seed >> 11) * 0x1p-53;
}

static double decades(double low, double high) { return low * pow(high / low, uniform(0.0, 1.0)); }

/* Blocks on a belt that speeds up, or on each other: the body is the first or the second end of its
 * contact; the law is drawn, too. */
enum { RIGS = 4, MOST_TEXT = 2000 };

static void put_contact(char *text, const char *law, const char *name, const char *a,
                        const char *b) {
    size_t n = strlen(text);
    snprintf(text + n, MOST_TEXT - n,
             "  %s: {between: [%s, %s], load: %.3g N, model: %s, sigma0: %.3g N/m%s", name, a, b,
             decades(10.0, 300.0), law, decades(1e4, 1e6), law[0] == 'l' ? ", v_s: " : "}\n");
    n = strlen(text);
    if (law[0] == 'l') snprintf(text + n, MOST_TEXT - n, "%.3g m/s}\n", decades(5e-3, 0.3));
}

static void put_rig(char *text, int rig) {
    static const char *const laws[] = {"lugre", "lugre_consistent", "dahl"};
    const char *law = laws[(int)uniform(0.0, 3.0)];
    double mass = decades(0.5, 10.0), k = decades(50.0, 5000.0), v = uniform(-0.5, 0.5);
    if (rig < 2) {
        snprintf(
            text, MOST_TEXT,
            "bodies: {block: {mass: %.3g, v: %.3g}, belt: {velocity: {ramp: {before: %.3g, rate: "
            "%.3g, from: 0.1, until: 4}}}}\ncouplings: [{spring: [ground, block], stiffness: "
            "%.3g}]\ncontacts:\n",
            mass, v, uniform(-0.3, 0.3), uniform(-1.0, 1.0), k);
        put_contact(text, law, "pad", rig ? "belt" : "block", rig ? "block" : "belt");
    } else if (rig == 2) {
        snprintf(text, MOST_TEXT,
                 "bodies: {block: {mass: %.3g, v: %.3g}, second: {mass: %.3g}, belt: {velocity: "
                 "%.3g}}\ncouplings: [{spring: [ground, block], stiffness: %.3g}, {spring: [block, "
                 "second], stiffness: %.3g}]\ncontacts:\n",
                 mass, v, decades(0.5, 10.0), uniform(0.05, 0.5), k, decades(50.0, 5000.0));
        put_contact(text, law, "pad", "block", "belt");
        put_contact(text, law, "pad2", "belt", "second");
    } else {
        snprintf(text, MOST_TEXT,
                 "bodies: {block: {mass: %.3g, x: %.3g}, second: {mass: %.3g}, third: {mass: "
                 "%.3g}}\ncouplings: [{spring: [ground, block], stiffness: %.3g}]\ncontacts:\n",
                 mass, uniform(0.1, 1.0), decades(0.5, 10.0), decades(0.5, 10.0), k);
        put_contact(text, law, "pad", "block", "second");
        put_contact(text, law, "pad2", "second", "third");
        put_contact(text, law, "pad3", "third", "ground");
    }
    snprintf(text + strlen(text), MOST_TEXT - strlen(text), "run: {until: 5 s, rtol: %.3g}\n",
             decades(1e-5, 0.05)); /* loose: long steps are tried */
}

/* What has been looked at. */
static long attempts, plain, turned, closer, apart;

/* The courses that a lane hands over are those of its stages. */
static void same_courses(sim_lanes *l, const char *rig) {
    bri_sim *sim = l->seats[0].sim;
    int n = l->of.bodies;
    double got[SOLVER_COURSE * BRI_LANE_BODIES], size = 0.0;
    memcpy(got, sim->courses, sizeof *got * (size_t)(SOLVER_COURSE * n));
    lane_leave_attempt(l, 0);
    sim->solver->courses(sim->s, n, n, sim->courses);
    for (int j = 0; j < SOLVER_COURSE * n; j++) size = fmax(size, fabs(sim->courses[j]));
    for (int j = 0; j < SOLVER_COURSE * n; j++)
        if (!(fabs(got[j] - sim->courses[j]) <= 1e-9 * size))
            fail_msg("coefficient %d is %.17g, by the stages %.17g, of\n%s", j, got[j],
                     sim->courses[j], rig);
}

static void look_both_ways(sim_lanes *l, const char *rig) {
    bri_lane_pack *k = &l->pack;
    const double h = k->h[0];
    for (int n = 0; n < 12; n++) {
        k->h[0] = h * decades(0.3, 10.0);
        k->wish[0] = 0.0;
        unsigned looked = bri_kernels(BRI_LEVEL_AUTO)->lanes_attempt(k) & 1u;
        double outcome = k->outcome[0], share;
        if (!(k->error[0] <= 1.0)) continue; /* refused, whatever else is */
        share = lane_better_end(l, 0);
        same_courses(l, rig);
        attempts++;
        closer += looked;
        apart += looked && isinf(share);
        if (looked || (outcome != BRI_LANE_MADE && outcome != BRI_LANE_TURNED)) continue;
        plain++;
        turned += outcome == BRI_LANE_TURNED;
        if (!isinf(share))
            fail_msg("a step of %.9g s at %.17g s is plain, but should end at %g of it, of\n%s",
                     k->taken[0], k->t[0], share, rig);
    }
    k->h[0] = h;
}

static void plain_is_plain(void **state) {
    static bri_messages messages;
    bri_error err;
    if (bri_level_best() == BRI_LEVEL_LIBM) return; /* no lanes */
    for (int round = 0; round < USUALLY(30000, 8000, 600); round++) {
        char text[MOST_TEXT];
        bri_scenario *s;
        bri_sim *sim;
        put_rig(text, round % RIGS);
        if (bri_scenario_parse(text, strlen(text), "rig", NULL, &s, &messages) != BRI_OK)
            fail_msg("%s, of\n%s", messages.message[0].text, text);
        assert_int_equal(bri_sim_create(bri_scenario_def(s), &sim, &err), BRI_OK);
        sim_lanes *l = sim_lanes_new();
        assert_non_null(l);
        double t = decades(0.02, 3.9);
        if (sim_lanes_fit(sim) && bri_sim_advance(sim, t, &err) == BRI_OK) {
            sim_lanes_put(l, 0, sim, &(sim_lane_task){.until = 5.0, .due = INFINITY});
            if (l->inside) look_both_ways(l, text);
        }
        sim_lanes_free(l);
        bri_sim_free(sim);
        bri_scenario_free(s);
    }
    print_message("%ld attempts: %ld plain, %ld of them turn; %ld looked at closer, %ld in vain\n",
                  attempts, plain, turned, closer, apart);
    assert_true(attempts > 1000 && plain > attempts / 5 && turned > attempts / 100);
    assert_true(closer > attempts / 100 && closer > apart);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(plain_is_plain)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
