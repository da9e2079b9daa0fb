import RacAccess

/// Counts the bytes of the refused sends that the sessions of one principal remember, and those of all sessions.
///
/// A principal may have as many bytes as are free. So one alone has half of the limit, two have a third each, and for a further
/// one there is always place. In an open daemon all sessions have one account with the whole limit.
///
/// Guarded by the host's isolation.
///
/// Semantics: protocol.md, "Limits".
final class RefusalAccount {
    private let all: MemoryAccount
    private let isOfPrincipal: Bool
    private var bytes = 0

    /// - Parameters:
    ///   - all: The account of all refusals.
    ///   - principal: The principal; nil in an open daemon.
    init(in all: MemoryAccount, of principal: PrincipalName? = nil) {
        self.all = all
        self.isOfPrincipal = principal != nil
    }

    /// Whether this number of bytes may be kept, too.
    func hasPlace(for bytes: Int) -> Bool {
        let free = self.all.limit - self.all.bytes
        return bytes <= free && (!self.isOfPrincipal || self.bytes + bytes <= free)
    }

    /// More bytes are kept, or fewer if the number is negative.
    func changed(by bytes: Int) {
        self.bytes += bytes
        self.all.changed(by: bytes)
    }
}

/// The accounts of refused sends: one for each principal whose sessions remember some.
struct RefusalAccounts {
    /// The account of all together.
    let all: MemoryAccount
    private var accounts: [PrincipalName?: RefusalAccount] = [:]
    /// The number of accounts at which those that nobody uses go.
    private var most = 64

    init(limit: Int) {
        self.all = MemoryAccount(limit: limit)
    }

    /// The account of a principal; nil stands for an open daemon.
    mutating func account(of principal: PrincipalName?) -> RefusalAccount {
        if let known = self.accounts[principal] { return known }
        if self.accounts.count >= self.most {
            for principal in Array(self.accounts.keys) where isKnownUniquelyReferenced(&self.accounts[principal]) {
                self.accounts[principal] = nil
            }
            self.most = max(64, 2 * self.accounts.count)
        }
        let account = RefusalAccount(in: self.all, of: principal)
        self.accounts[principal] = account
        return account
    }
}
