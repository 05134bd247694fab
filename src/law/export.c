/* export.c - a law as one file of another language: function, stable step, parameters by name and a
 * test vector. What the languages share. */
#include "export.h"

#include "../fail.h"
#include "../output/number.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

/* ---- text ---------------------------------------------------------------------------------- */

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void
put(exporter *e, const char *format, ...) {
    va_list args;
    va_start(args, format);
    vfprintf(e->out, format, args);
    va_end(args);
}

void put_number(exporter *e, double x) {
    char text[NUMBER_ROOM + 3], *end = number_put(text, x);
    *end = '\0';
    if (!strpbrk(text, ".en")) memcpy(end, ".0", 3); /* no integer */
    fputs(text, e->out);
}

void put_name(exporter *e, const char *name) {
    char text[120];
    expr_print_name(name, e->style, text, sizeof text);
    fputs(text, e->out);
}

void put_comment(exporter *e, const char *begin, const char *text) {
    while (*text) {
        size_t n = strcspn(text, "\n");
        put(e, "%s%.*s\n", begin, (int)n, text);
        text += n + (text[n] == '\n');
    }
}

const char *export_math(const char *name) {
    for (int i = 0; i < bri_law_math_count; i++)
        if (strcmp(bri_law_math[i].name, name) == 0) return bri_law_math[i].text;
    return "";
}

/* ---- what is written ----------------------------------------------------------------------- */

int export_step_roots(exporter *e, expr_id *roots) {
    law *l = e->page;
    int k = l->n_states;
    if (e->affine) return law_affine(l, roots) == LAW_AFFINE ? 2 * k : 0;
    if (!expr_simplify(l->g, l->rates, k, roots)) return 0;
    expr_id slopes[BRI_MAX_STATES];
    for (int j = 0; j < k; j++) {
        if (!expr_derive(l->g, roots, k, LAW_STATES + j, slopes)) return 0;
        for (int i = 0; i < k; i++) roots[k + i * k + j] = slopes[i];
    }
    return k + k * k;
}

static const char *name_at(const expr_graph *g, int i) {
    int variables = expr_variables(g);
    return i < variables ? expr_variable_name(g, i) : expr_definition_at(g, i - variables)->name;
}

/* A name that differs from another one in capital letters alone, which structured text does not
 * see. */
static const char *same_name(const exporter *e) {
    const expr_graph *g = e->page->g;
    int n = expr_variables(g) + expr_definitions(g);
    for (int i = 0; e->style == EXPR_ST && i < n; i++)
        for (int k = 0; k < i; k++) {
            char a[120], b[120];
            if (!name_at(g, i) || !name_at(g, k) || !strcmp(name_at(g, i), name_at(g, k))) continue;
            expr_print_name(name_at(g, i), EXPR_ST, a, sizeof a);
            expr_print_name(name_at(g, k), EXPR_ST, b, sizeof b);
            for (char *c = a; *c; c++) *c = (char)tolower((unsigned char)*c);
            for (char *c = b; *c; c++) *c = (char)tolower((unsigned char)*c);
            if (strcmp(a, b) == 0) return name_at(g, i);
        }
    return NULL;
}

/* Names of the law that the file needs for itself. */
static const char *taken_name(const exporter *e) {
    static const char *const in_c[] = {
        "auto",   "break",    "case",   "char",   "const",    "continue", "default", "do",
        "double", "else",     "enum",   "extern", "float",    "for",      "goto",    "if",
        "inline", "int",      "long",   "main",   "register", "restrict", "return",  "short",
        "signed", "sizeof",   "static", "struct", "switch",   "typedef",  "union",   "unsigned",
        "void",   "volatile", "while",  "exp",    "expm1",    "log",      "log1p",   "sqrt",
        "sin",    "cos",      "tan",    "atan",   "tanh",     "pow",      "fabs",    "printf"};
    const expr_graph *g = e->page->g;
    int n = expr_variables(g) + expr_definitions(g);
    for (int i = 0; i < n; i++) {
        const char *name = name_at(g, i);
        if (!name) continue;
        if (strncmp(name, "law_", 4) == 0 || strncmp(name, "expr_", 5) == 0 ||
            strncmp(name, "bri_", 4) == 0 || strchr(name, '.'))
            return name;
        for (size_t k = 0; e->style == EXPR_C && k < sizeof in_c / sizeof *in_c; k++)
            if (strcmp(in_c[k], name) == 0) return name;
    }
    return same_name(e);
}

/* A usual speed and both its sides, none, small and large loads, states around their sizes. */
static void take_rows(exporter *e) {
    const bri_model *m = &e->law->model;
    bri_law general = *e->law; /* the file has the step that every law has */
    double speed = 0.0;
    general.model.step = NULL;
    for (int i = 0; i < m->n_params; i++)
        if (strcmp(m->params[i].unit, "m/s") == 0) speed = fmax(speed, e->s->p[i]);
    if (!(speed > 0.0)) speed = 0.01;
    for (int k = 0; k < EXPORT_ROWS; k++) {
        export_row *r = &e->rows[k];
        static const double speeds[] = {0.3, -0.7, 1.6, -3.1, 0.0, 9.0};
        r->x = 1e-3 * (k - 5);
        r->v = speed * speeds[k % 6] * (k < 6 ? 1.0 : 0.01);
        r->N = k == 9 ? 0.0 : e->s->load * (0.5 + 0.125 * k);
        r->fa = (k - 4) * 0.3 * r->N;
        r->h = k % 3 == 0 ? 1e-4 : k % 3 == 1 ? 1e-2 : 1.0;
        for (int i = 0; i < e->n_states; i++)
            r->z[i] = m->states[i].nominal *
                      (m->states[i].even ? 0.2 + 0.13 * k : 0.37 * (k % 5) - 0.6 + 0.1 * i);
        bri_input u = {.x = r->x, .v = r->v, .n = r->N, .fa = r->fa, .mode = BRI_AUTO};
        r->F = bri_model_eval(m, e->s->p, &u, r->z, r->dz);
        memcpy(r->z_end, r->z, sizeof r->z);
        r->F_end = bri_model_step(e->affine ? m : &general.model, e->s->p, &u, r->h, r->z_end);
    }
}

static const struct {
    const char *name, *ending;
    expr_style style;
    void (*write)(exporter *e);
} languages[BRI_LANGUAGE_COUNT] = {
    [BRI_TO_C] = {"c", "c", EXPR_C, export_c},
    [BRI_TO_PYTHON] = {"python", "py", EXPR_PYTHON, export_python},
    [BRI_TO_MATLAB] = {"matlab", "m", EXPR_MATLAB, export_matlab},
    [BRI_TO_ST] = {"st", "st", EXPR_ST, export_st},
};

const char *bri_language_name(bri_language to) {
    return (unsigned)to < BRI_LANGUAGE_COUNT ? languages[to].name : NULL;
}

const char *bri_language_ending(bri_language to) {
    return (unsigned)to < BRI_LANGUAGE_COUNT ? languages[to].ending : NULL;
}

static bri_status write_law(const bri_setup *s, bri_language to, const bri_law *l, FILE *out,
                            bri_error *err) {
    exporter e = {.out = out,
                  .style = languages[to].style,
                  .s = s,
                  .law = l,
                  .page = l->page,
                  .name = l->model.name,
                  .n_states = l->model.n_states,
                  .n_params = l->model.n_params,
                  .lifts = l->model.n_states == 0 || l->model.lift,
                  .affine = l->motion == LAW_AFFINE};
    const char *taken = taken_name(&e);
    if (taken)
        return bri_fail(err, BRI_BAD_VALUE, "%s: the name '%s' cannot stand in %s", e.name, taken,
                        languages[to].name);
    take_rows(&e);
    languages[to].write(&e);
    if (!e.failure) e.failure = expr_failure(e.page->g);
    if (e.failure)
        return bri_fail(err, strcmp(e.failure, EXPORT_NO_MEMORY) ? BRI_BAD_VALUE : BRI_NO_MEMORY,
                        "%s: %s", e.name, e.failure);
    return ferror(out) ? bri_fail(err, BRI_BAD_FILE, "cannot be written") : BRI_OK;
}

const bri_law *law_with_page(const bri_model *m, const char *as, bri_law **own, bri_error *err) {
    const bri_law *l = law_of_model(m);
    const char *page = bri_law_page(m->name);
    *own = NULL;
    if (l) return l;
    if (page && bri_model_find(m->name) != m)
        bri_fail(
            err, BRI_NOT_FOUND,
            "%s is not the law of its page alone, a direction or code was added to it, so that "
            "it cannot be %s",
            m->name, as);
    else if (!page)
        bri_fail(err, BRI_NOT_FOUND, "%s has no page of equations, so that it cannot be %s",
                 m->name, as);
    else if (bri_law_parse(page, strlen(page), m->name, own, NULL))
        bri_fail(err, BRI_NO_MEMORY, "%s", bri_status_text(BRI_NO_MEMORY));
    return *own;
}

bri_status bri_law_export(const bri_setup *s, bri_language to, FILE *out, bri_error *err) {
    bri_law *own;
    bri_error why;
    char as[40];
    if ((unsigned)to >= BRI_LANGUAGE_COUNT)
        return bri_fail(err, BRI_BAD_VALUE, "there is no such language");
    snprintf(as, sizeof as, "written in %s", languages[to].name);
    const bri_law *l = law_with_page(s->model, as, &own, &why);
    if (!l) return bri_fail(err, why.status, "%s", why.text);
    bri_status status = write_law(s, to, l, out, err);
    bri_law_free(own);
    return status;
}
