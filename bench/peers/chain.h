/* chain.h - a chain of blocks with LuGre friction, written by hand for CVODE. */
#ifndef BENCH_CHAIN_H
#define BENCH_CHAIN_H

/* Burridge-Knopoff: N blocks on the ground, springs kc to the neighbours and kp to a plate that
 * moves at V. State (x, v, z) of block after block. */
typedef struct chain {
    int n;
    double m, kc, kp, V;
    double mu_c, mu_s, v_s, sigma0, sigma1, load; /* gamma = 2 */
    double t_end;
    const double *start; /* positions at the start [n] */
} chain;

enum { CHAIN_BAND, CHAIN_KLU, CHAIN_DENSE };

/* Integrate and write x, v and z of every block at the end, y[3 n]; 0 if CVODE gave up. */
int chain_cvode(const chain *c, int linear, double rtol, double *y, long *steps);

#endif
