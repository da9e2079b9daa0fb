package import NIOCore

/// A value for a terminal in the daemon's own spelling: the keys `op`, `t`, `rev`, perhaps `cause`, `value` in this order.
///
/// Values are most of a client's traffic. The long way, ``ServerMessage``, notes the place of every key, and its result is as
/// large as the largest message.
package struct PlainNext: ~Copyable {
    package let terminal: TerminalID
    package let valuation: Valuation

    /// Reads a payload; nil leaves it to the long way.
    package init?(_ payload: ByteBuffer) {
        self.init(payload.readableBytesUInt8Span, of: payload, at: 0)
    }

    /// Reads a payload that begins at an offset of a buffer's readable bytes; nil leaves it to the long way.
    package init?(_ payload: Span<UInt8>, of buffer: ByteBuffer, at offset: Int) {
        var scanner = JSONScanner()
        guard scanner.accept(text: #"{"op":"next","t":"#, payload), let terminal = scanner.acceptCount(payload),
            scanner.accept(text: #","rev":"#, payload), let revision = scanner.acceptCount(payload)
        else { return nil }
        var cause: Revision?
        if scanner.accept(text: #","cause":"#, payload) {
            guard let number = scanner.acceptCount(payload) else { return nil }
            cause = Revision(number)
        }
        guard scanner.accept(text: #","value":"#, payload), let value = scanner.acceptValue(payload, inside: 1),
            scanner.accept(text: "}", payload), scanner.position == payload.count
        else { return nil }
        let place = offset + value.lowerBound..<offset + value.upperBound
        self.terminal = TerminalID(terminal)
        self.valuation = Valuation(
            value: JSONText(unchecked: buffer, range: place),
            revision: Revision(revision),
            cause: cause
        )
    }
}
