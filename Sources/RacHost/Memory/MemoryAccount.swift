import RacProtocol

/// Counts the bytes of one kind, or of one connection, that the daemon keeps because of clients.
///
/// Guarded by the host's isolation.
///
/// Semantics: protocol.md, "Limits".
package final class MemoryAccount {
    package let limit: Int
    package fileprivate(set) var bytes = 0

    package init(limit: Int) {
        self.limit = limit
    }

    /// Whether this number of bytes may be kept, too.
    func hasPlace(for bytes: Int) -> Bool { self.bytes + bytes <= self.limit }

    /// More bytes are kept, or fewer if the number is negative.
    func changed(by bytes: Int) {
        self.bytes += bytes
    }
}

/// A thing that is kept because of a client, and counts in the accounts as long as anybody has it.
///
/// Guarded by the host's isolation.
final class Kept<Thing> {
    let thing: Thing
    private let bytes: Int
    private let accounts: [MemoryAccount]

    /// Nil if an account has no place for the thing.
    ///
    /// - Parameters:
    ///   - thing: The thing.
    ///   - bytes: Its length.
    ///   - accounts: The account of the connection, and the account of all things of this kind.
    init?(_ thing: Thing, bytes: Int, in accounts: MemoryAccount...) {
        guard accounts.allSatisfy({ $0.hasPlace(for: bytes) }) else { return nil }
        self.thing = thing
        self.bytes = bytes
        self.accounts = accounts
        for account in accounts { account.changed(by: bytes) }
    }

    /// Keeps a thing even where there is no place; it then has some hundred bytes.
    ///
    /// Each observed command keeps one at most, and the number of observed commands has a limit.
    init(anyway thing: Thing, bytes: Int, in account: MemoryAccount) {
        self.thing = thing
        self.bytes = bytes
        self.accounts = [account]
        account.changed(by: bytes)
    }

    deinit {
        for account in self.accounts { account.changed(by: -self.bytes) }
    }
}
