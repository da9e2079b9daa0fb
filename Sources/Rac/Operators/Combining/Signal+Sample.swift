extension Signal {
    /// Passes on the latest value at each value of another signal.
    ///
    /// A value is repeated if no newer one has come; a tick before the first value sends none. The end of either signal
    /// ends the result, in its way. Semantics: docs/semantics.md, C085. ReactiveObjC: RACSignal sample:.
    ///
    /// - Parameter sampler: Its values are the ticks; observed after the source.
    /// - Returns: One value for each tick after the first value.
    @inlinable
    public func sample<Sampler: SignalSource>(on sampler: Sampler) -> Signal<Value, Failure>
    where Sampler.Failure == Failure {
        let ticks = sampler.signal
        return Signal(serial: { sink in
            Sampling(sink: sink).run(self, ticks)
        })
    }
}

/// One subscription to a signal that is sampled by another.
///
/// Guards: `latest` is touched inside `gate` only.
@usableFromInline
final class Sampling<Value: Sendable, Failure: Error>: Junction {
    @usableFromInline
    enum Step: Sendable {
        case value(Value)
        case tick
        case ended(Ending<Failure>)
    }

    @usableFromInline let gate = SerialGate<Step>()
    @usableFromInline nonisolated(unsafe) var latest: Value?
    @usableFromInline let sink: Sink<Value, Failure>

    @inlinable
    init(sink: Sink<Value, Failure>) {
        self.sink = sink
    }

    @inlinable
    func run<Tick>(_ source: Signal<Value, Failure>, _ ticks: Signal<Tick, Failure>) {
        source.start(
            in: self.sink.subscription,
            value: { self.takeInTurn(.value($0)) },
            end: { self.takeInTurn(.ended($0)) }
        )
        ticks.start(
            in: self.sink.subscription,
            value: { _ in self.takeInTurn(.tick) },
            end: { self.takeInTurn(.ended($0)) }
        )
    }

    @inlinable
    func take(_ step: Step) {
        switch step {
        case .value(let value): self.latest = value
        case .tick: if let latest = self.latest { self.sink.send(latest) }
        case .ended(let ending): self.sink.end(ending)
        }
    }
}
