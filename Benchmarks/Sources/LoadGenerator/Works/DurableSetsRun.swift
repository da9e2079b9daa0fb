/// One run of the durable sets: a client that gets the answer to its value stores the next one.
final class DurableSetsRun {
    /// From each request to its answer.
    var latency = Distribution()

    private let settings: DurableSets
    private let crowd: Crowd
    /// When each client sent what is under way, by the numbers of its values.
    private var starts: [[Moment]]
    /// The counts of values that each client has sent, and of those that are answered.
    private var stored: [Int]
    private var answered: [Int]

    init(_ settings: DurableSets, at server: Server) throws {
        self.settings = settings
        try Store.prepare(server)
        self.crowd = try Crowd(of: settings.clients, at: server) { index in
            Crowd.Wish(writes: Array(index * settings.underWay..<(index + 1) * settings.underWay))
        }
        self.starts = Array(repeating: Array(repeating: .now, count: settings.underWay), count: settings.clients)
        self.stored = Array(repeating: 0, count: settings.clients)
        self.answered = Array(repeating: 0, count: settings.clients)
        for index in self.crowd.clients.indices { try self.store(settings.underWay, index) }
    }

    func go(seconds: Double) throws {
        let start = Moment.now
        while start.secondsUntilNow < seconds {
            // It sleeps, other than with traffic: on a virtual machine a core that spins can hold up the disk.
            _ = try self.crowd.receive(waiting: .milliseconds(10)) { index, arrivals in
                let now = Moment.now
                for arrival in arrivals {
                    guard arrival == .answered else { throw ProtocolError.unexpected("\(arrival), not an answer") }
                    self.latency.add(from: self.starts[index][self.slot(self.answered[index])], to: now)
                    self.answered[index] += 1
                }
                if !arrivals.isEmpty { try self.store(arrivals.count, index) }
            }
        }
    }

    private func slot(_ number: Int) -> Int { number % self.settings.underWay }

    private func store(_ count: Int, _ index: Int) throws {
        let now = Moment.now
        try self.crowd.clients[index].say { dialect, bytes in
            for _ in 0..<count {
                let slot = self.slot(self.stored[index])
                self.starts[index][slot] = now
                self.stored[index] += 1
                let channel = index * self.settings.underWay + slot
                let value = NumberedValue(channel: channel, number: self.stored[index])
                dialect.store(value, byteCount: self.settings.valueBytes, durably: true, into: &bytes)
            }
        }
    }
}
