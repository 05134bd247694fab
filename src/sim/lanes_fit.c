/* lanes_fit.c - which simulations go into lanes, and which of them side by side, see lanes.h. */
#include "lanes_parts.h"
#include "sim.h"
#include "solvers/rosenbrock.h"
#include "system/path.h"
#include "system/signal.h"

#include <string.h>

static int contact_fits(const touch *c) {
    return c->load == BRI_LOAD_CONSTANT && c->n > BRI_NO_LOAD && !c->cusp && !c->unmoved &&
           c->n_zones <= BRI_LANE_ZONES;
}

/* Nonzero: a signal is straight between kinks, and these are few: at each one a run goes on alone.
 */
static int is_plain(const bri_signal *s, const network *net) {
    const int most = 32;
    double t = net->t_start;
    if (!signal_is_straight(s)) return 0;
    for (int i = 0; i <= most; i++)
        if (!((t = s->kind->kink(s, t)) < net->t_end)) return 1;
    return 0;
}

/* What drives the rig does so along straight lines. */
static int drives_fit(const network *net) {
    if (net->n_driven > 0 || net->n_formulas > 0) return 0;
    for (int i = 0; i < net->n_motions; i++)
        if (!is_plain(net->motions[i].signal, net)) return 0;
    for (int i = 0; i < net->n_pushes; i++)
        if (net->pushes[i].by || !is_plain(&net->pushes[i].force, net)) return 0;
    return 1;
}

static int is_timed(const network *net) { return !net->autonomous || net->n_pushes > 0; }

/* Nothing happens but that contacts turn, if they have a direction. */
static int only_turns(const bri_sim *sim) {
    const network *net = sim->net;
    for (int i = 0; i < net->n_touches; i++)
        if (net->touches[i].corner != net->touches[0].corner) return 0;
    return sim->freezes == net->touches[0].corner && !sim->law_events && sim->n_switches == 0 &&
           sim->n_events == net->n_touches;
}

/* As many contacts as bodies, with one law of one state, and linear couplings. */
static int is_few(const bri_sim *sim) {
    const network *net = sim->net;
    int n = net->n_free;
    if (n < 2 || n > BRI_LANE_BODIES || net->n_touches != n || net->n != 3 * n) return 0;
    if (!net->packed || net->n_packs != 1 || net->packs[0].count != n) return 0;
    if (net->n_link_runs > 0) return 0;
    for (int c = 0; c < n; c++)
        if (net->touches[c].first != c || net->touches[c].n_zones != net->touches[0].n_zones)
            return 0;
    return 1;
}

int lane_family_of(const bri_sim *sim, lane_family *to) {
    const network *net = sim->net;
    const touch *c = &net->touches[0];
    int exponent, one = sim->single && c->count <= BRI_LANE_STATES;
    if (!net->wanted->lanes || bri_level_best() == BRI_LEVEL_LIBM) return 0;
    if (!bri_kernels(BRI_LEVEL_AUTO)->lanes_attempt) return 0;
    if (!sim->looks || (!one && !is_few(sim)) || !only_turns(sim)) return 0;
    if (is_timed(net) && !drives_fit(net)) return 0;
    if (sim->tangent || net->n_pieced > 0 || !sim->solver->course || sim->cornered > 1) return 0;
    const rosenbrock *r = (const rosenbrock *)sim->s;
    *to = (lane_family){
        .bodies = net->n_free,
        .states = c->count,
        .directed = c->corner,
        .model = c->model,
        .method = r->at.method,
        .cornered = sim->cornered,
        .timed = is_timed(net),
        .rtol = r->at.rtol,
        .atol = r->at.atol,
        .law = bri_lane_law_of(bri_kernels(BRI_LEVEL_AUTO), c->model, c->p, &exponent)};
    for (int i = 0; i < net->n_free; i++) {
        if (!contact_fits(c + i)) return 0;
        to->ends[i][0] = c[i].a;
        to->ends[i][1] = c[i].b;
    }
    return to->law != NULL;
}

int sim_lanes_fit(const bri_sim *sim) {
    lane_family of;
    return !sim->stale && lane_family_of(sim, &of);
}

int sim_lanes_match(const sim_lanes *l, const bri_sim *sim) {
    lane_family of;
    if (l->count == 0) return 1;
    return lane_family_of(sim, &of) && of.bodies == l->of.bodies && of.model == l->of.model &&
           of.method == l->of.method && of.law == l->of.law && of.states == l->of.states &&
           of.directed == l->of.directed && of.cornered == l->of.cornered &&
           of.timed == l->of.timed && of.rtol == l->of.rtol && of.atol == l->of.atol &&
           (of.bodies == 1 || memcmp(of.ends, l->of.ends, sizeof of.ends) == 0);
}
