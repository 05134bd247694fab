/* fmu_reader.h - an FMU as an importer sees it, with nothing of the library: the archive taken
 * apart, the description read word by word, the binary loaded. */
#ifndef BRI_TEST_FMU_READER_H
#define BRI_TEST_FMU_READER_H

#include "test.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

/* ---- the archive ----------------------------------------------------------------------------- */

typedef struct fmu_file {
    unsigned char *bytes;
    size_t size;
} fmu_file;

static unsigned long number_at(const unsigned char *p, int bytes) {
    unsigned long value = 0;
    for (int i = bytes - 1; i >= 0; i--) value = value << 8 | p[i];
    return value;
}

/* CRC-32 bit by bit, the other way round than the library: polynomial division of the message. */
static unsigned long crc_by_division(const unsigned char *p, size_t size) {
    unsigned long crc = 0xffffffffUL, out = 0;
    for (size_t i = 0; i < size; i++)
        for (int k = 0; k < 8; k++) {
            unsigned long top = (crc >> 31 & 1) ^ (p[i] >> k & 1);
            crc = (crc << 1 & 0xffffffffUL) ^ (top ? 0x04c11db7UL : 0);
        }
    for (int k = 0; k < 32; k++) out |= (crc >> k & 1) << (31 - k);
    return out ^ 0xffffffffUL;
}

static fmu_file read_whole(const char *name) {
    fmu_file f = {0};
    FILE *in = fopen(name, "rb");
    assert_non_null(in);
    fseek(in, 0, SEEK_END);
    f.size = (size_t)ftell(in);
    rewind(in);
    f.bytes = malloc(f.size + 1);
    assert_non_null(f.bytes);
    assert_int_equal(fread(f.bytes, 1, f.size, in), f.size);
    f.bytes[f.size] = 0;
    fclose(in);
    return f;
}

/* A file of the archive by its name, found through the list at the end; with a zero behind it. */
static fmu_file unpack(const fmu_file *zip, const char *name) {
    fmu_file f = {0};
    const unsigned char *end = zip->bytes + zip->size - 22;
    assert_int_equal(number_at(end, 4), 0x06054b50UL);
    const unsigned char *row = zip->bytes + number_at(end + 16, 4);
    assert_true(row + number_at(end + 12, 4) == end);
    for (unsigned long i = 0; i < number_at(end + 10, 2); i++) {
        size_t length = number_at(row + 28, 2);
        const unsigned char *head = zip->bytes + number_at(row + 42, 4);
        assert_int_equal(number_at(row, 4), 0x02014b50UL);
        assert_int_equal(number_at(head, 4), 0x04034b50UL);
        assert_memory_equal(row + 6, head + 4, 26); /* both say the same */
        assert_memory_equal(row + 46, head + 30, length);
        if (length == strlen(name) && memcmp(row + 46, name, length) == 0) {
            f.size = number_at(row + 24, 4);
            f.bytes = calloc(1, f.size + 1);
            assert_non_null(f.bytes);
            memcpy(f.bytes, head + 30 + length, f.size);
            assert_int_equal(number_at(row + 16, 4), crc_by_division(f.bytes, f.size));
        }
        row += 46 + length;
    }
    assert_true(row == end);
    if (!f.bytes) fail_msg("%s is not in the archive", name);
    return f;
}

/* ---- the description ------------------------------------------------------------------------- */

/* Attribute of the element that begins at `at`, or of its first child of the kind `inner`; "" if
 * there is none. */
static void attribute_of(const char *at, const char *name, char *value, size_t size) {
    char key[60];
    const char *end = strchr(at, '>');
    snprintf(key, sizeof key, " %s=\"", name);
    const char *found = strstr(at, key);
    value[0] = '\0';
    if (!found || !end || found > end) return;
    found += strlen(key);
    snprintf(value, size, "%.*s", (int)strcspn(found, "\""), found);
}

typedef struct fmu_row {
    char name[170], causality[20], variability[20], initial[20], unit[40], start[40], min[40],
        max[40], derivative[20], reinit[10];
    unsigned number;
} fmu_row;

enum { MOST_ROWS = 2000 };
typedef struct fmu {
    int version;
    fmu_file zip, text;
    const char *xml;
    char token[60], folder[60];
    fmu_row row[MOST_ROWS];
    int count;
    void *library;
} fmu;

static void read_rows(fmu *f) {
    const char *element = f->version == 3 ? "<Float64 " : "<ScalarVariable ";
    const char *at = strstr(f->xml, "<ModelVariables>");
    assert_non_null(at);
    while ((at = strstr(at, element)) != NULL) {
        fmu_row *r = &f->row[f->count++];
        char number[20];
        assert_true(f->count < MOST_ROWS);
        const char *inner = f->version == 3 ? at : strstr(at, "<Real");
        attribute_of(at, "name", r->name, sizeof r->name);
        attribute_of(at, "valueReference", number, sizeof number);
        attribute_of(at, "causality", r->causality, sizeof r->causality);
        attribute_of(at, "variability", r->variability, sizeof r->variability);
        attribute_of(at, "initial", r->initial, sizeof r->initial);
        attribute_of(inner, "unit", r->unit, sizeof r->unit);
        attribute_of(inner, "start", r->start, sizeof r->start);
        attribute_of(inner, "min", r->min, sizeof r->min);
        attribute_of(inner, "max", r->max, sizeof r->max);
        attribute_of(inner, "derivative", r->derivative, sizeof r->derivative);
        attribute_of(inner, "reinit", r->reinit, sizeof r->reinit);
        r->number = (unsigned)strtoul(number, NULL, 10);
        at++;
    }
}

static const fmu_row *row_of(const fmu *f, const char *name) {
    for (int i = 0; i < f->count; i++)
        if (strcmp(f->row[i].name, name) == 0) return &f->row[i];
    fail_msg("there is no variable %s", name);
    return NULL;
}

static const fmu_row *row_numbered(const fmu *f, unsigned number) {
    for (int i = 0; i < f->count; i++)
        if (f->row[i].number == number) return &f->row[i];
    fail_msg("there is no variable with number %u", number);
    return NULL;
}

/* Variables named by elements of the structure, in FMI 2 those within a list: indices of rows. */
static int structure_of(const fmu *f, const char *list, const char *element, int *index) {
    int count = 0;
    char open[60], close[60], text[20];
    snprintf(open, sizeof open, f->version == 3 ? "<%s " : "<%s>",
             f->version == 3 ? element : list);
    snprintf(close, sizeof close, "</%s>", f->version == 3 ? "ModelStructure" : list);
    const char *at = strstr(f->xml, open), *end = at ? strstr(at, close) : NULL;
    const char *each = f->version == 3 ? open : "<Unknown ";
    while (at && (at = strstr(at, each)) != NULL && at < end) {
        attribute_of(at, f->version == 3 ? "valueReference" : "index", text, sizeof text);
        unsigned value = (unsigned)strtoul(text, NULL, 10);
        index[count++] = f->version == 3 ? (int)(row_numbered(f, value) - f->row) : (int)value - 1;
        at++;
    }
    return count;
}

/* ---- the binary ------------------------------------------------------------------------------ */

static void fmu_open(fmu *f, const char *file, const char *law, int version) {
    char name[120];
    memset(f, 0, sizeof *f);
    f->version = version;
    f->zip = read_whole(file);
    f->text = unpack(&f->zip, "modelDescription.xml");
    f->xml = (const char *)f->text.bytes;
    attribute_of(strstr(f->xml, "<fmiModelDescription"),
                 version == 3 ? "instantiationToken" : "guid", f->token, sizeof f->token);
    read_rows(f);
    snprintf(name, sizeof name, "binaries/%s/%s.so", version == 3 ? "x86_64-linux" : "linux64",
             law);
    fmu_file binary = unpack(&f->zip, name);
    snprintf(f->folder, sizeof f->folder, "/tmp/bristle-test-fmu-XXXXXX");
    assert_non_null(mkdtemp(f->folder));
    snprintf(name, sizeof name, "%s/unit.so", f->folder);
    FILE *out = fopen(name, "wb");
    assert_non_null(out);
    assert_int_equal(fwrite(binary.bytes, 1, binary.size, out), binary.size);
    assert_int_equal(fclose(out), 0);
    free(binary.bytes);
    f->library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (!f->library) fail_msg("%s", dlerror());
    unlink(name);
    rmdir(f->folder);
}

static void fmu_close(fmu *f) {
    dlclose(f->library);
    free(f->zip.bytes);
    free(f->text.bytes);
}

/* A function by its name, as whatever type it is given to. */
static void (*call_of(const fmu *f, const char *name))(void) {
    union {
        void *object;
        void (*function)(void);
    } same = {dlsym(f->library, name)};
    if (!same.object) fail_msg("%s is not in the binary", name);
    return same.function;
}

#endif
