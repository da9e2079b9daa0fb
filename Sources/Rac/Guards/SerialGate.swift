public import Synchronization

/// What a gate is doing.
@usableFromInline
enum GatePhase: UInt8, AtomicRepresentable, Sendable {
    /// Nobody is inside.
    case idle
    /// One thread is inside, and nobody waits.
    case busy
    /// One thread is inside, and items wait for it.
    case waited
}

/// Lets one thread in at a time without ever blocking one: who finds it busy leaves an item for who is inside.
///
/// So items are handled one after another, in one order, with no lock held and without recursion, also when handling
/// one brings up the next (signal-4). Entering and leaving cost one atomic exchange each and no allocation.
///
/// Guards: `phase` says who may work; only who is inside moves it to `idle`, and from `waited` only under `line`.
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

    /// Makes a gate that is open, or one whose maker is inside already.
    @inlinable
    init(entered: Bool = false) {
        self.phase = Atomic(entered ? .busy : .idle)
    }

    /// Goes inside if nobody is there; who gets true has to ``leave(handling:)``.
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

    /// Leaves `item` for who is inside, or goes inside if nobody is there any more: then it answers true, and the caller
    /// handles the item itself and has to ``leave(handling:)``.
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

    /// Goes outside, after handling whatever was left for the thread inside.
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

    /// Exchanges the emptied `round` for what waits; answers false and goes outside if nothing does.
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
