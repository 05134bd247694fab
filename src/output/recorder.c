/* recorder.c - the columns of a run and where their values come from; their order is that of
 * columns.h. */
#include "recorder.h"

#include "columns.h"

#include "../arena.h"
#include "../fail.h"
#include "../system/names.h"
#include "bristle_tools.h"

#include <string.h>

/* What a row consists of behind the time. */
enum { BODIES, CONTACTS, COUPLINGS, ENERGIES, PARTS };

struct bri_recorder {
    int begin[PARTS + 1]; /* their first columns, of all */
    bri_body_kind *bodies;
    int *states; /* of each contact, in use */
    const char **names, **units;
    int n_bodies, n_contacts, n_couplings, n_columns;
    int heat;        /* nonzero: dissipation and work are known */
    int *kept;       /* places of the columns that were selected, or NULL: all */
    double *all;     /* room for a whole row */
    int skip[PARTS]; /* nonzero: none of that part was selected */
    arena memory;
};

/* ---- columns --------------------------------------------------------------------------------- */

static void add(bri_recorder *r, const char *who, const char *what, const char *unit) {
    size_t length = strlen(who) + strlen(what) + 2;
    char *name = ARENA_NEW(&r->memory, char, length);
    if (!name) return;
    snprintf(name, length, "%s%s%s", who, *who ? "." : "", what);
    r->names[r->n_columns] = name;
    r->units[r->n_columns++] = unit;
}

/* The unit that stands in the same place for a rotary joint. */
static const char *turned(const char *unit) {
    static const char *const pairs[][2] = {{"m", "rad"}, {"m/s", "rad/s"}, {"N", "N m"}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (strcmp(unit, pairs[i][0]) == 0) return pairs[i][1];
    return unit;
}

static const char *unit_for(int rotary, const char *unit) { return rotary ? turned(unit) : unit; }

static int is_rotor(const bri_system *s, int body) {
    return body >= 0 && body < s->n_bodies && s->bodies[body].kind == BRI_ROTOR;
}

static void add_bodies(bri_recorder *r, const bri_system *s, const taken_names *names) {
    int number[3] = {0};
    char room[OWN_NAME];
    for (int i = 0; i < s->n_bodies; i++) {
        bri_body_kind kind = r->bodies[i] = s->bodies[i].kind;
        int rotary = kind == BRI_ROTOR;
        const char *name =
            name_or_number(s->bodies[i].name, body_kind_name(kind), &number[kind], names, room);
        add(r, name, "x", unit_for(rotary, "m"));
        if (kind == BRI_POINT) {
            add(r, name, "z", "m");
            add(r, name, "vx", "m/s");
            add(r, name, "vz", "m/s");
        } else {
            add(r, name, "v", unit_for(rotary, "m/s"));
        }
    }
}

static void add_contacts(bri_recorder *r, const bri_system *s, const taken_names *names) {
    int number = 0;
    char room[OWN_NAME];
    for (int i = 0; i < s->n_contacts; i++) {
        const bri_contact *c = &s->contacts[i];
        int rotary = is_rotor(s, c->a) || is_rotor(s, c->b);
        const char *name = name_or_number(c->name, "contact", &number, names, room);
        add(r, name, "v", unit_for(rotary, "m/s"));
        add(r, name, "F", unit_for(rotary, "N"));
        add(r, name, "N", unit_for(rotary, "N"));
        add(r, name, "mode", "1");
        for (int k = 0; k < r->states[i]; k++)
            add(r, name, c->model->states[k].name, unit_for(rotary, c->model->states[k].unit));
    }
}

static void add_couplings(bri_recorder *r, const bri_system *s, const taken_names *names) {
    int *number = ARENA_NEW(&r->memory, int, bri_coupling_count() + 1);
    char room[OWN_NAME];
    for (int i = 0; number && i < s->n_couplings; i++) {
        const bri_coupling *c = &s->couplings[i];
        int kind = 0; /* a kind of the user's own counts in the last place */
        while (kind < bri_coupling_count() && bri_coupling_at(kind) != c->kind) kind++;
        int rotary = is_rotor(s, c->a) || is_rotor(s, c->b);
        add(r, name_or_number(c->name, c->kind->name, &number[kind], names, room), "F",
            unit_for(rotary, "N"));
    }
}

static void add_energies(bri_recorder *r) {
    add(r, "energy", "kinetic", "J");
    add(r, "energy", "potential", "J");
    add(r, "energy", "stored", "J");
    if (!r->heat) return;
    add(r, "energy", "dissipated", "J");
    add(r, "energy", "work", "J");
    add(r, "energy", "residual", "J");
}

/* Number of columns, and what reading them needs to know. */
static size_t count_columns(bri_recorder *r, const bri_system *s) {
    for (int i = 0; i < s->n_contacts; i++)
        r->states[i] = bri_model_states(s->contacts[i].model, s->contacts[i].p);
    return (size_t)(contact_column(s, s->n_contacts) + s->n_couplings + (r->heat ? 6 : 3));
}

static const char *missing_kind(const bri_system *s) {
    for (int i = 0; i < s->n_contacts; i++)
        if (!s->contacts[i].model) return "a contact has no law";
    for (int i = 0; i < s->n_couplings; i++)
        if (!s->couplings[i].kind) return "a coupling has no kind";
    return NULL;
}

bri_status bri_recorder_create(const bri_sim_def *def, bri_recorder **out, bri_error *err) {
    const bri_system *s = &def->system;
    const char *missing = missing_kind(s);
    *out = NULL;
    if (missing) return bri_fail(err, BRI_BAD_VALUE, "%s", missing);
    bri_recorder *r = calloc(1, sizeof *r);
    if (!r) return bri_fail(err, BRI_NO_MEMORY, "not enough memory");
    r->heat = def->energies;
    r->n_bodies = s->n_bodies;
    r->n_contacts = s->n_contacts;
    r->n_couplings = s->n_couplings;
    r->bodies = ARENA_NEW(&r->memory, bri_body_kind, s->n_bodies);
    r->states = ARENA_NEW(&r->memory, int, s->n_contacts);
    size_t count = r->states ? count_columns(r, s) : 0;
    r->names = ARENA_NEW(&r->memory, const char *, count);
    r->units = ARENA_NEW(&r->memory, const char *, count);
    taken_names names = names_taken(&r->memory, s);
    if (!r->memory.failed) {
        add(r, "", "t", "s");
        r->begin[BODIES] = r->n_columns;
        add_bodies(r, s, &names);
        r->begin[CONTACTS] = r->n_columns;
        add_contacts(r, s, &names);
        r->begin[COUPLINGS] = r->n_columns;
        add_couplings(r, s, &names);
        r->begin[ENERGIES] = r->n_columns;
        add_energies(r);
        r->begin[PARTS] = r->n_columns;
    }
    if (r->memory.failed) {
        bri_recorder_free(r);
        return bri_fail(err, BRI_NO_MEMORY, "not enough memory for the columns of the run");
    }
    *out = r;
    return BRI_OK;
}

void bri_recorder_free(bri_recorder *r) {
    if (!r) return;
    arena_free(&r->memory);
    free(r);
}

int bri_recorder_columns(const bri_recorder *r) { return r->n_columns; }

const char *bri_recorder_name(const bri_recorder *r, int column) { return r->names[column]; }

const char *bri_recorder_unit(const bri_recorder *r, int column) { return r->units[column]; }

int bri_recorder_find(const bri_recorder *r, const char *name) {
    for (int i = 0; i < r->n_columns; i++)
        if (strcmp(r->names[i], name) == 0) return i;
    return -1;
}

/* ---- selection ------------------------------------------------------------------------------- */

/* After a * that failed to match, one letter more is left to it. */
int recorder_matches(const char *pattern, size_t length, const char *name) {
    size_t p = 0, star = length, n = 0, mark = 0;
    while (name[n]) {
        if (p < length && pattern[p] == '*') {
            star = p++;
            mark = n;
        } else if (p < length && (pattern[p] == '?' || pattern[p] == name[n])) {
            p++;
            n++;
        } else if (star < length) {
            p = star + 1;
            n = ++mark;
        } else {
            return 0;
        }
    }
    while (p < length && pattern[p] == '*') p++;
    return p == length;
}

int recorder_first(const bri_recorder *r, const char *name, size_t length) {
    for (int i = 0; i < r->n_columns; i++)
        if (strlen(r->names[i]) == length && strncmp(r->names[i], name, length) == 0) return i;
    return -1;
}

bri_status recorder_no_match(const bri_recorder *r, const char *pattern, size_t length,
                             bri_error *err) {
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)(length < 60 ? length : 60), pattern);
    int plain = length > 0 && !strpbrk(name, "*?");
    const char *near = plain ? bri_nearest(name, r->names, r->n_columns) : NULL;
    if (near)
        return bri_fail(err, BRI_NOT_FOUND, "no column matches '%s'; did you mean '%s'?", name,
                        near);
    return bri_fail(err, BRI_NOT_FOUND, "no column matches '%s'", name);
}

bri_status bri_recorder_select(bri_recorder *r, const char *patterns, bri_error *err) {
    size_t n = (size_t)r->n_columns;
    char *wanted = ARENA_NEW(&r->memory, char, n);
    int *kept = ARENA_NEW(&r->memory, int, n), count = 0;
    double *all = ARENA_NEW(&r->memory, double, n);
    if (!wanted || !kept || !all)
        return bri_fail(err, BRI_NO_MEMORY, "not enough memory for the columns of the run");
    for (const char *at = patterns;;) {
        size_t length = strcspn(at, ","), found = 0;
        for (size_t i = 0; i < n; i++)
            if (recorder_matches(at, length, r->names[i])) wanted[i] = 1, found++;
        if (!found) return recorder_no_match(r, at, length, err);
        if (!at[length]) break;
        at += length + 1;
    }
    for (size_t i = 0; i < n; i++) {
        if (i > 0 && !wanted[i]) continue;
        r->names[count] = r->names[i];
        r->units[count] = r->units[i];
        kept[count++] = r->kept ? r->kept[i] : (int)i;
    }
    if (!r->all) r->all = all;
    r->kept = kept;
    r->n_columns = count;
    for (int part = 0; part < PARTS; part++) {
        r->skip[part] = 1;
        for (int i = 0; i < count; i++)
            if (kept[i] >= r->begin[part] && kept[i] < r->begin[part + 1]) r->skip[part] = 0;
    }
    return BRI_OK;
}

/* ---- reading --------------------------------------------------------------------------------- */

static void read_bodies(const bri_recorder *r, bri_sim *sim, double *row) {
    for (int i = 0; i < r->n_bodies; i++) {
        bri_body_now b = bri_sim_body(sim, i);
        *row++ = b.x;
        if (r->bodies[i] == BRI_POINT) *row++ = b.z;
        *row++ = b.v;
        if (r->bodies[i] == BRI_POINT) *row++ = b.vz;
    }
}

static void read_contacts(const bri_recorder *r, bri_sim *sim, double *row) {
    for (int i = 0; i < r->n_contacts; i++) {
        bri_contact_now c = bri_sim_contact(sim, i);
        *row++ = c.v;
        *row++ = c.F;
        *row++ = c.N;
        *row++ = c.motion;
        for (int k = 0; k < r->states[i]; k++) *row++ = c.z[k];
    }
}

static void read_couplings(const bri_recorder *r, bri_sim *sim, double *row) {
    for (int i = 0; i < r->n_couplings; i++) *row++ = bri_sim_coupling_force(sim, i);
}

static void read_energies(const bri_recorder *r, bri_sim *sim, double *row) {
    bri_energies e = bri_sim_energies(sim);
    *row++ = e.kinetic;
    *row++ = e.potential;
    *row++ = e.stored;
    if (!r->heat) return;
    *row++ = e.dissipated;
    *row++ = e.work;
    *row++ = e.residual;
}

/* All parts of which something was selected. */
static void read_all(const bri_recorder *r, bri_sim *sim, double *row) {
    static void (*const read[PARTS])(const bri_recorder *, bri_sim *, double *) = {
        read_bodies, read_contacts, read_couplings, read_energies};
    row[0] = bri_sim_time(sim);
    for (int part = 0; part < PARTS; part++)
        if (!r->skip[part]) read[part](r, sim, row + r->begin[part]);
}

void bri_recorder_read(const bri_recorder *r, bri_sim *sim, double *row) {
    if (!r->kept) {
        read_all(r, sim, row);
        return;
    }
    read_all(r, sim, r->all);
    for (int i = 0; i < r->n_columns; i++) row[i] = r->all[r->kept[i]];
}
