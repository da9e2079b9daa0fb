/// The lines of the log that wait for their thread.
///
/// A line beyond the limit is dropped and counted. The thread gets the count with the lines that came before.
struct LogQueue {
    /// A part of the log, for the thread to write.
    struct Part: Equatable {
        let lines: [String]
        /// The number of lines that were dropped behind these.
        let dropped: Int
    }

    /// The limit of the bytes that wait.
    static let limit = 1 << 20

    private var lines: [String] = []
    private var bytes = 0
    private var dropped = 0
    private var isBeingWritten = false

    /// Takes a line, or drops it.
    ///
    /// - Returns: Whether the thread has to be woken.
    mutating func append(_ line: String) -> Bool {
        let count = line.utf8.count
        // Behind a dropped line all others are dropped, until the thread has the count: the log stays in order.
        guard self.dropped == 0, self.bytes + count <= Self.limit else {
            self.dropped += 1
            return false
        }
        self.lines.append(line)
        self.bytes += count
        defer { self.isBeingWritten = true }
        return !self.isBeingWritten
    }

    /// The next part to write; nil if the thread has written all, and rests.
    mutating func next() -> Part? {
        guard !self.lines.isEmpty || self.dropped > 0 else {
            self.isBeingWritten = false
            return nil
        }
        defer { (self.lines, self.bytes, self.dropped) = ([], 0, 0) }
        return Part(lines: self.lines, dropped: self.dropped)
    }
}
