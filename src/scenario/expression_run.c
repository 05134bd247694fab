/* expression_run.c - an expression that has been compiled, as a function of the motion. Nothing of
 * the file that it stood in is known here: FMUs carry it along. */
#include "expression_run.h"

#include <math.h>

/* Numbers that most programs need at once. */
enum { ROOM = 400 };

static inline void fill(const expression *e, const expr_program *program, double *room,
                        const double *arg, const double *side, const double *rate) {
    double *in = expr_room_inputs(program, room);
    for (int i = 0; i < e->n_args; i++) in[e->arg[i]] = arg[i];
    for (int i = 0; i < e->n_switches; i++) in[e->side[i]] = side ? side[i] : 0.0;
    for (int i = 0; rate && i < e->n_args; i++) in[e->rate[i]] = rate[i];
}

/* Apart, so that short ones do not touch so much of the stack. */
#if defined(__GNUC__)
__attribute__((noinline))
#endif
static void
run_large(const expression *e, const expr_program *program, const double *arg, const double *side,
          const double *rate, double *out) {
    double room[EXPRESSION_ROOM];
    fill(e, program, room, arg, side, rate);
    expr_run_room(program, room, out);
}

static void run(const expression *e, const expr_program *program, const double *arg,
                const double *side, const double *rate, double *out) {
    double room[ROOM];
    if (expr_program_room(program) > ROOM) {
        run_large(e, program, arg, side, rate, out);
        return;
    }
    fill(e, program, room, arg, side, rate);
    expr_run_room(program, room, out);
}

double expression_value(const expression *e, const double *arg, const double *side) {
    double room[ROOM], out;
    if (expr_program_room(e->value) > ROOM) {
        run_large(e, e->value, arg, side, NULL, &out);
        return out;
    }
    fill(e, e->value, room, arg, side, NULL);
    return expr_run_first(e->value, room);
}

static double slopes_of(const expression *e, const double *arg, const double *side, double *slope) {
    double out[1 + BRI_FUNCTION_ARGS];
    run(e, e->slopes, arg, side, NULL, out);
    for (int i = 0; i < e->n_args; i++) slope[i] = out[1 + i];
    return out[0];
}

double expression_eval(const void *data, const double *arg, const double *side, double *slope) {
    return slope ? slopes_of(data, arg, side, slope) : expression_value(data, arg, side);
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
                          .pace = e->n_paces > 0 ? expression_pace : NULL,
                          .affine = e->affine};
}

const expression *expression_of(const bri_function *f) {
    return f->eval == expression_eval ? f->data : NULL;
}
