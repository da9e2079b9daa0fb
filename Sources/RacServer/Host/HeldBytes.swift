import RacHost

/// What connections make the daemon keep for them, beginnings of frames and answers that they do not read, and who must go
/// when all of that together is too much.
///
/// Who has held on to it for the longest time goes: a client that sends or reads a lot lets go of it again and again, one that
/// means harm does not.
///
/// Semantics: protocol.md, "Limits".
struct HeldBytes: Sendable {
    /// What each connection may hold without being counted, in bytes.
    static let freeBytes = 64 << 10

    /// A connection's part in the bytes, kept with the connection: most connections never need a look-up.
    enum Share {
        /// So few bytes that they do not count.
        case free
        case counted
        /// The connection must end; nothing more can be had of it.
        case evicted
    }

    private struct Hold {
        var bytes: Int
        /// Smaller for whoever began earlier.
        let order: UInt64
    }

    private let limit: Int
    private var total = 0
    private var lastOrder: UInt64 = 0
    private var holds: [ConnectionID: Hold] = [:]

    /// - Parameter limit: How much all connections may hold together, in bytes.
    init(limit: Int) {
        self.limit = limit
    }

    /// A connection holds so many bytes now; tells whose connections must end for it.
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

    /// Counts what the daemon keeps for a connection; returns the connections that must end for it.
    mutating func counts(_ peer: Peer) -> [ConnectionID] {
        let bytes = peer.heldBytes
        peer.share = bytes > Self.freeBytes ? .counted : .free
        return self.holds(peer.hosted.id, bytes: bytes)
    }

    /// A connection holds nothing worth counting any more.
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
