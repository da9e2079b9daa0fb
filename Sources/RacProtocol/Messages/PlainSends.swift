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
    private let overhead: Int
    private var pending: (send: PlainSend, payload: Range<Int>)?

    /// The offset behind the taken sends.
    package private(set) var end = 0

    /// The bytes that the taken sends count for: the length of their payloads, with the overhead of each.
    package private(set) var countedBytes = 0

    /// - Parameters:
    ///   - buffer: The received bytes, beginning with a frame; the bytes of every step are its readable ones.
    ///   - longestPayload: The longest payload that the daemon takes.
    ///   - limit: The bytes that may be taken, as ``countedBytes`` counts; the last send may exceed them.
    ///   - overhead: The bytes that each send counts for in addition to its payload.
    package init(of buffer: ByteBuffer, longestPayload: Int, limit: Int, overhead: Int = 0) {
        self.buffer = buffer
        self.longestPayload = longestPayload
        self.limit = limit
        self.overhead = overhead
    }

    /// The next send, if it is complete and may be taken.
    package mutating func next(in bytes: Span<UInt8>) -> PlainSend? {
        if let pending { return pending.send }
        guard self.countedBytes < self.limit,
            let payload = FrameReader.plainPayload(in: bytes, at: self.end, maximumBytes: self.longestPayload),
            let send = PlainSend(payload: bytes.extracting(payload), at: payload.lowerBound)
        else { return nil }
        self.pending = (send, payload)
        return send
    }

    /// Takes the send that `next` returned.
    package mutating func take() {
        guard let pending else { return }
        self.end = pending.payload.upperBound
        self.countedBytes += pending.payload.count + self.overhead
        self.pending = nil
    }

    /// The value of a send.
    package func value(of send: PlainSend) -> JSONText { JSONText(unchecked: self.buffer, range: send.value) }

    /// A send as a message.
    package func message(of send: PlainSend) -> Send { Send(send, in: self.buffer) }
}
