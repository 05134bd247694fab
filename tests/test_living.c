/* test_living.c - a simulation changed while it lives: addresses, reset, copies, states and rates.
 *
 * Random scenarios of every kind of body, coupling, signal, law, load and solver: every number that
 * has an address is set, and the simulation after a reset is held to one created anew from a
 * definition in which this test has changed the number itself, bit for bit. */
#include "allocations.h"
#include "bristle_scenario.h"
#include "random_scenario.h"
#include "sims.h"
#include "test.h"

#include <stdlib.h>

static author text;
static bri_messages messages;

/* ---- what a run leaves behind ---------------------------------------------------------------- */

enum { STOPS = 7, MOST_STATES = 400, MOST_STEPS = 150 };

typedef struct record {
    bri_status status[STOPS];
    double y[STOPS][MOST_STATES], t[STOPS];
    bri_energies e;
    bri_stats stats;
    int events;
    double last_event;
} record;

/* Run through the stops from number `from` on; they do not fall on the ends of steps. */
static void follow(bri_sim *sim, const bri_sim_def *def, int from, record *r) {
    int n = bri_sim_states(sim);
    for (int i = from; i < STOPS; i++) {
        bri_error err;
        double t = def->t_start + (def->t_end - def->t_start) * (i + 1) / (STOPS + 0.37);
        r->status[i] =
            i > from && r->status[i - 1] ? r->status[i - 1] : bri_sim_advance(sim, t, &err);
        if (n <= MOST_STATES) bri_sim_state_get(sim, r->y[i]);
        r->t[i] = bri_sim_time(sim);
    }
    r->e = bri_sim_energies(sim);
    r->stats = bri_sim_stats(sim);
    const bri_event *list = bri_sim_events(sim, &r->events, NULL);
    r->last_event = r->events > 0 ? list[r->events - 1].t : 0.0;
}

static int same_bits(const void *a, const void *b, size_t size) { return memcmp(a, b, size) == 0; }

/* NULL if two runs are the same from stop `from` on, else what differs. */
static const char *differs(const record *a, const record *b, int from, int n) {
    for (int i = from; i < STOPS; i++) {
        if (a->status[i] != b->status[i]) return "status";
        if (!same_bits(&a->t[i], &b->t[i], sizeof *a->t)) return "time";
        if (n <= MOST_STATES && !same_bits(a->y[i], b->y[i], sizeof(double) * (size_t)n))
            return "state";
    }
    if (!same_bits(&a->e, &b->e, sizeof a->e)) return "energies";
    if (!same_bits(&a->stats, &b->stats, sizeof a->stats)) return "counters";
    if (a->events != b->events || !same_bits(&a->last_event, &b->last_event, sizeof(double)))
        return "events";
    return NULL;
}

/* A random scenario that can be simulated, within few steps; NULL: this seed gives none. */
static bri_scenario *scenario_of(uint64_t seed, bri_sim_def *def) {
    bri_scenario *s;
    bri_sim *sim;
    scenario_write(&text, seed);
    if (bri_scenario_parse(text.text, text.used, "random", NULL, &s, &messages) != BRI_OK)
        return NULL;
    *def = *bri_scenario_def(s);
    def->max_steps = MOST_STEPS;
    if (bri_sim_create(def, &sim, NULL) == BRI_OK) {
        int n = bri_sim_states(sim);
        bri_sim_free(sim);
        if (n <= MOST_STATES) return s;
    }
    bri_scenario_free(s);
    return NULL;
}

/* ---- the same change made in the definition ---------------------------------------------------
 */

/* A definition that may be written to. */
typedef struct writable {
    bri_sim_def def;
    bri_body *bodies;
    bri_coupling *couplings;
    bri_contact *contacts;
    bri_drive *drives;
    bri_parameter *parameters;
    void *pieces[2000];
    int n_pieces;
} writable;

static void *piece(writable *w, const void *from, size_t size) {
    if (w->n_pieces >= 2000) fail_msg("too many pieces");
    void *copy = malloc(size + 1);
    if (size) memcpy(copy, from, size);
    return w->pieces[w->n_pieces++] = copy;
}

static bri_signal *signal_copy(writable *w, const bri_signal *s) {
    if (!s) return NULL;
    bri_signal *copy = piece(w, s, sizeof *s);
    if (s->parts && s->count > 0) {
        bri_signal *parts = piece(w, s->parts, sizeof *s * (size_t)s->count);
        for (int i = 0; i < s->count; i++) parts[i] = *signal_copy(w, &s->parts[i]);
        copy->parts = parts;
    }
    return copy;
}

static void make_writable(writable *w, const bri_sim_def *def) {
    const bri_system *s = &def->system;
    w->n_pieces = 0;
    w->def = *def;
    w->bodies = piece(w, s->bodies, sizeof *s->bodies * (size_t)s->n_bodies);
    w->couplings = piece(w, s->couplings, sizeof *s->couplings * (size_t)s->n_couplings);
    w->contacts = piece(w, s->contacts, sizeof *s->contacts * (size_t)s->n_contacts);
    w->drives = piece(w, s->drives, sizeof *s->drives * (size_t)s->n_drives);
    w->parameters = piece(w, s->parameters, sizeof *s->parameters * (size_t)s->n_parameters);
    for (int i = 0; i < s->n_bodies; i++) {
        w->bodies[i].position = signal_copy(w, w->bodies[i].position);
        w->bodies[i].velocity = signal_copy(w, w->bodies[i].velocity);
    }
    for (int i = 0; i < s->n_contacts; i++) {
        bri_contact *c = &w->contacts[i];
        double z[BRI_MAX_STATES] = {0};
        c->n_of_t = signal_copy(w, c->n_of_t);
        if (c->z) c->z = piece(w, c->z, sizeof *z * (size_t)bri_model_states(c->model, c->p));
    }
    for (int i = 0; i < s->n_drives; i++) w->drives[i].force = *signal_copy(w, &w->drives[i].force);
    w->def.system.bodies = w->bodies;
    w->def.system.couplings = w->couplings;
    w->def.system.contacts = w->contacts;
    w->def.system.drives = w->drives;
    w->def.system.parameters = w->parameters;
}

static void let_go(writable *w) {
    while (w->n_pieces > 0) free(w->pieces[--w->n_pieces]);
}

static int param_of(const bri_param *rows, int n, const char *name) {
    for (int i = 0; i < n; i++)
        if (strcmp(rows[i].name, name) == 0) return i;
    return -1;
}

/* "" is the value of a constant; "sine.amplitude"; "sum.2.sine.amplitude". */
static double *in_signal(bri_signal *s, const char *path) {
    if (!*path) return &s->p[0];
    size_t length = strlen(s->kind->name);
    if (strncmp(path, s->kind->name, length) != 0 || path[length] != '.') return NULL;
    path += length + 1;
    if (s->kind->holds == BRI_PARTS || s->kind->holds == BRI_FACTORS) {
        char *end;
        long i = strtol(path, &end, 10);
        if (i < 1 || i > s->count) return NULL;
        return in_signal((bri_signal *)&s->parts[i - 1], *end == '.' ? end + 1 : end);
    }
    int i = param_of(s->kind->params, s->kind->n_params, path);
    return i < 0 ? NULL : &s->p[i];
}

/* What follows a word and a dot, "" if nothing does; NULL if path does not begin with that word. */
static const char *after(const char *path, const char *word) {
    size_t length = strlen(word);
    if (strncmp(path, word, length) != 0) return NULL;
    return path[length] == '.' ? path + length + 1 : path[length] ? NULL : path + length;
}

static double *in_body(bri_body *b, const char *key) {
    const char *rest;
    if ((rest = after(key, "position"))) return in_signal((bri_signal *)b->position, rest);
    if ((rest = after(key, "velocity"))) return in_signal((bri_signal *)b->velocity, rest);
    return strcmp(key, "mass") == 0 || strcmp(key, "inertia") == 0 ? &b->mass
           : strcmp(key, "x") == 0                                 ? &b->x
           : strcmp(key, "v") == 0                                 ? &b->v
           : strcmp(key, "z") == 0                                 ? &b->z
           : strcmp(key, "vz") == 0                                ? &b->vz
                                                                   : NULL;
}

static double *in_contact(writable *w, bri_contact *c, const char *key) {
    const char *rest;
    if ((rest = after(key, "load")))
        return c->n_of_t ? in_signal((bri_signal *)c->n_of_t, rest) : &c->n;
    if ((rest = after(key, "start"))) {
        double z[BRI_MAX_STATES] = {0};
        if (!c->z) {
            bri_model_rest(c->model, c->p, z);
            c->z = piece(w, z, sizeof z);
        }
        for (int i = 0; i < c->model->n_states; i++)
            if (strcmp(c->model->states[i].name, rest) == 0) return (double *)&c->z[i];
        return NULL;
    }
    int i = bri_model_param(c->model, key);
    return i < 0 ? NULL : &c->p[i];
}

static double *number_in(writable *w, const char *address) {
    const bri_system *s = &w->def.system;
    const char *rest;
    if (strcmp(address, "gravity") == 0) return &w->def.system.gravity;
    for (int i = 0; i < s->n_bodies; i++)
        if ((rest = after(address, w->bodies[i].name))) return in_body(&w->bodies[i], rest);
    for (int i = 0; i < s->n_couplings; i++)
        if ((rest = after(address, w->couplings[i].name))) {
            bri_coupling *c = &w->couplings[i];
            return &c->p[param_of(c->kind->params, c->kind->n_params, rest)];
        }
    for (int i = 0; i < s->n_contacts; i++)
        if ((rest = after(address, w->contacts[i].name)))
            return in_contact(w, &w->contacts[i], rest);
    for (int i = 0; i < s->n_drives; i++)
        if ((rest = after(address, w->drives[i].name))) {
            const char *path = after(rest, "force") ? after(rest, "force") : after(rest, "torque");
            return in_signal(&w->drives[i].force, path);
        }
    for (int i = 0; i < s->n_parameters; i++)
        if (strcmp(address, w->parameters[i].name) == 0) return &w->parameters[i].value;
    return NULL;
}

/* ---- every number -----------------------------------------------------------------------------
 */

/* Another value for a number, within its range. */
static double other_value(const bri_number *is, author *dice_of) {
    double value = is->value * (1.0 + 0.3 * (dice(dice_of) - 0.5));
    if (is->value == 0.0) value = 1e-3 * dice(dice_of);
    if (is->whole) value = is->value + 1.0;
    return fmin(fmax(value, is->min), is->max);
}

typedef struct tally {
    long numbers, refused, seeds, failures, zero_steps;
} tally;

static void set_one(bri_sim *sim, const bri_sim_def *def, bri_ref ref, uint64_t seed,
                    author *chance, tally *sum) {
    static record set, made;
    writable w;
    bri_error err;
    bri_sim *other;
    bri_number is = bri_sim_number(sim, ref);
    bri_ref again;
    double value = other_value(&is, chance);
    if (bri_sim_find(sim, is.name, &again, &err) != BRI_OK)
        fail_msg("seed %d: %s: %s", (int)seed, is.name, err.text);
    make_writable(&w, def);
    double *at = number_in(&w, is.name);
    if (!at) fail_msg("seed %d: what is %s?", (int)seed, is.name);
    if (!is.start && !same_bits(at, &is.value, sizeof *at))
        fail_msg("seed %d: %s = %g, in the definition %g", (int)seed, is.name, is.value, *at);
    *at = value;
    sum->numbers++;
    bri_status given = bri_sim_set(sim, again, value, &err);
    bri_status made_anew = bri_sim_create(&w.def, &other, NULL);
    if (given != BRI_OK) { /* then nothing has changed; a file would have been refused as well */
        sum->refused++;
        if (bri_sim_get(sim, ref) != is.value) fail_msg("%s: refused, yet set", is.name);
        if (made_anew == BRI_OK && !strstr(err.text, "number of states") && !is.whole &&
            value >= is.min && value <= is.max && !strstr(err.text, ": "))
            fail_msg("seed %d: %s = %g: %s", (int)seed, is.name, value, err.text);
    } else {
        if (made_anew != BRI_OK) fail_msg("seed %d: %s = %g: accepted", (int)seed, is.name, value);
        long before = allocations;
        if (bri_sim_reset(sim, &err) != BRI_OK) fail_msg("%s: %s", is.name, err.text);
        long taken = allocations - before;
        memset(&set, 0, sizeof set);
        memset(&made, 0, sizeof made);
        follow(sim, def, 0, &set);
        follow(other, def, 0, &made);
        const char *what = differs(&set, &made, 0, bri_sim_states(sim));
        if (what) fail_msg("seed %d: %s = %g: %s differs", (int)seed, is.name, value, what);
        if (taken && !strstr(bri_solver_text(def->solver ? def->solver : bri_solver_at(0)), "SUND"))
            sum->failures++;
        /* and back */
        before = allocations;
        if (bri_sim_set(sim, ref, is.value, &err) != BRI_OK) fail_msg("%s: %s", is.name, err.text);
        if (allocations != before) fail_msg("%s: memory was taken", is.name);
    }
    if (made_anew == BRI_OK) bri_sim_free(other);
    let_go(&w);
}

/* Solvers of SUNDIALS allocate at a reset; others do not. */
static int is_foreign(const bri_sim_def *def) {
    return def->solver && (strncmp(bri_solver_name(def->solver), "cvode", 5) == 0 ||
                           strncmp(bri_solver_name(def->solver), "erk", 3) == 0);
}

static void every_number_is_as_if_created_with_it(void **state) {
    tally sum = {0};
    author chance = {.state = 7};
    for (uint64_t seed = 1; sum.seeds < USUALLY(30, 12, 3); seed++) {
        bri_sim_def def;
        bri_scenario *s = scenario_of(seed, &def);
        bri_sim *sim;
        if (!s) continue;
        sum.seeds++;
        assert_int_equal(bri_sim_create(&def, &sim, NULL), BRI_OK);
        long numbers = bri_sim_ref_count(sim), seen = 0;
        long failures = sum.failures;
        for (bri_ref ref = {0}; bri_sim_ref_next(sim, &ref); seen++)
            if (numbers <= 40 || dice(&chance) < 40.0 / (double)numbers)
                set_one(sim, &def, ref, seed, &chance, &sum);
        assert_int_equal(seen, numbers);
        if (sum.failures > failures && !is_foreign(&def))
            fail_msg("seed %d: a reset takes memory", (int)seed);
        bri_sim_free(sim);
        bri_scenario_free(s);
    }
    print_message("%ld rigs, %ld numbers, %ld refused\n", sum.seeds, sum.numbers, sum.refused);
    if (sum.numbers < 20 * sum.seeds || sum.refused > sum.numbers / 4)
        fail_msg("too few were tried");
}

/* ---- point after point ------------------------------------------------------------------------
 */

enum { MOST_NUMBERS = 40 };

/* Some of the numbers of a simulation, at random, as a point of a sweep sets them; in the
 * definition as well. 0: they do not go together. */
static int set_point(bri_sim *sim, writable *w, author *chance) {
    bri_ref refs[MOST_NUMBERS], ref = {0};
    double values[MOST_NUMBERS];
    int n = 0;
    while (n < MOST_NUMBERS && bri_sim_ref_next(sim, &ref)) {
        bri_number is = bri_sim_number(sim, ref);
        if (is.whole || dice(chance) < 0.4) continue;
        refs[n] = ref;
        values[n++] = other_value(&is, chance);
    }
    if (bri_sim_set_all(sim, refs, values, n, NULL) != BRI_OK) return 0;
    for (int pass = 0; pass < 2; pass++) /* states at rest depend on the parameters: set last */
        for (int i = 0; i < n; i++) {
            bri_number is = bri_sim_number(sim, refs[i]);
            if (is.start == pass) *number_in(w, is.name) = values[i];
        }
    return 1;
}

/* One rig with every law, on every path that one body takes: numbers are set one point after the
 * other, and after each reset the run is that of a simulation which has seen no point before. */
static void points_owe_nothing_to_those_before(void **state) {
    static record set, made;
    long points = 0, phased = 0, single = 0, by_hand = 0;
    author chance = {.state = 20};
    for (int m = 0; m < bri_model_count(); m++) {
        bri_scenario *s;
        bri_sim *sim, *other;
        bri_scenario_options options = {.model = bri_model_at(m)};
        if (bri_scenario_load("rabinowicz", &options, &s, &messages) != BRI_OK) continue;
        bri_sim_def def = *bri_scenario_def(s);
        writable w;
        def.max_steps = MOST_STEPS;
        make_writable(&w, &def);
        assert_int_equal(bri_sim_create(&def, &sim, NULL), BRI_OK);
        phased += strcmp(bri_sim_path(sim), "phases") == 0;
        single += strcmp(bri_sim_path(sim), "single") == 0;
        by_hand += strcmp(bri_sim_path(sim), "lugre") == 0;
        for (int point = 0; point < SAMPLE(12, 4); point++) {
            if (!set_point(sim, &w, &chance)) continue;
            if (bri_sim_create(&w.def, &other, NULL) != BRI_OK)
                fail_msg("%s: accepted", bri_model_at(m)->name);
            if (point % 3 == 2) follow(sim, &def, 0, &set); /* some run in between as they are */
            assert_int_equal(bri_sim_reset(sim, NULL), BRI_OK);
            memset(&set, 0, sizeof set);
            memset(&made, 0, sizeof made);
            follow(sim, &def, 0, &set);
            follow(other, &def, 0, &made);
            const char *what = differs(&set, &made, 0, bri_sim_states(sim));
            if (what) fail_msg("%s, point %d: %s differs", bri_model_at(m)->name, point, what);
            bri_sim_free(other);
            points++;
        }
        bri_sim_free(sim);
        let_go(&w);
        bri_scenario_free(s);
    }
    print_message("%ld points; %ld laws by phases, %ld as one body, %ld by hand\n", points, phased,
                  single, by_hand);
    assert_true(points > SAMPLE(150, 40) && phased > 2 && single > 5 && by_hand == 1);
}

/* ---- copies ------------------------------------------------------------------------------------
 */

/* A run saved in the middle, changed, restored and copied goes on to the same bits. */
static void copies_go_on_to_the_same_bits(void **state) {
    static record whole, again;
    int kept = 0, eventful = 0;
    for (uint64_t seed = 1000; kept < SAMPLE(60, 15); seed++) {
        bri_sim_def def;
        bri_scenario *s = scenario_of(seed, &def);
        bri_sim *sim, *copy, *fresh;
        bri_error err;
        if (!s) continue;
        assert_int_equal(bri_sim_create(&def, &sim, NULL), BRI_OK);
        if (is_foreign(&def)) {
            assert_int_equal(bri_sim_size(sim), 0);
            assert_int_equal(bri_sim_copy(sim, &copy, &err), BRI_OK); /* at the start only */
            bri_sim_free(copy);
            bri_sim_advance(sim, 0.5 * (def.t_start + def.t_end), NULL);
            assert_int_equal(bri_sim_copy(sim, &copy, &err), BRI_BAD_VALUE);
            assert_non_null(strstr(err.text, "SUNDIALS"));
            bri_sim_free(sim);
            bri_scenario_free(s);
            continue;
        }
        kept++;
        int n = bri_sim_states(sim), half = 3;
        double t = def.t_start + (def.t_end - def.t_start) * half / (STOPS + 0.37);
        memset(&whole, 0, sizeof whole);
        bri_status status = bri_sim_advance(sim, t, NULL);
        size_t size = bri_sim_size(sim); /* other numbers may need other room */
        void *saved = malloc(size), *moved = malloc(size);
        long before = allocations;
        bri_sim_save(sim, saved);
        assert_int_equal(bri_sim_copy(sim, &copy, &err), BRI_OK);
        before = allocations;
        follow(sim, &def, half, &whole);
        eventful += whole.events > 0;
        bri_ref ref = {0}; /* what is set afterwards is taken back as well */
        while (bri_sim_ref_next(sim, &ref)) {
            double value = bri_sim_get(sim, ref);
            bri_sim_set(sim, ref, value * 1.01, NULL);
        }
        memcpy(moved, saved, size);
        before = allocations;
        if (bri_sim_restore(sim, moved, &err) != BRI_OK) fail_msg("%s", err.text);
        if (allocations != before) fail_msg("seed %d: restoring takes memory", (int)seed);
        assert_int_equal(bri_sim_create(&def, &fresh, NULL), BRI_OK); /* a stranger, alike */
        if (bri_sim_revive(fresh, saved, size, &err) != BRI_OK) fail_msg("%s", err.text);
        for (int round = 0; round < 4; round++) {
            bri_sim *one = round == 0 ? sim : round == 3 ? fresh : copy;
            if (round == 2 && bri_sim_restore(copy, saved, &err) != BRI_OK)
                fail_msg("%s", err.text);
            memset(&again, 0, sizeof again);
            follow(one, &def, half, &again);
            const char *what = differs(&whole, &again, half, n);
            if (what)
                fail_msg("seed %d: %s of %s differs (status %d)", (int)seed, what,
                         round == 0   ? "the restored one"
                         : round == 1 ? "the copy"
                         : round == 2 ? "the restored copy"
                                      : "the revived one",
                         (int)status);
        }
        free(saved);
        free(moved);
        bri_sim_free(fresh);
        bri_sim_free(copy);
        bri_sim_free(sim);
        bri_scenario_free(s);
    }
    print_message("%d rigs, %d with events\n", kept, eventful);
    if (eventful < kept / 4) fail_msg("too few had events");
}

static void a_stranger_is_refused(void **state) {
    setup a, b;
    bri_error err;
    oscillator(&a);
    rabinowicz(&b, "lugre", "rosenbrock", 1e-6);
    bri_sim *one = start(&a), *other = start(&b);
    void *saved = malloc(bri_sim_size(one));
    bri_sim_save(one, saved);
    assert_int_equal(bri_sim_restore(other, saved, &err), BRI_BAD_VALUE);
    assert_non_null(strstr(err.text, "another"));
    assert_int_equal(bri_sim_revive(other, saved, bri_sim_size(one), &err), BRI_BAD_VALUE);
    assert_non_null(strstr(err.text, "another"));
    assert_int_equal(bri_sim_revive(one, saved, bri_sim_size(one) - 8, &err), BRI_BAD_VALUE);
    assert_int_equal(bri_sim_revive(one, saved, 8, &err), BRI_BAD_VALUE);
    free(saved);
    bri_sim_free(one);
    bri_sim_free(other);
}

/* Whichever byte of what was saved is another one, by a bit or altogether: it is refused, and the
 * simulation goes on as if nothing had been tried. */
static void a_damaged_one_is_refused(void **state) {
    static const char *const laws[] = {"lugre", "stribeck"};
    for (int law = 0; law < 2; law++) {
        setup s;
        bri_error err;
        double y[8], again[8];
        rabinowicz(&s, laws[law], "rosenbrock", 1e-6);
        bri_sim *sim = start(&s);
        size_t size = bri_sim_size(sim), tried = 0;
        go(sim, 3.1);
        unsigned char *saved = malloc(size);
        bri_sim_save(sim, saved);
        for (size_t at = 0; at < size; at += at < 512 ? 1 : 1 + size / 997, tried++) {
            unsigned char was = saved[at];
            saved[at] = (unsigned char)(tried % 2 ? ~was : was ^ (1 << at % 8));
            assert_int_equal(bri_sim_restore(sim, saved, &err), BRI_BAD_VALUE);
            assert_int_equal(bri_sim_revive(sim, saved, size, &err), BRI_BAD_VALUE);
            saved[at] = was;
        }
        assert_int_equal(bri_sim_restore(sim, NULL, &err), BRI_BAD_VALUE);
        go(sim, 9.0);
        bri_sim_state_get(sim, y);
        assert_int_equal(bri_sim_restore(sim, saved, &err), BRI_OK);
        go(sim, 9.0);
        bri_sim_state_get(sim, again);
        assert_memory_equal(y, again, sizeof *y * (size_t)bri_sim_states(sim));
        free(saved);
        bri_sim_free(sim);
    }
}

/* ---- numbers changed in the middle of a run ----------------------------------------------------
 */

static bri_ref ref_of(bri_sim *sim, const char *address) {
    bri_ref ref;
    bri_error err;
    if (bri_sim_find(sim, address, &ref, &err) != BRI_OK) fail_msg("%s", err.text);
    return ref;
}

static void set(bri_sim *sim, const char *address, double value) {
    bri_error err;
    if (bri_sim_set(sim, ref_of(sim, address), value, &err) != BRI_OK) fail_msg("%s", err.text);
}

/* An undamped oscillator whose stiffness is multiplied by four at time 1: from the state there the
 * closed solution goes on with twice the frequency. */
static void a_spring_changed_in_the_middle(void **state) {
    setup s;
    oscillator(&s);
    s.contacts[0].p[bri_model_param(s.contacts[0].model, "kv")] = 0.0;
    s.def.rtol = 1e-9;
    bri_sim *sim = start(&s);
    go(sim, 1.0);
    set(sim, "spring1.stiffness", 400.0);
    go(sim, 2.0);
    double x = cos(10.0), v = -10.0 * sin(10.0), w = 20.0;
    near(bri_sim_body(sim, 0).x, x * cos(w) + v / w * sin(w), 1e-7, "x after the change");
    bri_energies e = bri_sim_energies(sim);
    near(e.work, 0.5 * 300.0 * x * x, 1e-6, "work of the change");
    near(e.residual, 0.0, 1e-5, "residual");
    bri_sim_free(sim);
}

/* A belt whose speed is set is where it was, and goes on from there; its contact sticks exactly and
 * breaks away as soon as its level is lowered below the pull. */
static void a_speed_and_a_level_changed_in_the_middle(void **state) {
    setup s;
    rabinowicz(&s, "coulomb", "rosenbrock", 1e-8);
    s.def.t_end = 20.0;
    bri_sim *sim = start(&s);
    go(sim, 10.0); /* sticks: pull 50 N, level 117.7 N */
    assert_int_equal(bri_sim_contact(sim, 0).motion, 0);
    near(bri_sim_body(sim, 1).x, 5.0, 1e-9, "belt");
    set(sim, "slab.velocity", 0.25);
    near(bri_sim_body(sim, 1).x, 5.0, 1e-9, "belt, after the change");
    go(sim, 11.0);
    near(bri_sim_body(sim, 1).x, 5.25, 1e-9, "belt, one second later");
    set(sim, "pad.mu_c", 0.1);
    set(sim, "pad.mu_s", 0.1);
    go(sim, 11.5);
    assert_int_equal(bri_sim_contact(sim, 0).motion, -1);
    if (!(bri_sim_contact(sim, 0).v < -0.05)) fail_msg("it does not slide");
    bri_findings seen;
    bri_error err = {0};
    if (bri_sim_verdict(sim, &seen, &err) != BRI_OK) fail_msg("%s", err.text);
    bri_sim_free(sim);
}

/* Two ways to the same end: a step of a force in its signal, or set from outside; also in the
 * middle of an integrator's step that has gone beyond, and with every solver. */
static void a_force_set_is_a_step_of_its_signal(void **state) {
    for (int i = 0; i < bri_solver_count(); i++) {
        setup s;
        int leaps = strcmp(bri_solver_name(bri_solver_at(i)), "time_stepping") == 0;
        rabinowicz(&s, leaps ? "coulomb" : "lugre", bri_solver_name(bri_solver_at(i)), 1e-7);
        s.def.t_end = 4.0;
        s.def.step = leaps ? 1e-3 : bri_solver_fixed_step(bri_solver_at(i)) ? 2e-4 : 0.0;
        s.drives[0] = (bri_drive){.name = "push", .force = bri_signal_constant(20.0)};
        point_to(&s, 2, 1, 1, 1);
        bri_sim *a = start(&s);
        s.drives[0].force = bri_signal_defaults(bri_signal_find("step"));
        s.drives[0].force.p[0] = -150.0;
        s.drives[0].force.p[1] = 1.5;
        s.drives[0].force.p[2] = 20.0;
        bri_sim *b = start(&s);
        go(a, 1.5);
        set(a, "push.force", -150.0);
        go(a, 4.0);
        go(b, 4.0);
        near(bri_sim_body(a, 0).x, bri_sim_body(b, 0).x, leaps ? 1e-6 : 1e-5,
             bri_solver_name(bri_solver_at(i)));
        near(bri_sim_energies(a).dissipated, bri_sim_energies(b).dissipated, leaps ? 1e-5 : 1e-4,
             bri_solver_name(bri_solver_at(i)));
        bri_sim_free(a);
        bri_sim_free(b);
    }
}

/* ---- names --------------------------------------------------------------------------------------
 */

static void names_are_those_of_the_file(void **state) {
    static const char yaml[] =
        "bodies:\n"
        "  block: {mass: 2 kg, repeat: 3, spacing: 1 m}\n"
        "  wheel: {inertia: 0.3 kg m2, v: 2 rad/s}\n"
        "  belt: {velocity: {sum: [{sine: {amplitude: 0.2, frequency: 3}}, 0.4 m/s]}}\n"
        "couplings:\n"
        "  pull: {spring: [ground, block], stiffness: 10 N/m}\n"
        "  twist: {spring: [ground, wheel], stiffness: 7 N m/rad}\n"
        "contacts:\n"
        "  pad: {between: [block, belt], model: lugre, Fc: 1 N, Fs: 2 N, v_s: 0.01, sigma0: 1e4, "
        "sigma1: 10, start: {z: 1e-5 m}}\n"
        "  rim: {between: [wheel, ground], model: coulomb, mu_c: 0.3, load: 5 N m}\n"
        "drives:\n"
        "  push: {on: block1, force: {sine: {amplitude: 3 N, frequency: 2 Hz}}}\n"
        "run: {until: 1 s}\n";
    static const struct {
        const char *address;
        double value;
        const char *unit;
        int count;
    } numbers[] = {
        {"gravity", 9.81, "m/s2", 1},
        {"block.mass", 2.0, "kg", 3},
        {"block2.mass", 2.0, "kg", 1},
        {"block3.x", 2.0, "m", 1},
        {"wheel.inertia", 0.3, "kg m2", 1},
        {"wheel.v", 2.0, "rad/s", 1},
        {"belt.velocity.sum.1.sine.frequency", 3.0, "Hz", 1},
        {"belt.velocity.sum.2", 0.4, "m/s", 1},
        {"belt.frequency", 3.0, "Hz", 1},
        {"pull.stiffness", 10.0, "N/m", 3},
        {"twist.stiffness", 7.0, "N m/rad", 1},
        {"pad.Fc", 1.0, "N", 3},
        {"pad2.start.z", 1e-5, "m", 1},
        {"rim.mu_c", 0.3, "1", 1},
        {"rim.load", 5.0, "N m", 1},
        {"push.force.sine.amplitude", 3.0, "N", 1},
        {"push.amplitude", 3.0, "N", 1},
    };
    static const struct {
        const char *address, *says;
    } wrong[] = {
        {"blok1.mass", "'block1'"},      {"pull1.stifness", "'pull1.stiffness'"},
        {"pad1.mu_c", "pad1 has no"},    {"pad1.load", "pad1 has no"},
        {"rim.Fc", "rim has no"},        {"belt.x.y", "belt has no"},
        {"block.x", "name one of them"}, {"", "there is no ''"},
        {"belt.v", "belt has no"},
    };
    bri_scenario *s;
    bri_sim *sim;
    bri_ref ref;
    bri_error err;
    if (bri_scenario_parse(yaml, sizeof yaml - 1, "test", NULL, &s, &messages) != BRI_OK)
        fail_msg("%s", messages.message[0].text);
    assert_int_equal(bri_sim_create(bri_scenario_def(s), &sim, NULL), BRI_OK);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        ref = ref_of(sim, numbers[i].address);
        bri_number n = bri_sim_number(sim, ref);
        near(n.value, numbers[i].value, 1e-15, numbers[i].address);
        assert_string_equal(n.unit, numbers[i].unit);
        assert_int_equal(ref.count, numbers[i].count);
    }
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(bri_sim_find(sim, wrong[i].address, &ref, &err), BRI_NOT_FOUND);
        if (!strstr(err.text, wrong[i].says)) fail_msg("%s: %s", wrong[i].address, err.text);
    }
    set(sim, "pad.Fs", 3.0);
    near(bri_sim_get(sim, ref_of(sim, "pad3.Fs")), 3.0, 0.0, "a member of the array");
    /* levels that must fit together */
    bri_ref both[2] = {ref_of(sim, "pad.Fc"), ref_of(sim, "pad.Fs")};
    const double levels[2] = {4.0, 5.0};
    assert_int_equal(bri_sim_set(sim, both[0], 4.0, &err), BRI_BAD_VALUE);
    assert_int_equal(bri_sim_set_all(sim, both, levels, 2, &err), BRI_OK);
    near(bri_sim_get(sim, both[0]), 4.0, 0.0, "Fc");
    assert_int_equal(bri_sim_set(sim, ref_of(sim, "block.mass"), -1.0, &err), BRI_BAD_VALUE);
    if (!strstr(err.text, "block1.mass = -1 kg is outside")) fail_msg("%s", err.text);
    assert_int_equal(bri_sim_set(sim, both[0], NAN, &err), BRI_BAD_VALUE);
    bri_sim_free(sim);
    bri_scenario_free(s);
}

/* The same change by --set and by its address, on all that ships; parameters that the reader has
 * derived from others are not derived again here. */
static void addresses_are_those_of_set(void **state) {
    static record a, b;
    long tried = 0, seen = 0;
    for (int i = 0; i < bri_scenario_count(); i++) {
        bri_scenario *plain, *other;
        bri_sim *sim, *made;
        assert_int_equal(bri_scenario_load(bri_scenario_name(i), NULL, &plain, &messages), BRI_OK);
        bri_sim_def def = *bri_scenario_def(plain);
        int derived = 0;
        for (int c = 0; c < def.system.n_contacts; c++) {
            const bri_setup *how = bri_scenario_setup(plain, c);
            for (int k = 0; k < how->model->n_params; k++) derived |= how->origin[k] == BRI_DERIVED;
        }
        def.max_steps = 60;
        assert_int_equal(bri_sim_create(&def, &sim, NULL), BRI_OK);
        for (bri_ref ref = {0}; !derived && bri_sim_ref_next(sim, &ref);) {
            bri_number n = bri_sim_number(sim, ref);
            char value[64];
            if (strstr(n.name, ".sum.") || strstr(n.name, ".product.") || ref.element > 3) continue;
            if (def.system.n_bodies > 20 || seen++ % SAMPLE(1, 4)) continue;
            snprintf(value, sizeof value, "%.17g", n.value * 1.01);
            bri_override change = {n.name, value};
            bri_scenario_options options = {.overrides = &change, .n_overrides = 1};
            if (bri_scenario_load(bri_scenario_name(i), &options, &other, &messages) != BRI_OK)
                continue; /* a shorthand of the file, {step: 5 N}, has no place for it */
            bri_sim_def changed = *bri_scenario_def(other);
            changed.max_steps = 60;
            if (bri_sim_set(sim, ref, n.value * 1.01, NULL) == BRI_OK) {
                assert_int_equal(bri_sim_create(&changed, &made, NULL), BRI_OK);
                bri_sim_reset(sim, NULL);
                memset(&a, 0, sizeof a);
                memset(&b, 0, sizeof b);
                follow(sim, &def, 0, &a);
                follow(made, &def, 0, &b);
                const char *what = differs(&a, &b, 0, bri_sim_states(sim));
                if (what) fail_msg("%s: %s: %s differs", bri_scenario_name(i), n.name, what);
                bri_sim_free(made);
                tried++;
            }
            bri_sim_set(sim, ref, n.value, NULL);
            bri_scenario_free(other);
        }
        bri_sim_free(sim);
        bri_scenario_free(plain);
    }
    print_message("%ld numbers of shipped scenarios\n", tried);
    if (tried < SAMPLE(100, 25)) fail_msg("too few were tried");
}

/* ---- states and rates
 * ---------------------------------------------------------------------------- */

static void rates_and_their_derivatives(void **state) {
    static record whole, again;
    int kept = 0;
    double worst = 0.0;
    for (uint64_t seed = 5000; kept < SAMPLE(60, 20); seed++) {
        bri_sim_def def;
        bri_scenario *s = scenario_of(seed, &def);
        bri_sim *sim;
        if (!s) continue;
        assert_int_equal(bri_sim_create(&def, &sim, NULL), BRI_OK);
        int n = bri_sim_states(sim), half = 3;
        double y[MOST_STATES], dy[MOST_STATES], up[MOST_STATES], down[MOST_STATES],
            close[MOST_STATES];
        double t = def.t_start + (def.t_end - def.t_start) * half / (STOPS + 0.37);
        bri_status status = bri_sim_advance(sim, t, NULL);
        bri_error err;
        if (bri_sim_rhs(sim, t, y, dy, &err) == BRI_BAD_VALUE || n > 40 || status != BRI_OK) {
            bri_sim_free(sim);
            bri_scenario_free(s);
            continue;
        }
        kept++;
        t = bri_sim_time(sim);
        double *J = calloc((size_t)(n * n) + 1, sizeof *J);
        bri_sim_state_get(sim, y);
        for (int k = 0; k < n; k++) { /* not where a rope has no length */
            char name[BRI_ADDRESS];
            bri_sim_state_name(sim, k, name);
            if (strcmp(name + strlen(name) - 2, ".x") == 0) y[k] += 1e-6 * (spread(k, 3) + 0.1);
        }
        assert_int_equal(bri_sim_jacobian(sim, t, y, J, &err), BRI_OK);
        assert_int_equal(bri_sim_rhs(sim, t, y, dy, &err), BRI_OK);
        for (int k = 0; k < n; k++) {
            double keep = y[k], h = 1e-6 * fmax(fabs(y[k]), 1e-3);
            y[k] = keep + h;
            bri_sim_rhs(sim, t, y, up, NULL);
            y[k] = keep - h;
            bri_sim_rhs(sim, t, y, down, NULL);
            y[k] = keep + h / 8.0;
            bri_sim_rhs(sim, t, y, close, NULL);
            y[k] = keep;
            for (int i = 0; i < n; i++) {
                double forward = (up[i] - dy[i]) / h, backward = (dy[i] - down[i]) / h;
                double noise = 1e-14 * fabs(dy[i]) / h + 1e-9 * fabs(forward);
                double slope = J[i * n + k], nearer = 8.0 * (close[i] - dy[i]) / h;
                double bend = fmax(fabs(forward - backward), 4.0 * fabs(forward - nearer));
                double low = fmin(forward, backward), high = fmax(forward, backward);
                double off = fmax(low - slope, slope - high); /* at a corner either side is right */
                double size = fmax(fabs(slope), noise) + 1e-6;
                worst = fmax(worst, off > 0.0 && bend < 1e-3 * size ? off / size : 0.0);
                if (off > 1e-3 * size + bend + 100.0 * noise)
                    fail_msg("seed %d: df%d/dy%d = %g, differences %g and %g", (int)seed, i, k,
                             slope, forward, backward);
            }
        }
        /* looking has not disturbed the run */
        memset(&whole, 0, sizeof whole);
        memset(&again, 0, sizeof again);
        follow(sim, &def, half, &whole);
        bri_sim_reset(sim, NULL);
        bri_sim_advance(sim, t, NULL);
        follow(sim, &def, half, &again);
        const char *what = differs(&whole, &again, half, n);
        if (what && !is_foreign(&def)) /* SUNDIALS weighs by the state last looked at */
            fail_msg("seed %d: looked at, %s differs", (int)seed, what);
        free(J);
        bri_sim_free(sim);
        bri_scenario_free(s);
    }
    print_message("worst difference %.2g\n", worst);
}

/* States that are set are those of a new start: an oscillator from another place. */
static void states_can_be_set(void **state) {
    setup s;
    oscillator(&s);
    s.def.rtol = 1e-9;
    bri_sim *sim = start(&s);
    go(sim, 0.5);
    double y[2] = {1.0, 0.0};
    char name[BRI_ADDRESS];
    assert_int_equal(bri_sim_states(sim), 2);
    bri_sim_state_name(sim, 0, name);
    assert_string_equal(name, "mass.x");
    bri_sim_state_name(sim, 1, name);
    assert_string_equal(name, "mass.v");
    assert_int_equal(bri_sim_state_set(sim, y, NULL), BRI_OK);
    go(sim, 1.5);
    near(bri_sim_body(sim, 0).x, oscillator_x(1.0), 1e-7, "x");
    near(bri_sim_energies(sim).residual, 0.0, 1e-5, "residual");
    y[0] = NAN;
    assert_int_equal(bri_sim_state_set(sim, y, NULL), BRI_BAD_VALUE);
    bri_sim_free(sim);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_those_of_the_file),
        cmocka_unit_test(a_spring_changed_in_the_middle),
        cmocka_unit_test(a_speed_and_a_level_changed_in_the_middle),
        cmocka_unit_test(a_force_set_is_a_step_of_its_signal),
        cmocka_unit_test(states_can_be_set),
        cmocka_unit_test(a_stranger_is_refused),
        cmocka_unit_test(a_damaged_one_is_refused),
        cmocka_unit_test(every_number_is_as_if_created_with_it),
        cmocka_unit_test(points_owe_nothing_to_those_before),
        cmocka_unit_test(copies_go_on_to_the_same_bits),
        cmocka_unit_test(rates_and_their_derivatives),
        cmocka_unit_test(addresses_are_those_of_set),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
