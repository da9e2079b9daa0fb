/// Another dialect inside WebSocket: each thing that it says is a message.
package struct WebSocketDialect<Inner: Dialect>: Dialect {
    /// Where a server takes WebSockets, and as what.
    package struct Place: Sendable {
        var path: String
        /// Nil if the server knows none.
        var subprotocol: String?
        /// Whether messages are text, each of which is one of the dialect; others are a stream in pieces.
        var isText: Bool

        package static var rac: Self { Self(path: "/rac", subprotocol: "rac.v1", isText: true) }
        package static var mqtt: Self { Self(path: "/mqtt", subprotocol: "mqtt", isText: false) }
        package static var nats: Self { Self(path: "/", subprotocol: nil, isText: false) }
    }

    /// The key of RFC 6455's example, and the proof that the server has read it.
    private static var key: String { "dGhlIHNhbXBsZSBub25jZQ==" }
    private static var proof: StaticString { "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=" }

    private var inner: Inner
    private let place: Place
    private var isOpen = false
    /// The beginning of something of the stream, whose rest comes with another message.
    private var unfinished: [UInt8] = []
    /// The message that is written, before it is masked.
    private var message: [UInt8] = []
    private var masks = Chance(seed: 1)

    package init(_ inner: Inner, at place: Place) {
        self.inner = inner
        self.place = place
    }

    /// Asks for a WebSocket; the other dialect's opening follows when it is there.
    package func opening() -> [UInt8] {
        let subprotocol = self.place.subprotocol.map { "Sec-WebSocket-Protocol: \($0)\r\n" } ?? ""
        return Array(
            """
            GET \(self.place.path) HTTP/1.1\r
            Host: localhost\r
            Upgrade: websocket\r
            Connection: Upgrade\r
            Sec-WebSocket-Version: 13\r
            Sec-WebSocket-Key: \(Self.key)\r
            \(subprotocol)\r\n
            """.utf8
        )
    }

    package mutating func bind(_ channel: Int, as role: Role, into bytes: inout [UInt8]) -> Bool {
        self.say(into: &bytes) { $0.bind(channel, as: role, into: &$1) }
    }

    package mutating func send(_ value: NumberedValue, byteCount: Int, into bytes: inout [UInt8]) {
        self.say(into: &bytes) { $0.send(value, byteCount: byteCount, into: &$1) }
    }

    package mutating func prepareStore(into bytes: inout [UInt8]) -> Bool {
        self.say(into: &bytes) { $0.prepareStore(into: &$1) }
    }

    package mutating func store(_ value: NumberedValue, byteCount: Int, durably: Bool, into bytes: inout [UInt8]) {
        self.say(into: &bytes) { $0.store(value, byteCount: byteCount, durably: durably, into: &$1) }
    }

    package mutating func watch(channels: Int, into bytes: inout [UInt8]) {
        self.say(into: &bytes) { $0.watch(channels: channels, into: &$1) }
    }

    package mutating func read(_ bytes: Span<UInt8>, into arrivals: inout Arrivals) throws -> Int {
        var start = 0
        if !self.isOpen {
            guard let end = bytes.headEnd(from: 0) else { return 0 }
            let head = bytes.extracting(0..<end)
            guard head.has("HTTP/1.1 101", at: 0), head.firstIndex(of: Self.proof, in: 0..<end) != nil else {
                throw ProtocolError.unexpected(head)
            }
            self.isOpen = true
            self.say(into: &arrivals.answer) { $1 += $0.opening() }
            start = end
        }
        while let payload = try WebSocketFrame.payload(bytes, at: start) {
            try self.read(bytes, head: bytes[start], payload, into: &arrivals)
            start = payload.upperBound
        }
        return start
    }

    @inline(__always)
    private mutating func read(
        _ bytes: Span<UInt8>,
        head: UInt8,
        _ payload: Range<Int>,
        into arrivals: inout Arrivals
    ) throws {
        let message = bytes.extracting(payload)
        switch head {
        case WebSocketFrame.final | WebSocketFrame.text where self.place.isText:
            _ = try self.pass(message, into: &arrivals)
        case _ where !self.place.isText && head & ~WebSocketFrame.final <= WebSocketFrame.binary:
            try self.goOn(message, into: &arrivals)
        case WebSocketFrame.final | WebSocketFrame.ping:
            WebSocketFrame.append(message.array, WebSocketFrame.pong, mask: self.nextMask(), to: &arrivals.answer)
        default:
            let text = message.excerpt(0..<message.count)
            throw ProtocolError.unexpected("a frame that begins with \(head): \(text)")
        }
    }

    /// Reads a piece of a stream.
    @inline(__always)
    private mutating func goOn(_ piece: Span<UInt8>, into arrivals: inout Arrivals) throws {
        guard !self.unfinished.isEmpty else {
            let used = try self.pass(piece, into: &arrivals)
            self.unfinished = piece.extracting(used...).array
            return
        }
        let stream = self.unfinished + piece.array
        let used = try self.pass(stream.span, into: &arrivals)
        self.unfinished = Array(stream[used...])
    }

    /// The other dialect reads, and its answer becomes a message.
    @inline(__always)
    private mutating func pass(_ bytes: Span<UInt8>, into arrivals: inout Arrivals) throws -> Int {
        let before = arrivals.answer.count
        let used = try self.inner.read(bytes, into: &arrivals)
        if arrivals.answer.count > before {
            let answer = Array(arrivals.answer[before...])
            arrivals.answer.removeSubrange(before...)
            self.say(into: &arrivals.answer) { $1 += answer }
        }
        return used
    }

    /// Makes a message of what the other dialect writes; nothing becomes none.
    @inline(__always)
    private mutating func say<R>(into bytes: inout [UInt8], _ write: (inout Inner, inout [UInt8]) -> R) -> R {
        self.message.removeAll(keepingCapacity: true)
        let result = write(&self.inner, &self.message)
        if !self.message.isEmpty {
            let opcode = self.place.isText ? WebSocketFrame.text : WebSocketFrame.binary
            WebSocketFrame.append(self.message, opcode, mask: self.nextMask(), to: &bytes)
        }
        return result
    }

    private mutating func nextMask() -> UInt32 {
        UInt32(self.masks.next(below: 1 << 32))
    }
}
