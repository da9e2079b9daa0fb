#ifndef CALLOCATIONS_H
#define CALLOCATIONS_H

/// The number of allocations of the calling thread since it began.
///
/// A program that links this counts every malloc, calloc, realloc and aligned allocation, those of libraries too.
long callocations_of_this_thread(void);

#endif
