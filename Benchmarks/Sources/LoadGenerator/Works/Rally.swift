/// A value that goes to and fro between two clients: client 0 writes channel 0 and reads channel 1, the other the reverse.
struct Rally {
    private let crowd: Crowd
    private let valueBytes: Int
    private var number = 0
    private var buffer: [UInt8] = Array(repeating: 0, count: 1 << 16)
    private var arrivals = Arrivals()

    init(_ server: Server, valueBytes: Int) throws {
        self.crowd = try Crowd(of: 2, at: server) { Crowd.Wish(reads: [1 - $0], writes: [$0]) }
        self.valueBytes = valueBytes
    }

    /// Client 0 sends, client 1 has it and sends in its turn, client 0 has that; the times of the three.
    mutating func trip() throws -> (start: Moment, middle: Moment, end: Moment) {
        self.number += 1
        let start = Moment.now
        try self.pass(from: 0)
        let middle = Moment.now
        try self.pass(from: 1)
        return (start, middle, .now)
    }

    /// It sleeps until the value is there, as clients do.
    private mutating func pass(from sender: Int) throws {
        let value = NumberedValue(channel: sender, number: self.number)
        try self.crowd.clients[sender].say { dialect, bytes in
            dialect.send(value, byteCount: self.valueBytes, into: &bytes)
        }
        repeat {
            try self.crowd.clients[1 - sender].receive(into: &self.buffer, &self.arrivals)
            for case .value(let other) in self.arrivals.list where other != value {
                throw ProtocolError.unexpected("value \(other.number) of channel \(other.channel) in place of \(value)")
            }
        } while !self.arrivals.list.contains(.value(value))
    }
}
