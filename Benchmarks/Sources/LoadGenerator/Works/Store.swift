/// One client that stores values and asks for them.
struct Store {
    /// The number of values under way while many are stored.
    private static let window = 500
    /// The longest time without an answer.
    private static let patience: Int32 = 60_000

    private let crowd: Crowd

    /// Connects, and makes the place that values are stored in.
    init(_ server: Server) throws {
        self.crowd = try Crowd(of: 1, at: server) { _ in Crowd.Wish() }
    }

    static func prepare(_ server: Server) throws {
        try Store(server).prepare()
    }

    func prepare() throws {
        guard try self.crowd.clients[0].say({ $0.prepareStore(into: &$1) }) else { return }
        var isDone = false
        while !isDone { try self.await { isDone = isDone || $0 == .answered } }
    }

    /// Gives each of the first `channels` channels a value.
    func fill(channels: Int, valueBytes: Int) throws {
        var (sent, answered) = (0, 0)
        while answered < channels {
            try self.crowd.clients[0].say { dialect, bytes in
                while sent < min(channels, answered + Self.window) {
                    let value = NumberedValue(channel: sent, number: 1)
                    sent += 1
                    dialect.store(value, byteCount: valueBytes, durably: false, into: &bytes)
                }
            }
            try self.await { if $0 == .answered { answered += 1 } }
        }
    }

    /// Asks for all values; returns how many different ones there were of the first `channels` channels.
    func watch(channels: Int) throws -> Int {
        var isThere = Array(repeating: false, count: channels)
        var count = 0
        var isSynced = false
        try self.crowd.clients[0].say { $0.watch(channels: channels, into: &$1) }
        while count < channels, !isSynced {
            try self.await { arrival in
                if case .value(let value) = arrival, value.channel < channels, !isThere[value.channel] {
                    isThere[value.channel] = true
                    count += 1
                }
                isSynced = isSynced || arrival == .synced
            }
        }
        return count
    }

    private func await(_ body: (Arrival) -> Void) throws {
        let any = try self.crowd.receive(waiting: .milliseconds(Self.patience)) { _, arrivals in
            for arrival in arrivals { body(arrival) }
        }
        guard any else { throw ProtocolError.late("an answer") }
    }
}
