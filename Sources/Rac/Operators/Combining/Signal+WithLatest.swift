extension Signal {
    /// Pairs each value with the latest value of another signal.
    ///
    /// The other signal is observed first, so the present value of a property counts from the start. A value that comes
    /// before the other signal has sent one is dropped. The source's end ends the result. The other signal keeps its
    /// last value when it completes; its failure ends the result. Semantics: docs/semantics.md, C410, C411. RxSwift:
    /// withLatestFrom. ReactiveSwift: withLatest(from:).
    ///
    /// - Parameter other: Its values cause no event; a property, for instance.
    /// - Returns: A pair for each value of this signal.
    @inlinable
    public func withLatest<Other: SignalSource>(
        from other: Other
    ) -> Signal<(Value, Other.Value), Failure> where Other.Failure == Failure {
        let other = other.signal
        return Signal<(Value, Other.Value), Failure>(serial: { sink in
            LatestCompanion(sink: sink).run(self, other)
        })
    }

    /// Pairs each value with the latest value of another signal, which cannot fail.
    ///
    /// - Parameter other: Its values cause no event; a property, for instance.
    /// - Returns: A pair for each value of this signal.
    @_disfavoredOverload
    @inlinable
    public func withLatest<Other: SignalSource>(
        from other: Other
    ) -> Signal<(Value, Other.Value), Failure> where Other.Failure == Never {
        self.withLatest(from: other.signal.setFailureType(to: Failure.self))
    }
}

extension Signal where Failure == Never {
    /// Pairs each value with the latest value of another signal, which may fail.
    ///
    /// - Parameter other: Its values cause no event; its failure is the failure of the result.
    /// - Returns: A pair for each value of this signal.
    @_disfavoredOverload
    @inlinable
    public func withLatest<Other: SignalSource>(from other: Other) -> Signal<(Value, Other.Value), Other.Failure> {
        self.setFailureType(to: Other.Failure.self).withLatest(from: other)
    }
}

/// One subscription to a signal whose values get a companion.
///
/// Guards: `latest` is touched inside `gate` only.
@usableFromInline
final class LatestCompanion<Value: Sendable, Other: Sendable, Failure: Error>: Junction {
    @usableFromInline
    enum Step: Sendable {
        case value(Value)
        case other(Other)
        case ended(Ending<Failure>)
    }

    @usableFromInline let gate = SerialGate<Step>()
    @usableFromInline nonisolated(unsafe) var latest: Other?
    @usableFromInline let sink: Sink<(Value, Other), Failure>

    @inlinable
    init(sink: Sink<(Value, Other), Failure>) {
        self.sink = sink
    }

    @inlinable
    func run(_ source: Signal<Value, Failure>, _ other: Signal<Other, Failure>) {
        other.start(
            in: self.sink.subscription,
            value: { self.takeInTurn(.other($0)) },
            end: { ending in
                if case .failed = ending { self.takeInTurn(.ended(ending)) }
            }
        )
        guard !self.sink.isClosed else { return }
        source.start(
            in: self.sink.subscription,
            value: { self.takeInTurn(.value($0)) },
            end: { self.takeInTurn(.ended($0)) }
        )
    }

    @inlinable
    func take(_ step: Step) {
        switch step {
        case .value(let value): if let latest = self.latest { self.sink.send((value, latest)) }
        case .other(let other): self.latest = other
        case .ended(let ending): self.sink.end(ending)
        }
    }
}
