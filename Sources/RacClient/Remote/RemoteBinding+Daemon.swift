import Rac
import RacProtocol

extension RemoteBinding: ConnectionUser {
    var isSettled: Bool { self.machine.isSettled }

    var openWrites: (() -> Bool)? {
        guard !self.machine.isSettled else { return nil }
        let newest = self.machine.newest
        return { !self.machine.isAnswered(through: newest) }
    }

    func connected(_ dispatcher: Dispatcher, isNewEpoch: Bool) {
        self.dispatcher = dispatcher
        self.waitsForRoom = false
        // The daemon's new epoch counts until the terminal is bound in it, also over further connections.
        if isNewEpoch {
            self.isNewEpoch = true
            self.forgetRoots()
        }
        self.bind()
    }

    /// The revisions of the daemon's new epoch need not be those of before.
    func forgetRoots() {
        self.machine.forgetRoots()
        for view in self.views { view.forgetRoots() }
    }

    /// Binds anew over the same connection, with the present options.
    func bindAgain() {
        guard let terminal = self.machine.terminal else { return }
        self.dispatcher?.unbind(terminal, of: self)
        self.tell(self.machine.unbound())
        if self.ending == nil { self.bind() }
    }

    private func bind() {
        guard let dispatcher = self.dispatcher else { return }
        self.sentOptions = self.options
        if self.mode == .paired {
            // Binding alone would create a shared channel. If the channel exists, the daemon refuses this, which is fine.
            var create = Create(channel: self.key.channel)
            create.mode = .paired
            dispatcher.askPatiently(.create(create)) { _ in }
        }
        if self.options.reopens, self.machine.newestTerminal == nil {
            dispatcher.askPatiently(.reopen(ChannelOrder(channel: self.key.channel))) { _ in }
        }
        var bind = Bind(channel: self.key.channel)
        bind.role = self.key.role
        bind.since = self.machine.since(isNewEpoch: self.isNewEpoch)
        if self.options.replaysWish { bind.replay = true }
        bind.defaultValue = self.options.defaultValue.flatMap {
            self.machine.offer($0, isNewEpoch: self.isNewEpoch)
        }
        bind.interval = self.options.interval
        bind.will = self.options.will
        bind.was = self.isNewEpoch ? nil : self.machine.was
        self.isAsking = true
        // A weak reference would make every later retain and release of its object a slow one.
        dispatcher.bind(bind, for: self) { [unowned dispatcher] error in
            guard dispatcher.end == nil else { return }
            self.end(.failed(error))
        }
    }

    func disconnected() {
        self.dispatcher = nil
        self.isAsking = false
        // Observers of this report ask whether there is a connection.
        for view in self.views { view.becameLive(false) }
        self.tell(self.machine.unbound())
        self.leaveIfUnused()
    }

    func gone(_ error: ClientError) {
        self.dispatcher = nil
        self.end(.failed(error))
    }
}

extension RemoteBinding: TerminalListener {
    func bound(_ bound: Bound) {
        self.isAsking = false
        if let earlier = self.machine.newestTerminal, earlier != bound.terminal {
            // Everything without an answer goes out again into the new terminal.
            self.dispatcher?.forget(earlier, of: self)
        }
        guard bound.mode == self.mode else {
            self.dispatcher?.unbind(bound.terminal, of: self)
            return self.end(.failed(.wrongMode(of: self.key.channel, is: bound.mode)))
        }
        let news = self.machine.bound(bound, isNewEpoch: self.isNewEpoch)
        self.isNewEpoch = false
        // Observers of the value ask whether there is a connection.
        for view in self.views { view.becameLive(true) }
        // This program is done with the channel, but the daemon does not know that and has bound it.
        if news.end != nil, bound.state == .open { self.dispatcher?.unbind(bound.terminal, of: self) }
        self.tell(news)
        guard self.ending == nil else { return }
        for view in self.views { view.reported() }
        self.pump()
        self.leaveIfUnused()
        if self.sentOptions != self.options { self.bindAgain() }
    }

    /// A binding lives longer than a connection, so no event is its last one.
    var isOver: Bool { false }

    func arrived(_ valuation: Valuation) -> Bool {
        self.metrics?.received()
        self.tell(self.machine.arrived(self.copies.copy(valuation)))
        return true
    }

    /// A write that this program made another way was applied.
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
        guard refusal.revision == nil, self.machine.mustAsk(afterRefusalOf: number, refusal),
            let dispatcher = self.dispatcher
        else {
            return self.refused(number, refusal, standing: refusal.standing)
        }
        dispatcher.askPatiently(.get(self.key.channel)) { [weak self, weak dispatcher] result in
            guard let self, dispatcher?.end == nil else { return }
            guard case .success(.reply(.got(let got))) = result else {
                return self.refused(number, refusal, standing: nil)
            }
            self.refused(number, refusal, standing: got.standing)
        }
    }

    /// The engine reports a lost connection to its bindings itself.
    func finish(_ error: ClientError?) {}

    private func refused(_ number: SendNumber, _ refusal: Refusal, standing: Valuation?) {
        self.metrics?.refused()
        self.tell(self.machine.refused(number, refusal, standing: standing))
        self.goOn()
    }

    /// A write was answered, so another one fits.
    private func goOn() {
        self.pump()
        self.letWrite()
        if self.machine.isSettled { self.engine?.settled() }
        self.leaveIfUnused()
    }

    private func tell(_ news: consuming TerminalStateMachine.News) {
        // Taken, because a copy would count the references of the text once more for every value.
        if let value = news.value.take() {
            for view in self.views { view.show(value.value, tag: ChangeTag(root: value.root), at: value.revision) }
        }
        if let standing = news.standing {
            let root = self.machine.shownValue?.root ?? standing
            for view in self.views { view.stands(at: standing, from: root) }
        }
        if let answer = news.answer { self.tell(answer) }
        if let end = news.end { self.end(Ending(end), isOfChannel: end.revision != nil) }
    }

    private func tell(_ answer: TerminalStateMachine.Answer) {
        switch answer {
        case .applied(let last, let revision):
            for waiting in self.waiting.takeAnswers(through: last) { waiting.whenAnswered(.success(revision)) }
        case .refused(let writes, let refusal):
            let error = ClientError(refusal)
            for view in self.views { view.failed(error) }
            for waiting in self.waiting.takeAnswers(through: writes.upperBound) { waiting.fail(error) }
        }
        self.engine?.requests.writesAnswered()
    }
}
