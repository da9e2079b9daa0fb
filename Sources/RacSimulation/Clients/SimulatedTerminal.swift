import RacClient
import RacProtocol

/// One terminal as a program has it: what it shows, and what became of its writes, over connections.
///
/// Semantics: protocol.md, "Agreement" and "What a client does".
struct SimulatedTerminal {
    struct Write {
        var event: Send.Event
        var sync: Bool
    }

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
    /// Whether the program wants to be bound.
    var isWanted = true
    /// What the program shows; nil before it was told anything.
    private(set) var shown: JSONText?
    /// The newest value that it knows to be the channel's.
    private(set) var standing: Valuation?

    private var state = State.unbound
    private var mode = ChannelMode.shared
    private var agreement = OpenWriteStateMachine()
    private var terminalBefore: TerminalID?
    private var last = SendNumber.none
    /// Sends without an answer.
    private var open: [Send] = []
    /// What was written while there was no binding.
    private var waiting: [Write] = []
    private let holdsBack: Bool
    /// Whether the program has been told an end since the last look.
    private var hasNewEnd = false

    init(_ plan: TerminalPlan, of channel: ChannelName, holdsBack: Bool) {
        self.plan = plan
        self.channel = channel
        self.holdsBack = holdsBack
    }

    /// The number of the terminal to which it is bound now.
    var terminal: TerminalID? { if case .bound(let terminal) = self.state { terminal } else { nil } }

    var needsBind: Bool { if case .unbound = self.state { self.isWanted } else { false } }

    var isEnded: Bool { if case .ended = self.state { true } else { false } }

    /// What the send of this number said, if it has no answer.
    func openEvent(_ number: SendNumber) -> Send.Event? { self.open.first { $0.number == number }?.event }

    /// Whether every write has its answer.
    var isSettled: Bool { self.open.isEmpty && self.waiting.isEmpty }
}

// MARK: What the program does

extension SimulatedTerminal {
    /// Writes; what comes back is to be sent now.
    mutating func write(_ write: Write) -> [Send] {
        guard self.isWanted, !self.isEnded, !self.agreement.isEnding else { return [] }
        if case .next(let value, _, _) = write.event {
            if self.mode == .shared { self.shown = value }
        } else if !self.isSettled {
            // An end is sent when the values before it are answered; this program then wants it no more.
            return []
        }
        guard case .bound = self.state else {
            if self.mode == .shared { self.waiting.removeAll() }
            self.waiting.append(write)
            return []
        }
        return self.number(write).map { [$0] } ?? []
    }

    private mutating func number(_ write: Write) -> Send? {
        guard case .bound(let terminal) = self.state else { return nil }
        self.last = self.last.next
        let send = Send(terminal: terminal, number: self.last, event: write.event, sync: write.sync)
        self.goesOut(send)
        return send
    }

    private mutating func goesOut(_ send: Send) {
        self.open.append(send)
        if self.mode == .shared, case .next = send.event { self.agreement.sent(send.number) }
    }

    mutating func asksToBind() -> Bind {
        self.state = .binding
        var bind = Bind(channel: self.channel)
        bind.role = self.plan.role
        bind.replay = self.plan.replays
        bind.conflate = self.plan.conflates
        bind.interval = self.plan.interval
        // Who is bound for the first time as leading is not told what was there before; later what it missed.
        if self.terminalBefore != nil { bind.since = self.standing?.revision ?? Revision.none }
        return bind
    }

    /// Binds anew after an end.
    mutating func wantsBind() {
        self.isWanted = true
        if self.isEnded { self.state = .unbound }
    }

    mutating func leaves() {
        self.isWanted = false
        self.state = .unbound
    }
}

// MARK: What the daemon says

extension SimulatedTerminal {
    /// Bound; what comes back is to be sent again, or for the first time.
    ///
    /// If the daemon has lived on, the numbers still count.
    mutating func bound(_ bound: Bound, isSameEpoch: Bool) -> [Send] {
        let goesOn = isSameEpoch && bound.terminal == self.terminalBefore
        var again = self.open
        if goesOn { again.removeAll { $0.number <= bound.lastApplied } }
        self.last = goesOn ? max(self.last, bound.lastApplied) : bound.lastApplied
        self.terminalBefore = bound.terminal
        self.state = .bound(bound.terminal)
        self.mode = bound.mode
        self.open = []
        self.stands(bound)
        self.agreement = OpenWriteStateMachine(showing: self.standing)
        let isSettled = again.isEmpty && self.waiting.isEmpty
        if self.mode == .paired { self.shown = self.standing?.value }
        if isSettled, let standing = self.standing { self.shown = standing.value }
        if self.mode == .shared, let own = Self.lastValue(again, self.waiting) { self.shown = own }
        return self.resent(again, under: bound.terminal, numbered: !goesOn)
    }

    /// The newest of its own writes that have no answer: it may have been made for a paired channel, which shows none.
    private static func lastValue(_ open: [Send], _ waiting: [Write]) -> JSONText? {
        let values = (open.map(\.event) + waiting.map(\.event)).compactMap { event in
            if case .next(let value, _, _) = event { value } else { nil }
        }
        return values.last
    }

    private mutating func stands(_ bound: Bound) {
        if let value = bound.value {
            self.standing = Valuation(value: value.detached, revision: bound.revision, cause: bound.cause)
        } else if bound.revision == .none {
            self.standing = nil
        }
    }

    private mutating func resent(_ again: [Send], under terminal: TerminalID, numbered: Bool) -> [Send] {
        var sends: [Send] = []
        for var send in again {
            if numbered {
                self.last = self.last.next
                send.number = self.last
                send.terminal = terminal
            }
            self.goesOut(send)
            sends.append(send)
        }
        sends += self.waiting.compactMap { self.number($0) }
        self.waiting = []
        return sends
    }

    mutating func bindRefused() {
        self.state = .ended
    }

    mutating func arrived(_ valuation: Valuation) {
        let told = Valuation(value: valuation.value.detached, revision: valuation.revision, cause: valuation.cause)
        self.stands(told)
        guard self.mode == .shared, self.holdsBack else { return self.shown = told.value }
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

    /// A send with a cause came too late; this is what the channel has.
    mutating func changedNothing(_ number: SendNumber, standing: Valuation) {
        let told = Valuation(value: standing.value.detached, revision: standing.revision, cause: standing.cause)
        self.stands(told)
        self.open.removeAll { $0.number <= number }
        self.show(self.agreement.changedNothing(number, standing: told))
    }

    /// A send was refused; tells whether the channel must be asked how it stands.
    mutating func refused(_ number: SendNumber, _ refusal: Refusal) -> Bool {
        self.open.removeAll { $0.number <= number }
        guard refusal.revision != nil || !self.agreement.mustAsk(afterRefusalOf: number) else { return true }
        self.stood(refusal.standing, after: number)
        return false
    }

    mutating func stood(_ valuation: Valuation?, after number: SendNumber) {
        if let valuation { self.stands(valuation) }
        self.show(self.agreement.refused(number, standing: valuation))
    }

    mutating func ended(_ end: TerminalEnd) {
        self.show(self.agreement.ended(end))
    }

    /// The connection is lost; the channel is not.
    mutating func lost() {
        self.show(self.agreement.connectionLost())
        if !self.isEnded { self.state = .unbound }
    }

    private mutating func stands(_ valuation: Valuation) {
        if valuation.revision > self.standing?.revision ?? .none { self.standing = valuation }
    }

    private mutating func show(_ release: OpenWriteStateMachine.Release) {
        if let value = release.value { self.shown = value.value }
        guard release.end != nil else { return }
        self.state = .ended
        self.hasNewEnd = true
        self.open = []
        self.waiting = []
    }

    /// Whether the program has been told an end since this was asked last.
    mutating func takeNewEnd() -> Bool {
        defer { self.hasNewEnd = false }
        return self.hasNewEnd
    }
}

extension Refusal {
    /// How the channel stands instead of what was refused.
    fileprivate var standing: Valuation? {
        guard let revision = self.revision, let value = self.value else { return nil }
        return Valuation(value: value.detached, revision: revision, cause: nil)
    }
}
