/* formula.c - expressions of a scenario under coverage-guided fuzzing: every line of the input
 * stands in one place of a rig that takes it, so that it is reached without a tree of YAML around
 * it. Whatever the lines say, reading, creating and advancing end without harm. */
#include "bristle_scenario.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { PLACES = 9, LONGEST = 400 };

/* A line of the input as a quoted text; what the input does not have is what the place has itself.
 */
static size_t take(const uint8_t *data, size_t size, const char *usual, char to[2 * LONGEST + 1]) {
    const uint8_t *end = size ? memchr(data, '\n', size) : NULL;
    size_t length = end ? (size_t)(end - data) : size, used = 0;
    for (size_t i = 0; i < length && i < LONGEST; i++) {
        if (data[i] < 0x20 || data[i] > 0x7E) continue;
        if (data[i] == '\'') to[used++] = '\'';
        to[used++] = (char)data[i];
    }
    to[used] = '\0';
    if (used == 0) strcpy(to, usual);
    return length + (end != NULL);
}

/* A few steps, a parameter changed, a few more. */
static void try_out(const bri_sim_def *given) {
    bri_sim_def def = *given;
    bri_sim *sim;
    bri_error err;
    bri_ref ref;
    def.max_steps = 20;
    if (bri_sim_create(&def, &sim, &err) != BRI_OK) {
        if (!err.text[0]) abort();
        return;
    }
    bri_sim_advance(sim, 0.01, &err);
    if (bri_sim_find(sim, "k", &ref, &err) == BRI_OK)
        bri_sim_set(sim, ref, 3.0, &err);
    else if (!err.text[0])
        abort();
    bri_sim_advance(sim, def.t_end, &err);
    bri_sim_energies(sim);
    bri_sim_free(sim);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const usual[PLACES] = {"2 N/m", "2*k", "sin(t/(1 s))", "-k*x",   "10 N",
                                              "0.3",   "k*L", "0.1 m/s",      "1 mm*s0"};
    static char line[PLACES][2 * LONGEST + 1], text[20000];
    static bri_messages messages;
    bri_scenario *s;
    for (int i = 0; i < PLACES; i++) {
        size_t taken = take(data, size, usual[i], line[i]);
        data += taken;
        size -= taken;
    }
    int n =
        snprintf(text, sizeof text,
                 "parameters: {k: '%s', k2: '%s'}\nsignals: {s0: '%s'}\n"
                 "bodies: {a: {mass: 1 kg}, belt: {velocity: '%s'}, table: {position: '%s'}}\n"
                 "contacts: {pad: {between: [a, belt], load: '%s', model: lugre, mu_c: '%s'}}\n"
                 "couplings: [{spring: [table, a], tension: '%s'}]\n"
                 "drives: {push: {on: a, force: '%s'}}\nrun: {until: 0.1 s}\n",
                 line[0], line[1], line[2], line[7], line[8], line[4], line[5], line[6], line[3]);
    bri_status status = bri_scenario_parse(text, (size_t)n, "fuzz.yaml", NULL, &s, &messages);
    if ((status == BRI_OK) != (s != NULL) || (status != BRI_OK && messages.count == 0)) abort();
    if (!s) return 0;
    if (!bri_scenario_describe(s)) abort();
    try_out(bri_scenario_def(s));
    bri_scenario_free(s);
    return 0;
}
