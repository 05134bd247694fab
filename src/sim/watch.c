/* watch.c - a run watches itself: whether its energies add up, and whether friction has driven. */
#include "sim.h"

#include <math.h>

/* The energy balance may miss by this much of the energy turned over, or by so many tolerances. On
 * rigs drawn at random that are right to 0.1 % of their range the worst are far below, see
 * docs/verification.md. */
static const double RESIDUAL = 1e-3, RESIDUAL_PER_RTOL = 100.0;

/* However loose the tolerance, and with a fixed step, where there is none: one in a hundred. */
static const double RESIDUAL_MOST = 1e-2;

/* Friction may give back this share of the heat it made: bristles whose damping does not fade do so
 * by themselves (LuGre with the parameters of its paper 4 %). */
static const double REGAINED = 0.2;

/* Laws with a memory besides the deflection (a dwell time, a slip that lags behind) create energy
 * by their very equations now and then, and so do bristles that let go while their load falls; of
 * bristles whose energy is not defined, all that they give back counts as heat. That says nothing
 * about the steps. */
static int may_drive(const network *net) {
    for (int i = 0; i < net->n_touches; i++) {
        const touch *c = &net->touches[i];
        if (c->count > 1 || c->load != BRI_LOAD_CONSTANT) return 1;
        if (c->count > 0 && !c->model->stored) return 1;
    }
    return 0;
}

double sim_astray(const bri_sim *sim) {
    const network *net = sim->net;
    double power = 0.0;
    for (int i = 0; sim->freezes && i < net->n_touches; i++) {
        const touch *c = &net->touches[i];
        double v = net->vel[c->a] - net->vel[c->b];
        if (c->corner && c->mode != BRI_AUTO && (double)c->mode * v < 0.0) power += fabs(c->F * v);
    }
    return power;
}

/* The body may be fastest between the ends of a long step; looked for where that can matter. */
static void watch_arc(bri_sim *sim) {
    const sim_arc *arc = &sim->arc;
    double m = sim->net->mass[0], most = fabs(arc->drift) + fabs(arc->p) + fabs(arc->q);
    if (0.5 * m * most * most <= sim->turned) return;
    most = sim_arc_fastest(arc, 0.0, sim->s->t_prev, sim->s->t);
    sim->turned = fmax(sim->turned, 0.5 * m * most * most);
}

void sim_watch(bri_sim *sim, const double *y) {
    const network *net = sim->net;
    const double *v = y + net->n_free;
    double kinetic = 0.0, heat = sim->heat - sim->heat_prev;
    for (int i = 0; i < net->n_free; i++) kinetic += 0.5 * net->mass[i] * v[i] * v[i];
    if (heat < 0.0)
        sim->regained -= heat;
    else
        sim->heated += heat;
    sim->turned = fmax(sim->turned, fmax(kinetic, fmax(sim->heated, fabs(sim->work))));
    if (sim->arc.on) watch_arc(sim);
}

bri_status bri_sim_verdict(bri_sim *sim, bri_findings *seen, bri_error *err) {
    *seen = (bri_findings){.residual = NAN, .regained = NAN, .astray = NAN};
    seen->unseen = sim->unseen;
    if (!sim->energies) return BRI_OK;
    bri_energies e = bri_sim_energies(sim);
    seen->turned = sim->turned;
    seen->residual = sim->turned > 0.0 ? fabs(e.residual) / sim->turned : 0.0;
    seen->regained = sim->heated > 0.0 ? sim->regained / sim->heated : 0.0;
    seen->astray = sim->turned > 0.0 ? sim->astray / sim->turned : 0.0;
    double limit = sim->solver->fixed_step
                       ? RESIDUAL_MOST
                       : fmin(fmax(RESIDUAL, RESIDUAL_PER_RTOL * sim->rtol), RESIDUAL_MOST);
    int lost = !(seen->residual <= limit);
    int driven = sim->regained > REGAINED * sim->heated && sim->regained > limit * sim->turned &&
                 !may_drive(sim->net);
    int astray = seen->astray > limit;
    if (!lost && !driven && !astray && sim->unseen == 0) return BRI_OK;
    if (!isfinite(seen->residual))
        return bri_fail(err, BRI_DOUBTFUL,
                        "the energies are not finite: the result is not to be trusted");
    if (lost)
        return bri_fail(err, BRI_DOUBTFUL,
                        "the energies miss each other by %.2g of the energy turned over, more than "
                        "%.2g: the result is not to be trusted; %s",
                        seen->residual, limit,
                        sim->solver->fixed_step ? "take a smaller step or an adaptive solver"
                                                : "try a smaller rtol or another solver");
    if (astray)
        return bri_fail(err, BRI_DOUBTFUL,
                        "contacts have turned unseen: %.2g of the energy turned over was computed "
                        "for the wrong direction; the result is not to be trusted, try a smaller "
                        "rtol, a largest step or another solver",
                        seen->astray);
    if (!driven)
        return bri_fail(err, BRI_DOUBTFUL,
                        "%ld steps may have passed over a turn or a peak of friction although they "
                        "were made again; the result is not to be trusted, try a largest step",
                        sim->unseen);
    return bri_fail(
        err, BRI_DOUBTFUL,
        "friction has driven: %.2g of the heat came back as motion, more than bristles "
        "can give; the result is not to be trusted, try a smaller rtol or another solver",
        seen->regained);
}
