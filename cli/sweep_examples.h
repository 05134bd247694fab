/* sweep_examples.h - sweeps that are ready to run. */
#ifndef BRI_SWEEP_EXAMPLES_H
#define BRI_SWEEP_EXAMPLES_H

/* Name and purpose of example i, from 0; NULL: there are no more. */
const char *sweep_example_name(int i);
const char *sweep_example_text(int i);

/* Its arguments, the last one NULL; NULL: there is no such example. */
const char *const *sweep_example_args(const char *name);

#endif
