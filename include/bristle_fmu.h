/* bristle_fmu.h - friction laws and rigs as FMUs, the units of the Functional Mock-up Interface
 * that simulation tools import: fmi-standard.org. docs/howto/fmu.md tells how. Conventions as in
 * bristle.h. */
#ifndef BRISTLE_FMU_H
#define BRISTLE_FMU_H

#include "bristle_scenario.h"
#include "bristle_tools.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- laws as FMUs ------------------------------------------------------------------------ */

/* Machines that a binary can be made for. */
typedef enum bri_platform {
    BRI_LINUX64 = 0,   /* Linux, x86-64 */
    BRI_WIN64,         /* Windows, x86-64 */
    BRI_AARCH64,       /* Linux, 64-bit ARM */
    BRI_PLATFORM_COUNT /* number of them */
} bri_platform;

BRI_API const char *bri_platform_name(bri_platform p); /* "linux64"; NULL: there is none */

/* How an FMU is to be made, and what was made. */
typedef struct bri_fmu_options {
    int version;     /* 2 or 3: of the interface; 0: 2 */
    unsigned wanted; /* binaries, a sum of 1u << BRI_LINUX64 etc.; 0: all there are compilers for */
    int sources_only;   /* nonzero: no binary at all */
    unsigned made;      /* written: the binaries that are in it */
    const char *name;   /* of a rig, letters, digits and _ of it count; NULL: that of its file */
    const char *inputs; /* of a rig: addresses of numbers that are inputs, not parameters, separated
                           by commas, "push.force,belt.velocity"; NULL: none */
} bri_fmu_options;

/* Write the law of s, with its parameters and load as start values, as an FMU for Model Exchange
 * and Co-Simulation: description, binaries, and sources that compile with one command. Compilers
 * are cc (or $CC), x86_64-w64-mingw32-gcc and aarch64-linux-gnu-gcc. how may be NULL. BRI_NOT_FOUND
 * if the law has no page of equations, BRI_MISSING if a compiler that is wanted is not there,
 * BRI_BAD_VALUE if a name of the law cannot be used. The file appears complete or not at all. */
BRI_API bri_status bri_fmu_write(const bri_setup *s, bri_fmu_options *how, const char *file,
                                 bri_error *err);

/* ---- rigs as FMUs ------------------------------------------------------------------------ */

/* The same for a whole rig: its columns are outputs (of the energies those that are known at an
 * instant), its numbers parameters or, where how->inputs
 * names them, inputs that are held between events or steps, with the start values of the file.
 * Co-Simulation is done by the solver rosenbrock, whatever the file asks for. BRI_NOT_FOUND if a
 * law can only be run within the library: a random force, or friction that depends on the
 * direction. With BRISTLE_FMU_ENGINE in the environment, a libbristle_core.a, that is linked in
 * place of compiling the engine for this machine. */
BRI_API bri_status bri_fmu_write_rig(const bri_scenario *s, bri_fmu_options *how, const char *file,
                                     bri_error *err);

#ifdef __cplusplus
}
#endif
#endif
