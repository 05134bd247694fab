/* along.c - functions of a rig, forces and tensions given by expressions, along a measured motion.
 */
#include "identify.h"

#include <math.h>

int id_function_known(const bri_function *g, int body) {
    for (int i = 0; i < g->n_args; i++) {
        const bri_arg *a = &g->args[i];
        switch (a->kind) {
        case BRI_ARG_TIME:
        case BRI_ARG_SIGNAL:
        case BRI_ARG_SIGNAL_RATE:
        case BRI_ARG_LENGTH:
        case BRI_ARG_LENGTH_RATE:
        case BRI_ARG_PARAMETER:
            break;
        case BRI_ARG_X:
        case BRI_ARG_V:
            if (a->index != body) return 0;
            break;
        default:
            return 0;
        }
    }
    return 1;
}

/* What an argument is that depends on nothing that moves; 0: it does. */
static int still(const bri_arg *a, const bri_parameter *parameters, double t, double *value) {
    double s[4];
    switch (a->kind) {
    case BRI_ARG_TIME:
        *value = t;
        return 1;
    case BRI_ARG_SIGNAL:
    case BRI_ARG_SIGNAL_RATE:
        a->signal->kind->eval(a->signal, t, s);
        *value = s[a->kind == BRI_ARG_SIGNAL ? 1 : 2];
        return 1;
    case BRI_ARG_PARAMETER:
        *value = parameters[a->index].value;
        return 1;
    default:
        return 0;
    }
}

static const double as_they_are[BRI_FUNCTION_SWITCHES];

double id_function_at(const id_rig *r, const bri_function *g, double t, double x, double v) {
    double in[BRI_FUNCTION_ARGS];
    for (int i = 0; i < g->n_args; i++) {
        const bri_arg *a = &g->args[i];
        if (!still(a, r->parameters, t, &in[i]))
            in[i] = a->kind == BRI_ARG_V || a->kind == BRI_ARG_LENGTH_RATE ? v : x;
    }
    return g->eval(g->data, in, as_they_are, NULL);
}

double id_function_now(bri_sim *sim, const bri_system *s, const bri_function *g, double t) {
    double in[BRI_FUNCTION_ARGS];
    for (int i = 0; i < g->n_args; i++) {
        const bri_arg *a = &g->args[i];
        if (still(a, s->parameters, t, &in[i])) continue;
        int slides = a->kind == BRI_ARG_SLIDING_X || a->kind == BRI_ARG_SLIDING_V;
        bri_contact_now c = slides ? bri_sim_contact(sim, a->index) : (bri_contact_now){0};
        bri_body_now b = slides ? (bri_body_now){0} : bri_sim_body(sim, a->index);
        in[i] = a->kind == BRI_ARG_X           ? b.x
                : a->kind == BRI_ARG_V         ? b.v
                : a->kind == BRI_ARG_Z         ? b.z
                : a->kind == BRI_ARG_VZ        ? b.vz
                : a->kind == BRI_ARG_SLIDING_X ? c.x
                                               : c.v;
    }
    return g->eval(g->data, in, as_they_are, NULL);
}
