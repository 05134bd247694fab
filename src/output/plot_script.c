/* plot_script.c - what a picture looks like: the commands that gnuplot reads. */
#include "plot_script.h"

#include "utf8.h"

#include <math.h>
#include <string.h>

/* Okabe and Ito 2008, their yellow replaced by brown: told apart by people of every colour vision,
 * and in grey. */
static const char *const colours[] = {"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                      "#E69F00", "#56B4E9", "#000000", "#8B4A2B"};
static const char *const dashes[] = {"solid",  "(11,9)", "(1,6)",          "(11,7,1,7)",
                                     "(24,9)", "(5,8)",  "(11,6,1,6,1,6)", "(1,11)"};
#define STRIP_WIDTH 1.4 /* lines of a single diagram over those of a grid */
static const int symbols[] = {6, 4, 8, 12, 2, 10, 1, 7};
enum { N_STYLES = sizeof colours / sizeof *colours };

enum {
    PANEL_WIDTH = 620,
    ONE_PANEL_WIDTH = 860,
    PANEL_HEIGHT = 430,
    MAP_WIDTH = 700,
    MAP_HEIGHT = 520,
    KEY_ROW = 24
};

/* A string for gnuplot. In double quotes a backslash and three octal digits are a byte and nothing
 * more: so is written what could mean something to gnuplot. (Single quotes do not do, since ''\' is
 * read as an empty string and a rest.) What XML does not allow, control characters, half letters of
 * UTF-8 and ]]>, becomes a blank or the replacement character or is parted: gnuplot passes it on.
 */
void plot_text(FILE *out, const char *text) {
    const char *start = text, *from = text;
    fputc('"', out);
    while (text && *text) {
        uint32_t c = utf8_next(&text);
        if (c == '>' && from - start >= 2 && from[-1] == ']' && from[-2] == ']') fputc(' ', out);
        if (c < ' ' || (c >= 0x7f && c < 0xa0))
            fputc(' ', out);
        else if (c < 0x7f && strchr("\\\"'`$@%#", (int)c))
            fprintf(out, "\\%03o", (unsigned)c);
        else if (c == 0xfffd || (c & 0xfffe) == 0xfffe)
            fputs("\xef\xbf\xbd", out);
        else
            fwrite(from, 1, (size_t)(text - from), out);
        from = text;
    }
    fputc('"', out);
}

/* Factor and prefix that bring a value of this size between about 0.1 and 1000, or 20 000, which is
 * still read at a glance. Long times and lengths have units of their own. */
static double prefix_for(const char *unit, double size, const char **prefix) {
    static const struct {
        const char *unit;
        int large; /* nonzero: also takes k, M, G */
    } take[] = {{"m", 0},     {"m/s", 0}, {"m/s^2", 0}, {"s", 0},    {"rad", 0},
                {"rad/s", 0}, {"N", 1},   {"N m", 1},   {"J", 1},    {"W", 1},
                {"Hz", 1},    {"Pa", 1},  {"N/m", 1},   {"N s/m", 1}};
    static const struct {
        double from, factor;
        const char *prefix;
    } prefixes[] = {{2e10, 1e-9, "G"}, {2e7, 1e-6, "M"},        {2e4, 1e-3, "k"}, {0.1, 1.0, ""},
                    {1e-4, 1e3, "m"},  {1e-7, 1e6, "\xc2\xb5"}, {0.0, 1e9, "n"}}; /* micro sign */
    *prefix = "";
    if (!unit || !(size > 0.0) || !isfinite(size)) return 1.0;
    for (size_t i = 0; i < sizeof take / sizeof *take; i++) {
        if (strcmp(unit, take[i].unit) != 0) continue;
        size_t k = take[i].large ? 0 : 3;
        while (size < prefixes[k].from) k++;
        *prefix = prefixes[k].prefix;
        return prefixes[k].factor;
    }
    return 1.0;
}

/* Largest finite magnitude along one axis of a panel. */
static double extent(const bri_panel *panel, int vertical) {
    double most = 0.0;
    const bri_map *m = panel->map;
    for (int k = 0; m && k < (vertical ? m->ny : m->nx); k++)
        most = fmax(most, fabs(vertical ? m->y[k] : m->x[k]));
    for (int i = 0; i < panel->n_series; i++) {
        const bri_series *s = &panel->series[i];
        const double *value = vertical ? s->y : s->x;
        for (int k = 0; k < s->count; k++) {
            if (isfinite(value[k])) most = fmax(most, fabs(value[k]));
            if (vertical && s->low && isfinite(s->low[k])) most = fmax(most, fabs(s->low[k]));
        }
    }
    return most;
}

double plot_axis(const bri_panel *panel, int vertical, char *label, size_t size) {
    const char *name = vertical ? panel->y_name : panel->x_name, *prefix;
    const char *unit = vertical ? panel->y_unit : panel->x_unit;
    double factor = prefix_for(unit, extent(panel, vertical), &prefix);
    *label = '\0';
    if (name && unit && *unit)
        snprintf(label, size, "%s  [%s%s]", name, prefix, unit);
    else if (name)
        snprintf(label, size, "%s", name);
    return factor;
}

/* "set xlabel 'velocity [mm/s]'"; returns the factor for the numbers. */
static double put_axis(FILE *out, const bri_panel *panel, int vertical) {
    char label[PLOT_LABEL];
    double factor = plot_axis(panel, vertical, label, sizeof label);
    fprintf(out, "set %clabel ", vertical ? 'y' : 'x');
    plot_text(out, label);
    fputc('\n', out);
    return factor;
}

void plot_data(FILE *out, const bri_panel *panel, double fx, double fy) {
    for (int i = 0; i < panel->n_series; i++) {
        const bri_series *s = &panel->series[i];
        fprintf(out, "$d%d << end\n", i);
        for (int k = 0; k < s->count; k++) {
            double x = fx * s->x[k], y = fy * s->y[k];
            int shown = !(panel->log_x && x <= 0.0) && !(panel->log_y && y <= 0.0);
            if (shown && isfinite(x) && isfinite(y) && s->low)
                fprintf(out, "%.9g %.9g %.9g\n", x, y, fy * s->low[k]);
            else if (shown && isfinite(x) && isfinite(y))
                fprintf(out, "%.9g %.9g\n", x, y);
            else
                fputc('\n', out); /* an empty line interrupts the curve */
        }
        fputs("end\n", out);
    }
}

int plot_style(const bri_panel *panel, int series) {
    int lines = 0;
    for (int i = 0; i < series; i++) lines += !panel->series[i].low;
    return lines + 1;
}

const char *plot_colour(int style) { return colours[(style - 1) % N_STYLES] + 1; }

double plot_width(const bri_panel *panel, int series) {
    const double thin = 1.5, more = 0.9;
    int last = panel->n_series - 1;
    return last < 1 ? 1.5 : thin + more * (last - series) / last;
}

/* Number of rows the legend takes below the panels, and of entries in one row. */
static int legend_rows(const bri_plot *plot, int width, int *columns) {
    int listed = 0;
    size_t longest = 0;
    for (int i = 0; plot->n_panels > 0 && i < plot->panels[0].n_series; i++) {
        const char *label = plot->panels[0].series[i].label;
        if (!label) continue;
        listed++;
        if (strlen(label) > longest) longest = strlen(label);
    }
    int entry = (int)(longest < 60 ? longest : 60) * 9 + 70; /* width of an entry in pixels */
    *columns = width / entry > 1 ? width / entry : 1;
    if (*columns > listed && listed > 0) *columns = listed;
    return listed ? (listed + *columns - 1) / *columns : 0;
}

/* The legend: a strip below the panels, filled by one invisible plot that owns all entries. */
static void put_legend(FILE *out, const bri_plot *plot, int rows, int columns, double height) {
    if (!rows) return;
    const bri_panel *panel = &plot->panels[0];
    fprintf(out,
            "unset title; unset xlabel; unset ylabel; unset tics; unset border; unset grid\n"
            "set lmargin 0; set rmargin 0; set tmargin 0; set bmargin 0\n"
            "set origin 0,0; set size 1,%.6f\n"
            "set xrange [0:1]; set yrange [0:1]\n"
            "set key on center center horizontal maxcols %d samplen 3 spacing 1.25 noautotitle "
            "Left reverse width 1\nplot ",
            height, columns);
    int first = 1;
    for (int i = 0; i < panel->n_series; i++) {
        if (!panel->series[i].label) continue;
        fprintf(out, "%sNaN with %s ls %d title ", first ? "" : ", ",
                panel->series[i].markers ? "points"
                : plot_marked(panel)     ? "linespoints"
                                         : "lines",
                i + 1);
        plot_text(out, panel->series[i].label);
        first = 0;
    }
    fputc('\n', out);
}

int plot_has_points(const bri_series *s) {
    for (int k = 0; k < s->count; k++)
        if (isfinite(s->x[k]) && isfinite(s->y[k])) return 1;
    return 0;
}

static void put_panel(FILE *out, const bri_panel *panel) {
    double fx = put_axis(out, panel, 0), fy = put_axis(out, panel, 1);
    int drawn = 0;
    plot_data(out, panel, fx, fy);
    plot_marks(out, panel, fx, fy);
    fputs("set title ", out);
    plot_text(out, panel->title);
    fputs(panel->title ? " offset 0,-0.5\n" : "\nunset title\n", out);
    for (int i = 0; i < panel->n_series; i++)
        if (plot_has_points(&panel->series[i]))
            fprintf(out, "%s$d%d with %s ls %d lw %.2f notitle",
                    drawn++ ? ", " : "plot [*:*] [*:*] ", i,
                    panel->series[i].markers ? "points" : "lines", i + 1,
                    STRIP_WIDTH * plot_width(panel, i));
    if (drawn) plot_put_marks(out, panel);
    fputs(drawn ? "\n" : "plot [0:1] [0:1] NaN notitle\n", out); /* empty axes */
}

/* A line has its colour, its dashes and its symbol. After all colours the dashes are shifted by
 * one.
 */
static void put_styles(FILE *out, const bri_plot *plot) {
    int most = 0;
    for (int i = 0; i < plot->n_panels; i++)
        if (plot->panels[i].n_series > most) most = plot->panels[i].n_series;
    for (int i = 0; i < most; i++)
        fprintf(out, "set style line %d lc rgb '%s' lw %.1f dt %s pt %d ps %.1f\n", i + 1,
                colours[i % N_STYLES], plot->columns > 0 ? 1.5 : 2.0,
                dashes[(i + i / N_STYLES) % N_STYLES], symbols[i % N_STYLES],
                plot->columns > 0 ? 0.75 : 0.9);
    fputs("set border 3 lc rgb '#555555' lw 1\n"
          "set tics nomirror out scale 0.6 tc rgb '#333333'\n"
          "set grid lc rgb '#DDDDDD' lw 0.8 dt solid\n"
          "set autoscale xfix\nset offsets 0, 0, graph 0.05, graph 0.05\n"
          "set format '%g'\nset xtics autofreq\n"
          "unset key\nset datafile missing 'NaN'\n",
          out);
}

/* The picture: its size in pixels of the SVG, the styles of the lines, the title over everything.
 */
static void put_canvas(FILE *out, const bri_plot *plot, const char *kind, int width, int height) {
    fputs("set encoding utf8\n", out);
    if (strcmp(kind, "svg") == 0)
        fprintf(out,
                "set terminal svg size %d,%d noenhanced background '#FFFFFF' "
                "font 'DejaVu Sans,Helvetica,Arial,sans-serif,13' rounded\n",
                width, height);
    else if (strcmp(kind, "png") == 0)
        fprintf(out,
                "set terminal pngcairo size %d,%d noenhanced background '#FFFFFF' "
                "font 'DejaVu Sans,%g' fontscale 1 linewidth 1.6 pointscale 2 rounded\n",
                width * 8 / 5, height * 8 / 5, plot->columns > 0 ? 15.5 : 19.0);
    else
        fprintf(out,
                "set terminal pdfcairo size %.3fin,%.3fin noenhanced background '#FFFFFF' "
                "font 'DejaVu Sans,10' linewidth 1.1 pointscale 1.1 rounded\n",
                width / 96.0, height / 96.0);
    put_styles(out, plot);
    fputs("set multiplot", out);
    if (plot->title) {
        fputs(" title ", out);
        plot_text(out, plot->title);
        fprintf(out, " font ',%d' offset 0,-0.3", kind[1] == 'v' ? 16 : kind[1] == 'n' ? 23 : 12);
    }
    fputc('\n', out);
}

/* Panels side by side over one legend. */
static void put_strip(FILE *out, const bri_plot *plot, const char *kind) {
    int columns, n = plot->n_panels;
    int width = n > 1 ? n * PANEL_WIDTH : ONE_PANEL_WIDTH;
    int rows = legend_rows(plot, width - 80, &columns);
    int legend = rows ? rows * KEY_ROW + 14 : 0;
    int title = plot->title ? PLOT_TITLE : 12, height = title + PANEL_HEIGHT + legend;
    put_canvas(out, plot, kind, width, height);
    double low = (double)legend / height, tall = (double)PANEL_HEIGHT / height;
    for (int i = 0; i < n; i++) {
        fprintf(out, "set origin %.6f,%.6f\nset size %.6f,%.6f\n", (double)i / n, low, 1.0 / n,
                tall);
        put_panel(out, &plot->panels[i]);
    }
    put_legend(out, plot, rows, columns, low);
}

/* Maps in rows of two or three, each with its legend at its side. */
static void put_maps(FILE *out, const bri_plot *plot, const char *kind) {
    int n = plot->n_panels,
        columns = n == 1   ? 1
                  : n <= 4 ? 2
                           : 3,
        rows = (n + columns - 1) / columns;
    int wide = columns * (n == 1 ? ONE_PANEL_WIDTH : MAP_WIDTH);
    int title = plot->title ? PLOT_TITLE : 12, height = title + rows * MAP_HEIGHT;
    double scale[2], tall = (double)MAP_HEIGHT / height;
    plot_map_scale(plot, scale);
    put_canvas(out, plot, kind, wide, height);
    for (int i = 0; i < n; i++) {
        fprintf(out, "set origin %.6f,%.6f\nset size %.6f,%.6f\n", (double)(i % columns) / columns,
                (rows - 1 - i / columns) * tall, 1.0 / columns, tall);
        plot_map(out, &plot->panels[i], n > 1 ? scale : NULL);
    }
}

void plot_script(FILE *out, const bri_plot *plot, const char *kind) {
    if (plot->n_panels > 0 && plot->panels[0].map) {
        put_maps(out, plot, kind);
    } else if (plot->columns > 0) {
        int width, height;
        plot_grid_size(plot, &width, &height);
        put_canvas(out, plot, kind, width, height);
        plot_grid(out, plot);
    } else {
        put_strip(out, plot, kind);
    }
    fputs("unset multiplot\n", out);
}
