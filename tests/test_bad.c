/* test_bad.c - every bad scenario of tests/bad/ is refused with exactly the messages beside it, and
 * whatever a file holds, reading it ends without harm.
 *
 * To write the messages anew after a change: BRISTLE_REWRITE=1 test_bad, and read the difference.
 */
#define _POSIX_C_SOURCE 200809L
#include "bristle_scenario.h"
#include "test.h"

#include <dirent.h>
#include <stdlib.h>
#include <unistd.h>

static bri_messages messages;

static char *slurp(const char *file, size_t *length) {
    FILE *in = fopen(file, "rb");
    if (!in) return NULL;
    char *text = calloc(1, 1 << 20);
    *length = fread(text, 1, (1 << 20) - 1, in);
    fclose(in);
    return text;
}

/* All messages, one per line. */
static char *said(void) {
    char *text = calloc(1, sizeof messages + 100);
    for (int i = 0; i < messages.count; i++) {
        strcat(text, messages.message[i].text);
        strcat(text, "\n");
    }
    if (messages.dropped) sprintf(text + strlen(text), "and %d more\n", messages.dropped);
    return text;
}

static void refused(const char *file) {
    char want_file[300];
    size_t length;
    bri_scenario *s;
    bri_status status = bri_scenario_load(file, NULL, &s, &messages);
    if (status == BRI_OK || s) fail_msg("%s was accepted", file);
    assert_true(messages.count > 0);
    for (int i = 0; i < messages.count; i++) {
        assert_true(messages.message[i].status != BRI_OK);
        assert_true(i == 0 || messages.message[i].line >= messages.message[i - 1].line);
    }
    snprintf(want_file, sizeof want_file, "%.*s.txt", (int)(strlen(file) - 5), file);
    char *got = said();
    if (getenv("BRISTLE_REWRITE")) {
        FILE *out = fopen(want_file, "w");
        fputs(got, out);
        fclose(out);
    }
    char *want = slurp(want_file, &length);
    if (!want) fail_msg("%s is missing", want_file);
    assert_string_equal(got, want);
    free(got);
    free(want);
}

static int is_yaml(const struct dirent *e) {
    size_t n = strlen(e->d_name);
    return n > 5 && strcmp(e->d_name + n - 5, ".yaml") == 0;
}

static void bad_files_are_refused_with_exact_messages(void **state) {
    struct dirent **list;
    int n = scandir(".", &list, is_yaml, alphasort);
    assert_true(n >= 30);
    for (int i = 0; i < n; i++) {
        refused(list[i]->d_name);
        free(list[i]);
    }
    free(list);
}

static void a_file_of_100_mb_is_refused_before_it_is_read(void **state) {
    char name[] = "/tmp/bristle-big-XXXXXX";
    int fd = mkstemp(name);
    bri_scenario *s;
    assert_true(fd >= 0);
    assert_int_equal(ftruncate(fd, 100 << 20), 0);
    close(fd);
    assert_int_equal(bri_scenario_load(name, NULL, &s, &messages), BRI_BAD_FILE);
    unlink(name);
    assert_null(s);
    assert_int_equal(messages.count, 1);
    assert_non_null(
        strstr(messages.message[0].text, "has 104857600 bytes, at most 16777216 are read"));
    assert_int_equal(bri_scenario_parse("", (size_t)100 << 20, "big", NULL, &s, &messages),
                     BRI_BAD_FILE);
}

static void what_is_not_a_file_is_refused(void **state) {
    bri_scenario *s;
    assert_int_equal(bri_scenario_load("/tmp", NULL, &s, &messages), BRI_BAD_FILE);
    assert_string_equal(messages.message[0].text, "/tmp: is a directory");
    assert_int_equal(bri_scenario_load("beld", NULL, &s, &messages), BRI_BAD_FILE);
    assert_string_equal(messages.message[0].text,
                        "beld: there is no such file, and no scenario of that name; did you mean "
                        "'belt'?");
    assert_int_equal(bri_scenario_load("/dev/zero", NULL, &s, &messages), BRI_BAD_FILE);
    assert_int_equal(bri_scenario_load("beld", NULL, &s, NULL), BRI_BAD_FILE);
}

/* ---- mutations: no crash, no hang, no leak ------------------------------------------------- */

static uint64_t seed = 1;

static unsigned draw(unsigned below) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(seed >> 33) % below;
}

/* Change, drop, double or swap some bytes of the text. */
static size_t mutate(char *text, size_t n, size_t room) {
    static const char *const bits[] = {
        "{",     "}",     "[",    "]", ": ",        "\n", "-",    "&a",  "*a",     "\t",
        "1e999", "'",     "\"",   "#", "repeat: 9", ",",  "\xff", "run", "ground", ".next",
        "sum",   "table", "mass", "=", "|",         ">",  "!",    "? ",  "lugre",  "NaN"};
    for (unsigned k = 0; k <= draw(6); k++) {
        size_t at = n ? draw((unsigned)n) : 0, length = 1 + draw(20);
        if (length > n - at) length = n - at;
        const char *bit = bits[draw(sizeof bits / sizeof *bits)];
        switch (draw(4)) {
        case 0:
            if (n) text[at] = (char)draw(256);
            break;
        case 1:
            memmove(text + at, text + at + length, n - at - length);
            n -= length;
            break;
        case 2:
            if (n + length >= room) break;
            memmove(text + at + length, text + at, n - at);
            n += length;
            break;
        default:
            if (n + strlen(bit) >= room) break;
            memmove(text + at + strlen(bit), text + at, n - at);
            memcpy(text + at, bit, strlen(bit));
            n += strlen(bit);
        }
    }
    return n;
}

static void torture(const char *original, size_t length, int rounds) {
    size_t room = length + 1000;
    char *text = malloc(room);
    for (int k = 0; k < rounds; k++) {
        bri_scenario *s;
        memcpy(text, original, length);
        size_t n = mutate(text, length, room);
        if (bri_scenario_parse(text, n, "mutant.yaml", NULL, &s, &messages) == BRI_OK) {
            bri_sim *sim;
            assert_true(strlen(bri_scenario_describe(s)) > 0);
            if (bri_scenario_def(s)->system.n_bodies < 1000 &&
                bri_sim_create(bri_scenario_def(s), &sim, NULL) == BRI_OK)
                bri_sim_free(sim);
            bri_scenario_free(s);
        } else {
            assert_null(s);
            assert_true(messages.count > 0);
        }
    }
    free(text);
}

static void mutants_do_no_harm(void **state) {
    const char *rounds = getenv("BRISTLE_MUTANTS");
    struct dirent **list;
    int each = rounds ? atoi(rounds) : 40, n = scandir(".", &list, is_yaml, alphasort);
    for (int i = 0; i < bri_scenario_count(); i++) {
        const char *text = bri_scenario_text(bri_scenario_name(i));
        torture(text, strlen(text), each);
    }
    for (int i = 0; i < n; i++) {
        size_t length;
        char *text = slurp(list[i]->d_name, &length);
        torture(text, length, each);
        free(text);
        free(list[i]);
    }
    free(list);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_files_are_refused_with_exact_messages),
        cmocka_unit_test(a_file_of_100_mb_is_refused_before_it_is_read),
        cmocka_unit_test(what_is_not_a_file_is_refused),
        cmocka_unit_test(mutants_do_no_harm),
    };
    if (argc > 1 && chdir(argv[1]) != 0) return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
