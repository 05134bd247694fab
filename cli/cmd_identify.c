/* cmd_identify.c - bristle identify: which law fits measurements, with which parameters. */
#include "bristle_identify.h"
#include "cli.h"
#include "watch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const option options[] = {
    {"--data", "FILES", "recordings: CSV files, parted by commas"},
    {"--map", "MAP", "which column is what: 'axis.x=qm[m],drive.force=35.15*vir[V],t=t[s]'"},
    {"--free", "LIST", "what is unknown, such as pad.mu_c,axis.mass,offset, or all; default all"},
    {"--each", "LIST", "unknowns with a value for every file, such as offset,pad.kv"},
    {"--models", "LIST", "laws to be ranked, such as lugre,dahl, or all; default: that of the rig"},
    LAWS_OPTION,
    {"--validate", "FILES", "recordings that are predicted, not fitted"},
    {"--way", "WAY",
     "curve: steady points; force: over the measured motion; motion: under measured inputs"},
    {"--controller", "LOOP",
     "closed loop: 'motor.force = 8557 N s/m*(160 1/s*(wish.x - axis.x) - axis.v)', at the "
     "samples"},
    {"--from", "T", "leave out what the recordings of --data have before this time, as '9 s'"},
    {"--until", "T", "and what they have after this one"},
    {"--filter", "F", "low pass for forces and residuals, default by rate and noise; 0: none"},
    {"--robust", "K", "count residuals beyond K standard deviations by their size, not its square"},
    {"--starts", "K", "searches from different starts, default 6"},
    {"--seed", "S", "of the random starts, default 1"},
    {"--folds", "K", "blocks that are held out in turn, default 4; half: the second half once"},
    {"--bootstrap", "K",
     "intervals by K fits to redrawn blocks of the residuals as well, such as 200"},
    {"--anyway", NULL, "fit also where the data are refused"},
    {"--synthetic", "RATE",
     "make a recording of the rig instead, '1 kHz', by the map; -o names it"},
    {"--noise", "LIST", "of it: standard deviations, 'axis.x=1 um,drive.force=0.2 N'"},
    {"--colour", "R", "correlation of that noise from row to row, default 0: white"},
    {"--resolution", "LIST", "steps of its sensors, 'axis.x=0.1 um'"},
    {"--late", "LIST", "by which its sensors are late, 'drive.force=2 ms'"},
    {"--set", "KEY=VALUE", "change the rig: pad.sigma0=2e5, axis.mass='3 kg'; repeatable"},
    {"--threads", "K", "laws side by side, default one per processor"},
    {"--report", "DIR", "write a page with verdict, tables and pictures: DIR/report.html"},
    {"-o", "FILE",
     "write the rig with the values of the law that is advised, a scenario that can be run"},
    {"--json", NULL, "everything that was found as JSON"},
    {"--csv", NULL, "the estimates of the best law, or the ranking of several, as CSV"},
    {"--markdown", NULL, "the tables as Markdown"},
    HELP_OPTION,
};
enum { N_OPTIONS = sizeof options / sizeof *options };

static void help(void) {
    puts("bristle identify NAME|FILE - friction parameters from measurements\n\n"
         "examples:\n"
         "  bristle identify axis.yaml --data run.csv --free pad.Fc,pad.kv,axis.mass,offset \\\n"
         "      --map 'axis.x=position[mm],drive.force=35.15*current[A],t=time[s]'\n"
         "  bristle identify axis.yaml --data a.csv,b.csv --validate c.csv --models all \\\n"
         "      --free all,axis.mass,offset --map 't=t,axis.x=x,drive.force=F'\n"
         "  bristle identify pad.yaml --data curve.csv --map 'pad.v=v[mm/s],pad.F=F[N]'\n"
         "  bristle identify axis.yaml --synthetic '1 kHz' --map 'axis.x=x[mm],drive.force=F,t=t' "
         "\\\n"
         "      --noise 'drive.force=0.2 N' --resolution 'axis.x=1 um' -o plan.csv\n\n"
         "options:");
    options_print(options, N_OPTIONS);
    puts(
        "\nThe map joins columns of the rig (t, BODY.x, BODY.v, DRIVE.force, CONTACT.F, "
        "CONTACT.v,\n"
        "CONTACT.load) to columns of the files: a column, or a sum of columns with factors and\n"
        "numbers, with units in brackets. Unknown can be parameters of contacts (pad.mu_c), "
        "masses\n"
        "(axis.mass), loads (pad.load), parameters of couplings, those of expressions (play), and\n"
        "offset, gain, delay, gravity, gravity_angle, start_x and start_v.\n"
        "First the data are judged; then every law is fitted and predicts blocks that were held\n"
        "out; laws of the same group cannot be told apart there. Intervals of 95 % take the "
        "colour\n"
        "of the noise into account. How to read all this: docs/identification.md.\n"
        "Exit code 1 if no law could be fitted, 3 if the data were refused.");
}

typedef struct request {
    bri_identify_def def;
    word_list data, validate, names;
    const bri_model **laws;
    changes changes;
} request;

/* Laws that have no random part and no whole population inside can be fitted. */
static int fits_all(const bri_model *m) { return strcmp(m->name, "haessig_friedland") != 0; }

static int read_laws(request *r, const args *a) {
    const char *given = args_get(a, "--models");
    if (!given) return DONE;
    int all = strcmp(given, "all") == 0, failed = words_split(&r->names, given);
    int most = all ? bri_model_count() : r->names.count;
    r->laws = calloc((size_t)most + 1, sizeof *r->laws);
    if (failed || !r->laws) return failed ? failed : RUN_FAILED;
    r->def.laws = r->laws;
    for (int i = 0; i < most; i++) {
        bri_stochastic *random = NULL;
        const bri_model *m = all ? bri_model_at(i) : law_find(a, r->names.word[i], &random);
        if (random) {
            complain("--models: %s: a random force cannot be fitted", r->names.word[i]);
            free(random);
            return WRONG_USAGE;
        }
        if (!m) return WRONG_USAGE;
        for (int k = 0; k < r->def.n_laws; k++)
            if (r->laws[k] == m) {
                complain("--models: %s is named twice", m->name);
                return WRONG_USAGE;
            }
        if (!all || fits_all(m)) r->laws[r->def.n_laws++] = m;
    }
    return DONE;
}

static int read_way(request *r, const char *given) {
    if (!given) return DONE;
    for (int i = 1; i < BRI_WAY_COUNT; i++)
        if (strcmp(given, bri_way_name((bri_way)i)) == 0) {
            r->def.way = (bri_way)i;
            return DONE;
        }
    complain("--way: '%.40s' is none of curve, force, motion", given);
    return WRONG_USAGE;
}

static int read_request(request *r, const args *a) {
    if (one_scenario(a) != DONE) return WRONG_USAGE;
    bri_identify_def *d = &r->def;
    const char *folds = args_get(a, "--folds");
    int seed = 1;
    d->scenario = a->words[0];
    d->known = a->known->laws;
    d->map = args_get(a, "--map");
    d->unknown = args_get(a, "--free");
    d->each = args_get(a, "--each");
    d->controller = args_get(a, "--controller");
    d->force = args_get(a, "--anyway") != NULL;
    if (!args_get(a, "--data")) {
        complain("identify needs measured data: --data FILE.csv");
        return WRONG_USAGE;
    }
    if (!d->map) {
        complain(
            "say what the columns are: --map 'axis.x=position[mm],drive.force=force[N],t=time[s]'");
        return WRONG_USAGE;
    }
    int failed = words_split(&r->data, args_get(a, "--data"));
    if (!failed) failed = words_split(&r->validate, args_get(a, "--validate"));
    d->files = r->data.word, d->n_files = r->data.count;
    d->validate = r->validate.word, d->n_validate = r->validate.count;
    if (!failed) failed = read_way(r, args_get(a, "--way"));
    if (args_get(a, "--from") || args_get(a, "--until")) d->from = -INFINITY, d->until = INFINITY;
    if (!failed) failed = args_quantity(a, "--from", "s", &d->from);
    if (!failed) failed = args_quantity(a, "--until", "s", &d->until);
    if (!failed) failed = args_quantity(a, "--filter", "Hz", &d->filter);
    if (!failed && args_get(a, "--filter") && d->filter <= 0.0) d->filter = -1.0;
    if (!failed) failed = args_positive(a, "--robust", "1", &d->huber);
    if (!failed) failed = args_whole(a, "--starts", 1, BRI_STARTS, &d->starts);
    if (!failed) failed = args_whole(a, "--seed", 0, 1000000000, &seed);
    d->seed = seed;
    d->halves = folds && strcmp(folds, "half") == 0;
    if (!failed && !d->halves) failed = args_whole(a, "--folds", 1, 100, &d->folds);
    if (!failed) failed = args_whole(a, "--bootstrap", 20, 100000, &d->bootstrap);
    if (!failed) failed = args_whole(a, "--threads", 1, 1024, &d->threads);
    d->profiles = args_get(a, "--report") ? 11 : 0;
    if (!failed) failed = changes_from_args(&r->changes, a, NULL);
    d->overrides = r->changes.list, d->n_overrides = r->changes.count;
    return failed ? failed : read_laws(r, a);
}

static void request_free(request *r) {
    words_free(&r->data);
    words_free(&r->validate);
    words_free(&r->names);
    free(r->laws);
    changes_free(&r->changes);
}

/* ---- what is printed ------------------------------------------------------------------------- */

static void put_lines(const char *text) {
    while (text && *text) {
        char line[700];
        size_t n = strcspn(text, "\n");
        snprintf(line, sizeof line, "%.*s", (int)(n < 690 ? n : 690), text);
        put_words(0, 2, line);
        text += n + (text[n] == '\n');
    }
}

static void put_data(const bri_identified *r) {
    const bri_data_verdict *v = &r->data;
    printf("Data: %ld rows in %d %s", v->rows, v->files, v->files == 1 ? "file" : "files");
    if (r->way == BRI_WAY_CURVE) {
        printf(", points of steady sliding.\n");
    } else if (r->way == BRI_WAY_MOTION) {
        printf(", %.4g s at %.4g Hz; the motion is simulated.\n", v->seconds, v->rate);
    } else {
        printf(", %.4g s at %.4g Hz; speeds %.3g to %.3g %s/s, %ld reversals", v->seconds, v->rate,
               v->slow, v->fast, r->x_unit, v->reversals);
        if (v->filter > 0.0)
            printf("; low pass %.4g Hz, positions %.4g Hz", v->filter,
                   fmin(3.0 * v->filter, 0.4 * v->rate));
        puts(".");
        if (r->way == BRI_WAY_FORCE && isfinite(v->explained))
            printf("Without a law, %.3g %% of the force would stay unexplained.\n",
                   100.0 * v->explained);
    }
    put_lines(v->text);
}

static int put_table(bri_table *t, bri_form form) {
    int failed = t ? study_print(t, form) : RUN_FAILED;
    if (!t) complain("%s", bri_status_text(BRI_NO_MEMORY));
    bri_table_free(t);
    return failed;
}

static int put_text(const bri_identified *r, bri_form form) {
    int failed = DONE;
    put_data(r);
    for (int i = 0; i < r->n_fits; i++)
        if (r->fits[i].err.status != BRI_OK)
            printf("%s: %s\n", r->fits[i].law, r->fits[i].err.text);
    if (r->n_fits > 1) {
        puts("");
        failed = put_table(bri_identified_ranking(r), form);
    }
    if (r->advised >= 0 && !failed) {
        const bri_fit *f = &r->fits[r->advised];
        printf("\n%s: relative error %.4g %%, rms %.4g %s over %ld samples", f->law,
               100.0 * f->relative, f->rms, r->y_unit, f->samples);
        if (isfinite(f->raw) && r->data.filter > 0.0) printf(", %.4g unfiltered", f->raw);
        if (isfinite(f->held_out)) printf("; held out %.4g %%", 100.0 * f->held_out);
        if (isfinite(f->validated)) printf("; validated %.4g %%", 100.0 * f->validated);
        printf("\nNoise: neighbours correlate by %.2f, %.0f samples' worth; %d of %d starts "
               "agree.\n\n",
               f->colour, f->effective, f->agreed, f->n_ends);
        failed = put_table(bri_identified_estimates(r, r->advised), form);
        if (f->sense && *f->sense) puts("");
        put_lines(f->sense);
    }
    if (r->advice && *r->advice) puts("");
    put_lines(r->advice);
    return failed;
}

static int count_good(const bri_identified *r) {
    int good = 0;
    for (int i = 0; i < r->n_fits; i++) good += r->fits[i].err.status == BRI_OK;
    return good;
}

static int put_result(const args *a, const bri_identified *r) {
    bri_form form = study_form(a);
    bri_error err;
    int good = count_good(r), failed = DONE;
    if (form == BRI_FORM_JSON && bri_identified_json(r, stdout, &err) == BRI_NO_MEMORY) {
        complain("%s", err.text); /* main() tells the rest */
        failed = RUN_FAILED;
    } else if (form == BRI_FORM_JSON)
        failed = DONE;
    else if (form == BRI_FORM_CSV)
        failed = r->n_fits == 0 ? DONE
                                : put_table(r->n_fits > 1 ? bri_identified_ranking(r)
                                                          : bri_identified_estimates(r, 0),
                                            form);
    else
        failed = put_text(r, form);
    if (failed) return failed;
    if (r->data.refused && !good && !args_get(a, "--anyway")) {
        complain("the data were refused; --anyway fits nevertheless");
        return RUN_DOUBTFUL;
    }
    if (!good) {
        complain("%s", r->n_fits ? r->fits[0].err.text : "no law could be fitted");
        return RUN_FAILED;
    }
    return DONE;
}

/* The files that were asked for, of the law that is advised. */
static int write_files(const args *a, const request *r, const bri_identified *found) {
    const char *dir = args_get(a, "--report"), *file = args_get(a, "-o");
    bri_error err = {0};
    int failed = DONE;
    if (dir) {
        char *command_line = study_command(a);
        if (bri_identified_report(found, &r->def, dir, command_line, &err) != BRI_OK) {
            complain("%s", err.text);
            failed = RUN_FAILED;
        }
        free(command_line);
    }
    if (file && found->advised >= 0) {
        char *rig = bri_identified_scenario(found, found->advised, &r->def, &err);
        bri_file *out = NULL;
        bri_status status = rig ? bri_file_open(file, 1, &out, &err) : err.status;
        if (status == BRI_OK) status = bri_file_put(out, rig, &err);
        bri_status closed =
            out ? bri_file_close(out, status == BRI_OK, status == BRI_OK ? &err : NULL) : BRI_OK;
        free(rig);
        if (status != BRI_OK || closed != BRI_OK) {
            complain("%s", err.text);
            failed = RUN_FAILED;
        }
    }
    return failed;
}

/* What was written to a temporary file goes to the file that was asked for: whole, or not at all.
 */
static int keep(FILE *from, const char *file) {
    bri_error err = {0};
    bri_file *to = NULL;
    char piece[4097];
    bri_status status = bri_file_open(file, 1, &to, &err);
    rewind(from);
    for (size_t n; status == BRI_OK && (n = fread(piece, 1, sizeof piece - 1, from)) > 0;) {
        piece[n] = '\0';
        status = bri_file_put(to, piece, &err);
    }
    bri_status closed =
        to ? bri_file_close(to, status == BRI_OK, status == BRI_OK ? &err : NULL) : BRI_OK;
    if (status == BRI_OK && closed == BRI_OK) return DONE;
    complain("%s", err.text);
    return RUN_FAILED;
}

/* A recording instead of an identification. */
static int make_recording(const args *a) {
    changes own = {0};
    bri_messages messages = {0};
    bri_synthetic_def d = {.map = args_get(a, "--map"),
                           .noise = args_get(a, "--noise"),
                           .step = args_get(a, "--resolution"),
                           .late = args_get(a, "--late"),
                           .known = a->known->laws};
    int seed = 1, failed = one_scenario(a);
    const char *file = args_get(a, "-o");
    if (!failed && args_get(a, "--data")) {
        complain("--synthetic makes a recording: leave --data out");
        failed = WRONG_USAGE;
    }
    if (!failed) failed = args_positive(a, "--synthetic", "Hz", &d.rate);
    if (!failed) failed = args_quantity(a, "--colour", "1", &d.colour);
    if (!failed) failed = args_whole(a, "--seed", 0, 1000000000, &seed);
    if (!failed) failed = changes_from_args(&own, a, NULL);
    d.scenario = a->words[0], d.seed = seed;
    d.overrides = own.list, d.n_overrides = own.count;
    const bri_scenario_options how = {d.overrides, d.n_overrides, NULL, d.known};
    if (!failed) failed = outputs_spare(a, &how);
    FILE *out = failed ? NULL : file ? tmpfile() : stdout;
    if (!failed && !out) {
        complain("a temporary file cannot be made");
        failed = RUN_FAILED;
    }
    if (!failed) {
        bri_status status = bri_identify_synthetic(&d, out, &messages);
        if (status != BRI_OK) tell_messages(&messages), failed = exit_code(status);
    }
    if (!failed && file) failed = keep(out, file);
    if (out && out != stdout) fclose(out);
    changes_free(&own);
    return failed;
}

static int run(const args *a) {
    if (args_get(a, "--synthetic")) return make_recording(a);
    request r = {0};
    bri_messages messages = {0};
    bri_identified *found = NULL;
    int failed = read_request(&r, a);
    const bri_scenario_options how = {r.def.overrides, r.def.n_overrides, NULL, r.def.known};
    if (!failed) failed = outputs_spare(a, &how);
    if (!failed) {
        const bri_watch *watch = study_watch_start();
        bri_status status = bri_identify_run(&r.def, watch, &found, &messages);
        study_watch_end();
        if (status != BRI_OK) {
            tell_messages(&messages);
            failed = status == BRI_BAD_FILE ? WRONG_USAGE : exit_code(status); /* it only reads */
        }
    }
    int cut = !failed && watch_interrupted();
    if (!failed && !(cut && count_good(found) == 0)) failed = write_files(a, &r, found);
    if (!failed) failed = put_result(a, found);
    if (cut && !failed) {
        complain("interrupted: the laws that are complete are shown");
        failed = EXIT_INTERRUPTED;
    }
    bri_identified_free(found);
    request_free(&r);
    return failed;
}

int cmd_identify(int argc, char **argv) {
    return command(options, N_OPTIONS, help, run, argc, argv);
}
