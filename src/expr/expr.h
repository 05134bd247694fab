/* expr.h - expressions: text to a graph, exact derivatives, evaluation over arrays, and text again.
 * The language is described in docs/language.md. Nothing here knows of friction, and nothing but
 * the C library is needed.
 *
 * A graph holds nodes that are never changed and never twice there: equal expressions have equal
 * numbers. Children have smaller numbers than their parents. A function that cannot do its work
 * (limits, memory) returns EXPR_NONE, takes EXPR_NONE as an argument without harm, and leaves the
 * reason in the graph. Graphs share nothing: threads may use one each, and any number of threads
 * one program. */
#ifndef BRI_EXPR_H
#define BRI_EXPR_H

#include <stddef.h>

/* ---- dimensions -------------------------------------------------------------------------- */

/* Exponents of m, kg, s, A, K, mol, cd in twelfths, so that roots have their place. `any`: fits
 * every unit, as the number 0 does. Radians are pure numbers. */
enum { EXPR_BASES = 7, EXPR_TWELVE = 12 };
typedef struct expr_dim {
    short e[EXPR_BASES];
    short any;
} expr_dim;

/* Read a unit such as "N s/m": its dimension and its size in SI units. 0 if it is not known. */
typedef int expr_unit_reader(void *to, const char *text, double *factor, expr_dim *dim);

/* The reader of graphs that are given no other: the units of the SI with prefixes, and a few more.
 * `to` is not used. */
expr_unit_reader expr_unit_si;

/* "N s/m", "1": a dimension for people, which expr_unit_si reads back with factor 1. */
enum { EXPR_DIM_ROOM = 96 };
void expr_dim_text(expr_dim dim, char *text, size_t size);

int expr_dim_equal(expr_dim a, expr_dim b); /* as written; `any` equals only itself */
int expr_dim_fits(expr_dim a, expr_dim b);  /* equal, or one of them is any */
expr_dim expr_dim_over(expr_dim a, expr_dim b);

/* ---- nodes ------------------------------------------------------------------------------- */

typedef int expr_id;
enum { EXPR_NONE = -1 };

typedef enum expr_op {
    EXPR_CONST, /* never negative: -3 is NEG of 3 */
    EXPR_PI,
    EXPR_VAR,
    EXPR_NEG,
    EXPR_ADD,
    EXPR_SUB,
    EXPR_MUL,
    EXPR_DIV,
    EXPR_POW,
    EXPR_ABS,
    EXPR_SIGN,
    EXPR_MIN,
    EXPR_MAX,
    EXPR_CLAMP, /* (x, low, high) */
    EXPR_EXP,
    EXPR_EXPM1,
    EXPR_LOG,
    EXPR_LOG1P,
    EXPR_SQRT,
    EXPR_SIN,
    EXPR_COS,
    EXPR_TAN,
    EXPR_ATAN,
    EXPR_TANH,
    EXPR_STEP,     /* 0 below 0, 1 above 1, u^2 (3 - 2 u) between */
    EXPR_STRIBECK, /* (v, v_s, gamma): exp(-(|v|/v_s)^gamma) */
    EXPR_GPOW,     /* (r, g, n): derivative number n in r of the guarded power, see ops.h */
    EXPR_LT,
    EXPR_LE,
    EXPR_GT,
    EXPR_GE,
    EXPR_EQ,
    EXPR_NE,
    EXPR_AND,
    EXPR_OR,
    EXPR_NOT,
    EXPR_IF, /* (condition, then, else) */
    EXPR_OPS
} expr_op;

typedef struct expr_node {
    expr_op op;
    int constant;  /* nonzero: holds no variable; value is what it comes to */
    expr_id at[3]; /* children; EXPR_NONE where there is none */
    int index;     /* of a variable */
    int depth;     /* levels below and including this one */
    int mismatch;  /* nonzero: its units do not fit together */
    expr_id plain; /* its simplest form, EXPR_NONE as long as nobody has asked for it */
    double value;
    expr_dim dim;
} expr_node;

/* ---- graphs ------------------------------------------------------------------------------ */

typedef struct expr_graph expr_graph;

/* Zero stands for the default. */
typedef struct expr_limits {
    int nodes;  /* of the graph: 50,000 */
    int depth;  /* of brackets and operators in a text: 200 */
    int levels; /* of the graph: 2,000 */
    int length; /* of a text in bytes: 100,000 */
    long work;  /* nodes visited by all calls together: 20 million */
} expr_limits;

/* What is wrong with a text, for a human. */
typedef struct expr_error {
    int line, column; /* from 1; 0: of no one place */
    char text[400];
} expr_error;

/* limits may be NULL. NULL: there is no memory. */
expr_graph *expr_new(const expr_limits *limits);
void expr_free(expr_graph *g);

/* Read units by another reader. */
void expr_units(expr_graph *g, expr_unit_reader *read, void *to);

const expr_node *expr_at(const expr_graph *g, expr_id id);
int expr_count(const expr_graph *g); /* nodes */

/* Why EXPR_NONE was returned; NULL if it was not. */
const char *expr_failure(const expr_graph *g);
void expr_lacks_memory(expr_graph *g); /* so it is: there was none for what is made of it */

/* Declare a variable, number 0, 1, ... in this order. EXPR_NONE if the name is taken or no name. */
expr_id expr_variable(expr_graph *g, const char *name, expr_dim dim);
int expr_variables(const expr_graph *g);
const char *expr_variable_name(const expr_graph *g, int index);
expr_id expr_variable_at(const expr_graph *g, int index);

/* Allow an equation for the rate of this variable: z' = ... */
int expr_has_rate(expr_graph *g, const char *name);

/* A value, its sign as NEG. */
expr_id expr_number(expr_graph *g, double value, expr_dim dim);

/* Nodes as written, and nodes brought to their simplest form: constants together, neutral elements
 * away, whole powers as products, `step` and `stribeck` written out. The order of operations is
 * kept, so that the value changes by no rounding. Children beyond those of the operation are not
 * read. */
expr_id expr_make(expr_graph *g, expr_op op, expr_id a, expr_id b, expr_id c);
expr_id expr_build(expr_graph *g, expr_op op, expr_id a, expr_id b, expr_id c);

/* Roots in their simplest form; out may be roots. 0 after a failure. */
int expr_simplify(expr_graph *g, const expr_id *roots, int count, expr_id *out);

/* The same with variables replaced: by[index], or EXPR_NONE to leave one alone. */
int expr_substitute(expr_graph *g, const expr_id *by, const expr_id *roots, int count,
                    expr_id *out);

/* The derivative of every root in one variable, in simplest form. Exact, with these conventions:
 * the slope of abs(x) is sign(x), of sign(x) zero, a kink has the slope of one of its sides, and a
 * slope that is infinite at zero (sqrt, powers below 1) is the one at 1e-12. */
int expr_derive(expr_graph *g, const expr_id *roots, int count, int variable, expr_id *out);

/* Nonzero: the expression contains the variable. */
int expr_depends(expr_graph *g, expr_id root, int variable);

/* ---- text to graph ----------------------------------------------------------------------- */

/* A name given by an equation; rate: that of a state, "z'". Functions have no node. */
typedef struct expr_definition {
    const char *name; /* without the ' of a rate */
    expr_id id;
    int rate, line, column;
} expr_definition;

/* Read equations; their names are known to everything that is read afterwards. 0 after an error. */
int expr_equations(expr_graph *g, const char *text, size_t length, expr_error *err);
int expr_definitions(const expr_graph *g);
const expr_definition *expr_definition_at(const expr_graph *g, int i);
const expr_definition *expr_find(const expr_graph *g, const char *name, int rate);

/* Read one expression: EXPR_NONE after an error. */
expr_id expr_read(expr_graph *g, const char *text, size_t length, expr_error *err);
int expr_is_condition(const expr_graph *g, expr_id id);

/* ---- evaluation over arrays -------------------------------------------------------------- */

typedef struct expr_program expr_program; /* never changes; any number of threads may share it */
typedef struct expr_frame expr_frame;     /* the room one thread needs to run it */

typedef struct expr_compile {
    const unsigned char *uniform; /* per variable, nonzero: the same for all elements; or NULL */
    int frozen; /* 1 + the variable whose abs() and sign() are given from outside; 0: none */
} expr_compile;

/* Inputs are the variables; with `frozen` two more follow: its abs and its sign. */
expr_program *expr_program_new(expr_graph *g, const expr_id *roots, int count,
                               const expr_compile *how);
void expr_program_free(expr_program *p);
int expr_program_length(const expr_program *p, int uniform); /* instructions, once or per element */

expr_frame *expr_frame_new(const expr_program *p);
void expr_frame_free(expr_frame *f);

/* Compute all that depends on uniform inputs only; in[] of the others is not read. */
void expr_prepare(expr_frame *f, const double *in);

/* out[root][i] for the elements in[variable][i], i < count. Pointers to uniform inputs, and to such
 * that no root needs, may be NULL. Outputs do not overlap inputs. */
void expr_run(expr_frame *f, const double *const *in, double *const *out, size_t count);

/* One element: in[variable], out[root]. */
void expr_run_one(expr_frame *f, const double *in, double *out);

/* One element without a frame, for programs that have no uniform inputs: the caller has room for
 * expr_program_room() numbers, of which the inputs are those from expr_room_inputs() on. What is
 * not an input need not be set, and is lost. */
int expr_program_room(const expr_program *p);
double *expr_room_inputs(const expr_program *p, double *room);
void expr_run_room(const expr_program *p, double *room, double *out);
/* The same, and the first of the results alone. */
double expr_run_first(const expr_program *p, double *room);

/* ---- graph to text ----------------------------------------------------------------------- */

typedef enum expr_style {
    EXPR_ASCII,  /* the language itself: reads back as the same graph */
    EXPR_C,      /* with the functions of expr_math.h */
    EXPR_VECTOR, /* C on vectors, with the functions of src/kernels/law_vectors.h */
    EXPR_PYTHON, /* with those of src/law/export/math_py.py */
    EXPR_MATLAB, /* with those of src/law/export/math_m.m */
    EXPR_ST,     /* IEC 61131-3 structured text, with those of src/law/export/math_st.st */
    EXPR_LATEX,
    EXPR_MATHML /* the inside of <math> */
} expr_style;

/* Nodes that are printed as a name; NULL: none. First of several wins. */
typedef struct expr_name {
    expr_id id;
    const char *name; /* "z'" for a rate */
} expr_name;

typedef struct expr_names {
    const expr_name *at;
    int count;
    int frozen; /* C only: 1 + variable whose abs and sign have these names */
    const char *abs_name, *sign_name;
    const expr_id *lower; /* C and vectors: per slope of a guarded power, the power it is made of */
    const unsigned char *single; /* vectors: per node, nonzero if it may be the same for all: 1
                                  * where parameters are, 2 where loads are, too */
    const unsigned char *turns;  /* vectors: per node, 1 within +-pi/2, 2 within +-1e5 */
} expr_names;

/* Write the expression into text[size], always with a zero at its end. Returns its length, or -1
 * if there is no room for it: a graph may stand for a text of any length. */
int expr_print(const expr_graph *g, expr_id root, expr_style style, const expr_names *names,
               char *text, size_t size);

/* A name alone, in that style: sigma0 is \sigma_{0}, z' is \dot{z}, lambda in Python lambda_. */
int expr_print_name(const char *name, expr_style style, char *text, size_t size);

#endif
