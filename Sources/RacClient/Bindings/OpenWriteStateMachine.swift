package import RacProtocol

/// What one terminal of a shared channel shows while its own writes are on their way.
///
/// What arrives during an open write was ordered before it, or is newer than what the acknowledgement tells: so it is kept
/// back until that comes, and then shown only if it is newer.
///
/// Semantics: protocol.md, "Agreement".
package struct OpenWriteStateMachine: Sendable {
    /// What may be shown now: the value first, then the end.
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
        /// Every send is answered; what arrives is shown.
        case settled
        /// Sends up to `last` are not answered; the channel's end waits for them.
        case open(last: SendNumber, end: TerminalEnd?)
    }

    private var state = State.settled
    /// The newest value of others, or of a refusal, that the daemon told.
    private var told: Valuation?
    /// The revision of the last acknowledgement.
    private var own = Revision.none
    /// The revision of what is shown; nil while that is a write without an answer, or one that was refused.
    private var shown: Revision?

    /// - Parameter value: What the daemon told when it bound the terminal; it is shown already.
    package init(showing value: Valuation? = nil) {
        self.told = value
        self.shown = value?.revision
    }

    /// The terminal's own write went out, and its program shows it.
    package mutating func sent(_ number: SendNumber) {
        self.shown = nil
        switch self.state {
        case .settled: self.state = .open(last: number, end: nil)
        case .open(_, let end): self.state = .open(last: number, end: end)
        }
    }

    /// Whether the end has come and waits: no send can succeed any more.
    package var isEnding: Bool {
        if case .open(_, .some) = self.state { true } else { false }
    }

    /// Somebody else's value came, or one of this program that went another way, whose revision may be told late.
    package mutating func arrived(_ value: Valuation) -> Release {
        guard value.revision >= max(self.own, self.told?.revision ?? .none) else { return .nothing }
        self.told = value
        switch self.state {
        case .settled: return self.showTold(end: nil)
        case .open: return .nothing
        }
    }

    /// The terminal ended; if the channel did not, that is told at once.
    package mutating func ended(_ end: TerminalEnd) -> Release {
        switch self.state {
        case .open(let last, _) where end.revision != nil:
            self.state = .open(last: last, end: end)
            return .nothing
        case .settled, .open: return Release(end: end)
        }
    }

    /// The daemon applied every send up to `number`, the last one as `revision`.
    package mutating func acknowledged(_ number: SendNumber, as revision: Revision) -> Release {
        guard case .open(let last, let end) = self.state else { return .nothing }
        self.own = max(self.own, revision)
        guard number >= last else { return .nothing }
        self.state = .settled
        return self.showTold(end: end)
    }

    /// A send changed nothing, and `standing` is the value that the channel has.
    package mutating func changedNothing(_ number: SendNumber, standing: Valuation) -> Release {
        guard case .open = self.state else { return .nothing }
        if standing.revision > self.told?.revision ?? .none { self.told = standing }
        return self.acknowledged(number, as: standing.revision)
    }

    /// Whether the channel's value must be asked for before ``refused(_:standing:)``, if the refusal does not tell it.
    package func mustAsk(afterRefusalOf number: SendNumber) -> Bool {
        if case .open(let last, _) = self.state { number >= last } else { false }
    }

    /// The daemon did not apply a send; `standing` is the value that the channel has, if it has one.
    package mutating func refused(_ number: SendNumber, standing: Valuation?) -> Release {
        guard case .open(let last, let end) = self.state else { return .nothing }
        if let standing, standing.revision > self.told?.revision ?? .none { self.told = standing }
        guard number >= last else { return .nothing }
        self.state = .settled
        return self.showTold(end: end)
    }

    /// The terminal is bound anew, and the daemon told `value`; nil if it has nothing newer than what was told before.
    ///
    /// - Parameters:
    ///   - value: Counts as an arrival.
    ///   - last: The last of the sends that go out again; nil if there are none.
    ///   - isForgetful: Whether the daemon may have lost what it acknowledged, so that what it tells now is right.
    /// - Returns: What may be shown now.
    package mutating func bound(_ value: Valuation?, last: SendNumber?, forgetting isForgetful: Bool) -> Release {
        if let value {
            if isForgetful { self.own = .none }
            self.told = value
        }
        guard let last else {
            self.state = .settled
            return self.showTold(end: nil)
        }
        self.shown = nil
        self.state = .open(last: last, end: nil)
        return .nothing
    }

    /// No answer will come on this connection; an end that was kept back is a fact all the same.
    package mutating func connectionLost() -> Release {
        guard case .open(_, let end?) = self.state else { return .nothing }
        self.state = .settled
        return Release(end: end)
    }

    /// Every send is answered: shows what the daemon told, unless an own write is newer or it is shown already.
    ///
    /// What was told has the revision of an acknowledgement only if that write changed nothing: so it is shown.
    private mutating func showTold(end: TerminalEnd?) -> Release {
        guard let told = self.told, told.revision >= self.own, told.revision != self.shown else {
            return Release(end: end)
        }
        self.shown = told.revision
        return Release(value: told, end: end)
    }
}
