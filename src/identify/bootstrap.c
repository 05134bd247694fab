/* bootstrap.c - intervals by the moving block bootstrap (Kuensch 1989): the residuals of the fit,
 * cut into overlapping blocks that keep their colour, are drawn anew and added to what the law
 * says, and the law is fitted again. The middle 95 % of what comes out is the interval. */
#include "identify.h"

#include "random.h"

#include <math.h>
#include <string.h>

/* The problem with other residuals: r(u) - r(u_0) + drawn. */
typedef struct redrawn {
    const id_problem *p;
    const double *r0;
    double *drawn;
} redrawn;

static int residuals(void *context, const double *u, double *r, double *J) {
    const redrawn *d = context;
    int failed = d->p->residuals(d->p->context, u, r, J);
    for (long i = 0; !failed && i < d->p->rows; i++) r[i] += d->drawn[i] - d->r0[i];
    return failed;
}

static void draw(const double *r0, long rows, long length, double seed, double *drawn) {
    double mean = 0.0;
    for (long i = 0; i < rows; i++) mean += r0[i] / (double)rows;
    for (long i = 0, block = 0; i < rows; i += length, block++) {
        long from = (long)(bri_random(seed, (double)block) * (double)(rows - length + 1));
        for (long k = 0; k < length && i + k < rows; k++) drawn[i + k] = r0[from + k] - mean;
    }
}

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Blocks hold the memory of the noise several times, and there are ten of them at least. */
static long block_length(const id_force *f, const double *r0, long rows) {
    id_colour c = id_colour_of(r0, f->cuts, rows);
    double length = fmax(5.0 * c.gain, cbrt((double)rows));
    long most = rows / 10 > 1 ? rows / 10 : 1;
    return length < (double)most ? (long)length : most;
}

void id_bootstrap(const bri_identify_def *def, id_force *f, const id_problem *fine,
                  const id_solution *best, bri_fit *fit) {
    id_problem p = *fine, again;
    id_solution s = *best;
    int n = p.count, wanted = def->bootstrap, done = 0;
    p.most = 20;
    size_t rows = (size_t)p.rows, all = (size_t)(wanted > 0 ? wanted : 1);
    double *room = malloc((rows * (size_t)(3 + n) + all * (size_t)n) * sizeof *room);
    for (int k = 0; k < n; k++) fit->estimate[k].boot_low = fit->estimate[k].boot_high = NAN;
    if (!room || wanted < 1) {
        free(room);
        return;
    }
    double *r = room, *r0 = r + rows, *drawn = r0 + rows, *J = drawn + rows,
           *out = J + rows * (size_t)n;
    int failed = id_least_squares(&p, &s, r0, J);
    long length = failed ? 1 : block_length(f, r0, p.rows);
    redrawn d = {&p, r0, drawn};
    again = p, again.context = &d, again.residuals = residuals, again.most = 10;
    for (int b = 0; !failed && b < wanted; b++) {
        id_solution t = s;
        double value[ID_UNKNOWNS];
        draw(r0, p.rows, length, def->seed + 7919.0 * (b + 1), drawn);
        if (id_least_squares(&again, &t, r, J) == 0) {
            id_decode(f->unknowns, t.u, value);
            for (int k = 0; k < n; k++) out[(size_t)k * all + (size_t)done] = value[k];
            done++;
        }
        if (p.watch && p.watch->stop && p.watch->stop(p.watch->context)) break;
    }
    for (int k = 0; done >= 20 && k < n; k++) {
        double *x = out + (size_t)k * all;
        qsort(x, (size_t)done, sizeof *x, by_size);
        fit->estimate[k].boot_low = x[(int)(0.025 * (done - 1) + 0.5)];
        fit->estimate[k].boot_high = x[(int)(0.975 * (done - 1) + 0.5)];
    }
    free(room);
}
