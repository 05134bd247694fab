/* figure.c - pictures of a paper drawn again from traces. */
#include "lab.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

void lab_figure_begin(lab_figure *f, const char *title, int columns, int rows) {
    *f = (lab_figure){.plot = {.title = title, .columns = columns, .rows = rows}};
    f->plot.panels = f->panels;
}

void lab_panel(lab_figure *f, int column, int row, const char *title, const char *x_name,
               const char *x_unit, const char *y_name, const char *y_unit) {
    int i = f->plot.n_panels;
    if (i == LAB_PANELS) return;
    f->panels[i] = (bri_panel){.title = title,
                               .x_name = x_name,
                               .x_unit = x_unit,
                               .y_name = y_name,
                               .y_unit = y_unit,
                               .series = f->series[i],
                               .column = column,
                               .row = row};
    f->plot.n_panels++;
}

static bri_panel *last(lab_figure *f) {
    return f->plot.n_panels ? &f->panels[f->plot.n_panels - 1] : &f->panels[0];
}

void lab_share_legend(lab_figure *f) { last(f)->no_legend = 1; }
void lab_share_x(lab_figure *f) { last(f)->no_x_name = 1; }

/* Nonzero if x only grows, as time does. */
static int grows(const double *x, long count) {
    for (long i = 1; i < count; i++)
        if (!(x[i] > x[i - 1])) return 0;
    return 1;
}

void lab_line(lab_figure *f, const char *label, const double *x, const double *y, long count,
              lab_style style) {
    enum { GROUPS = 400 }; /* about one per pixel */
    if (f->plot.n_panels == 0 || !x || !y || count < 1) return;
    int i = f->plot.n_panels - 1, k = f->panels[i].n_series;
    if (k == LAB_SERIES) return;
    thin *line = &f->lines[i][k];
    int plane = !grows(x, count);
    thin_init(line, count, plane ? 4 * GROUPS : GROUPS, plane);
    for (long j = 0; j < count; j++) thin_add(line, x[j], y[j]);
    thin_end(line);
    if (line->failed) return;
    f->series[i][k] = (bri_series){.label = label,
                                   .x = line->x,
                                   .y = line->y,
                                   .count = (int)line->count,
                                   .markers = style == POINTS,
                                   .dashed = style == DASHED};
    f->panels[i].n_series++;
}

/* What is printed of y between two times, less `zero`. */
static void add_printed(lab_figure *f, const lab *l, int run, const char *y, double from,
                        double until, double zero) {
    if (f->plot.n_panels == 0) return;
    thin *to = &f->printed[f->plot.n_panels - 1];
    if (!to->group) thin_init(to, 0, 1, 1);
    for (int i = 0; i < lab_quantity_count(l->paper); i++) {
        double at, value;
        if (lab_printed(l, run, y, i, &at, &value) && at >= from && at <= until)
            thin_add(to, at, value - zero);
    }
}

void lab_curve(lab_figure *f, const lab *l, int run, const char *label, const char *x,
               const char *y, double from, double until) {
    const double *t = lab_time(l, run);
    const double *across = x ? lab_column(l, run, x) : t, *up = lab_column(l, run, y);
    if (!t || !across || !up) return;
    long first = 0, end = lab_trace(l, run)->n_rows;
    while (first < end && t[first] < from) first++;
    while (end > first && t[end - 1] > until) end--;
    lab_line(f, label, across + first, up + first, end - first, LINE);
    if (!x) add_printed(f, l, run, y, from, until, 0.0);
}

void lab_shifted(lab_figure *f, const lab *l, int run, const char *label, const char *y,
                 double from, double until, double zero) {
    const double *t = lab_time(l, run), *column = lab_column(l, run, y);
    long count = lab_trace(l, run)->n_rows, first = 0, end = count;
    double *less = t && column ? calloc((size_t)count + 1, sizeof *less) : NULL;
    if (!less) return;
    while (first < end && t[first] < from) first++;
    while (end > first && t[end - 1] > until) end--;
    for (long i = first; i < end; i++) less[i] = column[i] - zero;
    lab_line(f, label, t + first, less + first, end - first, LINE);
    add_printed(f, l, run, y, from, until, zero);
    free(less);
}

/* A line of one point is not drawn, but counts for the range of the axis. */
void lab_reach(lab_figure *f, double x, double low, double high) {
    lab_line(f, NULL, &x, &low, 1, LINE);
    lab_line(f, NULL, &x, &high, 1, LINE);
}

void lab_sum(lab_figure *f, const lab *l, int run, const char *label, const char *a,
             const char *b) {
    const double *first = lab_column(l, run, a), *second = lab_column(l, run, b);
    long count = lab_trace(l, run)->n_rows;
    double *sum = first && second ? calloc((size_t)count + 1, sizeof *sum) : NULL;
    if (!sum) return;
    for (long i = 0; i < count; i++) sum[i] = first[i] + second[i];
    lab_line(f, label, lab_time(l, run), sum, count, LINE);
    free(sum);
}

/* The printed numbers of a panel as its last series; how many. */
static size_t show_printed(lab_figure *f, int i) {
    const thin *from = &f->printed[i];
    int k = f->panels[i].n_series;
    if (from->count == 0 || from->failed || k == LAB_SERIES) return 0;
    f->series[i][k] = (bri_series){
        .label = "printed", .x = from->x, .y = from->y, .count = (int)from->count, .markers = 4};
    f->panels[i].n_series++;
    return from->count;
}

void lab_figure_end(lab_figure *f, bri_report *r, const char *name, const char *caption) {
    char text[400];
    size_t printed = 0;
    for (int i = 0; i < f->plot.n_panels; i++) printed += show_printed(f, i);
    snprintf(text, sizeof text, "%.300s%s", caption,
             printed ? " Black dots: numbers that the paper prints." : "");
    bri_report_picture(r, name, text, &f->plot);
    for (int i = 0; i < LAB_PANELS; i++) {
        thin_free(&f->printed[i]);
        for (int k = 0; k < LAB_SERIES; k++) thin_free(&f->lines[i][k]);
    }
}
