/* lanes.c - a drawn rig in the library as points of a sweep, which share the lanes of vectors. */
#define _XOPEN_SOURCE 700 /* mkstemp */
#include "bristle_sweep.h"
#include "compare.h"
#include "laws.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Every so many rows a run ends: more of them than lanes. */
enum { EVERY = 10, RUNS = REF_ROWS / EVERY };

/* As many as lanes take, and pieces of what drives them. */
enum { MOST_BODIES = 3, MOST_KINKS = 30 };

static int moves(const ref_rig *r, int body) { return r->body[body].motion == REF_FREE; }

/* Straight lines, of which there are few. */
static int is_straight(const ref_rig *r, const ref_signal *s) {
    double kinks[MOST_KINKS + 1];
    if (s->wave == REF_SINE) return 0;
    return ref_signal_kinks(s, r->start, r->end, kinks, 0, MOST_KINKS + 1) <= MOST_KINKS;
}

int ref_is_plain(const ref_rig *r) {
    const bri_model *law = bri_model_find(ref_laws[r->contact[0].law].name);
    int moving = 0, plain = 1;
    for (int i = 0; i < r->n_contacts; i++)
        plain &= r->contact[i].load.wave == REF_FLAT && r->contact[i].law == r->contact[0].law;
    for (int i = 0; i < r->n_bodies; i++) {
        moving += moves(r, i);
        plain &= moves(r, i) || is_straight(r, &r->body[i].signal);
    }
    for (int i = 0; i < r->n_drives; i++) plain &= is_straight(r, &r->drive[i].force);
    for (int i = 0; i < r->n_couplings; i++) plain &= r->coupling[i].kind != REF_ROPE;
    int few =
        law && (moving == 1 ? law->n_states <= 2 : law->n_states == 1 && moving <= MOST_BODIES);
    return moving == r->n_contacts && plain && few && !law->set_valued;
}

/* The text in a file, since sweeps take files. */
static int put_file(const char *text, char *name) {
    int file = mkstemp(name), good = 0;
    size_t n = strlen(text);
    if (file < 0) return 0;
    good = write(file, text, n) == (ssize_t)n;
    return close(file) == 0 && good;
}

static void read_rows(bri_sweep *s, const ref_rig *r, ref_run *out) {
    for (long i = 0; i < RUNS && out->status == BRI_OK; i++) {
        bri_sweep_point p;
        int column = 1;
        bri_sweep_result(s, i, &p);
        out->status = p.status == BRI_DOUBTFUL ? BRI_OK : p.status;
        out->doubted |= p.status == BRI_DOUBTFUL;
        snprintf(out->err.text, sizeof out->err.text, "%s", p.reason);
        for (int body = 0; body < r->n_bodies; body++) {
            if (!moves(r, body)) continue;
            out->result.x[EVERY * (i + 1)][body] = p.row[column++];
            out->result.v[EVERY * (i + 1)][body] = p.row[column++];
        }
    }
}

void ref_run_lanes(const ref_rig *r, const ref_verdict *v, const char *text, double rtol,
                   ref_run *out) {
    char name[] = "/tmp/referee-XXXXXX", ends[RUNS * 32] = "run.until=", tolerance[32];
    char measures[2 * MOST_BODIES][64];
    const char *measured[2 * MOST_BODIES];
    static _Thread_local bri_messages messages;
    bri_sweep *s = NULL;
    int used = (int)strlen(ends), n = 0;
    for (int i = 1; i <= RUNS; i++)
        used += snprintf(ends + used, sizeof ends - (size_t)used, "%s%.17g", i > 1 ? "," : "",
                         ref_row_time(r, EVERY * i));
    snprintf(tolerance, sizeof tolerance, "%g", rtol);
    for (int i = 0; i < 2 * r->n_bodies; i++) {
        if (!moves(r, i / 2)) continue;
        snprintf(measures[n], sizeof measures[n], "%c%d=last(%s%d.%c)", "xv"[i % 2], i / 2,
                 ref_body_name(r), i / 2, "xv"[i % 2]);
        measured[n] = measures[n];
        n++;
    }
    const bri_override keys[] = {{"run.rtol", tolerance}};
    const char *vary[] = {ends};
    const bri_sweep_def def = {.scenario = name,
                               .overrides = keys,
                               .n_overrides = 1,
                               .vary = vary,
                               .n_vary = 1,
                               .measures = measured,
                               .n_measures = n,
                               .threads = 1};
    memset(out, 0, sizeof *out);
    out->result = v->result;
    if (!put_file(text, name) || bri_sweep_create(&def, &s, &messages) != BRI_OK) {
        out->status = BRI_BAD_FILE;
        out->err = messages.message[0];
    } else {
        out->status = bri_sweep_run(s, NULL, NULL, NULL, &out->err);
    }
    if (out->status == BRI_OK) read_rows(s, r, out);
    out->refused = s && bri_sweep_lanes(s) < RUNS;
    bri_sweep_free(s);
    remove(name);
}
