import RacAccess
import RacHost

/// Counts the bytes that the daemon keeps for connections, and evicts connections when the bytes are too many.
///
/// The bytes are unfinished frames, queued messages and unread answers. The connection with the greatest weight goes first: its
/// bytes, times those of its principal, times its age. The age counts the bytes that all have taken since its last progress. So a
/// client that reads outlives those that do not, whether they are older, or newer and many.
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
        /// The principal of a closed daemon.
        let principal: PrincipalName?
        /// The bytes at its last progress: since then it has read or sent fewer than ``HeldBytes/freeBytes``.
        var progressBytes: Int
        /// The clock at its last progress.
        var progress: Double
    }

    private let limit: Int
    /// The bytes of all connections that hold enough to count.
    private(set) var total = 0
    private var holds: [ConnectionID: Hold] = [:]
    /// The bytes of each principal.
    private var totals: [PrincipalName: Int] = [:]
    /// All bytes that connections have taken so far: the clock of progress.
    private var clock = 0.0

    /// - Parameter limit: The bytes that all connections may hold together.
    init(limit: Int) {
        self.limit = limit
    }

    /// A connection holds this many bytes now; returns the connections that must end for it.
    mutating func holds(_ connection: ConnectionID, of principal: PrincipalName? = nil, bytes: Int) -> [ConnectionID] {
        guard bytes > Self.freeBytes else {
            self.letsGo(connection)
            return []
        }
        var hold = self.holds[connection] ?? Hold(bytes: 0, principal: principal, progressBytes: 0, progress: 0)
        let change = bytes - hold.bytes
        self.count(change, of: hold.principal)
        self.clock += Double(max(0, change))
        hold.bytes = bytes
        if abs(bytes - hold.progressBytes) >= Self.freeBytes {
            (hold.progressBytes, hold.progress) = (bytes, self.clock)
        }
        self.holds[connection] = hold
        return self.evict()
    }

    private mutating func count(_ change: Int, of principal: PrincipalName?) {
        self.total += change
        guard let principal else { return }
        let total = (self.totals[principal] ?? 0) + change
        self.totals[principal] = total > 0 ? total : nil
    }

    /// Counts the bytes that the daemon keeps for a connection; returns the connections that must end for it.
    mutating func counts(_ peer: Peer) -> [ConnectionID] {
        let bytes = peer.heldBytes
        peer.share = bytes > Self.freeBytes ? .counted : .free
        return self.holds(peer.hosted.id, of: peer.hosted.principal, bytes: bytes)
    }

    /// A connection holds too few bytes to count from now on.
    mutating func letsGo(_ connection: ConnectionID) {
        guard let hold = self.holds.removeValue(forKey: connection) else { return }
        self.count(-hold.bytes, of: hold.principal)
    }

    private mutating func evict() -> [ConnectionID] {
        var evicted: [ConnectionID] = []
        while self.total > self.limit, let heaviest = self.holds.max(by: { self.isLighter($0, $1) }) {
            self.letsGo(heaviest.key)
            evicted.append(heaviest.key)
        }
        return evicted
    }

    private func isLighter(_ one: (key: ConnectionID, value: Hold), _ other: (key: ConnectionID, value: Hold)) -> Bool {
        let (left, right) = (self.weight(of: one.value), self.weight(of: other.value))
        // Of equal ones the newest goes.
        return left == right ? one.key.number < other.key.number : left < right
    }

    private func weight(of hold: Hold) -> Double {
        let ofPrincipal = hold.principal.flatMap { self.totals[$0] } ?? self.total
        return Double(hold.bytes) * Double(ofPrincipal) * (self.clock - hold.progress)
    }
}
