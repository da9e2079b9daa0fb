import DequeModule
import RacProtocol

/// The channels that a watch has to report, in the order of their newest changes.
///
/// So the watch has reported every change that is older than the first one here.
struct ChangedNames {
    struct Entry {
        let channel: ChannelName
        let revision: Revision
        let number: MatchNumber
    }

    /// The memory for a name without its bytes.
    private static let bytesOfEntry = 128

    /// Includes entries whose channels have changed again; they are skipped.
    private var order: Deque<Entry> = []
    private var newest: [ChannelName: MatchNumber] = [:]

    /// The bytes that are kept.
    private(set) var bytes = 0

    var isEmpty: Bool { self.newest.isEmpty }

    /// Puts a channel behind all others.
    mutating func append(_ entry: Entry) {
        if self.newest.updateValue(entry.number, forKey: entry.channel) == nil {
            self.bytes += Self.bytes(of: entry.channel)
        }
        self.order.append(entry)
        guard self.order.count > 2 * self.newest.count + 16 else { return }
        let newest = self.newest
        self.order.removeAll { newest[$0.channel] != $0.number }
    }

    mutating func popFirst() -> Entry? {
        while let entry = self.order.popFirst() {
            guard self.isNewest(entry) else { continue }
            self.forget(entry)
            return entry
        }
        return nil
    }

    /// Drops the entries that the closure does not keep; it gets them in their order.
    mutating func removeAll(unless isKept: (Entry) -> Bool) {
        var kept = ChangedNames()
        for entry in self.order where self.isNewest(entry) && isKept(entry) { kept.append(entry) }
        self = kept
    }

    private func isNewest(_ entry: Entry) -> Bool { self.newest[entry.channel] == entry.number }

    private mutating func forget(_ entry: Entry) {
        self.newest[entry.channel] = nil
        self.bytes -= Self.bytes(of: entry.channel)
        // Gives the memory back.
        if self.newest.isEmpty { self = ChangedNames() }
    }

    private static func bytes(of name: ChannelName) -> Int { Self.bytesOfEntry + name.text.utf8.count }
}
