/* memory.c - a simulation as a piece of memory: copies, and going back.
 *
 * All that a simulation consists of lies in a few regions: its own struct, that of its network, and
 * the blocks of three arenas. They are saved as they are, with the addresses where they were; going
 * back puts them there again. In a copy, which the same calls have made, they lie elsewhere in the
 * same order: what was a pointer into one of them, and is one in the copy, becomes a pointer to the
 * same place of the copy. In another process the constant data of the program lie elsewhere, too:
 * what points near a landmark among them is moved with it. Solvers of SUNDIALS keep memory that is
 * not known here, and are refused. */
#include "tangent.h"

#include <string.h>

typedef struct region {
    char *start;
    size_t size;
} region;

/* What stands before the saved bytes, followed by the list of the regions. */
typedef struct head {
    uint64_t kind;     /* what this is, and of which layout */
    uint64_t head_sum; /* of this, with 0 here */
    uint64_t sum;      /* of all that follows */
    const bri_sim *from;
    const void *family;   /* of that simulation */
    const char *landmark; /* in that process */
    uint64_t shape;       /* of its definition */
    size_t count;         /* regions */
    size_t bytes;         /* in all */
} head;

/* Constant data of the program lie around it. */
static const char landmark[] = "bristle";

/* FNV-1a with eight bytes at a time; a multiple of eight. */
static uint64_t sum_of(const char *from, size_t bytes) {
    uint64_t sum = 0xcbf29ce484222325u, word;
    for (size_t at = 0; at < bytes; at += sizeof word) {
        memcpy(&word, from + at, sizeof word);
        sum = (sum ^ word) * 0x100000001b3u;
        sum ^= sum >> 29;
    }
    return sum;
}

static uint64_t head_sum_of(head h) {
    h.head_sum = 0;
    return sum_of((const char *)&h, sizeof h);
}

/* Whatever is saved by a library with other structs is not of this kind. */
static uint64_t kind_of_memory(void) {
    return 0x627269736d656d32u ^ (uint64_t)sizeof(bri_sim) << 40 ^ (uint64_t)sizeof(network) << 16 ^
           (uint64_t)sizeof(touch);
}

enum { STRUCTS = 2, ARENAS = 3 };

/* Where everything is: two structs and three arenas. */
typedef struct parts {
    region structs[STRUCTS];
    arena arenas[ARENAS];
} parts;

static parts parts_of(bri_sim *sim) {
    return (parts){{{(char *)sim, sizeof *sim}, {(char *)sim->net, sizeof *sim->net}},
                   {sim->own, sim->memory, sim->net->memory}};
}

/* Where one is in the walk over the regions in use. */
typedef struct walk {
    int stage;
    const arena_block *block;
} walk;

static int next_region(const parts *p, walk *w, region *to) {
    if (w->stage < STRUCTS) {
        *to = p->structs[w->stage++];
        return 1;
    }
    while (w->stage < STRUCTS + ARENAS) {
        const arena *a = &p->arenas[w->stage - STRUCTS];
        w->block = w->block == a->last ? NULL : w->block ? w->block->next : a->blocks;
        if (w->block && a->last) {
            *to = (region){w->block->start, w->block->size};
            return 1;
        }
        w->block = NULL;
        w->stage++;
    }
    return 0;
}

static size_t aligned(size_t size) {
    return (size + sizeof(max_align_t) - 1) / sizeof(max_align_t) * sizeof(max_align_t);
}

static head head_of(bri_sim *sim) {
    head h = {.kind = kind_of_memory(),
              .from = sim,
              .family = sim->family,
              .landmark = landmark,
              .shape = sim_shape(sim)};
    parts p = parts_of(sim);
    walk w = {0};
    region r;
    while (next_region(&p, &w, &r)) {
        h.count++;
        h.bytes += aligned(r.size);
    }
    h.bytes += aligned(sizeof h) + aligned(h.count * sizeof r);
    return h;
}

size_t bri_sim_size(bri_sim *sim) {
    if (sim->solver->foreign) return 0;
    sim_renew(sim, NULL);
    return head_of(sim).bytes;
}

void bri_sim_save(bri_sim *sim, void *to) {
    if (sim->solver->foreign) return;
    sim_renew(sim, NULL);
    head h = head_of(sim);
    char *list = (char *)to + aligned(sizeof h), *data = list + aligned(h.count * sizeof(region));
    parts p = parts_of(sim);
    walk w = {0};
    region r;
    memset((char *)to + sizeof h, 0, (size_t)(data - (char *)to) - sizeof h);
    for (; next_region(&p, &w, &r); list += sizeof r, data += aligned(r.size)) {
        memcpy(list, &r, sizeof r);
        memcpy(data, r.start, r.size);
        memset(data + r.size, 0, aligned(r.size) - r.size);
    }
    h.sum = sum_of((char *)to + sizeof h, h.bytes - sizeof h);
    h.head_sum = head_sum_of(h);
    memcpy(to, &h, sizeof h);
}

/* ---- back ------------------------------------------------------------------------------------ */

/* Saved regions, and those of the simulation that takes their place. */
typedef struct pairing {
    const region *old;
    size_t count;
    bri_sim *sim;
    uintptr_t landmark; /* where it was */
    parts now;
} pairing;

/* No program has more bytes of constant data on one side of the landmark, and none below; ours are
 * nearer to each other. */
enum { AROUND = 1 << 28, NEAR = 1 << 24, LOWEST = 1 << 16 };

static int within(uintptr_t word, uintptr_t mark, uintptr_t reach) {
    return word >= LOWEST && word - mark + reach < 2u * reach;
}

/* Nonzero: a saved word points to constant data. Where the simulation has the same bits, they are
 * right as they are: a number, or what an int leaves of its word, which may look like an address.
 * Where it has the same place of the data, there is no doubt; else they are near the landmark. */
static int is_constant(const pairing *p, uintptr_t word, uintptr_t present, uintptr_t mark) {
    if (word == present) return 0;
    if (within(word, p->landmark, AROUND) && word - p->landmark == present - mark) return 1;
    return within(word, p->landmark, NEAR);
}

/* The place in the simulation that a saved pointer stands for; 0 if it is none. */
static uintptr_t moved(const pairing *p, uintptr_t word) {
    walk w = {0};
    region now;
    for (size_t i = 0; i < p->count && next_region(&p->now, &w, &now); i++) {
        uintptr_t start = (uintptr_t)p->old[i].start;
        if (word >= start && word - start <= p->old[i].size && word - start <= now.size)
            return (uintptr_t)now.start + (word - start);
    }
    return 0;
}

static int is_own_pointer(const pairing *p, uintptr_t word) {
    walk w = {0};
    region now;
    while (next_region(&p->now, &w, &now))
        if (word >= (uintptr_t)now.start && word - (uintptr_t)now.start <= now.size) return 1;
    return 0;
}

static void copy_region(const pairing *p, const region *to, const char *from, size_t size) {
    for (size_t at = 0; at < size; at += sizeof(uintptr_t)) {
        uintptr_t word = 0, present = 0, other;
        size_t part = size - at < sizeof word ? size - at : sizeof word;
        memcpy(&word, from + at, part);
        memcpy(&present, to->start + at, part);
        /* numbers have other bits than addresses, but for those below 1e-300 */
        if (part == sizeof word && present && is_own_pointer(p, present) &&
            (other = moved(p, word)) != 0)
            word = other;
        else if (part == sizeof word && is_constant(p, word, present, (uintptr_t)landmark))
            word += (uintptr_t)landmark - p->landmark;
        memcpy(to->start + at, &word, part);
    }
}

/* Whatever a simulation is given, its blocks stay its own, and what KLU knows. */
static void put_back(bri_sim *sim, const parts *now, const bri_sim *was, network *net, void *klu) {
    sim->variants = was->variants;
    sim->spare = was->spare;
    sim->net = net;
    sim->own = now->arenas[0];
    sim->memory = now->arenas[1];
    net->memory = now->arenas[2];
    net->matrix.klu = klu;
}

/* Regions first ... last of those saved, into those of another simulation in the same order. */
static void transplant(pairing *p, const char *data, size_t first, size_t last) {
    bri_sim was = *p->sim;
    network *net = p->sim->net;
    void *klu = net->matrix.klu;
    walk w = {0};
    region now;
    p->now = parts_of(p->sim);
    for (size_t i = 0; i < p->count && next_region(&p->now, &w, &now); i++) {
        const region *old = &p->old[i];
        size_t size = old->size < now.size ? old->size : now.size;
        if (i >= first && i < last) copy_region(p, &now, data, size);
        data += aligned(old->size);
    }
    put_back(p->sim, &p->now, &was, net, klu);
    p->sim->family = was.family;
}

/* Networks of other numbers are not saved, since they follow from the definition. */
static bri_status renew_variants(bri_sim *sim, bri_error *err) {
    if (!sim->tangent) return BRI_OK;
    sim->tangent->base = sim->variants;
    for (int k = 0; k < sim->tangent->count; k++)
        sim->tangent->by[k].d.net = sim->variants + 1 + k * VARIANTS;
    return tangent_rebuild(sim, err);
}

/* The definition first, then what is built from it has the same shape, then all of it. */
static bri_status restore_copy(pairing *p, const char *data, bri_error *err) {
    bri_sim *sim = p->sim;
    bri_contact *c = (bri_contact *)sim->def.system.contacts;
    size_t own = 0;
    for (const arena_block *b = sim->own.blocks; b; b = b->next) own++;
    transplant(p, data, STRUCTS, STRUCTS + own);
    for (int i = 0; i < sim->def.system.n_contacts; i++)
        if (c[i].z) c[i].z = sim->z_start + sim->net->touches[i].first;
    const bri_sim *old = (const bri_sim *)(const void *)data; /* the first region */
    sim->def.system.gravity = old->def.system.gravity;
    bri_status status = sim_build(sim, err);
    if (status != BRI_OK) return status;
    if (head_of(sim).count != p->count)
        return bri_fail(err, BRI_BAD_VALUE, "what was saved is of another simulation");
    transplant(p, data, 0, p->count);
    return renew_variants(sim, err);
}

/* Nonzero if a region is one of the simulation, whether in use or not. */
static int is_region(const parts *p, region r) {
    for (int i = 0; i < STRUCTS; i++)
        if (r.start == p->structs[i].start) return r.size == p->structs[i].size;
    for (int i = 0; i < ARENAS; i++)
        for (const arena_block *b = p->arenas[i].blocks; b; b = b->next)
            if (r.start == b->start) return r.size == b->size;
    return 0;
}

/* Nonzero if what was saved from the simulation itself fits where it is to go. */
static int fits(const parts *p, const char *list, size_t count) {
    for (size_t i = 0; i < count; i++) {
        region r;
        memcpy(&r, list + i * sizeof r, sizeof r);
        if (!is_region(p, r)) return 0;
    }
    return 1;
}

/* The head of what was saved, if it is whole and of this layout: nothing in it is trusted before.
 */
static bri_status check_saved(const void *from, head *h, bri_error *err) {
    if (from) memcpy(h, from, sizeof *h);
    if (!from || h->kind != kind_of_memory())
        return bri_fail(err, BRI_BAD_VALUE,
                        "this is nothing that bri_sim_save of this library has written");
    if (h->head_sum != head_sum_of(*h) ||
        h->sum != sum_of((const char *)from + sizeof *h, h->bytes - sizeof *h))
        return bri_fail(err, BRI_BAD_VALUE, "what was saved has been changed: its sum is another");
    return BRI_OK;
}

bri_status bri_sim_restore(bri_sim *sim, const void *from, bri_error *err) {
    head h;
    bri_status status = check_saved(from, &h, err);
    if (status != BRI_OK) return status;
    if (sim->solver->foreign)
        return bri_fail(err, BRI_BAD_VALUE,
                        "the solver %s keeps its history within SUNDIALS: a run with it cannot be "
                        "saved or copied; take rosenbrock",
                        sim->solver->name);
    if (h.family != sim->family || h.landmark != landmark)
        return bri_fail(err, BRI_BAD_VALUE, "what was saved is of another simulation");
    const char *list = (const char *)from + aligned(sizeof h);
    const char *data = list + aligned(h.count * sizeof(region));
    if (h.from != sim)
        return restore_copy(&(pairing){.old = (const region *)(const void *)list,
                                       .count = h.count,
                                       .sim = sim,
                                       .landmark = (uintptr_t)h.landmark},
                            data, err);
    parts now = parts_of(sim);
    bri_sim was = *sim;
    network *net = sim->net;
    void *klu = net->matrix.klu;
    if (!fits(&now, list, h.count))
        return bri_fail(err, BRI_BAD_VALUE,
                        "what was saved does not fit the memory of this simulation");
    for (size_t i = 0; i < h.count; i++) {
        region r;
        memcpy(&r, list + i * sizeof r, sizeof r);
        memcpy(r.start, data, r.size);
        data += aligned(r.size);
    }
    put_back(sim, &now, &was, net, klu);
    return renew_variants(sim, err);
}

bri_status bri_sim_revive(bri_sim *sim, const void *from, size_t size, bri_error *err) {
    head h;
    if (from && size >= sizeof h) memcpy(&h, from, sizeof h);
    if (!from || size < sizeof h || h.bytes != size || h.count > size / sizeof(region))
        return bri_fail(err, BRI_BAD_VALUE, "this is nothing that bri_sim_save has written");
    bri_status status = check_saved(from, &h, err);
    if (status != BRI_OK) return status;
    const char *list = (const char *)from + aligned(sizeof h);
    pairing p = {.old = (const region *)(const void *)list,
                 .count = h.count,
                 .sim = sim,
                 .landmark = (uintptr_t)h.landmark};
    if (sim->solver->foreign || h.shape != sim_shape(sim))
        return bri_fail(err, BRI_BAD_VALUE, "what was saved is of another definition");
    return restore_copy(&p, list + aligned(h.count * sizeof(region)), err);
}

bri_status bri_sim_copy(bri_sim *sim, bri_sim **out, bri_error *err) {
    *out = NULL;
    bri_status status = sim_renew(sim, err);
    if (status != BRI_OK) return status;
    if (sim->solver->foreign && sim->begun)
        return bri_fail(err, BRI_BAD_VALUE,
                        "the solver %s keeps its history within SUNDIALS: a run with it cannot be "
                        "copied once it has begun; take rosenbrock",
                        sim->solver->name);
    status = bri_sim_create(&sim->def, out, err);
    if (status != BRI_OK || sim->solver->foreign) return status;
    (*out)->family = sim->family;
    void *saved = malloc(bri_sim_size(sim));
    if (saved) {
        bri_sim_save(sim, saved);
        status = bri_sim_restore(*out, saved, err);
        free(saved);
    } else {
        status = bri_fail(err, BRI_NO_MEMORY, "not enough memory for a copy");
    }
    if (status == BRI_OK) return BRI_OK;
    bri_sim_free(*out);
    *out = NULL;
    return status;
}
