import RacAccess
import RacProtocol

/// The things of principals that their roles bound: connections, and channels that they have made.
///
/// An open daemon has no principals, and nothing here.
struct Belongings {
    private var connections: [PrincipalName: Set<ConnectionID>] = [:]
    private var makers: [ChannelNumber: PrincipalName] = [:]
    private var channels: [PrincipalName: Int] = [:]

    /// The number of connections of a principal, without one that is about to end.
    func connectionCount(of principal: PrincipalName, without ending: ConnectionID?) -> Int {
        guard let own = self.connections[principal] else { return 0 }
        return own.count - (ending.map(own.contains) == true ? 1 : 0)
    }

    mutating func connected(_ connection: ConnectionID, _ principal: PrincipalName) {
        self.connections[principal, default: []].insert(connection)
    }

    /// A connection ends, or has no principal any more.
    mutating func left(_ connection: ConnectionID, _ principal: PrincipalName) {
        self.connections[principal]?.remove(connection)
        if self.connections[principal]?.isEmpty == true { self.connections[principal] = nil }
    }

    /// The number of channels that a principal has made and that are still there.
    func channelCount(of principal: PrincipalName) -> Int { self.channels[principal] ?? 0 }

    /// A principal has made a channel.
    mutating func made(_ channel: ChannelNumber, by principal: PrincipalName) {
        self.makers[channel] = principal
        self.channels[principal, default: 0] += 1
    }

    /// A channel is deleted.
    mutating func removed(_ channel: ChannelNumber) {
        guard !self.makers.isEmpty, let principal = self.makers.removeValue(forKey: channel) else { return }
        let count = self.channelCount(of: principal) - 1
        self.channels[principal] = count > 0 ? count : nil
    }
}
