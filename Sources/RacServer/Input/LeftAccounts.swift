import RacAccess
import Synchronization

/// The rates that clients had used up when they left, for the next connections of the same clients.
///
/// Without them each connection would begin with the allowance of a second.
///
/// Isolation: any thread; a lock guards the accounts.
final class LeftAccounts: Sendable {
    /// A client, as far as a daemon knows it again: clients of several machines may share a principal.
    struct Owner: Hashable, Sendable {
        let principal: PrincipalName
        /// The address without its port, or the user of a Unix socket.
        let place: String
    }

    private let table = Mutex(AccountTable())

    /// The account of a connection that has left, or whose client has changed.
    func leave(_ pace: ReadingPace, of owner: Owner, at now: UInt64) {
        self.table.withLock { $0.leave(pace, of: owner, at: now) }
    }

    /// Takes the account that the next connection of a client goes on with; nil for a fresh one.
    func take(of owner: Owner, at now: UInt64) -> ReadingPace? {
        self.table.withLock { $0.take(of: owner, at: now) }
    }
}

/// The accounts themselves: each is kept until it has the full allowance again.
///
/// Times are milliseconds of a clock that never goes back.
struct AccountTable: Sendable {
    /// The accounts that are kept at a time.
    static let maximumCount = 10_000

    private var accounts: [LeftAccounts.Owner: [ReadingPace]] = [:]
    private(set) var count = 0

    mutating func leave(_ pace: ReadingPace, of owner: LeftAccounts.Owner, at now: UInt64) {
        guard pace.isFull(after: now) > now else { return }
        if self.count >= Self.maximumCount { self.makeRoom(at: now) }
        self.accounts[owner, default: []].append(pace)
        self.count += 1
    }

    /// The account with the longest debt comes first.
    mutating func take(of owner: LeftAccounts.Owner, at now: UInt64) -> ReadingPace? {
        guard var own = self.accounts[owner] else { return nil }
        let worst = own.indices.max { own[$0].isFull(after: now) < own[$1].isFull(after: now) }
        guard let worst else { return nil }
        let pace = own.remove(at: worst)
        self.count -= 1
        self.accounts[owner] = own.isEmpty ? nil : own
        return pace.isFull(after: now) > now ? pace : nil
    }

    private mutating func makeRoom(at now: UInt64) {
        self.accounts = self.accounts.compactMapValues { own in
            let left = own.filter { $0.isFull(after: now) > now }
            return left.isEmpty ? nil : left
        }
        self.count = self.accounts.values.reduce(0) { $0 + $1.count }
        guard self.count >= Self.maximumCount, let any = self.accounts.keys.first else { return }
        self.count -= self.accounts.removeValue(forKey: any)?.count ?? 0
    }
}
