/* sweep.c - the loops of time stepping that suit this machine. */
#include "kernels/sweep.h"
#include "bristle.h"

const bri_sweep_table *bri_sweep_kernels(void) {
    switch (bri_level_best()) {
#ifdef BRI_HAVE_V4
    case BRI_LEVEL_V4:
        return &bri_sweep_v4;
#endif
#ifdef BRI_HAVE_V3
    case BRI_LEVEL_V3:
        return &bri_sweep_v3;
#endif
    default:
        return &bri_sweep_base;
    }
}
