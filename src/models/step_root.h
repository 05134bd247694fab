/* step_root.h - roots of equations, for one contact or for vectors of them: see step_bodies.h. */

/* Left minus right side of an equation at x, its slope there, and what it is uncertain by: the
 * rounding of its terms. */
typedef real step_equation(const void *of, real x, real *slope, real *rounding);

/* The root of an equation that rises from below zero at low to above at high, where it is
 * wanted: Newton's method from x, kept inside a shrinking bracket. It ends where the equation is as
 * near to zero as its terms can tell, or x changes by a few roundings: beyond that Newton's method
 * leaves the bracket, and bisection would begin anew on its wider side. */
STEP_INLINE real step_root(step_equation *f, const void *of, real x, real low, real high,
                           truth wanted) {
    for (int i = 0; i < 200 && law_any(wanted); i++) {
        real slope, rounding, off = f(of, x, &slope, &rounding), next = x - off / slope;
        truth inside = law_and(law_gt(next, low), law_lt(next, high));
        truth found =
            law_or(law_le(law_abs(off), rounding), law_le(law_abs(next - x), 4e-16 * law_abs(x)));
        x = law_if(law_and(wanted, law_and(found, inside)), next, x);
        wanted = law_and(wanted, law_not(found));
        high = law_if(law_gt(off, law_number(0.0)), x, high);
        low = law_if(law_gt(off, law_number(0.0)), low, x);
        inside = law_and(law_gt(next, low), law_lt(next, high));
        next = law_if(inside, next, 0.5 * (low + high));
        wanted = law_and(wanted, law_ne(next, x));
        x = law_if(wanted, next, x);
    }
    return x;
}
