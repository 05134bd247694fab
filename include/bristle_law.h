/* bristle_law.h - friction laws that are pages of text: read, known by name, written out for other
 * languages. docs/law-files.md describes the pages. Conventions as in bristle.h. */
#ifndef BRISTLE_LAW_H
#define BRISTLE_LAW_H

#include "bristle_tools.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- one law ----------------------------------------------------------------------------- */

typedef struct bri_law bri_law; /* a law read from text; owns its model */

/* Read a law from a file. On failure *l is NULL and messages (NULL: not wanted) say why, each with
 * line, key and column. */
BRI_API bri_status bri_law_load(const char *file, bri_law **l, bri_messages *messages);

/* The same from text in memory, which may be forgotten afterwards; name stands for the file in
 * messages. */
BRI_API bri_status bri_law_parse(const char *text, size_t length, const char *name, bri_law **l,
                                 bri_messages *messages);

BRI_API void bri_law_free(bri_law *l); /* free all it owns, its model as well; NULL is allowed */

/* The law for everything that takes a bri_model, while l lives: force and rates, exact Jacobian,
 * rest, lift-off, energy, motion, events. Evaluation takes no memory and any number of threads may
 * share the model. */
BRI_API const bri_model *bri_law_model(const bri_law *l);

/* Compile the law with the C compiler `cc`, and run it as machine code from now on: the same bits,
 * several times as fast. The result is kept in $XDG_CACHE_HOME/bristle (or ~/.cache/bristle), which
 * must belong to the user alone, for the next time. BRI_MISSING if there is no compiler; the law
 * goes on being run from its equations then. Not while others evaluate it. */
BRI_API bri_status bri_law_compile(bri_law *l, bri_error *err);

/* ---- laws by name ------------------------------------------------------------------------ */

/* Laws that are known by name: those of the library and what was added. */
typedef struct bri_laws bri_laws;

/* A set to add laws to; it also knows those of `base` (NULL: none), which must outlive it. NULL if
 * there is no memory. */
BRI_API bri_laws *bri_laws_new(const bri_laws *base);
BRI_API void bri_laws_free(bri_laws *laws); /* with all laws added to it; NULL is allowed */

/* Add the law of a file, or those of all files *.yaml of a folder. BRI_BAD_VALUE if a law of that
 * name is there already. */
BRI_API bri_status bri_laws_add(bri_laws *laws, const char *file, bri_messages *messages);

/* Compile all laws of the set that are run from their pages, as bri_law_compile does. */
BRI_API bri_status bri_laws_compile(bri_laws *laws, bri_error *err);

/* The law of that name: of the library, of the set, of its base, or one of the pages that come with
 * the library. NULL: there is none, or it cannot be had: out of memory. */
BRI_API const bri_model *bri_laws_find(bri_laws *laws, const char *name);

/* Make those pages of the library known that another set has been asked for. What is read with a
 * set as its base finds them made: a scenario is read again in half the time or less if its law is
 * such a page. BRI_NO_MEMORY at worst. */
BRI_API bri_status bri_laws_keep(bri_laws *laws, const bri_laws *from);

/* The laws of the library, then those added to the base and to the set; laws may be NULL. */
BRI_API int bri_laws_count(const bri_laws *laws);
BRI_API const bri_model *bri_laws_at(const bri_laws *laws, int i); /* law i, from 0 */

/* The known name closest to what was written; NULL if none is near. */
BRI_API const char *bri_laws_nearest(const bri_laws *laws, const char *name);

/* ---- pages that come with the library ------------------------------------------------------ */

/* Pages of laws of the library, and of further laws that bri_laws_find knows by name. */
BRI_API int bri_law_page_count(void);               /* number of pages */
BRI_API const char *bri_law_page_name(int i);       /* of page i, from 0; NULL: there is none */
BRI_API const char *bri_law_page(const char *name); /* its text; NULL: there is none */

/* ---- laws for other programs ------------------------------------------------------------- */

/* Languages that a law can be written in. */
typedef enum bri_language {
    BRI_TO_C = 0,      /* C99 and libm */
    BRI_TO_PYTHON,     /* Python 3 alone */
    BRI_TO_MATLAB,     /* MATLAB or Octave */
    BRI_TO_ST,         /* structured text of IEC 61131-3, for controllers */
    BRI_LANGUAGE_COUNT /* number of them */
} bri_language;

BRI_API const char *bri_language_name(bri_language to);   /* "c"; NULL: there is none */
BRI_API const char *bri_language_ending(bri_language to); /* of its files, "c" */

/* Write a law as one file that needs nothing else: function, stable step, parameters by name with
 * the values of s, and a test vector with a test of it. BRI_NOT_FOUND if the law has no page of
 * equations, BRI_BAD_VALUE if a name of the law cannot stand in the language. */
BRI_API bri_status bri_law_export(const bri_setup *s, bri_language to, FILE *out, bri_error *err);

#ifdef __cplusplus
}
#endif
#endif
