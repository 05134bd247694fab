/* rig_slopes.c - derivatives of a rig as a unit: rates and columns by states, inputs, parameters.
 */
#include "rig_unit.c"

enum { SLOPES_OF_RATES = 1, SLOPES_OF_ROW = 2, SLOPES_OF_ENERGIES = 4, SLOPES_BEGUN = 8 };

static int rig_is_energy(int column) { return rig_columns[column].what >= RIG_KINETIC; }

/* What columns show of bodies, contacts and couplings, derived. */
typedef struct rig_shown {
    bri_body_now bodies[RIG_BODIES + 1];
    bri_contact_by contacts[RIG_CONTACTS + 1];
    double tensions[RIG_COUPLINGS + 1];
} rig_shown;

static double rig_read_slope(const rig_shown *from, const rig_column *c) {
    switch (c->what) {
    case RIG_BODY_X:
        return from->bodies[c->index].x;
    case RIG_BODY_Z:
        return from->bodies[c->index].z;
    case RIG_BODY_V:
        return from->bodies[c->index].v;
    case RIG_BODY_VZ:
        return from->bodies[c->index].vz;
    case RIG_SLIDING:
        return from->contacts[c->index].v;
    case RIG_FRICTION:
        return from->contacts[c->index].F;
    case RIG_LOAD:
        return from->contacts[c->index].N;
    case RIG_TENSION:
        return from->tensions[c->index];
    default:
        return 0.0; /* the motion is a whole number */
    }
}

/* Energies by number `by`, or by state k: differences to both sides. */
static const char *unit_energies_by(unit *u, int k, int by, double *to, int stride) {
    double y[RIG_STATES + 1], row[2][RIG_COLUMNS + 1], at[2], t = unit_before_kink(u);
    double now = by < 0 ? u->y[k] : unit_input(u, (unsigned)by), low = -INFINITY, high = INFINITY;
    double h = 1e-6 * fmax(fabs(now), by < 0 ? rig_sizes[k] : 1.0);
    if (by >= 0) {
        bri_number n = bri_sim_number(u->sim, u->ref[by]);
        low = n.min, high = n.max;
    }
    memcpy(y, u->y, sizeof y);
    for (int side = 0; side < 2; side++) {
        at[side] = fmin(fmax(now + (side ? -h : h), low), high);
        if (by < 0) y[k] = at[side];
        const char *wrong = rig_read_at(u, t, y, by, at[side], row[side]);
        if (wrong) return wrong;
    }
    for (int i = 0; i < RIG_COLUMNS; i++)
        if (rig_is_energy(i)) to[i * stride] = (row[0][i] - row[1][i]) / (at[0] - at[1]);
    return NULL;
}

static const char *unit_row_slopes(unit *u) {
    size_t n = RIG_STATES;
    double *dy = calloc(n * n + 1, sizeof *dy);
    rig_shown *shown = calloc(n + 1, sizeof *shown);
    bri_shown *to = calloc(n + 1, sizeof *to);
    const char *wrong = dy && shown && to ? NULL : "there is no memory";
    for (size_t k = 0; !wrong && k < n; k++) {
        dy[k * n + k] = 1.0;
        to[k] = (bri_shown){shown[k].bodies, shown[k].contacts, shown[k].tensions};
    }
    if (!wrong)
        wrong = unit_said(
            u, bri_sim_shown_along(u->sim, unit_before_kink(u), u->y, dy, RIG_STATES, to, &u->err));
    for (size_t k = 0; !wrong && k < n; k++)
        for (size_t i = 0; i < RIG_COLUMNS; i++)
            if (!rig_is_energy((int)i))
                u->row_slopes[i * n + k] = rig_read_slope(&shown[k], &rig_columns[i]);
    free(dy);
    free(shown);
    free(to);
    return wrong;
}

static double *unit_matrix(double **at, size_t rows) {
    if (!*at) *at = malloc((rows * RIG_STATES + 1) * sizeof **at);
    return *at;
}

static const char *unit_slopes(unit *u, int of) {
    const char *wrong = NULL;
    if (u->slopes_known & of) return NULL;
    if (!unit_matrix(&u->slopes, RIG_STATES) || !unit_matrix(&u->row_slopes, RIG_COLUMNS))
        return "there is no memory";
    if (of == SLOPES_OF_ROW)
        wrong = unit_row_slopes(u);
    else if (of == SLOPES_OF_RATES)
        wrong =
            unit_said(u, bri_sim_jacobian(u->sim, unit_before_kink(u), u->y, u->slopes, &u->err));
    for (int k = 0; of == SLOPES_OF_ENERGIES && !wrong && k < RIG_STATES; k++)
        wrong = unit_energies_by(u, k, -1, u->row_slopes + k, RIG_STATES);
    if (!wrong) u->slopes_known |= of;
    return wrong;
}

static const char *unit_row_by(unit *u, int i, double *to) {
    rig_shown shown;
    bri_shown by = {shown.bodies, shown.contacts, shown.tensions};
    if (bri_sim_shown_by(u->sim, unit_before_kink(u), u->y, u->ref[i], &by, &u->err) != BRI_OK)
        return u->err.text;
    for (int k = 0; k < RIG_COLUMNS; k++)
        if (!rig_is_energy(k)) to[k] = rig_read_slope(&shown, &rig_columns[k]);
    return NULL;
}

/* Rates, columns or energies by number i. */
static const char *unit_slopes_by(unit *u, int i, int of) {
    const char *wrong;
    if (!(u->slopes_known & SLOPES_BEGUN)) memset(u->by_known, 0, sizeof u->by_known);
    u->slopes_known |= SLOPES_BEGUN;
    if (u->by_known[i] & of) return NULL;
    if (!u->by[i]) u->by[i] = malloc((RIG_STATES + RIG_COLUMNS + 1) * sizeof *u->by[i]);
    if (!u->by[i]) return "there is no memory";
    if (bri_sim_number(u->sim, u->ref[i]).whole) return "it is a whole number";
    if (of == SLOPES_OF_ROW)
        wrong = unit_row_by(u, i, u->by[i] + RIG_STATES);
    else if (of == SLOPES_OF_ENERGIES)
        wrong = unit_energies_by(u, 0, i, u->by[i] + RIG_STATES, 1);
    else
        wrong = unit_said(
            u, bri_sim_rhs_by(u->sim, unit_before_kink(u), u->y, u->ref[i], u->by[i], &u->err));
    if (!wrong) u->by_known[i] |= (char)of;
    return wrong;
}

const char *unit_partial(unit *u, unsigned unknown, unsigned known, double *slope) {
    int row = (int)unit_index(unknown), column = (int)unit_index(known);
    unit_kind of = unit_kind_of(unknown), by = unit_kind_of(known);
    const char *wrong = unit_settle(u);
    if (wrong) return wrong;
    *slope = 0.0;
    if (of != UNIT_OUTPUT && of != UNIT_RATE && of != UNIT_STATE)
        return "it is neither an output nor a rate";
    if (by != UNIT_STATE && by != UNIT_PARAMETER && by != UNIT_HELD && by != UNIT_INPUT)
        return "nothing can be derived in it";
    if (of == UNIT_STATE) {
        *slope = by == UNIT_STATE && row == column;
        return NULL;
    }
    int which = of == UNIT_RATE      ? SLOPES_OF_RATES
                : rig_is_energy(row) ? SLOPES_OF_ENERGIES
                                     : SLOPES_OF_ROW;
    if (by == UNIT_STATE) {
        wrong = unit_slopes(u, which);
        if (!wrong)
            *slope = (of == UNIT_RATE ? u->slopes : u->row_slopes)[row * RIG_STATES + column];
        return wrong;
    }
    if (rig_numbers[column].role == RIG_SLOPE) return NULL; /* it acts on what is to come */
    wrong = unit_slopes_by(u, column, which);
    if (!wrong) *slope = u->by[column][of == UNIT_RATE ? row : RIG_STATES + row];
    return wrong;
}

int unit_depends(unsigned unknown, unsigned *on) {
    unit_kind of = unit_kind_of(unknown);
    if (of != UNIT_OUTPUT && of != UNIT_RATE && of != UNIT_INDICATOR) return 0;
    int count = 0;
    for (int i = 0; i < RIG_STATES; i++) on[count++] = RIG_NUMBER(RIG_OF_STATE, i);
    for (int i = 0; i < RIG_PARAMETERS; i++)
        if (rig_is_input((unsigned)i)) on[count++] = RIG_NUMBER(RIG_OF_PARAMETER, i);
    return count;
}
