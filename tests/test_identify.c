/* test_identify.c - identification: least squares, filters, noise, maps, derivatives, and whole
 * identifications of recordings whose truth is known. */
#define _POSIX_C_SOURCE 200809L
#include "identify/identify.h"
#include "recorded.h"

/* ---- least squares -------------------------------------------------------------------------- */

/* Rosenbrock 1960 as residuals: minimum at (1, 1). */
static int rosenbrock(void *context, const double *u, double *r, double *J) {
    int *calls = context;
    ++*calls;
    r[0] = 10.0 * (u[1] - u[0] * u[0]), r[1] = 1.0 - u[0];
    if (J) J[0] = -20.0 * u[0], J[1] = -1.0, J[2] = 10.0, J[3] = 0.0;
    return 0;
}

static void finds_minima(void **state) {
    (void)state;
    int calls = 0;
    double low[2] = {-10, -10}, high[2] = {10, 10}, r[2], J[4];
    id_problem p = {.context = &calls,
                    .residuals = rosenbrock,
                    .rows = 2,
                    .count = 2,
                    .low = low,
                    .high = high,
                    .most = 200};
    for (int k = 0; k < 50; k++) {
        id_solution s = {.u = {-3.0 + 6.0 * halton(k, 2), -3.0 + 6.0 * halton(k, 3)}};
        assert_int_equal(id_least_squares(&p, &s, r, J), 0);
        near(s.u[0], 1.0, 1e-6, "Rosenbrock's x");
        near(s.u[1], 1.0, 1e-6, "Rosenbrock's y");
    }
    /* with x <= 1/2 the least is at x = 1/2, y = 1/4: closed form */
    high[0] = 0.5;
    id_solution s = {.u = {-1.0, 2.0}};
    assert_int_equal(id_least_squares(&p, &s, r, J), 0);
    near(s.u[0], 0.5, 1e-9, "bounded x");
    near(s.u[1], 0.25, 1e-7, "bounded y");
    /* held at y = 4 the least is near x = 2: a step finds the root of its cubic */
    low[1] = high[1] = 4.0, high[0] = 10.0;
    s = (id_solution){.u = {1.5, 4.0}};
    p.most = 12;
    assert_int_equal(id_least_squares(&p, &s, r, J), 0);
    near(200.0 * s.u[0] * (s.u[0] * s.u[0] - 4.0) + s.u[0] - 1.0, 0.0, 1e-3, "held y");
}

/* r = y - A u: the solution within a box satisfies the conditions of Kuhn and Tucker. */
typedef struct linear {
    double A[40][4], y[40];
} linear;

static int straight(void *context, const double *u, double *r, double *J) {
    const linear *l = context;
    for (int i = 0; i < 40; i++) {
        r[i] = l->y[i];
        for (int k = 0; k < 4; k++) r[i] -= l->A[i][k] * u[k];
        for (int k = 0; J && k < 4; k++) J[k * 40 + i] = -l->A[i][k];
    }
    return 0;
}

static void keeps_bounds(void **state) {
    (void)state;
    for (int n = 0; n < 200; n++) {
        linear l;
        double low[4], high[4], r[40], J[160];
        for (int i = 0; i < 40; i++) {
            for (int k = 0; k < 4; k++) l.A[i][k] = bri_random(n, 10 * i + k) - 0.3;
            l.y[i] = 4.0 * bri_random(n, 10 * i + 7) - 2.0;
        }
        for (int k = 0; k < 4; k++) low[k] = -0.3 * halton(n, 3), high[k] = 0.3 * halton(n, 5);
        id_problem p = {.context = &l,
                        .residuals = straight,
                        .rows = 40,
                        .count = 4,
                        .low = low,
                        .high = high,
                        .most = 100};
        id_solution s = {0};
        assert_int_equal(id_least_squares(&p, &s, r, J), 0);
        for (int k = 0; k < 4; k++) {
            double g = 0.0;
            for (int i = 0; i < 40; i++) g += J[k * 40 + i] * r[i];
            assert_true(s.u[k] >= low[k] && s.u[k] <= high[k]);
            if (s.u[k] > low[k] + 1e-9) assert_true(g < 1e-3);
            if (s.u[k] < high[k] - 1e-9 && !(g > -1e-3))
                fail_msg("case %d: unknown %d at %g in %g ... %g, slope %g, iterations %d", n, k,
                         s.u[k], low[k], high[k], g, s.iterations);
        }
    }
}

/* One sample in ten is far off: the robust loss finds the mean of the others. */
static int level(void *context, const double *u, double *r, double *J) {
    const double *y = context;
    for (int i = 0; i < 100; i++) r[i] = y[i] - u[0];
    for (int i = 0; J && i < 100; i++) J[i] = -1.0;
    return 0;
}

static void resists_outliers(void **state) {
    (void)state;
    double y[100], low = -100, high = 100, r[100], J[100];
    for (int i = 0; i < 100; i++) y[i] = i % 10 == 3 ? 50.0 : 1.0 + 0.1 * (halton(i, 2) - 0.5);
    id_problem p = {.context = y,
                    .residuals = level,
                    .rows = 100,
                    .count = 1,
                    .low = &low,
                    .high = &high,
                    .most = 100};
    id_solution plain = {0}, robust = {0};
    assert_int_equal(id_least_squares(&p, &plain, r, J), 0);
    near(plain.u[0], 5.9, 0.01, "mean");
    p.huber = 1.5;
    assert_int_equal(id_least_squares(&p, &robust, r, J), 0);
    near(robust.u[0], 1.0, 0.01, "robust mean");
}

/* A V = V diag(value) for random symmetric matrices, and V'V = 1. */
static void finds_eigenvalues(void **state) {
    (void)state;
    for (int n = 1; n <= 8; n++) {
        double A[64] = {0}, B[64], value[8], V[64];
        for (int i = 0; i < n; i++)
            for (int j = 0; j <= i; j++)
                A[i * n + j] = A[j * n + i] = bri_random(n, 10 * i + j) - 0.5;
        memcpy(B, A, sizeof B);
        id_eigen(B, n, value, V);
        for (int k = 0; k < n; k++) {
            if (k) assert_true(value[k] >= value[k - 1]);
            for (int i = 0; i < n; i++) {
                double sum = 0.0, dot = 0.0;
                for (int j = 0; j < n; j++) sum += A[i * n + j] * V[j * n + k];
                for (int j = 0; j < n; j++) dot += V[j * n + i] * V[j * n + k];
                near(sum - value[k] * V[i * n + k], 0.0, 1e-12, "eigenvector");
                near(dot, i == k, 1e-12, "orthogonality");
            }
        }
    }
}

/* ---- filters and noise ---------------------------------------------------------------------- */

/* Forward and backward: the gain is 1/(1 + (tan pi f/tan pi f_c)^8), and there is no delay. */
static void filters_without_delay(void **state) {
    (void)state;
    enum { N = 4000 };
    static double y[N], room[2 * N];
    const double shares[] = {0.005, 0.02, 0.05, 0.08, 0.15};
    for (int s = 0; s < 5; s++) {
        double w = 2.0 * pi * shares[s], worst = 0.0;
        double ratio = tan(pi * shares[s]) / tan(pi * 0.05), gain = 1.0 / (1.0 + pow(ratio, 8.0));
        for (int i = 0; i < N; i++) y[i] = 3.0 + sin(w * i);
        assert_true(id_low_pass_room(N, 0.05) <= 2 * N);
        id_low_pass(y, N, 0.05, room);
        for (int i = N / 4; i < 3 * N / 4; i++)
            worst = fmax(worst, fabs(y[i] - 3.0 - gain * sin(w * i)));
        near(worst, 0.0, 1e-9, "filtered sine");
    }
}

/* The covariance of a mean under AR(1) noise is sigma^2/(1 - rho)^2/n for long records. */
static void knows_the_colour(void **state) {
    (void)state;
    enum { N = 20000 };
    double *r = malloc(N * sizeof *r), *J = malloc(N * sizeof *J), C, e = 0.0;
    for (int i = 0; i < N; i++) {
        e = 0.8 * e + normal(5.0, i);
        r[i] = e;
        J[i] = 1.0;
    }
    id_colour n = id_colour_of(r, NULL, N);
    assert_true(n.order >= 1 && n.order <= 3);
    near(n.a[0], 0.8, 0.03, "rho");
    near(n.sigma, 1.0, 0.02, "sigma");
    assert_int_equal(id_covariance(J, N, 1, NULL, &n, &C), 1);
    near(C, 25.0 / N, 0.1, "variance of the mean");
    for (int i = 0; i < N; i++) r[i] = normal(6.0, i);
    n = id_colour_of(r, NULL, N);
    near(n.gain, 1.0, 0.05, "white noise");
    free(r);
    free(J);
    near(id_t_quantile(10.0), 2.228, 1e-3, "Student's t, 10"); /* any table */
    near(id_t_quantile(4.0), 2.776, 1e-2, "Student's t, 4");
    near(id_t_beyond(0.005, 19.0), 2.861, 2e-3, "Student's t, 19, 99.5 %");
    near(id_t_beyond(0.05, 30.0), 1.697, 1e-3, "Student's t, 30, 95 %");
}

/* ---- maps and files ------------------------------------------------------------------------- */

static const char axis[] =
    "bodies: {axis: {mass: 90 kg}}\n"
    "contacts: {pad: {between: [axis, ground], model: lugre, Fc: 15 N, Fs: 18 N,\n"
    "  v_s: 5 mm/s, sigma0: 1e5 N/m, sigma1: 300 N s/m, sigma2: 100 N s/m}}\n"
    "drives: {motor: {on: axis, force: 0 N}}\n"
    "run: {until: 1 s}\n";

static bri_scenario *load(const char *text) {
    bri_messages m = {0};
    bri_scenario *s = NULL;
    if (bri_scenario_parse(text, strlen(text), "rig", NULL, &s, &m) != BRI_OK)
        fail_msg("%s", m.message[0].text);
    return s;
}

static void reads_maps(void **state) {
    (void)state;
    bri_scenario *s = load(axis);
    const bri_system *y = &bri_scenario_def(s)->system;
    id_map m;
    bri_error err;
    assert_int_equal(
        id_map_read(&m, "axis.x=-2*qm[mm] + 1.5, motor.force=35.15*vir[V]-i, t=Time(s)", y, &err),
        BRI_OK);
    assert_int_equal(m.count, 3);
    assert_int_equal(m.target[0].what, ID_TIME);
    assert_string_equal(m.target[0].term[0].name, "Time(s)");
    int x = id_map_find(&m, ID_BODY_X, 0), f = id_map_find(&m, ID_DRIVE, 0);
    assert_true(x > 0 && f > 0);
    near(m.target[x].term[0].factor, -2.0, 0.0, "factor");
    near(m.target[x].offset, 1.5, 0.0, "offset");
    assert_string_equal(m.target[x].term[0].unit, "mm");
    assert_int_equal(m.target[f].n_terms, 2);
    near(m.target[f].term[1].factor, -1.0, 0.0, "sign");
    static const struct {
        const char *map;
        bri_status status;
    } bad[] = {{"", BRI_BAD_VALUE},          {"axis.x", BRI_BAD_VALUE},
               {"axis.x=", BRI_BAD_VALUE},   {"axis.x=a[mm", BRI_BAD_VALUE},
               {"axis.x=3", BRI_BAD_VALUE},  {"axis.q=a", BRI_NOT_FOUND},
               {"arm.x=a", BRI_NOT_FOUND},   {"axis.x=a,axis.x=b", BRI_BAD_VALUE},
               {"axis.x=2*", BRI_BAD_VALUE}, {"axis.x=a b c*d", BRI_BAD_VALUE}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        if (id_map_read(&m, bad[i].map, y, &err) != bad[i].status) fail_msg("map '%s'", bad[i].map);
        assert_true(strlen(err.text) > 10);
    }
    bri_scenario_free(s);
}

static bri_status read_text(id_data *d, const char *text, const char *map, bri_error *err) {
    bri_scenario *s = load(axis);
    const char *files[1] = {csv};
    put(csv, text);
    *d = (id_data){0};
    bri_status status = id_map_read(&d->map, map, &bri_scenario_def(s)->system, err);
    if (status == BRI_OK) status = id_data_read(d, files, 1, NULL, err);
    bri_scenario_free(s);
    return status;
}

/* A logger that writes a hundred columns. */
static void reads_many_columns(void **state) {
    (void)state;
    enum { WIDE = 100, LONG = 20 };
    id_data d;
    bri_error err;
    char *text = malloc(WIDE * (LONG + 1) * 16), *end = text;
    for (int k = 0; k < WIDE; k++) end += sprintf(end, "c%d%c", k, k + 1 < WIDE ? ',' : '\n');
    for (int i = 0; i < LONG; i++)
        for (int k = 0; k < WIDE; k++)
            end += sprintf(end, "%d%c", k == 7 ? i : 1000 * i + k, k + 1 < WIDE ? ',' : '\n');
    assert_int_equal(read_text(&d, text, "t=c7,axis.x=c50,motor.force=c99", &err), BRI_OK);
    assert_int_equal(d.count, 1);
    assert_int_equal(d.stretch[0].count, LONG);
    assert_float_equal(d.stretch[0].value[1][LONG - 1], 1000.0 * (LONG - 1) + 50.0, 1e-9);
    assert_float_equal(d.stretch[0].value[2][LONG - 1], 1000.0 * (LONG - 1) + 99.0, 1e-9);
    id_data_free(&d);
    free(text);
}

static void reads_files(void **state) {
    (void)state;
    id_data d;
    bri_error err;
    char text[4000] = "time [ms];pos [mm];u\n", line[64];
    for (int i = 0; i < 60; i++) { /* a gap after 30 rows, a hole, a late row */
        double t = 2.0 * (i < 30 ? i : i + 40) + (i == 5 ? 0.4 : 0.0);
        if (i == 10)
            snprintf(line, sizeof line, "%g;nan;%d\n", t, i);
        else
            snprintf(line, sizeof line, "%g;%g;%d\n", t, 3.0 * i, i);
        strcat(text, line);
    }
    assert_int_equal(read_text(&d, text, "t=time,axis.x=pos,motor.force=2*u[V]+1", &err), BRI_OK);
    assert_int_equal(d.count, 2);
    assert_int_equal(d.holes, 1);
    assert_int_equal(d.gaps, 1);
    near(d.stretch[0].h, 2e-3, 1e-12, "step");
    int x = id_map_find(&d.map, ID_BODY_X, 0), f = id_map_find(&d.map, ID_DRIVE, 0);
    near(d.stretch[0].value[x][20], 0.06, 1e-12, "millimetres");
    near(d.stretch[0].value[x][10], 0.03, 1e-12, "the hole is bridged");
    near(d.stretch[0].value[f][20], 41.0, 1e-12, "factor and offset");
    near(d.stretch[1].from, 0.14, 1e-12, "after the gap");
    assert_true(d.jitter > 0.1);
    id_data_free(&d);
    static const struct {
        const char *text, *map, *words;
    } bad[] = {
        {"t,x,F\n0,1,2\n1,2,3\n0.5,3,4\n", "t=t,axis.x=x,motor.force=F", "times must increase"},
        {"t,x,F\n0,1,2\n1,b,3\n", "t=t,axis.x=x,motor.force=F", "'b' is not a number"},
        {"t,x,F\n0,1,2\n1,2\n", "t=t,axis.x=x,motor.force=F", "2 fields"},
        {"t,x\n0,1\n1,2\n", "t=t,axis.x=x,motor.force=F", "there is no column 'F'"},
        {"t,x,F\n0,nan,2\n1,nan,3\n2,,4\n3,1,1\n", "t=t,axis.x=x,motor.force=F", "only 1 rows"},
        {"t,x,F [V]\n0,1,2\n1,2,3\n", "t=t,axis.x=x,motor.force=F", "a factor would convert it"},
        {"t,x,F\n0,1,2\n10,1,2\n30,1,2\n", "t=t,axis.x=x,motor.force=F", "no stretch of 8 rows"},
        {"", "t=t,axis.x=x,motor.force=F", "empty"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_not_equal(read_text(&d, bad[i].text, bad[i].map, &err), BRI_OK);
        if (!strstr(err.text, bad[i].words)) fail_msg("'%s' lacks '%s'", err.text, bad[i].words);
        id_data_free(&d);
    }
}

/* ---- derivatives ---------------------------------------------------------------------------- */

enum { ROWS = 1200 };
static const double rate = 400.0;

static double position(double t) {
    return 2e-3 * (1.0 - cos(2.0 * pi * t)) + 4e-4 * sin(2.0 * pi * 3.3 * t) * t;
}

/* x and a force on an axis of 90 kg with Coulomb, viscous friction and an offset, the accelerations
 * exact. */
static void write_axis(double noise, double seed) {
    FILE *out = fopen(csv, "w");
    fputs("t,x,F\n", out);
    for (int i = 0; i < ROWS; i++) {
        double t = i / rate, h = 1e-4, x = position(t);
        double v = (position(t + h) - position(t - h)) / (2.0 * h);
        double a = (position(t + h) - 2.0 * x + position(t - h)) / (h * h);
        double F = 90.0 * a + 20.0 * (double)((v > 0) - (v < 0)) + 200.0 * v - 3.0;
        fprintf(out, "%.9g,%.15g,%.15g\n", t, x, F + noise * normal(seed, i));
    }
    fclose(out);
}

static void derivatives_of(const char *law) {
    bri_messages m = {0};
    bri_scenario *s = NULL;
    bri_scenario_options o = {.model = bri_model_find(law)};
    bri_error err;
    id_rig r = {0};
    id_data d = {0};
    id_force f;
    id_unknowns u;
    id_extras e = {.gain = 1.0};
    const char *files[1] = {csv};
    assert_int_equal(bri_scenario_parse(axis, strlen(axis), "rig", &o, &s, &m), BRI_OK);
    assert_int_equal(id_rig_copy(&r, s, &err), BRI_OK);
    assert_int_equal(id_map_read(&d.map, "t=t,axis.x=x,motor.force=F", &r.def.system, &err),
                     BRI_OK);
    assert_int_equal(id_data_read(&d, files, 1, NULL, &err), BRI_OK);
    assert_int_equal(id_force_prepare(&f, &d, &r, 20.0, NULL, &err), BRI_OK);
    assert_int_equal(
        id_unknowns_read(&u, "all,axis.mass,offset,gain,delay", NULL, 1, &r, 1, &e, &err), BRI_OK);
    f.unknowns = &u;
    double value[ID_UNKNOWNS], x[ID_UNKNOWNS];
    size_t n = (size_t)f.rows;
    double *res = malloc(n * sizeof *res), *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b);
    double *J = malloc(n * (size_t)u.count * sizeof *J);
    id_rough g = id_rough_of(&f);
    id_start(&u, &g, 1, 1.0, value);
    for (int k = 0; k < u.count; k++)
        if (u.one[k].kind == ID_GAIN) value[k] = 1.1;
    for (int k = 0; k < u.count; k++)
        if (u.one[k].kind == ID_DELAY) value[k] = 0.3 / rate;
    id_encode(&u, value, x);
    assert_int_equal(id_force_residuals(&f, x, res, J), 0);
    for (int k = 0; k < u.count; k++) {
        double h = u.one[k].kind == ID_DELAY ? 0.1 / rate
                                             : 1e-4 * (x[k] != 0.0 ? fabs(x[k]) : 1e-2),
               keep = x[k];
        double size = 0.0, off = 0.0;
        x[k] = keep + h;
        assert_int_equal(id_force_residuals(&f, x, a, NULL), 0);
        x[k] = keep - h;
        assert_int_equal(id_force_residuals(&f, x, b, NULL), 0);
        x[k] = keep;
        for (long i = 0; i < f.rows; i++) {
            double slope = (a[i] - b[i]) / (2.0 * h);
            size += slope * slope;
            off += (slope - J[(long)k * f.rows + i]) * (slope - J[(long)k * f.rows + i]);
        }
        if (!(sqrt(off) <= 1e-3 * sqrt(size) + 1e-9))
            fail_msg("%s: derivative by %s off by %g of %g", law, u.one[k].name, sqrt(off),
                     sqrt(size));
    }
    free(res), free(a), free(b), free(J);
    id_force_free(&f);
    id_data_free(&d);
    id_rig_free(&r);
}

static void derivatives_are_right(void **state) {
    (void)state;
    static const char *const laws[] = {"coulomb", "stribeck",       "coulomb_tanh",      "dahl",
                                       "lugre",   "elasto_plastic", "stribeck_dankowicz"};
    write_axis(0.0, 1.0);
    for (size_t i = 0; i < sizeof laws / sizeof *laws; i++) derivatives_of(laws[i]);
}

/* ---- whole identifications ------------------------------------------------------------------ */

static const char coulomb_axis[] =
    "bodies: {axis: {mass: 50 kg}}\n"
    "contacts: {pad: {between: [axis, ground], model: coulomb, Fc: 5 N, kv: 10 N s/m}}\n"
    "drives: {motor: {on: axis, force: 0 N}}\n"
    "run: {until: 1 s}\n";

/* Force over motion finds mass, level, viscous part and offset; all of them determined. */
/* Noise of a position lowers the filter: with it, what a low pass leaves of noise in the velocity
 * is a twentieth of the speed; without it, the rate decides. */
static void filters_by_noise(void **state) {
    (void)state;
    enum { COUNT = 20000 };
    static double x[COUNT], v[COUNT], room[COUNT + 8 * 2000];
    const double h = 1e-3, speed = 0.01;
    id_stretch s = {.count = COUNT, .h = h};
    id_data d = {.stretch = &s, .count = 1, .map = {.count = 2}};
    d.map.target[1].what = ID_BODY_X, s.value[1] = x;
    for (int i = 0; i < COUNT; i++) x[i] = speed * h * i;
    id_rig r = {.drives = &(bri_drive){.body = 0}};
    assert_true(id_filter_for(&d, &r) > 49.9);
    for (int i = 0; i < COUNT; i++)
        x[i] += 2e-5 * sqrt(-2.0 * log(1.0 - bri_random(7.0, 2.0 * i))) *
                cos(2.0 * pi * bri_random(7.0, 2.0 * i + 1.0));
    double f = id_filter_for(&d, &r), sum = 0.0;
    assert_true(f > 1.0 && f < 49.0);
    id_low_pass(x, COUNT, 3.0 * f * h, room);
    id_slope(x, COUNT, h, v);
    for (int i = 1000; i < COUNT - 1000; i++) sum += (v[i] - speed) * (v[i] - speed);
    /* the Butterworth filter twice is no ideal low pass: half of it is lost at its frequency */
    near(sqrt(sum / (COUNT - 2000.0)), 0.05 * speed, 0.2, "noise of the velocity");
    /* where inertia counts, what is left in the acceleration is a twentieth of what is usual */
    static double a[COUNT];
    const double w = 2.0 * pi, size = 0.1;
    d.map.count = 3, d.map.target[2].what = ID_DRIVE, s.value[2] = v;
    for (int i = 0; i < COUNT; i++)
        x[i] = size * sin(w * h * i) + 1e-5 * sqrt(-2.0 * log(1.0 - bri_random(7.0, 2.0 * i))) *
                                           cos(2.0 * pi * bri_random(7.0, 2.0 * i + 1.0));
    double with = id_filter_for(&d, &r);
    r.drives[0].body = 1; /* the force acts on another body */
    assert_true(with > 1.0 && with < 40.0 && id_filter_for(&d, &r) > 49.9);
    for (int i = 0; i < COUNT; i++) x[i] -= size * sin(w * h * i);
    id_low_pass(x, COUNT, 3.0 * with * h, room);
    id_slope(x, COUNT, h, v);
    id_slope(v, COUNT, h, a);
    sum = 0.0;
    for (int i = 1000; i < COUNT - 1000; i++) sum += a[i] * a[i];
    near(sqrt(sum / (COUNT - 2000.0)), 0.05 * size * w * w / sqrt(2.0), 0.25,
         "noise of the acceleration");
}

static void finds_the_axis(void **state) {
    (void)state;
    put(rig, coulomb_axis);
    write_axis(0.3, 2.0);
    bri_identified *r = identify((bri_identify_def){.map = "t=t,axis.x=x,motor.force=F",
                                                    .unknown = "pad.Fc,pad.kv,axis.mass,offset",
                                                    .starts = 2,
                                                    .seed = 1.0});
    assert_int_equal(r->data.refused, 0);
    assert_int_equal(r->n_fits, 1);
    near(estimate(r, "pad.Fc")->value, 20.0, 0.02, "Fc");
    near(estimate(r, "pad.kv")->value, 200.0, 0.1, "kv");
    near(estimate(r, "axis.mass")->value, 90.0, 0.02, "mass");
    near(estimate(r, "offset")->value, -3.0, 0.1, "offset");
    for (int k = 0; k < 4; k++) {
        const bri_estimate *e = &r->fits[0].estimate[k];
        assert_int_equal(e->known, BRI_DETERMINED);
        assert_true(e->low < e->value && e->value < e->high);
    }
    assert_true(r->fits[0].relative < 0.05 && r->fits[0].held_out < 0.06);
    bri_identified_free(r);
    /* the same again, bit for bit */
    bri_identify_def def = {.map = "t=t,axis.x=x,motor.force=F",
                            .unknown = "all,axis.mass,offset",
                            .starts = 5,
                            .seed = 7.0};
    bri_identified *a = identify(def), *b = identify(def);
    for (int k = 0; k < a->fits[0].n_estimates; k++)
        assert_memory_equal(&a->fits[0].estimate[k].value, &b->fits[0].estimate[k].value,
                            sizeof(double));
    bri_identified_free(a);
    bri_identified_free(b);
}

/* What the data cannot tell is said: a level and the gain of its sensor; a static level at none. */
static void says_what_it_cannot_know(void **state) {
    (void)state;
    put(rig, coulomb_axis);
    write_axis(0.3, 3.0);
    bri_identified *r =
        identify((bri_identify_def){.map = "t=t,axis.x=x,motor.force=F",
                                    .unknown = "pad.Fc,pad.Fs,pad.kv,axis.mass,offset,gain",
                                    .starts = 1,
                                    .folds = 1});
    /* the gain and all forces together: none of them has an interval, each names its partner */
    static const char *const scaled[] = {"pad.Fc", "pad.kv", "axis.mass", "offset", "gain"};
    for (int k = 0; k < 5; k++) {
        const bri_estimate *e = estimate(r, scaled[k]);
        assert_int_equal(e->known, BRI_COUPLED);
        assert_true(isnan(e->low) && isnan(e->high) && e->with[0]);
        if (k < 4) assert_string_equal(e->with, "gain");
    }
    assert_non_null(strstr(r->fits[0].sense, "known only together"));
    assert_int_equal(estimate(r, "pad.Fs")->known, BRI_FLAT);
    bri_identified_free(r);
}

static void refuses_nonsense(void **state) {
    (void)state;
    put(rig, coulomb_axis);
    FILE *out = fopen(csv, "w");
    fputs("t,x,F\n", out);
    for (int i = 0; i < 400; i++) fprintf(out, "%g,%g,%g\n", i * 0.01, sin(0.05 * i), 5.0);
    fclose(out);
    bri_identify_def def = {.map = "t=t,axis.x=x,motor.force=F", .unknown = "pad.Fc,offset"};
    bri_identified *r = identify(def);
    assert_int_equal(r->data.refused, 1);
    assert_non_null(strstr(r->data.text, "motor.force never changes"));
    assert_int_equal(r->n_fits, 0);
    bri_identified_free(r);
    out = fopen(csv, "w"); /* numbers of no rig */
    fputs("t,x,F\n", out);
    for (int i = 0; i < 400; i++)
        fprintf(out, "%g,%g,%g\n", i * 0.01, 1e300 * normal(1.0, i), 1e300 * normal(2.0, i));
    fclose(out);
    r = identify(def);
    assert_int_equal(r->data.refused, 1);
    assert_non_null(strstr(r->data.text, "look at its column and its unit"));
    assert_null(strstr(r->data.text, "nan"));
    bri_identified_free(r);
    out = fopen(csv, "w"); /* at rest */
    fputs("t,x,F\n", out);
    for (int i = 0; i < 400; i++) fprintf(out, "%g,1,%g\n", i * 0.01, normal(2.0, i));
    fclose(out);
    r = identify(def);
    assert_int_equal(r->data.refused, 1);
    assert_float_equal(r->data.fast, 0.0, 0.0);
    bri_identified_free(r);
    out = fopen(csv, "w"); /* a force that has nothing to do with the motion */
    fputs("t,x,F\n", out);
    for (int i = 0; i < 2000; i++)
        fprintf(out, "%g,%g,%g\n", i * 0.01, sin(0.05 * i), 5.0 * sin(0.0171 * i * i / 100.0));
    fclose(out);
    r = identify(def);
    assert_int_equal(r->data.refused, 1);
    assert_true(r->data.explained > 0.25);
    assert_non_null(strstr(r->data.text, "Refused"));
    bri_identified_free(r);
    def.force = 1;
    r = identify(def);
    assert_int_equal(r->n_fits, 1);
    bri_identified_free(r);
}

/* Points of a Stribeck curve: its closed form is the second source. */
static void fits_a_curve(void **state) {
    (void)state;
    put(rig,
        "bodies: {b: {mass: 1 kg}}\n"
        "contacts: {pad: {between: [b, ground], model: lugre, Fc: 2 N, Fs: 2.5 N, v_s: 1 cm/s}}\n"
        "run: {until: 1 s}\n");
    FILE *out = fopen(csv, "w");
    fputs("v[mm/s],F\n", out);
    for (int i = 0; i < 120; i++) {
        double v = (i % 2 ? -1.0 : 1.0) * 1e-4 * pow(10.0, 3.2 * (i / 2) / 60.0);
        double F = copysign(1.0, v) * (1.0 + 0.5 * exp(-fabs(v) / 3e-3)) + 4.0 * v;
        fprintf(out, "%.9g,%.9g\n", 1e3 * v, F + 0.01 * normal(4.0, i));
    }
    fclose(out);
    bri_identified *r = identify((bri_identify_def){.map = "pad.v=v,pad.F=F",
                                                    .unknown = "pad.Fc,pad.Fs,pad.v_s,pad.sigma2",
                                                    .starts = 3,
                                                    .seed = 1.0});
    assert_int_equal(r->way, BRI_WAY_CURVE);
    near(estimate(r, "pad.Fc")->value, 1.0, 0.02, "Fc");
    near(estimate(r, "pad.Fs")->value, 1.5, 0.02, "Fs");
    near(estimate(r, "pad.v_s")->value, 3e-3, 0.15, "v_s");
    near(estimate(r, "pad.sigma2")->value, 4.0, 0.1, "sigma2");
    bri_identified_free(r);
}

/* Points of two days whose sensor had another zero. */
static void fits_curves_of_two_files(void **state) {
    (void)state;
    char second[80];
    put(rig, coulomb_axis);
    snprintf(second, sizeof second, "%s-2", csv);
    const char *files[2] = {csv, second};
    for (int day = 0; day < 2; day++) {
        FILE *out = fopen(files[day], "w");
        fputs("v,F\n", out);
        for (int i = 1; i <= 60; i++) {
            double v = (i % 2 ? -1e-3 : 1e-3) * i;
            fprintf(out, "%.9g,%.9g\n", v,
                    copysign(20.0, v) + 200.0 * v + (day ? 4.0 : -1.0) +
                        0.01 * normal(6.0 + day, i));
        }
        fclose(out);
    }
    bri_identify_def def = {.scenario = rig,
                            .files = files,
                            .n_files = 2,
                            .map = "pad.v=v,pad.F=F",
                            .unknown = "pad.Fc,pad.kv",
                            .each = "offset",
                            .starts = 2,
                            .threads = 1};
    bri_messages m = {0};
    bri_identified *r = NULL;
    if (bri_identify_run(&def, NULL, &r, &m) != BRI_OK) fail_msg("%s", m.message[0].text);
    near(estimate(r, "offset[1]")->value, -1.0, 0.02, "zero of the first day");
    near(estimate(r, "offset[2]")->value, 4.0, 0.02, "zero of the second day");
    near(estimate(r, "pad.Fc")->value, 20.0, 0.002, "friction of both");
    bri_identified_free(r);
    unlink(second);
}

/* A viscous part that falls by 20 % over eight laps is told, one that stays is not. */
static void tells_of_drift(void **state) {
    (void)state;
    put(rig, coulomb_axis);
    for (int drifts = 0; drifts < 2; drifts++) {
        FILE *out = fopen(csv, "w");
        fputs("t,v,F\n", out);
        for (int i = 0; i < 3200; i++) {
            double t = i / rate, v = 0.1 * sin(2.0 * pi * t);
            double F =
                2.0 * (double)((v > 0) - (v < 0)) + 200.0 * (1.0 - 0.2 * drifts * t / 8.0) * v;
            fprintf(out, "%.9g,%.15g,%.15g\n", t, v, F + 0.2 * normal(9.0, i));
        }
        fclose(out);
        bri_identified *r = identify((bri_identify_def){
            .map = "t=t,pad.v=v,pad.F=F", .unknown = "pad.Fc,pad.kv", .starts = 1, .folds = 1});
        assert_int_equal(strstr(r->fits[0].sense, "pad.kv seems to drift") != NULL, drifts);
        bri_identified_free(r);
    }
}

/* Unknowns per file, and files that are only predicted. */
static void knows_files_apart(void **state) {
    (void)state;
    char second[80];
    put(rig, coulomb_axis);
    write_axis(0.2, 5.0);
    snprintf(second, sizeof second, "%s-2", csv);
    FILE *in = fopen(csv, "r"), *out = fopen(second, "w");
    char line[200];
    assert_non_null(fgets(line, sizeof line, in));
    fputs(line, out);
    double t, x, F;
    while (fscanf(in, "%lf,%lf,%lf", &t, &x, &F) == 3)
        fprintf(out, "%.9g,%.15g,%.15g\n", t, x,
                F + 10.0 + 100.0 * (position(t + 1e-4) - position(t - 1e-4)) / 2e-4);
    fclose(in);
    fclose(out);
    const char *files[2] = {csv, second};
    bri_identify_def def = {.scenario = rig,
                            .files = files,
                            .n_files = 2,
                            .validate = files,
                            .n_validate = 1,
                            .map = "t=t,axis.x=x,motor.force=F",
                            .unknown = "pad.Fc,pad.kv,axis.mass",
                            .each = "offset,pad.kv",
                            .starts = 1,
                            .threads = 1};
    bri_messages m = {0};
    bri_identified *r = NULL;
    assert_int_equal(bri_identify_run(&def, NULL, &r, &m), BRI_OK);
    near(estimate(r, "offset[1]")->value, -3.0, 0.1, "offset of the first");
    near(estimate(r, "offset[2]")->value, 7.0, 0.05, "offset of the second");
    near(estimate(r, "pad.kv[1]")->value, 200.0, 0.01, "viscous friction of the first");
    near(estimate(r, "pad.kv[2]")->value, 300.0, 0.01, "viscous friction of the second");
    near(estimate(r, "axis.mass")->value, 90.0, 0.01, "one mass of both");
    assert_int_equal(r->fits[0].n_estimates, 6); /* kv is not there a third time */
    bri_error err;
    char *text = bri_identified_scenario(r, 0, &def, &err);
    assert_non_null(strstr(text, "# pad.kv[2] = 30"));
    assert_null(strstr(text, "kv[1]:"));
    free(text);
    assert_true(r->fits[0].validated < 0.05);
    bri_identified_free(r);
    unlink(second);
}

/* A search for the ratio of directions begins where the rig has it. */
static void begins_at_the_direction_of_the_rig(void **state) {
    (void)state;
    put(rig, "bodies: {axis: {mass: 90 kg}}\n"
             "contacts: {pad: {between: [axis, ground], model: coulomb, Fc: 5 N, backward: 1.7}}\n"
             "drives: {motor: {on: axis, force: 0 N}}\n"
             "run: {until: 1 s}\n");
    write_axis(0.2, 5.0);
    bri_identify_def def = {.map = "t=t,axis.x=x,motor.force=F",
                            .unknown = "pad.Fc,pad.kv,pad.backward,offset",
                            .starts = 1,
                            .folds = 1};
    bri_identified *r = identify(def);
    assert_float_equal(estimate(r, "pad.backward")->start, 1.7, 0.0);
    near(estimate(r, "pad.backward")->value, 1.0, 0.05, "ratio of directions");
    bri_identified_free(r);
    put(rig, coulomb_axis); /* without one it begins at 1 */
    r = identify(def);
    assert_float_equal(estimate(r, "pad.backward")->start, 1.0, 0.0);
    bri_identified_free(r);
}

/* A stand that starts up and shuts down: what lies outside the span that is asked for is not
 * seen. */
static void takes_a_span(void **state) {
    (void)state;
    char line[200];
    put(rig, coulomb_axis);
    write_axis(0.2, 5.0);
    FILE *in = fopen(csv, "r");
    double t, x, F, last = 0.0;
    char *text = calloc(1, 100 * ROWS), *end = text;
    assert_non_null(fgets(line, sizeof line, in));
    end += sprintf(end, "t,x,F\n");
    while (fscanf(in, "%lf,%lf,%lf", &t, &x, &F) == 3) {
        end += sprintf(end, "%.9g,%.15g,%.15g\n", t, x, t < 1.0 ? 500.0 : F);
        last = t;
    }
    fclose(in);
    put(csv, text);
    free(text);
    assert_true(last > 2.0);
    bri_identify_def def = {.map = "t=t,axis.x=x,motor.force=F",
                            .unknown = "pad.Fc,pad.kv,axis.mass,offset",
                            .starts = 2,
                            .folds = 1,
                            .force = 1};
    bri_identified *r = identify(def);
    assert_true(fabs(estimate(r, "axis.mass")->value - 90.0) > 10.0);
    bri_identified_free(r);
    def.from = 1.0, def.until = INFINITY;
    r = identify(def);
    near(estimate(r, "axis.mass")->value, 90.0, 0.01, "mass within the span");
    near(estimate(r, "pad.Fc")->value, 20.0, 0.01, "friction within the span");
    assert_true(r->data.rows < ROWS);
    bri_identified_free(r);
}

/* Force of an element that is elastic up to a deflection: the regression finds deflection and level
 * whatever their sizes are beside the travel. */
static void guesses_deflections(void **state) {
    (void)state;
    enum { N = 4000 };
    double *v = malloc(N * sizeof *v), *y = malloc(N * sizeof *y);
    for (int i = 0; i < SAMPLE(40, 8); i++) {
        double travel = pow(10.0, -4.0 + 4.0 * bri_random(31.0, i));
        double share = pow(10.0, -3.0 + 2.5 * bri_random(32.0, i)), d = share * travel, z = 0.0;
        double level = pow(10.0, -2.0 + 5.0 * bri_random(33.0, i)), h = 1e-3, load = 3.0;
        for (int k = 0; k < N; k++) {
            v[k] = pi * travel * cos(2.0 * pi * k * h);
            for (int s = 0; s < 50; s++)
                z = fmin(fmax(z + h / 50.0 * pi * travel * cos(2.0 * pi * (k + s / 50.0) * h), -d),
                         d);
            y[k] = level * (z / d + 0.02 * normal(34.0 + i, k)) + 0.3 * level;
        }
        id_run run = {.body = -1, .of = 0, .sign = 1.0, .count = N, .h = h, .slide = v, .y = y};
        bri_contact pad = {.n = load};
        id_rig with = {.contacts = &pad};
        id_force f = {.run = &run, .n_runs = 1, .rig = &with, .size = level};
        id_rough g = id_rough_of(&f);
        if (!(g.deflection > 0.5 * d && g.deflection < 2.0 * d) ||
            fabs(g.level / level - 1.0) > 0.1)
            fail_msg("deflection %g of %g, level %g of %g, travel %g", g.deflection, d, g.level,
                     level, travel);
    }
    free(v), free(y);
}

/* A law that is half as wrong again in every block, and very wrong in one, is not in the first
 * group: the scatter that one block makes must not hide the others. One that is as good is. */
static void tells_laws_apart(void **state) {
    (void)state;
    enum { N = 2000, LAWS = 3 };
    double *held[LAWS];
    bri_identified r = {.fits = calloc(LAWS, sizeof(bri_fit)), .n_fits = LAWS};
    static const char *const names[LAWS] = {"good", "equal", "bad"};
    for (int i = 0; i < LAWS; i++) {
        double sum = 0.0;
        held[i] = malloc(N * sizeof(double));
        for (int k = 0; k < N; k++) {
            held[i][k] = normal(40.0, k) + 0.05 * normal(41.0 + i, k);
            if (i == 2) held[i][k] *= k / 100 == 7 ? 30.0 : 1.5;
            sum += held[i][k] * held[i][k];
        }
        r.fits[i] = (bri_fit){.samples = N, .rms = 1.0, .relative = 0.1, .effective = N};
        snprintf(r.fits[i].law, sizeof r.fits[i].law, "%s", names[i]);
        r.fits[i].held_out = 0.1 * sqrt(sum / N);
        r.fits[i].n_estimates = 3 - i;
    }
    id_rank(&r, held);
    for (int i = 0; i < LAWS; i++)
        assert_int_equal(r.fits[i].group, strcmp(r.fits[i].law, "bad") == 0 ? 2 : 1);
    assert_non_null(strstr(r.advice, "Take equal"));
    for (int i = 0; i < LAWS; i++) free(held[i]);
    free(r.advice);
    free(r.fits);
}

static void refuses_wrong_questions(void **state) {
    (void)state;
    static const struct {
        bri_identify_def def;
        const char *words;
    } bad[] = {
        {{.map = "t=t,axis.x=x,motor.force=F", .unknown = "pad.Fx"}, "did you mean"},
        {{.map = "t=t,axis.x=x,motor.force=F", .unknown = "pad.Fc", .each = "all"}, "one by one"},
        {{.map = "t=t,axis.x=x,motor.force=F", .unknown = "pad.Fc", .each = "pad.kw"},
         "did you mean 'pad.kv'"},
        {{.map = "t=t,axis.x=x,motor.force=F", .unknown = "pad.Fc,pad.Fs", .each = "pad.Fs"},
         "or neither"},
        {{.map = "t=t,axis.x=x", .unknown = "pad.Fc", .way = BRI_WAY_FORCE},
         "no force is measured"},
        {{.map = "t=t,motor.force=F", .unknown = "pad.Fc"}, "no motion is measured"},
        {{.map = "axis.x=x,motor.force=F", .unknown = "pad.Fc"}, "a motion has a time"},
        {{.map = "t=t,axis.x=x,motor.force=F", .unknown = "pad.Fc", .filter = 1e6}, "does nothing"},
        {{.map = "t=t,axis.x=x,motor.force=F", .starts = 1000}, "starts"},
        {{.map = "t=t,axis.x=x[kg],motor.force=F", .unknown = "pad.Fc"}, "axis.x=x[kg]"},
        {{.map = "t=t,axis.x=x,motor.force=F", .from = 2.0, .until = 1.0}, "before until"},
        {{.map = "t=t,axis.x=x,motor.force=F", .from = 1e6, .until = 2e6}, "its times go from 0"},
        {{.map = "pad.v=x,pad.F=F", .from = 1.0, .until = 2.0}, "no span"},
    };
    put(rig, coulomb_axis);
    write_axis(0.2, 5.0);
    const char *files[1] = {csv};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        bri_identify_def def = bad[i].def;
        bri_messages m = {0};
        bri_identified *r = NULL;
        def.scenario = rig, def.files = files, def.n_files = 1, def.threads = 1;
        assert_int_not_equal(bri_identify_run(&def, NULL, &r, &m), BRI_OK);
        assert_null(r);
        assert_int_equal(m.count, 1);
        if (!strstr(m.message[0].text, bad[i].words))
            fail_msg("'%s' lacks '%s'", m.message[0].text, bad[i].words);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_minima),
        cmocka_unit_test(keeps_bounds),
        cmocka_unit_test(resists_outliers),
        cmocka_unit_test(finds_eigenvalues),
        cmocka_unit_test(filters_without_delay),
        cmocka_unit_test(knows_the_colour),
        cmocka_unit_test(reads_maps),
        cmocka_unit_test(reads_many_columns),
        cmocka_unit_test(reads_files),
        cmocka_unit_test(derivatives_are_right),
        cmocka_unit_test(filters_by_noise),
        cmocka_unit_test(finds_the_axis),
        cmocka_unit_test(says_what_it_cannot_know),
        cmocka_unit_test(refuses_nonsense),
        cmocka_unit_test(fits_a_curve),
        cmocka_unit_test(fits_curves_of_two_files),
        cmocka_unit_test(tells_of_drift),
        cmocka_unit_test(knows_files_apart),
        cmocka_unit_test(begins_at_the_direction_of_the_rig),
        cmocka_unit_test(takes_a_span),
        cmocka_unit_test(guesses_deflections),
        cmocka_unit_test(tells_laws_apart),
        cmocka_unit_test(refuses_wrong_questions),
    };
    return cmocka_run_group_tests_name("identify", tests, make_files, remove_files);
}
