/// How a choice between signals failed.
public enum SwitchError<Failure: Error>: Error {
    /// A key came for which there is no case, and there is no default.
    case noMatchingCase
    /// The keys or the chosen signal failed.
    case failed(Failure)
}

extension SwitchError: Equatable where Failure: Equatable {}
extension SwitchError: Hashable where Failure: Hashable {}

extension Signal {
    /// Follows one of two signals, as a condition says.
    ///
    /// Nothing comes before the condition has spoken. Each of its values observes the chosen signal anew and disposes
    /// the one before. It ends when the condition and the signal chosen last have ended, or with the first failure of
    /// either. Semantics: docs/semantics.md, C099. ReactiveObjC: RACSignal if:then:else:.
    ///
    /// - Parameters:
    ///   - condition: Chooses.
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
    /// Nothing comes before the first key. Each key observes its signal anew and disposes the one before. It ends when
    /// the keys and the signal chosen last have ended, or with the first failure of either. Semantics:
    /// docs/semantics.md, "Operators". ReactiveObjC: RACSignal switch:cases:default:.
    ///
    /// - Parameters:
    ///   - keys: Choose.
    ///   - cases: The signals by their keys.
    ///   - fallback: Followed after a key that has no case.
    /// - Returns: The values of the chosen signal at each time.
    @inlinable
    public static func `switch`<Key: Hashable & Sendable>(
        _ keys: Signal<Key, Failure>,
        cases: [Key: Signal<Value, Failure>],
        default fallback: Signal<Value, Failure>
    ) -> Signal<Value, Failure> {
        keys.flatMap(.latest) { cases[$0] ?? fallback }
    }

    /// Follows the signal that belongs to the newest key; a key that has none is a failure.
    ///
    /// As with a default otherwise. Semantics: docs/semantics.md, C100. ReactiveObjC: RACSignal switch:cases:default:.
    ///
    /// - Parameters:
    ///   - keys: Choose.
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
