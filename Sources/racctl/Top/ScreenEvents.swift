import Synchronization

/// The pending events of a screen, and the view that its keys change.
///
/// Each kind counts once, and the wish to leave comes first. It must not be lost, and must not wait behind pending
/// tables, which pile up where a daemon answers slowly.
final class ScreenEvents: Sendable {
    private let pending = Mutex<Set<Screen.Event>>([])
    private let wakes: AsyncStream<Void>
    private let wake: AsyncStream<Void>.Continuation
    private let quits: AsyncStream<Void>
    private let quit: AsyncStream<Void>.Continuation
    private let view = Mutex(TopView())

    init() {
        (self.quits, self.quit) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        (self.wakes, self.wake) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    func report(_ event: Screen.Event) {
        self.pending.withLock { _ = $0.insert(event) }
        self.wake.yield()
        if event == .quit { self.quit.yield() }
    }

    /// Passes typed bytes to the view.
    func typed(_ bytes: [UInt8]) {
        switch self.view.withLock({ $0.typed(bytes) }) {
        case .nothing: break
        case .redraw: self.report(.resized)
        case .quit: self.report(.quit)
        }
    }

    /// Reads the view, and lets it settle on the number of rows.
    func withView<Result: Sendable>(_ body: (inout sending TopView) -> sending Result) -> Result {
        self.view.withLock(body)
    }

    /// Waits until the user wants to leave, or the task is cancelled.
    func untilQuit() async {
        for await _ in self.quits { return }
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
