// Functions of the GNU C library that its headers hide from Swift, which does not define _GNU_SOURCE.
#pragma once

#include <spawn.h>

int pipe2(int ends[2], int flags);
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);
