/* varying.c - forces, loads, tensions and parameters that are functions of time and motion. */
#include "network.h"
#include <math.h>

/* ---- find ---------------------------------------------------------------------------------- */

static formula *add(network *net, const bri_system *s, const bri_function *f, const char *name) {
    formula *to = &net->formulas[net->n_formulas++];
    formula_create(net, to, s, f, name);
    return to;
}

/* The formulas that the load of a contact depends on: its own, or those of contacts on top. */
static int count_loads(const network *net, const touch *c) {
    int count = c->load_by != NULL;
    for (int i = 0; i < c->n_above; i++) count += count_loads(net, &net->touches[c->above[i]]);
    return count;
}

static void list_loads(const network *net, const touch *c, touch *of) {
    if (c->load_by) of->varies[of->n_varies++] = (vary){.f = c->load_by, .which = -1};
    for (int i = 0; i < c->n_above; i++) list_loads(net, &net->touches[c->above[i]], of);
}

static void find_varies(network *net, const bri_system *s, touch *c, const bri_contact *of) {
    arena *memory = &net->memory;
    int count = of->n_varying + count_loads(net, c);
    if (count == 0) return;
    c->varies = ARENA_NEW(memory, vary, count);
    if (!c->varies) return;
    for (int i = 0; i < of->n_varying; i++)
        c->varies[c->n_varies++] =
            (vary){.f = add(net, s, &of->varying[i].by, of->name), .which = of->varying[i].param};
    list_loads(net, c, c);
    for (int i = 0; i < c->n_varies; i++) {
        vary *v = &c->varies[i];
        v->jac = ARENA_NEW(memory, double, 1 + c->count);
        v->gain = ARENA_NEW(memory, double, c->count + 1);
        v->slot = ARENA_NEW(memory, long, 2 * v->f->n_at + 1);
        v->slot_by = ARENA_NEW(memory, double, 2 * v->f->n_at + 1);
    }
}

/* Vertical pulls that change with time by themselves, on the body on top of a contact. */
static void find_pulls(network *net, touch *c) {
    int count = 0;
    for (int round = 0; round < 2; round++) {
        c->n_pulls = 0;
        for (int i = 0; c->load == BRI_LOAD_REACTION && i < net->n_links; i++)
            for (int row = 2; net->links[i].by && row < net->links[i].width; row++)
                if (net->links[i].at[row] == c->normal) {
                    if (c->pulls) c->pulls[c->n_pulls] = (link_row){i, row};
                    c->n_pulls++;
                }
        count = c->n_pulls;
        if (round == 0 && count > 0) c->pulls = ARENA_NEW(&net->memory, link_row, count);
        if (count == 0 || !c->pulls) return;
    }
}

void network_find_formulas(network *net, const bri_system *s) {
    size_t count = 0;
    for (int i = 0; i < s->n_couplings; i++) count += s->couplings[i].tension != NULL;
    for (int i = 0; i < s->n_drives; i++) count += s->drives[i].by != NULL;
    for (int i = 0; i < s->n_contacts; i++)
        count += (size_t)s->contacts[i].n_varying + (s->contacts[i].load == BRI_LOAD_FUNCTION);
    if (count == 0) return;
    net->formulas = ARENA_NEW(&net->memory, formula, count);
    net->now = ARENA_NEW(&net->memory, double, 1);
    if (net->memory.failed) return;
    for (int i = 0; i < s->n_couplings; i++)
        if (s->couplings[i].tension)
            net->links[i].by = add(net, s, s->couplings[i].tension, s->couplings[i].name);
    for (int i = 0; i < s->n_drives; i++) {
        push *p = &net->pushes[i];
        if (!s->drives[i].by) continue;
        p->by = add(net, s, s->drives[i].by, s->drives[i].name);
        p->slot = ARENA_NEW(&net->memory, long, p->by->n_at + 1);
        p->slot_by = ARENA_NEW(&net->memory, double, p->by->n_at + 1);
    }
    for (int i = 0; i < s->n_contacts; i++)
        if (s->contacts[i].load == BRI_LOAD_FUNCTION)
            net->touches[i].load_by = add(net, s, s->contacts[i].n_by, s->contacts[i].name);
    for (int i = 0; i < s->n_contacts && !net->memory.failed; i++) {
        find_varies(net, s, &net->touches[i], &s->contacts[i]);
        find_pulls(net, &net->touches[i]);
    }
}

/* ---- evaluation ---------------------------------------------------------------------------- */

void touch_vary(network *net, touch *c, int slopes) {
    for (int i = 0; i < c->n_varies; i++) {
        const vary *v = &c->varies[i];
        if (v->which < 0) continue;
        const bri_param *row = &c->model->params[v->which];
        double p = (slopes ? formula_slopes : formula_value)(net, v->f);
        c->p[v->which] = fmin(fmax(p, row->min), row->max); /* NaN: the smallest */
    }
}

/* ---- linearisation ------------------------------------------------------------------------- */

/* d(F, dz)/dp of the parameters that vary; none where one is kept at the end of its range. */
static void parameter_slopes(const network *net, touch *c, const double *z) {
    double D[(1 + BRI_MAX_STATES) * BRI_MAX_PARAMS];
    bri_input u = touch_input(net, c);
    bri_model_params_jac(c->model, c->p, &u, z, D);
    for (int k = 0; k < c->n_varies; k++) {
        vary *v = &c->varies[k];
        if (v->which < 0) continue;
        const bri_param *row = &c->model->params[v->which];
        int inside = v->f->value >= row->min && v->f->value <= row->max;
        for (int i = 0; i <= c->count; i++)
            v->jac[i] = inside ? D[i * c->model->n_params + v->which] : 0.0;
    }
}

static void load_slopes(const touch *c, vary *v) {
    int width = 3 + c->count;
    for (int i = 0; i <= c->count; i++) v->jac[i] = c->N > 0.0 ? c->jac[i * width + 2] : 0.0;
}

void network_linearise_formulas(network *net, const double *y) {
    const double *z = y + 2 * net->n_free;
    for (int i = 0; i < net->n_order; i++) {
        touch *c = &net->touches[net->order[i]];
        int any = 0;
        for (int k = 0; k < c->n_varies; k++) {
            if (c->varies[k].which < 0)
                load_slopes(c, &c->varies[k]);
            else
                any = 1;
        }
        if (any) parameter_slopes(net, c, z + c->first);
    }
}

/* ---- switches ------------------------------------------------------------------------------ */

static double sign_of(double g) { return g > 0.0 ? 1.0 : g < 0.0 ? -1.0 : 0.0; }

void network_set_sides(network *net, double t, const double *y) {
    double g[BRI_FUNCTION_SWITCHES];
    if (net->n_formulas == 0) return;
    for (int i = 0; i < net->n_formulas; i++)
        for (int k = 0; k < net->formulas[i].f.n_switches; k++) net->formulas[i].side[k] = 0.0;
    for (int i = 0; i < net->n_touches; i++) net->touches[i].lift_side = 0.0;
    network_forces(net, t, y); /* finds the arguments of all */
    for (int i = 0; i < net->n_formulas; i++) {
        formula *f = &net->formulas[i];
        formula_switches(f, g);
        for (int k = 0; k < f->f.n_switches; k++) f->side[k] = sign_of(g[k]);
    }
    for (int i = 0; i < net->n_touches; i++) {
        touch *c = &net->touches[i];
        if (c->load_by && isfinite(c->n_least))
            c->lift_side = sign_of(c->load_by->value - c->n_least);
    }
}

/* Place all coordinates, and the lengths of couplings whose tensions are formulas. */
static void place_tensions(network *net, double t, const double *y) {
    network_place(net, t, y);
    for (int i = 0; i < net->n_links; i++) {
        link *l = &net->links[i];
        if (!l->by) continue;
        network_stretch s = network_stretch_of(net, l);
        l->by->L = s.L;
        l->by->rate = s.rate;
    }
}

double network_pace(network *net, double t, const double *y) {
    double most = 0.0;
    int placed = 0;
    for (int i = 0; i < net->n_formulas; i++) {
        formula *f = &net->formulas[i];
        if (!f->f.pace) continue;
        if (!placed++) place_tensions(net, t, y);
        formula_gather(f);
        most = fmax(most, formula_pace(net, f));
    }
    return most;
}
