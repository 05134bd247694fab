/* lab.c - the runs of a paper, from the scenarios that ship. */
#include "lab.h"

#include "fail.h"

#include <math.h>
#include <string.h>

enum { MOST_CHANGES = 16, CHANGE = 400 };

/* "a=1; b=2" as overrides; the text is cut into its parts. */
static int split(char *text, bri_override *to, int room) {
    int count = 0;
    for (char *part = text; part && count < room;) {
        char *next = strchr(part, ';'), *value = strchr(part, '=');
        if (next) *next++ = '\0';
        if (value) {
            *value++ = '\0';
            to[count++] = (bri_override){part + strspn(part, " "), value + strspn(value, " ")};
        }
        part = next;
    }
    return count;
}

bri_status lab_load(const lab *l, const lab_run *run, bri_scenario **s, bri_error *err) {
    char text[CHANGE] = "";
    bri_override changes[MOST_CHANGES];
    bri_messages messages;
    const bri_model *model = run->model ? bri_model_find(run->model) : NULL;
    *s = NULL;
    if (run->model && !model)
        return bri_fail(err, BRI_NOT_FOUND, "there is no law '%s'", run->model);
    if (run->set) snprintf(text, sizeof text, "%s", run->set);
    int count = split(text, changes, MOST_CHANGES);
    for (int i = 0; i < l->n_overrides && count < MOST_CHANGES; i++)
        changes[count++] = l->overrides[i];
    const bri_scenario_options options = {changes, count, model};
    bri_status status = bri_scenario_load(run->scenario, &options, s, &messages);
    if (status == BRI_OK) return BRI_OK;
    return bri_fail(err, status, "%s", messages.count ? messages.message[0].text : "cannot be run");
}

void lab_do(lab *l, int i) {
    lab_result *r = &l->results[i];
    const bri_watch quiet = {.context = l->watch ? l->watch->context : NULL,
                             .stop = l->watch ? l->watch->stop : NULL};
    r->done = 1;
    r->trace.err.status = lab_load(l, &l->paper->runs[i], &r->scenario, &r->trace.err);
    if (r->trace.err.status != BRI_OK) return;
    bri_sim_def def = *bri_scenario_def(r->scenario);
    if (l->paper->no_energies) def.energies = 0;
    bri_trace_run(&r->trace, &def, bri_scenario_output(r->scenario), &quiet);
}

int lab_quantity_count(const lab_paper *p) {
    int count = 0;
    for (int k = 0; k < p->n_sections; k++) count += p->sections[k]->count;
    return count;
}

const lab_quantity *lab_quantity_at(const lab_paper *p, int i) {
    for (int k = 0; k < p->n_sections; k++) {
        if (i < p->sections[k]->count) return &p->sections[k]->list[i];
        i -= p->sections[k]->count;
    }
    return NULL;
}

double lab_scale(const char *unit) { return strncmp(unit, "mm", 2) == 0 ? 1e3 : 1.0; }
