import NIOCore
import Rac
import RacProtocol

/// What a program has of a channel's terminal: it shows what comes, and hands over what is written.
///
/// All of it is used on the client's event loop.
protocol RemoteView: AnyObject {
    /// Shows a value that comes from elsewhere; `revision` is nil while it has none.
    func show(_ value: JSONText, tag: ChangeTag, at revision: Revision?)
    /// What it shows has this revision, and began with that change, which may be a newer one than it was shown for.
    func stands(at revision: Revision, from root: Revision)
    /// The daemon has told how the channel is.
    func reported()
    /// Whether the terminal is bound at present.
    func becameLive(_ isLive: Bool)
    /// Something that was written was not applied.
    func failed(_ error: ClientError)
    /// Nothing more comes, and nothing more can be written.
    func ended(_ ending: Ending<ClientError>)
}

/// One terminal of a channel, for everybody in this program who uses it.
///
/// It stays as long as somebody uses it or a write is on its way. All state is used on the client's event loop.
final class RemoteBinding {
    /// Which terminal it is.
    struct Key: Hashable, Sendable {
        var channel: ChannelName
        var role: Role
    }

    /// Somebody who wants to know what became of a write, or of all up to it.
    private struct Waiting {
        let number: UInt64
        let ticket: UInt64
        /// Whether the refusal of a write is as good as any other answer.
        let takesRefusals: Bool
        let whenAnswered: (Result<Revision, ClientError>) -> Void
    }

    let key: Key
    let mode: ChannelMode
    let options: BindingOptions
    private let limits = Limits()
    private weak var engine: ClientEngine?
    private var user: UInt64 = 0
    private var machine: RemoteTerminalStateMachine
    private var exchange: Exchange?
    private var isNewEpoch = true
    private var views: [any RemoteView] = []
    private var waiting: [Waiting] = []
    /// Writers that wait for room.
    private var crowd: [(ticket: UInt64, go: (ClientError?) -> Void)] = []
    private var ending: Ending<ClientError>?
    /// Where the values that come are copied, so that none keeps all that came with it.
    private var copies = (newest: ByteBuffer(), last: ByteBuffer())

    init(_ key: Key, _ mode: ChannelMode, _ options: BindingOptions, _ engine: ClientEngine) {
        self.key = key
        self.mode = mode
        self.options = options
        self.engine = engine
        let waiting = engine.configuration.maximumWaitingSends
        self.machine = RemoteTerminalStateMachine(mode: mode, maximumWaiting: waiting)
    }

    func start() {
        self.user = self.engine?.add(self) ?? 0
    }
}

@available(*, unavailable)
extension RemoteBinding: Sendable {}

// MARK: Who uses it

extension RemoteBinding {
    func add(_ view: any RemoteView) {
        self.views.append(view)
        view.becameLive(self.machine.terminal != nil)
        self.showWhatStands(in: view)
        if self.machine.isReported { view.reported() }
        if let ending = self.ending { view.ended(ending) }
    }

    func remove(_ view: any RemoteView) {
        self.views.removeAll { $0 === view }
        self.leaveIfUnused()
    }

    private func leaveIfUnused() {
        guard self.views.isEmpty, self.machine.isSettled, self.waiting.isEmpty else { return }
        if let terminal = self.machine.terminal { self.exchange?.unbind(terminal, of: self) }
        self.forget()
    }

    /// Whoever asks for this terminal next gets a new one.
    private func forget() {
        self.engine?.forget(self, as: self.user)
        self.exchange = nil
        self.engine = nil
    }
}

// MARK: Writing

extension RemoteBinding {
    /// Writes a value that `view` shows already; everybody else here sees it at once.
    ///
    /// - Returns: The number of the write; nil if it is too late in its chain of links to change anything.
    @discardableResult
    func write(
        _ value: JSONText,
        cause: Revision?,
        sync: Bool = false,
        from view: any RemoteView
    ) throws(ClientError) -> UInt64? {
        let outcome = self.machine.write(.next(value, condition: nil, cause: cause), sync: sync)
        if case .changesNothing = outcome {
            if !self.machine.shows(value, from: cause) { self.showWhatStands(in: view) }
            return nil
        }
        let number = try self.taken(outcome)
        if self.mode == .shared {
            for other in self.views where other !== view { other.show(value, tag: ChangeTag(root: cause), at: nil) }
        }
        self.pump()
        return number
    }

    private func showWhatStands(in view: any RemoteView) {
        // A leading side is not told what was there before it.
        guard self.mode == .shared || self.key.role == .following, let shown = self.machine.shownValue else { return }
        view.show(shown.text, tag: ChangeTag(root: shown.root), at: shown.revision)
    }

    /// Ends the channel for everybody.
    func finish(_ end: ChannelEnd) throws(ClientError) {
        _ = try self.taken(self.machine.write(.end(end)))
        self.pump()
    }

    private func taken(_ outcome: RemoteTerminalStateMachine.OnWrite) throws(ClientError) -> UInt64? {
        switch outcome {
        case .taken(let number): return number
        case .changesNothing: return nil
        case .ended: throw self.terminated
        case .full:
            let count = self.engine?.configuration.maximumWaitingSends ?? 0
            throw ClientError(.limit, "\(count) writes to \(self.key.channel) wait for racd already")
        }
    }

    private var terminated: ClientError {
        if case .failed(let error)? = self.ending { return error }
        return ClientError(.terminated, "\(self.key.channel) has ended")
    }

    /// Tells what became of a write, once.
    func whenAnswered(
        _ number: UInt64,
        as ticket: UInt64,
        takingRefusals: Bool = false,
        _ whenAnswered: @escaping (Result<Revision, ClientError>) -> Void
    ) {
        if self.ending != nil { return whenAnswered(.failure(self.terminated)) }
        guard self.waiting.count < self.limits.requestsUnderWay else {
            return whenAnswered(.failure(.tooManyWait(for: self.key.channel)))
        }
        let waiting = Waiting(
            number: number,
            ticket: ticket,
            takesRefusals: takingRefusals,
            whenAnswered: whenAnswered
        )
        self.waiting.append(waiting)
    }

    /// Tells when every write of until now is answered.
    func whenSettled(as ticket: UInt64, _ whenSettled: @escaping (Result<Void, ClientError>) -> Void) {
        guard !self.machine.isSettled else { return whenSettled(.success(())) }
        self.whenAnswered(self.machine.newest, as: ticket, takingRefusals: true) { whenSettled($0.map { _ in }) }
    }

    /// Tells when a write has room.
    func whenRoom(as ticket: UInt64, _ go: @escaping (ClientError?) -> Void) {
        if self.ending != nil { return go(self.terminated) }
        guard !self.machine.hasRoom else { return go(nil) }
        guard self.crowd.count < self.limits.requestsUnderWay else {
            return go(.tooManyWait(for: self.key.channel))
        }
        self.crowd.append((ticket, go))
    }

    /// Nobody waits any more.
    func cancel(_ ticket: UInt64) {
        if let index = self.waiting.firstIndex(where: { $0.ticket == ticket }) {
            self.waiting.remove(at: index).whenAnswered(.failure(.cancelledWait))
        }
        if let index = self.crowd.firstIndex(where: { $0.ticket == ticket }) {
            self.crowd.remove(at: index).go(.cancelledWait)
        }
    }

    /// Sends what may go out now.
    private func pump() {
        guard let exchange = self.exchange, exchange.end == nil else { return }
        while exchange.hasRoom, let send = self.machine.nextSend() {
            do {
                try exchange.send(send)
            } catch {
                // It is as if the daemon had refused it: the value is too long for its frames.
                let refusal = Refusal(WireError(code: error.code.rawValue, message: error.message))
                self.refused(send.number, refusal)
            }
        }
        if !exchange.hasRoom { exchange.whenRoom { [weak self] in self?.pump() } }
    }
}

// MARK: Its connections

extension RemoteBinding: ConnectionUser {
    var isSettled: Bool { self.machine.isSettled }

    func connected(_ exchange: Exchange, isNewEpoch: Bool) {
        self.exchange = exchange
        // Until it is bound, also over further connections.
        if isNewEpoch { self.isNewEpoch = true }
        self.bind()
    }

    private func bind() {
        guard let exchange = self.exchange else { return }
        if self.mode == .paired {
            // Binding alone would make a shared one. If there is one already, this is refused, and that is all right.
            var create = Create(channel: self.key.channel)
            create.mode = .paired
            exchange.askPatiently(.create(create)) { _ in }
        }
        var bind = Bind(channel: self.key.channel)
        bind.role = self.key.role
        bind.since = self.machine.since
        bind.defaultValue = self.options.defaultValue
        bind.interval = self.options.interval
        bind.will = self.options.will
        exchange.bind(bind, for: self) { [weak self, weak exchange] error in
            guard let self, exchange?.end == nil else { return }
            self.end(.failed(error))
        }
    }

    func disconnected() {
        self.exchange = nil
        self.tell(self.machine.unbound())
        for view in self.views { view.becameLive(false) }
    }

    func gone(_ error: ClientError) {
        self.exchange = nil
        self.end(.failed(error))
    }
}

// MARK: What the daemon says

extension RemoteBinding: TerminalListener {
    func bound(_ bound: Bound) {
        switch self.machine.bound(bound, isNewEpoch: self.isNewEpoch) {
        case .news(let news):
            self.isNewEpoch = false
            // The daemon has bound who is through with the channel, and only it knows that.
            if news.end != nil, bound.state == .open { self.exchange?.unbind(bound.terminal, of: self) }
            self.tell(news)
            guard self.ending == nil else { return }
            for view in self.views { view.becameLive(true) }
            for view in self.views { view.reported() }
            self.pump()
            self.leaveIfUnused()
        case .wrongMode:
            self.exchange?.unbind(bound.terminal, of: self)
            self.end(.failed(.wrongMode(of: self.key.channel, is: bound.mode)))
        }
    }

    func arrived(_ valuation: Valuation) {
        // The machine still refers to the last one.
        self.copies = (newest: self.copies.last, last: self.copies.newest)
        let text = valuation.value.copied(into: &self.copies.newest)
        let value = Valuation(value: text, revision: valuation.revision, cause: valuation.cause)
        self.tell(self.machine.arrived(value))
    }

    /// A write of this program that went another way came to this.
    func wrote(_ value: JSONText, as revision: Revision) {
        self.tell(self.machine.arrived(Valuation(value: value, revision: revision, cause: nil)))
    }

    func ended(_ end: TerminalEnd) {
        switch self.machine.ended(end) {
        case .news(let news): self.tell(news)
        case .bindAgain: self.bind()
        }
    }

    func acknowledged(_ number: SendNumber, as revision: Revision) {
        self.tell(self.machine.acknowledged(number, as: revision))
        self.goOn()
    }

    func changedNothing(_ number: SendNumber, standing: Valuation) {
        let value = Valuation(value: standing.value.detached, revision: standing.revision, cause: standing.cause)
        self.tell(self.machine.changedNothing(number, standing: value))
        self.goOn()
    }

    func refused(_ number: SendNumber, _ refusal: Refusal) {
        guard refusal.revision == nil, self.machine.mustAsk(afterRefusalOf: number), let exchange = self.exchange else {
            return self.refused(number, refusal, standing: refusal.standing)
        }
        exchange.askPatiently(.get(self.key.channel)) { [weak self, weak exchange] result in
            guard let self, exchange?.end == nil else { return }
            guard case .success(.reply(.got(let got))) = result else {
                return self.refused(number, refusal, standing: nil)
            }
            self.refused(number, refusal, standing: got.standing)
        }
    }

    private func refused(_ number: SendNumber, _ refusal: Refusal, standing: Valuation?) {
        self.tell(self.machine.refused(number, refusal, standing: standing))
        self.goOn()
    }

    /// Something was answered: there is room for more.
    private func goOn() {
        self.pump()
        while self.machine.hasRoom, !self.crowd.isEmpty { self.crowd.removeFirst().go(nil) }
        if self.machine.isSettled { self.engine?.settled() }
        self.leaveIfUnused()
    }

    private func tell(_ news: RemoteTerminalStateMachine.News) {
        if let value = news.value {
            for view in self.views { view.show(value.value, tag: ChangeTag(root: value.root), at: value.revision) }
        }
        if let standing = news.standing {
            let root = self.machine.shownValue?.root ?? standing
            for view in self.views { view.stands(at: standing, from: root) }
        }
        if let answer = news.answer { self.tell(answer) }
        if let end = news.end { self.end(Ending(end)) }
    }

    private func tell(_ answer: RemoteTerminalStateMachine.Answer) {
        switch answer {
        case .applied(let last, let revision):
            let answered = self.waiting.filter { $0.number <= last }
            self.waiting.removeAll { $0.number <= last }
            for waiting in answered { waiting.whenAnswered(.success(revision)) }
        case .refused(let writes, let refusal):
            let error = ClientError(refusal)
            for view in self.views { view.failed(error) }
            let answered = self.waiting.filter { $0.number <= writes.upperBound }
            self.waiting.removeAll { $0.number <= writes.upperBound }
            for waiting in answered {
                waiting.whenAnswered(waiting.takesRefusals ? .success(.none) : .failure(error))
            }
        }
    }

    private func end(_ ending: Ending<ClientError>) {
        guard self.ending == nil else { return }
        self.ending = ending
        self.machine.close()
        let (views, waiting, crowd) = (self.views, self.waiting, self.crowd)
        (self.waiting, self.crowd) = ([], [])
        self.forget()
        for view in views { view.ended(ending) }
        for waiting in waiting {
            waiting.whenAnswered(waiting.takesRefusals ? .success(.none) : .failure(self.terminated))
        }
        for waiting in crowd { waiting.go(self.terminated) }
    }
}

extension Ending<ClientError> {
    init(_ end: TerminalEnd) {
        switch end.end {
        case .completed: self = .completed
        case .failed(let error): self = .failed(ClientError(error))
        }
    }
}

extension ClientError {
    /// How somebody ended a channel.
    init(_ error: WireError) {
        self.init(Code(rawValue: error.code), error.message)
        self.data = error.data
    }

    static func wrongMode(of channel: ChannelName, is mode: ChannelMode) -> ClientError {
        switch mode {
        case .paired:
            ClientError(.wrongMode, "\(channel) is a paired channel: use `terminal` with a role, not `property`")
        case .shared: ClientError(.wrongMode, "\(channel) is a shared channel: use `property`, not `terminal`")
        }
    }
}
