/* peers.h - LuGre with shared parameters written by hand, to compare the array kernels with. Each
 * peer reads v and z and writes F and dz/dt. */
#ifndef BRI_PEERS_H
#define BRI_PEERS_H

#include <stddef.h>

/* The parameters of the law `lugre` that are used, and the load. */
typedef struct peer_params {
    double mu_c, mu_s, v_s, gamma, sigma0, sigma1, sigma2, n;
} peer_params;

typedef void peer(const peer_params *p, size_t count, const double *v, const double *z, double *F,
                  double *dz);

/* A straight loop over libm, compiled -O2; gamma = 2 and any gamma. */
peer loop_2, loop_any;

/* The same with the vector functions of SLEEF and of glibc. */
peer sleef_2, sleef_any, libmvec_2, libmvec_any;

/* The same four streams with next to no arithmetic: what memory allows. */
peer stream;

#endif
