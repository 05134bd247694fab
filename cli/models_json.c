/* models_json.c - the laws as JSON (RFC 8259): everything the tables hold. */
#include "cli.h"

#include <math.h>

static void put_string(const char *text) {
    putchar('"');
    for (; text && *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            printf("\\%c", c);
        else if (c == '\n')
            fputs("\\n", stdout);
        else if (c < 0x20)
            printf("\\u%04x", c);
        else
            putchar(c);
    }
    putchar('"');
}

static void put_number(double x) {
    if (isfinite(x))
        printf("%.17g", x);
    else
        fputs("null", stdout);
}

static void put_key(const char *key) {
    put_string(key);
    fputs(": ", stdout);
}

static void put_pair(const char *key, const char *text, const char *after) {
    put_key(key);
    put_string(text);
    fputs(after, stdout);
}

static void put_value(const char *key, double x, const char *after) {
    put_key(key);
    put_number(x);
    fputs(after, stdout);
}

static void put_param(const bri_param *row) {
    fputs("        {", stdout);
    put_pair("name", row->name, ", ");
    put_pair("unit", row->unit, ", ");
    put_value("default", row->def, ", ");
    put_value("min", row->min, ", ");
    put_value("max", row->max, ", ");
    put_key("force");
    if (row->force)
        put_string(row->force);
    else
        fputs("null", stdout);
    printf(", \"whole\": %s, ", row->whole ? "true" : "false");
    put_pair("role", bri_role_name(row->role), ", ");
    put_pair("text", row->text, "}");
}

static void put_state(const bri_state *row) {
    fputs("        {", stdout);
    put_pair("name", row->name, ", ");
    put_pair("unit", row->unit, ", ");
    put_value("nominal", row->nominal, ", ");
    printf("\"even\": %s, ", row->even ? "true" : "false");
    put_pair("text", row->text, "}");
}

static void put_trait(const bri_traits *traits, int t) {
    fputs("        {", stdout);
    put_pair("name", bri_trait_name((bri_trait)t), ", ");
    printf("\"has\": %s, ", traits->has[t] ? "true" : "false");
    put_value("value", traits->value[t], "}");
}

static void put_model(const law_facts *fact) {
    const bri_model *m = fact->model;
    double p[BRI_MAX_PARAMS];
    bri_model_defaults(m, p);
    int states = bri_model_states(m, p);
    fputs("    {\n      ", stdout);
    put_pair("name", fact->name, ",\n      ");
    put_pair("title", m->title, ",\n      ");
    put_pair("equations", fact->equations, ",\n      ");
    put_pair("limits", m->limits, ",\n      ");
    put_pair("cite", m->cite, ",\n      ");
    put_pair("defaults", m->defaults, ",\n      ");
    put_value("load", m->load, ",\n      ");
    put_value("step_order", m->step_order, ",\n      ");
    put_value("roots", m->n_roots, ",\n      ");
    fputs("\"params\": [\n", stdout);
    for (int i = 0; i < m->n_params; i++) {
        put_param(&m->params[i]);
        puts(i + 1 < m->n_params ? "," : "");
    }
    puts("      ],\n      \"states\": [");
    for (int i = 0; i < states; i++) {
        put_state(&m->states[i]);
        puts(i + 1 < states ? "," : "");
    }
    puts("      ],\n      \"traits\": [");
    for (int t = 0; t < BRI_TRAIT_COUNT; t++) {
        put_trait(&fact->traits, t);
        puts(t + 1 < BRI_TRAIT_COUNT ? "," : "");
    }
    fputs("      ]\n    }", stdout);
}

void models_json(const law_facts *facts, int count) {
    fputs("{\n  ", stdout);
    put_pair("version", bri_version(), ",\n  ");
    puts("\"traits\": [");
    for (int t = 0; t < BRI_TRAIT_COUNT; t++) {
        fputs("    {", stdout);
        put_pair("name", bri_trait_name((bri_trait)t), ", ");
        put_pair("meaning", bri_trait_meaning((bri_trait)t), ", ");
        put_pair("measured", bri_trait_text((bri_trait)t), "}");
        puts(t + 1 < BRI_TRAIT_COUNT ? "," : "");
    }
    puts("  ],\n  \"models\": [");
    for (int i = 0; i < count; i++) {
        put_model(&facts[i]);
        puts(i + 1 < count ? "," : "");
    }
    puts("  ]\n}");
}
