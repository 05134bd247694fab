/* test_units.c - the database of units is read once in the life of a program, by whichever thread
 * comes first, and no conversion leaves memory behind. */
#define _GNU_SOURCE
#include "bristle_scenario.h"
#include "test.h"

#include <malloc.h>
#include <pthread.h>

static void convert(const char *text, double want) {
    double value = 0.0;
    bri_error err = {0};
    if (bri_quantity(text, "m/s", &value, &err) != BRI_OK) fail_msg("%s", err.text);
    near(value, want, 1e-15, text);
}

static void *in_a_thread(void *context) {
    for (int i = 0; i < 500; i++) convert("36 km/h", 10.0);
    return NULL;
}

static void threads_share_it(void **state) {
    pthread_t thread[4];
    for (int i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, in_a_thread, NULL), 0);
    for (int i = 0; i < 4; i++) pthread_join(thread[i], NULL);
}

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)
static void a_scenario_comes_and_goes(void) {
    static bri_messages messages;
    bri_scenario *s;
    assert_int_equal(bri_scenario_load("rabinowicz", NULL, &s, &messages), BRI_OK);
    bri_scenario_free(s);
}

/* A database that is read anew takes 7 kB with it each time. */
static void nothing_is_left_behind(void **state) {
    double value;
    for (int i = 0; i < 10; i++) convert("10 mm/s", 0.01), a_scenario_comes_and_goes();
    size_t before = mallinfo2().uordblks;
    for (int i = 0; i < 100; i++) {
        convert("10 mm/s", 0.01);
        a_scenario_comes_and_goes();
        assert_int_equal(bri_quantity("1 furlong/kg", "m/s", &value, NULL), BRI_BAD_UNIT);
        assert_int_equal(bri_quantity("1 wurst", "m/s", &value, NULL), BRI_BAD_UNIT);
    }
    size_t after = mallinfo2().uordblks;
    if (after > before + 20000) /* the allocator keeps some for later */
        fail_msg("%zu bytes are gone", after - before);
}
#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_share_it),
#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)
        cmocka_unit_test(nothing_is_left_behind),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
