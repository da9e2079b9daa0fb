/// The failure of a choice between signals.
public enum SwitchError<Failure: Error>: Error {
    /// A key came that has no case, and there is no default.
    case noMatchingCase
    /// The keys or the chosen signal failed.
    case failed(Failure)
}

extension SwitchError: Equatable where Failure: Equatable {}
extension SwitchError: Hashable where Failure: Hashable {}

extension Signal {
    /// Follows one of two signals, as a condition chooses.
    ///
    /// No event comes before the condition's first value. Each value observes the chosen signal anew and disposes the
    /// earlier one. The result ends when the condition and the last chosen signal have ended, or with the first failure
    /// of either. Semantics: docs/semantics.md, C099. ReactiveObjC: RACSignal if:then:else:.
    ///
    /// - Parameters:
    ///   - condition: Chooses the signal.
    ///   - consequence: Followed after true.
    ///   - alternative: Followed after false.
    /// - Returns: The values of the chosen signal at each time.
    @inlinable
    public static func `if`(
        _ condition: Signal<Bool, Failure>,
        then consequence: Signal<Value, Failure>,
        else alternative: Signal<Value, Failure>
    ) -> Signal<Value, Failure> {
        condition.flatMap(.latest) { $0 ? consequence : alternative }
    }

    /// Follows the signal that belongs to the newest key, or a default.
    ///
    /// No event comes before the first key. Each key observes its signal anew and disposes the earlier one. The result
    /// ends when the keys and the last chosen signal have ended, or with the first failure of either. Semantics:
    /// docs/semantics.md, "Operators". ReactiveObjC: RACSignal switch:cases:default:.
    ///
    /// - Parameters:
    ///   - keys: Choose the signal.
    ///   - cases: The signals by their keys.
    ///   - fallback: Followed after a key without a case.
    /// - Returns: The values of the chosen signal at each time.
    @inlinable
    public static func `switch`<Key: Hashable & Sendable>(
        _ keys: Signal<Key, Failure>,
        cases: [Key: Signal<Value, Failure>],
        default fallback: Signal<Value, Failure>
    ) -> Signal<Value, Failure> {
        keys.flatMap(.latest) { cases[$0] ?? fallback }
    }

    /// Follows the signal that belongs to the newest key; a key without a case is a failure.
    ///
    /// Otherwise it works as with a default. Semantics: docs/semantics.md, C100. ReactiveObjC: RACSignal
    /// switch:cases:default:.
    ///
    /// - Parameters:
    ///   - keys: Choose the signal.
    ///   - cases: The signals by their keys.
    /// - Returns: The values of the chosen signal at each time.
    @inlinable
    public static func `switch`<Key: Hashable & Sendable, CaseFailure: Error>(
        _ keys: Signal<Key, CaseFailure>,
        cases: [Key: Signal<Value, CaseFailure>]
    ) -> Signal<Value, Failure> where Failure == SwitchError<CaseFailure> {
        let cases = cases.mapValues { $0.mapFailure(SwitchError.failed) }
        return keys.mapFailure(SwitchError.failed).flatMap(.latest) { cases[$0] ?? .fail(.noMatchingCase) }
    }
}
