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

#define bri_benson               wide_benson
#define bri_bliman_sorine        wide_bliman_sorine
#define bri_bristle_implicit     wide_bristle_implicit
#define bri_bristle_second_order wide_bristle_second_order
#define bri_coulomb              wide_coulomb
#define bri_coulomb_sat          wide_coulomb_sat
#define bri_coulomb_tanh         wide_coulomb_tanh
#define bri_dahl                 wide_dahl
#define bri_dankowicz            wide_dankowicz
#define bri_elasto_plastic       wide_elasto_plastic
#define bri_gonthier             wide_gonthier
#define bri_haessig_friedland    wide_haessig_friedland
#define bri_karnopp              wide_karnopp
#define bri_lugre                wide_lugre
#define bri_lugre_consistent     wide_lugre_consistent
#define bri_olsson_astrom        wide_olsson_astrom
#define bri_regularized          wide_regularized
#define bri_reset_integrator     wide_reset_integrator
#define bri_sine_arctan          wide_sine_arctan
#define bri_stick_slip           wide_stick_slip
#define bri_stribeck             wide_stribeck
#define bri_stribeck_dankowicz   wide_stribeck_dankowicz
#define bri_stribeck_sat         wide_stribeck_sat
#define bri_stribeck_tanh        wide_stribeck_tanh
#define bri_velocity_based       wide_velocity_based
#define bri_viscous              wide_viscous

#endif
