/* law_unit.h - numbers of the variables of a law as a unit, for the tool and for what it makes. */
#ifndef BRI_FMU_LAW_UNIT_H
#define BRI_FMU_LAW_UNIT_H

/* Blocks of numbers, a block per kind. */
enum { LAW_BLOCK = 100 };
enum {
    LAW_OF_TIME,
    LAW_OF_INPUT,
    LAW_OF_SLOPE, /* of inputs, in FMI 3 */
    LAW_OF_OUTPUT,
    LAW_OF_PARAMETER,
    LAW_OF_STATE,
    LAW_OF_RATE,
    LAW_OF_INDICATOR
};
#define LAW_NUMBER(of, i) ((unsigned)(of)*LAW_BLOCK + (i))

enum { LAW_INPUT_X, LAW_INPUT_V, LAW_INPUT_N, LAW_INPUT_FA, LAW_INPUTS };

#endif
