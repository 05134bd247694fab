/* sink.c - a buffer before a file, a device or standard output.
 *
 * Bytes leave by write(2), so that what is on disk is known: everything handed over by the last
 * flush, and on a full disk nothing of the block that did not fit. */
#define _POSIX_C_SOURCE 200809L
#include "sink.h"

#include "../fail.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BLOCK = 1 << 16 };

static bri_status cannot_write(const char *file, int error, bri_error *err) {
    return bri_fail(err, BRI_BAD_FILE, "%.200s cannot be written: %s",
                    file ? file : "standard output", strerror(error));
}

/* A file beside the target with a name of its own. */
static int open_aside(sink *s) {
    size_t size = strlen(s->file) + 40;
    s->aside = malloc(size);
    if (!s->aside) return -1;
    for (int i = 0; i < 100; i++) {
        snprintf(s->aside, size, "%s.%ld-%d", s->file, (long)getpid(), i);
        int fd = open(s->aside, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
        if (fd >= 0 || errno != EEXIST) return fd;
    }
    return -1;
}

static void give_back(sink *s) {
    free(s->data);
    free(s->file);
    free(s->aside);
    *s = (sink){.fd = -1};
}

bri_status sink_open(sink *s, const char *file, int whole, bri_error *err) {
    struct stat info;
    *s = (sink){.fd = STDOUT_FILENO, .room = BLOCK};
    s->data = malloc(BLOCK);
    s->file = file ? strdup(file) : NULL;
    if (!s->data || (file && !s->file)) {
        give_back(s);
        return bri_fail(err, BRI_NO_MEMORY, "not enough memory");
    }
    if (!file) return BRI_OK;
    int regular = stat(file, &info) != 0 || S_ISREG(info.st_mode);
    s->fd = whole && regular ? open_aside(s)
                             : open(file, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0666);
    if (s->fd >= 0) return BRI_OK;
    int error = errno;
    give_back(s);
    return cannot_write(file, error, err);
}

bri_status sink_try(const char *file, bri_error *err) {
    sink s;
    bri_status status = sink_open(&s, file, 1, err);
    if (status != BRI_OK) return status;
    sink_close(&s, 0, NULL);
    return BRI_OK;
}

void sink_flush(sink *s) {
    size_t done = 0;
    while (!s->error && done < s->used) {
        ssize_t n = write(s->fd, s->data + done, s->used - done);
        if (n >= 0)
            done += (size_t)n;
        else if (errno != EINTR)
            s->error = errno;
    }
    if (s->error && done > 0) {
        /* A file ends with its last whole block: rows are not left torn. */
        struct stat info;
        off_t here = lseek(s->fd, 0, SEEK_CUR);
        if (here >= (off_t)done && fstat(s->fd, &info) == 0 && S_ISREG(info.st_mode) &&
            info.st_size == here && ftruncate(s->fd, here - (off_t)done) == 0)
            lseek(s->fd, here - (off_t)done, SEEK_SET);
    }
    s->used = 0;
}

char *sink_room(sink *s, size_t size) {
    if (s->room - s->used < size) sink_flush(s);
    if (s->error) return NULL;
    if (s->room < size) {
        char *more = realloc(s->data, size);
        if (!more) {
            s->error = ENOMEM;
            return NULL;
        }
        s->data = more;
        s->room = size;
    }
    return s->data + s->used;
}

void sink_put(sink *s, const void *bytes, size_t size) {
    const char *from = bytes;
    while (size > 0) {
        size_t part = size < BLOCK ? size : BLOCK;
        char *to = sink_room(s, part);
        if (!to) return;
        memcpy(to, from, part);
        sink_filled(s, to + part);
        from += part;
        size -= part;
    }
}

void sink_text(sink *s, const char *text) { sink_put(s, text, strlen(text)); }

bri_status sink_status(const sink *s, bri_error *err) {
    if (!s->error) return BRI_OK;
    if (s->error == ENOMEM) return bri_fail(err, BRI_NO_MEMORY, "not enough memory");
    return cannot_write(s->file, s->error, err);
}

bri_status sink_close(sink *s, int keep, bri_error *err) {
    sink_flush(s);
    if (s->file && s->fd >= 0 && close(s->fd) != 0 && !s->error) s->error = errno;
    if (s->aside && (!keep || s->error || rename(s->aside, s->file) != 0)) {
        if (keep && !s->error) s->error = errno;
        unlink(s->aside);
    }
    bri_status status = sink_status(s, err);
    give_back(s);
    return status;
}
