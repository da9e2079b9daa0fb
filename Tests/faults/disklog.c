// Loaded into racd with LD_PRELOAD: records the calls on the files below one folder in their order, and makes them fail on
// request.
//
//     DISKLOG_ROOT    the folder
//     DISKLOG_FILE    the file of the records: struct record, then a path or the bytes that were written
//     DISKLOG_FAULTS  a file of two bytes: the errno of failing writes, and that of failing syncs; 0 lets them succeed
//
// One lock is held around each call and its record, so the records have the order of the calls.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { CREATED = 1, WRITTEN, TRUNCATED, SYNCED, RENAMED, UNLINKED, MADE_FOLDER };

struct record {
    uint64_t time;   /* nanoseconds of CLOCK_MONOTONIC, when the call was over */
    uint64_t inode;
    uint64_t offset; /* of a write; the new size of a truncation; the length of the first path of a renaming */
    uint32_t kind;
    uint32_t length; /* of what follows */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int output = -1;
static const volatile unsigned char *faults;
static char root[PATH_MAX];

#define REAL(name) ((__typeof__(&name))real(#name))

static void *real(const char *name) {
    return dlsym(RTLD_NEXT, name);
}

__attribute__((constructor)) static void begin(void) {
    const char *folder = getenv("DISKLOG_ROOT"), *file = getenv("DISKLOG_FILE"), *switches = getenv("DISKLOG_FAULTS");
    if (folder && realpath(folder, root) && file)
        output = REAL(open)(file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    int descriptor = switches ? REAL(open)(switches, O_RDONLY | O_CLOEXEC) : -1;
    if (descriptor < 0) return;
    void *page = mmap(NULL, 2, PROT_READ, MAP_SHARED, descriptor, 0);
    if (page != MAP_FAILED) faults = page;
}

static int is_inside(const char *path) {
    size_t length = strlen(root);
    return output >= 0 && length > 0 && strncmp(path, root, length) == 0 && (path[length] == '/' || path[length] == 0);
}

// Whether a descriptor is of a file or folder below the root that a crash could harm, and the inode of that file.
static int watched(int descriptor, uint64_t *inode) {
    char link[32], path[PATH_MAX];
    if (output < 0) return 0;
    int before = errno;
    struct stat status;
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(link, path, sizeof path - 1);
    int found = 0;
    if (length > 0) {
        path[length] = 0;
        found = is_inside(path) && fstat(descriptor, &status) == 0;
        if (found) *inode = status.st_ino;
    }
    errno = before;
    return found;
}

static void note(uint32_t kind, uint64_t inode, uint64_t offset, const void *data, uint32_t length) {
    int before = errno;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    struct record record = {now.tv_sec * 1000000000ull + now.tv_nsec, inode, offset, kind, length};
    if (REAL(write)(output, &record, sizeof record) != sizeof record) abort();
    for (uint32_t done = 0; done < length;) {
        ssize_t count = REAL(write)(output, (const char *)data + done, length - done);
        if (count <= 0) abort();
        done += count;
    }
    errno = before;
}

static int fails(int which) {
    int code = faults ? faults[which] : 0;
    if (code) errno = code;
    return code != 0;
}

// Opening.

static int opened(int (*call)(const char *, int, ...), const char *path, int flags, mode_t mode) {
    pthread_mutex_lock(&lock);
    int before = errno;
    int is_new = (flags & O_CREAT) && is_inside(path) && access(path, F_OK) != 0;
    errno = before;
    int descriptor = call(path, flags, mode);
    struct stat status;
    if (descriptor >= 0 && is_new && fstat(descriptor, &status) == 0)
        note(CREATED, status.st_ino, 0, path, strlen(path));
    if (descriptor >= 0 && !is_new && (flags & O_TRUNC) && is_inside(path) && fstat(descriptor, &status) == 0)
        note(TRUNCATED, status.st_ino, 0, NULL, 0);
    pthread_mutex_unlock(&lock);
    return descriptor;
}

static mode_t mode_of(int flags, va_list rest) {
    return flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;
}

int open(const char *path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    mode_t mode = mode_of(flags, rest);
    va_end(rest);
    return opened(REAL(open), path, flags, mode);
}

int open64(const char *path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    mode_t mode = mode_of(flags, rest);
    va_end(rest);
    return opened(REAL(open64), path, flags, mode);
}

// Writing.

static ssize_t written(int descriptor, const void *data, size_t size, off_t offset, int is_positioned) {
    uint64_t inode;
    if (!watched(descriptor, &inode))
        return is_positioned ? REAL(pwrite64)(descriptor, data, size, offset) : REAL(write)(descriptor, data, size);
    if (fails(0)) return -1;
    pthread_mutex_lock(&lock);
    if (!is_positioned) offset = lseek(descriptor, 0, SEEK_CUR);
    ssize_t count = is_positioned ? REAL(pwrite64)(descriptor, data, size, offset) : REAL(write)(descriptor, data, size);
    if (count > 0) note(WRITTEN, inode, offset, data, count);
    pthread_mutex_unlock(&lock);
    return count;
}

ssize_t write(int descriptor, const void *data, size_t size) {
    return written(descriptor, data, size, 0, 0);
}

ssize_t pwrite(int descriptor, const void *data, size_t size, off_t offset) {
    return written(descriptor, data, size, offset, 1);
}

ssize_t pwrite64(int descriptor, const void *data, size_t size, off_t offset) {
    return written(descriptor, data, size, offset, 1);
}

static int truncated(int descriptor, off_t size) {
    uint64_t inode;
    if (!watched(descriptor, &inode)) return REAL(ftruncate64)(descriptor, size);
    pthread_mutex_lock(&lock);
    int result = REAL(ftruncate64)(descriptor, size);
    if (result == 0) note(TRUNCATED, inode, size, NULL, 0);
    pthread_mutex_unlock(&lock);
    return result;
}

int ftruncate(int descriptor, off_t size) {
    return truncated(descriptor, size);
}

int ftruncate64(int descriptor, off_t size) {
    return truncated(descriptor, size);
}

// Syncing.

static int synced(int (*call)(int), int descriptor) {
    uint64_t inode;
    if (!watched(descriptor, &inode)) return call(descriptor);
    if (fails(1)) return -1;
    pthread_mutex_lock(&lock);
    int result = call(descriptor);
    if (result == 0) note(SYNCED, inode, 0, NULL, 0);
    pthread_mutex_unlock(&lock);
    return result;
}

int fsync(int descriptor) {
    return synced(REAL(fsync), descriptor);
}

int fdatasync(int descriptor) {
    return synced(REAL(fdatasync), descriptor);
}

// Names.

int rename(const char *from, const char *to) {
    if (!is_inside(from)) return REAL(rename)(from, to);
    pthread_mutex_lock(&lock);
    int result = REAL(rename)(from, to);
    char both[2 * PATH_MAX];
    size_t length = strlen(from);
    memcpy(both, from, length);
    memcpy(both + length, to, strlen(to));
    if (result == 0) note(RENAMED, 0, length, both, length + strlen(to));
    pthread_mutex_unlock(&lock);
    return result;
}

int unlink(const char *path) {
    if (!is_inside(path)) return REAL(unlink)(path);
    pthread_mutex_lock(&lock);
    int result = REAL(unlink)(path);
    if (result == 0) note(UNLINKED, 0, 0, path, strlen(path));
    pthread_mutex_unlock(&lock);
    return result;
}

int mkdir(const char *path, mode_t mode) {
    if (!is_inside(path)) return REAL(mkdir)(path, mode);
    pthread_mutex_lock(&lock);
    int result = REAL(mkdir)(path, mode);
    struct stat status;
    if (result == 0 && stat(path, &status) == 0) note(MADE_FOLDER, status.st_ino, 0, path, strlen(path));
    pthread_mutex_unlock(&lock);
    return result;
}
