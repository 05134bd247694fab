/* test_random_scenarios.c - scenarios made at random, read, described, run and judged as the
 * command does. Whatever they say, nothing is refused or given up without a reason; what is called
 * a success is finite, has the kinetic energy of its masses, an account of energy that closes to 1
 * % of what was turned over, and comes out the same once more. Sanitizers watch the rest.
 *   test_random_scenarios [COUNT [FIRST_SEED]]
 *   test_random_scenarios --write SEED      (writes that scenario to standard output) */
#include "bristle_study.h"
#include "random_scenario.h"
#include "test.h"

#include <stdlib.h>

static int count = SAMPLE(150, 50);
static uint64_t first = 1;
static author text;
static bri_messages messages;

typedef struct tally {
    int refused, uncreated, given_up, doubtful, fine, rows;
    double worst;
} tally;

/* Nonzero if the motion of a body is given, or it follows one of given motion through gears:
 * whoever moves those keeps no account. */
static int is_moved(const bri_system *y, int body, int depth) {
    if (body == BRI_GROUND || y->bodies[body].position || y->bodies[body].velocity) return 1;
    for (int i = 0; i < y->n_couplings && depth < y->n_bodies; i++) {
        const bri_coupling *c = &y->couplings[i];
        if (!c->kind->ratio || (c->a != body && c->b != body)) continue;
        if (is_moved(y, c->a == body ? c->b : c->a, depth + 1)) return 1;
    }
    return 0;
}

static double kinetic(bri_sim *sim, const bri_system *y) {
    double sum = 0.0;
    for (int i = 0; i < y->n_bodies; i++) {
        const bri_body *b = &y->bodies[i];
        bri_body_now now = bri_sim_body(sim, i);
        if (is_moved(y, i, 0)) continue;
        sum += 0.5 * b->mass * now.v * now.v;
        if (b->kind == BRI_POINT) sum += 0.5 * b->mass * now.vz * now.vz;
    }
    return sum;
}

/* What one run leaves behind. */
typedef struct outcome {
    bri_status status, verdict;
    bri_error err;
    bri_energies e;
    bri_findings seen;
    double turned; /* the most energy seen at the rows, in any place */
    double sum;    /* of all that was recorded */
    int rows, finite;
    double kinetic; /* of the masses, at the last row */
} outcome;

static outcome run_once(bri_sim *sim, const bri_scenario *s) {
    outcome o = {.finite = 1};
    const bri_sim_def *def = bri_scenario_def(s);
    bri_rows rows = bri_rows_of(def, bri_scenario_output(s));
    bri_recorder *r;
    bri_error err;
    if (bri_recorder_create(def, &r, &err) != BRI_OK) fail_msg("no recorder: %s", err.text);
    int n = bri_recorder_columns(r);
    double *row = calloc((size_t)n, sizeof *row);
    for (long i = 0; row && i < rows.count && o.status == BRI_OK; i++) {
        o.status = bri_sim_advance(sim, bri_row_time(&rows, i), &o.err);
        if (o.status != BRI_OK) break;
        bri_recorder_read(r, sim, row);
        o.rows++;
        for (int k = 0; k < n; k++) {
            o.finite &= isfinite(row[k]) != 0;
            o.sum += row[k] * (1.0 + k);
        }
        o.e = bri_sim_energies(sim);
        o.kinetic = kinetic(sim, &def->system);
        o.turned = fmax(o.turned, fmax(o.kinetic, fmax(fabs(o.e.dissipated), fabs(o.e.work))));
    }
    free(row);
    bri_recorder_free(r);
    bri_error doubt = {.text = ""};
    o.verdict = bri_sim_verdict(sim, &o.seen, &doubt);
    if (o.verdict != BRI_OK && !doubt.text[0]) fail_msg("a doubt without a reason");
    if (o.status != BRI_OK && !o.err.text[0]) fail_msg("a failure without a reason");
    return o;
}

static void judge(const outcome *o, unsigned long long seed, tally *sum) {
    double turned = fmax(o->turned, o->seen.turned);
    double share = turned > 0.0 ? fabs(o->e.residual) / turned : 0.0;
    if (!o->finite) fail_msg("scenario %llu: a row is not finite, at status 0", seed);
    if (share > 0.01)
        fail_msg("scenario %llu: the energies miss by %g of %g J, and nothing is said", seed,
                 o->e.residual, turned);
    if (fabs(o->e.kinetic - o->kinetic) > 1e-9 * fabs(o->kinetic) + 1e-300)
        fail_msg("scenario %llu: %.17g J of kinetic energy, its masses have %.17g J", seed,
                 o->e.kinetic, o->kinetic);
    sum->worst = fmax(sum->worst, share);
}

static void try_run(const bri_scenario *s, unsigned long long seed, tally *sum) {
    bri_sim *sim;
    bri_error err = {.text = ""};
    if (bri_sim_create(bri_scenario_def(s), &sim, &err) != BRI_OK) {
        if (!err.text[0]) fail_msg("scenario %llu is refused without a reason", seed);
        sum->uncreated++;
        return;
    }
    outcome o = run_once(sim, s);
    bri_sim_free(sim);
    sum->rows += o.rows;
    if (!o.finite) fail_msg("scenario %llu: a row is not finite", seed);
    if (o.status != BRI_OK) {
        sum->given_up++;
    } else if (o.verdict != BRI_OK) {
        sum->doubtful++;
    } else {
        judge(&o, seed, sum);
        sum->fine++;
    }
    if (seed % 10 == 0 && bri_sim_create(bri_scenario_def(s), &sim, &err) == BRI_OK) {
        outcome again = run_once(sim, s);
        bri_sim_free(sim);
        if (again.status != o.status || memcmp(&again.sum, &o.sum, sizeof o.sum) != 0)
            fail_msg("scenario %llu comes out as %.17g, then as %.17g", seed, o.sum, again.sum);
    }
}

static void scenarios(void **state) {
    tally sum = {0};
    for (uint64_t seed = first; seed < first + (uint64_t)count; seed++) {
        bri_scenario *s;
        scenario_write(&text, seed);
        bri_status status = bri_scenario_parse(text.text, text.used, "r.yaml", NULL, &s, &messages);
        if ((status == BRI_OK) != (s != NULL) || (status != BRI_OK && messages.count == 0))
            fail_msg("scenario %llu: status %d without a reason", (unsigned long long)seed, status);
        for (int i = 0; i < messages.count; i++)
            if (!messages.message[i].text[0]) fail_msg("an empty message");
        if (!s) {
            sum.refused++;
            continue;
        }
        if (!*bri_scenario_describe(s)) fail_msg("nothing is said of a scenario");
        try_run(s, (unsigned long long)seed, &sum);
        bri_scenario_free(s);
    }
    print_message("%d scenarios: %d refused, %d not created, %d given up, %d doubtful, %d fine; "
                  "%d rows, energies miss by %.2g at most\n",
                  count, sum.refused, sum.uncreated, sum.given_up, sum.doubtful, sum.fine, sum.rows,
                  sum.worst);
    /* one that only makes what is refused would show nothing */
    assert_true(10 * sum.fine > 2 * count);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(scenarios)};
    if (argc > 2 && strcmp(argv[1], "--write") == 0) {
        scenario_write(&text, strtoull(argv[2], NULL, 10));
        return fwrite(text.text, 1, text.used, stdout) != text.used;
    }
    if (argc > 1) count = atoi(argv[1]);
    if (argc > 2) first = strtoull(argv[2], NULL, 10);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
