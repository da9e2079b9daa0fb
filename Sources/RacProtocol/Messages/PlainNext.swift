package import NIOCore

/// A value for a terminal in the daemon's own spelling: the keys `op`, `t`, `rev`, perhaps `cause`, `value` in this order.
///
/// Values are most of a client's traffic. The long way, ``ServerMessage``, notes the place of every key, and its result is as
/// large as the largest message.
package struct PlainNext {
    package let terminal: TerminalID
    package let valuation: Valuation

    /// Reads a payload; nil leaves it to the long way.
    package init?(_ payload: ByteBuffer) {
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
        self.terminal = TerminalID(terminal)
        self.valuation = Valuation(value: value, revision: Revision(revision), cause: cause)
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
