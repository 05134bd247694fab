/* test_kernels.c - the vector kernels of all law files against the calls for one contact, on arrays
 * of random contacts with parameters of their own and shared, for every instruction set: forces,
 * rates, steps, Jacobian, derivatives in the parameters; and the laws run from their pages. A
 * difference is measured against the largest term of the sum it belongs to, which terms.h finds in
 * the graph of the law. */
#include "terms.h"

#include <float.h>

enum {
    CHUNK = SAMPLE(250, 130),
    STATES = 4,
    ENTRIES = (1 + STATES) * (4 + STATES + BRI_MAX_PARAMS)
};

/* exp of the two may differ in its last digit, tanh in two, and roundings that follow fall on
 * different sides. */
static const double value_bound = 8e-16, slope_bound = 3e-15, step_bound = 3e-14;

/* Log-uniform in [low, high]. */
static double decades(double r, double low, double high) { return low * pow(high / low, r); }

typedef struct samples {
    double p[BRI_MAX_PARAMS * CHUNK], v[CHUNK], n[CHUNK], z[STATES * CHUNK];
    double F[CHUNK], dz[STATES * CHUNK], M[ENTRIES * CHUNK], h;
} samples;

static int is_exponent(const bri_param *row) {
    return row->role == BRI_ROLE_STRIBECK_EXPONENT || row->role == BRI_ROLE_BRISTLE_EXPONENT ||
           row->role == BRI_ROLE_VISCOUS_EXPONENT;
}

/* Parameters over wide ranges around the defaults; readings that are not the usual one in every
 * fourth chunk; whole chunks of the exponents that have kernels of their own, then all mixed. */
static void draw_params(const bri_model *m, int k, int chunk, double *p, int stride) {
    int mu_s = bri_model_param(m, "mu_s");
    for (int j = 0; j < m->n_params; j++) {
        const bri_param *row = &m->params[j];
        double r = spread(k, j), def = row->def != 0.0 ? row->def : 0.1;
        double x = row->min < 0.0
                       ? row->min + r * (row->max - row->min)
                       : decades(r, fmax(def * 1e-3, row->min), fmin(def * 1e3, row->max));
        if (row->whole) x = chunk % 4 == 3 ? floor(r * (row->max + 0.999)) : row->def;
        if (!row->whole && row->def == 0.0 && r < 0.3) x = 0.0;
        if (is_exponent(row))
            x = chunk % 3 < 2 ? chunk % 3 + 1 : decades(r, fmax(0.1, row->min), 5.0);
        if (is_exponent(row) && chunk % 3 == 2 && k % 7 == 0) x = k % 2 + 1;
        p[j * stride] = x;
    }
    if (mu_s > 0 && bri_model_param(m, "mu_c") == 0)
        p[mu_s * stride] = p[0] * decades(spread(k, mu_s), 1.0, 10.0);
    int v_s = bri_model_param(m, "v_s"), v_d = bri_model_param(m, "v_d");
    if (v_s >= 0 && v_d >= 0) p[v_d * stride] = p[v_s * stride] * decades(spread(k, 19), 1.1, 10.0);
}

static void draw(const bri_model *m, int chunk, int own, samples *s) {
    static const double special[] = {0.0, -0.0, 5e-324, -2e-310, DBL_MIN, 1e-200, 1e6, -1e6};
    int v_s = bri_model_param(m, "v_s"), sigma0 = bri_model_param(m, "sigma0");
    int stride = own ? CHUNK : 1;
    s->h = decades(spread(chunk, 39), 1e-7, 1.0);
    for (int i = 0; i < CHUNK; i++) {
        int k = chunk * CHUNK + i;
        double *p = s->p + (own ? i : 0);
        if (own || i == 0) draw_params(m, k, chunk, p, stride);
        double scale = v_s >= 0 ? p[v_s * stride] : 0.05, r = spread(k, 20);
        s->v[i] =
            scale * (r < 0.5 ? decades(2.0 * r, 1e-2, 30.0) : decades(2.0 * r - 1.0, 1e-9, 1e9));
        if (k % 2) s->v[i] = -s->v[i];
        if (k % 97 == 0) s->v[i] = special[k / 97 % 8];
        s->n[i] = m->load * decades(spread(k, 21), 1e-4, 1e4);
        if (k % 53 == 0) s->n[i] = k % 2 ? 0.0 : -1.0;
        double limit = sigma0 >= 0   ? p[0] * fabs(s->n[i]) / p[sigma0 * stride]
                       : m->n_states ? m->states[0].nominal
                                     : 0.0;
        for (int j = 0; j < m->n_states; j++)
            s->z[j * CHUNK + i] = m->states[j].even ? spread(k, 23 + j)
                                  : j == 0          ? limit * 2.0 * (2.0 * spread(k, 22) - 1.0)
                                           : m->states[j].nominal * (2.0 * spread(k, 23) - 1.0);
    }
}

/* ---- the comparison ------------------------------------------------------------------------- */

typedef struct gauge {
    const bri_model *m, *page; /* the same law, run from its page */
    terms t;
    double worst[3];             /* values, slopes, steps: in units of the bound */
    long compared, steps, aside; /* aside: of steps, see check_step() */
} gauge;

static void compare(gauge *x, int kind, double got, double want, double size, double bound,
                    const char *what, int at, int k, bri_level level) {
    if (fabs(got - want) < 1e-100 || got == want) return; /* powers end there */
    double ratio = fabs(got - want) / (bound * size);
    x->worst[kind] = fmax(x->worst[kind], ratio);
    hold(x->m, ratio <= 1.0, "%s, sample %d, %s %d: %.17g, alone %.17g (largest term %g)",
         bri_level_name(level), k, what, at, got, want, size);
}

/* One contact of the arrays, by the calls for one. */
static void check_contact(gauge *x, const samples *s, int i, int own, int k, bri_level level,
                          int what) {
    const bri_model *m = x->m;
    int n = m->n_states, rows = 1 + n, width = 3 + n, stride = own ? CHUNK : 1;
    double p[BRI_MAX_PARAMS], z[STATES], F[1 + STATES], M[ENTRIES];
    for (int j = 0; j < m->n_params; j++) p[j] = s->p[j * stride + (own ? i : 0)];
    for (int j = 0; j < n; j++) z[j] = s->z[j * CHUNK + i];
    bri_input u = {.v = s->v[i], .n = s->n[i]};
    terms_find(&x->t, p, u.v, u.n, z);
    int open = !(u.n > 1e-30);
    x->compared++;
    F[0] = bri_model_eval(m, p, &u, z, F + 1);
    for (int r = 0; r < rows; r++) {
        double got = r == 0 ? s->F[i] : s->dz[(r - 1) * CHUNK + i];
        double size = open ? fabs(F[r]) : x->t.size[x->t.roots[r]];
        compare(x, 0, got, F[r], size, value_bound, "value", r, k, level);
    }
    if (what == 0) return;
    if (fabs(u.v) < 1e-280 && u.v != 0.0) return; /* powers of less than 1e-300 are those of it */
    int count = what == 1 ? rows * width : rows * m->n_params;
    (what == 1 ? bri_model_jac : bri_model_params_jac)(m, p, &u, z, M);
    for (int e = 0; e < count; e++) {
        const expr_id *roots = x->t.roots + (what == 1 ? rows : rows * (1 + width));
        double size = open ? fabs(M[e]) : x->t.size[roots[e]];
        compare(x, 1, s->M[e * CHUNK + i], M[e], size, slope_bound, what == 1 ? "J" : "D", e, k,
                level);
    }
}

static void check_chunk(gauge *x, samples *s, int chunk, int own, bri_level level) {
    bri_batch b = {x->m, CHUNK, s->p, s->v, s->n, own, 1, level};
    hold(x->m, bri_batch_vectorised(&b), "has no kernel");
    for (int what = 0; what < 3; what++) {
        if (what == 0) bri_batch_eval(&b, s->z, s->F, s->dz);
        if (what == 1) bri_batch_jac(&b, s->z, s->F, s->dz, s->M);
        if (what == 2) bri_batch_params_jac(&b, s->z, s->F, s->dz, s->M);
        for (int i = 0; i < CHUNK; i++) check_contact(x, s, i, own, chunk * CHUNK + i, level, what);
    }
    b.model = x->page; /* by the vector machine, which has the functions of the kernels */
    bri_batch_eval(&b, s->z, s->F, s->dz);
    for (int i = 0; i < CHUNK; i++) check_contact(x, s, i, own, chunk * CHUNK + i, level, 0);
}

/* After a step: states against what they have gone through, the force against its terms there. */
static void check_step(gauge *x, samples *s, int chunk, int own, bri_level level) {
    static double end[STATES * CHUNK];
    const bri_model *m = x->m;
    bri_batch b = {m, CHUNK, s->p, s->v, s->n, own, 1, level};
    int stride = own ? CHUNK : 1, n = m->n_states;
    memcpy(end, s->z, sizeof end);
    bri_batch_step(&b, s->h, end, s->F);
    for (int i = 0; i < CHUNK; i++) {
        double p[BRI_MAX_PARAMS], z[STATES], z0[STATES], dz[STATES];
        int k = chunk * CHUNK + i, open = !(s->n[i] > 1e-30);
        for (int j = 0; j < m->n_params; j++) p[j] = s->p[j * stride + (own ? i : 0)];
        for (int j = 0; j < n; j++) z[j] = z0[j] = s->z[j * CHUNK + i];
        bri_input u = {.v = s->v[i], .n = s->n[i]};
        bri_model_eval(m, p, &u, z, dz);
        terms_find(&x->t, p, u.v, u.n, z);
        double F = bri_model_step(m, p, &u, s->h, z), size[STATES];
        for (int j = 0; j < n; j++) { /* the rate, with its rounding, over the part of h it lasts */
            double rate = x->t.size[x->t.roots[1 + j]], moved = fabs(z[j] - z0[j]);
            double lasts = dz[j] != 0.0 ? fmin(s->h, moved / fabs(dz[j])) : 0.0;
            size[j] = fabs(z0[j]) + moved + (open ? 0.0 : rate * lasts);
            if (m->states[j].even) size[j] += 1.0;
            compare(x, 2, end[j * CHUNK + i], z[j], size[j], step_bound, "state", j, k, level);
        }
        /* A rounding may decide on which side of a corner a state ends, and the force may jump:
         * then it is that of one contact at the states of the vector. */
        for (int j = 0; j < n; j++) z0[j] = end[j * CHUNK + i];
        if (m->pieces && m->pieces(m, p, &u, z0) != m->pieces(m, p, &u, z)) {
            F = bri_model_eval(m, p, &u, z0, dz);
            memcpy(z, z0, sizeof z);
            x->aside++;
        }
        x->steps++;
        for (int j = 0; j < n; j++) z[j] = copysign(fmax(fabs(z[j]), size[j]), z[j]);
        terms_find(&x->t, p, u.v, u.n, z);
        compare(x, 2, s->F[i], F, open ? fabs(F) : x->t.size[x->t.roots[0]], step_bound,
                "force after a step", 0, k, level);
    }
}

static void all_laws(int step) {
    const int chunks = USUALLY(32, 12, 10); /* six have all that draw_params() mixes */
    samples *s = malloc(sizeof *s);
    assert_non_null(s);
    for (int l = 0; l < bri_model_count(); l++) {
        gauge x = {.m = bri_model_at(l)};
        if (!bri_law_page(x.m->name) || x.m->n_states > STATES) continue;
        if (step && x.m->n_states == 0) continue;
        bri_law *page;
        const char *text = bri_law_page(x.m->name);
        assert_int_equal(bri_law_parse(text, strlen(text), x.m->name, &page, NULL), BRI_OK);
        x.page = bri_law_model(page);
        terms_open(&x.t, x.m->name);
        for (int chunk = 0; chunk < chunks; chunk++) {
            int own = chunk & 1;
            draw(x.m, chunk, own, s);
            for (bri_level level = TEST_KERNELS; level < BRI_LEVEL_COUNT; level++)
                if (bri_level_usable(level))
                    (step ? check_step : check_chunk)(&x, s, chunk, own, level);
        }
        print_message("%-22s values %.2f, slopes %.3f, steps %.3f of the bound\n", x.m->name,
                      x.worst[0], x.worst[1], x.worst[2]);
        hold(x.m, x.aside <= x.steps / 200, "%ld of %ld steps end on another side of a corner",
             x.aside, x.steps);
        terms_close(&x.t);
        bri_law_free(page);
    }
    free(s);
}

static void values_and_slopes_agree(void **state) {
    all_laws(0);
    (void)state;
}

static void steps_agree(void **state) {
    all_laws(1);
    (void)state;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_and_slopes_agree),
        cmocka_unit_test(steps_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
