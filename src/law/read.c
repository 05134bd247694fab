/* read.c - a law file: YAML with line numbers to tables and graph. */
#include "law.h"

#include "../decimal.h"
#include "../output/utf8.h"
#include "../scenario/node.h"
#include "../text.h"
#include "bristle_tools.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct law_reader {
    law *l;
    const char *text;
    size_t length;
    node_report *report;
    void *to;
    int failed;
} law_reader;

static void no_memory(law_reader *r) {
    r->report(r->to, 0, BRI_NO_MEMORY, "not enough memory");
    r->failed = 1;
}

/* Whether memory has run out: what then seems wrong with a law may not be. */
static int starved(const law_reader *r) {
    const char *failure = expr_failure(r->l->g);
    return r->l->memory.failed || (failure && strcmp(failure, "not enough memory") == 0);
}

#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
static void
complain(law_reader *r, const node *n, const char *format, ...) {
    char words[640], path[200] = "";
    va_list args;
    if (starved(r)) {
        no_memory(r);
        return;
    }
    if (n) node_path(n, path, sizeof path);
    int used = path[0] ? snprintf(words, sizeof words, "%s: ", path) : 0;
    va_start(args, format);
    text_vformat(words + used, sizeof words - (size_t)used, format, args);
    va_end(args);
    r->report(r->to, n ? n->line : 0, BRI_BAD_VALUE, words);
    r->failed = 1;
}

static void yaml_report(void *to, int line, bri_status status, const char *words) {
    law_reader *r = to;
    r->report(r->to, line, status, words);
    r->failed = 1;
}

/* ---- keys and texts ------------------------------------------------------------------------ */

/* Report keys that are not in the list, which ends with NULL. */
static void check_keys(law_reader *r, const node *map, const char *const *keys) {
    int count = 0;
    while (keys[count]) count++;
    for (const node *n = map->first; n; n = n->next) {
        int known = 0;
        for (int i = 0; i < count; i++) known |= strcmp(keys[i], n->key) == 0;
        if (known) continue;
        const char *near = bri_nearest(n->key, keys, count);
        if (near)
            complain(r, n, "is not a key of a law; did you mean '%s'?", near);
        else
            complain(r, n, "is not a key of a law");
    }
}

/* What a text cannot have: a law becomes comments and strings of C, Python and MATLAB, and no text
 * may end them there. NULL if it is good. Lines only where there are equations. */
static const char *not_in_text(const char *text, int lines) {
    static const char *const ends[] = {"*/", "\"\"\"", "??", "\\"};
    for (const char *c = text; *c;) {
        uint32_t code = utf8_next(&c);
        if (code < 0x20 && !(lines && (code == '\n' || code == '\t')))
            return code == '\n' ? "a second line" : "a control character";
        if (code >= 0x7f && code < 0xa0) return "a control character";
    }
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (strstr(text, ends[i])) return ends[i];
    return NULL;
}

/* Every text and key of the tree; the file's depth is limited. */
static void check_texts(law_reader *r, const node *root, const node *n) {
    int lines = n->up == root && n->key && strcmp(n->key, "equations") == 0;
    const char *key = n->key ? not_in_text(n->key, 0) : NULL;
    const char *text = n->kind == NODE_SCALAR ? not_in_text(n->text, lines) : NULL;
    if (key || text)
        complain(r, key ? n->up : n,
                 "%s cannot stand in a text of a law: it becomes comments and strings of C",
                 key ? key : text);
    for (const node *child = n->first; child; child = child->next) check_texts(r, root, child);
}

/* The text of a key; NULL, after a report if it must be there. */
static const char *text_of(law_reader *r, const node *map, const char *key, int needed) {
    const node *n = node_get(map, key);
    if (n && n->kind == NODE_SCALAR && n->text[0]) return n->text;
    if (n)
        complain(r, n, "must be a text");
    else if (needed)
        complain(r, map, "%s is missing", key);
    return NULL;
}

static int is_yes(law_reader *r, const node *map, const char *key) {
    const node *n = node_get(map, key);
    if (!n) return 0;
    int yes =
        n->kind == NODE_SCALAR && (strcmp(n->text, "yes") == 0 || strcmp(n->text, "true") == 0);
    int no =
        n->kind == NODE_SCALAR && (strcmp(n->text, "no") == 0 || strcmp(n->text, "false") == 0);
    if (!yes && !no) complain(r, n, "must be yes or no");
    return yes;
}

/* ---- numbers ------------------------------------------------------------------------------- */

static const char *const not_si =
    "'%s' is not a coherent unit of the SI: the tables are in m, kg, s and what is made of them";

/* A number in a unit. *unit: the one it must fit, or NULL, and then the one it has ("1" if none).
 */
static int read_quantity(law_reader *r, const node *n, const char **unit, double *value) {
    char own[64] = "1";
    double factor = 1.0, one;
    expr_dim dim, want;
    size_t length = n->kind == NODE_SCALAR ? decimal_length(n->text) : 0;
    if (length == 0) {
        complain(r, n, "must be a number");
        return 0;
    }
    const char *rest = n->text + length;
    while (*rest == ' ') rest++;
    if (*rest) snprintf(own, sizeof own, "%s", rest);
    *value = decimal_value(n->text, length);
    if (!isfinite(*value) || !expr_unit_si(NULL, own, &factor, &dim)) {
        complain(r, n, "'%.60s' is not a number with a unit", n->text);
        return 0;
    }
    *value = factor < 1.0 ? *value / (1.0 / factor) : *value * factor;
    if (*unit) {
        if (!*rest) return 1; /* a bare number is in that unit */
        if (!expr_unit_si(NULL, *unit, &one, &want) || expr_dim_equal(dim, want)) return 1;
        complain(r, n, "'%.60s' must be in %s", n->text, *unit);
        return 0;
    }
    if (factor != 1.0) {
        complain(r, n, not_si, own);
        return 0;
    }
    char *copy = ARENA_NEW(&r->l->memory, char, strlen(own) + 1);
    *unit = copy ? strcpy(copy, own) : "1";
    return 1;
}

static expr_dim dim_of(law_reader *r, const node *n, const char *unit) {
    double factor;
    expr_dim dim;
    if (expr_unit_si(NULL, unit, &factor, &dim) && factor == 1.0) return dim;
    complain(r, n, not_si, unit);
    return (expr_dim){{0}, 1};
}

/* ---- tables -------------------------------------------------------------------------------- */

static void declare(law_reader *r, const node *n, const char *name, expr_dim dim) {
    if (r->failed || expr_variable(r->l->g, name, dim) >= 0) return;
    complain(r, n, "'%s' is no name, or is taken: a letter, then letters, digits and _", name);
}

static void read_range(law_reader *r, const node *n, const char *unit, bri_param *row) {
    double ends[2];
    const node *low = n && n->kind == NODE_LIST ? n->first : NULL;
    if (!low || n->count != 2) {
        complain(r, n ? n : NULL, "range must be [least, largest]");
        return;
    }
    if (!read_quantity(r, low, &unit, &ends[0]) || !read_quantity(r, low->next, &unit, &ends[1]))
        return;
    row->min = ends[0];
    row->max = ends[1];
    if (!(row->min <= row->def && row->def <= row->max))
        complain(r, n, "the default %g is outside the range", row->def);
}

/* What the parameter means, by the name of the role. */
static bri_role read_role(law_reader *r, const node *n) {
    const char *names[BRI_ROLE_COUNT], *text = text_of(r, n, "role", 0);
    for (int i = 0; i < BRI_ROLE_COUNT; i++) {
        names[i] = bri_role_name((bri_role)i);
        if (text && strcmp(text, names[i]) == 0) return (bri_role)i;
    }
    if (!text) return BRI_ROLE_NONE;
    const char *near = bri_nearest(text, names, BRI_ROLE_COUNT);
    if (near)
        complain(r, node_get(n, "role"), "'%.60s' is not a role; did you mean '%s'?", text, near);
    else
        complain(r, node_get(n, "role"), "'%.60s' is not a role", text);
    return BRI_ROLE_NONE;
}

static void read_param(law_reader *r, const node *n) {
    static const char *const keys[] = {"default", "unit",  "range", "level",
                                       "text",    "whole", "role",  NULL};
    law *l = r->l;
    bri_param *row = &l->params[l->n_params];
    if (l->n_params == BRI_MAX_PARAMS) {
        complain(r, n, "more than %d parameters", BRI_MAX_PARAMS);
        return;
    }
    if (n->kind != NODE_MAP) {
        complain(r, n, "must be a map: {default: ..., range: [..., ...], text: ...}");
        return;
    }
    check_keys(r, n, keys);
    const node *def = node_get(n, "default");
    const char *unit = node_get(n, "unit") ? text_of(r, n, "unit", 1) : NULL;
    if (!def) complain(r, n, "default is missing");
    if (r->failed || !read_quantity(r, def, &unit, &row->def)) return;
    row->name = n->key;
    row->unit = unit;
    row->text = text_of(r, n, "text", 1);
    row->force = text_of(r, n, "level", 0);
    row->whole = is_yes(r, n, "whole");
    row->role = read_role(r, n);
    if (!node_get(n, "range"))
        complain(r, n, "range is missing");
    else
        read_range(r, node_get(n, "range"), unit, row);
    declare(r, n, n->key, dim_of(r, n, unit));
    l->n_params++;
}

static void read_state(law_reader *r, const node *n) {
    static const char *const keys[] = {"unit", "nominal", "text", "even", "rest", "bound", NULL};
    law *l = r->l;
    bri_state *row = &l->states[l->n_states];
    if (l->n_states == BRI_MAX_STATES) {
        complain(r, n, "more than %d states", BRI_MAX_STATES);
        return;
    }
    if (n->kind != NODE_MAP) {
        complain(r, n, "must be a map: {unit: m, nominal: 1 mm, text: ...}");
        return;
    }
    check_keys(r, n, keys);
    const char *unit = text_of(r, n, "unit", 1);
    const node *nominal = node_get(n, "nominal"), *rest = node_get(n, "rest");
    if (!nominal) complain(r, n, "nominal is missing: the order of magnitude");
    if (r->failed || !read_quantity(r, nominal, &unit, &row->nominal)) return;
    if (rest) read_quantity(r, rest, &unit, &l->rest[l->n_states]);
    row->name = n->key;
    row->unit = unit;
    row->text = text_of(r, n, "text", 1);
    row->even = is_yes(r, n, "even");
    declare(r, n, n->key, dim_of(r, n, unit));
    if (!r->failed) expr_has_rate(l->g, n->key);
    l->n_states++;
}

static void read_rows(law_reader *r, const node *map, void (*row)(law_reader *, const node *)) {
    if (map && map->kind != NODE_MAP)
        complain(r, map, "must be a map");
    else if (map)
        for (const node *n = map->first; n; n = n->next) row(r, n);
}

/* ---- equations ----------------------------------------------------------------------------- */

/* Blanks before the lines of a block of text, which the tree does not have any more. */
static int indent_of(const law_reader *r, int line) {
    size_t i = 0;
    int blanks = 0;
    for (int k = 1; k < line && i < r->length; i++) k += r->text[i] == '\n';
    while (i < r->length && (r->text[i] == ' ' || r->text[i] == '\n')) {
        blanks = r->text[i] == '\n' ? 0 : blanks + 1;
        i++;
    }
    return blanks;
}

/* A graph that has failed where nobody asked: its memory, or its limits. */
static void complain_graph(law_reader *r) {
    if (starved(r)) {
        no_memory(r);
        return;
    }
    r->report(r->to, 0, BRI_BAD_VALUE, expr_failure(r->l->g));
    r->failed = 1;
}

static void complain_equation(law_reader *r, const node *n, const expr_error *err) {
    char words[640], path[200];
    if (starved(r)) {
        no_memory(r);
        return;
    }
    node_path(n, path, sizeof path);
    int line = n->block ? n->line + err->line : n->line + (err->line > 0 ? err->line - 1 : 0);
    int column = err->column + (n->block ? indent_of(r, n->line + 1) : n->column - 1);
    snprintf(words, sizeof words, "%s: column %d: %s", path, column, err->text);
    r->report(r->to, line, BRI_BAD_VALUE, words);
    r->failed = 1;
}

/* An expression in that unit; unit NULL: a condition. */
static expr_id read_expression(law_reader *r, const node *n, const char *unit) {
    expr_error err;
    if (!n || r->failed) return EXPR_NONE;
    if (n->kind != NODE_SCALAR) {
        complain(r, n, "must be an expression");
        return EXPR_NONE;
    }
    expr_id id = expr_read(r->l->g, n->text, strlen(n->text), &err);
    if (id < 0) {
        complain_equation(r, n, &err);
    } else if (expr_is_condition(r->l->g, id) != !unit) {
        complain(r, n, unit ? "must be a number, not a condition" : "must be a condition: a > b");
    } else if (unit && !expr_dim_fits(expr_at(r->l->g, id)->dim, dim_of(r, n, unit))) {
        char have[EXPR_DIM_ROOM];
        expr_dim_text(expr_at(r->l->g, id)->dim, have, sizeof have);
        complain(r, n, "must be in %s, and is in %s", unit, have);
    }
    return r->failed ? EXPR_NONE : id;
}

/* What an equation defines, in the unit that is asked for. */
static expr_id defined(law_reader *r, const node *n, const char *name, int rate, const char *unit,
                       int per_second) {
    const expr_definition *d = expr_find(r->l->g, name, rate);
    double factor;
    expr_dim second, want = dim_of(r, n, unit);
    if (!d) {
        complain(r, n, "the equation of %s%s is missing", name, rate ? "'" : "");
        return EXPR_NONE;
    }
    expr_unit_si(NULL, "s", &factor, &second);
    if (per_second) want = expr_dim_over(want, second);
    if (!expr_dim_fits(expr_at(r->l->g, d->id)->dim, want)) {
        char have[EXPR_DIM_ROOM], wanted[EXPR_DIM_ROOM];
        expr_error err = {.line = d->line, .column = d->column};
        expr_dim_text(expr_at(r->l->g, d->id)->dim, have, sizeof have);
        expr_dim_text(want, wanted, sizeof wanted);
        snprintf(err.text, sizeof err.text, "%s%s must be in %s, and is in %s", name,
                 rate ? "'" : "", wanted, have);
        complain_equation(r, n, &err);
    }
    return d->id;
}

static void read_equations(law_reader *r, const node *root) {
    law *l = r->l;
    expr_error err;
    const node *n = node_get(root, "equations");
    l->equations = text_of(r, root, "equations", 1);
    if (r->failed) return;
    if (!expr_equations(l->g, n->text, strlen(n->text), &err)) {
        complain_equation(r, n, &err);
        return;
    }
    l->force = defined(r, n, "F", 0, "N", 0);
    for (int i = 0; i < l->n_states; i++)
        l->rates[i] = defined(r, n, l->states[i].name, 1, l->states[i].unit, 1);
}

static void parameters_only(law_reader *r, const node *n, expr_id id, const char *what) {
    for (int i = 0; id >= 0 && i < LAW_STATES + r->l->n_states; i++)
        if (expr_depends(r->l->g, id, i)) {
            complain(r, n, "%s holds parameters only, not %s", what,
                     expr_variable_name(r->l->g, i));
            return;
        }
}

/* "mu_s must be >= mu_c" of mu_s >= mu_c. */
static void read_rule(law_reader *r, const node *n) {
    law *l = r->l;
    if (l->n_rules == LAW_RULES) {
        complain(r, n, "more than %d rules", LAW_RULES);
        return;
    }
    expr_id id = read_expression(r, n, NULL);
    if (id < 0) return;
    parameters_only(r, n, id, "a rule");
    char *words = ARENA_NEW(&l->memory, char, strlen(n->text) + 20);
    if (!words) return;
    size_t cut = strcspn(n->text, "<>=!");
    while (cut > 0 && n->text[cut - 1] == ' ') cut--;
    sprintf(words, "%.*s must be%s", (int)cut, n->text, n->text + cut);
    l->rules[l->n_rules++] = (law_rule){id, words};
}

static void read_rules(law_reader *r, const node *n) {
    if (n && n->kind == NODE_LIST)
        for (const node *rule = n->first; rule; rule = rule->next) read_rule(r, rule);
    else if (n)
        read_rule(r, n);
}

/* ---- the whole file ------------------------------------------------------------------------ */

static void read_defaults(law_reader *r, const node *n) {
    static const char *const keys[] = {"from", "load", NULL};
    const char *newton = "N";
    if (!n || n->kind != NODE_MAP || !node_get(n, "load")) {
        complain(r, n, "defaults must be {from: ..., load: ... N}");
        return;
    }
    check_keys(r, n, keys);
    r->l->defaults = text_of(r, n, "from", 1);
    read_quantity(r, node_get(n, "load"), &newton, &r->l->load);
}

/* Whoever reads the equations of a set-valued law reads what it holds, too. */
static void tell_hold(law *l, const char *level) {
    static const char words[] = "\n# at rest: what balances, up to ";
    size_t length = strlen(l->equations);
    char *text = ARENA_NEW(&l->memory, char, length + sizeof words + strlen(level) + 2);
    if (!text) return;
    while (length > 0 && l->equations[length - 1] == '\n') length--;
    sprintf(text, "%.*s%s%s\n", (int)length, l->equations, words, level);
    l->equations = text;
}

/* A bound, or {at: ..., when: condition, early: yes}. Where a condition on the parameters does not
 * hold, the bound is far away. Early: the rate has an infinite slope at the bound, or jumps, so
 * that solvers stop before it; it is then relative, in the direction of motion. */
static void read_bound(law_reader *r, int i, const node *n) {
    static const char *const keys[] = {"at", "when", "early", NULL};
    law *l = r->l;
    const node *at = n, *when = NULL;
    if (!n || r->failed) return;
    if (n->kind == NODE_MAP) {
        check_keys(r, n, keys);
        at = node_get(n, "at");
        when = node_get(n, "when");
        if (!at) complain(r, n, "at is missing: the bound");
        l->bound_early[i] = is_yes(r, n, "early");
    }
    l->bounds[i] = read_expression(r, at, l->states[i].unit);
    l->bound_when[i] = read_expression(r, when, NULL);
    parameters_only(r, when, l->bound_when[i], "the condition of a bound");
    if (r->failed || !when) return;
    expr_id far = expr_number(l->g, 1e300, expr_at(l->g, l->bounds[i])->dim);
    l->bounds[i] = expr_make(l->g, EXPR_IF, l->bound_when[i], l->bounds[i], far);
}

static void read_advice(law_reader *r, const node *n) {
    static const char *const keys[] = {"when", "text", NULL};
    if (!n || r->failed) return;
    if (n->kind != NODE_MAP || !node_get(n, "when")) {
        complain(r, n, "must be {when: condition, text: ...}");
        return;
    }
    check_keys(r, n, keys);
    r->l->advice = read_expression(r, node_get(n, "when"), NULL);
    parameters_only(r, n, r->l->advice, "advice");
    r->l->advice_words = text_of(r, n, "text", 1);
}

/* Whether the parameters of a law begin with these. */
static int begins_with(const law *l, const char *names) {
    for (int i = 0; *names; i++) {
        size_t length = strcspn(names, " ");
        if (i >= l->n_params || strlen(l->params[i].name) != length ||
            strncmp(l->params[i].name, names, length) != 0)
            return 0;
        names += length;
        names += *names == ' ';
    }
    return 1;
}

/* exact: the law vouches that no branch of a rate changes within a step. Else a step in C. */
static void read_step(law_reader *r, const node *n) {
    law *l = r->l;
    const char *names[20] = {"exact"};
    if (!n || r->failed) return;
    if (n->kind == NODE_SCALAR && strcmp(n->text, "exact") == 0) {
        l->step_exact = 1;
        return;
    }
    for (int i = 0; i < bri_law_step_count && n->kind == NODE_SCALAR; i++) {
        const law_step *s = &bri_law_steps[i];
        names[1 + i] = s->name;
        if (strcmp(s->name, n->text) != 0) continue;
        l->step = s;
        if (!begins_with(l, s->params) || l->n_states != s->n_states)
            complain(r, n, "the step '%s' wants the parameters %s and %d states", s->name,
                     s->params, s->n_states);
        return;
    }
    const char *near =
        n->kind == NODE_SCALAR ? bri_nearest(n->text, names, 1 + bri_law_step_count) : NULL;
    complain(r, n,
             near ? "is no step; did you mean '%s'?" : "is no step: exact, or the name of one in C",
             near);
}

static void read_law(law_reader *r, const node *root) {
    static const char *const keys[] = {"law",    "title",   "cite",      "limits", "defaults",
                                       "states", "require", "equations", "holds",  "parameters",
                                       "stored", "lift",    "sticks",    "slip",   "advice",
                                       "step",   NULL};
    static const char *const inputs[][2] = {{"x", "m"}, {"v", "m/s"}, {"N", "N"}};
    law *l = r->l;
    if (root->kind != NODE_MAP) {
        complain(r, root, "a law file is a map of keys: law, title, parameters, equations ...");
        return;
    }
    if (!node_get(root, "law") &&
        !node_get(root, "equations")) { /* its lines are no business of ours */
        complain(r, root, "this is no law: there is neither the key 'law' nor 'equations'");
        return;
    }
    check_texts(r, root, root);
    if (r->failed) return;
    check_keys(r, root, keys);
    l->name = text_of(r, root, "law", 1);
    l->title = text_of(r, root, "title", 1);
    l->cite = text_of(r, root, "cite", 1);
    l->limits = text_of(r, root, "limits", 1);
    read_defaults(r, node_get(root, "defaults"));
    for (int i = 0; i < LAW_STATES; i++)
        declare(r, root, inputs[i][0], dim_of(r, root, inputs[i][1]));
    read_rows(r, node_get(root, "states"), read_state);
    read_rows(r, node_get(root, "parameters"), read_param);
    if (r->failed) return;
    read_equations(r, root);
    read_rules(r, node_get(root, "require"));
    l->holds = read_expression(r, node_get(root, "holds"), "N");
    l->stored = read_expression(r, node_get(root, "stored"), "J");
    l->lift = read_expression(r, node_get(root, "lift"), "s");
    parameters_only(r, node_get(root, "lift"), l->lift, "a time in the air");
    l->sticks = read_expression(r, node_get(root, "sticks"), NULL);
    l->slip = read_expression(r, node_get(root, "slip"), "m/s");
    const node *states = node_get(root, "states");
    for (int i = 0; i < l->n_states; i++)
        read_bound(r, i, node_get(node_get(states, l->states[i].name), "bound"));
    read_advice(r, node_get(root, "advice"));
    read_step(r, node_get(root, "step"));
    if (l->holds >= 0) tell_hold(l, node_get(root, "holds")->text);
    if (!r->failed && l->holds >= 0 && l->n_states > 0)
        complain(r, node_get(root, "holds"), "a law with states does not hold by itself");
}

static law *law_new(void) {
    law *l = calloc(1, sizeof *l);
    if (l) l->g = expr_new(NULL);
    if (!l || !l->g) {
        free(l);
        return NULL;
    }
    l->force = l->holds = l->stored = l->lift = EXPR_NONE;
    l->sticks = l->slip = l->advice = EXPR_NONE;
    for (int i = 0; i < BRI_MAX_STATES; i++)
        l->rates[i] = l->bounds[i] = l->bound_when[i] = EXPR_NONE;
    return l;
}

law *law_read_tree(const node *root, const char *text, size_t length, node_report *report,
                   void *to) {
    law_reader r = {.l = law_new(), .text = text, .length = length, .report = report, .to = to};
    if (!r.l) {
        no_memory(&r);
        return NULL;
    }
    node *whole = root ? NULL : node_parse(text, length, &r.l->memory, yaml_report, &r);
    if (!root) root = whole;
    if (root && !r.failed) read_law(&r, root);
    if (!r.failed && expr_failure(r.l->g)) complain_graph(&r);
    if (!r.failed && r.l->memory.failed) no_memory(&r);
    if (!r.failed) return r.l;
    law_free(r.l);
    return NULL;
}

/* A report without its status. */
typedef struct plain_report {
    law_report *report;
    void *to;
} plain_report;

static void tell_plainly(void *to, int line, bri_status status, const char *words) {
    const plain_report *p = to;
    (void)status;
    p->report(p->to, line, words);
}

law *law_read(const char *text, size_t length, law_report *report, void *to) {
    plain_report plain = {report, to};
    return law_read_tree(NULL, text, length, tell_plainly, &plain);
}

void law_free(law *l) {
    if (!l) return;
    expr_free(l->g);
    arena_free(&l->memory);
    free(l);
}
