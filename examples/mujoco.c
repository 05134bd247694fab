/* mujoco.c - a bristle law in MuJoCo, whose own joint friction knows no stiction: Rabinowicz's rig,
 * a block of 20 kg held by a spring of 10 N/m on a slab that moves at 0.5 m/s, with LuGre in
 * mjcb_passive. `bristle run rabinowicz` gets to 11.83306 m after 50 s.
 *
 *     cc mujoco.c $(pkg-config --cflags --libs bristle) -lmujoco -o mujoco
 */
#include <bristle.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <string.h>

static const char rig[] = "<mujoco><option timestep='1e-4' gravity='0 0 0'/><worldbody><body>"
                          "<joint type='slide' axis='1 0 0' stiffness='10'/>"
                          "<geom size='.1' mass='20'/></body></worldbody></mujoco>";

/* The callback has no argument for data of the user. */
static const bri_model *law;
static double p[BRI_MAX_PARAMS], z[BRI_MAX_STATES];

/* The friction of this step: mass and contact are stepped together, stable however stiff the
 * bristle is; MuJoCo then makes the same step with that force. */
static void friction(const mjModel *m, mjData *d) {
    double x = 0.0, v = d->qvel[0] - 0.5;
    bri_push on = {.mass = 20.0, .force = d->qfrc_passive[0], .n = 196.2};
    d->qfrc_passive[0] -= bri_mass_step(law, p, &on, m->opt.timestep, &x, &v, z);
}

int main(void) {
    char error[300] = "";
    mjVFS files;
    mj_defaultVFS(&files);
    mj_makeEmptyFileVFS(&files, "rig.xml", sizeof rig);
    memcpy(files.filedata[mj_findFileVFS(&files, "rig.xml")], rig, sizeof rig);
    mjModel *m = mj_loadXML("rig.xml", &files, error, sizeof error);
    mj_deleteVFS(&files);
    if (!m) return fprintf(stderr, "%s\n", error);
    law = bri_model_find("lugre"); /* its defaults are those of the rig */
    bri_model_defaults(law, p);
    bri_model_rest(law, p, z);
    mjData *d = mj_makeData(m);
    d->qvel[0] = 0.5;
    mjcb_passive = friction;
    while (d->time < 50.0 - 5e-5) mj_step(m, d);
    printf("x(50 s) = %.4f m\n", d->qpos[0]);
    mj_deleteData(d);
    mj_deleteModel(m);
    return 0;
}
