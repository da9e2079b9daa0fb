/// Collects the faults that the readers of one file find.
///
/// Isolation: a class that is not Sendable; the reader of the file owns it.
final class FaultList {
    /// The limit of faults that are kept: a person mends these first.
    private static let limit = 20

    private let lines: KeyLines
    private(set) var faults: [ConfigurationFault] = []

    init(_ lines: KeyLines) {
        self.lines = lines
    }

    /// Notes a fault of the key at a path, which the message names: `role.read`.
    func note(_ message: String, of path: [String]) {
        self.add("\(path.filter { Int($0) == nil }.joined(separator: ".")): \(message)", at: path)
    }

    /// Notes a fault of the key at a path.
    func add(_ message: String, at path: [String]) {
        guard self.faults.count < Self.limit else { return }
        self.faults.append(ConfigurationFault(line: self.lines.line(of: path), message))
    }
}
