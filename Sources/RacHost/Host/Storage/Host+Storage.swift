import DequeModule
package import RacProtocol

/// An answer that waits for a commit.
struct WaitingAnswer {
    enum What {
        case reply(RequestID, Reply)
        /// To sends of a terminal to which the connection is not bound any more.
        case acknowledgement(TerminalID, SendNumber, Revision)
        case refusal(TerminalID, SendNumber, Refusal)
    }

    let ticket: UInt64
    let connection: HostedConnection
    let what: What
    /// Whether it wants the disk itself, and not only its turn behind what does.
    let wantsDisk: Bool

    var isToRequest: Bool { if case .reply = self.what { true } else { false } }
}

extension Host {
    /// Whether this tick has changed enough for a part, which the store should get before the host takes the next message.
    package var hasPart: Bool { self.storage.isAwaited && self.toBeStored.count >= self.partSize }

    /// The part of this tick's changes that the store should get now; nil if they are too few for one.
    package func takePart() -> StoreBatch? { self.hasPart ? self.takeBatch(isFollowed: true) : nil }

    /// The changes of the tick since the last part; nil if there are none, or if the daemon keeps everything in memory.
    package func takeBatch() -> StoreBatch? { self.takeBatch(isFollowed: false) }

    private func takeBatch(isFollowed: Bool) -> StoreBatch? {
        defer { self.toBeStored.removeAll(keepingCapacity: true) }
        for channel in self.toBeStored {
            channel.isToBeStored = false
            // Once a batch and not with each value: of a burst only the last value is kept.
            channel.machine.detachValues()
        }
        let isAwaited = self.storage.isAwaited
        guard let ticket = self.storage.closeBatch() else { return nil }
        var changes: [StoreChange] = []
        changes.reserveCapacity(self.toBeStored.count)
        for channel in self.toBeStored {
            if let change = channel.takeChange() { changes.append(change) }
        }
        return StoreBatch(ticket: ticket, changes: changes, isAwaited: isAwaited, isFollowed: isFollowed)
    }

    /// The reservation of revisions that is needed now; told once.
    package func takeReservation() -> Revision? { self.revisions.neededReservation() }

    /// The store has reserved revisions.
    package func reserved(through revision: Revision) {
        self.revisions.reserved(through: revision)
    }

    /// Every batch up to this one is on disk.
    package func committed(through ticket: UInt64) {
        self.storage.committed(through: ticket)
        while let waiting = self.nextAnswer(through: ticket) { self.say(waiting.what.message, to: waiting.connection) }
        self.decideAcks(because: "") { $0.committed(through: ticket) }
    }

    /// The batches up to this one could not be written.
    ///
    /// They are kept and tried again.
    package func failing(_ why: String, through ticket: UInt64) {
        self.storage.failing(why)
        let error = self.notStored(why)
        while let waiting = self.nextAnswer(through: ticket) {
            let message = waiting.wantsDisk ? waiting.what.message(unstored: error) : waiting.what.message
            self.say(message, to: waiting.connection)
        }
        self.decideAcks(because: why) { $0.failed(through: ticket) }
    }

    /// The next answer that waited for this commit, or an earlier one.
    private func nextAnswer(through ticket: UInt64) -> WaitingAnswer? {
        guard !self.waitingAnswers.isEmpty, self.waitingAnswers[0].ticket <= ticket else { return nil }
        let waiting = self.waitingAnswers.removeFirst()
        waiting.connection.waitingWrites -= 1
        if !waiting.isToRequest { waiting.connection.waitingSends -= 1 }
        return waiting
    }

    /// Has an answer wait for the disk, or for its turn behind what does.
    func await(_ ticket: UInt64, _ what: WaitingAnswer.What, wantsDisk: Bool, for connection: HostedConnection) {
        let waiting = WaitingAnswer(ticket: ticket, connection: connection, what: what, wantsDisk: wantsDisk)
        connection.waitingWrites += 1
        if !waiting.isToRequest { connection.waitingSends += 1 }
        self.waitingAnswers.append(waiting)
    }

    /// The store writes again.
    package func storageRecovered() {
        self.storage.recovered()
    }

    private func decideAcks(because why: String, _ decide: (inout AckLedger) -> [AckLedger.Outcome]) {
        self.waitingAcks.removeAll { binding in
            let waiting = binding.acks.waiting
            self.tell(decide(&binding.acks), of: binding, because: why)
            binding.connection.waitingWrites += binding.acks.waiting - waiting
            self.listForAck(binding)
            return binding.acks.waiting == 0
        }
    }

    /// Tells a sender what has become of its sends, in their order.
    func tell(_ outcomes: [AckLedger.Outcome], of binding: Binding, because why: String = "") {
        guard !outcomes.isEmpty else { return }
        for outcome in outcomes { binding.say(self.message(outcome, binding, why)) }
        self.list(binding.connection)
        if binding.isSlow { self.touch(binding.side) }
    }

    private func message(_ outcome: AckLedger.Outcome, _ binding: Binding, _ why: String) -> ServerMessage {
        switch outcome {
        case .acknowledged(let ack): return .ack(binding.terminal, ack.number, ack.revision)
        case .unchanged(let number, let standing): return .unchanged(binding.terminal, number, standing)
        case .refused(let number, let refusal): return .nak(binding.terminal, number, refusal)
        case .notStored(let number):
            let present = binding.channel.machine.sent(by: binding.side.role)
            return .nak(binding.terminal, number, Refusal(self.notStored(why), standing: present))
        }
    }

    private func notStored(_ why: String) -> WireError {
        WireError(.storage, "applied, but not on disk yet: \(why); it is written as soon as the disk takes it")
    }

    /// Why a write that must reach the disk cannot be taken now.
    func storageRefusal(sync: Bool) -> Refusal? {
        guard sync, case .failing(let why) = self.storage.condition else { return nil }
        return Refusal(WireError(.storage, "the disk does not take changes now: \(why)"))
    }
}

extension WaitingAnswer.What {
    var message: ServerMessage {
        switch self {
        case .reply(let id, let reply): .reply(id, reply)
        case .acknowledgement(let terminal, let number, let revision): .ack(terminal, number, revision)
        case .refusal(let terminal, let number, let refusal): .nak(terminal, number, refusal)
        }
    }

    /// What is said instead when the disk does not take the change.
    fileprivate func message(unstored error: WireError) -> ServerMessage {
        switch self {
        case .reply(let id, _): .refused(id, Refusal(error))
        case .acknowledgement(let terminal, let number, _): .nak(terminal, number, Refusal(error))
        case .refusal: self.message
        }
    }
}
