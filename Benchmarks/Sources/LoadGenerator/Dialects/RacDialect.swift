/// rac, as protocol.md has it.
///
/// A writer is bound as leading, a reader as following.
package struct RacDialect: Dialect {
    /// A terminal that this connection is bound to, and how many sends it has taken.
    private struct Terminal {
        var number: Int
        var sends: Int
    }

    /// `":"next"`, where it stands in `{"op":"next"`.
    private static let next = "\":\"next\"".utf8.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }

    private let credentials: Credentials?
    /// Whether each message has its length before it; WebSocket has messages of its own.
    private let isFramed: Bool
    private var terminals: [Int: Terminal] = [:]
    private var lastID = 0
    /// Whether acknowledgements are answers: each is to the one send of its terminal that is under way.
    private var awaitsAcks = false

    package init(_ credentials: Credentials? = nil, isFramed: Bool = true) {
        self.credentials = credentials
        self.isFramed = isFramed
    }

    package func opening() -> [UInt8] {
        let token = self.credentials.map { #","token":"\#($0.secret)""# } ?? ""
        return self.message(#"{"op":"hello","version":1,"agent":"compare/1"\#(token)}"#)
    }

    package mutating func bind(_ channel: Int, as role: Role, into bytes: inout [UInt8]) -> Bool {
        let side = role == .writer ? "leading" : "following"
        // The reply has the id and not the channel.
        bytes += self.message(#"{"op":"bind","id":\#(channel),"channel":"bench/\#(channel)","role":"\#(side)"}"#)
        return true
    }

    package mutating func send(_ value: NumberedValue, byteCount: Int, into bytes: inout [UInt8]) {
        guard let place = self.terminals.index(forKey: value.channel) else {
            preconditionFailure("bind before you send")
        }
        self.send(value, to: place, byteCount: byteCount, sync: false, into: &bytes)
    }

    private mutating func send(
        _ value: NumberedValue,
        to place: [Int: Terminal].Index,
        byteCount: Int,
        sync: Bool,
        into bytes: inout [UInt8]
    ) {
        self.terminals.values[place].sends += 1
        let terminal = self.terminals.values[place]
        FrameWriter.append(value, byteCount: byteCount, isFramed: self.isFramed, to: &bytes) { bytes in
            bytes.append(#"{"op":"next","t":"#)
            bytes.append(decimal: terminal.number)
            bytes.append(#","n":"#)
            bytes.append(decimal: terminal.sends)
            bytes.append(sync ? #","sync":true,"value":"# : #","value":"#)
        }
    }

    package func prepareStore(into bytes: inout [UInt8]) -> Bool {
        false
    }

    package mutating func store(_ value: NumberedValue, byteCount: Int, durably: Bool, into bytes: inout [UInt8]) {
        if durably, let place = self.terminals.index(forKey: value.channel) {
            self.awaitsAcks = true
            return self.send(value, to: place, byteCount: byteCount, sync: true, into: &bytes)
        }
        self.lastID += 1
        FrameWriter.append(value, byteCount: byteCount, isFramed: self.isFramed, to: &bytes) { bytes in
            bytes.append(#"{"op":"set","id":"#)
            bytes.append(decimal: self.lastID)
            bytes.append(#","channel":"bench/"#)
            bytes.append(decimal: value.channel)
            bytes.append(durably ? #"","sync":true,"value":"# : #"","value":"#)
        }
    }

    package func watch(channels: Int, into bytes: inout [UInt8]) {
        bytes += self.message(#"{"op":"watch","id":1,"pattern":"**"}"#)
    }

    package mutating func read(_ bytes: Span<UInt8>, into arrivals: inout Arrivals) throws -> Int {
        guard self.isFramed else {
            try self.read(bytes, 0..<bytes.count, into: &arrivals)
            return bytes.count
        }
        var start = 0
        while let payload = try FrameReader.payload(bytes, at: start) {
            try self.read(bytes, payload, into: &arrivals)
            start = payload.upperBound
        }
        return start
    }

    @inline(__always)
    private mutating func read(_ bytes: Span<UInt8>, _ payload: Range<Int>, into arrivals: inout Arrivals) throws {
        if payload.count >= 40, bytes.word(at: payload.lowerBound + 4) == Self.next,
            let value = NumberedValue.read(bytes, endingAt: payload.upperBound - 1)
        {
            arrivals.list.append(.value(value))
        } else {
            try self.read(message: bytes.extracting(payload), into: &arrivals)
        }
    }

    private mutating func read(message: Span<UInt8>, into arrivals: inout Arrivals) throws {
        switch message.string("op") {
        case "welcome": arrivals.list.append(.opened)
        case "reply": self.replied(message, into: &arrivals)
        case "changed":
            // The daemon's own channels have other values. Behind a value may stand who wrote it.
            guard let end = message.end(ofString: "value"), let value = NumberedValue.read(message, endingAt: end)
            else { return }
            arrivals.list.append(.value(value))
        case "synced": arrivals.list.append(.synced)
        case "ping": arrivals.answer += self.message(#"{"op":"pong"}"#)
        case "ack": if self.awaitsAcks { arrivals.list.append(.answered) }
        default: throw ProtocolError.unexpected(message)
        }
    }

    private mutating func replied(_ message: Span<UInt8>, into arrivals: inout Arrivals) {
        if let terminal = message.number("t"), let channel = message.number("id") {
            self.terminals[channel] = Terminal(number: terminal, sends: message.number("n") ?? 0)
            arrivals.list.append(.bound)
        } else if message.number("w") == nil {
            arrivals.list.append(.answered)
        }
    }

    private func message(_ payload: String) -> [UInt8] {
        var bytes: [UInt8] = []
        FrameWriter.append(payload, isFramed: self.isFramed, to: &bytes)
        return bytes
    }
}
