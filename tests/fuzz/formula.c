/* formula.c - expressions of a scenario under coverage-guided fuzzing: a line of the input stands
 * in the place of a rig that its first letter names, so that it is reached without a tree of YAML
 * around it. Of the rig there is what the lines need: reading the rest anew each time would take
 * most of the time and tell nothing. Whatever the lines say, reading, creating and advancing end
 * without harm. */
#include "bristle_scenario.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { PLACES = 9, LINES = 4, LONGEST = 300, ROOM = 2 * LONGEST + 1 };

/* A line of the input as a quoted text, in its place; returns its length. */
static size_t take(const uint8_t *data, size_t size, char line[PLACES][ROOM]) {
    const uint8_t *end = size ? memchr(data, '\n', size) : NULL;
    size_t length = end ? (size_t)(end - data) : size, used = 0;
    if (length > 0) {
        char *to = line[data[0] % PLACES];
        for (size_t i = 1; i < length && i < LONGEST; i++) {
            if (data[i] < 0x20 || data[i] > 0x7E) continue;
            if (data[i] == '\'') to[used++] = '\'';
            to[used++] = (char)data[i];
        }
        to[used] = '\0';
    }
    return length + (end != NULL);
}

/* A few steps, a parameter changed, a few more. */
static void try_out(const bri_sim_def *given) {
    bri_sim_def def = *given;
    bri_sim *sim;
    bri_error err;
    bri_ref ref;
    def.max_steps = 4;
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

/* Appends `head`, the line or what stands there without one, and `tail`. */
static void put(char *text, size_t room, const char *head, const char *line, const char *usual,
                const char *tail) {
    size_t used = strlen(text);
    snprintf(text + used, room - used, "%s'%s'%s", head, line[0] ? line : usual, tail);
}

/* Whether a line speaks of a body. */
static int named(char line[PLACES][ROOM], const char *name) {
    for (int i = 0; i < PLACES; i++)
        if (strstr(line[i], name)) return 1;
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    enum { K, K2, SIGNAL, FORCE, LOAD, MU, TENSION, VELOCITY, POSITION };
    static char line[PLACES][ROOM], text[12000];
    static bri_messages messages;
    bri_scenario *s;
    for (int i = 0; i < PLACES; i++) line[i][0] = '\0';
    for (int i = 0; i < LINES && size > 0; i++) {
        size_t taken = take(data, size, line);
        data += taken;
        size -= taken;
    }
    text[0] = '\0';
    put(text, sizeof text, "parameters: {k: ", line[K], "2 N/m", "");
    put(text, sizeof text, ", k2: ", line[K2], "3 N/m", "}\n");
    if (line[SIGNAL][0]) put(text, sizeof text, "signals: {s0: ", line[SIGNAL], "", "}\n");
    put(text, sizeof text, "bodies: {a: {mass: ", "", "1 kg", "}");
    if (line[VELOCITY][0] || line[LOAD][0] || line[MU][0] || named(line, "belt"))
        put(text, sizeof text, ", belt: {velocity: ", line[VELOCITY], "0.1 m/s", "}");
    if (line[POSITION][0] || line[TENSION][0] || named(line, "table"))
        put(text, sizeof text, ", table: {position: ", line[POSITION], "0.001 m", "}");
    put(text, sizeof text, "}\nrun: {until: ", "", "0.1 s", "}\n");
    if (line[LOAD][0] || line[MU][0]) {
        put(text, sizeof text, "contacts: {pad: {between: [a, belt], load: ", line[LOAD], "10 N",
            "");
        put(text, sizeof text, ", model: lugre, mu_c: ", line[MU], "0.3", "}}\n");
    }
    if (line[TENSION][0])
        put(text, sizeof text, "couplings: [{spring: [table, a], tension: ", line[TENSION], "",
            "}]\n");
    if (line[FORCE][0])
        put(text, sizeof text, "drives: {push: {on: a, force: ", line[FORCE], "", "}}\n");
    bri_status status = bri_scenario_parse(text, strlen(text), "fuzz.yaml", NULL, &s, &messages);
    if ((status == BRI_OK) != (s != NULL) || (status != BRI_OK && messages.count == 0)) abort();
    if (!s) return 0;
    if (!bri_scenario_describe(s)) abort();
    try_out(bri_scenario_def(s));
    bri_scenario_free(s);
    return 0;
}
