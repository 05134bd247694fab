/* test_own_laws.c - laws of one's own: read at run time and run from their text. Every page of
 * laws/ run so gives the bits of the C that is made of it; evaluation takes no memory, threads
 * share a law, and mistakes are told with file, line, key and column. */
#define _POSIX_C_SOURCE 200809L
#include "allocations.h"
#include "bristle_law.h"
#include "bristle_scenario.h"
#include "bristle_study.h"
#include "law/interpret.h"
#include "samples.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

/* Law i of the library, if it is a file. */
static const bri_model *file_law(int i) {
    const bri_model *m = bri_model_at(i);
    return bri_law_page(m->name) ? m : NULL;
}

enum { SAMPLES = 4000, MOST = (1 + BRI_MAX_STATES) * (3 + BRI_MAX_STATES) };

static bri_messages messages;

static bri_law *parse(const char *text, const char *name) {
    bri_law *l;
    if (bri_law_parse(text, strlen(text), name, &l, &messages))
        fail_msg("%s", messages.message[0].text);
    assert_int_equal(messages.count, 0);
    return l;
}

static bri_law *page(const char *name) {
    const char *text = bri_law_page(name);
    if (!text) fail_msg("%s has no page", name);
    return parse(text, name);
}

/* ---- bits ------------------------------------------------------------------------------------ */

static void same(const bri_model *m, int k, const char *what, const double *a, const double *b,
                 int count) {
    for (int i = 0; i < count; i++)
        hold(m, memcmp(&a[i], &b[i], sizeof *a) == 0 || (a[i] == 0.0 && b[i] == 0.0),
             "sample %d, %s %d: %.17g, in C %.17g", k, what, i, a[i], b[i]);
}

static int take_sample(const bri_model *m, int k, double *p, bri_input *u, double *z) {
    static const double edges[] = {0.0, -0.0, 5e-324, -1e-310, 1e-15, -1e-12, 1e3, -1e3};
    static const bri_mode modes[] = {BRI_AUTO, BRI_SLIDE_POS, BRI_SLIDE_NEG, BRI_AUTO, BRI_STUCK};
    if (k % 8 == 7) {
        if (!corner_params(m, k, p)) return 0;
    } else {
        sample_params(m, k % 97, p);
    }
    u->v = (k & 1 ? 0.01 : -0.01) * pow(10.0, 6.0 * spread(k, 30) - 4.0);
    if (k % 16 == 3) u->v = edges[k / 16 % 8];
    u->x = spread(k, 31) - 0.5;
    u->n = k % 32 == 5 ? 0.0 : m->load * pow(10.0, 2.0 * spread(k, 32) - 1.0);
    u->mode = modes[k % 5];
    u->fa = 2.0 * (2.0 * spread(k, 33) - 1.0) * u->n;
    sample_states(m, p, k, 2.0, z);
    return 1;
}

static void compare_sample(const bri_model *own, const bri_model *c, int k) {
    double p[BRI_MAX_PARAMS], z[BRI_MAX_STATES] = {0}, z2[BRI_MAX_STATES];
    double a[MOST] = {0}, b[MOST] = {0};
    bri_input u;
    if (!take_sample(c, k, p, &u, z)) return;
    int n = c->n_states;
    a[0] = bri_model_eval(own, p, &u, z, a + 1);
    b[0] = bri_model_eval(c, p, &u, z, b + 1);
    same(own, k, "value", a, b, 1 + n);
    bri_model_jac(own, p, &u, z, a);
    bri_model_jac(c, p, &u, z, b);
    same(own, k, "slope", a, b, (1 + n) * (3 + n));
    bri_model_params_jac(own, p, &u, z, a);
    bri_model_params_jac(c, p, &u, z, b);
    same(own, k, "slope in a parameter", a, b, (1 + n) * c->n_params);
    hold(own, bri_model_motion(own, p, &u, z) == bri_model_motion(c, p, &u, z), "motion");
    if (c->eventful) hold(own, own->eventful(own, p) == c->eventful(c, p), "eventful");
    hold(own, !bri_model_advice(own, p) == !bri_model_advice(c, p), "advice");
    memcpy(z2, z, sizeof z2);
    memcpy(a + 1, z, sizeof *z * (size_t)n);
    double h = pow(10.0, 6.0 * spread(k, 7) - 5.0);
    a[0] = bri_model_step(own, p, &u, h, a + 1);
    b[0] = bri_model_step(c, p, &u, h, z2);
    memcpy(b + 1, z2, sizeof *z * (size_t)n);
    same(own, k, "step", a, b, 1 + n);
    hold(own,
         !own->check == !c->check && !own->lift == !c->lift && !own->stored == !c->stored &&
             !own->motion == !c->motion && !own->roots == !c->roots &&
             !own->params_jac == !c->params_jac && !own->step == !c->step &&
             !own->eventful == !c->eventful && !own->advice == !c->advice &&
             !own->pieces == !c->pieces,
         "one has a function that the other has not");
    if (c->stored) {
        a[0] = own->stored(own, p, &u, z, a + 1);
        b[0] = c->stored(c, p, &u, z, b + 1);
        same(own, k, "energy", a, b, 1 + n);
    }
    if (c->pieces) hold(own, own->pieces(own, p, &u, z) == c->pieces(c, p, &u, z), "smooth piece");
    if (c->roots) {
        own->roots(own, p, &u, z, a);
        c->roots(c, p, &u, z, b);
        same(own, k, "event", a, b, c->n_roots);
        memcpy(z2, z, sizeof z2);
        hold(own, own->jump(own, p, &u, z) == c->jump(c, p, &u, z2), "mode");
        same(own, k, "jump", z, z2, n);
    }
    bri_model_rest(own, p, z);
    bri_model_rest(c, p, z2);
    same(own, k, "rest", z, z2, n);
}

static void test_bits(void **state) {
    for (int i = 0; i < bri_model_count(); i++) {
        const bri_model *c = file_law(i);
        if (!c) continue;
        bri_law *l = page(c->name);
        const bri_model *own = bri_law_model(l);
        assert_int_equal(own->n_params, c->n_params);
        assert_int_equal(own->n_states, c->n_states);
        assert_int_equal(own->n_roots, c->n_roots);
        assert_int_equal(own->set_valued, c->set_valued);
        assert_int_equal(own->step_order, c->step_order);
        assert_string_equal(own->equations, c->equations);
        long before = allocations;
        for (int k = 0; k < SAMPLES; k++) compare_sample(own, c, k);
        assert_int_equal(allocations, before);
        for (int k = 0; k < 200; k++) { /* rules say the same, and in the same words */
            double p[BRI_MAX_PARAMS];
            for (int j = 0; j < c->n_params; j++) p[j] = sample_param(&c->params[j], spread(k, j));
            const char *a = own->check ? own->check(own, p) : NULL;
            const char *b = c->check ? c->check(c, p) : NULL;
            hold(own, !a == !b && (!a || strcmp(a, b) == 0), "rules differ");
        }
        bri_law_free(l);
    }
    (void)state;
}

/* ---- arrays --------------------------------------------------------------------------------- */

enum { MOST_CONTACTS = 200 };

/* Contacts of a law, some of them open or at rest, in the order of bri_batch. */
static void fill_array(const bri_model *m, size_t count, double *p, double *v, double *n,
                       double *z) {
    for (size_t i = 0; i < count; i++) {
        double own[BRI_MAX_PARAMS], states[BRI_MAX_STATES] = {0};
        bri_input u;
        int k = (int)i;
        while (!take_sample(m, k, own, &u, states)) k += 1000;
        v[i] = i % 11 == 3 ? 0.0 : u.v;
        n[i] = i % 13 == 5 ? 0.0 : u.n;
        for (int j = 0; j < m->n_params; j++) p[(size_t)j * count + i] = own[j];
        for (int j = 0; j < m->n_states; j++) z[(size_t)j * count + i] = states[j];
    }
}

/* An array gives what the calls for one contact give, to the bit where libm is asked for, and takes
 * no memory. The other levels: test_kernels. */
static void test_arrays(void **state) {
    static double p[BRI_MAX_PARAMS * MOST_CONTACTS], z[BRI_MAX_STATES * MOST_CONTACTS],
        dz[BRI_MAX_STATES * MOST_CONTACTS], v[MOST_CONTACTS], n[MOST_CONTACTS], F[MOST_CONTACTS];
    static const size_t counts[] = {1, 7, 64, 200};
    for (int i = 0; i < bri_model_count() * 16; i++) {
        if (!file_law(i / 16)) continue;
        bri_law *l = page(file_law(i / 16)->name);
        const bri_model *m = bri_law_model(l);
        size_t count = counts[i % 4];
        bri_batch b = {.model = m, .count = count, .p = p, .v = v, .n = n};
        b.level = BRI_LEVEL_LIBM;
        b.own_params = i / 4 % 2;
        b.own_loads = i / 8 % 2;
        fill_array(m, count, p, v, n, z);
        if (!b.own_params)
            for (int j = 0; j < m->n_params; j++) p[j] = m->params[j].def;
        if (!b.own_loads) n[0] = m->load;
        long before = allocations;
        assert_non_null(bri_page_of(m));
        assert_true(bri_page_of(m)->many(m, &b, z, F, dz));
        bri_batch_eval(&b, z, F, dz);
        assert_int_equal(allocations, before);
        for (size_t k = 0; k < count; k++) {
            double own[BRI_MAX_PARAMS], states[BRI_MAX_STATES], rates[BRI_MAX_STATES];
            const bri_input u = {.v = v[k], .n = n[b.own_loads ? k : 0], .mode = BRI_AUTO};
            for (int j = 0; j < m->n_params; j++)
                own[j] = p[b.own_params ? (size_t)j * count + k : (size_t)j];
            for (int j = 0; j < m->n_states; j++) states[j] = z[(size_t)j * count + k];
            double one = bri_model_eval(m, own, &u, states, rates);
            hold(m, one == F[k] || (isnan(one) && isnan(F[k])), "contact %d: %.17g, alone %.17g",
                 (int)k, F[k], one);
            for (int j = 0; j < m->n_states; j++)
                hold(m, rates[j] == dz[(size_t)j * count + k], "rate %d of contact %d", j, (int)k);
        }
        bri_law_free(l);
    }
    (void)state;
}

/* ---- steps ----------------------------------------------------------------------------------- */

/* A step that is exact with v and N held is the same in one piece and in five. */
static void test_steps(void **state) {
    int exact = 0;
    for (int i = 0; i < bri_model_count(); i++) {
        if (!file_law(i)) continue;
        bri_law *l = page(file_law(i)->name);
        const bri_model *m = bri_law_model(l);
        int affine = l->motion == LAW_AFFINE;
        exact += affine;
        for (int k = 0; affine && k < 500; k++) {
            double p[BRI_MAX_PARAMS], z[BRI_MAX_STATES], five[BRI_MAX_STATES], F = 0.0;
            bri_input u;
            if (k % 8 == 7 || !take_sample(m, k, p, &u, z)) continue;
            if (m->jump) m->jump(m, p, &u, z); /* from within the bounds */
            double h = pow(10.0, 4.0 * spread(k, 5) - 4.0), size = 0.0;
            memcpy(five, z, sizeof five);
            for (int j = 0; j < 5; j++) F = bri_model_step(m, p, &u, h / 5.0, five);
            for (int j = 0; j < m->n_states; j++) size = fmax(size, fabs(z[j]));
            double G = bri_model_step(m, p, &u, h, z);
            for (int j = 0; j < m->n_states; j++) {
                size = fmax(size, fabs(five[j]));
                hold(m, fabs(z[j] - five[j]) <= 1e-12 * size, "sample %d: %.17g in five %.17g", k,
                     z[j], five[j]);
            }
            hold(m, isfinite(F) && isfinite(G), "no force");
        }
        if (affine) assert_int_equal(m->step_order, 2);
        bri_law_free(l);
    }
    assert_true(exact >= 5);
    (void)state;
}

/* ---- a law that nobody has written in C ------------------------------------------------------ */

static const char cubic[] = "law: cubic\n"                                                /* 1 */
                            "title: A cubic damper\n"                                     /* 2 */
                            "cite: nobody\n"                                              /* 3 */
                            "limits: many\n"                                              /* 4 */
                            "defaults: {from: a guess, load: 10 N}\n"                     /* 5 */
                            "parameters:\n"                                               /* 6 */
                            "  c: {default: 2 N s^3/m^3, range: [0, 9], text: damping}\n" /* 7 */
                            "equations: F = c*v^3\n";                                     /* 8 */

static void test_by_hand(void **state) {
    bri_law *l = parse(cubic, "cubic.yaml");
    const bri_model *m = bri_law_model(l);
    double p[1] = {2.0}, J[3];
    bri_input u = {.v = -3.0, .n = 1.0};
    near(bri_model_eval(m, p, &u, NULL, NULL), -54.0, 0.0, "2 (-3)^3");
    bri_model_jac(m, p, &u, NULL, J);
    near(J[0], 0.0, 0.0, "dF/dx");
    near(J[1], 54.0, 0.0, "6 (-3)^2");
    near(J[2], 0.0, 0.0, "dF/dN");
    assert_string_equal(m->equations, "F = c*v^3");
    bri_law_free(l);
    (void)state;
}

/* ---- threads --------------------------------------------------------------------------------- */

typedef struct worker {
    const bri_model *m;
    double sum;
} worker;

static void *work(void *at) {
    worker *w = at;
    double p[BRI_MAX_PARAMS], z[BRI_MAX_STATES], out[MOST];
    bri_input u;
    for (int k = 0; k < SAMPLES; k++) {
        if (!take_sample(w->m, k, p, &u, z)) continue;
        w->sum += bri_model_eval(w->m, p, &u, z, out);
        bri_model_jac(w->m, p, &u, z, out);
        w->sum += out[1];
    }
    return NULL;
}

static void test_threads(void **state) {
    bri_law *l = page("elasto_plastic");
    worker w[4];
    pthread_t id[4];
    for (int i = 0; i < 4; i++) {
        w[i] = (worker){.m = bri_law_model(l)};
        assert_int_equal(pthread_create(&id[i], NULL, work, &w[i]), 0);
    }
    for (int i = 0; i < 4; i++) pthread_join(id[i], NULL);
    for (int i = 1; i < 4; i++) near(w[i].sum, w[0].sum, 0.0, "the same in every thread");
    bri_law_free(l);
    (void)state;
}

/* ---- mistakes -------------------------------------------------------------------------------- */

static char *changed(const char *old, const char *new) {
    const char *at = strstr(cubic, old);
    if (!at) fail_msg("no '%s'", old);
    char *text = calloc(strlen(cubic) + strlen(new) + 1, 1);
    memcpy(text, cubic, (size_t)(at - cubic));
    strcat(strcat(text, new), at + strlen(old));
    return text;
}

/* One of the messages begins with these words. */
static void expect(const char *words) {
    for (int i = 0; i < messages.count; i++)
        if (strncmp(messages.message[i].text, words, strlen(words)) == 0) return;
    fail_msg("'%s', expected '%s'", messages.message[0].text, words);
}

static void test_mistakes(void **state) {
    static const struct {
        const char *old, *new, *words;
        bri_status status;
    } rows[] = {
        {"c*v^3", "c*w^3", "cubic.yaml:8: equations: column 18: 'w' is not known", BRI_BAD_VALUE},
        {"c*v^3", "c*v^2", "cubic.yaml:8: equations: column 12: F must be in N", BRI_BAD_VALUE},
        {"title", "titel", "cubic.yaml:2: titel: is not a key of a law; did you mean 'title'?",
         BRI_BAD_VALUE},
        {"law: cubic", "law: my law", "cubic.yaml: law: 'my law' is no name", BRI_BAD_VALUE},
        {"law: cubic", "law: 'a:b'", "cubic.yaml: law: 'a:b' is no name", BRI_BAD_VALUE},
        {"law: cubic", "\tlaw: cubic", "cubic.yaml:1: a tab: YAML indents with blanks",
         BRI_BAD_FILE},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char *text = changed(rows[i].old, rows[i].new);
        bri_law *l;
        bri_status status = bri_law_parse(text, strlen(text), "cubic.yaml", &l, &messages);
        assert_null(l);
        assert_int_equal(status, rows[i].status);
        expect(rows[i].words);
        assert_int_equal(bri_law_parse(text, strlen(text), "cubic.yaml", &l, NULL), status);
        free(text);
    }
    bri_law *l;
    assert_int_equal(bri_law_load("no/such.yaml", &l, &messages), BRI_BAD_FILE);
    assert_null(l);
    assert_string_equal(messages.message[0].text,
                        "no/such.yaml: cannot be opened: No such file or directory");
    bri_law_free(NULL);
    bri_laws_free(NULL);
    (void)state;
}

/* ---- sets ------------------------------------------------------------------------------------ */

static void write_file(const char *name, const char *text) {
    FILE *out = fopen(name, "wb");
    assert_non_null(out);
    fputs(text, out);
    assert_int_equal(fclose(out), 0);
}

/* Compiled, a law goes on to the same bits; without a compiler it stays what it is. */
static void test_compiled(void **state) {
    char folder[] = "/tmp/bristle_cache_XXXXXX", command[80];
    bri_error err;
    double p[BRI_MAX_PARAMS], F[2][20];
    assert_non_null(mkdtemp(folder));
    setenv("XDG_CACHE_HOME", folder, 1);
    bri_law *l = parse(cubic, "cubic.yaml");
    const bri_model *m = bri_law_model(l);
    bri_model_defaults(m, p);
    for (int by = 0; by < 2; by++) {
        bri_status status = by ? bri_law_compile(l, &err) : BRI_OK;
        if (status != BRI_OK && status != BRI_MISSING) fail_msg("%s", err.text);
        for (int i = 0; i < 20; i++) {
            bri_input u = {.v = 0.01 * (i - 9.5), .n = 10.0};
            F[by][i] = bri_model_eval(m, p, &u, NULL, NULL);
        }
    }
    assert_memory_equal(F[0], F[1], sizeof F[0]);
    bri_law_free(l);
    snprintf(command, sizeof command, "rm -rf %s", folder);
    assert_int_equal(system(command), 0);
}

static void test_sets(void **state) {
    char folder[] = "/tmp/bristle_laws_XXXXXX", a[80], b[80];
    assert_non_null(mkdtemp(folder));
    snprintf(a, sizeof a, "%s/a.yaml", folder);
    snprintf(b, sizeof b, "%s/b.yaml", folder);
    write_file(a, cubic);
    char *other = changed("law: cubic", "law: quartic");
    write_file(b, other);
    bri_laws *base = bri_laws_new(NULL), *laws = bri_laws_new(base), *all = bri_laws_new(NULL);
    assert_int_equal(bri_laws_add(base, a, &messages), BRI_OK);
    assert_int_equal(bri_laws_add(laws, b, &messages), BRI_OK);
    assert_int_equal(bri_laws_add(all, folder, &messages), BRI_OK);
    int n = bri_model_count();
    assert_int_equal(bri_laws_count(NULL), n);
    assert_int_equal(bri_laws_count(laws), n + 2);
    assert_int_equal(bri_laws_count(all), n + 2);
    assert_ptr_equal(bri_laws_at(laws, 0), bri_model_at(0));
    assert_string_equal(bri_laws_at(laws, n)->name, "cubic");
    assert_string_equal(bri_laws_at(laws, n + 1)->name, "quartic");
    assert_string_equal(bri_laws_at(all, n)->name, "cubic"); /* in the order of the names */
    assert_null(bri_laws_at(laws, n + 2));
    assert_ptr_equal(bri_laws_find(laws, "cubic"), bri_laws_find(base, "cubic"));
    assert_null(bri_laws_find(base, "quartic"));
    assert_ptr_equal(bri_laws_find(laws, "lugre"), bri_model_find("lugre"));
    assert_string_equal(bri_laws_nearest(laws, "quartik"), "quartic");
    assert_string_equal(bri_laws_nearest(laws, "lugree"), "lugre");
    assert_null(bri_laws_nearest(laws, "completely different"));
    /* a name means one law */
    assert_int_equal(bri_laws_add(laws, a, &messages), BRI_BAD_VALUE);
    assert_non_null(
        strstr(messages.message[0].text, "a.yaml: law: there is a law 'cubic' already"));
    char *taken = changed("law: cubic", "law: lugre");
    write_file(b, taken);
    assert_int_equal(bri_laws_add(base, b, &messages), BRI_BAD_VALUE);
    assert_int_equal(bri_laws_count(base), n + 1);
    bri_laws_free(laws);
    bri_laws_free(base);
    bri_laws_free(all);
    unlink(a);
    unlink(b);
    bri_laws *empty = bri_laws_new(NULL);
    assert_int_equal(bri_laws_add(empty, folder, &messages), BRI_BAD_FILE);
    assert_non_null(strstr(messages.message[0].text, "holds no file *.yaml"));
    bri_laws_free(empty);
    rmdir(folder);
    free(other);
    free(taken);
    (void)state;
}

/* ---- trials ---------------------------------------------------------------------------------- */

static void wrong_jac(const bri_model *self, const double *p, const bri_input *u, const double *z,
                      double *J) {
    J[0] = J[2] = 0.0;
    J[1] = 1.01 * p[0] * p[1] * pow(fabs(u->v), p[1] - 1.0); /* of kv |v|^p, one percent off */
}

static double wrong_step(const bri_model *self, const double *p, const bri_input *u, double h,
                         double *z) {
    z[0] = 1e-3;
    return 5.0;
}

static int passed(const bri_model *m, const char *name) {
    for (int i = 0; i < bri_trial_count(); i++)
        if (strcmp(bri_trial_at(i).name, name) == 0) return bri_try_law(m, i).passed;
    fail_msg("there is no trial %s", name);
    return 0;
}

/* Faults that no page can have, only a law in C. */
static void test_trials(void **state) {
    bri_law *l = parse(cubic, "cubic.yaml"), *other = page("lugre");
    const bri_model *m = bri_law_model(l);
    assert_int_equal(passed(m, "derivatives"), 1);
    assert_int_equal(passed(bri_law_model(other), "step"), 1);
    assert_int_equal(passed(bri_law_model(other), "derivatives"), 1);
    assert_int_equal(bri_try_law(m, -1).passed, -1);
    bri_model copy = *bri_model_find("viscous");
    copy.jac = wrong_jac;
    assert_int_equal(passed(&copy, "derivatives"), 0);
    copy = *bri_model_find("lugre");
    copy.step = wrong_step;
    assert_int_equal(passed(&copy, "step"), 0);
    bri_law_free(l);
    bri_law_free(other);
    (void)state;
}

/* ---- scenarios ------------------------------------------------------------------------------- */

/* A block slowed down by c v^3 alone: 1/v^2 grows by 2 c t/m, so that from v0 = 2 m/s with
 * c = 0.5 and m = 1 kg it is v = 1/sqrt(1/4 + t). */
static const char rig[] = "laws:\n"
                          "  - law: cubic\n"
                          "    title: A cubic damper\n"
                          "    cite: nobody\n"
                          "    limits: many\n"
                          "    defaults: {from: a guess, load: 10 N}\n"
                          "    parameters:\n"
                          "      c: {default: 2 N s^3/m^3, range: [0, 9], text: damping}\n"
                          "    equations: |\n"
                          "      F = c*v^3\n"
                          "bodies: {block: {mass: 1 kg, v: 2 m/s}}\n"
                          "contacts: {pad: {between: [block, ground], model: cubic, load: 10 N, "
                          "c: 0.5}}\n"
                          "run: {until: 2 s, rtol: 1e-10}\n";

static void test_scenario(void **state) {
    bri_scenario *s;
    bri_error err;
    bri_sim *sim;
    if (bri_scenario_parse(rig, strlen(rig), "rig.yaml", NULL, &s, &messages))
        fail_msg("%s", messages.message[0].text);
    if (bri_sim_create(bri_scenario_def(s), &sim, &err)) fail_msg("%s", err.text);
    if (bri_sim_advance(sim, 2.0, &err)) fail_msg("%s", err.text);
    near(bri_sim_body(sim, 0).v, 1.0 / sqrt(0.25 + 2.0), 1e-8, "v after 2 s");
    bri_sim_free(sim);
    assert_string_equal(bri_laws_at(bri_scenario_laws(s), bri_model_count())->name, "cubic");
    bri_scenario_free(s);

    static const struct {
        const char *old, *new, *words;
    } rows[] = {
        {"F = c*v^3", "F = c*w^3", "rig.yaml:10: laws[1].equations: column 13: 'w' is not known"},
        {"model: cubic", "model: cubik",
         "rig.yaml:12: contacts.pad.model: there is no law 'cubik'; did you mean 'cubic'?"},
        {"law: cubic", "law: dahl", "rig.yaml: law: there is a law 'dahl' already"},
        {"c: 0.5", "d: 0.5", "rig.yaml:12: contacts.pad.d: "},
        {"laws:\n  - law", "laws:\n  - []\n  - law", "rig.yaml:2: laws[1]: must be the name of"},
        {"laws:\n", "laws:\n  - none.yaml\n", "none.yaml: cannot be opened"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[2000];
        const char *at = strstr(rig, rows[i].old);
        assert_non_null(at);
        snprintf(text, sizeof text, "%.*s%s%s", (int)(at - rig), rig, rows[i].new,
                 at + strlen(rows[i].old));
        assert_int_not_equal(
            bri_scenario_parse(text, strlen(text), "rig.yaml", NULL, &s, &messages), BRI_OK);
        expect(rows[i].words);
    }
    (void)state;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bits),     cmocka_unit_test(test_arrays),
        cmocka_unit_test(test_steps),    cmocka_unit_test(test_by_hand),
        cmocka_unit_test(test_threads),  cmocka_unit_test(test_mistakes),
        cmocka_unit_test(test_compiled), cmocka_unit_test(test_sets),
        cmocka_unit_test(test_scenario), cmocka_unit_test(test_trials),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
