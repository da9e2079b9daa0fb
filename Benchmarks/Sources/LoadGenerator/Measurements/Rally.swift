/// A value that goes to and fro between two clients of one channel.
struct Rally {
    private let clients: [Client]
    private let valueBytes: Int
    private var sends: [Int]
    private var buffer: [UInt8] = Array(repeating: 0, count: 1 << 16)

    init(_ clients: [Client], valueBytes: Int) {
        self.clients = clients
        self.valueBytes = valueBytes
        self.sends = clients.map(\.binding.sends)
    }

    /// Client 0 sends, client 1 has it and sends in its turn, client 0 has that; the times of the three.
    mutating func trip() throws -> (start: Moment, middle: Moment, end: Moment) {
        let first = self.nextFrame(of: 0)
        let second = self.nextFrame(of: 1)
        let start = Moment.now
        try self.clients[0].connection.send(first)
        try self.awaitValue(self.sends[0], at: self.clients[1])
        let middle = Moment.now
        try self.clients[1].connection.send(second)
        try self.awaitValue(self.sends[1], at: self.clients[0])
        return (start, middle, .now)
    }

    private mutating func nextFrame(of index: Int) -> [UInt8] {
        self.sends[index] += 1
        let value = NumberedValue(self.sends[index], byteCount: self.valueBytes)
        return ClientMessage.next(
            terminal: self.clients[index].binding.terminal,
            number: self.sends[index],
            value: value
        ).frame
    }

    /// Reads until the value with this number is there; acknowledgements of earlier sends come in between.
    private mutating func awaitValue(_ number: Int, at client: Client) throws {
        var hasArrived = false
        while !hasArrived {
            try client.connection.receive(into: &self.buffer) { message in
                if message.field("op", is: "next"), message.number("value") == number {
                    hasArrived = true
                } else if !message.field("op", is: "ack") {
                    try client.expectPing(message)
                }
            }
        }
    }
}
