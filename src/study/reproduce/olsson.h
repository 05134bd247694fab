/* olsson.h - what the files on Olsson and Astrom 1993 share. */
#ifndef BRI_OLSSON_H
#define BRI_OLSSON_H

#include "lab.h"

extern const lab_section olsson_dwell, olsson_servo;
void olsson_draw_dwell(bri_report *r);
void olsson_draw_servo(bri_report *r);

#endif
