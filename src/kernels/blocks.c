/* blocks.c - the vector machine for one instruction set, with functions on vectors. */
#include "law_vectors.h"

#include "expr/machine.h"

/* Powers go on below zero as for a direction that is frozen. */
static const kind any_power = {.exponent = BRI_EXPONENT_ANY, .frozen = 1};

#define EACH_VECTOR(expression)                                                                    \
    for (int i = 0; i < BLOCK; i += WIDTH) {                                                       \
        vec x = load(a + i);                                                                       \
        store(to + i, expression);                                                                 \
    }                                                                                              \
    return 1

/* Nonzero: there may be a function on vectors for it. */
static inline int is_function(expr_op op) {
    return op == EXPR_POW || op == EXPR_GPOW || (op >= EXPR_EXP && op <= EXPR_TANH);
}

/* Nonzero if it is done. Exponents that all share and that need no power are left to the plain
 * loops. */
static __attribute__((noinline)) int by_vectors(expr_op op, double *restrict to,
                                                const double *restrict a, const double *restrict b,
                                                const double *restrict c) {
    int simple = (op == EXPR_POW || op == EXPR_GPOW) &&
                 (b[0] == 0.0 || b[0] == 1.0 || b[0] == 2.0 || (op == EXPR_GPOW && c[0] != 0.0));
    if (simple) return 0;
    switch (op) {
    case EXPR_SQRT:
        EACH_VECTOR(law_sqrt(x));
    case EXPR_EXP:
        EACH_VECTOR(law_exp(x));
    case EXPR_EXPM1:
        EACH_VECTOR(law_expm1(x));
    case EXPR_LOG:
        EACH_VECTOR(law_log(x));
    case EXPR_LOG1P:
        EACH_VECTOR(law_log1p(x));
    case EXPR_TANH:
        EACH_VECTOR(law_tanh(x));
    case EXPR_SIN:
        EACH_VECTOR(law_sin(x));
    case EXPR_COS:
        EACH_VECTOR(law_cos(x));
    case EXPR_ATAN:
        EACH_VECTOR(law_atan(x));
    case EXPR_POW:
        EACH_VECTOR(law_pow(x, load(b + i)));
    case EXPR_GPOW:
        EACH_VECTOR(law_gpow(x, load(b + i), any_power));
    default:
        return 0;
    }
}

#define BLOCK_BY_VECTORS(op, to, a, b, c) (is_function(op) && by_vectors(op, to, a, b, c))
#include "expr/blocks.h"

#define JOIN(a, b)    a##b
#define BLOCKS(level) JOIN(bri_blocks_, level)

extern bri_blocks BLOCKS(BRI_KERNEL_LEVEL);

void BLOCKS(BRI_KERNEL_LEVEL)(const struct expr_frame *f, int count) { run_blocks(f, count); }
