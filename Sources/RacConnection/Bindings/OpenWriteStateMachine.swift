package import RacProtocol

/// Decides when a terminal of a shared channel shows arrivals while its own writes are on their way.
///
/// An arrival during an open write was ordered before the write, or is newer than it. Only the acknowledgement shows
/// which, so the arrival waits for that, and is then shown only if it is newer.
///
/// Semantics: protocol.md, "Agreement".
package struct OpenWriteStateMachine: Sendable {
    /// The value and the end that may be shown now, in this order.
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
        /// Every send is answered; arrivals are shown.
        case settled
        /// Sends up to `last` have no answer; the channel's end waits for their answers.
        case open(last: SendNumber, end: TerminalEnd?)
    }

    private var state = State.settled
    /// The newest value of another program, or of a refusal, that the daemon sent.
    private var newestOther: Valuation?
    /// The revision of the newest write that the daemon acknowledged.
    package private(set) var newestOwn = Revision.never
    /// The revision of the shown value; nil while that is a write that has no answer or was refused.
    private var shownRevision: Revision?

    /// - Parameter value: The value that came with the binding; it is shown already.
    package init(showing value: Valuation? = nil) {
        self.newestOther = value
        self.shownRevision = value?.revision
    }

    /// The terminal's own write went out, and its program shows it.
    ///
    /// - Parameter number: Nil if the write waits for the next binding: until then it has no answer.
    package mutating func sent(_ number: SendNumber?) {
        self.shownRevision = nil
        let last = number ?? SendNumber(.max)
        switch self.state {
        case .settled: self.state = .open(last: last, end: nil)
        case .open(_, let end): self.state = .open(last: last, end: end)
        }
    }

    /// Whether the channel's end has come and waits for answers: no send can succeed any more.
    package var isEnding: Bool {
        if case .open(_, .some) = self.state { true } else { false }
    }

    /// A value of another program came, or one that this program wrote another way, whose revision may come late.
    package mutating func arrived(_ value: Valuation) -> Release {
        guard value.revision >= max(self.newestOwn, self.newestOther?.revision ?? .never) else { return .nothing }
        self.newestOther = value
        switch self.state {
        case .settled: return self.showNewest(end: nil)
        case .open: return .nothing
        }
    }

    /// The terminal ended; the end of a binding alone is released at once.
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
        self.newestOwn = max(self.newestOwn, revision)
        guard number >= last else { return .nothing }
        self.state = .settled
        return self.showNewest(end: end)
    }

    /// A send changed nothing, because the channel has the value `standing`.
    package mutating func changedNothing(_ number: SendNumber, standing: Valuation) -> Release {
        guard case .open = self.state else { return .nothing }
        if standing.revision > self.newestOther?.revision ?? .never { self.newestOther = standing }
        return self.acknowledged(number, as: standing.revision)
    }

    /// Whether the channel's value must be asked for before ``refused(_:standing:)``, if the refusal lacks it.
    package func mustAsk(afterRefusalOf number: SendNumber) -> Bool {
        if case .open(let last, _) = self.state { number >= last } else { false }
    }

    /// The daemon did not apply a send; `standing` is the channel's value, if it has one.
    package mutating func refused(_ number: SendNumber, standing: Valuation?) -> Release {
        guard case .open(let last, let end) = self.state else { return .nothing }
        if let standing, standing.revision > self.newestOther?.revision ?? .never { self.newestOther = standing }
        guard number >= last else { return .nothing }
        self.state = .settled
        return self.showNewest(end: end)
    }

    /// The newest value from the daemon, unless an own write is newer.
    package var newestTold: Valuation? { self.newestOther.flatMap { $0.revision >= self.newestOwn ? $0 : nil } }

    /// The terminal is bound anew; `value` is nil if the daemon has nothing newer than it sent before.
    ///
    /// - Parameters:
    ///   - value: Counts as an arrival.
    ///   - revision: The revision of what the channel has; without any value, earlier arrivals do not count any more.
    ///   - last: The last of the sends that go out again, if any.
    ///   - isForgetful: Whether the daemon may have lost writes that it acknowledged, so that its value counts.
    ///   - isKnown: Whether the program shows the value already, or has sent it.
    /// - Returns: The value that may be shown now.
    package mutating func bound(
        _ value: Valuation?,
        at revision: Revision,
        last: SendNumber?,
        forgetting isForgetful: Bool,
        knowing isKnown: Bool = false
    ) -> Release {
        // Another epoch may count from a lower revision.
        if isForgetful, !isKnown { (self.newestOwn, self.shownRevision) = (.never, nil) }
        if let value, !isKnown {
            self.newestOther = value
        } else if revision == .never {
            self.newestOther = nil
            // A daemon without its channels may give a new value the revision of the lost one.
            self.shownRevision = nil
        }
        guard let last else {
            self.state = .settled
            return self.showNewest(end: nil)
        }
        self.shownRevision = nil
        self.state = .open(last: last, end: nil)
        return .nothing
    }

    /// No answer will come on this connection; an end that waits is a fact all the same.
    package mutating func connectionLost() -> Release {
        guard case .open(_, let end?) = self.state else { return .nothing }
        self.state = .settled
        return Release(end: end)
    }

    /// Every send is answered: shows the newest value of others, unless an own write is newer or it is shown already.
    ///
    /// Both have one revision only if the write changed nothing: then the value of others stands, and is shown.
    private mutating func showNewest(end: TerminalEnd?) -> Release {
        guard let other = self.newestOther, other.revision >= self.newestOwn, other.revision != self.shownRevision
        else {
            return Release(end: end)
        }
        self.shownRevision = other.revision
        return Release(value: other, end: end)
    }
}
