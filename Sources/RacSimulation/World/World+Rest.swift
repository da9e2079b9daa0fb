import RacProtocol

/// What must hold in the end, when everything that was under way has arrived.
extension World {
    func checkRest() throws(Violation) {
        let present = self.clients.filter(\.plan.isPresent)
        for client in present {
            try hold(.rest, client.isReady, "\(client.number.clientName) never came back to the daemon")
            try hold(.rest, client.isSettled, "\(client.number.clientName) has writes that nobody answers")
        }
        try self.ledger.checkRest(of: present.compactMap(\.link?.number))
        for client in present {
            for terminal in client.terminals { try self.checkAgreement(terminal, client.number.clientName) }
        }
        try self.ledger.checkLinks(self.linkedChannels)
    }

    /// A terminal that is bound shows what the daemon has.
    private func checkAgreement(_ terminal: SimulatedTerminal, _ name: String) throws(Violation) {
        guard terminal.terminal != nil, let record = self.ledger.truth[terminal.channel],
            let valuation = Shown(record).valuation(terminal.plan.role)
        else { return }
        // Who binds as leading is not told what was there before.
        let knowsNothing = terminal.shown == nil && terminal.plan.role == .leading && terminal.plan.replays != true
        try hold(.agreement, knowsNothing || terminal.shown == valuation.value) {
            "\(name) shows \(terminal.shown?.text ?? "nothing") for \(terminal.channel) as \(terminal.plan.role.rawValue), "
                + "the daemon has \(valuation.value) of \(valuation.revision)"
        }
    }

    private var linkedChannels: [ChannelName] {
        let links = self.plan.clients.filter(\.isLink)
        guard links.allSatisfy(\.isPresent) else { return [] }
        return self.plan.channels.filter(\.isLinked).map(\.name)
    }
}
