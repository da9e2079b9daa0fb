package import RacConnection
package import RacProtocol

extension Valuation {
    /// A value of its own with a revision.
    package static func sample(_ revision: UInt64, _ text: String = "1") throws -> Valuation {
        Valuation(value: try JSONText(text), revision: Revision(revision), cause: nil)
    }
}

extension Refusal {
    /// A refusal for a reason, with how the channel stands.
    package static func sample(_ code: ErrorCode, _ standing: Valuation? = nil) -> Refusal {
        let error = WireError(code, "for a test")
        return standing.map { Refusal(error, standing: $0) } ?? Refusal(error)
    }
}

extension Bound {
    /// The answer to a bind.
    package static func sample(
        _ terminal: UInt64 = 1,
        _ value: Valuation? = nil,
        mode: ChannelMode = .shared,
        lastApplied: UInt64 = 0
    ) -> Bound {
        Bound(
            terminal: TerminalID(terminal),
            revision: value?.revision ?? .never,
            state: .open,
            mode: mode,
            lastApplied: SendNumber(lastApplied),
            value: value?.value,
            cause: value?.cause
        )
    }
}

extension Welcome {
    package static let sample = Welcome(
        server: "racd/test",
        epoch: "e1",
        heartbeat: 20_000,
        maximumFrameBytes: 1 << 20,
        deflate: false
    )
}

extension TerminalEnd {
    package static func failed(_ code: String, _ revision: UInt64?) -> TerminalEnd {
        TerminalEnd(.failed(WireError(code: code, message: "")), revision: revision.map { Revision($0) })
    }

    package static func completed(_ revision: UInt64) -> TerminalEnd {
        TerminalEnd(.completed, revision: Revision(revision))
    }
}
