package import NIOCore

/// A text whose long values are not copied: they stand beside it, each with its place.
package struct SplitText: Sendable {
    /// The text without the long values.
    package private(set) var short: ByteBuffer
    /// The long values in the order of their places: the numbers of bytes of `short` before them.
    package private(set) var long: [(place: Int, value: JSONText)] = []

    package init(_ short: ByteBuffer = ByteBuffer(), long: [(place: Int, value: JSONText)] = []) {
        self.short = short
        self.long = long
    }

    package init(_ text: String) {
        self.short = ByteBuffer(string: text)
    }

    package init(_ value: JSONText) {
        guard value.byteCount < FrameBytes.longBytes else {
            self.short = ByteBuffer()
            self.long = [(0, value)]
            return
        }
        self.short = value.bytes
    }

    /// The length of the whole text.
    package var count: Int { self.long.reduce(self.short.readableBytes) { $0 + $1.value.byteCount } }

    /// The whole text, which is a copy if it has long values.
    package var whole: ByteBuffer { self.joined(\.bytes) }

    /// The text with `null` in the place of each long value.
    package var outline: ByteBuffer { self.joined { _ in ByteBuffer(string: "null") } }

    private func joined(_ bytes: (JSONText) -> ByteBuffer) -> ByteBuffer {
        guard !self.long.isEmpty else { return self.short }
        var joined = ByteBuffer()
        joined.reserveCapacity(self.long.reduce(self.short.readableBytes) { $0 + bytes($1.value).readableBytes })
        for piece in self.pieces {
            switch piece {
            case .short(let text): joined.writeImmutableBuffer(text)
            case .long(let value): joined.writeImmutableBuffer(bytes(value))
            }
        }
        return joined
    }
}

extension SplitText {
    /// A part of the text.
    package enum Piece: Sendable {
        case short(ByteBuffer)
        case long(JSONText)
    }

    /// The parts in their order.
    package var pieces: [Piece] {
        var pieces: [Piece] = []
        var rest = self.short
        var start = 0
        for (place, value) in self.long {
            if place > start, let text = rest.readSlice(length: place - start) { pieces.append(.short(text)) }
            pieces.append(.long(value))
            start = place
        }
        if rest.readableBytes > 0 { pieces.append(.short(rest)) }
        return pieces
    }

    package mutating func append(_ text: String) {
        self.short.writeString(text)
    }

    package mutating func append(_ text: ByteBuffer) {
        self.short.writeImmutableBuffer(text)
    }

    fileprivate mutating func append(_ bytes: UnsafeRawBufferPointer) {
        self.short.writeBytes(bytes)
    }

    package mutating func append(_ value: JSONText) {
        guard value.byteCount >= FrameBytes.longBytes else {
            return value.withBytes { _ = self.short.writeBytes($0) }
        }
        self.long.append((self.short.readableBytes, value))
    }

    package mutating func append(_ other: SplitText) {
        let start = self.short.readableBytes
        self.append(other.short)
        self.long += other.long.map { (start + $0.place, $0.value) }
    }

    /// The text behind its first bytes, which have no long value among them.
    package func dropFirst(_ count: Int) -> SplitText {
        var rest = self
        rest.short.moveReaderIndex(forwardBy: count)
        rest.long = self.long.map { ($0.place - count, $0.value) }
        return rest
    }
}

extension FrameBytes {
    /// Takes a text that is not of frames.
    package init(_ text: SplitText) {
        self.init()
        self.append(text)
    }

    /// Appends a text, whose long values are referred to.
    package mutating func append(_ text: SplitText) {
        for piece in text.pieces {
            switch piece {
            case .short(let text): text.withUnsafeReadableBytes { self.append($0) }
            case .long(let value): self.append(long: value)
            }
        }
    }

    /// The payloads of these whole frames, in order.
    package var payloads: [SplitText] {
        var reader = PayloadReader()
        self.forEachPart { bytes, value in
            if let value { reader.take(value) } else { reader.take(bytes) }
        }
        return reader.payloads
    }
}

/// Finds the payloads in the pieces of frames.
private struct PayloadReader {
    var payloads: [SplitText] = []
    private var payload = SplitText()
    /// The bytes of the present payload that have yet to come.
    private var left = 0

    mutating func take(_ value: JSONText) {
        self.payload.append(value)
        self.took(value.byteCount)
    }

    mutating func take(_ bytes: UnsafeRawBufferPointer) {
        var start = 0
        while start < bytes.count {
            if self.left == 0 {
                let word = UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: start, as: UInt32.self))
                self.left = Int(word & FrameHeader.lengthMask)
                start += FrameHeader.byteCount
            }
            let part = UnsafeRawBufferPointer(rebasing: bytes[start..<min(start + self.left, bytes.count)])
            self.payload.append(part)
            start += part.count
            self.took(part.count)
        }
    }

    private mutating func took(_ bytes: Int) {
        self.left -= bytes
        guard self.left == 0 else { return }
        self.payloads.append(self.payload)
        self.payload = SplitText()
    }
}
