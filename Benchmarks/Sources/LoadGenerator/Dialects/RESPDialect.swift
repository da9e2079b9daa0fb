/// Redis: RESP 3, in which one connection may subscribe and publish.
package struct RESPDialect: Dialect {
    /// The number of values asked for at a time.
    private static let batch = 1000
    /// The beginning of every delivery, sixteen of its seventeen bytes.
    private static let message = Array(">3\r\n$7\r\nmessage\r\n".utf8)
    private static let messageWords = (Self.message.span.word(at: 0), Self.message.span.word(at: 8))

    private let credentials: Credentials?
    private var isOpen = false
    /// The number of arrays of values that are still to come.
    private var batchesToCome = 0

    package init(_ credentials: Credentials? = nil) {
        self.credentials = credentials
    }

    /// A server that still loads its keys says hello, but does not answer a ping.
    package func opening() -> [UInt8] {
        let login = self.credentials.map { ["AUTH", $0.user, $0.secret] } ?? []
        return Self.command(["HELLO", "3"] + login) + Self.command(["PING"])
    }

    package func bind(_ channel: Int, as role: Role, into bytes: inout [UInt8]) -> Bool {
        guard role == .reader else { return false }
        bytes += Self.command(["SUBSCRIBE", Self.key(channel)])
        return true
    }

    package func send(_ value: NumberedValue, byteCount: Int, into bytes: inout [UInt8]) {
        Self.append("*3\r\n$7\r\nPUBLISH\r\n$", value, byteCount: byteCount, to: &bytes)
    }

    package func prepareStore(into bytes: inout [UInt8]) -> Bool {
        false
    }

    package func store(_ value: NumberedValue, byteCount: Int, durably: Bool, into bytes: inout [UInt8]) {
        Self.append("*3\r\n$3\r\nSET\r\n$", value, byteCount: byteCount, to: &bytes)
    }

    /// Redis does not send present values and then changes; the like of that is to ask for all values by name.
    package mutating func watch(channels: Int, into bytes: inout [UInt8]) {
        for first in stride(from: 0, to: channels, by: Self.batch) {
            self.batchesToCome += 1
            bytes += Self.command(["MGET"] + (first..<min(first + Self.batch, channels)).map(Self.key))
        }
    }

    package mutating func read(_ bytes: Span<UInt8>, into arrivals: inout Arrivals) throws -> Int {
        var start = 0
        while start < bytes.count {
            if let end = try Self.readMessage(bytes, at: start, into: &arrivals) {
                start = end
            } else if let end = try bytes.end(ofRESPValueAt: start) {
                try self.read(bytes, start..<end, into: &arrivals)
                start = end
            } else {
                break
            }
        }
        return start
    }

    /// Reads `message`, channel and value; nil if it is something else or has not come as a whole.
    @inline(__always)
    private static func readMessage(_ bytes: Span<UInt8>, at start: Int, into arrivals: inout Arrivals) throws -> Int? {
        guard bytes.count - start >= 17, bytes.word(at: start) == self.messageWords.0,
            bytes.word(at: start + 8) == self.messageWords.1
        else { return nil }
        guard let channelEnd = try bytes.end(ofRESPTextAt: start + 17),
            let end = try bytes.end(ofRESPTextAt: channelEnd)
        else { return nil }
        guard let value = NumberedValue.read(bytes, endingAt: end - 2) else {
            throw ProtocolError.unexpected(bytes.excerpt(start..<end))
        }
        arrivals.list.append(.value(value))
        return end
    }

    private mutating func read(_ bytes: Span<UInt8>, _ value: Range<Int>, into arrivals: inout Arrivals) throws {
        switch bytes[value.lowerBound] {
        case UInt8(ascii: "%") where !self.isOpen: break
        case UInt8(ascii: "+") where !self.isOpen:
            self.isOpen = true
            arrivals.list.append(.opened)
        case UInt8(ascii: ">") where bytes.has("$9\r\nsubscribe", at: value.lowerBound + 4):
            arrivals.list.append(.bound)
        case UInt8(ascii: "+"), UInt8(ascii: ":"): arrivals.list.append(.answered)
        case UInt8(ascii: "*"): try self.readBatch(bytes, value, into: &arrivals)
        default: throw ProtocolError.unexpected(bytes.excerpt(value))
        }
    }

    private mutating func readBatch(_ bytes: Span<UInt8>, _ array: Range<Int>, into arrivals: inout Arrivals) throws {
        var index = (bytes.lineEnd(from: array.lowerBound) ?? array.upperBound) + 2
        while index < array.upperBound, let end = try bytes.end(ofRESPTextAt: index) {
            guard let value = NumberedValue.read(bytes, endingAt: end - 2) else {
                throw ProtocolError.unexpected(bytes.excerpt(index..<end))
            }
            arrivals.list.append(.value(value))
            index = end
        }
        self.batchesToCome -= 1
        if self.batchesToCome == 0 { arrivals.list.append(.synced) }
    }

    private static func key(_ channel: Int) -> String {
        "bench/\(channel)"
    }

    private static func command(_ words: [String]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(text: "*\(words.count)\r\n")
        for word in words { bytes.append(text: "$\(word.utf8.count)\r\n\(word)\r\n") }
        return bytes
    }

    private static func append(
        _ head: StaticString,
        _ value: NumberedValue,
        byteCount: Int,
        to bytes: inout [UInt8]
    ) {
        bytes.append(head)
        bytes.append(decimal: 6 + value.channel.digitCount)
        bytes.append("\r\nbench/")
        bytes.append(decimal: value.channel)
        bytes.append("\r\n$")
        bytes.append(decimal: byteCount)
        bytes.append("\r\n")
        value.append(to: &bytes, byteCount: byteCount)
        bytes.append("\r\n")
    }
}
