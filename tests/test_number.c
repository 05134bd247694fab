/* test_number.c - doubles as text: read back they are the same, nothing shorter does, and among the
 * texts of that length it is the nearest. printf and strtod are the judges. */
#include "output/number.h"
#include "test.h"

#include <float.h>
#include <stdlib.h>

static const char *text_of(double x) {
    static char text[64];
    memset(text, '#', sizeof text);
    char *end = number_put(text, x);
    assert_true(end - text <= NUMBER_ROOM);
    assert_int_equal(*end, '#'); /* nothing is written beyond the end */
    *end = '\0';
    return text;
}

/* The significant digits of a text, without zeros at either end; returns their number. */
static int digits_of(const char *text, char *digits) {
    int n = 0;
    for (; *text && *text != 'e'; text++)
        if (*text >= '0' && *text <= '9' && (n > 0 || *text != '0')) digits[n++] = *text;
    while (n > 1 && digits[n - 1] == '0') n--;
    digits[n] = '\0';
    return n;
}

static void judge(double x) {
    char text[64], digits[64], other[64], other_digits[64], *end;
    strcpy(text, text_of(x));
    double back = strtod(text, &end);
    if (*end || memcmp(&back, &x, sizeof x) != 0)
        fail_msg("%s reads back as %.17g, not as %.17g", text, back, x);
    if (x == 0.0) return;
    int n = digits_of(text, digits);
    if (n > 1) {
        snprintf(other, sizeof other, "%.*e", n - 2, x);
        if (strtod(other, NULL) == x) fail_msg("%s is longer than %s", text, other);
    }
    /* Where the doubles below are denser, the nearest text of that length may be another double. */
    snprintf(other, sizeof other, "%.*e", n - 1, x);
    digits_of(other, other_digits);
    if (strtod(other, NULL) == x && strcmp(digits, other_digits) != 0)
        fail_msg("%s is not the nearest to %.17g: %s", text, x, other);
}

static void judge_both(double x) {
    judge(x);
    judge(-x);
}

static void looks(void **state) {
    (void)state;
    static const struct {
        double x;
        const char *text;
    } rows[] = {
        {0.0, "0"},
        {-0.0, "-0"},
        {1.0, "1"},
        {-1.0, "-1"},
        {0.1, "0.1"},
        {0.07, "0.07"},
        {100.0, "100"},
        {12.5, "12.5"},
        {0.0001, "0.0001"},
        {0.00001, "1e-05"},
        {1.5e-7, "1.5e-07"},
        {1e15, "1000000000000000"},
        {1e16, "1e+16"},
        {1e22, "1e+22"},
        {1e23, "1e+23"},
        {123456789012345680.0, "1.2345678901234568e+17"},
        {1.0 / 3.0, "0.3333333333333333"},
        {0.1 + 0.2, "0.30000000000000004"},
        {DBL_MAX, "1.7976931348623157e+308"},
        {DBL_MIN, "2.2250738585072014e-308"},
        {-DBL_MAX, "-1.7976931348623157e+308"},
        {4.9406564584124654e-324, "5e-324"},
        {2.225073858507201e-308, "2.225073858507201e-308"},
        {9007199254740993.0, "9007199254740992"},
        {INFINITY, "inf"},
        {-INFINITY, "-inf"},
        {NAN, "nan"},
        {-NAN, "nan"},
        {9.5367431640625e-07, "9.5367431640625e-07"},
        {-2.2250738585072014e-308, "-2.2250738585072014e-308"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_string_equal(text_of(rows[i].x), rows[i].text);
}

static void powers(void **state) {
    (void)state;
    for (int e = -1074; e < 1024; e++) {
        judge_both(ldexp(1.0, e));
        if (e > -1000) judge_both(nextafter(ldexp(1.0, e), 0.0));
        judge_both(nextafter(ldexp(1.0, e), INFINITY));
    }
    for (int e = -323; e <= 308; e++) {
        char ten[16];
        snprintf(ten, sizeof ten, "1e%d", e);
        double x = strtod(ten, NULL);
        judge_both(x);
        judge_both(nextafter(x, 0.0));
        judge_both(nextafter(x, INFINITY));
        for (int k = 2; k < 10; k++) judge_both(k * x);
    }
}

static void integers(void **state) {
    (void)state;
    for (int i = 0; i < 100000; i++) judge(i);
    for (int i = 0; i < 64; i++) judge_both(ldexp(1.0, i) - 1.0);
}

static void denormals(void **state) {
    (void)state;
    for (uint64_t bits = 1; bits < 3000; bits++) {
        double x;
        memcpy(&x, &bits, sizeof x);
        judge(x);
    }
}

/* All patterns of bits alike. TEST_NUMBERS sets how many; 12000000 have been tried. */
static void everywhere(void **state) {
    (void)state;
    const char *wanted = getenv("TEST_NUMBERS");
    long count = wanted ? atol(wanted) : 200000;
    uint64_t s = 88172645463325252ULL; /* Marsaglia's xorshift */
    for (long i = 0; i < count; i++) {
        s ^= s << 13, s ^= s >> 7, s ^= s << 17;
        uint64_t bits = i % 10 == 0 ? s & 0x800fffffffffffffULL : s;
        double x;
        memcpy(&x, &bits, sizeof x);
        if (i % 10 == 1) x = (double)(s >> 11) / 9007199254740992.0;
        if (i % 10 == 2) x = (double)(s % 100000000) / 1e4;
        if (isfinite(x)) judge(x);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(looks),     cmocka_unit_test(powers),     cmocka_unit_test(integers),
        cmocka_unit_test(denormals), cmocka_unit_test(everywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
