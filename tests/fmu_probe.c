/* fmu_probe.c - loads the binary of an FMU of the law lugre (FMI 2) and steps it: the same program
 * for Linux, for Windows under wine and for ARM under qemu. Prints the force after 200 steps.
 *   fmu_probe LIBRARY GUID */
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef _WIN32
#include <windows.h>
#define OPEN(name)          ((void *)LoadLibraryA(name))
#define FIND(library, name) ((void (*)(void))GetProcAddress((HMODULE)(library), name))
#else
#include <dlfcn.h>
#define OPEN(name)          dlopen(name, RTLD_NOW)
static void (*find(void *library, const char *name))(void) {
    union {
        void *object;
        void (*function)(void);
    } same = {dlsym(library, name)};
    return same.function;
}
#define FIND(library, name) find(library, name)
#endif

static void tell(void *to, const char *instance, int status, const char *category,
                 const char *words, ...) {
    (void)to;
    fprintf(stderr, "%s: %d, %s: %s\n", instance, status, category, words);
}

static const struct {
    void (*logger)(void *, const char *, int, const char *, const char *, ...);
    void *(*allocate)(size_t, size_t);
    void (*release)(void *);
    void (*finished)(void *, int);
    void *environment;
} functions = {tell, calloc, free, NULL, NULL};

typedef void *make_call(const char *, int, const char *, const char *, const void *, int, int);
typedef int setup_call(void *, int, double, double, int, double);
typedef int plain_call(void *);
typedef int set_call(void *, const unsigned *, size_t, const double *);
typedef int get_call(void *, const unsigned *, size_t, double *);
typedef int step_call(void *, double, double, int);

int main(int argc, char **argv) {
    const unsigned v = 101, F = 300; /* lugre: as its description has them */
    double force = NAN;
    void *library = argc == 3 ? OPEN(argv[1]) : NULL;
    if (!library) return 2;
    void *c =
        ((make_call *)FIND(library, "fmi2Instantiate"))("one", 1, argv[2], "", &functions, 0, 0);
    if (!c) return 3;
    int bad = ((setup_call *)FIND(library, "fmi2SetupExperiment"))(c, 0, 0.0, 0.0, 0, 0.0);
    bad |= ((plain_call *)FIND(library, "fmi2EnterInitializationMode"))(c);
    bad |= ((plain_call *)FIND(library, "fmi2ExitInitializationMode"))(c);
    for (int i = 0; i < 200; i++) {
        double speed = 0.1 * sin(0.05 * i);
        bad |= ((set_call *)FIND(library, "fmi2SetReal"))(c, &v, 1, &speed);
        bad |= ((step_call *)FIND(library, "fmi2DoStep"))(c, 1e-3 * i, 1e-3, 1);
    }
    bad |= ((get_call *)FIND(library, "fmi2GetReal"))(c, &F, 1, &force);
    printf("%.15g\n", force);
    return bad != 0;
}
