/* blocks.c - the vector machine for one instruction set. */
#include "expr/blocks.h"

#include "kernels.h"

#define JOIN(a, b)    a##b
#define BLOCKS(level) JOIN(bri_blocks_, level)

extern bri_blocks BLOCKS(BRI_KERNEL_LEVEL);

void BLOCKS(BRI_KERNEL_LEVEL)(const struct expr_frame *f, int count) { run_blocks(f, count); }
