import Dispatch
import Glibc
import Synchronization

/// Somewhere lines are written to.
protocol LineOutput: Sendable {
    /// Writes a line, or leaves it to be written; waits while too much is unwritten.
    ///
    /// - Throws: ``OutputClosed`` if nobody reads any more, or a ``CommandFailure``.
    func write(_ line: String) async throws
}

/// Nobody reads the output any more: a reason to stop, quietly.
struct OutputClosed: Error {}

/// Writes lines to standard output, each at once and in order.
///
/// A reader may be slow, so a thread of its own writes. Lines that come meanwhile go out together, by one call.
final class StandardOutput: LineOutput {
    /// A command waits while more bytes than these are unwritten.
    private static let maximumUnwritten = 64 << 10

    private struct State {
        /// The lines that the thread has not taken.
        var unwritten = ""
        /// Whether the thread is at work.
        var isWriting = false
        /// The number of the error with which writing has failed.
        var failure: Int32?
        /// Tasks that wait until everything is written.
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let queue = DispatchQueue(label: "racctl.output")
    private let isTerminal = Descriptors.output.isTerminal
    private let state = Mutex(State())
    private let whenFailed: @Sendable (any Error) -> Void

    /// - Parameter whenFailed: Called when a line cannot be written, with ``OutputClosed`` or a ``CommandFailure``.
    init(whenFailed: @escaping @Sendable (any Error) -> Void) {
        self.whenFailed = whenFailed
    }

    func write(_ line: String) async throws {
        let line = self.isTerminal ? line.visible : line
        let (begins, isFull) = self.state.withLock { state in
            state.unwritten += line
            state.unwritten += "\n"
            defer { state.isWriting = true }
            return (!state.isWriting, state.unwritten.utf8.count > Self.maximumUnwritten)
        }
        if begins { self.queue.async { self.writeAll() } }
        if isFull { await self.allWritten() }
        try self.check()
    }

    /// Waits until everything is written.
    ///
    /// - Throws: ``OutputClosed`` if nobody reads any more, or a ``CommandFailure``.
    func finish() async throws {
        await self.allWritten()
        try self.check()
    }

    private func allWritten() async {
        await withCheckedContinuation { continuation in
            let isWriting = self.state.withLock { state in
                if state.isWriting { state.waiting.append(continuation) }
                return state.isWriting
            }
            if !isWriting { continuation.resume() }
        }
    }

    private func check() throws {
        if let number = self.state.withLock({ $0.failure }) { throw Self.error(number) }
    }

    private static func error(_ number: Int32) -> any Error {
        number == EPIPE ? OutputClosed() : CommandFailure(cannotWrite: SystemFailure(number: number))
    }

    /// Writes until nothing is left; on the thread.
    private func writeAll() {
        while let lines = self.takeLines() {
            guard let number = Descriptors.output.write(lines) else { continue }
            self.state.withLock { $0.failure = number }
            self.whenFailed(Self.error(number))
        }
    }

    /// The unwritten lines; nil if there are none, or writing has failed.
    private func takeLines() -> String? {
        let (lines, waiting) = self.state.withLock { state -> (String?, [CheckedContinuation<Void, Never>]) in
            let lines = state.unwritten
            state.unwritten = ""
            guard lines.isEmpty || state.failure != nil else { return (lines, []) }
            state.isWriting = false
            defer { state.waiting = [] }
            return (nil, state.waiting)
        }
        for continuation in waiting { continuation.resume() }
        return lines
    }
}

extension CommandFailure {
    /// Standard output takes nothing.
    init(cannotWrite failure: SystemFailure) {
        self.init(.other, code: "output", "cannot write to standard output: \(failure.reason)")
    }
}
