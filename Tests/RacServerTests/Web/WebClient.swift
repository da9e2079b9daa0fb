import NIOCore

@testable import RacServer

/// A client of HTTP or of a WebSocket, on an embedded daemon.
struct WebClient {
    let client: EmbeddedClient

    init(client: EmbeddedClient) {
        self.client = client
    }

    init(_ daemon: EmbeddedDaemon, behind transport: [any ChannelHandler] = []) throws {
        self.client = try daemon.client(behind: transport)
    }

    /// An answer as it came.
    struct Answer {
        let text: String

        var status: Int? { Int(self.text.dropFirst("HTTP/1.1 ".count).prefix(3)) }

        var body: String {
            self.text.split(separator: "\r\n\r\n", maxSplits: 1).dropFirst().first.map(String.init) ?? ""
        }

        /// The revision in a JSON answer.
        var revision: Substring? { self.text.firstMatch(of: /\{"rev":(\d+)\}/)?.1 }

        func header(_ name: String) -> String? {
            let head = self.text.split(separator: "\r\n\r\n", maxSplits: 1).first ?? ""
            let line = head.split(separator: "\r\n").first { $0.lowercased().hasPrefix("\(name.lowercased()): ") }
            return line.map { String($0.dropFirst(name.count + 2)) }
        }
    }

    static func request(
        _ line: String,
        _ headers: [String] = [],
        body: String? = nil,
        host: String = "localhost"
    ) -> String {
        let length = body.map { ["Content-Length: \($0.utf8.count)"] } ?? []
        let lines = ["\(line) HTTP/1.1", "Host: \(host)"] + headers + length
        return lines.joined(separator: "\r\n") + "\r\n\r\n" + (body ?? "")
    }

    /// Sends a request and takes everything that comes then.
    func ask(_ line: String, _ headers: [String] = [], body: String? = nil, host: String = "localhost") throws -> Answer
    {
        try self.say(Self.request(line, headers, body: body, host: host))
    }

    @discardableResult
    func say(_ text: String) throws -> Answer {
        try self.client.sayBytes(ByteBuffer(string: text))
        return Answer(text: String(buffer: try self.client.heardBytes()))
    }

    func heard() throws -> String { String(buffer: try self.client.heardBytes()) }

    static let upgrade = [
        "Connection: keep-alive, Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Protocol: other, rac.v1",
    ]

    /// A client of a WebSocket, which has said nothing in it.
    static func webSocket(_ daemon: EmbeddedDaemon) throws -> WebClient {
        let client = try WebClient(daemon)
        let answer = try client.ask("GET /rac", Self.upgrade)
        guard answer.status == 101 else { throw Surprise(what: answer.text) }
        return client
    }
}

// MARK: WebSocket

extension WebClient {
    /// One frame of the client, masked.
    static func frame(_ text: String, first: UInt8 = 0x81) -> ByteBuffer {
        self.frame(bytes: Array(text.utf8), first: first)
    }

    static func frame(bytes payload: [UInt8], first: UInt8) -> ByteBuffer {
        var bytes = ByteBuffer(integer: first)
        if payload.count < 126 {
            bytes.writeInteger(UInt8(payload.count) | 0x80)
        } else if payload.count <= 0xFFFF {
            bytes.writeBytes([0xFE])
            bytes.writeInteger(UInt16(payload.count))
        } else {
            bytes.writeBytes([0xFF])
            bytes.writeInteger(UInt64(payload.count))
        }
        let mask: [UInt8] = [0x11, 0x22, 0x33, 0x44]
        bytes.writeBytes(mask)
        bytes.writeBytes(payload.enumerated().map { $1 ^ mask[$0 % 4] })
        return bytes
    }

    func sayFrames(_ frames: ByteBuffer...) throws {
        var bytes = ByteBuffer()
        for frame in frames { bytes.writeImmutableBuffer(frame) }
        try self.client.sayBytes(bytes)
    }

    /// The texts of the daemon's messages; a control frame is shown as its number and its bytes.
    func heardMessages() throws -> [String] {
        var bytes = try self.client.heardBytes()
        var texts: [String] = []
        while let first = bytes.readInteger(as: UInt8.self), let short = bytes.readInteger(as: UInt8.self) {
            var length = Int(short)
            if short == 126 { length = Int(bytes.readInteger(as: UInt16.self) ?? 0) }
            if short == 127 { length = Int(bytes.readInteger(as: UInt64.self) ?? 0) }
            if first == 0x81 {
                texts.append(bytes.readString(length: length) ?? "cut off")
            } else {
                texts.append("\(first & 0x0F) \(bytes.readBytes(length: length) ?? [])")
            }
        }
        return texts
    }

    /// The end of a WebSocket, as `heardMessages` shows it.
    static func close(_ code: UInt16, _ reason: String = "") -> String {
        "8 \([UInt8(code >> 8), UInt8(code & 0xFF)] + Array(reason.utf8))"
    }

    func ask(message: String) throws -> [String] {
        try self.sayFrames(Self.frame(message))
        return try self.heardMessages()
    }
}
