/* test_slips.c - slips from rest to rest: closed solutions on the belt, who belongs to whom, slips
 * that grow together, what is cut off, and a slow finder that must agree. */
#include "stick_rig.h"
#include <stdlib.h>

/* ---- finding them --------------------------------------------------------------------------- */

enum { MOST_SLIPS = 4096 };

typedef struct found {
    bri_slip list[MOST_SLIPS];
    int count;
} found;

static void take(found *f, const bri_slips *slips) {
    int n;
    const bri_slip *s = bri_slips_ended(slips, &n);
    for (int i = 0; i < n && f->count < MOST_SLIPS; i++) f->list[f->count++] = s[i];
}

static bri_slips *finder(const bri_system *system, double speed) {
    bri_slips *slips;
    bri_error err;
    if (bri_slips_create(system, speed, &slips, &err) != BRI_OK) fail_msg("%s", err.text);
    return slips;
}

/* All slips of a run. */
static void find(found *f, const stand *s, double speed) {
    bri_sim *sim = stand_start(s);
    bri_slips *slips = finder(&s->def.system, speed);
    bri_error err;
    f->count = 0;
    bri_slips_look(slips, sim);
    while (bri_sim_time(sim) < s->def.t_end) {
        if (bri_sim_step(sim, s->def.t_end, &err) != BRI_OK) fail_msg("%s", err.text);
        bri_slips_look(slips, sim);
        take(f, slips);
    }
    bri_slips_stop(slips);
    take(f, slips);
    bri_slips_free(slips);
    bri_sim_free(sim);
}

static void expect_slip(const bri_slip *s, double start, double end, int contacts, double size,
                        int first, int cut, double within) {
    if (!(fabs(s->start - start) <= within) || !(fabs(s->end - end) <= within) ||
        s->contacts != contacts || !(fabs(s->size - size) <= within) || s->first != first ||
        s->cut != cut)
        fail_msg("slip from %.12g to %.12g s, %d contacts, %.12g m, first %d, cut %d\n"
                 "expected  %.12g to %.12g s, %d contacts, %.12g m, first %d, cut %d",
                 s->start, s->end, s->contacts, s->size, s->first, s->cut, start, end, contacts,
                 size, first, cut);
}

/* ---- the belt ------------------------------------------------------------------------------- */

/* Blocks of 1 kg on a belt at V = 0.1 m/s, each held by 2 N/m, Fc = 1 N, Fs = 1.5 N, start on the
 * belt. They stick for Fs/(k V) = 7.5 s. Sliding, x - Fc/k = A cos wt + V/w sin wt with
 * A = (Fs - Fc)/k and w^2 = k/m, so v = R w cos(wt + phi), tan phi = A w/V: the block is as fast
 * as the belt again at wt = 2 pi - 2 phi, 2 A further back. Then it sticks for 2 A/V. */
static const double V = 0.1, A = 0.25, first_slip = 7.5;

static double slip_time(void) {
    double w = sqrt(2.0), phi = atan2(A * w, V);
    return (2.0 * acos(-1.0) - 2.0 * phi) / w;
}

static double slip_distance(void) { return 2.0 * A + V * slip_time(); }

static double period(void) { return 2.0 * A / V + slip_time(); }

static void belt(stand *s, int blocks, const char *law, double t_end) {
    stand_clear(s, t_end, 1e-10);
    bri_signal *belt = stand_signal(s, "constant");
    *belt = bri_signal_constant(V);
    int moved = add_moved(s, belt);
    for (int i = 0; i < blocks; i++) {
        int block = add_body(s, 1.0, 0.0, V);
        add_spring(s, BRI_GROUND, block, 2.0);
        add_contact(s, block, moved, law, 1.0, 1.5);
    }
}

static void the_belt_slips_once_in_a_period(void **state) {
    stand s;
    found f;
    belt(&s, 1, "coulomb", 40.0);
    find(&f, &s, 0.01);
    assert_true(fabs(period() - 7.611259) < 1e-6);
    assert_int_equal(f.count, 5);
    for (int k = 0; k < 4; k++) {
        double start = first_slip + k * period();
        expect_slip(&f.list[k], start, start + slip_time(), 1, slip_distance(), 0, 0, 1e-7);
        /* from rest to rest the block has lost a whole period of belt */
        assert_true(fabs(f.list[k].size - V * period()) < 1e-7);
        /* R w + V, at the instant at which it moves back fastest, between two steps */
        near(f.list[k].peak, hypot(A * sqrt(2.0), V) + V, 1e-7, "peak");
    }
    assert_int_equal(f.list[4].cut, BRI_CUT_END);
}

static void time_stepping_finds_the_same_to_a_step(void **state) {
    stand s;
    found f;
    belt(&s, 1, "coulomb", 37.0);
    s.def.solver = bri_solver_find("time_stepping");
    s.def.step = 1e-4;
    find(&f, &s, 0.01);
    assert_int_equal(f.count, 4);
    for (int k = 0; k < 4; k++) {
        double start = first_slip + k * period();
        expect_slip(&f.list[k], start, start + slip_time(), 1, slip_distance(), 0, 0,
                    3e-4 * (k + 1));
    }
}

/* Bristles break away earlier, but from one slip to the next the block falls back by what the belt
 * has gone; of that it slides all but what it creeps while it sticks. */
static void a_bristle_law_slips_by_what_the_belt_goes(void **state) {
    stand s;
    found f;
    belt(&s, 1, "lugre", 30.0);
    law_value(&s.contacts[0], "sigma0", 1e4);
    law_value(&s.contacts[0], "sigma1", 100.0);
    law_value(&s.contacts[0], "v_s", 1e-3);
    s.def.solver = bri_solver_find("rosenbrock");
    s.def.rtol = 1e-8;
    find(&f, &s, 0.1 * V);
    assert_int_equal(f.count, 4);
    for (int k = 1; k < 3; k++) {
        double way = V * (f.list[k + 1].start - f.list[k].start);
        assert_true(f.list[k].size < way && f.list[k].size > 0.998 * way);
        assert_true(f.list[k].cut == 0 && f.list[k].contacts == 1);
    }
}

static void uncoupled_blocks_slip_apart(void **state) {
    stand s;
    found f;
    belt(&s, 2, "coulomb", 12.0);
    find(&f, &s, 0.01);
    assert_int_equal(f.count, 2);
    for (int i = 0; i < 2; i++)
        expect_slip(&f.list[i], first_slip, first_slip + slip_time(), 1, slip_distance(),
                    f.list[0].first == 0 ? i : 1 - i, 0, 1e-7);
}

static void coupled_blocks_slip_together(void **state) {
    stand s;
    found f;
    belt(&s, 2, "coulomb", 12.0);
    add_spring(&s, 1, 2, 5.0); /* both do the same, so that it has no force */
    find(&f, &s, 0.01);
    assert_int_equal(f.count, 1);
    expect_slip(&f.list[0], first_slip, first_slip + slip_time(), 2, 2.0 * slip_distance(), 0, 0,
                1e-7);
}

/* A run that begins and ends while the block slides: start in the middle of the first slip. */
static void what_is_cut_off_is_flagged(void **state) {
    stand s;
    found f;
    belt(&s, 1, "coulomb", 1.0);
    double w = sqrt(2.0), t0 = 0.3;
    s.bodies[1].x = 0.5 + A * cos(w * t0) + V / w * sin(w * t0);
    s.bodies[1].v = -A * w * sin(w * t0) + V * cos(w * t0);
    double x1 = 0.5 + A * cos(w * (t0 + 1.0)) + V / w * sin(w * (t0 + 1.0));
    find(&f, &s, 0.01);
    assert_int_equal(f.count, 1);
    expect_slip(&f.list[0], 0.0, 1.0, 1, s.bodies[1].x - x1 + V, 0, BRI_CUT_START | BRI_CUT_END,
                1e-7);
    s.def.t_end = 3.0;
    find(&f, &s, 0.01);
    assert_int_equal(f.count, 1);
    assert_int_equal(f.list[0].cut, BRI_CUT_START);
    assert_true(fabs(f.list[0].end - (slip_time() - t0)) < 1e-7);
}

/* ---- the threshold -------------------------------------------------------------------------- */

/* A speed that swings between 0.08 and 0.12 m/s does not end a slip that began at 0.11. */
static void a_swinging_speed_is_one_slip(void **state) {
    stand s;
    found f;
    stand_clear(&s, 10.0, 1e-8);
    bri_signal *swing = stand_signal(&s, "sine");
    tune(swing, "mean", 0.1);
    tune(swing, "amplitude", 0.02);
    tune(swing, "frequency", 1.0);
    int moved = add_moved(&s, swing);
    add_body(&s, 1.0, 0.0, 0.0);
    add_contact(&s, moved, BRI_GROUND, "viscous", 1.0, 1.0);
    find(&f, &s, 0.11);
    assert_int_equal(f.count, 1);
    assert_int_equal(f.list[0].cut, BRI_CUT_END);
    find(&f, &s, 0.121);
    assert_int_equal(f.count, 0);
    tune(swing, "mean", 0.0); /* now it stops between: |v| > 0.015 four times in two periods */
    tune(swing, "frequency", 0.2);
    find(&f, &s, 0.015);
    assert_int_equal(f.count, 4);
    /* from |v| = 0.015 to 0.0075 around the peak of the sine: in closed form */
    double w = 2.0 * acos(-1.0) * 0.2, from = asin(0.75) / w, to = (acos(-1.0) - asin(0.375)) / w;
    expect_slip(&f.list[0], from, to, 1, 0.02 / w * (cos(w * from) - cos(w * to)), 0, 0, 1e-5);
    near(f.list[0].peak, 0.02, 1e-5, "peak");
    /* those of two contacts in the same step, one of them twice as fast: in the order of time */
    bri_signal *other = stand_signal(&s, "sine");
    tune(other, "amplitude", 0.04);
    tune(other, "frequency", 0.2);
    add_contact(&s, add_moved(&s, other), BRI_GROUND, "viscous", 1.0, 1.0);
    find(&f, &s, 0.015);
    double early = asin(0.375) / w, late = (acos(-1.0) - asin(0.1875)) / w;
    assert_int_equal(f.count, 8);
    expect_slip(&f.list[0], from, to, 1, 0.02 / w * (cos(w * from) - cos(w * to)), 0, 0, 1e-5);
    expect_slip(&f.list[1], early, late, 1, 0.04 / w * (cos(w * early) - cos(w * late)), 1, 0,
                1e-5);
}

/* With long steps slips begin, end and are as long as with short ones. */
static void slips_do_not_depend_on_steps(void **state) {
    static const struct {
        const char *law, *solver;
        double step, rtol, within; /* within: of times in s and of lengths in m */
    } runs[] = {
        {"lugre", "rosenbrock", 0.0, 1e-4, 1e-4}, {"lugre", "rosenbrock", 0.0, 1e-6, 1e-5},
        {"lugre", "rodas4", 0.0, 1e-4, 1e-4},     {"elasto_plastic", "rosenbrock", 0.0, 1e-4, 1e-4},
        {"lugre", "rk4", 2e-3, 1e-6, 1e-4},       {"lugre", "rodas5p", 0.0, 1e-4, 1e-4}};
    (void)state;
    for (size_t n = 0; n < sizeof runs / sizeof *runs; n++) {
        stand s;
        found rough, fine;
        belt(&s, 1, runs[n].law, 40.0);
        law_value(&s.contacts[0], "sigma0", 1e3);
        s.def.solver = bri_solver_find("rosenbrock");
        s.def.rtol = 1e-10;
        find(&fine, &s, 0.1 * V);
        s.def.solver = bri_solver_find(runs[n].solver);
        assert_non_null(s.def.solver);
        s.def.rtol = runs[n].rtol;
        s.def.step = runs[n].step;
        find(&rough, &s, 0.1 * V);
        if (fine.count < 4 || fine.count != rough.count)
            fail_msg("%s, %s: %d slips, %d with short steps", runs[n].law, runs[n].solver,
                     rough.count, fine.count);
        double worst = 0.0;
        for (int k = 0; k < fine.count; k++) {
            const bri_slip *a = &rough.list[k], *b = &fine.list[k];
            worst = fmax(worst, fmax(fabs(a->start - b->start), fabs(a->end - b->end)));
            worst = fmax(worst, fabs(a->size - b->size));
            assert_true(a->cut == b->cut);
        }
        print_message("%s, %s: %.1e\n", runs[n].law, runs[n].solver, worst);
        assert_true(worst <= runs[n].within);
    }
}

/* ---- who belongs to whom -------------------------------------------------------------------- */

/* Contacts 0 ... 3 of four blocks in a chain, fed by hand: a letter slides. */
static void feed(bri_slips *slips, found *f, double t, double x, const char *who) {
    bri_sliding now[4];
    for (int i = 0; i < 4; i++) {
        int slides = who[i] != '.';
        now[i] = (bri_sliding){.x = x, .v = slides ? 1.0 : 0.0, .before = slides, .after = slides};
    }
    bri_slips_feed(slips, t, now);
    take(f, slips);
}

static void four_in_a_chain(stand *s) {
    stand_clear(s, 1.0, 1e-6);
    for (int i = 0; i < 4; i++) add_body(s, 1.0, 0.0, 0.0);
    for (int i = 0; i < 4; i++) add_contact(s, i, BRI_GROUND, "coulomb", 1.0, 1.0);
    for (int i = 0; i < 3; i++) add_spring(s, i, i + 1, 1.0);
}

static void neighbouring_slips_become_one(void **state) {
    stand s;
    found f = {.count = 0};
    four_in_a_chain(&s);
    bri_slips *slips = finder(&s.def.system, 1.0);
    feed(slips, &f, 0.0, 0.0, "....");
    feed(slips, &f, 1.0, 1.0, "..a."); /* two slips with a block at rest between */
    feed(slips, &f, 2.0, 2.0, "b.a.");
    assert_int_equal(f.count, 0);
    feed(slips, &f, 3.0, 3.0, "bca."); /* joined */
    feed(slips, &f, 4.0, 4.0, ".c..");
    feed(slips, &f, 5.0, 5.0, "....");
    assert_int_equal(f.count, 1);
    /* a rests from 3 s on after 3 m, b after 2 m, c after 2 m */
    expect_slip(&f.list[0], 0.0, 4.0, 3, 7.0, 2, 0, 0.0);
    f.count = 0; /* a slip passes on from one to the next */
    feed(slips, &f, 6.0, 6.0, "a...");
    feed(slips, &f, 7.0, 7.0, ".b..");
    feed(slips, &f, 8.0, 8.0, "...c"); /* not a neighbour of b */
    feed(slips, &f, 9.0, 9.0, "....");
    assert_int_equal(f.count, 2);
    expect_slip(&f.list[0], 5.0, 7.0, 2, 2.0, 0, 0, 0.0);
    expect_slip(&f.list[1], 7.0, 8.0, 1, 1.0, 3, 0, 0.0);
    f.count = 0; /* one that rests and goes on while the others slide is counted once */
    feed(slips, &f, 10.0, 10.0, "ab..");
    feed(slips, &f, 11.0, 11.0, ".b..");
    feed(slips, &f, 12.0, 12.0, "ab..");
    bri_slips_stop(slips);
    take(&f, slips);
    assert_int_equal(f.count, 1);
    expect_slip(&f.list[0], 9.0, 12.0, 2, 5.0, 0, BRI_CUT_END, 0.0);
    bri_slips_free(slips);
    f.count = 0; /* what slid from the start on makes the whole slip one that was cut */
    slips = finder(&s.def.system, 1.0);
    feed(slips, &f, 0.0, 0.0, ".a..");
    feed(slips, &f, 1.0, 1.0, "ba..");
    feed(slips, &f, 2.0, 2.0, "....");
    assert_int_equal(f.count, 1);
    expect_slip(&f.list[0], 0.0, 1.0, 2, 2.0, 0, BRI_CUT_START, 0.0);
    bri_slips_free(slips);
}

/* The ground and a belt join nothing, a body with two contacts does. */
static void only_bodies_that_move_join(void **state) {
    stand s;
    found f = {.count = 0};
    stand_clear(&s, 1.0, 1e-6);
    bri_signal *velocity = stand_signal(&s, "constant");
    int plate = add_moved(&s, velocity);
    for (int i = 0; i < 2; i++) {
        int body = add_body(&s, 1.0, 0.0, 0.0);
        add_spring(&s, body, plate, 1.0);
        add_contact(&s, body, plate, "coulomb", 1.0, 1.0);
        add_contact(&s, body, BRI_GROUND, "coulomb", 1.0, 1.0);
    }
    bri_slips *slips = finder(&s.def.system, 1.0);
    feed(slips, &f, 0.0, 0.0, "....");
    feed(slips, &f, 1.0, 1.0, "abcd");
    feed(slips, &f, 2.0, 2.0, "....");
    assert_int_equal(f.count, 2);
    expect_slip(&f.list[0], 0.0, 1.0, 2, 2.0, 0, 0, 0.0);
    expect_slip(&f.list[1], 0.0, 1.0, 2, 2.0, 2, 0, 0.0);
    bri_slips_free(slips);
}

/* ---- a slow finder -------------------------------------------------------------------------- */

enum { BODIES = 20, CONTACTS = 30, TIMES = 400 };

typedef struct slow {
    int label[CONTACTS], slides[CONTACTS], next;
    double start[TIMES * CONTACTS], distance[CONTACTS], x[CONTACTS];
} slow;

static int neighbours(const bri_system *s, int i, int j) {
    const int a[2] = {s->contacts[i].a, s->contacts[i].b},
              b[2] = {s->contacts[j].a, s->contacts[j].b};
    for (int k = 0; k < 4; k++) {
        int p = a[k / 2], q = b[k % 2];
        if (p < 0 || q < 0) continue;
        if (p == q) return 1;
        for (int c = 0; c < s->n_couplings; c++)
            if ((s->couplings[c].a == p && s->couplings[c].b == q) ||
                (s->couplings[c].a == q && s->couplings[c].b == p))
                return 1;
    }
    return 0;
}

/* Every contact carries the number of its slip; whoever meets another renumbers all. */
static void slow_change(slow *w, const bri_system *s, const int *slides, double t) {
    for (int i = 0; i < CONTACTS; i++) {
        if (!slides[i] || w->slides[i]) continue;
        w->slides[i] = 1;
        if (w->label[i] < 0) {
            w->start[w->next] = t;
            w->label[i] = w->next++;
        }
        for (int j = 0; j < CONTACTS; j++) {
            int from = w->label[j], to = w->label[i];
            if (j == i || !w->slides[j] || from == to || !neighbours(s, i, j)) continue;
            w->start[to] = fmin(w->start[to], w->start[from]);
            for (int k = 0; k < CONTACTS; k++)
                if (w->label[k] == from) w->label[k] = to;
        }
    }
    memcpy(w->slides, slides, sizeof w->slides);
}

/* Those whose members all rest: compare one of them with the list, and take it out of both. */
static void slow_compare(slow *w, found *f, double t) {
    for (int label = 0; label < w->next; label++) {
        int members = 0, sliding = 0, contacts = 0;
        double size = 0.0;
        for (int i = 0; i < CONTACTS; i++) {
            if (w->label[i] != label) continue;
            members++, sliding += w->slides[i];
            contacts += w->distance[i] > 0.0, size += w->distance[i];
        }
        if (!members || sliding) continue;
        for (int i = 0; i < CONTACTS; i++)
            if (w->label[i] == label) w->label[i] = -1, w->distance[i] = 0.0;
        int at = -1;
        for (int k = 0; k < f->count; k++)
            if (f->list[k].start == w->start[label] && f->list[k].contacts == contacts &&
                fabs(f->list[k].size - size) < 1e-12 && f->list[k].end == t)
                at = k;
        if (contacts && at < 0) fail_msg("slip %d at %g is not found", label, t);
        if (contacts) f->list[at] = f->list[--f->count];
    }
    assert_int_equal(f->count, 0);
}

static uint64_t seed = 12345;

static double dice(void) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(seed >> 11) / 9007199254740992.0;
}

static void a_slow_finder_agrees(void **state) {
    static slow w;
    static stand s;
    long total = 0, large = 0;
    for (int net = 0; net < 20; net++) {
        stand_clear(&s, 1.0, 1e-6);
        for (int i = 0; i < BODIES; i++) add_body(&s, 1.0, 0.0, 0.0);
        for (int i = 0; i < CONTACTS; i++) {
            int a = (int)(dice() * BODIES), b = dice() < 0.7 ? BRI_GROUND : (int)(dice() * BODIES);
            add_contact(&s, a, b == a ? BRI_GROUND : b, "coulomb", 1.0, 1.0);
        }
        for (int i = 0; i < 15; i++) {
            int a = (int)(dice() * BODIES), b = (int)(dice() * BODIES);
            if (a != b) add_spring(&s, a, b, 1.0);
        }
        memset(&w, 0, sizeof w);
        for (int i = 0; i < CONTACTS; i++) w.label[i] = -1;
        bri_slips *slips = finder(&s.def.system, 1.0);
        found f = {.count = 0};
        bri_sliding now[CONTACTS] = {{0}};
        bri_slips_feed(slips, 0.0, now);
        for (int k = 1; k <= TIMES; k++) {
            int before[CONTACTS], after[CONTACTS];
            for (int i = 0; i < CONTACTS; i++) {
                before[i] = now[i].before = w.slides[i] && dice() > 0.02;
                after[i] = now[i].after = before[i] ? dice() > 0.3 : dice() < 0.07;
                now[i].x = before[i] ? now[i].x + dice() - 0.5 : now[i].x;
            }
            bri_slips_feed(slips, k, now);
            take(&f, slips);
            total += f.count;
            for (int i = 0; i < f.count; i++) large += f.list[i].contacts > 4;
            found early = {.count = 0}, late = {.count = 0};
            for (int i = 0; i < f.count; i++) {
                found *to = f.list[i].end < k ? &early : &late;
                to->list[to->count++] = f.list[i];
            }
            slow_change(&w, &s.def.system, before, k - 1.0);
            slow_compare(&w, &early, k - 1.0);
            for (int i = 0; i < CONTACTS; i++) {
                if (before[i]) w.distance[i] += fabs(now[i].x - w.x[i]);
                w.x[i] = now[i].x;
            }
            slow_change(&w, &s.def.system, after, k);
            slow_compare(&w, &late, k);
            f.count = 0;
        }
        bri_slips_free(slips);
    }
    print_message("%ld slips, %ld of more than four contacts\n", total, large);
    assert_true(total > 1500 && large > 50);
}

/* ---- the rest ------------------------------------------------------------------------------- */

static void single_steps_change_nothing(void **state) {
    stand s;
    belt(&s, 2, "coulomb", 12.0);
    bri_sim *one = stand_start(&s), *two = stand_start(&s);
    bri_error err;
    long steps = 0;
    run_to(one, 11.9);
    while (bri_sim_time(two) < 11.9) {
        if (bri_sim_step(two, 11.9, &err) != BRI_OK) fail_msg("%s", err.text);
        assert_true(bri_sim_stats(two).steps - steps <= 3); /* one, and its corrections */
        steps = bri_sim_stats(two).steps;
    }
    for (int i = 1; i < 3; i++) {
        assert_true(bri_sim_body(one, i).x == bri_sim_body(two, i).x);
        assert_true(bri_sim_body(one, i).v == bri_sim_body(two, i).v);
    }
    assert_int_equal(bri_sim_stats(one).steps, steps);
    assert_int_equal(bri_sim_step(two, 13.0, &err), BRI_BAD_VALUE);
    bri_sim_free(one);
    bri_sim_free(two);
}

static void a_speed_must_be_positive(void **state) {
    stand s;
    bri_slips *slips;
    bri_error err;
    belt(&s, 1, "coulomb", 1.0);
    assert_int_equal(bri_slips_create(&s.def.system, 0.0, &slips, &err), BRI_BAD_VALUE);
    assert_null(slips);
    assert_string_equal(err.text, "the speed of a slip must be positive, not 0 m/s");
    bri_slips_free(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_belt_slips_once_in_a_period),
        cmocka_unit_test(time_stepping_finds_the_same_to_a_step),
        cmocka_unit_test(a_bristle_law_slips_by_what_the_belt_goes),
        cmocka_unit_test(uncoupled_blocks_slip_apart),
        cmocka_unit_test(coupled_blocks_slip_together),
        cmocka_unit_test(what_is_cut_off_is_flagged),
        cmocka_unit_test(a_swinging_speed_is_one_slip),
        cmocka_unit_test(slips_do_not_depend_on_steps),
        cmocka_unit_test(neighbouring_slips_become_one),
        cmocka_unit_test(only_bodies_that_move_join),
        cmocka_unit_test(a_slow_finder_agrees),
        cmocka_unit_test(single_steps_change_nothing),
        cmocka_unit_test(a_speed_must_be_positive),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
