/* nearest.h - distance between two spellings. */
#ifndef BRI_NEAREST_H
#define BRI_NEAREST_H

/* Least number of letters to add, drop, change or swap with their neighbour that turns a into b,
 * ignoring case (Damerau 1964, restricted form). Names beyond 63 letters are cut. */
int bri_spelling_distance(const char *a, const char *b);

#endif
