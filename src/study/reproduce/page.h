/* page.h - the page of a reproduction: rows with verdicts, each beside the figure it belongs to. */
#ifndef BRI_PAGE_H
#define BRI_PAGE_H

#include "lab.h"

/* What chooses verdicts and papers; a browser shows it if it runs scripts. */
void page_choice(const bri_reproduction *r, bri_report *report);

/* The section of a paper. */
void page_paper(const bri_reproduction *r, const lab *l, bri_report *report);

/* The script, after the last section. */
void page_end(bri_report *report);

/* Whether the quantities of an experiment belong to the picture, or table, of that name: sheets.c
 */
int sheet_holds(const char *name, const char *experiment);

#endif
