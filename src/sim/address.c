/* address.c - one address per number of a simulation: "pad.sigma0", "block.mass", "push.force.sine.
 * amplitude", named as in a scenario file. */
#include "bristle_tools.h"
#include "sim.h"
#include "system/numbers.h"
#include "system/unit_names.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PATH = 96 }; /* letters of the name of a number within its element */

/* A number of an element. */
typedef struct item {
    double *at;           /* the number itself */
    double *base;         /* the numbers that are checked together with it */
    int count;            /* how many they are */
    const bri_param *row; /* its row in the table it comes from */
    int newtons;          /* nonzero: a level, by its name in newtons */
    int start;            /* nonzero: a start value */
    const bri_signal *signal;
    char name[PATH]; /* without the element, "force.sine.amplitude" */
    char unit[BRI_UNIT];
} item;

/* The search for item number `left` of an element; what is passed counts it down. Its name and unit
 * are written where they are asked for only: sweeps set numbers at every point. */
typedef struct search {
    int left, named;
    item *found;
} search;

/* Nonzero if this is the item searched for. */
static int is_it(search *s) { return s->left-- == 0; }

static void put_unit(item *to, const char *unit, int turns) {
    char text[BRI_UNIT];
    snprintf(to->unit, sizeof to->unit, "%s",
             turns ? units_of_rotation(unit, text, sizeof text) : unit);
}

/* The name of the item found, and its unit, which is that of a rotation if it turns. */
static void call_it(const search *s, const char *name, const char *unit, int turns) {
    if (!s->named) return;
    snprintf(s->found->name, PATH, "%s", name);
    put_unit(s->found, unit, turns);
}

/* The parameters of a signal and of its parts; unit: that of the signal. */
static int signal_items(search *s, const bri_signal *given, const char *path, const char *unit) {
    bri_signal *signal = (bri_signal *)given; /* the simulation's own */
    char name[PATH] = "", text[BRI_UNIT];
    for (int i = 0; i < signal->kind->n_params; i++) {
        const bri_param *row = &signal->kind->params[i];
        if (!is_it(s)) continue;
        *s->found = (item){.at = &signal->p[i],
                           .base = signal->p,
                           .count = signal->kind->n_params,
                           .row = row,
                           .signal = signal};
        if (!s->named) return 1;
        snprintf(name, PATH, "%.50s.%.20s.%.20s", path, signal->kind->name, row->name);
        int plain = signal->kind == bri_signal_find("constant");
        call_it(s, plain ? path : name, unit_in_signal(row, unit, text, sizeof text), 0);
        return 1;
    }
    if (!signal->parts || signal->kind->holds == BRI_POINTS) return 0;
    for (int i = 0; i < signal->count; i++) {
        int factor = signal->kind->holds == BRI_FACTORS && i > 0;
        if (s->named)
            snprintf(name, sizeof name, "%.50s.%.20s.%d", path, signal->kind->name, i + 1);
        if (signal_items(s, &signal->parts[i], name, factor ? "1" : unit)) return 1;
    }
    return 0;
}

static int turns(const bri_system *s, int a, int b) {
    return body_is_rotor(s, a) || body_is_rotor(s, b);
}

static int body_items(search *s, bri_body *b) {
    char unit[BRI_UNIT];
    int rotor = b->kind == BRI_ROTOR, moved = body_prescribed(b);
    for (int i = 0; i < BODY_NUMBERS; i++) {
        const body_number *n = &body_numbers[i];
        double *at = body_number_of(b, i);
        if (!(n->kinds & 1 << b->kind)) continue;
        if ((at == &b->x && b->position) || (at == &b->v && moved)) continue; /* follows from it */
        if (at == &b->mass && moved && b->mass == 0.0) continue;
        if (!is_it(s)) continue;
        *s->found = (item){.at = at,
                           .base = at,
                           .count = 1,
                           .row = &n->row,
                           .start = at != &b->mass && (at != &b->z || b->kind == BRI_POINT)};
        call_it(s, n->row.name, n->row.unit, rotor);
        return 1;
    }
    if (b->position)
        return signal_items(s, b->position, "position",
                            rotor ? units_of_rotation("m", unit, sizeof unit) : "m");
    if (b->velocity)
        return signal_items(s, b->velocity, "velocity",
                            rotor ? units_of_rotation("m/s", unit, sizeof unit) : "m/s");
    return 0;
}

static int coupling_items(search *s, bri_coupling *c, int turn) {
    if (c->tension) return 0; /* its parameters say nothing */
    if (s->left >= c->kind->n_params) {
        s->left -= c->kind->n_params;
        return 0;
    }
    const bri_param *row = &c->kind->params[s->left];
    *s->found = (item){.at = &c->p[s->left], .base = c->p, .count = c->kind->n_params, .row = row};
    call_it(s, row->name, row->unit, turn);
    return 1;
}

static int contact_items(search *s, const bri_sim *sim, int i, int turn) {
    bri_contact *c = (bri_contact *)&sim->def.system.contacts[i];
    const bri_model *m = c->model;
    for (int k = 0; k < m->n_params; k++) {
        const bri_param *row = &m->params[k];
        int varies = 0;
        for (int j = 0; j < c->n_varying; j++) varies |= c->varying[j].param == k;
        if (varies || !is_it(s)) continue;
        int newtons = c->forces && row->force;
        *s->found = (item){
            .at = &c->p[k], .base = c->p, .count = m->n_params, .row = row, .newtons = newtons};
        call_it(s, newtons ? row->force : row->name, newtons ? "N" : row->unit, turn);
        return 1;
    }
    if (c->load == BRI_LOAD_CONSTANT && !c->forces && is_it(s)) {
        *s->found = (item){.at = &c->n, .base = &c->n, .count = 1, .row = &load_row};
        call_it(s, "load", load_row.unit, turn);
        return 1;
    }
    char unit[BRI_UNIT];
    if (c->load == BRI_LOAD_SIGNAL &&
        signal_items(s, c->n_of_t, "load", turn ? units_of_rotation("N", unit, sizeof unit) : "N"))
        return 1;
    double *z = sim->z_start + sim->net->touches[i].first;
    static const bri_param state_row = {
        .name = "start", .min = -1e30, .max = 1e30, .text = "state of the law at the start"};
    for (int k = 0; k < bri_model_states(m, c->p); k++) {
        if (!is_it(s)) continue;
        *s->found = (item){.at = z + k, .base = z, .count = 1, .row = &state_row, .start = 1};
        char name[PATH] = "";
        if (s->named) snprintf(name, sizeof name, "start.%.60s", m->states[k].name);
        call_it(s, name, m->states[k].unit, turn);
        return 1;
    }
    return 0;
}

/* Item `which` of an element, with its name and unit if it is to be named; 0: it has fewer. */
static int find_number(const bri_sim *sim, int section, int element, int which, int named,
                       item *to) {
    bri_system *s = (bri_system *)&sim->def.system;
    search look = {which, named, to};
    if (which < 0) return 0;
    if (section == SYSTEM) {
        if (which > 0) return 0;
        *to = (item){.at = &s->gravity, .base = &s->gravity, .count = 1, .row = &gravity_row};
        call_it(&look, "gravity", gravity_row.unit, 0);
        return 1;
    }
    if (section == BODY) return body_items(&look, (bri_body *)&s->bodies[element]);
    if (section == COUPLING) {
        bri_coupling *c = (bri_coupling *)&s->couplings[element];
        return coupling_items(&look, c, !c->kind->ratio && turns(s, c->a, c->b));
    }
    if (section == CONTACT)
        return contact_items(&look, sim, element,
                             turns(s, s->contacts[element].a, s->contacts[element].b));
    if (section == PARAMETER) {
        static const bri_param row = {
            .name = "", .min = -1e30, .max = 1e30, .text = "parameter of the file"};
        bri_parameter *p = (bri_parameter *)&s->parameters[element];
        if (which > 0 || p->fixed) return 0;
        *to = (item){.at = &p->value, .base = &p->value, .count = 1, .row = &row};
        call_it(&look, "", p->unit, 0);
        return 1;
    }
    const bri_drive *d = &s->drives[element];
    int rotor = body_is_rotor(s, d->body);
    if (d->by) return 0; /* a function has no numbers of its own */
    return signal_items(&look, &d->force, rotor ? "torque" : "force", rotor ? "N m" : "N");
}

static int item_of(const bri_sim *sim, int section, int element, int which, item *to) {
    return find_number(sim, section, element, which, 1, to);
}

static int elements(const bri_sim *sim, int section) {
    const bri_system *s = &sim->def.system;
    const int counts[SECTIONS] = {1,           s->n_bodies,    s->n_couplings, s->n_contacts,
                                  s->n_drives, s->n_parameters};
    return counts[section];
}

static const char *element_name(const bri_sim *sim, int section, int i) {
    const bri_system *s = &sim->def.system;
    return section == BODY        ? s->bodies[i].name
           : section == COUPLING  ? s->couplings[i].name
           : section == CONTACT   ? s->contacts[i].name
           : section == DRIVE     ? s->drives[i].name
           : section == PARAMETER ? s->parameters[i].name
                                  : "";
}

/* ---- find ----------------------------------------------------------------------------------- */

/* Nonzero if the element is called that, or is member `number` of the array of that name. */
static int is_called(const char *name, const char *wanted, size_t length, int number) {
    char digits[16];
    if (strncmp(name, wanted, length) != 0) return 0;
    if (number == 0) return name[length] == '\0';
    snprintf(digits, sizeof digits, "%d", number);
    return strcmp(name + length, digits) == 0;
}

/* The elements of that name: one, or all members of an array. */
static int find_element(const bri_sim *sim, const char *name, size_t length, bri_ref *ref) {
    for (int array = 0; array < 2; array++)
        for (int section = BODY; section < PARAMETER; section++)
            for (int i = 0; i < elements(sim, section); i++) {
                if (!is_called(element_name(sim, section, i), name, length, array)) continue;
                int n = 1;
                while (array && i + n < elements(sim, section) &&
                       is_called(element_name(sim, section, i + n), name, length, n + 1))
                    n++;
                *ref = (bri_ref){.section = section, .element = i, .count = n};
                return 1;
            }
    return 0;
}

static int find_parameter(const bri_sim *sim, const char *name, bri_ref *ref) {
    const bri_system *s = &sim->def.system;
    for (int i = 0; i < s->n_parameters; i++)
        if (strcmp(s->parameters[i].name, name) == 0) {
            *ref = (bri_ref){.section = PARAMETER, .element = i, .count = 1};
            return 1;
        }
    return 0;
}

/* The last word of a path. */
static const char *last_word(const char *path) {
    const char *dot = strrchr(path, '.');
    return dot ? dot + 1 : path;
}

/* Which number of an element is meant: by its whole name, by its level's other name where load and
 * coefficient are the same, or by the last word of a signal's parameter if that is the only one. */
static int find_item(const bri_sim *sim, const char *rest, bri_ref *ref) {
    item it;
    int found = -1, several = 0;
    const bri_contact *c = ref->section == CONTACT ? &sim->def.system.contacts[ref->element] : NULL;
    int same = c && c->load == BRI_LOAD_CONSTANT && c->n == 1.0 && !c->forces;
    if (c && strncmp(rest, "stochastic.", 11) == 0) rest += 11;
    for (int k = 0; item_of(sim, ref->section, ref->element, k, &it); k++) {
        ref->item = k;
        if (strcmp(it.name, rest) == 0) return 1;
        if (same && it.row->force && strcmp(it.row->force, rest) == 0) return 1;
        if (it.signal && strcmp(last_word(it.name), rest) == 0) {
            several += found >= 0;
            found = k;
        }
    }
    ref->item = found;
    return found >= 0 && !several;
}

enum { MOST_NAMES = 1024 }; /* that a spelling is compared with */

static bri_status no_element(const bri_sim *sim, const char *address, size_t length,
                             bri_error *err) {
    const char *names[MOST_NAMES], *near;
    char word[BRI_ADDRESS];
    int count = 0;
    snprintf(word, sizeof word, "%.*s", (int)(length < 80 ? length : 80), address);
    names[count++] = "gravity";
    for (int section = BODY; section < SECTIONS; section++)
        for (int i = 0; i < elements(sim, section) && count < MOST_NAMES; i++)
            names[count++] = element_name(sim, section, i);
    near = bri_nearest(word, names, count);
    if (near)
        return bri_fail(err, BRI_NOT_FOUND, "there is no '%s'; did you mean '%s'?", word, near);
    bri_ref ref = {.section = BODY};
    for (; length == strlen(address) && ref.section < SECTIONS; ref.section++) /* without whose */
        for (ref.element = 0; ref.element < elements(sim, ref.section); ref.element++)
            if (find_item(sim, address, &ref))
                return bri_fail(err, BRI_NOT_FOUND, "there is no '%s'; did you mean '%s.%s'?", word,
                                element_name(sim, ref.section, ref.element), address);
    char list[300] = "";
    for (int i = 0, used = 0; i < count && used < 200; i++)
        used +=
            snprintf(list + used, sizeof list - (size_t)used, "%s%.60s", i ? ", " : "", names[i]);
    return bri_fail(err, BRI_NOT_FOUND, "there is no '%s' here, but %s", word, list);
}

static bri_status no_item(const bri_sim *sim, const char *rest, const bri_ref *ref,
                          bri_error *err) {
    const char *names[64];
    item it[64];
    int count = 0;
    while (count < 64 && item_of(sim, ref->section, ref->element, count, &it[count])) {
        names[count] = it[count].name;
        count++;
    }
    const char *who = element_name(sim, ref->section, ref->element);
    const char *near = *rest ? bri_nearest(rest, names, count) : NULL;
    if (near)
        return bri_fail(err, BRI_NOT_FOUND, "%s has no '%.60s'; did you mean '%s.%s'?", who, rest,
                        who, near);
    char list[300] = "";
    for (int i = 0, used = 0; i < count && used < 240; i++)
        used +=
            snprintf(list + used, sizeof list - (size_t)used, "%s%s", i ? ", " : "", it[i].name);
    if (!*rest)
        return bri_fail(err, BRI_NOT_FOUND, "%s says no number; it has %s", who,
                        count ? list : "none");
    return bri_fail(err, BRI_NOT_FOUND, "%s has no number '%.60s'; it has %s", who, rest,
                    count ? list : "none");
}

bri_status bri_sim_find(const bri_sim *sim, const char *address, bri_ref *ref, bri_error *err) {
    const char *dot = strchr(address, '.');
    size_t length = dot ? (size_t)(dot - address) : strlen(address);
    *ref = (bri_ref){.count = 1};
    if (strcmp(address, "gravity") == 0) return BRI_OK;
    if (!dot && find_parameter(sim, address, ref)) {
        const char *fixed = sim->def.system.parameters[ref->element].fixed;
        if (!fixed) return BRI_OK;
        return bri_fail(err, BRI_BAD_VALUE,
                        "%.60s cannot be changed in a run, %s: give it before the file is read",
                        address, fixed);
    }
    if (!find_element(sim, address, length, ref)) return no_element(sim, address, length, err);
    if (!find_item(sim, dot ? dot + 1 : "", ref)) return no_item(sim, dot ? dot + 1 : "", ref, err);
    item it;
    item_of(sim, ref->section, ref->element, ref->item, &it);
    if (ref->section == BODY && ref->count > 1 && strcmp(it.name, "x") == 0)
        return bri_fail(err, BRI_NOT_FOUND,
                        "%s: the members of an array begin at different "
                        "places: name one of them",
                        address);
    return BRI_OK;
}

static int items_of(const bri_sim *sim, int section, int element) {
    item it;
    int n = 0;
    while (find_number(sim, section, element, n, 0, &it)) n++;
    return n;
}

long bri_sim_ref_count(const bri_sim *sim) {
    long count = 0;
    for (int section = 0; section < SECTIONS; section++)
        for (int i = 0; i < elements(sim, section); i++) count += items_of(sim, section, i);
    return count;
}

int bri_sim_ref_next(const bri_sim *sim, bri_ref *ref) {
    item it;
    if (ref->count == 0) { /* the first */
        *ref = (bri_ref){.count = 1};
        return 1;
    }
    ref->count = 1;
    ref->item++;
    while (ref->section < SECTIONS) {
        if (ref->element < elements(sim, ref->section) &&
            find_number(sim, ref->section, ref->element, ref->item, 0, &it))
            return 1;
        ref->item = 0;
        if (++ref->element < elements(sim, ref->section)) continue;
        ref->element = 0;
        ref->section++;
    }
    return 0;
}

/* ---- read and write -------------------------------------------------------------------------- */

static int find_member(const bri_sim *sim, bri_ref ref, int member, int named, item *to) {
    return ref.section >= 0 && ref.section < SECTIONS && ref.element >= 0 && member >= 0 &&
           member < ref.count && ref.element + member < elements(sim, ref.section) &&
           find_number(sim, ref.section, ref.element + member, ref.item, named, to);
}

/* Without its name. */
static int locate(const bri_sim *sim, bri_ref ref, int member, item *to) {
    return find_member(sim, ref, member, 0, to);
}

/* States at the start that are not given are those of a contact at rest. */
static void fill_start(const bri_sim *sim, bri_ref ref, int member) {
    const bri_contact *c = &sim->def.system.contacts[ref.element + member];
    const touch *t = &sim->net->touches[ref.element + member];
    if (ref.section == CONTACT && !c->z && t->count > 0)
        bri_model_rest(c->model, c->p, sim->z_start + t->first);
}

bri_number bri_sim_number(const bri_sim *sim, bri_ref ref) {
    bri_number out = {.value = NAN};
    item it;
    if (!find_member(sim, ref, 0, 1, &it)) return out;
    if (it.start) fill_start(sim, ref, 0);
    const char *who = element_name(sim, ref.section, ref.element);
    snprintf(out.name, sizeof out.name, "%.60s%s%s", who, *who && it.name[0] ? "." : "", it.name);
    snprintf(out.unit, sizeof out.unit, "%s", it.unit);
    out.value = *it.at;
    out.min = it.row->min;
    out.max = it.row->max;
    out.whole = it.row->whole;
    out.start = it.start;
    out.text = it.row->text;
    return out;
}

double *sim_number(const bri_sim *sim, bri_ref ref, int member) {
    item it;
    if (!locate(sim, ref, member, &it)) return NULL;
    if (it.start) fill_start(sim, ref, member);
    return it.at;
}

const bri_signal *sim_number_of_signal(const bri_sim *sim, bri_ref ref, int *param) {
    item it;
    if (!locate(sim, ref, 0, &it) || !it.signal) return NULL;
    if (param) *param = (int)(it.at - it.base);
    return it.signal;
}

/* Start values of a contact that is not at rest from now on. */
static void give_start(bri_sim *sim, bri_ref ref, int member) {
    bri_contact *c = (bri_contact *)&sim->def.system.contacts[ref.element + member];
    c->z = sim->z_start + sim->net->touches[ref.element + member].first;
}

static void put_number(bri_sim *sim, bri_ref ref, int member, const item *it, double value) {
    if (it->start) fill_start(sim, ref, member);
    *it->at = value;
    if (it->start && ref.section == CONTACT) give_start(sim, ref, member);
}

void sim_vary_number(bri_sim *sim, bri_ref ref, int member, double value) {
    item it;
    if (locate(sim, ref, member, &it)) put_number(sim, ref, member, &it, value);
}

int sim_rests(bri_sim *sim, bri_ref ref, int let) {
    if (ref.section != CONTACT) return 0;
    bri_contact *c = (bri_contact *)&sim->def.system.contacts[ref.element];
    for (int m = 0; let && m < ref.count; m++) c[m].z = NULL;
    return c->z == NULL;
}

double bri_sim_get(const bri_sim *sim, bri_ref ref) {
    item it;
    if (!locate(sim, ref, 0, &it)) return NAN;
    if (it.start) fill_start(sim, ref, 0);
    return *it.at;
}

/* Whether the numbers p, that belong together, may be as they are. */
static bri_status check_together(const bri_sim *sim, bri_ref ref, int member, const item *it,
                                 const double *p, const char *who, bri_error *err) {
    const bri_system *s = &sim->def.system;
    int i = ref.element + member;
    const char *wrong = NULL;
    bri_error why = {0};
    if (it->signal) {
        wrong = it->signal->kind->check ? it->signal->kind->check(p) : NULL;
    } else if (ref.section == COUPLING) {
        wrong = s->couplings[i].kind->check ? s->couplings[i].kind->check(p) : NULL;
    } else if (ref.section == CONTACT && it->base == s->contacts[i].p) {
        const bri_model *m = s->contacts[i].model;
        bri_status status = bri_model_check(m, p, &why);
        if (status != BRI_OK) return bri_fail(err, status, "%s: %s", who, why.text);
        if (bri_model_states(m, p) != sim->net->touches[i].count)
            wrong = "this changes the number of states: make a new simulation";
    }
    return wrong ? bri_fail(err, BRI_BAD_VALUE, "%s: %s", who, wrong) : BRI_OK;
}

static bri_status check_range(const bri_sim *sim, bri_ref ref, int member, const bri_param *row,
                              double value, bri_error *err) {
    item it;
    int within = value >= row->min && value <= row->max;
    if (within && !(row->whole && value != floor(value))) return BRI_OK;
    if (!find_member(sim, ref, member, 1, &it)) return BRI_NOT_FOUND;
    const char *who = element_name(sim, ref.section, ref.element + member);
    const char *unit = strcmp(it.unit, "1") == 0 ? "" : it.unit, *gap = *unit ? " " : "";
    if (within)
        return bri_fail(err, BRI_BAD_VALUE, "%s.%s = %g must be a whole number", who, it.name,
                        value);
    return bri_fail(err, BRI_BAD_VALUE, "%s%s%s = %g%s%s is outside %g ... %g%s%s", who,
                    *who && it.name[0] ? "." : "", it.name, value, gap, unit, row->min, row->max,
                    gap, unit);
}

/* Member by member: the range of the value, then all numbers of its law, coupling or signal with
 * those that are to be set at the same time. */
static bri_status check_member(const bri_sim *sim, const bri_ref *refs, const double *values, int n,
                               int which, int member, bri_error *err) {
    item it, other;
    double p[BRI_MAX_PARAMS];
    bri_ref ref = refs[which];
    if (!locate(sim, ref, member, &it))
        return bri_fail(err, BRI_NOT_FOUND, "there is no such number in this simulation");
    const char *who = element_name(sim, ref.section, ref.element + member);
    bri_status status = check_range(sim, ref, member, it.row, values[which], err);
    if (status != BRI_OK || it.start) return status;
    memcpy(p, it.base, sizeof *p * (size_t)it.count);
    for (int k = 0; k < n; k++) {
        int m = ref.element + member - refs[k].element;
        if (refs[k].section == ref.section && locate(sim, refs[k], m, &other) &&
            other.base == it.base)
            p[other.at - it.base] = values[k];
    }
    return check_together(sim, ref, member, &it, p, who, err);
}

bri_status sim_number_check(const bri_sim *sim, bri_ref ref, double value, bri_error *err) {
    for (int m = 0; m < ref.count; m++) {
        bri_status status = check_member(sim, &ref, &value, 1, 0, m, err);
        if (status != BRI_OK) return status;
    }
    return BRI_OK;
}

/* Few numbers, each of one element, are looked up once: sweeps set them at every point. */
enum { FEW = 16 };

static int are_few(const bri_ref *refs, int n) {
    int few = n <= FEW;
    for (int k = 0; few && k < n; k++) few = refs[k].count == 1;
    return few;
}

/* As check_member() and sim_vary_number() for each. */
static bri_status set_few(bri_sim *sim, const bri_ref *refs, const double *values, int n,
                          bri_error *err) {
    item items[FEW];
    double p[BRI_MAX_PARAMS];
    bri_status status = BRI_OK;
    for (int k = 0; k < n; k++)
        if (!locate(sim, refs[k], 0, &items[k]))
            return bri_fail(err, BRI_NOT_FOUND, "there is no such number in this simulation");
    for (int k = 0; k < n && status == BRI_OK; k++) {
        const item *it = &items[k];
        const char *who = element_name(sim, refs[k].section, refs[k].element);
        int first = 0; /* that is checked together with it */
        while (items[first].base != it->base) first++;
        status = check_range(sim, refs[k], 0, it->row, values[k], err);
        if (status != BRI_OK || it->start || first < k) continue;
        memcpy(p, it->base, sizeof *p * (size_t)it->count);
        for (int m = 0; m < n; m++)
            if (items[m].base == it->base) p[items[m].at - it->base] = values[m];
        status = check_together(sim, refs[k], 0, it, p, who, err);
    }
    for (int k = 0; k < n && status == BRI_OK; k++) {
        put_number(sim, refs[k], 0, &items[k], values[k]);
        if (!items[k].start || !sim->begun) sim->stale = 1;
    }
    return status;
}

bri_status bri_sim_set_all(bri_sim *sim, const bri_ref *refs, const double *values, int n,
                           bri_error *err) {
    if (sim->tangent && sim->begun)
        return bri_fail(err, BRI_BAD_VALUE,
                        "derivatives of a run are those by numbers that hold all through it: reset "
                        "it first");
    if (are_few(refs, n)) return set_few(sim, refs, values, n, err);
    for (int k = 0; k < n; k++)
        for (int m = 0; m < refs[k].count; m++) {
            bri_status status = check_member(sim, refs, values, n, k, m, err);
            if (status != BRI_OK) return status;
        }
    for (int k = 0; k < n; k++)
        for (int m = 0; m < refs[k].count; m++) {
            item it;
            if (!locate(sim, refs[k], m, &it)) continue;
            sim_vary_number(sim, refs[k], m, values[k]);
            if (!it.start || !sim->begun) sim->stale = 1;
        }
    return BRI_OK;
}

bri_status bri_sim_set(bri_sim *sim, bri_ref ref, double value, bri_error *err) {
    return bri_sim_set_all(sim, &ref, &value, 1, err);
}

void bri_sim_state_name(const bri_sim *sim, int k, char *text) {
    const bri_system *s = &sim->def.system;
    const network *net = sim->net;
    int n = net->n_free, at = k % (n > 0 ? n : 1), speed = k >= n;
    text[0] = '\0';
    for (int i = 0; k >= 0 && k < 2 * n && i < s->n_bodies; i++) {
        int plane = s->bodies[i].kind == BRI_POINT;
        if (net->body_x[i] == at)
            snprintf(text, BRI_ADDRESS, "%.100s.%s", s->bodies[i].name,
                     !speed  ? "x"
                     : plane ? "vx"
                             : "v");
        else if (net->body_z[i] == at)
            snprintf(text, BRI_ADDRESS, "%.100s.%s", s->bodies[i].name, speed ? "vz" : "z");
    }
    for (int i = 0; i < s->n_contacts; i++) {
        const touch *c = &net->touches[i];
        int state = k - 2 * n - c->first;
        if (state >= 0 && state < c->count)
            snprintf(text, BRI_ADDRESS, "%.60s.%.60s", s->contacts[i].name,
                     c->model->states[state].name);
    }
}
