/* export_st.c - a law in structured text (IEC 61131-3), for controllers: a function block for force
 * and rates, one for the step, and a program that tries both. */
#define _POSIX_C_SOURCE 200809L
#include "export.h"

#include "../output/number.h"

#include <stdlib.h>
#include <string.h>

/* Numbers have a point: 1.0e-3. */
static void put_real(exporter *e, double x) {
    char text[NUMBER_ROOM + 3];
    char *end = number_put(text, x);
    *end = '\0';
    size_t digits = strcspn(text, "e");
    put(e, "%.*s%s%s", (int)digits, text, memchr(text, '.', digits) ? "" : ".0", text + digits);
}

/* Comments do not nest. */
static void put_words(exporter *e, const char *text) {
    for (; *text; text++)
        if ((text[0] == '(' && text[1] == '*') || (text[0] == '*' && text[1] == ')'))
            put(e, "%c ", *text);
        else
            put(e, "%c", *text);
}

static const char *state_name(const exporter *e, int i) {
    static char text[80];
    expr_print_name(e->page->states[i].name, EXPR_ST, text, sizeof text);
    return text;
}

static void put_head(exporter *e) {
    const bri_model *m = &e->law->model;
    put(e, "(* %s: ", e->name);
    put_words(e, m->title);
    put(e, ".\n\n");
    put_words(e, m->equations);
    put(e, "\nSource: ");
    put_words(e, m->cite);
    put(e, "\nLimits: ");
    put_words(e, m->limits);
    put(e,
        "\n\nlaw_F is the resisting force [N]: it has the sign of v in steady sliding. x, v: "
        "relative\n"
        "displacement and velocity [m, m/s]; N: normal load [N]. Names that structured text has "
        "for\n"
        "itself, and single small letters, end in _1.%s\n"
        "The functions bri_ are the same in every file: keep them once. Written by bristle %s. "
        "*)\n\n",
        e->page->holds >= 0 ? " law_fa: the force that holds the contact at rest [N]." : "",
        bri_version());
}

/* What is given to a block: inputs, parameters, and states unless the block keeps them going. */
static void put_inputs(exporter *e, int step) {
    put(e, "  VAR_INPUT\n    x, v, N%s%s : LREAL;\n", e->page->holds >= 0 ? ", law_fa" : "",
        step ? ", law_h" : "");
    for (int i = 0; i < e->n_states && !step; i++) put(e, "    %s : LREAL;\n", state_name(e, i));
    for (int i = 0; i < e->n_params; i++) {
        const bri_param *row = &e->page->params[i];
        put(e, "    ");
        put_name(e, row->name);
        put(e, " : LREAL := ");
        put_real(e, e->s->p[i]);
        put(e, "; (* ");
        put_words(e, row->text);
        put(e, " [%s] *)\n", row->unit);
    }
    put(e, "  END_VAR\n");
    if (step) {
        put(e, "  VAR_IN_OUT\n");
        for (int i = 0; i < e->n_states; i++) put(e, "    %s : LREAL;\n", state_name(e, i));
        put(e, "  END_VAR\n");
    }
    put(e, "  VAR_OUTPUT\n    law_F : LREAL;\n");
    for (int i = 0; i < e->n_states && !step; i++) put(e, "    law_dz%d : LREAL;\n", i + 1);
    put(e, "  END_VAR\n");
}

/* Variables stand before the statements that use them: these are written to memory first. */
static FILE *start_block(exporter *e, char **text, size_t *size, FILE **rest) {
    FILE *body = open_memstream(text, size);
    e->n_locals = 0;
    if (!body) {
        e->failure = EXPORT_NO_MEMORY;
        return NULL;
    }
    *rest = e->out;
    e->out = body;
    return body;
}

static void finish_block(exporter *e, char **text, FILE *rest, const char *more) {
    if (fclose(e->out) != 0) e->failure = EXPORT_NO_MEMORY;
    e->out = rest;
    if (!e->failure) {
        put(e, "  VAR\n%s", more);
        for (int i = 0; i < e->n_locals; i++)
            put(e, "    %s : %s;\n", e->locals[i].name, e->locals[i].truth ? "BOOL" : "LREAL");
        put(e, "    law_level : LREAL;\n  END_VAR\n%sEND_FUNCTION_BLOCK\n\n", *text);
    }
    free(*text);
}

/* An open contact, then the others. */
static int put_lift(exporter *e, int step) {
    if (!e->lifts) return 1;
    put(e, "  IF N < 1.0e-30 THEN (* an open contact *)\n    law_F := 0.0;\n");
    if (e->n_states > 0) {
        if (!export_open(e, &e->page->lift, 1, "    ")) return 0;
        put(e, step ? "    law_level := EXP(-law_h/(%s));\n" : "    law_level := -1.0/(%s);\n",
            export_root(e, 0));
        export_close(e);
        for (int i = 0; i < e->n_states; i++) {
            if (step)
                put(e, "    %s := ", state_name(e, i));
            else
                put(e, "    law_dz%d := ", i + 1);
            put(e, "law_level*%s;\n", state_name(e, i));
        }
    }
    put(e, "    RETURN;\n  END_IF;\n");
    return 1;
}

static void put_force(exporter *e) {
    expr_id roots[1 + BRI_MAX_STATES];
    char *text = NULL;
    size_t size;
    FILE *rest;
    int k = e->n_states;
    put(e, "FUNCTION_BLOCK %s_force\n", e->name);
    put_inputs(e, 0);
    if (!start_block(e, &text, &size, &rest)) return;
    int good = put_lift(e, 0);
    if (good && e->page->holds >= 0) {
        put(e, "  IF v = 0.0 THEN (* sticks: what balances the applied force law_fa *)\n");
        good = export_open(e, &e->page->holds, 1, "    ");
        if (good) put(e, "    law_level := %s;\n", export_root(e, 0));
        put(e, "    law_F := bri_clamp(law_fa, -law_level, law_level);\n    RETURN;\n  END_IF;\n");
        export_close(e);
    }
    if (good && law_values(e->page, roots) && export_open(e, roots, 1 + k, "  ")) {
        put(e, "  law_F := %s;\n", export_root(e, 0));
        for (int i = 0; i < k; i++) put(e, "  law_dz%d := %s;\n", i + 1, export_root(e, 1 + i));
        export_close(e);
    }
    finish_block(e, &text, rest, "");
}

/* (1 - h J) dz = h rates, with pivoting. */
static void put_implicit(exporter *e) {
    int k = e->n_states;
    for (int i = 0; i < k; i++) {
        for (int j = 0; j < k; j++)
            put(e, "  law_A[%d, %d] := %s - law_h*(%s);\n", i + 1, j + 1, i == j ? "1.0" : "0.0",
                export_root(e, k + i * k + j));
        put(e, "  law_A[%d, %d] := law_h*(%s);\n", i + 1, k + 1, export_root(e, i));
    }
    put(e,
        "  FOR law_c := 1 TO %d DO\n    law_best := law_c;\n"
        "    FOR law_row := law_c TO %d DO\n"
        "      IF ABS(law_A[law_row, law_c]) > ABS(law_A[law_best, law_c]) THEN\n"
        "        law_best := law_row;\n      END_IF;\n    END_FOR;\n"
        "    FOR law_j := 1 TO %d DO\n      law_swapped := law_A[law_best, law_j];\n"
        "      law_A[law_best, law_j] := law_A[law_c, law_j];\n"
        "      law_A[law_c, law_j] := law_swapped;\n    END_FOR;\n"
        "    FOR law_row := 1 TO %d DO\n      IF law_row <> law_c THEN\n"
        "        law_swapped := law_A[law_row, law_c]/law_A[law_c, law_c];\n"
        "        FOR law_j := 1 TO %d DO\n"
        "          law_A[law_row, law_j] := law_A[law_row, law_j] - law_swapped*law_A[law_c, "
        "law_j];\n"
        "        END_FOR;\n      END_IF;\n    END_FOR;\n  END_FOR;\n",
        k, k, k + 1, k, k + 1);
    for (int i = 0; i < k; i++) {
        put(e, "  %s := ", state_name(e, i));
        put(e, "%s + law_A[%d, %d]/law_A[%d, %d];\n", state_name(e, i), i + 1, k + 1, i + 1, i + 1);
    }
}

/* z + r h (exp(x) - 1)/x, x = slope h. */
static void put_exact(exporter *e) {
    int k = e->n_states;
    for (int i = 0; i < k; i++) {
        put(e, "  law_x%d := MIN((%s)*law_h, 300.0);\n", i + 1, export_root(e, k + i));
        put(e, "  law_r%d := (%s)*law_h;\n", i + 1, export_root(e, i));
    }
    for (int i = 0; i < k; i++) {
        put(e,
            "  IF ABS(law_x%d) > 1.0e-30 THEN\n    law_r%d := "
            "law_r%d*bri_expm1(law_x%d)/law_x%d;\n"
            "  END_IF;\n",
            i + 1, i + 1, i + 1, i + 1, i + 1);
        put(e, "  %s := ", state_name(e, i));
        put(e, "%s + law_r%d;\n", state_name(e, i), i + 1);
    }
}

static void put_bounds(exporter *e) {
    for (int i = 0; e->affine && i < e->n_states; i++) {
        if (e->page->bounds[i] < 0) continue;
        if (!export_open(e, &e->page->bounds[i], 1, "  ")) return;
        put(e, "  law_level := %s;\n  %s := ", export_root(e, 0), state_name(e, i));
        put(e, "bri_clamp(%s, -law_level, law_level);\n", state_name(e, i));
        export_close(e);
    }
}

/* "x := x, v := v, ..." */
static void put_same(exporter *e, const char *name) {
    put(e, ", ");
    put_name(e, name);
    put(e, " := ");
    put_name(e, name);
}

static void put_step(exporter *e) {
    expr_id roots[BRI_MAX_STATES * (BRI_MAX_STATES + 2)];
    char *text = NULL, more[900];
    size_t size, used = 0;
    FILE *rest;
    int k = e->n_states;
    if (k == 0) return;
    put(e,
        "(* Advances the states by law_h seconds; v and N are those of the middle of the step, "
        "law_F\n"
        "is the force at its end. Stable for every step%s. *)\nFUNCTION_BLOCK %s_step\n",
        e->affine ? ", and exact" : ": linearly implicit Euler", e->name);
    put_inputs(e, 1);
    if (!start_block(e, &text, &size, &rest)) return;
    used = (size_t)snprintf(more, sizeof more, "    law_at_end : %s_force;\n", e->name);
    int good = put_lift(e, 1), count = good ? export_step_roots(e, roots) : 0;
    if (count && export_open(e, roots, count, "  ")) {
        if (e->affine)
            put_exact(e);
        else
            put_implicit(e);
        export_close(e);
        put_bounds(e);
    }
    put(e, "  law_at_end(x := x, v := v, N := N%s",
        e->page->holds >= 0 ? ", law_fa := law_fa" : "");
    for (int i = 0; i < k; i++) put_same(e, e->page->states[i].name);
    for (int i = 0; i < e->n_params; i++) put_same(e, e->page->params[i].name);
    put(e, ");\n  law_F := law_at_end.law_F;\n");
    for (int i = 0; i < k && e->affine && used < sizeof more; i++)
        used += (size_t)snprintf(more + used, sizeof more - used, "    law_x%d, law_r%d : LREAL;\n",
                                 i + 1, i + 1);
    if (!e->affine)
        snprintf(more + used, sizeof more - used,
                 "    law_A : ARRAY [1..%d, 1..%d] OF LREAL;\n    law_swapped : LREAL;\n"
                 "    law_c, law_row, law_j, law_best : INT;\n",
                 k, k + 1);
    finish_block(e, &text, rest, more);
}

/* The largest distance of one column, relative to its largest value. */
static void put_distance(exporter *e, const char *what, const double *value) {
    double largest = 0.0;
    for (int r = 0; r < EXPORT_ROWS; r++) {
        double size = value[r] < 0.0 ? -value[r] : value[r];
        if (size > largest) largest = size;
    }
    put(e, "  law_worst := MAX(law_worst, ABS(%s - (", what);
    put_real(e, value[0] > -1e-30 && value[0] < 1e-30 ? 0.0 : value[0]);
    put(e, "))/");
    put_real(e, largest > 1e-30 ? largest : 1.0);
    put(e, ");\n");
}

static void put_row(exporter *e, int r) {
    const export_row *row = &e->rows[r];
    int k = e->n_states, held = e->page->holds >= 0;
    char what[40];
    for (int step = 0; step < (k > 0 ? 2 : 1); step++) {
        for (int i = 0; step && i < k; i++) {
            put(e, "  law_z%d := ", i + 1);
            put_real(e, row->z[i]);
            put(e, ";\n");
        }
        put(e, step ? "  law_step(x := " : "  law_force(x := ");
        put_real(e, row->x);
        put(e, ", v := "), put_real(e, row->v);
        put(e, ", N := "), put_real(e, row->N);
        if (held) put(e, ", law_fa := "), put_real(e, row->fa);
        if (step) put(e, ", law_h := "), put_real(e, row->h);
        for (int i = 0; i < k; i++) {
            put(e, ", %s := ", state_name(e, i));
            if (step)
                put(e, "law_z%d", i + 1);
            else
                put_real(e, row->z[i]);
        }
        put(e, ");\n");
        for (int i = -1; i < k; i++) {
            double column[EXPORT_ROWS];
            for (int j = 0; j < EXPORT_ROWS; j++) {
                const export_row *at = &e->rows[(r + j) % EXPORT_ROWS]; /* this row first */
                column[j] = i < 0 ? step ? at->F_end : at->F : step ? at->z_end[i] : at->dz[i];
            }
            snprintf(what, sizeof what,
                     i < 0  ? step ? "law_step.law_F" : "law_force.law_F"
                     : step ? "law_z%d"
                            : "law_force.law_dz%d",
                     i + 1);
            put_distance(e, what, column);
        }
    }
}

static void put_test(exporter *e) {
    put(e,
        "(* law_worst: the largest distance from what bristle finds, of the size of each number "
        "*)\n"
        "PROGRAM %s_test\n  VAR\n    law_worst : LREAL := 0.0;\n    law_force : %s_force;\n",
        e->name, e->name);
    if (e->n_states > 0) put(e, "    law_step : %s_step;\n", e->name);
    for (int i = 0; i < e->n_states; i++) put(e, "    law_z%d : LREAL;\n", i + 1);
    put(e, "  END_VAR\n");
    for (int r = 0; r < EXPORT_ROWS; r++) put_row(e, r);
    put(e, "END_PROGRAM\n");
}

void export_st(exporter *e) {
    put_head(e);
    put(e, "%s", export_math("math_st"));
    put_force(e);
    if (!e->failure) put_step(e);
    if (!e->failure) put_test(e);
}
