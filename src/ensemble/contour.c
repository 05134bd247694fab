/* contour.c - marching squares, and their pieces joined to lines. */
#include "ensemble.h"

#include <math.h>
#include <stdlib.h>

typedef struct corner {
    double x, y, z;
} corner;

/* Where the side from a to b crosses the level, to the same bits from both its cells; 0: it does
 * not. */
static int crosses(const corner *a, const corner *b, double level, double *x, double *y) {
    if ((a->z < level) == (b->z < level)) return 0;
    if (a->z > b->z) {
        const corner *swap = a;
        a = b;
        b = swap;
    }
    double u = (level - a->z) / (b->z - a->z);
    *x = u < 1.0 ? a->x + u * (b->x - a->x) : b->x; /* a corner is one spot for all its sides */
    *y = u < 1.0 ? a->y + u * (b->y - a->y) : b->y;
    return 1;
}

/* ---- lines ---------------------------------------------------------------------------------- */

enum { MOST_PIECES = 5000 }; /* that are joined: more would take long, and be a thicket anyway */

typedef struct spot {
    double x, y;
} spot;

static int same_spot(spot a, spot b) { return a.x == b.x && a.y == b.y; }

/* A piece that begins or ends at a spot: its other end, and it is taken. 0: there is none. */
static int take_next(spot (*piece)[2], char *taken, int count, spot at, spot *other) {
    for (int i = 0; i < count; i++)
        for (int end = 0; end < 2 && !taken[i]; end++)
            if (same_spot(piece[i][end], at)) {
                *other = piece[i][1 - end];
                taken[i] = 1;
                return 1;
            }
    return 0;
}

/* Pieces of two points and a gap as lines with a gap behind each: returns how many points. */
static int join(double *x, double *y, int points) {
    int count = points / 3, n = 0;
    if (count > MOST_PIECES) return points;
    spot(*piece)[2] = calloc((size_t)count + 1, sizeof *piece);
    spot *chain = calloc(2 * (size_t)count + 3, sizeof *chain);
    char *taken = calloc((size_t)count + 1, 1);
    for (int i = 0; i < count && piece && chain && taken; i++)
        for (int end = 0; end < 2; end++) piece[i][end] = (spot){x[3 * i + end], y[3 * i + end]};
    for (int i = 0; i < count && piece && chain && taken; i++) {
        int first = count, last = count + 1; /* of the line, which grows to both sides */
        if (taken[i]) continue;
        taken[i] = 1;
        chain[first] = piece[i][0];
        chain[last] = piece[i][1];
        while (last < 2 * count + 1 &&
               take_next(piece, taken, count, chain[last], &chain[last + 1]))
            last++;
        while (first > 0 && take_next(piece, taken, count, chain[first], &chain[first - 1]))
            first--;
        for (int k = first; k <= last; k++) x[n] = chain[k].x, y[n++] = chain[k].y;
        x[n] = y[n] = NAN;
        n++;
    }
    int joined = piece && chain && taken;
    free(piece);
    free(chain);
    free(taken);
    return joined ? n : points;
}

int contour(const double *x, int nx, const double *y, int ny, const double *z, double level,
            double *to_x, double *to_y) {
    int count = 0;
    for (int j = 0; j + 1 < ny; j++)
        for (int i = 0; i + 1 < nx; i++) {
            const corner c[4] = {{x[i], y[j], z[j * nx + i]},
                                 {x[i + 1], y[j], z[j * nx + i + 1]},
                                 {x[i + 1], y[j + 1], z[(j + 1) * nx + i + 1]},
                                 {x[i], y[j + 1], z[(j + 1) * nx + i]}};
            double px[4], py[4];
            int n = 0;
            if (!isfinite(c[0].z + c[1].z + c[2].z + c[3].z)) continue;
            for (int k = 0; k < 4; k++) n += crosses(&c[k], &c[(k + 1) % 4], level, &px[n], &py[n]);
            for (int k = 0; k + 1 < n; k += 2) {                        /* of a saddle two pieces */
                if (px[k] == px[k + 1] && py[k] == py[k + 1]) continue; /* a corner alone */
                to_x[count] = px[k], to_y[count++] = py[k];
                to_x[count] = px[k + 1], to_y[count++] = py[k + 1];
                to_x[count] = to_y[count] = NAN;
                count++;
            }
        }
    return join(to_x, to_y, count);
}
