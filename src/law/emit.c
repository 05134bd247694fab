/* emit.c - a law in C: readable functions with the names of the law, and its tables. */
#include "emit.h"

#include "../fail.h"
#include "../output/number.h"

#include <stdlib.h>
#include <string.h>

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void
emit(emitter *e, const char *format, ...) {
    va_list args;
    va_start(args, format);
    int n = text_vformat(NULL, 0, format, args);
    va_end(args);
    if (n < 0 || e->failed) return;
    if (e->used + (size_t)n + 1 > e->room) {
        size_t room = 2 * (e->used + (size_t)n + 1);
        char *larger = realloc(e->text, room);
        if (!larger) {
            e->failed = 1;
            return;
        }
        e->text = larger;
        e->room = room;
    }
    va_start(args, format);
    text_vformat(e->text + e->used, e->room - e->used, format, args);
    va_end(args);
    e->used += (size_t)n;
}

/* A C string over several lines of source. */
void emit_string(emitter *e, const char *text) {
    emit(e, "\"");
    int column = 0;
    for (const char *s = text; *s; s++, column++) {
        int cut = column > 70 && s[-1] == ' ';
        if ((s > text && s[-1] == '\n') || cut) {
            emit(e, "\"\n        \"");
            column = 0;
        }
        if (*s == '\n')
            emit(e, "\\n");
        else if (*s == '"' || *s == '\\' || *s == '?') /* two of them could begin a trigraph */
            emit(e, "\\%c", *s);
        else
            emit(e, "%c", *s);
    }
    emit(e, "\"");
}

/* ---- tables -------------------------------------------------------------------------------- */

static void number(emitter *e, double x) {
    char text[NUMBER_ROOM + 1];
    *number_put(text, x) = '\0';
    emit(e, "%s", text);
}

static void emit_params(emitter *e) {
    const law *l = e->l;
    emit(e, "static const bri_param %s_params[] = {\n", l->name);
    for (int i = 0; i < l->n_params; i++) {
        const bri_param *row = &l->params[i];
        emit(e, "    {\"%s\", \"%s\", ", row->name, row->unit);
        number(e, row->def);
        emit(e, ", ");
        number(e, row->min);
        emit(e, ", ");
        number(e, row->max);
        emit(e, ", ");
        emit_string(e, row->text);
        emit(e, row->force ? ", " : ", NULL");
        if (row->force) emit_string(e, row->force);
        emit(e, ", %d, %d /* %s */},\n", row->whole, (int)row->role, bri_role_name(row->role));
    }
    emit(e, "};\n\n");
}

static void emit_states(emitter *e) {
    const law *l = e->l;
    if (l->n_states == 0) return;
    emit(e, "static const bri_state %s_states[] = {\n", l->name);
    for (int i = 0; i < l->n_states; i++) {
        const bri_state *row = &l->states[i];
        emit(e, "    {\"%s\", \"%s\", ", row->name, row->unit);
        number(e, row->nominal);
        emit(e, ", ");
        emit_string(e, row->text);
        emit(e, ", %d},\n", row->even);
    }
    emit(e, "};\n\n");
}

int law_bounds(const law *l) {
    int count = 0;
    for (int i = 0; i < l->n_states; i++) count += l->bounds[i] >= 0;
    return count;
}

static int has_rest(const law *l) {
    int any = 0;
    for (int i = 0; i < l->n_states; i++) any |= l->rest[i] != 0.0;
    return any;
}

static void emit_rest(emitter *e) {
    const law *l = e->l;
    if (!has_rest(l)) return;
    emit(e, "static void %s_rest(const bri_model *self, const double *law_p, double *law_z) {\n",
         l->name);
    for (int i = 0; i < l->n_states; i++) {
        emit(e, "    law_z[%d] = ", i);
        number(e, l->rest[i]);
        emit(e, ";\n");
    }
    emit(e, "}\n\n");
}

static void emit_text_member(emitter *e, const char *member, const char *text) {
    emit(e, "    .%s = ", member);
    emit_string(e, text);
    emit(e, ",\n");
}

static void emit_function(emitter *e, const char *member) {
    emit(e, "    .%s = %s_%s,\n", member, e->l->name, member);
}

/* The step: one that the file names, one that follows from the rates, or none. */
static void emit_step_members(emitter *e) {
    law *l = e->l;
    expr_id rates[2 * BRI_MAX_STATES];
    law_motion motion = law_affine(l, rates);
    int exact = motion == LAW_AFFINE || motion == LAW_CASCADE, bounded = 0;
    for (int i = 0; i < l->n_states; i++) bounded |= l->bounds[i] >= 0 && !l->bound_early[i];
    if (motion == LAW_FAILED) e->failed = 1;
    if (l->n_states == 0) return;
    emit(e, "    .step_order = %d,\n", l->step ? l->step->order : exact ? 2 : 1);
    if (l->step)
        emit(e, "    .step = BRI_STEP(%s),\n", l->step->name);
    else if (exact || bounded)
        emit_function(e, "step");
}

static void emit_record(emitter *e) {
    const law *l = e->l;
    expr_id corners[LAW_CORNERS];
    int varying = 0, n_corners = law_corners(e->l, corners), affine = law_is_affine(e->l);
    e->failed |= n_corners < 0 || affine < 0;
    for (int i = 0; i < l->n_states; i++)
        varying |= l->bounds[i] >= 0 && (l->bound_when[i] >= 0 || l->bound_early[i]);
    emit(e, "const bri_model BRI_LAW(%s) = {\n", l->name);
    emit_text_member(e, "name", l->name);
    emit_text_member(e, "title", l->title);
    emit_text_member(e, "equations", l->equations);
    emit_text_member(e, "limits", l->limits);
    emit_text_member(e, "cite", l->cite);
    emit_text_member(e, "defaults", l->defaults);
    emit(e, "    .load = ");
    number(e, l->load);
    emit(e, ",\n    .params = %s_params,\n    .n_params = %d,\n", l->name, l->n_params);
    if (l->n_states > 0)
        emit(e, "    .states = %s_states,\n    .n_states = %d,\n", l->name, l->n_states);
    if (l->holds >= 0) emit(e, "    .set_valued = 1,\n");
    if (affine) emit(e, "    .affine = 1,\n");
    if (l->n_rules > 0) emit_function(e, "check");
    if (has_rest(l)) emit_function(e, "rest");
    emit_function(e, "eval");
    emit_function(e, "jac");
    if (l->n_params > 0) emit_function(e, "params_jac");
    emit_step_members(e);
    if (l->step)
        emit(e, "    .step_slope = BRI_STEP_SLOPE(%s),\n", l->step->name);
    else if (emit_has_step_slope(e))
        emit_function(e, "step_slope");
    if (l->lift >= 0) emit_function(e, "lift");
    if (l->stored >= 0) emit_function(e, "stored");
    if (l->sticks >= 0) emit_function(e, "motion");
    if (l->holds >= 0 || law_bounds(l)) {
        emit(e, "    .n_roots = %d,\n", l->holds >= 0 ? 1 : law_bounds(l));
        emit_function(e, "roots");
        emit_function(e, "jump");
    }
    if (varying) emit_function(e, "eventful");
    if (l->advice >= 0) emit_function(e, "advice");
    if (n_corners > 0) emit_function(e, "pieces");
    emit(e, "};\n");
}

/* ---- the whole ----------------------------------------------------------------------------- */

/* Names of the law are names of C as well. */
static const char *unusable_name(const law *l) {
    static const char *const taken[] = {
        "auto",     "break",  "case",   "char",     "const",    "continue", "default",  "do",
        "double",   "else",   "enum",   "extern",   "float",    "for",      "goto",     "if",
        "inline",   "int",    "long",   "register", "restrict", "return",   "short",    "signed",
        "sizeof",   "static", "struct", "switch",   "typedef",  "union",    "unsigned", "void",
        "volatile", "while",  "exp",    "expm1",    "log",      "log1p",    "sqrt",     "sin",
        "cos",      "tan",    "atan",   "tanh",     "pow",      "fabs",     "self"};
    int n = expr_variables(l->g) + expr_definitions(l->g);
    for (int i = 0; i < n; i++) {
        int k = i - expr_variables(l->g);
        const char *name = k < 0 ? expr_variable_name(l->g, i) : expr_definition_at(l->g, k)->name;
        if (!name) continue;
        if (strncmp(name, "law_", 4) == 0 || strncmp(name, "expr_", 5) == 0) return name;
        for (size_t j = 0; j < sizeof taken / sizeof *taken; j++)
            if (strcmp(taken[j], name) == 0) return name;
    }
    return NULL;
}

void emit_failure(const emitter *e, bri_error *err) {
    static const char none[] = "not enough memory";
    const char *why = expr_failure(e->l->g);
    if (!why) why = e->too_long ? "an expression is too long" : none;
    bri_fail(err, strcmp(why, none) == 0 ? BRI_NO_MEMORY : BRI_BAD_VALUE, "%s: %s", e->l->name,
             why);
}

char *law_to_c(law *l, const char *source, bri_error *err) {
    emitter e = {.l = l};
    const char *bad = unusable_name(l);
    if (bad) {
        bri_fail(err, BRI_BAD_VALUE, "%s: the name '%s' cannot stand in C", l->name, bad);
        return NULL;
    }
    emit(&e,
         "/* %s: %s.\n * Made by bristle_lawgen from %s: change that file, not this one. */\n"
         "#include \"models/law_code.h\"\n\nextern const bri_model BRI_LAW(%s);\n\n",
         l->name, l->title, source, l->name);
    emit_params(&e);
    emit_states(&e);
    emit_rest(&e);
    if (!emit_functions(&e) || expr_failure(l->g)) e.failed = 1;
    emit_record(&e);
    if (!e.failed) return e.text;
    free(e.text);
    emit_failure(&e, err);
    return NULL;
}
