import NIOCore
import Rac
import RacProtocol

/// One terminal of a channel, for every view of it in this program.
///
/// It stays while a view uses it or a write is on its way. All state is used on the client's event loop.
final class RemoteBinding {
    /// The terminal's channel and side.
    struct Key: Hashable, Sendable {
        var channel: ChannelName
        var role: Role
    }

    let key: Key
    let mode: ChannelMode
    /// The options of all views together.
    private(set) var options: BindingOptions
    /// The options of the newest bind.
    var sentOptions = BindingOptions()
    weak var engine: ClientEngine?
    var machine: TerminalStateMachine
    var dispatcher: Dispatcher?
    var isNewEpoch = true
    /// Whether a bind has no answer yet.
    var isAsking = false
    var waitsForRoom = false
    var views: [any RemoteView] = []
    var waiting = WaitingWriters()
    var copies = ArrivalCopies()
    let metrics: ClientMetrics?
    private(set) var ending: Ending<ClientError>?
    /// Whether the channel itself has ended, and not this program's way to it alone.
    private(set) var isEndOfChannel = false

    init(_ key: Key, _ mode: ChannelMode, _ options: BindingOptions, _ engine: ClientEngine) {
        self.key = key
        self.mode = mode
        self.options = options
        self.engine = engine
        self.metrics = engine.metrics
        let waiting = engine.configuration.maximumWaitingSends
        self.machine = TerminalStateMachine(
            mode: mode,
            maximumWaiting: waiting,
            after: engine.lastSendNumber
        )
    }

    func start() {
        self.engine?.add(self)
    }
}

@available(*, unavailable)
extension RemoteBinding: Sendable {}

// MARK: Options

extension RemoteBinding {
    /// Another view joins, with options of its own.
    ///
    /// The daemon gets the shortest interval, the first default and the newest will. A view with a longer interval keeps
    /// it by itself. Options of views that have all let go count no more.
    ///
    /// Semantics: protocol.md, "Bindings": a binding with other options is a new one.
    func join(_ options: BindingOptions) throws(ClientError) {
        let joined = self.views.isEmpty ? options : self.options.joined(by: options)
        guard joined != self.options else { return }
        // Of a paired channel every value counts, and one that is on its way now would be lost.
        guard self.mode == .shared || self.dispatcher == nil else { throw .cannotBindAgain(self.key.channel) }
        self.options = joined
        if self.machine.terminal != nil { self.bindAgain() }
    }
}

// MARK: Views and the end

extension RemoteBinding {
    func add(_ view: any RemoteView) {
        self.views.append(view)
        view.becameLive(self.machine.terminal != nil)
        self.showStanding(in: view)
        if self.machine.isReported { view.reported() }
        if let ending = self.ending { view.ended(ending) }
    }

    func remove(_ view: any RemoteView) {
        self.views.removeAll { $0 === view }
        self.leaveIfUnused()
    }

    func leaveIfUnused() {
        // A bind cannot be taken back before its answer, and another view may want the terminal until then.
        guard self.views.isEmpty, !self.isAsking, self.machine.isSettled, self.waiting.answers.isEmpty else { return }
        if let terminal = self.machine.terminal { self.dispatcher?.unbind(terminal, of: self) }
        self.forget()
    }

    /// The next view of this terminal gets a new binding.
    private func forget() {
        self.engine?.used(self.machine.lastNumber)
        self.engine?.forget(self, sharedAs: self.key)
        self.dispatcher = nil
        self.engine = nil
    }

    func end(_ ending: Ending<ClientError>, isOfChannel: Bool = false) {
        guard self.ending == nil else { return }
        self.ending = ending
        self.isEndOfChannel = isOfChannel
        self.machine.close()
        let (views, waiting, requests) = (self.views, self.waiting, self.engine?.requests)
        self.waiting = WaitingWriters()
        self.forget()
        for view in views { view.ended(ending) }
        for waiting in waiting.answers { waiting.fail(self.terminated) }
        for waiting in waiting.rooms { waiting.go(self.terminated) }
        requests?.writesAnswered()
    }

    var terminated: ClientError {
        if case .failed(let error)? = self.ending { return error }
        return ClientError(.terminated, "\(self.key.channel) has ended")
    }
}
