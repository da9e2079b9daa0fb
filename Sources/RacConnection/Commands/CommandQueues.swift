import NIOCore
package import RacProtocol

/// An event of a hosted command for its program.
package enum HostingEvent: Hashable, Sendable {
    /// Somebody executes the command; the program answers with ``CommandHosting/tell(_:of:)``.
    case execute(ExecutionID, input: JSONText?)
    /// An execution is not wanted any more: the program should end it, and say so.
    case cancel(ExecutionID)
}

/// An event of an observed command for its program.
package enum ObservationEvent: Hashable, Sendable {
    /// How the command is now.
    case state(CommandState)
    /// An execution of any caller has failed.
    case failed(ExecutionID, WireError)
}

/// Executions that the program has not taken, and the cancellations of those that it has.
struct HostingQueue: EventQueue {
    private let maximumExecutions: Int
    private var events = CircularBuffer<HostingEvent>()
    private var executions = 0

    init(maximumExecutions: Int) {
        self.maximumExecutions = maximumExecutions
    }

    /// Says whether there is room.
    mutating func execute(_ execution: ExecutionID, _ input: JSONText?) -> Bool {
        guard self.executions < self.maximumExecutions else { return false }
        self.executions += 1
        self.events.append(.execute(execution, input: input))
        return true
    }

    /// There is one for each execution at most.
    mutating func cancel(_ execution: ExecutionID) {
        self.events.append(.cancel(execution))
    }

    mutating func next() -> HostingEvent? {
        guard let event = self.events.popFirst() else { return nil }
        if case .execute = event { self.executions -= 1 }
        return event
    }
}

/// The newest state, and the newest errors, that the program has not taken.
struct ObservationQueue: EventQueue {
    private let maximumErrors: Int
    private var errors = CircularBuffer<ObservationEvent>()
    private var state: CommandState?

    init(_ state: CommandState, maximumErrors: Int) {
        self.state = state
        self.maximumErrors = maximumErrors
    }

    mutating func changed(to state: CommandState) {
        self.state = state
    }

    mutating func failed(_ execution: ExecutionID, _ error: WireError) {
        if self.errors.count >= self.maximumErrors { self.errors.removeFirst() }
        self.errors.append(.failed(execution, error))
    }

    mutating func next() -> ObservationEvent? {
        if let error = self.errors.popFirst() { return error }
        defer { self.state = nil }
        return self.state.map(ObservationEvent.state)
    }
}

/// The events of an execution that the program has not taken.
struct CallQueue: EventQueue {
    private let maximumBytes: Int
    private var events = CircularBuffer<ExecutionEvent>()
    private var bytes = 0

    init(maximumBytes: Int) {
        self.maximumBytes = maximumBytes
    }

    /// Says whether there was room; if not, the queue has its end.
    mutating func append(_ event: ExecutionEvent) -> Bool {
        if case .next(let value) = event {
            guard self.bytes < self.maximumBytes else {
                let error = WireError(.slowConsumer, "this program took its values too slowly")
                self.events.append(.ended(.failed(error)))
                return false
            }
            self.bytes += Self.cost(value)
        }
        self.events.append(event)
        return true
    }

    mutating func next() -> ExecutionEvent? {
        let event = self.events.popFirst()
        if case .next(let value) = event { self.bytes -= Self.cost(value) }
        return event
    }

    /// The cost of a value beside its bytes, so that many small ones count, too.
    private static func cost(_ value: JSONText) -> Int { value.byteCount + 64 }
}
