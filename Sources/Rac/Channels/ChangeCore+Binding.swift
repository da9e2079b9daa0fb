extension ChangeCore {
    /// Takes a change that a binding carries into a property, through `origin`, unless the property has a newer one.
    @usableFromInline
    func adopt(_ change: Change<Value>, origin: UInt64) {
        let (telling, replaced) = self.state.withLock { state -> (Telling?, Change<Value>?) in
            guard state.ending == nil, let kept = state.kept, change.rank > kept.rank else { return (nil, nil) }
            var change = change
            change.origin = origin
            change.isRenewal = change.identity == kept.identity
            return self.accept(change, &state)
        }
        self.tell(telling, lettingGo: replaced)
    }

    /// Takes a change that a binding carries through this direction of a channel, unless it has passed here.
    @usableFromInline
    func relay(_ change: Change<Value>) {
        guard !change.isRenewal, !self.hasPassed(change) else { return }
        var passing = change
        passing.trail.append(self.number)
        let (telling, replaced) = self.state.withLock { state -> (Telling?, Change<Value>?) in
            guard state.ending == nil else { return (nil, nil) }
            return self.accept(passing, &state)
        }
        self.tell(telling, lettingGo: replaced)
    }

    private func hasPassed(_ change: Change<Value>) -> Bool {
        change.birthplace == self.number || change.trail.contains(self.number)
    }

    /// Replaces the value if what is kept still has the rank that it was computed from; answers whether it has.
    @usableFromInline
    func send(_ value: Value, ifStillRanked rank: UInt64) -> Bool {
        let (isDone, telling, replaced) = self.state.withLock { state -> (Bool, Telling?, Change<Value>?) in
            guard state.ending == nil else { return (true, nil, nil) }
            guard state.kept?.rank == rank else { return (false, nil, nil) }
            let (telling, replaced) = self.accept(Change(value, in: self.number), &state)
            return (true, telling, replaced)
        }
        self.tell(telling, lettingGo: replaced)
        return isDone
    }
}
