/* signal.c - functions of time that drive a system: value, integral, two derivatives and kinks.
 *
 * out[0] integral from 0, out[1] value, out[2] and out[3] first and second derivative. A signal
 * that starts at a time `from` is zero before it. most: bounds of the value and of three
 * derivatives between two times without a kink in between. */
#include "signal.h"
#include "kinds.h"
#include "random.h"
#include <math.h>
#include <string.h>

static const double two_pi = 6.28318530717958647693;

/* fmax is a call */
static inline double positive(double x) { return x > 0.0 ? x : 0.0; }

static void nothing(double out[4]) { out[0] = out[1] = out[2] = out[3] = 0.0; }

/* The first of the times that lies after t. */
static double next_of(double t, const double *times, int n) {
    double next = INFINITY;
    for (int i = 0; i < n; i++)
        if (times[i] > t && times[i] < next) next = times[i];
    return next;
}

/* ---- constant, step, ramp --------------------------------------------------------------- */

static const bri_param constant_params[] = {{"value", "=", 0.0, -1e30, 1e30, "value", NULL, 0}};

static void constant_eval(const bri_signal *s, double t, double out[4]) {
    nothing(out);
    out[0] = s->p[0] * t;
    out[1] = s->p[0];
}

static double constant_kink(const bri_signal *s, double t) { return INFINITY; }

/* A signal that is a straight line from kink to kink is largest at an end. The end may be one: its
 * other side does not count. */
static void straight_most(const bri_signal *s, double from, double to, double out[4]) {
    double a[4], b[4];
    s->kind->eval(s, from, a);
    s->kind->eval(s, nextafter(to, from), b);
    out[0] = fmax(fabs(a[1]), fabs(b[1]));
    out[1] = fmax(fabs(a[2]), fabs(b[2]));
    out[2] = out[3] = 0.0;
}

enum { STEP_VALUE, STEP_AT, STEP_BEFORE };
static const bri_param step_params[] = {
    {"value", "=", 1.0, -1e30, 1e30, "value from the step on", NULL, 0},
    {"at", "s", 0.0, -1e30, 1e30, "time of the step", NULL, 0},
    {"before", "=", 0.0, -1e30, 1e30, "value before the step", NULL, 0},
};

/* Integral of a function that is a before `at` and b after it. */
static double step_integral(double a, double b, double at, double t) {
    double since = at > 0.0 ? at : 0.0;
    double first = at > 0.0 ? a : b; /* the piece that holds at time 0 */
    return t <= since ? first * t : first * since + b * (t - since);
}

static void step_eval(const bri_signal *s, double t, double out[4]) {
    nothing(out);
    out[0] = step_integral(s->p[STEP_BEFORE], s->p[STEP_VALUE], s->p[STEP_AT], t);
    out[1] = t >= s->p[STEP_AT] ? s->p[STEP_VALUE] : s->p[STEP_BEFORE];
}

static double step_kink(const bri_signal *s, double t) { return next_of(t, s->p + STEP_AT, 1); }

enum { RAMP_RATE, RAMP_FROM, RAMP_UNTIL, RAMP_BEFORE };
static const bri_param ramp_params[] = {
    {"rate", "=/s", 1.0, -1e30, 1e30, "slope of the ramp", NULL, 0},
    {"from", "s", 0.0, -1e30, 1e30, "time at which it starts", NULL, 0},
    {"until", "s", 1e30, -1e30, 1e30, "time from which its value is held", NULL, 0},
    {"before", "=", 0.0, -1e30, 1e30, "value before the ramp", NULL, 0},
};

/* Integral of max(0, t - from) from 0 to t. */
static double ramp_integral(double from, double t) {
    double a = positive(t - from), b = positive(-from);
    return 0.5 * (a * a - b * b);
}

static void ramp_eval(const bri_signal *s, double t, double out[4]) {
    double rate = s->p[RAMP_RATE], from = s->p[RAMP_FROM], until = s->p[RAMP_UNTIL];
    double before = s->p[RAMP_BEFORE];
    out[0] = before * t + rate * (ramp_integral(from, t) - ramp_integral(until, t));
    out[1] = before + rate * (positive(t - from) - positive(t - until));
    out[2] = t >= from && t < until ? rate : 0.0;
    out[3] = 0.0;
}

static const char *ramp_check(const double *p) {
    return p[RAMP_FROM] < p[RAMP_UNTIL] ? NULL : "until must lie after from";
}

static double ramp_kink(const bri_signal *s, double t) { return next_of(t, s->p + RAMP_FROM, 2); }

/* ---- trapezoid: the difference of two ramps --------------------------------------------- */

enum { TRAPEZOID_VALUE, TRAPEZOID_FROM, TRAPEZOID_UNTIL, TRAPEZOID_RISE, TRAPEZOID_FALL };
static const bri_param trapezoid_params[] = {
    {"value", "=", 1.0, -1e30, 1e30, "height", NULL, 0},
    {"from", "s", 0.0, -1e30, 1e30, "time at which it starts to rise", NULL, 0},
    {"until", "s", 1.0, -1e30, 1e30, "time at which it is zero again", NULL, 0},
    {"rise", "s", 0.1, 1e-12, 1e30, "duration of the rise", NULL, 0},
    {"fall", "s", 0.1, 1e-12, 1e30, "duration of the fall", NULL, 0},
};

static const char *trapezoid_check(const double *p) {
    double rest = p[TRAPEZOID_UNTIL] - p[TRAPEZOID_FROM] - p[TRAPEZOID_RISE] - p[TRAPEZOID_FALL];
    double size = fabs(p[TRAPEZOID_UNTIL]) + fabs(p[TRAPEZOID_FROM]);
    return rest >= -1e-12 * size ? NULL : "rise and fall together are longer than from to until";
}

static void trapezoid_corners(const double *p, double corner[4]) {
    corner[0] = p[TRAPEZOID_FROM];
    corner[1] = p[TRAPEZOID_FROM] + p[TRAPEZOID_RISE];
    corner[2] = p[TRAPEZOID_UNTIL] - p[TRAPEZOID_FALL];
    corner[3] = p[TRAPEZOID_UNTIL];
}

static void trapezoid_eval(const bri_signal *s, double t, double out[4]) {
    nothing(out);
    const double *p = s->p;
    if (p[TRAPEZOID_FROM] > 0.0 && t < p[TRAPEZOID_FROM]) return;
    if (p[TRAPEZOID_FROM] > 0.0 && t >= p[TRAPEZOID_UNTIL]) {
        out[0] = p[TRAPEZOID_VALUE] * (p[TRAPEZOID_UNTIL] - p[TRAPEZOID_FROM] -
                                       0.5 * (p[TRAPEZOID_RISE] + p[TRAPEZOID_FALL]));
        return;
    }
    double c[4], up = s->p[TRAPEZOID_VALUE] / s->p[TRAPEZOID_RISE];
    double down = s->p[TRAPEZOID_VALUE] / s->p[TRAPEZOID_FALL];
    trapezoid_corners(s->p, c);
    const double slope[4] = {up, -up, -down, down};
    for (int i = 0; i < 4; i++) {
        out[0] += slope[i] * ramp_integral(c[i], t);
        out[1] += slope[i] * positive(t - c[i]);
        if (t >= c[i]) out[2] += slope[i];
    }
    if (t >= c[3]) out[1] = out[2] = 0.0; /* exactly, whatever rounding left */
}

static double trapezoid_kink(const bri_signal *s, double t) {
    double corner[4];
    trapezoid_corners(s->p, corner);
    return next_of(t, corner, 4);
}

/* ---- pulses ----------------------------------------------------------------------------- */

enum { PULSES_VALUE, PULSES_FROM, PULSES_WIDTH, PULSES_PERIOD, PULSES_COUNT };
static const bri_param pulses_params[] = {
    {"value", "=", 1.0, -1e30, 1e30, "height of a pulse", NULL, 0},
    {"from", "s", 0.0, -1e30, 1e30, "start of the first pulse", NULL, 0},
    {"width", "s", 0.1, 1e-12, 1e30, "duration of a pulse", NULL, 0},
    {"period", "s", 0.2, 1e-12, 1e30, "time from pulse to pulse", NULL, 0},
    {"count", "1", 1e15, 1.0, 1e15, "number of pulses", NULL, 1},
};

/* Number of the period that contains t, with borders exactly where pulses_kink puts them: just
 * before one the signal must still be that of the side before. */
static double pulse_number(const double *p, double t) {
    double k = floor((t - p[PULSES_FROM]) / p[PULSES_PERIOD]);
    if (p[PULSES_FROM] + (k + 1.0) * p[PULSES_PERIOD] <= t) return k + 1.0;
    return p[PULSES_FROM] + k * p[PULSES_PERIOD] > t ? k - 1.0 : k;
}

/* Time spent in pulses from the first one on until t. */
static double pulse_time(const double *p, double t) {
    double k = pulse_number(p, t), inside = t - p[PULSES_FROM] - k * p[PULSES_PERIOD];
    if (k < 0.0) return 0.0;
    if (k >= p[PULSES_COUNT]) return p[PULSES_COUNT] * p[PULSES_WIDTH];
    return k * p[PULSES_WIDTH] + fmin(fmax(inside, 0.0), p[PULSES_WIDTH]);
}

static void pulses_eval(const bri_signal *s, double t, double out[4]) {
    const double *p = s->p;
    double k = pulse_number(p, t), start = p[PULSES_FROM] + k * p[PULSES_PERIOD];
    nothing(out);
    out[0] = p[PULSES_VALUE] * (pulse_time(p, t) - pulse_time(p, 0.0));
    if (k >= 0.0 && k < p[PULSES_COUNT] && t < start + p[PULSES_WIDTH]) out[1] = p[PULSES_VALUE];
}

static double pulses_kink(const bri_signal *s, double t) {
    const double *p = s->p;
    double k = fmax(pulse_number(p, t), 0.0);
    if (k >= p[PULSES_COUNT]) return INFINITY;
    double start = p[PULSES_FROM] + k * p[PULSES_PERIOD];
    const double times[3] = {
        start, start + p[PULSES_WIDTH],
        k + 1.0 < p[PULSES_COUNT] ? p[PULSES_FROM] + (k + 1.0) * p[PULSES_PERIOD] : INFINITY};
    return next_of(t, times, 3);
}

/* ---- sine and chirp --------------------------------------------------------------------- */

enum { SINE_AMPLITUDE, SINE_FREQUENCY, SINE_PHASE, SINE_MEAN, SINE_FROM, SINE_UNTIL };
static const bri_param sine_params[] = {
    {"amplitude", "=", 1.0, -1e30, 1e30, "amplitude", NULL, 0},
    {"frequency", "Hz", 1.0, 0.0, 1e12, "frequency", NULL, 0},
    {"phase", "rad", 0.0, -1e6, 1e6, "phase at `from`; 90 degree makes a cosine", NULL, 0},
    {"mean", "=", 0.0, -1e30, 1e30, "value about which it swings", NULL, 0},
    {"from", "s", 0.0, -1e30, 1e30, "time at which it starts; zero before", NULL, 0},
    {"until", "s", 1e30, -1e30, 1e30, "time at which it ends; zero after", NULL, 0},
};

/* Integral of the sine itself since `from`. */
static double sine_integral(const double *p, double since) {
    double w = two_pi * p[SINE_FREQUENCY];
    if (since <= 0.0) return 0.0;
    double half = 0.5 * w * since; /* cos a - cos b as a product: no cancellation for short times */
    if (half < 1e-8)               /* sin(half) = half, and w may be too small to be divided by */
        return since * (p[SINE_MEAN] + p[SINE_AMPLITUDE] * sin(half + p[SINE_PHASE]));
    return p[SINE_MEAN] * since +
           p[SINE_AMPLITUDE] / w * 2.0 * sin(half) * sin(half + p[SINE_PHASE]);
}

static void sine_rates(const bri_signal *s, double t, double out[4]) {
    const double *p = s->p;
    double w = two_pi * p[SINE_FREQUENCY];
    nothing(out);
    if (t < p[SINE_FROM] || t >= p[SINE_UNTIL]) return;
    double angle = w * (t - p[SINE_FROM]) + p[SINE_PHASE];
    double sine = p[SINE_AMPLITUDE] * sin(angle);
    out[1] = p[SINE_MEAN] + sine;
    out[2] = w * p[SINE_AMPLITUDE] * cos(angle);
    out[3] = -w * w * sine;
}

static void sine_eval(const bri_signal *s, double t, double out[4]) {
    const double *p = s->p;
    sine_rates(s, t, out);
    out[0] =
        sine_integral(p, fmin(t, p[SINE_UNTIL]) - p[SINE_FROM]) - sine_integral(p, -p[SINE_FROM]);
}

/* A wave of that amplitude and angular frequency, added. */
static void add_wave(double amplitude, double w, double out[4]) {
    for (int k = 0; k < 4; k++, amplitude *= w) out[k] += fabs(amplitude);
}

static void sine_most(const bri_signal *s, double from, double to, double out[4]) {
    const double *p = s->p;
    nothing(out);
    if (to <= p[SINE_FROM] || from >= p[SINE_UNTIL]) return;
    out[0] = fabs(p[SINE_MEAN]);
    add_wave(p[SINE_AMPLITUDE], two_pi * p[SINE_FREQUENCY], out);
}

static double sine_kink(const bri_signal *s, double t) { return next_of(t, s->p + SINE_FROM, 2); }

enum { CHIRP_AMPLITUDE, CHIRP_F0, CHIRP_F1, CHIRP_FROM, CHIRP_UNTIL };
static const bri_param chirp_params[] = {
    {"amplitude", "=", 1.0, -1e30, 1e30, "amplitude", NULL, 0},
    {"f0", "Hz", 0.1, 0.0, 1e12, "frequency at `from`", NULL, 0},
    {"f1", "Hz", 10.0, 0.0, 1e12, "frequency at `until`", NULL, 0},
    {"from", "s", 0.0, -1e30, 1e30, "start of the sweep; zero before", NULL, 0},
    {"until", "s", 1.0, -1e30, 1e30, "end of the sweep; zero after", NULL, 0},
};

static void chirp_eval(const bri_signal *s, double t, double out[4]) {
    const double *p = s->p;
    nothing(out);
    if (t < p[CHIRP_FROM] || t >= p[CHIRP_UNTIL]) return;
    double since = t - p[CHIRP_FROM], span = p[CHIRP_UNTIL] - p[CHIRP_FROM];
    double sweep = two_pi * (p[CHIRP_F1] - p[CHIRP_F0]) / span; /* rate of the angular frequency */
    double w = two_pi * p[CHIRP_F0] + sweep * since;
    double angle = (two_pi * p[CHIRP_F0] + 0.5 * sweep * since) * since;
    out[1] = p[CHIRP_AMPLITUDE] * sin(angle);
    out[2] = p[CHIRP_AMPLITUDE] * w * cos(angle);
    out[3] = p[CHIRP_AMPLITUDE] * (sweep * cos(angle) - w * w * sin(angle));
}

/* With w(t) and its rate r: the derivatives of A sin(angle) are A w, A (w^2 + r), A (w^3 + 3 w r)
 * at most. */
static void chirp_most(const bri_signal *s, double from, double to, double out[4]) {
    const double *p = s->p;
    nothing(out);
    if (to <= p[CHIRP_FROM] || from >= p[CHIRP_UNTIL]) return;
    double span = p[CHIRP_UNTIL] - p[CHIRP_FROM], r = two_pi * (p[CHIRP_F1] - p[CHIRP_F0]) / span;
    double a = two_pi * p[CHIRP_F0] + r * (fmax(from, p[CHIRP_FROM]) - p[CHIRP_FROM]);
    double b = two_pi * p[CHIRP_F0] + r * (fmin(to, p[CHIRP_UNTIL]) - p[CHIRP_FROM]);
    double w = fmax(fabs(a), fabs(b)), amplitude = fabs(p[CHIRP_AMPLITUDE]);
    add_wave(amplitude, w, out);
    out[2] += amplitude * fabs(r);
    out[3] += amplitude * 3.0 * w * fabs(r);
}

static double chirp_kink(const bri_signal *s, double t) { return next_of(t, s->p + CHIRP_FROM, 2); }

/* ---- noise: random-phase sines, smooth and repeatable ----------------------------------- */

enum { NOISE_DEVIATION, NOISE_FREQUENCY, NOISE_BAND, NOISE_SEED };
static const bri_param noise_params[] = {
    {"deviation", "=", 1.0, 0.0, 1e30, "standard deviation", NULL, 0},
    {"frequency", "Hz", 1.0, 1e-12, 1e12, "middle frequency", NULL, 0},
    {"band", "1", 0.5, 0.0, 1.0, "half width of the band as a share of the frequency", NULL, 0},
    {"seed", "1", 1.0, 0.0, 1e15, "seed", NULL, 1},
};

double signal_noise_wave(const double *p, int k, double *w, double *phase) {
    double place = 2.0 * (k + bri_random(p[NOISE_SEED], 2 * k)) / SIGNAL_NOISE_WAVES - 1.0;
    *w = two_pi * p[NOISE_FREQUENCY] * (1.0 + p[NOISE_BAND] * place);
    *phase = two_pi * bri_random(p[NOISE_SEED], 2 * k + 1);
    return p[NOISE_DEVIATION] * sqrt(2.0 / SIGNAL_NOISE_WAVES);
}

static void noise_eval(const bri_signal *s, double t, double out[4]) {
    nothing(out);
    for (int k = 0; k < SIGNAL_NOISE_WAVES; k++) {
        double w, phase, scale = signal_noise_wave(s->p, k, &w, &phase);
        double c = cos(w * t + phase), sine = sin(w * t + phase);
        out[0] += w > 0.0 ? scale * (sine - sin(phase)) / w : scale * c * t;
        out[1] += scale * c;
        out[2] -= scale * w * sine;
        out[3] -= scale * w * w * c;
    }
}

/* All waves at once, each of the highest frequency. */
static void noise_most(const bri_signal *s, double from, double to, double out[4]) {
    const double *p = s->p;
    nothing(out);
    add_wave(p[NOISE_DEVIATION] * sqrt(2.0 * SIGNAL_NOISE_WAVES),
             two_pi * p[NOISE_FREQUENCY] * (1.0 + p[NOISE_BAND]), out);
}

/* ---- table: straight lines between points ----------------------------------------------- */

/* Number of points at or before t. */
static int table_place(const bri_signal *s, double t) {
    int low = 0, high = s->count;
    while (low < high) {
        int middle = (low + high) / 2;
        if (s->t[middle] <= t)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static double table_slope(const bri_signal *s, int i) {
    return (s->y[i + 1] - s->y[i]) / (s->t[i + 1] - s->t[i]);
}

/* Integral from the first point; the first and last values are held outside. */
static double table_integral(const bri_signal *s, double t) {
    int n = table_place(s, t);
    if (n == 0) return s->y[0] * (t - s->t[0]);
    double sum = s->sum ? s->sum[n - 1] : 0.0;
    for (int i = 0; !s->sum && i + 1 < n; i++)
        sum += 0.5 * (s->y[i] + s->y[i + 1]) * (s->t[i + 1] - s->t[i]);
    double since = t - s->t[n - 1];
    return sum + since * (s->y[n - 1] + (n < s->count ? 0.5 * table_slope(s, n - 1) * since : 0.0));
}

static void table_rates(const bri_signal *s, double t, double out[4]) {
    int n = table_place(s, t);
    nothing(out);
    out[1] = n == 0 ? s->y[0] : s->y[n - 1];
    if (n > 0 && n < s->count) {
        out[2] = table_slope(s, n - 1);
        out[1] += out[2] * (t - s->t[n - 1]);
    }
}

static void table_eval(const bri_signal *s, double t, double out[4]) {
    table_rates(s, t, out);
    out[0] = table_integral(s, t) - table_integral(s, 0.0);
}

static double table_kink(const bri_signal *s, double t) {
    int n = table_place(s, t);
    return n < s->count ? s->t[n] : INFINITY;
}

/* ---- sum and product -------------------------------------------------------------------- */

static void sum_eval(const bri_signal *s, double t, double out[4]) {
    nothing(out);
    for (int i = 0; i < s->count; i++) {
        double part[4];
        s->parts[i].kind->eval(&s->parts[i], t, part);
        for (int j = 0; j < 4; j++) out[j] += part[j];
    }
}

static void sum_rates(const bri_signal *s, double t, double out[4]) {
    nothing(out);
    for (int i = 0; i < s->count; i++) {
        double part[4];
        signal_rates(&s->parts[i], t, part);
        for (int j = 1; j < 4; j++) out[j] += part[j];
    }
}

static void product_eval(const bri_signal *s, double t, double out[4]) {
    nothing(out);
    out[1] = 1.0;
    for (int i = 0; i < s->count; i++) {
        double part[4];
        signal_rates(&s->parts[i], t, part);
        out[3] = out[3] * part[1] + 2.0 * out[2] * part[2] + out[1] * part[3];
        out[2] = out[2] * part[1] + out[1] * part[2];
        out[1] *= part[1];
    }
}

static double parts_kink(const bri_signal *s, double t) {
    double next = INFINITY;
    for (int i = 0; i < s->count; i++) next = fmin(next, s->parts[i].kind->kink(&s->parts[i], t));
    return next;
}

static void sum_most(const bri_signal *s, double from, double to, double out[4]) {
    nothing(out);
    for (int i = 0; i < s->count; i++) {
        double part[4];
        signal_most(&s->parts[i], from, to, part);
        for (int j = 0; j < 4; j++) out[j] += part[j];
    }
}

static void product_most(const bri_signal *s, double from, double to, double out[4]) {
    nothing(out);
    out[0] = 1.0;
    for (int i = 0; i < s->count; i++) {
        double b[4];
        signal_most(&s->parts[i], from, to, b);
        out[3] = out[3] * b[0] + 3.0 * (out[2] * b[1] + out[1] * b[2]) + out[0] * b[3];
        out[2] = out[2] * b[0] + 2.0 * out[1] * b[1] + out[0] * b[2];
        out[1] = out[1] * b[0] + out[0] * b[1];
        out[0] *= b[0];
    }
}

/* ---- the table of kinds ----------------------------------------------------------------- */

#define ROWS(params) (params), (int)(sizeof(params) / sizeof *(params))

const bri_signal_kind bri_signal_kinds[] = {
    {"constant", "a constant", ROWS(constant_params), 1, BRI_ONLY_PARAMS, constant_eval,
     constant_kink, NULL, NULL, straight_most},
    {"step", "jumps to a value", ROWS(step_params), 1, BRI_ONLY_PARAMS, step_eval, step_kink, NULL,
     NULL, straight_most},
    {"ramp", "rises at a constant rate", ROWS(ramp_params), 1, BRI_ONLY_PARAMS, ramp_eval,
     ramp_kink, NULL, ramp_check, straight_most},
    {"trapezoid", "rises, stays and falls", ROWS(trapezoid_params), 1, BRI_ONLY_PARAMS,
     trapezoid_eval, trapezoid_kink, NULL, trapezoid_check, straight_most},
    {"pulses", "a train of rectangular pulses", ROWS(pulses_params), 1, BRI_ONLY_PARAMS,
     pulses_eval, pulses_kink, NULL, NULL, straight_most},
    {"sine", "a sine about a mean", ROWS(sine_params), 1, BRI_ONLY_PARAMS, sine_eval, sine_kink,
     sine_rates, NULL, sine_most},
    {"chirp", "a sine of linearly rising frequency", ROWS(chirp_params), 0, BRI_ONLY_PARAMS,
     chirp_eval, chirp_kink, NULL, NULL, chirp_most},
    {"noise", "smooth random signal in a band of frequencies", ROWS(noise_params), 1,
     BRI_ONLY_PARAMS, noise_eval, constant_kink, NULL, NULL, noise_most},
    {"table", "straight lines between points", NULL, 0, 1, BRI_POINTS, table_eval, table_kink,
     table_rates, NULL, straight_most},
    {"sum", "sum of signals", NULL, 0, 1, BRI_PARTS, sum_eval, parts_kink, sum_rates, NULL,
     sum_most},
    {"product", "product of signals", NULL, 0, 0, BRI_FACTORS, product_eval, parts_kink, NULL, NULL,
     product_most},
};

int signal_is_straight(const bri_signal *s) {
    if (s->kind->holds != BRI_PARTS) return s->kind->most == straight_most;
    for (int i = 0; i < s->count; i++)
        if (!signal_is_straight(&s->parts[i])) return 0;
    return 1;
}

/* The last kink in which a piece begins that is looked up. */
static double tail_of(const signal_line *l) {
    enum { MOST = 64 };
    double tail = l->first;
    for (int i = 0; i < MOST; i++) {
        double next = l->signal->kind->kink(l->signal, tail);
        if (!(next <= l->last)) return tail;
        tail = next;
    }
    return INFINITY;
}

int signal_line_find(signal_line *l, double t) {
    const bri_signal *s = l->signal;
    if (isnan(l->tail)) l->tail = tail_of(l);
    double until = s->kind->kink(s, t), from = t, base = nextafter(until, t);
    if (t >= l->tail && l->tail < l->last && l->last < until)
        from = l->tail, base = l->last;
    else if (!(until <= l->last))
        return 0;
    if (base != l->base) s->kind->eval(s, base, l->at);
    l->from = from;
    l->until = until;
    l->base = base;
    return 1;
}

int bri_signal_count(void) { return (int)(sizeof bri_signal_kinds / sizeof *bri_signal_kinds); }

const bri_signal_kind *bri_signal_at(int i) {
    return i >= 0 && i < bri_signal_count() ? &bri_signal_kinds[i] : NULL;
}

const bri_signal_kind *bri_signal_find(const char *name) {
    for (int i = 0; i < bri_signal_count(); i++)
        if (strcmp(bri_signal_kinds[i].name, name) == 0) return &bri_signal_kinds[i];
    return NULL;
}

bri_signal bri_signal_defaults(const bri_signal_kind *kind) {
    bri_signal s = {.kind = kind};
    for (int i = 0; i < kind->n_params; i++) s.p[i] = kind->params[i].def;
    return s;
}

bri_signal bri_signal_constant(double value) {
    return (bri_signal){.kind = &bri_signal_kinds[0], .p = {value}};
}

double bri_signal_value(const bri_signal *s, double t) {
    double out[4];
    signal_rates(s, t, out);
    return out[1];
}
