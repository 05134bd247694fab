/* sheets.c - which rows belong to which picture or table of the page. */
#include "page.h"

#include <string.h>

/* The picture, or table, and how the names of its experiments begin. An experiment belongs to the
 * first picture drawn that claims it; what none claims follows at the end of the paper. */
static const struct {
    const char *name, *experiments[6];
} sheets[] = {
    {"pennestri-rabinowicz", {"Rabinowicz", "Table 4", "Table 5", "Fig. 13"}},
    {"pennestri-stack", {"3-DOF"}},
    {"pennestri-presliding", {"pre-sliding"}},
    {"table3", {"Table 3"}},
    {"table6", {"Table 6"}},
    {"table7", {"Table 7"}},
    {"rill-curves", {"Fig. 2", "Fig. 4", "(7) to (10)", "section 4.2", "section 5.1"}},
    {"rill-pulse", {"pulse load 2 N", "listing 5", "(18) to (20)"}},
    {"rill-pulse-more", {"pulse load"}},
    {"rill-belt", {"conveyor belt"}},
    {"rill-festoon", {"festoon"}},
    {"rill-festoon-friction", {"Fig. 11"}},
    {"rill-festoon-forces", {"Fig. 12", "Fig. 13"}},
    {"andersson-laws", {"micro-slip", "elastic Coulomb"}},
    {"andersson-rig", {"wall step", "Fig. 4", "Stribeck curves", "advice"}},
    {"andersson-family", {"without dimensions"}},
    {"olsson-1", {"Fig. 1,"}},
    {"olsson-2", {"Fig. 2,"}},
    {"olsson-3", {"Fig. 3,"}},
    {"olsson-4", {"Fig. 4,"}},
    {"olsson-5", {"Fig. 5,"}},
    {"olsson-6", {"Fig. 6,"}},
    {"olsson-direction", {"section 2, direction"}},
    {"olsson-dwell", {"section 2, dwell"}},
    {"olsson-servo", {"adaptive compensation"}},
    {"leus-forces", {"motionless support", "Table 2"}},
    {"leus-means", {"vibration"}},
};

int sheet_holds(const char *name, const char *experiment) {
    for (size_t i = 0; i < sizeof sheets / sizeof *sheets; i++) {
        if (strcmp(sheets[i].name, name) != 0) continue;
        for (const char *const *e = sheets[i].experiments; *e; e++)
            if (strncmp(experiment, *e, strlen(*e)) == 0) return 1;
    }
    return 0;
}
