/* depth.h - how much of a population a test takes: the plain build by gcc the whole, those where
 * memory is watched or another compiler is tried a part (CMakeLists.txt). Of what takes seconds the
 * plain build, too, takes a part only, unless BRISTLE_TEST_ALL is set (scripts/test --all). */
#ifndef BRI_TEST_DEPTH_H
#define BRI_TEST_DEPTH_H

#include <stdlib.h>

#ifdef TEST_SAMPLE
#define SAMPLE(whole, part)         (part)
#define USUALLY(whole, usual, part) (part)
#else
#define SAMPLE(whole, part)         (whole)
#define USUALLY(whole, usual, part) (getenv("BRISTLE_TEST_ALL") ? (whole) : (usual))
#endif

#endif
