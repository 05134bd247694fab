/* zip.c - an archive of files as they are, not compressed (APPNOTE 6.3, method 0). The same entries
 * give the same bytes: every file is of the first day the format knows. */
#include "fmu.h"

#include <string.h>

static unsigned long crc_of(const unsigned char *bytes, size_t size) {
    unsigned long crc = 0xffffffffUL;
    for (size_t i = 0; i < size; i++) {
        crc ^= bytes[i];
        for (int k = 0; k < 8; k++) crc = crc & 1 ? (crc >> 1) ^ 0xedb88320UL : crc >> 1;
    }
    return crc ^ 0xffffffffUL;
}

/* Numbers, the least byte first. */
static void put(sink *to, unsigned long value, int bytes) {
    unsigned char text[4];
    for (int i = 0; i < bytes; i++) text[i] = (unsigned char)(value >> 8 * i);
    sink_put(to, text, (size_t)bytes);
}

enum { VERSION = 20, FIRST_DAY = 1 << 5 | 1, UNIX = 3 << 8, PLAIN_FILE = 0100644 };

/* What stands before a file and in the list at the end alike. */
static void put_facts(sink *to, const zip_entry *e) {
    put(to, VERSION, 2);
    put(to, 0, 2); /* flags */
    put(to, 0, 2); /* stored */
    put(to, 0, 2); /* midnight */
    put(to, FIRST_DAY, 2);
    put(to, e->crc, 4);
    put(to, (unsigned long)e->size, 4);
    put(to, (unsigned long)e->size, 4);
    put(to, (unsigned long)strlen(e->name), 2);
    put(to, 0, 2); /* nothing extra */
}

void zip_put(sink *to, zip_entry *entries, int count) {
    unsigned long at = 0, start;
    for (int i = 0; i < count; i++) {
        zip_entry *e = &entries[i];
        e->crc = crc_of(e->bytes, e->size);
        e->offset = at;
        put(to, 0x04034b50UL, 4);
        put_facts(to, e);
        sink_text(to, e->name);
        sink_put(to, e->bytes, e->size);
        at += 30 + (unsigned long)strlen(e->name) + (unsigned long)e->size;
    }
    start = at;
    for (int i = 0; i < count; i++) {
        const zip_entry *e = &entries[i];
        put(to, 0x02014b50UL, 4);
        put(to, UNIX | VERSION, 2);
        put_facts(to, e);
        put(to, 0, 2); /* no comment */
        put(to, 0, 2); /* disk */
        put(to, 0, 2); /* attributes */
        put(to, (unsigned long)PLAIN_FILE << 16, 4);
        put(to, e->offset, 4);
        sink_text(to, e->name);
        at += 46 + (unsigned long)strlen(e->name);
    }
    put(to, 0x06054b50UL, 4);
    put(to, 0, 4); /* disks */
    put(to, (unsigned long)count, 2);
    put(to, (unsigned long)count, 2);
    put(to, at - start, 4);
    put(to, start, 4);
    put(to, 0, 2); /* no comment */
}
