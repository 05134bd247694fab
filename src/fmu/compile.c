/* compile.c - sources to one shared library, by the compilers of the machine. */
#define _POSIX_C_SOURCE 200809L
#include "fmu.h"

#include "../fail.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* clang-format off */
#if defined(__x86_64__)
#define NATIVE BRI_LINUX64
#elif defined(__aarch64__)
#define NATIVE BRI_AARCH64
#else
#define NATIVE BRI_PLATFORM_COUNT
#endif

static const struct {
    const char *name, *compiler, *package;
} platforms[BRI_PLATFORM_COUNT] = {
    [BRI_LINUX64] = {"linux64", "x86_64-linux-gnu-gcc",    "gcc-x86-64-linux-gnu"},
    [BRI_WIN64] =   {"win64",   "x86_64-w64-mingw32-gcc",  "gcc-mingw-w64-x86-64"},
    [BRI_AARCH64] = {"aarch64", "aarch64-linux-gnu-gcc",   "gcc-aarch64-linux-gnu"},
};
/* clang-format on */

const char *bri_platform_name(bri_platform p) {
    return (unsigned)p < BRI_PLATFORM_COUNT ? platforms[p].name : NULL;
}

/* The words of the command: the compiler may be several, as in CC="ccache gcc". */
enum { WORDS = 400 };
typedef struct command {
    char compiler[200];
    char *word[WORDS];
    int count;
} command;

static void add_word(command *c, const char *word) {
    union {
        const char *in;
        char *out;
    } same = {word}; /* execvp promises to leave it alone */
    if (c->count < WORDS - 1) c->word[c->count++] = same.out;
    c->word[c->count] = NULL;
}

static void name_compiler(command *c, const char *compiler) {
    snprintf(c->compiler, sizeof c->compiler, "%s", compiler);
    c->count = 0;
    for (char *save, *word = strtok_r(c->compiler, " ", &save); word && c->count < 8;
         word = strtok_r(NULL, " ", &save))
        c->word[c->count++] = word;
}

/* Run it in a folder, its words into `said`. 0, an error number, or -1: it failed. */
static int run(const command *c, const char *said) {
    posix_spawn_file_actions_t actions;
    pid_t child;
    int status = 0, error = posix_spawn_file_actions_init(&actions);
    if (error) return error;
    error = posix_spawn_file_actions_addopen(&actions, 1, said, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (!error) error = posix_spawn_file_actions_adddup2(&actions, 1, 2);
    if (!error) error = posix_spawnp(&child, c->word[0], &actions, NULL, c->word, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error) return error;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR) return 0; /* the host discards its children: the file tells */
    return WIFEXITED(status) && WEXITSTATUS(status) == 0     ? 0
           : WIFEXITED(status) && WEXITSTATUS(status) == 127 ? ENOENT
                                                             : -1;
}

static int write_text(const char *file, const char *text) {
    FILE *out = fopen(file, "w");
    int good = out && fputs(text, out) >= 0;
    return (!out || fclose(out) == 0) && good;
}

static char *read_bytes(const char *file, size_t *size) {
    FILE *in = fopen(file, "rb");
    char *bytes = NULL;
    long length = in && fseek(in, 0, SEEK_END) == 0 ? ftell(in) : -1;
    if (length > 0 && fseek(in, 0, SEEK_SET) == 0) bytes = malloc((size_t)length);
    if (bytes && fread(bytes, 1, (size_t)length, in) != (size_t)length) {
        free(bytes);
        bytes = NULL;
    }
    if (in) fclose(in);
    *size = bytes ? (size_t)length : 0;
    return bytes;
}

/* The first line with a mistake that the compiler found. */
static void first_mistake(const char *said, char *words, size_t size) {
    char line[300];
    FILE *in = fopen(said, "r");
    snprintf(words, size, "no reason given");
    while (in && fgets(line, sizeof line, in)) {
        line[strcspn(line, "\r\n")] = '\0';
        const char *error = strstr(line, "error: ");
        if (!error) continue;
        snprintf(words, size, "%s", error + 7);
        break;
    }
    if (in) fclose(in);
}

typedef struct workshop {
    char folder[200], library[220], said[220];
    char (*source)[300]; /* of each source of the model */
    const fmu_model *m;
    bri_platform platform;
} workshop;

/* A libbristle_core.a that is there already, to be linked in place of the engine's sources. */
static const char *engine_for(bri_platform platform) {
    const char *given = getenv("BRISTLE_FMU_ENGINE");
    return platform == NATIVE && given && *given ? given : NULL;
}

static int compile_by(const char *compiler, const workshop *w) {
    static const char *const common[] = {"-O2", "-ffp-contract=off", "-shared", "-s", "-o"};
    const char *engine = engine_for(w->platform);
    command c;
    name_compiler(&c, compiler);
    if (c.count == 0) return ENOENT;
    add_word(&c, w->m->n_sources > 1 ? "-std=gnu11" : "-std=c99");
    for (size_t i = 0; i < sizeof common / sizeof *common; i++) add_word(&c, common[i]);
    add_word(&c, w->library);
    for (int i = 0; i < w->m->n_sources; i++) {
        const char *name = w->source[i];
        if (name[strlen(name) - 1] == 'c' && !(engine && w->m->sources[i].engine))
            add_word(&c, name);
    }
    if (engine && w->m->n_sources > 1) add_word(&c, engine);
    if (w->platform == BRI_WIN64) {
        add_word(&c, "-static-libgcc");
        add_word(&c, "-Wl,--no-insert-timestamp,--disable-auto-image-base");
    } else {
        add_word(&c, "-fPIC");
        add_word(&c, "-Wl,--build-id=none,--no-undefined,-z,relro,-z,now");
    }
    add_word(&c, "-lm");
    return run(&c, w->said);
}

static bri_status compile_in(const workshop *w, char **bytes, size_t *size, bri_error *err) {
    char why[200];
    bri_platform platform = w->platform;
    const char *given = getenv("CC"), *tries[4] = {0};
    int failed = ENOENT, n = 0;
    if (platform == NATIVE) {
        if (given && *given) tries[n++] = given;
        tries[n++] = "cc";
        tries[n++] = "gcc";
        tries[n++] = "clang";
    } else {
        tries[n++] = platforms[platform].compiler;
    }
    for (int i = 0; i < n && failed == ENOENT; i++) failed = compile_by(tries[i], w);
    if (failed == ENOENT)
        return bri_fail(err, BRI_MISSING, "no compiler for %s (Debian package %s)",
                        platforms[platform].name,
                        platform == NATIVE ? "gcc" : platforms[platform].package);
    if (!failed) *bytes = read_bytes(w->library, size);
    if (!failed && *bytes) return BRI_OK;
    first_mistake(w->said, why, sizeof why);
    return bri_fail(err, BRI_BAD_FILE, "the compiler for %s failed: %s", platforms[platform].name,
                    failed > 0 ? strerror(failed) : why);
}

static bri_status write_sources(workshop *w, bri_error *err) {
    for (int i = 0; i < w->m->n_sources; i++) {
        snprintf(w->source[i], sizeof *w->source, "%s/%s", w->folder, w->m->sources[i].name);
        if (!write_text(w->source[i], w->m->sources[i].text))
            return bri_fail(err, BRI_BAD_FILE, "%s cannot be written: %s", w->source[i],
                            strerror(errno));
    }
    return BRI_OK;
}

bri_status fmu_compile(bri_platform platform, const fmu_model *m, char **bytes, size_t *size,
                       bri_error *err) {
    workshop w = {.m = m, .platform = platform};
    const char *place = getenv("TMPDIR");
    *bytes = NULL;
    w.source = calloc((size_t)m->n_sources, sizeof *w.source);
    if (!w.source) return bri_fail(err, BRI_NO_MEMORY, "%s", bri_status_text(BRI_NO_MEMORY));
    snprintf(w.folder, sizeof w.folder, "%s/bristle-fmu-XXXXXX",
             place && *place && strlen(place) < 150 ? place : "/tmp");
    if (!mkdtemp(w.folder)) {
        free(w.source);
        return bri_fail(err, BRI_BAD_FILE, "%s: a temporary folder cannot be made: %s", w.folder,
                        strerror(errno));
    }
    snprintf(w.library, sizeof w.library, "%s/unit.so", w.folder);
    snprintf(w.said, sizeof w.said, "%s/said", w.folder);
    bri_status status = write_sources(&w, err);
    if (!status) status = compile_in(&w, bytes, size, err);
    for (int i = 0; i < m->n_sources; i++)
        if (w.source[i][0]) unlink(w.source[i]);
    unlink(w.library);
    unlink(w.said);
    rmdir(w.folder);
    free(w.source);
    return status;
}
