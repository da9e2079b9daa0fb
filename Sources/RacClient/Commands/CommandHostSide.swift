import NIOCore
import Rac
import RacProtocol

/// A command that this program hosts, over connections.
///
/// The engine refers to it until it ends. All state is used on the client's event loop, but for `shared`.
final class CommandHostSide {
    /// An execution that somebody asked for.
    private struct Run {
        let number: UInt64
        /// Nil while it is being started.
        var cancel: LocalCommand.Cancel?
    }

    private enum State {
        /// There is no connection, it has not answered yet, or another one hosts the command.
        case waiting
        case hosted(CommandID)
        /// The program does not want it any more, but has asked the daemon for it.
        case leaving
        case over
    }

    let name: CommandName
    /// Held until the end.
    private var command: LocalCommand?
    private let shared: HostState
    private weak var engine: ClientEngine?
    private var state = State.waiting
    private var dispatcher: Dispatcher?
    private var observation: (any Disposable)?
    /// The state of the command that the daemon knows.
    private var isConcurrent = false
    private var isEnabled = true
    private var runs: [ExecutionID: Run] = [:]
    /// Which execution a run is; its number is new over connections and restarts of the daemon.
    private var executions: [UInt64: ExecutionID] = [:]
    private var lastRun: UInt64 = 0
    private var waitsForRoom = false
    /// The next host of a command of this name.
    private var successors: [CommandHostSide] = []
    private var log: ProblemLog?
    private var isAsking = false
    /// Reports when to ask again while another connection hosts the command.
    private var rival: RivalHost?

    init(_ name: CommandName, _ command: LocalCommand, _ shared: HostState) {
        self.name = name
        self.command = command
        self.shared = shared
    }

    func start(_ engine: ClientEngine) {
        guard case .waiting = self.state else { return }
        if let other = engine.commands.host(self) {
            guard case .leaving = other.state else { return self.finish(.failed(self.hostedAlready)) }
            return other.successors.append(self)
        }
        self.engine = engine
        self.log = ProblemLog(self.name.text, engine.configuration.logger)
        self.observation = self.command?.observe { [waker = self.shared.waker] in waker.wake() }
        engine.add(self)
    }

    /// The program does not want it hosted any more.
    func leave() {
        switch self.state {
        case .waiting where self.isAsking:
            self.state = .leaving
            // The answer, which may come much later, is no news for the program.
            self.shared.problem.value = nil
            self.shared.end.end(.completed)
        case .waiting: self.finish(.completed)
        case .hosted(let command):
            if let dispatcher = self.dispatcher, dispatcher.commands.removeHost(of: command) {
                dispatcher.tell(.unhost(command))
            }
            self.finish(.completed)
        case .leaving, .over: break
        }
    }

    private func finish(_ ending: Ending<ClientError>) {
        if case .over = self.state { return }
        self.state = .over
        self.cancelAll()
        self.leaveRival()
        self.observation?.dispose()
        self.command = nil
        self.dispatcher = nil
        self.shared.waker.onWake {}
        self.shared.isHosted.value = false
        self.shared.problem.value = ending.failure
        self.shared.isHosted.complete()
        self.shared.problem.complete()
        self.shared.end.end(ending)
        guard let engine = self.engine else { return }
        if let error = ending.failure, !error.isOfConnection { self.log?.note("a command is not hosted", error) }
        self.engine = nil
        engine.commands.forget(self)
        engine.forget(self)
        let successors = self.successors
        self.successors = []
        for successor in successors { successor.start(engine) }
    }

    private var hostedAlready: ClientError {
        ClientError(.alreadyHosted, "this program hosts \(self.name) already")
    }
}

@available(*, unavailable)
extension CommandHostSide: Sendable {}

// MARK: From the program to the daemon

extension CommandHostSide {
    /// The command, or one of its runs, has something to say.
    func attend() {
        self.shared.line.withLock { $0.woken() }
        while self.dispatcher?.hasRoom ?? true, let (run, event) = self.shared.line.withLock({ $0.next() }) {
            self.tell(event, of: run)
        }
        self.tellWhetherEnabled()
        guard !self.shared.line.withLock({ $0.isEmpty }) else {
            self.engine?.settled()
            return
        }
        guard let dispatcher = self.dispatcher, !self.waitsForRoom else { return }
        self.waitsForRoom = true
        dispatcher.whenRoom { [weak self] in
            self?.waitsForRoom = false
            self?.attend()
        }
    }

    private func tell(_ event: ExecutionEvent, of run: UInt64) {
        guard let execution = self.executions[run] else { return }
        do throws(ClientError) {
            // The command is free before its caller hears the end.
            if case .ended = event { self.forget(execution) }
            try self.dispatcher?.say(.progress(execution, event))
        } catch {
            let cancel = self.runs[execution]?.cancel
            self.forget(execution)
            self.dispatcher?.commands.say(.progress(execution, .ended(.failed(WireError(error)))))
            cancel?()
        }
    }

    private func forget(_ execution: ExecutionID) {
        guard let run = self.runs.removeValue(forKey: execution) else { return }
        self.executions[run.number] = nil
        self.tellWhetherEnabled()
    }

    /// Says so if the command's own condition has changed: the daemon itself knows what it has asked for.
    private func tellWhetherEnabled() {
        guard case .hosted(let command) = self.state, self.condition != self.isEnabled else { return }
        self.isEnabled.toggle()
        self.dispatcher?.commands.say(.enabled(command, self.isEnabled))
    }

    private var condition: Bool {
        self.command?.isEnabled(self.isConcurrent ? 0 : self.runs.count) ?? false
    }
}

// MARK: From the daemon to the program

extension CommandHostSide: CommandHost {
    func execute(_ execution: ExecutionID, _ input: JSONText?) -> Bool {
        guard let command = self.command else { return false }
        self.lastRun += 1
        let number = self.lastRun
        self.runs[execution] = Run(number: number)
        self.executions[number] = execution
        do throws(ClientError) {
            let cancel = try command.execute(input) { [shared] in shared.tell($0, of: number) }
            self.runs[execution]?.cancel = cancel
        } catch {
            _ = self.shared.tell(.ended(.failed(WireError(error))), of: number)
        }
        return true
    }

    func cancel(_ execution: ExecutionID) {
        self.runs[execution]?.cancel?()
    }

    func unhosted(_ error: ClientError) {
        self.finish(.failed(error))
    }

    func lost(_ error: ClientError) {}

    /// Nobody hears any more what the runs come to.
    private func cancelAll() {
        let runs = self.runs.values
        self.runs = [:]
        self.executions = [:]
        for run in runs { run.cancel?() }
    }
}

extension CommandHostSide: ConnectionUser {
    var isSettled: Bool { self.shared.line.withLock { $0.isEmpty } }

    func connected(_ dispatcher: Dispatcher, isNewEpoch: Bool) {
        self.dispatcher = dispatcher
        self.waitsForRoom = false
        self.ask()
    }

    private func ask() {
        guard case .waiting = self.state, let dispatcher = self.dispatcher, dispatcher.end == nil, !self.isAsking else {
            return
        }
        self.isAsking = true
        self.isConcurrent = self.command?.isConcurrent() ?? false
        self.isEnabled = self.condition
        var request = HostCommand(command: self.name)
        request.isConcurrent = self.isConcurrent
        request.isEnabled = self.isEnabled
        dispatcher.askPatiently(.host(request)) { [weak self, weak dispatcher] result in
            guard let dispatcher else { return }
            self?.answered(result, by: dispatcher)
        }
    }

    private func answered(_ result: Result<Dispatcher.Answer, ClientError>, by dispatcher: Dispatcher) {
        guard self.dispatcher === dispatcher, dispatcher.end == nil else { return }
        self.isAsking = false
        switch (result, self.state) {
        case (.success(.reply(.hosting(let command))), .leaving):
            dispatcher.tell(.unhost(command))
            self.finish(.completed)
        case (.success(.reply(.hosting(let command))), _):
            self.state = .hosted(command)
            dispatcher.commands.enter(self, as: command)
            self.leaveRival()
            self.log?.reset()
            self.shared.problem.value = nil
            self.shared.isHosted.value = true
            self.tellWhetherEnabled()
        case (.success, _): self.finish(.failed(.wrongAnswer))
        case (.failure, .leaving): self.finish(.completed)
        case (.failure(let error), _) where error.code == .alreadyHosted: self.wait(behindRival: error)
        case (.failure(let error), _): self.finish(.failed(error))
        }
    }

    func disconnected() {
        self.dispatcher = nil
        self.isAsking = false
        self.leaveRival()
        self.cancelAll()
        switch self.state {
        case .hosted:
            self.state = .waiting
            self.shared.isHosted.value = false
        case .leaving: self.finish(.completed)
        case .waiting, .over: break
        }
        // Drops the events that wait: their executions are over.
        self.attend()
    }

    func gone(_ error: ClientError) {
        self.finish(.failed(error))
    }
}

// MARK: Another host

extension CommandHostSide {
    /// Another connection hosts the command, perhaps a lost one: this side takes its place when the daemon lets it go.
    private func wait(behindRival error: ClientError) {
        guard let engine = self.engine else { return }
        self.log?.note("a command is not hosted", error)
        if self.shared.problem.value != error { self.shared.problem.value = error }
        if self.rival == nil { self.rival = RivalHost(of: self.name, engine) { [weak self] in self?.ask() } }
    }

    private func leaveRival() {
        self.rival?.leave()
        self.rival = nil
    }
}

extension Ending<ClientError> {
    fileprivate var failure: ClientError? {
        if case .failed(let error) = self { error } else { nil }
    }
}
