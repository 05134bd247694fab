/* plot.c - a picture in SVG, PNG or PDF, drawn by gnuplot.
 *
 * gnuplot reads its commands and the numbers from a nameless temporary file and writes the picture
 * to its standard output, which is a sink: a file beside the target, looked at when gnuplot has
 * ended, and renamed if it is complete. So no file name is ever quoted, no pipe can break, and a
 * failure leaves nothing behind and what was there untouched. */
#define _POSIX_C_SOURCE 200809L
#include "plot_script.h"

#include "../decimal.h"
#include "../fail.h"
#include "sink.h"

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

/* ---- running gnuplot ------------------------------------------------------------------------- */

enum { GNUPLOT_HANGS = -2, GNUPLOT_FAILED = -1 };

/* How long gnuplot may take [s]. No picture needs more than a few seconds, because long curves are
 * thinned out before. */
static double patience(void) {
    const char *given = getenv("BRISTLE_PLOT_SECONDS");
    size_t length = given ? decimal_length(given) : 0;
    double seconds = length > 0 && !given[length] ? decimal_value(given, length) : 0.0;
    return seconds > 0.0 ? seconds : 100.0;
}

/* Wait for the end of the child, but not for ever. */
static int wait_for(pid_t child) {
    int status = 0;
    struct timespec pause = {.tv_nsec = 1000000};
    for (double waited = 0.0, limit = patience();; waited += 1e-9 * (double)pause.tv_nsec) {
        pid_t got = waitpid(child, &status, WNOHANG);
        if (got == child) return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : GNUPLOT_FAILED;
        if (got < 0 && errno != EINTR)
            return 0; /* the host discards its children: the file tells */
        if (waited > limit) break;
        if (waited > 0.1) pause.tv_nsec = 20000000;
        nanosleep(&pause, NULL);
    }
    kill(child, SIGKILL);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return GNUPLOT_HANGS;
}

/* A copy of a descriptor that is none of the three standard ones, which a host may have closed. */
static int above(int fd) { return fcntl(fd, F_DUPFD_CLOEXEC, 3); }

/* Run gnuplot with these three streams. 0, or an error number, or one of those above. */
static int run_gnuplot(int in, int out, int words) {
    char *const argv[] = {(char[]){"gnuplot"}, (char[]){"-d"}, NULL};
    posix_spawn_file_actions_t actions;
    pid_t child;
    int stream[3] = {above(in), above(out), above(words)}, error = 0;
    for (int i = 0; i < 3; i++)
        if (stream[i] < 0) error = errno;
    if (!error) error = posix_spawn_file_actions_init(&actions);
    if (!error) {
        for (int i = 0; i < 3 && !error; i++)
            error = posix_spawn_file_actions_adddup2(&actions, stream[i], i);
        if (!error) error = posix_spawnp(&child, "gnuplot", &actions, NULL, argv, environ);
        posix_spawn_file_actions_destroy(&actions);
    }
    for (int i = 0; i < 3; i++)
        if (stream[i] >= 0) close(stream[i]);
    return error ? error : wait_for(child);
}

/* The first line of what gnuplot said that looks like a reason. */
static void reason(FILE *words, char *text, size_t size) {
    char line[200];
    snprintf(text, size, "no reason given");
    rewind(words);
    while (fgets(line, sizeof line, words)) {
        line[strcspn(line, "\r\n")] = '\0';
        const char *start = line + strspn(line, " \t^");
        if (!*start) continue;
        snprintf(text, size, "%s", start);
        if (strstr(start, "line ")) return;
    }
}

/* Whether a picture is complete: gnuplot does not notice when the disk is full. Each kind has an
 * end of its own; what cannot be read again is believed. */
static int is_whole(int fd, const char *kind) {
    static const struct {
        const char *kind, *end;
    } ends[] = {{"svg", "</svg>"}, {"png", "IEND\xae\x42\x60\x82"}, {"pdf", "%%EOF"}};
    struct stat info;
    char tail[65] = "";
    if (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode)) return 1;
    off_t from = info.st_size > 64 ? info.st_size - 64 : 0;
    ssize_t n = pread(fd, tail, 64, from);
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        size_t length = strlen(ends[i].end);
        if (strcmp(kind, ends[i].kind) != 0) continue;
        for (ssize_t k = n - (ssize_t)length; k >= 0; k--)
            if (memcmp(tail + k, ends[i].end, length) == 0) return 1;
    }
    return 0;
}

static bri_status draw_into(FILE *script, FILE *words, const char *file, const char *kind,
                            bri_error *err) {
    char why[200];
    sink out;
    bri_status status = sink_open(&out, file, 1, err);
    if (status != BRI_OK) return status;
    int failed = run_gnuplot(fileno(script), out.fd, fileno(words));
    if (failed == ENOENT) {
        status =
            bri_fail(err, BRI_MISSING, "gnuplot is needed to draw (Debian package gnuplot-nox)");
    } else if (failed == GNUPLOT_HANGS) {
        status = bri_fail(err, BRI_BAD_FILE, "%.150s: gnuplot did not come to an end within %g s",
                          file, patience());
    } else if (failed) {
        reason(words, why, sizeof why);
        status = bri_fail(err, BRI_BAD_FILE, "%.150s: gnuplot failed: %s", file,
                          failed > 0 ? strerror(failed) : why);
    } else if (!is_whole(out.fd, kind)) {
        reason(words, why, sizeof why);
        status = bri_fail(err, BRI_BAD_FILE,
                          "%.150s: gnuplot did not complete the picture (is the disk full?): %s",
                          file, why);
    }
    bri_status closed = sink_close(&out, status == BRI_OK, status ? NULL : err);
    return status ? status : closed;
}

/* "svg", "png" or "pdf" by the end of the name, else NULL. */
static const char *kind_of(const char *file) {
    static const char *const kinds[] = {"svg", "png", "pdf"};
    const char *dot = strrchr(file, '.');
    for (int i = 0; dot && i < 3; i++)
        if (strcasecmp(dot + 1, kinds[i]) == 0) return kinds[i];
    return NULL;
}

bri_status bri_plot_write(const bri_plot *plot, const char *file, bri_error *err) {
    const char *kind = kind_of(file);
    if (!kind)
        return bri_fail(err, BRI_BAD_VALUE,
                        "'%.200s': the name of a picture ends in .svg, .png or .pdf", file);
    FILE *script = tmpfile(), *words = tmpfile();
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    bri_status status = BRI_BAD_FILE;
    if (script && words && plain) {
        locale_t host = uselocale(plain); /* decimal points, whatever the host has set */
        plot_script(script, plot, kind);
        uselocale(host);
        int written = fflush(script) == 0 && !ferror(script);
        rewind(script);
        if (!written)
            bri_fail(err, status, "a temporary file cannot be written: %s", strerror(errno));
        else
            status = draw_into(script, words, file, kind, err);
    } else {
        bri_fail(err, status, "a temporary file cannot be opened: %s", strerror(errno));
    }
    if (plain) freelocale(plain);
    if (script) fclose(script);
    if (words) fclose(words);
    return status;
}
