import NIOCore
import RacAccess
import RacHost
import RacProtocol
import RacStore

/// One history: clients, a network, a daemon and a disk on virtual time.
///
/// Every event comes from the plan.
final class World {
    let plan: Plan
    let sabotage: Sabotage?
    let noise: Noise
    let cast: Cast
    var timeline: Timeline?

    private(set) var now: Microseconds = 0
    var agenda = Schedule()
    var ledger: Ledger
    var disk: SimulatedDisk
    var daemon: (any DaemonLife)?
    var clients: [any Participant] = []
    private(set) lazy var loop = SimulatedLoop(self)
    private(set) lazy var executor = SimulatedTaskExecutor(self.loop)
    /// The operator's rules; nil for an open daemon.
    var rules: RulesInForce?
    /// The clients that the daemon has turned away, and that wait for rules with their principal.
    var turnedAway: Set<Int> = []
    /// A promise that was broken in code that cannot throw.
    var broken: Violation?

    var lives = 0
    var linkCount = 0
    var diskFailsUntil: Microseconds = 0
    /// The milliseconds by which the wall clock was set.
    var clockOffset: Int64 = 0
    /// Whether the last end of a daemon may have lost changes that were acknowledged as stored.
    var losesPromises = false

    /// The time when the last fault was over; nil before.
    private var calmSince: Microseconds?
    private var lastActivity: Microseconds = 0

    init(_ plan: Plan, _ cast: Cast, sabotage: Sabotage? = nil, timeline: Timeline? = nil) {
        self.plan = plan
        self.cast = cast
        self.sabotage = sabotage
        self.timeline = timeline
        self.noise = Noise(seed: plan.seed)
        var content = SimulatedDisk.Content()
        for (index, channel) in plan.channels.enumerated() where channel.mode == .paired {
            let revision = Revision(UInt64(index + 1))
            content.channels[ChannelNumber(UInt64(index + 1))] = ChannelRecord(
                name: channel.name,
                mode: .paired,
                revision: revision,
                changedAt: 0
            )
        }
        content.reserved = Revision(10)
        self.disk = SimulatedDisk(content)
        let isScarce = plan.weather.revisionBlock < 1_000
        self.ledger = Ledger(
            names: plan.channels.map(\.name).sorted(),
            newest: content.reserved,
            isScarce: isScarce,
            sessionLifetime: plan.weather.bounds.sessionLifetime
        )
        self.clients = plan.clients.indices.map { cast.client($0, self) }
    }

    /// The time on the daemon's clocks.
    var time: Time {
        let milliseconds = self.now / 1_000
        return Time(uptime: 10_000 + milliseconds, wall: 1_767_225_600_000 + Int64(milliseconds) + self.clockOffset)
    }

    /// The time on the clients' clocks.
    var deadline: NIODeadline { .uptimeNanoseconds(self.now * 1_000) }

    /// An event has happened that is more than a sign of life.
    func isActive() {
        self.lastActivity = self.now
    }
}

// MARK: The course of a history

extension World {
    /// The time without events after which no event will come: longer than any wait of any participant.
    private static let quietTime: Microseconds = 3_300_000
    private static let longestUnrest: Microseconds = 120_000_000

    /// Runs the history; returns the first promise that was broken.
    func run() -> Violation? {
        defer { self.end() }
        do throws(Violation) {
            try self.begin()
            while let (due, event) = self.agenda.next() {
                self.now = due
                self.timeline?.now = due
                if let calm = self.calmSince {
                    guard self.now - max(calm, self.lastActivity) < Self.quietTime else { break }
                    try hold(.rest, self.now - calm < Self.longestUnrest, "it comes to no rest")
                }
                try self.happens(event)
                self.loop.drain()
                if let broken { throw broken }
            }
            try self.checkRest()
            return nil
        } catch {
            self.timeline?.note("BROKEN \(error)")
            return error
        }
    }

    /// Ends the clients and their tasks.
    private func end() {
        for client in self.clients { client.goes() }
        self.loop.shutDown()
    }

    private func begin() throws(Violation) {
        self.rules = try self.plan.rules.map { rules throws(Violation) in try self.inForce(rules) }
        self.ledger.durability.begin(with: self.disk.content.records)
        self.agenda.add(.boots, at: 0)
        if let rules = self.plan.rules { self.timeline?.note("D has rules: \(rules.description)") }
        for (index, client) in self.plan.clients.enumerated() where client.isPresent {
            self.agenda.add(.connects(client: index), at: 1_000 + Microseconds(index) * 10)
        }
        for step in self.plan.steps { self.agenda.add(.step(step), at: step.at) }
        self.agenda.add(.calm, at: (self.plan.steps.map(\.end).max() ?? 0) + 100_000)
    }

    /// The rules with the policy that a daemon makes of them.
    func inForce(_ rules: RulesPlan) throws(Violation) -> RulesInForce {
        do throws(RuleError) {
            return try RulesInForce(rules, grantsAll: self.sabotage == .grantsAll)
        } catch {
            throw Violation(.rest, "the plan's rules are none: \(error)")
        }
    }

    func becomesCalm() {
        self.calmSince = self.now
        self.timeline?.note("no more faults")
        self.diskIsWell()
        for client in self.clients {
            client.extraDelay = 0
            client.stalledUntil = self.now
            client.awayUntil = self.now
            self.agenda.add(.reads(client: client.number), at: self.now)
        }
    }

    private func happens(_ event: Occurrence) throws(Violation) {
        switch event {
        case .step(let step): try self.happens(step)
        case .calm: self.becomesCalm()
        case .connects(let client): self.clients[client].connects()
        case .opens(let link): self.opens(link)
        case .arrives(let link, let direction): try self.arrives(link, direction)
        case .closes(let link, let direction): try self.closes(link, direction)
        case .reads(let client): try self.reads(client)
        case .clientTimer(let link): try self.clients[link.client].timerFired(of: link)
        case .alarm(let number): _ = self.loop.ring(number)
        case .boots: try self.boots()
        case .diskHasSpace: if self.now >= self.diskFailsUntil { self.diskIsWell() }
        case .tickEnds(let daemon), .deadline(let daemon), .sweeps(let daemon), .lingers(let daemon, _),
            .drains(let daemon, _), .written(let daemon, _), .tells(let daemon, _), .judges(let daemon, _):
            if daemon === self.daemon { try self.happens(event, in: daemon) }
        }
    }

    private func happens(_ event: Occurrence, in daemon: any DaemonLife) throws(Violation) {
        switch event {
        case .tickEnds: try daemon.endTick()
        case .deadline: daemon.deadlineCame()
        case .sweeps: try daemon.sweep()
        case .lingers(_, let link): try daemon.closed(link)
        case .drains(_, let wake): daemon.drain(by: wake)
        case .written(_, let step): daemon.written(step: step)
        case .tells(_, let storeEvent):
            self.isActive()
            daemon.told(storeEvent)
        case .judges(_, let rules):
            self.isActive()
            daemon.judges(rules)
        default: break
        }
    }
}
