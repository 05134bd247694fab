/* names.c - see names.h. */
#include "names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int by_text(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void collect(taken_names *names, const char *name) {
    if (name && *name) names->list[names->count++] = name;
}

taken_names names_taken(arena *memory, const bri_system *s) {
    size_t most =
        (size_t)s->n_bodies + (size_t)s->n_contacts + (size_t)s->n_couplings + (size_t)s->n_drives;
    taken_names names = {ARENA_NEW(memory, const char *, most), 0};
    if (!names.list) return names;
    for (int i = 0; i < s->n_bodies; i++) collect(&names, s->bodies[i].name);
    for (int i = 0; i < s->n_contacts; i++) collect(&names, s->contacts[i].name);
    for (int i = 0; i < s->n_couplings; i++) collect(&names, s->couplings[i].name);
    for (int i = 0; i < s->n_drives; i++) collect(&names, s->drives[i].name);
    qsort(names.list, names.count, sizeof *names.list, by_text);
    return names;
}

static int is_taken(const taken_names *names, const char *name) {
    return names->count && bsearch(&name, names->list, names->count, sizeof name, by_text);
}

const char *name_or_number(const char *given, const char *kind, int *number,
                           const taken_names *names, char room[OWN_NAME]) {
    if (given && *given) return given;
    do snprintf(room, OWN_NAME, "%.40s%d", kind, ++*number);
    while (is_taken(names, room));
    return room;
}

const char *body_kind_name(bri_body_kind kind) {
    static const char *const names[] = {
        [BRI_MASS] = "mass", [BRI_ROTOR] = "rotor", [BRI_POINT] = "point"};
    return names[kind];
}
