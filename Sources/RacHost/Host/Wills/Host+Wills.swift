import RacAccess
import RacProtocol

extension Host {
    /// Applies the will of a binding whose connection was lost.
    func applyWill(of binding: Binding) {
        guard let will = binding.will?.thing else { return }
        self.work.spend(Work.entry)
        if let access {
            // The rules may have changed since the client left its will, and its proof may be another principal's.
            let connection = binding.connection
            guard let rights = access.admits(connection.credentials, at: self.time.wall)?.rights,
                connection.rights.map({ $0.principal == rights.principal }) ?? true,
                rights.allows(will.verb(of: binding.side.role), binding.channel.name)
            else { return }
            self.actor = rights
        }
        self.apply(will, of: binding)
        self.actor = nil
    }

    private func apply(_ will: Will, of binding: Binding) {
        // A channel that went with its only binding is made again for the will. A channel that was deleted has no wills
        // left.
        let name = binding.channel.name
        let isDeleted = binding.channel.machine.isKnown && self.directory[name] !== binding.channel
        guard !isDeleted, let channel = self.channel(name) else { return }
        // A refused will leaves no channel behind.
        defer { self.forgetIfUnused(channel) }
        switch will {
        case .value(let value):
            // A refused will has no client to notify.
            _ = self.write(value, on: channel, from: binding.side.role)
        case .end(let end):
            guard case .applied(let revision) = self.finish(channel, end) else { return }
            self.release(channel, end, as: revision)
        }
    }
}
