/* keys.c - the keys of a scenario file that are not parameters of laws, couplings or signals. A row
 * without a unit is not a number; a default of NAN says that there is none. */
#include "reader.h"

#include "../system/numbers.h"

#include <math.h>
#include <string.h>

#define OTHER(name, text)                                                                          \
    { (name), "", 0.0, 0.0, 0.0, (text), NULL, 0 }

static const bri_param top_rows[] = {
    OTHER("title", "one line that says what this is"),
    OTHER("bodies", "map: name -> body; `ground` is always there"),
    OTHER("couplings", "list, or map by name: forces between two bodies"),
    OTHER("contacts", "map by name, or list: friction between two bodies"),
    OTHER("drives", "map by name, or list: applied forces"),
    OTHER("parameters", "map: name -> number with its unit, for expressions"),
    OTHER("signals", "map: name -> signal, for expressions and in place of signals"),
    ROW_GRAVITY,
    OTHER("run", "how long and how"),
    OTHER("laws", "list: files or folders of law files, or pages of laws themselves"),
    OTHER("compare", "laws to be compared on this system"),
};

static const bri_param body_rows[] = {
    OTHER("kind", "mass: slides along x; rotor: turns, x is its angle; point: free in x and z"),
    ROW_MASS,
    ROW_INERTIA,
    ROW_X,
    ROW_V,
    ROW_Z,
    ROW_VZ,
    OTHER("position", "signal in m: prescribes the motion"),
    OTHER("velocity", "signal in m/s: prescribes the motion, from x on"),
    {"repeat", "1", 1.0, 1.0, 1e6,
     "number of bodies name1, name2, ... that this stands for; [columns, rows]: a grid", NULL, 1},
    {"spacing", "m", 0.0, ROW_NO_LIMIT, "distance in x from one of them to the next", NULL, 0},
    {"scatter", "m", 0.0, 0.0, 1e30, "random displacement of each at the start, up to this", NULL,
     0},
};

static const bri_param coupling_rows[] = {
    OTHER("name", "in a list: the name; else the kind, with a number"),
    OTHER("tension",
          "expression in N of length L, its rate L', t and signals: instead of the rest"),
};

static const bri_param contact_rows[] = {
    OTHER("between", "[a, b]: a lies on b; v is that of a relative to b"),
    ROW_LOAD,
    OTHER("model", "the friction law; its parameters stand beside this key"),
    {"backward", "1", 1.0, 1e-3, 1e3,
     "friction against sliding backward (v < 0), as a multiple of that forward", NULL, 0},
    OTHER("stochastic", "map: parameters of a random force on top of the law"),
    OTHER("start", "map: states of the law at the start; at rest for long if not given"),
    OTHER("name", "in a list: the name"),
};

static const bri_param drive_rows[] = {
    OTHER("on", "the body"),
    OTHER("force", "signal or expression in N"),
    OTHER("torque", "signal or expression in N m, on a rotor"),
    OTHER("along", "x, or z for a point"),
    OTHER("name", "in a list: the name"),
};

static const bri_param run_rows[] = {
    {"from", "s", 0.0, ROW_NO_LIMIT, "start", NULL, 0},
    {"until", "s", NAN, ROW_NO_LIMIT, "end; has to be given", NULL, 0},
    {"output", "s", NAN, 1e-30, 1e30, "time between samples; a thousandth of the run", NULL, 0},
    OTHER("solver", "the integrator, default rosenbrock"),
    {"rtol", "1", 1e-6, 1e-14, 0.1, "relative tolerance", NULL, 0},
    {"atol", "1", 0.0, 0.0, 1.0, "absolute tolerance, a share of nominal sizes; 0: rtol", NULL, 0},
    {"step", "s", NAN, 1e-30, 1e30, "step size of solvers with a fixed one", NULL, 0},
    {"max_step", "s", NAN, 1e-30, 1e30, "largest step; no limit if not given", NULL, 0},
    {"max_steps", "1", NAN, 1.0, 1e15, "give up after this many; no limit if not given", NULL, 1},
};

static const bri_param compare_rows[] = {
    OTHER("models", "list of laws, or map: law -> the parameters that it takes instead"),
    OTHER("reference", "the law that is taken for the truth"),
};

static const bri_param table_rows[] = {
    OTHER("t", "list of times, increasing"),
    OTHER("y", "list of as many values"),
    OTHER("file", "a CSV file with a header row, instead of t and y"),
    OTHER("time", "its column of times, default t"),
    OTHER("column", "its column of values"),
    OTHER("time_unit", "unit of all times, default s"),
    OTHER("unit", "unit of all values, default that of the quantity"),
};

#define ROWS(rows) (rows), (int)(sizeof(rows) / sizeof *(rows))

static const struct {
    const char *name;
    const bri_param *rows;
    int count;
} parts[] = {
    {"", ROWS(top_rows)},
    {"bodies", ROWS(body_rows)},
    {"couplings", ROWS(coupling_rows)},
    {"contacts", ROWS(contact_rows)},
    {"drives", ROWS(drive_rows)},
    {"run", ROWS(run_rows)},
    {"compare", ROWS(compare_rows)},
    {"table", ROWS(table_rows)},
};

const bri_param *bri_scenario_keys(const char *part, int *count) {
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (strcmp(parts[i].name, part) == 0) {
            *count = parts[i].count;
            return parts[i].rows;
        }
    *count = 0;
    return NULL;
}

const bri_param *row_of(const char *part, const char *key) {
    int count;
    const bri_param *rows = bri_scenario_keys(part, &count);
    for (int i = 0; i < count; i++)
        if (strcmp(rows[i].name, key) == 0) return &rows[i];
    return NULL;
}
