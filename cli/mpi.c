/* mpi.c - bristle-mpi: 'bristle sweep' among the ranks of an MPI job.
 *
 * Rank 0 has the results and their file, and hands out points, fewer at a time the fewer are left;
 * the others compute them, each with the threads of --threads. A message is some doubles: from a
 * helper ASK (none), RESULT (some points) and BYE (none); to it WORK (points, none: it is done). */
#define _POSIX_C_SOURCE 200809L
#include "cli.h"
#include "watch.h"

#include <mpi.h>

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { ASK, RESULT, BYE, WORK };
enum { MOST_AT_ONCE = 64, SHARE = 4 }; /* points per message; parts in which the rest is cut */
enum { REASON = 400 };                 /* bytes of why a point failed */

static struct { int rank, size, gone; /* gone: helpers that have said BYE */ } world;

/* ---- helpers -------------------------------------------------------------------------------- */

/* Results on their way: of each its number, its status, the row, the reason. Those of short runs go
 * together, but none waits for longer than PATIENCE once it is there. */
static const double PATIENCE = 0.1; /* [s] */
typedef struct parcel {
    bri_sweep *sweep;
    double *rows, since; /* since: when the first was put in */
    int count;
} parcel;

static int size_of_result(const bri_sweep *s) {
    return bri_sweep_columns(s) + 2 + REASON / (int)sizeof(double);
}

static void send_results(parcel *p) {
    if (p->count > 0)
        MPI_Send(p->rows, p->count * size_of_result(p->sweep), MPI_DOUBLE, 0, RESULT,
                 MPI_COMM_WORLD);
    p->count = 0;
}

static int put_result(void *to, const bri_sweep_point *point) {
    parcel *p = to;
    int columns = bri_sweep_columns(p->sweep), size = size_of_result(p->sweep);
    double *row = p->rows + p->count * size;
    memset(row, 0, (size_t)size * sizeof *row);
    row[0] = (double)point->index;
    row[1] = (double)point->status;
    memcpy(row + 2, point->row, (size_t)columns * sizeof *row);
    strncpy((char *)(row + 2 + columns), point->reason, REASON - 1);
    if (p->count++ == 0) p->since = watch_seconds();
    if (p->count == MOST_AT_ONCE || watch_seconds() - p->since > PATIENCE) send_results(p);
    return 0;
}

static bri_status run_as_helper(bri_sweep *s, const bri_watch *watch, bri_sweep_finished finished,
                                void *context, bri_error *err) {
    parcel results = {.sweep = s};
    bri_status status = BRI_OK;
    (void)finished;
    (void)context;
    results.rows = calloc(MOST_AT_ONCE * (size_t)size_of_result(s), sizeof *results.rows);
    while (status == BRI_OK && results.rows) {
        long points[MOST_AT_ONCE];
        MPI_Status from;
        int count;
        MPI_Send(NULL, 0, MPI_DOUBLE, 0, ASK, MPI_COMM_WORLD);
        MPI_Recv(points, MOST_AT_ONCE, MPI_LONG, 0, WORK, MPI_COMM_WORLD, &from);
        MPI_Get_count(&from, MPI_LONG, &count);
        if (count == 0) break;
        status = bri_sweep_run_points(s, points, count, watch, put_result, &results, err);
        send_results(&results);
    }
    free(results.rows);
    return status;
}

/* ---- rank 0 --------------------------------------------------------------------------------- */

typedef struct office {
    bri_sweep *sweep; /* NULL: there is nothing left to do */
    long next, left;  /* point to look from; points that nobody has been given */
    bri_sweep_finished finished;
    void *context;
} office;

static void hand_out(office *o, int to) {
    long points[MOST_AT_ONCE], count = 0, share = 1 + o->left / (SHARE * (world.size - 1L));
    if (share > MOST_AT_ONCE) share = MOST_AT_ONCE;
    if (o->sweep) count = bri_sweep_pending(o->sweep, o->next, points, share);
    if (count > 0) o->next = points[count - 1] + 1;
    o->left -= count;
    MPI_Send(points, (int)count, MPI_LONG, to, WORK, MPI_COMM_WORLD);
}

static bri_status take_in(office *o, const double *rows, int size, bri_error *err) {
    int columns = bri_sweep_columns(o->sweep), each = size_of_result(o->sweep);
    bri_status status = BRI_OK;
    for (const double *row = rows; row + each <= rows + size && status == BRI_OK; row += each) {
        const bri_sweep_point p = {(long)row[0], row + 2, (bri_status)row[1],
                                   (const char *)(row + 2 + columns)};
        status = bri_sweep_take(o->sweep, &p, err);
        if (status == BRI_OK && o->finished) o->finished(o->context, &p);
    }
    return status;
}

/* Answer one message, if there is one. */
static bri_status answer(office *o, bri_error *err) {
    const struct timespec moment = {.tv_nsec = 200000};
    int there, size;
    bri_status status = BRI_OK;
    MPI_Status from;
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &from);
    if (!there) {
        nanosleep(&moment, NULL); /* rather than to keep a processor busy with asking */
        return BRI_OK;
    }
    MPI_Get_count(&from, MPI_DOUBLE, &size);
    double *row = calloc((size_t)size + 1, sizeof *row);
    if (!row) {
        snprintf(err->text, sizeof err->text, "%s", bri_status_text(BRI_NO_MEMORY));
        return err->status = BRI_NO_MEMORY;
    }
    MPI_Recv(row, size, MPI_DOUBLE, from.MPI_SOURCE, from.MPI_TAG, MPI_COMM_WORLD, &from);
    if (from.MPI_TAG == ASK) hand_out(o, from.MPI_SOURCE);
    if (from.MPI_TAG == RESULT && o->sweep) status = take_in(o, row, size, err);
    world.gone += from.MPI_TAG == BYE;
    free(row);
    return status;
}

static bri_status run_as_first(bri_sweep *s, const bri_watch *watch, bri_sweep_finished finished,
                               void *context, bri_error *err) {
    office o = {.sweep = s,
                .left = bri_sweep_mine(s) - bri_sweep_done(s),
                .finished = finished,
                .context = context};
    bri_status status = BRI_OK;
    while (status == BRI_OK && bri_sweep_done(s) < bri_sweep_mine(s)) {
        if (watch->stop(watch->context) || world.gone == world.size - 1) break;
        status = answer(&o, err);
    }
    if (status != BRI_OK || bri_sweep_done(s) == bri_sweep_mine(s)) return status;
    /* what is missing nobody computes any more: it says why, here */
    return bri_sweep_run(s, watch, finished, context, err);
}

/* ---- the command ---------------------------------------------------------------------------- */

static void help(void) {
    puts("bristle-mpi sweep ... - 'bristle sweep' among the ranks of an MPI job\n\n"
         "example:\n"
         "  mpirun -n 64 bristle-mpi sweep my.yaml --vary pad.mu_c=0.1:0.5:1000 \\\n"
         "      --measure period -o out.csv --resume\n\n"
         "All options are those of 'bristle sweep'. Rank 0 hands out points, keeps the results and "
         "writes\n"
         "them; the others compute. --threads K are those of each of them, default 1. The bytes of "
         "the\n"
         "result are those of 'bristle sweep', whatever the number of ranks. After a rank was "
         "killed\n"
         "--resume goes on, with any number of ranks or without MPI. How to: "
         "docs/howto/cluster.md.");
}

/* The command with one thread per rank, unless it says how many. */
static int run_sweep(int argc, char **argv) {
    char **all = calloc((size_t)argc + 3, sizeof *all);
    int threads = 0, count = argc;
    if (!all) return RUN_FAILED;
    for (int i = 0; i < argc; i++) {
        all[i] = argv[i];
        threads |= strcmp(argv[i], "--threads") == 0;
    }
    if (!threads && world.size > 1) {
        all[count++] = "--threads";
        all[count++] = "1";
    }
    int code = cmd_sweep(count, all);
    free(all);
    return code;
}

static int run(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], "--help") == 0) {
        help();
        return DONE;
    }
    if (argc > 1 && strcmp(argv[1], "sweep") == 0) return run_sweep(argc - 1, argv + 1);
    complain("bristle-mpi is for sweeps: bristle-mpi sweep ..., see bristle-mpi --help");
    return WRONG_USAGE;
}

int main(int argc, char **argv) {
    int threads;
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &threads);
    MPI_Comm_rank(MPI_COMM_WORLD, &world.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &world.size);
    if (world.size > 1) sweep_among.run = world.rank > 0 ? run_as_helper : run_as_first;
    sweep_among.helps = world.rank > 0;
    if (world.rank > 0 &&
        (!freopen("/dev/null", "w", stderr) || !freopen("/dev/null", "w", stdout)))
        MPI_Abort(MPI_COMM_WORLD, RUN_FAILED); /* rank 0 speaks for all */
    int code = run(argc, argv);
    if (world.rank > 0) {
        MPI_Send(NULL, 0, MPI_DOUBLE, 0, BYE, MPI_COMM_WORLD);
        code = DONE;
    } else if (code == EXIT_INTERRUPTED) {
        MPI_Abort(MPI_COMM_WORLD, code); /* the others need not end what they compute */
    } else {
        office closed = {0};
        bri_error err;
        while (world.gone < world.size - 1) answer(&closed, &err);
    }
    fflush(stdout);
    MPI_Finalize();
    return code;
}
