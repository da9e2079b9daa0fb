import RacClient
import RacProtocol

/// One terminal of a client that speaks the protocol itself and repeats no send.
///
/// Semantics: protocol.md, "Agreement".
struct SimulatedTerminal {
    private enum State {
        /// Not bound, or the connection is lost.
        case unbound
        case binding
        case bound(TerminalID)
        /// The channel ended, or this binding of it.
        case ended
    }

    let plan: TerminalPlan
    let channel: ChannelName
    /// Whether the client wants to be bound.
    var isWanted = true
    /// The value that it shows; nil before it received one.
    private(set) var shown: JSONText?
    /// The newest value that it knows as the channel's.
    private(set) var standing: Valuation?

    private var state = State.unbound
    private var mode = ChannelMode.shared
    private var agreement = OpenWriteStateMachine()
    private var wasBound = false
    private var last = SendNumber.none
    /// Sends without an answer.
    private var open: [Send] = []
    /// The terminal whose sends the numbers count; nil if the client has no session, or the daemon another epoch.
    private(set) var numbered: TerminalID?
    private let sabotage: Sabotage?
    private let hasSession: Bool
    /// Whether an end has come since the last look.
    private var hasNewEnd = false

    init(_ plan: TerminalPlan, of channel: ChannelName, sabotage: Sabotage?, hasSession: Bool) {
        self.plan = plan
        self.channel = channel
        self.sabotage = sabotage
        self.hasSession = hasSession
    }

    /// The number of the terminal of its present binding.
    var terminal: TerminalID? { if case .bound(let terminal) = self.state { terminal } else { nil } }

    var needsBind: Bool { if case .unbound = self.state { self.isWanted } else { false } }

    var isEnded: Bool { if case .ended = self.state { true } else { false } }

    /// Whether every send has its answer.
    var isSettled: Bool { self.open.isEmpty }
}

// MARK: What the client does

extension SimulatedTerminal {
    /// Writes a value if bound; returns the send that is due now.
    mutating func write(_ event: Send.Event, sync: Bool) -> Send? {
        guard case .bound(let terminal) = self.state, !self.agreement.isEnding else { return nil }
        // An end is sent after the answers to the values before it.
        if case .end = event, !self.isSettled { return nil }
        self.last = self.last.next
        let send = Send(terminal: terminal, number: self.last, event: event, sync: sync)
        self.open.append(send)
        self.show(send)
        return send
    }

    mutating func asksToBind() -> Bind {
        self.state = .binding
        var bind = Bind(channel: self.channel)
        bind.role = self.plan.role
        bind.replay = self.plan.replays
        bind.conflate = self.plan.conflates
        bind.interval = self.plan.interval
        // The first binding as leading does not receive earlier values; a later one receives the values that it missed.
        if self.wasBound { bind.since = self.standing?.revision ?? Revision.never }
        bind.was = self.numbered
        return bind
    }

    /// Binds again after an end.
    mutating func wantsBind() {
        self.isWanted = true
        if self.isEnded { self.state = .unbound }
    }

    mutating func leaves() {
        self.isWanted = false
        self.state = .unbound
        self.open = []
    }
}

// MARK: What the daemon says

extension SimulatedTerminal {
    /// The daemon has bound the terminal; returns the sends that go out again.
    mutating func bound(_ bound: Bound) -> [Send] {
        self.resume(bound)
        self.state = .bound(bound.terminal)
        self.wasBound = true
        self.mode = bound.mode
        if let value = bound.value {
            self.standing = Valuation(value: value.detached, revision: bound.revision, cause: bound.cause)
        } else if bound.revision == .never {
            self.standing = nil
        }
        let isForgetful = self.sabotage == .forgottenArrival && bound.value == nil
        self.agreement = OpenWriteStateMachine(showing: isForgetful ? nil : self.standing)
        if let standing = self.standing { self.shown = standing.value }
        for send in self.open { self.show(send) }
        return self.sabotage == .newestForAll ? self.open.suffix(1) : self.open
    }

    /// Goes on with the sends of the session, or without any.
    private mutating func resume(_ bound: Bound) {
        if let numbered = self.numbered, [bound.terminal, bound.was].contains(numbered) {
            self.last = max(self.last, bound.lastApplied)
            for index in self.open.indices { self.open[index].terminal = bound.terminal }
        } else {
            self.last = bound.lastApplied
            self.open = []
        }
        self.numbered = self.hasSession ? bound.terminal : nil
    }

    /// The sends without an answer up to that number; a later answer is not expected for them.
    func unanswered(through number: SendNumber) -> [Send] {
        self.open.filter { $0.number <= number }
    }

    /// Takes the sends up to that number for answered.
    mutating func takeForAnswered(through number: SendNumber) {
        self.open.removeAll { $0.number <= number }
    }

    /// The daemon has another epoch, which knows no numbers.
    mutating func forgetNumbers() {
        self.numbered = nil
    }

    private mutating func show(_ send: Send) {
        guard case .next(let value, _, _) = send.event, self.mode == .shared else { return }
        self.shown = value
        self.agreement.sent(send.number)
    }

    mutating func bindRefused() {
        self.state = .ended
    }

    mutating func arrived(_ valuation: Valuation) {
        let told = valuation.detached
        self.stands(told)
        guard self.mode == .shared, self.sabotage != .noHoldBack else { return self.shown = told.value }
        self.show(self.agreement.arrived(told))
    }

    mutating func acknowledged(_ number: SendNumber, as revision: Revision) {
        if let send = self.open.last(where: { $0.number == number }), case .next(let value, _, let cause) = send.event,
            self.mode == .shared
        {
            self.stands(Valuation(value: value, revision: revision, cause: cause))
        }
        self.open.removeAll { $0.number <= number }
        self.show(self.agreement.acknowledged(number, as: revision))
    }

    /// Whether a refusal is of the binding before, behind which the send has gone out again.
    func isStale(_ refusal: Refusal) -> Bool {
        guard refusal.error.code == ErrorCode.notBound.rawValue, self.sabotage != .trustedNotBound else { return false }
        return self.numbered != nil && !self.agreement.isEnding
    }

    /// A send was refused; returns whether the client must ask for the channel's state.
    mutating func refused(_ number: SendNumber, _ refusal: Refusal) -> Bool {
        if self.isStale(refusal) { return false }
        self.open.removeAll { $0.number <= number }
        guard refusal.revision != nil || !self.agreement.mustAsk(afterRefusalOf: number) else { return true }
        self.stood(refusal.standing, after: number)
        return false
    }

    mutating func stood(_ valuation: Valuation?, after number: SendNumber) {
        // In a paired channel a refusal reports the sender's own side, which the terminal does not show.
        if let valuation, self.mode == .shared { self.stands(valuation) }
        self.show(self.agreement.refused(number, standing: valuation))
    }

    /// The channel ended, or without a revision this binding alone, which a client with a session makes again.
    mutating func ended(_ end: TerminalEnd) {
        if end.revision == nil, self.numbered != nil { return self.state = .unbound }
        self.show(self.agreement.ended(end))
    }

    /// The connection is lost but the channel is not: the open sends of a session go out again.
    mutating func lost() {
        self.show(self.agreement.connectionLost())
        if self.numbered == nil { self.open = [] }
        if !self.isEnded { self.state = .unbound }
    }

    private mutating func stands(_ valuation: Valuation) {
        if valuation.revision > self.standing?.revision ?? .never { self.standing = valuation }
    }

    private mutating func show(_ release: OpenWriteStateMachine.Release) {
        if let value = release.value { self.shown = value.value }
        guard release.end != nil else { return }
        self.state = .ended
        self.hasNewEnd = true
        self.open = []
    }

    /// Whether an end has come since the last call.
    mutating func takeNewEnd() -> Bool {
        defer { self.hasNewEnd = false }
        return self.hasNewEnd
    }
}

extension Refusal {
    /// The channel's state, which stands instead of the refused send.
    fileprivate var standing: Valuation? {
        guard let revision = self.revision, let value = self.value else { return nil }
        return Valuation(value: value.detached, revision: revision, cause: nil)
    }
}
