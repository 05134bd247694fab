/* memtext.h - a text put together in memory by those who write to a FILE. For POSIX 2008. */
#ifndef BRI_MEMTEXT_H
#define BRI_MEMTEXT_H

#include <stdio.h>
#include <stdlib.h>

typedef struct memtext {
    FILE *out; /* NULL: there was no memory */
    char *text;
    size_t size;
} memtext;

static inline FILE *memtext_open(memtext *m) {
    m->text = NULL;
    m->size = 0;
    return m->out = open_memstream(&m->text, &m->size);
}

/* The text, which the caller frees; NULL if there was no memory for all of it. */
static inline char *memtext_close(memtext *m) {
    if (m->out && fclose(m->out) == 0) return m->text;
    free(m->text);
    return NULL;
}

#endif
