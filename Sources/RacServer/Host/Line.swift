import DequeModule

/// The connections with messages that wait for their turn, the next one of each kind first.
///
/// A connection is light while its next message is short and its last ones were cheap.
struct Line {
    private var light: Deque<Peer> = []
    private var others: Deque<Peer> = []

    /// Whether a connection was served in this turn.
    var isServed = false

    var isEmpty: Bool { self.light.isEmpty && self.others.isEmpty }

    func count(isLight: Bool) -> Int { isLight ? self.light.count : self.others.count }

    func first(isLight: Bool) -> Peer? { isLight ? self.light.first : self.others.first }

    mutating func append(_ peer: Peer, isLight: Bool) {
        peer.isInLine = true
        if isLight { self.light.append(peer) } else { self.others.append(peer) }
    }

    mutating func removeFirst(isLight: Bool) {
        let peer = isLight ? self.light.popFirst() : self.others.popFirst()
        peer?.isInLine = false
    }
}
