// Headers of glibc that Swift's module Glibc leaves out.
#include <malloc.h>
#include <sys/eventfd.h>
#include <sys/xattr.h>
