/* loads.c - reaction loads: in which order they can be found, and what they consist of. */
#include "network.h"
#include <string.h>

/* Numbers sorted into bins: those of bin k are item[start[k]] ... item[start[k + 1] - 1]. */
typedef struct bins {
    int *start, *item;
} bins;

static bins bins_of(arena *memory, int n_bins, int count) {
    return (bins){ARENA_NEW(memory, int, n_bins + 2), ARENA_NEW(memory, int, count + 1)};
}

/* Sort the contacts by their body a or b; the ground's are left out. */
static bins by_body(arena *memory, const bri_system *s, int below) {
    bins b = bins_of(memory, s->n_bodies, s->n_contacts);
    if (!b.start || !b.item) return (bins){0};
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < s->n_contacts; i++) {
            int body = below ? s->contacts[i].b : s->contacts[i].a;
            if (body == BRI_GROUND) continue;
            if (round == 0)
                b.start[body + 2]++;
            else
                b.item[b.start[body + 1]++] = i;
        }
        for (int k = 0; round == 0 && k < s->n_bodies; k++) b.start[k + 2] += b.start[k + 1];
    }
    return b;
}

/* Sort the couplings that lie in the plane by their vertical coordinates; the entries are
 * link * 4 + row. */
static bins by_height(network *net) {
    int rows = 0;
    for (int j = 0; j < net->n_links; j++) rows += net->links[j].width == 4 ? 2 : 0;
    bins b = bins_of(&net->memory, net->n_all, rows);
    if (!b.start || !b.item) return (bins){0};
    for (int round = 0; round < 2; round++) {
        for (int j = 0; j < net->n_links; j++)
            for (int r = 2; r < net->links[j].width; r++) {
                int at = net->links[j].at[r];
                if (round == 0)
                    b.start[at + 2]++;
                else
                    b.item[b.start[at + 1]++] = 4 * j + r;
            }
        for (int k = 0; round == 0 && k < net->n_all; k++) b.start[k + 2] += b.start[k + 1];
    }
    return b;
}

/* Put the contacts in an order in which every load can be found: one whose load is a reaction
 * after those that rest on its upper body. 0 if they rest on each other. */
static int order_loads(network *net, const bri_system *s, const bins *above, const bins *upper) {
    int done = 0, *waits = ARENA_NEW(&net->memory, int, s->n_contacts + 1);
    if (!waits) return 1;
    for (int i = 0; i < s->n_contacts; i++) {
        int a = s->contacts[i].a;
        if (s->contacts[i].load == BRI_LOAD_REACTION)
            for (int k = above->start[a]; k < above->start[a + 1]; k++)
                waits[i] += above->item[k] != i;
        if (waits[i] == 0) net->order[done++] = i;
    }
    for (int next = 0; next < done; next++) {
        int i = net->order[next], b = s->contacts[i].b;
        if (b == BRI_GROUND) continue;
        for (int k = upper->start[b]; k < upper->start[b + 1]; k++) {
            int j = upper->item[k];
            if (j == i || s->contacts[j].load != BRI_LOAD_REACTION) continue;
            if (--waits[j] == 0) net->order[done++] = j;
        }
    }
    return done == s->n_contacts;
}

/* Which contacts and which entries of which links a reaction load consists of. */
static void collect_load(network *net, const bri_system *s, int i, const bins *above,
                         const bins *height) {
    touch *c = &net->touches[i];
    if (c->load != BRI_LOAD_REACTION) return;
    int a = s->contacts[i].a, terms = 0;
    c->above = ARENA_NEW(&net->memory, int, above->start[a + 1] - above->start[a]);
    for (int k = above->start[a]; c->above && k < above->start[a + 1]; k++)
        if (above->item[k] != i) {
            c->above[c->n_above++] = above->item[k];
            terms += net->touches[above->item[k]].n_terms;
        }
    int first = height->start[c->normal], last = height->start[c->normal + 1];
    c->terms = ARENA_NEW(&net->memory, load_term, terms + 4 * (last - first));
    if (!c->terms) return;
    for (int k = first; k < last; k++) {
        int j = height->item[k] / 4, r = height->item[k] % 4;
        const link *l = &net->links[j];
        for (int col = 0; col < l->width; col++)
            c->terms[c->n_terms++] =
                (load_term){.at = l->at[col], .link = j, .entry = r * l->width + col};
    }
    for (int j = 0; j < c->n_above; j++) {
        const touch *on = &net->touches[c->above[j]];
        if (on->n_terms > 0)
            memcpy(c->terms + c->n_terms, on->terms, sizeof *c->terms * (size_t)on->n_terms);
        c->n_terms += on->n_terms;
    }
    for (int j = 0; j < c->n_terms; j++) { /* free coordinates first */
        load_term term = c->terms[j];
        if (network_root(net, term.at) >= net->n_free) continue;
        c->terms[j] = c->terms[c->n_moving];
        c->terms[c->n_moving++] = term;
    }
}

int network_find_loads(network *net, const bri_system *s) {
    int any = 0;
    for (int i = 0; i < s->n_contacts; i++) {
        net->order[i] = i;
        any |= s->contacts[i].load == BRI_LOAD_REACTION;
    }
    net->n_order = s->n_contacts;
    if (!any) return 1;
    bins above = by_body(&net->memory, s, 1), upper = by_body(&net->memory, s, 0);
    bins height = by_height(net);
    if (!above.start || !upper.start || !height.start) return 1;
    if (!order_loads(net, s, &above, &upper)) return 0;
    for (int i = 0; i < s->n_contacts; i++) collect_load(net, s, net->order[i], &above, &height);
    return 1;
}
