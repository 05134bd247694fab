/* cmd_loop.c - bristle loop: friction under a prescribed sinusoidal motion. */
#include "cli.h"

#include <math.h>
#include <stdlib.h>

static const option options[] = {
    LAWS_OPTION,
    {"--amplitude", "A", "amplitude of the displacement; default: from the laws named"},
    {"--velocity-mean", "M", "mean velocity, default 0: the motion turns round"},
    {"--velocity-amplitude", "B", "amplitude of the velocity, instead of --amplitude"},
    {"--frequency", "F", "default 1 Hz"},
    {"--cycles", "K", "cycles in all, of which the last is recorded; default 4"},
    {"--samples", "K", "samples per cycle, default 400"},
    POINTS_OPTIONS,
    {"--set", "NAME=VALUE", "a parameter, of all laws that have it; LAW.NAME=VALUE for one law"},
    {"--load", "N", "normal load of all laws, default: that of the first law's parameters"},
    {"--backward", "RATIO", "friction at v < 0 as a multiple of that at v > 0, default 1"},
    {"--plot", "FILE", "draw as well: FILE.svg, FILE.png or FILE.pdf"},
    {"--output", "FILE", "write the CSV there instead of standard output; also -o"},
    HELP_OPTION,
};
enum { N_OPTIONS = sizeof options / sizeof *options };

static const double tau = 6.28318530717958647692;

static void help(void) {
    puts("bristle loop LAW... - friction under a sinusoidal motion: CSV of the last cycle, and its "
         "areas\n\n"
         "examples:\n"
         "  bristle loop dahl lugre --amplitude '2 mm' --frequency '1 Hz' --plot loops.svg\n"
         "  bristle loop olsson_astrom --velocity-mean 0.06 --velocity-amplitude 0.04 \\\n"
         "          --frequency '20 rad/s' -o lag.csv\n"
         "  bristle loop lugre --amplitude '50 um' --points loop.csv --map 'x=pos[um],F=force' \\\n"
         "          --plot loop.svg\n\n"
         "options:");
    options_print(options, N_OPTIONS);
    puts("\nValues may carry a unit. The energy lost per cycle (area in F dx), the area in F dv\n"
         "(positive if friction is larger while the speed rises) and the range of the force go to\n"
         "standard error.");
}

/* The motion the options ask for. */
static int motion_from_args(const args *a, const laws *l, bri_motion *m) {
    double amplitude = 0.0;
    *m = (bri_motion){.frequency = 1.0, .samples = 400, .settle = 4};
    if (args_get(a, "--amplitude") && args_get(a, "--velocity-amplitude")) {
        complain("give --amplitude or --velocity-amplitude, not both");
        return WRONG_USAGE;
    }
    int failed = args_positive(a, "--frequency", "Hz", &m->frequency);
    if (!failed) failed = args_positive(a, "--amplitude", "m", &amplitude);
    if (!failed) failed = args_quantity(a, "--velocity-mean", "m/s", &m->mean);
    if (!failed) failed = args_positive(a, "--velocity-amplitude", "m/s", &m->speed);
    if (!failed) failed = args_whole(a, "--cycles", 1, 100000, &m->settle);
    if (!failed) failed = args_whole(a, "--samples", 16, 1000000, &m->samples);
    m->settle -= 1; /* the last one is recorded */
    if (failed || m->speed > 0.0) return failed;
    if (amplitude > 0.0)
        m->speed = tau * m->frequency * amplitude;
    else
        m->speed = m->mean != 0.0 ? 0.5 * fabs(m->mean) : tau * m->frequency * 5.0 * laws_length(l);
    return DONE;
}

static int draw_loops(const laws *l, const table *t, const bri_motion *m, const bri_points *p,
                      const char *file) {
    int lines = l->count + (p->count > 0);
    bri_series *series = calloc(2 * (size_t)lines, sizeof *series);
    if (!series) {
        complain("%s", bri_status_text(BRI_NO_MEMORY));
        return RUN_FAILED;
    }
    for (int k = 0; k < 2 * lines; k++)
        series[k] = k % lines == l->count ? points_series(p, k < lines ? 1 : 2)
                                          : (bri_series){.label = l->list[k % lines].name,
                                                         .x = table_column(t, k < lines ? 1 : 2),
                                                         .y = table_column(t, 3 + k % lines),
                                                         .count = t->n_rows};
    bri_panel panels[2] = {
        {.x_name = "displacement",
         .x_unit = "m",
         .y_name = "friction force",
         .y_unit = "N",
         .series = series,
         .n_series = lines},
        {.x_name = "velocity",
         .x_unit = "m/s",
         .y_name = "friction force",
         .y_unit = "N",
         .series = series + lines,
         .n_series = lines},
    };
    char title[160];
    if (m->mean != 0.0)
        snprintf(title, sizeof title, "Friction at %.4g + %.4g cos(2 pi %.4g Hz t) m/s", m->mean,
                 m->speed, m->frequency);
    else
        snprintf(title, sizeof title, "Friction in a motion of \xc2\xb1%.4g mm at %.4g Hz",
                 1e3 * m->speed / (tau * m->frequency), m->frequency);
    bri_plot plot = {.title = title, .panels = panels, .n_panels = 2};
    int failed = draw(&plot, file);
    free(series);
    return failed;
}

/* Columns t, x, v and one force per law; loops[] receives what each cycle says. */
static int record(const laws *l, const bri_motion *m, const table *t, bri_loop *loops) {
    bri_sample *samples = malloc((size_t)t->n_rows * sizeof *samples);
    if (!samples) {
        complain("%s", bri_status_text(BRI_NO_MEMORY));
        return RUN_FAILED;
    }
    for (int k = 0; k < l->count; k++) {
        loops[k] = bri_run_loop(&l->list[k].setup, m, samples);
        for (int i = 0; i < t->n_rows; i++) {
            table_column(t, 0)[i] = samples[i].t;
            table_column(t, 1)[i] = samples[i].x;
            table_column(t, 2)[i] = samples[i].v;
            table_column(t, 3 + k)[i] = samples[i].F;
        }
    }
    free(samples);
    return DONE;
}

static void summarise(const laws *l, const table *t, const bri_loop *loops) {
    fprintf(stderr, "%-28s %15s %17s %12s %12s\n", "law", "energy [J]", "area F dv [W]",
            "F min [N]", "F max [N]");
    for (int k = 0; k < l->count; k++)
        fprintf(stderr, "%-28s %15.6g %17.6g %12.6g %12.6g\n", l->list[k].name, loops[k].energy,
                loops[k].lag, loops[k].F_min, loops[k].F_max);
    for (int k = 0; k < l->count; k++) {
        const double *F = table_column(t, 3 + k);
        double gap = fabs(F[t->n_rows - 1] - F[0]), range = loops[k].F_max - loops[k].F_min;
        if (gap > 1e-3 * range)
            fprintf(stderr, "note: the loop of %s is not closed yet; more --cycles settle it\n",
                    l->list[k].name);
    }
}

static int run_laws(const args *a, laws *l, bri_points *p) {
    const char *plot = args_get(a, "--plot");
    bri_motion m;
    int failed = check_plot_name(plot);
    if (!failed) failed = laws_from_args(l, a);
    if (!failed) failed = points_from_args(a, 1, p);
    if (!failed) failed = motion_from_args(a, l, &m);
    if (!failed && p->count > 0 && !plot) {
        complain("--points are drawn over the loops: name the picture with --plot FILE");
        failed = WRONG_USAGE;
    }
    if (failed) return failed;

    table t;
    bri_loop *loops = calloc((size_t)l->count, sizeof *loops);
    failed = table_create(&t, 3 + l->count, m.samples + 1);
    if (!failed && !loops) {
        complain("%s", bri_status_text(BRI_NO_MEMORY));
        failed = RUN_FAILED;
    }
    if (!failed) {
        t.heads[0] = "t", t.heads[1] = "x", t.heads[2] = "v";
        for (int k = 0; k < l->count; k++) t.heads[3 + k] = l->list[k].name;
        failed = record(l, &m, &t, loops);
        if (!failed && plot) failed = draw_loops(l, &t, &m, p, plot);
        if (!failed) failed = table_write(&t, args_get(a, "--output"));
        if (!failed) {
            summarise(l, &t, loops);
            laws_note_loads(l);
        }
    }
    free(loops);
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

int cmd_loop(int argc, char **argv) { return command(options, N_OPTIONS, help, run, argc, argv); }
