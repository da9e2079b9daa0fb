package import NIOCore

/// A key of the protocol's messages.
package enum Key: UInt8, CaseIterable, Sendable {
    case after, agent, applied, at, bound, by, c, cause, changes, channel, channels, code, command, commands, completed,
        concurrent, conflate
    case connection, data, `default`, deflate, deleted, enabled, epoch, error, executing, executions
    case heartbeat, id, `if`, index, input, interval, limit, maxFrame, message, mode, more, n, name, observers, op,
        pattern, peer, pid, principal, replay, rev, revs
    case role, sent, server, session, set, since, slow, state, sync, t, token, uid, value, version, via
    case w, was, who, will, wish, wishRev, x

    /// The key's text in a message.
    package var text: String { String(describing: self) }
}

/// The fault that keeps a frame from being a valid message.
package struct MessageError: Error, Equatable, Sendable {
    /// The message that its sender waits for the answer to.
    package enum Subject: Equatable, Sendable {
        case request(RequestID)
        /// An entry of a put, counted from 0.
        case entry(RequestID, UInt64)
        case send(TerminalID, SendNumber)
    }

    /// Nil if the frame does not say.
    package let subject: Subject?
    package let error: WireError

    package init(_ code: ErrorCode = .badMessage, _ message: String) {
        self.error = WireError(code, message)
        self.subject = nil
    }

    package init(_ fault: MessageError, of subject: Subject?) {
        self.error = fault.error
        self.subject = subject
    }
}

/// One JSON object as the places of its values, checked and not built.
///
/// Unknown keys are passed over; a known key must not come twice.
package struct Envelope {
    private static let keys = WordTable(Key.allCases, text: \.text)

    private let payload: ByteBuffer
    private var present: UInt128 = 0
    private var places = InlineArray<80, Place>(repeating: Place(start: 0, end: 0))
    /// The number of open containers around the object's values.
    private let depth: Int

    private struct Place {
        var start: UInt32
        var end: UInt32
    }

    /// Scans the whole payload, which must be one object.
    package init(_ payload: ByteBuffer, inside depth: Int = 0) throws(MessageError) {
        self.payload = payload
        self.depth = depth + 1
        var doubled: Key?
        do throws(JSONError) {
            try self.scan(payload.readableBytesUInt8Span, doubled: &doubled)
        } catch {
            throw MessageError(.badMessage, "the message is no JSON object: \(error)")
        }
        if let doubled { throw MessageError(.badMessage, "the key \"\(doubled.text)\" comes twice") }
    }

    /// Scans a payload that was refused for its depth or for a key that comes twice, so that the refusal can name it.
    ///
    /// Nil if the payload is no object. A value that is nested too deep is passed without a check of its form, and a key
    /// that comes twice has no readable value.
    init?(refused payload: ByteBuffer) {
        self.payload = payload
        self.depth = 1
        var doubled: Key?
        do throws(JSONError) {
            try self.scan(payload.readableBytesUInt8Span, doubled: &doubled, isRefused: true)
        } catch {
            return nil
        }
    }

    /// Scans an object in a text.
    package init(_ text: String) throws(MessageError) {
        try self.init(ByteBuffer(string: text))
    }

    private mutating func scan(
        _ bytes: Span<UInt8>,
        doubled: inout Key?,
        isRefused: Bool = false
    ) throws(JSONError) {
        var scanner = JSONScanner()
        try scanner.expect(UInt8(ascii: "{"), bytes)
        if !scanner.accept(UInt8(ascii: "}"), bytes) {
            repeat {
                guard let key = try self.scanMember(&scanner, bytes, isRefused: isRefused) else { continue }
                doubled = key
                if isRefused { self.places[Int(key.rawValue)] = Place(start: 0, end: 1) }
            } while scanner.accept(UInt8(ascii: ","), bytes)
            try scanner.expect(UInt8(ascii: "}"), bytes)
        }
        try scanner.expectEnd(bytes)
    }

    /// Passes a key and its value; returns the key if it was there before.
    private mutating func scanMember(
        _ scanner: inout JSONScanner,
        _ bytes: Span<UInt8>,
        isRefused: Bool
    ) throws(JSONError) -> Key? {
        scanner.skipSpace(bytes)
        let keyStart = scanner.position + 1
        let escaped = try scanner.skipString(bytes)
        let keyRange = keyStart..<(scanner.position - 1)
        try scanner.expect(UInt8(ascii: ":"), bytes)
        scanner.skipSpace(bytes)
        let start = scanner.position
        do throws(JSONError) {
            try scanner.skipValue(bytes, inside: self.depth)
        } catch {
            guard isRefused, error.fault == .tooDeep else { throw error }
            scanner.move(to: start)
            try scanner.skipContainer(bytes)
        }
        guard let key = self.key(bytes, keyRange, escaped: escaped) else { return nil }
        guard !self.has(key) else { return key }
        self.present |= Self.bit(key)
        self.places[Int(key.rawValue)] = Place(
            start: UInt32(truncatingIfNeeded: start),
            end: UInt32(truncatingIfNeeded: scanner.position)
        )
        return nil
    }

    private func key(_ bytes: Span<UInt8>, _ range: Range<Int>, escaped: Bool) -> Key? {
        guard escaped else { return Self.keys.word(bytes, range) }
        guard let text = self.characters(range, escaped: true) else { return nil }
        return Self.keys.word(text)
    }

    private static func bit(_ key: Key) -> UInt128 { 1 &<< UInt128(key.rawValue) }
}

extension Envelope {
    package func has(_ key: Key) -> Bool { self.present & Self.bit(key) != 0 }

    private func range(_ key: Key) -> Range<Int>? {
        guard self.has(key) else { return nil }
        let place = self.places[Int(key.rawValue)]
        return Int(place.start)..<Int(place.end)
    }

    /// The key's value of any type.
    package func json(_ key: Key) -> JSONText? {
        guard let range = self.range(key) else { return nil }
        return JSONText(unchecked: self.payload, range: range)
    }

    package func requiredJSON(_ key: Key) throws(MessageError) -> JSONText {
        guard let value = self.json(key) else { throw self.missing(key, "a value") }
        return value
    }

    package func integer(_ key: Key) throws(MessageError) -> Int64? {
        guard let range = self.range(key) else { return nil }
        guard let value = Self.integer(self.payload.readableBytesUInt8Span, range) else {
            throw self.wrong(key, "an integer")
        }
        return value
    }

    package func count(_ key: Key) throws(MessageError) -> UInt64? {
        guard let value = try self.integer(key) else { return nil }
        guard value >= 0 else { throw self.wrong(key, "an integer that is not negative") }
        return UInt64(value)
    }

    package func requiredCount(_ key: Key) throws(MessageError) -> UInt64 {
        guard let value = try self.count(key) else { throw self.missing(key, "an integer") }
        return value
    }

    package func flag(_ key: Key) throws(MessageError) -> Bool? {
        guard let range = self.range(key) else { return nil }
        let bytes = self.payload.readableBytesUInt8Span
        switch (bytes[range.lowerBound], range.count) {
        case (UInt8(ascii: "t"), _), (UInt8(ascii: "1"), 1): return true
        case (UInt8(ascii: "f"), _), (UInt8(ascii: "0"), 1): return false
        default: throw self.wrong(key, "true or false")
        }
    }

    package func requiredFlag(_ key: Key) throws(MessageError) -> Bool {
        guard let flag = try self.flag(key) else { throw self.missing(key, "true or false") }
        return flag
    }

    package func string(_ key: Key) throws(MessageError) -> String? {
        guard let range = self.range(key) else { return nil }
        guard self.payload.readableBytesUInt8Span[range.lowerBound] == UInt8(ascii: "\""),
            let text = self.characters((range.lowerBound + 1)..<(range.upperBound - 1), escaped: nil)
        else { throw self.wrong(key, "a string") }
        return text
    }

    package func requiredString(_ key: Key) throws(MessageError) -> String {
        guard let text = try self.string(key) else { throw self.missing(key, "a string") }
        return text
    }

    /// The key's value as a word of a closed set.
    package func word<Word>(_ key: Key, as type: Word.Type) throws(MessageError) -> Word?
    where Word: RawRepresentable<String> & CaseIterable {
        guard let text = try self.string(key) else { return nil }
        guard let word = Word(rawValue: text) else {
            let words = Word.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: " or ")
            throw self.wrong(key, "\(words), not \"\(text.beginning)\"")
        }
        return word
    }

    /// The operation that the key's value names in a table; nil for any other string.
    func operation<Word>(_ key: Key, in table: WordTable<Word>) throws(MessageError) -> Word? {
        guard let range = self.range(key) else { throw self.missing(key, "a string") }
        let bytes = self.payload.readableBytesUInt8Span
        guard bytes[range.lowerBound] == UInt8(ascii: "\"") else { throw self.wrong(key, "a string") }
        let inner = (range.lowerBound + 1)..<(range.upperBound - 1)
        if let word = table.word(bytes, inner) { return word }
        return try self.string(key).flatMap(table.word)
    }

    /// The object that is the key's value.
    package func object(_ key: Key) throws(MessageError) -> Envelope? {
        guard let value = self.json(key) else { return nil }
        do {
            return try Envelope(value.bytes, inside: self.depth)
        } catch {
            throw self.wrong(key, "an object")
        }
    }

    /// The members of the array that is the key's value, each made by the closure from the member's text.
    package func elements<Element>(
        _ key: Key,
        atMost limit: Int = .max,
        _ make: (ByteBuffer) throws(MessageError) -> Element
    ) throws(MessageError) -> [Element]? {
        guard let value = self.json(key) else { return nil }
        guard let members = Self.members(of: value.bytes) else { throw self.wrong(key, "an array") }
        guard members.count <= limit else {
            throw MessageError(.limit, "\"\(key.text)\" has \(members.count) entries: it may have \(limit)")
        }
        var made: [Element] = []
        made.reserveCapacity(members.count)
        for member in members { made.append(try make(JSONText(unchecked: value.bytes, range: member).bytes)) }
        return made
    }

    /// The objects in the array that is the key's value.
    package func requiredEntries<Entry>(
        _ key: Key,
        _ make: (borrowing Envelope) throws(MessageError) -> Entry
    ) throws(MessageError) -> [Entry] {
        let entries = try self.elements(key) { bytes throws(MessageError) in
            try make(Envelope(bytes, inside: self.depth + 1))
        }
        guard let entries else { throw self.missing(key, "an array") }
        return entries
    }

    /// The counts in the array that is the key's value.
    package func requiredCounts(_ key: Key) throws(MessageError) -> [UInt64] {
        let counts = try self.elements(key) { bytes throws(MessageError) in
            guard let count = Self.integer(bytes.readableBytesUInt8Span, 0..<bytes.readableBytes), count >= 0 else {
                throw self.wrong(key, "an array of integers that are not negative")
            }
            return UInt64(count)
        }
        guard let counts else { throw self.missing(key, "an array of integers") }
        return counts
    }

    package func missing(_ key: Key, _ what: String) -> MessageError {
        MessageError(.badMessage, "the key \"\(key.text)\" is missing: it must be \(what)")
    }

    package func wrong(_ key: Key, _ what: String) -> MessageError {
        MessageError(.badMessage, "the key \"\(key.text)\" must be \(what)")
    }
}

extension String {
    /// The beginning of a peer's text, for a message about it.
    ///
    /// The limit counts scalars, because one character may have any number of bytes.
    var beginning: String { String(UnicodeScalarView(self.unicodeScalars.prefix(64))) }
}

extension Envelope {
    /// The characters of a string; the bytes are searched for escapes if the caller does not know.
    private func characters(_ range: Range<Int>, escaped: Bool?) -> String? {
        if escaped ?? self.hasEscapes(range) {
            return JSONString.characters(of: JSONText(unchecked: self.payload, range: range).bytes)
        }
        return self.payload.getString(at: self.payload.readerIndex + range.lowerBound, length: range.count)
    }

    private func hasEscapes(_ range: Range<Int>) -> Bool {
        let bytes = self.payload.readableBytesUInt8Span
        return range.contains { bytes[$0] == UInt8(ascii: "\\") }
    }

    private static func integer(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int64? {
        let negative = bytes[range.lowerBound] == UInt8(ascii: "-")
        var value: Int64 = 0
        for index in (range.lowerBound + (negative ? 1 : 0))..<range.upperBound {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[index]) else { return nil }
            let (shifted, overflow) = value.multipliedReportingOverflow(by: 10)
            let (sum, carried) = shifted.subtractingReportingOverflow(Int64(bytes[index] - UInt8(ascii: "0")))
            guard !overflow, !carried else { return nil }
            value = sum
        }
        guard !negative else { return value }
        return value == .min ? nil : -value
    }

    private static func members(of array: ByteBuffer) -> [Range<Int>]? {
        let bytes = array.readableBytesUInt8Span
        var scanner = JSONScanner()
        guard scanner.accept(UInt8(ascii: "["), bytes) else { return nil }
        var members: [Range<Int>] = []
        guard !scanner.accept(UInt8(ascii: "]"), bytes) else { return members }
        repeat {
            scanner.skipSpace(bytes)
            let start = scanner.position
            guard (try? scanner.skipValue(bytes)) != nil else { return nil }
            members.append(start..<scanner.position)
        } while scanner.accept(UInt8(ascii: ","), bytes)
        return members
    }
}
