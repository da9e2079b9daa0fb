package import RacProtocol

/// What one terminal of a shared channel shows while its own writes are on their way.
///
/// What arrives during an open write was ordered before it, or is newer than what the acknowledgement tells: so it is kept
/// back until that comes, and then shown only if it is newer.
///
/// Semantics: protocol.md, "Agreement".
package struct OpenWriteStateMachine: Sendable {
    /// What was kept back and may be shown now: the value first, then the end.
    package struct Release: Equatable, Sendable {
        package static let nothing = Release()

        package var value: Valuation?
        package var end: TerminalEnd?

        package init(value: Valuation? = nil, end: TerminalEnd? = nil) {
            self.value = value
            self.end = end
        }
    }

    private enum State {
        /// Every send is acknowledged; what arrives is shown.
        case settled
        /// Sends up to `last` are not acknowledged; the newest arrival and the end wait in `held`.
        case open(last: SendNumber, held: Release)
    }

    private var state = State.settled

    package init() {}

    /// The terminal's own write went out.
    package mutating func sent(_ number: SendNumber) {
        switch self.state {
        case .settled: self.state = .open(last: number, held: .nothing)
        case .open(_, let held): self.state = .open(last: number, held: held)
        }
    }

    /// Whether the end has come and waits: no send can succeed any more.
    package var isEnding: Bool {
        if case .open(_, let held) = self.state { held.end != nil } else { false }
    }

    /// Somebody else's value came.
    package mutating func arrived(_ value: Valuation) -> Release {
        switch self.state {
        case .settled: return Release(value: value)
        case .open(let last, var held):
            held.value = value
            self.state = .open(last: last, held: held)
            return .nothing
        }
    }

    /// The terminal ended.
    package mutating func ended(_ end: TerminalEnd) -> Release {
        switch self.state {
        case .settled: return Release(end: end)
        case .open(let last, var held):
            held.end = end
            self.state = .open(last: last, held: held)
            return .nothing
        }
    }

    /// The daemon applied every send up to `number`, the last one as `revision`.
    package mutating func acknowledged(_ number: SendNumber, as revision: Revision) -> Release {
        guard case .open(let last, var held) = self.state else { return .nothing }
        // No arrival has the revision of an own write. One that has the revision told is what the channel kept, because
        // the write was not the newest in its chain of links and changed nothing: so it is shown.
        if let value = held.value, value.revision < revision { held.value = nil }
        guard number >= last else {
            self.state = .open(last: last, held: held)
            return .nothing
        }
        self.state = .settled
        return held
    }

    /// The daemon did not apply a send; `standing` is the value that the channel has, if it told one.
    package mutating func refused(_ number: SendNumber, standing: Valuation?) -> Release {
        guard case .open(let last, var held) = self.state else { return .nothing }
        held.value = Self.newest(held.value, standing)
        guard number >= last else {
            self.state = .open(last: last, held: held)
            return .nothing
        }
        self.state = .settled
        return held
    }

    /// No acknowledgement will come on this connection; an end that was kept back is a fact all the same.
    package mutating func connectionLost() -> Release {
        guard case .open(_, let held) = self.state, held.end != nil else { return .nothing }
        self.state = .settled
        return held
    }

    private static func newest(_ held: Valuation?, _ told: Valuation?) -> Valuation? {
        guard let held, let told else { return held ?? told }
        return held.revision > told.revision ? held : told
    }
}
