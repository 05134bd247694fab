/* olsson_servo.c - Olsson and Astrom 1993: what its model is for, adaptive friction compensation.
 * The report defines no servo; it says that at high velocities the model is linear in F_c0 and
 * F_v0, which 'could be obtained by conventional estimation methods', and that the rest is
 * compensated from the model. So the servo is ours: a mass of 1 kg with the report's friction
 * follows a sine, its controller is proportional and derivative, F_c0 and F_v0 are estimated by
 * recursive least squares while |v| > 3 v_s, and what the model predicts with them for the wanted
 * velocity is added. */
#include "olsson.h"

#include <math.h>

enum { ROWS = 2000 };

typedef struct servo {
    double Fc, Fv;           /* estimates at the end [N, N s/m] */
    double error;            /* rms of the position in the last period [m] */
    double t[ROWS], e[ROWS]; /* its history */
    double Fc_t[ROWS];       /* and that of the estimate */
} servo;

/* The wanted motion: 0.05 m at 1 Hz, 0.31 m/s at most. */
static const double two_pi = 6.28318530717958647692, amplitude = 0.05;

/* Recursive least squares for F = Fc sgn(v) + Fv v. */
typedef struct estimator {
    double theta[2], P[2][2];
} estimator;

static void learn(estimator *e, double v, double F) {
    double x[2] = {copysign(1.0, v), v}, Px[2], error = F, scale = 1.0;
    for (int i = 0; i < 2; i++) {
        Px[i] = e->P[i][0] * x[0] + e->P[i][1] * x[1];
        error -= e->theta[i] * x[i];
    }
    for (int i = 0; i < 2; i++) scale += x[i] * Px[i];
    for (int i = 0; i < 2; i++) e->theta[i] += Px[i] * error / scale;
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2; k++) e->P[i][k] -= Px[i] * Px[k] / scale;
}

/* 10 s with steps of 20 microseconds: the law is stepped exactly with the velocity in the middle of
 * a step (leap frog). `adapts` is 0 for the controller alone. */
static void run(servo *s, int adapts) {
    const double h = 2e-5, T = 10.0, kp = 400.0, kd = 40.0, m = 1.0;
    const bri_model *law = bri_model_find("olsson_astrom"); /* the parameters of section 4 */
    double p[BRI_MAX_PARAMS], z[BRI_MAX_STATES], x = 0.0, v = 0.0, squares = 0.0;
    estimator e = {{0.0, 0.0}, {{100.0, 0.0}, {0.0, 100.0}}};
    long steps = (long)(T / h + 0.5), counted = 0;
    bri_model_defaults(law, p);
    bri_model_rest(law, p, z);
    double v_s = p[bri_model_param(law, "v_s")];
    for (long i = 0; i < steps; i++) {
        double t = (double)i * h, w = two_pi, r = amplitude * (1.0 - cos(w * t));
        double rv = amplitude * w * sin(w * t), ra = amplitude * w * w * cos(w * t);
        double known = 1.0 - exp(-rv * rv / (v_s * v_s));
        double help = adapts ? known * (e.theta[0] * copysign(1.0, rv) + e.theta[1] * rv) : 0.0;
        double u = m * ra + kp * (r - x) + kd * (rv - v) + help;
        const bri_input in = {.v = v, .n = law->load};
        double F = bri_model_step(law, p, &in, h, z), a = (u - F) / m;
        if (i % 50 == 0 && fabs(v) > 3.0 * v_s) learn(&e, v, u - m * a);
        v += h * a;
        x += h * v;
        if (i % (steps / ROWS) == 0) {
            long row = i / (steps / ROWS);
            s->t[row] = t, s->e[row] = r - x, s->Fc_t[row] = e.theta[0];
        }
        if (t < T - 1.0) continue;
        squares += (r - x) * (r - x);
        counted++;
    }
    s->error = sqrt(squares / (double)counted);
    s->Fc = e.theta[0];
    s->Fv = e.theta[1];
}

/* ---- quantities ---------------------------------------------------------------------------- */

static double estimated_Fc(const lab *l, const lab_quantity *q) {
    servo s;
    run(&s, 1);
    return s.Fc;
}

static double estimated_Fv(const lab *l, const lab_quantity *q) {
    servo s;
    run(&s, 1);
    return s.Fv;
}

static double error_left(const lab *l, const lab_quantity *q) {
    servo with, without;
    run(&with, 1);
    run(&without, 0);
    return with.error / without.error;
}

/* clang-format off */
static const lab_quantity quantities[] = {
    {.experiment = "adaptive compensation", .name = "F_c0 as estimated above 3 v_s", .unit = "N",
     .source = PRINTED, .published = "1.0", .measure = estimated_Fc},
    {.experiment = "adaptive compensation", .name = "F_v0 as estimated above 3 v_s", .unit = "N s/m",
     .source = PRINTED, .published = "0.6", .measure = estimated_Fv},
    {.experiment = "adaptive compensation", .name = "servo of ours: rms error with over without", .unit = "",
     .source = CLAIM, .relation = BELOW, .published = "0.5",
     .grounds = "'failure to account for friction can lead to tracking errors': less than half is left",
     .measure = error_left},
};
/* clang-format on */

const lab_section olsson_servo = LAB_SECTION(quantities);

void olsson_draw_servo(bri_report *r) {
    servo with, without;
    lab_figure f;
    run(&with, 1);
    run(&without, 0);
    lab_figure_begin(&f, "Olsson and Astrom 1993: a servo with and without compensation", 1, 2);
    lab_panel(&f, 0, 0, NULL, "time", "s", "error of the position", "m");
    lab_line(&f, "without", without.t, without.e, ROWS, LINE);
    lab_line(&f, "with", with.t, with.e, ROWS, LINE);
    lab_panel(&f, 0, 1, NULL, "time", "s", "estimate of F_c0", "N");
    lab_line(&f, NULL, with.t, with.Fc_t, ROWS, LINE);
    lab_figure_end(&f, r, "olsson-servo",
                   "A mass of 1 kg follows a sine of 0.05 m at 1 Hz. The servo is ours: the report "
                   "names the purpose of its model and defines none.");
}
