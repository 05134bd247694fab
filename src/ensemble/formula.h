/* formula.h - measures from within: what measure.c reads and reduce.c computes. */
#ifndef BRI_FORMULA_H
#define BRI_FORMULA_H

#include "ensemble.h"

#include "../expr/expr.h"

/* Where a number of an expression comes from. */
typedef enum source_kind { FROM_COLUMN, FROM_FACT, FROM_AXIS, FROM_REDUCTION } source_kind;
typedef struct source {
    source_kind kind;
    int index;
    int needed; /* nonzero: the expression depends on it */
} source;

typedef struct formula {
    expr_program *program;
    source *sources; /* of its inputs */
    int n_sources;
    int columns; /* nonzero: it depends on columns */
    int alone;   /* index of the reduction that it is and nothing else, -1: more than that */
    int column;  /* the same of a column */
    expr_dim dim;
} formula;

/* How a column, or what is computed from columns, becomes one number. */
typedef enum reducer {
    REDUCE_MAX,
    REDUCE_MIN,
    REDUCE_MEAN,
    REDUCE_RMS,
    REDUCE_STD,
    REDUCE_RANGE,
    REDUCE_FIRST,
    REDUCE_LAST,
    REDUCE_INTEGRAL,
    REDUCE_FRACTION,
    REDUCE_WHEN,
    REDUCE_COUNT,
    REDUCE_AT,
    REDUCE_QUANTILE,
    REDUCE_PEAK,
    REDUCE_PERIOD,
    REDUCE_SWING,
    REDUCE_DRIFT,
    REDUCE_REGIME,
    REDUCE_SLIDING,
    REDUCE_STARTS,
    REDUCE_BREAK_AWAY,
    REDUCE_XI,
    REDUCE_GAMMA,
    REDUCERS
} reducer;

typedef struct reduction {
    reducer kind;
    formula of, second; /* second: of those with two arguments */
    int contact;        /* of regime, sliding, starts, break_away: its number in the meter */
    expr_dim dim;
} reduction;

typedef struct measure {
    char *name;
    char unit[EXPR_DIM_ROOM];
    formula value;
    int words;      /* nonzero: regimes */
    double instant; /* of one of a course: its time [s]; else NaN */
    char of[80];    /* of one of a list: what the list is of, "block.x"; else "" */
} measure;

struct meter {
    meter_names names;
    char **columns; /* that are needed, t first */
    int n_columns, columns_room;
    char **contacts; /* that are measured, by name; "": the first */
    int n_contacts, contacts_room;
    reduction *reductions; /* each after those that it needs */
    int n_reductions, reductions_room;
    measure *measures;
    int n_measures, measures_room;
    int depth;    /* of calls within calls, while they are read */
    int slips;    /* LOOK_AT_... */
    int energies; /* nonzero: some are measured */
    /* the run of the scenario as it stands, for measures that compare with it; else NULL */
    int compares;        /* nonzero: there are such measures */
    double **reference;  /* [n_columns] */
    long reference_rows; /* of each */
    double *reference_x; /* values of the axes */
};

/* Room for one more in a list; 0: there is none. formula.c */
int meter_grow(void **list, int count, int *room, size_t size);

/* The number of a column among those that are needed; -1: no memory. formula.c */
int meter_need(meter *m, const char *name);

/* The dimension of a unit; what is not known fits everything. formula.c */
expr_dim meter_dim(const char *unit);

/* Read an expression; `shown` is what the user wrote, for messages. formula.c */
bri_status formula_compile(meter *m, const char *text, const char *shown, formula *f,
                           bri_error *err);

/* Numbers of run_facts, by name. */
enum { NEEDS_SLIPS = 1, NEEDS_ENERGIES = 2 };
typedef struct fact {
    const char *name, *unit, *text;
    int needs; /* NEEDS_... of the run */
    double (*of)(const run_facts *f);
} fact;
extern const fact facts[];
extern const int n_facts;

#endif
