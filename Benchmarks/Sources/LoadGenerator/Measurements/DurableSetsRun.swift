/// One run of the durable sets: whoever gets the reply to its set sends the next one.
final class DurableSetsRun {
    /// From each set to its reply.
    var latency = Distribution()

    private let settings: DurableSets
    private let crowd: Crowd
    /// When each client sent the set that is under way.
    private var starts: [Moment]
    private var sent = 0

    init(_ settings: DurableSets, at server: Server) throws {
        self.settings = settings
        self.crowd = try Crowd(of: settings.clients, at: server) { _ in nil }
        self.starts = Array(repeating: .now, count: settings.clients)
        for index in self.crowd.clients.indices { try self.send(index) }
    }

    func go(seconds: Double) throws {
        let start = Moment.now
        while start.secondsUntilNow < seconds {
            // It sleeps, other than in fan-out: on a virtual machine a core that spins can hold up the disk.
            _ = try self.crowd.receive(waiting: .milliseconds(10)) { index, message in
                guard message.field("op", is: "reply") else {
                    return try self.crowd.clients[index].expectPing(message)
                }
                self.latency.add(from: self.starts[index], to: .now)
                try self.send(index)
            }
        }
    }

    private func send(_ index: Int) throws {
        self.sent += 1
        let value = NumberedValue(self.sent, byteCount: self.settings.valueBytes)
        let frame = ClientMessage.set(channel: "bench/durable/\(index)", value: value, sync: true).frame
        self.starts[index] = .now
        try self.crowd.clients[index].connection.send(frame)
    }
}
