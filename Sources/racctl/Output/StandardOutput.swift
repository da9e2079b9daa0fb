import Dispatch
import Glibc

/// Somewhere lines are written to.
protocol LineOutput: Sendable {
    /// Writes a line, and waits until it is written.
    ///
    /// - Throws: ``OutputClosed`` if nobody reads any more, or a ``CommandFailure``.
    func write(_ line: String) async throws
}

/// Nobody reads the output any more: a reason to stop, quietly.
struct OutputClosed: Error {}

/// Writes lines to standard output, each at once and in order.
///
/// A reader may be slow, so the writing happens on a thread of its own and the caller waits.
struct StandardOutput: LineOutput {
    private let queue = DispatchQueue(label: "racctl.output")
    private let isTerminal = Descriptors.output.isTerminal

    func write(_ line: String) async throws {
        let line = self.isTerminal ? line.visible : line
        let failure = await withCheckedContinuation { continuation in
            self.queue.async { continuation.resume(returning: Descriptors.output.write(line + "\n")) }
        }
        switch failure {
        case nil: return
        case EPIPE?: throw OutputClosed()
        case let number?:
            throw CommandFailure(cannotWrite: SystemFailure(number: number))
        }
    }
}

extension CommandFailure {
    /// Standard output takes nothing.
    init(cannotWrite failure: SystemFailure) {
        self.init(.other, code: "output", "cannot write to standard output: \(failure.reason)")
    }
}
