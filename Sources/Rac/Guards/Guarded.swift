public import Synchronization

/// State behind a mutex that the thread sanitizer understands.
///
/// The slow path of `Mutex` lies in a library that is not built for the sanitizer: after waiting for the lock a thread
/// seems to race with the one that held it. `handover` repeats in sight of the sanitizer the order that the lock
/// establishes, at the price of a plain load and store, and adds none that the lock does not.
@usableFromInline
package struct Guarded<State: Sendable>: ~Copyable, Sendable {
    @usableFromInline let state: Mutex<State>
    @usableFromInline let handover = Atomic(false)

    /// Puts a state behind a lock.
    @inlinable
    package init(_ state: State) {
        self.state = Mutex(state)
    }

    /// Runs a few lines that touch the state and call nothing foreign, one thread at a time.
    @inlinable
    package func withLock<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
        self.state.withLock { state in
            _ = self.handover.load(ordering: .acquiring)
            defer { self.handover.store(true, ordering: .releasing) }
            return body(&state)
        }
    }
}
