/* scalar.c - a program for one element, in room that the caller has: no memory is taken, and any
 * number of threads may run one program. */
#include "machine.h"

#include <string.h>

int expr_program_room(const expr_program *p) { return p->n_registers + 1; }

double *expr_room_inputs(const expr_program *p, double *room) { return room + p->n_uniform; }

static inline __attribute__((always_inline)) void run(const expr_program *p, double *room) {
    for (int i = 0; i < p->n_constants; i++) room[p->constants[i].to] = p->constants[i].value;
    for (const instruction *i = p->each, *end = i + p->n_each; i < end; i++)
        room[i->to] = expr_apply(i->op, room[i->at[0]], room[i->at[1]], room[i->at[2]]);
}

void expr_run_room(const expr_program *p, double *room, double *out) {
    run(p, room);
    for (int i = 0; i < p->n_roots; i++) out[i] = room[p->roots[i]];
}

double expr_run_first(const expr_program *p, double *room) {
    run(p, room);
    return room[p->roots[0]];
}
