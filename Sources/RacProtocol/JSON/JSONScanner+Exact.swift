extension JSONScanner {
    /// Passes exactly this text; returns whether it was there.
    @inline(__always)
    mutating func accept(text: StaticString, _ bytes: Span<UInt8>) -> Bool {
        let start = self.position
        let count = text.utf8CodeUnitCount
        guard start + count <= bytes.count, bytes.bytes.has(UnsafeRawPointer(text.utf8Start), count, at: start) else {
            return false
        }
        self.move(to: start + count)
        return true
    }

    /// Passes the digits of an integer that fits.
    mutating func acceptCount(_ bytes: Span<UInt8>) -> UInt64? {
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
    mutating func acceptValue(_ bytes: Span<UInt8>, inside depth: Int) -> Range<Int>? {
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
