/* test_run_plot.c - the picture of a run: what is thinned keeps its peaks, titles and units tell.
 */
#define _POSIX_C_SOURCE 200809L
#include "bristle_scenario.h"
#include "output/run_panes.h"
#include "sims.h"

#include <stdlib.h>

/* One peak among a hundred thousand points, up and down, survives with its place. */
static void peaks_stay(void **state) {
    (void)state;
    thin c;
    thin_init(&c, 100000, 800, 0);
    for (int i = 0; i < 100000; i++)
        thin_add(&c, i, i == 12345 ? 7.0 : i == 12347 ? -9.0 : sin(i * 1e-3));
    thin_end(&c);
    thin_end(&c);
    assert_false(c.failed);
    assert_true(c.count <= 2 * 800 + 2);
    int up = 0, down = 0;
    for (size_t i = 0; i < c.count; i++) {
        up += c.y[i] == 7.0 && c.x[i] == 12345.0;
        down += c.y[i] == -9.0 && c.x[i] == 12347.0;
        if (i > 0) assert_true(c.x[i] > c.x[i - 1]); /* time runs on */
    }
    assert_true(up == 1 && down == 1);
    assert_true(c.x[c.count - 1] == 99999.0);
    thin_free(&c);
}

/* In the plane a point that sticks out in any direction stays. */
static void the_outline_stays(void **state) {
    (void)state;
    static const double out[4][2] = {{5.0, 0.1}, {-6.0, 0.1}, {0.1, 7.0}, {0.1, -8.0}};
    thin c;
    int found[4] = {0};
    thin_init(&c, 100000, 100, 1);
    for (int i = 0; i < 100000; i++) {
        int k = i % 20011 == 20005 ? i / 20011 : -1;
        thin_add(&c, k < 0 ? cos(i * 1e-2) : out[k][0], k < 0 ? sin(i * 1e-2) : out[k][1]);
    }
    thin_end(&c);
    assert_true(c.count <= 4 * 100 + 2);
    for (size_t i = 0; i < c.count; i++)
        for (int k = 0; k < 4; k++) found[k] += c.x[i] == out[k][0] && c.y[i] == out[k][1];
    for (int k = 0; k < 4; k++) assert_int_equal(found[k], 1);
    thin_free(&c);
}

/* A saw tooth of few points, then a million of them in as long a time: no tooth is lost. In the
 * plane the edges of a square that was gone round once stay beside a small circle gone round often.
 */
static void short_steps_take_nothing_from_long_ones(void **state) {
    (void)state;
    thin c;
    thin_init(&c, 2000, 400, 0);
    for (int i = 0; i < 1000; i++) thin_add(&c, i, i % 20);
    for (int i = 0; i < 1000000; i++) thin_add(&c, 1000.0 + 1e-3 * i, sin(i * 0.3));
    thin_end(&c);
    int up = 0, down = 0;
    for (size_t i = 0; i < c.count && c.x[i] < 1000.0; i++) {
        up += c.y[i] == 19.0;
        down += c.y[i] == 0.0;
    }
    assert_int_equal(up, 50);
    assert_int_equal(down, 50);
    assert_true(c.count <= 8 * 400 + 2);
    thin_free(&c);

    int seen[4][50] = {{0}}, missed = 0;
    thin_init(&c, 500, 400, 1);
    for (int i = 0; i < 200; i++) {
        double along = 0.04 * (i % 50) - 1.0, side = i / 100 ? 1.0 : -1.0;
        thin_add(&c, i / 50 % 2 ? along : side, i / 50 % 2 ? side : along);
    }
    for (int i = 0; i < 300000; i++) thin_add(&c, 0.1 * cos(i * 0.1), 0.1 * sin(i * 0.1));
    thin_end(&c);
    for (size_t i = 0; i < c.count; i++)
        for (int k = 0; k < 4; k++) {
            double side = k / 2 ? 1.0 : -1.0, along = k % 2 ? c.x[i] : c.y[i];
            if ((k % 2 ? c.y[i] : c.x[i]) == side && along < 1.0)
                seen[k][(int)((along + 1.0) / 0.04 + 0.5)] = 1;
        }
    for (int k = 0; k < 200; k++) missed += !seen[k / 50][k % 50];
    assert_int_equal(missed, 0);
    assert_true(c.sieved && c.count <= 16 * 400 + 2);
    thin_free(&c);
}

/* Few points all stay; what is not a number hides nothing. */
static void few_points_and_gaps(void **state) {
    (void)state;
    thin c;
    thin_init(&c, 100, 800, 0);
    for (int i = 0; i < 100; i++) thin_add(&c, i, i % 3);
    thin_end(&c);
    assert_int_equal(c.count, 100);
    thin_free(&c);
    thin_init(&c, 1000, 10, 0);
    for (int i = 0; i < 1000; i++) thin_add(&c, i, i % 2 ? (double)NAN : (double)i);
    thin_end(&c);
    for (size_t i = 0; i + 1 < c.count; i++) assert_true(isfinite(c.y[i]));
    assert_true(c.count >= 20);
    thin_free(&c);
    thin_init(&c, 1000, 10, 0);
    thin_end(&c); /* no point at all */
    assert_int_equal(c.count, 0);
    thin_free(&c);
}

/* Far more points than were announced stay within bounds, and the peaks among them stay. */
static void more_than_announced(void **state) {
    (void)state;
    for (int plane = 0; plane < 2; plane++) {
        thin c;
        int up = 0;
        thin_init(&c, 100, 50, plane);
        for (int i = 0; i < 100000; i++)
            thin_add(&c, plane ? cos(i * 1e-2) : i, i == 777 || i == 77777 ? 7.0 : sin(i * 1e-2));
        thin_end(&c);
        assert_false(c.failed);
        assert_true(c.count <= 50 * 16 + 10 && c.count >= 200);
        for (size_t i = 0; i < c.count; i++) {
            up += c.y[i] == 7.0;
            if (!plane && i > 0) assert_true(c.x[i] > c.x[i - 1]);
        }
        assert_int_equal(up, 2);
        thin_free(&c);
    }
}

/* What of a run is drawn; NULL and NaN: as it comes. */
static const char *view_columns;
static double view_from = NAN, view_until = NAN;
static int every_step;

/* Draw a run of n_rows rows into a file and return its text; NULL if gnuplot is not there. */
static char *draw(const bri_sim_def *def, double dt, int n_rows, const char *file) {
    static char text[1 << 22];
    bri_error err;
    bri_recorder *r = NULL;
    bri_run_plot *p;
    bri_sim *sim = NULL;
    if (bri_sim_create(def, &sim, &err) || bri_recorder_create(def, &r, &err))
        fail_msg("%s", err.text);
    const bri_run_head head = {"A 'rig'", "rig.yaml", def, r, dt};
    assert_int_equal(bri_run_plot_create(&head, n_rows, &p, &err), BRI_OK);
    if (bri_run_plot_view(p, view_columns, view_from, view_until, &err)) fail_msg("%s", err.text);
    double *row = malloc((size_t)bri_recorder_columns(r) * sizeof *row);
    for (int i = 0; i < n_rows; i++) {
        while (every_step && bri_sim_time(sim) < dt * i) {
            assert_int_equal(bri_sim_step(sim, dt * i, &err), BRI_OK);
            bri_run_plot_step(p, sim);
        }
        go(sim, dt * i);
        bri_recorder_read(r, sim, row);
        bri_run_plot_row(p, row);
    }
    bri_status status = bri_run_plot_write(p, file, &err);
    free(row);
    bri_run_plot_free(p);
    bri_recorder_free(r);
    bri_sim_free(sim);
    if (status == BRI_MISSING) return NULL;
    if (status) fail_msg("%s", err.text);
    FILE *in = fopen(file, "rb");
    assert_non_null(in);
    size_t n = fread(text, 1, sizeof text - 1, in);
    text[n] = '\0';
    fclose(in);
    remove(file);
    return text;
}

static void says(const char *text, const char *const *words) {
    for (; *words; words++)
        if (!strstr(text, *words)) fail_msg("the picture does not say '%s'", *words);
}

static void the_rabinowicz_rig(void **state) {
    (void)state;
    setup s;
    rabinowicz(&s, "lugre", "rosenbrock", 1e-6);
    const char *svg = draw(&s.def, 0.01, 5001, "test_run_plot.svg");
    if (!svg) skip();
    static const char *const words[] = {"A 'rig'",
                                        "Displacement",
                                        "displacement  [m]",
                                        ">block<",
                                        "Sliding velocity",
                                        "velocity  [m/s]",
                                        ">pad<",
                                        "Friction force",
                                        "friction force  [N]",
                                        "time  [s]",

                                        "sliding velocity  [m/s]",
                                        "Friction against velocity, lugre",
                                        "Energy (balanced to ",
                                        "energy  [J]",
                                        "kinetic",
                                        "potential",
                                        "stored",
                                        "dissipated",
                                        "work",
                                        NULL};
    says(svg, words);
    assert_null(strstr(svg, ">slab<")); /* its motion is prescribed */
    assert_null(strstr(svg, "Normal load"));
}

/* Twelve bodies: eight are drawn, and the picture says so. A signal as load is drawn as well. */
static void many_bodies(void **state) {
    (void)state;
    enum { N = 12 };
    static bri_body bodies[N];
    static bri_contact contacts[N];
    static char names[2 * N][16];
    bri_sim_def def = bri_sim_defaults();
    bri_signal load = bri_signal_constant(10.0);
    for (int i = 0; i < N; i++) {
        snprintf(names[i], sizeof *names, "body%d", i);
        snprintf(names[N + i], sizeof *names, "foot%d", i);
        bodies[i] = (bri_body){.name = names[i], .mass = 1.0, .x = i, .v = 0.1 * i};
        contacts[i] = (bri_contact){.name = names[N + i],
                                    .model = bri_model_find("dahl"),
                                    .a = i,
                                    .b = BRI_GROUND,
                                    .load = BRI_LOAD_SIGNAL,
                                    .n_of_t = &load};
        bri_model_defaults(contacts[i].model, contacts[i].p);
    }
    def.system =
        (bri_system){.bodies = bodies, .n_bodies = N, .contacts = contacts, .n_contacts = N};
    const char *svg = draw(&def, 0.01, 101, "test_run_many.svg");
    if (!svg) skip();
    static const char *const words[] = {"Position, first 8 of 12 bodies",
                                        "Friction force, first 8 of 12 contacts",
                                        "Normal load, first 8 of 12 contacts",
                                        ">body7<",
                                        ">foot7<",
                                        NULL};
    says(svg, words);
    assert_null(strstr(svg, ">body8<"));
}

/* Points in the plane have a height; without contacts the velocities of the bodies are drawn. */
static void no_contact(void **state) {
    (void)state;
    setup s;
    memset(&s, 0, sizeof s);
    s.def = bri_sim_defaults();
    s.bodies[0] = (bri_body){.name = "ball", .kind = BRI_POINT, .mass = 1.0, .v = 1.0, .vz = 2.0};
    point_to(&s, 1, 0, 0, 0);
    s.def.energies = 0;
    const char *svg = draw(&s.def, 0.01, 101, "test_run_ball.svg");
    if (!svg) skip();
    static const char *const words[] = {"Displacement", "Height",  "Velocity",
                                        "Energy",       "kinetic", NULL};
    says(svg, words);
    assert_null(strstr(svg, "Friction"));
}

/* A rotor that is braked, tied to a shaft that turns, beside a mass: words and units of rotation,
 * each in diagrams of its own. */
static void rotors(void **state) {
    (void)state;
    static const bri_body bodies[] = {{.name = "disc", .kind = BRI_ROTOR, .mass = 0.2, .v = 3.0},
                                      {.name = "shaft", .kind = BRI_ROTOR, .mass = 0.1},
                                      {.name = "block", .mass = 1.0, .v = 0.1}};
    bri_contact brake = {.name = "brake", .a = 0, .b = BRI_GROUND, .n = 0.1};
    brake.model = bri_model_find("coulomb_tanh");
    bri_model_defaults(brake.model, brake.p);
    const bri_coupling spring = bri_coupling_defaults(bri_coupling_find("spring"), 0, 1);
    bri_sim_def def = bri_sim_defaults();
    def.system = (bri_system){.bodies = bodies,
                              .n_bodies = 3,
                              .contacts = &brake,
                              .n_contacts = 1,
                              .couplings = &spring,
                              .n_couplings = 1};
    const char *svg = draw(&def, 0.01, 101, "test_run_rotor.svg");
    if (!svg) skip();
    static const char *const words[] = {"Angle",
                                        "angle  [rad]",
                                        "Relative angular velocity",
                                        "angular velocity  [rad/s]",
                                        "Friction torque",
                                        "friction torque  [mN m]",
                                        "Friction torque against velocity, coulomb_tanh",
                                        "Torque of couplings",
                                        "Displacement",
                                        "Velocity",
                                        ">block<",
                                        ">shaft<",
                                        NULL};
    says(svg, words);
    assert_null(strstr(svg, "Friction force"));
    assert_null(strstr(svg, "Force of couplings"));
}

/* The columns and the span of time that are asked for, and nothing else. */
static void chosen_columns(void **state) {
    (void)state;
    setup s;
    rabinowicz(&s, "lugre", "rosenbrock", 1e-6);
    view_columns = "block.x, pad.v:pad.F,energy.w*";
    view_from = 20.0;
    view_until = 25.0;
    const char *svg = draw(&s.def, 0.01, 5001, "test_run_chosen.svg");
    view_columns = NULL;
    view_from = view_until = NAN;
    if (!svg) skip();
    static const char *const words[] = {">block.x<",
                                        ">pad.F over pad.v<",
                                        ">energy.work<",
                                        "position  [m]",
                                        "velocity  [m/s]",
                                        "energy  [J]",
                                        ">20<",
                                        ">25<",
                                        NULL};
    says(svg, words);
    assert_null(strstr(svg, "Sliding velocity"));
    assert_null(strstr(svg, "kinetic"));
    assert_null(strstr(svg, ">30<")); /* beyond the window */
    assert_null(strstr(svg, ">15<"));
}

static void wrong_views(void **state) {
    (void)state;
    setup s;
    bri_error err;
    bri_recorder *r;
    bri_run_plot *p;
    static const struct {
        const char *columns, *text;
        double from, until;
    } rows[] = {{"blok.x", "no column matches 'blok.x'; did you mean 'block.x'?", NAN, NAN},
                {"pad.w:pad.F", "no column matches 'pad.w'; did you mean 'pad.v'?", NAN, NAN},
                {"pad.v:pad.FF", "no column matches 'pad.FF'; did you mean 'pad.F'?", NAN, NAN},
                {"", "no column matches ''", NAN, NAN},
                {NULL, "60 to 70 s is no part of the run, 0 to 50 s", 60.0, 70.0},
                {NULL, "7 to 5 s is no part of the run, 0 to 50 s", 7.0, 5.0}};
    rabinowicz(&s, "lugre", "rosenbrock", 1e-6);
    assert_int_equal(bri_recorder_create(&s.def, &r, &err), BRI_OK);
    const bri_run_head head = {"rig", "rig.yaml", &s.def, r, 0.01};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_equal(bri_run_plot_create(&head, 5001, &p, &err), BRI_OK);
        assert_int_not_equal(
            bri_run_plot_view(p, rows[i].columns, rows[i].from, rows[i].until, &err), BRI_OK);
        if (strcmp(err.text, rows[i].text) != 0)
            fail_msg("'%s', expected '%s'", err.text, rows[i].text);
        bri_run_plot_free(p);
    }
    bri_recorder_free(r);
}

/* Points of the curve that the legend calls by that name: the numbers of its path. */
static int points_in(const char *svg) {
    int count = 0;
    for (; *svg; svg++) count += *svg == ',';
    return count;
}

/* Rows of 5 s miss the whole slip; the steps of the solver have it. */
static void steps_between_rows(void **state) {
    (void)state;
    setup s;
    rabinowicz(&s, "lugre", "rosenbrock", 1e-6);
    view_columns = "pad.v:pad.F";
    const char *svg = draw(&s.def, 5.0, 11, "test_run_rows.svg");
    if (!svg) skip();
    int few = points_in(svg);
    every_step = 1;
    int many = points_in(draw(&s.def, 5.0, 11, "test_run_steps.svg"));
    every_step = 0;
    view_columns = NULL;
    assert_true(many > few + 300); /* the run takes a thousand steps */
}

static void other_formats(void **state) {
    (void)state;
    setup s;
    oscillator(&s);
    const char *png = draw(&s.def, 0.01, 201, "test_run_plot.png");
    if (!png) skip();
    assert_memory_equal(png, "\x89PNG", 4);
    assert_memory_equal(draw(&s.def, 0.01, 201, "test_run_plot.pdf"), "%PDF", 4);
    /* nothing recorded at all is an empty picture, not a crash */
    assert_memory_equal(draw(&s.def, 0.01, 0, "test_run_none.png"), "\x89PNG", 4);
}

/* Largest and smallest of the numbers that the picture was drawn from, by its data. */
static void slips_between_rows(void **state) {
    (void)state;
    setup s;
    bri_error err;
    bri_recorder *r = NULL;
    bri_run_plot *p;
    bri_sim *sim = NULL;
    rabinowicz(&s, "lugre", "rosenbrock", 1e-6);
    if (bri_sim_create(&s.def, &sim, &err) || bri_recorder_create(&s.def, &r, &err))
        fail_msg("%s", err.text);
    const bri_run_head head = {"rig", "rig.yaml", &s.def, r, s.def.t_end};
    assert_int_equal(bri_run_plot_create(&head, 2, &p, &err), BRI_OK);
    double least = INFINITY, most = -INFINITY; /* of the friction force: the column of the pane */
    while (bri_sim_time(sim) < s.def.t_end) {
        assert_int_equal(bri_sim_step(sim, s.def.t_end, &err), BRI_OK);
        bri_run_plot_step(p, sim);
        least = fmin(least, bri_sim_contact(sim, 0).F);
        most = fmax(most, bri_sim_contact(sim, 0).F);
    }
    int found = 0; /* in a diagram over time */
    for (int i = 0; i < p->n_panes; i++)
        for (int k = 0; k < p->panes[i].count; k++) {
            const curve *c = &p->panes[i].curves[k];
            if (c->x != 0 || strcmp(bri_recorder_name(r, c->y), "pad.F") != 0) continue;
            double low = INFINITY, high = -INFINITY;
            for (size_t j = 0; j < c->points.count; j++) {
                low = fmin(low, c->points.y[j]);
                high = fmax(high, c->points.y[j]);
            }
            found++;
            if (!(low == least && high == most && high - low > 50.0))
                fail_msg("%g ... %g, not %g ... %g", low, high, least, most);
        }
    assert_int_equal(found, 1);
    bri_run_plot_free(p);
    bri_recorder_free(r);
    bri_sim_free(sim);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(peaks_stay),
        cmocka_unit_test(the_outline_stays),
        cmocka_unit_test(short_steps_take_nothing_from_long_ones),
        cmocka_unit_test(few_points_and_gaps),
        cmocka_unit_test(the_rabinowicz_rig),
        cmocka_unit_test(many_bodies),
        cmocka_unit_test(no_contact),
        cmocka_unit_test(other_formats),
        cmocka_unit_test(slips_between_rows),
        cmocka_unit_test(more_than_announced),
        cmocka_unit_test(rotors),
        cmocka_unit_test(chosen_columns),
        cmocka_unit_test(wrong_views),
        cmocka_unit_test(steps_between_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
