extension ChangeCore {
    /// Takes a change that a binding carries into a property, through `origin`, unless the property has a newer one.
    @inlinable
    func adopt(_ change: Change<Value>, origin: UInt64) {
        self.tell { state in
            guard state.ending == nil, change.rank > state.kept?.rank ?? 0 else { return nil }
            // Who has no value yet was left alone with what is renewed here.
            if change.isRenewal, state.kept == nil { return nil }
            var adopted = change
            adopted.origin = origin
            adopted.isRenewal = change.identity == state.kept?.identity
            return adopted
        }
    }

    /// Takes a change that a binding carries through this direction of a channel, unless it has passed here.
    @inlinable
    func relay(_ change: Change<Value>) {
        guard !change.isRenewal, !change.hasPassed(self.number) else { return }
        var passing = change
        passing.pass(self.number)
        self.tell { $0.ending == nil ? passing : nil }
    }

    /// Replaces the value if what is kept still has the rank that it was computed from; answers whether to try again.
    @usableFromInline
    func send(_ value: Value, ifStillRanked rank: UInt64) -> Bool {
        var isOutdated = false
        self.tell { state in
            guard state.ending == nil else { return nil }
            isOutdated = state.kept?.rank != rank
            return isOutdated ? nil : Change(value, in: self.number)
        }
        return !isOutdated
    }
}
