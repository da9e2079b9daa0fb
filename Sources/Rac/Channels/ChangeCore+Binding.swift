extension ChangeCore {
    /// Takes a change that a binding carries into a property, through `origin`, unless the property has a newer one.
    @inlinable
    func adopt(_ change: Change<Value>, origin: UInt64) {
        self.tell { state in
            guard state.ending == nil, state.kept.map(change.isNewer(than:)) ?? true else { return nil }
            let isKnown = change.identity == state.kept?.identity
            if change.isRenewal, !isKnown, change.rank > state.kept?.rank ?? 0 {
                return self.answer(change, comingThrough: origin, state)
            }
            var adopted = change
            adopted.origin = origin
            adopted.isRenewal = false
            if let kept = state.kept, isKnown || change.tag != 0 && change.tag == kept.tag {
                // The change came before by another way, perhaps in another form: it is taken once (binding-4).
                adopted.value = kept.value
                adopted.isRenewal = true
            }
            return adopted
        }
    }

    /// The consequence of a renewal of another change than the stored one.
    ///
    /// The stored change may have left through `origin` behind the renewed one. It is on its way there and would come
    /// too late, because its rank is too low now: it takes part in the renewal (binding-5). Any other change is
    /// unaffected, and so is a side without a value: it alone gets the renewed one.
    @inlinable
    func answer(_ renewal: Change<Value>, comingThrough origin: UInt64, _ state: State) -> Change<Value>? {
        guard let kept = state.kept, kept.rank > renewal.formerRank else { return nil }
        let wasTold = state.observers.contains { $0.terminal == origin && $0.heardBefore < state.keptCount }
        return wasTold ? kept.renewed(to: renewal.rank, in: self.number).renewal(from: self.number) : nil
    }

    /// Takes a change that a binding carries through this direction of a channel, unless it has passed here.
    @inlinable
    func relay(_ change: Change<Value>) {
        guard !change.hasPassed(self.number) else { return }
        var passing = change
        passing.pass(self.number)
        self.tell { $0.ending == nil ? passing : nil }
    }

    /// Changes the stored value, if there is one; `transform` runs with no lock held, and again if another thread was
    /// faster.
    ///
    /// - Parameters:
    ///   - origin: The terminal that the change came through.
    ///   - admit: Returns the tag of a changed value, or nil to leave the stored one; runs as `transform` does.
    ///   - transform: Changes a copy.
    /// - Returns: Whether the changed value was admitted, or there is none.
    @inlinable
    @discardableResult
    func modify(
        origin: UInt64 = 0,
        admitting admit: Admittance<Value>? = nil,
        _ transform: (inout Value) -> Void
    ) -> Bool {
        var isOutdated = true
        while isOutdated, let found = self.kept {
            var value = found.value
            transform(&value)
            guard let tag = admit.map({ $0(value, nil) }) ?? 0 else { return false }
            isOutdated = false
            self.tell { state in
                guard state.ending == nil else { return nil }
                isOutdated = state.kept?.rank != found.rank
                return isOutdated ? nil : Change(value, in: self.number, origin: origin, tag: tag)
            }
        }
        return true
    }
}
