/* plot_marks.c - a few symbols on each line of a panel, shifted from line to line: where lines lie
 * on each other, each still shows that it is there. */
#include "plot_script.h"

#include <math.h>

enum { MARKS = 6, FEW = 3 }; /* symbols on a line; so many lines are told apart without */

static int is_line(const bri_series *s) {
    return !s->markers && !s->back && !s->low && plot_has_points(s);
}

int plot_marked(const bri_panel *panel) {
    int lines = 0;
    for (int i = 0; i < panel->n_series; i++) lines += is_line(&panel->series[i]);
    return lines > FEW && !panel->log_x && !panel->log_y;
}

/* Least value and span along one axis of a panel. */
static double span(const bri_panel *panel, int vertical) {
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < panel->n_series; i++)
        for (int k = 0; k < panel->series[i].count; k++) {
            double x = vertical ? panel->series[i].y[k] : panel->series[i].x[k];
            if (!isfinite(x)) continue;
            low = fmin(low, x);
            high = fmax(high, x);
        }
    return high > low ? high - low : 1.0;
}

static int grows(const bri_series *s) {
    for (int k = 1; k < s->count; k++)
        if (s->x[k] < s->x[k - 1]) return 0;
    return 1;
}

/* How far the line goes from point k - 1 to k: along x if that only grows, as time does, else along
 * the line as it is seen. 0 over a gap. */
static double length(const bri_series *s, int k, int along_x, double wide, double tall) {
    double dx = (s->x[k] - s->x[k - 1]) / wide, dy = (s->y[k] - s->y[k - 1]) / tall;
    if (!isfinite(dx) || !isfinite(dy)) return 0.0;
    return along_x ? dx : hypot(dx, dy);
}

/* Symbols at equal distances; `phase`, 0 to 1, says how far the first is from the start. */
static void put_marks(FILE *out, const bri_series *s, double phase, double wide, double tall,
                      double fx, double fy) {
    int along_x = grows(s);
    double all = 0.0, gone = 0.0;
    for (int k = 1; k < s->count; k++) all += length(s, k, along_x, wide, tall);
    double next = all * phase / MARKS;
    for (int k = 1; k < s->count && all > 0.0; k++) {
        double piece = length(s, k, along_x, wide, tall);
        for (; piece > 0.0 && next <= gone + piece; next += all / MARKS) {
            double u = (next - gone) / piece;
            fprintf(out, "%.9g %.9g\n", fx * (s->x[k - 1] + u * (s->x[k] - s->x[k - 1])),
                    fy * (s->y[k - 1] + u * (s->y[k] - s->y[k - 1])));
        }
        gone += piece;
    }
}

void plot_marks(FILE *out, const bri_panel *panel, double fx, double fy) {
    double wide = span(panel, 0), tall = span(panel, 1);
    if (!plot_marked(panel)) return;
    for (int i = 0; i < panel->n_series; i++) {
        if (!is_line(&panel->series[i])) continue;
        fprintf(out, "$m%d << end\n", i);
        put_marks(out, &panel->series[i], (i + 0.5) / panel->n_series, wide, tall, fx, fy);
        fputs("end\n", out);
    }
}

void plot_put_marks(FILE *out, const bri_panel *panel) {
    if (!plot_marked(panel)) return;
    for (int i = 0; i < panel->n_series; i++)
        if (is_line(&panel->series[i]))
            fprintf(out, ", $m%d with points ls %d lw 1.2 notitle", i, plot_style(panel, i));
}
