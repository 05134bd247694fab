/* watch.c - interrupts and progress of a long computation. */
#define _POSIX_C_SOURCE 200809L
#include "watch.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* ---- interrupts ------------------------------------------------------------------------------ */

static volatile sig_atomic_t interrupted, armed, late, given_up, keeping;
static int nowhere = -1; /* takes the place of a pipe that nobody reads */

static unsigned patience = 20; /* [s] */

/* If there is something to keep, the present piece of the run may come to its end, which it does
 * not where steps are without number; the second one does not put off the end. */
static void on_interrupt(int signal) {
    (void)signal;
    int first = !interrupted;
    interrupted = 1;
    if (armed) return;
    armed = !(first && keeping);
    alarm(armed ? 1 : patience);
}

/* After a second the pipe is given up, so that a write that waits for it fails and everything else
 * can be finished; after another one nothing is waited for. */
static void on_alarm(int signal) {
    (void)signal;
    int before = errno;
    static const char words[] =
        "bristle: interrupted, and ended, since the present step did not come to its end\n";
    if (late && write(STDERR_FILENO, words, sizeof words - 1) < 0) late = 1;
    if (late) _exit(EXIT_INTERRUPTED);
    late = 1;
    if (nowhere >= 0 && dup2(nowhere, STDOUT_FILENO) >= 0) given_up = 1;
    alarm(1);
    errno = before;
}

static void catch_signal(int signal, void (*handler)(int)) {
    struct sigaction before, action = {.sa_handler = handler};
    sigemptyset(&action.sa_mask);
    /* What was ignored when the program started (nohup) stays so. */
    if (sigaction(signal, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
        sigaction(signal, &action, NULL);
}

void watch_interrupts(int keeps) {
    const char *seconds = getenv("BRISTLE_STOP_SECONDS");
    long given = seconds ? strtol(seconds, NULL, 10) : 0;
    if (given > 0 && given <= 1000000) patience = (unsigned)given;
    keeping = keeps;
    catch_signal(SIGINT, on_interrupt);
    catch_signal(SIGTERM, on_interrupt);
    catch_signal(SIGHUP, on_interrupt);
    catch_signal(SIGALRM, on_alarm);
}

void watch_pipe(void) {
    struct stat info;
    if (fstat(STDOUT_FILENO, &info) == 0 && S_ISFIFO(info.st_mode))
        nowhere = open("/dev/null", O_RDONLY | O_CLOEXEC); /* writing there fails */
}

int watch_interrupted(void) { return interrupted; }

int watch_given_up(void) { return given_up; }

void watch_done(void) {
    alarm(0);
    armed = late = 0;
}

/* ---- progress -------------------------------------------------------------------------------- */

double watch_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void progress_start(progress *p, int data_on_terminal) {
    *p = (progress){.started = watch_seconds(),
                    .terminal =
                        isatty(STDERR_FILENO) && !(data_on_terminal && isatty(STDOUT_FILENO))};
}

/* "12 s", "3 min", "2.1 h": as precise as an estimate is. */
static void put_duration(double seconds) {
    if (seconds < 100.0)
        fprintf(stderr, "%.0f s", seconds);
    else if (seconds < 6000.0)
        fprintf(stderr, "%.0f min", seconds / 60.0);
    else
        fprintf(stderr, "%.1f h", seconds / 3600.0);
}

/* Nonzero if a line is due; it then begins. */
static int line_begins(progress *p, double now, double share) {
    if (!p->terminal || now - p->started < 1.0 || now - p->shown < 0.2) return 0;
    p->shown = now;
    p->visible = 1;
    fprintf(stderr, "\r\033[K%3.0f %%", 100.0 * share);
    return 1;
}

static void line_ends(const progress *p, double now, double share) {
    if (share > 0.0) {
        fputs(", about ", stderr);
        put_duration((now - p->started) * (1.0 - share) / share);
        fputs(" left", stderr);
    }
    fflush(stderr);
}

void progress_show(progress *p, double now, double share, double t, double t_end) {
    if (!line_begins(p, now, share)) return;
    fprintf(stderr, "   t = %.4g of %.4g s", t, t_end);
    line_ends(p, now, share);
}

void progress_share(progress *p, double now, double share) {
    if (line_begins(p, now, share)) line_ends(p, now, share);
}

void progress_count(progress *p, double now, long done, long all, long before) {
    if (!line_begins(p, now, (double)done / (double)all)) return;
    double rate = (double)(done - before) / (now - p->started);
    fprintf(stderr, "   %ld of %ld points, %.3g per second", done, all, rate);
    if (rate > 0.0) {
        fputs(", about ", stderr);
        put_duration((double)(all - done) / rate);
        fputs(" left", stderr);
    }
    fflush(stderr);
}

void progress_clear(progress *p) {
    if (p->visible) fputs("\r\033[K", stderr);
    p->visible = 0;
}
