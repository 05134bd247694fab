/* study.h - what all studies share: asking the watch, and the processor time that is spent. */
#ifndef BRI_STUDY_H
#define BRI_STUDY_H

#include "bristle_study.h"

/* Nonzero if the study is to end; w may be NULL. */
static inline int told_to_stop(const bri_watch *w) { return w && w->stop && w->stop(w->context); }

/* Processor time of this thread [s]: trace.c. */
double processor_time(void);

/* The cycles of a motion: a body that is drawn along has no peaks, so the line from its start to
 * its end is taken away first where there are none. compare_measure.c */
bri_cycles cycles_of_motion(const double *t, const double *y, long n, bri_error *err);

/* Differences with xi and Gamma relative to x itself where the reference keeps its sign, else to
 * the range of the reference. compare_measure.c */
bri_difference difference_of_motion(const double *x, const double *ref, long n);

/* The scenario as it was read: the file if there is one, else the one that ships.
 * compare_report.c */
void report_scenario(bri_report *r, const char *scenario);

#endif
