/* step_words.h - the words of step_root.h and step_bodies.h for one contact. */
#ifndef BRI_STEP_WORDS_H
#define BRI_STEP_WORDS_H

#include "models.h"

#define real         double
#define truth        int
#define STEP_INLINE  static inline
#define STEP_CONTACT /* parameters are enough */
#define STEP_HERE

static inline double law_number(double x) { return x; }
static inline int law_any(int c) { return c; }
static inline int law_and(int a, int b) { return a & b; }
static inline int law_or(int a, int b) { return a | b; }
static inline int law_not(int a) { return !a; }
static inline int law_lt(double a, double b) { return a < b; }
static inline int law_le(double a, double b) { return a <= b; }
static inline int law_gt(double a, double b) { return a > b; }
static inline int law_ge(double a, double b) { return a >= b; }
static inline int law_eq(double a, double b) { return a == b; }
static inline int law_ne(double a, double b) { return a != b; }
static inline double law_if(int c, double yes, double no) { return c ? yes : no; }
static inline double law_min(double a, double b) { return a < b ? a : b; }
static inline double law_max(double a, double b) { return a > b ? a : b; }
static inline double law_abs(double x) { return fabs(x); }
static inline double law_sign(double x) { return sign(x); }
static inline double law_sqrt(double x) { return sqrt(x); }
static inline double law_exp(double x) { return exp(x); }
static inline double law_log1p(double x) { return log1p(x); }
static inline double law_sin(double x) { return sin(x); }
static inline double law_sin_quarter(double x) { return sin(x); } /* |x| <= pi/2 */
static inline double law_cos(double x) { return cos(x); }
static inline double law_pow(double a, double b) { return pow(a, b); }

#define STEP(name)                                                                                 \
    double BRI_STEP(name)(const bri_model *self, const double *p, const bri_input *u, double h,    \
                          double *z)
#define STEP_SLOPE(name)                                                                           \
    double BRI_STEP_SLOPE(name)(const bri_model *self, const double *p, const bri_input *u,        \
                                double h, double *z, double *by_v)
#define STEP_V                                 u->v
#define STEP_N                                 u->n
#define STEP_SPEED                             speed(u)
#define STEP_DIRECTION                         direction(u)
#define STEP_FORCE                             self->eval(self, p, u, z, (double[1]){0})
#define STEP_DECAY(v_s, gamma, a, slope)       decay(v_s, gamma, a, slope)
#define STEP_DECAY_OF(q, v_s, gamma, a, slope) decay(v_s, gamma, a, slope)

#endif
