/* step.c - one step after another: kinks, events, energies. */
#include "advance.h"
#include "sim.h"
#include "tangent.h"
#include "text.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <string.h>

/* "; mu_s must be >= mu_c, but mu_s = 0.5, mu_c = 0.7": of a contact whose parameters have gone
 * where its law refuses them. Else "". */
static const char *broken_rule(const bri_sim *sim, int contact, char *to, size_t size) {
    const touch *c = contact >= 0 ? &sim->net->touches[contact] : NULL;
    const char *rule = c && c->model->check ? c->model->check(c->model, c->p) : NULL;
    int used = 0;
    to[0] = '\0';
    if (!rule) return to;
    used = text_format(to, size, "; %s, but", rule);
    for (int k = 0, any = 0; k < c->model->n_params && used < (int)size; k++)
        if (c->model->params[k].role == BRI_ROLE_STATIC_LEVEL ||
            c->model->params[k].role == BRI_ROLE_LEVEL)
            used += text_format(to + used, size - (size_t)used, "%s %s = %.6g", any++ ? "," : "",
                                c->model->params[k].name, c->p[k]);
    return to;
}

static bri_status give_up(const bri_sim *sim, int contact, bri_error *err, const char *why) {
    char rule[120];
    int as_printed = 0; /* somewhere: the one to blame may be its neighbour */
    for (int i = 0; contact >= 0 && i < sim->net->n_touches; i++)
        as_printed |= sim->net->touches[i].reading;
    return bri_fail(err, BRI_NO_PROGRESS, "%s%s%s at t = %.9g s%s%s",
                    contact >= 0 ? sim->names[contact] : "", contact >= 0 ? ": " : "", why,
                    sim->s->t, broken_rule(sim, contact, rule, sizeof rule),
                    as_printed ? "; Karnopp's law as printed may have no answer where several "
                                 "contacts act on a body: take as_printed = 0, which always has "
                                 "one, or the solver time_stepping"
                               : "");
}

static inline bri_status check_limit(const bri_sim *sim, long steps, bri_error *err) {
    if (sim->max_steps == 0 || steps < sim->max_steps || !(sim->s->t < sim->t_end)) return BRI_OK;
    return give_up(sim, -1, err, "the step limit is reached");
}

/* Say which unknown stood in the way. */
static bri_status blame(const bri_sim *sim, bri_status status, bri_error *err) {
    const network *net = sim->net;
    int unknown = sim->s->worst - 2 * net->n_free;
    if (status != BRI_NO_PROGRESS || !err) return status;
    for (int i = 0; i < net->n_touches; i++) {
        const touch *c = &net->touches[i];
        if (unknown < c->first || unknown >= c->first + c->count) continue;
        char text[sizeof err->text];
        memcpy(text, err->text, sizeof text);
        return bri_fail(err, status, "%s: state %s: %.300s", sim->names[i],
                        c->model->states[unknown - c->first].name, text);
    }
    return status;
}

/* Pass the kink that has been reached, at the state y. Where a prescribed position jumps, its
 * holder does the work by which the energy of the couplings changes. */
static void pass_kink(bri_sim *sim, const double *y) {
    network *net = sim->net;
    int placed = 0;
    for (int i = 0; i < net->n_motions; i++) placed |= net->motions[i].order == 0;
    double before = placed ? network_strain(net, sim->s->t, y) : 0.0;
    sim->s->pace = net->pace;
    sim->kink = network_kink(net, sim->s->t);
    sim->ahead = -INFINITY;
    sim->course_t = NAN;
    net->latest = nextafter(sim->kink, -INFINITY);
    sim->jump_work = placed ? network_strain(net, sim->s->t, y) - before : 0.0;
    sim->work += sim->jump_work;
}

/* Nonzero if nothing has happened within the step. Where contacts stick exactly more is to be
 * looked at than the ends. */
static int is_quiet(const bri_sim *sim) {
    if (sim->net->set_valued) return 0;
    for (int k = 0; k < sim->n_events; k++)
        if (!(sim->g_end[k] > 0.0)) return 0;
    return 1;
}

/* Times that a step is made again to end where it should, and of these those that aim at the place:
 * where another course is found each time, halves come to an end. */
enum { MOST_AGAIN = 24, MOST_AIMED = 8 };

/* A step of the solver to `end` at most, and the event functions there. */
static inline __attribute__((always_inline)) bri_status try_step(bri_sim *sim, double end,
                                                                 int phase, bri_error *err) {
    stepper *s = sim->s;
    if (sim->looks && !sim->one_turn) end = fmin(end, sim_foreseen_end(sim));
    if (sim->cornered && s->t == sim->corner_at) end = fmin(end, s->t + 2.0 * sim->corner_width);
    for (int again = 0;; again++) {
        bri_status status = sim->solver->step(s, end, err);
        if (status != BRI_OK) return blame(sim, status, err);
        if (phase) {
            sim->v_to[0] = single_sliding(sim->net, s->y);
        } else if (sim->one_turn) {
            sim->g_end[0] = sim_one_turn(sim, s->y);
            sim->v_to[0] = single_sliding(sim->net, s->y);
        } else {
            sim_event_functions(sim, s->t, s->y, sim->g_end);
            if (sim->looks) {
                if (!sim_is_watched(sim)) network_place(sim->net, s->t, s->y);
                sim_slidings(sim, sim->v_to);
            }
        }
        if (!sim->looks) return BRI_OK;
        double earlier = sim_better_end(sim);
        if (isinf(earlier) && sim->cornered && again < MOST_AGAIN) earlier = sim_corner_end(sim);
        if (isinf(earlier)) return BRI_OK;
        if (again == MOST_AGAIN) {
            sim->unseen++;
            return BRI_OK;
        }
        double half = 0.5 * (s->t_prev + s->t);
        sim->solver->undo(s);
        end = again < MOST_AIMED ? earlier : fmin(earlier, half);
    }
}

bri_status sim_try_phase(bri_sim *sim, double end, bri_error *err) {
    return try_step(sim, end, 1, err);
}

/* Places within a step are known to a rounding of the time: a step of fewer roundings is not looked
 * at. */
static const double ROUNDED = 1000.0;

static int is_long(const bri_sim *sim, double h) {
    return h > 1e-15 * sim->span + ROUNDED * DBL_EPSILON * fabs(sim->s->t);
}

/* Decisions at one instant after which a contact that comes back at once is held. */
enum { OFTEN = 6 };

/* A step that ends before `stop`, made again until every contact has the mode that it shows; `made`
 * if a first one has been tried. */
static bri_status make_step(bri_sim *sim, double stop, int made, bri_error *err) {
    network *net = sim->net;
    stepper *s = sim->s;
    int most = 8 + 4 * net->n_touches;
    for (int attempt = 0;; made = 0) {
        double end = net->set_valued ? fmin(stop, s->t + sim->stride) : stop;
        if (!(end > s->t)) end = nextafter(s->t, INFINITY);
        bri_status status = made ? BRI_OK : try_step(sim, end, 0, err);
        if (status != BRI_OK) return status;
        if (is_quiet(sim)) return BRI_OK;
        int late = -1, torn = -1;
        double taken = s->t - s->t_prev, later = 0.0;
        if (net->set_valued) {
            if (!sim_sample(sim, &torn) && is_long(sim, taken)) {
                sim->solver->undo(s);
                sim->stride = 0.35 * taken;
                continue;
            }
            late = sim_late_event(sim);
            /* Positive soon after the start, or again at the end: the step is too long to tell. */
            int unclear = late >= 0 && (sim->g_end[late] > 0.0 || !isinf(sim_brief(sim, late)));
            if (unclear && is_long(sim, taken)) {
                sim->solver->undo(s);
                sim->stride = 0.05 * taken;
                continue;
            }
            later = torn > 0 ? sim_time_of(s, torn) : 0.0;
        }
        if (sim->stride <= taken * 1.01) sim->stride = 2.0 * taken;
        int wrong = attempt < 4 && sim_wrong_way(sim);
        if (late < 0 && torn < 0 && !wrong) return BRI_OK;
        if (++attempt > most && late < 0) return BRI_OK;
        if (attempt > most) {
            sim->solver->undo(s);
            return give_up(sim, sim_contact_of(sim, late), err,
                           "cannot be decided whether it sticks or slides");
        }
        sim->solver->undo(s);
        if (late >= 0) {
            network_place(net, s->t, s->y);
            status =
                attempt > OFTEN && sim_hold_back(sim, late) ? BRI_OK : sim_happen(sim, late, err);
            if (status != BRI_OK) return status;
        } else if (torn > 0) {
            stick_loss loss = {0};
            sim_keep_forces(sim);
            stick_tear(net, s->t, later, s->y, &loss);
            sim_report_changes(sim);
        }
        for (int i = 0; i < net->n_touches; i++) sim->modes[i] = sim_mode_of(&net->touches[i]);
        network_place(net, s->t, s->y);
        sim_event_functions(sim, s->t, s->y, sim->g);
    }
}

/* Most steps go on where the last one ended, and nothing happens: BRI_OK, and sim->continues. Else
 * one_step() goes on with what has been made. */
static inline __attribute__((always_inline)) bri_status go_on(bri_sim *sim, double stop,
                                                              bri_error *err) {
    sim->continues = 0;
    bri_status status = try_step(sim, stop, 0, err);
    if (status != BRI_OK || !is_quiet(sim) || sim->s->t >= sim->kink || sim_met_event(sim) >= 0)
        return status;
    sim_add_energies(sim, 0);
    if (sim->tangent) tangent_carry(sim);
    network_reach(sim->net, sim->s->y);
    sim->burst = 0;
    sim->continues = 1;
    return BRI_OK;
}

static void swap(double **a, double **b) {
    double *room = *a;
    *a = *b;
    *b = room;
}

/* A step that is ended where something happens has other stages than the one in which that was
 * found, some of them where friction rises towards rest: it may not be within the tolerance. */
enum { MOST_ROUGH = 24 };

int sim_is_rough(const bri_sim *sim, int again) {
    const stepper *s = sim->s;
    return s->cut_error > 1.0 && again < MOST_ROUGH && s->t - s->t_prev > 1e-12 * sim->span;
}

/* What begins to slide with next to no force to spare may seem to come to rest at once, where it is
 * the course over a long step that does not know better: a few times the step is made shorter. */
enum { MOST_AT_ONCE = 4 };

static int is_at_once(const bri_sim *sim, double when, int again) {
    const stepper *s = sim->s;
    return sim->net->set_valued && again < MOST_AT_ONCE && is_long(sim, s->t - s->t_prev) &&
           !is_long(sim, when - s->t_prev);
}

/* A step up to the first that happens in it: *event, or -1; with sim->continues it is done with. */
static inline __attribute__((always_inline)) bri_status
step_to_event(bri_sim *sim, double stop, int *event, int *watched, bri_error *err) {
    network *net = sim->net;
    stepper *s = sim->s;
    int made = sim->continues && !sim->undirected;
    double when;
    if (sim->continues) { /* what was the end is the start */
        swap(&sim->g, &sim->g_end);
        swap(&sim->v_from, &sim->v_to);
    } else if (sim->looks) {
        network_place(net, s->t, s->y);
        sim_slidings(sim, sim->v_from);
    }
    if (made) {
        bri_status status = go_on(sim, stop, err);
        if (status != BRI_OK || sim->continues) return status;
    } else {
        sim_start_functions(sim);
        sim->continues = 0;
    }
    for (int again = 0;; again++, made = 0) {
        bri_status status = make_step(sim, stop, made, err);
        if (status != BRI_OK) return status;
        *watched = sim_is_watched(sim) && !is_quiet(sim);
        for (int i = 0; *watched && i < net->n_touches; i++)
            sim->modes[i] = sim_mode_of(&net->touches[i]);
        *event = *watched ? sim_first_event(sim, &when) : sim_met_event(sim);
        if (!*watched || *event < 0 || !(when < s->t)) return BRI_OK;
        if (is_at_once(sim, when, again)) {
            sim->stride = 0.05 * (s->t - s->t_prev);
        } else {
            status = sim->solver->cut(s, when, err);
            if (status == BRI_OK && !sim_is_rough(sim, again))
                status = sim_sharpen(sim, *event, err);
            if (status != BRI_OK) return blame(sim, status, err);
            if (!sim_is_rough(sim, again)) return BRI_OK;
            sim->stride = sim_shorter(s);
        }
        sim->solver->undo(s);
        network_place(net, s->t, s->y);
        sim_event_functions(sim, s->t, s->y, sim->g);
    }
}

/* One step of the solver, ended early where something happens. */
static bri_status one_step(bri_sim *sim, bri_error *err) {
    network *net = sim->net;
    stepper *s = sim->s;
    bri_status status;
    double stop = sim->kink < sim->t_end ? sim->kink : sim->t_end;
    int event = -1, watched = 1;
    sim->follows = sim->continues;
    sim->jumped = sim->arc.on = 0;
    if (!(s->t < sim->ahead)) sim_look_ahead(sim);
    if (net->n_formulas > 0) s->longest = fmin(sim->pace, sim_function_pace(sim));
    if (!sim->phases || !sim_phase_step(sim, stop, &event, &status, err))
        status = step_to_event(sim, stop, &event, &watched, err);
    if (status != BRI_OK) return status;
    if (sim->continues) return check_limit(sim, s->steps + s->rejected, err);
    if (net->set_valued && !(sim->phases && event < 0 && !net->any_stuck)) {
        network_place(net, s->t, s->y);
        network_place_idle(net, s->t);
        stick_follow(net, s->y);
        memcpy(sim->offset, net->offset, sizeof *sim->offset * (size_t)net->n_free);
    }
    sim_add_energies(sim, watched && event >= 0);
    if (sim->tangent) tangent_carry(sim);
    network_reach(net, s->y);
    if (s->t > s->t_prev) sim->burst = 0;
    sim->jumped = event >= 0 || s->t >= sim->kink;
    if (sim->jumped) memcpy(sim->y_end, s->y, sizeof *s->y * (size_t)net->n);
    if (event >= 0) {
        if (sim->tangent) tangent_before(sim, event);
        if ((status = sim_happen(sim, event, err)) != BRI_OK) return status;
        if (sim->tangent) tangent_after(sim, event);
    }
    if (s->t >= sim->kink) {
        if (sim->tangent) tangent_before(sim, -1);
        sim_event_functions(sim, s->t, s->y, sim->g_end);
        sim_keep_forces(sim);
        pass_kink(sim, s->y);
        network_kick(net, s->t, s->y);
        network_set_sides(net, s->t, s->y);
        sim_freeze(sim, s->t, s->y);
        sim_report_changes(sim);
        if (sim->tangent) tangent_after(sim, -1);
    }
    sim->continues = !sim->jumped && !net->set_valued;
    if (sim->jumped && (status = sim->solver->restart(s, err)) != BRI_OK) return status;
    if (sim->restless >= 0)
        return give_up(sim, sim->restless, err,
                       "stick and slip are decided more than 2000 times in a millionth of the run");
    if (sim->burst > 10000)
        return give_up(sim, sim_contact_of(sim, event), err, "too many events without progress");
    return check_limit(sim, s->steps + s->rejected, err);
}

/* One step of a solver that leaps: nothing happens between its ends. */
static bri_status one_leap(bri_sim *sim, bri_error *err) {
    stepper *s = sim->s;
    bri_status status = sim->solver->step(s, fmin(sim->kink, sim->t_end), err);
    if (status != BRI_OK) return status;
    sim->heat_prev = sim->heat;
    sim->work_prev = sim->work;
    sim->jump_work = 0.0;
    if (sim->energies) {
        double heat, work;
        stepping_energy(sim->net->stepping, &heat, &work);
        sim->heat += heat;
        sim->work += work;
        sim_watch(sim, sim->net->stepping->y); /* in the middle of the step */
    }
    if (s->t >= sim->kink) {
        sim->solver->interpolate(s, s->t, sim->y);
        pass_kink(sim, sim->y);
    }
    return check_limit(sim, s->steps, err);
}

/* Whether the present state, and what is made of its squares, is within the range of doubles. */
static int in_range(const bri_sim *sim) {
    const double most = 1e100;
    for (int i = 0; i < sim->net->n; i++)
        if (!(fabs(sim->y[i]) <= most)) return 0;
    return isfinite(sim->heat) && isfinite(sim->work);
}

bri_status sim_advance_some(bri_sim *sim, double t, long steps, bri_error *err) {
    bri_status status = BRI_OK;
    if (!(t >= sim->t) || t > sim->t_end)
        return bri_fail(err, BRI_BAD_VALUE,
                        "t = %g s lies outside the rest of the run, %g ... %g s", t, sim->t,
                        sim->t_end);
    if (sim->stale && (status = sim_renew(sim, err)) != BRI_OK) return status;
    stepper *s = sim->s;
    sim->shown = 0;
    sim->begun |= t > sim->t;
    long made = s->t > sim->t; /* the present step is the first */
    for (; status == BRI_OK && s->t < t && made < steps; made++)
        status = sim->solver->leaps ? one_leap(sim, err) : one_step(sim, err);
    sim->t = status == BRI_OK ? fmin(t, s->t) : s->t;
    sim_interpolate(sim, sim->t, sim->y);
    if (status != BRI_OK || in_range(sim)) return status;
    return bri_fail(err, BRI_NO_PROGRESS, "the solution is no longer finite at t = %.9g s%s",
                    sim->t, sim->solver->fixed_step ? ": the fixed step is too large" : "");
}

bri_status bri_sim_advance(bri_sim *sim, double t, bri_error *err) {
    return sim_advance_some(sim, t, LONG_MAX, err);
}

bri_status bri_sim_step(bri_sim *sim, double t, bri_error *err) {
    return sim_advance_some(sim, t, 1, err);
}
