/* sink.c - a buffer before a file, a device or standard output.
 *
 * Bytes leave by write(2), so that what is on disk is known: everything handed over by the last
 * flush, and on a full disk nothing of the block that did not fit. */
#define _XOPEN_SOURCE 700
#include "sink.h"

#include "../fail.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BLOCK = 1 << 16, PAGE = 4096 };

static bri_status cannot_write(const char *file, int error, bri_error *err) {
    return bri_fail(err, BRI_BAD_FILE, "%.200s cannot be written: %s",
                    file ? file : "standard output", strerror(error));
}

/* ---- names ----------------------------------------------------------------------------------- */

/* The file behind all links, also if it does not exist yet. NULL with errno. */
static char *behind_links(const char *file) {
    char *at = strdup(file), *real;
    for (int hops = 0; at && hops < 40; hops++) {
        char link[4096];
        if ((real = realpath(at, NULL)) != NULL || errno != ENOENT) {
            free(at);
            return real;
        }
        ssize_t n = readlink(at, link, sizeof link - 1);
        if (n < 0) return at; /* it is no link: a name that is free, or an error for open() */
        link[n] = '\0';
        char *slash = strrchr(at, '/');
        size_t folder = slash && link[0] != '/' ? (size_t)(slash - at) + 1 : 0;
        char *next = malloc(folder + (size_t)n + 1);
        if (next) {
            memcpy(next, at, folder);
            memcpy(next + folder, link, (size_t)n + 1);
        }
        free(at);
        at = next;
    }
    if (at) errno = ELOOP;
    free(at);
    return NULL;
}

/* A file beside the target with a name of its own: nothing that stands there is opened. A long name
 * is cut, since that of a file must not have more than 255 bytes. */
static int open_aside(sink *s, mode_t mode) {
    size_t length = strlen(s->file), size = length + 40;
    const char *slash = strrchr(s->file, '/');
    size_t folder = slash ? (size_t)(slash - s->file) + 1 : 0;
    size_t kept = length - folder > 200 ? folder + 200 : length;
    s->aside = malloc(size);
    for (int i = 0; s->aside && i < 100; i++) {
        snprintf(s->aside, size, "%.*s.%ld-%d", (int)kept, s->file, (long)getpid(), i);
        int fd = open(s->aside, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, mode);
        if (fd >= 0) return fd;
        if (errno != EEXIST) break;
    }
    int error = errno;
    free(s->aside);
    s->aside = NULL;
    errno = error;
    return -1;
}

/* ---- opening --------------------------------------------------------------------------------- */

static void give_back(sink *s) {
    free(s->data);
    free(s->name);
    free(s->file);
    free(s->aside);
    *s = (sink){.fd = -1};
}

/* Beside a file that exists, with its owner and permissions, as far as that is allowed. */
static int open_to_replace(sink *s, const struct stat *before) {
    if (access(s->file, W_OK) != 0) return -1;
    s->replaces = 1;
    int fd = open_aside(s, 0600);
    if (fd < 0) return -1;
    if (before->st_uid != geteuid() || before->st_gid != getegid()) {
        int ignored = fchown(fd, before->st_uid, before->st_gid);
        (void)ignored;
    }
    fchmod(fd, before->st_mode & 07777);
    return fd;
}

static int open_file(sink *s) {
    struct stat info;
    s->file = behind_links(s->name);
    if (!s->file) return -1;
    if (stat(s->file, &info) == 0) {
        if (S_ISREG(info.st_mode)) return open_to_replace(s, &info);
        return open(s->file, O_WRONLY | O_CLOEXEC | O_NOCTTY);
    }
    if (s->whole) return open_aside(s, 0666);
    int fd = open(s->file, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
    s->fresh = fd >= 0;
    return fd;
}

bri_status sink_open(sink *s, const char *file, int whole, bri_error *err) {
    *s = (sink){.fd = STDOUT_FILENO, .room = BLOCK, .whole = whole};
    s->data = malloc(BLOCK);
    s->name = file ? strdup(file) : NULL;
    if (!s->data || (file && !s->name)) {
        give_back(s);
        return bri_fail(err, BRI_NO_MEMORY, "not enough memory");
    }
    if (!file) return BRI_OK;
    s->fd = open_file(s);
    if (s->fd >= 0) return BRI_OK;
    int error = errno;
    give_back(s);
    if (error == ENOMEM) return bri_fail(err, BRI_NO_MEMORY, "not enough memory");
    return cannot_write(file, error, err);
}

bri_status sink_try(const char *file, bri_error *err) {
    struct stat info;
    sink s;
    if (stat(file, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode))
        return access(file, W_OK) == 0 ? BRI_OK : cannot_write(file, errno, err);
    bri_status status = sink_open(&s, file, 1, err);
    if (status != BRI_OK) return status;
    sink_close(&s, 0, NULL);
    return BRI_OK;
}

/* ---- writing --------------------------------------------------------------------------------- */

/* How much of what waits goes out by one write: whole lines that fill a page at most. A killed
 * program's write ends between two pages, not between two lines; so few lines are torn by it. */
static size_t next_piece(const char *data, size_t size) {
    if (size <= PAGE) return size;
    size_t n = PAGE;
    while (n > 0 && data[n - 1] != '\n') n--;
    return n > 0 ? n : PAGE;
}

void sink_flush(sink *s) {
    size_t done = 0;
    while (!s->error && done < s->used) {
        ssize_t n = write(s->fd, s->data + done, next_piece(s->data + done, s->used - done));
        if (n > 0)
            done += (size_t)n;
        else if (n == 0)
            s->error = EIO;
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
    s->written |= !s->error && s->used > 0;
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
    if (s->aside && !s->whole && s->written)
        return bri_fail(err, BRI_BAD_FILE, "%.150s cannot be written: %s; what it got is in %.150s",
                        s->name, strerror(s->error), s->aside);
    return cannot_write(s->name, s->error, err);
}

/* Before it takes the place of another, the new file must be on the disk and not only on its way
 * there, or a power failure could take both. */
static int settle(const sink *s) {
    if (!s->replaces || !s->aside || fsync(s->fd) == 0) return 0;
    return errno == EINVAL || errno == ENOSYS ? 0 : errno; /* not every system knows it */
}

bri_status sink_close(sink *s, int keep, bri_error *err) {
    if (keep) sink_flush(s);
    if (keep && s->name && !s->error) s->error = settle(s);
    if (s->name && s->fd >= 0 && close(s->fd) != 0 && !s->error) s->error = errno;
    if (s->aside && keep && !s->error && rename(s->aside, s->file) != 0) s->error = errno;
    int part = keep && s->error && !s->whole && s->written;
    if (s->aside && (!keep || s->error) && !part) unlink(s->aside);
    if (s->fresh && !keep) unlink(s->file);
    bri_status status = sink_status(s, err);
    give_back(s);
    return status;
}
