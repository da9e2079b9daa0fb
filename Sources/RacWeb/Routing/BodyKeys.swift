import NIOCore
import NIOHTTP1
import RacProtocol

/// Finds the keys that a body must not have: a misspelt `if` must not be passed over.
///
/// Semantics: docs/web.md, "Requests".
struct BodyKeys {
    static let create = BodyKeys(["channel", "mode", "sync", "value"])
    static let transaction = BodyKeys(["set", "sync"], entries: ["channel", "if", "value"])
    static let error = BodyKeys(["code", "data", "message"])

    private let known: Set<String>
    /// The keys of the objects in the array `set`.
    private let entries: Set<String>

    private init(_ known: Set<String>, entries: Set<String> = []) {
        self.known = known
        self.entries = entries
    }

    /// Refuses a body with another key.
    ///
    /// Any other fault of a body is left to the codec.
    func check(_ body: JSONText) throws(WebProblem) {
        var scanner = JSONScanner()
        let bytes = body.bytes
        guard let (key, known) = (try? self.unknown(&scanner, bytes, self.known)) ?? nil else { return }
        let keys = known.sorted().joined(separator: ", ")
        throw WebProblem(.badRequest, "bad-message", "the body takes the keys \(keys), not '\(key.prefix(100))'")
    }

    /// The first unknown key of an object, and the keys that it may have.
    private func unknown(
        _ scanner: inout JSONScanner,
        _ body: ByteBuffer,
        _ known: Set<String>
    ) throws(JSONError) -> (key: String, known: Set<String>)? {
        let bytes = body.readableBytesUInt8Span
        try scanner.expect(UInt8(ascii: "{"), bytes)
        guard !scanner.accept(UInt8(ascii: "}"), bytes) else { return nil }
        repeat {
            scanner.skipSpace(bytes)
            let start = scanner.position + 1
            try scanner.skipString(bytes)
            let written = body.getSlice(at: body.readerIndex + start, length: scanner.position - 1 - start)
            let key = written.flatMap(JSONString.characters(of:)) ?? ""
            guard known.contains(key) else { return (key, known) }
            try scanner.expect(UInt8(ascii: ":"), bytes)
            scanner.skipSpace(bytes)
            if key == "set", scanner.accept(UInt8(ascii: "["), bytes) {
                if let found = try self.unknownOfEntries(&scanner, body) { return found }
            } else {
                try scanner.skipValue(bytes)
            }
        } while scanner.accept(UInt8(ascii: ","), bytes)
        try scanner.expect(UInt8(ascii: "}"), bytes)
        return nil
    }

    private func unknownOfEntries(
        _ scanner: inout JSONScanner,
        _ body: ByteBuffer
    ) throws(JSONError) -> (key: String, known: Set<String>)? {
        let bytes = body.readableBytesUInt8Span
        guard !scanner.accept(UInt8(ascii: "]"), bytes) else { return nil }
        repeat {
            if let found = try self.unknown(&scanner, body, self.entries) { return found }
        } while scanner.accept(UInt8(ascii: ","), bytes)
        try scanner.expect(UInt8(ascii: "]"), bytes)
        return nil
    }
}
