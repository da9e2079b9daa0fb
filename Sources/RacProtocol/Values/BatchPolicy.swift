/// How the changes of a tick reach the store.
///
/// The host cuts its batches by the policy, and the store's thread spins for the next batch or sleeps. One value holds both,
/// because parts are worth their wakes only while the store's thread is awake on a core of its own.
///
/// Semantics: docs/performance.md, "Waiting awake".
package enum BatchPolicy: Equatable, Sendable {
    /// One batch a tick, at its end, and a thread that sleeps between commits: for a machine without a core to spare.
    case whole
    /// A batch as soon as a tick has this many changes and a client waits for them: SQLite gets rows while the tick goes on.
    case parts(of: Int)

    /// The number of changes that makes a part while the tick goes on.
    package var partSize: Int {
        switch self {
        case .whole: .max
        case .parts(let size): size
        }
    }

    /// Whether the store's thread spins for the next batch instead of going to sleep.
    package var spins: Bool { self != .whole }
}
