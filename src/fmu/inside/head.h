/* The C library, and what is asked of the linker. */
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Newer names of these functions differ in how they report errors only. By their first names the
 * binary runs with every C library since GLIBC_2.4 (x86-64) or GLIBC_2.17 (aarch64). */
#if defined(__GLIBC__) && defined(__x86_64__) && defined(__LP64__)
__asm__(".symver exp,exp@GLIBC_2.2.5");
__asm__(".symver log,log@GLIBC_2.2.5");
__asm__(".symver pow,pow@GLIBC_2.2.5");
__asm__(".symver hypot,hypot@GLIBC_2.2.5");
__asm__(".symver memcpy,memcpy@GLIBC_2.2.5");
#elif defined(__GLIBC__) && defined(__aarch64__) && defined(__LP64__)
__asm__(".symver exp,exp@GLIBC_2.17");
__asm__(".symver log,log@GLIBC_2.17");
__asm__(".symver pow,pow@GLIBC_2.17");
__asm__(".symver hypot,hypot@GLIBC_2.17");
#endif

/* Only the functions of FMI are seen from outside. */
#if defined(_WIN32)
#define FMI_EXPORT __declspec(dllexport)
#elif defined(__GNUC__)
#define FMI_EXPORT __attribute__((visibility("default")))
#pragma GCC visibility push(hidden)
#else
#define FMI_EXPORT
#endif
#define BRI_API
