private enum RESPLimits {
    /// How deep arrays may stand in each other.
    static let maximumDepth = 8
    /// Longest text, and longest array, that any benchmark has a use for.
    static let maximumLength = 1 << 20
}

/// Finding where values of RESP 3 end.
extension Span<UInt8> {
    /// Where the value that begins at `start` ends; nil if it has not come as a whole.
    func end(ofRESPValueAt start: Int, depth: Int = 0) throws -> Int? {
        guard start < self.count, let lineEnd = self.lineEnd(from: start) else { return nil }
        switch self[start] {
        case UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: ":"), UInt8(ascii: "_"), UInt8(ascii: "#"),
            UInt8(ascii: ","), UInt8(ascii: "("):
            return lineEnd + 2
        case UInt8(ascii: "$"), UInt8(ascii: "="): return try self.end(ofRESPTextAt: start)
        case UInt8(ascii: "*"), UInt8(ascii: ">"), UInt8(ascii: "~"):
            return try self.end(ofRESPValues: self.respLength(start + 1..<lineEnd), from: lineEnd + 2, depth: depth)
        case UInt8(ascii: "%"):
            let pairs = try self.respLength(start + 1..<lineEnd)
            return try self.end(ofRESPValues: 2 * pairs, from: lineEnd + 2, depth: depth)
        default: throw ProtocolError.unexpected(self.excerpt(start..<lineEnd))
        }
    }

    /// Where the text `$length…` that begins at `start` ends; nil if it has not come as a whole.
    @inline(__always)
    func end(ofRESPTextAt start: Int) throws -> Int? {
        guard start < self.count, let lineEnd = self.lineEnd(from: start) else { return nil }
        let length = try self.respLength(start + 1..<lineEnd)
        // A length of -1 is no text at all.
        let end = length < 0 ? lineEnd + 2 : lineEnd + 2 + length + 2
        return end <= self.count ? end : nil
    }

    private func end(ofRESPValues count: Int, from start: Int, depth: Int) throws -> Int? {
        guard depth < RESPLimits.maximumDepth else {
            throw ProtocolError.unexpected("RESP values too deep in each other")
        }
        var index = start
        for _ in 0..<max(count, 0) {
            guard let end = try self.end(ofRESPValueAt: index, depth: depth + 1) else { return nil }
            index = end
        }
        return index
    }

    private func respLength(_ digits: Range<Int>) throws -> Int {
        guard let length = self.decimal(digits), -1...RESPLimits.maximumLength ~= length else {
            throw ProtocolError.unexpected("a RESP length of \(self.excerpt(digits))")
        }
        return length
    }
}
