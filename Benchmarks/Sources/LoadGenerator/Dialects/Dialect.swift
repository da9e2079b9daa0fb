/// One connection's side of a protocol: what a client says, and how it reads what comes.
///
/// This is all that the load generator knows of a protocol. No I/O; what is written is appended to `bytes`. Channels are
/// numbers from 0, which a dialect turns into names.
package protocol Dialect: Sendable {
    /// Whether the server greets with a line in plain bytes, before TLS begins.
    var greets: Bool { get }

    /// The first bytes of a new connection; `opened` comes when the server has taken them.
    func opening() -> [UInt8]

    /// Asks for a channel: to get its values, or to send them.
    ///
    /// - Returns: Whether the server answers, which gives `bound`.
    mutating func bind(_ channel: Int, as role: Role, into bytes: inout [UInt8]) -> Bool

    /// Sends a value to all bound clients.
    mutating func send(_ value: NumberedValue, byteCount: Int, into bytes: inout [UInt8])

    /// Makes the place that values are stored in.
    ///
    /// - Returns: Whether there is something to do, which gives `answered`.
    mutating func prepareStore(into bytes: inout [UInt8]) -> Bool

    /// Stores a value as its channel's present one, which gives `answered`.
    ///
    /// With `durably` the answer may come only when it is on disk, where the protocol can say so.
    mutating func store(_ value: NumberedValue, byteCount: Int, durably: Bool, into bytes: inout [UInt8])

    /// Asks for a channel's present value, which gives `value`.
    mutating func ask(for channel: Int, into bytes: inout [UInt8])

    /// Asks for the values of the first `channels` channels, and for later changes where the protocol has that.
    mutating func watch(channels: Int, into bytes: inout [UInt8])

    /// Reads the whole messages that `bytes` begin with.
    ///
    /// - Returns: The length of those; the rest has to be given again, with more bytes behind it.
    /// - Throws: An act that the protocol does not foresee, or a refusal.
    mutating func read(_ bytes: Span<UInt8>, into arrivals: inout Arrivals) throws -> Int
}

extension Dialect {
    package var greets: Bool { false }

    package mutating func ask(for channel: Int, into bytes: inout [UInt8]) {
        preconditionFailure("only HTTP has requests one by one")
    }
}

/// The purpose of a channel for a client.
package enum Role: Sendable {
    case writer, reader
}

extension [UInt8] {
    /// Appends text as UTF-8.
    mutating func append(text: String) {
        self.append(contentsOf: text.utf8)
    }

    /// Appends text that is known beforehand, without making a string of it: the generator must not be what limits a server.
    @inline(__always)
    mutating func append(_ text: StaticString) {
        self.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Appends the decimal digits of a number that is not negative.
    mutating func append(decimal number: Int) {
        var digits = InlineArray<20, UInt8>(repeating: UInt8(ascii: "0"))
        var (rest, first) = (number, digits.count)
        repeat {
            first -= 1
            digits[first] += UInt8(rest % 10)
            rest /= 10
        } while rest > 0
        digits.span.extracting(first...).withUnsafeBufferPointer { self.append(contentsOf: $0) }
    }
}

extension Int {
    /// The number of decimal digits, if it is not negative.
    var digitCount: Int {
        var (count, rest) = (1, self)
        while rest >= 10 {
            count += 1
            rest /= 10
        }
        return count
    }
}

extension Span<UInt8> {
    /// Whether the bytes from `start` are `text`.
    func has(_ text: StaticString, at start: Int) -> Bool {
        guard start >= 0, self.count - start >= text.utf8CodeUnitCount else { return false }
        for offset in 0..<text.utf8CodeUnitCount where self[start + offset] != text.utf8Start[offset] { return false }
        return true
    }

    /// Where `text` begins for the first time in `range`; nil if it is not there.
    func firstIndex(of text: StaticString, in range: Range<Int>) -> Int? {
        range.first { self[$0] == text.utf8Start[0] && self.has(text, at: $0) }
    }

    /// Where the head of a message of HTTP ends, behind its empty line; nil if it has not come as a whole.
    @inline(__always)
    func headEnd(from start: Int) -> Int? {
        var line = start
        while let end = self.lineEnd(from: line) {
            if end == line { return end + 2 }
            line = end + 2
        }
        return nil
    }

    /// All of them, as an array.
    var array: [UInt8] {
        self.withUnsafeBufferPointer(Array.init)
    }

    /// Eight bytes at once, as memory has them.
    @inline(__always)
    func word(at start: Int) -> UInt64 {
        self.bytes.unsafeLoadUnaligned(fromByteOffset: start, as: UInt64.self)
    }

    /// Where the next line break (CR LF) at or behind `start` begins; nil if there is none.
    @inline(__always)
    func lineEnd(from start: Int) -> Int? {
        var index = start
        while index + 1 < self.count {
            if self[index] == 13, self[index + 1] == 10 { return index }
            index += 1
        }
        return nil
    }

    /// The number that stands in decimal digits, possibly behind a minus, in `range`; nil if there is something else.
    @inline(__always)
    func decimal(_ range: Range<Int>) -> Int? {
        let isNegative = !range.isEmpty && self[range.lowerBound] == UInt8(ascii: "-")
        let digits = range.dropFirst(isNegative ? 1 : 0)
        guard 1...18 ~= digits.count else { return nil }
        var number = 0
        for index in digits {
            guard self[index] &- 0x30 < 10 else { return nil }
            number = number * 10 + Int(self[index] &- 0x30)
        }
        return isNegative ? -number : number
    }

    /// The bytes of `range` as text, cut off where it gets too long for a message to people.
    func excerpt(_ range: Range<Int>) -> String {
        self.text(range.prefix(200).startIndex..<range.prefix(200).endIndex)
    }
}
