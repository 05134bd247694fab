/* compare.c - judging a rig with the referee, running it in the library, comparing the two. */
#include "compare.h"

#include <math.h>
#include <string.h>

enum { MAX_EVALS = 2000000 };

/* What the condition of a rig is measured by: a change of its parameters, and of the velocities on
 * the way. The second sees what the first cannot: a motion along an equilibrium that has lost its
 * stability, which any error on the way drives off it. */
static const double CHANGE = 1e-9;

static double span(double column[REF_ROWS + 1][REF_BODIES], int body) {
    double lo = INFINITY, hi = -INFINITY;
    for (int row = 0; row <= REF_ROWS; row++)
        lo = fmin(lo, column[row][body]), hi = fmax(hi, column[row][body]);
    return hi - lo;
}

void ref_find_ranges(const ref_rig *r, ref_verdict *v) {
    double way = 1e-6 * r->length, speed = 1e-6 * r->speed;
    for (int i = 0; i < r->n_bodies; i++) {
        v->range[0][i] = span(v->result.x, i);
        v->range[1][i] = span(v->result.v, i);
        way = fmax(way, v->range[0][i]);
        for (int row = 0; row <= REF_ROWS; row++) speed = fmax(speed, fabs(v->result.v[row][i]));
    }
    for (int i = 0; i < r->n_bodies; i++) {
        v->range[0][i] = fmax(v->range[0][i], 0.01 * way);
        v->range[1][i] = fmax(v->range[1][i], 0.25 * speed);
    }
}

double ref_error(const ref_rig *r, const ref_verdict *v, const ref_result *result,
                 double (*column_error)[REF_BODIES]) {
    double worst = 0.0;
    for (int i = 0; i < r->n_bodies; i++) {
        double e[2] = {0.0, 0.0};
        if (r->body[i].motion != REF_FREE) continue; /* at a jump either side would be right */
        for (int row = 0; row <= REF_ROWS; row++) {
            e[0] = fmax(e[0], fabs(result->x[row][i] - v->result.x[row][i]) / v->range[0][i]);
            e[1] = fmax(e[1], fabs(result->v[row][i] - v->result.v[row][i]) / v->range[1][i]);
        }
        if (column_error) column_error[0][i] = e[0], column_error[1][i] = e[1];
        worst = fmax(worst, fmax(e[0], e[1]));
    }
    return worst;
}

/* The same rig with masses, stiffnesses and levels changed by about `by`. */
static ref_rig changed(const ref_rig *r, double by) {
    ref_rig c = *r;
    for (int i = 0; i < c.n_bodies; i++) c.body[i].mass *= 1.0 + by * (i % 2 ? -0.7 : 1.0);
    for (int i = 0; i < c.n_couplings; i++)
        c.coupling[i].stiffness *= 1.0 - by * (i % 2 ? -0.6 : 0.8);
    for (int i = 0; i < c.n_contacts; i++) {
        double f = 1.0 + by * (i % 2 ? -0.5 : 0.9);
        c.contact[i].p[REF_FC] *= f, c.contact[i].p[REF_FS] *= f;
    }
    return c;
}

void ref_judge(const ref_rig *r, ref_verdict *v) {
    ref_result *other = &(ref_result){.status = REF_OK};
    memset(v, 0, sizeof *v);
    ref_solve(r, 1e-12, 0.0, MAX_EVALS, &v->result);
    v->status = v->result.status;
    if (v->status != REF_OK) return;
    ref_find_ranges(r, v);
    ref_solve(r, 1e-10, 0.0, MAX_EVALS, other);
    v->status = other->status;
    if (v->status != REF_OK) return;
    v->agreement = ref_error(r, v, other, NULL);
    ref_rig near = changed(r, CHANGE);
    ref_solve(&near, 1e-12, CHANGE, MAX_EVALS, other);
    v->condition = other->status == REF_OK ? ref_error(r, v, other, NULL) / CHANGE : INFINITY;
}

ref_count ref_counts(const ref_verdict *v) {
    if (v->result.open) return REF_OPEN;
    if (v->status == REF_DEAR) return REF_TOO_DEAR;
    if (v->status != REF_OK) return REF_UNSURE;
    if (!(v->condition <= 1000.0)) return REF_CHAOTIC;
    return v->agreement <= 1e-6 ? REF_COUNTED : REF_UNSURE;
}

static void rows(const ref_rig *r, bri_sim *sim, ref_run *out) {
    for (int row = 0; row <= REF_ROWS && out->status == BRI_OK; row++) {
        out->status = bri_sim_advance(sim, ref_row_time(r, row), &out->err);
        for (int i = 0; i < r->n_bodies; i++) {
            bri_body_now b = bri_sim_body(sim, i);
            out->result.x[row][i] = b.x, out->result.v[row][i] = b.v;
        }
    }
    bri_error why;
    out->steps = bri_sim_stats(sim).steps;
    out->doubted = bri_sim_verdict(sim, &out->seen, &why) != BRI_OK;
}

void ref_run_library(const ref_rig *r, const char *text, const char *solver, double rtol,
                     double max_step, ref_run *out) {
    bri_scenario *scenario;
    bri_messages messages;
    bri_sim *sim;
    memset(out, 0, sizeof *out);
    out->status = bri_scenario_parse(text, strlen(text), "rig", NULL, &scenario, &messages);
    if (out->status != BRI_OK) {
        out->err = messages.message[0];
        return;
    }
    bri_sim_def def = *bri_scenario_def(scenario);
    def.solver = bri_solver_find(solver);
    def.rtol = rtol;
    def.max_step = max_step;
    def.max_steps = 3000000;
    out->status = bri_sim_create(&def, &sim, &out->err);
    out->refused = out->status != BRI_OK;
    if (out->status == BRI_OK) rows(r, sim, out);
    bri_sim_free(sim);
    bri_scenario_free(scenario);
}
