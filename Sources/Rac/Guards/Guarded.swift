public import Synchronization

/// State behind a mutex that the thread sanitizer understands.
///
/// The slow path of `Mutex` lies in a library without the sanitizer. So a thread that waited for the lock seems to race
/// with its last holder. `handover` repeats the lock's order in sight of the sanitizer. It costs a plain load and
/// store, and adds no order that the lock does not have.
@usableFromInline
package struct Guarded<State: Sendable>: ~Copyable, Sendable {
    @usableFromInline let state: Mutex<State>
    @usableFromInline let handover = Atomic(false)

    /// Puts a state behind a lock.
    @inlinable
    package init(_ state: State) {
        self.state = Mutex(state)
    }

    /// Runs a few lines on the state, one thread at a time; they call no foreign code.
    @inlinable
    package func withLock<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
        self.state.withLock { state in
            _ = self.handover.load(ordering: .acquiring)
            defer { self.handover.store(true, ordering: .releasing) }
            return body(&state)
        }
    }
}
