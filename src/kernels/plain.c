/* plain.c - in the place of kernels.c and slopes.c where there are no vector kernels of laws, in
 * libbristle_core: contacts are then evaluated one by one. */
#include "kernels.h"

extern bri_attempt bri_lugre_attempt_base;
extern const bri_sweeps bri_sweeps_base;
const bri_kernel_table bri_kernels_base = {
    .width = 1, .sweeps = &bri_sweeps_base, .lugre_attempt = bri_lugre_attempt_base};
