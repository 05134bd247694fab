/* rig_unit.h - numbers of the variables of a rig as a unit, and its columns, for the tool
 * and for what it makes. */
#ifndef BRI_FMU_RIG_UNIT_H
#define BRI_FMU_RIG_UNIT_H

/* Blocks of numbers, a block per kind. */
enum { RIG_BLOCK = 1 << 24 };
enum { RIG_OF_TIME, RIG_OF_COLUMN, RIG_OF_PARAMETER, RIG_OF_STATE, RIG_OF_RATE, RIG_OF_INDICATOR };
#define RIG_NUMBER(of, i) ((unsigned)(of)*RIG_BLOCK + (unsigned)(i))

/* What a number of the simulation is in the unit. */
typedef enum rig_role {
    RIG_PARAMETER,
    RIG_INPUT, /* held between events, over a step; or the value of one that has a slope */
    RIG_FLOW,  /* the value of one that may also change between events: a force, a load */
    RIG_SLOPE, /* of the input whose number is the next but one: an input in FMI 3 */
    RIG_SINCE, /* the time that it counts from: not seen */
    RIG_LEFT_OUT
} rig_role;

typedef struct rig_number {
    int ordinal; /* among all numbers of the simulation */
    rig_role role;
} rig_number;

/* What a column of the run shows. */
typedef enum rig_what {
    RIG_BODY_X,
    RIG_BODY_Z,
    RIG_BODY_V,
    RIG_BODY_VZ,
    RIG_SLIDING,  /* of a contact: relative velocity */
    RIG_FRICTION, /* force */
    RIG_LOAD,
    RIG_MOTION, /* -1, 0, 1 */
    RIG_TENSION,
    RIG_KINETIC,
    RIG_POTENTIAL,
    RIG_STORED
} rig_what;

typedef struct rig_column {
    rig_what what;
    int index; /* of the body, contact or coupling */
    const char *name;
} rig_column;

#endif
