/* controller.c - the controller of a closed loop, as the computer of a test stand runs it:
 *
 *     motor.force = 8557 N s/m * (160.18 1/s * (wish.x - axis.x) - axis.v)
 *
 * It is computed at the instants of the recording and held in between. Positions are those of the
 * bodies at the instant, velocities their differences over one step, as encoders give them. */
#include "identify.h"

#include "expr/expr.h"
#include "fail.h"

#include <string.h>

struct id_controller {
    int drive, n_bodies;
    expr_graph *graph;
    expr_program *program;
};

static expr_dim dimension(const char *unit) {
    expr_dim dim = {0};
    double factor;
    expr_unit_si(NULL, unit, &factor, &dim);
    return dim;
}

/* The variables: x and v of every body, then the time. 0: they cannot be declared. */
static int declare(expr_graph *g, const bri_system *s) {
    for (int i = 0; i < s->n_bodies; i++) {
        int turns = s->bodies[i].kind == BRI_ROTOR;
        char name[80];
        for (int v = 0; v < 2; v++) {
            if (s->bodies[i].name)
                snprintf(name, sizeof name, "%.60s.%c", s->bodies[i].name, v ? 'v' : 'x');
            else
                snprintf(name, sizeof name, "body%d.%c", i + 1, v ? 'v' : 'x');
            const char *unit = v ? (turns ? "rad/s" : "m/s") : (turns ? "rad" : "m");
            if (expr_variable(g, name, dimension(unit)) == EXPR_NONE) return 0;
        }
    }
    return expr_variable(g, "t", dimension("s")) != EXPR_NONE;
}

static int find_drive(const bri_system *s, const char *text, size_t n) {
    for (int i = 0; i < s->n_drives; i++) {
        const char *name = s->drives[i].name;
        size_t length = name ? strlen(name) : 0;
        if (name && n == length + 6 && strncmp(text, name, length) == 0 &&
            strncmp(text + length, ".force", 6) == 0)
            return i;
    }
    return -1;
}

static bri_status read_expression(id_controller *c, const char *text, const bri_system *s,
                                  bri_error *err) {
    expr_error why = {0};
    c->graph = expr_new(NULL);
    if (!c->graph || !declare(c->graph, s))
        return bri_fail(err, BRI_NO_MEMORY, "%s", bri_status_text(BRI_NO_MEMORY));
    expr_id root = expr_read(c->graph, text, strlen(text), &why);
    if (root == EXPR_NONE)
        return bri_fail(err, BRI_BAD_VALUE, "the controller: column %d: %.300s", why.column,
                        why.text);
    expr_dim force = expr_at(c->graph, root)->dim;
    int turns =
        s->drives[c->drive].body >= 0 && s->bodies[s->drives[c->drive].body].kind == BRI_ROTOR;
    if (!expr_dim_fits(force, dimension(turns ? "N m" : "N"))) {
        char is[EXPR_DIM_ROOM];
        expr_dim_text(force, is, sizeof is);
        return bri_fail(err, BRI_BAD_UNIT,
                        "the controller gives %s, not %s: do its numbers have units?", is,
                        turns ? "N m" : "N");
    }
    c->program = expr_program_new(c->graph, &root, 1, &(expr_compile){0});
    return c->program ? BRI_OK : bri_fail(err, BRI_NO_MEMORY, "%s", bri_status_text(BRI_NO_MEMORY));
}

bri_status id_controller_read(id_controller **out, const char *text, const bri_system *s,
                              bri_error *err) {
    const char *equals = strchr(text, '='), *from = text + strspn(text, " ");
    id_controller *c = calloc(1, sizeof *c);
    *out = c;
    if (!c) return bri_fail(err, BRI_NO_MEMORY, "%s", bri_status_text(BRI_NO_MEMORY));
    size_t n = equals ? (size_t)(equals - from) : 0;
    while (n > 0 && from[n - 1] == ' ') n--;
    c->n_bodies = s->n_bodies;
    c->drive = equals ? find_drive(s, from, n) : -1;
    if (c->drive < 0)
        return bri_fail(
            err, BRI_NOT_FOUND,
            "'%.60s' is no controller: DRIVE.force = an expression of positions BODY.x, "
            "velocities BODY.v and t, with the name of a drive of the rig%s%.30s",
            text, s->n_drives > 0 && s->drives[0].name ? ", such as " : "",
            s->n_drives > 0 && s->drives[0].name ? s->drives[0].name : "");
    return read_expression(c, equals + 1, s, err);
}

void id_controller_free(id_controller *c) {
    if (!c) return;
    expr_program_free(c->program);
    expr_free(c->graph);
    free(c);
}

int id_controller_drive(const id_controller *c) { return c->drive; }
size_t id_controller_room(const id_controller *c) { return (size_t)expr_program_room(c->program); }

double id_controller_force(const id_controller *c, const double *x, const double *v, double t,
                           double *room) {
    double *in = expr_room_inputs(c->program, room), force = 0.0;
    for (int i = 0; i < c->n_bodies; i++) in[2 * i] = x[i], in[2 * i + 1] = v[i];
    in[2 * c->n_bodies] = t;
    expr_run_room(c->program, room, &force);
    return force;
}
