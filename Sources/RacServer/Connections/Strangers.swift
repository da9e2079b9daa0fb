import DequeModule
import RacHost

/// The connections of one loop whose clients have not shown who they are, in the order in which they came.
struct Strangers {
    /// The connections that may be in the line without need.
    private static let slack = 64

    private var line: Deque<ConnectionID> = []

    /// A client has come, or is not known any more.
    ///
    /// - Parameters:
    ///   - id: Its connection.
    ///   - openCount: The number of open connections.
    ///   - isStranger: Whether a connection is open, and its client is not known.
    mutating func add(_ id: ConnectionID, of openCount: Int, where isStranger: (ConnectionID) -> Bool) {
        if self.line.count > 2 * openCount + Self.slack { self.line.removeAll { !isStranger($0) } }
        self.line.append(id)
    }

    /// Takes the oldest one; nil if there is none.
    mutating func takeOldest(where isStranger: (ConnectionID) -> Bool) -> ConnectionID? {
        while let id = self.line.popFirst() {
            if isStranger(id) { return id }
        }
        return nil
    }

    var count: Int { self.line.count }
}
