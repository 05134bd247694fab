/* modes.c - which smooth piece holds: signs of switch functions, stick and slip. */
#include "system.h"

#include <math.h>

static void contact_switches(const ref_system *s, int c, const double *y, double *g) {
    const ref_contact *k = &s->r->contact[c];
    const ref_law *law = &ref_laws[k->law];
    const ref_contact_now *now = &s->contact[c];
    for (int i = 0; i < REF_CONTACT_SIGNS; i++) g[i] = NAN;
    if (k->loaded && k->load.wave != REF_FLAT) g[0] = now->load - s->bare[c];
    if (ref_contact_in_air(s, c)) return;
    if (s->stuck[c]) {
        g[2] = 1.0 - fabs(now->F) / ref_law_static_level(k, now->N);
        return;
    }
    if (law->n_switches) g[1] = now->v;
    const int *sign = &s->sign[ref_sign_of_contact(c) + 1];
    ref_view u = {k->p, now->v, now->N, &y[s->state[c]], sign};
    if (law->switches) law->switches(&u, &g[1]);
}

void ref_system_switches(const ref_system *s, const double *y, double *g) {
    for (int i = 0; i < REF_SIGNS; i++) g[i] = NAN;
    for (int c = 0; c < s->r->n_contacts; c++)
        contact_switches(s, c, y, &g[ref_sign_of_contact(c)]);
    for (int j = 0; j < s->r->n_couplings; j++) {
        const ref_coupling *k = &s->r->coupling[j];
        double *at = &g[ref_sign_of_coupling(j)];
        if (k->kind != REF_ROPE) continue;
        at[0] = s->length[j];
        if (s->sign[ref_sign_of_coupling(j)] < 0) continue;
        at[1] = k->stiffness * s->length[j] - k->damping * s->rate[j];
        at[2] = k->stiffness * s->length[j] + k->damping * s->rate[j];
    }
}

static int held(const ref_system *s, int i) {
    int c = i / REF_CONTACT_SIGNS;
    return c < s->r->n_contacts && s->stuck[c] && i % REF_CONTACT_SIGNS == 2;
}

/* Functions that begin to be watched take the sign that they have, others keep theirs; with `anew`
 * all take it, unless they are too small to say. */
static void take_signs(ref_system *s, double t, const double *y, int anew) {
    double g[REF_SIGNS], dy[REF_UNKNOWNS];
    for (int round = 0; round < 3; round++) { /* one switch may bring another into play */
        ref_system_rates(s, t, y, dy);
        ref_system_switches(s, y, g);
        for (int i = 0; i < REF_SIGNS; i++) {
            if (isnan(g[i]))
                s->sign[i] = 0;
            else if (held(s, i))
                s->sign[i] = 1; /* until its force has reached the level */
            else if (s->sign[i] == 0 || (anew && fabs(g[i]) > s->grain[i]))
                s->sign[i] = g[i] < 0.0 ? -1 : 1;
        }
    }
}

/* Whether the present choice holds: stuck forces within their levels, contacts that leave rest
 * leaving it in their direction. `leaving` has the direction, 0 for those that are not at rest. */
static int consistent(ref_system *s, double t, const double *y, const int *leaving, int forced) {
    double dy[REF_UNKNOWNS];
    ref_system_rates(s, t, y, dy);
    for (int c = 0; c < s->r->n_contacts; c++) {
        const ref_contact *k = &s->r->contact[c];
        double level = ref_law_static_level(k, s->contact[c].N);
        if (s->stuck[c] && !(fabs(s->contact[c].F) <= level * (1.0 + 1e-10))) return 0;
        if (!leaving[c]) continue;
        double mass = 0.0; /* inverse */
        if (k->a >= 0 && s->at[k->a] >= 0) mass += 1.0 / s->r->body[k->a].mass;
        if (k->b >= 0 && s->at[k->b] >= 0) mass += 1.0 / s->r->body[k->b].mass;
        double least = (c == forced ? -1e-6 : 1e-12) * level * mass;
        if (!(leaving[c] * s->contact[c].a >= least)) return 0;
    }
    return 1;
}

/* Decide all contacts at rest together: of the choices that hold, the one in which most stick.
 * forced: this contact has just reached its level and slides in the direction `way`. */
static ref_status decide(ref_system *s, double t, double *y, int forced, int way) {
    int list[REF_CONTACTS], n = 0, best = -1, most = -1, ties = 0, total = 1;
    for (int c = 0; c < s->r->n_contacts; c++)
        if (s->stuck[c]) list[n++] = c, total *= 3;
    for (int choice = 0; choice <= total; choice++) {
        int code = choice < total ? choice : best, sticks = 0, skip = 0;
        int leaving[REF_CONTACTS] = {0};
        if (code < 0) return REF_UNDECIDED;
        for (int i = 0, rest = code; i < n; i++, rest /= 3) {
            int c = list[i], mode = rest % 3;
            s->stuck[c] = mode == 0;
            sticks += mode == 0;
            leaving[c] = mode == 0 ? 0 : mode == 1 ? 1 : -1;
            s->sign[ref_sign_of_contact(c) + 1] = leaving[c];
            if (c == forced && leaving[c] != way) skip = 1;
        }
        if (choice == total) break;
        if (skip || sticks < most || !consistent(s, t, y, leaving, forced)) continue;
        ties = sticks == most ? ties + 1 : 0;
        most = sticks, best = code;
    }
    if (ties) { /* as many stick either way */
        s->open = 1;
        return REF_UNDECIDED;
    }
    ref_system_project(s, t, y);
    return REF_OK;
}

/* Whether the force falls at once from the static level when contact c leaves rest. */
static int drops(const ref_system *s, int c) {
    const ref_contact *k = &s->r->contact[c];
    const int sign[REF_SWITCHES] = {1, -1, -1, -1, -1};
    ref_view u = {k->p, 0.0, s->contact[c].N, NULL, sign};
    const ref_law *law = &ref_laws[k->law];
    return law->set_valued && law->force(&u, NULL) < 0.999 * ref_law_static_level(k, u.N);
}

/* Contact c has turned round without a rest, or has left rest with a jump of the forces. In that
 * instant its force has been anything up to the static level: if that would have set off another
 * contact whose force then falls at once, the laws leave open whether it has. */
static void look_for_open_choice(ref_system *s, double t, const double *y, int c) {
    double dy[REF_UNKNOWNS];
    if (s->stuck[c] || !drops(s, c)) return;
    s->pinned = c;
    for (int way = -1; way <= 1; way += 2) {
        s->pin = way * ref_law_static_level(&s->r->contact[c], s->contact[c].N);
        ref_system_rates(s, t, y, dy);
        for (int i = 0; i < s->r->n_contacts; i++)
            if (s->stuck[i] && drops(s, i) &&
                fabs(s->contact[i].F) > ref_law_static_level(&s->r->contact[i], s->contact[i].N))
                s->open = 1;
    }
    s->pinned = -1;
}

ref_status ref_system_settle(ref_system *s, double t, double *y) {
    double dy[REF_UNKNOWNS];
    int rests = 0;
    ref_system_rates(s, t, y, dy);
    for (int c = 0; c < s->r->n_contacts; c++) {
        const ref_contact *k = &s->r->contact[c];
        int *sign = &s->sign[ref_sign_of_contact(c)];
        int was_air = ref_contact_in_air(s, c);
        if (k->loaded) sign[0] = s->contact[c].load > s->bare[c] ? 1 : -1;
        if (ref_contact_in_air(s, c) && !was_air) s->lifted[c] = t;
        if (!ref_contact_in_air(s, c) && was_air && t > s->r->start)
            for (int i = 0; i < ref_laws[k->law].n_states; i++)
                y[s->state[c] + i] *= exp(-(t - s->lifted[c]) / ref_law_lift(k));
        if (!ref_laws[k->law].set_valued) continue;
        s->stuck[c] = !ref_contact_in_air(s, c) && fabs(s->contact[c].v) <= 1e-12 * s->r->speed;
        rests += s->stuck[c];
    }
    take_signs(s, t, y, 1);
    int rested[REF_CONTACTS] = {0};
    for (int c = 0; c < s->r->n_contacts; c++) rested[c] = s->stuck[c];
    ref_status status = rests ? decide(s, t, y, -1, 0) : REF_OK;
    for (int c = 0; c < s->r->n_contacts; c++)
        if (rested[c]) look_for_open_choice(s, t, y, c);
    take_signs(s, t, y, 0);
    return status;
}

/* The load of a contact comes or goes. */
static ref_status lift(ref_system *s, double t, double *y, int c) {
    const ref_contact *k = &s->r->contact[c];
    const ref_law *law = &ref_laws[k->law];
    int *sign = &s->sign[ref_sign_of_contact(c)], held = s->stuck[c];
    sign[0] = -sign[0];
    if (sign[0] < 0) {
        s->lifted[c] = t;
        s->stuck[c] = 0;
        if (!held) return REF_OK;
        for (int i = 0; i < s->r->n_contacts; i++)
            if (s->stuck[i]) return decide(s, t, y, -1, 0);
        return REF_OK;
    }
    for (int i = 0; i < law->n_states; i++)
        y[s->state[c] + i] *= exp(-(t - s->lifted[c]) / ref_law_lift(k));
    if (!law->set_valued || fabs(s->contact[c].v) > 1e-12 * s->r->speed) return REF_OK;
    s->stuck[c] = 1;
    return decide(s, t, y, -1, 0);
}

ref_status ref_system_event(ref_system *s, double t, double *y, int k) {
    double dy[REF_UNKNOWNS];
    ref_status status = REF_OK;
    ref_system_rates(s, t, y, dy);
    int c = k / REF_CONTACT_SIGNS, part = k % REF_CONTACT_SIGNS;
    if (c >= REF_CONTACTS) {
        s->sign[k] = -s->sign[k];
    } else if (part == 0) {
        status = lift(s, t, y, c);
    } else if (ref_laws[s->r->contact[c].law].set_valued && part == 1) {
        s->stuck[c] = 1;
        status = decide(s, t, y, -1, 0);
        look_for_open_choice(s, t, y, c);
    } else if (s->stuck[c]) {
        status = decide(s, t, y, c, s->contact[c].F > 0.0 ? 1 : -1);
    } else {
        s->sign[k] = -s->sign[k];
    }
    take_signs(s, t, y, 0);
    return status;
}
