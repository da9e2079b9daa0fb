import RacProtocol

/// Conditions that hold in the end, when everything that was under way has arrived.
extension World {
    func checkRest() throws(Violation) {
        let present = self.clients.filter(\.plan.isPresent)
        try self.ledger.checkRest(of: present.compactMap(\.link?.number))
        for client in present { try client.checkRest() }
        try self.ledger.checkLinks(self.linkedChannels)
    }

    private var linkedChannels: [ChannelName] {
        let links = self.plan.clients.filter(\.isLink)
        guard links.allSatisfy(\.isPresent) else { return [] }
        return self.plan.channels.filter(\.isLinked).map(\.name)
    }
}
