/* large.c - see large.h. */
#if defined(__linux__)
#define _DEFAULT_SOURCE
#include <sys/mman.h>
#endif
#include "large.h"
#include <stdint.h>
#include <stdlib.h>

void *large_calloc(size_t count, size_t size) {
    void *room = calloc(count, size);
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    const size_t page = 4096, least = (size_t)4 << 20;
    if (room && count * size >= least) { /* a wish; whole pages only */
        uintptr_t first = ((uintptr_t)room + page - 1) / page * page;
        uintptr_t last = ((uintptr_t)room + count * size) / page * page;
        (void)madvise((char *)room + (first - (uintptr_t)room), last - first, MADV_HUGEPAGE);
    }
#endif
    return room;
}
