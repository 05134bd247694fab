/* andersson.h - what the files on Andersson et al. 2007 share. */
#ifndef BRI_ANDERSSON_H
#define BRI_ANDERSSON_H

#include "lab.h"

extern const lab_section andersson_laws;
void andersson_draw_laws(bri_report *r);
void andersson_draw_stribeck(lab_figure *f); /* the curves of Fig. 5, in the last panel */

#endif
