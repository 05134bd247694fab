/* plot_grid.c - panels in a grid, each with its title and legend above it, axes aligned by column.
 *
 * gnuplot's own legend makes all entries as wide as the widest; here each takes what it needs. The
 * width of a text is estimated, which only shows in the blanks between the entries. */
#include "plot_script.h"

#include <math.h>
#include <string.h>

/* Sizes in pixels of the SVG; the other formats are scaled as a whole. */
enum {
    CELL_WIDTH = 560,
    CELL_HEIGHT = 236,
    LEFT = 76, /* label and numbers of the vertical axis */
    RIGHT = 20,
    ABOVE = 34,    /* title of a panel, and its legend if that fits beside it */
    KEY_LINE = 20, /* a line of legend */
    BELOW = 26,    /* numbers of the horizontal axis */
    LABEL = 30,    /* and its label */
    SAMPLE = 34,   /* the line in an entry of the legend, */
    GAP = 16,      /* and the blank after an entry */
    BOTTOM = 10,
};

#define AREA    "B4" /* how much is seen through an area, 00 to FF */
#define OFFSETS "graph 0.01, graph 0.01, graph 0.07, graph 0.07"

/* The picture and the place of one panel in it, in pixels from the top left. */
typedef struct cell {
    int width, height;            /* of the picture */
    int x, y;                     /* of the cell */
    int left, right, top, bottom; /* of its axes */
} cell;

static double across(const cell *c, double x) { return x / c->width; }
static double up(const cell *c, double y) { return 1.0 - y / c->height; }

void plot_grid_size(const bri_plot *plot, int *width, int *height) {
    *width = plot->columns * CELL_WIDTH;
    *height = plot->rows * CELL_HEIGHT + (plot->title ? PLOT_TITLE : 8) + BOTTOM;
}

/* About how wide a text is in the font of the picture. */
static double text_width(const char *text) {
    double width = 0.0;
    for (; text && *text; text++) {
        if (((unsigned char)*text & 0xc0) == 0x80) continue; /* not the start of a letter */
        width += strchr("ijl.,:;'|!()[]ftrI ", *text) ? 4.8 : strchr("mwMW%", *text) ? 12.2 : 8.1;
    }
    return width;
}

static double entry_width(const bri_series *s) { return SAMPLE + 6 + text_width(s->label) + GAP; }

/* Lines that the legend takes below the title; 0 if it fits beside it. */
static int legend_lines(const bri_panel *panel, double width) {
    double all = 0.0, used = 0.0;
    int lines = 1;
    for (int i = 0; i < panel->n_series; i++) {
        const bri_series *s = &panel->series[i];
        double w = s->label ? entry_width(s) : 0.0;
        all += w;
        if (used > 0.0 && used + w - GAP > width) {
            lines++;
            used = 0.0;
        }
        used += w;
    }
    return all + text_width(panel->title) <= width ? 0 : lines;
}

/* How gnuplot is to draw a series: "ls 1". */
static const char *style_of(const bri_panel *panel, int i, char style[64]) {
    const bri_series *s = &panel->series[i];
    const char *more = s->markers == 2       ? " pt 7 ps 0.25"
                       : s->dashed && i == 0 ? " dt (11,9)" /* the others are dashed anyway */
                                             : "";
    if (s->markers == 4)
        snprintf(style, 64, "pt 7 ps 0.55 lc rgb '#000000'");
    else if (s->back && !s->markers)
        snprintf(style, 64, "lc rgb '#BBBBBB' dt solid lw 5");
    else
        snprintf(style, 64, "ls %d lw %.2f%s", plot_style(panel, i), plot_width(panel, i), more);
    return style;
}

static void put_entry(FILE *out, const cell *c, const bri_panel *panel, int i, double x, double y) {
    char style[64], point[64];
    const bri_series *s = &panel->series[i];
    int line = !s->low && (!s->markers || s->markers == 3), number = plot_style(panel, i);
    style_of(panel, i, style);
    for (int k = i; k >= 0 && panel->series[k].low; k--) /* on those that it lies on */
        fprintf(out,
                "set object rectangle from screen %.6f,%.6f to screen %.6f,%.6f fc rgb '#" AREA
                "%s' fs solid noborder front\n",
                across(c, x), up(c, y + 6), across(c, x + SAMPLE), up(c, y - 6),
                plot_colour(number));
    if (s->markers == 4)
        snprintf(point, sizeof point, "%s", style);
    else
        snprintf(point, sizeof point, "ls %d lw 1.2%s", number,
                 s->markers == 2 ? " pt 7 ps 0.5" : "");
    if (!s->low && (!line || s->markers == 3 || (plot_marked(panel) && !s->back)))
        fprintf(out, "set label '' at screen %.6f,%.6f point %s front\n",
                across(c, x + 0.5 * SAMPLE), up(c, y), point);
    if (line)
        fprintf(out, "set arrow from screen %.6f,%.6f to screen %.6f,%.6f nohead %s front\n",
                across(c, x), up(c, y), across(c, x + SAMPLE), up(c, y), style);
    fputs("set label ", out);
    plot_text(out, s->label);
    fprintf(out, " at screen %.6f,%.6f left front\n", across(c, x + SAMPLE + 6), up(c, y));
}

/* Beside the title from the right, or below it from the left. */
static void put_legend(FILE *out, const cell *c, const bri_panel *panel, int lines) {
    double x = c->left, y = c->y + 16;
    if (lines == 0) {
        x = c->right + GAP;
        for (int i = 0; i < panel->n_series; i++)
            if (panel->series[i].label) x -= entry_width(&panel->series[i]);
    } else {
        y += KEY_LINE;
    }
    for (int i = 0; i < panel->n_series; i++) {
        const bri_series *s = &panel->series[i];
        if (!s->label) continue;
        if (lines > 0 && x > c->left && x + entry_width(s) - GAP > c->right) {
            x = c->left;
            y += KEY_LINE;
        }
        put_entry(out, c, panel, i, x, y);
        x += entry_width(s);
    }
}

static void put_frame(FILE *out, const cell *c, const bri_panel *panel, const char *y_label) {
    fprintf(out,
            "unset label; unset arrow; unset object\n"
            "set lmargin at screen %.6f; set rmargin at screen %.6f\n"
            "set tmargin at screen %.6f; set bmargin at screen %.6f\n",
            across(c, c->left), across(c, c->right), up(c, c->top), up(c, c->bottom));
    fputs("set label ", out);
    plot_text(out, panel->title);
    fprintf(out, " at screen %.6f,%.6f left front\nset label ", across(c, c->left),
            up(c, c->y + 16));
    plot_text(out, y_label);
    fprintf(out, " at screen %.6f,%.6f center rotate by 90 front\n", across(c, c->x + 14),
            up(c, 0.5 * (c->top + c->bottom)));
}

static const char *with_of(const bri_series *s) {
    return s->markers == 3 ? "linespoints" : s->markers ? "points" : "lines";
}

/* The range of an axis: as gnuplot finds it, or with room for all words. */
static const char *range_of(const char *const *words, char text[40]) {
    int n = 0;
    while (words && words[n]) n++;
    snprintf(text, 40, words ? "[-0.5:%g]" : "[*:*]", n - 0.5);
    return text;
}

/* What is behind the others, areas, and then lines. */
static int layer_of(const bri_series *s) { return s->back ? 0 : s->low ? 1 : 2; }

static void put_curves(FILE *out, const bri_panel *panel) {
    char style[64], x[40], y[40];
    int drawn = 0;
    for (int layer = 0; layer < 3; layer++)
        for (int i = 0; i < panel->n_series; i++) {
            const bri_series *s = &panel->series[i];
            if (layer_of(s) != layer || !plot_has_points(s)) continue;
            if (drawn++ == 0)
                fprintf(out, "plot %s %s ", range_of(panel->x_words, x),
                        range_of(panel->y_words, y));
            else
                fputs(", ", out);
            if (s->low)
                fprintf(out,
                        "$d%d using 1:3:2 with filledcurves lc rgb '#" AREA
                        "%s' fs solid noborder notitle",
                        i, plot_colour(plot_style(panel, i)));
            else
                fprintf(out, "$d%d with %s %s notitle", i, with_of(s), style_of(panel, i, style));
        }
    if (drawn) plot_put_marks(out, panel);
    fputs(drawn ? "\n" : "plot [0:1] [0:1] NaN notitle\n", out); /* empty axes */
}

/* A number on the vertical axis about every 28 pixels, in a tall panel every 50; gnuplot would put
 * twice as many. */
static void put_tics(FILE *out, const bri_panel *panel, int height, double factor) {
    double least = INFINITY, most = -INFINITY;
    for (int i = 0; i < panel->n_series; i++)
        for (int k = 0; k < panel->series[i].count; k++) {
            double y = factor * panel->series[i].y[k];
            if (!isfinite(y)) continue;
            least = fmin(least, panel->series[i].low ? factor * panel->series[i].low[k] : y);
            most = fmax(most, y);
        }
    double wanted = (most - least) * (height > CELL_HEIGHT ? 50.0 : 28.0) / height;
    if (!(wanted > 0.0) || !isfinite(wanted) || most - least < 1e-9 * fmax(-least, most)) {
        fputs("set ytics autofreq\n", out);
        return;
    }
    double unit = pow(10.0, floor(log10(wanted))), step = wanted / unit;
    double nice = step < 1.5 ? 1.0 : step < 3.2 ? 2.0 : step < 7.0 ? 5.0 : 10.0;
    fprintf(out, "set ytics %.9g\n", unit * nice);
}

/* Words in place of numbers. */
static void put_words(FILE *out, char which, const char *const *words) {
    fprintf(out, "set %ctics (", which);
    for (int i = 0; words[i]; i++) {
        if (i > 0) fputs(", ", out);
        plot_text(out, words[i]);
        fprintf(out, " %d", i);
    }
    fputs(")\n", out);
}

/* Whether there is a point that the scales can show. */
static int has_points(const bri_panel *panel) {
    for (int i = 0; i < panel->n_series; i++)
        for (int k = 0; k < panel->series[i].count; k++) {
            double x = panel->series[i].x[k], y = panel->series[i].y[k];
            if (isfinite(x) && isfinite(y) && (x > 0.0 || !panel->log_x) &&
                (y > 0.0 || !panel->log_y))
                return 1;
        }
    return 0;
}

/* Linear axes leave some room around the curves, logarithmic ones end at whole decades. Without a
 * point gnuplot has no logarithmic range, and refuses to draw. */
static void put_scales(FILE *out, const bri_panel *panel) {
    int some = has_points(panel), log_x = panel->log_x && some, log_y = panel->log_y && some;
    fprintf(out, "%sset logscale x\n%sset logscale y\n%s\n", log_x ? "" : "un", log_y ? "" : "un",
            log_x || log_y ? "unset offsets" : "set offsets " OFFSETS);
    fprintf(out, "set autoscale %s\n", log_x ? "x" : "xfix");
    fprintf(out, "set autoscale %s\n", log_y ? "y" : "yfix");
    if (panel->log_y) fputs("set ytics autofreq\n", out);
}

static void put_panel(FILE *out, const bri_plot *plot, const bri_panel *panel) {
    char x_label[PLOT_LABEL], y_label[PLOT_LABEL];
    double fx = plot_axis(panel, 0, x_label, sizeof x_label);
    double fy = plot_axis(panel, 1, y_label, sizeof y_label);
    int lines = panel->no_legend ? 0 : legend_lines(panel, CELL_WIDTH - LEFT - RIGHT);
    if (panel->no_x_name) *x_label = '\0';
    int rows = panel->rows > 0 ? panel->rows : 1;
    cell c = {.x = panel->column * CELL_WIDTH,
              .y = (plot->title ? PLOT_TITLE : 8) + panel->row * CELL_HEIGHT};
    plot_grid_size(plot, &c.width, &c.height);
    c.left = c.x + LEFT;
    c.right = c.x + CELL_WIDTH - RIGHT;
    c.top = c.y + ABOVE + lines * KEY_LINE;
    c.bottom = c.y + rows * CELL_HEIGHT - BELOW - (*x_label ? LABEL : 0);
    put_frame(out, &c, panel, y_label);
    if (!panel->no_legend) put_legend(out, &c, panel, lines);
    fputs("set xlabel ", out);
    plot_text(out, x_label);
    fputs(" offset 0,0.3\n", out);
    put_scales(out, panel);
    if (!panel->log_y) put_tics(out, panel, c.bottom - c.top, fy);
    fputs("set xtics autofreq\n", out);
    if (panel->x_words) put_words(out, 'x', panel->x_words);
    if (panel->y_words) put_words(out, 'y', panel->y_words);
    plot_data(out, panel, fx, fy);
    plot_marks(out, panel, fx, fy);
    put_curves(out, panel);
}

void plot_grid(FILE *out, const bri_plot *plot) {
    fputs("set xzeroaxis lc rgb '#999999' lw 1 dt solid\nunset ylabel\n", out);
    for (int i = 0; i < plot->n_panels; i++) put_panel(out, plot, &plot->panels[i]);
}
