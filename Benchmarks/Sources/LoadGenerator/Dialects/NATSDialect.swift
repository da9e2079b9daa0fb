/// NATS: core subjects to send; a JetStream stream that keeps one message a subject, which is what its key-value store
/// is, to store.
package struct NATSDialect: Dialect {
    /// Longest message that any benchmark has a use for.
    private static let maximumMessageBytes = 1 << 20

    /// Subjects of this connection's own end in this.
    private let name: Int
    private let credentials: Credentials?
    private var isOpen = false
    /// Whether answers have a subject to come to.
    private var hasInbox = false

    /// - Parameters:
    ///   - name: Another number for each connection.
    ///   - credentials: The proof of who the client is, for a server that asks for it.
    package init(name: Int, _ credentials: Credentials? = nil) {
        self.name = name
        self.credentials = credentials
    }

    package var greets: Bool { true }

    package func opening() -> [UInt8] {
        let login = self.credentials.map { #","user":"\#($0.user)","pass":"\#($0.secret)""# } ?? ""
        let options = #"{"verbose":false,"pedantic":false,"lang":"bench","version":"1"\#(login)}"#
        return Array("CONNECT \(options)\r\nPING\r\n".utf8)
    }

    package func bind(_ channel: Int, as role: Role, into bytes: inout [UInt8]) -> Bool {
        guard role == .reader else { return false }
        bytes.append(text: "SUB bench.\(channel) \(channel)\r\nPING\r\n")
        return true
    }

    package func send(_ value: NumberedValue, byteCount: Int, into bytes: inout [UInt8]) {
        bytes.append("PUB bench.")
        bytes.append(decimal: value.channel)
        Self.append(value, byteCount: byteCount, to: &bytes)
    }

    package mutating func prepareStore(into bytes: inout [UInt8]) -> Bool {
        let stream = #"""
            {"name":"bench","subjects":["bench.>"],"storage":"file","retention":"limits","discard":"old",\#
            "max_msgs_per_subject":1,"max_msgs":-1,"max_bytes":-1,"max_age":0,"num_replicas":1}
            """#
        self.request("$JS.API.STREAM.CREATE.bench", stream, into: &bytes)
        return true
    }

    package mutating func store(_ value: NumberedValue, byteCount: Int, durably: Bool, into bytes: inout [UInt8]) {
        self.openInbox(into: &bytes)
        bytes.append("PUB bench.")
        bytes.append(decimal: value.channel)
        bytes.append(" inbox.")
        bytes.append(decimal: self.name)
        Self.append(value, byteCount: byteCount, to: &bytes)
    }

    package mutating func watch(channels: Int, into bytes: inout [UInt8]) {
        bytes.append(text: "SUB watch.\(self.name) w\r\n")
        let consumer = #"""
            {"stream_name":"bench","config":{"deliver_subject":"watch.\#(self.name)",\#
            "deliver_policy":"last_per_subject","ack_policy":"none","replay_policy":"instant","filter_subject":"bench.>"}}
            """#
        self.request("$JS.API.CONSUMER.CREATE.bench", consumer, into: &bytes)
    }

    package mutating func read(_ bytes: Span<UInt8>, into arrivals: inout Arrivals) throws -> Int {
        var start = 0
        while let lineEnd = bytes.lineEnd(from: start) {
            if bytes.has("MSG ", at: start) {
                guard let end = try Self.readMessage(bytes, start..<lineEnd, into: &arrivals) else { break }
                start = end
            } else {
                try self.read(bytes, line: start..<lineEnd, into: &arrivals)
                start = lineEnd + 2
            }
        }
        return start
    }

    /// Reads `MSG subject sid [reply] length`, the line, and the payload behind it.
    ///
    /// - Returns: Where the message ends; nil if it has not come as a whole.
    @inline(__always)
    private static func readMessage(
        _ bytes: Span<UInt8>,
        _ line: Range<Int>,
        into arrivals: inout Arrivals
    ) throws -> Int? {
        var length = line.upperBound
        while length > line.lowerBound, bytes[length - 1] != UInt8(ascii: " ") { length -= 1 }
        guard let count = bytes.decimal(length..<line.upperBound), 0...Self.maximumMessageBytes ~= count else {
            throw ProtocolError.unexpected(bytes.excerpt(line))
        }
        let payload = line.upperBound + 2..<line.upperBound + 2 + count
        guard payload.upperBound + 2 <= bytes.count else { return nil }
        if let value = NumberedValue.read(bytes, endingAt: payload.upperBound) {
            arrivals.list.append(.value(value))
        } else {
            try self.readAnswer(bytes, payload, into: &arrivals)
        }
        return payload.upperBound + 2
    }

    /// JetStream answers with an object, which has `error` if it is a refusal.
    private static func readAnswer(
        _ bytes: Span<UInt8>,
        _ payload: Range<Int>,
        into arrivals: inout Arrivals
    ) throws {
        let answer = bytes.extracting(payload)
        guard answer.string("stream") != nil || answer.string("type") != nil, !answer.hasField("error") else {
            throw ProtocolError.unexpected(answer)
        }
        // A consumer is made for a watch, which is answered by its values.
        if answer.string("type")?.contains("consumer") != true { arrivals.list.append(.answered) }
    }

    private mutating func read(_ bytes: Span<UInt8>, line: Range<Int>, into arrivals: inout Arrivals) throws {
        if bytes.has("PONG", at: line.lowerBound) {
            arrivals.list.append(self.isOpen ? .bound : .opened)
            self.isOpen = true
        } else if bytes.has("PING", at: line.lowerBound) {
            arrivals.answer.append(text: "PONG\r\n")
        } else if !bytes.has("INFO ", at: line.lowerBound) {
            throw ProtocolError.unexpected(bytes.excerpt(line))
        }
    }

    /// The length, which ends the line, and the payload.
    private static func append(_ value: NumberedValue, byteCount: Int, to bytes: inout [UInt8]) {
        bytes.append(" ")
        bytes.append(decimal: byteCount)
        bytes.append("\r\n")
        value.append(to: &bytes, byteCount: byteCount)
        bytes.append("\r\n")
    }

    private mutating func request(_ subject: String, _ payload: String, into bytes: inout [UInt8]) {
        self.openInbox(into: &bytes)
        bytes.append(text: "PUB \(subject) inbox.\(self.name) \(payload.utf8.count)\r\n\(payload)\r\n")
    }

    private mutating func openInbox(into bytes: inout [UInt8]) {
        guard !self.hasInbox else { return }
        self.hasInbox = true
        bytes.append(text: "SUB inbox.\(self.name) i\r\n")
    }
}
