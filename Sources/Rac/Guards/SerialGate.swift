public import Synchronization

/// The phase of a gate.
@usableFromInline
enum GatePhase: UInt8, AtomicRepresentable, Sendable {
    /// No thread is inside.
    case idle
    /// One thread is inside, and no item waits.
    case busy
    /// One thread is inside, and items wait for it.
    case waited
}

/// Lets one thread in at a time and blocks none.
///
/// A thread that finds the gate busy leaves its item for the thread inside.
///
/// So items are handled one after another, in one order, without a lock and without recursion, also if handling one
/// causes the next (signal-4). Entering and leaving cost one atomic exchange each and no allocation.
///
/// Guards: the thread that moved `phase` from `idle` is inside. Only that thread moves it back to `idle`, and it moves
/// it from `waited` only under `line`.
@usableFromInline
final class SerialGate<Item: Sendable>: Sendable {
    @usableFromInline
    struct Line: Sendable {
        @usableFromInline var waiting: [Item] = []
        /// The emptied array of the last round, kept for its memory.
        @usableFromInline var spare: [Item] = []

        @inlinable
        init() {}
    }

    @usableFromInline let phase: Atomic<GatePhase>
    @usableFromInline let line = Guarded(Line())

    /// Makes a gate: open, or with its maker inside.
    @inlinable
    init(entered: Bool = false) {
        self.phase = Atomic(entered ? .busy : .idle)
    }

    /// Enters if no thread is inside.
    ///
    /// A caller that gets true has to call ``leave(handling:)``.
    @inlinable
    @inline(__always)
    func enter() -> Bool {
        self.phase.compareExchange(
            expected: .idle,
            desired: .busy,
            successOrdering: .acquiring,
            failureOrdering: .relaxed
        ).exchanged
    }

    /// Leaves `item` for the thread inside.
    ///
    /// If no thread is inside any more, it enters and returns true: then the caller handles the item and calls
    /// ``leave(handling:)``.
    @inlinable
    @inline(never)
    func enterOrWait(_ item: Item) -> Bool {
        self.line.withLock { line in
            while true {
                if self.enter() { return true }
                let (waits, phase) = self.phase.compareExchange(
                    expected: .busy,
                    desired: .waited,
                    ordering: .relaxed
                )
                if waits || phase == .waited {
                    line.waiting.append(item)
                    return false
                }
            }
        }
    }

    /// Leaves the gate, after handling the items that other threads left.
    @inlinable
    @inline(__always)
    func leave(handling handle: (Item) -> Void) {
        let left = self.phase.compareExchange(
            expected: .busy,
            desired: .idle,
            successOrdering: .releasing,
            failureOrdering: .relaxed
        ).exchanged
        if !left { self.leaveLast(handling: handle) }
    }

    @inlinable
    @inline(never)
    func leaveLast(handling handle: (Item) -> Void) {
        var round: [Item] = []
        while self.takeWaiting(into: &round) {
            for item in round { handle(item) }
            round.removeAll(keepingCapacity: true)
        }
    }

    /// Exchanges the emptied `round` for the waiting items.
    ///
    /// Without any, it leaves the gate and returns false.
    @inlinable
    func takeWaiting(into round: inout [Item]) -> Bool {
        self.line.withLock { line in
            if round.capacity == 0 { swap(&round, &line.spare) }
            swap(&round, &line.waiting)
            guard round.isEmpty else { return true }
            swap(&round, &line.spare)
            self.phase.store(.idle, ordering: .releasing)
            return false
        }
    }
}
