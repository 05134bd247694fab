/* settings.c - what a sweep was asked for, as text: "key: value" lines that files keep, so that
 * nobody goes on with results of something else. */
#define _POSIX_C_SOURCE 200809L
#include "ensemble.h"

#include "bristle_law.h"
#include "bristle_tools.h"

#include "../memtext.h"
#include "../output/number.h"
#include "../scenario/csv.h"

#include <stdlib.h>
#include <string.h>

#define NO_BYTES 0xcbf29ce484222325ull

static bri_status no_memory(bri_error *err) {
    return bri_fail(err, BRI_NO_MEMORY, "%s", bri_status_text(BRI_NO_MEMORY));
}

/* FNV-1a of the bytes of a file or a text. */
static unsigned long long digest(const char *text, size_t size, unsigned long long hash) {
    for (size_t i = 0; i < size; i++) hash = (hash ^ (unsigned char)text[i]) * 0x100000001b3ull;
    return hash;
}

static bri_status digest_file(const char *file, unsigned long long *hash, bri_error *err) {
    size_t length;
    bri_error why = {0};
    char *text = read_file(file, (size_t)1 << 30, &length, &why);
    if (!text) return bri_fail(err, why.status, "%.200s: %.200s", file, why.text);
    *hash = digest(text, length, *hash);
    free(text);
    return BRI_OK;
}

/* "key: value", a line; line ends within the value become blanks. */
static int setting(line *to, const char *key, const char *value) {
    if (!line_text(to, key) || !line_text(to, ": ")) return 0;
    for (; *value; value++)
        if (!line_put(to, *value == '\n' || *value == '\r' ? " " : value, 1)) return 0;
    return line_text(to, "\n");
}

static int setting_number(line *to, const char *key, double value) {
    char text[NUMBER_ROOM + 1];
    *number_put(text, value) = '\0';
    return setting(to, key, text);
}

/* Of the scenario with all that it reads, and of the points. */
static bri_status digest_input(const bri_sweep_def *def, const bri_scenario *scenario,
                               unsigned long long *hash, bri_error *err) {
    const char *file, *shipped;
    bri_status status = BRI_OK;
    *hash = NO_BYTES;
    if (!def->scenario) return BRI_OK;
    if (bri_scenario_file(scenario, 0) == NULL &&
        (shipped = bri_scenario_text(def->scenario)) != NULL)
        *hash = digest(shipped, strlen(shipped), *hash);
    for (int i = 0; status == BRI_OK && (file = bri_scenario_file(scenario, i)) != NULL; i++)
        status = digest_file(file, hash, err);
    if (status == BRI_OK && def->points) status = digest_file(def->points, hash, err);
    return status;
}

/* A law that a file has brought, by what it does: the file may be another one tomorrow. Those that
 * come with the library change with its version. */
static bri_status setting_of_law(line *to, const bri_model *m, bri_error *err) {
    bri_setup s;
    memtext made;
    bri_error why = {0};
    line key = {0};
    char hash[40];
    if (bri_model_find(m->name) || bri_law_page(m->name)) return BRI_OK;
    bri_setup_init(&s, m);
    if (!memtext_open(&made)) return no_memory(err);
    bri_status status = bri_law_export(&s, BRI_TO_C, made.out, &why);
    char *text = memtext_close(&made);
    if (!text || status == BRI_NO_MEMORY) {
        free(text);
        return no_memory(err);
    }
    if (status == BRI_OK) { /* else it is no page, or has names that C has not */
        snprintf(hash, sizeof hash, "%016llx", digest(text, strlen(text), NO_BYTES));
        if (!line_text(&key, "digest of the law ") || !line_text(&key, m->name) ||
            !setting(to, key.text, hash))
            status = no_memory(err);
        free(key.text);
    }
    free(text);
    return status == BRI_NO_MEMORY ? status : BRI_OK;
}

/* Every law that is used, once. */
static bri_status settings_of_laws(line *to, const bri_sweep_def *def, const bri_scenario *scenario,
                                   bri_error *err) {
    bri_status status = BRI_OK;
    for (int i = 0; i < def->n_laws && status == BRI_OK; i++)
        status = setting_of_law(to, def->laws[i], err);
    if (def->n_laws > 0 || !scenario) return status;
    const bri_system *s = &bri_scenario_def(scenario)->system;
    for (int i = 0; i < s->n_contacts && status == BRI_OK; i++) {
        int seen = 0;
        for (int k = 0; k < i && !seen; k++) seen = s->contacts[k].model == s->contacts[i].model;
        if (!seen) status = setting_of_law(to, s->contacts[i].model, err);
    }
    return status;
}

static int settings_of_input(const bri_sweep_def *def, unsigned long long hash, line *to) {
    char text[40];
    int good = setting(to, "bristle", bri_version());
    if (!def->scenario) return good && setting(to, "function", "given in C");
    snprintf(text, sizeof text, "%016llx", hash);
    good =
        good && setting(to, "scenario", def->scenario) && setting(to, "digest of its files", text);
    for (int i = 0; i < def->n_overrides && good; i++) {
        line change = {0};
        good = line_text(&change, def->overrides[i].key) && line_text(&change, "=") &&
               line_text(&change, def->overrides[i].value) && setting(to, "set", change.text);
        free(change.text);
    }
    return good;
}

static int settings_of_list(line *to, const char *key, const char *const *list, int count) {
    int good = 1;
    for (int i = 0; i < count && good; i++) good = setting(to, key, list[i]);
    return good;
}

/* One column: "axis, m/s, log, belt.velocity", and its words. */
static int settings_of_column(line *to, const sheet_column *c) {
    static const char *const kinds[] = {"axis", "choice", "measure"};
    line text = {0};
    int good = line_text(&text, kinds[c->kind]) && line_text(&text, ", ") &&
               line_text(&text, c->unit) &&
               line_text(&text, c->random        ? ", random, "
                                : c->logarithmic ? ", log, "
                                                 : ", plain, ") &&
               line_text(&text, c->name) && setting(to, "column", text.text);
    text.used = 0;
    for (int k = 0; k < c->n_words && good; k++)
        good = line_text(&text, k > 0 ? "|" : "") && line_text(&text, c->words[k]);
    if (good && c->n_words > 0) good = setting(to, "words", text.text);
    free(text.text);
    return good;
}

bri_status make_settings(bri_sweep *s, const bri_sweep_def *def, const bri_scenario *scenario,
                         bri_error *err) {
    const design *d = &s->design;
    line to = {0};
    unsigned long long hash;
    bri_status status = digest_input(def, scenario, &hash, err);
    if (status != BRI_OK) return status;
    int good = settings_of_input(def, hash, &to) &&
               settings_of_list(&to, "vary", def->vary, def->n_vary) &&
               settings_of_list(&to, "random", def->random, def->n_random) &&
               settings_of_list(&to, "each", def->each, def->n_each) &&
               settings_of_list(&to, "correlate", def->correlate, def->n_correlate) &&
               settings_of_list(&to, "measure", def->measures, def->n_measures);
    if (good && def->points) good = setting(&to, "points from", def->points);
    if (good && design_by_chance(d))
        good = setting_number(&to, "samples", (double)(d->base > 0 ? d->base : 100)) &&
               setting_number(&to, "seed", d->seed) &&
               setting(&to, "sampling", bri_sampling_name(d->sampling));
    for (int i = 0; i < def->n_laws && good; i++) good = setting(&to, "model", def->laws[i]->name);
    for (int i = 0; i < def->n_solvers && good; i++)
        good = setting(&to, "solver", bri_solver_name(def->solvers[i]));
    if (good && (status = settings_of_laws(&to, def, scenario, err)) != BRI_OK) {
        free(to.text);
        return status;
    }
    if (good && def->from > 0.0) good = setting_number(&to, "measured from [s]", def->from);
    if (good && def->slip_speed > 0.0)
        good = setting_number(&to, "slip speed [m/s]", def->slip_speed);
    for (int i = 0; i < s->sheet.n_columns && good; i++)
        good = settings_of_column(&to, &s->sheet.columns[i]);
    good = good && setting_number(&to, "points", (double)d->points);
    if (!good) {
        free(to.text);
        return no_memory(err);
    }
    s->sheet.settings = to.text;
    return BRI_OK;
}

bri_status settings_refuse(const char *what, const char *there, size_t length, const char *here,
                           const char *advice, bri_error *err) {
    const char *end = there + length;
    while (there < end && *here) {
        const char *stop = memchr(there, '\n', (size_t)(end - there));
        size_t n = stop ? (size_t)(stop - there) : (size_t)(end - there), m = strcspn(here, "\n");
        int same = n == m && strncmp(there, here, n) == 0;
        if (!same && strncmp(there, "digest", 6) == 0 && strncmp(here, "digest", 6) == 0)
            return bri_fail(err, BRI_BAD_VALUE,
                            "a file that the sweep reads has changed since %.100s was made; %s",
                            what, advice);
        if (!same)
            return bri_fail(err, BRI_BAD_VALUE,
                            "%.100s was made with other settings: '%.*s' there, '%.*s' here; %s",
                            what, (int)(n < 90 ? n : 90), there, (int)(m < 90 ? m : 90), here,
                            advice);
        there += n + (stop != NULL);
        here += m + (here[m] == '\n');
    }
    int more = there < end; /* such as a part */
    const char *left = more ? there : here;
    const char *stop = memchr(left, '\n', more ? (size_t)(end - left) : strlen(left));
    int n = (int)(stop ? stop - left : (long)(more ? (size_t)(end - left) : strlen(left)));
    return bri_fail(err, BRI_BAD_VALUE, "%.100s was made with other settings: '%.*s' only %s; %s",
                    what, n < 90 ? n : 90, left, more ? "there" : "here", advice);
}
