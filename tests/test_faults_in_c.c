/* test_faults_in_c.c - every call of the library for memory and to the file system fails, once and
 * from then on. Each call of the C interface then says so by its status and a sentence, or gives
 * the result as if nothing had been; sanitizers watch that nothing is lost, torn or used after.
 * Linked with --wrap for the calls below; those inside other shared libraries are not seen. */
#define _POSIX_C_SOURCE 200809L
#include "bristle_law.h"
#include "bristle_study.h"
#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/types.h>
#include <unistd.h>

/* ---- calls that fail ------------------------------------------------------------------------- */

static long calls, wanted;
static int on, armed;

static int fails(void) {
    if (!armed) return 0;
    long now = ++calls;
    return wanted > 0 && (now == wanted || (on && now > wanted));
}

#define WRAP(type, name, parameters, arguments, failed, why)                                       \
    type __real_##name parameters;                                                                 \
    type __wrap_##name parameters;                                                                 \
    type __wrap_##name parameters {                                                                \
        if (!fails()) return __real_##name arguments;                                              \
        errno = why;                                                                               \
        return failed;                                                                             \
    }

WRAP(void *, malloc, (size_t size), (size), NULL, ENOMEM)
WRAP(void *, calloc, (size_t count, size_t size), (count, size), NULL, ENOMEM)
WRAP(void *, realloc, (void *old, size_t size), (old, size), NULL, ENOMEM)
WRAP(char *, strdup, (const char *text), (text), NULL, ENOMEM)
WRAP(FILE *, fopen, (const char *name, const char *how), (name, how), NULL, EMFILE)
WRAP(FILE *, open_memstream, (char **text, size_t *size), (text, size), NULL, ENOMEM)
WRAP(locale_t, newlocale, (int mask, const char *name, locale_t base), (mask, name, base), NULL,
     ENOMEM)
WRAP(ssize_t, write, (int fd, const void *data, size_t size), (fd, data, size), -1, ENOSPC)
WRAP(int, rename, (const char *from, const char *to), (from, to), -1, EIO)
WRAP(int, fsync, (int fd), (fd), -1, EIO)

int __real_close(int fd);
int __wrap_close(int fd);
int __wrap_close(int fd) { /* a failed close has closed */
    int result = __real_close(fd);
    if (!fails()) return result;
    errno = EIO;
    return -1;
}

int __real_open(const char *name, int how, ...);
int __wrap_open(const char *name, int how, ...);
int __wrap_open(const char *name, int how, ...) {
    va_list rest;
    va_start(rest, how);
    int mode = how & O_CREAT ? va_arg(rest, int) : 0;
    va_end(rest);
    if (!fails()) return __real_open(name, how, mode);
    errno = EMFILE;
    return -1;
}

/* ---- what is done ---------------------------------------------------------------------------- */

static bri_error said;
static uint64_t result; /* of all bytes that the last call gave */

/* FNV-1a, 64 bits. */
static void give(const void *data, size_t size) {
    for (size_t i = 0; i < size; i++) {
        result ^= ((const unsigned char *)data)[i];
        result *= 1099511628211u;
    }
}

static void give_file(const char *name) {
    FILE *in = __real_fopen(name, "rb");
    char block[4096];
    if (!in) fail_msg("%s is not there, at status 0", name);
    for (size_t n; (n = fread(block, 1, sizeof block, in)) > 0;) give(block, n);
    fclose(in);
}

static bri_status load(bri_scenario **s) {
    static bri_messages messages;
    static const bri_override changes[] = {{"run.until", "0.05 s"}, {"pad.sigma0", "1e5 N/m"}};
    const bri_scenario_options how = {.overrides = changes, .n_overrides = 2};
    bri_status status = bri_scenario_load("rabinowicz", &how, s, &messages);
    if (messages.count > 0) said = messages.message[0];
    return status;
}

static bri_status describe(void) {
    bri_scenario *s;
    bri_status status = load(&s);
    const char *text = status == BRI_OK ? bri_scenario_describe(s) : "";
    give(text, strlen(text));
    if (status == BRI_OK && (!*text || strstr(text, "not enough memory"))) {
        status = BRI_NO_MEMORY;
        strcpy(said.text, "told");
    }
    bri_scenario_free(s);
    return status;
}

static const char *solver, *file;

static bri_status write_rows(bri_sim *sim, const bri_sim_def *def) {
    bri_recorder *r = NULL;
    bri_writer *w = NULL;
    double row[100];
    bri_status status = bri_recorder_create(def, &r, &said);
    const bri_run_head head = {
        .title = "t", .source = "s", .def = def, .recorder = r, .output = 0.01};
    if (status == BRI_OK) status = bri_writer_open(&head, file, &w, &said);
    for (int i = 0; i <= 5 && status == BRI_OK; i++) {
        status = bri_sim_advance(sim, 0.01 * i, &said);
        if (status == BRI_OK) {
            bri_recorder_read(r, sim, row);
            give(row, sizeof *row * (size_t)bri_recorder_columns(r));
            status = bri_writer_row(w, row, &said);
        }
    }
    const bri_run_end end = {.stats = bri_sim_stats(sim), .energies = bri_sim_energies(sim)};
    bri_status closed = bri_writer_close(w, status ? NULL : &end, status ? NULL : &said);
    bri_recorder_free(r);
    if (!status && !closed && strcmp(file, "/dev/null") != 0) give_file(file);
    return status ? status : closed;
}

static bri_status run(void) {
    bri_scenario *s;
    bri_sim *sim = NULL;
    bri_status status = load(&s);
    if (status == BRI_OK) {
        bri_sim_def def = *bri_scenario_def(s);
        def.solver = bri_solver_find(solver);
        def.step = 1e-4;
        status = bri_sim_create(&def, &sim, &said);
        if (status == BRI_OK) status = write_rows(sim, &def);
    }
    bri_sim_free(sim);
    bri_scenario_free(s);
    return status;
}

static bri_status compare(void) {
    static bri_messages messages;
    static const bri_override until = {"run.until", "0.1 s"};
    const bri_model *law = bri_model_find("dahl");
    const bri_compare_def def = {.scenario = "rabinowicz",
                                 .overrides = &until,
                                 .n_overrides = 1,
                                 .laws = &law,
                                 .n_laws = 1,
                                 .threads = 1};
    bri_compare *c = NULL;
    bri_status status = bri_compare_run(&def, NULL, &c, &messages);
    if (messages.count > 0) said = messages.message[0];
    for (int i = 0; status == BRI_OK && i < c->n_rows; i++) {
        bri_compare_row *r = &c->rows[i];
        r->seconds = r->Psi = 0.0; /* as fast as the machine */
        if (r->err.status == BRI_NO_MEMORY) status = r->err.status, said = r->err;
    }
    if (status == BRI_OK) {
        char *text = NULL;
        size_t size = 0;
        bri_table *t = bri_compare_table(c, 1);
        FILE *out = open_memstream(&text, &size);
        status = t && out ? bri_table_write(t, BRI_FORM_JSON, out, &said) : BRI_NO_MEMORY;
        if (!t || !out) strcpy(said.text, "no table");
        if (out && fclose(out) == 0 && status == BRI_OK) give(text, size);
        free(text);
        bri_table_free(t);
    }
    bri_compare_free(c);
    return status;
}

static bri_status report(void) {
    static const bri_column columns[] = {{.key = "a"}, {.key = "b", .digits = 3}};
    bri_report *r = NULL;
    bri_table *t = bri_table_create("Title", columns, 2);
    if (t) {
        bri_table_text(t, "text", BRI_TONE_GOOD);
        bri_table_number(t, 1.5, BRI_TONE_PLAIN);
    }
    bri_status status =
        t ? bri_report_create("test_faults.dir", "Report", &r, &said) : BRI_NO_MEMORY;
    if (!t) strcpy(said.text, "no table");
    if (status == BRI_OK) {
        bri_report_text(r, "words");
        bri_report_table(r, "table", t);
        status = bri_report_close(r, "command", &said);
    }
    if (status == BRI_OK) give_file("test_faults.dir/table.csv");
    if (status == BRI_OK) {
        char *text = NULL;
        size_t size = 0;
        FILE *out = open_memstream(&text, &size);
        status = out ? bri_table_write(t, BRI_FORM_TEXT, out, &said) : BRI_NO_MEMORY;
        if (!out) strcpy(said.text, "no memory to write to");
        if (out && fclose(out) == 0 && status == BRI_OK) give(text, size);
        free(text);
    }
    bri_table_free(t);
    return status;
}

static bri_status quantity(void) {
    double value = 0.0;
    bri_status status = bri_quantity("10 mm/s", "m/s", &value, &said);
    give(&value, sizeof value);
    return status;
}

static const char *law_name;

/* A law from its page, written as a program and stepped. */
static bri_status own_law(void) {
    static bri_messages messages;
    const char *page = bri_law_page(law_name);
    bri_law *l;
    bri_status status = bri_law_parse(page, strlen(page), "page.yaml", &l, &messages);
    if (messages.count > 0) said = messages.message[0];
    if (status != BRI_OK) return status;
    char *text = NULL;
    size_t size = 0;
    bri_setup s;
    FILE *out = open_memstream(&text, &size);
    bri_setup_init(&s, bri_law_model(l));
    status = bri_setup_finish(&s, 0.0, &said);
    if (!out) status = BRI_NO_MEMORY, strcpy(said.text, "no stream");
    for (int to = 0; to < BRI_LANGUAGE_COUNT && status == BRI_OK; to++)
        status = bri_law_export(&s, (bri_language)to, out, &said);
    if (out && fclose(out) == 0 && status == BRI_OK) give(text, size);
    if (status == BRI_OK) {
        bri_input in = {.v = 0.01, .n = s.load};
        double z[BRI_MAX_STATES] = {0}, F = 0.0;
        for (int i = 0; i < 10; i++) F = bri_model_step(s.model, s.p, &in, 1e-4, z);
        give(&F, sizeof F);
    }
    free(text);
    bri_law_free(l);
    return status;
}

/* ---- the loops ------------------------------------------------------------------------------- */

static int tried, got_over;

/* All faults, or at most so many of them evenly spread. */
static void all_faults(bri_status (*act)(void), const char *what) {
    act(); /* what it writes is there before, as it is when calls fail: as many calls */
    wanted = calls = 0;
    armed = 1;
    result = 0;
    bri_status status = act();
    armed = 0;
    if (status != BRI_OK) fail_msg("%s: %s", what, said.text);
    uint64_t good = result;
    long count = calls, most = USUALLY(200, 120, 30), step = (count + most - 1) / most;
    assert_true(count > 0);
    for (on = 0; on <= 1; on++)
        for (long n = 1; n <= count; n += step) {
            said = (bri_error){0};
            wanted = n;
            calls = 0;
            armed = 1;
            result = 0;
            status = act();
            armed = 0;
            tried++;
            got_over += status == BRI_OK;
            if (status == BRI_OK && result != good)
                fail_msg("%s: fault %ld of %ld passes for another result", what, n, count);
            if (status == BRI_OK) continue;
            if (status != BRI_NO_MEMORY && status != BRI_BAD_FILE && status != BRI_MISSING)
                fail_msg("%s: fault %ld of %ld gives status %d: %s", what, n, count, status,
                         said.text);
            if (!said.text[0]) fail_msg("%s: fault %ld of %ld is not told", what, n, count);
        }
    print_message("%s: %ld calls\n", what, count);
}

static void texts(void **state) {
    all_faults(quantity, "a quantity");
    all_faults(describe, "a scenario");
    static const char *const laws[] = {"dahl", "stribeck", "elasto_plastic"};
    for (int i = 0; i < 3; i++) {
        law_name = laws[i];
        all_faults(own_law, law_name);
    }
}

static void runs(void **state) {
    static const char *const files[] = {"test_faults.csv", "test_faults.json", "test_faults.mat"};
    solver = "rosenbrock";
    for (int i = 0; i < 3; i++) {
        file = files[i];
        all_faults(run, file);
        unlink(file);
    }
    file = "/dev/null";
    for (int i = 0; i < bri_solver_count(); i++) {
        solver = bri_solver_name(bri_solver_at(i));
        all_faults(run, solver);
    }
}

static void studies(void **state) {
    all_faults(compare, "a comparison");
    all_faults(report, "a report");
    unlink("test_faults.dir/report.html");
    unlink("test_faults.dir/table.csv");
    if (rmdir("test_faults.dir") != 0) fail_msg("files are left beside the report");
    print_message("%d faults, %d got over\n", tried, got_over);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(texts), cmocka_unit_test(runs),
                                       cmocka_unit_test(studies)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
