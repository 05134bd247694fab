/* rig.c - the two rigs of the standard experiments: a mass pushed by a force, a body whose motion
 * is prescribed. */
#include "conform.h"

#include <math.h>
#include <string.h>

/* Most experiments take some thousand steps. */
static const long most_steps = 200000;

static void stand_clear(stand *s, const bench *b, double t_end) {
    memset(s, 0, sizeof *s);
    s->trouble = b->trouble;
    s->def = bri_sim_defaults();
    s->def.t_end = t_end;
    s->def.rtol = b->rtol;
    s->def.atol = 1e-4 * b->rtol; /* displacements of nanometres count */
    s->def.max_steps = most_steps;
    s->contact = (bri_contact){.name = "pad",
                               .model = b->law->model,
                               .b = BRI_GROUND,
                               .load = BRI_LOAD_CONSTANT,
                               .n = b->law->load};
    memcpy(s->contact.p, b->law->p, sizeof s->contact.p);
    s->def.system.bodies = s->bodies;
    s->def.system.n_bodies = 1;
    s->def.system.contacts = &s->contact;
    s->def.system.n_contacts = 1;
}

void stand_pushed(stand *s, const bench *b, double t_end) {
    stand_clear(s, b, t_end);
    s->bodies[0] = (bri_body){.name = "block", .mass = STANDARD_MASS};
    s->drive = (bri_drive){.name = "push"};
    s->def.system.drives = &s->drive;
    s->def.system.n_drives = 1;
}

void stand_moved(stand *s, const bench *b, double t_end) {
    stand_clear(s, b, t_end);
    s->bodies[0] = (bri_body){.name = "block", .velocity = &s->signal};
}

void stand_led(stand *s, const bench *b, double t_end) {
    stand_clear(s, b, t_end);
    s->bodies[0] = (bri_body){.name = "block", .position = &s->signal};
}

/* ---- signals --------------------------------------------------------------------------------- */

static void tune(bri_signal *s, const char *name, double value) {
    for (int i = 0; i < s->kind->n_params; i++)
        if (strcmp(s->kind->params[i].name, name) == 0) s->p[i] = value;
}

static bri_signal part(const char *kind) { return bri_signal_defaults(bri_signal_find(kind)); }

void signal_points(stand *s, int count) {
    s->signal = part("table");
    s->signal.t = s->t;
    s->signal.y = s->y;
    s->signal.count = count;
}

static bri_signal cosine(double amplitude, double frequency, double from, double until) {
    bri_signal s = part("sine");
    tune(&s, "amplitude", amplitude);
    tune(&s, "frequency", frequency);
    tune(&s, "phase", 1.57079632679489661923);
    tune(&s, "from", from);
    tune(&s, "until", until);
    return s;
}

/* Until RISE: force (1/2 - 9/16 cos(a) + 1/16 cos(3 a)), a = pi t/RISE. Its rate is as sin(a)^3,
 * so that three derivatives fit what is before and after: a contact without damping does not ring.
 */
static void rise(stand *s, double force) {
    s->parts[0] = cosine(-9.0 / 16.0 * force, 0.5 / RISE, 0.0, RISE);
    tune(&s->parts[0], "mean", 0.5 * force);
    s->parts[1] = cosine(force / 16.0, 1.5 / RISE, 0.0, RISE);
    s->signal = part("sum");
    s->signal.parts = s->parts;
    s->signal.count = 3;
}

void signal_rise(stand *s, double force) { signal_swing(s, force, 0.0, 1.0); }

void signal_swing(stand *s, double force, double amplitude, double frequency) {
    rise(s, force);
    s->parts[2] = cosine(amplitude, frequency, RISE, 1e30);
    tune(&s->parts[2], "mean", force - amplitude);
}

/* ---- running --------------------------------------------------------------------------------- */

int stand_start(stand *s) {
    s->drive.force = s->signal;
    bri_status status = bri_sim_create(&s->def, &s->sim, NULL);
    if (status == BRI_NO_MEMORY) *s->trouble = status;
    return status != BRI_OK;
}

int stand_go(stand *s, double t) {
    bri_status status = bri_sim_advance(s->sim, t, NULL);
    if (status == BRI_NO_MEMORY) *s->trouble = status;
    return status != BRI_OK;
}

void stand_end(stand *s) {
    bri_sim_free(s->sim);
    s->sim = NULL;
}
