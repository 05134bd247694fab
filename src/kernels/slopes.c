/* slopes.c - derivatives of the laws on vectors of contacts, generated from laws/. Compiled once
 * per instruction set. */
#include "law_vectors.h"

#define JOIN(a, b)    a##b
#define SLOPES(level) JOIN(bri_slopes_, level)

extern const bri_slope_row SLOPES(BRI_KERNEL_LEVEL)[];

#define SLOPE_ROWS SLOPES(BRI_KERNEL_LEVEL)
#include "law_slopes.h"
