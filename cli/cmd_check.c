/* cmd_check.c - bristle check: what a scenario says, or what is wrong with it. */
#include "cli.h"

static const option options[] = {
    SCENARIO_OPTIONS,
    {"--json", NULL, "the parameters of the contacts as JSON: value, role, where each comes from"},
    HELP_OPTION,
};
enum { N_OPTIONS = sizeof options / sizeof *options };

static void help(void) {
    puts("bristle check FILE|NAME - read a scenario, check it and print the system it describes\n\n"
         "examples:\n"
         "  bristle check my_rig.yaml\n"
         "  bristle check rabinowicz --model dahl --set pad.load='100 N'\n"
         "  bristle check belt --model stribeck --json\n\n"
         "options:");
    options_print(options, N_OPTIONS);
    puts("\nEach parameter of a contact is given, given for the law that another one stands in "
         "for,\n"
         "derived (the rule is shown) or a default; what is of no use to the law is told.");
    puts("\nNothing is run. All mistakes are listed, each with its line; exit code 0 if there are "
         "none.");
}

/* What only shows when the parts come together: loads that cannot be found, a solver that cannot do
 * the law. */
static int check_as_a_whole(const bri_scenario *s) {
    bri_sim *sim;
    bri_error err;
    bri_status status = bri_sim_create(bri_scenario_def(s), &sim, &err);
    if (status) complain("%s", err.text);
    bri_sim_free(sim);
    return exit_code(status);
}

static int run(const args *a) {
    scenario given;
    int failed = scenario_from_args(&given, a);
    if (!failed) failed = check_as_a_whole(given.s);
    if (!failed && args_get(a, "--json"))
        bri_scenario_json(given.s, stdout);
    else if (!failed && *bri_scenario_describe(given.s))
        fputs(bri_scenario_describe(given.s), stdout);
    else if (!failed) {
        complain("%s", bri_status_text(BRI_NO_MEMORY));
        failed = RUN_FAILED;
    }
    scenario_free(&given);
    return failed;
}

int cmd_check(int argc, char **argv) { return command(options, N_OPTIONS, help, run, argc, argv); }
