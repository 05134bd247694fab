/* expression_run.c - an expression that has been compiled, as a function of the motion. Nothing of
 * the file that it stood in is known here: FMUs carry it along. */
#include "expression_run.h"

#include <math.h>

/* Numbers that most programs need at once. */
enum { ROOM = 400 };

static inline void run_in(const expression *e, const expr_program *program, double *room,
                          const double *arg, const double *side, const double *rate, double *out) {
    double *in = expr_room_inputs(program, room);
    for (int i = 0; i < e->n_args; i++) in[e->arg[i]] = arg[i];
    for (int i = 0; i < e->n_switches; i++) in[e->side[i]] = side ? side[i] : 0.0;
    for (int i = 0; rate && i < e->n_args; i++) in[e->rate[i]] = rate[i];
    expr_run_room(program, room, out);
}

/* Apart, so that short ones do not touch so much of the stack. */
#if defined(__GNUC__)
__attribute__((noinline))
#endif
static void
run_large(const expression *e, const expr_program *program, const double *arg, const double *side,
          const double *rate, double *out) {
    double room[EXPRESSION_ROOM];
    run_in(e, program, room, arg, side, rate, out);
}

static void run(const expression *e, const expr_program *program, const double *arg,
                const double *side, const double *rate, double *out) {
    double room[ROOM];
    if (expr_program_room(program) <= ROOM)
        run_in(e, program, room, arg, side, rate, out);
    else
        run_large(e, program, arg, side, rate, out);
}

double expression_eval(const void *data, const double *arg, const double *side, double *slope) {
    const expression *e = data;
    double out[1 + BRI_FUNCTION_ARGS];
    run(e, slope ? e->slopes : e->value, arg, side, NULL, out);
    for (int i = 0; slope && i < e->n_args; i++) slope[i] = out[1 + i];
    return out[0];
}

void expression_switches(const void *data, const double *arg, double *g) {
    const expression *e = data;
    run(e, e->switches, arg, NULL, NULL, g);
}

double expression_pace(const void *data, const double *arg, const double *rate) {
    const expression *e = data;
    double out[EXPRESSION_PACES], most = 0.0;
    run(e, e->pace, arg, NULL, rate, out);
    for (int i = 0; i < e->n_paces; i++) most = fmax(most, fabs(out[i]));
    return most;
}

bri_function expression_with(const expression *e, const bri_arg *args) {
    return (bri_function){.args = args,
                          .n_args = e->n_args,
                          .data = e,
                          .eval = expression_eval,
                          .n_switches = e->n_switches,
                          .switches = e->n_switches > 0 ? expression_switches : NULL,
                          .pace = e->n_paces > 0 ? expression_pace : NULL};
}

const expression *expression_of(const bri_function *f) {
    return f->eval == expression_eval ? f->data : NULL;
}

double expression_value(const expression *e, const double *arg, const double *side) {
    return expression_eval(e, arg, side, NULL);
}
