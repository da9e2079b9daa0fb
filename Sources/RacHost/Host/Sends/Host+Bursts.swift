import RacAccess
package import RacProtocol

extension Host {
    /// Takes a client's values, one behind the other, from where they stand in the received bytes.
    ///
    /// The effect is that of a message for each value. But the values of one terminal in a row are a burst: the host
    /// checks common conditions once and keeps only the last value. It stops when the store should get a part of the
    /// tick, and when the client has spent its units of the turn. It also stops at long answers: refusals may have values.
    ///
    /// - Parameters:
    ///   - sends: The place of the sends; it moves behind the taken ones.
    ///   - bytes: The received bytes.
    ///   - connection: The sender's connection.
    ///   - room: The units that a client who has waited may spend; nil for one that need not wait.
    package func received(
        _ sends: inout PlainSends,
        in bytes: Span<UInt8>,
        from connection: HostedConnection,
        room: Int? = nil
    ) {
        let mark = self.work.mark
        self.actor = connection.rights
        defer {
            self.actor = nil
            self.work.charge(&connection.share, since: mark)
        }
        while connection.phase == .live, !self.hasPart, connection.outgoing.count < HostedConnection.roomBytes,
            room.map({ self.work.spent(since: mark) < $0 }) ?? self.work.admits(connection.share, since: mark),
            let send = sends.next(in: bytes)
        {
            let burst = self.burst(of: send, connection)
            if let burst, self.takes(send, burst) {
                self.take(burst, from: send, &sends, in: bytes)
            } else {
                sends.take()
                self.work.spend(Work.message)
                self.send(sends.message(of: send), connection)
            }
        }
    }

    /// The common conditions of all values of a burst.
    private struct Burst {
        let binding: Binding
        /// The bytes of the sender's value that the burst replaces.
        let replacedBytes: Int
        /// The bytes that a value may have.
        let valueBytes: Int

        /// Nil if the values have to be judged one by one.
        init?(on binding: Binding, from first: SendNumber) {
            let (channel, rights) = (binding.channel, binding.connection.rights)
            // The first value of a channel goes by itself in a closed daemon, which counts the channels of each principal.
            guard rights == nil || channel.machine.isKnown else { return nil }
            guard channel.machine.isOpen, binding.acks.waiting == 0 else { return nil }
            // A send that was refused before, and goes out again, is judged by itself.
            if let refused = binding.refused, refused.newest >= first { return nil }
            self.binding = binding
            self.valueBytes = rights?.bounds.valueBytes ?? .max
            self.replacedBytes = channel.machine.sent(by: binding.side.role)?.value.byteCount ?? 0
        }
    }

    private func burst(of send: PlainSend, _ connection: HostedConnection) -> Burst? {
        guard let binding = connection.binding(send.terminal), binding.maySend else { return nil }
        return Burst(on: binding, from: send.number)
    }

    /// A send that asks for the disk is no part of a burst: the number of such sends has a limit.
    private func takes(_ send: PlainSend, _ burst: Burst) -> Bool {
        burst.binding.lastApplied < send.number && !send.sync && self.revisions.has(1)
            && send.value.count <= burst.valueBytes
            && self.hasPlace(for: send.value.count - burst.replacedBytes)
    }

    private func take(
        _ burst: Burst,
        from first: PlainSend,
        _ sends: inout PlainSends,
        in bytes: Span<UInt8>
    ) {
        let binding = burst.binding
        let audience = (self.audience(.leading, of: binding), self.audience(.following, of: binding))
        var (send, revision, count) = (first, Revision.never, UInt64(0))
        while true {
            sends.take()
            count += 1
            revision = self.revisions.next()
            binding.lastApplied = send.number
            let value = bytes.extracting(send.value)
            audience.0?.show(value, as: revision)
            audience.1?.show(value, as: revision)
            guard let next = sends.next(in: bytes), next.terminal == send.terminal, self.takes(next, burst) else {
                break
            }
            if count == 1 {
                let rest = bytes.count - sends.end
                audience.0?.expectValues(ofBytes: rest)
                audience.1?.expectValues(ofBytes: rest)
            }
            send = next
        }
        self.work.spend(Work.message * Int(count))
        self.keep(Valuation(value: sends.value(of: send), revision: revision, cause: nil), of: burst, count: count)
        self.acknowledge(send.number, as: revision, binding, sync: false)
        if count > 1 { binding.acks.streams() }
    }

    /// The side that shows the sender's values, ready for them; nil if no other binding is there.
    private func audience(_ role: Role, of sender: Binding) -> Side? {
        let channel = sender.channel
        guard channel.machine.record.mode.shows(role, from: sender.side.role),
            let side = channel.existingSide(role), side.beginShowing(from: sender)
        else { return nil }
        self.touch(side)
        return side
    }

    /// Keeps the last value of a burst as the channel's value.
    private func keep(_ valuation: Valuation, of burst: Burst, count: UInt64) {
        let (channel, side) = (burst.binding.channel, burst.binding.side)
        self.directory.resized(by: valuation.value.byteCount - burst.replacedBytes)
        self.change(channel, times: count) {
            $0.acceptValue(valuation, from: side.role, at: self.time.wall, by: self.author)
        }
        side.sent(as: valuation.revision, by: burst.binding)
        if channel.machine.record.mode.shows(side.role, from: side.role) { side.endShowing(from: burst.binding) }
    }
}
