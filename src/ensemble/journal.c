/* journal.c - FILE.sweep: the settings of a sweep and, while it is not finished, every result as it
 * comes. Each line is handed to the system by a call of its own, so that what a killed process had
 * finished is there. */
#define _DEFAULT_SOURCE
#include "ensemble.h"

#include "../scenario/csv.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static const char rows_follow[] = "---\n";

struct journal {
    char *name; /* FILE.sweep */
    char *head; /* the settings, with the part */
    int fd;
    line text;
};

static bri_status no_memory(bri_error *err) {
    return bri_fail(err, BRI_NO_MEMORY, "%s", bri_status_text(BRI_NO_MEMORY));
}

static bri_status cannot_write(const journal *j, int error, bri_error *err) {
    return bri_fail(err, BRI_BAD_FILE, "%.200s cannot be written: %s", j->name, strerror(error));
}

/* ---- what is there -------------------------------------------------------------------------- */

/* Lines of CSV from text on into the sheet; *to: where the last whole one ends. */
static bri_status read_lines(sheet *s, const char *text, const char *end, const char **to,
                             bri_error *err) {
    bri_status status = BRI_OK;
    while (text < end && status == BRI_OK) {
        const char *stop = memchr(text, '\n', (size_t)(end - text));
        status = stop ? sheet_read(s, text, (size_t)(stop - text)) : BRI_BAD_FILE;
        if (status == BRI_OK) text = stop + 1;
    }
    *to = text;
    return status == BRI_NO_MEMORY ? no_memory(err) : BRI_OK;
}

static int exists(const char *name) {
    struct stat info;
    return stat(name, &info) == 0;
}

/* Rows of the finished file. */
static bri_status read_result(sheet *s, const char *file, bri_error *err) {
    size_t length;
    line head = {0};
    bri_error why = {0};
    char *text = read_file(file, READ_ALL, &length, &why);
    const char *to = NULL;
    bri_status status = text ? BRI_OK : bri_fail(err, why.status, "%.200s: %.200s", file, why.text);
    if (status == BRI_OK && !sheet_head(s, &head)) status = no_memory(err);
    if (status == BRI_OK && length >= head.used && memcmp(text, head.text, head.used) == 0)
        status = read_lines(s, text + head.used, text + length, &to, err);
    if (status == BRI_OK && to != text + length)
        status = bri_fail(err, BRI_BAD_VALUE,
                          "%.200s has other rows than this sweep writes; take another name, or "
                          "--overwrite",
                          file);
    free(text);
    free(head.text);
    return status;
}

/* What FILE.sweep has; *keep: how much of it stays. Settings that end early had no rows behind them
 * yet. */
static bri_status read_journal(journal *j, sheet *s, const char *file, off_t *keep,
                               bri_error *err) {
    size_t length, settings = strlen(j->head);
    line head = {0};
    bri_error why = {0};
    char *text = read_file(j->name, READ_ALL, &length, &why);
    if (!text) return bri_fail(err, why.status, "%.200s: %.200s", j->name, why.text);
    text[length] = '\0'; /* read_file has room for it */
    bri_status status = BRI_OK;
    const char *end = text + length, *rows = strstr(text, "\n---\n");
    size_t own = rows ? (size_t)(rows + 1 - text) : length;
    *keep = 0;
    if (!sheet_head(s, &head)) status = no_memory(err);
    int cut = !rows && own < settings && memcmp(text, j->head, own) == 0 && !exists(file);
    if (status == BRI_OK && !cut && (own != settings || memcmp(text, j->head, own) != 0))
        status =
            settings_refuse(file, text, own, j->head, "take another name, or --overwrite", err);
    if (status == BRI_OK && rows) {
        rows += sizeof rows_follow;
        if ((size_t)(end - rows) >= head.used && memcmp(rows, head.text, head.used) == 0) {
            status = read_lines(s, rows + head.used, end, &rows, err);
            *keep = (off_t)(rows - text);
        }
    } else if (status == BRI_OK && exists(file)) {
        status =
            ends_in(file, ".sqlite") ? sheet_read_sqlite(s, file, err) : read_result(s, file, err);
    }
    free(text);
    free(head.text);
    return status;
}

/* ---- writing -------------------------------------------------------------------------------- */

/* All of it, or the file as it was before. */
static bri_status put(journal *j, const char *text, size_t size, bri_error *err) {
    off_t before = lseek(j->fd, 0, SEEK_END);
    for (size_t done = 0; done < size;) {
        ssize_t n = write(j->fd, text + done, size - done);
        if (n > 0) {
            done += (size_t)n;
        } else if (n == 0 || errno != EINTR) {
            int error = n == 0 ? EIO : errno;
            if (before >= 0 && ftruncate(j->fd, before) == 0) lseek(j->fd, before, SEEK_SET);
            return cannot_write(j, error, err);
        }
    }
    return BRI_OK;
}

static bri_status begin(journal *j, const sheet *s, bri_error *err) {
    line text = {0};
    bri_status status = BRI_OK;
    if (!line_text(&text, j->head) || !line_text(&text, rows_follow) || !sheet_head(s, &text))
        status = no_memory(err);
    else if (ftruncate(j->fd, 0) != 0)
        status = cannot_write(j, errno, err);
    else
        status = put(j, text.text, text.used, err);
    free(text.text);
    return status;
}

static bri_status refuse_existing(const journal *j, const char *file, bri_error *err) {
    const char *there = exists(file) ? file : exists(j->name) ? j->name : NULL;
    if (!there) return BRI_OK;
    return bri_fail(err, BRI_BAD_VALUE,
                    "%.200s exists already: --resume goes on with it if the settings are the same, "
                    "--overwrite makes it anew",
                    there);
}

bri_status journal_open(journal **to, sheet *s, const char *part, const char *file,
                        bri_sweep_start how, bri_error *err) {
    size_t size = strlen(file) + 8, settings = strlen(s->settings) + strlen(part) + 1;
    journal *j = calloc(1, sizeof *j);
    off_t keep = 0;
    *to = j;
    if (!j) return no_memory(err);
    j->fd = -1;
    j->name = malloc(size);
    j->head = malloc(settings);
    if (!j->name || !j->head) return no_memory(err);
    snprintf(j->name, size, "%s.sweep", file);
    snprintf(j->head, settings, "%s%s", s->settings, part);
    bri_status status = how == BRI_SWEEP_NEW ? refuse_existing(j, file, err) : BRI_OK;
    if (status == BRI_OK && how == BRI_SWEEP_RESUME && !exists(j->name) && exists(file))
        status =
            bri_fail(err, BRI_BAD_VALUE,
                     "%.200s exists, and without %.200s nobody knows its settings; take another "
                     "name, or --overwrite",
                     file, j->name);
    if (status == BRI_OK && how == BRI_SWEEP_RESUME && exists(j->name))
        status = read_journal(j, s, file, &keep, err);
    if (status != BRI_OK) return status;
    if (keep == 0 && s->done > 0) return BRI_OK; /* all of it is in the file: nothing to write */
    /* nobody has given this name: a link that stands there is not followed to another file */
    j->fd = open(j->name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (j->fd < 0) return cannot_write(j, errno, err);
    if (flock(j->fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        return bri_fail(err, BRI_BAD_FILE, "%.200s is being written by another run", j->name);
    if (keep == 0) return begin(j, s, err);
    if (ftruncate(j->fd, keep) != 0) return cannot_write(j, errno, err);
    return BRI_OK;
}

bri_status journal_put(journal *j, const sheet *s, long point, bri_error *err) {
    if (j->fd < 0) return BRI_OK;
    j->text.used = 0;
    if (!sheet_line(s, point, &j->text)) return no_memory(err);
    return put(j, j->text.text, j->text.used, err);
}

bri_status journal_close(journal *j, int complete, bri_error *err) {
    bri_status status = BRI_OK;
    if (!j) return BRI_OK;
    if (complete && j->fd >= 0) status = sheet_settings(j->name, j->head, err);
    if (j->fd >= 0) close(j->fd);
    free(j->name);
    free(j->head);
    free(j->text.text);
    free(j);
    return status;
}
