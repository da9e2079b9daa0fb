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

    /// Makes a mirror without a value.
    ///
    /// - Parameters:
    ///   - kind: The part of a channel that it represents.
    ///   - outward: Gets the values that local terminals send, and renewals, in their order, on the sending thread.
    package init(_ kind: Kind, outward: @escaping @Sendable (Change<Value>) -> Void) {
        self.kind = kind
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
    ///   - willShow: Gets the rank of the change before anybody is told.
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

    /// Takes a new value of this program's own.
    package func send(_ value: Value, tag: UInt64 = 0, origin: UInt64 = 0) {
        guard self.kind == .property else {
            return self.outward(Change(value, in: self.core.number, tag: tag))
        }
        self.core.tell { state in
            state.ending == nil ? Change(value, in: self.core.number, origin: origin, tag: tag) : nil
        }
    }

    private func take(_ change: Change<Value>, origin: UInt64) {
        guard self.kind != .property else { return self.core.adopt(change, origin: origin) }
        guard !change.isRenewal, !change.hasPassed(self.core.number) else { return }
        var passing = change
        passing.pass(self.core.number)
        self.outward(passing)
    }

    /// Ends it for each local listener.
    package func end(_ ending: Ending<Failure>) {
        self.core.end(ending)
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
    ///   - holder: Held by the terminal and its bindings.
    ///   - admit: Decides on each value that comes in; nil takes all.
    ///   - whenReported: Calls back once the far side's state is known.
    ///   - end: Ends the far side.
    /// - Returns: A new terminal.
    package func terminal(
        holding holder: any AnyObject & Sendable,
        admitting admit: Admittance<Value>? = nil,
        whenReported: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void,
        end: @escaping @Sendable (Ending<Failure>) -> Void
    ) -> ChannelTerminal<Value, Failure> {
        let number = SerialNumber.next()
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
                sink.subscription.hold(holder)
                core.add(sink, terminal: number, replaying: replay)
            },
            upstreams: self.core.upstreams,
            remoteness: Remoteness(whenReported: whenReported, holder: holder)
        )
        return ChannelTerminal(port, keeping: holder)
    }
}
