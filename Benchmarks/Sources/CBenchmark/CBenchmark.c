#define _GNU_SOURCE
#include "CBenchmark.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

int cbenchmark_allowed_cores(int *cores, int capacity) {
    cpu_set_t set;
    int count = 0;
    if (sched_getaffinity(0, sizeof set, &set) != 0) return 0;
    for (int core = 0; core < CPU_SETSIZE && count < capacity; core++) {
        if (CPU_ISSET(core, &set)) cores[count++] = core;
    }
    return count;
}

int cbenchmark_pin(int core) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(core, &set);
    return sched_setaffinity(0, sizeof set, &set);
}

// A thread of a pool blocks signals, and its child would, too.
static void unblock_signals(void) {
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

// A child of a pinned process is pinned, too, unless its mask is reset.
static int unpin(void) {
    cpu_set_t set;
    CPU_ZERO(&set);
    for (int core = 0; core < CPU_SETSIZE; core++) CPU_SET(core, &set);
    return sched_setaffinity(0, sizeof set, &set);
}

int64_t cbenchmark_raise_open_files(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return -1;
    limit.rlim_cur = limit.rlim_max;
    if (setrlimit(RLIMIT_NOFILE, &limit) != 0) return -1;
    return (int64_t)limit.rlim_cur;
}

pid_t cbenchmark_spawn(char *const arguments[], int core, const char *log_path) {
    pid_t parent = getpid();
    pid_t child = fork();
    if (child != 0) return child;
    unblock_signals();
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    // The parent may have gone before the line above took effect.
    if (getppid() != parent) _exit(127);
    int nothing = open("/dev/null", O_RDONLY);
    int log = open(log_path, O_WRONLY | O_CREAT | O_APPEND, 0600);
    if (nothing < 0 || log < 0 || dup2(nothing, 0) < 0 || dup2(log, 1) < 0 || dup2(log, 2) < 0) _exit(127);
    close(nothing);
    close(log);
    if (core >= 0) cbenchmark_pin(core); else unpin();
    execv(arguments[0], arguments);
    _exit(127);
}
