/* measure.c - measures as text: "period", "top=max(abs(pad.v))", "fraction(pad.mode == 0)".
 *
 * A call such as max(x) or fraction(x > 0), which makes one number of a column, is taken out of the
 * text and stands there as a name; what is left is an expression of the language of src/expr. Units
 * are checked as everywhere. Calls may stand within calls: rms(x - mean(x)). */
#include "formula.h"

#include "../decimal.h"
#include "../expr/dim.h"
#include "../expr/ops.h"
#include "../output/number.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LEVELS = 100 }; /* of calls within calls */

const char *const regime_words[3] = {"sticks", "stick-slip", "slides"};

// clang-format off
static const struct {
    const char *name;
    int args;         /* columns or expressions of them */
    int condition;    /* nonzero: the first is a condition */
    int contact;      /* nonzero: the first is the name of a contact */
    const char *unit; /* NULL: that of the first; "*s": times seconds */
    const char *text;
} reducers[REDUCERS] = {
    [REDUCE_MAX]      = {"max", 1, 0, 0, NULL, "max(X)               largest value of the rows"},
    [REDUCE_MIN]      = {"min", 1, 0, 0, NULL, "min(X)               least value"},
    [REDUCE_MEAN]     = {"mean", 1, 0, 0, NULL, "mean(X)              mean over time"},
    [REDUCE_RMS]      = {"rms", 1, 0, 0, NULL, "rms(X)               root of the mean square over time"},
    [REDUCE_STD]      = {"std", 1, 0, 0, NULL, "std(X)               standard deviation over time"},
    [REDUCE_RANGE]    = {"range", 1, 0, 0, NULL, "range(X)             largest less least value"},
    [REDUCE_FIRST]    = {"first", 1, 0, 0, NULL, "first(X)             value at the start"},
    [REDUCE_LAST]     = {"last", 1, 0, 0, NULL, "last(X)              value at the end"},
    [REDUCE_INTEGRAL] = {"integral", 1, 0, 0, "*s", "integral(X)          over time"},
    [REDUCE_FRACTION] = {"fraction", 1, 1, 0, "1", "fraction(X > A)      share of the time in which a condition holds"},
    [REDUCE_WHEN]     = {"when", 1, 1, 0, "s", "when(X > A)          first time at which it holds"},
    [REDUCE_COUNT]    = {"count", 1, 1, 0, "1", "count(X > A)         how often it begins to hold"},
    [REDUCE_AT]       = {"at", 2, 0, 0, NULL, "at(X, T)             value at a time; course(X, 50): at 50 times, a column each"},
    [REDUCE_QUANTILE] = {"quantile", 2, 0, 0, NULL, "quantile(X, 0.9)     value that this share of the rows is below"},
    [REDUCE_PEAK]     = {"peak", 2, 0, 0, NULL, "peak(X, K)           peak number K from the end; peaks(X, 16): the last 16, a column each"},
    [REDUCE_PERIOD]   = {"period", 1, 0, 0, "s", "period(X)            of what repeats, from peak to peak; alone: of the first free body"},
    [REDUCE_SWING]    = {"swing", 1, 0, 0, NULL, "swing(X)             from its valleys to its peaks"},
    [REDUCE_DRIFT]    = {"drift", 1, 0, 0, NULL, "drift(X)             from one peak to the next"},
    [REDUCE_REGIME]   = {"regime", 1, 0, 1, "1", "regime(PAD)          sticks, stick-slip or slides; alone: of the first contact"},
    [REDUCE_SLIDING]  = {"sliding", 1, 0, 1, "1", "sliding(PAD)         share of the time in which a contact slides"},
    [REDUCE_STARTS]   = {"starts", 1, 0, 1, "1", "starts(PAD)          how often it begins to slide"},
    [REDUCE_BREAK_AWAY] = {"break_away", 1, 0, 1, NULL, "break_away(PAD)      its largest force, of the rows and at events"},
    [REDUCE_XI]       = {"xi", 1, 0, 0, "1", "xi(X)                largest difference to the scenario as it stands [%]; alone: as period"},
    [REDUCE_GAMMA]    = {"Gamma", 1, 0, 0, "1", "Gamma(X)             mean difference to it [%], as bristle compare has them"},
};
// clang-format on

const char *bri_sweep_help(int i) {
    return i < 0 || i >= REDUCERS + n_facts ? NULL
           : i < REDUCERS                   ? reducers[i].text
                                            : facts[i - REDUCERS].text;
}

static bri_status no_memory(bri_error *err) {
    return bri_fail(err, BRI_NO_MEMORY, "%s", bri_status_text(BRI_NO_MEMORY));
}

/* ---- calls ---------------------------------------------------------------------------------- */

static bri_status translate(meter *m, const char *text, size_t length, line *out, bri_error *err);

/* Length of the name at the start of a text, 0: there is none. */
static size_t name_length(const char *s, const char *end) {
    size_t n = 0;
    if (s >= end || !(isalpha((unsigned char)*s) || *s == '_')) return 0;
    while (s + n < end && (isalnum((unsigned char)s[n]) || s[n] == '_' || s[n] == '.')) n++;
    return n;
}

/* The bracket that closes the one at s; NULL: there is none. */
static const char *closing(const char *s, const char *end) {
    int depth = 0;
    for (; s < end; s++) {
        depth += (*s == '(') - (*s == ')');
        if (depth == 0) return s;
    }
    return NULL;
}

/* The comma of this level from s on, or end. */
static const char *next_comma(const char *s, const char *end) {
    int depth = 0;
    for (; s < end; s++) {
        depth += (*s == '(') - (*s == ')');
        if (depth == 0 && *s == ',') return s;
    }
    return end;
}

static int find_reducer(const char *name, size_t length) {
    for (int i = 0; i < REDUCERS; i++)
        if (strlen(reducers[i].name) == length && strncmp(reducers[i].name, name, length) == 0)
            return i;
    return -1;
}

/* A function of the language. */
static int is_function(const char *name, size_t length) {
    for (int i = 0; i < EXPR_OPS; i++)
        if (expr_ops[i].name && strlen(expr_ops[i].name) == length &&
            strncmp(expr_ops[i].name, name, length) == 0)
            return 1;
    return 0;
}

static bri_status no_function(const char *name, size_t length, bri_error *err) {
    const char *names[REDUCERS + EXPR_OPS];
    char word[80];
    int count = 0;
    snprintf(word, sizeof word, "%.*s", (int)(length < 79 ? length : 79), name);
    for (int i = 0; i < n_facts; i++)
        if (strcmp(word, facts[i].name) == 0)
            return bri_fail(err, BRI_BAD_VALUE,
                            "measure: '%s' is of the whole run and stands alone, without brackets",
                            word);
    for (int i = 0; i < REDUCERS; i++) names[count++] = reducers[i].name;
    for (int i = 0; i < EXPR_OPS; i++)
        if (expr_ops[i].name && isalpha((unsigned char)expr_ops[i].name[0]))
            names[count++] = expr_ops[i].name;
    const char *near = bri_nearest(word, names, count);
    return bri_fail(err, BRI_NOT_FOUND, "measure: there is no function '%s'%s%s%s", word,
                    near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

static bri_status compile_part(meter *m, const char *text, size_t length, int condition, formula *f,
                               bri_error *err) {
    line inner = {0};
    char shown[120];
    snprintf(shown, sizeof shown, "%.*s", (int)(length < 110 ? length : 110), text);
    bri_status status = BRI_OK;
    if (m->depth == MOST_LEVELS)
        return bri_fail(err, BRI_BAD_VALUE, "a measure is more than %d calls deep", MOST_LEVELS);
    m->depth++;
    if (condition && !line_text(&inner, "if(")) status = no_memory(err);
    if (status == BRI_OK) status = translate(m, text, length, &inner, err);
    if (status == BRI_OK && condition && !line_text(&inner, ", 1, 0)")) status = no_memory(err);
    if (status == BRI_OK) status = formula_compile(m, inner.text ? inner.text : "", shown, f, err);
    if (status != BRI_OK && condition && strstr(err->text, "if() begins with"))
        bri_fail(err, status, "measure '%s': a condition is wanted here, such as X > A", shown);
    m->depth--;
    free(inner.text);
    return status;
}

static int find_contact(const bri_system *s, const char *name, size_t length) {
    for (int i = 0; i < s->n_contacts; i++)
        if (length == 0 || (s->contacts[i].name && strlen(s->contacts[i].name) == length &&
                            strncmp(s->contacts[i].name, name, length) == 0))
            return i;
    return -1;
}

/* The number of a contact among those that are measured; -1: no memory. */
static int need_contact(meter *m, const char *name, size_t length) {
    for (int i = 0; i < m->n_contacts; i++)
        if (strlen(m->contacts[i]) == length && strncmp(m->contacts[i], name, length) == 0)
            return i;
    char *copy = malloc(length + 1);
    if (!copy ||
        !meter_grow((void **)&m->contacts, m->n_contacts, &m->contacts_room, sizeof *m->contacts)) {
        free(copy);
        return -1;
    }
    memcpy(copy, name, length);
    copy[length] = '\0';
    m->contacts[m->n_contacts] = copy;
    return m->n_contacts++;
}

static bri_status no_contact(const meter *m, const char *name, size_t length, bri_error *err) {
    const bri_system *s = &m->names.def->system;
    const char *names[64], *near;
    char word[80];
    int count = 0;
    snprintf(word, sizeof word, "%.*s", (int)(length < 79 ? length : 79), name);
    for (int i = 0; i < s->n_contacts && count < 64; i++)
        if (s->contacts[i].name) names[count++] = s->contacts[i].name;
    near = count ? bri_nearest(word, names, count) : NULL;
    return bri_fail(err, BRI_NOT_FOUND, "there is no contact '%s'%s%s%s", word,
                    near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

/* The dimension of what a reduction gives. */
static expr_dim reduced_dim(const reduction *r) {
    const char *unit = reducers[r->kind].unit;
    if (!unit) return r->of.dim;
    return unit[0] == '*' ? dim_times(r->of.dim, meter_dim("s")) : meter_dim(unit);
}

/* Nonzero: all runs end where that of the scenario does. */
static int ends_together(const meter *m) {
    for (int i = 0; i < m->names.n_axes; i++)
        if (strcmp(m->names.axes[i].name, "run.until") == 0) return 0;
    return 1;
}

/* A time that is a plain number, if it is one. */
static bri_status check_time(const meter *m, const char *shown, bri_error *err) {
    double t, from = m->names.from, end = m->names.end, near = 1e-9 * fabs(end);
    bri_error why;
    if (bri_quantity(shown, "s", &t, &why) != BRI_OK || !ends_together(m)) return BRI_OK;
    if (t >= from - near && t <= end + near) return BRI_OK;
    return bri_fail(err, BRI_BAD_VALUE, "at(X, %s): %g ... %g s are measured", shown, from, end);
}

/* The second argument: a time, a share from 0 to 1, or a number of peaks. */
static bri_status check_second(const meter *m, const reduction *r, const char *text, size_t length,
                               bri_error *err) {
    const char *name = reducers[r->kind].name;
    char shown[40];
    size_t blanks = strspn(text, " ");
    snprintf(shown, sizeof shown, "%.*s", (int)(length - blanks < 39 ? length - blanks : 39),
             text + blanks);
    if (r->second.columns)
        return bri_fail(err, BRI_BAD_VALUE, "the second argument of %s must be a number", name);
    int plain = r->second.dim.any || expr_dim_equal(r->second.dim, meter_dim("1"));
    int time = r->kind == REDUCE_AT && expr_dim_equal(r->second.dim, meter_dim("s"));
    if (!plain && !time)
        return bri_fail(err, BRI_BAD_VALUE, "%s(X, %s): the second argument is a %s", name, shown,
                        r->kind == REDUCE_AT ? "time" : "pure number");
    size_t digits = decimal_length(shown);
    double value = digits > 0 && !shown[digits] ? decimal_value(shown, digits) : 0.5;
    if (r->kind == REDUCE_QUANTILE && !(value >= 0.0 && value <= 1.0))
        return bri_fail(err, BRI_BAD_VALUE, "quantile(X, %s): a share is from 0 to 1", shown);
    if (r->kind == REDUCE_PEAK && digits > 0 && !shown[digits] &&
        (value < 1.0 || value != floor(value)))
        return bri_fail(err, BRI_BAD_VALUE, "peak(X, %s): peaks are counted from 1", shown);
    return r->kind == REDUCE_AT ? check_time(m, shown, err) : BRI_OK;
}

/* A call as a new reduction: its name is put out. */
static bri_status add_reduction(meter *m, int kind, const char *args, const char *end, line *out,
                                bri_error *err) {
    char name[20];
    reduction r = {.kind = (reducer)kind, .contact = -1};
    bri_status status = BRI_OK;
    const char *comma = next_comma(args, end);
    if (reducers[kind].contact) {
        while (args < end && *args == ' ') args++;
        while (end > args && end[-1] == ' ') end--;
        const bri_system *s = &m->names.def->system;
        size_t length = (size_t)(end - args);
        int at = find_contact(s, args, length);
        if (at < 0) return no_contact(m, args, length, err);
        if ((r.contact = need_contact(m, args, length)) < 0) return no_memory(err);
        m->slips |= kind == REDUCE_BREAK_AWAY ? LOOK_AT_EVENTS : LOOK_AT_SLIDING;
        if (kind == REDUCE_BREAK_AWAY) {
            char force[BRI_ADDRESS + 20];
            snprintf(force, sizeof force, "abs(%.100s.F)", s->contacts[at].name);
            status = compile_part(m, force, strlen(force), 0, &r.of, err);
        }
    } else {
        status =
            compile_part(m, args, (size_t)(comma - args), reducers[kind].condition, &r.of, err);
        if (status == BRI_OK && reducers[kind].args == 2)
            status = compile_part(m, comma + 1, (size_t)(end - comma - 1), 0, &r.second, err);
        if (status == BRI_OK && reducers[kind].args == 2)
            status = check_second(m, &r, comma + 1, (size_t)(end - comma - 1), err);
    }
    m->compares |= kind == REDUCE_XI || kind == REDUCE_GAMMA;
    r.dim = reduced_dim(&r);
    if (status == BRI_OK &&
        !meter_grow((void **)&m->reductions, m->n_reductions, &m->reductions_room, sizeof r))
        status = no_memory(err);
    if (status != BRI_OK) {
        expr_program_free(r.of.program);
        expr_program_free(r.second.program);
        free(r.of.sources);
        free(r.second.sources);
        return status;
    }
    snprintf(name, sizeof name, "_r%d", m->n_reductions);
    m->reductions[m->n_reductions++] = r;
    return line_text(out, name) ? BRI_OK : no_memory(err);
}

/* Position of the first body that is free to move, or the first column. */
static const char *usual_column(const meter *m) {
    const bri_recorder *r = m->names.recorder;
    const bri_system *s = &m->names.def->system;
    for (int i = 0; i < s->n_bodies; i++) {
        char name[BRI_ADDRESS];
        if (s->bodies[i].position || s->bodies[i].velocity) continue;
        snprintf(name, sizeof name, "%.100s.x", s->bodies[i].name ? s->bodies[i].name : "");
        int column = bri_recorder_find(r, name);
        if (column >= 0) return bri_recorder_name(r, column);
    }
    return bri_recorder_name(r, bri_recorder_columns(r) > 1 ? 1 : 0);
}

/* A word without brackets that stands for a call: period, swing, drift, regime, sliding, starts. */
static bri_status translate_word(meter *m, int kind, line *out, bri_error *err) {
    if (reducers[kind].contact) {
        if (m->names.def->system.n_contacts == 0)
            return bri_fail(err, BRI_NOT_FOUND, "%s: there is no contact", reducers[kind].name);
        return add_reduction(m, kind, "", "", out, err);
    }
    const char *column = usual_column(m);
    return add_reduction(m, kind, column, column + strlen(column), out, err);
}

static int stands_alone(int kind) {
    return kind == REDUCE_PERIOD || kind == REDUCE_SWING || kind == REDUCE_DRIFT ||
           kind == REDUCE_XI || kind == REDUCE_GAMMA || (kind >= 0 && reducers[kind].contact);
}

static bri_status translate(meter *m, const char *text, size_t length, line *out, bri_error *err) {
    const char *s = text, *end = text + length;
    while (s < end) {
        size_t n = name_length(s, end);
        if (n == 0) { /* a number with its exponent is one piece */
            n = 1;
            if (isdigit((unsigned char)*s) || *s == '.')
                while (s + n < end && (isalnum((unsigned char)s[n]) || s[n] == '.')) n++;
            if (!line_put(out, s, n)) return no_memory(err);
            s += n;
            continue;
        }
        const char *open = s + n, *close = NULL;
        while (open < end && *open == ' ') open++;
        if (open < end && *open == '(' && !(close = closing(open, end)))
            return bri_fail(err, BRI_BAD_VALUE, "measure '%.*s': a ) is missing",
                            (int)(length < 100 ? length : 100), text);
        int kind = find_reducer(s, n);
        bri_status status = BRI_OK;
        if (kind >= 0 && close) {
            int args = 1;
            for (const char *c = next_comma(open + 1, close); c < close;
                 c = next_comma(c + 1, close))
                args++;
            if (args == reducers[kind].args) {
                status = add_reduction(m, kind, open + 1, close, out, err);
                if (status != BRI_OK) return status;
                s = close + 1;
                continue;
            }
            if (kind != REDUCE_MAX && kind != REDUCE_MIN)
                return bri_fail(err, BRI_BAD_VALUE, "%s takes %d argument%s", reducers[kind].name,
                                reducers[kind].args, reducers[kind].args == 1 ? "" : "s");
        } else if (stands_alone(kind) && !(open < end && *open == '(')) {
            status = translate_word(m, kind, out, err);
            if (status != BRI_OK) return status;
            s += n;
            continue;
        }
        if (close && kind < 0 && !is_function(s, n)) return no_function(s, n, err);
        if (!line_put(out, s, n)) return no_memory(err);
        s += n;
    }
    return line_put(out, "", 0) ? BRI_OK : no_memory(err);
}

/* ---- measures ------------------------------------------------------------------------------- */

/* "name=" at the start; not the == of a condition. Length of the name, 0: there is none. */
static size_t own_name(const char *s, const char *end) {
    size_t n = name_length(s, end), gap = n;
    while (s + gap < end && s[gap] == ' ') gap++;
    return n > 0 && s + gap < end && s[gap] == '=' && !(s + gap + 1 < end && s[gap + 1] == '=') ? n
                                                                                                : 0;
}

/* A word alone that is not known may be meant as period, regime, ... */
static bri_status add_hint(const char *shown, bri_status status, bri_error *err) {
    const char *names[REDUCERS], *near;
    int count = 0;
    for (int i = 0; i < REDUCERS; i++)
        if (stands_alone(i)) names[count++] = reducers[i].name;
    if (strlen(shown) > 40 || strstr(err->text, "did you mean") ||
        !strstr(err->text, "is not known"))
        return status;
    near = bri_nearest(shown, names, count);
    return near ? bri_fail(err, status, "there is no measure '%s'; did you mean '%s'?", shown, near)
                : status;
}

/* The unit of a column, if a reduction of it keeps that: "rad", which is 1 as a dimension. NULL:
 * the dimension says it. */
static const char *unit_of_column(const meter *m, const reduction *r) {
    const bri_recorder *from = m->names.recorder;
    const formula *of = &r->of;
    const char *unit = NULL;
    int columns = 0;
    if (reducers[r->kind].unit || reducers[r->kind].contact || !from) return NULL;
    for (int i = 0; i < of->n_sources; i++) {
        int needed = of->sources[i].needed, column = of->sources[i].kind == FROM_COLUMN;
        if (needed && !column) return NULL;
        if (!needed) continue;
        int at = bri_recorder_find(from, m->columns[of->sources[i].index]);
        unit = at >= 0 ? bri_recorder_unit(from, at) : NULL;
        columns++;
    }
    if (columns != 1 || !unit || !expr_dim_equal(meter_dim(unit), of->dim)) return NULL;
    return of->column >= 0 || !expr_dim_equal(of->dim, meter_dim("1")) ? unit : NULL;
}

static bri_status keep_measure(meter *m, const char *name, size_t length, const char *text,
                               size_t size, bri_error *err) {
    char shown[200];
    measure new = {.instant = NAN};
    if (!meter_grow((void **)&m->measures, m->n_measures, &m->measures_room, sizeof new))
        return no_memory(err);
    snprintf(shown, sizeof shown, "%.*s", (int)(size < 190 ? size : 190), text);
    bri_status status = compile_part(m, text, size, 0, &new.value, err);
    if (status != BRI_OK) return add_hint(shown, status, err);
    m->measures[m->n_measures++] = new;
    measure *to = &m->measures[m->n_measures - 1];
    if (new.value.columns)
        return bri_fail(
            err, BRI_BAD_VALUE,
            "measure '%.100s' changes with time: say what of it, such as last(...), max(...) "
            "or mean(...)",
            shown);
    to->words = new.value.alone >= 0 && m->reductions[new.value.alone].kind == REDUCE_REGIME;
    if (new.value.dim.any)
        strcpy(to->unit, "1");
    else
        expr_dim_text(new.value.dim, to->unit, sizeof to->unit);
    int only = new.value.alone >= 0 ? (int)m->reductions[new.value.alone].kind : -1;
    const char *unit = only >= 0 ? unit_of_column(m, &m->reductions[new.value.alone]) : NULL;
    if (unit) snprintf(to->unit, sizeof to->unit, "%s", unit);
    if (only == REDUCE_XI || only == REDUCE_GAMMA) strcpy(to->unit, "%");
    to->name = malloc(length + 1);
    if (!to->name) return no_memory(err);
    memcpy(to->name, name, length);
    to->name[length] = '\0';
    for (char *c = to->name; *c; c++)
        if (iscntrl((unsigned char)*c)) *c = ' '; /* the head of a table is a line */
    for (int i = 0; i < m->n_measures - 1; i++)
        if (strcmp(m->measures[i].name, to->name) == 0)
            return bri_fail(err, BRI_BAD_VALUE,
                            "two measures are called '%.100s'; NAME=... names one", to->name);
    return BRI_OK;
}

/* Calls that make a list of measures, NAME_1, NAME_2, ...: of "peaks(X, 16)" sixteen. */
static const struct {
    const char *name, *each; /* each: the call of one */
    int least;
} lists[] = {{"peaks", "peak", 1}, {"course", "at", 2}};
enum { LISTS = sizeof lists / sizeof *lists, MOST_LISTED = 200 };

/* Which of them a text is, -1: none. */
static int list_of(const char *text, const char *end) {
    for (int i = 0; i < LISTS; i++) {
        size_t n = strlen(lists[i].name);
        if ((size_t)(end - text) > n + 1 && strncmp(text, lists[i].name, n) == 0 &&
            text[n] == '(' && closing(text + n, end) == end - 1)
            return i;
    }
    return -1;
}

static bri_status keep_list(meter *m, int which, const char *name, size_t length, const char *open,
                            const char *close, bri_error *err) {
    const char *comma = next_comma(open + 1, close);
    const char *given = comma < close ? comma + 1 + strspn(comma + 1, " ") : close;
    size_t digits = strspn(given, "0123456789");
    int whole = digits > 0 && digits < 8 && given + digits + strspn(given + digits, " ") == close;
    int count = whole ? (int)decimal_value(given, digits) : 0, course = which == 1;
    if (count < lists[which].least || count > MOST_LISTED)
        return bri_fail(err, BRI_BAD_VALUE, "%s(X, COUNT) needs a count from %d to %d",
                        lists[which].name, lists[which].least, MOST_LISTED);
    for (int i = 1; i <= count; i++) {
        line text = {0}, label = {0};
        char number[40], second[NUMBER_ROOM + 10];
        bri_status status = BRI_OK;
        double u = (i - 1.0) / (count > 1 ? count - 1.0 : 1.0);
        double instant = m->names.from + u * (m->names.end - m->names.from);
        snprintf(number, sizeof number, "_%d", i);
        strcpy(second, ", ");
        strcpy(number_put(second + 2, course ? instant : i), course ? " s)" : ")");
        if (!line_put(&label, name, length) || !line_text(&label, number) ||
            !line_text(&text, lists[which].each) ||
            !line_put(&text, open, (size_t)(comma - open)) || !line_text(&text, second))
            status = no_memory(err);
        if (status == BRI_OK)
            status =
                keep_measure(m, label.text, strlen(label.text), text.text, strlen(text.text), err);
        measure *made = &m->measures[m->n_measures - 1];
        if (status == BRI_OK && course) made->instant = instant;
        if (status == BRI_OK)
            snprintf(made->of, sizeof made->of, "%.*s", (int)(comma - open - 1), open + 1);
        free(text.text);
        free(label.text);
        if (status != BRI_OK) return status;
    }
    return BRI_OK;
}

static bri_status read_measure(meter *m, const char *s, const char *end, bri_error *err) {
    while (s < end && isspace((unsigned char)*s)) s++;
    while (end > s && isspace((unsigned char)end[-1])) end--;
    if (s == end) return bri_fail(err, BRI_BAD_VALUE, "a measure is missing");
    size_t named = own_name(s, end);
    const char *text = s;
    if (named > 0) {
        text = s + named;
        while (*text != '=') text++;
        text++;
        while (text < end && isspace((unsigned char)*text)) text++;
    }
    int list = list_of(text, end);
    if (list >= 0) {
        size_t n = strlen(lists[list].name);
        return keep_list(m, list, named ? s : lists[list].name, named ? named : n, text + n,
                         end - 1, err);
    }
    return keep_measure(m, s, named ? named : (size_t)(end - s), text, (size_t)(end - text), err);
}

bri_status meter_create(meter **to, const meter_names *names, const char *const *measures,
                        int count, bri_error *err) {
    meter *m = calloc(1, sizeof *m);
    bri_status status = BRI_OK;
    *to = m;
    if (!m) return no_memory(err);
    m->names = *names;
    if (meter_need(m, "t") < 0) status = no_memory(err);
    for (int i = 0; i < count && status == BRI_OK; i++) {
        const char *s = measures[i], *end = s + strlen(s);
        for (const char *comma; status == BRI_OK && s <= end; s = comma + 1) {
            comma = next_comma(s, end);
            status = read_measure(m, s, comma, err);
        }
    }
    m->names = (meter_names){0}; /* they live no longer than this call */
    return status;
}

int meter_compares(const meter *m) { return m->compares && !m->reference; }

bri_status meter_hold(meter *m, const double *const *column, long rows, const double *x, int n_axes,
                      bri_error *err) {
    size_t size = (size_t)rows * sizeof **column;
    m->reference = calloc((size_t)m->n_columns, sizeof *m->reference);
    m->reference_x = calloc((size_t)n_axes + 1, sizeof *m->reference_x);
    m->reference_rows = rows;
    if (!m->reference || !m->reference_x) return no_memory(err);
    memcpy(m->reference_x, x, (size_t)n_axes * sizeof *x);
    for (int i = 0; i < m->n_columns; i++) {
        if (!(m->reference[i] = malloc(size + 1))) return no_memory(err);
        memcpy(m->reference[i], column[i], size);
    }
    return BRI_OK;
}

static void formula_free(formula *f) {
    expr_program_free(f->program);
    free(f->sources);
}

void meter_free(meter *m) {
    if (!m) return;
    for (int i = 0; i < m->n_columns; i++) free(m->columns[i]);
    for (int i = 0; i < m->n_reductions; i++) {
        formula_free(&m->reductions[i].of);
        formula_free(&m->reductions[i].second);
    }
    for (int i = 0; i < m->n_measures; i++) {
        formula_free(&m->measures[i].value);
        free(m->measures[i].name);
    }
    for (int i = 0; m->reference && i < m->n_columns; i++) free(m->reference[i]);
    free(m->reference);
    free(m->reference_x);
    for (int i = 0; i < m->n_contacts; i++) free(m->contacts[i]);
    free(m->contacts);
    free(m->columns);
    free(m->reductions);
    free(m->measures);
    free(m);
}

int meter_count(const meter *m) { return m->n_measures; }
const char *meter_name(const meter *m, int i) { return m->measures[i].name; }
const char *meter_unit(const meter *m, int i) { return m->measures[i].unit; }
const char *const *meter_words(const meter *m, int i) {
    return m->measures[i].words ? regime_words : NULL;
}
double meter_instant(const meter *m, int i) { return m->measures[i].instant; }
const char *meter_of(const meter *m, int i) { return m->measures[i].of; }
int meter_wants_rows(const meter *m) {
    int wanted = NO_ROWS;
    for (int i = 0; i < m->n_reductions; i++) {
        const reduction *r = &m->reductions[i];
        if (r->of.program) wanted = END_ROWS;
        if (r->of.columns && r->kind != REDUCE_FIRST && r->kind != REDUCE_LAST) return ALL_ROWS;
    }
    return wanted;
}
int meter_wants_slips(const meter *m) { return m->slips; }
int meter_wants_energies(const meter *m) { return m->energies; }
int meter_n_columns(const meter *m) { return m->n_columns; }
const char *meter_column(const meter *m, int i) { return m->columns[i]; }
int meter_n_contacts(const meter *m) { return m->n_contacts; }
const char *meter_contact_name(const meter *m, int i) { return m->contacts[i]; }
int meter_contact(const meter *m, int i, const bri_system *s) {
    return find_contact(s, m->contacts[i], strlen(m->contacts[i]));
}
