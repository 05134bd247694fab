/* system.c - the equations of motion on one smooth piece. */
#include "system.h"

#include <math.h>
#include <string.h>

int ref_sign_of_contact(int c) { return c * REF_CONTACT_SIGNS; }

int ref_sign_of_coupling(int j) { return REF_CONTACTS * REF_CONTACT_SIGNS + j * REF_ROPE_SIGNS; }

/* Grains: velocities and lengths 1e-13 of their nominal size, other switches are ratios. That of
 * elasto_plastic |z| = z_max is approached for ever in sliding and flat there: 1e-9 is harmless. */
static void set_grains(ref_system *s) {
    const ref_rig *r = s->r;
    for (int c = 0; c < r->n_contacts; c++) {
        double *grain = &s->grain[ref_sign_of_contact(c)];
        int plastic =
            ref_laws[r->contact[c].law].force == ref_laws[ref_law_find("elasto_plastic")].force;
        grain[0] = 1e-13 * ref_signal_peak(&r->contact[c].load);
        grain[1] = 1e-13 * r->speed;
        for (int i = 2; i < REF_CONTACT_SIGNS; i++) grain[i] = plastic ? 1e-9 : 1e-11;
    }
    for (int j = 0; j < r->n_couplings; j++) {
        double *grain = &s->grain[ref_sign_of_coupling(j)];
        grain[0] = 1e-13 * r->length;
        grain[1] = grain[2] = 1e-13 * r->length * r->coupling[j].stiffness;
    }
}

void ref_system_begin(ref_system *s, const ref_rig *r, double *y) {
    memset(s, 0, sizeof *s);
    s->r = r;
    s->piece = r->start;
    s->pinned = -1;
    for (int i = 0; i < r->n_bodies; i++) {
        const ref_body *b = &r->body[i];
        double out[4];
        ref_signal_eval(&b->signal, r->start, r->start, out);
        s->origin[i] = out[0];
        s->at[i] = b->motion == REF_FREE ? s->n : -1;
        if (b->motion != REF_FREE) continue;
        s->size[s->n] = r->length, y[s->n++] = b->x;
        s->size[s->n] = r->speed, y[s->n++] = b->v;
    }
    for (int c = 0; c < r->n_contacts; c++) {
        const ref_contact *k = &r->contact[c];
        const ref_law *law = &ref_laws[k->law];
        double peak = k->loaded ? ref_signal_peak(&k->load) : 1.0;
        s->state[c] = s->n;
        s->peak[c] = peak;
        s->bare[c] = law->n_states && k->load.wave != REF_FLAT ? 1e-7 * peak : 0.0;
        if (law->nominal) law->nominal(k->p, peak, &s->size[s->n]);
        for (int i = 0; i < law->n_states; i++) y[s->n++] = 0.0;
        if (law->force == ref_laws[ref_law_find("gonthier")].force) y[s->n - 1] = 1.0;
    }
    set_grains(s);
}

static void place_bodies(ref_system *s, double t, const double *y) {
    for (int i = 0; i < s->r->n_bodies; i++) {
        const ref_body *b = &s->r->body[i];
        ref_body_now *now = &s->body[i];
        now->force = 0.0;
        if (b->motion == REF_FREE) {
            now->x = y[s->at[i]], now->v = y[s->at[i] + 1];
            continue;
        }
        double out[4];
        ref_signal_eval(&b->signal, t, s->piece, out);
        int d = b->motion == REF_VELOCITY ? 0 : 1;
        now->x = d ? out[1] : b->x + out[0] - s->origin[i];
        now->v = out[1 + d], now->a = out[2 + d];
    }
}

/* A force that pulls a towards b and b towards a. */
static void pull(ref_system *s, int a, int b, double f) {
    if (a >= 0) s->body[a].force += f;
    if (b >= 0) s->body[b].force -= f;
}

/* Rope: tension k e with e the stretch, damping at most as large as that, none when slack. */
static double rope_tension(const ref_coupling *c, double stretch, double rate, const int *sign) {
    double elastic = c->stiffness * stretch;
    if (sign[0] < 0) return 0.0;
    if (sign[1] < 0) return 2.0 * elastic;
    if (sign[2] < 0) return 0.0;
    return elastic + c->damping * rate;
}

static void couple(ref_system *s) {
    for (int j = 0; j < s->r->n_couplings; j++) {
        const ref_coupling *c = &s->r->coupling[j];
        ref_body_now ground = {0}, *a = c->a < 0 ? &ground : &s->body[c->a];
        ref_body_now *b = c->b < 0 ? &ground : &s->body[c->b];
        int side = c->kind == REF_ROPE && b->x < a->x ? -1 : 1; /* a rope's length is a distance */
        double stretch = side * (b->x - a->x) - c->length, rate = side * (b->v - a->v);
        s->length[j] = stretch, s->rate[j] = rate;
        double f = c->stiffness * stretch + c->damping * rate;
        if (c->kind == REF_ROPE)
            f = rope_tension(c, stretch, rate, &s->sign[ref_sign_of_coupling(j)]);
        if (c->kind == REF_SPRING) f = c->stiffness * stretch;
        if (c->kind == REF_DAMPER) f = c->damping * rate;
        pull(s, c->a, c->b, side * f);
    }
}

int ref_contact_in_air(const ref_system *s, int c) {
    return s->r->contact[c].loaded && s->sign[ref_sign_of_contact(c)] < 0;
}

static void rub(ref_system *s, double t, const double *y, double *dy) {
    for (int c = 0; c < s->r->n_contacts; c++) {
        const ref_contact *k = &s->r->contact[c];
        const ref_law *law = &ref_laws[k->law];
        ref_contact_now *now = &s->contact[c];
        double out[4] = {0.0, 1.0};
        if (k->loaded) ref_signal_eval(&k->load, t, s->piece, out);
        now->load = out[1];
        now->N = fmax(out[1], 1e-9 * s->peak[c]);
        now->v = (k->a < 0 ? 0.0 : s->body[k->a].v) - (k->b < 0 ? 0.0 : s->body[k->b].v);
        now->F = 0.0;
        for (int i = 0; i < law->n_states; i++) dy[s->state[c] + i] = 0.0;
        if (ref_contact_in_air(s, c) || s->stuck[c]) continue;
        ref_view u = {k->p, now->v, now->N, &y[s->state[c]], &s->sign[ref_sign_of_contact(c) + 1]};
        now->F = c == s->pinned ? s->pin : law->force(&u, &dy[s->state[c]]);
        pull(s, k->a, k->b, -now->F);
    }
}

static double inverse_mass(const ref_system *s, int body) {
    return body < 0 || s->at[body] < 0 ? 0.0 : 1.0 / s->r->body[body].mass;
}

/* Solve A f = b by elimination with pivots, n <= REF_CONTACTS; NAN in f if A is singular. */
static void eliminate(double A[REF_CONTACTS][REF_CONTACTS], double *b, int n) {
    for (int i = 0; i < n; i++) {
        int best = i;
        for (int j = i + 1; j < n; j++)
            if (fabs(A[j][i]) > fabs(A[best][i])) best = j;
        for (int k = 0; k < n; k++) {
            double swap = A[i][k];
            A[i][k] = A[best][k], A[best][k] = swap;
        }
        double swap = b[i];
        b[i] = b[best], b[best] = swap;
        for (int j = i + 1; j < n; j++) {
            double f = A[j][i] / A[i][i];
            for (int k = i; k < n; k++) A[j][k] -= f * A[i][k];
            b[j] -= f * b[i];
        }
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++) b[i] -= A[i][k] * b[k];
        b[i] /= A[i][i];
    }
}

/* What the forces of the stuck contacts do to their relative accelerations. */
static int stuck_matrix(const ref_system *s, int *list, double A[REF_CONTACTS][REF_CONTACTS]) {
    int n = 0;
    for (int c = 0; c < s->r->n_contacts; c++)
        if (s->stuck[c]) list[n++] = c;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            const ref_contact *p = &s->r->contact[list[i]], *q = &s->r->contact[list[j]];
            double ma = inverse_mass(s, p->a), mb = inverse_mass(s, p->b);
            A[i][j] =
                ma * ((p->a == q->a) - (p->a == q->b)) - mb * ((p->b == q->a) - (p->b == q->b));
        }
    return n;
}

static double acceleration(const ref_system *s, int body) {
    return body < 0 ? 0.0 : s->body[body].a;
}

static void accelerate(ref_system *s) {
    for (int i = 0; i < s->r->n_bodies; i++)
        if (s->at[i] >= 0) s->body[i].a = s->body[i].force / s->r->body[i].mass;
}

/* The forces of stuck contacts are those that keep their bodies together. */
static void hold(ref_system *s) {
    double A[REF_CONTACTS][REF_CONTACTS], f[REF_CONTACTS];
    int list[REF_CONTACTS], n = stuck_matrix(s, list, A);
    accelerate(s);
    if (!n) return;
    for (int i = 0; i < n; i++) {
        const ref_contact *k = &s->r->contact[list[i]];
        f[i] = acceleration(s, k->a) - acceleration(s, k->b);
    }
    eliminate(A, f, n);
    for (int i = 0; i < n; i++) {
        const ref_contact *k = &s->r->contact[list[i]];
        s->contact[list[i]].F = f[i];
        pull(s, k->a, k->b, -f[i]);
    }
    accelerate(s);
}

void ref_system_rates(ref_system *s, double t, const double *y, double *dy) {
    s->evals++;
    place_bodies(s, t, y);
    couple(s);
    for (int d = 0; d < s->r->n_drives; d++) {
        double out[4];
        ref_signal_eval(&s->r->drive[d].force, t, s->piece, out);
        s->body[s->r->drive[d].body].force += out[1];
    }
    rub(s, t, y, dy);
    hold(s);
    for (int i = 0; i < s->r->n_bodies; i++)
        if (s->at[i] >= 0) dy[s->at[i]] = s->body[i].v, dy[s->at[i] + 1] = s->body[i].a;
    for (int c = 0; c < s->r->n_contacts; c++) {
        const ref_contact *k = &s->r->contact[c];
        s->contact[c].a = acceleration(s, k->a) - acceleration(s, k->b);
    }
}

void ref_system_project(ref_system *s, double t, double *y) {
    double A[REF_CONTACTS][REF_CONTACTS], f[REF_CONTACTS];
    int list[REF_CONTACTS], n = stuck_matrix(s, list, A);
    if (!n) return;
    place_bodies(s, t, y);
    for (int i = 0; i < n; i++) {
        const ref_contact *k = &s->r->contact[list[i]];
        f[i] = (k->a < 0 ? 0.0 : s->body[k->a].v) - (k->b < 0 ? 0.0 : s->body[k->b].v);
    }
    eliminate(A, f, n);
    for (int i = 0; i < n; i++) {
        const ref_contact *k = &s->r->contact[list[i]];
        double ma = inverse_mass(s, k->a), mb = inverse_mass(s, k->b);
        if (ma > 0.0) y[s->at[k->a] + 1] -= ma * f[i];
        if (mb > 0.0) y[s->at[k->b] + 1] += mb * f[i];
    }
}
