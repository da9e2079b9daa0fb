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
    package var whole: ByteBuffer {
        guard !self.long.isEmpty else { return self.short }
        var whole = ByteBuffer()
        whole.reserveCapacity(self.count)
        for piece in self.pieces {
            switch piece {
            case .short(let text): whole.writeImmutableBuffer(text)
            case .long(let value): whole.writeImmutableBuffer(value.bytes)
            }
        }
        return whole
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
}
