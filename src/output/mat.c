/* mat.c - results as a MAT-file, level 5, which MATLAB and Octave load.
 *
 * Every column is a vector under its name, with an underscore for what a variable may not hold:
 * t, block_x, pad_F, energy_residual. `units` is a struct of their units, `run` one of settings and
 * outcome. The format ("MAT-File Format", MathWorks) is a header and a list of elements, each a
 * type, a length and data padded to 8 bytes. It is written here and not by matio, because libmatio
 * brings HDF5 and 35 more libraries with it: 6 ms of processor time at every start of every
 * command. */
#include "utf8.h"
#include "writer.h"

#include "../fail.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { INT8 = 1, UINT16 = 4, INT32 = 5, UINT32 = 6, DOUBLE = 9, MATRIX = 14 }; /* elements */
enum { STRUCT_CLASS = 2, CHAR_CLASS = 4, DOUBLE_CLASS = 6 };                   /* arrays */
enum { NAME_ROOM = 64 }; /* of a variable or field, with its terminator: namelengthmax is 63 */

typedef char var_name[NAME_ROOM];

/* ---- elements -------------------------------------------------------------------------------- */

static size_t padded(size_t size) { return (size + 7) / 8 * 8; }

static void put_tag(sink *out, uint32_t type, size_t size) {
    uint32_t tag[2] = {type, (uint32_t)size};
    sink_put(out, tag, sizeof tag);
}

static void put_padding(sink *out, size_t size) {
    static const char zeros[8];
    sink_put(out, zeros, padded(size) - size);
}

static void put_element(sink *out, uint32_t type, const void *data, size_t size) {
    put_tag(out, type, size);
    sink_put(out, data, size);
    put_padding(out, size);
}

/* Bytes of what put_array writes after the tag. */
static size_t array_size(const char *name) { return 16 + 16 + 8 + padded(strlen(name)); }

/* Tag, class, dimensions and name of an array with `size` more bytes to follow. */
static void put_array(sink *out, uint32_t class, const char *name, size_t rows, size_t columns,
                      size_t size) {
    uint32_t flags[2] = {class, 0};
    int32_t dimensions[2] = {(int32_t)rows, (int32_t)columns};
    put_tag(out, MATRIX, array_size(name) + size);
    put_element(out, UINT32, flags, sizeof flags);
    put_element(out, INT32, dimensions, sizeof dimensions);
    put_element(out, INT8, name, strlen(name));
}

/* ---- a struct of texts and numbers ----------------------------------------------------------- */

/* One field: a text, or a number if text is NULL. */
typedef struct field {
    const char *name, *text;
    double number;
} field;

/* UTF-16, as MATLAB has it, to `out` unless that is NULL; the number of units. */
static size_t utf16(const char *text, sink *out) {
    size_t n = 0;
    for (uint32_t c; (c = utf8_next(&text)) != 0;) {
        size_t units = c > 0xffff ? 2 : 1;
        const uint16_t one = (uint16_t)c;
        const uint16_t pair[2] = {(uint16_t)(0xd7c0 + (c >> 10)), (uint16_t)(0xdc00 | (c & 0x3ff))};
        if (out) sink_put(out, units == 2 ? pair : &one, units * sizeof one);
        n += units;
    }
    return n;
}

static size_t field_size(const field *f) {
    return 8 + array_size("") + 8 + padded(f->text ? 2 * utf16(f->text, NULL) : sizeof(double));
}

static void put_field(sink *out, const field *f) {
    size_t size = field_size(f) - 8 - array_size("");
    if (!f->text) {
        put_array(out, DOUBLE_CLASS, "", 1, 1, size);
        put_element(out, DOUBLE, &f->number, sizeof f->number);
        return;
    }
    size_t units = utf16(f->text, NULL);
    put_array(out, CHAR_CLASS, "", units > 0, units, size);
    put_tag(out, UINT16, 2 * units);
    utf16(f->text, out);
    put_padding(out, 2 * units);
}

/* Fields one by one, so that there is no need for memory when the file is finished. */
typedef field field_at(const void *from, size_t i);

static void put_struct(sink *out, const char *name, field_at *at, const void *from, size_t count) {
    size_t size = 8 + 8 + count * NAME_ROOM;
    for (size_t i = 0; i < count; i++) {
        field f = at(from, i);
        size += field_size(&f);
    }
    put_array(out, STRUCT_CLASS, name, 1, 1, size);
    const int32_t name_length[2] = {4 << 16 | INT32, NAME_ROOM}; /* the form for short data */
    sink_put(out, name_length, sizeof name_length);
    put_tag(out, INT8, count * NAME_ROOM);
    for (size_t i = 0; i < count; i++) {
        var_name padded_name = {0};
        strncpy(padded_name, at(from, i).name, NAME_ROOM - 1);
        sink_put(out, padded_name, NAME_ROOM);
    }
    for (size_t i = 0; i < count; i++) {
        field f = at(from, i);
        put_field(out, &f);
    }
}

/* ---- names ----------------------------------------------------------------------------------- */

/* Letters, digits and underscores, a letter first. */
static void make_name(const char *column, var_name name) {
    size_t n = 0;
    if (!isalpha((unsigned char)column[0])) name[n++] = 'x';
    for (; *column && n + 1 < NAME_ROOM; column++)
        name[n++] =
            isalnum((unsigned char)*column) && (unsigned char)*column < 0x80 ? *column : '_';
    name[n] = '\0';
}

/* By name; the same names in the order of their columns. */
static int by_name(const void *a, const void *b) {
    const char *x = *(char *const *)a, *y = *(char *const *)b;
    int order = strcmp(x, y);
    return order ? order : (x > y) - (x < y);
}

/* Number the names that are the same: "a.b" and "a_b" become a_b and a_b_2. A number may hit a name
 * that is there already, hence some rounds. order is room for count pointers. */
static void tell_apart(var_name *names, char **order, size_t count) {
    int changed = 1;
    for (int round = 0; changed && round < 10; round++) {
        changed = 0;
        for (size_t i = 0; i < count; i++) order[i] = names[i];
        qsort(order, count, sizeof *order, by_name);
        for (size_t i = 0, next; i < count; i = next) {
            for (next = i + 1; next < count && strcmp(order[i], order[next]) == 0; next++) {
            }
            for (size_t k = i + 1; k < next; k++, changed = 1) {
                size_t length = strlen(order[k]), most = NAME_ROOM - 14;
                snprintf(order[k] + (length < most ? length : most), 14, "_%zu", k - i + 1);
            }
        }
    }
}

/* ---- the file -------------------------------------------------------------------------------- */

static void put_vector(bri_writer *w, const char *name, int column) {
    size_t size = w->n_rows * sizeof(double);
    const double *from = w->rows + column;
    put_array(&w->out, DOUBLE_CLASS, name, w->n_rows, 1, 8 + size);
    put_tag(&w->out, DOUBLE, size);
    for (size_t i = 0; i < w->n_rows; i++, from += w->n_columns)
        sink_put(&w->out, from, sizeof *from);
}

/* The columns under the names that they have got. */
typedef struct named {
    const bri_recorder *recorder;
    var_name *names;
} named;

static field unit_at(const void *from, size_t i) {
    const named *n = from;
    return (field){n->names[i], bri_recorder_unit(n->recorder, (int)i), 0.0};
}

static void put_units(bri_writer *w, var_name *names) {
    const named from = {w->head.recorder, names};
    put_struct(&w->out, "units", unit_at, &from, (size_t)w->n_columns);
}

static field listed_at(const void *from, size_t i) { return ((const field *)from)[i]; }

static void put_run(bri_writer *w, const bri_run_end *end) {
    const bri_sim_def *def = w->head.def;
    const bri_stats *s = &end->stats;
    int fixed = def->solver && bri_solver_fixed_step(def->solver);
    const field fields[] = {
        {"bristle", bri_version(), 0.0},
        {"title", w->head.title ? w->head.title : "", 0.0},
        {"scenario", w->head.source ? w->head.source : "", 0.0},
        {"solver", def->solver ? bri_solver_name(def->solver) : "rosenbrock", 0.0},
        {fixed ? "step" : "rtol", NULL, fixed ? def->step : def->rtol},
        {"until", NULL, def->t_end},
        {"output", NULL, w->head.output},
        {"complete", NULL, end->status == BRI_OK},
        {"error", end->text ? end->text : "", 0.0},
        {"steps", NULL, (double)s->steps},
        {"rejected", NULL, (double)s->rejected},
        {"evaluations", NULL, (double)s->evals},
        {"events", NULL, (double)s->events},
    };
    put_struct(&w->out, "run", listed_at, fields, sizeof fields / sizeof *fields);
}

static void put_header(sink *out) {
    char text[124];
    const uint16_t version[2] = {0x0100, 'M' << 8 | 'I'}; /* the second tells the byte order */
    memset(text, ' ', sizeof text);
    int n =
        snprintf(text, sizeof text, "MATLAB 5.0 MAT-file, written by bristle %s", bri_version());
    text[n] = ' ';
    memset(text + 116, 0, 8); /* no data of subsystems */
    sink_put(out, text, sizeof text);
    sink_put(out, version, sizeof version);
}

static bri_status finish(bri_writer *w, const bri_run_end *end, bri_error *err) {
    size_t count = (size_t)w->n_columns;
    if (w->n_rows > INT32_MAX / sizeof(double) - 1000 || count > INT32_MAX / 256)
        return bri_fail(
            err, BRI_BAD_VALUE,
            "%.150s: %zu rows of %zu columns are too many for a MAT file, which holds 2 GB "
            "in one variable; write CSV",
            w->file, w->n_rows, count);
    var_name *names = calloc(count, sizeof *names);
    char **order = calloc(count, sizeof *order);
    if (names && order) {
        for (int i = 0; i < w->n_columns; i++)
            make_name(bri_recorder_name(w->head.recorder, i), names[i]);
        tell_apart(names, order, count);
        put_header(&w->out);
        for (int i = 0; i < w->n_columns; i++) put_vector(w, names[i], i);
        put_units(w, names);
        put_run(w, end);
    }
    bri_status status = names && order ? sink_status(&w->out, err)
                                       : bri_fail(err, BRI_NO_MEMORY, "not enough memory");
    free(names);
    free(order);
    return status;
}

const writer_kind mat_kind = {.suffix = ".mat", .finish = finish};
