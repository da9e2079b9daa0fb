import Synchronization

/// The pending events of a screen.
///
/// Each kind counts once, and the wish to leave comes first. It must not be lost, and must not wait behind pending
/// tables, which pile up where a daemon answers slowly.
final class ScreenEvents: Sendable {
    private let pending = Mutex<Set<Screen.Event>>([])
    private let wakes: AsyncStream<Void>
    private let wake: AsyncStream<Void>.Continuation

    init() {
        (self.wakes, self.wake) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    func report(_ event: Screen.Event) {
        self.pending.withLock { _ = $0.insert(event) }
        self.wake.yield()
    }

    /// Waits for the next event; nil if the task, the only one that may wait here, is cancelled.
    func next() async -> Screen.Event? {
        var wakes = self.wakes.makeAsyncIterator()
        repeat {
            if let event = self.take() { return event }
        } while await wakes.next() != nil
        return nil
    }

    private func take() -> Screen.Event? {
        self.pending.withLock { pending in
            let event = Screen.Event.allCases.first(where: pending.contains)
            return event.flatMap { pending.remove($0) }
        }
    }
}
