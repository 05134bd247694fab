/* unknowns.c - the numbers of a rig that are unknown: by their addresses, and lists of them. */
#include "identify.h"

#include "fail.h"
#include "system/numbers.h"
#include "system/unit_names.h"

#include <math.h>
#include <string.h>

/* ---- addresses ------------------------------------------------------------------------------ */

static int rotary(const id_rig *r, int a, int b) {
    return (a >= 0 && r->bodies[a].kind == BRI_ROTOR) || (b >= 0 && r->bodies[b].kind == BRI_ROTOR);
}

static void set_unit(id_unknown *u, const char *unit, int turns) {
    char room[64];
    snprintf(u->unit, sizeof u->unit, "%s",
             turns ? units_of_rotation(unit, room, sizeof room) : unit);
}

/* Where the logarithm is sought: positive numbers that may be off by decades. */
static int by_decades(const bri_param *row) {
    switch (row->role) {
    case BRI_ROLE_STIFFNESS:
    case BRI_ROLE_DEFLECTION:
    case BRI_ROLE_STRIBECK_SPEED:
    case BRI_ROLE_SLIDING_SPEED:
    case BRI_ROLE_SMOOTHING:
    case BRI_ROLE_DWELL_TIME:
    case BRI_ROLE_LAG_TIME:
    case BRI_ROLE_RELAXATION_TIME:
        return row->min > 0.0;
    case BRI_ROLE_SHAPE:
        return row->min > 0.0 && row->max / row->min > 1e5;
    default:
        return 0;
    }
}

/* What "all" leaves as it is: choices, exponents, numerical parameters. */
static int left_alone(const bri_model *m, const bri_param *row) {
    switch (row->role) {
    case BRI_ROLE_VISCOUS_EXPONENT:
    case BRI_ROLE_STRIBECK_EXPONENT:
    case BRI_ROLE_BRISTLE_EXPONENT:
    case BRI_ROLE_STICK_BAND:
    case BRI_ROLE_SIGN_BLEND:
    case BRI_ROLE_NUMBER:
    case BRI_ROLE_SEED:
    case BRI_ROLE_CHOICE:
    case BRI_ROLE_NOISE_FORCE:
    case BRI_ROLE_NOISE_FREQUENCY:
    case BRI_ROLE_NOISE_LENGTH:
        return 1;
    case BRI_ROLE_VISCOUS_PER_LOAD:
        return bri_model_role(m, BRI_ROLE_VISCOUS) >= 0;
    default:
        return row->whole;
    }
}

static bri_status add(id_unknowns *u, const id_unknown *one, bri_error *err) {
    for (int i = 0; i < u->count; i++) {
        if (u->one[i].at != one->at) continue;
        if (u->one[i].file == one->file) return BRI_OK; /* "all" has named it already */
        if (u->one[i].file >= 0) continue;
        u->one[i] = *one; /* what differs from file to file is not shared */
        return BRI_OK;
    }
    if (u->count >= ID_UNKNOWNS)
        return bri_fail(err, BRI_BAD_VALUE, "more than %d unknowns", (int)ID_UNKNOWNS);
    u->one[u->count++] = *one;
    return BRI_OK;
}

/* "pad.kv[2]": that of the second file. */
static void name_file(id_unknown *one) {
    size_t n = strlen(one->name);
    if (one->file >= 0 && n < sizeof one->name - 6)
        snprintf(one->name + n, sizeof one->name - n, "[%d]", one->file + 1);
}

static bri_status add_law(id_unknowns *u, id_rig *r, int c, int i, int file, bri_error *err) {
    bri_contact *k = &r->contacts[c];
    const bri_param *row = &k->model->params[i];
    const bri_setup *setup = bri_scenario_setup(r->scenario, c);
    int newtons = row->force && setup && setup->forces;
    id_unknown one = {.kind = ID_LAW,
                      .at = &k->p[i],
                      .contact = c,
                      .param = i,
                      .role = row->role,
                      .file = file,
                      .low = row->min,
                      .high = row->max,
                      .start = k->p[i],
                      .above = -1,
                      .twin = -1};
    if (row->whole)
        return bri_fail(err, BRI_BAD_VALUE, "%s.%s is a whole number: it cannot be fitted", k->name,
                        row->name);
    snprintf(one.name, sizeof one.name, "%.40s.%.20s", k->name, newtons ? row->force : row->name);
    name_file(&one);
    set_unit(&one, newtons ? "N" : row->unit, rotary(r, k->a, k->b));
    one.log = by_decades(row);
    return add(u, &one, err);
}

static bri_status add_number(id_unknowns *u, const char *name, double *at, const bri_param *row,
                             int turns, id_kind kind, int file, bri_error *err) {
    id_unknown one = {.kind = kind,
                      .at = at,
                      .contact = -1,
                      .file = file,
                      .low = row->min,
                      .high = row->max,
                      .start = *at,
                      .above = -1,
                      .twin = -1};
    snprintf(one.name, sizeof one.name, "%.50s", name);
    name_file(&one);
    set_unit(&one, strcmp(row->unit, "=") == 0 ? "N" : row->unit, turns);
    return add(u, &one, err);
}

static bri_status add_extra(id_unknowns *u, const id_rig *r, const char *name, double *at,
                            id_kind kind, int file, bri_error *err) {
    int turns = r->def.system.n_bodies > 0 && rotary(r, 0, -1);
    static const struct {
        const char *unit;
        double low, high;
    } rows[] = {[ID_OFFSET] = {"N", -1e9, 1e9},   [ID_GAIN] = {"1", 1e-6, 1e6},
                [ID_DELAY] = {"s", -0.5, 0.5},    [ID_GRAVITY] = {"N", -1e9, 1e9},
                [ID_ANGLE] = {"m", -7.0, 7.0},    [ID_START_X] = {"m", -1e9, 1e9},
                [ID_START_V] = {"m/s", -1e9, 1e9}};
    bri_param row = {.unit = rows[kind].unit, .min = rows[kind].low, .max = rows[kind].high};
    return add_number(u, name, at, &row, turns, kind, file, err);
}

static const struct {
    const char *name;
    id_kind kind;
    size_t place;
} extras[] = {{"offset", ID_OFFSET, offsetof(id_extras, offset)},
              {"gain", ID_GAIN, offsetof(id_extras, gain)},
              {"delay", ID_DELAY, offsetof(id_extras, delay)},
              {"gravity", ID_GRAVITY, offsetof(id_extras, gravity)},
              {"gravity_angle", ID_ANGLE, offsetof(id_extras, angle)},
              {"start_x", ID_START_X, offsetof(id_extras, start_x)},
              {"start_v", ID_START_V, offsetof(id_extras, start_v)}};

/* Numbers of bodies, the load of a contact and gravity, where they act: the rows of the address
 * table (system/numbers.h). BRI_NOT_FOUND: none of them. */
static bri_status add_listed(id_unknowns *u, id_rig *r, const char *name, size_t n,
                             const char *part, int file, bri_error *err) {
    const bri_system *s = &r->def.system;
#define NAMED(x) ((x).name && strlen((x).name) == n && strncmp((x).name, name, n) == 0)
    for (int i = 0; i < s->n_bodies; i++)
        for (int k = 0; NAMED(r->bodies[i]) && k < BODY_NUMBERS; k++) {
            bri_param row = body_numbers[k].row;
            bri_body *b = &r->bodies[i];
            if (!(body_numbers[k].kinds >> b->kind & 1) || strcmp(row.name, part) != 0) continue;
            if (row.min > 0.0) row.min = 0.0; /* a mass that ends there is told */
            return add_number(u, name, body_number_of(b, k), &row, b->kind == BRI_ROTOR && k > 1,
                              ID_NUMBER, file, err);
        }
    for (int i = 0; i < s->n_contacts; i++) {
        bri_contact *c = &r->contacts[i];
        const bri_setup *setup = bri_scenario_setup(r->scenario, i);
        if (!NAMED(*c) || strcmp(part, load_row.name) != 0) continue;
        if (c->load != BRI_LOAD_CONSTANT || (setup && setup->forces))
            return bri_fail(err, BRI_BAD_VALUE, "%s cannot be unknown: %s", name,
                            c->load == BRI_LOAD_CONSTANT ? "the levels of this contact are forces, "
                                                           "not coefficients times a load"
                                                         : "it is no number");
        return add_number(u, name, &c->n, &load_row, 0, ID_LOAD, file, err);
    }
#undef NAMED
    return BRI_NOT_FOUND;
}

/* Nonzero: a load is the reaction to a weight, and gravity is that of the rig. */
static int weighs(const id_rig *r) {
    for (int i = 0; i < r->def.system.n_contacts; i++)
        if (r->contacts[i].load == BRI_LOAD_REACTION) return 1;
    return 0;
}

/* A parameter of the functions of the rig, "play". BRI_NOT_FOUND: none. */
static bri_status add_parameter(id_unknowns *u, id_rig *r, const char *name, int file,
                                bri_error *err) {
    for (int i = 0; i < r->def.system.n_parameters; i++) {
        bri_parameter *p = &r->parameters[i];
        bri_param row = {.unit = p->unit, .min = -1e12, .max = 1e12};
        if (strcmp(p->name, name) != 0) continue;
        if (p->fixed)
            return bri_fail(err, BRI_BAD_VALUE, "%.60s cannot be unknown, %s: name those", name,
                            p->fixed);
        return add_number(u, name, &p->value, &row, 0, ID_NUMBER, file, err);
    }
    return BRI_NOT_FOUND;
}

/* A number of a body, a coupling, a drive or a contact, "pad.sigma0". BRI_NOT_FOUND: none. */
static bri_status add_address(id_unknowns *u, id_rig *r, const char *name, int file,
                              bri_error *err) {
    const bri_system *s = &r->def.system;
    const char *point = strrchr(name, '.'), *part = point ? point + 1 : "";
    size_t n = point ? (size_t)(point - name) : 0;
#define NAMED(x) ((x).name && strlen((x).name) == n && strncmp((x).name, name, n) == 0)
    for (int i = 0; i < s->n_contacts; i++) {
        if (!NAMED(r->contacts[i])) continue;
        int at = bri_model_param(r->contacts[i].model, part);
        if (at >= 0) return add_law(u, r, i, at, file, err);
    }
    bri_status listed = add_listed(u, r, name, n, part, file, err);
    if (listed != BRI_NOT_FOUND) return listed;
    for (int i = 0; i < s->n_couplings; i++)
        for (int j = 0; NAMED(r->couplings[i]) && j < r->couplings[i].kind->n_params; j++)
            if (strcmp(r->couplings[i].kind->params[j].name, part) == 0)
                return add_number(u, name, &r->couplings[i].p[j], &r->couplings[i].kind->params[j],
                                  rotary(r, r->couplings[i].a, r->couplings[i].b), ID_NUMBER, file,
                                  err);
    for (int i = 0; i < s->n_drives; i++) {
        bri_signal *f = &r->drives[i].force;
        for (int j = 0; NAMED(r->drives[i]) && j < f->kind->n_params; j++)
            if (strcmp(f->kind->params[j].name, part) == 0)
                return add_number(u, name, &f->p[j], &f->kind->params[j],
                                  rotary(r, r->drives[i].body, -1), ID_NUMBER, file, err);
    }
#undef NAMED
    return add_parameter(u, r, name, file, err);
}

/* ---- lists ---------------------------------------------------------------------------------- */

static bri_status add_all_of(id_unknowns *u, id_rig *r, int c, bri_error *err) {
    bri_contact *k = &r->contacts[c];
    bri_status status = BRI_OK;
    for (int i = 0; status == BRI_OK && i < k->model->n_params; i++)
        if (!left_alone(k->model, &k->model->params[i]) &&
            k->model->params[i].max > k->model->params[i].min)
            status = add_law(u, r, c, i, -1, err);
    return status;
}

/* The nearest name of all that can be unknown. */
static bri_status no_such(const id_rig *r, const char *word, bri_error *err) {
    const bri_system *s = &r->def.system;
    enum { MOST = 200 };
    const int size = 64;
    char *room = calloc(MOST, 64);
    const char *names[MOST];
    int n = 0;
    for (int i = 0; room && i < s->n_contacts; i++)
        for (int j = 0; j < r->contacts[i].model->n_params && n < MOST - 10; j++) {
            const bri_param *row = &r->contacts[i].model->params[j];
            const bri_setup *setup = bri_scenario_setup(r->scenario, i);
            snprintf(room + n * size, 64, "%.40s.%.20s", r->contacts[i].name,
                     setup && setup->forces && row->force ? row->force : row->name);
            names[n] = room + n * size;
            n++;
        }
    for (int i = 0; room && i < s->n_contacts && n < MOST - 10; i++, n++) {
        snprintf(room + n * size, 64, "%.40s.%s", r->contacts[i].name, load_row.name);
        names[n] = room + n * size;
    }
    for (int i = 0; room && i < s->n_bodies && n < MOST - 10; i++, n++) {
        snprintf(room + n * size, 64, "%.40s.%s", r->bodies[i].name ? r->bodies[i].name : "",
                 r->bodies[i].kind == BRI_ROTOR ? "inertia" : "mass");
        names[n] = room + n * size;
    }
    for (int i = 0; room && i < s->n_parameters && n < MOST - 10; i++)
        names[n++] = s->parameters[i].name;
    for (size_t i = 0; room && i < sizeof extras / sizeof *extras; i++) names[n++] = extras[i].name;
    const char *near = room ? bri_nearest(word, names, n) : NULL;
    bri_fail(err, BRI_NOT_FOUND,
             near ? "there is no '%.60s' to be unknown; did you mean '%s'?"
                  : "there is no '%.60s' to be unknown",
             word, near ? near : "");
    free(room);
    return BRI_NOT_FOUND;
}

/* One word of a list, for the files from .. to. */
static bri_status add_word(id_unknowns *u, id_rig *r, const char *word, int natural, int *all,
                           int file, bri_error *err) {
    for (size_t i = 0; i < sizeof extras / sizeof *extras; i++) {
        if (strcmp(word, extras[i].name) != 0) continue;
        if (extras[i].kind == ID_GRAVITY && weighs(r)) {
            bri_param row = gravity_row;
            row.min = 0.0; /* upward there is no load */
            return add_number(u, word, &r->def.system.gravity, &row, 0, ID_NUMBER, file, err);
        }
        double *at = (double *)((char *)&u->extras[file >= 0 ? file : 0] + extras[i].place);
        return add_extra(u, r, word, at, extras[i].kind, file, err);
    }
    if (file >= 0 && strcmp(word, "all") == 0)
        return bri_fail(err, BRI_BAD_VALUE,
                        "what differs from file to file is named one by one, not by 'all'");
    if (natural || strcmp(word, "all") == 0) {
        id_unknowns probe = {.extras = u->extras};
        int law = strcmp(word, "all") == 0;
        if (!law && add_address(&probe, r, word, -1, err) == BRI_OK)
            law = probe.one[0].kind == ID_LAW;
        const char *point = strchr(word, '.');
        for (int i = 0; !law && point && i < r->def.system.n_contacts; i++)
            law = r->contacts[i].name && strlen(r->contacts[i].name) == (size_t)(point - word) &&
                  strncmp(r->contacts[i].name, word, (size_t)(point - word)) == 0;
        if (law) {
            bri_status status = BRI_OK;
            for (int i = 0; !*all && status == BRI_OK && i < r->def.system.n_contacts; i++)
                status = add_all_of(u, r, i, err);
            *all = 1;
            return status;
        }
    }
    bri_status status = add_address(u, r, word, file, err);
    return status == BRI_NOT_FOUND ? no_such(r, word, err) : status;
}

static bri_status add_list(id_unknowns *u, id_rig *r, const char *list, int natural, int n_files,
                           bri_error *err) {
    int all = 0;
    for (const char *at = list; at && *at;) {
        char word[64];
        size_t n = strcspn(at, ","), from = strspn(at, " ");
        size_t end = n;
        while (end > from && at[end - 1] == ' ') end--;
        if (end > from) {
            snprintf(word, sizeof word, "%.*s", (int)(end - from < 63 ? end - from : 63),
                     at + from);
            bri_status status = BRI_OK;
            for (int f = n_files > 0 ? 0 : -1; status == BRI_OK && f < (n_files > 0 ? n_files : 0);
                 f++)
                status = add_word(u, r, word, natural, &all, f, err);
            if (status != BRI_OK) return status;
        }
        at += n + (at[n] == ',');
    }
    return BRI_OK;
}

/* A static level may not fall below its sliding level where the law says so. */
static bri_status tie_levels(id_unknowns *u, const id_rig *r, bri_error *err) {
    for (int k = 0; k < u->count; k++) {
        id_unknown *s = &u->one[k];
        if (s->kind != ID_LAW || (s->role != BRI_ROLE_STATIC_LEVEL && s->role != BRI_ROLE_LEVEL))
            continue;
        const bri_contact *c = &r->contacts[s->contact];
        int low = bri_model_role(c->model, BRI_ROLE_LEVEL);
        int high = bri_model_role(c->model, BRI_ROLE_STATIC_LEVEL);
        double p[BRI_MAX_PARAMS];
        if (low < 0 || high < 0) continue;
        bri_model_defaults(c->model, p);
        p[high] = 0.9 * p[low];
        if (bri_model_check(c->model, p, NULL) == BRI_OK) continue;
        int other = -1, apart = -1;
        for (int l = 0; l < u->count; l++) {
            if (u->one[l].kind != ID_LAW || u->one[l].contact != s->contact ||
                u->one[l].param != (s->param == high ? low : high))
                continue;
            if (u->one[l].file == s->file)
                other = l;
            else
                apart = l;
        }
        if (other < 0 && apart >= 0)
            return bri_fail(err, BRI_BAD_VALUE,
                            "%s and %s may not pass each other: both differ from file to file, or "
                            "neither",
                            s->name, u->one[apart].name);
        if (s->param == high && other >= 0) s->above = other;
        if (s->param == high && other < 0) s->low = c->p[low];
        if (s->param == low && other < 0) { /* a static level that nobody gave goes along */
            const bri_setup *setup = bri_scenario_setup(r->scenario, s->contact);
            if (setup && setup->origin[high] == BRI_GIVEN)
                s->high = c->p[high];
            else
                s->twin = high;
        }
    }
    return BRI_OK;
}

bri_status id_unknowns_read(id_unknowns *u, const char *list, const char *each, int natural,
                            id_rig *rig, int n_files, id_extras *room, bri_error *err) {
    *u = (id_unknowns){.extras = room};
    bri_status status = add_list(u, rig, list, natural, 0, err);
    if (status == BRI_OK && each) status = add_list(u, rig, each, 0, n_files, err);
    if (status == BRI_OK && u->count == 0)
        status = bri_fail(err, BRI_BAD_VALUE, "nothing is unknown: name parameters with --free");
    return status == BRI_OK ? tie_levels(u, rig, err) : status;
}
