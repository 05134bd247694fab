/* texts.h - scenarios from text, for tests. */
#ifndef BRI_TEXTS_H
#define BRI_TEXTS_H

#include "bristle_scenario.h"
#include "test.h"

static bri_messages messages;

static inline bri_scenario *read_with(const char *text, const bri_scenario_options *options) {
    bri_scenario *s;
    if (bri_scenario_parse(text, strlen(text), "test.yaml", options, &s, &messages) != BRI_OK)
        fail_msg("%s\n%s", messages.message[0].text, text);
    return s;
}

static inline bri_scenario *read_text(const char *format, ...) {
    static char text[20000];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return read_with(text, NULL);
}

static inline const bri_system *system_of(const bri_scenario *s) {
    return &bri_scenario_def(s)->system;
}

static const char rig[] =
    "title: A rig\n"
    "bodies:\n"
    "  block: {mass: 2 kg, v: 0.5 m/s}\n"
    "  slab: {velocity: 0.5 m/s}\n"
    "couplings:\n"
    "  - {spring: [ground, block], stiffness: 10 N/m}\n"
    "contacts:\n"
    "  pad: {between: [block, slab], load: 20 N, model: lugre, mu_c: 0.5, mu_s: 0.7,\n"
    "        sigma0: 98100 N/m, sigma1: 780 N s/m}\n"
    "drives:\n"
    "  push: {on: block, force: {sine: {amplitude: 1 N, frequency: 2 Hz}}}\n"
    "run: {until: 3 s}\n"
    "compare: {models: {dahl: {sigma0: 5e4 N/m}, lugre: {}}}\n";

#endif
