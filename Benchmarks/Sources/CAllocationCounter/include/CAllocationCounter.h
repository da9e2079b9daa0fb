#ifndef CALLOCATIONCOUNTER_H
#define CALLOCATIONCOUNTER_H

// Preloaded into a program (LD_PRELOAD), this library takes the place of malloc and its relatives and counts, for all
// threads together, in the file that the environment variable RAC_ALLOCATIONS names: two numbers of 64 bits, how often
// memory was asked for and how many bytes. The file must be there and have 16 bytes. Freeing is not counted.

#endif
