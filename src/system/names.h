/* names.h - names of the elements of a system that has not given any: the kind and a number. */
#ifndef BRI_NAMES_H
#define BRI_NAMES_H

#include "arena.h"
#include "bristle_sim.h"

/* The names that are taken, sorted. */
typedef struct taken_names {
    const char **list;
    size_t count;
} taken_names;

/* Those that the elements of a system have; the list is NULL if there is no memory. */
taken_names names_taken(arena *memory, const bri_system *s);

enum { OWN_NAME = 64 };

/* The given name or, if there is none, the kind and the next number that is free, in room. */
const char *name_or_number(const char *given, const char *kind, int *number,
                           const taken_names *names, char room[OWN_NAME]);

/* "mass", "rotor", "point". */
const char *body_kind_name(bri_body_kind kind);

#endif
