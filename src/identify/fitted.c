/* fitted.c - the rig with the values that were found, as a scenario that can be run.
 *
 * The tree of the file is changed and written again: comments are lost, all else is kept. The
 * parameters of a law that another one stands in for leave with it. */
#include "identify.h"

#include "fail.h"
#include "scenario/csv.h"
#include "scenario/node.h"
#include "text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct page {
    char *text;
    size_t used, room;
    int failed;
} page;

static void put(page *p, const char *text) {
    size_t n = strlen(text);
    if (p->used + n + 1 > p->room) {
        size_t room = 2 * (p->room + n + 256);
        char *more = realloc(p->text, room);
        if (!more) {
            p->failed = 1;
            return;
        }
        p->text = more;
        p->room = room;
    }
    memcpy(p->text + p->used, text, n + 1);
    p->used += n;
}

/* A scalar: plain where YAML reads it as it stands, else in double quotes. */
static void put_scalar(page *p, const char *text) {
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./^+* ";
    char one[3] = "\\?";
    size_t n = strlen(text);
    if (n > 0 && text[0] != ' ' && text[0] != '*' && text[n - 1] != ' ' &&
        strspn(text + (text[0] == '-' && n > 1), plain) == n - (text[0] == '-' && n > 1)) {
        put(p, text);
        return;
    }
    put(p, "\"");
    for (; *text; text++) {
        if (*text == '\n') {
            put(p, "\\n");
            continue;
        }
        one[1] = *text;
        put(p, *text == '"' || *text == '\\' ? one : one + 1);
    }
    put(p, "\"");
}

/* Maps of the first two depths as blocks, the rest in one line. */
static void put_node(page *p, const node *n, int depth) {
    if (n->kind == NODE_SCALAR) {
        put_scalar(p, n->text);
        return;
    }
    int map = n->kind == NODE_MAP, block = map && depth < 2 && n->count > 0;
    if (!block) put(p, map ? "{" : "[");
    for (const node *c = n->first; c; c = c->next) {
        if (block && (depth > 0 || c != n->first)) put(p, "\n");
        for (int i = 0; block && i < depth; i++) put(p, "  ");
        if (!block && c != n->first) put(p, ", ");
        if (map) {
            put_scalar(p, c->key);
            put(p, c->kind == NODE_MAP && depth + 1 < 2 && block && c->count > 0 ? ":" : ": ");
        }
        put_node(p, c, block ? depth + 1 : 9);
    }
    if (!block) put(p, map ? "}" : "]");
}

/* ---- changes -------------------------------------------------------------------------------- */

static void silent(void *to, int line, bri_status status, const char *words) {
    (void)line, (void)words;
    *(bri_status *)to = status;
}

/* The element of a name in a section that is a map by name, or a list with names; NULL: none. */
static node *element(const node *root, const char *section, const char *name, size_t length) {
    const node *s = node_get(root, section);
    for (node *n = s ? s->first : NULL; n; n = n->next) {
        const node *own = s->kind == NODE_LIST ? node_get(n, "name") : NULL;
        const char *is = s->kind == NODE_MAP ? n->key : own ? own->text : NULL;
        if (is && strlen(is) == length && strncmp(is, name, length) == 0) return n;
    }
    return NULL;
}

/* Put key: text into a map. 0: no memory. */
static int set(arena *memory, node *map, const char *key, const char *text) {
    node *n = ARENA_NEW(memory, node, 1);
    char *k = ARENA_NEW(memory, char, strlen(key) + 1),
         *t = ARENA_NEW(memory, char, strlen(text) + 1);
    if (!n || !k || !t) return 0;
    strcpy(k, key);
    strcpy(t, text);
    *n = (node){.kind = NODE_SCALAR, .key = k, .text = t};
    node_put(map, n);
    return 1;
}

static void leave(node *map, const char *key) {
    node **at = &map->first, *last = NULL;
    while (*at) {
        if ((*at)->key && strcmp((*at)->key, key) == 0) {
            *at = (*at)->next;
            map->count--;
        } else {
            last = *at;
            at = &(*at)->next;
        }
    }
    map->last = last;
}

/* Another law: its name, and none of the parameters of the one before. */
static int change_law(arena *memory, node *contact, const bri_identify_def *def, const char *law) {
    const node *was = node_get(contact, "model");
    if (!was || strcmp(was->text, law) == 0) return 1;
    const bri_model *old = bri_laws_find((bri_laws *)def->known, was->text);
    if (!old) old = bri_model_find(was->text);
    for (int i = 0; old && i < old->n_params; i++) {
        leave(contact, old->params[i].name);
        if (old->params[i].force) leave(contact, old->params[i].force);
    }
    return set(memory, contact, "model", law);
}

/* Of what differs from file to file, "pad.kv[2]", the rig gets that of the first file; all of them
 * are told. */
static int put_estimate(arena *memory, node *root, const bri_estimate *e, page *lost) {
    static const char *const sections[] = {"contacts", "bodies", "couplings", "drives"};
    const char *point = strrchr(e->name, '.');
    const char *file = strrchr(e->name, '[');
    char text[80], key[64] = "";
    text_format(text, sizeof text, "%.12g%s%s", e->value, strcmp(e->unit, "1") ? " " : "",
                strcmp(e->unit, "1") ? e->unit : "");
    if (point) snprintf(key, sizeof key, "%.*s", (int)strcspn(point + 1, "["), point + 1);
    for (int i = 0; point && i < 4 && (!file || strcmp(file, "[1]") == 0); i++) {
        node *n = element(root, sections[i], e->name, (size_t)(point - e->name));
        if (!n || n->kind != NODE_MAP) continue;
        if (!set(memory, n, key, text)) return 0;
        if (!file) return 1;
        break;
    }
    node *parameters = node_get(root, "parameters");
    if (!point && !file && parameters && node_get(parameters, e->name))
        return set(memory, parameters, e->name, text);
    if (strcmp(e->name, "gravity") == 0 && strcmp(e->unit, "m/s2") == 0)
        return set(memory, root, "gravity", text);
    put(lost, "# ");
    put(lost, e->name);
    put(lost, " = ");
    put(lost, text);
    put(lost, "\n");
    return 1;
}

static char *read_rig(const char *name, bri_error *err) {
    size_t length = 0;
    const char *shipped = bri_scenario_text(name);
    char *text = read_file(name, MAX_FILE, &length, err);
    if (text) {
        text[length] = '\0'; /* read_file has room for it */
        return text;
    }
    if (!shipped) return NULL;
    length = strlen(shipped) + 1;
    text = malloc(length);
    if (text) return memcpy(text, shipped, length);
    bri_fail(err, BRI_NO_MEMORY, "%s", bri_status_text(BRI_NO_MEMORY));
    return NULL;
}

char *bri_identified_scenario(const bri_identified *r, int fit, const bri_identify_def *def,
                              bri_error *err) {
    if (fit < 0 || fit >= r->n_fits || r->fits[fit].err.status != BRI_OK) {
        bri_fail(err, BRI_NOT_FOUND, "there is no fit to write");
        return NULL;
    }
    const bri_fit *f = &r->fits[fit];
    arena memory = {0};
    page p = {0}, lost = {0};
    bri_status wrong = BRI_OK;
    bri_error why = {0};
    char *text = read_rig(def->scenario, &why);
    node *root = text ? node_parse(text, strlen(text), &memory, silent, &wrong) : NULL;
    const node *contacts = root ? node_get(root, "contacts") : NULL;
    int readable = text != NULL, good = root && contacts && !wrong;
    for (node *c = good ? contacts->first : NULL; c && good; c = c->next)
        good = change_law(&memory, c, def, f->law);
    put(&p, "# Values by bristle identify.\n");
    for (int k = 0; good && k < f->n_estimates; k++)
        good = put_estimate(&memory, root, &f->estimate[k], &lost);
    if (good && f->band[0]) {
        bri_estimate band = {.value = f->band_width};
        snprintf(band.unit, sizeof band.unit, "%s/s", r->x_unit);
        memcpy(band.name, f->band, sizeof band.name);
        good = put_estimate(&memory, root, &band, &lost);
    }
    if (good) {
        if (lost.text)
            put(&p, "# Found as well, but no part of a rig, or one value for each file:\n");
        put(&p, lost.text ? lost.text : "");
        put_node(&p, root, 0);
        put(&p, "\n");
    }
    free(text);
    free(lost.text);
    int starved = memory.failed || p.failed || lost.failed || wrong == BRI_NO_MEMORY;
    arena_free(&memory);
    if (good && !starved) return p.text;
    free(p.text);
    if (!readable)
        bri_fail(err, why.status, "%.200s: %.200s", def->scenario, why.text);
    else
        bri_fail(err, starved ? BRI_NO_MEMORY : BRI_BAD_FILE,
                 "%.200s: the fitted rig cannot be written%s", def->scenario,
                 starved ? ": not enough memory" : "");
    return NULL;
}
