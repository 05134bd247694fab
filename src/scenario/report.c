/* report.c - messages: collected, in the order of lines, at most twenty. */
#include "reader.h"

#include "text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Nothing in a file may steer the terminal it is reported on. */
static void make_printable(char *text) {
    for (; *text; text++)
        if ((unsigned char)*text < 0x20 || *text == 0x7F) *text = '?';
}

/* Insert behind messages of the same or an earlier line; the last of more than twenty is lost. */
static void keep(bri_messages *m, const bri_error *e) {
    int at = m->count;
    while (at > 0 && m->message[at - 1].line > e->line) at--;
    if (m->count == BRI_MAX_MESSAGES) {
        m->dropped++;
        if (at == m->count) return;
        m->count--;
    }
    memmove(m->message + at + 1, m->message + at, sizeof *e * (size_t)(m->count - at));
    m->message[at] = *e;
    m->count++;
}

void report_line(reader *r, int line, bri_status status, const char *words) {
    if (r->quiet) return;
    r->reported++;
    bri_error e = {.status = status, .line = line};
    size_t length = strlen(r->file), cut = length > 120 ? length - 120 : 0;
    if (line > 0)
        snprintf(e.text, sizeof e.text, "%s:%d: %s", r->file + cut, line, words);
    else
        snprintf(e.text, sizeof e.text, "%s: %s", r->file + cut, words);
    make_printable(e.text);
    if (r->status == BRI_OK) r->status = status;
    if (r->messages) keep(r->messages, &e);
}

void report(reader *r, const node *n, bri_status status, const char *format, ...) {
    char path[160] = "", words[400];
    va_list args;
    if (n) node_path(n, path, sizeof path);
    size_t used = path[0] ? (size_t)snprintf(words, sizeof words, "%s: ", path) : 0;
    va_start(args, format);
    text_vformat(words + used, sizeof words - used, format, args);
    va_end(args);
    report_line(r, n ? n->key_line : 0, status, words);
}

void report_memory(reader *r) {
    if (r->quiet) return; /* it will be asked for again, or the arena remembers */
    if (r->status != BRI_NO_MEMORY) report_line(r, 0, BRI_NO_MEMORY, "not enough memory");
    r->status = BRI_NO_MEMORY;
}
