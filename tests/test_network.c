/* test_network.c - the linearisation of random networks against finite differences, and the
 * condensed solution of (w I - J) u = b against Gauss on the full matrix. */
#define _POSIX_C_SOURCE 200809L /* setenv */
#include "solvers/stages.h"
#include "system/network.h"
#include "test.h"
#include <stdlib.h>

enum { MOST_BODIES = 26, MOST = 80, MOST_WAVES = 8, MOST_ARGS = 6 };

/* A function for the tests: mean (1 + swing sin(sum of w arg)). */
typedef struct wave {
    double mean, swing, w[MOST_ARGS];
    int n;
    bri_arg args[MOST_ARGS];
    bri_function f;
} wave;

typedef struct sample {
    wave waves[MOST_WAVES];
    int n_waves;
    bri_varying varying[2];
    bri_body bodies[MOST_BODIES];
    bri_coupling couplings[64];
    bri_contact contacts[26];
    bri_drive drives[4];
    bri_signal signals[8];
    bri_system system;
} sample;

static int draw; /* numbers the random choices */
static double any(double low, double high) { return low + (high - low) * spread(draw++, 7); }
static int pick(int n) { return (int)any(0.0, n - 1e-9); }

static int can_touch(const bri_body *b) { return b->kind == BRI_MASS; }

static void add_coupling(sample *s, int a, int b) {
    static const char *const kinds[] = {"spring", "damper", "spring_damper", "rope"};
    bri_coupling c = bri_coupling_defaults(bri_coupling_find(kinds[pick(4)]), a, b);
    for (int i = 0; i < c.kind->n_params; i++)
        c.p[i] = strcmp(c.kind->params[i].name, "stiffness") == 0 ? any(50.0, 500.0)
                 : strcmp(c.kind->params[i].name, "damping") == 0 ? any(0.1, 5.0)
                                                                  : any(0.05, 0.2);
    s->couplings[s->system.n_couplings++] = c;
}

static void add_contact(sample *s, int a, int b) {
    static const char *const laws[] = {"lugre",         "dahl",     "bristle_second_order",
                                       "stribeck_tanh", "gonthier", "olsson_astrom"};
    bri_contact c = {.model = bri_model_find(laws[pick(6)]), .a = a, .b = b};
    bri_model_defaults(c.model, c.p);
    int stiff = bri_model_param(c.model, "sigma0");
    if (stiff >= 0) c.p[stiff] = 2e3; /* so that differences can see the rest beside it */
    c.load = a == BRI_GROUND ? BRI_LOAD_CONSTANT : (bri_load_kind)pick(3);
    c.n = any(5.0, 50.0);
    if (c.load == BRI_LOAD_SIGNAL) c.n_of_t = &s->signals[0];
    s->contacts[s->system.n_contacts++] = c;
}

/* Bodies in a row, every third a point mass, the last one or two prescribed; couplings and contacts
 * among neighbours and at random. */
static sample *make_sample(int number) {
    sample *s = calloc(1, sizeof *s);
    draw = 1000 * number;
    s->signals[0] = bri_signal_defaults(bri_signal_find("sine"));
    s->signals[0].p[0] = 3.0, s->signals[0].p[1] = 0.7, s->signals[0].p[3] = 20.0;
    s->signals[1] = bri_signal_defaults(bri_signal_find("sine"));
    s->signals[1].p[0] = 0.3, s->signals[1].p[1] = 1.3;
    s->signals[2] = bri_signal_defaults(bri_signal_find("chirp"));
    s->signals[2].p[0] = 2.0, s->signals[2].p[4] = 50.0;
    s->signals[3] = bri_signal_defaults(bri_signal_find("noise"));
    int n = 2 + pick(7);
    for (int i = 0; i < n; i++) {
        bri_body *b = &s->bodies[i];
        b->kind = i % 3 == 1 ? BRI_POINT : BRI_MASS;
        b->mass = any(0.5, 3.0);
        b->x = i + any(-0.2, 0.2);
        b->z = b->kind == BRI_POINT ? any(-1.5, -0.5) : 0.0;
        b->v = any(-1.0, 1.0);
        b->vz = b->kind == BRI_POINT ? any(-1.0, 1.0) : 0.0;
        if (i < n - 1 - number % 2 || b->kind == BRI_POINT) continue;
        if (number % 3 == 0)
            b->position = &s->signals[1];
        else
            b->velocity = &s->signals[1 + number % 3]; /* chirp: no closed integral */
    }
    s->system = (bri_system){.bodies = s->bodies,
                             .couplings = s->couplings,
                             .contacts = s->contacts,
                             .drives = s->drives,
                             .n_bodies = n,
                             .gravity = 9.81};
    for (int i = 0; i < n; i++) add_coupling(s, i ? i - 1 : BRI_GROUND, i);
    for (int i = 0; i < 3; i++) {
        int a = pick(n), b = pick(n);
        if (a != b) add_coupling(s, a, b);
    }
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 2; k++) /* several contacts on a body */
            if (can_touch(&s->bodies[i]) && pick(3)) {
                int below = i >= 3 && pick(2) ? i - 3 : BRI_GROUND; /* i - 3 is no point mass */
                add_contact(s, i, below);
            }
    if (!s->bodies[0].position && !s->bodies[0].velocity) {
        s->drives[0] = (bri_drive){.body = 0, .force = s->signals[2]};
        s->drives[1] = (bri_drive){.body = 0, .force = s->signals[3]};
        s->system.n_drives = 2;
    }
    return s;
}

static double wave_eval(const void *data, const double *arg, const double *side, double *slope) {
    const wave *w = data;
    double u = 0.0;
    for (int i = 0; i < w->n; i++) u += w->w[i] * arg[i];
    for (int i = 0; slope && i < w->n; i++) slope[i] = w->mean * w->swing * cos(u) * w->w[i];
    return w->mean * (1.0 + w->swing * sin(u));
}

/* A function of time, a signal and its rate, and the motion of a body and of a contact; or of time
 * and length. */
static const bri_function *add_wave(sample *s, double mean, double swing, int tension) {
    wave *w = &s->waves[s->n_waves++];
    int n = s->system.n_bodies, c = s->system.n_contacts;
    bri_arg body = {.kind = pick(2) ? BRI_ARG_X : BRI_ARG_V, .index = pick(n)};
    bri_arg high = {.kind = pick(2) ? BRI_ARG_Z : BRI_ARG_VZ, .index = pick(n)};
    bri_arg slides = {.kind = pick(2) ? BRI_ARG_SLIDING_X : BRI_ARG_SLIDING_V,
                      .index = c ? pick(c) : 0};
    w->mean = mean;
    w->swing = swing;
    w->args[w->n++] = (bri_arg){.kind = BRI_ARG_TIME};
    w->args[w->n++] = (bri_arg){.kind = BRI_ARG_SIGNAL_RATE, .signal = &s->signals[2]};
    if (tension) {
        w->args[w->n++] = (bri_arg){.kind = BRI_ARG_LENGTH};
        w->args[w->n++] = (bri_arg){.kind = BRI_ARG_LENGTH_RATE};
    } else {
        w->args[w->n++] = body;
        w->args[w->n++] = high;
        w->args[w->n++] = (bri_arg){.kind = BRI_ARG_V, .index = pick(n)};
        if (c) w->args[w->n++] = slides;
    }
    for (int i = 0; i < w->n; i++) w->w[i] = any(-1.0, 1.0) * (i == 1 ? 0.01 : 1.0);
    w->f = (bri_function){.args = w->args, .n_args = w->n, .data = w, .eval = wave_eval};
    return &w->f;
}

/* A train of gears from a new rotor over another one to the first body, if that is free: both ends
 * of elements are then behind gears. */
static void add_gears(sample *s) {
    int n = s->system.n_bodies, first = n, second = n + 1;
    double ratio = any(0.5, 2.0) * (pick(2) ? 1.0 : -1.0), radius = any(0.3, 0.8);
    s->bodies[first] = (bri_body){.kind = BRI_ROTOR, .mass = 0.7, .x = 0.3, .v = any(-1.0, 1.0)};
    s->bodies[second] = (bri_body){.kind = BRI_ROTOR, .mass = 0.4, .v = s->bodies[first].v / ratio};
    s->system.n_bodies += 2;
    bri_coupling c = bri_coupling_defaults(bri_coupling_find("gear"), first, second);
    c.p[0] = ratio;
    s->couplings[s->system.n_couplings++] = c;
    c = bri_coupling_defaults(bri_coupling_find("spring_damper"), second, BRI_GROUND);
    c.p[0] = 30.0, c.p[2] = 0.3;
    s->couplings[s->system.n_couplings++] = c;
    add_contact(s, second, first);
    bri_contact *own = &s->contacts[s->system.n_contacts - 1];
    if (own->load == BRI_LOAD_REACTION) own->load = BRI_LOAD_CONSTANT;
    if (s->bodies[0].position || s->bodies[0].velocity) return;
    c = bri_coupling_defaults(bri_coupling_find("rack"), second, 0);
    c.p[0] = radius;
    s->couplings[s->system.n_couplings++] = c;
    s->bodies[0].v = radius * s->bodies[second].v;
}

/* The same with gears, and functions in all places. */
static sample *make_rich_sample(int number) {
    sample *s = make_sample(number);
    if (number % 2) add_gears(s);
    if (s->system.n_drives) s->drives[0].by = add_wave(s, 3.0, 0.9, 0);
    if (s->system.n_bodies > 3) /* a point */
        s->drives[s->system.n_drives++] = (bri_drive){.body = 1,
                                                      .vertical = pick(2),
                                                      .force = s->signals[2],
                                                      .by = add_wave(s, -2.0, 0.7, 0)};
    s->couplings[0].tension = add_wave(s, 5.0, 0.5, 1);
    if (s->system.n_couplings > 2 && !s->couplings[2].kind->ratio)
        s->couplings[2].tension = add_wave(s, -4.0, 0.5, 1);
    for (int i = 0; i < s->system.n_contacts; i++) {
        bri_contact *c = &s->contacts[i];
        if (i % 3 == 0 && c->load != BRI_LOAD_REACTION && s->n_waves < MOST_WAVES - 2) {
            c->load = BRI_LOAD_FUNCTION;
            c->n_by = add_wave(s, 20.0, 0.4, 0);
        }
        if (i != s->system.n_contacts / 2) continue;
        for (int k = 0; k < 2; k++) {
            int p = k ? bri_model_param(c->model, "mu_s") : bri_model_param(c->model, "mu_c");
            if (p < 0) continue;
            s->varying[c->n_varying++] =
                (bri_varying){.param = p, .by = *add_wave(s, c->p[p] * (k ? 1.5 : 0.9), 0.05, 0)};
        }
        c->varying = s->varying;
    }
    return s;
}

static sample *(*const makers[])(int) = {make_sample, make_rich_sample};

static void put(void *to, int row, int column, double value) {
    ((double(*)[MOST])to)[row][column] += value;
}

/* A state with everything in motion, and its linearisation. */
static network *linearised(const sample *s, double t, double *y, double (*J)[MOST], double *ft) {
    network *net;
    bri_error err;
    double dy[MOST];
    if (network_create(&s->system, 0.0, 10.0, &net, &err) != BRI_OK) fail_msg("%s", err.text);
    assert_true(net->n <= MOST);
    network_start(net, &s->system, 0.0, y);
    for (int i = 0; i < net->n_touches; i++) {
        const touch *c = &net->touches[i];
        for (int j = 0; j < c->count; j++) {
            double *z = touch_states(net, c, y) + j,
                   size = net->nominal[2 * net->n_free + c->first + j];
            *z += size * (c->model->states[j].even ? any(0.1, 0.3) : any(-0.3, 0.3));
        }
    }
    network_linearise(net, t, y, dy, ft);
    memset(J, 0, sizeof(double[MOST][MOST]));
    network_jacobian(net, put, J);
    return net;
}

/* Differences of order 4 in unknown c, or in time if c is the number of unknowns. */
static void difference(network *net, double t, double *y, int c, double *slope) {
    double f[4][MOST], h = c < net->n ? 1e-5 * fmax(fabs(y[c]), net->nominal[c]) : 1e-5;
    double keep = c < net->n ? y[c] : 0.0;
    static const double place[4] = {-2.0, -1.0, 1.0, 2.0};
    for (int i = 0; i < 4; i++) {
        if (c < net->n) y[c] = keep + place[i] * h;
        network_rhs(net, c < net->n ? t : t + place[i] * h, y, f[i]);
    }
    if (c < net->n) y[c] = keep;
    for (int r = 0; r < net->n; r++)
        slope[r] = (8.0 * (f[2][r] - f[1][r]) - (f[3][r] - f[0][r])) / (12.0 * h);
}

static void jacobian_by_differences(void **state) {
    for (int k = 0; k < 160; k++) {
        sample *s = makers[k / 80](k % 80);
        static double J[MOST][MOST];
        double y[MOST], slope[MOST], dy[MOST], ft[MOST], t = 0.37;
        network *net = linearised(s, t, y, J, ft);
        network_rhs(net, t, y, dy);
        for (int c = 0; c <= net->n; c++) {
            difference(net, t, y, c, slope);
            for (int r = 0; r < net->n; r++) {
                double got = c < net->n ? J[r][c] : ft[r];
                double size = c < net->n ? fmax(fabs(y[c]), net->nominal[c]) : 1.0;
                if (!(fabs(got - slope[r]) <=
                      1e-6 * fabs(slope[r]) + 1e-8 * (1.0 + fabs(dy[r])) / size))
                    fail_msg(
                        "network %d, row %d, column %d of %d (free %d): %.12g, difference %.12g", k,
                        r, c, net->n, net->n_free, got, slope[r]);
            }
        }
        network_free(net);
        free(s);
    }
}

/* Gauss with row exchanges on a full matrix; b becomes the solution. Returns the sign of the
 * determinant. */
static int gauss(int n, double A[MOST][MOST], double *b) {
    int sign = 1;
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(A[i][k]) > fabs(A[best][k])) best = i;
        if ((A[best][k] < 0.0) != (best != k)) sign = -sign;
        for (int j = 0; j < n; j++) {
            double swap = A[k][j];
            A[k][j] = A[best][j];
            A[best][j] = swap;
        }
        double swap = b[k];
        b[k] = b[best];
        b[best] = swap;
        for (int i = k + 1; i < n; i++) {
            double factor = A[i][k] / A[k][k];
            for (int j = k; j < n; j++) A[i][j] -= factor * A[k][j];
            b[i] -= factor * b[k];
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        for (int j = k + 1; j < n; j++) b[k] -= A[k][j] * b[j];
        b[k] /= A[k][k];
    }
    return sign;
}

/* Nonzero if J has a real eigenvalue above w: det(x I - J) changes its sign beyond w. */
static int grows(int n, double J[][MOST], double w) {
    static double A[MOST][MOST];
    int before = 0;
    for (int k = 0; k <= 4000; k++) {
        double x = w * pow(10.0, 8.0 * k / 4000.0), b[MOST] = {0};
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) A[i][j] = (i == j ? x : 0.0) - J[i][j];
        int sign = gauss(n, A, b);
        if (before && sign != before) return 1;
        before = sign;
    }
    return 0;
}

/* Steps that would damp what grows are refused; 240 are tried. Small networks have products for the
 * same, as long as nothing in them sticks: both ways are held to the full system. */
static void condensed_equals_full(void **state) {
    int refused = 0, flat = 0;
    for (int k = 0; k < 120; k++) {
        sample *s = makers[k / 60](k % 60);
        static double J[MOST][MOST], A[MOST][MOST];
        double y[MOST], ft[MOST], b[MOST], u[MOST];
        network *net = linearised(s, 0.37, y, J, ft);
        for (int trial = 0; trial < 4; trial++) {
            double w = pow(10.0, 1.0 + 1.5 * trial);
            for (int i = 0; i < net->n; i++) {
                b[i] = any(-1.0, 1.0) * net->nominal[i];
                u[i] = b[i];
                for (int j = 0; j < net->n; j++) A[i][j] = (i == j ? w : 0.0) - J[i][j];
            }
            if (!network_factor(net, w)) {
                refused += k < 60;
                if (k < 60 && !grows(net->n, J, w))
                    fail_msg("network %d, w %g: nothing grows so fast", k, w);
                continue;
            }
            bri_flat *products = net->flat;
            if (products && ++flat % 2) {
                net->flat = NULL;
                assert_true(network_factor(net, w));
            }
            network_solve(net, u);
            net->flat = products;
            gauss(net->n, A, b);
            double most = 0.0;
            for (int i = 0; i < net->n; i++) most = fmax(most, fabs(b[i]) / net->nominal[i]);
            for (int i = 0; i < net->n; i++)
                if (!(fabs(u[i] - b[i]) <= 1e-9 * most * net->nominal[i] + 1e-9 * fabs(b[i])))
                    fail_msg("network %d, w %g, unknown %d of %d: %.12g, expected %.12g", k, w, i,
                             net->n, u[i], b[i]);
        }
        network_free(net);
        free(s);
    }
    assert_in_range(flat, 100, 480);
    assert_in_range(refused, 1, 60);
}

/* One body and one contact: the short way gives what the general one gives, whichever end moves. */
static void single_equals_network(void **state) {
    static const char *const laws[] = {"lugre", "dahl", "stribeck_tanh", "gonthier",
                                       "bristle_second_order"};
    for (int k = 0; k < 60; k++) {
        sample *s = make_sample(k);
        int moving = k % 2, driven = 1 - moving, timed = k % 4 < 2;
        bri_signal still = bri_signal_constant(0.3);
        s->bodies[moving] = (bri_body){.mass = 2.0, .x = 0.7, .v = 0.4};
        s->bodies[driven] = (bri_body){.velocity = timed ? &s->signals[1] : &still};
        s->system.n_bodies = 2;
        s->system.n_couplings = s->system.n_contacts = s->system.n_drives = 0;
        for (int i = 0; i < 2; i++) {
            int far = i && timed ? driven : BRI_GROUND;
            bri_coupling c = bri_coupling_defaults(bri_coupling_find("spring_damper"),
                                                   k % 3 ? far : moving, k % 3 ? moving : far);
            c.p[0] = 100.0, c.p[1] = 0.2, c.p[2] = 3.0;
            s->couplings[s->system.n_couplings++] = c;
        }
        bri_contact *c = &s->contacts[s->system.n_contacts++];
        *c = (bri_contact){.model = bri_model_find(laws[k % 5]), .a = 0, .b = 1, .n = 20.0};
        bri_model_defaults(c->model, c->p);
        if (timed && k % 3 == 0) c->load = BRI_LOAD_SIGNAL, c->n_of_t = &s->signals[0];
        if (timed) {
            s->drives[0] = (bri_drive){.body = moving, .force = s->signals[2]};
            s->system.n_drives = 1;
        }
        static double J[MOST][MOST];
        double y[MOST], ft[2][4] = {{0}}, dy[2][4], b[2][4];
        network *net = linearised(s, 0.37, y, J, ft[0]);
        assert_true(network_is_single(net));
        network_linearise(net, 0.37, y, dy[0], net->autonomous ? NULL : ft[0]);
        assert_true(network_factor(net, 50.0));
        for (int i = 0; i < net->n; i++) b[0][i] = b[1][i] = (i + 1) * net->nominal[i];
        network_solve(net, b[0]);
        single_linearise(net, 0.37, y, dy[1], net->autonomous ? NULL : ft[1]);
        assert_true(single_factor(net, 50.0));
        single_solve(net, b[1]);
        double size[2][4];
        network_sizes(net, y, size[0]);
        single_sizes(net, y, size[1]);
        for (int i = 0; i < net->n; i++) {
            near(size[1][i], size[0][i], 0.0, "size");
            near(dy[1][i], dy[0][i], 1e-12, "rate");
            near(b[1][i], b[0][i], 1e-10, "solution");
            if (!net->autonomous) near(ft[1][i], ft[0][i], 1e-12, "time derivative");
        }
        network_free(net);
        free(s);
    }
}

/* The stages of a step, one call after the other, for stages.h. */
static void plain_first(void *self, double t, const double *y, double *b) {
    network_solve(self, b);
}

static void plain_end(void *self, double t, const double *y, double *b) {
    double f[4];
    network_rhs(self, t, y, f);
    for (int k = 0; k < ((network *)self)->n; k++) b[k] += f[k];
    network_solve(self, b);
}

/* One attempt in one piece against the same stages made one by one by the general functions. */
static void attempt_equals_stages(network *net, rodas_step *s, int k) {
    const rodas *m = s->method;
    const int n = net->n;
    const double w = 1.0 / (s->h * m->gamma), *time = net->autonomous ? NULL : s->ft;
    double f[4], ft[4], Y[4], U[4 * RODAS_STAGES], size[4], sum = 0.0;
    double error = single_attempt(net, s);
    s->fresh = 1;
    network_linearise(net, s->t, s->y, f, time ? ft : NULL);
    network_sizes(net, s->y, size);
    assert_true(network_factor(net, w));
    rodas_stages(m, n, s->t, s->h, s->y, f, time ? ft : NULL, net, plain_first, plain_end, Y, U);
    for (int i = 0; i < n * m->stages; i++)
        if (!(fabs(s->U[i] - U[i]) <= 1e-11 * net->nominal[i % n]))
            fail_msg("case %d, stage %d, unknown %d: %.17g, expected %.17g", k, i / n, i % n,
                     s->U[i], U[i]);
    for (int i = 0; i < n; i++) {
        double last = U[n * (m->stages - 1) + i];
        if (!(fabs(s->end[i] - (Y[i] + last)) <= 1e-12 * fmax(fabs(Y[i]), net->nominal[i])))
            fail_msg("case %d, end %d: %.17g, expected %.17g", k, i, s->end[i], Y[i] + last);
        last /= fmax(s->rtol * size[i], s->atol * net->nominal[i]);
        sum += last * last / n;
    }
    if (!(fabs(error - sum) <= 1e-6 * (sum + sqrt(sum))))
        fail_msg("error %g, expected %g", error, sum);
}

/* LuGre with all its options under constant and varying loads, other laws, both methods, all
 * directions, with every instruction set; each with two step sizes from one linearisation. */
static void attempts_equal_stages(void **state) {
    static const double gammas[] = {1.0, 2.0, 1.4};
    static const bri_mode modes[] = {BRI_AUTO, BRI_SLIDE_POS, BRI_SLIDE_NEG};
    static const char *const others[] = {"dahl", "elasto_plastic", "gonthier",
                                         "bristle_second_order"};
    for (int k = 0; k < 384; k++) {
        sample *s = make_sample(k);
        int moving = k % 2, timed = k % 4 < 2, other = k / 96;
        bri_signal still = bri_signal_constant(0.3);
        s->bodies[moving] = (bri_body){.mass = 2.0, .x = 0.7, .v = k % 5 < 2 ? 0.31 : 0.27};
        s->bodies[1 - moving] = (bri_body){.velocity = timed ? &s->signals[1] : &still};
        s->couplings[0] = bri_coupling_defaults(bri_coupling_find("spring"), BRI_GROUND, moving);
        s->contacts[0] = (bri_contact){.model = bri_model_find(k % 8 > 4 ? others[other] : "lugre"),
                                       .a = 0,
                                       .b = 1,
                                       .n = 20.0};
        s->system.n_bodies = 2;
        s->system.n_couplings = s->system.n_contacts = 1;
        s->system.n_drives = 0;
        bri_contact *c = &s->contacts[0];
        bri_model_defaults(c->model, c->p);
        if (bri_model_param(c->model, "gamma") >= 0)
            c->p[bri_model_param(c->model, "gamma")] = gammas[k % 3];
        if (k % 8 <= 4) {
            c->p[bri_model_param(c->model, "fade")] = k % 5 == 0;
            c->p[bri_model_param(c->model, "sigma2")] = k % 7;
        }
        if (timed && k % 3 == 0) c->load = BRI_LOAD_SIGNAL, c->n_of_t = &s->signals[0];
        static double J[MOST][MOST];
        double y[MOST], f[4], ft[4], weight[4], Y[4], U[4 * RODAS_STAGES], end[4];
        network *net = linearised(s, 0.37, y, J, ft);
        assert_true(network_is_single(net));
        int far = net->single.far, side = net->touches[0].a == 0 ? 1 : -1;
        bri_mode mode = modes[k / 3 % 3];
        if (mode == BRI_SLIDE_POS && side * (y[1] - net->vel[far]) < 0.0) mode = BRI_SLIDE_NEG;
        if (k / 3 % 3 == 2) y[1] = net->vel[far] + side * 1e-7; /* just beyond rest */
        net->touches[0].mode = mode;
        for (bri_level level = BRI_LEVEL_LIBM; level < BRI_LEVEL_COUNT; level++) {
            if (!bri_level_usable(level)) continue;
            if (net->single.quick) net->single.quick = bri_kernels(level)->lugre_attempt;
            if (level == BRI_LEVEL_LIBM) net->touches[0].mode = BRI_AUTO; /* the general way */
            rodas_step step = {.method = k % 16 < 8 ? &rodas4 : &rodas5p,
                               .t = 0.37,
                               .h = 1e-3,
                               .rtol = 1e-7,
                               .atol = 1e-7,
                               .y = y,
                               .f = f,
                               .ft = ft,
                               .weight = weight,
                               .Y = Y,
                               .U = U,
                               .end = end};
            attempt_equals_stages(net, &step, k);
            step.h = 2e-4;
            attempt_equals_stages(net, &step, k);
            net->touches[0].mode = mode;
        }
        network_free(net);
        free(s);
    }
}

/* Blocks in a row, beside each other or on each other, on the ground or a body that is moved, with
 * two laws or one, with and without a direction; from case 48 on more of them, and coupled in other
 * ways, too. */
static sample *make_packs(int k) {
    static const char *const laws[] = {"lugre", "elasto_plastic"};
    sample *s = make_sample(k);
    int n = k < 48 ? 2 + k % 6 : 2 + k * 5 % 21, stacked = k % 3 == 1, far = k < 48 ? n : k % 5;
    s->system.n_bodies = n + 1;
    s->system.n_couplings = s->system.n_contacts = s->system.n_drives = 0;
    for (int i = 0; i < n; i++) {
        bri_contact c = {.model = bri_model_find(laws[k % 4 == 3 && n > 3 && i % 2]),
                         .a = i,
                         .b = stacked && i ? i - 1
                              : k % 3      ? n
                                           : BRI_GROUND,
                         .n = 10.0 + i};
        s->bodies[i] = (bri_body){.mass = 1.0 + i, .x = 0.3 * i, .v = any(-0.4, 0.4)};
        bri_model_defaults(c.model, c.p);
        c.p[bri_model_param(c.model, "gamma")] = 1.0 + k % 2;
        if (k >= 48) c.p[bri_model_param(c.model, "v_s")] = 5e-3; /* friction falls steeply */
        s->contacts[s->system.n_contacts++] = c;
        bri_coupling spring = bri_coupling_defaults(
            bri_coupling_find(k % 2 ? "spring_damper" : "spring"), i ? i - 1 : n, i);
        spring.p[0] = 100.0 + 7.0 * i;
        s->couplings[s->system.n_couplings++] = spring;
        if (far == 0 || i + far >= n) continue;
        spring.a = k % 2 ? 0 : i, spring.b = i + far; /* to the first, or along the row */
        s->couplings[s->system.n_couplings++] = spring;
    }
    s->bodies[n] = (bri_body){.x = 2.0, .velocity = &s->signals[1]};
    if (k % 5 == 0)
        s->drives[s->system.n_drives++] = (bri_drive){.body = k % n, .force = s->signals[2]};
    return s;
}

static void plain_end_of_many(void *self, double t, const double *y, double *b) {
    double f[MOST];
    network *net = self;
    network_rhs(net, t, y, f);
    for (int k = 0; k < net->n; k++) b[k] += f[k];
    network_solve(net, b);
}

/* Forces, rates and sizes at y, and whether something grows there faster than steps of many lengths
 * can follow; how often it does. */
static int compare_growth(network *net, network *plain, const double *y) {
    double f[2][MOST], ft[2][MOST], size[2][MOST];
    int count = 0;
    network *both[2] = {net, plain};
    for (int i = 0; i < 2; i++) {
        network_linearise(both[i], 0.41, y, f[i], ft[i]);
        network_sizes(both[i], y, size[i]);
    }
    for (int i = 0; i < net->n; i++) {
        double most = fmax(fabs(f[1][i]), 1.0), rate = fmax(fabs(ft[1][i]), 1.0);
        if (!(fabs(f[0][i] - f[1][i]) <= 1e-11 * most) ||
            !(fabs(ft[0][i] - ft[1][i]) <= 1e-11 * rate) || size[0][i] != size[1][i])
            fail_msg("unknown %d: rates %.17g and %.17g, by time %.17g and %.17g, sizes %g and %g",
                     i, f[0][i], f[1][i], ft[0][i], ft[1][i], size[0][i], size[1][i]);
    }
    for (int i = 0; i < net->n_touches; i++)
        near(net->touches[i].F, plain->touches[i].F, 1e-11, "force");
    for (double w = 1e-2; w < 1e5; w *= 1.3) {
        int sound = network_sound(plain, y, w);
        if (network_sound(net, y, w) != sound) fail_msg("w = %g: %d expected", w, sound);
        count += !sound;
    }
    return count;
}

/* All stages in one piece, of contacts in packs, against those of the same network element by
 * element. */
static void packs_equal_stages(void **state) {
    int refused = 0, grows = 0;
    if (bri_level_best() == BRI_LEVEL_LIBM || !bri_kernels(BRI_LEVEL_AUTO)->pack_attempt) return;
    for (int k = 0; k < 144; k++) {
        sample *s = make_packs(k);
        static double J[MOST][MOST];
        double y[MOST], f[MOST], ft[MOST], weight[MOST], Y[MOST], end[MOST];
        double U[MOST * (RODAS_STAGES + 1)], want[MOST * RODAS_STAGES];
        setenv("BRISTLE_PATH", "general", 1);
        network *plain = linearised(s, 0.37, y, J, ft);
        unsetenv("BRISTLE_PATH");
        network *net = linearised(s, 0.37, end, J, ft);
        int n = net->n;
        assert_non_null(net->packed);
        assert_null(plain->packed);
        for (int i = 0; i < net->n_touches; i++) {
            touch *c = &net->touches[i];
            double v = net->vel[c->a] - net->vel[c->b];
            c->mode = i % 3 == 0                  ? BRI_AUTO
                      : (v > 0.0) != (i % 5 == 4) ? BRI_SLIDE_POS
                                                  : BRI_SLIDE_NEG;
            plain->touches[i].mode = c->mode;
        }
        const rodas *m = k % 2 ? &rodas4 : &rodas5p;
        rodas_step step = {.method = m,
                           .t = 0.37,
                           .h = 2e-4,
                           .rtol = 1e-7,
                           .atol = 1e-7,
                           .y = y,
                           .f = f,
                           .ft = ft,
                           .weight = weight,
                           .Y = Y,
                           .U = U,
                           .end = end};
        double error = network_attempt(net, &step), sum = 0.0, size[MOST];
        network_linearise(plain, step.t, y, f, ft);
        network_sizes(plain, y, size);
        int sound = network_factor(plain, 1.0 / (step.h * m->gamma));
        assert_int_equal(sound, isfinite(error) != 0);
        refused += !sound;
        rodas_stages(m, n, step.t, step.h, y, f, ft, plain, plain_first, plain_end_of_many, Y,
                     want);
        for (int i = 0; sound && i < n * m->stages; i++)
            if (!(fabs(U[i] - want[i]) <= 1e-11 * fmax(net->nominal[i % n], fabs(want[i]))))
                fail_msg("case %d, stage %d, unknown %d of %d: %.17g, expected %.17g", k, i / n,
                         i % n, n, U[i], want[i]);
        for (int i = 0; sound && i < n; i++) {
            double last = want[n * (m->stages - 1) + i];
            if (!(fabs(end[i] - (Y[i] + last)) <= 1e-12 * fmax(net->nominal[i], fabs(end[i]))))
                fail_msg("case %d, end of %d: %.17g, expected %.17g", k, i, end[i], Y[i] + last);
            last /= fmax(step.rtol * size[i], step.atol * plain->nominal[i]);
            sum += last * last / n;
        }
        if (sound) near(error, sum, 1e-6 * sum + 1e-12, "error");
        for (int slow = 0; slow < 3; slow++) { /* and nearer to where they break away */
            grows += compare_growth(net, plain, y);
            for (int i = net->n_free; i < 2 * net->n_free; i++) y[i] *= 0.1;
            for (int i = 0; i < net->n_touches; i++) {
                double *z = touch_states(net, &net->touches[i], y);
                int way = net->touches[i].mode ? (int)net->touches[i].mode : 1;
                double share = slow == 0                                 ? 0.97
                               : touch_has_turned(net, &net->touches[i]) ? 1.25
                                                                         : 0.5;
                *z = share * way * net->nominal[2 * net->n_free + i];
            }
        }
        network_free(plain);
        network_free(net);
        free(s);
    }
    assert_true(refused < 4); /* steps over what grows */
    assert_true(grows > 100);
}

/* The exponential of the attempts against that of the library in extended precision; from a place
 * nearby as well, and beyond its ends. */
static void decays(void **state) {
    for (int i = 0; i < 400000; i++) {
        double x = -1.0 + 0.0017 * i + 1e-5 * (i % 7), t = x * DECAY_UNITS,
               f = 0.5 - i % 100 * 0.01;
        long double exact = expl(-(long double)t / (long double)DECAY_UNITS);
        double bound = 4e-16 * (1.0 + fabs(x)) * (double)exact + 3e-308;
        decay_place place = {t + f, decay_to(0.0, 1.0, t + f)};
        if (!(fabsl(decay_to(0.0, 1.0, t) - exact) <= bound) ||
            !(fabsl(decay_from(place, 1.0, t) - exact) <= 2.0 * bound))
            fail_msg("exp(-%.17g)", x);
    }
    near(decay_to(3.0, 2.0, 0.0), 5.0, 0.0, "start");
    near(decay_from((decay_place){NAN, 0.0}, 2.0, DECAY_UNITS), 2.0 * exp(-1.0), 1e-15, "no place");
    assert_true(decay_to(3.0, 2.0, INFINITY) == 3.0 && isnan(decay_to(3.0, 2.0, NAN)));
}

/* A chain keeps a narrow band whatever its length; a star is dense. */
static void matrix_shapes(void **state) {
    bri_body bodies[40];
    bri_coupling springs[40];
    bri_system system = {.bodies = bodies, .couplings = springs, .n_bodies = 40, .n_couplings = 40};
    network *net;
    for (int i = 0; i < 40; i++) {
        bodies[i] = (bri_body){.mass = 1.0};
        springs[i] = bri_coupling_defaults(bri_coupling_find("spring"), i ? i - 1 : BRI_GROUND, i);
        springs[i].p[0] = 10.0;
    }
    assert_int_equal(network_create(&system, 0.0, 1.0, &net, NULL), BRI_OK);
    assert_string_equal(matrix_name(&net->matrix), "tridiagonal");
    network_free(net);
    for (int i = 1; i < 40; i++) springs[i].a = 0, springs[i].b = i;
    assert_int_equal(network_create(&system, 0.0, 1.0, &net, NULL), BRI_OK);
    assert_string_equal(matrix_name(&net->matrix), "dense");
    network_free(net);
    system.n_bodies = system.n_couplings = 1;
    assert_int_equal(network_create(&system, 0.0, 1.0, &net, NULL), BRI_OK);
    assert_string_equal(matrix_name(&net->matrix), "scalar");
    network_free(net);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(jacobian_by_differences), cmocka_unit_test(condensed_equals_full),
        cmocka_unit_test(single_equals_network),   cmocka_unit_test(attempts_equal_stages),
        cmocka_unit_test(packs_equal_stages),      cmocka_unit_test(decays),
        cmocka_unit_test(matrix_shapes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
