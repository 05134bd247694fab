/* many.c - a law that is run from its page, for arrays of contacts: the vector machine on blocks,
 * in room on the stack. What it costs to read an instruction is shared by a block, and what all
 * contacts share is computed once. At the level `libm` to the bit what the calls for one contact
 * give; else functions are those of the kernels. */
#include "interpret.h"

#include "../expr/machine.h"
#include "../kernels/kernels.h"
#include "../models/law_code.h"

enum {
    MOST_REGISTERS = 160,
    MOST_INSTRUCTIONS = 300,
    MOST_INPUTS = LAW_STATES + BRI_MAX_STATES + BRI_MAX_PARAMS + 2
};

/* What the machine works with, and the blocks that are made for it. */
typedef struct bench {
    double room[(MOST_REGISTERS + 1) * BLOCK], gathered[MOST_INPUTS * BLOCK];
    const double *at[MOST_REGISTERS + 1], *in[MOST_INPUTS];
    double zero[BLOCK], load[BLOCK], speed[BLOCK], direction[BLOCK];
    expr_frame frame;
    instruction left[MOST_INSTRUCTIONS];
} bench;

/* The values of parameters and load that all share; others stay as they are. */
static void prepare(bench *w, const bri_law *l, const bri_batch *b) {
    const expr_program *p = w->frame.program;
    double once[MOST_INPUTS] = {0};
    for (int i = 0; i < p->n_registers; i++) w->at[i] = w->room + (size_t)i * BLOCK;
    for (int i = 0; i < l->model.n_params; i++)
        once[LAW_STATES + l->page->n_states + i] = b->own_params ? 0.0 : b->p[i];
    expr_prepare(&w->frame, once);
    expr_trim(&w->frame, w->left, MOST_INSTRUCTIONS);
    for (int k = 0; k < BLOCK; k++) {
        w->zero[k] = 0.0;
        w->load[k] = b->n[0];
    }
}

/* Where the inputs of the block from `start` on are. */
static void place(bench *w, const bri_law *l, const bri_batch *b, const double *z, size_t start,
                  int n) {
    int states = l->page->n_states, frozen = expr_variables(l->page->g);
    const double *v = b->v + start;
    for (int k = 0; b->own_params && k < n; k++) { /* else the program finds them */
        w->speed[k] = fabs(v[k]);
        w->direction[k] = sign(v[k]);
    }
    w->in[LAW_X] = w->zero;
    w->in[LAW_V] = v;
    w->in[LAW_N] = b->own_loads ? b->n + start : w->load;
    for (int i = 0; i < states; i++) w->in[LAW_STATES + i] = z + (size_t)i * b->count + start;
    for (int i = 0; i < l->model.n_params; i++)
        w->in[LAW_STATES + states + i] =
            b->own_params ? b->p + (size_t)i * b->count + start : w->zero;
    w->in[frozen] = w->speed;
    w->in[frozen + 1] = w->direction;
}

/* A contact that is open, or one that a set-valued law holds, by the call for one contact. */
static void alone(const bri_law *l, const bri_batch *b, const double *z, size_t i, double *F,
                  double *dz) {
    double p[BRI_MAX_PARAMS], own[BRI_MAX_STATES] = {0}, rates[BRI_MAX_STATES];
    const bri_input u = {.v = b->v[i], .n = b->n[b->own_loads ? i : 0], .mode = BRI_AUTO};
    for (int j = 0; j < l->model.n_params; j++)
        p[j] = b->p[b->own_params ? (size_t)j * b->count + i : (size_t)j];
    for (int j = 0; j < l->model.n_states; j++) own[j] = z[(size_t)j * b->count + i];
    F[i] = bri_model_eval(&l->model, p, &u, own, rates);
    for (int j = 0; j < l->model.n_states; j++) dz[(size_t)j * b->count + i] = rates[j];
}

int law_many(const bri_model *self, const bri_batch *b, const double *z, double *F, double *dz) {
    const bri_law *l = (const bri_law *)(const void *)self;
    const expr_program *p = b->own_params ? l->parts[PART_VALUES] : l->shared;
    int states = self->n_states;
    double *out[1 + BRI_MAX_STATES];
    if (!p || p->n_registers > MOST_REGISTERS || p->n_inputs > MOST_INPUTS) return 0;
    bri_level level = b->level == BRI_LEVEL_AUTO ? bri_level_best() : b->level;
    bri_blocks *blocks = bri_kernels(level == BRI_LEVEL_LIBM ? BRI_LEVEL_AUTO : level)->blocks;
    bench w;
    w.frame = (expr_frame){.program = p,
                           .room = w.room,
                           .gathered = w.gathered,
                           .at = w.at,
                           .each = p->each,
                           .n_each = p->n_each,
                           .by_libm = level == BRI_LEVEL_LIBM,
                           .blocks = blocks ? blocks : expr_plain_blocks};
    prepare(&w, l, b);
    for (size_t start = 0; start < b->count; start += BLOCK) {
        int n = b->count - start < BLOCK ? (int)(b->count - start) : BLOCK;
        place(&w, l, b, z, start, n);
        out[0] = F + start;
        for (int j = 0; j < states; j++) out[1 + j] = dz + (size_t)j * b->count + start;
        expr_run(&w.frame, w.in, out, (size_t)n);
    }
    int some = b->own_loads || self->set_valued || !(b->n[0] >= BRI_NO_LOAD);
    for (size_t i = 0; some && i < b->count; i++)
        if (b->n[b->own_loads ? i : 0] < BRI_NO_LOAD || (self->set_valued && b->v[i] == 0.0))
            alone(l, b, z, i, F, dz);
    return 1;
}
