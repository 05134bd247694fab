/* compare_table.c - the rows of a comparison as a table. */
#include "compare.h"

#include "decimal.h"
#include "fail.h"
#include "output/escape.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef double (*reader)(const bri_compare_row *);

static double xi(const bri_compare_row *r) { return r->off.xi; }
static double Gamma(const bri_compare_row *r) { return r->off.Gamma; }
static double rmse(const bri_compare_row *r) { return r->off.rmse; }
static double end(const bri_compare_row *r) { return r->off.end; }
static double most(const bri_compare_row *r) { return r->off.most; }
static double rtol(const bri_compare_row *r) { return r->rtol; }
static double shift(const bri_compare_row *r) { return r->shift; }
static double own(const bri_compare_row *r) { return r->own; }
static double unsettled(const bri_compare_row *r) { return 100.0 * r->unsettled; }
static double drift(const bri_compare_row *r) { return r->drift; }
static double creep(const bri_compare_row *r) { return r->creep; }
static double dissipated(const bri_compare_row *r) { return r->dissipated; }
static double break_away(const bri_compare_row *r) { return r->break_away; }
static double period(const bri_compare_row *r) { return r->period; }
static double swing(const bri_compare_row *r) { return r->swing; }
static double steps(const bri_compare_row *r) { return (double)r->stats.steps; }
static double rejected(const bri_compare_row *r) { return (double)r->stats.rejected; }
static double evals(const bri_compare_row *r) { return (double)r->stats.evals; }
static double jacobians(const bri_compare_row *r) { return (double)r->stats.jacobians; }
static double events(const bri_compare_row *r) { return (double)r->stats.events; }
static double milliseconds(const bri_compare_row *r) { return 1e3 * r->seconds; }
static double Psi(const bri_compare_row *r) { return r->Psi; }

/* When people are shown a column: always; if it has values; if they differ; with one row per law
 * and if it has values; with several; never. */
typedef enum shown { ALWAYS, IF_ANY, IF_DIFFERENT, IF_LAWS, IF_SEVERAL, NEVER } shown;

/* A unit "=" stands for that of the compared column, "F" for that of the contact's force. */
static const struct {
    bri_column column;
    reader number; /* NULL: text */
    shown shown;
} kinds[] = {
    {{"law", NULL, NULL, 0, "friction law"}, NULL, ALWAYS},
    {{"solver", NULL, NULL, 0, "time integrator"}, NULL, IF_DIFFERENT},
    {{"rtol", NULL, NULL, 3, "its relative tolerance"}, rtol, IF_DIFFERENT},
    {{"xi", NULL, "%", 3,
      "largest difference to the reference, relative; to its range where it passes zero"},
     xi,
     ALWAYS},
    {{"Gamma", NULL, "%", 3, "mean difference to the reference, relative to the same"},
     Gamma,
     ALWAYS},
    {{"rmse", "RMSE", "=", 3, "root mean square of the difference"}, rmse, ALWAYS},
    {{"most", NULL, "=", 3, "largest difference"}, most, NEVER},
    {{"shift", NULL, "s", 4, "added to the times of the measured samples"}, shift, IF_DIFFERENT},
    {{"own", "own error", "=", 2, "RMSE to the same law at a tight tolerance: the numerical error"},
     own,
     IF_ANY},
    {{"unsettled", NULL, "%", 2,
      "of the range, change that tighter tolerances still make; 0: none"},
     unsettled,
     NEVER},
    {{"end", "final", "=", 3, "difference at the last instant"}, end, ALWAYS},
    {{"drift", "drift/cycle", "=", 3, "change per cycle of the excitation, else of the motion"},
     drift,
     IF_LAWS},
    {{"creep", NULL, "=/s", 3, "rate at the end, where the reference stands still"}, creep, NEVER},
    {{"dissipated", "heat", "J", 4, "energy dissipated"}, dissipated, IF_LAWS},
    {{"break_away", "F max", "F", 5, "largest friction force: break-away, if the contact sticks"},
     break_away,
     IF_LAWS},
    {{"period", NULL, "s", 4, "of what repeats, from peak to peak"}, period, IF_LAWS},
    {{"swing", NULL, "=", 3, "of what repeats, from valley to peak"}, swing, IF_LAWS},
    {{"steps", NULL, NULL, 9, "of the integrator"}, steps, ALWAYS},
    {{"rejected", NULL, NULL, 9, "steps that were repeated"}, rejected, NEVER},
    {{"evaluations", NULL, NULL, 9, "of the right-hand side"}, evals, IF_SEVERAL},
    {{"jacobians", NULL, NULL, 9, NULL}, jacobians, NEVER},
    {{"events", NULL, NULL, 9, "located changes between stick and slip, and turning points"},
     events,
     NEVER},
    {{"time", NULL, "ms", 4, "processor time of the integration"}, milliseconds, ALWAYS},
    {{"Psi", NULL, "%", 3, "processor time relative to the dearest row"}, Psi, ALWAYS},
    {{"parameters", NULL, NULL, 0, "of the law in the contact, SI units"}, NULL, NEVER},
    {{"lost", NULL, NULL, 0, "given for the contact, but of no use to the law"}, NULL, IF_ANY},
    {{"derived", NULL, NULL, 0, "parameters that follow by a rule from those given"}, NULL, IF_ANY},
    {{"invented", NULL, NULL, 0, "parameters published for another rig, where none was given"},
     NULL,
     IF_ANY},
    {{"failure", NULL, NULL, 0, "why there are no numbers"}, NULL, NEVER},
};
enum { LAW, SOLVER, RTOL, N_KINDS = sizeof kinds / sizeof *kinds, PARAMETERS = N_KINDS - 5 };
enum { LOST = PARAMETERS + 1, DERIVED, INVENTED };

/* How many entries a list has; for people, who find them below the table. */
static const char *number_of(const char *list) {
    static const char *const few[] = {"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"};
    int count = *list != '\0', depth = 0;
    for (; *list; list++) {
        depth += (*list == '(') - (*list == ')');
        count += depth == 0 && (*list == ',' || *list == ';');
    }
    return count < 10 ? few[count] : "10+";
}

static const char *text_of(const bri_compare_row *r, int kind) {
    switch (kind) {
    case LAW:
        return r->law;
    case SOLVER:
        return bri_solver_name(r->solver);
    case PARAMETERS:
        return r->parameters;
    case LOST:
        return r->lost;
    case DERIVED:
        return r->derived;
    case INVENTED:
        return r->invented;
    default:
        return r->err.text;
    }
}

const char *compare_tolerance(double rtol, char text[24]) {
    text_format(text, 24, "%.0e", rtol);
    if (decimal_value(text, strlen(text)) != rtol) text_format(text, 24, "%g", rtol);
    return text;
}

static int worth_showing(const bri_compare *c, int kind) {
    int any = 0, different = 0;
    for (int i = 0; i < c->n_rows; i++) {
        const bri_compare_row *r = &c->rows[i];
        if (!kinds[kind].number) {
            different |= strcmp(text_of(r, kind), text_of(&c->rows[0], kind)) != 0;
            any |= r->err.status == BRI_OK && *text_of(r, kind);
            continue;
        }
        if (r->err.status != BRI_OK) continue;
        double x = kinds[kind].number(r);
        any |= isfinite(x);
        different |= isfinite(x) && x != kinds[kind].number(&c->rows[0]);
    }
    int several = c->n_rows > 1 && strcmp(c->rows[0].law, c->rows[1].law) == 0;
    switch (kinds[kind].shown) {
    case ALWAYS:
        return 1;
    case IF_ANY:
        return any;
    case IF_DIFFERENT:
        return different;
    case IF_LAWS:
        return any && !several;
    case IF_SEVERAL:
        return several;
    case NEVER:
        break;
    }
    return 0;
}

/* Green: within 5 % of the reference; red: beyond 20 %. */
static bri_tone tone_of(const bri_compare *c, const bri_compare_row *r, int kind) {
    if (kind == INVENTED && *r->invented) return BRI_TONE_BAD;
    if (kinds[kind].number != xi || !isfinite(r->off.xi)) return BRI_TONE_PLAIN;
    return r->off.xi <= 5.0 ? BRI_TONE_GOOD : r->off.xi > 20.0 ? BRI_TONE_BAD : BRI_TONE_PLAIN;
}

static bri_column column_of(const bri_compare *c, int kind) {
    bri_column column = kinds[kind].column;
    if (column.unit && column.unit[0] == '=') column.unit = column.unit[1] ? c->rate : c->unit;
    if (column.unit && strcmp(column.unit, "F") == 0) column.unit = c->rotary ? "N m" : "N";
    return column;
}

/* What all rows have in common, and what they are compared with. */
static void title_of(const bri_compare *c, char *title, size_t size) {
    const bri_compare_row *r = c->rows;
    int n = snprintf(title, size, "%s: %s against %s", c->title, c->column, c->reference);
    if (r && !worth_showing(c, SOLVER) && n > 0 && (size_t)n < size)
        n += snprintf(title + n, size - (size_t)n, "; %s", bri_solver_name(r->solver));
    if (r && !worth_showing(c, RTOL) && isfinite(r->rtol) && n > 0 && (size_t)n < size)
        text_format(title + n, size - (size_t)n, ", rtol %g", r->rtol);
}

bri_table *bri_compare_table(const bri_compare *c, int all) {
    char title[4 * BRI_COMPARE_TEXT], room[24];
    bri_column columns[N_KINDS];
    int show[N_KINDS], n = 0;
    for (int k = 0; k < N_KINDS; k++)
        if (all || worth_showing(c, k)) {
            columns[n] = column_of(c, k);
            show[n++] = k;
        }
    title_of(c, title, sizeof title);
    bri_table *t = bri_table_create(title, columns, n);
    for (int i = 0; t && i < c->n_rows; i++) {
        const bri_compare_row *r = &c->rows[i];
        int failed = r->err.status != BRI_OK;
        for (int k = 0; k < n && (all || !failed); k++) {
            reader number = kinds[show[k]].number;
            int list = show[k] >= LOST && show[k] <= INVENTED;
            const char *text = number ? "" : text_of(r, show[k]);
            if (!number)
                bri_table_text(t, list && !all ? number_of(text) : text, tone_of(c, r, show[k]));
            else if (number == rtol && isfinite(r->rtol))
                bri_table_both(t, r->rtol, compare_tolerance(r->rtol, room), BRI_TONE_PLAIN);
            else
                bri_table_number(t, failed && number != rtol ? NAN : number(r),
                                 tone_of(c, r, show[k]));
        }
    }
    return t;
}

int bri_compare_parameters(const bri_compare *c, int row, char *text, size_t size) {
    const bri_compare_row *r = &c->rows[row];
    for (int i = 0; i < row; i++)
        if (strcmp(c->rows[i].law, r->law) == 0) return 0;
    if (r->err.status != BRI_OK || (!*r->lost && !*r->derived && !*r->invented)) return 0;
    snprintf(text, size, "%s: %s%s%s%s%s%s%s%s", r->law, *r->lost ? "no use for " : "", r->lost,
             *r->lost && *r->derived ? "; " : "", *r->derived ? "derived " : "", r->derived,
             (*r->lost || *r->derived) && *r->invented ? "; " : "",
             *r->invented ? "by default, of another rig, " : "", r->invented);
    return 1;
}

bri_status bri_compare_json(const bri_compare *c, FILE *out, bri_error *err) {
    const char *const pairs[][2] = {{"scenario", c->scenario}, {"title", c->title},
                                    {"column", c->column},     {"unit", c->unit},
                                    {"contact", c->contact},   {"reference", c->reference},
                                    {"note", c->note},         {"version", bri_version()}};
    bri_table *t = bri_compare_table(c, 1);
    if (!t) return bri_fail(err, BRI_NO_MEMORY, "%s", bri_status_text(BRI_NO_MEMORY));
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        fputs(i ? ",\n" : "{", out);
        json_text(out, pairs[i][0]);
        fputs(": ", out);
        json_text(out, pairs[i][1]);
    }
    fprintf(out, ",\n\"xi_relative_to\": \"%s\"", c->relative ? "x" : "range");
    if (c->range > 0.0) {
        fputs(",\n\"range\": ", out);
        json_number(out, c->range);
    }
    fputs(",\n\"rows\": ", out);
    bri_status status = bri_table_write(t, BRI_FORM_JSON, out, err);
    bri_table_free(t);
    fputs(",\n\"advice\": [", out);
    for (int i = 0; i < c->n_advice; i++) {
        fputs(i ? ",\n " : "\n ", out);
        json_text(out, c->advice[i]);
    }
    fputs("\n]}\n", out);
    return status;
}
