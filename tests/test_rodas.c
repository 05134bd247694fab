/* test_rodas.c - the Rosenbrock tables of src/solvers/rodas.h: classical order conditions, embedded
 * method, dense output, stiff accuracy, L-stability, all from the transformed coefficients. */
#include "solvers/rodas.h"
#include "test.h"

enum { MOST = RODAS_STAGES };

/* A method in its original form: alpha, beta = alpha + gamma with the diagonal, and weights. */
typedef struct original {
    int s;
    double alpha[MOST][MOST], gamma[MOST][MOST], beta[MOST][MOST];
    double A[MOST], B[MOST], G[MOST]; /* row sums */
} original;

/* X of lower triangular L by forward substitution: L X = I. */
static void invert_lower(int s, double L[MOST][MOST], double X[MOST][MOST]) {
    for (int j = 0; j < s; j++)
        for (int i = 0; i < s; i++) {
            double sum = i == j ? 1.0 : 0.0;
            for (int k = 0; k < i; k++) sum -= L[i][k] * X[k][j];
            X[i][j] = i < j ? 0.0 : sum / L[i][i];
        }
}

/* Gamma^-1 = diag(1/gamma) - C, alpha = a Gamma. */
static original recover(const rodas *m) {
    original o = {.s = m->stages};
    double inverse[MOST][MOST] = {{0}};
    for (int i = 0; i < o.s; i++)
        for (int j = 0; j <= i; j++) inverse[i][j] = i == j ? 1.0 / m->gamma : -m->C[i][j];
    invert_lower(o.s, inverse, o.gamma);
    for (int i = 0; i < o.s; i++)
        for (int j = 0; j < o.s; j++) {
            for (int k = 0; k < i; k++) o.alpha[i][j] += m->a[i][k] * o.gamma[k][j];
            o.beta[i][j] = o.alpha[i][j] + o.gamma[i][j];
            o.A[i] += o.alpha[i][j];
            o.G[i] += o.gamma[i][j];
            o.B[i] += o.beta[i][j];
        }
    return o;
}

/* b = m Gamma. */
static void weights(const original *o, const double *m, double *b) {
    for (int j = 0; j < o->s; j++) {
        b[j] = 0.0;
        for (int i = 0; i < o->s; i++) b[j] += m[i] * o->gamma[i][j];
    }
}

static void times(const original *o, double M[MOST][MOST], const double *x, double *y) {
    for (int i = 0; i < o->s; i++) {
        y[i] = 0.0;
        for (int j = 0; j < o->s; j++) y[i] += M[i][j] * x[j];
    }
}

static double dot(const original *o, const double *b, const double *x) {
    double sum = 0.0;
    for (int i = 0; i < o->s; i++) sum += b[i] * x[i];
    return sum;
}

typedef struct tree {
    double phi[MOST], density;
    int order;
} tree;

/* All rooted trees up to order 5: a vertex with one branch passes beta, one with more alpha (Hairer
 * & Wanner, Solving ODEs II, section IV.7). */
static int all_trees(original *o, tree *t) {
    double one[MOST] = {0}, A2[MOST] = {0}, A3[MOST] = {0}, AAB[MOST] = {0};
    double AB[MOST], BB[MOST], AA2[MOST], ABB[MOST], BA2[MOST];
    double BBB[MOST], x[MOST];
    int n = 0, s = o->s;
    for (int i = 0; i < s; i++) {
        one[i] = 1.0;
        A2[i] = o->A[i] * o->A[i];
        A3[i] = A2[i] * o->A[i];
    }
    times(o, o->alpha, o->B, AB);
    times(o, o->beta, o->B, BB);
    times(o, o->alpha, A2, AA2);
    times(o, o->alpha, BB, ABB);
    times(o, o->beta, A2, BA2);
    times(o, o->beta, BB, BBB);
    for (int i = 0; i < s; i++) AAB[i] = o->A[i] * AB[i];
#define TREE(number, value, expression)                                                            \
    do {                                                                                           \
        t[n].order = (number);                                                                     \
        t[n].density = (value);                                                                    \
        for (int i = 0; i < s; i++) t[n].phi[i] = (expression);                                    \
        n++;                                                                                       \
    } while (0)
    TREE(1, 1, one[i]);
    TREE(2, 2, o->B[i]);
    TREE(3, 3, A2[i]);
    TREE(3, 6, BB[i]);
    TREE(4, 4, A3[i]);
    TREE(4, 8, AAB[i]);
    TREE(4, 12, BA2[i]);
    TREE(4, 24, BBB[i]);
    TREE(5, 5, A3[i] * o->A[i]);
    TREE(5, 10, A2[i] * AB[i]);
    TREE(5, 20, AB[i] * AB[i]);
    TREE(5, 15, o->A[i] * AA2[i]);
    TREE(5, 30, o->A[i] * ABB[i]);
    times(o, o->beta, A3, x);
    TREE(5, 20, x[i]);
    times(o, o->beta, AAB, x);
    TREE(5, 40, x[i]);
    times(o, o->beta, BA2, x);
    TREE(5, 60, x[i]);
    times(o, o->beta, BBB, x);
    TREE(5, 120, x[i]);
    return n;
}

/* The order of the weights b at the point theta of a step. */
static int order_at(original *o, const double *b, double theta, double tolerance) {
    tree t[32];
    int n = all_trees(o, t), order = 5;
    for (int i = 0; i < n; i++)
        if (fabs(dot(o, b, t[i].phi) - pow(theta, t[i].order) / t[i].density) > tolerance &&
            t[i].order <= order)
            order = t[i].order - 1;
    return order;
}

static void check_table(const rodas *m, int order, int embedded, int dense) {
    original o = recover(m);
    int last = m->stages - 1;
    double all[MOST] = {0}, b[MOST];
    for (int j = 0; j < last; j++) all[j] = m->a[last][j];
    weights(&o, all, b);
    assert_int_equal(order_at(&o, b, 1.0, 1e-12), embedded);
    all[last] = 1.0;
    weights(&o, all, b);
    assert_int_equal(order_at(&o, b, 1.0, 1e-12), order);
    assert_int_equal(m->order, order);
    for (int j = 0; j < m->stages; j++) { /* stiffly accurate; time and its derivative */
        near(o.beta[last][j] - b[j], 0.0, 1e-12, "last row of beta");
        near(o.A[j] - m->c[j], 0.0, 1e-12, "c");
        near(o.G[j] - m->d[j], 0.0, 1e-12, "d");
        near(o.gamma[j][j], m->gamma, 1e-14, "gamma");
    }
    double ones[MOST], inverse[MOST][MOST], x[MOST]; /* R(infinity) = 1 - b beta^-1 1 */
    for (int i = 0; i < m->stages; i++) ones[i] = 1.0;
    invert_lower(m->stages, o.beta, inverse);
    times(&o, inverse, ones, x);
    near(1.0 - dot(&o, b, x), 0.0, 1e-11, "stability function at infinity");
    for (int k = 1; k < 10; k++) {
        double theta = 0.1 * k, part[MOST];
        for (int j = 0; j < m->stages; j++) {
            double inside = m->H[m->dense - 1][j];
            for (int i = m->dense - 2; i >= 0; i--) inside = m->H[i][j] + theta * inside;
            part[j] = theta * (all[j] + (1.0 - theta) * inside);
        }
        weights(&o, part, b);
        int got = order_at(&o, b, theta, 1e-10);
        if (got < dense) fail_msg("dense output at %g: order %d, not %d", theta, got, dense);
    }
}

static void rodas4_table(void **state) { check_table(&rodas4, 4, 3, 3); }

static void rodas5p_table(void **state) { check_table(&rodas5p, 5, 4, 4); }

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rodas4_table),
        cmocka_unit_test(rodas5p_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
