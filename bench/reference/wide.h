/* wide.h - included before everything else when a law is compiled in extended precision: the same
 * source, with every double a long double and every function of libm its wide companion. */
#ifndef BRI_WIDE_H
#define BRI_WIDE_H

#include <math.h>
#include <stddef.h>
#include <string.h>

typedef double narrow;
#define double long double

#define atan  atanl
#define ceil  ceill
#define cos   cosl
#define exp   expl
#define expm1 expm1l
#define fabs  fabsl
#define floor floorl
#define fmax  fmaxl
#define fmin  fminl
#define fmod  fmodl
#define log   logl
#define log1p log1pl
#define pow   powl
#define sin   sinl
#define sqrt  sqrtl
#define tan   tanl
#define tanh  tanhl

#define tgamma tgammal

/* Everything that a law makes public, under another name. */
#define BRI_LAW(name)         wide_law_##name
#define BRI_STEP(name)        wide_step_##name
#define BRI_STEP_SLOPE(name)  wide_step_slope_##name
#define bri_law_table         wide_law_table
#define bri_law_table_count   wide_law_table_count
#define bri_law_steps         wide_law_steps
#define bri_law_step_count    wide_law_step_count
#define bri_bristle_implicit  wide_bristle_implicit
#define bri_haessig_friedland wide_haessig_friedland
#define bri_karnopp           wide_karnopp

#endif
