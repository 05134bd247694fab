/* mujoco.c - a bristle law in MuJoCo, whose own joint friction is regularised Coulomb friction
 * without stiction: Rabinowicz's rig, a block of 20 kg held by a spring of 10 N/m on a slab that
 * moves at 0.5 m/s, with LuGre in mjcb_passive. Printed is where the block is after 50 s, by MuJoCo
 * and by bristle.
 *
 *     cc mujoco.c $(pkg-config --cflags --libs bristle) -lmujoco -lm -o mujoco
 */
#include <bristle_scenario.h>
#include <bristle_study.h>
#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <string.h>

static const char model[] = "<mujoco><option timestep='1e-4' gravity='0 0 0'/><worldbody>"
                            "<body><joint name='x' type='slide' axis='1 0 0' stiffness='10'/>"
                            "<geom type='box' size='.1 .1 .1' mass='20' contype='0' "
                            "conaffinity='0'/></body></worldbody></mujoco>";

/* The callback has no argument for data of the user. */
static const bri_model *law;
static double p[BRI_MAX_PARAMS], z[BRI_MAX_STATES];

/* The friction of this step: mass and contact are stepped together, so that it is stable however
 * stiff the bristle is against the step; MuJoCo then makes the same step with that force. */
static void friction(const mjModel *m, mjData *d) {
    double x = 0.0, v = d->qvel[0] - 0.5, spring = d->qfrc_passive[0];
    bri_push on = {.mass = 20.0, .force = spring, .n = 196.2};
    d->qfrc_passive[0] -= bri_mass_step(law, p, &on, m->opt.timestep, &x, &v, z);
}

static double by_mujoco(void) {
    char error[300] = "";
    mjVFS files;
    mj_defaultVFS(&files);
    mj_makeEmptyFileVFS(&files, "rig.xml", sizeof model);
    memcpy(files.filedata[mj_findFileVFS(&files, "rig.xml")], model, sizeof model);
    mjModel *m = mj_loadXML("rig.xml", &files, error, sizeof error);
    if (!m) {
        fprintf(stderr, "%s\n", error);
        return NAN;
    }
    mjData *d = mj_makeData(m);
    d->qvel[0] = 0.5;
    mjcb_passive = friction;
    for (long i = 0; i < 500000; i++) mj_step(m, d);
    double x = d->qpos[0];
    mjcb_passive = NULL;
    mj_deleteData(d);
    mj_deleteModel(m);
    mj_deleteVFS(&files);
    return x;
}

static double by_bristle(void) {
    bri_scenario *s;
    bri_messages wrong;
    bri_trace t;
    if (bri_scenario_load("rabinowicz", NULL, &s, &wrong)) return NAN;
    bri_status status = bri_trace_run(&t, bri_scenario_def(s), bri_scenario_output(s), NULL);
    double x = status ? NAN : bri_trace_find(&t, "block.x")[t.n_rows - 1];
    bri_trace_free(&t);
    bri_scenario_free(s);
    return x;
}

int main(void) {
    law = bri_model_find("lugre"); /* its defaults are those of the rig */
    bri_model_defaults(law, p);
    bri_model_rest(law, p, z);
    double there = by_mujoco(), here = by_bristle();
    printf("x(50 s) = %.5f m by MuJoCo at 0.1 ms, %.5f m by bristle\n", there, here);
    return fabs(there - here) < 1e-3 * fabs(here) ? 0 : 1;
}
