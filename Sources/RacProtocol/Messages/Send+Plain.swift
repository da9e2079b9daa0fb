package import NIOCore

extension Send {
    /// Reads what a daemon is told most, a value for a terminal, if it is written as by our own clients: these keys in this
    /// order, no space between, nothing else.
    ///
    /// Nil says nothing: ``ClientMessage`` reads the same and everything else, and takes more than four times as long.
    package init?(plain payload: ByteBuffer) {
        let bytes = payload.readableBytesUInt8Span
        var scanner = JSONScanner()
        guard scanner.accept(text: #"{"op":"next","t":"#, bytes), let terminal = scanner.acceptCount(bytes),
            scanner.accept(text: #","n":"#, bytes), let number = scanner.acceptCount(bytes), number > 0,
            scanner.accept(text: #","value":"#, bytes), let value = scanner.acceptValue(bytes, inside: 1),
            scanner.accept(text: "}", bytes), scanner.position == bytes.count
        else { return nil }
        self.init(
            terminal: TerminalID(terminal),
            number: SendNumber(number),
            event: .next(JSONText(unchecked: payload, range: value), condition: nil, cause: nil),
            sync: false
        )
    }
}

extension JSONScanner {
    /// Passes exactly this text if it stands here; says whether it did.
    fileprivate mutating func accept(text: StaticString, _ bytes: Span<UInt8>) -> Bool {
        let start = self.position
        let count = text.utf8CodeUnitCount
        guard start + count <= bytes.count else { return false }
        let expected = UnsafeRawPointer(text.utf8Start)
        var offset = 0
        while offset + 8 <= count {
            let word = bytes.bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: start + offset, as: UInt64.self)
            guard word == expected.loadUnaligned(fromByteOffset: offset, as: UInt64.self) else { return false }
            offset += 8
        }
        while offset < count {
            guard bytes[start + offset] == text.utf8Start[offset] else { return false }
            offset += 1
        }
        self.move(to: start + count)
        return true
    }

    /// Passes the digits of a number that is no fraction and fits well.
    fileprivate mutating func acceptCount(_ bytes: Span<UInt8>) -> UInt64? {
        let start = self.position
        var end = start
        var count: UInt64 = 0
        while end < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[end]) {
            count = count &* 10 &+ UInt64(bytes[end] &- UInt8(ascii: "0"))
            end += 1
        }
        let isUsual = end == start + 1 || (end > start && end <= start + 18 && bytes[start] != UInt8(ascii: "0"))
        guard isUsual else { return nil }
        self.move(to: end)
        return count
    }

    /// Passes a value that begins right here; tells where it stands.
    fileprivate mutating func acceptValue(_ bytes: Span<UInt8>, inside depth: Int) -> Range<Int>? {
        let start = self.position
        guard start < bytes.count, !Self.isSpace(bytes[start]),
            (try? self.skipValue(bytes, inside: depth)) != nil
        else { return nil }
        return start..<self.position
    }
}
