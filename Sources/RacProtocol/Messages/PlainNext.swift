import NIOCore

extension ServerMessage {
    /// Reads a value for a terminal in the daemon's own spelling; nil leaves the payload to the long way.
    ///
    /// The long way notes the place of every key. Values are most of a client's traffic, and a daemon writes their keys in one
    /// order: `op`, `t`, `rev`, perhaps `cause`, `value`.
    static func plainNext(_ payload: ByteBuffer) -> ServerMessage? {
        let bytes = payload.readableBytesUInt8Span
        var scanner = JSONScanner()
        guard scanner.passes("{\"op\":\"next\",\"t\":", bytes), let terminal = scanner.readPlainCount(bytes),
            scanner.passes(",\"rev\":", bytes), let revision = scanner.readPlainCount(bytes)
        else { return nil }
        var cause: Revision?
        if scanner.passes(",\"cause\":", bytes) {
            guard let number = scanner.readPlainCount(bytes) else { return nil }
            cause = Revision(number)
        }
        guard scanner.passes(",\"value\":", bytes) else { return nil }
        scanner.skipSpace(bytes)
        let start = scanner.position
        guard (try? scanner.skipValue(bytes, inside: 1)) != nil else { return nil }
        let value = JSONText(unchecked: payload, range: start..<scanner.position)
        guard scanner.passes("}", bytes), scanner.position == bytes.count else { return nil }
        let valuation = Valuation(value: value, revision: Revision(revision), cause: cause)
        return .next(TerminalID(terminal), valuation)
    }
}

extension JSONScanner {
    /// Reads a count that does not begin with 0, as the long way takes it.
    fileprivate mutating func readPlainCount(_ bytes: Span<UInt8>) -> UInt64? {
        guard self.position < bytes.count, (UInt8(ascii: "1")...UInt8(ascii: "9")).contains(bytes[self.position]),
            let number = self.readInteger(bytes), number.magnitude < UInt64(Int64.max)
        else { return nil }
        return number.magnitude
    }
}
