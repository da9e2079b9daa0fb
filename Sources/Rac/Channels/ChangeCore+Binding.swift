extension ChangeCore {
    /// Takes a change that a binding carries into a property, through `origin`, unless the property has a newer one.
    ///
    /// - Returns: Whether the property has not ended.
    @inlinable
    @discardableResult
    func adopt(_ change: Change<Value>, origin: UInt64) -> Bool {
        var isOpen = true
        self.tell { state in
            isOpen = state.ending == nil
            guard isOpen, state.kept.map(change.isNewer(than:)) ?? true else { return nil }
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
        return isOpen
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
    /// - Returns: Whether the stored value was changed.
    @inlinable
    @discardableResult
    func modify(
        origin: UInt64 = 0,
        admitting admit: Admittance<Value>? = nil,
        _ transform: (inout Value) -> Void
    ) -> Modification {
        var (isOutdated, isOver) = (true, false)
        while isOutdated, let found = self.kept {
            var value = found.value
            transform(&value)
            guard let tag = admit.map({ $0(value, nil) }) ?? 0 else { return .refused }
            isOutdated = false
            self.tell { state in
                isOver = state.ending != nil
                isOutdated = !isOver && state.kept?.rank != found.rank
                return isOver || isOutdated ? nil : Change(value, in: self.number, origin: origin, tag: tag)
            }
        }
        return isOver ? .ended : .taken
    }

    /// Notes a binding that gives this property values of another owner.
    ///
    /// A binding whose other side has ended gives way to it.
    @inlinable
    func tie(_ binding: Subscription) {
        let outlived = self.state.withLock { state -> Subscription? in
            state.ties.removeAll { !$0.isOpen }
            state.ties.append(binding)
            defer { state.outlived = nil }
            return state.outlived
        }
        outlived?.dispose()
    }

    /// Keeps a binding whose other side has ended, unless the property has another owner; returns whether it did.
    @inlinable
    func outlive(_ binding: Subscription) -> Bool {
        self.state.withLock { state in
            state.ties.removeAll { !$0.isOpen || $0 === binding }
            guard state.ties.isEmpty, state.ending == nil else { return false }
            state.outlived = binding
            return true
        }
    }
}

extension ChangeCore {
    /// The outcome of a modification.
    @usableFromInline
    enum Modification: Sendable {
        /// The value was changed, or there is none.
        case taken
        /// The changed value was not admitted.
        case refused
        /// The property has ended and keeps its value.
        case ended
    }
}
