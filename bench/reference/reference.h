/* reference.h - the laws in extended precision, to measure rounding errors against. */
#ifndef BRI_REFERENCE_H
#define BRI_REFERENCE_H

/* Force and rates of a law of the table: out[0] = F, out[1 ...] = dz/dt. 0 if the law is unknown.
 */
int reference_eval(const char *name, const double *p, double v, double n, const double *z,
                   long double *out);

/* The same after a step of h: out[0] = F, out[1 ...] = z. */
int reference_step(const char *name, const double *p, double v, double n, double h, const double *z,
                   long double *out);

#endif
