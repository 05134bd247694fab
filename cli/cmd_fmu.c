/* cmd_fmu.c - bristle fmu: a law or a rig as an FMU, for tools that import those. */
#include "cli.h"
#include "watch.h"

#include "bristle_fmu.h"

#include <string.h>

static const option options[] = {
    {"--output", "FILE", "the FMU to write, default LAW.fmu or RIG.fmu; also -o"},
    {"--fmi", "2|3", "version of the interface, default 2: FMI 2.0"},
    {"--platforms", "LIST",
     "binaries: linux64, win64, aarch64, or none; default: all that compilers "
     "are there for"},
    LAWS_OPTION,
    {"--set", "NAME=VALUE",
     "start value of a parameter, for a rig any key of its file; repeatable"},
    {"--load", "N", "of a law: start value of the normal load, default: that of its parameters"},
    {"--model", "LAW", "of a rig: put this law on every contact"},
    {"--inputs", "LIST", "of a rig: numbers that are inputs, push.force,belt.velocity"},
    HELP_OPTION,
};
enum { N_OPTIONS = sizeof options / sizeof *options };

static void help(void) {
    puts("bristle fmu LAW|RIG.yaml - a law or a whole rig as an FMU, a unit that simulation tools "
         "import\n\n"
         "examples:\n"
         "  bristle fmu lugre -o lugre.fmu\n"
         "  bristle fmu belt --inputs belt.velocity -o belt.fmu\n"
         "  bristle fmu rig.yaml --fmi 3 --set block.mass='3 kg' --platforms linux64\n"
         "  bristle fmu lugre --fmi 3 --set sigma0='1e5 N/m' --load '20 N' -o lugre.fmu\n"
         "  bristle fmu mine --laws mine.yaml --platforms linux64,win64\n\n"
         "options:");
    options_print(options, N_OPTIONS);
    puts("\nThe unit of a law has the inputs v (relative velocity) and N (normal load), the output "
         "F "
         "(friction\n"
         "force), the parameters of the law, which may be changed between steps, and its states. "
         "A law\n"
         "that sticks exactly has the input fa, too: the force that would hold it. Both kinds of "
         "FMI are\n"
         "in one file, Model Exchange with the tool's solver and Co-Simulation with the law's own "
         "step.\n"
         "The unit of a rig has the columns of its run as outputs and the numbers of the file as\n"
         "parameters, or as inputs that are held over a step; Co-Simulation is done by the solver\n"
         "rosenbrock.\n"
         "Units need the C library only; the sources within them compile with one command.\n"
         "Binaries are made by cc (or $CC), x86_64-w64-mingw32-gcc and aarch64-linux-gnu-gcc, as "
         "far as\n"
         "they are installed. See docs/howto/fmu.md.");
}

static int find_platform(const char *name, size_t length, unsigned *wanted) {
    const char *names[BRI_PLATFORM_COUNT];
    char text[40];
    snprintf(text, sizeof text, "%.*s", (int)length, name);
    for (int i = 0; i < BRI_PLATFORM_COUNT; i++) {
        names[i] = bri_platform_name((bri_platform)i);
        if (strcmp(text, names[i]) == 0) {
            *wanted |= 1u << i;
            return DONE;
        }
    }
    const char *near = bri_nearest(text, names, BRI_PLATFORM_COUNT);
    if (near)
        complain("--platforms: there is no '%s'; did you mean '%s'?", text, near);
    else
        complain("--platforms: there is no '%s'; it can be linux64, win64, aarch64 or none", text);
    return WRONG_USAGE;
}

static int find_platforms(const args *a, bri_fmu_options *how) {
    const char *list = args_get(a, "--platforms");
    if (!list) return DONE;
    if (strcmp(list, "none") == 0) {
        how->sources_only = 1;
        return DONE;
    }
    for (;; list++) {
        size_t n = strcspn(list, ",");
        int failed = find_platform(list, n, &how->wanted);
        if (failed) return failed;
        list += n;
        if (!*list) return DONE;
    }
}

/* What is in it, and what is not. */
static void tell(const char *file, const bri_fmu_options *how) {
    fprintf(stderr, "%s: FMI %d.0, Model Exchange and Co-Simulation, sources", file, how->version);
    for (int i = 0; i < BRI_PLATFORM_COUNT; i++)
        if (how->made & 1u << i) fprintf(stderr, ", %s", bri_platform_name((bri_platform)i));
    fputc('\n', stderr);
    if (!how->made && !how->sources_only)
        fprintf(stderr,
                "note: no binary: there is no compiler (Debian package gcc); most tools need "
                "one\n");
}

static int finish(bri_status status, const char *file, const bri_fmu_options *how,
                  const bri_error *err) {
    if (status != BRI_OK && watch_interrupted()) {
        complain("interrupted: nothing is written");
        return EXIT_INTERRUPTED;
    }
    if (status)
        complain("%s", err->text);
    else
        tell(file, how);
    return exit_code(status);
}

static int run_law(const args *a, bri_fmu_options *how) {
    laws l = {0};
    bri_error err;
    char file[300];
    int failed = laws_from_args(&l, a);
    if (!failed) {
        snprintf(file, sizeof file, "%.200s.fmu", l.list[0].setup.model->name);
        const char *to = args_get(a, "--output") ? args_get(a, "--output") : file;
        failed = finish(bri_fmu_write(&l.list[0].setup, how, to, &err), to, how, &err);
    }
    laws_free(&l);
    return failed;
}

/* A rig is a file, or one of those that are built in. */
static int is_rig(const char *word) {
    size_t n = strlen(word);
    return strchr(word, '/') || (n > 5 && strcmp(word + n - 5, ".yaml") == 0) ||
           (n > 4 && strcmp(word + n - 4, ".yml") == 0) || bri_scenario_text(word);
}

static int load_rig(const args *a, scenario *s) {
    static bri_messages messages; /* too large for the stack */
    const char *name = args_get(a, "--model");
    bri_scenario_options how = {.laws = a->known->laws};
    changes c = {0};
    int failed = changes_from_args(&c, a, "--output");
    if (!failed && name && !(how.model = law_find(a, name, &s->random))) failed = WRONG_USAGE;
    if (!failed) {
        how.overrides = c.list;
        how.n_overrides = c.count;
        bri_status status = bri_scenario_load(a->words[0], &how, &s->s, &messages);
        tell_messages(&messages);
        failed = reading_code(status);
    }
    changes_free(&c);
    return failed;
}

static int run_rig(const args *a, bri_fmu_options *how) {
    scenario s = {0};
    bri_error err;
    char file[300];
    if (args_get(a, "--load")) {
        complain("--load is for a law: the contacts of a rig have their loads in its file");
        return WRONG_USAGE;
    }
    int failed = load_rig(a, &s);
    if (!failed) {
        const char *word = a->words[0], *slash = strrchr(word, '/'),
                   *name = slash ? slash + 1 : word;
        const char *dot = strrchr(name, '.');
        snprintf(file, sizeof file, "%.*s.fmu", dot ? (int)(dot - name) : (int)strlen(name), name);
        const char *to = args_get(a, "--output") ? args_get(a, "--output") : file;
        how->name = word;
        how->inputs = args_get(a, "--inputs");
        if (!how->sources_only)
            fprintf(stderr, "%s: compiling, some 20 s of processor time for each platform\n", to);
        failed = finish(bri_fmu_write_rig(s.s, how, to, &err), to, how, &err);
    }
    scenario_free(&s);
    return failed;
}

static int run(const args *a) {
    bri_fmu_options how = {.version = 2};
    if (a->n_words != 1) {
        complain(a->n_words ? "name one law or rig: '%.60s' is a second one"
                            : "name a law or a rig%s",
                 a->n_words ? a->words[1]
                            : "; 'bristle models' and 'bristle scenario' list those there are");
        return WRONG_USAGE;
    }
    int failed = args_whole(a, "--fmi", 2, 3, &how.version);
    if (!failed) failed = find_platforms(a, &how);
    if (failed) return failed;
    watch_interrupts(0); /* the compiler ends by itself, and its files are taken away */
    return is_rig(a->words[0]) ? run_rig(a, &how) : run_law(a, &how);
}

int cmd_fmu(int argc, char **argv) { return command(options, N_OPTIONS, help, run, argc, argv); }
