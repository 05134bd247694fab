/* kernels.c - force, rates and steps of the laws on vectors of contacts, generated from laws/.
 * Compiled once per instruction set, with BRI_KERNEL_LEVEL as the suffix of the table at the end.
 */
#include "law_steps.h"

#include "law_values.h"

#define JOIN(a, b)   a##b
#define TABLE(level) JOIN(bri_kernels_, level)

#define SWEEPS(level)  JOIN(bri_sweeps_, level)
#define SLOPES(level)  JOIN(bri_slopes_, level)
#define ATTEMPT(level) JOIN(bri_lugre_attempt_, level)
#define LAWS(level)    JOIN(bri_lane_laws_, level)
#define PACKED(level)  JOIN(bri_pack_attempt_, level)
#define ENDS(level)    JOIN(bri_pack_ends_, level)
#define LANES(level)   JOIN(bri_lanes_attempt_, level)
#define ACCEPT(level)  JOIN(bri_lanes_accept_, level)
#define BLOCKS(level)  JOIN(bri_blocks_, level)

extern bri_attempt ATTEMPT(BRI_KERNEL_LEVEL), PACKED(BRI_KERNEL_LEVEL);
extern bri_lanes_step LANES(BRI_KERNEL_LEVEL), ACCEPT(BRI_KERNEL_LEVEL);
extern bri_blocks BLOCKS(BRI_KERNEL_LEVEL);
extern const bri_kernel_table TABLE(BRI_KERNEL_LEVEL);
extern const bri_sweeps SWEEPS(BRI_KERNEL_LEVEL);
extern const bri_pack_ends ENDS(BRI_KERNEL_LEVEL);
extern const bri_slope_row SLOPES(BRI_KERNEL_LEVEL)[];
extern const bri_lane_row LAWS(BRI_KERNEL_LEVEL)[];
const bri_kernel_table TABLE(BRI_KERNEL_LEVEL) = {WIDTH,
                                                  sizeof rows / sizeof *rows,
                                                  rows,
                                                  SLOPES(BRI_KERNEL_LEVEL),
                                                  LAWS(BRI_KERNEL_LEVEL),
                                                  &SWEEPS(BRI_KERNEL_LEVEL),
                                                  ATTEMPT(BRI_KERNEL_LEVEL),
                                                  LANES(BRI_KERNEL_LEVEL),
                                                  ACCEPT(BRI_KERNEL_LEVEL),
                                                  BLOCKS(BRI_KERNEL_LEVEL),
                                                  PACKED(BRI_KERNEL_LEVEL),
                                                  &ENDS(BRI_KERNEL_LEVEL)};
