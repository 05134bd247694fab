/* arena.h - memory that is taken piece by piece and given back at once. Small pieces are cut from
 * common blocks; under a sanitizer each is a block of its own, so that it sees where one ends. */
#ifndef BRI_ARENA_H
#define BRI_ARENA_H

#include "large.h"
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ARENA_BLOCK 0
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define ARENA_BLOCK 0
#elif !defined(ARENA_BLOCK)
#define ARENA_BLOCK 4096
#endif

typedef struct arena_block {
    struct arena_block *next;
    char *start; /* of what it holds, at the beginning of a cache line */
    size_t size;
    max_align_t data[];
} arena_block;

typedef struct arena {
    arena_block *blocks; /* in the order in which they were taken */
    arena_block *last;   /* of those in use; the others are left from before a rewind */
    char *rest;          /* of the block that small pieces are cut from */
    size_t rest_size;
    int failed; /* nonzero: some piece could not be had */
} arena;

/* A block of the arena, zeroed or not: the next one left over if it is large enough, so that the
 * same pieces after a rewind lie where they lay. */
static inline void *arena_block_new(arena *a, size_t size, int zeroed) {
    size_t whole = sizeof(arena_block) + LARGE_LINE + size;
    arena_block **place = a->last ? &a->last->next : &a->blocks, *block = *place;
    if (block && block->size >= size) {
        a->last = block;
        if (zeroed) memset(block->start, 0, size);
        return block->start;
    }
    block = whole < size ? NULL : zeroed ? large_calloc(1, whole) : malloc(whole);
    if (!block) {
        a->failed = 1;
        return NULL;
    }
    *block = (arena_block){.next = *place, .size = size};
    block->start = large_line(block->data);
    *place = a->last = block;
    return block->start;
}

/* A piece of the block in hand. */
static inline void *arena_cut(arena *a, size_t wanted) {
    void *piece = a->rest;
    a->rest += wanted;
    a->rest_size -= wanted;
    return piece;
}

/* What is too large for the block in hand, or for any. */
static inline void *arena_take_more(arena *a, size_t count, size_t size) {
    const size_t align = sizeof(max_align_t);
    if (size != 0 && count > (SIZE_MAX - 256) / size) {
        a->failed = 1;
        return NULL;
    }
    size_t wanted = (count * size + align - 1) / align * align;
    if (wanted == 0) wanted = align; /* NULL says that there is no memory */
    if (wanted > ARENA_BLOCK / 4) return arena_block_new(a, count * size, 1);
    if (wanted > a->rest_size) {
        a->rest = arena_block_new(a, ARENA_BLOCK, 1);
        a->rest_size = a->rest ? ARENA_BLOCK : 0;
        if (!a->rest) return NULL;
    }
    return arena_cut(a, wanted);
}

/* Zeroed room for count objects; NULL, and a note in the arena, if there is none. The size is known
 * where this is compiled, which leaves a few comparisons. */
static inline __attribute__((always_inline)) void *arena_take(arena *a, size_t count, size_t size) {
    const size_t align = sizeof(max_align_t);
    size_t wanted = (count * size + align - 1) / align * align;
    int small = count < ARENA_BLOCK && wanted - 1 < ARENA_BLOCK / 4; /* and not 0 */
    return small && wanted <= a->rest_size ? arena_cut(a, wanted) : arena_take_more(a, count, size);
}

#define ARENA_NEW(arena, type, count) ((type *)arena_take((arena), (size_t)(count), sizeof(type)))

/* Room that need not be zeroed, for much that may never be used. */
#define ARENA_ROOM(arena, type, count)                                                             \
    ((type *)arena_block_new((arena), (size_t)(count) * sizeof(type), 0))

/* Begin anew: all pieces are given up, their blocks stay for those to come. */
static inline void arena_rewind(arena *a) {
    a->last = NULL;
    a->rest = NULL;
    a->rest_size = 0;
    a->failed = 0;
}

static inline void arena_free(arena *a) {
    for (arena_block *block = a->blocks, *next; block; block = next) {
        next = block->next;
        free(block);
    }
    *a = (arena){0};
}

#endif
