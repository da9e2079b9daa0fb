#ifndef CPage_h
#define CPage_h

#include <stddef.h>

/// A file of the page, which the compiler has put into the program.
struct PageFile {
    /// The path below the daemon's address; null behind the last file.
    const char *path;
    const unsigned char *text;
    size_t size;
};

/// The file with a number, from 0.
struct PageFile pageFile(size_t number);

#endif
