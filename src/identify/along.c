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

double id_function_at(const id_rig *r, const bri_function *g, double t, double x, double v) {
    static const double as_they_are[BRI_FUNCTION_SWITCHES];
    double in[BRI_FUNCTION_ARGS], s[4];
    for (int i = 0; i < g->n_args; i++) {
        const bri_arg *a = &g->args[i];
        switch (a->kind) {
        case BRI_ARG_TIME:
            in[i] = t;
            break;
        case BRI_ARG_SIGNAL:
        case BRI_ARG_SIGNAL_RATE:
            a->signal->kind->eval(a->signal, t, s);
            in[i] = s[a->kind == BRI_ARG_SIGNAL ? 1 : 2];
            break;
        case BRI_ARG_PARAMETER:
            in[i] = r->parameters[a->index].value;
            break;
        case BRI_ARG_V:
        case BRI_ARG_LENGTH_RATE:
            in[i] = v;
            break;
        default:
            in[i] = x;
        }
    }
    return g->eval(g->data, in, as_they_are, NULL);
}
