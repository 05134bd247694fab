/* rig_unit.h - numbers of the variables of a rig as a unit, and its columns, for the tool
 * and for what it makes. */
#ifndef BRI_FMU_RIG_UNIT_H
#define BRI_FMU_RIG_UNIT_H

/* Blocks of numbers, a block per kind. */
enum { RIG_BLOCK = 1 << 24 };
enum { RIG_OF_TIME, RIG_OF_COLUMN, RIG_OF_PARAMETER, RIG_OF_STATE, RIG_OF_RATE, RIG_OF_INDICATOR };
#define RIG_NUMBER(of, i) ((unsigned)(of)*RIG_BLOCK + (unsigned)(i))

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
