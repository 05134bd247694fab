/* plot.c - a picture in SVG, PNG or PDF, drawn by gnuplot.
 *
 * gnuplot reads its commands and the numbers from a nameless temporary file and writes the picture
 * to its standard output, which is a file beside the target, renamed when complete. So no file name
 * is ever quoted, no pipe can break, and a failure leaves nothing behind. */
#define _POSIX_C_SOURCE 200809L
#include "plot_script.h"

#include "../fail.h"

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* ---- running gnuplot ------------------------------------------------------------------------- */

/* Run gnuplot with these three streams. 0, or an error number, or -1 if gnuplot says no. */
static int run_gnuplot(int in, int out, int words) {
    char *const argv[] = {(char[]){"gnuplot"}, (char[]){"-d"}, NULL};
    posix_spawn_file_actions_t actions;
    pid_t child;
    int error = posix_spawn_file_actions_init(&actions);
    if (error) return error;
    posix_spawn_file_actions_adddup2(&actions, in, 0);
    posix_spawn_file_actions_adddup2(&actions, out, 1);
    posix_spawn_file_actions_adddup2(&actions, words, 2);
    error = posix_spawnp(&child, "gnuplot", &actions, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error) return error;
    int status = 0;
    pid_t got;
    while ((got = waitpid(child, &status, 0)) < 0 && errno == EINTR) {
    }
    if (got < 0) return 0; /* the host discards its children: the file will tell */
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : -1;
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

/* A new file beside the target. -1 if that fails. */
static int open_beside(const char *file, char *name, size_t size) {
    for (int i = 0; i < 100; i++) {
        int n = snprintf(name, size, "%s.%ld-%d", file, (long)getpid(), i);
        if (n < 0 || (size_t)n >= size) {
            errno = ENAMETOOLONG;
            return -1;
        }
        int fd = open(name, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
        if (fd >= 0 || errno != EEXIST) return fd;
    }
    return -1;
}

static bri_status draw_into(FILE *script, FILE *words, const char *file, bri_error *err) {
    char name[4200], why[200];
    int out = open_beside(file, name, sizeof name);
    if (out < 0)
        return bri_fail(err, BRI_BAD_FILE, "%.200s cannot be written: %s", file, strerror(errno));
    int failed = run_gnuplot(fileno(script), out, fileno(words));
    off_t size = lseek(out, 0, SEEK_END);
    bri_status status = BRI_OK;
    if (close(out) != 0 && !failed) failed = errno;
    if (failed == ENOENT) {
        status =
            bri_fail(err, BRI_MISSING, "gnuplot is needed to draw (Debian package gnuplot-nox)");
    } else if (failed || size <= 0) {
        reason(words, why, sizeof why);
        status = bri_fail(err, BRI_BAD_FILE, "%.150s: gnuplot failed: %s", file,
                          failed > 0 ? strerror(failed) : why);
    } else if (rename(name, file) != 0) {
        status = bri_fail(err, BRI_BAD_FILE, "%.200s cannot be written: %s", file, strerror(errno));
    }
    if (status) unlink(name);
    return status;
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
            status = draw_into(script, words, file, err);
    } else {
        bri_fail(err, status, "a temporary file cannot be opened: %s", strerror(errno));
    }
    if (plain) freelocale(plain);
    if (script) fclose(script);
    if (words) fclose(words);
    return status;
}
