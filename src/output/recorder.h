/* recorder.h - columns by name, for those who choose some. */
#ifndef BRI_RECORDER_H
#define BRI_RECORDER_H

#include "bristle_scenario.h"

/* Whether a name is what a pattern of that length describes: * stands for any letters, ? for one.
 */
int recorder_matches(const char *pattern, size_t length, const char *name);

/* The column with the name that has that length, -1: none. */
int recorder_first(const bri_recorder *r, const char *name, size_t length);

/* BRI_NOT_FOUND: no column matches, and which one is near. */
bri_status recorder_no_match(const bri_recorder *r, const char *pattern, size_t length,
                             bri_error *err);

#endif
