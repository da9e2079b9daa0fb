/// What the load generator says: protocol.md, as far as the benchmarks need it.
package enum ClientMessage {
    case hello
    case bind(channel: String, role: Role)
    case next(terminal: Int, number: Int, value: NumberedValue)
    case set(channel: String, value: NumberedValue, sync: Bool)
    case pong

    /// A channel's side.
    package enum Role: String {
        case leading, following
    }

    /// Appends the frame of this message: four bytes of length, big-endian, and the JSON object.
    ///
    /// Every request has the same id, since no benchmark has two of one connection under way.
    package func append(to bytes: inout [UInt8]) {
        let start = bytes.count
        bytes.append(contentsOf: [0, 0, 0, 0])
        self.appendPayload(to: &bytes)
        let length = UInt32(bytes.count - start - 4)
        for place in 0..<4 {
            bytes[start + place] = UInt8(truncatingIfNeeded: length >> (24 - 8 * UInt32(place)))
        }
    }

    /// The frame of this message.
    package var frame: [UInt8] {
        var bytes: [UInt8] = []
        self.append(to: &bytes)
        return bytes
    }

    private func appendPayload(to bytes: inout [UInt8]) {
        switch self {
        case .hello:
            bytes.append(contentsOf: #"{"op":"hello","version":1,"agent":"rac-bench/1"}"#.utf8)
        case .bind(let channel, let role):
            bytes.append(contentsOf: #"{"op":"bind","id":1,"channel":"\#(channel)","role":"\#(role.rawValue)"}"#.utf8)
        case .next(let terminal, let number, let value):
            bytes.append(contentsOf: #"{"op":"next","t":\#(terminal),"n":\#(number),"value":"#.utf8)
            value.append(to: &bytes)
            bytes.append(UInt8(ascii: "}"))
        case .set(let channel, let value, let sync):
            bytes.append(contentsOf: #"{"op":"set","id":1,"channel":"\#(channel)","sync":\#(sync),"value":"#.utf8)
            value.append(to: &bytes)
            bytes.append(UInt8(ascii: "}"))
        case .pong:
            bytes.append(contentsOf: #"{"op":"pong"}"#.utf8)
        }
    }
}
