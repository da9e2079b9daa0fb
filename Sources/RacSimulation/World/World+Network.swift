import DequeModule
import NIOCore

extension World {
    /// Connects a client; nil if the daemon does not listen or cannot be reached.
    func connect(_ client: some Participant) -> Link? {
        guard let daemon = self.daemon, !daemon.isStopping, client.awayUntil <= self.now else { return nil }
        self.isActive()
        self.linkCount += 1
        let link = Link(number: self.linkCount, client: client.number, life: daemon.number)
        self.agenda.add(.opens(link), at: self.now + self.delay(.up, of: link))
        return link
    }

    func opens(_ link: Link) {
        let client = self.clients[link.client]
        guard client.link === link else { return }
        guard let daemon = self.daemon, daemon.number == link.life, !daemon.isStopping, client.awayUntil <= self.now
        else { return client.couldNotConnect() }
        self.timeline?.note("\(link.client.clientName) connects")
        daemon.opened(link)
        client.opened(link)
    }

    private func delay(_ direction: Link.Direction, of link: Link) -> Microseconds {
        let longest = self.plan.weather.longestDelay
        let extra = self.clients[link.client].extraDelay
        switch direction {
        case .up: return extra + self.noise.number(upTo: longest, at: .upDelay, link.number, link.up.count)
        case .down: return extra + self.noise.number(upTo: longest, at: .downDelay, link.number, link.down.count)
        }
    }

    /// Sends bytes, in one piece or two.
    func carry(_ bytes: ByteBuffer, _ direction: Link.Direction, on link: Link, isActivity: Bool = true) {
        if isActivity { self.isActive() }
        guard !link.isSilent else { return }
        let count = direction == .up ? link.up.count : link.down.count
        let place = self.noise.number(upTo: UInt64(bytes.readableBytes) * 4, at: .split, link.number, count)
        var rest = bytes
        if place > 0, place < bytes.readableBytes, let head = rest.readSlice(length: Int(place)) {
            self.carryPiece(head, direction, on: link)
        }
        self.carryPiece(rest, direction, on: link)
        guard direction == .down, link.isWritable, link.down.outstanding > self.plan.weather.window else { return }
        link.isWritable = false
        self.daemon?.becameWritable(link, false)
    }

    private func carryPiece(_ bytes: ByteBuffer, _ direction: Link.Direction, on link: Link) {
        let arrival = self.now + self.delay(direction, of: link)
        switch direction {
        case .up: link.up.send(bytes, arrival: arrival)
        case .down: link.down.send(bytes, arrival: arrival)
        }
        let due = direction == .up ? link.up.lastArrival : link.down.lastArrival
        self.agenda.add(.arrives(link, direction), at: due)
    }

    func arrives(_ link: Link, _ direction: Link.Direction) throws(Violation) {
        switch direction {
        case .up:
            guard let bytes = link.up.pieces.popFirst(), let daemon = self.daemon, daemon.number == link.life else {
                return
            }
            try daemon.received(bytes, on: link)
        case .down:
            guard let bytes = link.down.pieces.popFirst(), link.clientHasIt else { return }
            link.down.unread.append(bytes)
            if self.clients[link.client].stalledUntil <= self.now { try self.reads(link.client) }
        }
    }

    /// A client reads the bytes that have arrived.
    func reads(_ number: Int) throws(Violation) {
        let client = self.clients[number]
        guard client.stalledUntil <= self.now, let link = client.link else { return }
        while client.link === link, !link.down.unread.isEmpty {
            let bytes = link.down.unread.removeFirst()
            link.down.outstanding -= bytes.readableBytes
            try client.received(bytes)
        }
        if !link.isWritable, link.down.outstanding <= self.plan.weather.window / 2 {
            link.isWritable = true
            self.daemon?.becameWritable(link, true)
        }
        if link.isOverBehindBytes, client.link === link { try self.closes(link, .down) }
    }
}

// MARK: Ends

extension World {
    /// One side closes; the other learns of it behind the bytes under way.
    func hangUp(_ link: Link, by side: Link.Side) {
        self.isActive()
        switch side {
        case .client:
            link.clientHasIt = false
            link.down.pieces.removeAll()
            link.down.unread.removeAll()
            guard !link.isSilent else { return }
            let due = max(link.up.lastArrival, self.now) + self.delay(.up, of: link)
            self.agenda.add(.closes(link, .up), at: due)
        case .daemon:
            guard !link.isSilent else { return }
            let due = max(link.down.lastArrival, self.now) + self.delay(.down, of: link)
            self.agenda.add(.closes(link, .down), at: due)
        }
    }

    func closes(_ link: Link, _ direction: Link.Direction) throws(Violation) {
        self.isActive()
        switch direction {
        case .up:
            guard let daemon = self.daemon, daemon.number == link.life else { return }
            try daemon.closed(link)
        case .down:
            let client = self.clients[link.client]
            guard client.link === link else { return }
            guard link.down.unread.isEmpty else { return link.isOverBehindBytes = true }
            self.timeline?.note("\(link.client.clientName) finds its connection closed")
            try client.closed()
        }
    }

    /// The connection breaks, and all bytes under way are lost.
    func cut(_ link: Link) {
        link.up.pieces.removeAll()
        link.down.pieces.removeAll()
        link.isSilent = true
        let limit = self.plan.weather.longestDelay
        let ends = [Link.Direction.up, .down].map {
            self.noise.number(upTo: limit, at: .cut, link.number, $0 == .up ? 0 : 1)
        }
        self.agenda.add(.closes(link, .up), at: self.now + ends[0])
        self.agenda.add(.closes(link, .down), at: self.now + ends[1])
    }

    func silence(_ link: Link) {
        link.up.pieces.removeAll()
        link.down.pieces.removeAll()
        link.isSilent = true
    }
}

extension Link.Pipe {
    fileprivate mutating func send(_ bytes: ByteBuffer, arrival: Microseconds) {
        self.pieces.append(bytes)
        self.count += 1
        self.outstanding += bytes.readableBytes
        self.lastArrival = max(self.lastArrival, arrival)
    }
}

extension Int {
    /// The name of the client with this number.
    var clientName: String { "C\(self + 1)" }
}
