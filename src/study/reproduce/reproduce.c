/* reproduce.c - the published experiments, done again: all runs side by side, then what is found.
 */
#include "page.h"

#include "fail.h"
#include "study/study.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const lab_paper *const papers[] = {&lab_pennestri, &lab_rill, &lab_andersson, &lab_olsson,
                                          &lab_leus};
enum { N_PAPERS = sizeof papers / sizeof *papers, REASON = 400, SHOWN = 40 };

/* What is put together for a finding. */
typedef struct texts {
    char reason[REASON], shown[SHOWN];
} texts;

struct bri_reproduction {
    lab labs[N_PAPERS];
    int wanted[N_PAPERS];
    bri_reproduced *findings;
    int n_findings;
    texts *texts; /* one per finding */
};

int bri_paper_count(void) { return N_PAPERS; }

const char *bri_paper_key(int i) { return i >= 0 && i < N_PAPERS ? papers[i]->key : NULL; }

const char *bri_paper_title(int i) { return i >= 0 && i < N_PAPERS ? papers[i]->title : NULL; }

const char *bri_verdict_name(bri_verdict v) {
    static const char *const names[BRI_VERDICT_COUNT] = {"matches", "explained", "undetermined",
                                                         "differs"};
    return (unsigned)v < BRI_VERDICT_COUNT ? names[v] : "unknown verdict";
}

/* ---- doing --------------------------------------------------------------------------------- */

/* Jobs are counted from the last paper to the first: the long runs are there. */
static void one_job(void *context, int i) {
    bri_reproduction *r = context;
    for (int k = N_PAPERS - 1; k >= 0; k--) {
        const lab_paper *p = papers[k];
        if (!r->wanted[k]) continue;
        if (i < p->n_runs) {
            lab_do(&r->labs[k], i);
            return;
        }
        i -= p->n_runs;
        if (i < p->n_more) {
            p->more(&r->labs[k], i);
            return;
        }
        i -= p->n_more;
    }
}

static bri_status make_room(bri_reproduction *r, const lab *common) {
    int findings = 0;
    for (int k = 0; k < N_PAPERS; k++) {
        const lab_paper *p = papers[k];
        r->labs[k] = *common;
        r->labs[k].paper = p;
        if (!r->wanted[k]) continue;
        r->labs[k].results = calloc((size_t)p->n_runs, sizeof *r->labs[k].results);
        if (!r->labs[k].results || (p->prepare && !p->prepare(&r->labs[k]))) return BRI_NO_MEMORY;
        findings += lab_quantity_count(p);
    }
    r->findings = calloc((size_t)findings + 1, sizeof *r->findings);
    r->texts = calloc((size_t)findings + 1, sizeof *r->texts);
    return r->findings && r->texts ? BRI_OK : BRI_NO_MEMORY;
}

/* ---- finding ------------------------------------------------------------------------------- */

static const char *source_name(lab_source s) {
    static const char *const names[] = {"printed", "claim", "closed form", "independent"};
    return names[s];
}

static const char *grounds_of(const lab_quantity *q) { return q->grounds ? q->grounds : "digits"; }

static const char *shown_of(const lab_quantity *q, char *room) {
    static const char *const signs[] = {"", "> ", "< "};
    if (q->relation == EQUAL) return q->published;
    snprintf(room, SHOWN, "%s%s", signs[q->relation], q->published);
    return room;
}

/* Why a value differs: the run has failed, or it is just not there. */
static const char *made_up(const lab *l, const lab_quantity *q, char *room) {
    const bri_trace *t = lab_trace(l, q->run);
    if (t->err.status != BRI_OK && t->err.text[0])
        snprintf(room, REASON, "the run failed: %.350s", t->err.text);
    else if (q->expected)
        snprintf(room, REASON, "neither published nor known from elsewhere (%s): %.300s",
                 q->expected, q->reason);
    else if (q->reason)
        snprintf(room, REASON, "%s", q->reason);
    else
        snprintf(room, REASON, "beyond the tolerance, and no reason is known");
    return room;
}

/* An unfinished run says nothing. */
static int interrupted(const lab *l, const lab_quantity *q) {
    const lab_result *r = &l->results[q->run];
    return told_to_stop(l->watch) && q->measure && (!r->done || r->trace.err.status != BRI_OK);
}

static double value_of(const lab *l, const lab_quantity *q) {
    return q->measure ? q->measure(l, q) * lab_scale(q->unit) : NAN;
}

/* What the second reading of q gives. */
static double second_of(const lab *l, const lab_quantity *q) {
    if (!q->second) return NAN;
    lab_quantity other = *q->second;
    other.unit = q->unit;
    return value_of(l, &other);
}

static void find(bri_reproduction *r, const lab *l, const lab_quantity *q) {
    bri_reproduced *f = &r->findings[r->n_findings];
    texts *room = &r->texts[r->n_findings];
    double half;
    if (interrupted(l, q)) return;
    r->n_findings++;
    *f = (bri_reproduced){.paper = l->paper->key,
                          .experiment = q->experiment,
                          .quantity = q->name,
                          .unit = q->unit,
                          .source = source_name(q->source),
                          .published = lab_number(q->published, &half),
                          .computed = value_of(l, q),
                          .tolerance = lab_tolerance(q),
                          .grounds = grounds_of(q),
                          .shown = shown_of(q, room->shown),
                          .timed = q->timed,
                          .reason = ""};
    const char *package = q->needs ? bri_solver_missing(q->needs) : NULL;
    lab_verdict v = lab_judge(q, f->computed, second_of(l, q));
    f->verdict = package ? BRI_UNDETERMINED : v.verdict;
    f->known = !package && v.known;
    if (v.verdict == BRI_UNDETERMINED && q->timed)
        f->reason = "so near to its bound that a busy machine would decide";
    else if (v.verdict != BRI_MATCHES)
        f->reason = v.verdict == BRI_DIFFERS && !v.known ? made_up(l, q, room->reason) : q->reason;
    if (package) {
        snprintf(room->reason, REASON, "this build has no %s (Debian package %s)", q->needs,
                 package);
        f->reason = room->reason;
    }
}

bri_status bri_reproduce(unsigned wanted, const bri_override *overrides, int n_overrides,
                         const bri_watch *watch, bri_reproduction **to, bri_error *err) {
    const lab common = {.overrides = overrides, .n_overrides = n_overrides, .watch = watch};
    bri_reproduction *r = *to = calloc(1, sizeof *r);
    int jobs = 0;
    if (!r) return bri_fail(err, BRI_NO_MEMORY, "%s", bri_status_text(BRI_NO_MEMORY));
    for (int k = 0; k < N_PAPERS; k++) {
        r->wanted[k] = (wanted >> k & 1u) != 0;
        if (r->wanted[k]) jobs += papers[k]->n_runs + papers[k]->n_more;
    }
    if (make_room(r, &common) != BRI_OK)
        return bri_fail(err, BRI_NO_MEMORY, "%s", bri_status_text(BRI_NO_MEMORY));
    bri_parallel(jobs, 0, one_job, r, watch);
    for (int k = 0; k < N_PAPERS; k++) /* what has not been run says nothing about the paper */
        for (int i = 0; r->wanted[k] && i < papers[k]->n_runs; i++)
            if (r->labs[k].results[i].trace.err.status == BRI_NO_MEMORY)
                return bri_fail(err, BRI_NO_MEMORY, "%s", bri_status_text(BRI_NO_MEMORY));
    for (int k = 0; k < N_PAPERS; k++)
        for (int i = 0; r->wanted[k] && i < lab_quantity_count(papers[k]); i++)
            find(r, &r->labs[k], lab_quantity_at(papers[k], i));
    if (told_to_stop(watch)) return bri_fail(err, BRI_NO_PROGRESS, "interrupted");
    return BRI_OK;
}

void bri_reproduction_free(bri_reproduction *r) {
    if (!r) return;
    for (int k = 0; k < N_PAPERS; k++) {
        lab *l = &r->labs[k];
        if (l->notes && papers[k]->forget) papers[k]->forget(l);
        for (int i = 0; l->results && i < papers[k]->n_runs; i++) {
            bri_trace_free(&l->results[i].trace);
            bri_scenario_free(l->results[i].scenario);
        }
        free(l->results);
    }
    free(r->findings);
    free(r->texts);
    free(r);
}

int bri_reproduction_rows(const bri_reproduction *r) { return r->n_findings; }

const bri_reproduced *bri_reproduction_row(const bri_reproduction *r, int i) {
    return i >= 0 && i < r->n_findings ? &r->findings[i] : NULL;
}

int bri_reproduction_count(const bri_reproduction *r, bri_verdict v) {
    int count = 0;
    for (int i = 0; i < r->n_findings; i++)
        count += !r->findings[i].timed && r->findings[i].verdict == v;
    return count;
}

int bri_reproduction_timed(const bri_reproduction *r, bri_verdict v) {
    int count = 0;
    for (int i = 0; i < r->n_findings; i++)
        count += r->findings[i].timed && r->findings[i].verdict == v;
    return count;
}

int bri_reproduction_surprises(const bri_reproduction *r) {
    int count = 0;
    for (int i = 0; i < r->n_findings; i++)
        count += r->findings[i].verdict == BRI_DIFFERS && !r->findings[i].known;
    return count;
}

/* ---- telling ------------------------------------------------------------------------------- */

static const bri_column for_machines[] = {
    {"paper", NULL, NULL, 0, NULL},      {"experiment", NULL, NULL, 0, NULL},
    {"quantity", NULL, NULL, 0, NULL},   {"unit", NULL, NULL, 0, NULL},
    {"published", NULL, NULL, 6, NULL},  {"computed", NULL, NULL, 6, NULL},
    {"difference", NULL, NULL, 3, NULL}, {"tolerance", NULL, NULL, 3, NULL},
    {"source", NULL, NULL, 0, NULL},     {"verdict", NULL, NULL, 0, NULL},
    {"reason", NULL, NULL, 0, NULL},
};

static const bri_column for_people[] = {
    {"experiment", NULL, NULL, 0, NULL},
    {"quantity", NULL, NULL, 0, NULL},
    {"unit", NULL, NULL, 0, NULL},
    {"published", NULL, NULL, 6, "by the paper, or where the source says so by others"},
    {"computed", NULL, NULL, 6, "by bristle"},
    {"difference", NULL, NULL, 2, "computed less published"},
    {"tolerance", NULL, NULL, 2, "allowed difference"},
    {"grounds", NULL, NULL, 0, "where the tolerance, or the bound of a claim, comes from"},
    {"source", NULL, NULL, 0, "printed, claimed in words, closed form, or computed by other codes"},
    {"verdict", NULL, NULL, 0, NULL},
    {"reason", NULL, NULL, 0, NULL},
};

static void put_row(bri_table *t, const bri_reproduced *f, int machines) {
    double difference = isnan(f->tolerance) ? NAN : f->computed - f->published;
    if (machines) bri_table_text(t, f->paper, BRI_TONE_PLAIN);
    bri_table_text(t, f->experiment, BRI_TONE_PLAIN);
    bri_table_text(t, f->quantity, BRI_TONE_PLAIN);
    bri_table_text(t, f->unit, BRI_TONE_PLAIN);
    bri_table_both(t, f->published, f->shown, BRI_TONE_PLAIN);
    bri_table_number(t, f->computed, BRI_TONE_PLAIN);
    bri_table_number(t, difference, BRI_TONE_PLAIN);
    bri_table_number(t, f->tolerance, BRI_TONE_PLAIN);
    if (!machines) bri_table_text(t, f->grounds, BRI_TONE_PLAIN);
    bri_table_text(t, f->source, BRI_TONE_PLAIN);
    bri_table_text(t, bri_verdict_name(f->verdict), lab_tone(f->verdict));
    bri_table_text(t, f->reason, BRI_TONE_PLAIN);
}

bri_table *bri_reproduction_table(const bri_reproduction *r, int paper, int machines) {
    const char *key = bri_paper_key(paper), *title = machines ? NULL : bri_paper_title(paper);
    bri_table *t =
        machines ? bri_table_create(title, for_machines, sizeof for_machines / sizeof *for_machines)
                 : bri_table_create(title, for_people, sizeof for_people / sizeof *for_people);
    for (int i = 0; t && i < r->n_findings; i++)
        if (!key || strcmp(key, r->findings[i].paper) == 0) put_row(t, &r->findings[i], machines);
    return t;
}

/* The verdicts of one paper, or of all; those on processor times apart. */
static void put_counts(bri_table *t, const bri_reproduction *r, const char *key, const char *title,
                       int timed) {
    int counts[BRI_VERDICT_COUNT] = {0}, all = 0;
    for (int i = 0; i < r->n_findings; i++) {
        if (key && strcmp(r->findings[i].paper, key) != 0) continue;
        if (!r->findings[i].timed != !timed) continue;
        counts[r->findings[i].verdict]++;
        all++;
    }
    bri_table_text(t, title, BRI_TONE_PLAIN);
    bri_table_number(t, all, BRI_TONE_PLAIN);
    for (int v = 0; v < BRI_VERDICT_COUNT; v++)
        bri_table_number(t, counts[v], counts[v] ? lab_tone((bri_verdict)v) : BRI_TONE_PLAIN);
}

bri_table *bri_reproduction_counts(const bri_reproduction *r) {
    enum { DIGITS = 6, FIXED = 2 };
    bri_column columns[FIXED + BRI_VERDICT_COUNT] = {{"paper", NULL, NULL, 0, NULL},
                                                     {"quantities", NULL, NULL, DIGITS, NULL}};
    int papers_done = 0;
    for (int v = 0; v < BRI_VERDICT_COUNT; v++)
        columns[FIXED + v] =
            (bri_column){.key = bri_verdict_name((bri_verdict)v), .digits = DIGITS};
    bri_table *t = bri_table_create(NULL, columns, FIXED + BRI_VERDICT_COUNT);
    for (int k = 0; t && k < N_PAPERS; k++) {
        if (!r->wanted[k]) continue;
        put_counts(t, r, papers[k]->key, papers[k]->title, 0);
        papers_done++;
    }
    if (t && papers_done > 1) put_counts(t, r, NULL, "all", 0);
    int timed = 0;
    for (int v = 0; v < BRI_VERDICT_COUNT; v++) timed += bri_reproduction_timed(r, (bri_verdict)v);
    if (t && timed) put_counts(t, r, NULL, "by processor time, which depends on the machine", 1);
    return t;
}

void bri_reproduction_report(const bri_reproduction *r, bri_report *report) {
    page_choice(r, report);
    for (int k = 0; k < N_PAPERS; k++)
        if (r->wanted[k]) page_paper(r, &r->labs[k], report);
    page_end(report);
}
