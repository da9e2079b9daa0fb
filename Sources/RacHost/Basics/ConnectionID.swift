/// The name that the shell gives to a connection.
package struct ConnectionID: Hashable, Sendable {
    /// Never given to two connections.
    package let number: UInt64

    /// The shell's loop that has the connection; the host only carries it.
    package var loop: Int { Int(self.shortLoop) }

    /// The place of the connection on that loop; the host only carries it.
    package var place: Int { Int(self.shortPlace) }

    private let shortLoop: UInt32
    private let shortPlace: UInt32

    package init(_ number: UInt64, loop: Int = 0, place: Int = 0) {
        self.number = number
        self.shortLoop = UInt32(loop)
        self.shortPlace = UInt32(place)
    }

    package static func == (left: ConnectionID, right: ConnectionID) -> Bool { left.number == right.number }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(self.number)
    }
}
