/* plot_map.c - a map: one number or word over two axes, as coloured cells, with lines on top. */
#include "plot_script.h"

#include <math.h>
#include <string.h>

/* Words: blue, orange, green, ...: light enough for lines on top, told apart by every colour
 * vision. */
static const char *const fills[] = {"#56B4E9", "#E69F00", "#9AD8B8",
                                    "#CC79A7", "#BBBBBB", "#F0E442"};
enum { FILLS = sizeof fills / sizeof *fills };

/* The edge between the middles a and b of two cells. */
static double between(double a, double b, int logarithmic) {
    return logarithmic && a > 0.0 && b > 0.0 ? sqrt(a * b) : 0.5 * (a + b);
}

/* Edges of cell i along an axis of n middles. */
static void edges(const double *x, int n, int i, int logarithmic, double out[2]) {
    if (n == 1) {
        out[0] = x[0] - 0.5;
        out[1] = x[0] + 0.5;
        return;
    }
    double low = i > 0 ? between(x[i - 1], x[i], logarithmic) : 0.0;
    double high = i + 1 < n ? between(x[i], x[i + 1], logarithmic) : 0.0;
    if (i == 0) low = logarithmic && x[0] > 0.0 ? x[0] * x[0] / high : 2.0 * x[0] - high;
    if (i == n - 1) high = logarithmic && low > 0.0 ? x[i] * x[i] / low : 2.0 * x[i] - low;
    out[0] = low;
    out[1] = high;
}

/* Cells of one word, or of all numbers, as "x y xlow xhigh ylow yhigh [z]". */
static int put_cells(FILE *out, const bri_panel *panel, double fx, double fy, int word) {
    const bri_map *m = panel->map;
    int count = 0;
    fprintf(out, "$c%d << end\n", word);
    for (int j = 0; j < m->ny; j++)
        for (int i = 0; i < m->nx; i++) {
            double z = m->z[j * m->nx + i], x[2], y[2];
            if (!isfinite(z) || (m->words && (int)z != word)) continue;
            edges(m->x, m->nx, i, panel->log_x, x);
            edges(m->y, m->ny, j, panel->log_y, y);
            fprintf(out, "%.9g %.9g %.9g %.9g %.9g %.9g %.9g\n", fx * m->x[i], fy * m->y[j],
                    fx * x[0], fx * x[1], fy * y[0], fy * y[1], z);
            count++;
        }
    fputs("end\n", out);
    return count;
}

/* Numbers at 1, 2 and 5 of every decade, where gnuplot would have one a decade: an axis of two
 * decades and a half then has seven in place of two. */
static void put_log_tics(FILE *out, char which, double low, double high) {
    int drawn = 0, few = log10(high / low) <= 2.5;
    fprintf(out, "set %ctics autofreq\n", which);
    if (!few) return;
    for (int decade = (int)floor(log10(low)); pow(10.0, decade) <= high; decade++)
        for (int k = 1; k < 10; k++) {
            double at = k * pow(10.0, decade);
            if (at < low || at > high) continue;
            fprintf(out, drawn++ ? ", " : "set %ctics (", which);
            fprintf(out, k == 1 || k == 2 || k == 5 ? "%.9g" : "'' %.9g 1", at);
        }
    if (drawn) fputs(")\n", out);
}

static void put_range(FILE *out, char which, const double *x, int n, int logarithmic,
                      double factor) {
    double first[2], last[2];
    edges(x, n, 0, logarithmic, first);
    edges(x, n, n - 1, logarithmic, last);
    double low = first[0] < last[0] ? first[0] : last[0],
           high = first[1] > last[1] ? first[1] : last[1];
    fprintf(out, "%sset logscale %c\nset %crange [%.9g:%.9g]\n", logarithmic ? "" : "un", which,
            which, factor * low, factor * high);
    if (logarithmic)
        put_log_tics(out, which, factor * low, factor * high);
    else
        fprintf(out, "set %ctics autofreq\n", which);
}

void plot_map_scale(const bri_plot *plot, double scale[2]) {
    scale[0] = INFINITY, scale[1] = -INFINITY;
    for (int i = 0; i < plot->n_panels; i++) {
        const bri_map *m = plot->panels[i].map;
        for (long k = 0; m && k < (long)m->nx * m->ny; k++)
            if (isfinite(m->z[k])) {
                scale[0] = fmin(scale[0], m->z[k]);
                scale[1] = fmax(scale[1], m->z[k]);
            }
    }
}

/* A line over the cells: contours with a light edge, which shows them on dark colours. */
static void put_line(FILE *out, const bri_series *s, int i, int first) {
    if (s->back)
        fprintf(
            out,
            "%s$d%d with lines lc rgb '#80FFFFFF' lw 2.4, $d%d with lines lc rgb '#222222' lw 0.8",
            first ? "plot " : ", ", i, i);
    else
        fprintf(out, "%s$d%d with lines lc rgb '#000000' lw 2.5%s", first ? "plot " : ", ", i,
                s->dashed ? " dt (8,6)" : "");
    if (!s->label || s->back) return;
    fputs(" title ", out);
    plot_text(out, s->label);
}

/* What the map shows, above it: beside the scale its numbers have the room. */
static void put_title(FILE *out, const bri_panel *panel) {
    const bri_map *m = panel->map;
    char label[PLOT_LABEL];
    const char *title = panel->title ? panel->title : "", *unit = m->unit ? m->unit : "";
    int other = *title && strcmp(title, m->name) != 0;
    snprintf(label, sizeof label, "%s%s%s%s%s%s", other ? title : "", other ? ": " : "", m->name,
             *unit ? "  [" : "", unit, *unit ? "]" : "");
    fputs("\nset title ", out);
    plot_text(out, label);
}

void plot_map(FILE *out, const bri_panel *panel, const double scale[2]) {
    const bri_map *m = panel->map;
    char label[PLOT_LABEL];
    int drawn = 0, words = m->words ? m->n_words : 1, some[64] = {0};
    double fx = plot_axis(panel, 0, label, sizeof label);
    fputs("set xlabel ", out);
    plot_text(out, label);
    double fy = plot_axis(panel, 1, label, sizeof label);
    fputs("\nset ylabel ", out);
    plot_text(out, label);
    put_title(out, panel);
    fputs("\nunset grid\nunset offsets\nset key outside right top samplen 2 noautotitle Left "
          "reverse\n"
          "set style fill solid 1 border\nset border 15\nunset label\n",
          out);
    if (!m->words)
        fputs("set palette defined (0 '#08306B', 0.25 '#2F79B5', 0.5 '#8CC5B2', 0.75 '#F3E58C', 1 "
              "'#E8822A')\n",
              out);
    if (!m->words && scale && scale[0] < scale[1])
        fprintf(out, "set cbrange [%.9g:%.9g]\n", scale[0], scale[1]);
    put_range(out, 'x', m->x, m->nx, panel->log_x, fx);
    put_range(out, 'y', m->y, m->ny, panel->log_y, fy);
    for (int w = 0; w < words && w < 64; w++) some[w] = put_cells(out, panel, fx, fy, w);
    plot_data(out, panel, fx, fy);
    plot_contour_labels(out, panel, fx, fy);
    for (int w = 0; w < words && w < 64; w++) {
        if (!some[w]) continue;
        fprintf(out, "%s$c%d using 1:2:3:4:5:6", drawn++ ? ", " : "plot ", w);
        if (m->words) {
            fprintf(out, " with boxxyerror lc rgb '%s' lw 0.6 title ", fills[w % FILLS]);
            plot_text(out, m->words[w]);
        } else {
            fputs(":7 with boxxyerror lc palette lw 0.6", out);
        }
    }
    for (int i = 0; i < panel->n_series; i++)
        if (plot_has_points(&panel->series[i])) put_line(out, &panel->series[i], i, !drawn++);
    fputs(drawn ? "\n" : "plot NaN\n", out);
}
