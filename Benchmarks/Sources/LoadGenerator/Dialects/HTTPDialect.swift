import FoundationEssentials

/// HTTP/1.1 with one request under way on a connection that is kept: a channel's value is asked for, or stored.
package struct HTTPDialect: Dialect {
    /// The requests that a server takes.
    package enum Interface: Sendable {
        /// racd: `/v1/channels/NAME`.
        case rac
        /// webdis: a command of Redis in the path, with its last argument as the body.
        case webdis
        /// etcd's gateway: JSON, in which keys and values have base64.
        case etcd
    }

    private enum Request {
        /// Any answer will do that shows whether there is such a value.
        case opening
        case get
        case put
    }

    private let interface: Interface
    private var request = Request.opening

    package init(_ interface: Interface) {
        self.interface = interface
    }

    package func opening() -> [UInt8] {
        var bytes: [UInt8] = []
        self.appendGet(0, to: &bytes)
        return bytes
    }

    package func bind(_ channel: Int, as role: Role, into bytes: inout [UInt8]) -> Bool {
        false
    }

    package func send(_ value: NumberedValue, byteCount: Int, into bytes: inout [UInt8]) {
        preconditionFailure("requests pass nothing on")
    }

    package func prepareStore(into bytes: inout [UInt8]) -> Bool {
        false
    }

    package mutating func store(_ value: NumberedValue, byteCount: Int, durably: Bool, into bytes: inout [UInt8]) {
        self.request = .put
        var text: [UInt8] = []
        value.append(to: &text, byteCount: byteCount)
        switch self.interface {
        case .rac:
            bytes.append("PUT /v1/channels/bench/")
            bytes.append(decimal: value.channel)
        case .webdis:
            bytes.append("PUT /SET/bench:")
            bytes.append(decimal: value.channel)
        case .etcd:
            bytes.append("POST /v3/kv/put")
            let (key, value) = (Self.key(value.channel), Data(text).base64EncodedString())
            text = Array(#"{"key":"\#(key)","value":"\#(value)"}"#.utf8)
        }
        Self.append(body: text, to: &bytes)
    }

    package mutating func ask(for channel: Int, into bytes: inout [UInt8]) {
        self.request = .get
        self.appendGet(channel, to: &bytes)
    }

    package func watch(channels: Int, into bytes: inout [UInt8]) {
        preconditionFailure("requests pass nothing on")
    }

    package func read(_ bytes: Span<UInt8>, into arrivals: inout Arrivals) throws -> Int {
        guard let head = bytes.headEnd(from: 0) else { return 0 }
        let end = head + Self.bodyCount(bytes, head: head)
        guard end <= bytes.count else { return 0 }
        switch (self.request, bytes.decimal(9..<12)) {
        case (.opening, 200), (.opening, 204), (.opening, 404): arrivals.list.append(.opened)
        case (.put, 200): arrivals.list.append(.answered)
        case (.get, 200):
            guard let value = self.value(bytes, head..<end) else { fallthrough }
            arrivals.list.append(.value(value))
        default: throw ProtocolError.unexpected(bytes.extracting(0..<end))
        }
        return end
    }

    private func appendGet(_ channel: Int, to bytes: inout [UInt8]) {
        switch self.interface {
        case .rac:
            bytes.append("GET /v1/channels/bench/")
            bytes.append(decimal: channel)
            bytes.append(Self.headers)
            bytes.append("\r\n")
        case .webdis:
            // As text it comes as it was stored, without JSON around it.
            bytes.append("GET /GET/bench:")
            bytes.append(decimal: channel)
            bytes.append(".txt")
            bytes.append(Self.headers)
            bytes.append("\r\n")
        case .etcd:
            bytes.append("POST /v3/kv/range")
            Self.append(body: Array(#"{"key":"\#(Self.key(channel))"}"#.utf8), to: &bytes)
        }
    }

    private func value(_ bytes: Span<UInt8>, _ body: Range<Int>) -> NumberedValue? {
        guard self.interface == .etcd else { return NumberedValue.read(bytes, endingAt: body.upperBound) }
        let name: StaticString = #""value":""#
        guard let field = bytes.firstIndex(of: name, in: body) else { return nil }
        let start = field + name.utf8CodeUnitCount
        guard let end = bytes.firstIndex(of: "\"", in: start..<body.upperBound) else { return nil }
        guard let text = Data(base64Encoded: bytes.text(start..<end)) else { return nil }
        return NumberedValue.read(Array(text).span, endingAt: text.count)
    }

    private static let headers: StaticString = " HTTP/1.1\r\nHost: localhost\r\n"

    private static func append(body: [UInt8], to bytes: inout [UInt8]) {
        bytes.append(Self.headers)
        bytes.append("Content-Length: ")
        bytes.append(decimal: body.count)
        bytes.append("\r\n\r\n")
        bytes += body
    }

    private static func key(_ channel: Int) -> String {
        Data("bench/\(channel)".utf8).base64EncodedString()
    }

    /// The number in `Content-Length`; without it there is no body.
    private static func bodyCount(_ bytes: Span<UInt8>, head: Int) -> Int {
        var line = 0
        while line < head, let end = bytes.lineEnd(from: line) {
            if bytes.has("Content-Length: ", at: line) { return bytes.decimal(line + 16..<end) ?? 0 }
            line = end + 2
        }
        return 0
    }
}
