internal import Dispatch

/// Work that a queue runs again and again until it is disposed.
///
/// `@unchecked Sendable` holds because `source` is constant. It is set up before another thread knows it, and only
/// cancelled afterwards, which Dispatch allows from any thread.
final class RepeatingTimer: Disposable, @unchecked Sendable {
    private let source: any DispatchSourceTimer
    private let work: Guarded<GuardedAction?>

    init(on queue: DispatchQueue, _ work: @escaping @Sendable () -> Void) {
        self.source = DispatchSource.makeTimerSource(queue: queue)
        self.work = Guarded(GuardedAction(work))
    }

    /// Whether the timer has been stopped.
    var isDisposed: Bool {
        self.work.withLock { $0 == nil }
    }

    /// Starts the timer.
    ///
    /// It keeps itself alive until its disposal, when Dispatch releases its handler.
    func start(after delay: DispatchTimeInterval, repeatingEvery interval: DispatchTimeInterval) {
        self.source.setEventHandler { self.work.withLock { $0 }?.run() }
        self.source.schedule(deadline: .now() + delay, repeating: interval)
        self.source.resume()
    }

    func dispose() {
        let work = self.work.withLock { work in
            defer { work = nil }
            return work
        }
        // Cancelling twice is harmless, but only the first call had work to release.
        if work != nil { self.source.cancel() }
    }
}
