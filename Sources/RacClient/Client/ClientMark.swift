import Synchronization

/// The number of a client among the newest 256 of this program: a revision means nothing to the daemon of another client.
struct ClientMark: Hashable, Sendable {
    private static let newest = Atomic<UInt8>(0)

    let number: UInt8

    /// The mark of another client.
    static func next() -> ClientMark {
        ClientMark(number: Self.newest.wrappingAdd(1, ordering: .relaxed).newValue)
    }
}
