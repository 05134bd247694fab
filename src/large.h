/* large.h - zeroed memory; large pieces on huge pages where the system has them, since a run over
 * many arrays at once is slowed down by the number of small pages. Give back with free(). */
#ifndef BRI_LARGE_H
#define BRI_LARGE_H

#include <stddef.h>

void *large_calloc(size_t count, size_t size);

#endif
