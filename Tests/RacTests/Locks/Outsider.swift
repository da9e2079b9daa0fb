import Dispatch
import Foundation
import RacTesting
import Testing

/// Finds out whether a lock is held where foreign code runs.
///
/// That code sends the outsider, another thread, to use the same object, and waits for it to come back. Behind a lock that
/// the caller of the code holds it would not.
final class Outsider: Sendable {
    /// The number of visits: foreign code ran and sent the outsider.
    let visits = Counter()
    /// The number of visits that did not end in time.
    let losses = Counter()
    private static let mostVisits = 12
    private let isOut = Counter()
    private let patience: DispatchTimeInterval

    /// Makes an outsider.
    ///
    /// - Parameter patience: The longest visit on a busy machine.
    init(patience: DispatchTimeInterval = .seconds(30)) {
        self.patience = patience
    }

    /// Called by foreign code: does something on another thread and waits for it.
    ///
    /// The handler that this starts calls foreign code in its turn. That code finds the outsider on its way and lets it go.
    /// The outsider's sends are delivered later and call foreign code again, so its visits end.
    func visit(_ errand: @escaping @Sendable () -> Void) {
        defer { self.isOut.decrement() }
        guard self.isOut.increment() == 1, self.visits.count < Self.mostVisits else { return }
        self.visits.increment()
        let back = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            errand()
            back.signal()
        }
        if back.wait(timeout: .now() + self.patience) == .timedOut { self.losses.increment() }
    }
}

/// Sends an outsider when it goes away, as an object held by a program's closure or value may do.
final class Farewell: Sendable {
    private let outsider: Outsider
    private let errand: @Sendable () -> Void

    init(_ outsider: Outsider, _ errand: @escaping @Sendable () -> Void) {
        self.outsider = outsider
        self.errand = errand
    }

    deinit {
        self.outsider.visit(self.errand)
    }

    /// Called by a closure to hold on to it.
    func hold() {}
}

/// A way in which something calls foreign code.
struct ForeignCall: Sendable, CustomTestStringConvertible {
    /// The caller.
    let testDescription: String
    /// Lets it call; the foreign code visits.
    let run: @Sendable (Outsider) -> Void

    init(_ description: String, _ run: @escaping @Sendable (Outsider) -> Void) {
        self.testDescription = description
        self.run = run
    }
}

/// Closed until somebody opens it.
final class Latch: Sendable {
    private let opened = DispatchSemaphore(value: 0)

    func open() {
        self.opened.signal()
    }

    /// Waits until it is open, but not for ever.
    func wait() {
        _ = self.opened.wait(timeout: .now() + .seconds(60))
    }
}
