import RacProtocol

/// A part of this program that is notified of a command's state.
///
/// All of it is used on the client's event loop.
protocol CommandView: AnyObject {
    /// The state changed; `isConcurrent` says whether executions may run at once, nil if that is not known.
    func changed(to state: CommandState, isConcurrent: Bool?)
    /// Somebody's execution has failed.
    func failed(_ execution: ExecutionID, _ error: WireError)
    /// The daemon does not let this program observe the command, over this connection.
    func refused(_ error: ClientError)
    /// There will be no connection any more.
    func gone()
}

/// How a command is, over connections, for everybody in this program who wants to know.
///
/// While there is no connection, it may not be executed. All state is used on the client's event loop.
final class ObservedCommand {
    let name: CommandName
    private weak var engine: ClientEngine?
    private var dispatcher: Dispatcher?
    /// Its number on the present connection.
    private var command: CommandID?
    private var isAsking = false
    /// Why the daemon does not let this program observe the command.
    private var refusal: ClientError?
    /// The newest state from the daemon.
    private var state = CommandState.unknown
    /// The state that the views have; another one while it is asked whether executions may run at once.
    private var told = CommandState.unknown
    /// Whether executions may run at once; nil while that is not known.
    private var isConcurrent: Bool?
    private var isAskingForHost = false
    private var views: [any CommandView] = []

    init(_ name: CommandName, _ engine: ClientEngine) {
        self.name = name
        self.engine = engine
    }

    func start() {
        self.engine?.add(self)
    }

    func add(_ view: any CommandView) {
        self.views.append(view)
        view.changed(to: self.told, isConcurrent: self.isConcurrent)
        if let refusal = self.refusal { view.refused(refusal) }
    }

    func remove(_ view: any CommandView) {
        self.views.removeAll { $0 === view }
        self.leaveIfUnused()
    }

    private func leaveIfUnused() {
        // A request cannot be taken back before its answer, and another user may want it until then.
        guard self.views.isEmpty, !self.isAsking else { return }
        if let dispatcher = self.dispatcher, let command = self.command, dispatcher.commands.removeObserver(of: command)
        {
            dispatcher.tell(.unobserve(command))
        }
        self.engine?.commands.forget(self)
        self.engine?.forget(self)
        self.engine = nil
    }

    private func answered(_ result: Result<Dispatcher.Answer, ClientError>, by dispatcher: Dispatcher) {
        guard self.dispatcher === dispatcher, dispatcher.end == nil else { return }
        self.isAsking = false
        switch result {
        case .success(.reply(.observing(let command, let state))):
            self.command = command
            dispatcher.commands.enter(self, as: command)
            self.changed(to: state)
        case .success: break
        case .failure(let error):
            self.refusal = error
            for view in self.views { view.refused(error) }
        }
        self.leaveIfUnused()
    }

    private func lose() {
        self.dispatcher = nil
        self.command = nil
        self.isAsking = false
        self.refusal = nil
        self.isAskingForHost = false
        self.state = .unknown
        self.tell()
    }

    private func tell() {
        self.told = self.state
        for view in self.views { view.changed(to: self.told, isConcurrent: self.isConcurrent) }
    }

    /// Asks whether executions may run at once: a host that has come may allow it where the last one did not.
    private func askForHost(_ dispatcher: Dispatcher) {
        guard let pattern = try? ChannelPattern(self.name.text) else { return self.tell() }
        var list = List()
        list.pattern = pattern
        self.isAskingForHost = true
        dispatcher.askPatiently(.commands(list)) { [weak self, weak dispatcher] result in
            guard let self, self.dispatcher === dispatcher, dispatcher?.end == nil else { return }
            self.isAskingForHost = false
            // A racd that is older than the request refuses it.
            self.isConcurrent = nil
            if case .success(.reply(.commands(let listed))) = result {
                self.isConcurrent = listed.commands.first { $0.command == self.name }?.isConcurrent
            }
            self.tell()
        }
    }
}

@available(*, unavailable)
extension ObservedCommand: Sendable {}

extension CommandState {
    /// How a command is that cannot be reached.
    fileprivate static let unknown = CommandState(isEnabled: false, isExecuting: false)
}

extension ObservedCommand: CommandStateListener {
    func changed(to state: CommandState) {
        let before = self.state
        self.state = state
        if self.isAskingForHost { return }
        if state.isEnabled, state.isExecuting { self.isConcurrent = true }
        if let dispatcher = self.dispatcher, state.isEnabled, !before.isEnabled, !before.isExecuting {
            self.askForHost(dispatcher)
        } else {
            self.tell()
        }
    }

    func failed(_ execution: ExecutionID, _ error: WireError) {
        for view in self.views { view.failed(execution, error) }
    }

    func lost(_ error: ClientError) {}
}

extension ObservedCommand: ConnectionUser {
    var isSettled: Bool { true }

    func connected(_ dispatcher: Dispatcher, isNewEpoch: Bool) {
        self.dispatcher = dispatcher
        self.isAsking = true
        dispatcher.askPatiently(.observe(self.name)) { [weak self, weak dispatcher] result in
            guard let dispatcher else { return }
            self?.answered(result, by: dispatcher)
        }
    }

    func disconnected() {
        self.lose()
        self.leaveIfUnused()
    }

    func gone(_ error: ClientError) {
        self.lose()
        for view in self.views { view.gone() }
    }
}
