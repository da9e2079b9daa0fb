// Parts of Linux that Swift cannot import: macros, and a child that is set up between fork and exec.

#ifndef CBENCHMARK_H
#define CBENCHMARK_H

#include <stdint.h>
#include <sys/epoll.h>
#include <sys/types.h>

/// Writes the cores that this process may run on, at most `capacity` of them, and returns how many it wrote.
int cbenchmark_allowed_cores(int *cores, int capacity);

/// Lets the calling thread run on one core only. Returns 0, or -1 with errno.
int cbenchmark_pin(int core);

/// Raises the soft limit of open files to the hard one and returns it; -1 with errno.
int64_t cbenchmark_raise_open_files(void);

/// Starts a program on one core (any, if it is negative); it dies with the calling thread.
///
/// Its output is appended to the file `log_path`. Returns the process, or -1 with errno; a program that cannot be
/// executed exits with status 127.
pid_t cbenchmark_spawn(char *const arguments[], int core, const char *log_path);

#endif
