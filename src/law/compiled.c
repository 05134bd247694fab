/* compiled.c - a law of one's own as machine code: the C that the library's own laws are made of,
 * compiled by `cc` into a shared object in the user's cache, and loaded. Only where it is asked
 * for.
 *
 * What is loaded is run with the rights of the user: the folder and the file must belong to them
 * and be writable by nobody else. The name of the file is a hash of the source, so that a law that
 * has changed is another file. */
#define _POSIX_C_SOURCE 200809L
#include "interpret.h"

#include "../fail.h"
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

/* The C that a law of the library is made of as well. NULL with the reason in err. */
static char *source_of(const bri_law *l, bri_error *err) {
    char *text = NULL, *law_in_c = law_to_c(l->page, "its page", err);
    size_t length = 0;
    if (!law_in_c) return NULL;
    FILE *out = open_memstream(&text, &length);
    int good = out != NULL;
    if (out) {
        fprintf(out,
                "/* %s, compiled by bristle %s */\n#include <math.h>\n#include <stdarg.h>\n"
                "#include <stddef.h>\n#include <stdint.h>\n#include <stdio.h>\n"
                "#include <stdlib.h>\n#include <string.h>\n#define BRI_API\n",
                l->model.name, bri_version());
        law_put_alone(out, law_in_c);
        fprintf(out,
                "\n__attribute__((visibility(\"default\"))) const bri_model *bri_own_law(void) {\n"
                "    return &BRI_LAW(%s);\n}\n",
                l->model.name);
        good = !ferror(out);
        good &= fclose(out) == 0;
    }
    free(law_in_c);
    if (good) return text;
    free(text);
    bri_fail(err, BRI_NO_MEMORY, "not enough memory");
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

#if defined(__linux__) /* addresses are bound when it is loaded, and then read-only */
#define BIND_NOW "-Wl,-z,relro,-z,now"
#else
#define BIND_NOW "-O2"
#endif

/* Without a shell, and without a word of the compiler on the terminal. */
static bri_status run_cc(const char *source, const char *object, bri_error *err) {
    const char *const words[] = {"cc",     "-std=c11", "-O2",  "-ffp-contract=off",
                                 "-fPIC",  "-shared",  "-w",   "-fvisibility=hidden",
                                 BIND_NOW, "-o",       object, source,
                                 "-lm",    NULL};
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

/* The functions of the model are those that were loaded; tables and texts are those of the page. */
static bri_status load(bri_law *l, const char *object, bri_error *err) {
    if (!is_own(object, S_IFREG))
        return bri_fail(err, BRI_BAD_FILE, "%.300s is not yours alone: it is not loaded", object);
    void *handle = dlopen(object, RTLD_NOW | RTLD_LOCAL);
    if (!handle)
        return bri_fail(err, BRI_BAD_FILE, "%.200s cannot be loaded: %.200s", object, dlerror());
    const bri_model *(*own_law)(void);
    void *found = dlsym(handle, "bri_own_law");
    memcpy(&own_law, &found, sizeof own_law);
    const bri_model *made = found ? own_law() : NULL;
    if (!made || made->n_params != l->model.n_params || made->n_states != l->model.n_states) {
        dlclose(handle);
        return bri_fail(err, BRI_BAD_FILE, "%.200s is not this law: remove it", object);
    }
    law_take_functions(l, made);
    l->object = handle;
    return BRI_OK;
}

bri_status bri_law_compile(bri_law *l, bri_error *err) {
    char cache[PATH_ROOM], object[PATH_ROOM + 64], hash[40];
    if (l->object) return BRI_OK;
    bri_error why = {0};
    char *text = source_of(l, &why);
    if (!text) return bri_fail(err, why.status, "%s", why.text);
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
