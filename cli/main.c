/* main.c - the bristle command: a table of subcommands.
 *
 * Standard output carries data, standard error words. Exit code 0: done, 1: a run failed, 2: wrong
 * usage. */
#define _POSIX_C_SOURCE 200809L
#include "cli.h"
#include "watch.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *text;
} commands[] = {
    {"models", cmd_models, "list the friction laws and what they can do, or explain some of them"},
    {"curve", cmd_curve, "steady-state friction force against velocity"},
    {"loop", cmd_loop, "friction under a sinusoidal motion: hysteresis, energy per cycle"},
    {"conform", cmd_conform, "which friction law keeps which promise: a table of measurements"},
    {"law", cmd_law, "check a law of one's own: a page of equations without C"},
    {"export", cmd_export, "write a law as one file of C, Python, MATLAB or structured text"},
    {"fmu", cmd_fmu, "write a law or a rig as an FMU for simulation tools, FMI 2.0 or 3.0"},
    {"check", cmd_check, "read a scenario file and print the system it describes"},
    {"scenario", cmd_scenario, "list the scenarios that ship with bristle, or print one to edit"},
    {"run", cmd_run, "simulate a scenario: motion, friction and energies over time"},
    {"compare", cmd_compare, "compare friction laws, solvers and tolerances on a scenario"},
    {"sweep", cmd_sweep,
     "one scenario at many points: grids, distributions, laws; rows of measures"},
    {"merge", cmd_merge, "put the parts of a sweep together"},
    {"identify", cmd_identify,
     "friction parameters from measurements, with intervals; which law fits"},
    {"reproduce", cmd_reproduce, "do published experiments again and compare every number"},
};
enum { N_COMMANDS = sizeof commands / sizeof *commands };

static void help(void) {
    puts("bristle - friction laws for mechanical systems that stick and slip\n\n"
         "usage: bristle COMMAND [ARGUMENTS]\n");
    for (int i = 0; i < N_COMMANDS; i++) printf("  %-9s %s\n", commands[i].name, commands[i].text);
    puts("\nexamples:\n"
         "  bristle models                            which laws there are\n"
         "  bristle models lugre                      what one of them says\n"
         "  bristle curve stribeck lugre --plot a.svg compare two in a picture\n"
         "  bristle loop dahl --amplitude '1 mm'      hysteresis as numbers\n"
         "  bristle run rabinowicz --plot b.png       simulate a rig\n"
         "  bristle compare rabinowicz                which law is near, which is cheap\n\n"
         "'bristle COMMAND --help' explains a command; 'bristle --version' prints the version.\n"
         "Numbers are SI or carry a unit: --set v_s='10 mm/s'.");
}

static int unknown_command(const char *name) {
    const char *names[N_COMMANDS];
    for (int i = 0; i < N_COMMANDS; i++) names[i] = commands[i].name;
    const char *near = bri_nearest(name, names, N_COMMANDS);
    if (near)
        complain("there is no command '%.40s'; did you mean '%s'?", name, near);
    else
        complain("there is no command '%.40s'; try 'bristle --help'", name);
    return WRONG_USAGE;
}

static int run(int argc, char **argv) {
    if (argc < 2) {
        complain("name a command; try 'bristle --help'");
        return WRONG_USAGE;
    }
    if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help")) {
        help();
        return DONE;
    }
    if (!strcmp(argv[1], "--version")) {
        printf("bristle %s\n", bri_version());
        return DONE;
    }
    for (int i = 0; i < N_COMMANDS; i++)
        if (!strcmp(argv[1], commands[i].name)) return commands[i].run(argc - 1, argv + 1);
    return unknown_command(argv[1]);
}

/* The library takes the best instruction set in place of one it does not have; say so. */
static void check_level(void) {
    const char *wanted = getenv("BRISTLE_LEVEL"), *names[BRI_LEVEL_COUNT];
    int known = 0, count = 0;
    if (!wanted || !*wanted) return;
    for (bri_level l = BRI_LEVEL_AUTO; l < BRI_LEVEL_COUNT; l++) {
        int same = strcmp(wanted, bri_level_name(l)) == 0;
        if (same && bri_level_usable(l)) return;
        known = known || same;
        if (bri_level_usable(l)) names[count++] = bri_level_name(l);
    }
    char list[80] = "";
    size_t used = 0;
    for (int i = 0; i < count; i++) {
        const char *gap = i == 0 ? "" : i == count - 1 ? " or " : ", ";
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", gap, names[i]);
    }
    complain("BRISTLE_LEVEL=%.40s: %s; it can be %s; %s is taken", wanted,
             known ? "this machine or build does not have it" : "there is no such level", list,
             bri_level_name(bri_level_best()));
}

/* The same of a path that there is not. */
static void check_path(void) {
    const char *wanted = getenv("BRISTLE_PATH");
    char list[120] = "";
    size_t used = 0;
    if (!wanted || !*wanted) return;
    for (int i = 0; bri_path_name(i); i++) {
        if (strcmp(wanted, bri_path_name(i)) == 0) return;
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "",
                                 bri_path_name(i));
    }
    complain("BRISTLE_PATH=%.40s: there is no such path; it can be %s; auto is taken", wanted,
             list);
}

/* A stream that is closed would be the first file to be opened, and words would go into it: what
 * stands in its place cannot be written, or read to any effect. */
static void hold_standard_streams(void) {
    for (int fd = 0; fd < 3; fd++)
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF) open("/dev/null", fd ? O_RDONLY : O_WRONLY);
}

int main(int argc, char **argv) {
    hold_standard_streams();
    signal(SIGPIPE, SIG_IGN); /* a closed pipe becomes an error that can be told */
    signal(SIGXFSZ, SIG_IGN); /* and so does a file that may not grow */
    check_level();
    check_path();
    int code = run(argc, argv);
    errno = 0;
    if ((fflush(stdout) != 0 || ferror(stdout)) && code == DONE) {
        complain("standard output cannot be written: %s", strerror(errno ? errno : EIO));
        code = RUN_FAILED;
    }
    /* whatever a command makes of results that are not all there */
    return code == RUN_FAILED && watch_interrupted() ? EXIT_INTERRUPTED : code;
}
