/* run.c - the vector machine: every instruction works on a block of elements. */
#include "blocks.h"

#include <string.h>

expr_frame *expr_frame_new(const expr_program *p) {
    expr_frame *f = calloc(1, sizeof *f);
    if (!f) return NULL;
    f->program = p;
    f->each = p->each;
    f->n_each = p->n_each;
    f->blocks = expr_plain_blocks;
    f->room = calloc((size_t)p->n_registers + 1, BLOCK * sizeof *f->room);
    f->gathered = malloc((size_t)p->n_inputs * BLOCK * sizeof *f->gathered + 1);
    f->at = calloc((size_t)p->n_registers + 1, sizeof *f->at);
    if (!f->room || !f->gathered || !f->at) {
        expr_frame_free(f);
        return NULL;
    }
    for (int i = 0; i < p->n_registers; i++) f->at[i] = f->room + (size_t)i * BLOCK;
    expr_prepare(f, NULL);
    return f;
}

void expr_frame_free(expr_frame *f) {
    if (!f) return;
    free(f->room);
    free(f->gathered);
    free((void *)f->at);
    free(f);
}

static void spread(const expr_frame *f, int to, double value) {
    double *room = room_of(f, to);
    for (int i = 0; i < BLOCK; i++) room[i] = value;
}

static double apply_first(const expr_frame *f, const instruction *i) {
    return expr_apply(i->op, f->at[i->at[0]][0], f->at[i->at[1]][0], f->at[i->at[2]][0]);
}

void expr_prepare(expr_frame *f, const double *in) {
    const expr_program *p = f->program;
    for (int i = 0; i < p->n_constants; i++) spread(f, p->constants[i].to, p->constants[i].value);
    for (int i = 0; in && i < p->n_inputs; i++)
        if (p->uniform_inputs[i] >= 0) spread(f, p->uniform_inputs[i], in[i]);
    for (int i = 0; in && i < p->n_once; i++) spread(f, p->once[i].to, apply_first(f, &p->once[i]));
}

void expr_trim(expr_frame *f, instruction *list, int most) {
    enum { REGISTERS = 512 };
    const expr_program *p = f->program;
    unsigned char live[REGISTERS] = {0};
    int first = most;
    if (p->n_registers > REGISTERS || p->n_each > most) return;
    for (int i = 0; i < p->n_roots; i++) live[p->roots[i]] = 1;
    for (int i = p->n_each - 1; i >= 0; i--) { /* registers are used again: from the end */
        instruction in = p->each[i];
        if (!live[in.to]) continue;
        if (in.op == EXPR_IF && in.at[0] < p->n_uniform)
            in.at[0] = in.at[1] = in.at[2] = f->at[in.at[0]][0] != 0.0 ? in.at[1] : in.at[2];
        if (in.op == EXPR_POW && in.at[1] < p->n_uniform && f->at[in.at[1]][0] == 0.0)
            in.at[0] = in.at[1]; /* 1, whatever it is a power of */
        live[in.to] = 0;
        for (int k = 0; k < expr_ops[in.op].arity; k++) live[in.at[k]] = 1;
        list[--first] = in;
    }
    f->each = list + first;
    f->n_each = most - first;
}

void expr_plain_blocks(const expr_frame *f, int count) { run_blocks(f, count); }

/* Inputs are read where they are; a part of a block is copied, so that whole vectors can be read.
 */
static void take_inputs(expr_frame *f, const double *const *in, size_t start, int count) {
    const expr_program *p = f->program;
    for (int i = 0; i < p->n_inputs; i++) {
        if (!p->needed[i]) continue;
        const double *from = in[i] + start;
        if (count < BLOCK) {
            double *copy = f->gathered + (size_t)i * BLOCK;
            for (int k = 0; k < BLOCK; k++) copy[k] = from[k < count ? k : count - 1];
            from = copy;
        }
        f->at[p->n_uniform + i] = from;
    }
}

void expr_run(expr_frame *f, const double *const *in, double *const *out, size_t count) {
    const expr_program *p = f->program;
    for (size_t start = 0; start < count; start += BLOCK) {
        int n = count - start < BLOCK ? (int)(count - start) : BLOCK;
        take_inputs(f, in, start, n);
        f->blocks(f, n);
        for (int i = 0; i < p->n_roots; i++)
            memcpy(out[i] + start, f->at[p->roots[i]], sizeof(double) * (size_t)n);
    }
}

void expr_run_one(expr_frame *f, const double *in, double *out) {
    const expr_program *p = f->program;
    for (int i = 0; i < p->n_inputs; i++)
        if (p->needed[i]) f->at[p->n_uniform + i] = in + i;
    for (const instruction *i = p->each, *end = i + p->n_each; i < end; i++)
        room_of(f, i->to)[0] = apply_first(f, i);
    for (int i = 0; i < p->n_roots; i++) out[i] = f->at[p->roots[i]][0];
}
