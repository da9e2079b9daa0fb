/// One run of the durable sets: whoever gets the answer to its value stores the next one.
final class DurableSetsRun {
    /// From each request to its answer.
    var latency = Distribution()

    private let settings: DurableSets
    private let crowd: Crowd
    /// When each client sent what is under way.
    private var starts: [Moment]
    /// How many values each client has stored.
    private var numbers: [Int]

    init(_ settings: DurableSets, at server: Server) throws {
        self.settings = settings
        try Store.prepare(server)
        self.crowd = try Crowd(of: settings.clients, at: server) { _ in Crowd.Wish() }
        self.starts = Array(repeating: .now, count: settings.clients)
        self.numbers = Array(repeating: 0, count: settings.clients)
        for index in self.crowd.clients.indices { try self.store(index) }
    }

    func go(seconds: Double) throws {
        let start = Moment.now
        while start.secondsUntilNow < seconds {
            // It sleeps, other than with traffic: on a virtual machine a core that spins can hold up the disk.
            _ = try self.crowd.receive(waiting: .milliseconds(10)) { index, arrivals in
                guard !arrivals.isEmpty else { return }
                guard arrivals == [.answered] else { throw ProtocolError.unexpected("\(arrivals), not one answer") }
                self.latency.add(from: self.starts[index], to: .now)
                try self.store(index)
            }
        }
    }

    private func store(_ index: Int) throws {
        self.numbers[index] += 1
        let value = NumberedValue(channel: index, number: self.numbers[index])
        self.starts[index] = .now
        try self.crowd.clients[index].say { dialect, bytes in
            dialect.store(value, byteCount: self.settings.valueBytes, durably: true, into: &bytes)
        }
    }
}
