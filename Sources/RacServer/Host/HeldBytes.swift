import RacHost

/// Counts the bytes that the daemon keeps for connections, and evicts connections when the bytes are too many.
///
/// The bytes are unfinished frames, queued messages and unread answers. The connection that has held bytes for the
/// longest time goes first. A client that sends or reads a lot releases its bytes again and again; a harmful one does
/// not.
///
/// Semantics: protocol.md, "Limits".
struct HeldBytes: Sendable {
    /// The bytes that a connection may hold without being counted.
    static let freeBytes = 64 << 10

    /// A connection's part in the bytes, kept with the connection: most connections never need a look-up.
    enum Share {
        /// The bytes are too few to count.
        case free
        case counted
        /// The connection must end, which releases its bytes.
        case evicted
    }

    private struct Hold {
        var bytes: Int
        /// Smaller for a connection that began to hold bytes earlier.
        let order: UInt64
    }

    private let limit: Int
    /// The bytes of all connections that hold enough to count.
    private(set) var total = 0
    private var lastOrder: UInt64 = 0
    private var holds: [ConnectionID: Hold] = [:]

    /// - Parameter limit: The bytes that all connections may hold together.
    init(limit: Int) {
        self.limit = limit
    }

    /// A connection holds this many bytes now; returns the connections that must end for it.
    mutating func holds(_ connection: ConnectionID, bytes: Int) -> [ConnectionID] {
        guard bytes > Self.freeBytes else {
            self.letsGo(connection)
            return []
        }
        self.total += bytes - (self.holds[connection]?.bytes ?? 0)
        if self.holds[connection] == nil { self.lastOrder += 1 }
        self.holds[connection, default: Hold(bytes: 0, order: self.lastOrder)].bytes = bytes
        return self.evict()
    }

    /// Counts the bytes that the daemon keeps for a connection; returns the connections that must end for it.
    mutating func counts(_ peer: Peer) -> [ConnectionID] {
        let bytes = peer.heldBytes
        peer.share = bytes > Self.freeBytes ? .counted : .free
        return self.holds(peer.hosted.id, bytes: bytes)
    }

    /// A connection holds too few bytes to count from now on.
    mutating func letsGo(_ connection: ConnectionID) {
        guard let hold = self.holds.removeValue(forKey: connection) else { return }
        self.total -= hold.bytes
    }

    private mutating func evict() -> [ConnectionID] {
        var evicted: [ConnectionID] = []
        while self.total > self.limit, let oldest = self.holds.min(by: { $0.value.order < $1.value.order }) {
            self.letsGo(oldest.key)
            evicted.append(oldest.key)
        }
        return evicted
    }
}
