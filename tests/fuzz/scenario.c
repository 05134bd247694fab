/* scenario.c - scenario files under coverage-guided fuzzing: whatever the bytes say, reading,
 * describing, creating and advancing end without harm, and a refusal gives a reason. */
#include "bristle_study.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Whether it asks for more than a thousand of something: a millisecond becomes a second, and the
 * same is read. Tests look at the limits of such counts. */
static int many(const uint8_t *data, size_t size) {
    static const char key[] = "repeat";
    enum { LENGTH = sizeof key - 1, ROOM = 24 };
    for (size_t i = 0; i + LENGTH < size; i++) {
        char number[ROOM + 1] = "";
        if (memcmp(data + i, key, LENGTH) != 0) continue;
        size_t at = i + LENGTH;
        while (at < size && strchr(": \t\r\n\"'+", data[at]) && data[at] != '\0') at++;
        memcpy(number, data + at, size - at < ROOM ? size - at : ROOM);
        if (strtod(number, NULL) > 1000.0) return 1;
    }
    return 0;
}

/* Some steps of the solver, if the system is of a size that fuzzing can afford. */
static void try_out(const bri_sim_def *given) {
    const bri_system *y = &given->system;
    bri_sim_def def = *given;
    bri_sim *sim;
    bri_error err;
    if (y->n_bodies > 50 || y->n_contacts > 50 || y->n_couplings > 100) return;
    def.max_steps = 20;
    if (def.step > 0.0) def.t_end = def.t_start + 5.0 * def.step;
    if (bri_sim_create(&def, &sim, &err) != BRI_OK) {
        if (!err.text[0]) abort();
        return;
    }
    bri_sim_advance(sim, def.t_end, &err);
    for (int i = 0; i < y->n_bodies; i++) bri_sim_body(sim, i);
    for (int i = 0; i < y->n_contacts; i++) bri_sim_contact(sim, i);
    bri_sim_energies(sim);
    bri_sim_free(sim);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static bri_messages messages;
    bri_scenario *s;
    if (many(data, size)) return 0;
    bri_status status =
        bri_scenario_parse((const char *)data, size, "fuzz.yaml", NULL, &s, &messages);
    if ((status == BRI_OK) != (s != NULL) || (status != BRI_OK && messages.count == 0)) abort();
    if (!s) return 0;
    if (!bri_scenario_describe(s)) abort();
    try_out(bri_scenario_def(s));
    bri_scenario_free(s);
    return 0;
}
