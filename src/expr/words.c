/* words.c - what operations are called in other languages, and which names are taken there. */
#include "print.h"

#include <ctype.h>
#include <string.h>

/* NULL: as in the language of equations. */
static const struct {
    expr_op op;
    const char *python, *matlab, *st;
} words[] = {
    {EXPR_PI, "pi", "pi", "3.14159265358979323846"},
    {EXPR_POW, "power", "power", "bri_pow"},
    {EXPR_GPOW, "gpow", "bri_gpow", "bri_gpow"},
    {EXPR_STEP, "smooth_step", "bri_step", "bri_step"},
    {EXPR_IF, "if", "bri_if", "SEL"},
    {EXPR_CLAMP, "clamp", "bri_clamp", "bri_clamp"},
    {EXPR_ABS, "abs", "abs", "ABS"},
    {EXPR_SIGN, "sign", "sign", "bri_sign"},
    {EXPR_MIN, "min", "min", "MIN"},
    {EXPR_MAX, "max", "max", "MAX"},
    {EXPR_EXP, "exp", "exp", "EXP"},
    {EXPR_EXPM1, "expm1", "expm1", "bri_expm1"},
    {EXPR_LOG, "log", "log", "LN"},
    {EXPR_LOG1P, "log1p", "log1p", "bri_log1p"},
    {EXPR_SQRT, "sqrt", "sqrt", "SQRT"},
    {EXPR_SIN, "sin", "sin", "SIN"},
    {EXPR_COS, "cos", "cos", "COS"},
    {EXPR_TAN, "tan", "tan", "TAN"},
    {EXPR_ATAN, "atan", "atan", "ATAN"},
    {EXPR_TANH, "tanh", "tanh", "bri_tanh"},
    {EXPR_EQ, "==", "==", "="},
    {EXPR_NE, "!=", "~=", "<>"},
    {EXPR_AND, "and", "&&", "AND"},
    {EXPR_OR, "or", "||", "OR"},
    {EXPR_NOT, "not", "~", "NOT "},
};

/* On vectors also what is an operator elsewhere is a function, but for sums and products. */
static const char *const vector_words[EXPR_OPS] = {[EXPR_PI] = "EXPR_PI_VALUE",
                                                   [EXPR_NEG] = "-",
                                                   [EXPR_ADD] = "+",
                                                   [EXPR_SUB] = "-",
                                                   [EXPR_MUL] = "*",
                                                   [EXPR_DIV] = "/",
                                                   [EXPR_POW] = "law_pow",
                                                   [EXPR_ABS] = "law_abs",
                                                   [EXPR_SIGN] = "law_sign",
                                                   [EXPR_MIN] = "law_min",
                                                   [EXPR_MAX] = "law_max",
                                                   [EXPR_CLAMP] = "law_clamp",
                                                   [EXPR_EXP] = "law_exp",
                                                   [EXPR_EXPM1] = "law_expm1",
                                                   [EXPR_LOG] = "law_log",
                                                   [EXPR_LOG1P] = "law_log1p",
                                                   [EXPR_SQRT] = "law_sqrt",
                                                   [EXPR_SIN] = "law_sin",
                                                   [EXPR_COS] = "law_cos",
                                                   [EXPR_TAN] = "law_tan",
                                                   [EXPR_ATAN] = "law_atan",
                                                   [EXPR_TANH] = "law_tanh",
                                                   [EXPR_STEP] = "law_step",
                                                   [EXPR_GPOW] = "law_gpow",
                                                   [EXPR_LT] = "law_lt",
                                                   [EXPR_LE] = "law_le",
                                                   [EXPR_GT] = "law_gt",
                                                   [EXPR_GE] = "law_ge",
                                                   [EXPR_EQ] = "law_eq",
                                                   [EXPR_NE] = "law_ne",
                                                   [EXPR_AND] = "law_and",
                                                   [EXPR_OR] = "law_or",
                                                   [EXPR_NOT] = "law_not",
                                                   [EXPR_IF] = "law_if"};

const char *print_word(expr_style style, expr_op op) {
    if (style == EXPR_C) return expr_ops[op].c;
    if (style == EXPR_VECTOR) return vector_words[op];
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (words[i].op == op && style == EXPR_PYTHON)
            return words[i].python;
        else if (words[i].op == op && style == EXPR_MATLAB)
            return words[i].matlab;
        else if (words[i].op == op && style == EXPR_ST)
            return words[i].st;
    return expr_ops[op].name;
}

/* Words that are neither functions of the language of equations, which are taken as well, nor too
 * unlikely as the name of a quantity. */
static const char *const python_words[] = {
    "False", "None",     "True",  "and",        "as",     "assert", "async",  "await",   "break",
    "class", "continue", "def",   "del",        "elif",   "else",   "except", "finally", "for",
    "from",  "global",   "if",    "import",     "in",     "is",     "lambda", "math",    "nonlocal",
    "not",   "or",       "pass",  "raise",      "return", "try",    "while",  "with",    "yield",
    "power", "range",    "float", "Parameters", NULL};
static const char *const matlab_words[] = {
    "break", "case",     "catch",  "classdef", "continue",  "else",   "elseif",     "end",
    "for",   "function", "global", "if",       "otherwise", "parfor", "persistent", "return",
    "spmd",  "switch",   "try",    "while",    "power",     "zeros",  "eye",        NULL};

/* Of structured text, which takes small letters for capital ones. */
static const char *const st_words[] = {
    "action", "add",    "and",     "array", "at",     "bool",    "by",     "byte",   "case",
    "concat", "date",   "delete",  "dint",  "div",    "do",      "else",   "elsif",  "eq",
    "exit",   "false",  "find",    "for",   "from",   "ge",      "gt",     "if",     "initial",
    "insert", "int",    "ld",      "le",    "left",   "len",     "limit",  "lint",   "lreal",
    "lt",     "mid",    "mod",     "move",  "mul",    "mux",     "ne",     "not",    "of",
    "on",     "or",     "program", "real",  "repeat", "replace", "retain", "return", "right",
    "rol",    "ror",    "rs",      "sel",   "shl",    "shr",     "sint",   "sr",     "st",
    "step",   "string", "struct",  "sub",   "task",   "then",    "time",   "to",     "tod",
    "tof",    "ton",    "tp",      "true",  "trunc",  "type",    "until",  "var",    "while",
    "with",   "word",   "xor",     NULL};

static int same_letters(const char *a, const char *b) {
    while (*a && tolower((unsigned char)*a) == tolower((unsigned char)*b)) a++, b++;
    return *a == *b;
}

/* One small letter may be the same as a quantity with a capital one (n and the load N), and some of
 * them are operators of the instruction list. */
static int reserved_in_st(const char *name) {
    if (!name[1] && name[0] >= 'a' && name[0] <= 'z' && !strchr("xvz", name[0])) return 1;
    for (const char *const *list = st_words; *list; list++)
        if (same_letters(*list, name)) return 1;
    for (int op = EXPR_ABS; op < EXPR_LT; op++)
        if (same_letters(print_word(EXPR_ST, (expr_op)op), name)) return 1;
    return 0;
}

int print_reserved(expr_style style, const char *name) {
    if (style == EXPR_ST) return reserved_in_st(name);
    const char *const *list = style == EXPR_PYTHON   ? python_words
                              : style == EXPR_MATLAB ? matlab_words
                                                     : NULL;
    if (!list) return 0;
    for (; *list; list++)
        if (strcmp(*list, name) == 0) return 1;
    for (int op = EXPR_ABS; op < EXPR_LT; op++)
        if (strcmp(print_word(style, (expr_op)op), name) == 0) return 1;
    return strcmp(name, "pi") == 0;
}
