/// Decides on a value that comes in through a terminal, before anybody gets it.
///
/// It gets the value, and the identity of the change if a binding carries it. It returns the tag for a new change, or nil
/// to refuse the value.
@usableFromInline package typealias Admittance<Value> = @Sendable (Value, _ identity: UInt64?) -> UInt64?

/// The local side of a value that lives elsewhere: its terminals, their notifications, and their sends.
///
/// The maker carries changes to and from the far side, one at a time, and is one more terminal. It gets the values of
/// the other terminals, never its own. Isolation: any thread.
@usableFromInline
package final class MirrorCore<Value: Sendable, Failure: Error>: Sendable {
    /// The part of a channel that a mirror represents.
    @usableFromInline
    package enum Kind: Sendable {
        /// One value for all: each other terminal gets a sent value.
        case property
        /// The model's side: it gets later values.
        case leading
        /// The view's side: it gets the last value, too.
        case following
    }

    @usableFromInline let core: ChangeCore<Value, Failure>
    @usableFromInline let kind: Kind
    /// The terminal number of the maker.
    @usableFromInline let outlet = SerialNumber.next()
    /// Gets the values that are sent on a side; a property notifies it like each other observer.
    private let outward: @Sendable (Change<Value>) -> Void
    /// Reports that a value was set behind the property's end.
    @usableFromInline let refused: @Sendable () -> Void

    /// Makes a mirror without a value.
    ///
    /// - Parameters:
    ///   - kind: The part of a channel that it represents.
    ///   - refused: Called for each value that comes behind the end of a property, on the sending thread.
    ///   - outward: Gets the values that local terminals send, and renewals, in their order, on the sending thread.
    package init(
        _ kind: Kind,
        refused: @escaping @Sendable () -> Void = {},
        outward: @escaping @Sendable (Change<Value>) -> Void
    ) {
        self.kind = kind
        self.refused = refused
        self.outward = outward
        switch kind {
        case .property:
            self.core = ChangeCore(keeping: .newest)
            self.core.add(
                Sink(Subscription(), value: outward, end: { _ in }),
                terminal: self.outlet,
                replaying: .nothing
            )
        case .leading: self.core = ChangeCore(keeping: .nothing)
        case .following: self.core = ChangeCore(keeping: .last)
        }
    }

    /// The stored value, local or remote; Swift's observation notes the reading.
    package var value: Value? { self.kept?.value }

    /// The stored change, with its marks; Swift's observation notes the reading.
    package var kept: Change<Value>? {
        self.core.readers.isRead()
        return self.core.kept
    }

    /// The number of observers and bindings, the maker included.
    package var observerCount: Int { self.core.observerCount }

    /// Shows a value of the far side.
    ///
    /// - Parameters:
    ///   - value: The value for the terminals.
    ///   - tag: The mark that the change carries on.
    ///   - rank: The rank of the newest change that the caller knows, 0 if there is none. If a newer one exists,
    ///     nothing happens: the caller will get that one.
    ///   - willShow: Gets the rank of the change before any observer is notified.
    /// - Returns: Whether the value is shown.
    @inlinable
    package func show(_ value: Value, tag: UInt64, ifStillRanked rank: UInt64, willShow: (UInt64) -> Void) -> Bool {
        var isShown = false
        self.core.tell { state in
            guard state.ending == nil, self.kind != .property || state.kept?.rank ?? 0 == rank else { return nil }
            let change = Change(value, in: self.core.number, origin: self.outlet, tag: tag)
            isShown = true
            willShow(change.rank)
            return change
        }
        return isShown
    }

    /// Shows a value until the far side has one, unless there is one already.
    ///
    /// The maker gets its rank by a renewal, and nothing else.
    ///
    /// - Returns: Whether it is shown.
    package func offer(_ value: Value) -> Bool {
        var offered: Change<Value>?
        self.core.tell { state in
            guard state.ending == nil, state.kept == nil else { return nil }
            offered = Change(value, in: self.core.number, origin: self.outlet)
            return offered
        }
        guard var renewal = offered else { return false }
        renewal.isRenewal = true
        self.outward(renewal)
        return true
    }

    /// Takes a new value of this program's own.
    package func send(_ value: Value, tag: UInt64 = 0, origin: UInt64 = 0) {
        guard self.kind == .property else {
            return self.outward(Change(value, in: self.core.number, tag: tag))
        }
        var isOpen = true
        self.core.tell { state in
            isOpen = state.ending == nil
            return isOpen ? Change(value, in: self.core.number, origin: origin, tag: tag) : nil
        }
        if !isOpen { self.refused() }
    }

    private func take(_ change: Change<Value>, origin: UInt64) {
        guard self.kind != .property else {
            if !self.core.adopt(change, origin: origin), self.core.isNews(change) { self.refused() }
            return
        }
        guard !change.isRenewal, !change.hasPassed(self.core.number) else { return }
        var passing = change
        passing.pass(self.core.number)
        self.outward(passing)
    }

    /// Ends it for each local listener.
    package func end(_ ending: Ending<Failure>) {
        self.core.end(ending)
    }

    /// Ends it, without values of local terminals that the maker has not taken: the listeners get the far side's again.
    ///
    /// - Parameters:
    ///   - ending: The end.
    ///   - standing: The value of the far side; nil if it has none.
    ///   - rank: The rank of the newest change that the maker knows.
    ///   - isOutdated: Whether the far side has refused the change of that rank and has no value.
    ///   - willShow: Gets the rank of the value that stands, if it is shown again; it runs under the lock.
    package func end(
        _ ending: Ending<Failure>,
        standing: Value?,
        ifRankedAbove rank: UInt64,
        orIf isOutdated: Bool,
        willShow: (UInt64) -> Void
    ) {
        self.core.end(ending) { state in
            guard let kept = state.kept, kept.rank != rank || isOutdated else { return nil }
            guard let standing else {
                state.kept = nil
                return nil
            }
            let change = Change(standing, in: self.core.number, origin: self.outlet)
            willShow(change.rank)
            return change
        }
    }

    /// Releases the local listeners silently.
    package func abandon() {
        self.core.abandon()
    }

    /// Notifies an observer of the stored value and of later ones, until the end.
    ///
    /// - Parameter holder: Held as long as an observer listens.
    /// - Returns: The stored value and later ones.
    package func signal(holding holder: any AnyObject & Sendable) -> Signal<Value, Failure> {
        Signal(serial: { [core] sink in
            sink.subscription.hold(holder)
            let changes = Sink<Change<Value>, Failure>(
                sink.subscription,
                value: { change in
                    if !change.isRenewal { sink.send(change.value) }
                },
                end: sink.finish
            )
            core.add(changes, replaying: .present)
        })
    }

    /// A new terminal.
    ///
    /// On a property it gets the values of each other one, on a side those of the far side.
    ///
    /// - Parameters:
    ///   - remoteness: The state of the far side.
    ///   - admit: Decides on each value that comes in; nil takes all.
    ///   - end: Ends the far side.
    /// - Returns: A new terminal.
    package func terminal(
        _ remoteness: Remoteness,
        admitting admit: Admittance<Value>? = nil,
        end: @escaping @Sendable (Ending<Failure>) -> Void
    ) -> ChannelTerminal<Value, Failure> {
        let number = SerialNumber.next()
        var answer: (@Sendable (Change<Value>) -> Change<Value>?)?
        if self.kind == .property {
            answer = { [core] in remoteness.isStanding() ? core.answer(behindTheEnd: $0) { $0 } : nil }
        }
        let port = TerminalPort<Value, Failure>(
            send: { value in
                guard let tag = admit.map({ $0(value, nil) }) ?? 0 else { return }
                self.send(value, tag: tag, origin: number)
            },
            take: { change in
                // A change that is known already brings no value.
                let isNew = !change.isRenewal && self.core.kept?.identity != change.identity
                if let admit, isNew, admit(change.value, change.identity) == nil { return }
                self.take(change, origin: number)
            },
            end: end,
            add: { [core] sink, replay in
                sink.subscription.hold(remoteness.holder)
                core.add(sink, terminal: number, replaying: replay)
            },
            upstreams: self.core.upstreams,
            remoteness: remoteness,
            answer: answer
        )
        return ChannelTerminal(port, keeping: remoteness.holder)
    }
}

extension ChangeCore {
    /// Whether a change that a binding carries brings a value that this property does not know.
    @inlinable
    func isNews(_ change: Change<Value>) -> Bool {
        !change.isRenewal && change.identity != self.kept?.identity && !change.hasPassed(self.number)
    }

    /// The answer to a change that came behind the end: the part of the value that stands, as a newer change.
    ///
    /// It knows the way of the first change, so two properties that have ended answer each other once at most.
    @inlinable
    func answer<Part>(
        behindTheEnd change: Change<Part>,
        _ part: (Value) -> Part
    ) -> Change<Part>? {
        guard !change.isRenewal, !change.hasPassed(self.number), let kept = self.kept,
            change.identity != kept.identity
        else { return nil }
        var answer = Change(part(kept.value), in: self.number)
        answer.trail = Trail(number: change.birthplace, formerRank: 0, before: change.trail)
        return answer
    }
}
