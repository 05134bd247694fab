/* study.h - what all studies share: asking the watch, and the processor time that is spent. */
#ifndef BRI_STUDY_H
#define BRI_STUDY_H

#include "bristle_study.h"

/* Nonzero if the study is to end; w may be NULL. */
static inline int told_to_stop(const bri_watch *w) { return w && w->stop && w->stop(w->context); }

/* Processor time of this thread [s]: trace.c. */
double processor_time(void);

#endif
