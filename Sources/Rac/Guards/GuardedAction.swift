/// A function as the state of a lock.
///
/// A lock lends a bare function through a thunk, and takes it back through another one. So each access makes the next call
/// two frames deeper. `Tests/check-locks` refuses such a state.
package struct GuardedAction: Sendable {
    /// The function; it is called with no lock held.
    package let run: @Sendable () -> Void

    package init(_ run: @escaping @Sendable () -> Void) {
        self.run = run
    }
}
