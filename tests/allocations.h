/* allocations.h - every call for memory counted. For programs linked with
 * -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc; to be included once. */
#ifndef BRI_TEST_ALLOCATIONS_H
#define BRI_TEST_ALLOCATIONS_H

#include <stddef.h>

/* By this thread so far. Calls inside other shared libraries are not seen. */
static _Thread_local long allocations;

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);

void *__wrap_malloc(size_t size) {
    allocations++;
    return __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size) {
    allocations++;
    return __real_calloc(count, size);
}

void *__wrap_realloc(void *old, size_t size) {
    allocations++;
    return __real_realloc(old, size);
}

#endif
