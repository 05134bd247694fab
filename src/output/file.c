/* file.c - a text file that is written line by line; what it promises is in sink.h. */
#include "bristle_tools.h"

#include "../fail.h"
#include "sink.h"

#include <stdlib.h>
#include <string.h>

struct bri_file {
    sink out;
};

bri_status bri_file_open(const char *name, int whole, bri_file **f, bri_error *err) {
    *f = malloc(sizeof **f);
    if (!*f) return bri_fail(err, BRI_NO_MEMORY, "%s", bri_status_text(BRI_NO_MEMORY));
    bri_status status = sink_open(&(*f)->out, name, whole, err);
    if (status == BRI_OK) return BRI_OK;
    free(*f);
    *f = NULL;
    return status;
}

bri_status bri_file_try(const char *name, bri_error *err) { return sink_try(name, err); }

bri_status bri_file_put(bri_file *f, const char *text, bri_error *err) {
    size_t size = strlen(text);
    char *to = sink_room(&f->out, size);
    if (to) {
        memcpy(to, text, size);
        sink_filled(&f->out, to + size);
    }
    return sink_status(&f->out, err);
}

bri_status bri_file_flush(bri_file *f, bri_error *err) {
    sink_flush(&f->out);
    return sink_status(&f->out, err);
}

bri_status bri_file_close(bri_file *f, int keep, bri_error *err) {
    if (!f) return BRI_OK;
    bri_status status = sink_close(&f->out, keep, err);
    free(f);
    return status;
}
