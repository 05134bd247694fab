/* sweeps.c - what a solver does with long arrays, compiled once per instruction set like the laws.
 * Loops are left to the compiler; only the recurrences are written for fused operations. */
#include "invert.h"
#include "kernels.h"
#include "vecmath.h"
#include <math.h>
#include <string.h>

enum { TILE = 256 };

/* ---- stages of a Rosenbrock method --------------------------------------------------------- */

INLINE void combine_n(int stages, int n, const double *a, const double *C, const double *restrict y,
                      const double *restrict U, size_t stride, double *restrict Y,
                      double *restrict b) {
    for (int k = 0; k < n; k++) {
        double sum = y[k], rest = 0.0;
        _Pragma("GCC unroll 8") for (int j = 0; j < stages; j++) {
            double u = U[(size_t)j * stride + (size_t)k];
            sum += a[j] * u;
            rest += C[j] * u;
        }
        Y[k] = sum;
        b[k] = rest;
    }
}

static void combine(int stages, int n, const double *a, const double *C, const double *y,
                    const double *U, size_t stride, double *Y, double *b) {
    double ca[8], cC[8]; /* copies: the compiler knows that nothing else writes them */
    for (int j = 0; j < stages; j++) ca[j] = a[j], cC[j] = C[j];
    switch (stages) {
    case 1:
        combine_n(1, n, ca, cC, y, U, stride, Y, b);
        break;
    case 2:
        combine_n(2, n, ca, cC, y, U, stride, Y, b);
        break;
    case 3:
        combine_n(3, n, ca, cC, y, U, stride, Y, b);
        break;
    case 4:
        combine_n(4, n, ca, cC, y, U, stride, Y, b);
        break;
    case 5:
        combine_n(5, n, ca, cC, y, U, stride, Y, b);
        break;
    case 6:
        combine_n(6, n, ca, cC, y, U, stride, Y, b);
        break;
    default:
        combine_n(7, n, ca, cC, y, U, stride, Y, b);
        break;
    }
}

INLINE void dense_n(int stages, int rows, int n, const double *H, const double *restrict U,
                    size_t stride, double *restrict D) {
    int k = 0;
    for (; n >= WIDTH && k < n; k += WIDTH) {
        if (k > n - WIDTH) k = n - WIDTH; /* the last vector goes back as far as it must */
        vec sum[3] = {splat(0.0), splat(0.0), splat(0.0)};
        _Pragma("GCC unroll 8") for (int j = 0; j < stages; j++) {
            vec u = load(U + (size_t)j * stride + k);
            _Pragma("GCC unroll 3") for (int r = 0; r < rows; r++) sum[r] += H[r * 8 + j] * u;
        }
        _Pragma("GCC unroll 3") for (int r = 0; r < rows; r++) store(D + r * n + k, sum[r]);
    }
    for (; k < n; k++) {
        double sum[3] = {0.0, 0.0, 0.0};
        _Pragma("GCC unroll 8") for (int j = 0; j < stages; j++)
            _Pragma("GCC unroll 3") for (int r = 0; r < rows; r++) sum[r] +=
            H[r * 8 + j] * U[(size_t)j * stride + (size_t)k];
        for (int r = 0; r < rows; r++) D[r * n + k] = sum[r];
    }
}

static void dense(int rows, int n, const double *H, const double *U, size_t stride, double *D) {
    if (rows == 3) /* Rodas5P */
        dense_n(8, 3, n, H, U, stride, D);
    else
        dense_n(6, 2, n, H, U, stride, D);
}

static void between(int rows, int n, double u, const double *restrict y, const double *restrict D,
                    double *restrict to) {
    const double *change = D + rows * n;
    if (rows == 3)
        for (int k = 0; k < n; k++)
            to[k] = y[k] + u * (change[k] + (1.0 - u) * (D[k] + u * (D[n + k] + u * D[2 * n + k])));
    else
        for (int k = 0; k < n; k++)
            to[k] = y[k] + u * (change[k] + (1.0 - u) * (D[k] + u * D[n + k]));
}

static void close_stage(int n, double per_h, double *restrict U, const double *restrict f, double h,
                        const double *restrict ft) {
    if (ft)
        for (int k = 0; k < n; k++) U[k] = U[k] * per_h + f[k] + h * ft[k];
    else
        for (int k = 0; k < n; k++) U[k] = U[k] * per_h + f[k];
}

static void close_force(int n, double per_h, const double *restrict b, double h,
                        const double *restrict ft, const double *restrict m, double *restrict f) {
    if (ft)
        for (int k = 0; k < n; k++) f[k] += m[k] * (b[k] * per_h + h * ft[k]);
    else
        for (int k = 0; k < n; k++) f[k] += m[k] * (b[k] * per_h);
}

INLINE void close_states(int n, double per_h, double h, int timed, const double *restrict ft,
                         const double *restrict F, const double *restrict dz,
                         const double *restrict row, const double *restrict S, double *restrict z,
                         double *restrict f) {
    for (int k = 0; k < n; k++) {
        double own = z[k] * per_h + dz[k];
        if (timed) own += h * ft[k];
        f[k] -= F[k] + row[k] * own;
        z[k] = own * S[k];
    }
}

static void close_state(int n, double per_h, double h, const double *ft, const double *F,
                        const double *dz, const double *row, const double *S, double *z,
                        double *f) {
    if (ft)
        close_states(n, per_h, h, 1, ft, F, dz, row, S, z, f);
    else
        close_states(n, per_h, 0.0, 0, F, F, dz, row, S, z, f);
}

static double norm(int n, const double *restrict e, const double *restrict w) {
    double sum[8] = {0}, all = 0.0;
    int k = 0;
    for (; k + 8 <= n; k += 8)
        for (int j = 0; j < 8; j++) sum[j] += e[k + j] * w[k + j] * (e[k + j] * w[k + j]);
    for (; k < n; k++) all += e[k] * w[k] * (e[k] * w[k]);
    for (int j = 0; j < 8; j++) all += sum[j];
    return all;
}

static void sizes(int n, int n_free, const double *restrict y, const double *restrict nominal,
                  double *restrict size) {
    for (int k = 0; k < n; k++) size[k] = fabs(y[k]);
    for (int k = n_free; k < 2 * n_free; k++) size[k] = size[k] > nominal[k] ? size[k] : nominal[k];
}

static void slip_sizes(int n, const double *restrict v, double v_b, const double *restrict floor,
                       double *restrict size) {
    for (int k = 0; k < n; k++) {
        double slip = fabs(v[k] - v_b);
        slip = slip > floor[k] ? slip : floor[k];
        size[k] = slip < size[k] ? slip : size[k];
    }
}

static void weigh(int n, double rtol, double atol, const double *restrict nominal,
                  double *restrict weight) {
    for (int k = 0; k < n; k++) {
        double size = rtol * weight[k], least_size = atol * nominal[k];
        weight[k] = 1.0 / (size > least_size ? size : least_size);
    }
}

/* ---- small linear systems ------------------------------------------------------------------ */

/* Columns have the same length in all sizes; what is below the last row stays zero. The number of
 * vectors that matter is a constant at each call. */
enum { ROWS = BRI_FLAT_ROWS };
#define VECTORS(k) ((k)*WIDTH < ROWS ? (k) : ROWS / WIDTH) /* no more than there can be */

INLINE int invert_by(int n, int vectors, double *value) {
    return invert_matrix(n, vectors * WIDTH, ROWS, n, value);
}

static int invert(int n, double *value) {
    if (n <= WIDTH) return invert_by(n, 1, value);
    return n <= 2 * WIDTH ? invert_by(n, VECTORS(2), value) : invert_by(n, ROWS / WIDTH, value);
}

/* sum + the columns, each times a number; many of them in two chains of operations. */
INLINE void add_columns(int count, int vectors, const double *column, int stride, const double *by,
                        vec *sum) {
    const int few = count < 4;
    vec odd[4] = {splat(0.0), splat(0.0), splat(0.0), splat(0.0)};
    _Pragma("GCC unroll 16") for (int j = 0; j < count; j++, column += stride) {
        vec times = splat(by[j]), *to = few || j % 2 == 0 ? sum : odd;
        _Pragma("GCC unroll 4") for (int i = 0; i < vectors; i++) to[i] =
            muladd(load(column + i * WIDTH), times, to[i]);
    }
    if (few) return;
    _Pragma("GCC unroll 4") for (int i = 0; i < vectors; i++) sum[i] += odd[i];
}

INLINE void multiply_by(int n, int vectors, const double *value, double *b) {
    vec sum[4] = {splat(0.0), splat(0.0), splat(0.0), splat(0.0)};
    double room[ROWS];
    add_columns(n, vectors, value, ROWS, b, sum);
    _Pragma("GCC unroll 4") for (int i = 0; i < vectors; i++) store(room + i * WIDTH, sum[i]);
    for (int i = 0; i < n; i++) b[i] = room[i];
}

static void multiply(int n, const double *value, double *b) {
    if (n <= WIDTH)
        multiply_by(n, 1, value, b);
    else if (n <= 2 * WIDTH)
        multiply_by(n, VECTORS(2), value, b);
    else
        multiply_by(n, ROWS / WIDTH, value, b);
}

/* The number of velocities is a constant at each call: short loops whose ends are not known cost
 * more than what is in them. */
INLINE void flat_solve_by(const bri_flat *f, int n, double *b) {
    enum { MOST = 16 + 8 };
    const int vectors = (n + WIDTH - 1) / WIDTH, m = f->m;
    vec sum[4] = {splat(0.0), splat(0.0), splat(0.0), splat(0.0)};
    vec x[4] = {splat(0.0), splat(0.0), splat(0.0), splat(0.0)};
    double side[ROWS], v[ROWS], states[MOST], *z = b + 2 * n, per_w = f->per_w;
    add_columns(2 * n, vectors, f->side, ROWS, b, sum);
    add_columns(m, vectors, f->side + 2 * n * ROWS, ROWS, z, sum);
    _Pragma("GCC unroll 4") for (int i = 0; i < vectors; i++) store(side + i * WIDTH, sum[i]);
    add_columns(n, vectors, f->inverse, ROWS, side, x);
    _Pragma("GCC unroll 4") for (int i = 0; i < vectors; i++) store(v + i * WIDTH, x[i]);
    for (int r = 0; r < f->under; r += WIDTH) {
        vec state[1] = {splat(0.0)};
        add_columns(n, 1, f->direct + r, f->under, b, state);
        add_columns(m, 1, f->direct + n * f->under + r, f->under, z, state);
        add_columns(n, 1, f->by_v + r, f->under, v, state);
        store(states + r, state[0]);
    }
    _Pragma("GCC unroll 8") for (int i = 0; i < n; i++) {
        b[i] = (b[i] + v[i]) * per_w;
        b[n + i] = v[i];
    }
    if (m == 1)
        z[0] = states[0];
    else
        memcpy(z, states, sizeof *z * (size_t)m);
}

static void flat_solve(const bri_flat *f, double *b) {
    switch (f->n) {
    case 1:
        flat_solve_by(f, 1, b);
        break;
    case 2:
        flat_solve_by(f, 2, b);
        break;
    case 3:
        flat_solve_by(f, 3, b);
        break;
    case 4:
        flat_solve_by(f, 4, b);
        break;
    case 5:
        flat_solve_by(f, 5, b);
        break;
    case 6:
        flat_solve_by(f, 6, b);
        break;
    case 7:
        flat_solve_by(f, 7, b);
        break;
    default:
        flat_solve_by(f, 8, b);
    }
}

/* ---- couplings ----------------------------------------------------------------------------- */

INLINE void add_to(int n, const double *restrict T, double sign, double *restrict f, int step) {
    if (step) {
        for (int i = 0; i < n; i++) f[i] += sign * T[i];
        return;
    }
    double sum[8] = {0};
    int i = 0;
    for (; i + 8 <= n; i += 8)
        for (int j = 0; j < 8; j++) sum[j] += T[i + j];
    for (; i < n; i++) sum[0] += T[i];
    for (int j = 0; j < 8; j++) *f += sign * sum[j];
}

/* What is known of a run when its loop is compiled. */
typedef struct layout {
    int step_a, step_b; /* of the coordinates */
    int step_k;         /* of rest, k and c; 0: uniform */
    int loaded, damped; /* rest and c count */
} layout;

INLINE void tension(int n, const bri_link_run *r, int i0, const double *restrict xa,
                    const double *restrict xb, const double *restrict va, const double *restrict vb,
                    layout l, double *restrict T) {
    const double *restrict rest = r->rest + i0 * l.step_k, *restrict k = r->k + i0 * l.step_k;
    const double *restrict c = r->c + i0 * l.step_k;
    for (int i = 0; i < n; i++) {
        double t = k[i * l.step_k] * (xb[i * l.step_b] - xa[i * l.step_a]);
        if (l.loaded) t += rest[i * l.step_k];
        if (l.damped) t += c[i * l.step_k] * (vb[i * l.step_b] - va[i * l.step_a]);
        T[i] = t;
    }
}

/* Each coordinate joined with the next: both tensions of the coordinates lo ... hi - 1 of a chain
 * of n couplings at once; f begins at lo. */
INLINE void pull_chain(const bri_link_run *r, const double *restrict x, const double *restrict v,
                       layout l, double *restrict f, int lo, int hi) {
    const double *restrict rest = r->rest, *restrict k = r->k, *restrict c = r->c;
    int n = r->count, e = n - 1, last = hi < n ? hi : n, s = l.step_k;
    double T;
    if (lo == 0) {
        tension(1, r, 0, x, x + 1, v, l.damped ? v + 1 : v, l, &T);
        f[0] += T;
    }
    for (int i = lo > 1 ? lo : 1; i < last; i++) {
        double up = k[i * s] * (x[i + 1] - x[i]), down = k[(i - 1) * s] * (x[i] - x[i - 1]);
        if (l.loaded && s) up += rest[i], down += rest[i - 1]; /* else they cancel */
        if (l.damped)
            up += c[i * s] * (v[i + 1] - v[i]), down += c[(i - 1) * s] * (v[i] - v[i - 1]);
        f[i - lo] += up - down;
    }
    if (hi <= n) return;
    tension(1, r, e, x + e, x + n, l.damped ? v + e : v, l.damped ? v + n : v, l, &T);
    f[n - lo] -= T;
}

/* Call with a layout that is constant. */
#define FOR_LAYOUT(call, a, b, r, v)                                                               \
    do {                                                                                           \
        int loaded_ = (v) != NULL, damped_ = loaded_ && (r)->damped;                               \
        if ((r)->uniform) {                                                                        \
            if (damped_)                                                                           \
                call(((layout){a, b, 0, 1, 1}));                                                   \
            else if (loaded_)                                                                      \
                call(((layout){a, b, 0, 1, 0}));                                                   \
            else                                                                                   \
                call(((layout){a, b, 0, 0, 0}));                                                   \
        } else if (damped_) {                                                                      \
            call(((layout){a, b, 1, 1, 1}));                                                       \
        } else if (loaded_) {                                                                      \
            call(((layout){a, b, 1, 1, 0}));                                                       \
        } else {                                                                                   \
            call(((layout){a, b, 1, 0, 0}));                                                       \
        }                                                                                          \
    } while (0)

static void chain_part(const bri_link_run *r, const double *x, const double *v, double *f, int lo,
                       int hi) {
#define CALL(l) pull_chain(r, x, v, l, f, lo, hi)
    FOR_LAYOUT(CALL, 1, 1, r, v);
#undef CALL
}

/* Tensions of n couplings from i on. */
static void tensions(const bri_link_run *r, int i, int n, const double *xa, const double *xb,
                     const double *va, const double *vb, double *T) {
    const double *a = xa + i * r->step_a, *b = xb + i * r->step_b;
    const double *wa = va ? va + i * r->step_a : NULL, *wb = vb ? vb + i * r->step_b : NULL;
#define CALL(l) tension(n, r, i, a, b, wa, wb, l, T)
    if (r->step_a && r->step_b)
        FOR_LAYOUT(CALL, 1, 1, r, va);
    else if (r->step_b)
        FOR_LAYOUT(CALL, 0, 1, r, va);
    else
        FOR_LAYOUT(CALL, 1, 0, r, va);
#undef CALL
}

static int is_chain(const bri_link_run *r) { return r->step_a && r->step_b && r->b == r->a + 1; }

/* Those ends of a run that begin at coordinate `first`. */
static void end_part(const bri_link_run *r, const double *xa, const double *xb, const double *va,
                     const double *vb, double sign, double *force, int first, int lo, int hi) {
    double T[TILE];
    int from = lo > first ? lo - first : 0, to = hi - first < r->count ? hi - first : r->count;
    for (int i = from; i < to; i += TILE) {
        int n = to - i < TILE ? to - i : TILE;
        tensions(r, i, n, xa, xb, va, vb, T);
        add_to(n, T, sign, force + (first + i - lo), 1);
    }
}

static void pull_part(const bri_link_run *r, const double *xa, const double *xb, const double *va,
                      const double *vb, double *force, int lo, int hi) {
    if (is_chain(r)) {
        int from = lo > r->a ? lo - r->a : 0, to = hi - r->a;
        if (to > r->count + 1) to = r->count + 1;
        if (to > from) chain_part(r, xa, va, force + (r->a + from - lo), from, to);
        return;
    }
    if (r->step_a) end_part(r, xa, xb, va, vb, 1.0, force, r->a, lo, hi);
    if (r->step_b) end_part(r, xa, xb, va, vb, -1.0, force, r->b, lo, hi);
}

static void pull(const bri_link_run *r, const double *xa, const double *xb, const double *va,
                 const double *vb, double *fa, double *fb) {
    double T[TILE];
    if (is_chain(r)) {
        chain_part(r, xa, va, fa, 0, r->count + 1);
        return;
    }
    for (int i = 0; i < r->count; i += TILE) {
        int n = r->count - i < TILE ? r->count - i : TILE;
        tensions(r, i, n, xa, xb, va, vb, T);
        if (r->free_a) add_to(n, T, 1.0, fa + i * r->step_a, r->step_a);
        if (r->free_b) add_to(n, T, -1.0, fb + i * r->step_b, r->step_b);
    }
}

/* ---- contacts ------------------------------------------------------------------------------ */

static void difference(int n, const double *a, int step_a, const double *b, int step_b, double *v) {
    double *restrict to = v;
    if (step_a && step_b)
        for (int i = 0; i < n; i++) to[i] = a[i] - b[i];
    else if (step_a)
        for (int i = 0; i < n; i++) to[i] = a[i] - *b;
    else
        for (int i = 0; i < n; i++) to[i] = *a - b[i];
}

static void push(int n, const double *F, double *a, int step_a, double *b, int step_b) {
    if (a) add_to(n, F, -1.0, a, step_a);
    if (b) add_to(n, F, 1.0, b, step_b);
}

static void condense(int n, double w, const double *J, double *restrict S, double *restrict row,
                     double *restrict gain, double *restrict force) {
    const double *restrict by_v = J + (size_t)BRI_F_BY_V * (size_t)n;
    const double *restrict by_z = J + (size_t)BRI_F_BY_Z * (size_t)n;
    const double *restrict z_v = J + (size_t)BRI_Z_BY_V * (size_t)n;
    const double *restrict z_z = J + (size_t)BRI_Z_BY_Z * (size_t)n;
    for (int i = 0; i < n; i++) {
        double s = 1.0 / (w - z_z[i]), g = z_v[i] * s;
        S[i] = s;
        row[i] = by_z[i] * s;
        gain[i] = g;
        force[i] = by_v[i] + by_z[i] * g;
    }
}

static void state_down(int n, const double *restrict row, const double *restrict S,
                       double *restrict z, double *restrict known) {
    for (int i = 0; i < n; i++) {
        known[i] = row[i] * z[i];
        z[i] *= S[i];
    }
}

static void state_push(int n, const double *restrict row, const double *restrict S,
                       double *restrict z, double *restrict f) {
    for (int i = 0; i < n; i++) {
        f[i] -= row[i] * z[i];
        z[i] *= S[i];
    }
}

static void state_up(int n, const double *restrict gain, const double *restrict d,
                     double *restrict z) {
    for (int i = 0; i < n; i++) z[i] += gain[i] * d[i];
}

/* ---- plain arrays -------------------------------------------------------------------------- */

static void add_times(int n, double s, const double *restrict x, double *restrict y) {
    for (int i = 0; i < n; i++) y[i] += s * x[i];
}

static void times(int n, const double *restrict x, const double *restrict s, double *restrict y) {
    for (int i = 0; i < n; i++) y[i] = x[i] * s[i];
}

static void solve_start(int n, const double *restrict q, double s, const double *restrict m,
                        const double *restrict v, double *restrict x, double *restrict f) {
    for (int i = 0; i < n; i++) {
        x[i] = q[i] * s;
        f[i] = m[i] * v[i];
    }
}

static void solve_end(int n, const double *restrict x, double s, const double *restrict f,
                      double *restrict q, double *restrict v) {
    for (int i = 0; i < n; i++) {
        q[i] = x[i] + s * f[i];
        v[i] = f[i];
    }
}

static void load_side(int n, const double *restrict m, const double *restrict v, double s,
                      double *restrict f) {
    for (int i = 0; i < n; i++) f[i] = m[i] * v[i] + s * f[i];
}

static void spread(int n, double s, const double *restrict f, double *restrict q,
                   double *restrict v) {
    for (int i = 0; i < n; i++) {
        q[i] = s * (q[i] + f[i]);
        v[i] = f[i];
    }
}

static void add_scaled(int n, const double *restrict a, double s, const double *restrict b,
                       double *restrict to) {
    for (int i = 0; i < n; i++) to[i] = a[i] + s * b[i];
}

static void blend(long n, double w, const double *restrict M, const double *restrict C,
                  double per_w, const double *restrict K, double *restrict value) {
    for (long i = 0; i < n; i++) value[i] = w * M[i] + C[i] + per_w * K[i];
}

/* ---- tridiagonal matrices ------------------------------------------------------------------ */

/* a - b c */
INLINE double less_product(double a, double b, double c) {
#if WIDTH > 2
    return __builtin_fma(-b, c, a);
#else
    return a - b * c;
#endif
}

/* The least part of a diagonal entry that a pivot may be. */
static const double LEAST = 1e-8;

/* From both ends to the middle m: two chains of operations that do not wait for each other. What
 * is left: the reciprocals of the pivots; above and below the factors of both sweeps. */
static int tri_factor(int n, double *d, double *below, double *above) {
    int m = n / 2;
    int bad = !(d[0] > 0.0 && d[n - 1] > 0.0);
    double i_top = 1.0 / d[0], i_end = 1.0 / d[n - 1];
    d[0] = i_top;
    d[n - 1] = i_end;
    for (int i = 1, j = n - 2; i < m || j > m; i++, j--) {
        if (i < m) {
            double up = above[i - 1], factor = below[i] * i_top;
            double pivot = less_product(d[i], factor, up);
            bad |= !(pivot > LEAST * fabs(d[i]));
            below[i] = factor;
            above[i - 1] = up * i_top;
            i_top = 1.0 / pivot;
            d[i] = i_top;
        }
        if (j > m) {
            double down = below[j + 1], factor = above[j] * i_end;
            double pivot = less_product(d[j], factor, down);
            bad |= !(pivot > LEAST * fabs(d[j]));
            above[j] = factor;
            below[j + 1] = down * i_end;
            i_end = 1.0 / pivot;
            d[j] = i_end;
        }
    }
    double up = above[m - 1], pivot = d[m], first = below[m] * i_top;
    pivot = less_product(pivot, first, up);
    above[m - 1] = up * i_top;
    below[m] = first;
    if (m + 1 < n) {
        double down = below[m + 1], second = above[m] * i_end;
        pivot = less_product(pivot, second, down);
        below[m + 1] = down * i_end;
        above[m] = second;
    }
    bad |= !(pivot > LEAST * fabs(d[m]));
    d[m] = 1.0 / pivot;
    return !bad;
}

static void tri_solve(int n, const double *restrict d, const double *restrict below,
                      const double *restrict above, double *restrict b) {
    int m = n / 2, i = 1, j = n - 2;
    double top = b[0], end = b[n - 1];
    for (; i < m && j > m; i++, j--) {
        top = b[i] = less_product(b[i], below[i], top);
        end = b[j] = less_product(b[j], above[j], end);
    }
    for (; i < m; i++) top = b[i] = less_product(b[i], below[i], top);
    for (; j > m; j--) end = b[j] = less_product(b[j], above[j], end);
    double x = less_product(b[m], below[m], top);
    if (m + 1 < n) x = less_product(x, above[m], end);
    top = end = b[m] = x * d[m];
    for (i = m - 1, j = m + 1; i >= 0 && j < n; i--, j++) {
        top = b[i] = less_product(b[i] * d[i], above[i], top);
        end = b[j] = less_product(b[j] * d[j], below[j], end);
    }
    for (; i >= 0; i--) top = b[i] = less_product(b[i] * d[i], above[i], top);
    for (; j < n; j++) end = b[j] = less_product(b[j] * d[j], below[j], end);
}

#define JOIN(a, b)    a##b
#define SWEEPS(level) JOIN(bri_sweeps_, level)

extern const bri_sweeps SWEEPS(BRI_KERNEL_LEVEL);
const bri_sweeps SWEEPS(BRI_KERNEL_LEVEL) = {.invert = invert,
                                             .multiply = multiply,
                                             .flat_solve = flat_solve,
                                             .combine = combine,
                                             .dense = dense,
                                             .between = between,
                                             .close_stage = close_stage,
                                             .close_force = close_force,
                                             .close_state = close_state,
                                             .pull = pull,
                                             .pull_part = pull_part,
                                             .load_side = load_side,
                                             .spread = spread,
                                             .difference = difference,
                                             .push = push,
                                             .add_times = add_times,
                                             .times = times,
                                             .solve_start = solve_start,
                                             .solve_end = solve_end,
                                             .add_scaled = add_scaled,
                                             .blend = blend,
                                             .condense = condense,
                                             .state_down = state_down,
                                             .state_push = state_push,
                                             .state_up = state_up,
                                             .norm = norm,
                                             .sizes = sizes,
                                             .slip_sizes = slip_sizes,
                                             .weigh = weigh,
                                             .tri_factor = tri_factor,
                                             .tri_solve = tri_solve};
