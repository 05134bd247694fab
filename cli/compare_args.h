/* compare_args.h - what the command line of bristle compare asks for. */
#ifndef BRI_COMPARE_ARGS_H
#define BRI_COMPARE_ARGS_H

#include "cli.h"

/* What a command line asks for; the pointers of def lead here. */
typedef struct compare_request {
    bri_compare_def def;
    changes changes;
    const bri_model **laws;
    bri_stochastic **random; /* owners of some of them */
    int n_random;
    const bri_solver **solvers;
    double *rtol;
    bri_stochastic *reference;
} compare_request;

/* DONE, or an exit code after a message. Free in any case. */
int compare_request_read(compare_request *r, const args *a);
void compare_request_free(compare_request *r);

#endif
