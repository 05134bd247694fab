/* rodas.h - the coefficients of two Rosenbrock methods, in the form that needs no products with the
 * Jacobian:
 *
 *     (I/(h gamma) - J) U_i = f(t + c_i h, y + sum_j a_ij U_j) + sum_j (C_ij/h) U_j + h d_i f_t
 *     y(t + h) = y + sum_j m_j U_j,   error estimate U_s
 *     y(t + theta h) = (1 - theta) y + theta (y(t + h) + (1 - theta)(D_1 + theta (D_2 + theta
 * D_3))), D_i = sum_j H_ij U_j
 *
 * Rodas4: 6 stages, order 4, Hairer & Wanner, Solving ODEs II, 2nd ed., section IV.7 and code
 * RODAS. Rodas5P: 8 stages, order 5, Steinebach, "Construction of Rosenbrock-Wanner method
 * Rodas5P", BIT Numerical Mathematics 63:27, 2023. Both are stiffly accurate: the last rows of a
 * are those of m. */
#ifndef BRI_RODAS_H
#define BRI_RODAS_H

enum { RODAS_STAGES = 8 };

/* The next step is that of the error, less a share, and no more than so many times the last one
 * either way: limits 1/6 ... 5 of h_old/h_new as in code RODAS. An error below a hundredth counts
 * as that, to the power 1/order, for the prediction. After one that is not finite, or a step that
 * ends badly though its error is small, a given share is tried. The first steps of a run may grow
 * more: sizes are small where nothing has moved yet, and so is the first step. (Not where contacts
 * stick exactly: between closed forms these few steps are held to more digits by their size.) */
static const double CONTROL_SAFETY = 0.9, CONTROL_LEAST = 0.2, CONTROL_MOST = 6.0,
                    CONTROL_PAST_4 = 0.3162, CONTROL_PAST_5 = 0.3981, CONTROL_SMALLEST = 1e-20,
                    CONTROL_BROKEN = 0.1, CONTROL_BAD_END = 0.25, CONTROL_MOST_AT_START = 100.0;
enum { CONTROL_START = 4 };

typedef struct rodas {
    int stages, order, dense; /* dense: number of rows of H */
    double gamma;
    double c[RODAS_STAGES], d[RODAS_STAGES];
    double a[RODAS_STAGES][RODAS_STAGES], C[RODAS_STAGES][RODAS_STAGES];
    double H[3][RODAS_STAGES];
} rodas;

/* clang-format off */
static const rodas rodas4 = {
    .stages = 6, .order = 4, .dense = 2, .gamma = 0.25,
    .c = {0.0, 0.386, 0.21, 0.63, 1.0, 1.0},
    .d = {0.25, -0.1043, 0.1035, -0.03620000000000023},
    .a = {
        {0},
        {1.544},
        {0.9466785280815826, 0.2557011698983284},
        {3.314825187068521, 2.896124015972201, 0.9986419139977817},
        {1.221224509226641, 6.019134481288629, 12.53708332932087, -0.6878860361058950},
        {1.221224509226641, 6.019134481288629, 12.53708332932087, -0.6878860361058950, 1.0},
    },
    .C = {
        {0},
        {-5.6688},
        {-2.430093356833875, -0.2063599157091915},
        {-0.1073529058151375, -9.594562251023355, -20.47028614809616},
        {7.496443313967647, -10.24680431464352, -33.99990352819905, 11.70890893206160},
        {8.083246795921522, -7.981132988064893, -31.52159432874371, 16.31930543123136, -6.058818238834054},
    },
    .H = {
        {10.12623508344586, -7.487995877610167, -34.80091861555747, -7.992771707568823, 1.025137723295662},
        {-0.6762803392801253, 6.087714651680015, 16.43084320892478, 24.76722511418386, -6.594389125716872},
    },
};

static const rodas rodas5p = {
    .stages = 8, .order = 5, .dense = 3, .gamma = 0.21193756319429014,
    .c = {0.0, 0.6358126895828704, 0.4095798393397535, 0.9769306725060716, 0.4288403609558664, 1.0, 1.0, 1.0},
    .d = {0.21193756319429014, -0.42387512638858027, -0.3384627126235924, 1.8046452872882734, 2.325825639765069},
    .a = {
        {0},
        {3.0},
        {2.849394379747939, 0.45842242204463923},
        {-6.954028509809101, 2.489845061869568, -10.358996098473584},
        {2.8029986275628964, 0.5072464736228206, -0.3988312541770524, -0.04721187230404641},
        {-7.502846399306121, 2.561846144803919, -11.627539656261098, -0.18268767659942256, 0.030198172008377946},
        {-7.502846399306121, 2.561846144803919, -11.627539656261098, -0.18268767659942256, 0.030198172008377946, 1.0},
        {-7.502846399306121, 2.561846144803919, -11.627539656261098, -0.18268767659942256, 0.030198172008377946, 1.0, 1.0},
    },
    .C = {
        {0},
        {-14.155112264123755},
        {-17.97296035885952, -2.859693295451294},
        {147.12150275711716, -1.41221402718213, 71.68940251302358},
        {165.43517024871676, -0.4592823456491126, 42.90938336958603, -5.961986721573306},
        {24.854864614690072, -3.0009227002832186, 47.4931110020768, 5.5814197821558125, -0.6610691825249471},
        {30.91273214028599, -3.1208243349937974, 77.79954646070892, 34.28646028294783, -19.097331116725623, -28.087943162872662},
        {37.80277123390563, -3.2571969029072276, 112.26918849496327, 66.9347231244047, -40.06618937091002, -54.66780262877968, -9.48861652309627},
    },
    .H = {
        {25.948786856663858, -2.5579724845846235, 10.433815404888879, -2.3679251022685204, 0.524948541321073, 1.1241088310450404, 0.4272876194431874, -0.17202221070155493},
        {-9.91568850695171, -0.9689944594115154, 3.0438037242978453, -24.495224566215796, 20.176138334709044, 15.98066361424651, -6.789040303419874, -6.710236069923372},
        {11.419903575922262, 2.8879645146136994, 72.92137995996029, 80.12511834622643, -52.072871366152654, -59.78993625266729, -0.15582684282751913, 4.883087185713722},
    },
};
/* clang-format on */

#endif
