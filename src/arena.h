/* arena.h - memory that is taken piece by piece and given back at once. */
#ifndef BRI_ARENA_H
#define BRI_ARENA_H

#include "large.h"
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

typedef struct arena_piece {
    struct arena_piece *next;
    max_align_t data[];
} arena_piece;

typedef struct arena {
    arena_piece *pieces;
    int failed; /* nonzero: some piece could not be had */
} arena;

/* Zeroed room for count objects; NULL, and a note in the arena, if there is none. */
static inline void *arena_take(arena *a, size_t count, size_t size) {
    if (size != 0 && count > (SIZE_MAX - sizeof(arena_piece)) / size) {
        a->failed = 1;
        return NULL;
    }
    arena_piece *piece = large_calloc(1, sizeof *piece + count * size);
    if (!piece) {
        a->failed = 1;
        return NULL;
    }
    piece->next = a->pieces;
    a->pieces = piece;
    return piece->data;
}

#define ARENA_NEW(arena, type, count) ((type *)arena_take((arena), (size_t)(count), sizeof(type)))

static inline void arena_free(arena *a) {
    for (arena_piece *piece = a->pieces, *next; piece; piece = next) {
        next = piece->next;
        free(piece);
    }
    a->pieces = NULL;
}

#endif
