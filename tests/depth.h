/* depth.h - how much of a population a test takes: the plain build by gcc the whole, those where
 * memory is watched or another compiler is tried a part (CMakeLists.txt). */
#ifndef BRI_TEST_DEPTH_H
#define BRI_TEST_DEPTH_H

#ifdef TEST_SAMPLE
#define SAMPLE(whole, part) (part)
#else
#define SAMPLE(whole, part) (whole)
#endif

#endif
