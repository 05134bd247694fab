/* dim.h - arithmetic with dimensions. */
#ifndef BRI_EXPR_DIM_H
#define BRI_EXPR_DIM_H

#include "expr.h"

enum { DIM_MOST = 1200 }; /* the largest exponent, 100, in twelfths */

static const expr_dim dim_any = {{0}, 1}, dim_one = {{0}, 0};

static inline int dim_is_one(expr_dim d) { return expr_dim_fits(d, dim_one); }

expr_dim dim_times(expr_dim a, expr_dim b);

/* a^power; 0 if there is no such unit. */
int dim_power(expr_dim a, double power, expr_dim *out);

#endif
