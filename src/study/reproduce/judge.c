/* judge.c - what a computed value says about a published one. */
#include "lab.h"

#include "decimal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double lab_number(const char *text, double *half) {
    size_t length = decimal_length(text);
    const char *end = text + length;
    double value = length > 0 ? decimal_value(text, length) : 0.0;
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

static int agrees(const lab_quantity *q, double computed, double tolerance) {
    double half, value = lab_number(q->published, &half);
    switch (q->relation) {
    case ABOVE:
        return computed > value;
    case BELOW:
        return computed < value;
    default:
        return within(computed, q->published, tolerance);
    }
}

/* A bound on processor times is met, or missed, beyond a fifth of it only. */
static lab_verdict judge_time(const lab_quantity *q, double computed) {
    const double margin = 1.2;
    double half, bound = lab_number(q->published, &half);
    if (!(computed > 0.0)) return (lab_verdict){BRI_DIFFERS, 1};
    if (computed < margin * bound && computed > bound / margin)
        return (lab_verdict){BRI_UNDETERMINED, 0};
    return agrees(q, computed, 0.0) ? (lab_verdict){BRI_MATCHES, 0} : (lab_verdict){BRI_DIFFERS, 1};
}

lab_verdict lab_judge(const lab_quantity *q, double computed, double second) {
    if (q->timed) return judge_time(q, computed);
    int found = q->measure && isfinite(computed);
    if (found && agrees(q, computed, q->tolerance)) return (lab_verdict){BRI_MATCHES, 0};
    int known = found && q->expected && within(computed, q->expected, q->expected_tolerance);
    if (!q->reason) return (lab_verdict){BRI_DIFFERS, 0};
    /* what is known of the value must hold in any case */
    if (q->measure && (!found || (q->expected && !known))) return (lab_verdict){BRI_DIFFERS, 0};
    double allowed = q->second && q->second->tolerance > 0.0 ? q->second->tolerance : q->tolerance;
    if (found && q->second && isfinite(second) && agrees(q, second, allowed))
        return (lab_verdict){BRI_EXPLAINED, 0};
    return (lab_verdict){q->undetermined ? BRI_UNDETERMINED : BRI_DIFFERS, known};
}
