/* shim.c - a library to preload that lets one call of a kind fail, or all from one on.
 *
 * BRISTLE_FAULT="KIND N MODE": the N-th call of the kind (memory, open, write, rename, close, sync)
 * fails, with MODE `on` also all that follow. N = 0: none fails. BRISTLE_FAULT_COUNT names a file
 * that gets the kinds and the number of calls of each at the end. Memory that third-party libraries
 * take for themselves is not counted, unless BRISTLE_FAULT_ALL is set: SUNDIALS and UDUNITS do not
 * look whether they got it. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { MEMORY, OPEN, WRITE, RENAME, CLOSE, SYNC, KINDS };
static const char *const names[KINDS] = {"memory", "open", "write", "rename", "close", "sync"};

static int kind = -1, on, all, ready;
static long wanted, seen[KINDS];

/* Where the code of third-party libraries lies. */
static struct { size_t from, to; } foreign[64];
static int n_foreign;

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);

static int note(struct dl_phdr_info *info, size_t size, void *data) {
    static const char *const words[] = {"sundials", "klu",   "amd",     "colamd",
                                        "btf",      "suite", "udunits", "expat"};
    (void)size, (void)data;
    for (size_t w = 0; w < sizeof words / sizeof *words; w++) {
        if (!strstr(info->dlpi_name, words[w])) continue;
        for (int i = 0; i < info->dlpi_phnum && n_foreign < 64; i++)
            if (info->dlpi_phdr[i].p_type == PT_LOAD && (info->dlpi_phdr[i].p_flags & PF_X)) {
                foreign[n_foreign].from = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
                foreign[n_foreign].to = foreign[n_foreign].from + info->dlpi_phdr[i].p_memsz;
                n_foreign++;
            }
        break;
    }
    return 0;
}

__attribute__((constructor)) static void begin(void) {
    char word[20] = "", mode[10] = "";
    const char *text = getenv("BRISTLE_FAULT");
    if (text && sscanf(text, "%19s %ld %9s", word, &wanted, mode) >= 2)
        for (int i = 0; i < KINDS; i++)
            if (strcmp(word, names[i]) == 0) kind = i;
    on = strcmp(mode, "on") == 0;
    all = getenv("BRISTLE_FAULT_ALL") != NULL;
    dl_iterate_phdr(note, NULL);
    unsetenv("LD_PRELOAD"); /* gnuplot is not what is tested */
    ready = 1;
}

__attribute__((destructor)) static void end(void) {
    const char *file = getenv("BRISTLE_FAULT_COUNT");
    char text[KINDS * 32];
    int n = 0;
    ready = 0;
    if (!file) return;
    for (int i = 0; i < KINDS; i++)
        n += snprintf(text + n, sizeof text - (size_t)n, "%s %ld\n", names[i], seen[i]);
    long fd = syscall(SYS_openat, AT_FDCWD, file, O_CREAT | O_TRUNC | O_WRONLY, 0666);
    if (fd >= 0) syscall(SYS_write, fd, text, (size_t)n);
}

/* UDUNITS takes memory by way of the C library as well (strdup, tsearch): nothing of what it does
 * counts. */
static __thread int in_udunits;

static int fails(int what, const void *caller) {
    if (!ready) return 0;
    if (what == MEMORY && !all && in_udunits) return 0;
    for (int i = 0; what == MEMORY && !all && i < n_foreign; i++)
        if ((size_t)caller >= foreign[i].from && (size_t)caller < foreign[i].to) return 0;
    long now = __atomic_add_fetch(&seen[what], 1, __ATOMIC_RELAXED);
    return what == kind && wanted > 0 && (now == wanted || (on && now > wanted));
}

#define CALLER __builtin_return_address(0)

void *malloc(size_t size) {
    if (!fails(MEMORY, CALLER)) return __libc_malloc(size);
    errno = ENOMEM;
    return NULL;
}

void *calloc(size_t count, size_t size) {
    if (!fails(MEMORY, CALLER)) return __libc_calloc(count, size);
    errno = ENOMEM;
    return NULL;
}

void *realloc(void *old, size_t size) {
    if (!fails(MEMORY, CALLER)) return __libc_realloc(old, size);
    errno = ENOMEM;
    return NULL;
}

int open(const char *path, int flags, ...) {
    va_list args;
    va_start(args, flags);
    int mode = flags & O_CREAT ? va_arg(args, int) : 0;
    va_end(args);
    if (fails(OPEN, NULL)) {
        errno = EMFILE;
        return -1;
    }
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

FILE *fopen(const char *path, const char *mode) {
    static FILE *(*real)(const char *, const char *);
    if (!real) *(void **)&real = dlsym(RTLD_NEXT, "fopen");
    if (fails(OPEN, NULL)) {
        errno = EMFILE;
        return NULL;
    }
    return real(path, mode);
}

FILE *tmpfile(void) {
    static FILE *(*real)(void);
    if (!real) *(void **)&real = dlsym(RTLD_NEXT, "tmpfile");
    if (fails(OPEN, NULL)) {
        errno = EMFILE;
        return NULL;
    }
    return real();
}

ssize_t write(int fd, const void *data, size_t size) {
    if (fails(WRITE, NULL)) {
        errno = ENOSPC;
        return -1;
    }
    return syscall(SYS_write, fd, data, size);
}

int rename(const char *from, const char *to) {
    if (fails(RENAME, NULL)) {
        errno = EXDEV;
        return -1;
    }
    return (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}

int close(int fd) {
    int result = (int)syscall(SYS_close, fd);
    if (!fails(CLOSE, NULL)) return result;
    errno = EIO;
    return -1;
}

int fsync(int fd) {
    if (fails(SYNC, NULL)) {
        errno = EIO;
        return -1;
    }
    return (int)syscall(SYS_fsync, fd);
}

/* UDUNITS, of which the library calls these. */
#define OF_UDUNITS(type, name, parameters, arguments)                                              \
    type name parameters {                                                                         \
        static type(*real) parameters;                                                             \
        if (!real) *(void **)&real = dlsym(RTLD_NEXT, #name);                                      \
        in_udunits++;                                                                              \
        type result = real arguments;                                                              \
        in_udunits--;                                                                              \
        return result;                                                                             \
    }

OF_UDUNITS(void *, ut_read_xml, (const char *path), (path))
OF_UDUNITS(void *, ut_parse, (const void *system, const char *text, int encoding),
           (system, text, encoding))
OF_UDUNITS(void *, ut_get_converter, (void *from, void *to), (from, to))
OF_UDUNITS(int, ut_are_convertible, (const void *a, const void *b), (a, b))
OF_UDUNITS(int, ut_format, (const void *unit, char *text, size_t size, unsigned options),
           (unit, text, size, options))
