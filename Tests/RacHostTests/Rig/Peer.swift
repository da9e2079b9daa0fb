import Expectations
import RacHost
import RacProtocol
import RacTesting
import Testing

/// A program bound to one terminal of a shared channel, as protocol.md asks for it, behind a slow network.
///
/// It checks the daemon's promises to a binding: no echo, one order, acknowledgements in the order of sends.
final class Peer {
    /// A test's choices for the program.
    struct Traits {
        var role = Role.following
        var conflate: Bool?
        var interval: UInt64?
    }

    let name: String
    let traits: Traits
    private let rig: Rig
    private let channel: ChannelName
    private var client: Client

    /// Messages under way to the daemon, and back.
    private var saying: [ClientMessage] = []
    private var hearing: [ServerMessage] = []

    private var terminal: TerminalID?
    private var isBinding = false

    /// The values that the program sees.
    private(set) var shown: JSONText?
    private var told: (revision: Revision, value: JSONText?) = (.never, nil)
    private var own = Revision.never
    private var last = SendNumber.none
    private var answered = SendNumber.none
    private var isEnded = false

    /// Whether a send was refused without the channel's present valuation.
    private var isUnsure = false

    /// Sends without an answer.
    private var open: [Send] = []

    /// The newest revision that came by a `next` or the reply to bind of this binding.
    private var newest = Revision.never

    /// The revision of the channel at the first bind.
    private(set) var boundAt: Revision?

    /// The values of `next`, in order.
    private(set) var heard: [Revision] = []

    init(_ rig: Rig, _ name: String, on channel: ChannelName, _ traits: Traits) {
        self.rig = rig
        self.name = name
        self.channel = channel
        self.traits = traits
        self.client = rig.connect(session: name)
        self.bind()
    }

    /// Whether every send is answered and no message is under way.
    var isQuiet: Bool { self.open.isEmpty && self.saying.isEmpty && self.hearing.isEmpty && self.terminal != nil }

    var hint: Comment { Comment(rawValue: "\(self.name) \(self.traits)") }
}

// MARK: What the program does

extension Peer {
    /// Sends the next value of its own, if it is bound.
    func send(if condition: Revision? = nil, cause: Revision? = nil, sync: Bool = false) {
        let value = JSONText.string("\(self.name).\(self.last.next.number)")
        guard self.send(.next(value, condition: condition, cause: cause), sync: sync) else { return }
        self.shown = value
    }

    /// Ends the channel after the answers to its values: one acknowledgement for both would not say which value
    /// stands.
    func finish() {
        guard self.open.isEmpty else { return }
        _ = self.send(.end(.completed), sync: false)
    }

    /// Passes on the last value, as a link does: the write may change nothing, even behind one of its own.
    func passOn() {
        guard self.told.revision > .never else { return }
        self.send(cause: self.told.revision)
    }

    private func send(_ event: Send.Event, sync: Bool) -> Bool {
        guard let terminal = self.terminal, !self.isEnded, !self.isEnding else { return false }
        self.last = self.last.next
        let send = Send(terminal: terminal, number: self.last, event: event, sync: sync)
        self.open.append(send)
        self.saying.append(.send(send))
        return true
    }

    /// The revision that the next write builds on.
    var known: Revision { max(self.told.revision, self.own) }

    /// Whether an unanswered write names a cause: then the newest revision may be that of an earlier write.
    private var mayHaveComeToNothing: Bool {
        self.open.contains { send in
            if case .next(_, _, cause: .some) = send.event { true } else { false }
        }
    }

    private func bind() {
        var bind = Bind(channel: self.channel)
        bind.role = self.traits.role
        bind.conflate = self.traits.conflate
        bind.interval = self.traits.interval
        bind.since = self.isUnsure || self.mayHaveComeToNothing ? Revision.never : self.known
        self.isBinding = true
        self.saying.append(.request(RequestID(1), .bind(bind)))
    }
}

// MARK: The network

extension Peer {
    /// Delivers this number of the messages to the daemon, in this tick or in one before.
    func deliver(_ count: Int) {
        for _ in 0..<min(count, self.saying.count) {
            let message = self.saying.removeFirst()
            if case .request(_, let request) = message { self.client.ask(request) } else { self.client.say(message) }
        }
    }

    /// Delivers this number of the messages from the daemon.
    func hear(_ count: Int) {
        self.hearing += self.client.takeMessages()
        for _ in 0..<min(count, self.hearing.count) { self.hear(self.hearing.removeFirst()) }
    }

    func reads(_ reads: Bool) {
        self.client.reads(reads)
    }

    /// Loses the connection with every message under way, and opens another one.
    func reconnect() {
        self.client.lose()
        self.client = self.rig.connect(session: self.name)
        self.saying = []
        self.hearing = []
        self.terminal = nil
        self.bind()
    }
}

// MARK: What the daemon says

extension Peer {
    private func hear(_ message: ServerMessage) {
        switch message {
        case .reply(_, .bound(let bound)): self.bound(bound)
        case .next(let terminal, let valuation): self.next(terminal, valuation)
        case .ack(_, let number, let revision): self.acknowledged(number, revision)
        case .unchanged(_, let number, let standing): self.changedNothing(number, standing)
        case .nak(_, let number, let refusal): self.refused(number, refusal)
        case .ended, .deleted: self.isEnded = true
        default: Issue.record("\(self.name) heard \(message.brief)")
        }
        if self.isEnded, self.open.isEmpty, !self.isBinding {
            self.terminal = nil
            self.bind()
        }
    }

    private func bound(_ bound: Bound) {
        self.isBinding = false
        self.isEnded = false
        self.isUnsure = false
        self.terminal = bound.terminal
        self.newest = bound.revision
        self.boundAt = self.boundAt ?? bound.revision
        self.answered = max(self.answered, bound.lastApplied)
        let openBefore = self.open.count
        self.open.removeAll { $0.number <= bound.lastApplied }
        if let value = bound.value { self.told = (bound.revision, value) }
        self.saying += self.open.map(ClientMessage.send)
        guard self.open.isEmpty else { return }
        self.answered = self.last
        // Sends that were applied and left no newer value behind have changed nothing.
        if bound.value != nil || openBefore > 0 { self.show() }
    }

    private func next(_ terminal: TerminalID, _ valuation: Valuation) {
        #expect(terminal == self.terminal && !self.isEnded, self.hint)
        #expect(!valuation.value.text.hasPrefix("\"\(self.name)."), "an echo: \(self.hint)")
        #expect(valuation.revision > self.newest, "one order: \(self.hint)")
        #expect(valuation.revision >= self.own, "older than what was acknowledged: \(self.hint)")
        self.newest = valuation.revision
        self.heard.append(valuation.revision)
        guard valuation.revision >= self.own else { return }
        self.told = (valuation.revision, valuation.value)
        if self.answered == self.last || self.isEnding { self.show() }
    }

    /// Whether only the channel's end is unanswered, behind which no value of its own stands.
    private var isEnding: Bool {
        if case .end = self.open.first?.event { true } else { false }
    }

    private func acknowledged(_ number: SendNumber, _ revision: Revision) {
        #expect(self.open.contains { $0.number == number }, "answered once, in order: \(self.hint)")
        self.open.removeAll { $0.number <= number }
        self.answered = number
        self.own = revision
        if number == self.last, self.told.revision >= revision { self.show() }
    }

    private func changedNothing(_ number: SendNumber, _ standing: Valuation) {
        expect(self.open.first?.number == number, "it comes behind what was before it: \(self.hint)")
        if standing.revision > self.told.revision { self.told = (standing.revision, standing.value) }
        self.acknowledged(number, standing.revision)
    }

    private func refused(_ number: SendNumber, _ refusal: Refusal) {
        expect(self.open.first?.number == number, "a nak comes behind what was before it: \(self.hint)")
        self.open.removeAll { $0.number <= number }
        if let revision = refusal.revision, revision > self.told.revision { self.told = (revision, refusal.value) }
        self.answered = number
        self.isUnsure = self.isUnsure || refusal.revision == nil
        if number == self.last { self.show() }
    }

    private func show() {
        self.shown = self.told.value
    }
}
