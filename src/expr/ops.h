/* ops.h - the operations one by one: their table, and what they compute. The vector machine, the
 * folding of constants and generated C all use these functions, so that they agree to the bit. */
#ifndef BRI_EXPR_OPS_H
#define BRI_EXPR_OPS_H

#include "expr_math.h"

#include "expr.h"

/* How strongly an operation binds when it is written; a call or a leaf binds strongest. */
enum {
    BIND_OR = 1,
    BIND_AND,
    BIND_NOT,
    BIND_COMPARE,
    BIND_ADD,
    BIND_MUL,
    BIND_NEG,
    BIND_POW,
    BIND_CALL
};

/* What an operation asks of the units of its children. */
typedef enum expr_unit_rule {
    UNIT_LEAF,
    UNIT_SAME,    /* all children alike, and so the result */
    UNIT_KEEP,    /* that of the one child */
    UNIT_PLAIN,   /* children and result are pure numbers */
    UNIT_NONE,    /* one child, the result is a pure number: sign */
    UNIT_COMPARE, /* all children alike, the result is a condition */
    UNIT_LOGIC,   /* conditions */
    UNIT_IF,
    UNIT_MUL,
    UNIT_DIV,
    UNIT_POW,
    UNIT_SQRT,
    UNIT_STRIBECK
} expr_unit_rule;

typedef struct expr_op_row {
    const char *name; /* as it is called or written between its operands */
    const char *c;    /* in C */
    signed char arity, bind;
    unsigned char rule;
} expr_op_row;

extern const expr_op_row expr_ops[EXPR_OPS];

static inline double expr_apply(expr_op op, double a, double b, double c) {
    switch (op) {
    case EXPR_PI:
        return EXPR_PI_VALUE;
    case EXPR_NEG:
        return -a;
    case EXPR_ADD:
        return a + b;
    case EXPR_SUB:
        return a - b;
    case EXPR_MUL:
        return a * b;
    case EXPR_DIV:
        return a / b;
    case EXPR_POW:
        return expr_pow(a, b);
    case EXPR_ABS:
        return fabs(a);
    case EXPR_SIGN:
        return expr_sign(a);
    case EXPR_MIN:
        return expr_min(a, b);
    case EXPR_MAX:
        return expr_max(a, b);
    case EXPR_CLAMP:
        return expr_clamp(a, b, c);
    case EXPR_EXP:
        return exp(a);
    case EXPR_EXPM1:
        return expm1(a);
    case EXPR_LOG:
        return log(a);
    case EXPR_LOG1P:
        return log1p(a);
    case EXPR_SQRT:
        return sqrt(a);
    case EXPR_SIN:
        return sin(a);
    case EXPR_COS:
        return cos(a);
    case EXPR_TAN:
        return tan(a);
    case EXPR_ATAN:
        return atan(a);
    case EXPR_TANH:
        return tanh(a);
    case EXPR_STEP:
        return expr_step(a);
    case EXPR_STRIBECK:
        return exp(-expr_gpow(fabs(a) / b, c, 0));
    case EXPR_GPOW:
        return expr_gpow(a, b, (int)c);
    case EXPR_LT:
        return a < b;
    case EXPR_LE:
        return a <= b;
    case EXPR_GT:
        return a > b;
    case EXPR_GE:
        return a >= b;
    case EXPR_EQ:
        return a == b;
    case EXPR_NE:
        return a != b;
    case EXPR_AND:
        return a != 0.0 && b != 0.0;
    case EXPR_OR:
        return a != 0.0 || b != 0.0;
    case EXPR_NOT:
        return a == 0.0;
    case EXPR_IF:
        return a != 0.0 ? b : c;
    default: /* constants and variables have their values from elsewhere */
        return NAN;
    }
}

static inline int expr_gives_condition(expr_op op) { return op >= EXPR_LT && op <= EXPR_NOT; }

#endif
