/* graph.h - the inside of a graph, for the files of src/expr. */
#ifndef BRI_EXPR_GRAPH_H
#define BRI_EXPR_GRAPH_H

#include "../arena.h"
#include "dim.h"
#include "ops.h"

enum { NAME_MOST = 63 }; /* letters of a name */

typedef enum symbol_kind { SYMBOL_VARIABLE, SYMBOL_VALUE, SYMBOL_FUNCTION } symbol_kind;

/* What a name stands for. Functions and values do not share their names. */
typedef struct symbol {
    const char *name;
    symbol_kind kind;
    expr_id id; /* of a function: its body, with the places of its arguments as variables */
    int rate;   /* z' */
    int line;
    int arguments, first_argument; /* of a function: variables number first_argument, ... */
} symbol;

struct expr_graph {
    arena memory;
    expr_limits limits;
    expr_unit_reader *read_unit;
    void *read_to;

    expr_node *nodes;
    int count, room;
    int *table; /* hash table of nodes, -1 where empty */
    int table_size;
    long work;
    const char *failure;
    char mismatch[300]; /* what is wrong with the units of the last node made; "" if nothing is */

    const char **names; /* of variables; NULL for the arguments of functions */
    expr_id *variables;
    unsigned char *has_rate;
    int n_variables, variables_room;
    symbol *symbols;
    int n_symbols, symbols_room;
    expr_definition *definitions;
    int n_definitions, definitions_room;
};

/* Make room for one more; 0 and a failure if there is none. */
int graph_grow(expr_graph *g, void **array, int count, int *room, size_t size);

expr_id graph_fail(expr_graph *g, const char *why); /* EXPR_NONE */

/* Count n visits; 0 once there were too many. */
int graph_work(expr_graph *g, long n);

const symbol *graph_symbol(const expr_graph *g, const char *name, int function, int rate);
symbol *graph_add_symbol(expr_graph *g, const char *name, symbol_kind kind, int rate);
const char *graph_copy(expr_graph *g, const char *text, size_t length);

/* A variable without a name, for the argument of a function. */
expr_id graph_argument(expr_graph *g);

/* Nonzero where a root leads to, for the nodes up to the largest root; *end is that one + 1. NULL
 * after a failure; to be freed. */
unsigned char *graph_reached(expr_graph *g, const expr_id *roots, int count, int *end);

/* Nodes brought over one by one: `make` is expr_make (as written) or, without `by`, expr_build
 * (simplest form, which a node remembers). */
typedef expr_id graph_maker(expr_graph *g, expr_op op, expr_id a, expr_id b, expr_id c);
int graph_map(expr_graph *g, graph_maker *make, const expr_id *by, const expr_id *roots, int count,
              expr_id *out);

/* The dimension of a node; what is wrong goes to g->mismatch, and the dimension is any. */
expr_dim graph_dimension(expr_graph *g, expr_op op, const expr_id *at, double exponent,
                         int exponent_known);

#endif
