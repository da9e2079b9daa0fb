// Loaded into programs with ThreadSanitizer by LD_PRELOAD: informs it of contended locks of Swift's Mutex.
//
// Taking a Mutex that is free is an atomic operation in the program, which ThreadSanitizer sees. Waiting for a
// Mutex and handing it over happen in libswiftSynchronization, which is not compiled for ThreadSanitizer. Without this library
// ThreadSanitizer reports races between one thread's work before it unlocks and the next thread's work after it locks.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY_LOCK "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

void __tsan_acquire(void *) __attribute__((weak));
void __tsan_release(void *) __attribute__((weak));

SWIFT void lock_slow(uint32_t thread, SELF handle) __asm__(LOCK);
SWIFT bool try_lock_slow(SELF handle) __asm__(TRY_LOCK);
SWIFT void unlock_slow(SELF handle) __asm__(UNLOCK);

SWIFT void lock_slow(uint32_t thread, SELF handle) {
    ((SWIFT void (*)(uint32_t, SELF))dlsym(RTLD_NEXT, LOCK))(thread, handle);
    if (__tsan_acquire) __tsan_acquire(handle);
}

SWIFT bool try_lock_slow(SELF handle) {
    bool is_taken = ((SWIFT bool (*)(SELF))dlsym(RTLD_NEXT, TRY_LOCK))(handle);
    if (is_taken && __tsan_acquire) __tsan_acquire(handle);
    return is_taken;
}

SWIFT void unlock_slow(SELF handle) {
    if (__tsan_release) __tsan_release(handle);
    ((SWIFT void (*)(SELF))dlsym(RTLD_NEXT, UNLOCK))(handle);
}
