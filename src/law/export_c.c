/* export_c.c - a law as a file of C, for compilers without the library. */
#define _POSIX_C_SOURCE 200809L
#include "export.h"

#include "../memtext.h"

#include <ctype.h>
#include <string.h>

static void put_head(exporter *e) {
    const bri_model *m = &e->law->model;
    put(e, "/* %s: %s.\n *\n", e->name, m->title);
    put_comment(e, " * ", m->equations);
    put(e, " *\n * Source: %s\n * Limits: %s\n", m->cite, m->limits);
    put(e,
        " *\n * F is the resisting force [N]: it has the sign of v in steady sliding. x, v: "
        "relative\n"
        " * displacement and velocity [m, m/s]; N: normal load [N]; z: states. Written by bristle "
        "%s.\n"
        " * To test it: cc -D%s_TEST %s.c -lm && ./a.out */\n",
        bri_version(), e->name, e->name);
    put(e, "#include <math.h>\n\n");
}

/* ---- what the equations need of expr_math.h ---------------------------------------------------
 */

typedef struct math_part {
    const char *text, *name; /* a function or a number, with the comment before it */
    int length, name_length;
    int used;
} math_part;

enum { MATH_PARTS = 16 };
static const char math_prefix[] = "expr_";

/* The parts stand between empty lines, each after those it needs. */
static int list_math(math_part *list) {
    static const char *const heads[] = {"static inline double ", "#define "};
    int count = 0;
    for (const char *at = export_math("expr_math"); *at; at += strspn(at, "\n")) {
        const char *end = strstr(at, "\n\n");
        math_part part = {.text = at, .length = end ? (int)(end - at) : (int)strlen(at)};
        for (int k = 0; k < 2 && !part.name; k++) {
            const char *head = strstr(at, heads[k]);
            if (head && head < at + part.length) part.name = head + strlen(heads[k]);
        }
        if (part.name) {
            part.name_length = (int)strcspn(part.name, "( \n");
            if (count < MATH_PARTS) list[count++] = part;
        }
        at += part.length;
    }
    return count;
}

static int needs(const char *text, size_t length, const math_part *part) {
    size_t n = (size_t)part->name_length;
    for (const char *s = text; s + n < text + length; s++)
        if (strncmp(s, part->name, n) == 0 && !isalnum((unsigned char)s[n]) && s[n] != '_')
            return 1;
    return 0;
}

/* Functions bear the law's name, so that the files of two laws go into one program. */
static void put_renamed(exporter *e, const char *text, size_t length) {
    const char *end = text + length;
    for (const char *s; (s = strstr(text, math_prefix)) && s < end;) {
        put(e, "%.*s%s_", (int)(s - text), text, e->name);
        text = s + strlen(math_prefix);
    }
    put(e, "%.*s", (int)(end - text), text);
}

static void put_with_math(exporter *e, const char *body) {
    math_part list[MATH_PARTS];
    size_t length = strlen(body);
    int count = list_math(list);
    for (int i = count - 1; i >= 0; i--) {
        list[i].used = needs(body, length, &list[i]);
        for (int j = i + 1; j < count; j++)
            list[i].used |= list[j].used && needs(list[j].text, (size_t)list[j].length, &list[i]);
    }
    for (int i = 0; i < count; i++)
        if (list[i].used) {
            put_renamed(e, list[i].text, (size_t)list[i].length);
            put(e, "\n\n");
        }
    put_renamed(e, body, length);
}

/* ---- the law --------------------------------------------------------------------------------- */

static void put_parameters(exporter *e) {
    put(e, "typedef struct %s_parameters {\n", e->name);
    for (int i = 0; i < e->n_params; i++) {
        const bri_param *row = &e->page->params[i];
        put(e, "    double %s; /* %s [%s] */\n", row->name, row->text, row->unit);
    }
    if (e->n_params == 0) put(e, "    double none;\n");
    put(e, "} %s_parameters;\n\nstatic const %s_parameters %s_given = {\n", e->name, e->name,
        e->name);
    for (int i = 0; i < e->n_params; i++) {
        put(e, "    .%s = ", e->page->params[i].name);
        put_number(e, e->s->p[i]);
        put(e, ",\n");
    }
    put(e, "};\n\n");
}

static const char *arguments(const exporter *e) {
    return e->page->holds >= 0 ? "double x, double v, double N, double law_fa"
                               : "double x, double v, double N";
}

/* What is not used by the equations. */
static void put_silence(exporter *e) {
    put(e, "    (void)law_p, (void)x, (void)v, (void)N%s;\n",
        e->n_states > 0 ? ", (void)law_z" : "");
}

static void put_lift(exporter *e, int step) {
    if (!e->lifts) return;
    put(e, "    if (N < 1e-30) { /* an open contact */\n");
    if (e->n_states > 0 && export_open(e, &e->page->lift, 1, "        ")) {
        const char *lift = export_root(e, 0);
        if (step)
            put(e, "        for (int i = 0; i < %d; i++) law_z[i] *= exp(-law_h/(%s));\n",
                e->n_states, lift);
        else
            put(e, "        for (int i = 0; i < %d; i++) law_dz[i] = -1.0/(%s)*law_z[i];\n",
                e->n_states, lift);
        export_close(e);
    }
    put(e, "        return 0.0;\n    }\n");
}

static void put_force(exporter *e) {
    expr_id roots[1 + BRI_MAX_STATES];
    put(e,
        "/* The force%s. */\nstatic inline double %s_force(const %s_parameters *law_p, %s%s) {\n",
        e->n_states > 0 ? "; the rates of the states go to law_dz" : "", e->name, e->name,
        arguments(e), e->n_states > 0 ? ", const double *law_z, double *law_dz" : "");
    put_silence(e);
    put_lift(e, 0);
    if (e->page->holds >= 0) {
        put(e, "    if (v == 0.0) { /* sticks: what balances the applied force law_fa */\n");
        if (!export_open(e, &e->page->holds, 1, "        ")) return;
        put(e, "        const double law_level = %s;\n", export_root(e, 0));
        put(e, "        return expr_clamp(law_fa, -law_level, law_level);\n    }\n");
        export_close(e);
    }
    if (!law_values(e->page, roots) || !export_open(e, roots, 1 + e->n_states, "    ")) return;
    for (int i = 0; i < e->n_states; i++)
        put(e, "    law_dz[%d] = %s;\n", i, export_root(e, 1 + i));
    put(e, "    return %s;\n}\n\n", export_root(e, 0));
    export_close(e);
}

/* (1 - h J) dz = h rates, with pivoting. */
static void put_implicit(exporter *e) {
    int k = e->n_states;
    put(e, "    double law_A[%d][%d] = {\n", k, k + 1);
    for (int i = 0; i < k; i++) {
        put(e, "        {");
        for (int j = 0; j < k; j++)
            put(e, "%s - law_h*(%s), ", i == j ? "1.0" : "0.0", export_root(e, k + i * k + j));
        put(e, "law_h*(%s)},\n", export_root(e, i));
    }
    put(e,
        "    };\n    for (int c = 0; c < %d; c++) {\n        int best = c;\n"
        "        for (int r = c + 1; r < %d; r++)\n"
        "            if (fabs(law_A[r][c]) > fabs(law_A[best][c])) best = r;\n"
        "        for (int j = 0; j <= %d; j++) {\n            double swapped = law_A[best][j];\n"
        "            law_A[best][j] = law_A[c][j];\n            law_A[c][j] = swapped;\n        }\n"
        "        for (int j = %d; j >= c; j--) law_A[c][j] /= law_A[c][c];\n"
        "        for (int r = 0; r < %d; r++)\n"
        "            for (int j = %d; r != c && j >= c; j--) law_A[r][j] -= "
        "law_A[r][c]*law_A[c][j];\n"
        "    }\n    for (int i = 0; i < %d; i++) law_z[i] += law_A[i][%d];\n",
        k, k, k, k, k, k, k, k);
}

static void put_step(exporter *e) {
    expr_id roots[BRI_MAX_STATES * (BRI_MAX_STATES + 2)];
    int k = e->n_states;
    if (k == 0) return;
    put(e,
        "/* Advance the states by law_h [s] with v and N held (those of the middle of the step) "
        "and\n"
        " * return the force at its end. Stable for every step%s. */\n"
        "static inline double %s_step(const %s_parameters *law_p, %s, double law_h, double *law_z) "
        "{\n"
        "    double law_dz[%d];\n",
        e->affine ? ", and exact" : ": linearly implicit Euler", e->name, e->name, arguments(e), k);
    put_silence(e);
    put_lift(e, 1);
    int count = export_step_roots(e, roots);
    put(e, "    {\n");
    if (!count || !export_open(e, roots, count, "    ")) return;
    if (e->affine) {
        for (int i = 0; i < k; i++) {
            put(e, "    const double law_x%d = fmin((%s)*law_h, 300.0);\n", i,
                export_root(e, k + i));
            put(e, "    const double law_r%d = %s;\n", i, export_root(e, i));
        }
        for (int i = 0; i < k; i++)
            put(e,
                "    law_z[%d] += law_r%d*law_h*(fabs(law_x%d) > 1e-300 ? expm1(law_x%d)/law_x%d : "
                "1.0);\n",
                i, i, i, i, i);
    } else {
        put_implicit(e);
    }
    export_close(e);
    put(e, "    }\n");
    for (int i = 0; e->affine && i < k; i++)
        if (e->page->bounds[i] >= 0) {
            put(e, "    {\n");
            if (!export_open(e, &e->page->bounds[i], 1, "    ")) return;
            put(e, "    const double law_b = %s;\n", export_root(e, 0));
            put(e, "    law_z[%d] = expr_clamp(law_z[%d], -law_b, law_b);\n    }\n", i, i);
            export_close(e);
        }
    put(e, "    return %s_force(law_p, x, v, N%s, law_z, law_dz);\n}\n\n", e->name,
        e->page->holds >= 0 ? ", law_fa" : "");
}

static void put_rows(exporter *e) {
    int k = e->n_states;
    put(e, "static const double %s_rows[%d][%d] = {\n", e->name, EXPORT_ROWS, 6 + 3 * k + (k > 0));
    for (int r = 0; r < EXPORT_ROWS; r++) {
        const export_row *row = &e->rows[r];
        const double head[] = {row->x, row->v, row->N, row->fa, row->h};
        put(e, "    {");
        for (int i = 0; i < 5; i++) put_number(e, head[i]), put(e, ", ");
        for (int i = 0; i < k; i++) put_number(e, row->z[i]), put(e, ", ");
        put_number(e, row->F);
        for (int i = 0; i < k; i++) put(e, ", "), put_number(e, row->dz[i]);
        if (k > 0) put(e, ", "), put_number(e, row->F_end);
        for (int i = 0; i < k; i++) put(e, ", "), put_number(e, row->z_end[i]);
        put(e, "},\n");
    }
    put(e, "};\n\n");
}

static void put_test(exporter *e) {
    int k = e->n_states;
    const char *fa = e->page->holds >= 0 ? ", r[3]" : "";
    put(e, "#ifdef %s_TEST\n#include <stdio.h>\n", e->name);
    put(e, "/* x, v, N, applied force, h, states; what bristle finds: F, rates, and after the step "
           "F, states */\n");
    put_rows(e);
    put(e,
        "int main(void) {\n    double worst = 0.0, size[%d] = {0};\n"
        "    for (int i = 0; i < %d; i++)\n        for (int j = %d; j < %d; j++)\n"
        "            size[j - %d] = fmax(size[j - %d], fabs(%s_rows[i][j]));\n"
        "    for (int i = 0; i < %d; i++) {\n        const double *r = %s_rows[i];\n"
        "        double got[%d];\n",
        2 + 2 * k, EXPORT_ROWS, 5 + k, 6 + 2 * k + (k > 0) + k, 5 + k, 5 + k, e->name, EXPORT_ROWS,
        e->name, 2 + 2 * k);
    if (k == 0) {
        put(e, "        got[0] = %s_force(&%s_given, r[0], r[1], r[2]%s);\n", e->name, e->name, fa);
    } else {
        put(e, "        got[0] = %s_force(&%s_given, r[0], r[1], r[2]%s, r + 5, got + 1);\n",
            e->name, e->name, fa);
        put(e, "        for (int j = 0; j < %d; j++) got[%d + j] = r[5 + j];\n", k, 2 + k);
        put(e, "        got[%d] = %s_step(&%s_given, r[0], r[1], r[2]%s, r[4], got + %d);\n", 1 + k,
            e->name, e->name, fa, 2 + k);
    }
    put(e,
        "        for (int j = 0; j < %d; j++)\n"
        "            worst = fmax(worst, fabs(got[j] - r[%d + j])/fmax(size[j], 1e-300));\n    }\n"
        "    printf(\"%s: off by %%.2g at most\\n\", worst);\n    return !(worst <= "
        "1e-12);\n}\n#endif\n",
        k > 0 ? 2 + 2 * k : 1, 5 + k, e->name);
}

void export_c(exporter *e) {
    FILE *out = e->out;
    memtext body;
    put_head(e);
    if (memtext_open(&body)) {
        e->out = body.out;
        put_parameters(e);
        put_force(e);
        put_step(e);
        put_test(e);
        e->out = out;
    }
    char *text = memtext_close(&body);
    if (text)
        put_with_math(e, text);
    else
        e->failure = EXPORT_NO_MEMORY;
    free(text);
}
