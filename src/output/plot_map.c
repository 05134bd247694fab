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

static void put_range(FILE *out, char which, const double *x, int n, int logarithmic,
                      double factor) {
    double first[2], last[2];
    edges(x, n, 0, logarithmic, first);
    edges(x, n, n - 1, logarithmic, last);
    double low = first[0] < last[0] ? first[0] : last[0],
           high = first[1] > last[1] ? first[1] : last[1];
    fprintf(out, "%sset logscale %c\nset %crange [%.9g:%.9g]\n", logarithmic ? "" : "un", which,
            which, factor * low, factor * high);
}

void plot_map(FILE *out, const bri_panel *panel) {
    const bri_map *m = panel->map;
    char label[PLOT_LABEL];
    int drawn = 0, words = m->words ? m->n_words : 1, some[64] = {0};
    double fx = plot_axis(panel, 0, label, sizeof label);
    fputs("set xlabel ", out);
    plot_text(out, label);
    double fy = plot_axis(panel, 1, label, sizeof label);
    fputs("\nset ylabel ", out);
    plot_text(out, label);
    /* Beside the scale its numbers have the room: what it measures stands above the map. */
    const char *title = panel->title ? panel->title : "";
    int other = !m->words && *title && strcmp(title, m->name) != 0;
    if (m->words)
        snprintf(label, sizeof label, "%s", title);
    else
        snprintf(label, sizeof label, "%s%s%s%s%s%s", other ? title : "", other ? ": " : "",
                 m->name, m->unit && *m->unit ? "  [" : "", m->unit ? m->unit : "",
                 m->unit && *m->unit ? "]" : "");
    fputs("\nset title ", out);
    plot_text(out, label);
    fputs("\nunset grid\nunset offsets\nset key outside right top samplen 2 noautotitle Left "
          "reverse\n"
          "set style fill solid 1 border\nset border 15\n",
          out);
    if (!m->words) {
        fputs("set palette defined (0 '#08306B', 0.25 '#2F79B5', 0.5 '#8CC5B2', 0.75 '#F3E58C', 1 "
              "'#E8822A')\n",
              out);
    }
    put_range(out, 'x', m->x, m->nx, panel->log_x, fx);
    put_range(out, 'y', m->y, m->ny, panel->log_y, fy);
    for (int w = 0; w < words && w < 64; w++) some[w] = put_cells(out, panel, fx, fy, w);
    plot_data(out, panel, fx, fy);
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
    for (int i = 0; i < panel->n_series; i++) {
        const bri_series *s = &panel->series[i];
        if (!plot_has_points(s)) continue;
        fprintf(out, "%s$d%d with lines lc rgb '%s' lw %s%s", drawn++ ? ", " : "plot ", i,
                s->back ? "#555555" : "#000000", s->back ? "0.8" : "2.5",
                s->dashed ? " dt (8,6)" : "");
        if (!s->label) continue;
        fputs(" title ", out);
        plot_text(out, s->label);
    }
    fputs(drawn ? "\n" : "plot NaN\n", out);
}
