/* lawgen.c - bristle_lawgen: law files to C, when the library is built.
 *   bristle_lawgen OUT_DIR FILE.yaml...   writes OUT_DIR/NAME.c for each, and OUT_DIR/laws.c
 *   bristle_lawgen --check FILE.yaml...   reads them only */
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

static int generate(const char *dir, char *file) {
    char stem[256];
    size_t length;
    bri_error err = {0};
    char *text = read_all(file, &length), *code = NULL;
    law *l = text ? law_read(text, length, tell, file) : NULL;
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
    free(text);
    return good;
}

static int write_table(const char *dir, char **files, int count) {
    size_t room = 1000 + (size_t)count * 700, used = 0;
    char *text = malloc(room), stem[256];
    if (!text) return 0;
#define PUT(...) used += (size_t)snprintf(text + used, room - used, __VA_ARGS__)
    PUT("/* The laws that are files. Made by bristle_lawgen. */\n#include \"law/law.h\"\n\n");
    for (int i = 0; i < count; i++) {
        stem_of(files[i], stem, sizeof stem);
        PUT("extern const law_row bri_law_row_%s;\n", stem);
    }
    PUT("\nextern const law_row *const bri_law_rows[];\nextern const int bri_law_count;\n"
        "const law_row *const bri_law_rows[] = {\n");
    for (int i = 0; i < count; i++) {
        stem_of(files[i], stem, sizeof stem);
        PUT("    &bri_law_row_%s,\n", stem);
    }
    PUT("};\nconst int bri_law_count = %d;\n", count);
#undef PUT
    int good = write_all(dir, "laws", text);
    free(text);
    return good;
}

int main(int argc, char **argv) {
    int good = 1;
    if (argc < 3) {
        fprintf(stderr, "usage: bristle_lawgen OUT_DIR|--check FILE.yaml...\n");
        return 2;
    }
    const char *dir = strcmp(argv[1], "--check") == 0 ? NULL : argv[1];
    for (int i = 2; i < argc; i++) good &= generate(dir, argv[i]);
    if (good && dir) good = write_table(dir, argv + 2, argc - 2);
    return good ? 0 : 1;
}
