import NIOCore
import Rac
import RacClient
import RacProtocol

/// A program's view of a channel: a property of a shared one, a terminal of a paired one.
final class SimulatedView {
    private enum Handle {
        case property(RemoteProperty<JSONText>)
        case terminal(RemoteTerminal<JSONText>)
    }

    let plan: TerminalPlan
    let channel: ChannelPlan
    private unowned let program: SimulatedProgram
    private var handle: Handle?
    private var subscription: Subscription?
    private var isEnded = false
    /// The value that the program shows; nil before it received one.
    private var shown: JSONText?
    /// The values that it has written, each of which it shows at once.
    private var written: Set<JSONText> = []
    /// The values that it has written and shown.
    private var own: Set<JSONText> = []

    init(_ plan: TerminalPlan, of program: SimulatedProgram) {
        self.plan = plan
        self.channel = program.world.plan.channels[plan.channel]
        self.program = program
    }

    private var role: Role { self.channel.mode == .shared ? .following : self.plan.role }

    private var place: Ledger.Place {
        Ledger.Place(link: self.program.lastLink, channel: self.channel.name, role: self.role)
    }
}

// MARK: What the program does

extension SimulatedView {
    /// Binds what it has left, or what has ended.
    func binds(_ client: Client) {
        guard self.handle == nil || self.isEnded else { return }
        self.unbinds()
        self.isEnded = false
        let me = NIOLoopBound(self, eventLoop: self.program.world.loop)
        switch self.open(client) {
        case .property(let property)?:
            self.handle = .property(property)
            self.subscription = property.signal.observe { me.value.heard($0) }
        case .terminal(let terminal)?:
            self.handle = .terminal(terminal)
            self.subscription = terminal.signal.observe { me.value.heard($0) }
        case nil: break
        }
    }

    private func open(_ client: Client) -> Handle? {
        let name = self.channel.name.text
        let interval = self.plan.interval.map { Duration.milliseconds(Int64(clamping: $0)) }
        let will = self.plan.will?.channelWill(of: self.program.name)
        switch self.channel.mode {
        case .shared:
            let first = self.plan.hasDefault ? JSONText.string("default of \(self.program.name)") : nil
            return (try? client.property(raw: name, default: first, interval: interval, will: will)).map {
                .property($0)
            }
        case .paired:
            return (try? client.terminal(raw: name, self.plan.role, interval: interval, will: will)).map {
                .terminal($0)
            }
        }
    }

    func unbinds() {
        self.subscription?.dispose()
        self.subscription = nil
        self.handle = nil
        self.shown = nil
    }

    func writes(_ value: JSONText, sync: Bool, conditional: Bool) {
        guard let handle = self.handle, !self.isEnded else { return }
        switch handle {
        case .property(let property):
            self.written.insert(value)
            if conditional {
                let revision = property.current?.revision ?? .never
                self.program.begin { try await property.compareAndSet(value, ifUnchangedSince: revision) }
            } else if sync {
                self.program.begin { try await property.write(value, sync: true) }
            } else {
                property.send(value)
            }
        case .terminal(let terminal):
            self.own.insert(value)
            if sync {
                self.program.begin { try await terminal.write(value, sync: true) }
            } else {
                terminal.send(value)
            }
        }
    }

    func ends(fails: Bool) {
        let error = ClientError(.init(rawValue: "enough"), "\(self.program.name) has had enough")
        let ending: Ending<ClientError> = fails ? .failed(error) : .completed
        self.program.ends(self.channel.name)
        switch self.handle {
        case .property(let property): property.end(ending)
        case .terminal(let terminal): terminal.end(ending)
        case nil: break
        }
    }
}

extension WillPlan {
    fileprivate func channelWill(of name: String) -> ChannelWill<JSONText> {
        switch self {
        case .value: .value(.string("\(name) is lost"))
        case .completed: .completed
        case .failed: .failed(ClientError("lost", "\(name) is lost"))
        }
    }
}

// MARK: Events for the program

extension SimulatedView {
    func heard(_ event: Rac.Event<JSONText, ClientError>) {
        guard !self.isEnded else { return }
        switch event {
        case .value(let value): self.shows(value)
        case .completed: self.ended(isOfChannel: true)
        case .failed(let error): self.ended(isOfChannel: Self.codesOfPrograms.contains(error.code.rawValue))
        }
    }

    /// The codes with which programs end channels.
    private static let codesOfPrograms: Set = ["enough", "lost"]

    private func shows(_ value: JSONText) {
        if self.written.remove(value) != nil {
            self.own.insert(value)
        } else if self.own.contains(value), self.channel.mode == .paired || self.isEcho(value) {
            let what = "\(self.program.name) was shown its own value \(value) of \(self.channel.name) again"
            self.program.world.broken = Violation(.noEcho, what)
        }
        self.shown = value
    }

    /// Whether the value that is shown already came back; a link may have written it anew after a crash.
    private func isEcho(_ value: JSONText) -> Bool {
        value == self.shown && !self.program.world.ledger.truth.wasLinked(value, to: self.channel.name)
    }

    private func ended(isOfChannel: Bool) {
        self.isEnded = true
        guard isOfChannel else { return }
        do {
            try self.program.world.ledger.checkEnded(self.place, endsBefore: self.program.endsBefore[self.channel.name])
        } catch {
            self.program.world.broken = error
        }
    }

    /// A bound program shows the daemon's value.
    func checkRest() throws(Violation) {
        guard self.handle != nil, !self.isEnded, let record = self.program.world.ledger.truth[self.channel.name],
            let valuation = Shown(record).valuation(self.role)
        else { return }
        // A leading binding does not receive earlier values.
        let knowsNothing = self.shown == nil && self.role == .leading
        try hold(.agreement, knowsNothing || self.shown == valuation.value) {
            "\(self.program.name) shows \(self.shown?.text ?? "nothing") for \(self.channel.name) as "
                + "\(self.role.rawValue), the daemon has \(valuation.value) of \(valuation.revision)"
        }
    }

    /// A message has come to the client; some mistakes on purpose pass it on unchanged.
    func overhears(_ message: ServerMessage, _ request: Request?) {
        guard !self.isEnded, self.handle != nil, self.channel.mode == .shared else { return }
        switch (self.program.world.sabotage, message, request) {
        case (.noHoldBack, .next(let terminal, let valuation), _) where self.isMine(terminal):
            self.shown = valuation.value.detached
        case (.reconnectionEcho, .reply(_, .bound(let bound)), .bind(let bind)?)
        where bind.channel == self.channel.name:
            if let value = bound.value { self.shows(value.detached) }
        case (_, _, _): break
        }
    }

    private func isMine(_ terminal: TerminalID) -> Bool {
        let key = Ledger.TerminalKey(link: self.program.lastLink, terminal: terminal)
        return self.program.world.ledger.places[key]?.channel == self.channel.name
    }
}
