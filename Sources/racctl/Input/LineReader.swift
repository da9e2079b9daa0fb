/// Cuts what it reads into lines.
struct LineReader {
    enum Line: Equatable {
        case text(String)
        case tooLong
        case notUTF8
    }

    private let maximumBytes: Int
    private let read: () -> [UInt8]?
    private var chunk: ArraySlice<UInt8> = []

    /// - Parameters:
    ///   - maximumBytes: The longest line; longer ones are passed over.
    ///   - read: Reads some bytes; none or nil at the end.
    init(maximumBytes: Int, read: @escaping () -> [UInt8]?) {
        self.maximumBytes = maximumBytes
        self.read = read
    }

    /// The next line without its line break, which the last one need not have; nil when there are no more.
    mutating func next() -> Line? {
        var line: [UInt8] = []
        var isTooLong = false
        var isBegun = false
        while self.fill() {
            isBegun = true
            let end = self.chunk.firstIndex(of: UInt8(ascii: "\n")) ?? self.chunk.endIndex
            isTooLong = isTooLong || line.count + (end - self.chunk.startIndex) > self.maximumBytes
            if isTooLong { line = [] } else { line += self.chunk[..<end] }
            let isWhole = end < self.chunk.endIndex
            self.chunk = self.chunk[(isWhole ? end + 1 : end)...]
            if isWhole { break }
        }
        guard isBegun else { return nil }
        return isTooLong ? .tooLong : String(validating: line, as: UTF8.self).map(Line.text) ?? .notUTF8
    }

    /// Reads on if nothing is left; says whether there is something.
    private mutating func fill() -> Bool {
        if self.chunk.isEmpty { self.chunk = (self.read() ?? [])[...] }
        return !self.chunk.isEmpty
    }
}
