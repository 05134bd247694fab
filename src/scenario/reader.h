/* reader.h - from the tree of a scenario file to a definition.
 *
 * Reading never stops at a mistake: it is reported, and what can still be checked is. */
#ifndef BRI_READER_H
#define BRI_READER_H

#include "../system/unit_names.h"
#include "bristle_scenario.h"
#include "csv.h"
#include "node.h"
#include "tell.h"

/* ---- elements ------------------------------------------------------------------------------ */

typedef enum section { BODIES, COUPLINGS, CONTACTS, DRIVES, N_SECTIONS } section;

/* Where the parameters of a contact come from, and what was given but is of no use to its law. */
struct told {
    const char *name; /* of the contact */
    bri_setup setup;
    const bri_model *instead_of; /* the law in the file, if this one stands in for it; or NULL */
    bri_lost lost[BRI_MAX_PARAMS];
    int n_lost;
    int turns;
};

/* An entry of bodies, couplings, contacts or drives: one element, or an array of them. */
typedef struct group {
    section section;
    const char *name;
    node *at;
    int array;        /* nonzero: members are name1, name2, ... */
    int first, count; /* in the array of the definition */
    int row;          /* bodies: members in a row of a grid; all of them if it is none */
    bri_body_kind kind;
    told *told;       /* contacts; or NULL */
    const char *text; /* the expression of a force, load or tension; or NULL */
    const char *unit; /* of a drive */
} group;

enum { MAX_ELEMENTS = 1000000 }; /* of each section */

/* A law that `compare` names, with what it takes beyond the parameters of a contact. */
typedef struct rival {
    const bri_model *model;
    const node *params; /* NULL: nothing */
} rival;

/* A file that the scenario was read from. */
typedef struct file_read {
    struct file_read *next;
    const char *name;
} file_read;

struct expression;
struct parameter;
struct named_signal;
struct timed;

struct bri_scenario {
    arena memory;
    bri_sim_def def;
    const char *title;
    double output;
    group *groups; /* by section, in the order of the file */
    int n_groups;
    int section_end[N_SECTIONS]; /* the group behind the last of each section */
    rival *rivals;
    int n_rivals;
    const bri_model *reference;
    struct parameter *parameters;
    int n_parameters;
    struct named_signal *signals;
    int n_signals;
    struct expression *expressions; /* all that functions of the definition belong to */
    struct timed *timed;            /* all signals that are expressions */
    bri_laws *laws;                 /* that can be named, its own among them */
    char *text;                     /* of bri_scenario_describe */
    char *notes;                    /* of bri_scenario_notes */
    file_read *files;               /* the last one first */
};

typedef struct reader {
    const char *file; /* for messages, and where relative names start */
    bri_messages *messages;
    bri_status status;
    int quiet;    /* nonzero: nothing is reported */
    int reported; /* number of reports */
    bri_scenario *s;
    arena *memory;          /* that of s */
    const bri_model *model; /* takes the place of every law; or NULL */
    group **by_name;        /* all groups, sorted */
} reader;

/* ---- reports: report.c --------------------------------------------------------------------- */

#if defined(__GNUC__)
#define LIKE_PRINTF(a, b) __attribute__((format(printf, a, b)))
#else
#define LIKE_PRINTF(a, b)
#endif

/* "FILE:LINE: path: words"; n may be NULL. */
void report(reader *r, const node *n, bri_status status, const char *format, ...) LIKE_PRINTF(4, 5);
void report_line(reader *r, int line, bri_status status, const char *words);
void report_memory(reader *r);

/* ---- values: values.c ---------------------------------------------------------------------- */

/* Each returns 0 after a report. */
int want_map(reader *r, const node *n, const char *what);
int want_list(reader *r, const node *n, const char *what);
int want_text(reader *r, const node *n, const char *what);

/* A number in that unit, within the row's range. */
int read_number(reader *r, const node *n, const bri_param *row, const char *unit, double *value);

/* A key of the map that is not there is left alone. */
int read_optional(reader *r, const node *map, const bri_param *row, const char *unit,
                  double *value);

/* Names that a key may have: those of tables, one after the other. */
typedef struct choice {
    const char *name[160];
    int count;
} choice;

void choice_add(choice *c, const char *name);
void choice_rows(choice *c, const bri_param *rows, int count);

/* "; did you mean 'x'?", or "; it can be a, b or c". */
void choice_hint(const choice *c, const char *name, char *text, size_t size);

/* The same, or nothing once so much has been reported that nobody will see it. */
void hint(const reader *r, const choice *c, const char *name, char *text, size_t size);
int flooded(const reader *r);

/* Report every key of the map that is none of these. */
void check_keys(reader *r, const node *map, const choice *c);

/* A row of bri_scenario_keys; NULL if there is none. */
const bri_param *row_of(const char *part, const char *key);

/* Remember a file that is read: scenario.c. */
void note_file(bri_scenario *s, const char *name);

/* ---- the parts of a file ------------------------------------------------------------------- */

/* Find all elements and name them: groups.c. Called again whenever the tree has changed. */
int find_groups(reader *r, const node *root);
group *find_group(const reader *r, const char *name);

/* The names of all members of a group; NULL without memory. */
const char **member_names(reader *r, const group *g);

/* Report members of arrays that have the name of another element. */
void check_members(reader *r);

/* An end of a coupling or contact: one body, or each of an array. ends.c */
typedef struct body_end {
    const group *body; /* NULL: ground */
    int each;          /* nonzero: every member, from `from` on */
    int from;
    int right, up; /* of each: places that it lies beside and above the first, 0 or 1 */
    int per_row;   /* of each: members of a row that have such a neighbour */
} body_end;

int read_end(reader *r, const node *n, body_end *e);

/* A pair of ends, the number of elements it makes, and the bodies of element i. */
typedef struct pair {
    body_end a, b;
    int count, array;
} pair;

int read_pair(reader *r, const node *n, int mixed, pair *p); /* mixed: a rotor and a mass */
int end_body(const body_end *e, int i);
int end_count(const body_end *e);
int pair_turns(const pair *p); /* nonzero: between rotors */

/* The pairs of all groups of a section, by place in r->s->groups, and the elements they make in
 * all. `between` finds the list of bodies, NULL after a report. */
pair *read_pairs(reader *r, section s, const node *(*between)(reader *, const group *), int *total);

/* A file name within the scenario, from where the scenario is: signals.c. */
void place_file(const reader *r, const char *name, char *path, size_t size);

int read_signal(reader *r, const node *n, const char *unit, bri_signal *out); /* signals.c */
void read_bodies(reader *r);
void read_couplings(reader *r);
void read_contacts(reader *r);
const bri_model *read_law(reader *r, const node *n); /* NULL after a report */
void read_parameters(reader *r, bri_setup *s, const node *map, int turns);
void read_drives(reader *r);
void read_run(reader *r, const node *root);
void read_compare(reader *r, const node *root);
void read_laws(reader *r, const node *root, const char *text, size_t length); /* laws.c */

/* Change the tree: override.c. */
void apply_override(reader *r, node *root, const bri_override *change);

/* ---- scenarios that ship with bristle: generated from scenarios/ --------------------------- */

typedef struct shipped {
    const char *name, *text;
} shipped;

extern const shipped bri_shipped[];
extern const int bri_shipped_count;

#endif
