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

static int stands(const ref_rig *r, int body) {
    return body == REF_GROUND || r->body[body].motion == REF_FREE;
}

int ref_is_plain(const ref_rig *r) {
    const bri_model *law = bri_model_find(ref_laws[r->contact[0].law].name);
    int moving = 0, flat = r->n_contacts == 1 && r->contact[0].load.wave == REF_FLAT;
    for (int i = 0; i < r->n_bodies; i++) {
        const ref_body *b = &r->body[i];
        moving += b->motion == REF_FREE;
        flat &= b->motion == REF_FREE || b->signal.wave == REF_FLAT;
    }
    for (int i = 0; i < r->n_couplings; i++) {
        const ref_coupling *c = &r->coupling[i];
        flat &= c->kind != REF_ROPE && stands(r, c->a) && stands(r, c->b);
    }
    for (int i = 0; i < r->n_drives; i++) flat &= r->drive[i].force.wave == REF_FLAT;
    return moving == 1 && flat && law && law->n_states == 1 && !law->set_valued;
}

/* The text in a file, since sweeps take files. */
static int put_file(const char *text, char *name) {
    int file = mkstemp(name), good = 0;
    size_t n = strlen(text);
    if (file < 0) return 0;
    good = write(file, text, n) == (ssize_t)n;
    return close(file) == 0 && good;
}

static void read_rows(bri_sweep *s, int body, ref_run *out) {
    for (long i = 0; i < RUNS && out->status == BRI_OK; i++) {
        bri_sweep_point p;
        bri_sweep_result(s, i, &p);
        out->status = p.status == BRI_DOUBTFUL ? BRI_OK : p.status;
        out->doubted |= p.status == BRI_DOUBTFUL;
        snprintf(out->err.text, sizeof out->err.text, "%s", p.reason);
        out->result.x[EVERY * (i + 1)][body] = p.row[1];
        out->result.v[EVERY * (i + 1)][body] = p.row[2];
    }
}

void ref_run_lanes(const ref_rig *r, const ref_verdict *v, const char *text, double rtol,
                   ref_run *out) {
    char name[] = "/tmp/referee-XXXXXX", ends[RUNS * 32] = "run.until=", tolerance[32];
    char measures[2][64];
    static _Thread_local bri_messages messages;
    bri_sweep *s = NULL;
    int body = 0, used = (int)strlen(ends);
    while (r->body[body].motion != REF_FREE) body++;
    for (int i = 1; i <= RUNS; i++)
        used += snprintf(ends + used, sizeof ends - (size_t)used, "%s%.17g", i > 1 ? "," : "",
                         ref_row_time(r, EVERY * i));
    snprintf(tolerance, sizeof tolerance, "%g", rtol);
    for (int i = 0; i < 2; i++)
        snprintf(measures[i], sizeof measures[i], "%c=last(%s%d.%c)", "xv"[i], ref_body_name(r),
                 body, "xv"[i]);
    const bri_override keys[] = {{"run.rtol", tolerance}};
    const char *vary[] = {ends}, *measured[] = {measures[0], measures[1]};
    const bri_sweep_def def = {.scenario = name,
                               .overrides = keys,
                               .n_overrides = 1,
                               .vary = vary,
                               .n_vary = 1,
                               .measures = measured,
                               .n_measures = 2,
                               .threads = 1};
    memset(out, 0, sizeof *out);
    out->result = v->result;
    if (!put_file(text, name) || bri_sweep_create(&def, &s, &messages) != BRI_OK) {
        out->status = BRI_BAD_FILE;
        out->err = messages.message[0];
    } else {
        out->status = bri_sweep_run(s, NULL, NULL, NULL, &out->err);
    }
    if (out->status == BRI_OK) read_rows(s, body, out);
    out->refused = s && bri_sweep_lanes(s) < RUNS;
    bri_sweep_free(s);
    remove(name);
}
