/* lane_laws.c - what several runs at once need of the laws, see lanes.h: the stages of an attempt
 * with the law, generated from laws/, inside the loop. Compiled once per instruction set. */
#include "lane_loops.h"

#define JOIN(a, b)  a##b
#define LAWS(level) JOIN(bri_lane_laws_, level)

extern const bri_lane_row LAWS(BRI_KERNEL_LEVEL)[];

#define LANE_ROWS LAWS(BRI_KERNEL_LEVEL)
#include "law_lanes.h"
