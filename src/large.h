/* large.h - zeroed memory; large pieces on huge pages where the system has them, since a run over
 * many arrays at once is slowed down by the number of small pages. Give back with free(). */
#ifndef BRI_LARGE_H
#define BRI_LARGE_H

#include <stddef.h>
#include <stdint.h>

void *large_calloc(size_t count, size_t size);

/* Vectors that lie across two cache lines take twice as long: where the next line begins, for which
 * a piece needs LARGE_LINE bytes more. NULL stays NULL. */
enum { LARGE_LINE = 64 };
static inline void *large_line(void *room) {
    return (void *)(((uintptr_t)room + LARGE_LINE - 1) / LARGE_LINE * LARGE_LINE);
}

#endif
