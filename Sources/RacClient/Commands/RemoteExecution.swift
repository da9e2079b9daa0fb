import RacProtocol

/// An execution that this program asked for, as it goes on far away.
///
/// It belongs to its connection until the daemon has reported its end, even if nobody listens any more. All state is
/// used on the client's event loop.
final class RemoteExecution {
    /// The listeners; both are called on the event loop.
    struct Listener: Sendable {
        /// Throws if the value is not of the type that is expected.
        let value: @Sendable (JSONText) throws(ClientError) -> Void
        let end: @Sendable (Ending<ClientError>) -> Void
    }

    private let name: CommandName
    private let input: JSONText?
    /// Nil when the end has been delivered, or nobody wants to hear it.
    private var listener: Listener?
    private weak var engine: ClientEngine?
    private weak var dispatcher: Dispatcher?
    private var id: ExecutionID?
    /// Called when it has its number, and when that has no meaning any more.
    var onBegin: (ExecutionID) -> Void = { _ in }
    var onOver: (ExecutionID) -> Void = { _ in }

    init(_ name: CommandName, _ input: JSONText?, _ listener: Listener) {
        self.name = name
        self.input = input
        self.listener = listener
    }

    func start(_ engine: ClientEngine) {
        guard self.listener != nil else { return }
        self.engine = engine
        guard let dispatcher = engine.dispatcher else {
            let error = engine.end ?? ClientError(.notEnabled, "there is no connection to the daemon")
            return self.end(.failed(error))
        }
        self.dispatcher = dispatcher
        dispatcher.askPatiently(.exec(Exec(command: self.name, input: self.input))) { [self, weak dispatcher] result in
            switch result {
            case .success(.reply(.executing(let id))): self.begun(as: id)
            case .success: self.end(.failed(.wrongAnswer))
            case .failure(let error) where dispatcher?.end != nil: self.lost(error)
            case .failure(let error): self.end(.failed(error))
            }
        }
    }

    private func begun(as id: ExecutionID) {
        self.id = id
        self.dispatcher?.commands.enter(self, as: id)
        self.onBegin(id)
        if self.listener == nil { self.dispatcher?.commands.say(.cancel(id)) }
    }

    /// Nobody wants it any more: further events of it are not delivered.
    func cancel() {
        guard self.listener != nil else { return }
        self.listener = nil
        if let id = self.id { self.dispatcher?.commands.say(.cancel(id)) }
    }

    private func end(_ ending: Ending<ClientError>) {
        let listener = self.listener
        self.listener = nil
        listener?.end(ending)
    }

    private func over(_ ending: Ending<ClientError>) {
        if let id = self.id { self.onOver(id) }
        self.id = nil
        self.end(ending)
    }
}

@available(*, unavailable)
extension RemoteExecution: Sendable {}

extension RemoteExecution: CommandCaller {
    func progressed(_ event: ExecutionEvent) -> Bool {
        switch event {
        case .next(let value):
            do throws(ClientError) {
                try self.listener?.value(value)
            } catch {
                let listener = self.listener
                self.cancel()
                listener?.end(.failed(error))
            }
        case .ended(.completed): self.over(.completed)
        case .ended(.failed(let error)): self.over(.failed(ClientError(error)))
        }
        return true
    }

    func lost(_ error: ClientError) {
        if let end = self.engine?.end { return self.over(.failed(end)) }
        let message = "the connection was lost while \(self.name) was running: how that ended is not known"
        self.over(.failed(ClientError(.connectionLost, message, cause: error)))
    }
}
