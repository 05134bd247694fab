/* sink.h - where bytes of a result file go: a buffer before a file, a device or standard output.
 *
 * Everything that the library and the command write to files passes here, and so shares its
 * promises. A file that exists stays as it is until the new one is complete, and then keeps its
 * permissions and the links to it. Devices and pipes are written as they are. */
#ifndef BRI_SINK_H
#define BRI_SINK_H

#include "bristle.h"

#include <stddef.h>

typedef struct sink {
    char *data; /* what is not written yet */
    size_t used, room;
    int fd;
    int error;    /* the first errno; nothing is written after it */
    int whole;    /* nonzero: a part of the file is worth nothing */
    int fresh;    /* nonzero: the file was created under its own name */
    int replaces; /* nonzero: there was one before */
    int written;  /* nonzero: some of it has reached the system */
    char *name;   /* as the user wrote it; NULL: standard output */
    char *file;   /* behind all links */
    char *aside;  /* name under which the file grows until it is complete; NULL: its own */
} sink;

/* Open a file, or standard output if file is NULL. whole: it appears complete or not at all. Else
 * one that did not exist is created at once and grows under its own name, to be watched; and a part
 * of it is kept when it cannot be completed. */
bri_status sink_open(sink *s, const char *file, int whole, bri_error *err);

/* See whether a file could be opened like that, and leave no trace. */
bri_status sink_try(const char *file, bri_error *err);

/* Room for `size` more bytes at the end of the buffer; NULL after a failure. What the buffer
 * already holds may be written out first, so that what is put into one room is never torn apart by
 * that. */
char *sink_room(sink *s, size_t size);

/* Count the bytes that were put into the room. */
static inline void sink_filled(sink *s, const char *end) { s->used = (size_t)(end - s->data); }

void sink_put(sink *s, const void *bytes, size_t size);
void sink_text(sink *s, const char *text);

/* Hand the buffer to the system. */
void sink_flush(sink *s);

/* BRI_OK, or the sentence about the first error. */
bri_status sink_status(const sink *s, bri_error *err);

/* Write out, close, and give the file its name if keep is nonzero and all went well. Without keep
 * it leaves no trace. */
bri_status sink_close(sink *s, int keep, bri_error *err);

#endif
