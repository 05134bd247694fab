/* lawgen.c - bristle_lawgen: law files to C, when the library is built.
 *   bristle_lawgen OUT_DIR ORDER FILE.yaml...   writes OUT_DIR/NAME.c for each, and the table of
 * all laws, in the order of that file: OUT_DIR/laws.c bristle_lawgen --check FILE.yaml... reads
 * them only */
#include "law.h"

#include "../scenario/node.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void tell(void *to, int line, const char *words) {
    if (line > 0)
        fprintf(stderr, "%s:%d: %s\n", (const char *)to, line, words);
    else
        fprintf(stderr, "%s: %s\n", (const char *)to, words);
}

static char *read_all(const char *file, size_t *length) {
    FILE *in = fopen(file, "rb");
    char *text = in ? malloc(MAX_FILE) : NULL;
    *length = text ? fread(text, 1, MAX_FILE, in) : 0;
    if (in && !ferror(in) && text && *length < MAX_FILE) {
        fclose(in);
        return text;
    }
    fprintf(stderr, "%s: cannot be read\n", file);
    if (in) fclose(in);
    free(text);
    return NULL;
}

static int write_all(const char *dir, const char *name, const char *text) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s.c", dir, name);
    FILE *out = fopen(path, "wb");
    int good = out && fputs(text, out) >= 0;
    if (out && fclose(out) != 0) good = 0;
    if (!good) fprintf(stderr, "%s: cannot be written\n", path);
    return good;
}

/* The name of a file without its folders and its ending. */
static void stem_of(const char *file, char *stem, size_t size) {
    const char *slash = strrchr(file, '/');
    snprintf(stem, size, "%s", slash ? slash + 1 : file);
    char *dot = strrchr(stem, '.');
    if (dot) *dot = '\0';
}

static void tell_status(void *to, int line, bri_status status, const char *words) {
    (void)status;
    tell(to, line, words);
}

/* The tree lives in the memory of its own until the law has been written. */
static law *read_page(char *file, const char *text, size_t length, arena *memory) {
    const node *root = plain_parse(text, length, memory, tell_status, file);
    return root ? law_read_tree(root, text, length, tell_status, file) : NULL;
}

static int generate(const char *dir, char *file) {
    char stem[256];
    size_t length;
    bri_error err = {0};
    arena memory = {0};
    char *text = read_all(file, &length), *code = NULL;
    law *l = text ? read_page(file, text, length, &memory) : NULL;
    int good = l != NULL;
    stem_of(file, stem, sizeof stem);
    if (l && strcmp(l->name, stem) != 0) {
        fprintf(stderr, "%s: the law is called '%s': the file must be %s.yaml\n", file, l->name,
                l->name);
        good = 0;
    }
    if (good && dir) {
        char source[300];
        snprintf(source, sizeof source, "laws/%s.yaml", stem);
        code = law_to_c(l, source, &err);
        if (!code) fprintf(stderr, "%s: %s\n", file, err.text);
        good = code && write_all(dir, stem, code);
    }
    free(code);
    law_free(l);
    arena_free(&memory);
    free(text);
    return good;
}

/* ---- vectors --------------------------------------------------------------------------------- */

/* The rows of the table follow behind all laws. */
static int put_vectors(FILE *out, FILE *rows, char *file, law_vectors what) {
    size_t length;
    bri_error err = {0};
    arena memory = {0};
    char *text = read_all(file, &length), *code = NULL, *row = NULL;
    law *l = text ? read_page(file, text, length, &memory) : NULL;
    int good = l && law_to_vectors(l, what, &code, &row, &err);
    if (l && !good) fprintf(stderr, "%s: %s\n", file, err.text);
    if (good && code) {
        if (what == LAW_VALUES) fprintf(out, "\nextern const bri_model bri_law_%s;\n", l->name);
        fputs(code, out);
        fputs(row, rows);
    }
    free(code);
    free(row);
    law_free(l);
    arena_free(&memory);
    free(text);
    return good;
}

static int write_vectors(const char *dir, law_vectors what, char **files, int count) {
    static const struct {
        const char *name, *words, *table;
    } of[LAW_VECTORS] = {{"values", "", "static const bri_kernel_row rows[]"},
                         {"slopes", ": their derivatives", "const bri_slope_row SLOPE_ROWS[]"},
                         {"lanes", ", for several runs at once", "const bri_lane_row LANE_ROWS[]"}};
    char path[4096], line[600];
    snprintf(path, sizeof path, "%s/law_%s.h", dir, of[what].name);
    FILE *out = fopen(path, "wb"), *rows = tmpfile();
    int good = out && rows;
    if (good)
        fprintf(out, "/* The laws of laws/ on vectors%s. Made by bristle_lawgen. */\n",
                of[what].words);
    for (int i = 0; i < count && good; i++) good = put_vectors(out, rows, files[i], what);
    if (good) {
        rewind(rows);
        fprintf(out, "\n%s = {\n", of[what].table);
        while (fgets(line, sizeof line, rows)) fputs(line, out);
        fputs("};\n", out);
        good = !ferror(out) && !ferror(rows);
    }
    if (rows) fclose(rows);
    if (out && fclose(out) != 0) good = 0;
    if (!good) fprintf(stderr, "%s: cannot be written\n", path);
    return good;
}

/* ---- the table of all laws ------------------------------------------------------------------- */

/* The table: laws that are named in the order come first; of those, what is no file is in C. */
typedef struct table {
    FILE *out;
    char **files;
    int count, rows;
    int *done;
} table;

static int file_of(const table *t, const char *name) {
    char stem[256];
    for (int i = 0; i < t->count; i++) {
        stem_of(t->files[i], stem, sizeof stem);
        if (strcmp(stem, name) == 0) return i;
    }
    return -1;
}

static void put_law(table *t, const char *name, int pass) {
    int file = file_of(t, name) >= 0;
    fprintf(t->out, pass == 0 ? "extern const bri_model %s%s%s;\n" : "    &%s%s%s,\n",
            file ? "BRI_LAW(" : "bri_", name, file ? ")" : "");
    t->rows += pass;
}

/* Words of a text, without comments. */
static void put_laws(table *t, const char *order, size_t length, int pass) {
    char name[256];
    memset(t->done, 0, sizeof *t->done * (size_t)t->count);
    for (size_t i = 0, n; i < length; i += n + 1) {
        n = strcspn(order + i, " \n");
        if (order[i] == '#') {
            n = strcspn(order + i, "\n");
            continue;
        }
        if (n == 0 || n >= sizeof name) continue;
        snprintf(name, sizeof name, "%.*s", (int)n, order + i);
        if (file_of(t, name) >= 0) t->done[file_of(t, name)] = 1;
        put_law(t, name, pass);
    }
    for (int i = 0; i < t->count; i++) {
        stem_of(t->files[i], name, sizeof name);
        if (!t->done[i]) put_law(t, name, pass);
    }
}

static int write_table(const char *dir, const char *order_file, char **files, int count) {
    char path[4096];
    size_t length;
    char *order = read_all(order_file, &length);
    snprintf(path, sizeof path, "%s/laws.c", dir);
    table t = {.out = order ? fopen(path, "wb") : NULL, .files = files, .count = count};
    t.done = calloc((size_t)count + 1, sizeof *t.done);
    int good = t.out && t.done;
    if (good) {
        order[length] = '\0';
        fputs("/* All laws, in the order of laws/order. Made by bristle_lawgen. */\n"
              "#include \"models/models.h\"\n\n",
              t.out);
        put_laws(&t, order, length, 0);
        fputs("\nconst bri_model *const bri_law_table[] = {\n", t.out);
        put_laws(&t, order, length, 1);
        fprintf(t.out, "};\nconst int bri_law_table_count = %d;\n", t.rows);
        good = !ferror(t.out);
    }
    if (t.out && fclose(t.out) != 0) good = 0;
    if (!good) fprintf(stderr, "%s: cannot be written\n", path);
    free(t.done);
    free(order);
    return good;
}

int main(int argc, char **argv) {
    int good = 1, check = argc > 1 && strcmp(argv[1], "--check") == 0, first = check ? 2 : 3;
    if (argc <= first) {
        fprintf(stderr, "usage: bristle_lawgen OUT_DIR ORDER FILE.yaml...\n"
                        "       bristle_lawgen --check FILE.yaml...\n");
        return 2;
    }
    for (int i = first; i < argc; i++) good &= generate(check ? NULL : argv[1], argv[i]);
    if (good && !check)
        good = write_table(argv[1], argv[2], argv + first, argc - first) &&
               write_vectors(argv[1], LAW_VALUES, argv + first, argc - first) &&
               write_vectors(argv[1], LAW_SLOPES, argv + first, argc - first) &&
               write_vectors(argv[1], LAW_LANES, argv + first, argc - first);
    return good ? 0 : 1;
}
