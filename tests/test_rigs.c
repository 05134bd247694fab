/* test_rigs.c - the shipped rigs with expressions and gears against their equations of motion,
 * written out here by hand and integrated by an explicit method that knows nothing of the library,
 * and against closed solutions. */
#include "bristle_scenario.h"
#include "test.h"
#include <stdlib.h>

/* ---- an explicit method: Dormand and Prince, order 5(4) ------------------------------------ */

enum { MOST_UNKNOWNS = 6 };

typedef struct reference {
    int n;
    double t, y[MOST_UNKNOWNS], h, size[MOST_UNKNOWNS]; /* sizes by which errors are measured */
    void (*rates)(double t, const double *y, double *dy);
} reference;

/* One try over h; returns its error, and the end in y. */
static double dormand_prince(const reference *r, double h, double *y) {
    static const double c[7] = {0.0, 0.2, 0.3, 0.8, 8.0 / 9.0, 1.0, 1.0};
    static const double a[7][6] = {
        {0},
        {1.0 / 5.0},
        {3.0 / 40.0, 9.0 / 40.0},
        {44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0},
        {19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0},
        {9017.0 / 3168.0, -355.0 / 33.0, 46732.0 / 5247.0, 49.0 / 176.0, -5103.0 / 18656.0},
        {35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0}};
    static const double low[7] = {
        5179.0 / 57600.0, 0.0,       7571.0 / 16695.0, 393.0 / 640.0, -92097.0 / 339200.0,
        187.0 / 2100.0,   1.0 / 40.0};
    double k[7][MOST_UNKNOWNS], error = 0.0;
    for (int s = 0; s < 7; s++) {
        for (int i = 0; i < r->n; i++) {
            y[i] = r->y[i];
            for (int j = 0; j < s; j++) y[i] += h * a[s][j] * k[j][i];
        }
        r->rates(r->t + c[s] * h, y, k[s]);
    }
    for (int i = 0; i < r->n; i++) {
        double other = r->y[i];
        for (int s = 0; s < 7; s++) other += h * low[s] * k[s][i];
        error = fmax(error, fabs(y[i] - other) / r->size[i]);
    }
    return error;
}

static void advance_to(reference *r, double end) {
    const double tolerance = 1e-11;
    while (r->t < end) {
        double y[MOST_UNKNOWNS], h = fmin(r->h, end - r->t), error = dormand_prince(r, h, y);
        if (error <= tolerance) {
            r->t = h < r->h ? end : r->t + h;
            memcpy(r->y, y, sizeof y);
        }
        double factor = 0.9 * pow(tolerance / fmax(error, 1e-20), 0.2);
        if (error > tolerance || h == r->h) r->h = h * fmin(fmax(factor, 0.2), 3.0);
    }
}

/* LuGre, Canudas de Wit et al. 1995, (1)-(3): the force, and the rate of the deflection. */
static double lugre(double level, double peak, double v_s, double power, double s0, double s1,
                    double v, double z, double *rate) {
    double g = level + (peak - level) * exp(-pow(fabs(v) / v_s, power));
    *rate = v - s0 * fabs(v) * z / g;
    return s0 * z + s1 * *rate;
}

static double within(double x, double limit) { return x > limit ? limit : x < -limit ? -limit : x; }

/* ---- the library's side -------------------------------------------------------------------- */

static bri_scenario *load(const char *name, const char *rtol) {
    bri_override change = {"run.rtol", rtol};
    bri_scenario_options options = {.overrides = &change, .n_overrides = 1};
    bri_messages messages;
    bri_scenario *s;
    if (bri_scenario_load(name, &options, &s, &messages) != BRI_OK)
        fail_msg("%s", messages.message[0].text);
    return s;
}

static bri_sim *start(const bri_scenario *s) {
    bri_sim *sim;
    bri_error err;
    if (bri_sim_create(bri_scenario_def(s), &sim, &err) != BRI_OK) fail_msg("%s", err.text);
    return sim;
}

static void go(bri_sim *sim, double t) {
    bri_error err;
    if (bri_sim_advance(sim, t, &err) != BRI_OK) fail_msg("%s", err.text);
}

static void close_to(double got, double wanted, double tolerance, const char *what, double t) {
    if (!(fabs(got - wanted) <= tolerance))
        fail_msg("%s at %g s: %.12g, expected %.12g", what, t, got, wanted);
}

/* ---- the rigs ------------------------------------------------------------------------------ */

/* Unknowns: motor and link as the motor sees it, their velocities, deflection. */
static void joint_rates(double t, const double *y, double *dy) {
    double r = t < 0.1   ? 0.0
               : t < 1.1 ? 100.0 * (t - 0.1)
                         : 100.0,
           dr = t < 0.1 || t > 1.1 ? 0.0 : 100.0;
    double shaft = y[0] - y[1] + 5e-4 * (y[2] - y[3]);
    double F = lugre(0.02, 0.03, 0.1, 2.0, 30.0, 0.1, y[2], y[4], &dy[4]);
    dy[0] = y[2];
    dy[1] = y[3];
    dy[2] = (0.5 * (r - y[0]) + 0.01 * (dr - y[2]) - shaft - F) / 1e-4;
    dy[3] = (shaft - 9.81 / 100.0 * sin(y[1] / 100.0)) / 1e-4;
}

/* At 5 s also against SciPy, Radau with 1e-9: 99.83442538 and 99.75200854. */
static void robot_joint(void **state) {
    bri_scenario *s = load("robot_joint", "1e-8");
    bri_sim *sim = start(s);
    reference r = {.n = 5, .h = 1e-5, .size = {1.0, 1.0, 1.0, 1.0, 1e-3}, .rates = joint_rates};
    static const double stops[] = {0.1, 0.4, 0.7, 1.1, 1.5, 2.0, 3.0, 5.0};
    for (size_t i = 0; i < sizeof stops / sizeof *stops; i++) {
        advance_to(&r, stops[i]);
        go(sim, stops[i]);
        close_to(bri_sim_body(sim, 0).x, r.y[0], 2e-7, "motor", stops[i]);
        close_to(bri_sim_body(sim, 1).x, r.y[1], 2e-7, "shaft", stops[i]);
        close_to(bri_sim_body(sim, 2).x, r.y[1] / 100.0, 2e-9, "arm", stops[i]);
        close_to(bri_sim_body(sim, 2).v, r.y[3] / 100.0, 2e-7, "arm's velocity", stops[i]);
        /* the gear's torque moves the arm: 0.8 a = T - 9.81 sin x */
        double dy[MOST_UNKNOWNS];
        joint_rates(stops[i], r.y, dy);
        double torque = 0.8 * dy[3] / 100.0 + 9.81 * sin(r.y[1] / 100.0);
        close_to(bri_sim_coupling_force(sim, 1), torque, 2e-5, "torque of the gear", stops[i]);
    }
    close_to(bri_sim_body(sim, 0).x, 99.83442538, 1e-8, "motor, SciPy", 5.0);
    close_to(bri_sim_body(sim, 1).x, 99.75200854, 1e-8, "shaft, SciPy", 5.0);
    bri_sim_free(sim);
    bri_scenario_free(s);
}

/* Sliding that way: Stribeck's curve, Fc + (Fs - Fc) exp(-|v|/v_s). */
static double way;

static void pendulum_rates(double t, const double *y, double *dy) {
    double control = within(40.0 * (1.2 - y[0]) - 4.0 * y[1], 12.0);
    double friction = way * (0.8 + 0.4 * exp(-way * y[1] / 0.05));
    dy[0] = y[1];
    dy[1] = (control - 9.81 * sin(y[0]) - friction) / 0.5;
}

/* Go on to `end`, or to where the velocity changes its sign. */
static void slide_to(reference *r, double end) {
    reference from = *r;
    advance_to(r, end);
    if (way * r->y[1] > 0.0) return;
    double a = from.t, b = r->t;
    while (b - a > 1e-13) {
        reference middle = from;
        advance_to(&middle, 0.5 * (a + b));
        *(way * middle.y[1] > 0.0 ? &a : &b) = 0.5 * (a + b);
    }
    *r = from;
    advance_to(r, a);
}

/* Up, past its rest, and back, where it sticks. */
static void pendulum(void **state) {
    bri_scenario *s = load("pendulum_control", "1e-9");
    bri_sim *sim = start(s);
    reference r = {.n = 2, .h = 1e-5, .size = {1.0, 1.0}, .rates = pendulum_rates};
    double rest = 0.0;
    int turns = 0;
    way = 1.0;
    for (int i = 1; i < 40 && turns < 9; i++) {
        slide_to(&r, 0.05 * i);
        if (r.t == 0.05 * i) {
            go(sim, r.t);
            close_to(bri_sim_body(sim, 0).x, r.y[0], 1e-7, "arm", r.t);
            close_to(bri_sim_body(sim, 0).v, r.y[1], 1e-6, "arm's velocity", r.t);
            continue;
        }
        turns++;
        r.y[1] = 0.0;
        rest = within(40.0 * (1.2 - r.y[0]), 12.0) - 9.81 * sin(r.y[0]);
        if (fabs(rest) < 1.2) break; /* it stays */
        way = rest > 0.0 ? 1.0 : -1.0;
        i--;
    }
    assert_int_equal(turns, 2);
    assert_true(fabs(rest) < 1.2);
    go(sim, 4.0);
    close_to(bri_sim_body(sim, 0).x, r.y[0], 1e-7, "arm at rest", 4.0);
    close_to(bri_sim_contact(sim, 0).F, rest, 1e-5, "friction at rest", 4.0);
    assert_int_equal(bri_sim_contact(sim, 0).motion, 0);
    int count;
    const bri_event *events = bri_sim_events(sim, &count, NULL);
    assert_true(count > 0);
    close_to(events[count - 1].t, r.t, 1e-6, "rest", r.t);
    bri_sim_free(sim);
    bri_scenario_free(s);
}

/* J v' = -mu (a + b v): v = (v0 + a/b) exp(-mu b t/J) - a/b, until it is zero. */
static void brake(void **state) {
    bri_scenario *s = load("brake", "1e-9");
    bri_sim *sim = start(s);
    double rate = 0.4 * 0.3 / 0.5, c = 10.0 / 0.3, stop = log(1.0 + 100.0 / c) / rate;
    near(stop, 5.776, 1e-3, "stop");
    for (int i = 1; i <= 14; i++) {
        double t = 0.5 * i, v = t < stop ? (100.0 + c) * exp(-rate * t) - c : 0.0;
        double until = fmin(t, stop),
               x = (100.0 + c) * (1.0 - exp(-rate * until)) / rate - c * until;
        go(sim, t);
        close_to(bri_sim_body(sim, 0).v, v, 1e-6, "speed", t);
        close_to(bri_sim_body(sim, 0).x, x, 1e-6, "angle", t);
        close_to(bri_sim_contact(sim, 0).N, 10.0 + 0.3 * v, 1e-6, "load", t);
    }
    bri_sim_free(sim);
    bri_scenario_free(s);
}

/* Dahl 1968 with i = 1: z' = v - sigma0 |v| z/Fc, F = sigma0 z. */
static void duffing_rates(double t, const double *y, double *dy) {
    dy[0] = y[1];
    dy[2] = y[1] - 100.0 * fabs(y[1]) * y[2] / 0.1;
    dy[1] = 0.8 * sin(0.5 * 3.14159265358979323846 * t) - y[0] - y[0] * y[0] * y[0] - 100.0 * y[2];
}

static void duffing(void **state) {
    bri_scenario *s = load("duffing", "1e-9");
    bri_sim *sim = start(s);
    reference r = {.n = 3, .h = 1e-4, .size = {1.0, 1.0, 1e-3}, .rates = duffing_rates};
    r.y[0] = 0.5;
    for (int i = 1; i <= 20; i++) {
        advance_to(&r, 2.0 * i);
        go(sim, 2.0 * i);
        close_to(bri_sim_body(sim, 0).x, r.y[0], 3e-6, "mass", 2.0 * i);
        close_to(bri_sim_coupling_force(sim, 0), r.y[0] + pow(r.y[0], 3.0), 1e-5, "spring", r.t);
    }
    bri_sim_free(sim);
    bri_scenario_free(s);
}

/* Unknowns of the carriage: (M + J/r^2) a = T/r - F. */
static void rack_rates(double t, const double *y, double *dy) {
    double up = t < 0.1 ? 0.0 : fmin((t - 0.1) / 0.4, 1.0), down = t > 1.6 ? (t - 1.6) / 0.4 : 0.0;
    double ref = 0.1 * fmax(up - down, 0.0);
    double rate = t < 0.1 || t > 2.0 || (t > 0.5 && t < 1.6) ? 0.0 : t < 1.0 ? 0.25 : -0.25;
    double T = within(60.0 * (ref - y[0]) + 3.0 * (rate - y[1]), 2.0);
    double F = lugre(5.0, 7.0, 5e-3, 1.0, 2e5, 800.0, y[1], y[2], &dy[2]);
    dy[0] = y[1];
    dy[1] = (T / 0.02 - F) / (5.0 + 2e-3 / (0.02 * 0.02));
}

static void rack(void **state) {
    bri_scenario *s = load("rack_and_pinion", "1e-8");
    bri_sim *sim = start(s);
    reference r = {.n = 3, .h = 1e-5, .size = {1e-2, 1e-1, 1e-5}, .rates = rack_rates};
    static const double stops[] = {0.1, 0.3, 0.5, 0.8, 1.6, 1.8, 2.0, 2.5, 3.0};
    for (size_t i = 0; i < sizeof stops / sizeof *stops; i++) {
        advance_to(&r, stops[i]);
        go(sim, stops[i]);
        close_to(bri_sim_body(sim, 1).x, r.y[0], 1e-8, "carriage", stops[i]);
        close_to(bri_sim_body(sim, 0).x, r.y[0] / 0.02, 1e-6, "motor", stops[i]);
    }
    bri_sim_free(sim);
    bri_scenario_free(s);
}

/* Without inertia, which plays no part here: the balance k (s - x) = F gives the velocity. */
static void slider_rates(double t, const double *y, double *dy) {
    double driver =
        1e-6 * t + (t > 20.0 ? 9e-6 * (t - 20.0) : 0.0) - (t > 60.0 ? 9e-6 * (t - 60.0) : 0.0);
    double F = 2e5 * (driver - y[0] + 0.3e-3), psi = log(1e-6 * y[1] / 1e-5);
    double v = 2e-6 * exp(-(0.6 + 0.015 * psi) / 0.01) * sinh(F / (100.0 * 0.01));
    dy[0] = v;
    dy[1] = 1.0 - v * y[1] / 1e-5;
}

static void velocity_steps(void **state) {
    bri_scenario *s = load("velocity_steps", "1e-8");
    bri_sim *sim = start(s);
    reference r = {.n = 2, .h = 1e-3, .size = {1e-5, 1e1}, .rates = slider_rates};
    static const double stops[] = {10.0, 20.0, 20.5, 21.0, 25.0, 60.0, 60.5, 65.0, 80.0, 160.0};
    double peak = 0.0;
    r.y[1] = 10.0;
    for (size_t i = 0; i < sizeof stops / sizeof *stops; i++) {
        advance_to(&r, stops[i]);
        go(sim, stops[i]);
        close_to(bri_sim_body(sim, 0).x, r.y[0], 1e-11, "slider", stops[i]);
        bri_contact_now now = bri_sim_contact(sim, 0);
        close_to(now.z[0], r.y[1], 1e-4 * r.y[1], "state", stops[i]);
        if (stops[i] < 59.0) peak = fmax(peak, now.F / 100.0);
        if (stops[i] == 60.0) /* steady at 10 um/s: mu_0 + (a - b) ln 10 */
            close_to(now.F / 100.0, 0.6 - 0.005 * log(10.0), 1e-6, "steady friction", 60.0);
    }
    assert_true(peak > 0.6 + 0.5 * 0.01 * log(10.0)); /* the direct effect */
    bri_sim_free(sim);
    bri_scenario_free(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(robot_joint), cmocka_unit_test(pendulum), cmocka_unit_test(brake),
        cmocka_unit_test(duffing),     cmocka_unit_test(rack),     cmocka_unit_test(velocity_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
