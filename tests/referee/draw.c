/* draw.c - rig i of a seed. */
#include "draw.h"
#include "laws.h"

#include <math.h>
#include <string.h>

/* Every law as often as the others, those that are used most twice as often. */
static int draw_law(ref_dice *d) {
    static const char *const more[] = {"lugre", "lugre", "elasto_plastic", "stribeck", "dahl"};
    int i = ref_pick(d, ref_law_count + 5);
    return i < ref_law_count ? i : ref_law_find(more[i - ref_law_count]);
}

void ref_rig_draw(ref_rig *r, unsigned long seed, long i) {
    ref_maker m = {.r = r, .top = 2.0};
    m.dice.state = seed * 0x9e3779b97f4a7c15u + (uint64_t)i * 0xd1342543de82ef95u;
    memset(r, 0, sizeof *r);
    ref_unit(&m.dice);
    m.dice.state = (uint64_t)(ref_unit(&m.dice) * 0x1p53); /* far from that of the next rig */
    const ref_kind *kind = &ref_kinds[ref_pick(&m.dice, ref_kind_count)];
    m.use.law = draw_law(&m.dice);
    r->kind = kind->name;
    r->end = m.use.time = ref_spread(&m.dice, 0.3, 10.0);
    m.use.mass = ref_spread(&m.dice, 0.1, 100.0);
    m.use.load = fmin(fmax(9.81 * m.use.mass * ref_spread(&m.dice, 0.1, 10.0), 1.0), 1000.0);
    m.use.loaded = ref_chance(&m.dice, 0.5);
    m.omega = ref_spread(&m.dice, 5.0, 60.0) / r->end;
    ref_draw_levels(&m.dice, &m.use);
    kind->make(&m);
    if (kind->trailer && ref_chance(&m.dice, 0.25)) ref_add_trailer(&m);
    r->speed = m.use.speed;
    r->length = m.use.speed * r->end / 10.0;
    snprintf(r->title, sizeof r->title, "referee rig %ld of seed %lu, %s, %s", i, seed, r->kind,
             ref_laws[r->contact[0].law].name);
}
