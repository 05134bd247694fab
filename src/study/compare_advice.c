/* compare_advice.c - what follows from the rows of a comparison, in words. Every sentence rests on
 * measured numbers and names the row it rests on; none knows a law by its name. */
#define _POSIX_C_SOURCE 200809L
#include "compare.h"
#include "text.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM = 4000, SHOWN = 160 };

/* A sentence under construction. */
typedef struct sentence {
    char text[ROOM];
    size_t length;
} sentence;

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
static void
say(sentence *s, const char *format, ...) {
    va_list rest;
    va_start(rest, format);
    int n = text_vformat(s->text + s->length, ROOM - s->length, format, rest);
    va_end(rest);
    if (n > 0) s->length += (size_t)n < ROOM - s->length ? (size_t)n : ROOM - s->length - 1;
}

static int keep(bri_compare *c, const sentence *s) {
    if (s->length == 0) return 1;
    char **more = realloc(c->advice, (size_t)(c->n_advice + 1) * sizeof *more);
    if (!more) return 0;
    c->advice = more;
    char *copy = strdup(s->text);
    if (!copy) return 0;
    c->advice[c->n_advice++] = copy;
    return 1;
}

/* ---- rows in words ------------------------------------------------------------------------- */

static int good(const bri_compare_row *r) { return r->err.status == BRI_OK; }

static int several_solvers(const bri_compare *c) {
    for (int i = 1; i < c->n_rows; i++)
        if (c->rows[i].solver != c->rows[0].solver) return 1;
    return 0;
}

static int several_tolerances(const bri_compare *c) {
    for (int i = 1; i < c->n_rows; i++)
        if (c->rows[i].rtol != c->rows[0].rtol && isfinite(c->rows[i].rtol)) return 1;
    return 0;
}

/* "lugre", with solver and tolerance where they tell rows apart. */
static const char *name_of(const bri_compare *c, const bri_compare_row *r, char text[SHOWN]) {
    char number[24];
    int n = snprintf(text, SHOWN, "%s", r->law);
    if (several_solvers(c))
        n += snprintf(text + n, SHOWN - (size_t)n, " with %s", bri_solver_name(r->solver));
    if (several_tolerances(c) && isfinite(r->rtol))
        snprintf(text + n, SHOWN - (size_t)n, " at %s", compare_tolerance(r->rtol, number));
    return text;
}

/* How far a row is from the reference [%]: xi where that can be trusted, else the RMSE relative to
 * the range of the reference. */
static double distance(const bri_compare *c, const bri_compare_row *r) {
    if (!good(r)) return NAN;
    if (c->relative && c->measured.count == 0) return r->off.xi;
    return c->range > 0.0 ? 100.0 * r->off.rmse / c->range : NAN;
}

static void say_distance(sentence *s, const bri_compare *c, const bri_compare_row *r) {
    if (c->relative && c->measured.count == 0)
        say(s, "xi %.3g %%", r->off.xi);
    else
        say(s, "RMSE %.3g %% of the range", distance(c, r));
}

int compare_stands_for_law(const bri_compare *c, int i) {
    const bri_compare_row *r = &c->rows[i];
    if (!good(r)) return 0;
    for (int k = 0; k < c->n_rows; k++) {
        const bri_compare_row *other = &c->rows[k];
        if (k == i || !good(other) || strcmp(other->law, r->law) != 0) continue;
        if (other->own < r->own || (!(other->own > r->own) && k < i)) return 0;
    }
    return 1;
}

/* ---- nearest and cheapest ------------------------------------------------------------------ */

/* The law that is taken for the truth is no advice. */
static int is_reference(const bri_compare *c, const bri_compare_row *r) {
    return strcmp(c->exact.law, r->law) == 0;
}

/* More than twice the largest force of the reference is no friction but the damping of a bristle
 * that is met at speed. */
static int too_strong(const bri_compare *c, const bri_compare_row *r) {
    int law = c->exact.y && c->exact.err.status == BRI_OK && c->exact.break_away > 0.0;
    return law && good(r) && r->break_away > 2.0 * c->exact.break_away;
}

/* A law on parameters that nobody gave for this contact is no advice. */
static int well_founded(const bri_compare *c, const bri_compare_row *r) {
    return r->invented[0] == '\0' && !too_strong(c, r);
}

/* The law of least distance of those that `has` marks (NULL: all), and none that `but` marks. Its
 * row is the one that stands for it: a tolerance too loose may come near by accident. */
static int nearest(const bri_compare *c, const int *has, const int *but) {
    int best = -1;
    for (int i = 0; i < c->n_rows; i++) {
        double d = distance(c, &c->rows[i]);
        if (!compare_stands_for_law(c, i) || !isfinite(d) || is_reference(c, &c->rows[i])) continue;
        if (!well_founded(c, &c->rows[i])) continue;
        if ((has && !has[i]) || (but && but[i])) continue;
        if (best < 0 || d < distance(c, &c->rows[best])) best = i;
    }
    return best;
}

static int advise_nearest(bri_compare *c, int *but) {
    sentence s = {.length = 0};
    char name[SHOWN];
    memset(but, 0, (size_t)c->n_rows * sizeof *but);
    for (int k = 0; k < 3; k++) {
        int i = nearest(c, NULL, but);
        if (i < 0) break;
        const bri_compare_row *r = &c->rows[i];
        but[i] = 1;
        if (k == 0 && c->relative && c->measured.count == 0)
            say(&s, "Nearest to the reference: %s (xi %.3g %%, Gamma %.3g %%)", name_of(c, r, name),
                r->off.xi, r->off.Gamma);
        else if (k == 0)
            say(&s, "Nearest to the reference: %s (RMSE %.3g %s, %.3g %% of the range)",
                name_of(c, r, name), r->off.rmse, c->unit, distance(c, r));
        else
            say(&s, "%s %s (%.3g %%)", k == 1 ? "; then" : " and", name_of(c, r, name),
                distance(c, r));
    }
    if (s.length) say(&s, ".");
    return keep(c, &s);
}

static int advise_cheapest(bri_compare *c) {
    const double near = 5.0; /* [%] */
    sentence s = {.length = 0};
    char name[SHOWN];
    int best = -1, any = 0;
    for (int i = 0; i < c->n_rows; i++) {
        double d = distance(c, &c->rows[i]);
        if (is_reference(c, &c->rows[i]) || !well_founded(c, &c->rows[i])) continue;
        any |= isfinite(d);
        if (isfinite(d) && d <= near && (best < 0 || c->rows[i].seconds < c->rows[best].seconds))
            best = i;
    }
    if (!any) return 1;
    if (best >= 0) {
        say(&s, "Cheapest within %g %%: %s (", near, name_of(c, &c->rows[best], name));
        say_distance(&s, c, &c->rows[best]);
        int slow = c->rows[best].seconds >= 1.0;
        say(&s, ", %.3g %s, Psi %.3g %%).", (slow ? 1.0 : 1e3) * c->rows[best].seconds,
            slow ? "s" : "ms", c->rows[best].Psi);
    } else {
        say(&s, "None is within %g %%.", near);
    }
    return keep(c, &s);
}

/* ---- final position ------------------------------------------------------------------------ */

/* Holds if what it creeps in the whole time is below a ten-thousandth of the range. */
static int holds(const bri_compare *c, const bri_compare_row *r) {
    double span = c->t[c->n_times - 1] - c->t[0];
    return good(r) && fabs(r->creep) * span <= 1e-4 * c->range;
}

/* Names of laws, one row each, joined by commas. */
static int list(const bri_compare *c, sentence *s, const int *has, int yes) {
    int count = 0;
    for (int i = 0; i < c->n_rows; i++)
        if (compare_stands_for_law(c, i) && !has[i] == !yes)
            say(s, "%s%s", count++ ? ", " : "", c->rows[i].law);
    if (count == 0) say(s, "none");
    return count;
}

/* "If NEED matters, take X, the nearest of those." */
static void recommend(const bri_compare *c, sentence *s, const char *need, const int *has) {
    char name[SHOWN];
    int i = nearest(c, has, NULL);
    if (i < 0) return;
    say(s, " If %s, take %s, the nearest of these (", need, name_of(c, &c->rows[i], name));
    say_distance(s, c, &c->rows[i]);
    say(s, ").");
}

static int advise_rest(bri_compare *c, int *has) {
    sentence s = {.length = 0};
    int count = 0, per_cycle = isfinite(c->cycle);
    if (!c->rests) return 1;
    for (int i = 0; i < c->n_rows; i++) has[i] = holds(c, &c->rows[i]);
    say(&s, "The reference stands still at the end. So do: ");
    list(c, &s, has, 1);
    say(&s, ". These creep: ");
    for (int i = 0; i < c->n_rows; i++) {
        const bri_compare_row *r = &c->rows[i];
        if (!compare_stands_for_law(c, i) || has[i]) continue;
        say(&s, "%s%s (%.3g %s %s)", count++ ? ", " : "", r->law,
            per_cycle ? r->creep * c->cycle : r->creep, c->unit,
            per_cycle ? "per cycle" : "per second");
    }
    say(&s, count ? "." : "none.");
    recommend(c, &s, "the final position matters", has);
    return keep(c, &s);
}

/* ---- what the laws can do ------------------------------------------------------------------ */

static int advise_trait(bri_compare *c, bri_trait trait, const char *what, const char *need,
                        int *has) {
    sentence s = {.length = 0};
    int yes = 0, no = 0;
    for (int i = 0; i < c->n_rows; i++) {
        has[i] = good(&c->rows[i]) && c->rows[i].traits.has[trait];
        if (!compare_stands_for_law(c, i)) continue;
        yes += has[i];
        no += !has[i];
    }
    if (yes + no == 0) return 1;
    say(&s, "%s with these parameters: ", what);
    list(c, &s, has, 1);
    say(&s, "; not: ");
    list(c, &s, has, 0);
    say(&s, ".");
    if (yes > 0 && no > 0) recommend(c, &s, need, has);
    return keep(c, &s);
}

/* ---- parameters ---------------------------------------------------------------------------- */

/* What speaks against a law: parameters that nobody gave, a force that no friction has. */
static int advise_against(bri_compare *c) {
    sentence s = {.length = 0}, t = {.length = 0};
    int n = 0, m = 0;
    for (int i = 0; i < c->n_rows; i++) {
        const bri_compare_row *r = &c->rows[i];
        if (!compare_stands_for_law(c, i) || is_reference(c, r)) continue;
        if (*r->invented)
            say(&s, "%s%s (%s)",
                n++ ? ", " : "Not recommended on defaults of another rig: ", r->law, r->invented);
        if (too_strong(c, r))
            say(&t, "%s%s (%.4g N)",
                m++ ? ", " : "Not recommended, far stronger than the reference: ", r->law,
                r->break_away);
    }
    if (n) say(&s, ". Give these parameters for the contact.");
    if (m) say(&t, " against %.4g N.", c->exact.break_away);
    return keep(c, &s) && keep(c, &t);
}

/* ---- solvers and tolerances ---------------------------------------------------------------- */

/* Laws whose cost depends on the solver by more than a factor of ten at one tolerance. */
static int advise_solvers(bri_compare *c) {
    const double much = 10.0;
    char number[24];
    for (int i = 0; i < c->n_rows; i++) {
        const bri_compare_row *dear = &c->rows[i], *cheap = NULL;
        int dearest = good(dear) && isfinite(dear->rtol);
        for (int k = 0; dearest && k < c->n_rows; k++) {
            const bri_compare_row *r = &c->rows[k];
            if (!good(r) || strcmp(r->law, dear->law) != 0) continue;
            if (r->seconds > dear->seconds) dearest = 0;
            if (r->rtol == dear->rtol && (!cheap || r->seconds < cheap->seconds)) cheap = r;
        }
        if (!dearest || !cheap || dear->seconds < much * cheap->seconds) continue;
        sentence s = {.length = 0};
        say(&s, "%s is sensitive to the solver: at rtol %s %s takes %.3g times as long as %s.",
            dear->law, compare_tolerance(dear->rtol, number), bri_solver_name(dear->solver),
            dear->seconds / cheap->seconds, bri_solver_name(cheap->solver));
        if (!keep(c, &s)) return 0;
    }
    return 1;
}

/* Rows whose numerical error is a part of what they are off that cannot be neglected. */
static int advise_tolerance(bri_compare *c) {
    const double share = 0.1;
    enum { MOST = 6 };
    sentence s = {.length = 0};
    char name[SHOWN];
    int count = 0;
    for (int i = 0; i < c->n_rows; i++) {
        const bri_compare_row *r = &c->rows[i];
        if (!good(r) || !(r->own > share * r->off.rmse)) continue;
        if (count++ == 0) say(&s, "Not converged, more than a tenth of the RMSE is numerical: ");
        if (count <= MOST) say(&s, "%s%s", count > 1 ? ", " : "", name_of(c, r, name));
    }
    if (count > MOST) say(&s, " and %d more", count - MOST);
    if (count) say(&s, ".");
    return keep(c, &s);
}

/* Laws whose result changes with every tolerance, by as much as before. */
static int advise_limit(bri_compare *c) {
    for (int i = 0; i < c->n_rows; i++) {
        const bri_compare_row *r = &c->rows[i];
        char name[SHOWN], from[24], to[24];
        if (!good(r) || !(r->unsettled > 0.0) || !compare_stands_for_law(c, i)) continue;
        sentence s = {.length = 0};
        say(&s,
            "%s has no limit here: from rtol %s to %s it still changes by %.2g %% of its range. "
            "Its "
            "numbers are one answer of many.",
            name_of(c, r, name), compare_tolerance(0.01 * r->rtol, from),
            compare_tolerance(1e-4 * r->rtol, to), 100.0 * r->unsettled);
        if (!keep(c, &s)) return 0;
    }
    return 1;
}

int compare_advise(bri_compare *c) {
    int *has = calloc((size_t)c->n_rows + 1, sizeof *has);
    int done =
        has && advise_nearest(c, has) && advise_cheapest(c) && advise_rest(c, has) &&
        advise_trait(c, BRI_STICTION, "Stiction", "break-away matters", has) &&
        advise_trait(c, BRI_PRESLIDING, "Pre-sliding", "motion before break-away matters", has) &&
        advise_against(c) && advise_solvers(c) && advise_tolerance(c) && advise_limit(c);
    free(has);
    return done;
}
