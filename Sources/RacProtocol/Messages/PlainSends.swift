package import NIOCore

/// The message that a daemon gets most: a value for a terminal, written as our own clients write it.
///
/// The keys stand in this order, with or without `sync`, without space between them and without other keys.
package struct PlainSend: Sendable {
    package let terminal: TerminalID
    package let number: SendNumber
    /// Whether the acknowledgement waits for the disk.
    package let sync: Bool
    /// The range of the value in the bytes that were read.
    package let value: Range<Int>

    /// Nil is no error: ``ClientMessage`` reads every message, and takes more than four times as long for this one.
    init?(payload: Span<UInt8>, at offset: Int = 0) {
        var scanner = JSONScanner()
        guard scanner.accept(text: #"{"op":"next","t":"#, payload), let terminal = scanner.acceptCount(payload),
            scanner.accept(text: #","n":"#, payload), let number = scanner.acceptCount(payload), number > 0
        else { return nil }
        let sync = scanner.accept(text: #","sync":true"#, payload)
        guard scanner.accept(text: #","value":"#, payload), let value = scanner.acceptValue(payload, inside: 1),
            scanner.accept(text: "}", payload), scanner.position == payload.count
        else { return nil }
        self.terminal = TerminalID(terminal)
        self.number = SendNumber(number)
        self.sync = sync
        self.value = offset + value.lowerBound..<offset + value.upperBound
    }
}

extension Send {
    fileprivate init(_ plain: PlainSend, in bytes: ByteBuffer) {
        self.init(
            terminal: plain.terminal,
            number: plain.number,
            event: .next(JSONText(unchecked: bytes, range: plain.value), condition: nil, cause: nil),
            sync: plain.sync
        )
    }

    /// Reads a frame's payload; nil if it is no plain send.
    package init?(plain payload: ByteBuffer) {
        guard let plain = PlainSend(payload: payload.readableBytesUInt8Span) else { return nil }
        self.init(plain, in: payload)
    }
}

/// The plain sends in a row in a connection's received bytes, each in a frame that is not compressed.
///
/// They are read in place, so that of a burst only the last value becomes an object. The first other frame ends the row
/// without an error: ``FrameReader`` goes on there. Every step takes the bytes, because finding them again in the
/// buffer is not free.
package struct PlainSends: ~Copyable {
    private let buffer: ByteBuffer
    private let longestPayload: Int
    private let limit: Int
    private var pending: (send: PlainSend, payload: Range<Int>)?

    /// The offset behind the taken sends.
    package private(set) var end = 0

    /// The length of the taken payloads.
    package private(set) var payloadBytes = 0

    /// - Parameters:
    ///   - buffer: The received bytes, beginning with a frame; the bytes of every step are its readable ones.
    ///   - longestPayload: The longest payload that the daemon takes.
    ///   - limit: The bytes of payloads that may be taken; the last payload may exceed them.
    package init(of buffer: ByteBuffer, longestPayload: Int, limit: Int) {
        self.buffer = buffer
        self.longestPayload = longestPayload
        self.limit = limit
    }

    /// The next send, if it is complete and may be taken.
    package mutating func next(in bytes: Span<UInt8>) -> PlainSend? {
        if let pending { return pending.send }
        guard self.payloadBytes < self.limit, let payload = self.nextPayload(in: bytes),
            let send = PlainSend(payload: bytes.extracting(payload), at: payload.lowerBound)
        else { return nil }
        self.pending = (send, payload)
        return send
    }

    /// Takes the send that `next` returned.
    package mutating func take() {
        guard let pending else { return }
        self.end = pending.payload.upperBound
        self.payloadBytes += pending.payload.count
        self.pending = nil
    }

    /// The value of a send.
    package func value(of send: PlainSend) -> JSONText { JSONText(unchecked: self.buffer, range: send.value) }

    /// A send as a message.
    package func message(of send: PlainSend) -> Send { Send(send, in: self.buffer) }

    private func nextPayload(in bytes: Span<UInt8>) -> Range<Int>? {
        let start = self.end + FrameHeader.byteCount
        guard start <= bytes.count else { return nil }
        let header = bytes.bytes.unsafeLoadUnaligned(fromByteOffset: self.end, as: UInt32.self)
        // The highest bit marks a compressed frame; as a length it exceeds every limit.
        let length = Int(UInt32(bigEndian: header))
        guard length <= self.longestPayload, length <= bytes.count - start else { return nil }
        return start..<start + length
    }
}

extension JSONScanner {
    /// Passes exactly this text; returns whether it was there.
    @inline(__always)
    fileprivate mutating func accept(text: StaticString, _ bytes: Span<UInt8>) -> Bool {
        let start = self.position
        let count = text.utf8CodeUnitCount
        guard start + count <= bytes.count, bytes.bytes.has(UnsafeRawPointer(text.utf8Start), count, at: start) else {
            return false
        }
        self.move(to: start + count)
        return true
    }

    /// Passes the digits of an integer that fits.
    fileprivate mutating func acceptCount(_ bytes: Span<UInt8>) -> UInt64? {
        let start = self.position
        var end = start
        var count: UInt64 = 0
        while end < bytes.count {
            let digit = bytes[unchecked: end] &- UInt8(ascii: "0")
            guard digit < 10 else { break }
            count = count &* 10 &+ UInt64(digit)
            end += 1
        }
        let isUsual = end == start + 1 || (end > start && end <= start + 18 && bytes[start] != UInt8(ascii: "0"))
        guard isUsual else { return nil }
        self.move(to: end)
        return count
    }

    /// Passes a value that begins at the position; returns its range.
    fileprivate mutating func acceptValue(_ bytes: Span<UInt8>, inside depth: Int) -> Range<Int>? {
        let start = self.position
        guard start < bytes.count, !Self.isSpace(bytes[start]),
            (try? self.skipValue(bytes, inside: depth)) != nil
        else { return nil }
        return start..<self.position
    }
}

extension RawSpan {
    /// Whether these bytes stand at an offset, compared in words that overlap; the loop unrolls when inlined.
    @inline(__always)
    fileprivate func has(_ expected: UnsafeRawPointer, _ count: Int, at offset: Int) -> Bool {
        var compared = 0
        while compared + 8 <= count {
            guard self.word(at: offset + compared) == expected.loadUnaligned(fromByteOffset: compared, as: UInt64.self)
            else { return false }
            compared += 8
        }
        guard compared < count, count > 8 else { return self.hasBytes(expected, compared..<count, at: offset) }
        return self.word(at: offset + count - 8) == expected.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
    }

    @inline(__always)
    private func hasBytes(_ expected: UnsafeRawPointer, _ range: Range<Int>, at offset: Int) -> Bool {
        for index in range {
            let byte = self.unsafeLoad(fromUncheckedByteOffset: offset + index, as: UInt8.self)
            guard byte == expected.load(fromByteOffset: index, as: UInt8.self) else { return false }
        }
        return true
    }

    @inline(__always)
    private func word(at offset: Int) -> UInt64 {
        self.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self)
    }
}
