/// The lines of the keys of a TOML text, for messages, by their paths of keys and indexes.
struct KeyLines {
    private var lines: [[String]: Int] = [:]

    /// Notes the line of a key; the first one counts, since a table may go on below.
    mutating func note(_ path: [String], _ line: Int) {
        if self.lines[path] == nil { self.lines[path] = line }
    }

    /// The line of a path, or of the nearest one that it lies in; nil if there is none.
    func line(of path: [String]) -> Int? {
        var path = path
        while !path.isEmpty {
            if let line = self.lines[path] { return line }
            path.removeLast()
        }
        return nil
    }
}
