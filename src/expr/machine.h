/* machine.h - a graph as a list of instructions for a register machine. */
#ifndef BRI_EXPR_MACHINE_H
#define BRI_EXPR_MACHINE_H

#include "graph.h"

/* Elements that one instruction works on: what it costs to read the instruction is shared by them,
 * and the registers of a law stay in the first cache. */
enum { BLOCK = 64 };

typedef struct instruction {
    expr_op op;
    int to, at[3]; /* registers; 0 where there is no operand */
} instruction;

typedef struct constant {
    int to;
    double value;
} constant;

/* Registers: first those that are the same for all elements, then the inputs, then the others. */
struct expr_program {
    int n_inputs;
    int n_uniform;            /* registers that hold one value */
    int n_registers;          /* all of them */
    instruction *once, *each; /* per frame, per block */
    int n_once, n_each;
    constant *constants;
    int n_constants;
    int *uniform_inputs;   /* register of each input, or -1 */
    unsigned char *needed; /* inputs that a register is filled from */
    int *roots;            /* register of each root */
    int n_roots;
};

/* Runs the instructions of a frame on one block, count <= BLOCK. */
typedef void expr_blocks(const expr_frame *f, int count);
expr_blocks expr_plain_blocks;

struct expr_frame {
    const expr_program *program;
    double *room;            /* BLOCK doubles per register */
    double *gathered;        /* the same for inputs that end within a block */
    const double **at;       /* where each register is */
    const instruction *each; /* per block: those of the program, or what is left of them */
    int n_each;
    expr_blocks *blocks; /* for the instruction set of the machine */
    int by_libm; /* nonzero: functions are those of the C library, whatever runs the blocks */
};

/* Of a frame that is prepared: leave out what only branches need that a condition which is the same
 * for all elements does not take. The rest goes to list[most], which must live as long as the frame
 * runs; where there is no room for it, nothing is left out. */
void expr_trim(expr_frame *f, instruction *list, int most);

#endif
