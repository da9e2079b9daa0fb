import NIOCore
import RacAccess
import RacProtocol

/// The reading of a client with a bounded rate.
///
/// Isolation: the connection's event loop.
final class PacedReading {
    /// The pause between two entries of the log about one client, in milliseconds.
    static let quietTime: UInt64 = 10_000

    let rate: ReadRate
    /// The client whose account it is; nil if it got a rate only by a change of the rules.
    let owner: LeftAccounts.Owner?
    var pace: ReadingPace
    /// Ends the rest.
    var timer: Scheduled<Void>?
    /// The time of the last entry in the log.
    var reportedAt: UInt64?

    init(_ rate: ReadRate, of owner: LeftAccounts.Owner?, _ pace: ReadingPace) {
        self.rate = rate
        self.owner = owner
        self.pace = pace
    }
}

@available(*, unavailable)
extension PacedReading: Sendable {}

extension ConnectionHandler {
    /// The client with these proofs is read at the rate of its roles from its first message on.
    ///
    /// It goes on with the account that an earlier connection has left.
    func beginsPace(of credentials: Credentials) {
        guard let rights = self.loop.rights(of: credentials), rights.bounds.rate.isBounded else { return }
        let (rate, now) = (rights.bounds.rate, self.loop.now)
        let owner = LeftAccounts.Owner(principal: rights.principal, place: self.place)
        let pace = self.loop.accounts.take(of: owner, at: now) ?? ReadingPace(rate, at: now)
        self.paced = PacedReading(rate, of: owner, pace)
    }

    /// The client leaves its account for its next connection.
    func leavesAccount() {
        guard let paced else { return }
        paced.timer?.cancel()
        self.paced = nil
        if let owner = paced.owner { self.loop.accounts.leave(paced.pace, of: owner, at: self.loop.now) }
    }

    /// The rules have changed: the client is read at this rate from now on.
    func reads(at rate: ReadRate) {
        guard rate != self.paced?.rate ?? ReadRate() else { return }
        let owner = self.paced?.owner
        self.paced?.timer?.cancel()
        self.paced =
            rate.isBounded ? PacedReading(rate, of: owner, ReadingPace(rate, at: self.loop.now)) : nil
        self.conversation?.restEnded()
    }

    /// Ends the rest of a client at this time.
    func rest(_ paced: PacedReading, until end: UInt64) {
        let at = NIODeadline.uptimeNanoseconds(end * 1_000_000)
        paced.timer?.cancel()
        paced.timer = self.loop.loop.assumeIsolated().scheduleTask(deadline: at) { self.conversation?.restEnded() }
        guard paced.reportedAt.map({ self.loop.now - $0 >= PacedReading.quietTime }) ?? true else { return }
        paced.reportedAt = self.loop.now
        self.loop.report("a client is over the rate of its roles", "rate", paced.rate.description, of: self)
    }
}

extension ReadRate {
    /// The bounds by their keys in the configuration.
    fileprivate var description: String {
        let messages = self.messagesPerSecond.map { "\(RoleBound.messagesPerSecond.rawValue) = \($0)" }
        let bytes = self.bytesPerSecond.map { "\(RoleBound.bytesPerSecond.rawValue) = \($0)" }
        return [messages, bytes].compactMap(\.self).joined(separator: ", ")
    }
}
