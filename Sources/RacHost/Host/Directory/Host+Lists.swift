import RacProtocol

extension Host {
    func list(_ list: List, _ id: RequestID, _ connection: HostedConnection) {
        self.answer(KnownChannels(directory: self.directory), list, id, connection)
    }

    func listCommands(_ list: List, _ id: RequestID, _ connection: HostedConnection) {
        self.answer(KnownCommands(directory: self.commands.directory), list, id, connection)
    }

    private func answer(_ listed: some ListedNames, _ list: List, _ id: RequestID, _ connection: HostedConnection) {
        guard connection.waitingLists < self.limits.listsInFlight else {
            let what = "\(self.limits.listsInFlight) lists wait for their answers already"
            return self.refuse(id, connection, .limit, what)
        }
        connection.waitingLists += 1
        self.tick.list(connection)
        let listing = Listing(listed, list, id, connection: connection)
        // Most directories are small enough for an answer at once, whatever is left of the turn.
        let room = max(self.limits.unitsOfShortList, self.work.room(for: connection.share))
        connection.unitsLeft = room
        if case .unserved = listing.serve(at: self.time) { connection.lag(listing) }
        self.work.spend(room - connection.unitsLeft)
    }
}
