/// MQTT 3.1.1: QoS 0 to send; QoS 1, retained, to store.
package struct MQTTDialect: Dialect {
    private enum Packet {
        static let connack: UInt8 = 2
        static let publish: UInt8 = 3
        static let puback: UInt8 = 4
        static let suback: UInt8 = 9
        static let pingResponse: UInt8 = 13
    }

    /// Longest packet that any benchmark has a use for.
    private static let maximumPacketBytes = 1 << 20

    private let credentials: Credentials?
    private var lastPacketID: UInt16 = 0

    package init(_ credentials: Credentials? = nil) {
        self.credentials = credentials
    }

    package func opening() -> [UInt8] {
        var body: [UInt8] = []
        Self.append(text: "MQTT", to: &body)
        // Level 4 is 3.1.1; a clean session, with user and password or without, no keep-alive, and a name of the server's
        // choice.
        body += [4, self.credentials == nil ? 0b10 : 0b1100_0010, 0, 0]
        Self.append(text: "", to: &body)
        if let credentials {
            Self.append(text: credentials.user, to: &body)
            Self.append(text: credentials.secret, to: &body)
        }
        return Self.packet(0x10, body)
    }

    package mutating func bind(_ channel: Int, as role: Role, into bytes: inout [UInt8]) -> Bool {
        guard role == .reader else { return false }
        self.subscribe(to: Self.topic(channel), into: &bytes)
        return true
    }

    package func send(_ value: NumberedValue, byteCount: Int, into bytes: inout [UInt8]) {
        Self.append(head: 0x30, topicOf: value, length: byteCount, to: &bytes)
        value.append(to: &bytes, byteCount: byteCount)
    }

    package func prepareStore(into bytes: inout [UInt8]) -> Bool {
        false
    }

    package mutating func store(_ value: NumberedValue, byteCount: Int, durably: Bool, into bytes: inout [UInt8]) {
        Self.append(head: 0x33, topicOf: value, length: 2 + byteCount, to: &bytes)
        bytes += self.nextPacketID()
        value.append(to: &bytes, byteCount: byteCount)
    }

    package mutating func watch(channels: Int, into bytes: inout [UInt8]) {
        self.subscribe(to: "bench/#", into: &bytes)
    }

    package func read(_ bytes: Span<UInt8>, into arrivals: inout Arrivals) throws -> Int {
        var start = 0
        while let body = try Self.body(bytes, at: start) {
            let kind = bytes[start] >> 4
            if kind == Packet.publish, let value = NumberedValue.read(bytes, endingAt: body.upperBound) {
                arrivals.list.append(.value(value))
            } else {
                try Self.read(kind, bytes, body, into: &arrivals)
            }
            start = body.upperBound
        }
        return start
    }

    private static func read(
        _ kind: UInt8,
        _ bytes: Span<UInt8>,
        _ body: Range<Int>,
        into arrivals: inout Arrivals
    ) throws {
        switch kind {
        case Packet.connack where body.count == 2 && bytes[body.lowerBound + 1] == 0: arrivals.list.append(.opened)
        case Packet.suback where body.count == 3 && bytes[body.lowerBound + 2] < 0x80: arrivals.list.append(.bound)
        case Packet.puback: arrivals.list.append(.answered)
        case Packet.pingResponse: break
        default: throw ProtocolError.unexpected("an MQTT packet of type \(kind): \(bytes.excerpt(body))")
        }
    }

    /// Where the body of the packet at `start` stands; nil if it has not come as a whole.
    @inline(__always)
    private static func body(_ bytes: Span<UInt8>, at start: Int) throws -> Range<Int>? {
        var (length, shift, index) = (0, 0, start + 1)
        while index < bytes.count {
            let byte = bytes[index]
            length |= Int(byte & 0x7F) << shift
            index += 1
            shift += 7
            if byte < 0x80 {
                guard length <= Self.maximumPacketBytes else { throw ProtocolError.framing(length) }
                return bytes.count - index >= length ? index..<index + length : nil
            }
            guard shift < 28 else { throw ProtocolError.framing(length) }
        }
        return nil
    }

    private mutating func subscribe(to filter: String, into bytes: inout [UInt8]) {
        var body = self.nextPacketID()
        Self.append(text: filter, to: &body)
        bytes += Self.packet(0x82, body + [0])
    }

    private mutating func nextPacketID() -> [UInt8] {
        self.lastPacketID = self.lastPacketID == .max ? 1 : self.lastPacketID + 1
        return [UInt8(self.lastPacketID >> 8), UInt8(self.lastPacketID & 0xFF)]
    }

    private static func topic(_ channel: Int) -> String {
        "bench/\(channel)"
    }

    private static func packet(_ head: UInt8, _ body: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        self.append(head: head, length: body.count, to: &bytes)
        return bytes + body
    }

    private static func append(head: UInt8, length: Int, to bytes: inout [UInt8]) {
        bytes.append(head)
        var rest = length
        repeat {
            bytes.append(UInt8(rest & 0x7F) | (rest > 0x7F ? 0x80 : 0))
            rest >>= 7
        } while rest > 0
    }

    /// The beginning of a packet that has so many bytes behind its topic.
    private static func append(head: UInt8, topicOf value: NumberedValue, length: Int, to bytes: inout [UInt8]) {
        let topicBytes = 6 + value.channel.digitCount
        Self.append(head: head, length: 2 + topicBytes + length, to: &bytes)
        bytes.append(0)
        bytes.append(UInt8(topicBytes))
        bytes.append("bench/")
        bytes.append(decimal: value.channel)
    }

    private static func append(text: String, to bytes: inout [UInt8]) {
        bytes += [UInt8(text.utf8.count >> 8), UInt8(text.utf8.count & 0xFF)]
        bytes.append(text: text)
    }
}
