/// How many writes a second are on disk before they are acknowledged.
package struct DurableSets: Sendable {
    /// Clients, each with one `set` under way on a channel of its own.
    package var clients: Int
    package var valueBytes: Int
    /// How long to measure, after a third as long to warm up.
    package var seconds: Double
    /// Whether the generator has a core of its own and never sleeps.
    package var spins: Bool

    package init(clients: Int, valueBytes: Int, seconds: Double, spins: Bool) {
        self.clients = clients
        self.valueBytes = valueBytes
        self.seconds = seconds
        self.spins = spins
    }

    /// What one measurement gave.
    package struct Result: Sendable {
        package var setsPerSecond: Double
        /// From a `set` to its reply.
        package var latency: Distribution
        /// Processor time that the server took meanwhile.
        package var serverCPUSeconds: Double
    }

    /// Measures once; a refusal is thrown.
    ///
    /// Semantics: protocol.md, `set` with `sync`.
    package func measure(_ server: Server) throws -> Result {
        let crowd = try Crowd(of: self.clients, at: server) { _ in nil }
        var starts: [Moment] = []
        var number = 0
        for index in crowd.clients.indices {
            starts.append(.now)
            try self.sendSet(of: crowd.clients[index], index, number)
        }
        var latency = Distribution()
        func go(seconds: Double) throws {
            let start = Moment.now
            while start.secondsUntilNow < seconds {
                _ = try crowd.receive(waiting: self.spins ? .not : .milliseconds(10)) { index, message in
                    let client = crowd.clients[index]
                    guard message.field("op", is: "reply") else { return try client.expectPing(message) }
                    let now = Moment.now
                    latency.add(from: starts[index], to: now)
                    number += 1
                    starts[index] = now
                    try self.sendSet(of: client, index, number)
                }
            }
        }
        try go(seconds: self.seconds / 3)
        latency = Distribution()
        let (start, cpuSeconds) = try (Moment.now, server.process.cpuSeconds)
        try go(seconds: self.seconds)
        let rate = Double(latency.count) / start.secondsUntilNow
        return try Result(
            setsPerSecond: rate,
            latency: latency,
            serverCPUSeconds: server.process.cpuSeconds - cpuSeconds
        )
    }

    private func sendSet(of client: Client, _ index: Int, _ number: Int) throws {
        let value = NumberedValue(number, byteCount: self.valueBytes)
        try client.connection.send(ClientMessage.set(channel: "bench/durable/\(index)", value: value, sync: true).frame)
    }
}
