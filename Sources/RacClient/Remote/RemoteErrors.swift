import Rac
import RacProtocol

extension Ending<ClientError> {
    init(_ end: TerminalEnd) {
        switch end.end {
        case .completed: self = .completed
        case .failed(let error): self = .failed(ClientError(error))
        }
    }
}

extension ClientError {
    /// The error with which a program ended a channel.
    init(_ error: WireError) {
        self.init(Code(rawValue: error.code), error.message)
        self.data = error.data
    }

    static func cannotBindAgain(_ channel: ChannelName) -> ClientError {
        let help = "use one terminal, or give each the same options"
        return ClientError(.alreadyBound, "\(channel) is bound with a longer interval or another will: \(help)")
    }

    static func wrongMode(of channel: ChannelName, is mode: ChannelMode) -> ClientError {
        switch mode {
        case .paired:
            ClientError(.wrongMode, "\(channel) is a paired channel: use `terminal` with a role, not `property`")
        case .shared: ClientError(.wrongMode, "\(channel) is a shared channel: use `property`, not `terminal`")
        }
    }
}
