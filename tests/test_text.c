/* test_text.c - numbers from and to text without the locale. In the locale C snprintf and strtod
 * are the judges. */
#include "decimal.h"
#include "test.h"
#include "text.h"

#include <stdlib.h>

static double any(int k) { return ldexp(spread(k, 0) - 0.5, (int)(2080.0 * spread(k, 1)) - 1060); }

static void reads_as(const char *text) {
    char *end;
    double want = strtod(text, &end), got = decimal_value(text, decimal_length(text));
    assert_int_equal(decimal_length(text), end - text);
    if (memcmp(&got, &want, sizeof got) != 0)
        fail_msg("%s is read as %.17g, not as %.17g", text, got, want);
}

static void numbers_are_read_to_the_nearest(void **state) {
    char text[64];
    for (int k = 0; k < 200000; k++) {
        snprintf(text, sizeof text, "%.*e", (int)(18.0 * spread(k, 2)), any(k));
        reads_as(text);
        snprintf(text, sizeof text, "%.*g", 1 + (int)(17.0 * spread(k, 2)),
                 ldexp(any(k) / fabs(any(k)), k % 60 - 30) * spread(k, 3));
        reads_as(text);
    }
    static const char *const odd[] = {"0",           "-0",
                                      ".5",          "5.",
                                      "+1e+5",       "1e400",
                                      "1e-0",        "0e99",
                                      "1e999999999", "-1e-999999999",
                                      "00012",       "1e22",
                                      "1e23",        "123456789012345678901234567890"};
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) reads_as(odd[i]);
    assert_int_equal(decimal_length("1eV"), 1);
    assert_int_equal(decimal_length("inf"), 0);
    assert_int_equal(decimal_length("-.e5"), 0);
    assert_int_equal(decimal_length("0x1p3"), 1);
}

#define SAME(...)                                                                                  \
    do {                                                                                           \
        char want[120], got[120];                                                                  \
        int n = snprintf(want, sizeof want, __VA_ARGS__);                                          \
        assert_int_equal(text_format(got, sizeof got, __VA_ARGS__), n);                            \
        assert_string_equal(got, want);                                                            \
        n = snprintf(want, 7, __VA_ARGS__);                                                        \
        assert_int_equal(text_format(got, 7, __VA_ARGS__), n);                                     \
        assert_string_equal(got, want);                                                            \
    } while (0)

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wformat-truncation"
#endif

static void words_are_those_of_printf(void **state) {
    for (int k = 0; k < 2000; k++) {
        double x = any(k);
        SAME("%g|%.3g|%-12.9g|%*.*e", x, x, x, 14, k % 12, x);
        SAME("at t = %.9g s%s", x, k % 2 ? "!" : "");
    }
    SAME("%.6f %+.2f %5.1f%% % g", 0.1, 2.5, -3.0, 7.0);
    SAME("%g %g %g", (double)INFINITY, -(double)INFINITY, (double)NAN);
    SAME("%d %5d %-5d| %05d %i %u %x %c", 1, -2, 3, 4, 5, 6u, 255u, 'c');
    SAME("%ld %lu %lld %llu %zu", -7L, 8UL, -9LL, 10ULL, (size_t)11);
    SAME("%s|%10s|%-10s|%.3s|%.*s|%*s|%-*.2s|", "a", "bc", "de", "fghi", 2, "jkl", 6, "m", 4, "no");
    SAME("100 %%%s", "");
    SAME("nothing");
}

static void what_is_no_number_has_no_sign(void **state) {
    char text[20];
    text_format(text, sizeof text, "%g", copysign(NAN, -1.0));
    assert_string_equal(text, "nan");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_read_to_the_nearest),
        cmocka_unit_test(words_are_those_of_printf),
        cmocka_unit_test(what_is_no_number_has_no_sign),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
