/* watch.h - a long computation watched from outside: interrupts and progress. */
#ifndef BRI_WATCH_H
#define BRI_WATCH_H

/* Catch SIGINT, SIGTERM and SIGHUP from now on. If the program does not come to its end within two
 * seconds of one, it is ended with EXIT_INTERRUPTED; with keeps != 0, where results would be lost,
 * only after a second one. */
void watch_interrupts(int keeps);

/* Standard output carries rows: if it is a pipe that nobody reads it is given up a second after an
 * interrupt, and writing there fails. */
void watch_pipe(void);

/* Nonzero once an interrupt has come, and once the pipe was given up. */
int watch_interrupted(void);
int watch_given_up(void);

/* The end has come in time. */
void watch_done(void);

enum { EXIT_INTERRUPTED = 130 };

/* Seconds on a clock that only runs forward. */
double watch_seconds(void);

/* How far a computation has come. */
typedef struct progress {
    double started, shown; /* [s]; when the line was last written */
    int terminal;          /* nonzero: there is somebody to see it */
    int visible;           /* nonzero: a line stands on the terminal */
} progress;

/* data_on_terminal: rows scroll there already, so that a line of progress would be in the way. */
void progress_start(progress *p, int data_on_terminal);

/* Say that `share` (0 to 1) is done, at time t of t_end; from the first second on, five times a
 * second. */
void progress_show(progress *p, double now, double share, double t, double t_end);

/* The same for a computation that does not run along time. */
void progress_share(progress *p, double now, double share);

/* The same for points of which some, `before`, were there already. */
void progress_count(progress *p, double now, long done, long all, long before);

/* Take the line away. */
void progress_clear(progress *p);

#endif
