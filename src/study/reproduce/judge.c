/* judge.c - what a computed value says about a published one. */
#include "lab.h"

#include "text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double lab_number(const char *text, double *half) {
    size_t length = text_number_length(text);
    const char *end = text + length;
    double value = length > 0 ? text_number(text, length) : 0.0;
    const char *point = strchr(text, '.'), *power = strpbrk(text, "eE");
    int decimals = 0;
    if (power && power > end) power = NULL;
    if (point && point < end) decimals = (int)((power ? power : end) - point) - 1;
    *half = 0.5 * pow(10.0, (power ? atoi(power + 1) : 0) - decimals);
    return value;
}

double lab_tolerance(const lab_quantity *q) {
    double half;
    if (q->relation != EQUAL) return NAN;
    lab_number(q->published, &half);
    return q->tolerance > 0.0 ? q->tolerance : half;
}

/* A value may lie on the edge of what is allowed, to rounding. */
static int within(double computed, const char *text, double tolerance) {
    double half, value = lab_number(text, &half);
    double allowed = tolerance > 0.0 ? tolerance : half;
    return fabs(computed - value) <= allowed + 1e-12 * fabs(value);
}

static int agrees(const lab_quantity *q, double computed) {
    double half, value = lab_number(q->published, &half);
    switch (q->relation) {
    case ABOVE:
        return computed > value;
    case BELOW:
        return computed < value;
    default:
        return within(computed, q->published, q->tolerance);
    }
}

bri_verdict lab_judge(const lab_quantity *q, double computed) {
    if (!q->measure) return q->reason ? BRI_EXPLAINED : BRI_DIFFERS;
    if (!isfinite(computed)) return BRI_DIFFERS;
    if (agrees(q, computed)) return BRI_MATCHES;
    if (q->reason && q->expected && within(computed, q->expected, q->expected_tolerance))
        return BRI_EXPLAINED;
    return BRI_DIFFERS;
}
