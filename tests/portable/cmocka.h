/* cmocka.h - the few calls of cmocka that the tests make, for machines that it is not installed
 * for: other processors under an emulator, other C libraries. The option BRISTLE_OWN_CMOCKA puts it
 * in the place of cmocka. A test that fails goes back to the loop over the tests by longjmp, as
 * there. */
#ifndef BRI_OWN_CMOCKA_H
#define BRI_OWN_CMOCKA_H

#include <fnmatch.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct CMUnitTest {
    const char *name;
    void (*test)(void **state);
    int (*setup)(void **state);
    int (*teardown)(void **state);
    void *start;
};

static jmp_buf own_back;
static const char *own_only, *own_but;

#define cmocka_unit_test(f)                                                                        \
    { #f, f, NULL, NULL, NULL }
#define cmocka_unit_test_setup_teardown(f, up, down)                                               \
    { #f, f, up, down, NULL }
#define cmocka_unit_test_prestate(f, start)                                                        \
    { #f, f, NULL, NULL, start }

static inline void cmocka_set_test_filter(const char *only) { own_only = only; }
static inline void cmocka_set_skip_filter(const char *but) { own_but = but; }

__attribute__((noreturn)) static inline void own_end(int code) { longjmp(own_back, code); }

__attribute__((format(printf, 1, 2))) static inline void print_message(const char *format, ...) {
    va_list args;
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
}

#define print_error print_message
#define skip()      own_end(2)
#define fail_msg(...)                                                                              \
    (printf("%s:%d: ", __FILE__, __LINE__), printf(__VA_ARGS__), printf("\n"), own_end(1))
#define own_hold(ok, text)         ((ok) ? (void)0 : (void)fail_msg("%s", text))
#define own_long(x)                ((long long)(x))
#define assert_true(x)             own_hold((x), #x)
#define assert_false(x)            own_hold(!(x), "not " #x)
#define assert_null(x)             own_hold((x) == NULL, #x " is there")
#define assert_non_null(x)         own_hold((x) != NULL, #x " is NULL")
#define assert_ptr_equal(a, b)     own_hold((const void *)(a) == (const void *)(b), #a " is not " #b)
#define assert_int_equal(a, b)     own_hold(own_long(a) == own_long(b), #a " is not " #b)
#define assert_int_not_equal(a, b) own_hold(own_long(a) != own_long(b), #a " is " #b)
#define assert_in_range(x, a, b)                                                                   \
    own_hold(own_long(x) >= own_long(a) && own_long(x) <= own_long(b), #x " is out of range")
#define assert_string_equal(a, b)     own_hold(strcmp(a, b) == 0, #a " is not " #b)
#define assert_string_not_equal(a, b) own_hold(strcmp(a, b) != 0, #a " is " #b)
#define assert_memory_equal(a, b, n)  own_hold(memcmp(a, b, n) == 0, #a " is not " #b)

/* The number of tests that failed. */
static int own_run(const struct CMUnitTest *tests, size_t count, int (*up)(void **),
                   int (*down)(void **)) {
    static void *common;
    volatile int failed = 0, skipped = 0;
    if (up && up(&common) != 0) return 1;
    for (volatile size_t i = 0; i < count; i++) {
        const struct CMUnitTest *t = &tests[i];
        if (own_only && fnmatch(own_only, t->name, 0) != 0) continue;
        if (own_but && fnmatch(own_but, t->name, 0) == 0) continue;
        void *state = t->start ? t->start : common;
        if (t->setup) t->setup(&state);
        int code = setjmp(own_back);
        if (code == 0) t->test(&state);
        if (t->teardown) t->teardown(&state);
        failed += code == 1;
        skipped += code == 2;
        printf("%s %s\n", code == 1 ? "FAILED " : code == 2 ? "skipped" : "ok     ", t->name);
        fflush(stdout);
    }
    if (down) down(&common);
    printf("%d failed, %d skipped\n", failed, skipped);
    return failed;
}

#define cmocka_run_group_tests(tests, up, down)                                                    \
    own_run(tests, sizeof(tests) / sizeof *(tests), up, down)

#endif
