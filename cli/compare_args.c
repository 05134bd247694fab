/* compare_args.c - what the command line of bristle compare asks for. */
#include "compare_args.h"

#include <stdlib.h>
#include <string.h>

static int out_of_memory(void) {
    complain("%s", bri_status_text(BRI_NO_MEMORY));
    return RUN_FAILED;
}

/* ---- lists on the command line --------------------------------------------------------------- */

enum { WORD = 100 };

/* The next entry of "a,b,c" at *at, which moves on; 0 at the end. */
static int next_word(const char **at, char word[WORD]) {
    if (!*at) return 0;
    const char *comma = strchr(*at, ',');
    size_t length = comma ? (size_t)(comma - *at) : strlen(*at);
    const char *from = *at + strspn(*at, " ");
    if (from > *at + length) from = *at + length;
    length -= (size_t)(from - *at);
    while (length > 0 && from[length - 1] == ' ') length--;
    snprintf(word, WORD, "%.*s", (int)(length < WORD ? length : WORD - 1), from);
    *at = comma ? comma + 1 : NULL;
    return 1;
}

static int count_words(const char *list) {
    int count = 1;
    for (; *list; list++) count += *list == ',';
    return count;
}

static int read_laws(compare_request *r, const args *a, const char *list) {
    if (!list) return DONE;
    int all = strcmp(list, "all") == 0,
        most = all ? bri_laws_count(a->known->laws) : count_words(list);
    char word[WORD];
    r->laws = calloc((size_t)most, sizeof *r->laws);
    r->random = calloc((size_t)most, sizeof *r->random);
    if (!r->laws || !r->random) return out_of_memory();
    r->def.laws = r->laws;
    for (int i = 0; all && i < most; i++) r->laws[r->def.n_laws++] = bri_laws_at(a->known->laws, i);
    for (const char *at = all ? NULL : list; next_word(&at, word);) {
        const bri_model *m = law_find(a, word, &r->random[r->n_random]);
        r->n_random++;
        if (!m) return WRONG_USAGE;
        for (int i = 0; i < r->def.n_laws; i++)
            if (strcmp(r->laws[i]->name, m->name) == 0) {
                complain("--models: %s is named twice", m->name);
                return WRONG_USAGE;
            }
        r->laws[r->def.n_laws++] = m;
    }
    return DONE;
}

static int read_solvers(compare_request *r, const char *list) {
    if (!list) return DONE;
    int all = strcmp(list, "all") == 0, most = all ? bri_solver_count() : count_words(list);
    char word[WORD];
    r->solvers = calloc((size_t)most, sizeof *r->solvers);
    if (!r->solvers) return out_of_memory();
    r->def.solvers = r->solvers;
    for (int i = 0; all && i < most; i++) r->solvers[r->def.n_solvers++] = bri_solver_at(i);
    for (const char *at = all ? NULL : list; next_word(&at, word);) {
        const bri_solver *s = bri_solver_find(word);
        if (!s) return no_solver(word);
        for (int i = 0; i < r->def.n_solvers; i++)
            if (r->solvers[i] == s) {
                complain("--solvers: %s is named twice", word);
                return WRONG_USAGE;
            }
        r->solvers[r->def.n_solvers++] = s;
    }
    return DONE;
}

static int read_tolerances(compare_request *r, const char *list) {
    if (!list) return DONE;
    char word[WORD];
    r->rtol = calloc((size_t)count_words(list), sizeof *r->rtol);
    if (!r->rtol) return out_of_memory();
    r->def.rtol = r->rtol;
    for (const char *at = list; next_word(&at, word);) {
        bri_error err;
        double value = 0.0;
        if (bri_quantity(word, "1", &value, &err) != BRI_OK || !(value > 0.0 && value < 1.0)) {
            complain("--rtol: '%s' is no tolerance: a number between 0 and 1, such as 1e-6", word);
            return WRONG_USAGE;
        }
        for (int i = 0; i < r->def.n_rtol; i++)
            if (r->rtol[i] == value) {
                complain("--rtol: %s is given twice", word);
                return WRONG_USAGE;
            }
        r->rtol[r->def.n_rtol++] = value;
    }
    return DONE;
}

/* ---- the reference --------------------------------------------------------------------------- */

/* Names of laws have no point or slash. */
static int is_file(const char *name) { return strpbrk(name, "./") != NULL; }

static int read_reference(compare_request *r, const args *a) {
    const char *given = args_get(a, "--reference"), *shift = args_get(a, "--shift");
    if (given && is_file(given))
        r->def.measured = given;
    else if (given && (r->def.reference = law_find(a, given, &r->reference)) == NULL)
        return WRONG_USAGE;
    r->def.map = args_get(a, "--map");
    if ((r->def.map || shift) && !r->def.measured) {
        complain("%s is for measured data: name them with --reference FILE.csv",
                 r->def.map ? "--map" : "--shift");
        return WRONG_USAGE;
    }
    r->def.find_shift = shift && strcmp(shift, "auto") == 0;
    return r->def.find_shift ? DONE : args_quantity(a, "--shift", "s", &r->def.shift);
}

int compare_request_read(compare_request *r, const args *a) {
    if (one_scenario(a) != DONE) return WRONG_USAGE;
    r->def.scenario = a->words[0];
    r->def.known = a->known->laws;
    r->def.column = args_get(a, "--column");
    r->def.limit = 20.0;
    int failed = check_plot_name(args_get(a, "--plot"));
    if (!failed) failed = check_output(args_get(a, "--output"));
    if (!failed) failed = args_quantity(a, "--limit", "s", &r->def.limit);
    if (!failed && r->def.limit < 0.0) {
        complain("--limit = %g s must be >= 0", r->def.limit);
        failed = WRONG_USAGE;
    }
    if (!failed) failed = args_whole(a, "--threads", 1, 1024, &r->def.threads);
    if (!failed) failed = changes_from_args(&r->changes, a, "--rtol");
    r->def.overrides = r->changes.list;
    r->def.n_overrides = r->changes.count;
    if (!failed) failed = read_laws(r, a, args_get(a, "--models"));
    if (!failed) failed = read_solvers(r, args_get(a, "--solvers"));
    if (!failed) failed = read_tolerances(r, args_get(a, "--rtol"));
    return failed ? failed : read_reference(r, a);
}

void compare_request_free(compare_request *r) {
    for (int i = 0; i < r->n_random; i++) free(r->random[i]);
    changes_free(&r->changes);
    free(r->laws);
    free(r->random);
    free(r->solvers);
    free(r->rtol);
    free(r->reference);
}
