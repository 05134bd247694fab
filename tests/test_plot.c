/* test_plot.c - what gnuplot is told: lines that can be told apart, also where they lie on each
 * other, and axes with the prefix that suits them. */
#define _POSIX_C_SOURCE 200809L
#include "output/plot_script.h"
#include "test.h"

#include <stdlib.h>

enum { LAWS = 8, POINTS = 50 };

static double x[POINTS], y[POINTS];
static bri_series lines[2 * LAWS];

/* The commands for a panel of n equal lines y = 3 x; to be freed. */
static char *script(bri_panel panel, int n, int columns) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    for (int k = 0; k < POINTS; k++) y[k] = 3.0 * (x[k] = 0.02 * k);
    for (int i = 0; i < n; i++)
        lines[i] = (bri_series){.label = "law", .x = x, .y = y, .count = POINTS};
    panel.series = lines;
    panel.n_series = n;
    const bri_plot plot = {.panels = &panel, .n_panels = 1, .columns = columns, .rows = columns};
    plot_script(out, &plot, "svg");
    fclose(out);
    return text;
}

/* What stands behind "key = value" of the style of line i: from the colour on. */
static void style(const char *text, int i, char room[120]) {
    char head[40];
    snprintf(head, sizeof head, "set style line %d ", i);
    const char *at = strstr(text, head);
    assert_non_null(at);
    snprintf(room, 120, "%.*s", (int)strcspn(at + strlen(head), "\n"), at + strlen(head));
}

/* A word of a style: "dt" of "lc rgb 'x' lw 2 dt solid pt 6". */
static void word(const char *text, const char *key, char room[40]) {
    const char *at = strstr(text, key);
    assert_non_null(at);
    snprintf(room, 40, "%.*s", (int)strcspn(at + strlen(key), " "), at + strlen(key));
}

/* Of eight lines each has a colour, dashes and a symbol of its own; of sixteen no two have all. */
static void eight_styles(void **state) {
    (void)state;
    static const char *const keys[] = {"rgb ", " dt ", " pt "};
    char *text = script((bri_panel){0}, 2 * LAWS, 1), a[120], b[120], of_a[40], of_b[40];
    for (int i = 0; i < 2 * LAWS; i++)
        for (int k = 0; k < i; k++) {
            int same = 0;
            style(text, i + 1, a);
            style(text, k + 1, b);
            for (int j = 0; j < 3; j++) {
                word(a, keys[j], of_a);
                word(b, keys[j], of_b);
                same += strcmp(of_a, of_b) == 0;
            }
            if (i < LAWS ? same > 0 : same == 3) fail_msg("lines %d, %d: %s and %s", i, k, a, b);
        }
    free(text);
}

/* The symbols of lines that coincide: all on the line, no two in one place, at both ends of it. */
static void coincident_lines(void **state) {
    (void)state;
    double at[LAWS * 10];
    for (int columns = 0; columns < 2; columns++) {
        char *text = script((bri_panel){0}, LAWS, columns);
        int count = 0;
        for (int i = 0; i < LAWS; i++) {
            char head[40];
            snprintf(head, sizeof head, "$m%d << end\n", i);
            char *block = strstr(text, head);
            assert_non_null(block);
            block += strlen(head);
            int first = count;
            while (strncmp(block, "end", 3) != 0 && count < LAWS * 10) {
                double across = strtod(block, &block), up = strtod(block, &block);
                block += strspn(block, "\n");
                near(up, 3.0 * across, 1e-6, "a symbol is on its line");
                at[count++] = across;
            }
            assert_true(count - first >= 5);
            assert_true(at[first] < 0.2 && at[count - 1] > 0.78);
            snprintf(head, sizeof head, ", $m%d with", i);
            assert_non_null(strstr(text, head));
        }
        for (int i = 0; i < count; i++)
            for (int k = 0; k < i; k++) assert_true(fabs(at[i] - at[k]) > 0.01);
        free(text);
    }
}

/* Later lines are narrower, so that the first is seen on both sides of the last. */
static void widths_fall(void **state) {
    (void)state;
    bri_panel panel = {.n_series = LAWS};
    for (int i = 1; i < LAWS; i++) assert_true(plot_width(&panel, i) < plot_width(&panel, i - 1));
    assert_true(plot_width(&panel, 0) > 1.5 * plot_width(&panel, LAWS - 1));
}

/* Two lines are told apart by their dashes alone. */
static void few_lines(void **state) {
    (void)state;
    char *text = script((bri_panel){0}, 2, 1);
    assert_null(strstr(text, "$m0"));
    free(text);
}

static void prefixes(void **state) {
    (void)state;
    static const struct {
        const char *unit;
        double most;
        const char *label;
    } rows[] = {{"m", 3e-6, "u  [\xc2\xb5m]"}, {"rad", 0.05, "u  [mrad]"},
                {"rad/s", 0.5, "u  [rad/s]"},  {"N m", 4e4, "u  [kN m]"},
                {"N", 5e7, "u  [MN]"},         {"s", 1e5, "u  [s]"},
                {"J", 2e-8, "u  [nJ]"},        {"widgets", 1e-9, "u  [widgets]"},
                {"N/m", 7e7, "u  [MN/m]"}};
    char label[PLOT_LABEL];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const double one = rows[i].most;
        const bri_series s = {.x = &one, .y = &one, .count = 1};
        const bri_panel panel = {
            .y_name = "u", .y_unit = rows[i].unit, .series = &s, .n_series = 1};
        plot_axis(&panel, 1, label, sizeof label);
        assert_string_equal(label, rows[i].label);
    }
}

/* How often a text stands in another. */
static int times(const char *text, const char *what) {
    int n = 0;
    for (; (text = strstr(text, what)) != NULL; text += strlen(what)) n++;
    return n;
}

/* The commands for maps of z = x + y + shift over four times three cells, with the contour z = 4 in
 * two pieces; to be freed. */
static char *maps(int count, int log_x) {
    static const double across[] = {1, 2, 3, 4}, up[] = {1, 2, 3}, cx[] = {1, 2, 3},
                        cy[] = {3, 2, 1};
    static double z[3][12];
    const bri_series level = {.label = "four", .x = cx, .y = cy, .count = 3, .back = 1};
    bri_map cells[3];
    bri_panel panels[3];
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < 12; k++) z[i][k] = across[k % 4] + up[k / 4] + 10.0 * i;
        cells[i] = (bri_map){
            .x = across, .y = up, .z = z[i], .nx = 4, .ny = 3, .name = "sum", .unit = "N"};
        panels[i] = (bri_panel){.title = i ? "second" : "first",
                                .x_name = "a",
                                .y_name = "b",
                                .log_x = log_x,
                                .series = &level,
                                .n_series = 1,
                                .map = &cells[i]};
    }
    const bri_plot plot = {.panels = panels, .n_panels = count};
    plot_script(out, &plot, "svg");
    fclose(out);
    return text;
}

/* Maps of one picture have one scale of colours, and say what each of them is. */
static void maps_share_their_scale(void **state) {
    (void)state;
    char *text = maps(2, 0);
    assert_int_equal(times(text, "set cbrange [2:17]"), 2);
    assert_non_null(strstr(text, "first: sum  [N]"));
    assert_non_null(strstr(text, "second: sum  [N]"));
    free(text);
    text = maps(1, 0);
    assert_null(strstr(text, "cbrange"));
    free(text);
}

/* A contour has its value written on it, not into the legend. */
static void contours_are_labelled(void **state) {
    (void)state;
    char *text = maps(1, 0);
    assert_int_equal(times(text, "four"), 1);
    assert_non_null(strstr(text, "set label \"four\" at 2.5,1.5"));
    free(text);
}

/* A logarithmic axis of less than a decade has numbers. */
static void short_logarithmic_axes_have_numbers(void **state) {
    (void)state;
    char *text = maps(1, 1);
    assert_non_null(strstr(text, "'' 0.9 1, 1, 2, '' 3 1"));
    free(text);
}

/* An area is filled in the colour of the line behind it in the list, and is in no line's way. */
static void areas_belong_to_lines(void **state) {
    (void)state;
    static const double at[] = {0, 1, 2}, mid[] = {1, 2, 3}, least[] = {0, 1, 2},
                        most[] = {2, 3, 5};
    const bri_series series[] = {{.label = "a band", .x = at, .y = most, .low = least, .count = 3},
                                 {.label = "a", .x = at, .y = mid, .count = 3},
                                 {.label = "b band", .x = at, .y = most, .low = least, .count = 3},
                                 {.label = "b", .x = at, .y = mid, .count = 3}};
    const bri_panel panel = {.series = series, .n_series = 4};
    const bri_plot plot = {.panels = &panel, .n_panels = 1, .columns = 1, .rows = 1};
    char *text = NULL, want[80];
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    plot_script(out, &plot, "svg");
    fclose(out);
    assert_non_null(strstr(text, "$d0 << end\n0 2 0\n1 3 1\n2 5 2\nend"));
    assert_int_equal(plot_style(&panel, 0), plot_style(&panel, 1));
    assert_int_equal(plot_style(&panel, 2), plot_style(&panel, 3));
    assert_int_not_equal(plot_style(&panel, 1), plot_style(&panel, 3));
    for (int i = 0; i < 2; i++) {
        snprintf(want, sizeof want, "with filledcurves lc rgb '#B4%s'", plot_colour(i + 1));
        assert_non_null(strstr(text, want));
        snprintf(want, sizeof want, "$d%d with lines ls %d ", 2 * i + 1, i + 1);
        assert_non_null(strstr(text, want));
    }
    assert_true(strstr(text, "$d2 using") < strstr(text, "$d1 with")); /* areas lie below */
    free(text);
}

/* Words stand at their numbers, and every word has room. */
static void words_stand_at_axes(void **state) {
    (void)state;
    static const char *const words[] = {"rests", "moves", NULL};
    char *text = script((bri_panel){.y_words = words}, 1, 1);
    assert_non_null(strstr(text, "set ytics (\"rests\" 0, \"moves\" 1)"));
    assert_non_null(strstr(text, "plot [*:*] [-0.5:1.5] "));
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(eight_styles),
        cmocka_unit_test(coincident_lines),
        cmocka_unit_test(widths_fall),
        cmocka_unit_test(few_lines),
        cmocka_unit_test(prefixes),
        cmocka_unit_test(maps_share_their_scale),
        cmocka_unit_test(areas_belong_to_lines),
        cmocka_unit_test(words_stand_at_axes),
        cmocka_unit_test(contours_are_labelled),
        cmocka_unit_test(short_logarithmic_axes_have_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
