/* report.c - the page of an identification: verdict, ranking, estimates and pictures. */
#include "identify.h"

#include "fail.h"
#include "text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_POINTS = 4000, LAGS = 60, BANDS = 60 };

static void put_lines(bri_report *page, const char *text) {
    while (text && *text) {
        char line[700];
        size_t n = strcspn(text, "\n");
        snprintf(line, sizeof line, "%.*s", (int)(n < 690 ? n : 690), text);
        bri_report_text(page, line);
        text += n + (text[n] == '\n');
    }
}

static void put_table(bri_report *page, const char *name, bri_table *t) {
    if (t) bri_report_table(page, name, t);
    bri_table_free(t);
}

/* Every so many samples: what a picture can show. */
typedef struct samples {
    double *t, *x, *v, *y, *model, *r;
    int count;
} samples;

static int take_samples(const bri_fit *f, samples *s) {
    long by = (f->samples + MOST_POINTS - 1) / MOST_POINTS;
    double *room = malloc(6 * (size_t)MOST_POINTS * sizeof *room);
    *s = (samples){0};
    if (!room || by < 1) {
        free(room);
        return 0;
    }
    s->t = room, s->x = room + MOST_POINTS, s->v = room + 2 * MOST_POINTS;
    s->y = room + 3 * MOST_POINTS, s->model = room + 4 * MOST_POINTS, s->r = room + 5 * MOST_POINTS;
    for (long i = 0; i < f->samples && s->count < MOST_POINTS; i += by, s->count++) {
        int n = s->count;
        s->t[n] = f->t[i], s->x[n] = f->x[i], s->v[n] = f->v[i], s->y[n] = f->y[i];
        s->r[n] = f->r[i], s->model[n] = f->y[i] - f->r[i];
    }
    return 1;
}

static bri_series line(const char *label, const double *x, const double *y, int count,
                       int markers) {
    return (bri_series){.label = label, .x = x, .y = y, .count = count, .markers = markers};
}

static void draw_fit(bri_report *page, const bri_identified *r, const bri_fit *f,
                     const samples *s) {
    char rate[16];
    snprintf(rate, sizeof rate, "%s/s", r->x_unit);
    const char *what = strcmp(r->y_unit, r->unit) == 0     ? "force"
                       : strcmp(r->y_unit, r->x_unit) == 0 ? "position"
                                                           : "velocity";
    bri_series time[2] = {line("measured", s->t, s->y, s->count, 0),
                          line(f->law, s->t, s->model, s->count, 0)};
    bri_series speed[2] = {line("measured", s->v, s->y, s->count, 2),
                           line(f->law, s->v, s->model, s->count, 2)};
    bri_series path[2] = {line("measured", s->x, s->y, s->count, 2),
                          line(f->law, s->x, s->model, s->count, 2)};
    bri_series rest[1] = {line("residual", s->t, s->r, s->count, 0)};
    bri_panel panels[4] = {{.title = "over time",
                            .x_name = "time",
                            .x_unit = "s",
                            .y_name = what,
                            .y_unit = r->y_unit,
                            .series = time,
                            .n_series = 2,
                            .column = 0,
                            .row = 0},
                           {.title = "residuals",
                            .x_name = "time",
                            .x_unit = "s",
                            .y_name = "residual",
                            .y_unit = r->y_unit,
                            .series = rest,
                            .n_series = 1,
                            .column = 0,
                            .row = 1},
                           {.title = "over velocity",
                            .x_name = "velocity",
                            .x_unit = rate,
                            .y_name = what,
                            .y_unit = r->y_unit,
                            .series = speed,
                            .n_series = 2,
                            .column = 1,
                            .row = 0},
                           {.title = "over position",
                            .x_name = "position",
                            .x_unit = r->x_unit,
                            .y_name = what,
                            .y_unit = r->y_unit,
                            .series = path,
                            .n_series = 2,
                            .column = 1,
                            .row = 1}};
    bri_plot plot = {.title = f->law, .panels = panels, .n_panels = 4, .columns = 2, .rows = 2};
    bri_report_picture(page, "fit",
                       "What was measured and what the law says, and their difference.", &plot);
}

/* Autocorrelation and spectrum of the residuals: what is not white is not noise, or coloured. */
static void draw_noise(bri_report *page, const bri_fit *f) {
    double lag[LAGS], corr[LAGS], band[BANDS], power[BANDS], zero = 0.0;
    long n = f->samples;
    double h = n > 1 ? (f->t[n - 1] - f->t[0]) / (double)(n - 1) : 1.0;
    for (long i = 0; i < n; i++) zero += f->r[i] * f->r[i];
    for (int k = 0; k < LAGS; k++) {
        double sum = 0.0;
        for (long i = k; i < n; i++) sum += f->r[i] * f->r[i - k];
        lag[k] = k * h;
        corr[k] = zero > 0.0 ? sum / zero : 0.0;
    }
    for (int k = 0; k < BANDS; k++) { /* from the autocorrelation, with a triangular window */
        double w = 3.14159265358979323846 * (k + 1) / BANDS, sum = 1.0;
        for (int j = 1; j < LAGS; j++) sum += 2.0 * (1.0 - (double)j / LAGS) * corr[j] * cos(w * j);
        band[k] = 0.5 * (k + 1) / BANDS / h;
        power[k] = fmax(sum, 1e-6);
    }
    bri_series a[1] = {line("autocorrelation", lag, corr, LAGS, 3)};
    bri_series b[1] = {line("spectrum", band, power, BANDS, 0)};
    bri_panel panels[2] = {{.title = "autocorrelation of the residuals",
                            .x_name = "lag",
                            .x_unit = "s",
                            .y_name = "correlation",
                            .y_unit = "",
                            .series = a,
                            .n_series = 1},
                           {.title = "spectrum of the residuals",
                            .x_name = "frequency",
                            .x_unit = "Hz",
                            .y_name = "power over that of white noise",
                            .y_unit = "",
                            .series = b,
                            .n_series = 1,
                            .column = 1,
                            .log_y = 1}};
    bri_plot plot = {.panels = panels, .n_panels = 2, .columns = 2, .rows = 1};
    bri_report_picture(page, "residuals",
                       "White noise would have no correlation and a level spectrum.", &plot);
}

/* The profile of each unknown, and the rise of the error that 95 % of the noise stay below. */
static void draw_profiles(bri_report *page, const bri_fit *f) {
    enum { ACROSS = 3 };
    int n = f->n_profile, count = f->n_estimates;
    double *room = malloc((size_t)(2 * n * count + 1) * sizeof *room), limit[2] = {3.84, 3.84};
    double ends[BRI_ESTIMATES][2];
    bri_series s[BRI_ESTIMATES][2];
    bri_panel panels[BRI_ESTIMATES] = {{0}};
    for (int k = 0; room && k < count; k++) {
        double *x = room + 2 * n * k, *y = x + n;
        for (int i = 0; i < n; i++) {
            x[i] = f->profile[2 * (k * n + i)];
            y[i] = fmin(f->profile[2 * (k * n + i) + 1], 20.0);
        }
        ends[k][0] = n > 0 ? x[0] : 0.0, ends[k][1] = n > 0 ? x[n - 1] : 0.0;
        s[k][0] = line("profile", x, y, n, 3);
        s[k][1] = line("95 %", ends[k], limit, 2, 0);
        panels[k] = (bri_panel){.x_name = f->estimate[k].name,
                                .x_unit = f->estimate[k].unit,
                                .y_name = "rise",
                                .y_unit = "",
                                .series = s[k],
                                .n_series = 2,
                                .column = k % ACROSS,
                                .row = k / ACROSS};
    }
    bri_plot plot = {.panels = panels,
                     .n_panels = count,
                     .columns = count < ACROSS ? count : ACROSS,
                     .rows = (count + ACROSS - 1) / ACROSS};
    if (room && n > 1 && count > 0)
        bri_report_picture(page, "profiles",
                           "Rise of the error, in variances of the noise with its colour, with one "
                           "unknown held and the others fitted again. A parabola: the interval of "
                           "the table holds; a level line: the data do not depend on it.",
                           &plot);
    free(room);
}

static void draw_starts(bri_report *page, const bri_fit *f) {
    double at[BRI_STARTS], end[BRI_STARTS];
    for (int i = 0; i < f->n_ends; i++) {
        double above = f->ends[0] > 0.0 ? f->ends[i] / f->ends[0] - 1.0 : 0.0;
        at[i] = i + 1, end[i] = fmax(100.0 * above, 1e-3);
    }
    bri_series s[1] = {line("end of a search", at, end, f->n_ends, 3)};
    bri_panel p = {.x_name = "start, sorted",
                   .x_unit = "",
                   .y_name = "error above the best",
                   .y_unit = "%",
                   .series = s,
                   .n_series = 1,
                   .log_y = 1};
    bri_plot plot = {
        .title = "Ends of the searches", .panels = &p, .n_panels = 1, .columns = 1, .rows = 1};
    if (f->n_ends > 1)
        bri_report_picture(page, "starts",
                           "How much worse each search ended than the best; below 0.1 % it is the "
                           "same end. Errors of the coarse samples on which is searched; the best "
                           "goes on with all.",
                           &plot);
}

static bri_table *correlations(const bri_fit *f) {
    bri_column columns[BRI_ESTIMATES + 1] = {{"unknown", NULL, NULL, 0, NULL}};
    int n = f->n_estimates;
    for (int k = 0; k < n; k++)
        columns[k + 1] = (bri_column){f->estimate[k].name, NULL, NULL, 2, NULL};
    bri_table *t = bri_table_create(NULL, columns, n + 1);
    for (int k = 0; t && k < n; k++) {
        bri_table_text(t, f->estimate[k].name, BRI_TONE_PLAIN);
        for (int l = 0; l < n; l++) {
            double c = f->correlation[k * n + l];
            bri_table_number(t, c, l != k && fabs(c) > 0.95 ? BRI_TONE_BAD : BRI_TONE_PLAIN);
        }
    }
    return t;
}

bri_status bri_identified_report(const bri_identified *r, const bri_identify_def *def,
                                 const char *dir, const char *command, bri_error *err) {
    bri_report *page = NULL;
    bri_status status = bri_report_create(dir, "Identification", &page, err);
    if (status != BRI_OK) return status;
    char text[400];
    text_format(text, sizeof text,
                "%s: %ld rows, %.4g s at %.4g Hz; speeds %.3g to %.3g %s/s, %ld reversals; low "
                "pass %.4g Hz.",
                r->scenario, r->data.rows, r->data.seconds, r->data.rate, r->data.slow,
                r->data.fast, r->x_unit, r->data.reversals, r->data.filter);
    bri_report_heading(page, "The data");
    bri_report_text(page, text);
    put_lines(page, r->data.text);
    const bri_fit *f = r->advised >= 0 ? &r->fits[r->advised] : NULL;
    samples s;
    if (f) {
        bri_report_heading(page, "The laws");
        put_table(page, "ranking", bri_identified_ranking(r));
        put_lines(page, r->advice);
        bri_report_heading(page, f->law);
        put_table(page, "estimates", bri_identified_estimates(r, r->advised));
        put_lines(page, f->sense);
        if (take_samples(f, &s)) draw_fit(page, r, f, &s);
        free(s.t);
        draw_noise(page, f);
        draw_profiles(page, f);
        draw_starts(page, f);
        bri_report_heading(page, "Correlations of the estimates");
        put_table(page, "correlations", correlations(f));
        char *rig = bri_identified_scenario(r, r->advised, def, err);
        if (rig) bri_report_listing(page, "The rig with these values", rig);
        free(rig);
    }
    return bri_report_close(page, command, err);
}
