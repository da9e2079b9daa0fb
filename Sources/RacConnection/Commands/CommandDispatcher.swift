import NIOCore
package import RacProtocol

/// The receiver of the events of a command that a connection hosts.
package protocol CommandHost: AnyObject {
    /// An execution is asked for; says whether there is room for it.
    func execute(_ execution: ExecutionID, _ input: JSONText?) -> Bool
    /// An execution is not wanted any more.
    func cancel(_ execution: ExecutionID)
    /// The daemon has ended the hosting; nothing more comes.
    func unhosted(_ error: ClientError)
    /// The connection is lost; nothing more comes.
    func lost(_ error: ClientError)
}

/// The receiver of a command's state and errors.
package protocol CommandStateListener: AnyObject {
    func changed(to state: CommandState)
    func failed(_ execution: ExecutionID, _ error: WireError)
    /// Nothing more comes.
    func lost(_ error: ClientError)
}

/// The receiver of an execution's events.
package protocol CommandCaller: AnyObject {
    /// Says whether there was room for it; if not, the execution is over on this side.
    func progressed(_ event: ExecutionEvent) -> Bool
    /// Nothing more comes.
    func lost(_ error: ClientError)
}

/// The connection's knowledge of commands: those that it hosts, those that it observes, and its executions.
///
/// The requester of one of these is entered when the reply comes, before the next message of the same read. All state
/// is used on the connection's event loop.
package final class CommandDispatcher {
    private let outbox: Outbox
    private var hosts: [CommandID: any CommandHost] = [:]
    private var observers: [CommandID: any CommandStateListener] = [:]
    private var callers: [ExecutionID: any CommandCaller] = [:]

    init(outbox: Outbox) {
        self.outbox = outbox
    }

    package func enter(_ host: any CommandHost, as command: CommandID) {
        self.hosts[command] = host
    }

    package func enter(_ observer: any CommandStateListener, as command: CommandID) {
        self.observers[command] = observer
    }

    package func enter(_ caller: any CommandCaller, as execution: ExecutionID) {
        self.callers[execution] = caller
    }

    /// The host hears nothing more; says whether it did until now.
    package func removeHost(of command: CommandID) -> Bool { self.hosts.removeValue(forKey: command) != nil }

    /// The observer hears nothing more; says whether it did until now.
    package func removeObserver(of command: CommandID) -> Bool { self.observers.removeValue(forKey: command) != nil }

    /// The caller hears nothing more, and the execution is cancelled if it runs.
    func removeCaller(of execution: ExecutionID) {
        guard self.callers.removeValue(forKey: execution) != nil else { return }
        self.say(.cancel(execution))
    }

    /// Says something that is lost with the connection.
    package func say(_ message: ClientMessage) {
        // It fails only if the connection ends, of which everybody is notified.
        try? self.outbox.write(message)
    }

    func received(_ message: ServerMessage) {
        switch message {
        case .execute(let execute): self.execute(execute)
        case .cancel(let execution): for host in self.hosts.values { host.cancel(execution) }
        case .progress(let execution, let event): self.progressed(execution, event)
        case .state(let command, let state): self.observers[command]?.changed(to: state)
        case .failed(let command, let execution, let error): self.observers[command]?.failed(execution, error)
        case .unhosted(let command, let error):
            self.hosts.removeValue(forKey: command)?.unhosted(ClientError(Refusal(error)))
        default: break
        }
    }

    private func execute(_ execute: Execute) {
        guard let host = self.hosts[execute.command] else { return }
        guard !host.execute(execute.execution, execute.input?.detached) else { return }
        let error = WireError(.limit, "the host has more executions waiting than it takes")
        self.say(.progress(execute.execution, .ended(.failed(error))))
    }

    private func progressed(_ execution: ExecutionID, _ event: ExecutionEvent) {
        guard let caller = self.callers[execution] else { return }
        switch event {
        case .next(let value):
            guard !caller.progressed(.next(value.detached)) else { return }
            self.removeCaller(of: execution)
        case .ended:
            self.callers[execution] = nil
            _ = caller.progressed(event)
        }
    }

    /// The connection is lost.
    func finish(_ error: ClientError) {
        for host in self.hosts.values { host.lost(error) }
        for observer in self.observers.values { observer.lost(error) }
        for caller in self.callers.values { caller.lost(error) }
        self.hosts = [:]
        self.observers = [:]
        self.callers = [:]
    }
}

@available(*, unavailable)
extension CommandDispatcher: Sendable {}
