/// What stands here for a value that lives elsewhere: its terminals, what they are told, and what they send.
///
/// Whoever made it carries changes to and from the far side, one at a time, and is one more terminal on it: it hears what
/// the others send, never what it shows. Isolation: any thread.
package final class MirrorCore<Value: Sendable, Failure: Error>: Sendable {
    /// Which part of a channel it stands for.
    package enum Kind: Sendable {
        /// One value for all: what one terminal sends, all others are told.
        case property
        /// The side of the model: it is told what is sent from now on.
        case leading
        /// The side of the view: it is told the last value too.
        case following
    }

    private let core: ChangeCore<Value, Failure>
    private let kind: Kind
    /// The number of whoever made it, as a terminal.
    private let outlet = SerialNumber.next()
    /// Hears what is sent on a side; a property tells it like everybody else.
    private let outward: @Sendable (Change<Value>) -> Void

    /// Makes one without a value.
    ///
    /// - Parameters:
    ///   - kind: Which part of a channel it stands for.
    ///   - outward: Hears what terminals here send, and renewals, in their order; on the thread that sends.
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

    /// What is kept, be it from here or from elsewhere.
    package var value: Value? { self.core.kept?.value }

    /// The same with what tells it from other changes.
    package var kept: Change<Value>? { self.core.kept }

    /// How many observers and bindings listen, the maker among them.
    package var observerCount: Int { self.core.observerCount }

    /// Shows a value that comes from elsewhere.
    ///
    /// - Parameters:
    ///   - value: What the terminals are told.
    ///   - tag: What the change carries on.
    ///   - rank: The rank of the newest change that the caller knows, 0 if there is none: if there is a newer one, which the
    ///     caller will hear, nothing happens.
    /// - Returns: The rank of the change; nil if nothing happened.
    package func show(_ value: Value, tag: UInt64, ifStillRanked rank: UInt64) -> UInt64? {
        var shown: UInt64?
        self.core.tell { state in
            guard state.ending == nil, self.kind != .property || state.kept?.rank ?? 0 == rank else { return nil }
            let change = Change(value, in: self.core.number, origin: self.outlet, tag: tag)
            shown = change.rank
            return change
        }
        return shown
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

    /// Ends it for everybody here.
    package func end(_ ending: Ending<Failure>) {
        self.core.end(ending)
    }

    /// Lets go of everybody here without a word.
    package func abandon() {
        self.core.abandon()
    }

    /// Tells who observes what there is and what comes, until the end.
    ///
    /// - Parameter holder: Held as long as somebody observes.
    /// - Returns: The values of now and of later.
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

    /// A terminal of its own; on a property it hears every other one, on a side it hears what comes from elsewhere.
    ///
    /// - Parameters:
    ///   - holder: Held by the terminal and whoever is bound to it.
    ///   - whenReported: Calls back once the state over there is known.
    ///   - end: Ends it over there.
    /// - Returns: A new terminal.
    package func terminal(
        holding holder: any AnyObject & Sendable,
        whenReported: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void,
        end: @escaping @Sendable (Ending<Failure>) -> Void
    ) -> ChannelTerminal<Value, Failure> {
        let number = SerialNumber.next()
        let port = TerminalPort<Value, Failure>(
            send: { self.send($0, origin: number) },
            take: { self.take($0, origin: number) },
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
