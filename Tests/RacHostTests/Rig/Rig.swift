import RacAccess
import RacHost
import RacProtocol
import Testing

/// A host and its clients in one process, without a network, a clock or a disk: the test plays them.
final class Rig {
    let host: Host

    /// The present `Time.uptime` in milliseconds.
    private(set) var now: UInt64 = 1_000

    /// The batches that the store has and has not answered.
    private(set) var batches: [StoreBatch] = []

    /// The store's content when it has written all its batches.
    private(set) var content: [ChannelNumber: ChannelRecord] = [:]

    /// Whether the store answers by itself with the next tick.
    var commitsByItself = false

    /// Whether the store reserves revisions as soon as the host asks.
    var reservesByItself = true

    /// The rates at which connections are read, as the host has reported them.
    private(set) var rates: [ReadRate] = []

    private var refusedActs: [RefusedActs] = []

    private var clients: [UInt64: Client] = [:]
    private var lastConnection: UInt64 = 0
    private var isInTick = false

    init(
        records: [ChannelRecord] = [],
        floor: Revision = .never,
        reserved: Revision = Revision(2_000_000),
        isStored: Bool = false,
        batches: BatchPolicy = .whole,
        limits: Limits = Limits(),
        access: AccessPolicy? = nil
    ) {
        self.host = Host(
            channels: records.enumerated().map { StoredChannel(number: ChannelNumber(UInt64($0 + 1)), record: $1) },
            revisions: RevisionSource(floor: floor, reserved: reserved),
            isStored: isStored,
            batches: batches,
            limits: limits,
            access: access,
            at: Time(uptime: self.now, wall: 0)
        )
    }

    /// Runs the body in one tick, and then as many ticks as the host wants.
    ///
    /// - Parameters:
    ///   - pause: The milliseconds since the last tick.
    ///   - body: The events of the tick.
    /// - Returns: The body's result.
    @discardableResult
    func tick<Result>(after pause: UInt64 = 0, _ body: () throws -> Result) rethrows -> Result {
        // Inside a tick, a test's events belong to that tick.
        guard !self.isInTick else { return try body() }
        self.now += pause
        let result = try self.firstOfTicks(body)
        var ticks = 0
        while self.host.wantsTick {
            self.beginTick()
            self.endTick()
            ticks += 1
            guard ticks < 10_000 else {
                Issue.record("the host wants one tick after the other")
                break
            }
        }
        return result
    }

    func tick(after pause: UInt64 = 0) {
        self.tick(after: pause) {}
    }

    /// Runs the body in one tick; the host's wish for another one waits for the next call.
    func firstOfTicks<Result>(_ body: () throws -> Result) rethrows -> Result {
        self.isInTick = true
        defer { self.isInTick = false }
        self.beginTick()
        defer { self.endTick() }
        return try body()
    }

    private func beginTick() {
        self.host.beginTick(at: Time(uptime: self.now, wall: Int64(self.now)))
        self.host.beginTurn()
    }

    private func endTick() {
        self.host.endTick()
        if self.reservesByItself, let revision = self.host.takeReservation() { self.host.reserved(through: revision) }
        if let batch = self.host.takeBatch() { self.take(batch) }
        if self.commitsByItself { self.takeCommit() }
        for connection in self.host.takeListed() {
            let output = self.host.takeOutput(of: connection)
            self.clients[connection.id.number]?.hear(output)
            self.host.wrote(output.count, to: connection)
        }
        self.rates += self.host.takeRates().map(\.1)
        self.refusedActs += self.host.takeRefusedActs()
        for (id, _) in self.host.takeEvicted() { self.clients[id.number]?.isEvicted = true }
    }

    /// The refusals for want of permission since the last call, in a few words each.
    func takeRefusedActs() -> [String] {
        defer { self.refusedActs = [] }
        return self.refusedActs.map(\.brief)
    }

    /// Gives the store a part of the tick, if it has enough changes for one.
    func takePart() {
        if let part = self.host.takePart() { self.take(part) }
    }

    private func take(_ batch: StoreBatch) {
        self.batches.append(batch)
        for change in batch.changes {
            switch change {
            case .put(let channel): self.content[channel.number] = channel.record
            case .remove(let number): self.content[number] = nil
            }
        }
    }

    private func takeCommit() {
        guard let ticket = self.batches.last?.ticket else { return }
        self.batches = []
        self.host.committed(through: ticket)
    }
}

extension Rig {
    func connect(
        session: String? = nil,
        agent: String? = nil,
        name: String? = nil,
        peer: PeerAddress? = nil,
        transport: Transport? = nil,
        token: String? = nil
    ) -> Client {
        self.lastConnection += 1
        let id = ConnectionID(self.lastConnection)
        let introduction = Introduction(
            session: session,
            name: name,
            agent: agent,
            peer: peer,
            transport: transport,
            credentials: Credentials(token: token.map(TokenHash.init(of:)))
        )
        // The client hears the end of the tick: the host may refuse it.
        return self.tick {
            let client = Client(self, self.host.connected(id, introduction))
            self.clients[id.number] = client
            return client
        }
    }

    /// The store has committed all its batches.
    func commit() {
        self.tick { self.takeCommit() }
    }

    /// The store has committed its first batch.
    func commitFirst() {
        let first = self.batches.removeFirst()
        self.tick { self.host.committed(through: first.ticket) }
    }

    /// The store has failed with all its batches, and tries again later.
    func fail(_ why: String) {
        self.tick {
            if let ticket = self.batches.last?.ticket { self.host.failing(why, through: ticket) }
        }
    }

    /// The channels in the batches that the store has.
    var storedRecords: [ChannelRecord] {
        self.batches.flatMap(\.changes).compactMap { if case .put(let channel) = $0 { channel.record } else { nil } }
    }

    var stored: [String] { self.storedRecords.map(\.name.text) }

    /// The numbers of the channels that the store is to remove.
    var removed: [UInt64] {
        self.batches.flatMap(\.changes).compactMap { if case .remove(let number) = $0 { number.number } else { nil } }
    }
}
