/* rig.c - a rig whose numbers can be changed. */
#include "identify.h"

#include "fail.h"

#include <string.h>

static void *copy(const void *from, int count, size_t size) {
    void *to = calloc(count > 0 ? (size_t)count : 1, size);
    if (to && count > 0) memcpy(to, from, (size_t)count * size);
    return to;
}

bri_status id_rig_copy(id_rig *r, bri_scenario *s, bri_error *err) {
    *r = (id_rig){.scenario = s, .def = *bri_scenario_def(s)};
    bri_system *y = &r->def.system;
    y->bodies = r->bodies = copy(y->bodies, y->n_bodies, sizeof *r->bodies);
    y->couplings = r->couplings = copy(y->couplings, y->n_couplings, sizeof *r->couplings);
    y->contacts = r->contacts = copy(y->contacts, y->n_contacts, sizeof *r->contacts);
    y->drives = r->drives = copy(y->drives, y->n_drives, sizeof *r->drives);
    y->parameters = r->parameters = copy(y->parameters, y->n_parameters, sizeof *r->parameters);
    if (r->bodies && r->couplings && r->contacts && r->drives && r->parameters) return BRI_OK;
    return bri_fail(err, BRI_NO_MEMORY, "%s", bri_status_text(BRI_NO_MEMORY));
}

void id_rig_free(id_rig *r) {
    free(r->bodies);
    free(r->couplings);
    free(r->contacts);
    free(r->drives);
    free(r->parameters);
    bri_scenario_free(r->scenario);
    *r = (id_rig){0};
}
