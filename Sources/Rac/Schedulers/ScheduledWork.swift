/// Work that has not begun.
///
/// It either runs or is disposed; then its references are released.
final class ScheduledWork: Disposable {
    private let work: Guarded<(@Sendable () -> Void)?>

    init(_ work: @escaping @Sendable () -> Void) {
        self.work = Guarded(work)
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
        self.take()?()
    }

    private func take() -> (@Sendable () -> Void)? {
        self.work.withLock { work in
            defer { work = nil }
            return work
        }
    }
}
