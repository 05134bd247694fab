/* number.h - a double as text: the shortest that reads back as the same double. */
#ifndef BRI_NUMBER_H
#define BRI_NUMBER_H

enum { NUMBER_ROOM = 25 }; /* most characters of one number, no terminator */

/* Write x at `to` and return the end: "0.1", "-12.5", "1e-07", "2.5e+300", "0", "-0", "inf",
 * "-inf", "nan". The point is a point in every locale. */
char *number_put(char *to, double x);

#endif
