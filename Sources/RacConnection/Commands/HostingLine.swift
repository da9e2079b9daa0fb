import NIOCore
package import RacProtocol

/// The events of a hosted command's executions that the socket has not taken, in order.
///
/// When too much waits, the execution that would add to it ends with `slow-consumer`. Ends always find room: there is one
/// for each execution.
package struct HostingLine: Sendable {
    package enum OnAppend: Equatable, Sendable {
        /// Nobody has been asked to take it yet.
        case wake
        case waits
        /// The event is lost, and the execution has to be cancelled.
        case full
    }

    private let maximumBytes: Int
    private var entries = CircularBuffer<(run: UInt64, event: ExecutionEvent)>()
    private var bytes = 0
    private var isAwake = false
    /// The runs for which there was no room, until they end.
    private var slow: Set<UInt64> = []

    package init(maximumBytes: Int) {
        self.maximumBytes = maximumBytes
    }

    package var isEmpty: Bool { self.entries.isEmpty }

    package mutating func append(_ event: ExecutionEvent, of run: UInt64) -> OnAppend {
        switch event {
        case .next(let value):
            guard self.bytes < self.maximumBytes, !self.slow.contains(run) else {
                self.slow.insert(run)
                return .full
            }
            self.bytes += Self.cost(value)
            self.entries.append((run, event))
        case .ended:
            let isSlow = self.slow.remove(run) != nil
            self.entries.append((run, isSlow ? .ended(.failed(self.tooSlow)) : event))
        }
        defer { self.isAwake = true }
        return self.isAwake ? .waits : .wake
    }

    /// The thread that was asked to take it begins.
    package mutating func woken() {
        self.isAwake = false
    }

    package mutating func next() -> (run: UInt64, event: ExecutionEvent)? {
        guard let entry = self.entries.popFirst() else { return nil }
        if case .next(let value) = entry.event { self.bytes -= Self.cost(value) }
        return entry
    }

    private var tooSlow: WireError {
        WireError(.slowConsumer, "more than \(self.maximumBytes) bytes of values waited for the host's connection")
    }

    /// The cost of a value beside its bytes, so that many small ones count, too.
    private static func cost(_ value: JSONText) -> Int { value.byteCount + 64 }
}
