/* interpret.h - a law that is run from its graph, for the files of src/law. */
#ifndef BRI_LAW_INTERPRET_H
#define BRI_LAW_INTERPRET_H

#include "bristle_law.h"
#include "law.h"

#include "../models/page.h"

/* What is computed of a law, a program each. */
typedef enum law_part {
    PART_VALUES,      /* F, rates */
    PART_JACOBIAN,    /* their derivatives in x, v, N, states */
    PART_CHECK,       /* rules */
    PART_LIFT,        /* time constant in the air */
    PART_STORED,      /* energy, its gradient */
    PART_MOTION,      /* sticks, slip */
    PART_HOLDS,       /* level of a set-valued law */
    PART_HELD_SLOPES, /* the same, its derivatives in x, v, N */
    PART_PARAMS,      /* derivatives of F and rates in the parameters */
    PART_HELD_PARAMS, /* level, its derivatives in the parameters */
    PART_BOUNDS,      /* of the states that have one */
    PART_EVENTFUL,    /* whether these bounds matter */
    PART_ADVICE,      /* a condition */
    PART_PIECES,      /* corners */
    PART_STEP,        /* rates, their slopes in the states they belong to: where that is exact */
    PART_COUNT
} law_part;

struct bri_law {
    union {
        bri_model model; /* first: what its functions are given */
        bri_page as_page;
    };
    law *page;
    expr_program *parts[PART_COUNT]; /* NULL: the law has none */
    expr_program *shared;            /* PART_VALUES for parameters that all contacts share */
    void *object;                    /* where its machine code is; NULL: nowhere */
    int own_direction;
    law_motion motion;                      /* LAW_AFFINE or LAW_CASCADE: there is a PART_STEP */
    law_aim aims[BRI_MAX_STATES];           /* then PART_STEP has target and decay of a state */
    int n_corners;                          /* of PART_PIECES */
    int bounded[BRI_MAX_STATES], n_bounded; /* states that have a bound */
};

/* The law that a model belongs to; NULL: it is none that is run from its page. */
const bri_law *law_of_model(const bri_model *m);

/* The same, or the law of the page that comes with the library, which is then *own and to be freed.
 * NULL with the reason in err: "... cannot be AS". */
const bri_law *law_with_page(const bri_model *m, const char *as, bri_law **own, bri_error *err);

/* Force and rates of many contacts: many.c. */
int law_many(const bri_model *self, const bri_batch *b, const double *z, double *F, double *dz);

/* Take the functions of the same law as machine code. */
void law_take_functions(bri_law *l, const bri_model *made);

/* Give back what compiling has loaded: compiled.c. */
void law_unload(bri_law *l);

/* Make a law of a page, which it then owns. On failure the page is freed and the reason told. */
bri_law *law_interpret(law *page, node_report *report, void *to);

#endif
