package import RacProtocol

/// What one tick changed, for the store.
package struct GatheredChanges: Sendable {
    /// The number that `committed` or `failing` will name.
    package var ticket: UInt64
    /// The channels that changed, as they are now.
    package var records: [ChannelRecord]
    package var removed: [ChannelName]
}

/// A reply that waits for a commit.
struct WaitingReply {
    let ticket: UInt64
    let connection: HostedConnection
    let id: RequestID
    let reply: Reply
}

extension Host {
    /// What this tick changed; nil if nothing did, or nothing is kept.
    package func takeChanges() -> GatheredChanges? {
        let channels = self.toBeStored
        self.toBeStored.removeAll(keepingCapacity: true)
        for channel in channels { channel.isToBeStored = false }
        guard let ticket = self.storage.closeBatch() else { return nil }
        var changes = GatheredChanges(ticket: ticket, records: [], removed: [])
        for channel in channels {
            if self.directory[channel.name] === channel {
                changes.records.append(channel.machine.record)
            } else if self.knownRecord(channel.name) == nil {
                changes.removed.append(channel.name)
            }
        }
        return changes
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
        while let waiting = self.waitingReplies.first, waiting.ticket <= ticket {
            self.waitingReplies.removeFirst()
            waiting.connection.waitingRequests -= 1
            self.say(.reply(waiting.id, waiting.reply), to: waiting.connection)
        }
        self.waitingAcks.removeAll { binding in
            binding.acks.committed(through: ticket)
            self.listForAck(binding)
            return binding.acks.waiting == 0
        }
    }

    /// The batches up to this one could not be written. They are kept and tried again.
    package func failing(_ why: String, through ticket: UInt64) {
        self.storage.failing(why)
        while let waiting = self.waitingReplies.first, waiting.ticket <= ticket {
            self.waitingReplies.removeFirst()
            waiting.connection.waitingRequests -= 1
            self.say(.refused(waiting.id, Refusal(self.notStored(why))), to: waiting.connection)
        }
        self.waitingAcks.removeAll { binding in
            for outcome in binding.acks.failed(through: ticket) { self.say(outcome, of: binding, why) }
            return binding.acks.waiting == 0
        }
    }

    /// The store writes again.
    package func storageRecovered() {
        self.storage.recovered()
    }

    private func say(_ outcome: AckLedger.Outcome, of binding: Binding, _ why: String) {
        switch outcome {
        case .acknowledged(let ack):
            self.say(.ack(binding.side.terminal, ack.number, ack.revision), to: binding.connection)
        case .notStored(let number):
            let shown = binding.side.channel.machine.shown(to: binding.side.role)
            let refusal = Refusal(self.notStored(why), revision: shown?.revision, value: shown?.value)
            self.say(.nak(binding.side.terminal, number, refusal), to: binding.connection)
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
