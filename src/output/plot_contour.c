/* plot_contour.c - the value of a contour, written on its line where it has room. */
#include "plot_script.h"

#include <math.h>

enum { MOST_LABELS = 40 };

/* A place in the frame of the panel, 0 to 1 in both directions. */
typedef struct spot {
    double x, y;
} spot;

/* The least and the largest of the middles of the cells, as the axis has them. */
static void ends(const double *x, int n, int logarithmic, double out[2]) {
    double a = x[0], b = x[n - 1];
    if (logarithmic && a > 0.0 && b > 0.0) a = log(a), b = log(b);
    out[0] = fmin(a, b);
    out[1] = fmax(a, b);
}

static double within(double x, const double of[2], int logarithmic) {
    double u = logarithmic && x > 0.0 ? log(x) : x;
    return of[1] > of[0] ? (u - of[0]) / (of[1] - of[0]) : 0.5;
}

/* How free a place is: its distance from the labels that stand and from the frame, which may be
 * nearer. A label is wider than high. */
static double freedom(spot at, const spot *labels, int count) {
    double least = 2.0 * fmin(fmin(at.x, 1.0 - at.x), fmin(at.y, 1.0 - at.y));
    for (int i = 0; i < count; i++)
        least = fmin(least, hypot(at.x - labels[i].x, 2.0 * (at.y - labels[i].y)));
    return least;
}

/* The middle of the piece of a contour that has most room; the index of its first point, or -1. */
static int best_piece(const bri_panel *panel, const bri_series *s, const spot *labels, int count,
                      spot *best) {
    const bri_map *m = panel->map;
    double wide[2], tall[2], most = 0.03; /* nearer to anything else it stays without */
    int found = -1;
    ends(m->x, m->nx, panel->log_x, wide);
    ends(m->y, m->ny, panel->log_y, tall);
    for (int k = 0; k + 1 < s->count; k++) {
        double x = 0.5 * (s->x[k] + s->x[k + 1]), y = 0.5 * (s->y[k] + s->y[k + 1]);
        if (!isfinite(x) || !isfinite(y)) continue;
        spot at = {within(x, wide, panel->log_x), within(y, tall, panel->log_y)};
        double room = freedom(at, labels, count);
        if (!(room > most)) continue;
        most = room;
        *best = at;
        found = k;
    }
    return found;
}

void plot_contour_labels(FILE *out, const bri_panel *panel, double fx, double fy) {
    spot labels[MOST_LABELS];
    int count = 0;
    fputs("set style textbox opaque noborder fillcolor rgb '#FFFFFF' margins 0.6,0.4\n", out);
    for (int i = 0; i < panel->n_series && count < MOST_LABELS; i++) {
        const bri_series *s = &panel->series[i];
        if (!s->back || !s->label) continue;
        int k = best_piece(panel, s, labels, count, &labels[count]);
        if (k < 0) continue;
        count++;
        fputs("set label ", out);
        plot_text(out, s->label);
        fprintf(out, " at %.9g,%.9g center front boxed tc rgb '#222222'\n",
                fx * 0.5 * (s->x[k] + s->x[k + 1]), fy * 0.5 * (s->y[k] + s->y[k + 1]));
    }
}
