/* text.c - what a command line gives under coverage-guided fuzzing: a quantity, a parameter of a
 * law, a change to a scenario, a choice of columns. The first byte says which. */
#include "bristle_study.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void quantity(const char *text) {
    double value;
    bri_error err;
    if (bri_quantity(text, "m/s", &value, &err) == BRI_OK && !isfinite(value)) abort();
}

static void parameter(const char *text) {
    char name[100] = "";
    const char *equals = strchr(text, '=');
    bri_error err;
    bri_setup s;
    if (!equals || equals - text >= (long)sizeof name) return;
    memcpy(name, text, (size_t)(equals - text));
    bri_setup_init(&s, bri_model_find("lugre"));
    if (bri_setup_set(&s, name, equals + 1, &err) == BRI_OK &&
        bri_setup_finish(&s, 0.0, &err) == BRI_OK && !isfinite(bri_steady_force(&s, 1e-3)))
        abort();
}

static void change(const char *text) {
    static bri_messages messages;
    char key[200] = "";
    static const char rig[] = "bodies: {block: {mass: 20 kg}, slab: {velocity: 0.5 m/s}}\n"
                              "contacts: {pad: {between: [block, slab], load: 9 N, model: lugre}}\n"
                              "run: {until: 1 s}\n";
    const char *equals = strchr(text, '=');
    bri_scenario *s;
    if (!equals || equals - text >= (long)sizeof key) return;
    memcpy(key, text, (size_t)(equals - text));
    const bri_override change = {key, equals + 1};
    const bri_scenario_options options = {.overrides = &change, .n_overrides = 1};
    bri_status status = bri_scenario_parse(rig, strlen(rig), "rig.yaml", &options, &s, &messages);
    if ((status == BRI_OK) != (s != NULL) || (status != BRI_OK && messages.count == 0)) abort();
    bri_scenario_free(s);
}

static void columns(const char *text) {
    static bri_messages messages;
    static bri_scenario *s; /* the same for all */
    bri_recorder *r;
    bri_error err;
    if (!s && bri_scenario_load("rabinowicz", NULL, &s, &messages) != BRI_OK) abort();
    if (bri_recorder_create(bri_scenario_def(s), &r, &err) != BRI_OK) abort();
    bri_recorder_select(r, text, &err);
    if (bri_recorder_columns(r) < 1) abort();
    bri_recorder_free(r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static void (*const all[])(const char *) = {quantity, parameter, change, columns};
    if (size < 1 || size > 4000) return 0;
    char *text = calloc(size, 1); /* one byte less and the end */
    if (!text) return 0;
    memcpy(text, data + 1, size - 1);
    all[data[0] % 4](text);
    free(text);
    return 0;
}
