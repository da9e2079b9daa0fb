/// Work that has not begun.
///
/// It either runs or is disposed; then its references are released.
final class ScheduledWork: Disposable {
    private let work: Guarded<GuardedAction?>

    init(_ work: @escaping @Sendable () -> Void) {
        self.work = Guarded(GuardedAction(work))
    }

    /// Whether the work has been disposed or has begun.
    var isDisposed: Bool {
        self.work.withLock { $0 == nil }
    }

    func dispose() {
        _ = self.take()
    }

    /// Runs the work, unless it has been disposed or has begun.
    func run() {
        self.take()?.run()
    }

    private func take() -> GuardedAction? {
        self.work.withLock { work in
            defer { work = nil }
            return work
        }
    }
}
