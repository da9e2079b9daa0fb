import RacAccess
import RacProtocol

extension Host {
    /// Applies the will of a binding whose connection was lost, unless another binding with a will has taken its place.
    ///
    /// - Returns: Whether the channel has changed.
    func applyWill(of binding: Binding) -> Bool {
        guard let will = binding.will?.thing, !self.hasSuccessor(binding) else { return false }
        self.work.spend(Work.entry)
        if let access {
            // The rules may have changed since the client left its will, and its proof may be another principal's.
            let connection = binding.connection
            guard let rights = access.admits(connection.credentials, at: self.time.wall)?.rights,
                connection.rights.map({ $0.principal == rights.principal }) ?? true,
                rights.allows(will.verb(of: binding.side.role), binding.channel.name)
            else { return false }
            self.actor = rights
        }
        defer { self.actor = nil }
        return self.apply(will, of: binding)
    }

    /// Whether another binding, which is still there and has a will of its own, has sent the newest value.
    ///
    /// A program that was started anew has written its state by the time the loss of the old one is noticed.
    private func hasSuccessor(_ binding: Binding) -> Bool {
        guard let channel = self.directory[binding.channel.name] else { return false }
        let newest = channel.machine.sent(by: binding.side.role)?.revision
        let isShared = channel.machine.record.mode == .shared
        let roles: [Role] = isShared ? [.leading, .following] : [binding.side.role]
        return roles.contains { role in
            guard let other = channel.existingSide(role)?.willing, other !== binding else { return false }
            return other.newestSent == newest && !other.connection.goesWithoutWills
        }
    }

    private func apply(_ will: Will, of binding: Binding) -> Bool {
        // A channel that went with its only binding is made again for the will. A channel that was deleted has no wills
        // left.
        let name = binding.channel.name
        let isDeleted = binding.channel.machine.isKnown && self.directory[name] !== binding.channel
        guard !isDeleted, let channel = self.channel(name) else { return false }
        // A refused will leaves no channel behind.
        defer { self.forgetIfUnused(channel) }
        switch will {
        case .value(let value):
            // A refused will has no client to notify.
            guard case .applied = self.write(value, on: channel, from: binding.side.role) else { return false }
        case .end(let end):
            guard case .applied(let revision) = self.finish(channel, end) else { return false }
            self.release(channel, end, as: revision)
        }
        return true
    }
}
