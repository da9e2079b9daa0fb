import RacClient
import RacConnection
import RacProtocol

/// Reports the state of a link: lines on standard error for people, objects on standard output for programs.
struct LinkReport: Sendable {
    private let output: StandardOutput
    private let format: OutputFormat
    private let endsWithConnection: Bool

    init(in context: CommandContext) {
        self.output = context.output
        self.format = context.format
        self.endsWithConnection = context.endsWithConnection
    }

    /// Reports each loss once, and the daemon's return.
    ///
    /// - Parameter states: The states of the connection.
    /// - Throws: ``OutputClosed`` if nobody reads any more, or a ``CommandFailure``.
    func follow(_ states: SignalValues<ConnectionState, Never>) async throws {
        var wasLost = false
        var wasLive = false
        for await state in states {
            switch state {
            case .lost(let error, _) where self.endsWithConnection: throw error
            case .lost(let error, _) where !wasLost:
                wasLost = true
                try await self.tell("lost", error, "\(error.message); connecting again")
            case .live:
                try await self.tell("connected", nil, wasLive && wasLost ? "connected again" : nil)
                wasLost = false
                wasLive = true
            case .lost, .connecting, .refused, .closed: break
            }
        }
    }

    /// Reports that the link stands.
    func tellLinked() {
        if self.format != .json { Descriptors.error.write("racctl: linked\n") }
    }

    /// Reports each value that did not pass.
    func follow(_ errors: SignalValues<ClientError, Never>) async throws {
        // A cancelled task has met the end of a filter, which ends the command with its own message.
        for await error in errors where error.code != .cancelled {
            try await self.tell("refused", error, error.message)
        }
    }

    /// Reports the end of the channels to programs; for people the command's end is enough.
    func tellEnd(_ error: CommandFailure? = nil) async throws {
        let wire = error.map { WireError(code: $0.code, message: $0.message, data: $0.data) }
        try await self.write(wire == nil ? "completed" : "error", wire, nil)
    }

    private func tell(_ event: String, _ error: ClientError?, _ text: String?) async throws {
        let wire = error.map { WireError(code: $0.code.rawValue, message: $0.message, data: $0.data) }
        try await self.write(event, wire, text)
    }

    private func write(_ event: String, _ error: WireError?, _ text: String?) async throws {
        switch self.format {
        case .text, .yaml, .name, .value:
            if let text { Descriptors.error.write("racctl: \(text.onOneLine.visible)\n") }
        case .json:
            var line = Record()
            line.add("event", .string(event))
            line.add("error", error)
            try await self.output.write(line.json)
        }
    }
}
