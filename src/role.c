/* role.c - what the parameters of laws mean, in words. */
#include "bristle.h"

static const struct {
    const char *name, *text;
} roles[BRI_ROLE_COUNT] = {
    [BRI_ROLE_NONE] = {"none", "no parameter of a law"},
    [BRI_ROLE_LEVEL] = {"sliding level", "friction in sliding, a coefficient or a force"},
    [BRI_ROLE_STATIC_LEVEL] = {"static level", "friction at break-away, a coefficient or a force"},
    [BRI_ROLE_SLOW_LEVEL] = {"slow level",
                             "level of a slow element that is subtracted, so that a static peak "
                             "appears"},
    [BRI_ROLE_DISTANCE_RATIO] = {"distance ratio",
                                 "distance of a fast element over that of the slow one"},
    [BRI_ROLE_LEVEL_RATIO] = {"level ratio", "C with sliding over static level = sin(C pi/2)"},
    [BRI_ROLE_VISCOUS] = {"viscous", "viscous coefficient, force per speed"},
    [BRI_ROLE_VISCOUS_PER_LOAD] = {"viscous per load",
                                   "viscous coefficient per unit of load: times the load it is "
                                   "force per speed"},
    [BRI_ROLE_VISCOUS_EXPONENT] = {"viscous exponent", "power of the speed in the viscous part"},
    [BRI_ROLE_STIFFNESS] = {"stiffness", "stiffness before it slides"},
    [BRI_ROLE_DEFLECTION] = {"deflection", "length that, with the levels, sets the stiffness "
                                           "before it slides"},
    [BRI_ROLE_ELASTIC_LIMIT] = {"elastic limit", "deflection up to which nothing slips"},
    [BRI_ROLE_DAMPING] = {"damping", "damping before it slides"},
    [BRI_ROLE_STRIBECK_SPEED] = {"Stribeck speed",
                                 "speed over which friction falls from the static to the sliding "
                                 "level, or its inverse"},
    [BRI_ROLE_SLIDING_SPEED] = {"sliding speed", "speed from which the sliding level holds"},
    [BRI_ROLE_STRIBECK_EXPONENT] = {"Stribeck exponent", "shape of the Stribeck curve"},
    [BRI_ROLE_SMOOTHING] = {"smoothing",
                            "speed over which the sign of the velocity is smoothed, or its "
                            "inverse"},
    [BRI_ROLE_STICK_BAND] = {"stick band", "speed below which the contact counts as stuck"},
    [BRI_ROLE_SIGN_BLEND] = {"sign blend", "tiny speed that makes sgn(v) continuous: numerical"},
    [BRI_ROLE_BRISTLE_EXPONENT] = {"bristle exponent", "shape of the pre-sliding curve"},
    [BRI_ROLE_SHAPE] = {"shape", "a number that shapes this law alone"},
    [BRI_ROLE_DWELL_TIME] = {"dwell time", "time in which static friction grows at rest"},
    [BRI_ROLE_LAG_TIME] = {"lag time", "time by which friction lags behind the speed"},
    [BRI_ROLE_RELAXATION_TIME] = {"relaxation time",
                                  "time in which a bristle relaxes while it slides"},
    [BRI_ROLE_NUMBER] = {"number", "how many there are of something"},
    [BRI_ROLE_SEED] = {"seed", "seed of random numbers"},
    [BRI_ROLE_CHOICE] = {"choice", "which reading of the law"},
    [BRI_ROLE_NOISE_FORCE] = {"noise force", "size of a random force"},
    [BRI_ROLE_NOISE_FREQUENCY] = {"noise frequency", "frequency of a random force"},
    [BRI_ROLE_NOISE_LENGTH] = {"noise length", "wavelength of a random force on the surface"},
};

static int known(bri_role role) { return role >= BRI_ROLE_NONE && role < BRI_ROLE_COUNT; }

const char *bri_role_name(bri_role role) { return roles[known(role) ? role : BRI_ROLE_NONE].name; }

const char *bri_role_text(bri_role role) { return roles[known(role) ? role : BRI_ROLE_NONE].text; }

int bri_model_role(const bri_model *m, bri_role role) {
    for (int i = 0; i < m->n_params; i++)
        if (m->params[i].role == role) return i;
    return -1;
}
