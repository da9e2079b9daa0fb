import NIOCore
import RacClient
import RacProtocol
import RacTesting

/// A client that speaks the protocol itself, like a program without a library.
///
/// It sends requests that no library sends. Each connection starts from nothing, but for the sends of a session.
final class SimulatedClient: Participant {
    private static let welcomeTimeout = TimeAmount.milliseconds(1_500)
    /// A client may compress any frame; this one compresses payloads from here on.
    private static let deflatedBytes = 60

    /// Counted from 0.
    let number: Int
    let plan: ClientPlan
    unowned let world: World
    var terminals: [SimulatedTerminal]
    /// The present connection.
    private(set) var link: Link?
    private(set) var isReady = false
    private var machine = SimulatedClient.freshMachine
    private var reader = FrameReader(maximumBytes: 1 << 30, inflates: false)
    private var unread = ByteBuffer()
    private var pending = PendingRequests(maximumCount: 100_000)
    /// Sends that were refused without the channel's state; the client asks for it.
    var unsure: [(terminal: Int, number: SendNumber)] = []
    /// Sends that the client takes for refused.
    private var refused: [(session: Ledger.SessionKey, number: SendNumber)] = []
    private var reconnecting = ReconnectStateMachine(longest: .seconds(1))
    /// The daemon's epoch of the newest welcome.
    private var epoch: String?
    private var random: SeededRandom

    // The network's influence.
    var stalledUntil: Microseconds = 0
    var extraDelay: Microseconds = 0
    var awayUntil: Microseconds = 0

    init(number: Int, world: World) {
        self.number = number
        self.plan = world.plan.clients[number]
        self.random = SeededRandom(seed: world.plan.seed ^ UInt64(number))
        self.world = world
        let hasSession = self.plan.hasSession
        self.terminals = self.plan.terminals.map {
            SimulatedTerminal(
                $0,
                of: world.plan.channels[$0.channel].name,
                sabotage: world.sabotage,
                hasSession: hasSession
            )
        }
    }

    private static var freshMachine: ConnectionStateMachine {
        ConnectionStateMachine(welcomeTimeout: Self.welcomeTimeout, byeTimeout: .milliseconds(1_000))
    }

    func goes() {}

    func checkRest() throws(Violation) {
        try hold(.rest, self.isReady || self.isTurnedAway, "\(self.name) never came back to the daemon")
        let isSettled = self.terminals.allSatisfy { $0.isSettled || $0.isEnded || !$0.isWanted }
        try hold(.rest, isSettled || self.isTurnedAway, "\(self.name) has writes that nobody answers")
        for terminal in self.terminals { try self.checkAgreement(terminal) }
        for send in self.refused {
            try hold(.exactlyOnce, !self.world.ledger.wasApplied(send.number, in: send.session)) {
                "\(self.name) takes its send \(send.number.number) for refused, which was applied"
            }
        }
    }

    /// A bound terminal shows the daemon's value.
    private func checkAgreement(_ terminal: SimulatedTerminal) throws(Violation) {
        guard terminal.terminal != nil, let record = self.world.ledger.truth[terminal.channel],
            let valuation = Shown(record).valuation(terminal.plan.role)
        else { return }
        // A leading binding does not receive earlier values.
        let knowsNothing = terminal.shown == nil && terminal.plan.role == .leading && terminal.plan.replays != true
        try hold(.agreement, knowsNothing || terminal.shown == valuation.value) {
            "\(self.name) shows \(terminal.shown?.text ?? "nothing") for \(terminal.channel) as "
                + "\(terminal.plan.role.rawValue), the daemon has \(valuation.value) of \(valuation.revision)"
        }
    }
}

// MARK: Connections

extension SimulatedClient {
    /// Tries to connect after a pause.
    private func connectsLater(because code: ClientError.Code) {
        if code == .unauthenticated {
            self.reconnecting = ReconnectStateMachine(longest: .seconds(1))
            return self.world.turnsAway(self.number)
        }
        switch self.reconnecting.lost(because: code, at: self.world.deadline, random: &self.random) {
        case .tryAgain(let due):
            self.world.agenda.add(.connects(client: self.number), at: due.uptimeNanoseconds / 1_000)
        case .connect, .askForToken, .giveUp, .nothing: break
        }
    }

    func connects() {
        guard self.reconnecting.start() == .connect || self.reconnecting.pauseIsOver() == .connect else { return }
        guard let link = self.world.connect(self) else { return self.connectsLater(because: .unreachable) }
        self.link = link
    }

    /// The daemon does not listen.
    func couldNotConnect() {
        self.link = nil
        self.connectsLater(because: .unreachable)
    }

    /// The connection is open.
    func opened(_ link: Link) {
        self.machine = Self.freshMachine
        self.reader = FrameReader(maximumBytes: 1 << 30, inflates: false)
        self.unread = ByteBuffer()
        self.pending = PendingRequests(maximumCount: 100_000)
        self.unsure = []
        self.wake(at: self.machine.opened(at: self.world.deadline))
        let session = self.plan.hasSession ? "session \(self.number + 1)" : nil
        let token = self.plan.principal.map(PrincipalPlan.token(of:))
        self.say(.hello(Hello(token: token, session: session, deflate: self.plan.framing == .deflated)))
    }

    private func wake(at due: NIODeadline) {
        guard let link = self.link else { return }
        self.world.agenda.add(.clientTimer(link), at: due.uptimeNanoseconds / 1_000)
    }

    func timerFired(of link: Link) throws(Violation) {
        guard link === self.link else { return }
        switch self.machine.ticked(at: self.world.deadline) {
        case .wait(let until): self.wake(at: until)
        case .ping(let next):
            self.say(.ping)
            self.wake(at: next)
        case .nothing: break
        case .end(let fault): try self.hangUp(because: fault)
        }
    }

    /// Says bye, and comes back after the connection's end.
    func leaves() {
        guard self.isReady, case .sayBye = self.machine.leave(at: self.world.deadline) else { return }
        self.say(.bye)
        self.isReady = false
    }

    /// Gives the connection up, whether it is lost or not.
    func hangUp() throws(Violation) {
        try self.hangUp(because: .lost)
    }

    private func hangUp(because fault: ConnectionFault) throws(Violation) {
        guard let link = self.link else { return }
        self.world.hangUp(link, by: .client)
        try self.lost(because: fault)
    }

    /// The daemon's side is closed.
    func closed() throws(Violation) {
        guard let fault = self.machine.closed() else { return }
        try self.hangUp(because: fault)
    }

    /// The connection has closed.
    private func lost(because fault: ConnectionFault) throws(Violation) {
        for index in self.terminals.indices {
            let wasBound = self.terminals[index].terminal != nil
            self.terminals[index].lost()
            if self.world.sabotage == .lossIsEnd, wasBound {
                self.terminals[index].ended(TerminalEnd(.completed, revision: nil))
            }
            try self.checkEnd(index)
        }
        self.link = nil
        self.isReady = false
        self.connectsLater(because: fault.clientError(at: .local).code)
    }

    /// Checks that each end that the program received is an end of the channel.
    func checkEnd(_ index: Int) throws(Violation) {
        guard self.terminals[index].takeNewEnd(), let link = self.link else { return }
        let role = self.plan.terminals[index].role
        let place = Ledger.Place(link: link.number, channel: self.terminals[index].channel, role: role)
        try self.world.ledger.checkEnded(place, endsBefore: nil)
    }

    func say(_ message: ClientMessage) {
        guard let link = self.link else { return }
        var bytes = ByteBuffer()
        (self.world.sabotage?.alteredByClient(message) ?? message).write(to: &bytes)
        if self.reader.inflates { bytes = FrameBytes(copying: bytes).deflated(from: Self.deflatedBytes).buffer }
        switch message {
        case .ping, .pong: self.world.carry(bytes, .up, on: link, isActivity: false)
        default: self.world.carry(bytes, .up, on: link)
        }
    }

    /// Sends a request, if there is a connection.
    @discardableResult
    func ask(_ request: Request) -> RequestID? {
        guard self.isReady else { return nil }
        let id = self.pending.nextID()
        guard self.pending.asked(request, as: id, due: .distantFuture) else { return nil }
        self.say(.request(id, request))
        return id
    }
}

// MARK: What the daemon says

extension SimulatedClient {
    func received(_ bytes: ByteBuffer) throws(Violation) {
        self.machine.heard(at: self.world.deadline)
        self.unread.writeImmutableBuffer(bytes)
        while let link = self.link, let message = try self.next(link) { try self.heard(message, on: link) }
    }

    private func next(_ link: Link) throws(Violation) -> ServerMessage? {
        do {
            while let payload = try self.reader.nextPayload(in: &self.unread) {
                try Rule.checkLength(payload.readableBytes)
                self.world.timeline?.arrived(payload, at: link)
                let message = try ServerMessage.read(payload: payload) { self.pending.request($0) }
                if let message { return message }
            }
            return nil
        } catch let violation as Violation {
            throw violation
        } catch {
            throw Violation(.rest, "C\(self.number + 1) could not read a message: \(error)")
        }
    }

    private func heard(_ message: ServerMessage, on link: Link) throws(Violation) {
        if case .welcome(let welcome) = message { self.welcomed(welcome) }
        if case .refused(nil, let refusal) = message { try self.world.ledger.checkEnd(refusal, of: link.number) }
        switch self.machine.received(message, at: self.world.deadline) {
        case .becomeReady: self.becomesReady()
        case .deliver:
            let request = message.answeredRequest.flatMap { self.pending.request($0) }
            try self.world.ledger.told(message, link.number, answering: request)
            try self.deliver(message, request)
        case .answerPing: self.say(.pong)
        case .nothing: break
        case .end(let fault): try self.hangUp(because: fault)
        }
    }

    private func welcomed(_ welcome: Welcome) {
        self.reader.inflates = welcome.deflate
        if welcome.epoch != self.epoch { for index in self.terminals.indices { self.terminals[index].forgetNumbers() } }
        self.epoch = welcome.epoch
    }

    private func becomesReady() {
        self.isReady = true
        self.reconnecting.welcomed(at: self.world.deadline)
        if case .wait(let until) = self.machine.ticked(at: self.world.deadline) { self.wake(at: until) }
        if self.plan.watches, let everything = try? ChannelPattern("**") { self.ask(.watch(everything)) }
        for index in self.terminals.indices { self.bindIfWanted(index) }
    }

    func bindIfWanted(_ index: Int) {
        guard self.isReady, self.terminals[index].needsBind else { return }
        var bind = self.terminals[index].asksToBind()
        if self.plan.terminals[index].hasDefault { bind.defaultValue = .string("default of C\(self.number + 1)") }
        bind.will = self.plan.terminals[index].will.map { $0.will(of: self.number) }
        self.ask(.bind(bind))
    }

    private func deliver(_ message: ServerMessage, _ request: Request?) throws(Violation) {
        switch message {
        case .reply(let id, let reply):
            _ = self.pending.answered(id, reply)
            try self.deliver(reply, request)
        case .refused(let id?, let refusal):
            _ = self.pending.refused(id)
            try self.deliver(refusal, request)
        case .next(let terminal, let valuation):
            try self.update(terminal) { $0.arrived(valuation) }
        case .deleted(let terminal, let revision):
            try self.update(terminal) { $0.ended(TerminalEnd(.completed, revision: revision)) }
        case .ended(let terminal, let end, let revision):
            let index = self.index(of: terminal)
            try self.update(terminal) { $0.ended(TerminalEnd(end, revision: revision)) }
            if let index { self.bindIfWanted(index) }
        case .ack(let terminal, let number, let revision):
            if let index = self.index(of: terminal) { try self.checkApplied(index, through: number) }
            try self.update(terminal) { $0.acknowledged(number, as: revision) }
        case .nak(let terminal, let number, let refusal):
            var mustAsk = false
            self.noteRefused(terminal, through: number, refusal)
            try self.update(terminal) { mustAsk = $0.refused(number, refusal) }
            if mustAsk { self.askHowItStands(terminal, after: number) }
        default: break
        }
    }

    /// The terminal of that number; an answer may come behind the end of its binding.
    private func index(of terminal: TerminalID) -> Int? {
        self.terminals.firstIndex { $0.terminal == terminal }
            ?? self.terminals.firstIndex { $0.terminal == nil && $0.numbered == terminal }
    }

    /// Notes the sends up to that number, each of which the client takes for refused.
    private func noteRefused(_ terminal: TerminalID, through number: SendNumber, _ refusal: Refusal) {
        let saysNothing = refusal.isApplied || refusal.error.code == ErrorCode.forgotten.rawValue
        // Without a session the numbers begin anew with the next binding.
        guard self.plan.hasSession, let index = self.index(of: terminal), let link = self.link, !saysNothing else {
            return
        }
        guard !self.terminals[index].isStale(refusal) else { return }
        let session = self.world.ledger.session(link.number, terminal)
        self.refused += self.terminals[index].unanswered(through: number).map { (session, $0.number) }
    }

    private func update(_ terminal: TerminalID, _ body: (inout SimulatedTerminal) -> Void) throws(Violation) {
        guard let index = self.index(of: terminal) else { return }
        body(&self.terminals[index])
        try self.checkEnd(index)
    }
}
