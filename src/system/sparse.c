/* sparse.c - general sparse matrices with KLU of SuiteSparse. The pattern is analysed, and room for
 * the factors taken, once; later factorisations keep the order of the pivots, and choose a new one
 * only where that would lose digits. */
#include "matrix.h"

#ifdef BRI_HAVE_KLU

#include <klu.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct sparse {
    klu_common common;
    klu_symbolic *symbolic;
    klu_numeric *numeric;
    int *shape;    /* the pattern that was analysed: n + 1 starts, then rows */
    int reordered; /* nonzero: the pivots are no longer in the order of first_factor() */
} sparse;

int sparse_usable(void) { return 1; }

static int by_row(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

/* Columns with their rows sorted, each once, and the diagonal among them. */
static int make_columns(matrix *m, const pattern *p, arena *memory) {
    long most = p->count + m->n;
    m->start = ARENA_NEW(memory, int, m->n + 2);
    m->row = ARENA_NEW(memory, int, most + 1);
    if (!m->start || !m->row || most > 2000000000L) return 0;
    for (long k = 0; k < most; k++) m->start[2 + (k < m->n ? k : p->column[k - m->n])]++;
    for (int j = 0; j < m->n; j++) m->start[j + 2] += m->start[j + 1];
    for (long k = 0; k < most; k++) {
        int column = (int)(k < m->n ? k : p->column[k - m->n]);
        m->row[m->start[column + 1]++] = (int)(k < m->n ? k : p->row[k - m->n]);
    }
    int used = 0;
    for (int j = 0; j < m->n; j++) {
        int first = j == 0 ? 0 : m->start[j], last = m->start[j + 1], begin = used;
        qsort(m->row + first, (size_t)(last - first), sizeof *m->row, by_row);
        for (int k = first; k < last; k++)
            if (used == begin || m->row[used - 1] != m->row[k]) m->row[used++] = m->row[k];
        m->start[j] = begin; /* the end of the column before has been read */
    }
    m->start[m->n] = used;
    m->values = used;
    return 1;
}

/* The first factors, of a matrix like those to come: nothing is allocated later unless the order
 * of the pivots has to change. */
static int first_factor(matrix *m, sparse *s) {
    double *value = calloc((size_t)m->values + 1, sizeof *value);
    if (!value) return 0;
    for (int j = 0; j < m->n; j++)
        for (int k = m->start[j]; k < m->start[j + 1]; k++) value[k] = m->row[k] == j ? 16.0 : -1.0;
    s->numeric = klu_factor(m->start, m->row, value, s->symbolic, &s->common);
    free(value);
    return s->numeric != NULL;
}

/* Nonzero if the pattern is the one that has been analysed. */
static int same_shape(const matrix *m, const sparse *s) {
    size_t starts = (size_t)m->n + 1, rows = (size_t)m->values;
    return s->shape && s->symbolic && s->symbolic->n == m->n &&
           memcmp(s->shape, m->start, starts * sizeof(int)) == 0 &&
           memcmp(s->shape + starts, m->row, rows * sizeof(int)) == 0;
}

static int analyse(matrix *m, sparse *s) {
    size_t starts = (size_t)m->n + 1, rows = (size_t)m->values;
    s->shape = malloc((starts + rows) * sizeof(int));
    if (!s->shape) return 0;
    memcpy(s->shape, m->start, starts * sizeof(int));
    memcpy(s->shape + starts, m->row, rows * sizeof(int));
    klu_defaults(&s->common);
    s->common.btf = 0;      /* the matrix hangs together */
    s->common.ordering = 0; /* AMD */
    s->common.scale = 0;
    s->symbolic = klu_analyze(m->n, m->start, m->row, &s->common);
    return s->symbolic && first_factor(m, s);
}

int sparse_create(matrix *m, const pattern *p, arena *memory) {
    sparse *s = m->klu;
    if (!make_columns(m, p, memory)) return 0;
    if (s && same_shape(m, s)) {
        if (!s->reordered) return 1;
        klu_free_numeric(&s->numeric, &s->common);
        s->reordered = 0;
        return first_factor(m, s);
    }
    sparse_free(m);
    s = m->klu = calloc(1, sizeof *s);
    return s && analyse(m, s);
}

void sparse_free(matrix *m) {
    sparse *s = m->klu;
    if (!s) return;
    if (s->numeric) klu_free_numeric(&s->numeric, &s->common);
    if (s->symbolic) klu_free_symbolic(&s->symbolic, &s->common);
    free(s->shape);
    free(s);
    m->klu = NULL;
}

/* KLU prefers the diagonal; where it has to leave it, the step is refused as well. */
static int pivots_are_positive(const matrix *m, const sparse *s) {
    const double *pivot = s->numeric->Udiag;
    for (int k = 0; k < m->n; k++)
        if (!(pivot[k] > 0.0)) return 0;
    return 1;
}

int sparse_factor(matrix *m) {
    sparse *s = m->klu;
    if (s->numeric &&
        klu_refactor(m->start, m->row, m->value, s->symbolic, s->numeric, &s->common) &&
        klu_rcond(s->symbolic, s->numeric, &s->common) && s->common.rcond > 1e-12)
        return pivots_are_positive(m, s);
    if (s->numeric) klu_free_numeric(&s->numeric, &s->common);
    s->reordered = 1;
    s->numeric = klu_factor(m->start, m->row, m->value, s->symbolic, &s->common);
    return s->numeric && s->common.status == KLU_OK && pivots_are_positive(m, s);
}

void sparse_solve(const matrix *m, double *b) {
    sparse *s = m->klu;
    klu_solve(s->symbolic, s->numeric, m->n, 1, b, &s->common);
}

#else

int sparse_usable(void) { return 0; }
int sparse_create(matrix *m, const pattern *p, arena *memory) { return 0; }
void sparse_free(matrix *m) {}
int sparse_factor(matrix *m) { return 0; }
void sparse_solve(const matrix *m, double *b) {}

#endif
