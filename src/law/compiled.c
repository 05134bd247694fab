/* compiled.c - a law of one's own as machine code: its programs written in C, compiled by `cc` into
 * a shared object in the user's cache, and loaded. Only where it is asked for.
 *
 * What is loaded is run with the rights of the user: the folder and the file must belong to them
 * and be writable by nobody else. The name of the file is a hash of the source, so that a law that
 * has changed is another file. */
#define _POSIX_C_SOURCE 200809L
#include "interpret.h"

#include "../expr/machine.h"
#include "../expr/ops.h"
#include "../fail.h"
#include "../output/number.h"
#include "export.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATH_ROOM = 4096 };

/* ---- the source ---------------------------------------------------------------------------- */

/* Operations as they are in expr_apply, with the operands a, b, c. */
static const char *const forms[EXPR_OPS] = {
    [EXPR_NEG] = "-a",
    [EXPR_ADD] = "a + b",
    [EXPR_SUB] = "a - b",
    [EXPR_MUL] = "a*b",
    [EXPR_DIV] = "a/b",
    [EXPR_POW] = "expr_pow(a, b)",
    [EXPR_ABS] = "fabs(a)",
    [EXPR_SIGN] = "expr_sign(a)",
    [EXPR_MIN] = "expr_min(a, b)",
    [EXPR_MAX] = "expr_max(a, b)",
    [EXPR_CLAMP] = "expr_clamp(a, b, c)",
    [EXPR_EXP] = "exp(a)",
    [EXPR_EXPM1] = "expm1(a)",
    [EXPR_LOG] = "log(a)",
    [EXPR_LOG1P] = "log1p(a)",
    [EXPR_SQRT] = "sqrt(a)",
    [EXPR_SIN] = "sin(a)",
    [EXPR_COS] = "cos(a)",
    [EXPR_TAN] = "tan(a)",
    [EXPR_ATAN] = "atan(a)",
    [EXPR_TANH] = "tanh(a)",
    [EXPR_STEP] = "expr_step(a)",
    [EXPR_STRIBECK] = "exp(-expr_gpow(fabs(a)/b, c, 0))",
    [EXPR_GPOW] = "expr_gpow(a, b, (int)c)",
    [EXPR_LT] = "a < b",
    [EXPR_LE] = "a <= b",
    [EXPR_GT] = "a > b",
    [EXPR_GE] = "a >= b",
    [EXPR_EQ] = "a == b",
    [EXPR_NE] = "a != b",
    [EXPR_AND] = "a != 0.0 && b != 0.0",
    [EXPR_OR] = "a != 0.0 || b != 0.0",
    [EXPR_NOT] = "a == 0.0",
    [EXPR_IF] = "a != 0.0 ? b : c",
};

/* One instruction: the letters a, b, c that stand alone are its operands. */
static void put_instruction(FILE *out, const instruction *i) {
    fprintf(out, "    const double r%d = ", i->to);
    for (const char *s = forms[i->op]; *s; s++) {
        char before = s == forms[i->op] ? ' ' : s[-1];
        int word = (before >= 'a' && before <= 'z') || before == '_' ||
                   (s[1] >= 'a' && s[1] <= 'z') || s[1] == '_';
        if (*s >= 'a' && *s <= 'c' && !word)
            fprintf(out, "r%d", i->at[*s - 'a']);
        else
            fputc(*s, out);
    }
    fputs(";\n", out);
}

/* Variable i: an input, a state, a parameter, or what is frozen. */
static void put_input(FILE *out, const bri_law *l, int to, int i) {
    int state = i - LAW_STATES, param = state - l->page->n_states,
        frozen = param - l->page->n_params;
    fprintf(out, "    const double r%d = %s[%d];\n", to,
            state < 0    ? "u"
            : param < 0  ? "z"
            : frozen < 0 ? "p"
                         : "u",
            state < 0    ? i
            : param < 0  ? state
            : frozen < 0 ? param
                         : LAW_STATES + frozen);
}

/* Registers may be used again for another value: each value gets a number of its own. */
static int put_part(FILE *out, const bri_law *l, int part) {
    const expr_program *p = l->parts[part];
    int *now = calloc((size_t)p->n_registers + 1, sizeof *now), next = p->n_registers + 1;
    char text[NUMBER_ROOM + 1];
    if (!now) return 0;
    for (int i = 0; i <= p->n_registers; i++) now[i] = i;
    fprintf(out,
            "\nvoid bri_part_%d(const double *u, const double *z, const double *p, double *out) "
            "{\n    (void)u, (void)z, (void)p;\n",
            part);
    for (int i = 0; i < p->n_constants; i++) {
        *number_put(text, p->constants[i].value) = '\0';
        fprintf(out, "    const double r%d = %s%s;\n", p->constants[i].to, text,
                strpbrk(text, ".einf") ? "" : ".0");
    }
    for (int i = 0; i < p->n_inputs; i++)
        if (p->needed[i]) put_input(out, l, p->n_uniform + i, i);
    for (int i = 0; i < p->n_each; i++) {
        instruction own = p->each[i];
        for (int k = 0; k < 3; k++) own.at[k] = now[own.at[k]];
        now[p->each[i].to] = own.to = next++;
        put_instruction(out, &own);
    }
    for (int i = 0; i < p->n_roots; i++) fprintf(out, "    out[%d] = r%d;\n", i, now[p->roots[i]]);
    fputs("}\n", out);
    free(now);
    return 1;
}

static char *source_of(const bri_law *l) {
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    if (!out) return NULL;
    fprintf(out, "/* %s, compiled by bristle %s */\n%s\n", l->model.name, bri_version(),
            export_math("expr_math"));
    int good = 1;
    for (int i = 0; i < PART_COUNT; i++)
        if (l->parts[i]) good &= put_part(out, l, i);
    good &= !ferror(out);
    if (fclose(out) == 0 && good) return text;
    free(text);
    return NULL;
}

/* FNV-1a, twice from different starts. */
static void hash_of(const char *text, char name[40]) {
    unsigned long long h[2] = {0xcbf29ce484222325u, 0x84222325cbf29ce4u};
    for (int k = 0; k < 2; k++)
        for (const char *s = text; *s; s++) h[k] = (h[k] ^ (unsigned char)*s) * 0x100000001b3u;
    snprintf(name, 40, "%016llx%016llx", h[0], h[1]);
}

/* ---- the cache ----------------------------------------------------------------------------- */

static bri_status make_folder(const char *path, bri_error *err) {
    if (mkdir(path, 0700) == 0 || errno == EEXIST) return BRI_OK;
    return bri_fail(err, BRI_BAD_FILE, "%.300s cannot be made: %s", path, strerror(errno));
}

/* Nonzero: a thing of that kind that belongs to the user, and that nobody else can write. */
static int is_own(const char *path, mode_t kind) {
    struct stat info;
    return lstat(path, &info) == 0 && (info.st_mode & S_IFMT) == kind && info.st_uid == geteuid() &&
           !(info.st_mode & (S_IWGRP | S_IWOTH));
}

/* $XDG_CACHE_HOME/bristle or ~/.cache/bristle, made if it is not there. */
static bri_status find_cache(char path[PATH_ROOM], bri_error *err) {
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    char base[PATH_ROOM - 16];
    if (cache && cache[0] == '/')
        snprintf(base, sizeof base, "%s", cache);
    else if (home && home[0] == '/')
        snprintf(base, sizeof base, "%s/.cache", home);
    else
        return bri_fail(err, BRI_BAD_FILE,
                        "there is no folder for compiled laws: set XDG_CACHE_HOME or HOME");
    bri_status status = make_folder(base, err);
    snprintf(path, PATH_ROOM, "%s/bristle", base);
    if (status == BRI_OK) status = make_folder(path, err);
    if (status == BRI_OK && !is_own(path, S_IFDIR))
        return bri_fail(err, BRI_BAD_FILE,
                        "%.300s is not yours alone, or no folder: what is compiled there is not "
                        "loaded; chmod 700 it, or set XDG_CACHE_HOME",
                        path);
    return status;
}

/* ---- the compiler -------------------------------------------------------------------------- */

extern char **environ;

/* Without a shell, and without a word of the compiler on the terminal. */
static bri_status run_cc(const char *source, const char *object, bri_error *err) {
    const char *const words[] = {"cc",    "-std=c11", "-O2", "-ffp-contract=off",
                                 "-fPIC", "-shared",  "-o",  object,
                                 source,  "-lm",      NULL};
    posix_spawn_file_actions_t quiet;
    pid_t child;
    int code, status = 0;
    if (posix_spawn_file_actions_init(&quiet) != 0)
        return bri_fail(err, BRI_NO_MEMORY, "not enough memory");
    posix_spawn_file_actions_addopen(&quiet, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&quiet, 2, "/dev/null", O_WRONLY, 0);
    code = posix_spawnp(&child, "cc", &quiet, NULL, (char *const *)(const void *)words, environ);
    posix_spawn_file_actions_destroy(&quiet);
    while (code == 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
    if (code != 0 || (WIFEXITED(status) && WEXITSTATUS(status) == 127))
        return bri_fail(err, BRI_MISSING,
                        "there is no C compiler: 'cc' cannot be started (Debian package gcc); "
                        "without it a law is run from its equations");
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        return bri_fail(err, BRI_BAD_FILE, "'cc' could not compile the law");
    return BRI_OK;
}

static bri_status write_source(const char *file, const char *text, bri_error *err) {
    int fd = open(file, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0600);
    FILE *out = fd >= 0 ? fdopen(fd, "w") : NULL;
    int good = out && fputs(text, out) >= 0;
    if (out)
        good &= fclose(out) == 0;
    else if (fd >= 0)
        close(fd);
    return good
               ? BRI_OK
               : bri_fail(err, BRI_BAD_FILE, "%.300s cannot be written: %s", file, strerror(errno));
}

/* Compile in a folder of its own, and put the result where it belongs in one step. */
static bri_status make_object(const char *cache, const char *text, const char *object,
                              bri_error *err) {
    char folder[PATH_ROOM + 32], source[PATH_ROOM + 48], made[PATH_ROOM + 48];
    snprintf(folder, sizeof folder, "%s/work-XXXXXX", cache);
    if (!mkdtemp(folder))
        return bri_fail(err, BRI_BAD_FILE, "%.300s: no folder can be made there: %s", cache,
                        strerror(errno));
    snprintf(source, sizeof source, "%s/law.c", folder);
    snprintf(made, sizeof made, "%s/law.so", folder);
    bri_status status = write_source(source, text, err);
    if (status == BRI_OK) status = run_cc(source, made, err);
    if (status == BRI_OK && (chmod(made, 0500) != 0 || rename(made, object) != 0))
        status =
            bri_fail(err, BRI_BAD_FILE, "%.300s cannot be written: %s", object, strerror(errno));
    unlink(source);
    unlink(made);
    rmdir(folder);
    return status;
}

static bri_status load(bri_law *l, const char *object, bri_error *err) {
    char name[40];
    if (!is_own(object, S_IFREG))
        return bri_fail(err, BRI_BAD_FILE, "%.300s is not yours alone: it is not loaded", object);
    void *handle = dlopen(object, RTLD_NOW | RTLD_LOCAL);
    if (!handle)
        return bri_fail(err, BRI_BAD_FILE, "%.200s cannot be loaded: %.200s", object, dlerror());
    for (int i = 0; i < PART_COUNT; i++) {
        snprintf(name, sizeof name, "bri_part_%d", i);
        void *found = l->parts[i] ? dlsym(handle, name) : NULL;
        if (found) memcpy(&l->compiled[i], &found, sizeof found);
    }
    l->object = handle;
    return BRI_OK;
}

bri_status bri_law_compile(bri_law *l, bri_error *err) {
    char cache[PATH_ROOM], object[PATH_ROOM + 64], hash[40];
    if (l->object) return BRI_OK;
    char *text = source_of(l);
    if (!text) return bri_fail(err, BRI_NO_MEMORY, "not enough memory");
    hash_of(text, hash);
    bri_status status = find_cache(cache, err);
    snprintf(object, sizeof object, "%s/%s-%s.so", cache, l->model.name, hash);
    struct stat info;
    if (status == BRI_OK && lstat(object, &info) != 0)
        status = make_object(cache, text, object, err);
    free(text);
    return status == BRI_OK ? load(l, object, err) : status;
}

void law_unload(bri_law *l) {
    if (l->object) dlclose(l->object);
}
