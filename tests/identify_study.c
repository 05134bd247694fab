/* identify_study.c - many synthetic recordings, identified: how often an interval of 95 % holds the
 * truth, and how often the true law is in the top group.
 *
 *     identify_study coverage FITS SEED RHO     LuGre; noise AR(1) with correlation RHO, 0: white
 *     identify_study recovery SETS SEED         five laws, SETS recordings each; with two more
 *                                               arguments, LEAST and a number from 0, one of them
 *
 * Forces are made here by a Runge-Kutta integration with 20 steps per sample and equations of its
 * own. Prints what it has every 20 recordings, since it may be ended before its end, then a
 * line per unknown or law and the least share; exit code 1 if that is below what a last argument
 * asks for. */
#define _POSIX_C_SOURCE 200809L
#include "bristle_identify.h"

#include "random.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROWS = 3000, FINE = 20, LAWS = 5 };
static const double rate = 500.0, pi = 3.14159265358979323846;
static const char *const law_names[LAWS] = {"coulomb", "stribeck", "dahl", "lugre",
                                            "lugre_viscous"};

typedef struct truth {
    double Fc, Fs, vs, s0, s1, s2; /* LuGre; the others take what they know */
} truth;

/* ---- recordings ----------------------------------------------------------------------------- */

/* A motion from rest, with strokes from 0.2 to 3 mm: pre-sliding, slow and fast sliding. */
static double velocity(double t) {
    return (1.0 - exp(-10.0 * t)) *
           (2.5e-3 * sin(2.0 * pi * 0.5 * t) + 1.5e-3 * sin(2.0 * pi * 1.3 * t + 1.0) +
            6e-4 * sin(2.0 * pi * 3.1 * t + 2.0));
}

static double level(const truth *p, double v) {
    return p->Fc + (p->Fs - p->Fc) * exp(-fabs(v) / p->vs);
}

static double rate_of(const truth *p, int law, double v, double z) {
    double g = law == 2 ? p->Fc : level(p, v);
    return v - p->s0 * fabs(v) * z / g;
}

static double force(const truth *p, int law, double v, double z) {
    double sign = (double)((v > 0.0) - (v < 0.0));
    switch (law) {
    case 0:
        return p->Fc * sign + p->s2 * v;
    case 1:
        return level(p, v) * sign + p->s2 * v;
    case 2:
        return p->s0 * z + p->s2 * v;
    default:
        return p->s0 * z + p->s1 * rate_of(p, law, v, z) + p->s2 * v;
    }
}

static void integrate(const truth *p, int law, double *F, double *v) {
    double z = 0.0, h = 1.0 / (rate * FINE);
    for (int i = 0; i < ROWS; i++) {
        for (int s = 0; i > 0 && s < FINE; s++) {
            double t = (i - 1) / rate + s * h, v0 = velocity(t), v1 = velocity(t + 0.5 * h),
                   v2 = velocity(t + h);
            double a = rate_of(p, law, v0, z), b = rate_of(p, law, v1, z + 0.5 * h * a);
            double c = rate_of(p, law, v1, z + 0.5 * h * b), d = rate_of(p, law, v2, z + h * c);
            z += h / 6.0 * (a + 2.0 * b + 2.0 * c + d);
        }
        v[i] = velocity(i / rate);
        F[i] = force(p, law, v[i], z);
    }
}

static double normal(double seed, double i) {
    return sqrt(-2.0 * log(1.0 - bri_random(seed, 2.0 * i))) *
           cos(2.0 * pi * bri_random(seed, 2.0 * i + 1.0));
}

/* Forces with noise of a standard deviation and correlation rho, as a file. */
static void write_file(const char *name, const double *F, const double *v, double sigma, double rho,
                       double seed) {
    FILE *out = fopen(name, "w");
    double e = normal(seed, -1.0);
    fputs("t,v,F\n", out);
    for (int i = 0; i < ROWS; i++) {
        e = i == 0 ? e : rho * e + sqrt(1.0 - rho * rho) * normal(seed, i);
        fprintf(out, "%.6f,%.12g,%.12g\n", i / rate, v[i], F[i] + sigma * e);
    }
    fclose(out);
}

static void write_rig(const char *name, const char *law) {
    FILE *out = fopen(name, "w");
    fprintf(out,
            "bodies: {block: {mass: 1 kg}}\n"
            "contacts: {pad: {between: [block, ground], model: %s, Fc: 1.2 N%s}}\n"
            "run: {until: 1 s}\n",
            law,
            strcmp(law, "lugre") == 0
                ? ", Fs: 1.4 N, v_s: 2 mm/s, sigma0: 3e4 N/m, sigma1: 50 N s/m, sigma2: 5 N s/m"
                : "");
    fclose(out);
}

static bri_identified *identify(const char *rig, const char *file, const bri_model *const *laws,
                                int n_laws, int folds) {
    bri_identify_def def = {.scenario = rig,
                            .files = &file,
                            .n_files = 1,
                            .map = "t=t,pad.v=v,pad.F=F",
                            .laws = laws,
                            .n_laws = n_laws,
                            .filter = -1.0,
                            .starts = n_laws > 0 ? 4 : 2,
                            .seed = 1.0,
                            .folds = folds,
                            .threads = 1};
    bri_messages messages = {0};
    bri_identified *found = NULL;
    if (bri_identify_run(&def, NULL, &found, &messages) != BRI_OK)
        fprintf(stderr, "%s\n", messages.message[0].text);
    return found;
}

/* ---- studies -------------------------------------------------------------------------------- */

static char rig[64], csv[64];

/* How far a study has come, at once. */
static void tell(const char *what, int done, int all) {
    printf("# %s: %d of %d\n", what, done, all);
    fflush(stdout);
}

static double coverage(int fits, double seed, double rho) {
    static double F[ROWS], v[ROWS];
    truth p = {1.0, 1.5, 1e-3, 2e4, 60.0, 10.0};
    double want[6] = {p.Fc, p.Fs, p.vs, p.s0, p.s1, p.s2}, least = 1.0;
    int hit[6] = {0}, white[6] = {0}, done = 0;
    double sum[6] = {0}, square[6] = {0}; /* of errors in standard errors */
    double shares = 0.0, share_squares = 0.0;
    char name[6][64] = {{0}};
    write_rig(rig, "lugre");
    integrate(&p, 3, F, v);
    for (int k = 0; k < fits; k++) {
        write_file(csv, F, v, 0.05, rho, seed + k);
        bri_identified *r = identify(rig, csv, NULL, 0, 1);
        if (r && r->n_fits == 1 && r->fits[0].n_estimates == 6) {
            double held = 0.0;
            done++;
            for (int i = 0; i < 6; i++) {
                const bri_estimate *e = &r->fits[0].estimate[i];
                snprintf(name[i], sizeof name[i], "%s", e->name);
                int in = e->low <= want[i] && want[i] <= e->high;
                hit[i] += in;
                held += in / 6.0;
                white[i] += e->white_low <= want[i] && want[i] <= e->white_high;
                double off = e->log ? log(e->value / want[i]) : e->value - want[i];
                sum[i] += off / e->error;
                square[i] += off / e->error * (off / e->error);
            }
            shares += held, share_squares += held * held;
        }
        bri_identified_free(r);
        if (k % 20 == 19) {
            for (int i = 0; i < 6; i++)
                printf("# %s %d, white %d, of %d\n", name[i], hit[i], white[i], done);
            tell("recordings", k + 1, fits);
        }
    }
    double pooled = 0.0, error = 0.0;
    for (int i = 0; done > 0 && i < 6; i++) {
        double share = (double)hit[i] / done;
        double mean = sum[i] / done, spread = sqrt(square[i] / done - mean * mean);
        printf("%s covered in %.1f %% of %d, by white intervals in %.1f %%; off by %.2f +- %.2f "
               "standard errors\n",
               name[i], 100.0 * share, done, 100.0 * white[i] / done, mean, spread);
        pooled += share / 6.0;
        least = fmin(least, share);
    }
    if (done > 1) error = sqrt((share_squares - shares * shares / done) / (done - 1.0) / done);
    printf("pooled %.2f +- %.2f %%, least %.2f %%\n", 100.0 * pooled, 100.0 * error, 100.0 * least);
    return done == fits ? least : 0.0;
}

static double recovery(int sets, double seed, int only) {
    static double F[ROWS], v[ROWS];
    const bri_model *laws[4] = {bri_model_find("coulomb"), bri_model_find("stribeck"),
                                bri_model_find("dahl"), bri_model_find("lugre")};
    double least = 1.0;
    write_rig(rig, "coulomb");
    for (int law = only >= 0 ? only : 0; law < (only >= 0 ? only + 1 : LAWS); law++) {
        int top = 0, first = 0;
        const char *name = law < 4 ? law_names[law] : "lugre";
        for (int k = 0; k < sets; k++) {
            double u[6];
            for (int i = 0; i < 6; i++) u[i] = bri_random(seed + law, 10.0 * k + i);
            truth p = {0.5 + u[0],
                       0.0,
                       3e-4 * pow(10.0, u[2]),
                       1e4 * pow(10.0, u[3]),
                       10.0 + 90.0 * u[4],
                       law == 4 ? 100.0 + 100.0 * u[5] : 20.0 * u[5]};
            p.Fs = p.Fc * (1.2 + 0.8 * u[1]);
            integrate(&p, law, F, v);
            write_file(csv, F, v, 0.03, k % 2 ? 0.8 : 0.0, seed + 1000.0 * law + k);
            bri_identified *r = identify(rig, csv, laws, 4, 4);
            for (int i = 0; r && i < r->n_fits; i++)
                if (strcmp(r->fits[i].law, name) == 0) {
                    top += r->fits[i].group == 1;
                    first += i == 0;
                }
            bri_identified_free(r);
            if (k % 20 == 19) printf("# top %d, first %d\n", top, first);
            if (k % 20 == 19) tell(law_names[law], k + 1, sets);
        }
        printf("%s: in the top group in %d of %d, first in %d\n", law_names[law], top, sets, first);
        fflush(stdout);
        least = fmin(least, (double)top / sets);
    }
    printf("least %.2f %%\n", 100.0 * least);
    return least;
}

int main(int argc, char **argv) {
    const char *tmp = getenv("TMPDIR");
    snprintf(rig, sizeof rig, "%.20s/identify-%ld.yaml", tmp ? tmp : "/tmp", (long)getpid());
    snprintf(csv, sizeof csv, "%.20s/identify-%ld.csv", tmp ? tmp : "/tmp", (long)getpid());
    double least = -1.0, wanted = 0.0;
    if (argc >= 5 && strcmp(argv[1], "coverage") == 0) {
        least = coverage(atoi(argv[2]), atof(argv[3]), atof(argv[4]));
        if (argc > 5) wanted = atof(argv[5]);
    } else if (argc >= 4 && strcmp(argv[1], "recovery") == 0) {
        least = recovery(atoi(argv[2]), atof(argv[3]), argc > 5 ? atoi(argv[5]) : -1);
        if (argc > 4) wanted = atof(argv[4]);
    } else {
        fprintf(stderr, "usage: identify_study coverage FITS SEED RHO [LEAST] | recovery SETS SEED "
                        "[LEAST [LAW]]\n");
        return 2;
    }
    unlink(rig);
    unlink(csv);
    return least >= wanted ? 0 : 1;
}
