import CCrypto
package import NIOHTTP1

/// The way from an HTTP request to a WebSocket.
///
/// Semantics: RFC 6455, section 4.2; protocol.md, "WebSocket".
package enum WebSocketHandshake {
    /// The protocol that both sides speak in text messages.
    package static let subprotocol = "rac.v1"

    private static let guid = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"

    /// The headers of the answer that begins the WebSocket.
    ///
    /// - Throws: ``WebProblem``: the reason why the request begins none.
    package static func answer(to head: HTTPRequestHead) throws(WebProblem) -> HTTPHeaders {
        let headers = head.headers
        guard head.method == .GET, head.version == .http1_1, headers.has("upgrade", "websocket"),
            headers.has("connection", "upgrade")
        else {
            throw WebProblem(.upgradeRequired, "bad-message", "this path is a WebSocket: send Upgrade: websocket")
        }
        guard headers["sec-websocket-version"] == ["13"] else {
            throw WebProblem(.upgradeRequired, "bad-message", "the daemon speaks version 13 of WebSocket")
        }
        guard headers.has("sec-websocket-protocol", Self.subprotocol, ignoringCase: false) else {
            throw WebProblem(.badRequest, "bad-message", "the subprotocol is \(Self.subprotocol): offer it")
        }
        let keys = headers["sec-websocket-key"]
        guard keys.count == 1, let key = keys.first, Self.isKey(key) else {
            throw WebProblem(.badRequest, "bad-message", "Sec-WebSocket-Key is 16 bytes in base64")
        }
        return [
            "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Accept": Self.accept(key),
            "Sec-WebSocket-Protocol": Self.subprotocol,
        ]
    }

    private static func isKey(_ key: String) -> Bool {
        key.utf8.count == 24 && key.hasSuffix("==") && key.utf8.dropLast(2).allSatisfy(Base64.isDigit)
    }

    static func accept(_ key: String) -> String {
        var text = key + Self.guid
        let digest = text.withUTF8 { text in
            [UInt8](unsafeUninitializedCapacity: Int(SHA_DIGEST_LENGTH)) { digest, count in
                _ = SHA1(text.baseAddress, text.count, digest.baseAddress)
                count = Int(SHA_DIGEST_LENGTH)
            }
        }
        return Base64.text(digest)
    }
}

/// Base64 as RFC 4648 has it, with padding.
enum Base64 {
    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    static func isDigit(_ byte: UInt8) -> Bool { self.digits.contains(byte) }

    static func text(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << (8 * (3 - UInt32(group.count)))
            for digit in 0..<4 {
                let isPadding = digit > group.count
                text.append(isPadding ? UInt8(ascii: "=") : self.digits[Int(bits >> (18 - 6 * digit) & 63)])
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
