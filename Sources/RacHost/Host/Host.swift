import DequeModule
package import RacProtocol

/// Everything that the daemon decides: who is bound to what, what is accepted, who is told, what is stored.
///
/// It does nothing by itself. A shell tells it what happened (`received`, `disconnected`, `committed`…) and, once per tick, takes
/// what there is to write and to store. It has no clock either: `beginTick` brings the time.
///
/// Isolation: whoever made it, one thread at a time; it is not Sendable.
///
/// Mutable state, all under that isolation: the directory with its channels, sides and bindings; the commands with their
/// observers and executions; the watched patterns; the sessions; what this tick has touched; what waits for a commit.
package final class Host {
    let limits: Limits
    let partSize: Int
    var time: Time
    var directory: ChannelDirectory
    var revisions: RevisionSource
    var sessions = SessionTable()
    var connections: [ConnectionID: HostedConnection] = [:]
    var storage: StorageStateMachine

    var commands = CommandTable()

    var patterns: [ChannelPattern: WatchedPattern] = [:]
    var lastWatchNumber: UInt64 = 0
    /// Grows with each pattern that comes or goes, so that channels know when to look anew.
    var patternVersion: UInt64 = 0

    /// How many changes there have been since the start.
    package internal(set) var changeCount: UInt64 = 0
    var startedAt: UInt64

    private var touchedSides: [Side] = []
    private var touchedPatterns: [WatchedPattern] = []
    private var acking: [Binding] = []
    var deadlines = DeadlineQueue()
    private var listed: [HostedConnection] = []
    private var evicted: [ConnectionID] = []
    /// Those who have said bye and wait for answers.
    var leaving: [HostedConnection] = []
    /// The channels that this tick changed.
    var toBeStored: [HostedChannel] = []
    var waitingAnswers: Deque<WaitingAnswer> = []
    var waitingAcks: [Binding] = []

    /// Begins with what the store has.
    ///
    /// - Parameters:
    ///   - channels: All channels.
    ///   - revisions: Where to go on counting.
    ///   - isStored: Whether there is a store that commits the batches of `takeBatch`.
    ///   - batches: Whether the store gets awaited changes in parts, before their tick has ended.
    ///   - limits: What is given to one connection, and to all together.
    ///   - time: Now.
    package init(
        channels: [StoredChannel],
        revisions: RevisionSource,
        isStored: Bool,
        batches: BatchPolicy = .whole,
        limits: Limits = Limits(),
        at time: Time
    ) {
        self.limits = limits
        self.partSize = batches.partSize
        self.time = time
        self.startedAt = time.uptime
        self.revisions = revisions
        self.directory = ChannelDirectory(channels)
        self.storage = StorageStateMachine(isStored: isStored)
    }

    /// A tick begins; everything until `endTick` happens at this time.
    package func beginTick(at time: Time) {
        self.time = time
        while let subscriber = self.deadlines.popDue(at: time) {
            subscriber.wake()
            self.list(subscriber.connection)
        }
        self.sessions.forgetRested(at: time, limits: self.limits)
    }

    /// When the next tick is due at the latest, in milliseconds of `Time.uptime`.
    package var nextDeadline: UInt64? { self.deadlines.next }

    /// The tick ends: what it brought is put in order for every connection that gets something.
    package func endTick() {
        self.collectSides()
        self.collectPatterns()
        self.collectAcks()
        self.serveLagging()
        self.endLeaving()
    }

    /// The connections that have something to write.
    package func takeListed() -> [HostedConnection] {
        let listed = self.listed
        self.listed = []
        listed.forEachUncounted { $0.isListed = false }
        return listed
    }

    /// What a connection has to write, in order; `wrote` tells when that is done.
    ///
    /// If there is more than fits now, the connection is listed again.  While its socket takes no more there is nothing
    /// to write, so that what waits is counted where it stops requests; but a connection that ends gets it all.
    package func takeOutput(of connection: HostedConnection) -> Outgoing {
        guard connection.isWritable || connection.phase != .live else { return Outgoing() }
        connection.unwrittenBytes += connection.outgoing.count
        let output = connection.outgoing.take()
        if connection.hasRoom, !connection.lagging.isEmpty { self.list(connection) }
        return output
    }

    /// Whether another tick has something to do already.
    package var wantsTick: Bool {
        !self.listed.isEmpty || !self.touchedSides.isEmpty || !self.touchedPatterns.isEmpty || !self.acking.isEmpty
            || !self.toBeStored.isEmpty || !self.evicted.isEmpty
    }

    /// The connections that the host wants ended once their output is written.
    package func takeEvicted() -> [ConnectionID] {
        defer { self.evicted = [] }
        return self.evicted
    }

    func list(_ connection: HostedConnection) {
        guard !connection.isListed, connection.phase != .gone else { return }
        connection.isListed = true
        self.listed.append(connection)
    }

    func say(_ message: ServerMessage, to connection: HostedConnection) {
        guard connection.phase != .gone else { return }
        connection.outgoing.append(message)
        self.list(connection)
    }

    /// Ends a connection for a reason that it is told.
    func evict(_ connection: HostedConnection, because error: WireError) {
        guard connection.phase == .live else { return }
        self.say(.refused(nil, Refusal(error)), to: connection)
        connection.phase = .evicted
        self.end(connection)
    }

    /// Has the shell end a connection with this tick; what its client still says is passed over.
    func end(_ connection: HostedConnection) {
        self.evicted.append(connection.id)
        self.list(connection)
    }

    func touch(_ side: Side) {
        guard !side.isTouched else { return }
        side.isTouched = true
        self.touchedSides.append(side)
    }

    func touch(_ pattern: WatchedPattern) {
        guard !pattern.isTouched else { return }
        pattern.isTouched = true
        self.touchedPatterns.append(pattern)
    }

    /// A binding's ledger may have an acknowledgement to tell.
    func listForAck(_ binding: Binding) {
        guard !binding.isOnAckList else { return }
        binding.isOnAckList = true
        self.acking.append(binding)
    }
}

extension Host {
    private func serveLagging() {
        let listed = self.listed
        listed.forEachUncounted { $0.serveLagging(at: self.time, deadlines: &self.deadlines) }
    }

    private func collectSides() {
        for side in self.touchedSides {
            side.isTouched = false
            var slow: [Binding] = []
            let (bindings, log) = (side.bindings, side.log)
            bindings.forEachUncounted { binding in
                // Not the sender, unless it hears others: whoever gets the value is written to before the acknowledgement.
                if binding.collect(from: log) { self.list(binding.connection) }
                if binding.isSlow { slow.append(binding) }
            }
            side.log.endTick()
            for binding in slow { self.endSlow(binding) }
        }
        self.touchedSides.removeAll(keepingCapacity: true)
    }

    private func collectPatterns() {
        for pattern in self.touchedPatterns {
            pattern.isTouched = false
            for watch in pattern.watches {
                watch.collect()
                self.list(watch.connection)
                guard watch.waiting > self.limits.channels else { continue }
                self.evict(watch.connection, because: WireError(.slowConsumer, "too many changes wait for this watch"))
            }
            pattern.endTick()
        }
        self.touchedPatterns.removeAll(keepingCapacity: true)
    }

    private func collectAcks() {
        for binding in self.acking {
            binding.isOnAckList = false
            self.list(binding.connection)
            if binding.isThrough { binding.sayAck() } else { binding.connection.lag(binding) }
            if binding.isOver { binding.settle() }
        }
        self.acking.removeAll(keepingCapacity: true)
    }

    private func endSlow(_ binding: Binding) {
        self.detach(binding)
        self.list(binding.connection)
        binding.finish(with: binding.slowEnd)
    }
}
