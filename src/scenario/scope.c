/* scope.c - parameters and signals of a scenario, and expressions in them and in the motions. */
#include "scope.h"

#include "expr/dim.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- units --------------------------------------------------------------------------------- */

/* Units of the SI are known to the engine; others are asked for among those that a rig has. */
static int read_unit(void *to, const char *text, double *factor, expr_dim *dim) {
    static const char *const known[] = {"1", "m",   "m/s",   "m/s2", "s",     "1/s",    "kg",
                                        "N", "N/m", "N s/m", "N m",  "kg m2", "Pa",     "J",
                                        "W", "m2",  "1/m",   "K",    "N s",   "N s2/m2"};
    char quantity[120];
    bri_error err;
    (void)to;
    if (expr_unit_si(NULL, text, factor, dim)) return 1;
    snprintf(quantity, sizeof quantity, "1 %.100s", text);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        double unused;
        if (strcmp(known[i], "K") == 0) continue; /* degrees have an offset */
        if (bri_quantity(quantity, known[i], factor, &err) == BRI_OK)
            return expr_unit_si(NULL, known[i], &unused, dim);
        if (err.status == BRI_BAD_VALUE || err.status == BRI_MISSING) return 0;
    }
    return 0;
}

/* The dimension of a unit of a table, "N s/m" or "(N m)/s". */
static expr_dim dim_of(const char *unit) {
    char inner[80];
    double factor;
    expr_dim dim = {0}, second;
    const char *end = unit[0] == '(' ? strchr(unit, ')') : NULL;
    if (end && strcmp(end, ")/s") == 0 && (size_t)(end - unit) < sizeof inner) {
        snprintf(inner, sizeof inner, "%.*s", (int)(end - unit - 1), unit + 1);
        expr_unit_si(NULL, "s", &factor, &second);
        return expr_dim_over(dim_of(inner), second);
    }
    read_unit(NULL, unit, &factor, &dim);
    return dim;
}

static expr_dim per_second(expr_dim dim) { return expr_dim_over(dim, dim_of("s")); }

/* ---- names --------------------------------------------------------------------------------- */

const parameter *find_parameter(const bri_scenario *s, const char *name) {
    for (int i = 0; i < s->n_parameters; i++)
        if (strcmp(s->parameters[i].name, name) == 0) return &s->parameters[i];
    return NULL;
}

const named_signal *find_signal(const bri_scenario *s, const char *name) {
    for (int i = 0; i < s->n_signals; i++)
        if (strcmp(s->signals[i].name, name) == 0) return &s->signals[i];
    return NULL;
}

/* Words that mean something else in expressions. */
static int is_reserved(const char *name) {
    static const char *const words[] = {
        "t",     "x",        "v",     "z",    "vz",   "L",      "pi",    "and",
        "or",    "not",      "abs",   "sign", "min",  "max",    "clamp", "exp",
        "expm1", "log",      "log1p", "sqrt", "sin",  "cos",    "tan",   "atan",
        "tanh",  "stribeck", "step",  "if",   "gpow", "ground", "energy"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(words[i], name) == 0) return 1;
    return 0;
}

static int good_name(reader *r, const node *n) {
    int word = isalpha((unsigned char)n->key[0]) && strlen(n->key) < 60;
    for (size_t i = 0; word && n->key[i]; i++)
        word = isalnum((unsigned char)n->key[i]) || n->key[i] == '_';
    if (!word)
        report(r, n, BRI_BAD_VALUE,
               "'%.70s' is no name: letters, digits and _, a letter first, at most 59", n->key);
    else if (is_reserved(n->key))
        report(r, n, BRI_BAD_VALUE, "the name '%s' is reserved", n->key);
    else if (find_parameter(r->s, n->key) || find_signal(r->s, n->key))
        report(r, n, BRI_BAD_VALUE, "the name '%s' is taken by a parameter", n->key);
    else
        return 1;
    return 0;
}

/* ---- the graph of an expression ------------------------------------------------------------ */

enum { MOST_NAMES = 600, MANY_ELEMENTS = 100 };

typedef struct scope {
    reader *r;
    place at;
    expr_graph *g;
    int n;                  /* variables */
    bri_arg as[MOST_NAMES]; /* what each is */
} scope;

static int declare(scope *s, const char *name, expr_dim dim, bri_arg as) {
    if (s->n >= MOST_NAMES || expr_variable(s->g, name, dim) < 0) return 0;
    s->as[s->n++] = as;
    return 1;
}

/* A number as it is, or an equation in those above it. */
static void declare_parameter(scope *s, int i) {
    const parameter *p = &s->r->s->parameters[i];
    char equation[1200];
    expr_error err;
    if (p->derived && strlen(p->text) < 1000) {
        snprintf(equation, sizeof equation, "%s = %s", p->name, p->text);
        if (expr_equations(s->g, equation, strlen(equation), &err)) return;
    }
    declare(s, p->name, p->dim, (bri_arg){.kind = BRI_ARG_PARAMETER, .index = i});
}

/* A name and its rate, name'. */
static void declare_rate(scope *s, const char *name, expr_dim dim, bri_arg as, bri_arg rate) {
    char hidden[80], equation[180];
    expr_error err;
    snprintf(hidden, sizeof hidden, "_rate_%.60s", name);
    if (!declare(s, name, dim, as) || !declare(s, hidden, per_second(dim), rate)) return;
    expr_has_rate(s->g, name);
    snprintf(equation, sizeof equation, "%.60s' = %s", name, hidden);
    expr_equations(s->g, equation, strlen(equation), &err);
}

static void declare_motion(scope *s, const char *prefix, const char *word, int kind, int index,
                           expr_dim dim) {
    char name[160];
    snprintf(name, sizeof name, "%s%s%s", prefix, prefix[0] ? "." : "", word);
    declare(s, name, dim, (bri_arg){.kind = (bri_arg_kind)kind, .index = index});
}

/* x, v and so on of a body or contact. */
static void declare_element(scope *s, const char *name, int index, int contact, int turns,
                            int point) {
    expr_dim x = dim_of(turns ? "1" : "m"), v = per_second(x);
    declare_motion(s, name, "x", contact ? BRI_ARG_SLIDING_X : BRI_ARG_X, index, x);
    declare_motion(s, name, "v", contact ? BRI_ARG_SLIDING_V : BRI_ARG_V, index, v);
    if (contact || !point) return;
    declare_motion(s, name, "z", BRI_ARG_Z, index, x);
    declare_motion(s, name, "vz", BRI_ARG_VZ, index, v);
}

/* Nonzero if a contact is between rotors, as far as its bodies are known by name. */
static int contact_turns(const scope *s, const group *g) {
    const node *list = node_get(g->at, "between");
    for (const node *n = list ? list->first : NULL; n; n = n->next) {
        char name[64];
        if (n->kind != NODE_SCALAR) continue;
        snprintf(name, sizeof name, "%.*s", (int)strcspn(n->text, "."), n->text);
        size_t length = strlen(name);
        const group *body = find_group(s->r, name);
        while (!body && length > 1 && isdigit((unsigned char)name[length - 1])) {
            name[--length] = '\0';
            body = find_group(s->r, name);
        }
        if (body && body->section == BODIES) return body->kind == BRI_ROTOR;
    }
    return 0;
}

static void declare_group(scope *s, const group *g, int member) {
    char name[120];
    if (g->section != BODIES && g->section != CONTACTS) return;
    if (member < 0 || member >= g->count ||
        (g->section == CONTACTS && s->at.site == SITE_BODY && g->count == 0))
        return;
    snprintf(name, sizeof name, g->array ? "%s%d" : "%s", g->name, member + 1);
    declare_element(s, name, g->first + member, g->section == CONTACTS,
                    g->section == BODIES ? g->kind == BRI_ROTOR : contact_turns(s, g),
                    g->kind == BRI_POINT);
}

/* The element that a word before a dot names: "block", or "block3" of an array. */
static void declare_word(scope *s, const char *word) {
    char name[64];
    snprintf(name, sizeof name, "%.63s", word);
    const group *g = find_group(s->r, name);
    size_t length = strlen(name);
    if (g && !g->array) {
        declare_group(s, g, 0);
        return;
    }
    while (length > 1 && isdigit((unsigned char)name[length - 1])) length--;
    int member = atoi(name + length) - 1;
    name[length] = '\0';
    g = find_group(s->r, name);
    if (g && g->array) declare_group(s, g, member);
}

/* Declare the bodies or the contacts, or only count them; none beyond `room` is looked at, since
 * this is done for every expression. Returns how many there are, more than `room` if too many. */
static long each_of(scope *s, section of, long room, int declared) {
    const bri_scenario *all = s->r->s;
    long count = 0;
    for (int i = of > 0 ? all->section_end[of - 1] : 0; i < all->section_end[of] && count <= room;
         i++) {
        const group *g = &all->groups[i];
        count += g->count;
        for (int k = 0; declared && k < g->count; k++) declare_group(s, g, k);
    }
    return count;
}

/* All elements if they are few, for the sake of hints; else those that the text names. */
static void declare_elements(scope *s, const char *text) {
    long bodies = each_of(s, BODIES, MANY_ELEMENTS, 0);
    if (bodies + each_of(s, CONTACTS, MANY_ELEMENTS, 0) <= MANY_ELEMENTS) {
        each_of(s, BODIES, MANY_ELEMENTS, 1);
        each_of(s, CONTACTS, MANY_ELEMENTS, 1);
        return;
    }
    for (const char *c = text; *c;) {
        size_t length =
            strspn(c, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789");
        if (c[length] == '.' && length > 0 && length < 64 && isalpha((unsigned char)*c)) {
            char word[64];
            snprintf(word, sizeof word, "%.*s", (int)length, c);
            declare_word(s, word); /* a second time does nothing */
        }
        c += length ? length : 1;
    }
}

static void declare_all(scope *s, const char *text) {
    const bri_scenario *all = s->r->s;
    const bri_arg time = {.kind = BRI_ARG_TIME};
    for (int i = 0; i < all->n_parameters; i++) declare_parameter(s, i);
    if (s->at.site == SITE_NUMBER) return;
    declare(s, "t", dim_of("s"), time);
    for (int i = 0; i < all->n_signals; i++) {
        const named_signal *n = &all->signals[i];
        declare_rate(s, n->name, n->dim, (bri_arg){BRI_ARG_SIGNAL, 0, &n->signal},
                     (bri_arg){BRI_ARG_SIGNAL_RATE, 0, &n->signal});
    }
    if (s->at.site == SITE_COUPLING)
        declare_rate(s, "L", dim_of(s->at.turns ? "1" : "m"), (bri_arg){.kind = BRI_ARG_LENGTH},
                     (bri_arg){.kind = BRI_ARG_LENGTH_RATE});
    if (s->at.site != SITE_BODY && s->at.site != SITE_CONTACT) return;
    declare_element(s, "", OWN, s->at.site == SITE_CONTACT, s->at.turns, s->at.point);
    declare_elements(s, text);
}

/* Where in the file the mistake is, as far as that is known. */
static void report_place(reader *r, const node *n, const expr_error *err) {
    int first = n->line > 0 && n->column > 0 && !n->block && err->line == 1;
    const char *cut = strstr(err->text, "is missing before the end")
                          ? "; between { and } an expression with a comma needs quotes"
                          : "";
    if (err->line == 0)
        report(r, n, BRI_BAD_VALUE, "%s", err->text);
    else if (first)
        report(r, n, BRI_BAD_VALUE, "column %d: %s%s", n->column + err->column - 1, err->text, cut);
    else
        report(r, n, BRI_BAD_VALUE, "'%.80s', column %d: %s%s", n->text, err->column, err->text,
               cut);
}

/* What cannot stand here although it could elsewhere. */
static const char *not_here(const scope *s, const char *word) {
    static const char *const motions[] = {"x", "v", "z", "vz"};
    if (s->at.site == SITE_NUMBER && (strcmp(word, "t") == 0 || find_signal(s->r->s, word)))
        return "a number is needed here, which does not change with time";
    for (size_t i = 0; i < sizeof motions / sizeof *motions; i++) {
        const char *dot = strrchr(word, '.');
        if (strcmp(dot ? dot + 1 : word, motions[i]) != 0) continue;
        if (s->at.site == SITE_NUMBER)
            return "a number is needed here, which does not change with the motion";
        if (s->at.site == SITE_TIME) return "this may depend on time and signals only";
        if (s->at.site == SITE_COUPLING)
            return "a tension depends on its length L, its rate L', time and signals";
    }
    return NULL;
}

/* The first word of the text that cannot stand here. */
static const char *find_not_here(const scope *s, const char *text) {
    for (const char *c = text; *c;) {
        char word[120];
        size_t length =
            strspn(c, ".ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789");
        if (length > 0 && length < sizeof word && isalpha((unsigned char)*c)) {
            snprintf(word, sizeof word, "%.*s", (int)length, c);
            const char *why = not_here(s, word);
            if (why) return why;
        }
        c += length ? length : 1;
    }
    return NULL;
}

static void check_unit(reader *r, const node *n, const expr_node *root, const char *unit) {
    char found[EXPR_DIM_ROOM];
    if (expr_dim_fits(root->dim, dim_of(unit))) return;
    expr_dim_text(root->dim, found, sizeof found);
    if (strcmp(found, "1") == 0)
        report(r, n, BRI_BAD_UNIT,
               "the expression is a pure number, and %s is needed: give its numbers units, such as "
               "2 %s",
               unit, unit);
    else
        report(r, n, BRI_BAD_UNIT, "the expression is in %s, and %s is needed", found,
               strcmp(unit, "1") == 0 ? "a pure number" : unit);
}

/* The expression as written; EXPR_NONE after a report. unit NULL: any will do. */
static expr_id read_root(scope *s, const node *n, const char *unit) {
    reader *r = s->r;
    expr_error err = {0};
    expr_id root;
    expr_units(s->g, read_unit, NULL);
    declare_all(s, n->text);
    root = expr_read(s->g, n->text, strlen(n->text), &err);
    if (root < 0) {
        const char *why = find_not_here(s, n->text);
        if (why && strstr(err.text, "is not known here"))
            report(r, n, BRI_BAD_VALUE, "'%.80s': %s", n->text, why);
        else
            report_place(r, n, &err);
        return EXPR_NONE;
    }
    if (expr_is_condition(s->g, root)) {
        report(r, n, BRI_BAD_VALUE, "a condition is no number: if(%.60s, a, b) makes one of it",
               n->text);
        return EXPR_NONE;
    }
    int before = r->reported;
    if (unit) check_unit(r, n, expr_at(s->g, root), unit);
    return r->reported > before ? EXPR_NONE : root;
}

/* Nonzero: the variable stands in an exponent, which is a number once the file is read. */
static int in_exponent(const scope *s, expr_id root, int variable) {
    for (expr_id i = 0; i <= root; i++) {
        const expr_node *at = expr_at(s->g, i);
        if (at->op == EXPR_POW && expr_depends(s->g, at->at[1], variable)) return 1;
        if (at->op == EXPR_STRIBECK && expr_depends(s->g, at->at[2], variable)) return 1;
    }
    return 0;
}

/* Parameters become numbers: all of them, or those in exponents alone. In simplest form; EXPR_NONE
 * after a report. */
static expr_id put_numbers(scope *s, const node *n, expr_id root, int all) {
    const parameter *p = s->r->s->parameters;
    expr_id by[MOST_NAMES], out;
    for (int i = 0; i < s->n; i++) {
        int at = s->as[i].kind == BRI_ARG_PARAMETER ? s->as[i].index : -1;
        by[i] = at >= 0 && (all || in_exponent(s, root, i))
                    ? expr_number(s->g, p[at].value, p[at].dim)
                    : EXPR_NONE;
    }
    if (expr_substitute(s->g, by, &root, 1, &out) && expr_simplify(s->g, &out, 1, &out)) return out;
    report(s->r, n, BRI_BAD_VALUE, "%s",
           expr_failure(s->g) ? expr_failure(s->g) : "not enough memory");
    return EXPR_NONE;
}

void fix_parameter(reader *r, const parameter *which, const node *n) {
    parameter *p = &r->s->parameters[which - r->s->parameters];
    char path[160];
    if (p->fixed || r->quiet) return;
    node_path(n, path, sizeof path);
    char *text = ARENA_NEW(r->memory, char, strlen(path) + 24);
    if (text) sprintf(text, "being part of %s", path);
    p->fixed = text;
}

/* Remember which parameters are in the expression as written and no longer in what is made of it.
 */
static void fix_parameters(scope *s, const node *n, expr_id root, expr_id made) {
    for (int i = 0; i < s->n; i++) {
        if (s->as[i].kind != BRI_ARG_PARAMETER || !expr_depends(s->g, root, i) ||
            expr_depends(s->g, made, i))
            continue;
        fix_parameter(s->r, &s->r->s->parameters[s->as[i].index], n);
    }
}

static int count_arguments(scope *s, expr_id root) {
    int count = 0;
    for (int i = 0; i < s->n; i++) count += expr_depends(s->g, root, i) != 0;
    return count;
}

/* What varies keeps its parameters, so that a run can change them; what does not is a number, and
 * so are the parameters of signals and exponents. EXPR_NONE after a report. */
static expr_id settle(scope *s, const node *n, expr_id root) {
    expr_id whole = put_numbers(s, n, root, 1), made = whole;
    if (whole < 0) return EXPR_NONE;
    const expr_node *top = expr_at(s->g, whole);
    if (!top->constant && top->op != EXPR_VAR && s->at.site != SITE_TIME &&
        s->at.site != SITE_NUMBER) {
        made = put_numbers(s, n, root, 0);
        if (made >= 0 && count_arguments(s, made) > BRI_FUNCTION_ARGS) made = whole;
    }
    if (made >= 0) fix_parameters(s, n, root, made);
    return made;
}

static scope *new_scope(reader *r, place at) {
    scope *s = malloc(sizeof *s);
    if (s) s->r = r, s->at = at, s->n = 0, s->g = expr_new(NULL); /* `as` has no more than n */
    if (s && s->g) return s;
    free(s);
    report_memory(r);
    return NULL;
}

static void free_scope(scope *s) {
    if (!s) return;
    expr_free(s->g);
    free(s);
}

/* unit NULL: any will do; *dim is what comes out, if it is not NULL. */
static int read_any(reader *r, const node *n, const char *unit, place at, expr_dim *dim,
                    reading *out) {
    scope *s = new_scope(r, at);
    *out = (reading){0};
    if (!s) return 0;
    expr_id root = read_root(s, n, unit);
    if (root >= 0) root = settle(s, n, root);
    if (dim && root >= 0) *dim = expr_at(s->g, root)->dim;
    int good = root >= 0;
    const expr_node *top = good ? expr_at(s->g, root) : NULL;
    if (good && top->constant) {
        out->value = top->value;
        good = isfinite(out->value);
        if (!good) report(r, n, BRI_BAD_VALUE, "the expression comes to no number");
    } else if (good && top->op == EXPR_VAR && s->as[top->index].kind == BRI_ARG_SIGNAL) {
        out->signal = s->as[top->index].signal;
    } else if (good) {
        expression *e = expression_compile(r, n, s->g, root, s->as);
        out->e = at.site == SITE_TIME ? NULL : e;
        if (e && at.site == SITE_TIME) out->signal = timed_signal(r, n, s->g, root, e);
        good = out->e != NULL || out->signal != NULL;
    }
    free_scope(s);
    return good;
}

int read_given(reader *r, const node *n, const char *unit, place at, reading *out) {
    return read_any(r, n, unit, at, NULL, out);
}

static int read_timed(reader *r, const node *n, expr_dim *dim, reading *out) {
    return read_any(r, n, NULL, (place){.site = SITE_TIME}, dim, out);
}

/* ---- what is an expression ----------------------------------------------------------------- */

int is_expression(const reader *r, const char *text) {
    size_t length = strlen(text), words = strspn(text, " ");
    if (strpbrk(text, "*(")) return 1;
    for (size_t i = 1; i + 1 < length; i++) {
        char before = text[i - 1], after = text[i + 1];
        if (!strchr("+-/", text[i])) continue;
        if (before == ' ' && after == ' ') return 1;
        if (text[i] != '/' && (isalnum((unsigned char)before) || before == ')') &&
            (isalpha((unsigned char)after) || after == '('))
            return 1;
    }
    if (text[words] == '-' && isalpha((unsigned char)text[words + 1])) return 1;
    if (!isalpha((unsigned char)text[words])) return 0;
    return r->s->n_parameters + r->s->n_signals > 0 || strcmp(text + words, "t") == 0 ||
           strchr(text, '.') != NULL;
}

/* ---- parameters and signals ---------------------------------------------------------------- */

static void read_parameter_list(reader *r, const node *map) {
    r->s->parameters = ARENA_NEW(r->memory, parameter, map->count + 1);
    if (!r->s->parameters) {
        report_memory(r);
        return;
    }
    for (const node *n = map->first; n; n = n->next) {
        if (!good_name(r, n) || !want_text(r, n, "a number with its unit, or an expression"))
            continue;
        scope *s = new_scope(r, (place){.site = SITE_NUMBER});
        if (!s) return;
        expr_id root = read_root(s, n, NULL),
                number = root >= 0 ? put_numbers(s, n, root, 1) : root;
        const expr_node *top = number >= 0 ? expr_at(s->g, number) : NULL;
        if (top && !isfinite(top->value))
            report(r, n, BRI_BAD_VALUE, "the expression comes to no number");
        else if (top)
            r->s->parameters[r->s->n_parameters++] =
                (parameter){.name = n->key,
                            .text = n->text,
                            .value = top->value,
                            .dim = top->dim,
                            .derived = count_arguments(s, root) > 0};
        free_scope(s);
    }
}

void list_parameters(reader *r) {
    const bri_scenario *s = r->s;
    bri_parameter *list = ARENA_NEW(r->memory, bri_parameter, s->n_parameters + 1);
    for (int i = 0; list && i < s->n_parameters; i++) {
        const parameter *p = &s->parameters[i];
        char *unit = ARENA_NEW(r->memory, char, EXPR_DIM_ROOM);
        if (!unit) break;
        expr_dim_text(p->dim, unit, EXPR_DIM_ROOM);
        list[i] = (bri_parameter){.name = p->name,
                                  .unit = unit,
                                  .fixed = p->derived ? "following from others" : p->fixed,
                                  .value = p->value};
    }
    if (r->memory->failed) {
        report_memory(r);
        return;
    }
    r->s->def.system.parameters = list;
    r->s->def.system.n_parameters = s->n_parameters;
}

/* The unit of the first number in a signal that has the unit of its values; "" if it has none. */
static void find_unit(const node *n, const bri_signal_kind *kind, char *unit, size_t size) {
    if (unit[0]) return;
    if (n->kind == NODE_SCALAR) {
        size_t skip = strspn(n->text, " +-.0123456789");
        if (skip > 0 && (n->text[skip] == 'e' || n->text[skip] == 'E') &&
            strchr("+-.0123456789", n->text[skip + 1]) && n->text[skip + 1])
            skip += 1 + strspn(n->text + skip + 1, "+-0123456789");
        skip += strspn(n->text + skip, " ");
        if (skip > 0 && n->text[skip]) snprintf(unit, size, "%.60s", n->text + skip);
        return;
    }
    for (const node *c = n->first; c; c = c->next) {
        const bri_signal_kind *inner = c->key && !kind ? bri_signal_find(c->key) : NULL;
        if (inner) {
            if (inner->n_params > 0 && c->kind == NODE_SCALAR && inner->params[0].unit[0] != '=')
                continue;
            find_unit(c, inner, unit, size);
        } else if (kind && kind->holds == BRI_ONLY_PARAMS) {
            for (int i = 0; i < kind->n_params; i++)
                if (c->key && strcmp(kind->params[i].name, c->key) == 0 &&
                    strcmp(kind->params[i].unit, "=") == 0)
                    find_unit(c, NULL, unit, size);
        } else if (kind && kind->holds == BRI_POINTS) {
            if (c->key && strcmp(c->key, "unit") == 0 && c->kind == NODE_SCALAR)
                snprintf(unit, size, "%.60s", c->text);
            else if (c->key && strcmp(c->key, "y") == 0 && c->first)
                find_unit(c->first, NULL, unit, size);
        } else {
            find_unit(c, NULL, unit, size);
        }
    }
}

/* One signal: the map as it stands in other places, and `unit` beside the kind if no number in it
 * tells. Values are kept in SI units. */
static void read_named_signal(reader *r, const node *n, named_signal *to) {
    node plain = *n;
    char unit[80] = "";
    const node *own = n->kind == NODE_MAP ? node_get(n, "unit") : NULL;
    double factor;
    if (own && !want_text(r, own, "a unit")) return;
    if (n->kind == NODE_SCALAR && is_expression(r, n->text)) { /* its unit is what comes out */
        reading from;
        if (!read_timed(r, n, &to->dim, &from)) return;
        expr_dim_text(to->dim, to->unit, sizeof to->unit);
        to->name = n->key;
        to->signal = from.signal ? *from.signal : bri_signal_constant(from.value);
        r->s->n_signals++;
        return;
    }
    if (own) { /* the signal is the other key */
        if (n->count != 2) {
            report(r, n, BRI_BAD_VALUE, "a signal is one map, {sine: {...}}, and unit beside it");
            return;
        }
        node *other = ARENA_NEW(r->memory, node, 1);
        if (!other) {
            report_memory(r);
            return;
        }
        *other = n->first == own ? *n->first->next : *n->first;
        other->next = NULL;
        plain.first = plain.last = other;
        plain.count = 1;
        snprintf(unit, sizeof unit, "%.60s", own->text);
    } else {
        find_unit(n, NULL, unit, sizeof unit);
    }
    if (!unit[0]) snprintf(unit, sizeof unit, "1");
    if (!read_unit(NULL, unit, &factor, &to->dim)) {
        report(r, own ? own : n, BRI_BAD_UNIT, "there is no unit '%.60s'", unit);
        return;
    }
    expr_dim_text(to->dim, to->unit, sizeof to->unit);
    to->name = n->key;
    if (read_signal(r, &plain, to->unit, &to->signal)) r->s->n_signals++;
}

void read_scope(reader *r, const node *root) {
    const node *parameters = node_get(root, "parameters"), *signals = node_get(root, "signals");
    if (parameters && (parameters->kind != NODE_SCALAR || parameters->text[0]) &&
        want_map(r, parameters, "name: number"))
        read_parameter_list(r, parameters);
    if (!signals || (signals->kind == NODE_SCALAR && !signals->text[0]) ||
        !want_map(r, signals, "name: {sine: {...}}"))
        return;
    r->s->signals = ARENA_NEW(r->memory, named_signal, signals->count + 1);
    if (!r->s->signals) {
        report_memory(r);
        return;
    }
    for (const node *n = signals->first; n; n = n->next)
        if (good_name(r, n)) read_named_signal(r, n, &r->s->signals[r->s->n_signals]);
}

/* ---- at the start -------------------------------------------------------------------------- */

static double start_of(const reader *r, int body, int velocity) {
    if (body == BRI_GROUND) return 0.0;
    const bri_body *b = &r->s->def.system.bodies[body];
    double out[4] = {0};
    if (b->position) b->position->kind->eval(b->position, 0.0, out);
    if (b->position) return out[velocity ? 2 : 1];
    if (b->velocity && velocity) return bri_signal_value(b->velocity, 0.0);
    return velocity ? b->v : b->x;
}

double start_value(const reader *r, const expression *e, int a, int b) {
    double arg[BRI_FUNCTION_ARGS] = {0}, out[4], side[BRI_FUNCTION_SWITCHES] = {0};
    const bri_system *s = &r->s->def.system;
    for (int i = 0; i < e->n_args; i++) {
        const bri_arg *is = &e->args[i];
        int velocity = is->kind == BRI_ARG_V || is->kind == BRI_ARG_SLIDING_V;
        if (is->kind == BRI_ARG_PARAMETER) {
            arg[i] = r->s->parameters[is->index].value;
        } else if (is->signal) {
            is->signal->kind->eval(is->signal, 0.0, out);
            arg[i] = out[is->kind == BRI_ARG_SIGNAL ? 1 : 2];
        } else if (is->kind == BRI_ARG_X || is->kind == BRI_ARG_V) {
            arg[i] = start_of(r, is->index == OWN ? a : is->index, velocity);
        } else if (is->index == OWN) {
            arg[i] = start_of(r, a, velocity) - start_of(r, b, velocity);
        } else if (is->kind == BRI_ARG_Z) {
            arg[i] = s->bodies[is->index].z;
        } else if (is->kind == BRI_ARG_VZ) {
            arg[i] = s->bodies[is->index].vz;
        }
    }
    return expression_value(e, arg, side);
}
