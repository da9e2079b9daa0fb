import NIOCore
import RacAccess
import RacHost
import RacProtocol
import RacServer
import RacStore

/// One life of the daemon: the real host, door and commit driver between a simulated network and disk.
final class SimulatedDaemon: DaemonLife {
    /// The most time that passes between the listeners' taking of rules and the host's.
    private static let longestReload: Microseconds = 3_000
    /// In milliseconds, as in the welcome.
    static let heartbeat: UInt64 = 1_000
    static let sweepInterval: Microseconds = 250_000
    /// The time for which a connection that the daemon has ended may stay.
    static let lingerTime: Microseconds = 1_000_000

    /// Counts the daemon's lives from 1.
    let number: Int
    let turn: HostTurn
    /// All connections are on the host's loop.
    var door = HostDoorStateMachine(.here)
    unowned let world: World
    private(set) var connections: [Int: ServedConnection] = [:]
    /// The closed connections that have yet to be reported to the host.
    var closing: [Int: ServedConnection] = [:]
    /// The time when the present tick began, or the last one; for the host all its events happen then.
    private var tickTime: Time
    private(set) var ticks = 0
    /// The newest revision before the present tick.
    private var newestBefore = Revision.never
    /// The frames that were compressed in this tick.
    private var deflated = DeflatedFrames()
    /// The frames that were compressed last, for a mistake on purpose.
    private var lastDeflated: FrameBytes?
    private var nextDeadline: UInt64?
    /// This tick's outputs.
    private var outputs: [(id: ConnectionID, output: Outgoing)] = []

    // Rules of a closed daemon.
    /// The rules by which the listeners accept clients.
    private var rules: RulesInForce?
    private var reloads = 0
    private var lastReload: Microseconds = 0
    /// The turns since the host took rules, while connections wait to be judged by them.
    private(set) var turnsUnjudged = 0
    /// The turns in which the host has to judge all connections.
    private(set) var turnsToJudge = 0

    // The thread that writes.
    var store: CommitDriver
    /// The content of the transaction under way.
    var writing: CommitQueueStateMachine.Work?
    var writeSteps = 0
    var wakes = 0
    var lastTold: Microseconds = 0

    // Credits between the connections and the host.
    /// The bytes that were written to clients.
    var wroteReceipts: [(ServedConnection, Int)] = []
    /// The bytes that were taken from clients.
    var tookReceipts: [(ServedConnection, Int)] = []

    init(number: Int, world: World, _ start: DaemonStart) {
        self.number = number
        self.world = world
        self.tickTime = world.time
        var limits = Limits()
        limits.queuedBytesPerBinding = world.plan.weather.queuedBytes
        limits.manyAcknowledgements = 1
        limits.sessionLifetime = world.plan.weather.bounds.sessionLifetime
        if let bytes = world.plan.weather.bounds.watchNameBytes { limits.watchNameBytesPerConnection = bytes }
        if world.sabotage == .shortSession { limits.sessionLifetime /= 2 }
        if let units = world.plan.weather.bounds.unitsPerTurn {
            limits.unitsPerTurn = units
            limits.unitsPerConnection = units / 4
        }
        let host = Host(
            channels: start.channels,
            revisions: RevisionSource(floor: start.floor, reserved: start.reserved),
            isStored: true,
            batches: .parts(of: 1),
            limits: limits,
            access: start.rules?.policy,
            at: world.time
        )
        self.rules = start.rules
        let greatest = start.channels.map(\.number).max() ?? ChannelNumber(0)
        self.store = CommitDriver(reserved: start.reserved, greatest: greatest, batches: .parts(of: 1))
        let bounds = world.plan.weather.bounds
        self.turn = HostTurn(
            host,
            heldBytes: .max,
            aheadBytes: bounds.aheadBytes,
            pauseBytes: bounds.pauseBytes
        )
        world.agenda.add(.sweeps(self), at: world.now + Self.sweepInterval)
    }
}

extension SimulatedDaemon {
    var host: Host { self.turn.host }

    /// Whether the daemon takes no more from clients, because it is stopped in order.
    var isStopping: Bool { self.turn.isStopping }
}

// MARK: Ticks

extension SimulatedDaemon {
    /// Begins a tick unless one is under way.
    ///
    /// - Parameter isPolled: Whether the daemon would have polled its sockets before, so that the tick begins a turn.
    func enterTick(isPolled: Bool = true) {
        guard self.door.entered() == .beginTick else { return }
        self.door.tickBegan()
        self.ticks += 1
        self.tickTime = self.world.time
        self.newestBefore = self.world.ledger.truth.newest
        self.turn.begin(at: self.tickTime, beginsTurn: isPolled)
        if isPolled { self.noteJudged() }
        let length = self.world.noise.number(
            upTo: self.world.plan.weather.longestTick,
            at: .tick,
            self.number,
            self.ticks
        )
        self.world.agenda.add(.tickEnds(self), at: self.world.now + length)
    }

    func endTick() throws(Violation) {
        _ = self.door.tickEnds()
        try self.deliver()
        try self.takeQueued()
        self.door.hostEnds()
        self.turn.end(into: self)
        try self.checkTurns()
        if self.door.hostEnded() == .beginTick { self.enterTick() }
        try self.readOn()
        if self.turn.wantsTurn { self.enterTick() }
        self.scheduleDeadline()
    }

    private func scheduleDeadline() {
        guard let due = self.host.nextDeadline, due != self.nextDeadline else { return }
        self.nextDeadline = due
        self.world.agenda.add(.deadline(self), at: max(self.world.now, due * 1_000))
    }

    func deadlineCame() {
        self.nextDeadline = nil
        self.enterTick()
    }
}

// MARK: Rules

extension SimulatedDaemon {
    func takes(_ rules: RulesInForce) {
        self.rules = rules
        self.reloads += 1
        let delay = self.world.noise.number(upTo: Self.longestReload, at: .rules, self.number, self.reloads)
        self.lastReload = max(self.lastReload, self.world.now + delay)
        self.world.agenda.add(.judges(self, rules), at: self.lastReload)
    }

    func judges(_ rules: RulesInForce) {
        guard !self.isStopping else { return }
        self.enterTick(isPolled: false)
        self.world.timeline?.note("D has other rules, and judges its connections anew")
        let sabotage = self.world.sabotage
        var unjudged = Array(self.connections.keys)
        if sabotage != .deafReload {
            self.host.take(rules.policy)
            unjudged = self.host.unjudgedConnections.map { Int($0.number) }
        }
        self.turnsUnjudged = 0
        self.turnsToJudge = unjudged.count
        self.world.ledger.took(rules.rules, unjudged: unjudged)
        guard sabotage == .wideReload else { return }
        for connection in self.connections.values.sorted(by: { $0.link.number < $1.link.number }) {
            self.turnAway(connection)
        }
    }

    /// The host may have judged some of its connections by newer rules.
    private func noteJudged() {
        let unjudged = self.host.unjudgedConnections.map { Int($0.number) }
        self.turnsUnjudged += unjudged.isEmpty ? 0 : 1
        let judged = self.world.ledger.judged(allBut: unjudged, newest: self.host.newestRevision)
        guard !judged.isEmpty, let timeline = self.world.timeline else { return }
        let names = judged.map { self.world.ledger.name($0) }
        timeline.note("   D has judged \(names.joined(separator: " "))")
    }

    /// The proofs by which the daemon knows a client.
    private func credentials(_ hello: Hello) -> Credentials {
        let token = self.world.sabotage == .otherPrincipal ? PrincipalPlan.token(of: "desk") : hello.token
        return Credentials(token: token.map(TokenHash.init(of:)))
    }

    /// Whether the listeners accept a client.
    private func admits(_ hello: Hello, _ link: Link) throws(Violation) -> Bool {
        guard let rules = self.rules else { return true }
        let isKnown = rules.rules.principal(self.world.plan.clients[link.client].principal) != nil
        let isAdmitted = rules.policy.admits(self.credentials(hello), at: self.world.time.wall) != nil
        let sabotage = self.world.sabotage
        try hold(isKnown ? .standing : .rights, isAdmitted == isKnown || sabotage == .otherPrincipal) {
            "\(link.client.clientName) is \(isAdmitted ? "" : "not ")accepted"
        }
        return isAdmitted
    }

    /// Ends a connection because of its principal.
    private func turnAway(_ connection: ServedConnection) {
        let error = WireError(.unauthenticated, "the token is not known, or its time is over")
        self.write([FrameBytes(.refused(nil, Refusal(error)))], to: connection)
        self.end(connection.link.number)
    }
}

// MARK: What a tick brings

extension SimulatedDaemon: TurnReceiver {
    func write(_ output: Outgoing, to hosted: HostedConnection) {
        self.outputs.append((hosted.id, output))
    }

    func give(_ order: ConnectionOrder, to id: ConnectionID) {
        self.writeOutputs()
        switch order {
        case .took(let bytes):
            if let connection = self.connections[Int(id.number)] { self.tookReceipts.append((connection, bytes)) }
        case .end: self.end(Int(id.number))
        case .write, .drained, .letGo, .reachedLimit, .refused, .appliedWills, .reads: break
        }
    }

    func finishOrders() {
        self.writeOutputs()
        self.deflated.endTick()
    }

    /// Writes the outputs in the order of their connections: an order from a dictionary differs between processes.
    private func writeOutputs() {
        let outputs = self.outputs.sorted { $0.id.number < $1.id.number }
        self.outputs = []
        for (id, output) in outputs {
            guard let connection = self.connections[Int(id.number)], !connection.isEnded else { continue }
            self.write(output, to: connection)
            guard let bytes = connection.wrote(output.count) else { continue }
            self.wroteReceipts.append((connection, bytes))
            self.door.gathered()
        }
    }
}

// MARK: Connections

extension SimulatedDaemon {
    func opened(_ link: Link) {
        self.enterTick()
        link.daemonHasIt = true
        let time = self.world.time.uptime
        let bounds = self.world.plan.weather.bounds
        self.connections[link.number] = ServedConnection(link, bounds, helloTimeout: 10_000, at: time)
    }

    func received(_ bytes: ByteBuffer, on link: Link) throws(Violation) {
        guard let connection = self.connections[link.number], !connection.isEnded, !self.isStopping else { return }
        self.enterTick()
        if connection.isWelcomed { connection.heartbeat.heard(at: self.world.time.uptime) }
        connection.received(bytes)
        try self.read(connection)
    }

    func welcome(_ hello: Hello, _ connection: ServedConnection) throws(Violation) {
        let link = connection.link
        guard try self.admits(hello, link) else { return self.turnAway(connection) }
        let forgets = self.world.sabotage == .forgottenSession
        let introduction = Introduction(
            session: forgets ? nil : hello.session,
            name: hello.name,
            agent: hello.agent,
            credentials: self.credentials(hello)
        )
        self.turn.disconnectPredecessor(of: introduction)
        try self.noteReleases()
        connection.heartbeat = HeartbeatStateMachine(interval: Self.heartbeat, at: self.world.time.uptime)
        let welcome = Welcome(
            server: "racd/0",
            epoch: self.world.sabotage == .renumbered ? "\(self.number).\(link.number)" : "\(self.number)",
            heartbeat: Self.heartbeat,
            maximumFrameBytes: UInt64(Bounds.maximumFrameBytes),
            deflate: hello.deflate
        )
        connection.welcomed(hello, maximumFrameBytes: Bounds.maximumFrameBytes)
        self.write([FrameBytes(.welcome(welcome))], to: connection)
        let id = ConnectionID(UInt64(link.number))
        self.world.ledger.welcomed(
            link.number,
            client: link.client.clientName,
            principal: self.world.plan.clients[link.client].principal,
            session: hello.session,
            at: self.tickTime.uptime
        )
        connection.peer = self.turn.welcomed(id, introduction)
        try self.noteReleases()
    }

    private func write(_ output: some Sequence<FrameBytes>, to connection: ServedConnection) {
        var bytes = ByteBuffer()
        for frames in output {
            bytes.writeImmutableBuffer(self.framed(self.altered(frames, connection), for: connection).buffer)
        }
        guard bytes.readableBytes > 0 else { return }
        self.world.carry(bytes, .down, on: connection.link)
    }

    /// The daemon's frames after a mistake on purpose.
    private func altered(_ frames: FrameBytes, _ connection: ServedConnection) -> FrameBytes {
        guard let sabotage = self.world.sabotage else { return frames }
        let frames = Frame.all(in: frames.buffer)
        let backlog = connection.hasSynced ? self.newestBefore : nil
        let said = sabotage.altered(frames, backlog: backlog) { self.world.ledger.truth.facts[$0]?.valuation }
        connection.said(frames)
        var bytes = ByteBuffer()
        for frame in said { bytes.writeImmutableBuffer(frame.bytes) }
        return FrameBytes(copying: bytes)
    }

    /// The frames in this client's framing.
    private func framed(_ frames: FrameBytes, for connection: ServedConnection) -> FrameBytes {
        guard connection.isDeflated || self.world.sabotage == .unaskedCompression else { return frames }
        let deflated = self.deflated.deflated(frames)
        guard self.world.sabotage == .wrongCompression, deflated != frames else { return deflated }
        defer { self.lastDeflated = deflated }
        return self.lastDeflated ?? deflated
    }

    func becameWritable(_ link: Link, _ isWritable: Bool) {
        guard let hosted = self.connections[link.number]?.peer?.hosted else { return }
        self.enterTick()
        self.host.setWritable(hosted, isWritable)
    }

    /// Ends the daemon's side; the client closes when it has read everything.
    private func end(_ number: Int) {
        guard let connection = self.connections[number], !connection.isEnded else { return }
        connection.ends()
        self.world.hangUp(connection.link, by: .daemon)
        self.world.agenda.add(.lingers(self, connection.link), at: self.world.now + Self.lingerTime)
    }

    /// The connection has closed.
    func closed(_ link: Link) throws(Violation) {
        guard let connection = self.connections.removeValue(forKey: link.number) else { return }
        link.daemonHasIt = false
        guard let peer = connection.peer, !self.isStopping else { return }
        self.enterTick()
        self.turn.closed(peer)
        self.closing[link.number] = connection
        try self.noteReleases()
    }

    /// The host may have released more of the connections that have ended.
    func noteReleases() throws(Violation) {
        let begun = self.closing.keys.filter { self.closing[$0]?.peer?.hosted.hasEnded ?? false }.sorted()
        if !begun.isEmpty { try self.world.ledger.releases(begun, self.host) }
        for number in begun where self.closing[number]?.peer?.isDeparting == false {
            self.closing[number] = nil
            try self.world.ledger.released(number, at: self.tickTime.uptime)
        }
        // Connections that have lost their sessions have not closed.
        for number in self.connections.keys.sorted() where self.connections[number]?.peer?.isDeparting == false {
            try self.world.ledger.released(number, at: self.tickTime.uptime)
        }
    }

    func sweep() throws(Violation) {
        self.world.agenda.add(.sweeps(self), at: self.world.now + Self.sweepInterval)
        self.checkFiles()
        for number in self.connections.keys.sorted() {
            guard let connection = self.connections[number] else { continue }
            switch connection.heartbeat.ticked(at: self.world.time.uptime) {
            case .nothing: break
            case .ping where connection.isEnded: break
            case .ping where connection.isWelcomed:
                self.world.carry(FrameBytes(.ping).buffer, .down, on: connection.link, isActivity: false)
            case .ping, .end: try self.drop(connection.link)
            }
        }
    }

    private func drop(_ link: Link) throws(Violation) {
        self.world.hangUp(link, by: .daemon)
        try self.closed(link)
    }
}
