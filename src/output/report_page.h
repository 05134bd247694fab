/* report_page.h - a report from within: for studies that write parts of the page themselves. */
#ifndef BRI_REPORT_PAGE_H
#define BRI_REPORT_PAGE_H

#include "bristle_study.h"

/* The style of every page. */
extern const char report_style[];

/* The class of a cell of that tone, " good"; "" if it is plain. */
const char *report_class(bri_tone tone);

/* The body so far; HTML may be added. */
FILE *report_body(bri_report *r);

/* NAME.csv beside the page, and the link to it. */
void report_numbers(bri_report *r, const char *name, const bri_table *t);

/* From now on call put(context, name, plot, 1) before and put(context, name, plot, 0) after every
 * picture or table (plot is NULL then) with that name; put = NULL: no longer. */
typedef void report_around(void *context, const char *name, const bri_plot *plot, int before);
void report_call_around(bri_report *r, report_around *put, void *context);

#endif
