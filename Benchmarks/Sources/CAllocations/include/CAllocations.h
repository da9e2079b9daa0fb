#ifndef CALLOCATIONS_H
#define CALLOCATIONS_H

/// How often the calling thread has asked for memory since it began.
///
/// A program that links this counts every malloc, calloc, realloc and aligned allocation, those of libraries too.
long callocations_of_this_thread(void);

#endif
