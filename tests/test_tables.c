/* test_tables.c - one table of results in all its forms. */
#define _POSIX_C_SOURCE 200809L
#include "bristle_study.h"
#include "json_check.h"
#include "test.h"

#include <stdlib.h>

static const bri_column columns[] = {
    {"law", NULL, NULL, 0, NULL},
    {"xi", "largest", "%", 3, "largest relative difference"},
    {"why", "reason", "", 0, NULL},
};

static bri_table *example(void) {
    bri_table *t = bri_table_create("Laws", columns, 3);
    assert_non_null(t);
    bri_table_text(t, "dahl", BRI_TONE_PLAIN);
    bri_table_number(t, 23.6234, BRI_TONE_GOOD);
    bri_table_text(t, "a|b, \"c\" <d>", BRI_TONE_PLAIN);
    bri_table_text(t, "lugre", BRI_TONE_PLAIN);
    bri_table_number(t, NAN, BRI_TONE_BAD);
    bri_table_text(t, "", BRI_TONE_PLAIN);
    bri_table_text(t, "karnopp", BRI_TONE_PLAIN);
    bri_table_both(t, 2.1, "about 2", BRI_TONE_FAIR);
    bri_table_text(t, "line\nend", BRI_TONE_PLAIN);
    assert_int_equal(bri_table_rows(t), 3);
    return t;
}

static char *written(bri_form form) {
    bri_table *t = example();
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_int_equal(bri_table_write(t, form, out, NULL), BRI_OK);
    fclose(out);
    bri_table_free(t);
    return text;
}

static void looks(bri_form form, const char *want) {
    char *got = written(form);
    assert_string_equal(got, want);
    free(got);
}

static void text_is_aligned(void **state) {
    (void)state;
    looks(BRI_FORM_TEXT, "Laws\n\n"
                         "law      largest  reason\n"
                         "             [%]  \n"
                         "dahl        23.6  a|b, \"c\" <d>\n"
                         "lugre          -  \n"
                         "karnopp  about 2  line\nend\n");
}

static void tones_have_colours(void **state) {
    (void)state;
    char *got = written(BRI_FORM_COLOUR);
    assert_non_null(strstr(got, "\033[32m   23.6  \033[0m"));
    assert_non_null(strstr(got, "\033[31m      -  \033[0m"));
    free(got);
}

static void markdown_keeps_its_bars(void **state) {
    (void)state;
    looks(BRI_FORM_MARKDOWN, "**Laws**\n\n"
                             "| law | largest [%] | reason |\n"
                             "|---|---:|---|\n"
                             "| dahl | 23.6 | a\\|b, \"c\" <d> |\n"
                             "| lugre | - |  |\n"
                             "| karnopp | about 2 | line end |\n");
}

static void html_is_escaped(void **state) {
    (void)state;
    char *got = written(BRI_FORM_HTML);
    assert_non_null(strstr(got, "a|b, &quot;c&quot; &lt;d&gt;</td>"));
    assert_non_null(strstr(got, "<td class=\"number good\" data-label=\"largest\">23.6</td>"));
    assert_non_null(strstr(got, "title=\"largest relative difference\""));
    free(got);
}

static void machines_get_all_digits(void **state) {
    (void)state;
    looks(BRI_FORM_CSV, "law,xi,why\n"
                        "dahl,23.6234,\"a|b, \"\"c\"\" <d>\"\n"
                        "lugre,,\n"
                        "karnopp,2.1,\"line\nend\"\n");
    char *got = written(BRI_FORM_JSON);
    const char *bad = json_check(got);
    if (bad) fail_msg("not JSON from here: %s", bad);
    assert_non_null(strstr(got, "{\"law\": \"lugre\", \"xi\": null, \"why\": \"\"}"));
    assert_non_null(
        strstr(got, "{\"law\": \"karnopp\", \"xi\": 2.1, \"why\": \"line\\u000aend\"}"));
    free(got);
}

static void an_empty_table_is_one(void **state) {
    (void)state;
    bri_table *t = bri_table_create(NULL, columns, 3);
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_int_equal(bri_table_write(t, BRI_FORM_JSON, out, NULL), BRI_OK);
    fclose(out);
    assert_null(json_check(text));
    free(text);
    bri_table_free(t);
}

static void a_full_disk_is_told(void **state) {
    (void)state;
    FILE *out = fopen("/dev/full", "w");
    if (!out) return;
    setvbuf(out, NULL, _IONBF, 0);
    bri_table *t = example();
    bri_error err;
    assert_int_equal(bri_table_write(t, BRI_FORM_CSV, out, &err), BRI_BAD_FILE);
    bri_table_free(t);
    fclose(out);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_is_aligned),         cmocka_unit_test(tones_have_colours),
        cmocka_unit_test(markdown_keeps_its_bars), cmocka_unit_test(html_is_escaped),
        cmocka_unit_test(machines_get_all_digits), cmocka_unit_test(an_empty_table_is_one),
        cmocka_unit_test(a_full_disk_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
