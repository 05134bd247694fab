/* rigs.h - the benchmark's rigs as the library takes them. */
#ifndef BENCH_RIGS_H
#define BENCH_RIGS_H

#include "bristle_sim.h"

/* Everything a definition points to. */
typedef struct rig {
    bri_sim_def def;
    bri_body bodies[8];
    bri_coupling couplings[8];
    bri_contact contacts[4];
    bri_signal signals[8];
} rig;

void rig_rabinowicz(rig *r);
/* With other laws: the numbers of the rig where they have them, else their own. */
void rig_rabinowicz_dahl(rig *r);
void rig_rabinowicz_elasto_plastic(rig *r);
void rig_rabinowicz_gonthier(rig *r);
void rig_rabinowicz_second_order(rig *r);
void rig_festoon(rig *r);
void rig_leus(rig *r);
/* As they ship. */
void rig_three_dof(rig *r);
void rig_joint(rig *r);

/* Outputs of the rigs at the present time, in the order of bench/peers. */
void out_rabinowicz(bri_sim *s, double *out);
void out_two_states(bri_sim *s, double *out);
void out_festoon(bri_sim *s, double *out);
void out_leus(bri_sim *s, double *out);
void out_three_dof(bri_sim *s, double *out);
void out_joint(bri_sim *s, double *out);

#endif
