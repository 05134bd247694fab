/* typeset.c - expressions for readers: LaTeX, and the inside of a <math> element. One walk, two
 * tables of what stands before, between and behind the parts. */
#include "print.h"

#include <stdio.h>
#include <string.h>

typedef enum shape {
    SHAPE_FRACTION,
    SHAPE_POWER,
    SHAPE_ROOT,
    SHAPE_BARS,
    SHAPE_BRACKETS,
    SHAPE_ROW, /* MathML wants one element where LaTeX takes braces */
    SHAPE_INDEX,
    SHAPE_RATE,
    SHAPE_CASES,
    SHAPE_CASE,
    SHAPE_TEXT,
    SHAPE_UNIT,
    SHAPES
} shape;

typedef struct frame {
    const char *open, *between, *close;
} frame;

/* clang-format off */
static const frame latex[SHAPES] = {
    [SHAPE_FRACTION] = {"\\frac{", "}{", "}"},
    [SHAPE_POWER]    = {"{", "}^{", "}"},
    [SHAPE_ROOT]     = {"\\sqrt{", "", "}"},
    [SHAPE_BARS]     = {"\\left|", "", "\\right|"},
    [SHAPE_BRACKETS] = {"\\left(", "", "\\right)"},
    [SHAPE_ROW]      = {"", "", ""},
    [SHAPE_INDEX]    = {"", "_{", "}"},
    [SHAPE_RATE]     = {"\\dot{", "", "}"},
    [SHAPE_CASES]    = {"\\begin{cases}", "\\\\", "\\end{cases}"},
    [SHAPE_CASE]     = {"", "&", ""},
    [SHAPE_TEXT]     = {"\\text{", "", "}"},
    [SHAPE_UNIT]     = {"\\,\\mathrm{", "", "}"},
};
static const frame mathml[SHAPES] = {
    [SHAPE_FRACTION] = {"<mfrac><mrow>", "</mrow><mrow>", "</mrow></mfrac>"},
    [SHAPE_POWER]    = {"<msup><mrow>", "</mrow><mrow>", "</mrow></msup>"},
    [SHAPE_ROOT]     = {"<msqrt>", "", "</msqrt>"},
    [SHAPE_BARS]     = {"<mrow><mo>|</mo>", "", "<mo>|</mo></mrow>"},
    [SHAPE_BRACKETS] = {"<mrow><mo>(</mo>", "", "<mo>)</mo></mrow>"},
    [SHAPE_ROW]      = {"<mrow>", "", "</mrow>"},
    [SHAPE_INDEX]    = {"<msub><mi>", "</mi><mi>", "</mi></msub>"},
    [SHAPE_RATE]     = {"<mover><mrow>", "", "</mrow><mo>&#x2D9;</mo></mover>"},
    [SHAPE_CASES]    = {"<mrow><mo>{</mo><mtable><mtr>", "</mtr><mtr>", "</mtr></mtable></mrow>"},
    [SHAPE_CASE]     = {"<mtd>", "</mtd><mtd>", "</mtd>"},
    [SHAPE_TEXT]     = {"<mtext>", "", "</mtext>"},
    [SHAPE_UNIT]     = {"<mspace width=\"0.2em\"/><mtext>", "", "</mtext>"},
};

/* How an operation is written between or before its operands. */
static const struct {
    expr_op op;
    const char *latex, *mathml;
} signs[] = {
    {EXPR_ADD, " + ", "<mo>+</mo>"},       {EXPR_SUB, " - ", "<mo>-</mo>"},
    {EXPR_MUL, " \\, ", "<mo>&#x2062;</mo>"}, {EXPR_NEG, "-", "<mo>-</mo>"},
    {EXPR_LT, " < ", "<mo>&lt;</mo>"},     {EXPR_LE, " \\le ", "<mo>&#x2264;</mo>"},
    {EXPR_GT, " > ", "<mo>&gt;</mo>"},     {EXPR_GE, " \\ge ", "<mo>&#x2265;</mo>"},
    {EXPR_EQ, " = ", "<mo>=</mo>"},        {EXPR_NE, " \\ne ", "<mo>&#x2260;</mo>"},
    {EXPR_AND, " \\land ", "<mo>&#x2227;</mo>"}, {EXPR_OR, " \\lor ", "<mo>&#x2228;</mo>"},
    {EXPR_NOT, "\\lnot ", "<mo>&#xAC;</mo>"},
};

/* Names of Greek letters. */
static const struct {
    const char *name, *code;
} greek[] = {
    {"alpha", "&#x3B1;"}, {"beta", "&#x3B2;"},  {"gamma", "&#x3B3;"}, {"delta", "&#x3B4;"},
    {"epsilon", "&#x3B5;"}, {"eps", "&#x3B5;"}, {"zeta", "&#x3B6;"}, {"eta", "&#x3B7;"},
    {"theta", "&#x3B8;"}, {"kappa", "&#x3BA;"}, {"lambda", "&#x3BB;"}, {"mu", "&#x3BC;"},
    {"nu", "&#x3BD;"},    {"xi", "&#x3BE;"},    {"pi", "&#x3C0;"},    {"rho", "&#x3C1;"},
    {"sigma", "&#x3C3;"}, {"tau", "&#x3C4;"},   {"phi", "&#x3C6;"},   {"psi", "&#x3C8;"},
    {"omega", "&#x3C9;"}, {"Delta", "&#x394;"}, {"Omega", "&#x3A9;"}, {"Phi", "&#x3A6;"},
};
/* clang-format on */

static const frame *frame_of(const printer *p, shape s) {
    return p->style == EXPR_LATEX ? &latex[s] : &mathml[s];
}
static void open_shape(printer *p, shape s) { print_text(p, frame_of(p, s)->open); }
static void between(printer *p, shape s) { print_text(p, frame_of(p, s)->between); }
static void close_shape(printer *p, shape s) { print_text(p, frame_of(p, s)->close); }

static void print_sign(printer *p, expr_op op) {
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (signs[i].op == op)
            print_text(p, p->style == EXPR_LATEX ? signs[i].latex : signs[i].mathml);
}

/* ---- names --------------------------------------------------------------------------------- */

/* The first part of a name, without what is to stand below it. */
static void print_head(printer *p, const char *head) {
    const char *code = NULL, *name = head;
    for (size_t i = 0; i < sizeof greek / sizeof *greek; i++)
        if (strcmp(greek[i].name, head) == 0) {
            code = greek[i].code;
            if (strcmp(head, "eps") == 0) name = "epsilon";
        }
    if (p->style == EXPR_MATHML) {
        print_text(p, code ? code : head);
        return;
    }
    if (code) print_text(p, "\\");
    if (!code && strlen(head) > 1) print_text(p, "\\mathit{");
    print_text(p, name);
    if (!code && strlen(head) > 1) print_text(p, "}");
}

/* sigma0 and mu_c have an index, z' is a rate; a part behind a point is an index as well. */
void print_symbol(printer *p, const char *name) {
    char head[NAME_MOST + 2], index[NAME_MOST + 2];
    size_t n = strlen(name), cut;
    int rate = n > 0 && name[n - 1] == '\'';
    if (n > NAME_MOST + 1) n = NAME_MOST + 1;
    if (rate) n--;
    cut = strcspn(name, "_.");
    if (cut >= n || cut == 0)
        for (cut = n; cut > 1 && name[cut - 1] >= '0' && name[cut - 1] <= '9';) cut--;
    snprintf(head, sizeof head, "%.*s", (int)cut, name);
    size_t from = cut < n && (name[cut] == '_' || name[cut] == '.') ? cut + 1 : cut;
    snprintf(index, sizeof index, "%.*s", (int)(n - from), name + from);
    for (char *c = index; *c; c++)
        if (*c == '_') *c = p->style == EXPR_LATEX ? ',' : ' ';
    if (rate) open_shape(p, SHAPE_RATE);
    if (index[0]) {
        open_shape(p, SHAPE_INDEX);
        print_head(p, head);
        between(p, SHAPE_INDEX);
        if (p->style == EXPR_LATEX && strlen(index) > 1) print_text(p, "\\mathrm{");
        print_text(p, index);
        if (p->style == EXPR_LATEX && strlen(index) > 1) print_text(p, "}");
        close_shape(p, SHAPE_INDEX);
    } else if (p->style == EXPR_MATHML) {
        print_text(p, "<mi>");
        print_head(p, head);
        print_text(p, "</mi>");
    } else {
        print_head(p, head);
    }
    if (rate) close_shape(p, SHAPE_RATE);
}

/* ---- nodes --------------------------------------------------------------------------------- */

static void wrapped(printer *p, shape s, expr_id id) {
    open_shape(p, s);
    print_typeset(p, id, 0);
    close_shape(p, s);
}

static void pair(printer *p, shape s, expr_id a, expr_id b, int bind) {
    open_shape(p, s);
    print_typeset(p, a, bind);
    between(p, s);
    print_typeset(p, b, 0);
    close_shape(p, s);
}

static void print_number(printer *p, const expr_node *n) {
    char unit[EXPR_DIM_ROOM];
    if (p->style == EXPR_MATHML) print_text(p, "<mn>");
    print_value(p, n->value);
    if (p->style == EXPR_MATHML) print_text(p, "</mn>");
    if (n->dim.any || expr_dim_equal(n->dim, dim_one)) return;
    expr_dim_text(n->dim, unit, sizeof unit);
    open_shape(p, SHAPE_UNIT);
    print_text(p, unit);
    close_shape(p, SHAPE_UNIT);
}

static void print_words(printer *p, const char *words) {
    open_shape(p, SHAPE_TEXT);
    print_text(p, words);
    close_shape(p, SHAPE_TEXT);
}

static void print_function(printer *p, const expr_node *n) {
    const expr_op_row *row = &expr_ops[n->op];
    if (p->style == EXPR_LATEX) print_text(p, "\\operatorname{");
    print_text(p, p->style == EXPR_LATEX ? row->name : "<mi>");
    print_text(p, p->style == EXPR_LATEX ? "}" : row->name);
    if (p->style == EXPR_MATHML) print_text(p, "</mi><mo>&#x2061;</mo>");
    open_shape(p, SHAPE_BRACKETS);
    for (int i = 0; i < row->arity; i++) {
        if (i > 0) print_text(p, p->style == EXPR_LATEX ? ",\\, " : "<mo>,</mo>");
        print_typeset(p, n->at[i], 0);
    }
    close_shape(p, SHAPE_BRACKETS);
}

static void print_cases(printer *p, const expr_node *n) {
    open_shape(p, SHAPE_CASES);
    open_shape(p, SHAPE_CASE);
    print_typeset(p, n->at[1], 0);
    between(p, SHAPE_CASE);
    print_words(p, "if ");
    print_typeset(p, n->at[0], 0);
    close_shape(p, SHAPE_CASE);
    between(p, SHAPE_CASES);
    open_shape(p, SHAPE_CASE);
    print_typeset(p, n->at[2], 0);
    between(p, SHAPE_CASE);
    print_words(p, "otherwise");
    close_shape(p, SHAPE_CASE);
    close_shape(p, SHAPE_CASES);
}

/* exp(-(|v|/v_s)^gamma), as the papers have it. */
static void print_stribeck(printer *p, const expr_node *n) {
    open_shape(p, SHAPE_POWER);
    print_text(p, p->style == EXPR_LATEX ? "e" : "<mi>e</mi>");
    between(p, SHAPE_POWER);
    print_sign(p, EXPR_NEG);
    open_shape(p, SHAPE_POWER);
    open_shape(p, SHAPE_BRACKETS);
    open_shape(p, SHAPE_FRACTION);
    wrapped(p, SHAPE_BARS, n->at[0]);
    between(p, SHAPE_FRACTION);
    print_typeset(p, n->at[1], 0);
    close_shape(p, SHAPE_FRACTION);
    close_shape(p, SHAPE_BRACKETS);
    between(p, SHAPE_POWER);
    print_typeset(p, n->at[2], 0);
    close_shape(p, SHAPE_POWER);
    close_shape(p, SHAPE_POWER);
}

static void print_row(printer *p, const expr_node *n) {
    const expr_op_row *row = &expr_ops[n->op];
    open_shape(p, SHAPE_ROW);
    if (row->arity == 1) {
        print_sign(p, n->op);
        print_typeset(p, n->at[0], row->bind);
    } else {
        int right = n->op == EXPR_ADD || n->op == EXPR_MUL ? row->bind : row->bind + 1;
        if (p->g->nodes[n->at[1]].op == EXPR_NEG) right = BIND_POW; /* no sign behind a sign */
        print_typeset(p, n->at[0], row->bind);
        print_sign(p, n->op);
        print_typeset(p, n->at[1], right);
    }
    close_shape(p, SHAPE_ROW);
}

/* Brackets are needed around what binds weaker than the place asks for; a fraction holds together
 * by itself, except as the base of a power. */
static int needs_brackets(const expr_node *n, int bind) {
    if (n->op == EXPR_DIV) return bind > BIND_POW;
    return expr_ops[n->op].bind < bind;
}

static void print_node(printer *p, const expr_node *n) {
    switch (n->op) {
    case EXPR_CONST:
        print_number(p, n);
        break;
    case EXPR_PI:
        print_symbol(p, "pi");
        break;
    case EXPR_VAR:
        print_symbol(p, p->g->names[n->index] ? p->g->names[n->index] : "?");
        break;
    case EXPR_DIV:
        pair(p, SHAPE_FRACTION, n->at[0], n->at[1], 0);
        break;
    case EXPR_POW:
        pair(p, SHAPE_POWER, n->at[0], n->at[1], BIND_CALL);
        break;
    case EXPR_SQRT:
        wrapped(p, SHAPE_ROOT, n->at[0]);
        break;
    case EXPR_ABS:
        wrapped(p, SHAPE_BARS, n->at[0]);
        break;
    case EXPR_STRIBECK:
        print_stribeck(p, n);
        break;
    case EXPR_IF:
        print_cases(p, n);
        break;
    default:
        if (expr_ops[n->op].bind == BIND_CALL)
            print_function(p, n);
        else
            print_row(p, n);
    }
}

void print_typeset(printer *p, expr_id id, int bind) {
    const expr_node *n = &p->g->nodes[id];
    const char *name = print_name_of(p, id);
    if (p->full) return;
    if (name) {
        print_symbol(p, name);
        return;
    }
    int brackets = needs_brackets(n, bind);
    if (brackets) open_shape(p, SHAPE_BRACKETS);
    print_node(p, n);
    if (brackets) close_shape(p, SHAPE_BRACKETS);
}
