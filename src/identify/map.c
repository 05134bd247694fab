/* map.c - which columns of a file are which columns of a rig:
 *
 *     axis.x=qm[m], drive.force=35.15*vir[V] - 0.2, t=t[s]
 *
 * Ours, then a sum of columns with factors, units in brackets, and numbers in our unit. */
#include "identify.h"

#include "decimal.h"
#include "fail.h"

#include <string.h>

/* ---- ours ----------------------------------------------------------------------------------- */

typedef struct cursor {
    const char *at, *end;
} cursor;

static int is(const char *name, const char *part, size_t length) {
    return name && strlen(name) == length && strncmp(name, part, length) == 0;
}

/* The number of the element of that name, or of the only one if the name is that of its kind. */
static int find_body(const bri_system *s, const char *part, size_t n) {
    for (int i = 0; i < s->n_bodies; i++)
        if (is(s->bodies[i].name, part, n)) return i;
    return -1;
}

static int find_drive(const bri_system *s, const char *part, size_t n) {
    for (int i = 0; i < s->n_drives; i++)
        if (is(s->drives[i].name, part, n)) return i;
    return -1;
}

static int find_contact(const bri_system *s, const char *part, size_t n) {
    for (int i = 0; i < s->n_contacts; i++)
        if (is(s->contacts[i].name, part, n)) return i;
    return -1;
}

static int turns(const bri_system *s, int body) {
    return body >= 0 && s->bodies[body].kind == BRI_ROTOR;
}

/* Columns of a rig that can be measured: a row for each. */
static const struct {
    const char *part; /* behind the point */
    char of;          /* 'b'ody, 'd'rive, 'c'ontact */
    id_what what;
    const char *unit, *rotary;
} columns[] = {
    {"x", 'b', ID_BODY_X, "m", "rad"},        {"v", 'b', ID_BODY_V, "m/s", "rad/s"},
    {"force", 'd', ID_DRIVE, "N", "N m"},     {"F", 'c', ID_CONTACT_F, "N", "N m"},
    {"v", 'c', ID_CONTACT_V, "m/s", "rad/s"}, {"N", 'c', ID_CONTACT_N, "N", "N m"},
    {"load", 'c', ID_CONTACT_N, "N", "N m"},
};

static bri_status unknown(const bri_system *s, const char *name, bri_error *err) {
    char words[200] = "";
    size_t used = 0;
    for (int i = 0; i < s->n_bodies && used < 150; i++)
        if (s->bodies[i].name)
            used +=
                (size_t)snprintf(words + used, sizeof words - used, " %.20s.x", s->bodies[i].name);
    for (int i = 0; i < s->n_drives && used < 150; i++)
        if (s->drives[i].name)
            used += (size_t)snprintf(words + used, sizeof words - used, " %.20s.force",
                                     s->drives[i].name);
    for (int i = 0; i < s->n_contacts && used < 150; i++)
        if (s->contacts[i].name)
            used += (size_t)snprintf(words + used, sizeof words - used, " %.20s.F",
                                     s->contacts[i].name);
    return bri_fail(err, BRI_NOT_FOUND, "the rig has no '%.60s' to map a column to; it has t%s",
                    name, words);
}

static bri_status find_ours(id_target *t, const bri_system *s, bri_error *err) {
    if (strcmp(t->name, "t") == 0) {
        t->what = ID_TIME;
        snprintf(t->unit, sizeof t->unit, "s");
        return BRI_OK;
    }
    const char *point = strrchr(t->name, '.');
    if (!point) return unknown(s, t->name, err);
    size_t n = (size_t)(point - t->name);
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        if (strcmp(columns[i].part, point + 1) != 0) continue;
        int rotary = 0;
        if (columns[i].of == 'b')
            t->index = find_body(s, t->name, n), rotary = turns(s, t->index);
        else if (columns[i].of == 'd')
            rotary =
                (t->index = find_drive(s, t->name, n)) >= 0 && turns(s, s->drives[t->index].body);
        else
            rotary =
                (t->index = find_contact(s, t->name, n)) >= 0 && turns(s, s->contacts[t->index].a);
        if (t->index < 0) continue;
        t->what = columns[i].what;
        snprintf(t->unit, sizeof t->unit, "%s", rotary ? columns[i].rotary : columns[i].unit);
        return BRI_OK;
    }
    return unknown(s, t->name, err);
}

/* ---- theirs --------------------------------------------------------------------------------- */

static void skip(cursor *c) {
    while (c->at < c->end && *c->at == ' ') c->at++;
}

static int take(char *to, size_t size, const char *from, const char *end) {
    while (end > from && end[-1] == ' ') end--;
    if (end == from || (size_t)(end - from) >= size) return 0;
    memcpy(to, from, (size_t)(end - from));
    to[end - from] = '\0';
    return 1;
}

/* A name up to an operator outside brackets, or in quotes, and its unit. 0: there is none. */
static int take_name(cursor *c, id_term *t) {
    const char *from = c->at, *to;
    int depth = 0;
    if (*from == '"') {
        const char *close = memchr(from + 1, '"', (size_t)(c->end - from - 1));
        if (!close || !take(t->name, sizeof t->name, from + 1, close)) return 0;
        c->at = close + 1;
    } else {
        for (; c->at < c->end && (depth > 0 || !strchr("+-*,[", *c->at)); c->at++)
            depth += *c->at == '(' ? 1 : *c->at == ')' ? -1 : 0;
        if (!take(t->name, sizeof t->name, from, c->at)) return 0;
    }
    skip(c);
    if (c->at >= c->end || *c->at != '[') return 1;
    from = c->at + 1;
    to = memchr(from, ']', (size_t)(c->end - from));
    if (!to || !take(t->unit, sizeof t->unit, from, to)) return 0;
    c->at = to + 1;
    return 1;
}

/* One summand. 0: it is none. */
static int take_term(cursor *c, id_target *t, double sign) {
    id_term term = {.factor = sign, .convert = 1.0};
    skip(c);
    size_t length = c->at < c->end ? decimal_length(c->at) : 0;
    if (length > 0) {
        const char *before = c->at;
        double value = decimal_value(c->at, length);
        c->at += length;
        skip(c);
        if (c->at >= c->end || strchr("+-,", *c->at)) {
            t->offset += sign * value;
            return 1;
        }
        if (*c->at == '*') {
            c->at++;
            skip(c);
            term.factor *= value;
            term.scaled = 1;
        } else {
            c->at = before; /* a name that begins with a digit */
        }
    }
    if (t->n_terms >= ID_TERMS || c->at >= c->end || !take_name(c, &term)) return 0;
    t->term[t->n_terms++] = term;
    return 1;
}

static bri_status bad_entry(const char *from, const char *end, bri_error *err) {
    int n = end - from < 60 ? (int)(end - from) : 60;
    return bri_fail(err, BRI_BAD_VALUE,
                    "'%.*s' maps no column: OURS=THEIRS, such as axis.x=position[mm], "
                    "drive.force=-35.15*current[A]+0.2 or t=time[ms]",
                    n, from);
}

static bri_status take_entry(cursor *c, id_target *t, bri_error *err) {
    const char *from = c->at, *equals = memchr(from, '=', (size_t)(c->end - from));
    *t = (id_target){.index = -1};
    if (!equals || !take(t->name, sizeof t->name, from, equals))
        return bad_entry(from, c->end, err);
    c->at = equals + 1;
    skip(c);
    for (int first = 1; first || (c->at < c->end && *c->at != ','); first = 0) {
        double sign = 1.0;
        if (c->at < c->end && (*c->at == '-' || *c->at == '+'))
            sign = *c->at++ == '-' ? -1.0 : 1.0;
        else if (!first)
            return bad_entry(from, c->end, err);
        if (!take_term(c, t, sign)) return bad_entry(from, c->end, err);
        skip(c);
    }
    if (t->n_terms == 0) return bad_entry(from, c->at, err);
    return BRI_OK;
}

bri_status id_map_read(id_map *m, const char *text, const bri_system *s, bri_error *err) {
    cursor c = {text, text + strlen(text)};
    *m = (id_map){0};
    for (skip(&c); c.at < c.end; skip(&c)) {
        id_target t;
        bri_status status = take_entry(&c, &t, err);
        if (status == BRI_OK) status = find_ours(&t, s, err);
        if (status != BRI_OK) return status;
        for (int i = 0; i < m->count; i++)
            if (m->target[i].what == t.what && m->target[i].index == t.index)
                return bri_fail(err, BRI_BAD_VALUE, "%s is mapped twice", t.name);
        if (m->count >= ID_TARGETS)
            return bri_fail(err, BRI_BAD_VALUE, "more than %d columns are mapped", (int)ID_TARGETS);
        m->target[m->count++] = t;
        if (t.what == ID_TIME) { /* the time is the first */
            id_target other = m->target[0];
            m->target[0] = t;
            m->target[m->count - 1] = other;
        }
        if (c.at < c.end) c.at++;
    }
    return m->count ? BRI_OK
                    : bri_fail(err, BRI_BAD_VALUE,
                               "say what the columns are: --map 'axis.x=position[mm],"
                               "drive.force=force[N],t=time[s]'");
}

int id_map_find(const id_map *m, id_what what, int index) {
    for (int i = 0; i < m->count; i++)
        if (m->target[i].what == what && (index < 0 || m->target[i].index == index)) return i;
    return -1;
}
