#ifndef CALLOCATIONCOUNTER_H
#define CALLOCATIONCOUNTER_H

// Preloaded into a program (LD_PRELOAD), this library takes the place of malloc and its relatives. It counts for all
// threads together, in the file that the environment variable RAC_ALLOCATIONS names. The file has two numbers of 64 bits:
// the allocations and their bytes. The file must exist and have 16 bytes. Freeing is not counted.

#endif
