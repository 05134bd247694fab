/* test_run_plot.c - the picture of a run: what is thinned keeps its peaks, titles and units tell.
 */
#define _POSIX_C_SOURCE 200809L
#include "bristle_scenario.h"
#include "output/thin.h"
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
    double *row = malloc((size_t)bri_recorder_columns(r) * sizeof *row);
    for (int i = 0; i < n_rows; i++) {
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(peaks_stay),          cmocka_unit_test(the_outline_stays),
        cmocka_unit_test(few_points_and_gaps), cmocka_unit_test(the_rabinowicz_rig),
        cmocka_unit_test(many_bodies),         cmocka_unit_test(no_contact),
        cmocka_unit_test(other_formats),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
