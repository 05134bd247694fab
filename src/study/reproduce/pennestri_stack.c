/* pennestri_stack.c - Pennestri et al. 2016, section 3.2: three stacked bodies. */
#include "pennestri.h"

#include <math.h>

/* ---- measures ------------------------------------------------------------------------------- */

/* Time from which no contact slides any more. */
static double all_stuck(const lab *l, const lab_quantity *q) {
    const bri_trace *t = lab_trace(l, q->run);
    return t->err.status == BRI_OK && t->n_events > 0 ? t->events[t->n_events - 1].t : NAN;
}

/* Distance of q->column at the end from that of the exact solution. */
static double off_exact(const lab *l, const lab_quantity *q) {
    lab_quantity mine = *q, exact = *q;
    mine.a = exact.a = 10.0;
    exact.run = T_EXACT;
    return fabs(lab_at(l, &mine) - lab_at(l, &exact));
}

/* |q->column| at time a less that at time b. */
static double comes_back(const lab *l, const lab_quantity *q) {
    lab_quantity late = *q;
    late.a = q->b;
    return fabs(lab_at(l, q)) - fabs(lab_at(l, &late));
}

/* Largest distance of kinetic and potential energy from those of exact stick, over the start; from
 * time a on. */
static double off_energy(const lab *l, const lab_quantity *q) {
    const double *k = lab_column(l, q->run, "energy.kinetic"),
                 *p = lab_column(l, q->run, "energy.potential"),
                 *k0 = lab_column(l, T_EXACT, "energy.kinetic"),
                 *p0 = lab_column(l, T_EXACT, "energy.potential"), *t = lab_column(l, q->run, "t");
    long count = lab_trace(l, q->run)->n_rows;
    double largest = 0.0;
    if (!k || !p || !k0 || !p0 || !t || count != lab_trace(l, T_EXACT)->n_rows) return NAN;
    for (long i = 0; i < count; i++)
        if (t[i] >= q->a) largest = fmax(largest, fabs(k[i] + p[i] - k0[i] - p0[i]));
    return largest / (k0[0] + p0[0]);
}

/* That over the largest of the laws that are said to overlap. */
static double off_more_than_others(const lab *l, const lab_quantity *q) {
    static const int others[] = {T_TANH, T_VELOCITY, T_DAHL, T_LUGRE, T_ELASTO, T_GONTHIER};
    lab_quantity other = *q;
    double most = 0.0;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        other.run = others[i];
        most = fmax(most, off_energy(l, &other));
    }
    return off_energy(l, q) / most;
}

/* Range of q->column over that of LuGre. */
static double over_lugre(const lab *l, const lab_quantity *q) {
    lab_quantity other = *q;
    other.run = T_LUGRE;
    return lab_range(l, q) / lab_range(l, &other);
}

/* ---- quantities ---------------------------------------------------------------------------- */

#define OVERLAP                                                                                    \
    .source = CLAIM, .relation = BELOW, .published = "0.05",                                       \
    .grounds = "'can be almost overlapped': 5 % of the energy at the start"

#define DRIFTS                                                                                     \
    .source = CLAIM, .relation = ABOVE, .published = "1",                                          \
    .grounds = "'after a certain amount of time a drift is observed': more than 1 mm",             \
    .column = "top.x", .a = 5.0, .b = 10.0
#define STUCK                                                                                      \
    .reason = "the rate of Delta is not printed: with Delta = the displacement it drifts",         \
    .expected = "0", .expected_tolerance = 0.1, .second = &(const lab_quantity) {                  \
        .run = T_STICK_SLIP_WHOLE, .measure = lab_range, .column = "top.x", .a = 5.0, .b = 10.0    \
    }

/* clang-format off */
static const lab_quantity quantities[] = {
    {.experiment = "3-DOF, exact stick", .name = "body 1 sticks to body 2", .unit = "s",
     .source = INDEPENDENT, .published = "0.6134", .run = T_EXACT, .measure = lab_event, .a = 0},
    {.experiment = "3-DOF, exact stick", .name = "all bodies stuck from", .unit = "s",
     .source = PRINTED, .published = "3", .run = T_EXACT, .measure = all_stuck},
    {.experiment = "3-DOF, exact stick", .name = "all bodies stuck from", .unit = "s",
     .source = INDEPENDENT, .published = "3.3306", .run = T_EXACT, .measure = all_stuck},
    {.experiment = "3-DOF, exact stick", .name = "body 1 at the end", .unit = "m",
     .source = INDEPENDENT, .published = "-0.06678", .run = T_EXACT, .measure = lab_at,
     .column = "top.x", .a = 10.0},
    {.experiment = "3-DOF, exact stick", .name = "body 2 at the end", .unit = "m",
     .source = INDEPENDENT, .published = "-0.46275", .run = T_EXACT, .measure = lab_at,
     .column = "middle.x", .a = 10.0},
    {.experiment = "3-DOF, exact stick", .name = "body 3, range of its motion", .unit = "m",
     .source = INDEPENDENT, .published = "0", .tolerance = 1e-12, .grounds = "it never moves",
     .run = T_EXACT, .measure = lab_range, .column = "bottom.x", .a = 0.0, .b = 10.0},
    {.experiment = "3-DOF", .name = "Karnopp: body 1 at the end, distance from exact stick",
     .unit = "mm", .source = CLOSED_FORM, .relation = BELOW, .published = "3.7",
     .grounds = "the paper could not run it; the band v_d moves an oscillation by v_d/omega at most",
     .run = T_KARNOPP, .measure = off_exact, .column = "top.x"},
    {.experiment = "3-DOF", .name = "smooth Coulomb: body 1 comes back from 5 to 10 s",
     .unit = "mm", .source = CLAIM, .relation = ABOVE, .published = "1",
     .grounds = "'slowly goes back to the rest position': more than 1 mm", .run = T_TANH,
     .measure = comes_back, .column = "top.x", .a = 5.0, .b = 10.0},
    {.experiment = "3-DOF", .name = "Dahl: range of F1 from 5 s on, over that of LuGre", .unit = "",
     .source = CLAIM, .relation = ABOVE, .published = "1",
     .grounds = "Dahl oscillates, LuGre is damped", .run = T_DAHL, .measure = over_lugre,
     .column = "upper.F", .a = 5.0, .b = 10.0},
    {.experiment = "3-DOF", .name = "stick-slip, Delta not held: range of body 1 from 5 to 10 s",
     .unit = "mm", DRIFTS, .run = T_STICK_SLIP_WHOLE, .measure = lab_range},
    {.experiment = "3-DOF", .name = "stick-slip, Delta held: range of body 1 from 5 to 10 s",
     .unit = "mm", DRIFTS, .run = T_STICK_SLIP, .measure = lab_range, STUCK},
    {.experiment = "3-DOF", .name = "stick-slip, Delta relaxes in 10 ms: range of body 1 from 5 to 10 s",
     .unit = "mm", DRIFTS, .run = T_STICK_SLIP_RELAXED, .measure = lab_range, STUCK},
    {.experiment = "3-DOF", .name = "smooth Coulomb: energy off that of exact stick", .unit = "",
     OVERLAP, .run = T_TANH, .measure = off_energy},
    {.experiment = "3-DOF", .name = "velocity based: energy off that of exact stick", .unit = "",
     OVERLAP, .run = T_VELOCITY, .measure = off_energy},
    {.experiment = "3-DOF", .name = "Dahl: energy off that of exact stick", .unit = "", OVERLAP,
     .run = T_DAHL, .measure = off_energy},
    {.experiment = "3-DOF", .name = "LuGre: energy off that of exact stick", .unit = "", OVERLAP,
     .run = T_LUGRE, .measure = off_energy},
    {.experiment = "3-DOF", .name = "elasto-plastic: energy off that of exact stick", .unit = "",
     OVERLAP, .run = T_ELASTO, .measure = off_energy},
    {.experiment = "3-DOF", .name = "Gonthier: energy off that of exact stick", .unit = "",
     OVERLAP, .run = T_GONTHIER, .measure = off_energy},
    {.experiment = "3-DOF", .name = "stick-slip, Delta not held: energy from 5 s on, off exact stick, over the worst other law",
     .unit = "", .source = CLAIM, .relation = ABOVE, .published = "2",
     .grounds = "'with the exception of the stick-slip model': twice as far off as any other",
     .run = T_STICK_SLIP_WHOLE, .measure = off_more_than_others, .a = 5.0},
};
/* clang-format on */

const lab_section pennestri_stack = LAB_SECTION(quantities);
