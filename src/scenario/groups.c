/* groups.c - the elements of a scenario file and their names. */
#include "reader.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static const char *const section_names[N_SECTIONS] = {"bodies", "couplings", "contacts", "drives"};

/* Words that stand for something else, as a name of an element would. */
static const char *const reserved[] = {"ground", "energy", "t"};

/* ---- names --------------------------------------------------------------------------------- */

static int is_word(const char *s) {
    if (!isalpha((unsigned char)s[0])) return 0;
    for (size_t i = 0; s[i]; i++)
        if ((!isalnum((unsigned char)s[i]) && s[i] != '_') || i >= 63) return 0;
    return 1;
}

static void check_name(reader *r, const node *n, const char *name) {
    int count;
    const bri_param *top = bri_scenario_keys("", &count);
    if (!is_word(name))
        report(r, n, BRI_BAD_VALUE,
               "'%.70s' is no name: letters, digits and _, a letter first, at most 63", name);
    for (size_t i = 0; i < sizeof reserved / sizeof *reserved; i++)
        if (strcmp(name, reserved[i]) == 0)
            report(r, n, BRI_BAD_VALUE, "the name '%s' is reserved", name);
    for (int i = 0; i < count; i++)
        if (strcmp(name, top[i].name) == 0)
            report(r, n, BRI_BAD_VALUE, "the name '%s' is reserved", name);
}

/* What an element of a list is called if it does not say: its kind. */
static const char *kind_name(const group *g) {
    for (const node *n = g->at->first; n && g->section == COUPLINGS; n = n->next)
        if (bri_coupling_find(n->key)) return n->key;
    if (g->section == DRIVES) return node_get(g->at, "torque") ? "torque" : "force";
    return g->section == CONTACTS ? "contact" : "coupling";
}

/* Of the same name bodies first, then by line. */
static int by_name(const void *a, const void *b) {
    const group *g = *(group *const *)a, *h = *(group *const *)b;
    int order = strcmp(g->name ? g->name : "", h->name ? h->name : "");
    if (!order) order = (int)g->section - (int)h->section;
    if (!order) order = (g->at->key_line > h->at->key_line) - (g->at->key_line < h->at->key_line);
    return order ? order : (g > h) - (g < h);
}

/* The first of that name. */
group *find_group(const reader *r, const char *name) {
    int low = 0, high = r->s->n_groups;
    while (low < high) {
        int middle = (low + high) / 2;
        const char *there = r->by_name[middle]->name;
        if (strcmp(there ? there : "", name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    group *g = low < r->s->n_groups ? r->by_name[low] : NULL;
    return g && g->name && strcmp(g->name, name) == 0 ? g : NULL;
}

/* Nonzero if an end stands for each body of an array: "block", "block.next", "block.above". */
static int names_each(const reader *r, const node *n) {
    char name[64];
    size_t length = n->kind == NODE_SCALAR ? strcspn(n->text, ".") : sizeof name;
    if (length >= sizeof name) return 0;
    memcpy(name, n->text, length);
    name[length] = '\0';
    const group *g = find_group(r, name);
    const char *which = n->text + length;
    return g && g->section == BODIES && node_get(g->at, "repeat") && strcmp(which, ".first") != 0 &&
           strcmp(which, ".last") != 0;
}

/* Nonzero if an element is an array, as far as can be said before it is read. */
static int is_array(const reader *r, const group *g) {
    if (g->section == BODIES) return node_get(g->at, "repeat") != NULL;
    for (const node *n = g->at->first; n; n = n->next) {
        if (n->kind == NODE_SCALAR && n->key && strcmp(n->key, "on") == 0 && names_each(r, n))
            return 1;
        for (const node *end = n->kind == NODE_LIST ? n->first : NULL; end; end = end->next)
            if (names_each(r, end)) return 1;
    }
    return 0;
}

/* The names that elements of one kind have got. */
typedef struct named {
    const char *kind;
    int used;
    int taken; /* nonzero: some element is called by the kind and a number, as a member would be */
    int array; /* nonzero: the one that is called by the kind alone is an array */
} named;

static named *names_of(const reader *r, const char *kind, named *all, int most) {
    int k = 0;
    while (k < most - 1 && all[k].kind && strcmp(all[k].kind, kind) != 0) k++;
    if (all[k].kind) return &all[k];
    const group *first = find_group(r, kind);
    all[k] = (named){.kind = kind, .array = first && is_array(r, first)};
    for (int i = 0; i < r->s->n_groups; i++) {
        const char *name = r->s->groups[i].name;
        size_t length = strlen(kind);
        if (name && strncmp(name, kind, length) == 0 && isdigit((unsigned char)name[length]))
            all[k].taken = 1;
    }
    return &all[k];
}

/* Name what has none: "spring", "spring2", ...; names that are taken are left out, and names that a
 * member of an array has or could have: beside an array "spring" there is "spring_2", and a second
 * array is "spring_2_", of "spring_2_1" and so on. */
static void name_the_rest(reader *r) {
    named all[32] = {{0}};
    for (int i = 0; i < r->s->n_groups; i++) {
        group *g = &r->s->groups[i];
        if (g->name) continue;
        named *of = names_of(r, kind_name(g), all, 32);
        int array = is_array(r, g);
        char name[80];
        do {
            int number = ++of->used, first = number == 1 && !(array && of->taken);
            if (first) of->array |= array;
            snprintf(name, sizeof name,
                     first       ? "%.60s"
                     : array     ? "%.60s_%d_"
                     : of->array ? "%.60s_%d"
                                 : "%.60s%d",
                     of->kind, number);
        } while (find_group(r, name));
        char *copy = ARENA_NEW(r->memory, char, strlen(name) + 1);
        if (!copy) {
            report_memory(r);
            return;
        }
        strcpy(copy, name);
        g->at->name = copy;
    }
    for (int i = 0; i < r->s->n_groups; i++)
        if (!r->s->groups[i].name) r->s->groups[i].name = r->s->groups[i].at->name;
}

static void check_twins(reader *r) {
    for (int i = 1; i < r->s->n_groups; i++) {
        const group *g = r->by_name[i - 1], *h = r->by_name[i];
        if (!g->name || !h->name || strcmp(g->name, h->name) != 0) continue;
        report(r, h->at, BRI_BAD_VALUE, "the name '%s' is taken, in line %d", h->name,
               g->at->key_line);
    }
}

void check_members(reader *r) {
    for (int i = 0; i < r->s->n_groups; i++) {
        const group *g = &r->s->groups[i];
        size_t all = strlen(g->name), length = all;
        while (length > 0 && isdigit((unsigned char)g->name[length - 1])) length--;
        if (length == all || g->name[length] == '0' || all - length > 8) continue;
        char stem[64];
        snprintf(stem, sizeof stem, "%.*s", (int)length, g->name);
        const group *array = find_group(r, stem);
        if (array && array->array && atoi(g->name + length) <= array->count)
            report(r, g->at, BRI_BAD_VALUE, "the name '%s' is taken, by the array '%s' in line %d",
                   g->name, stem, array->at->key_line);
    }
}

const char **member_names(reader *r, const group *g) {
    size_t room = strlen(g->name) + 9;
    const char **names = ARENA_NEW(r->memory, const char *, g->count + 1);
    char *text = g->array ? ARENA_NEW(r->memory, char, (size_t)g->count *room + 1) : NULL;
    if (!names || (g->array && !text)) {
        report_memory(r);
        return NULL;
    }
    for (int i = 0; i < g->count; i++) {
        names[i] = g->name;
        if (!g->array) continue;
        snprintf(text, room, "%s%d", g->name, i + 1);
        names[i] = text;
        text += room;
    }
    return names;
}

/* ---- the tree ------------------------------------------------------------------------------ */

/* The list or map of a section, NULL if there is none or it is neither. */
static node *section_of(reader *r, const node *root, section s) {
    node *n = node_get(root, section_names[s]);
    if (!n || n->kind == NODE_MAP || (n->kind == NODE_LIST && s != BODIES)) return n;
    if (n->kind == NODE_SCALAR && !n->text[0]) return NULL; /* a key with nothing behind it */
    want_map(r, n, s == BODIES ? "name: {...}" : "name: {...}, or a list of {...}");
    return NULL;
}

static void add_group(reader *r, node *n, section s) {
    static const char *const shape[N_SECTIONS] = {
        "{mass: ...}", "{spring: [a, b], ...}", "{between: [a, b], ...}", "{force: ..., on: ...}"};
    if (!want_map(r, n, shape[s])) return;
    group *g = &r->s->groups[r->s->n_groups++];
    *g = (group){.section = s, .at = n, .name = n->key, .count = 1};
    const node *name = node_get(n, "name");
    n->name = NULL;
    if (n->key && name && s != BODIES) {
        report(r, name, BRI_BAD_VALUE, "the name is already '%.60s', the key", n->key);
    } else if (name && s != BODIES && want_text(r, name, "a name")) {
        g->name = n->name = name->text;
        check_name(r, name, name->text);
    }
    if (n->key) check_name(r, n, n->key);
}

int find_groups(reader *r, const node *root) {
    size_t total = 0;
    node *in[N_SECTIONS];
    for (int s = 0; s < N_SECTIONS; s++) {
        in[s] = section_of(r, root, (section)s);
        total += in[s] ? (size_t)in[s]->count : 0;
    }
    r->s->n_groups = 0;
    r->s->groups = ARENA_NEW(r->memory, group, total + 1);
    r->by_name = ARENA_NEW(r->memory, group *, total + 1);
    if (!r->s->groups || !r->by_name) {
        report_memory(r);
        return 0;
    }
    for (int s = 0; s < N_SECTIONS; s++) {
        for (node *n = in[s] ? in[s]->first : NULL; n; n = n->next) add_group(r, n, (section)s);
        r->s->section_end[s] = r->s->n_groups;
    }
    for (int round = 0; round < 2; round++) { /* the second one with all names */
        for (int i = 0; i < r->s->n_groups; i++) r->by_name[i] = &r->s->groups[i];
        qsort(r->by_name, (size_t)r->s->n_groups, sizeof *r->by_name, by_name);
        if (round == 0) name_the_rest(r);
    }
    check_twins(r);
    return r->status != BRI_NO_MEMORY;
}
