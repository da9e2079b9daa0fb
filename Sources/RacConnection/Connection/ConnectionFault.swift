package import NIOCore
package import RacProtocol

/// Why a connection has ended, or was never there.
package enum ConnectionFault: Error, Hashable, Sendable {
    /// The daemon said why.
    case refused(Refusal)
    /// Nobody said welcome in time.
    case noWelcome(within: TimeAmount)
    /// The listener at that address sent another message than a welcome, or hung up.
    case notADaemon
    /// The daemon sent what protocol version 1 does not have.
    case brokenProtocol(WireError)
    /// Not even a ping came for that long.
    case silent(for: TimeAmount)
    /// The connection ended without a word.
    case lost
    /// This program ended it.
    case left

    package func clientError(at address: DaemonAddress) -> ClientError {
        switch self {
        case .refused(let refusal): ClientError(refusal)
        case .noWelcome(let time):
            ClientError(.timedOut, "\(address) did not answer within \(time.text): is it racd that listens there?")
        case .notADaemon:
            ClientError(.unreachable, "\(address) answers, but not like racd: is it racd that listens there?")
        case .brokenProtocol(let error):
            ClientError(.init(rawValue: error.code), "racd at \(address) broke the protocol: \(error.message)")
        case .silent(let time):
            ClientError(.connectionLost, "lost racd at \(address): it has been silent for \(time.text)")
        case .lost: ClientError(.connectionLost, "lost the connection to racd at \(address)")
        case .left: ClientError(.connectionLost, "the connection to racd at \(address) has been closed")
        }
    }
}

extension TimeAmount {
    /// The time in seconds, as people write it.
    package var text: String {
        let milliseconds = self.nanoseconds / 1_000_000
        return milliseconds % 1000 == 0 ? "\(milliseconds / 1000) s" : "\(Double(milliseconds) / 1000) s"
    }
}
