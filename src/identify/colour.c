/* colour.c - noise that remembers, and what it does to an estimate.
 *
 * Residuals of measured motions are coloured. A least squares estimate stays unbiased, but its
 * covariance is (J'J)^-1 J' Omega J (J'J)^-1 with the covariance Omega of the noise. An
 * autoregressive model of the residuals gives Omega = sigma^2 (A'A)^-1, A the filter that whitens
 * it: J' Omega J is the square of what is left of J after 1/A, run backward. */
#include "identify.h"

#include <math.h>
#include <string.h>

/* Autocovariances up to lag `most`; no pair reaches over a cut. The mean is that of the model. */
static void covariances(const double *r, const unsigned char *cuts, long count, int most,
                        double *c) {
    for (int k = 0; k <= most; k++) c[k] = 0.0;
    long from = 0;
    for (long i = 0; i < count; i++) {
        if (cuts && cuts[i]) from = i;
        for (int k = 0; k <= most && i - k >= from; k++) c[k] += r[i] * r[i - k];
    }
    for (int k = 0; k <= most; k++) c[k] /= (double)count;
}

/* Levinson-Durbin, order after order; keeps that of the least BIC. */
static id_colour levinson(const double *c, int most, long count) {
    id_colour best = {.sigma = sqrt(c[0])};
    double a[ID_ORDERS + 1] = {0}, e = c[0], least = (double)count * log(e);
    for (int k = 1; k <= most; k++) {
        double reflect = c[k], b[ID_ORDERS + 1];
        for (int j = 1; j < k; j++) reflect -= a[j] * c[k - j];
        reflect /= e;
        memcpy(b, a, sizeof b);
        for (int j = 1; j < k; j++) a[j] = b[j] - reflect * b[k - j];
        a[k] = reflect;
        e *= 1.0 - reflect * reflect;
        if (!(e > 1e-12 * c[0])) break;
        double bic = (double)count * log(e) + k * log((double)count);
        if (bic >= least) continue;
        least = bic;
        best.order = k;
        best.sigma = sqrt(e);
        for (int j = 1; j <= k; j++) best.a[j - 1] = a[j];
    }
    return best;
}

id_colour id_colour_of(const double *r, const unsigned char *cuts, long count) {
    double c[ID_ORDERS + 1], sum = 0.0;
    int most = count / 20 < ID_ORDERS ? (int)(count / 20) : ID_ORDERS;
    id_colour white = {.gain = 1.0};
    if (count < 2) return white;
    covariances(r, cuts, count, most, c);
    if (!(c[0] > 0.0)) return white;
    id_colour found = levinson(c, most, count);
    for (int j = 0; j < found.order; j++) sum += found.a[j];
    found.gain = found.sigma * found.sigma / (c[0] * fmax((1.0 - sum) * (1.0 - sum), 1e-6));
    return found;
}

/* y <- A^-T y: the recursion of the noise, backward in time, anew from each cut. */
static void colour_back(const id_colour *n, const unsigned char *cuts, double *y, long count) {
    long end = count;
    for (long i = count - 1; i >= 0; i--) {
        for (int k = 0; k < n->order && i + k + 1 < end; k++) y[i] += n->a[k] * y[i + k + 1];
        if (cuts && cuts[i]) end = i;
    }
}

int id_covariance(const double *J, long rows, int count, const unsigned char *cuts,
                  const id_colour *noise, double *C) {
    double L[ID_UNKNOWNS * ID_UNKNOWNS], M[ID_UNKNOWNS * ID_UNKNOWNS];
    double *K = malloc((size_t)rows * (size_t)count * sizeof *K);
    if (!K) return 0;
    memcpy(K, J, (size_t)rows * (size_t)count * sizeof *K);
    for (int k = 0; k < count; k++) colour_back(noise, cuts, K + k * rows, rows);
    for (int k = 0; k < count; k++)
        for (int l = 0; l < count; l++) {
            double a = 0.0, b = 0.0;
            for (long i = 0; i < rows; i++) {
                a += J[k * rows + i] * J[l * rows + i];
                b += K[k * rows + i] * K[l * rows + i];
            }
            L[k * count + l] = a;
            M[k * count + l] = noise->sigma * noise->sigma * b;
        }
    free(K);
    if (!id_cholesky(L, count)) return 0;
    for (int k = 0; k < count; k++) id_cholesky_solve(L, count, M + k * count); /* rows: M L^-1 */
    for (int k = 0; k < count; k++)
        for (int l = 0; l < count; l++) C[l * count + k] = M[k * count + l];
    for (int k = 0; k < count; k++) id_cholesky_solve(L, count, C + k * count);
    return 1;
}

/* That a normal variable stays below with probability 1 - p, p <= 1/2: by bisection. */
static double normal_quantile(double p) {
    double low = 0.0, high = 40.0;
    for (int i = 0; i < 100; i++) {
        double x = 0.5 * (low + high);
        if (0.5 * erfc(x * 0.70710678118654752) > p)
            low = x;
        else
            high = x;
    }
    return 0.5 * (low + high);
}

double id_t_beyond(double p, double f) { /* Cornish-Fisher (Abramowitz & Stegun 26.7.5) */
    double x = normal_quantile(p), x3 = x * x * x, x5 = x3 * x * x, x7 = x5 * x * x;
    if (!(f >= 3.0)) f = 3.0;
    return x + (x3 + x) / (4.0 * f) + (5.0 * x5 + 16.0 * x3 + 3.0 * x) / (96.0 * f * f) +
           (3.0 * x7 + 19.0 * x5 + 17.0 * x3 - 15.0 * x) / (384.0 * f * f * f);
}

double id_t_quantile(double f) { return id_t_beyond(0.025, f); }
