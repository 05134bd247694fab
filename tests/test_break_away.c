/* test_break_away.c - break-away is not stepped over, on any path through the engine.
 *
 * A block rides on a belt, held by a spring that pulls more and more. Its bristles are so stiff
 * that it sticks in one long step, and they hold no more than their level: at t = level/(k v) it
 * breaks away. An implicit step over that time damps what grows and would go on sticking. The
 * engine takes other paths for one block, for one with a bystander that touches nothing, for a few
 * blocks and for a chain; ctest runs LuGre once more for each set of instructions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "bristle_scenario.h"
#include "bristle_sim.h"
#include "depth.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* delay: from break-away until the block is 0.01 m/s slower than the belt [s]. With a level that
 * falls from 0.15 N to 0.1 N at once the block slows down with 0.05 g; with one that does not fall
 * it swings on, v = 0.1 cos(wt) m/s. */
static const struct {
    const char *name, *given;
    double level, delay;
} laws[] = {
    {"lugre", "mu_s: 0.15, v_s: 1e-3, gamma: 1, sigma0: 1e9, sigma1: 0, sigma2: 0", 0.15, 0.0204},
    {"lugre", "mu_s: 0.15, v_s: 1e-3, gamma: 2, sigma0: 1e9, sigma1: 0, sigma2: 0", 0.15, 0.0204},
    {"lugre", "mu_s: 0.15, v_s: 1e-3, gamma: 2, sigma0: 1e9, sigma1: 10, sigma2: 0, fade: 1", 0.15,
     0.0204},
    {"lugre_consistent", "mu_s: 0.15, v_s: 1e-3, gamma: 2, sigma0: 1e9, sigma1: 0", 0.15, 0.0204},
    {"elasto_plastic",
     "mu_s: 0.15, v_s: 1e-3, gamma: 2, sigma0: 1e9, sigma1: 0, sigma2: 0, z_ba: 0.7e-9", 0.15,
     0.0204},
    {"dahl", "sigma0: 1e9, i: 1", 0.1, 0.3189},
    {"stribeck_dankowicz", "mu_s: 0.15, v_s: 1e-3, gamma: 2, delta: 1e-9, kv: 0", 0.15, 0.0204},
};

enum { N_LAWS = sizeof laws / sizeof *laws, ROWS = 1000 };
static int n_laws = N_LAWS, first = 1; /* exponent of the largest tolerance */
static const char *const paths[] = {"alone", "with a bystander", "three", "chain of sixty"};

static bri_scenario *make(int law, int path) {
    static const int blocks[] = {1, 1, 3, 60};
    static char text[2048];
    int n = blocks[path];
    bri_scenario *s;
    bri_messages messages = {0};
    snprintf(text, sizeof text,
             "bodies:\n"
             "  block: {repeat: %d, mass: 1, x: 0, v: 0.1}\n"
             "  belt: {velocity: 0.1}\n"
             "%s"
             "couplings:\n"
             "  - {name: leaf, spring: [block, ground], stiffness: 2}\n"
             "%s%s"
             "contacts:\n"
             "  pad: {between: [block, belt], load: 9.81, model: %s, mu_c: 0.1, %s}\n"
             "run: {until: 10, output: 0.01}\n",
             n, path == 1 ? "  bystander: {mass: 3, x: 0.01}\n" : "",
             path == 1 ? "  - {name: own, spring: [bystander, ground], stiffness: 40}\n" : "",
             n > 1 ? "  - {name: chain, spring: [block, block.next], stiffness: 50}\n" : "",
             laws[law].name, laws[law].given);
    if (bri_scenario_parse(text, strlen(text), "break_away.yaml", NULL, &s, &messages) != BRI_OK)
        fail_msg("%s: %s", laws[law].name, messages.message[0].text);
    return s;
}

static void slips_in_time(bri_sim *sim, int law, int path, const char *solver, int k) {
    double limit = laws[law].level * 9.81, when = limit / (2.0 * 0.1), most = 0.0, began = INFINITY;
    bri_error err;
    for (int i = 1; i <= ROWS && isinf(began); i++) {
        double t = 10.0 * i / ROWS;
        if (bri_sim_advance(sim, t, &err) != BRI_OK) fail_msg("%s", err.text);
        if (t < when) most = fmax(most, fabs(bri_sim_contact(sim, 0).F));
        if (fabs(bri_sim_body(sim, 0).v - 0.1) > 0.01) began = t;
    }
    if (!(most < 1.001 * limit && fabs(began - when - laws[law].delay) < 0.1))
        fail_msg("%s, %s, %s, rtol 1e-%d: %.4f N of %.4f, slips from %.3f s on, not %.3f",
                 laws[law].name, paths[path], solver, k, most, limit, began,
                 when + laws[law].delay);
}

static void every_path(void **state) {
    static const char *const solvers[] = {"rosenbrock", "rodas5p"};
    for (int law = 0; law < n_laws; law++)
        for (int path = 0; path < 4; path++) {
            bri_scenario *s = make(law, path);
            for (int solver = 0; solver < SAMPLE(2, 1); solver++)
                for (int k = first; k <= 8; k += SAMPLE(first, 3)) {
                    bri_sim_def def = *bri_scenario_def(s);
                    bri_sim *sim;
                    bri_error err;
                    if (path == 3 && (k != 4 || solver > 0)) continue;
                    if (k > 4 && k % 2 == 1) continue;
                    def.solver = bri_solver_find(solvers[solver]);
                    def.rtol = pow(10.0, -k);
                    def.energies = 0;
                    if (bri_sim_create(&def, &sim, &err) != BRI_OK) fail_msg("%s", err.text);
                    slips_in_time(sim, law, path, solvers[solver], k);
                    bri_sim_free(sim);
                }
            bri_scenario_free(s);
        }
}

int main(int argc, char **argv) {
    if (argc > 1) n_laws = 3, first = 2; /* LuGre, every second tolerance */
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_path)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
