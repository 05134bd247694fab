/* nearest.h - distance between two spellings, and words cut short. */
#ifndef BRI_NEAREST_H
#define BRI_NEAREST_H

/* Least number of letters to add, drop, change or swap with their neighbour that turns a into b,
 * ignoring case (Damerau 1964, restricted form). Names beyond 63 letters are cut. */
int bri_spelling_distance(const char *a, const char *b);

/* The one candidate that goes on where name ends ("freq": frequency), or that name goes on from
 * ("until_time": until), ignoring case; the shorter of both has at least three letters. NULL if
 * there is none, or more than one. */
const char *bri_completion(const char *name, const char *const *candidates, int count);

#endif
