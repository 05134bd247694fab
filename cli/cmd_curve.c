/* cmd_curve.c - bristle curve: steady-state friction force against velocity. */
#include "cli.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const option options[] = {
    LAWS_OPTION,
    {"--set", "NAME=VALUE", "a parameter, of all laws that have it; LAW.NAME=VALUE for one law"},
    {"--v", "MIN:MAX", "range of velocities, evenly spaced; default: dense around zero"},
    {"--samples", "K", "number of velocities, default 401"},
    POINTS_OPTIONS,
    {"--load", "N", "normal load of all laws, default: that of the first law's parameters"},
    {"--backward", "RATIO", "friction at v < 0 as a multiple of that at v > 0, default 1"},
    {"--plot", "FILE", "draw as well: FILE.svg, FILE.png or FILE.pdf"},
    {"--output", "FILE", "write the CSV there instead of standard output; also -o"},
    HELP_OPTION,
};
enum { N_OPTIONS = sizeof options / sizeof *options };

static void help(void) {
    puts(
        "bristle curve LAW... - steady-state friction force against velocity, as CSV\n\n"
        "examples:\n"
        "  bristle curve stribeck stribeck_tanh --plot curves.svg\n"
        "  bristle curve lugre --set v_s='10 mm/s' --set sigma2=0.4 --v '0:100 mm/s'\n"
        "  bristle curve dahl lugre --set lugre.Fs='1.5 N' --set Fc='1 N' -o curve.csv\n"
        "  bristle curve stribeck lugre --points measured.csv --map 'v=speed[mm/s],F=force[N]' \\\n"
        "          --set Fc='3 N' --set Fs='4 N' --plot fit.svg\n\n"
        "options:");
    options_print(options, N_OPTIONS);
    puts("\nValues may carry a unit. One column per law; at v = 0 a law with exact stick gives 0.\n"
         "How far measured points are from each law goes to standard error; 'bristle identify' "
         "finds the\n"
         "parameters that fit them.");
}

static void fill(const laws *l, const table *t, double min, double max, int dense) {
    double *v = table_column(t, 0);
    int last = t->n_rows - 1;
    for (int i = 0; i <= last; i++) {
        double u = (2.0 * i - last) / last; /* -1 ... 1, exactly 0 in the middle */
        v[i] = dense ? max * u * u * u : i == last ? max : min + (max - min) * i / last;
    }
    for (int k = 0; k < l->count; k++) {
        double *F = table_column(t, 1 + k);
        for (int i = 0; i <= last; i++) F[i] = bri_steady_force(&l->list[k].setup, v[i]);
    }
}

static int draw_curves(const laws *l, const table *t, const bri_points *p, const char *file) {
    bri_series *series = calloc((size_t)l->count + 1, sizeof *series);
    if (!series) {
        complain("%s", bri_status_text(BRI_NO_MEMORY));
        return RUN_FAILED;
    }
    for (int k = 0; k < l->count; k++)
        series[k] = (bri_series){.label = l->list[k].name,
                                 .x = table_column(t, 0),
                                 .y = table_column(t, 1 + k),
                                 .count = t->n_rows};
    series[l->count] = points_series(p, 1);
    bri_panel panel = {.x_name = "velocity",
                       .x_unit = "m/s",
                       .y_name = "friction force",
                       .y_unit = "N",
                       .series = series,
                       .n_series = l->count + (p->count > 0)};
    bri_plot plot = {.title = "Steady-state friction", .panels = &panel, .n_panels = 1};
    int failed = draw(&plot, file);
    free(series);
    return failed;
}

static int run_laws(const args *a, laws *l, bri_points *p) {
    const char *range = args_get(a, "--v"), *plot = args_get(a, "--plot");
    double min = 0.0, max = 0.0;
    int points = 401;
    int failed = check_plot_name(plot);
    if (!failed) failed = args_whole(a, "--samples", 2, 10000000, &points);
    if (!failed) failed = laws_from_args(l, a);
    if (!failed) failed = points_from_args(a, 0, p);
    if (!failed) failed = args_range(a, "--v", "m/s", "'0:10 mm/s'", &min, &max);
    if (failed) return failed;
    if (!range) max = p->count > 0 ? 1.05 * points_fastest(p) : 5.0 * laws_speed(l);
    if (!range && !(max > 0.0)) max = 5.0 * laws_speed(l); /* all points at rest */

    table t;
    failed = table_create(&t, 1 + l->count, points);
    if (!failed) {
        t.heads[0] = "v";
        for (int k = 0; k < l->count; k++) t.heads[1 + k] = l->list[k].name;
        fill(l, &t, min, max, !range);
        if (plot) failed = draw_curves(l, &t, p, plot);
        if (!failed) failed = table_write(&t, args_get(a, "--output"));
        if (!failed) {
            points_tell(p, l);
            laws_note_loads(l);
        }
    }
    table_free(&t);
    return failed;
}

static int run(const args *a) {
    laws l = {0};
    bri_points p = {0};
    int failed = run_laws(a, &l, &p);
    bri_points_free(&p);
    laws_free(&l);
    return failed;
}

int cmd_curve(int argc, char **argv) { return command(options, N_OPTIONS, help, run, argc, argv); }
