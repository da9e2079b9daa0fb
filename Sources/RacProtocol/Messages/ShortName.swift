/// A word of at most 16 bytes as two integers, so that keys and operations compare in a few instructions.
struct ShortName: Equatable, Sendable {
    let low: UInt64
    let high: UInt64
    let count: Int

    static let maximumBytes = 16

    /// Nil if the word is longer than every word of the protocol.
    init?(_ bytes: Span<UInt8>, _ range: Range<Int>) {
        guard range.count <= Self.maximumBytes else { return nil }
        var low: UInt64 = 0
        var high: UInt64 = 0
        for offset in 0..<range.count {
            let byte = UInt64(bytes[range.lowerBound + offset])
            if offset < 8 { low |= byte << (8 * offset) } else { high |= byte << (8 * (offset - 8)) }
        }
        (self.low, self.high, self.count) = (low, high, range.count)
    }

    init?(_ word: String) {
        let bytes = Array(word.utf8)
        self.init(bytes.span, 0..<bytes.count)
    }

    /// A word of the protocol, which is short enough.
    init(word: String) {
        guard let name = ShortName(word) else {
            preconditionFailure("\(word) has more than \(Self.maximumBytes) bytes")
        }
        self = name
    }

    private init(low: UInt64, high: UInt64, count: Int) {
        (self.low, self.high, self.count) = (low, high, count)
    }

    /// The word without its first byte.
    var dropFirst: ShortName {
        ShortName(low: self.low >> 8 | self.high << 56, high: self.high >> 8, count: self.count - 1)
    }

    /// Writes the word, followed by zeros up to `maximumBytes`; returns the word's length.
    func write(to target: UnsafeMutableRawBufferPointer) -> Int {
        target.storeBytes(of: self.low.littleEndian, as: UInt64.self)
        target.storeBytes(of: self.high.littleEndian, toByteOffset: 8, as: UInt64.self)
        return self.count
    }

    var bucket: Int {
        Int(truncatingIfNeeded: ((self.low ^ self.high &* 31) &* 0x9E37_79B9_7F4A_7C15) >> 56)
    }
}

/// Finds the protocol's word for some bytes, without making a string of them.
struct WordTable<Word: Sendable>: Sendable {
    private let slots: [(name: ShortName, word: Word)?]

    init(_ words: [Word], text: (Word) -> String) {
        var slots: [(name: ShortName, word: Word)?] = Array(repeating: nil, count: 256)
        for word in words {
            let name = ShortName(word: text(word))
            var index = name.bucket
            while slots[index] != nil { index = (index + 1) % slots.count }
            slots[index] = (name, word)
        }
        self.slots = slots
    }

    func word(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Word? {
        ShortName(bytes, range).flatMap(self.word)
    }

    func word(_ text: String) -> Word? {
        ShortName(text).flatMap(self.word)
    }

    private func word(_ name: ShortName) -> Word? {
        var index = name.bucket
        while let slot = self.slots[index] {
            if slot.name == name { return slot.word }
            index = (index + 1) % self.slots.count
        }
        return nil
    }
}
