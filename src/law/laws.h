/* laws.h - laws by name, for those who read files that bring some. */
#ifndef BRI_LAW_LAWS_H
#define BRI_LAW_LAWS_H

#include "bristle_law.h"

#include "../scenario/reader.h"

/* Add the laws of a file or folder, or of a page within a file (its tree must outlive the set).
 * Mistakes go to r, under the name of the file they are in. 0 after a report. */
int laws_add_file(bri_laws *laws, const char *file, reader *r);
int laws_add_tree(bri_laws *laws, const node *root, const char *text, size_t length, reader *r);

/* The pages of laws/: generated from its files. */
extern const shipped bri_law_pages[];
extern const int bri_law_pages_count;

#endif
