/* standard.c - the parameters with which all laws are measured. */
#include "conform.h"

#include "../../fail.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct setting {
    const char *law; /* NULL: every law that has the parameter */
    const char *name, *value;
} setting;

/* Canudas de Wit et al. 1995, table I; sigma1 = sqrt(1e5) makes the stuck mass damped by one half.
 * Its viscous friction is left out. */
static const setting common[] = {
    {NULL, "Fc", "1"},     {NULL, "Fs", "1.5"},     {NULL, "v_s", "1e-3"},
    {NULL, "gamma", "2"},  {NULL, "sigma0", "1e5"}, {NULL, "sigma1", "316.227766016838"},
    {NULL, "sigma2", "0"}, {NULL, "kv", "0"},       {NULL, "nu", "0"},
};

/* What a law calls by names of its own follows from these by role: smoothed laws pass zero within
 * +-0.1 mm/s, a tenth of v_s, deformable ones have the stiffness 1e5 N/m at rest. But for: */
static const setting own[] = {
    {"viscous", "kv", "0.4"},                    /* the sigma2 of the paper */
    {"velocity_based", "v_s", "1e-4"},           /* there the velocity of the peak */
    {"sine_arctan", "B", "16392.33"},            /* peak tan(pi/(2 C))/B at 0.1 mm/s */
    {"gonthier", "tau_dw", "1"},                 /* between the rests of 0.01 and 10 s */
    {"olsson_astrom", "tau_r", "0.05"},          /* Fs << sigma0 tau_r v_s: the curve is reached */
    {"reset_integrator", "sigma0", "66666.667"}, /* sigma0 Fs/Fc at rest */
    /* the stiffness 2 Fc/(delta (1 - width^2/3)); random: more digits are other bonds */
    {"haessig_friedland", "delta", "2.1818182e-5"},
};

static const char *const readings[] = {"karnopp,as_printed=1", "karnopp,as_printed=2",
                                       "lugre,fade=1", NULL};

const char *bri_conform_reading(int i) {
    int count = (int)(sizeof readings / sizeof *readings);
    return i >= 0 && i < count ? readings[i] : NULL;
}

const char *bri_conform_standard(void) {
    return "Fc = 1 N, Fs = 1.5 N, v_s = 1 mm/s, gamma = 2, sigma0 = 1e5 N/m, "
           "sigma1 = sqrt(1e5) N s/m, no viscous friction, mass 1 kg "
           "(Canudas de Wit et al. 1995, table I); smoothing within 0.1 mm/s";
}

static bri_status apply(bri_setup *s, const setting *list, int count, bri_error *err) {
    bri_status status = BRI_OK;
    for (int i = 0; i < count && status == BRI_OK; i++) {
        if (list[i].law && strcmp(list[i].law, s->model->name) != 0) continue;
        if (!list[i].law && bri_model_param(s->model, list[i].name) < 0) continue;
        status = bri_setup_set(s, list[i].name, list[i].value, err);
    }
    return status;
}

/* "a=1,b=2 mm" one after the other. */
static bri_status apply_text(bri_setup *s, const char *text, bri_error *err) {
    bri_status status = BRI_OK;
    while (text && *text && status == BRI_OK) {
        char name[64], value[64];
        size_t all = strcspn(text, ","), key = strcspn(text, "=");
        if (key == 0 || key >= all || key >= sizeof name || all - key > sizeof value)
            return bri_fail(err, BRI_BAD_VALUE, "%s: a setting is NAME=VALUE, not '%.*s'",
                            s->model->name, (int)(all < 60 ? all : 60), text);
        snprintf(name, sizeof name, "%.*s", (int)key, text);
        snprintf(value, sizeof value, "%.*s", (int)(all - key - 1), text + key + 1);
        status = bri_setup_set(s, name, value, err);
        text += all + (text[all] == ',');
    }
    return status;
}

/* The rest as if the law took the place of LuGre with the standard parameters. */
static bri_status fill_by_role(bri_setup *s, bri_error *err) {
    const bri_place at = {.load = 1.0, .mass = 1.0};
    bri_setup lugre;
    bri_lost lost[BRI_MAX_PARAMS];
    int n;
    bri_setup_init(&lugre, bri_model_find("lugre"));
    bri_status status = apply(&lugre, common, sizeof common / sizeof *common, err);
    lugre.forces = s->forces; /* a law measured with coefficients has levels of its own */
    return status == BRI_OK ? bri_setup_complete(s, &lugre, &at, lost, &n, err) : status;
}

bri_status bri_conform_setup(bri_setup *s, const bri_model *m, const char *settings,
                             bri_error *err) {
    bri_setup_init(s, m);
    bri_status status = apply(s, common, sizeof common / sizeof *common, err);
    if (status == BRI_OK) status = apply(s, own, sizeof own / sizeof *own, err);
    if (status == BRI_OK) status = apply_text(s, settings, err);
    if (status == BRI_OK) status = fill_by_role(s, err);
    return status == BRI_OK ? bri_setup_finish(s, 0.0, err) : status;
}

/* ---- one law on the bench -------------------------------------------------------------------- */

static double level(const bri_setup *s, const char *name, double otherwise) {
    int i = bri_model_param(s->model, name);
    return i >= 0 ? s->p[i] * s->load : otherwise;
}

bench bench_of(const bri_setup *law, double rtol, bri_status *trouble) {
    bench b = {.law = law, .rtol = rtol, .trouble = trouble};
    b.Fc = level(law, "Fc", STANDARD_FC);
    b.Fs = level(law, "Fs", STANDARD_FS);
    b.hold = level(law, "Fs", b.Fc);
    return b;
}

double prescribed_force(double v) {
    double r = v / STANDARD_VS;
    return STANDARD_FC + (STANDARD_FS - STANDARD_FC) * exp(-r * r);
}
