/// Cuts what it reads into lines.
struct LineReader {
    enum Line: Equatable {
        case text(String)
        case tooLong
        case notUTF8
        /// Reading failed, and no line follows.
        case unreadable(SystemFailure)
    }

    private let maximumBytes: Int
    private var chunk: ArraySlice<UInt8> = []

    /// - Parameter maximumBytes: The longest line; longer ones are passed over.
    init(maximumBytes: Int) {
        self.maximumBytes = maximumBytes
    }

    /// Whether bytes have been read behind the last line.
    var hasMore: Bool { !self.chunk.isEmpty }

    /// Whether a whole line has been read behind the last one.
    var hasLine: Bool { self.chunk.contains(UInt8(ascii: "\n")) }

    /// The next line without its line break, which the last one need not have; nil when there are no more.
    ///
    /// A line break is a line feed, or a carriage return and a line feed, as serial devices send it.
    ///
    /// - Parameter read: Reads some bytes; none at the end.
    /// - Returns: The line.
    mutating func next(reading read: () throws(SystemFailure) -> [UInt8]) -> Line? {
        do {
            return try self.nextLine(read)
        } catch {
            return .unreadable(error)
        }
    }

    private mutating func nextLine(_ read: () throws(SystemFailure) -> [UInt8]) throws(SystemFailure) -> Line? {
        var line: [UInt8] = []
        var isTooLong = false
        var isBegun = false
        while try self.fill(read) {
            isBegun = true
            let end = self.chunk.firstIndex(of: UInt8(ascii: "\n")) ?? self.chunk.endIndex
            isTooLong = isTooLong || line.count + (end - self.chunk.startIndex) > self.maximumBytes
            if isTooLong { line = [] } else { line += self.chunk[..<end] }
            let isWhole = end < self.chunk.endIndex
            self.chunk = self.chunk[(isWhole ? end + 1 : end)...]
            if isWhole { break }
        }
        guard isBegun else { return nil }
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        return isTooLong ? .tooLong : String(validating: line, as: UTF8.self).map(Line.text) ?? .notUTF8
    }

    /// Reads on if nothing is left; says whether there is something.
    private mutating func fill(_ read: () throws(SystemFailure) -> [UInt8]) throws(SystemFailure) -> Bool {
        if self.chunk.isEmpty { self.chunk = try read()[...] }
        return !self.chunk.isEmpty
    }
}
