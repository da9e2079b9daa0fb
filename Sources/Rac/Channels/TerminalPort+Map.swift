extension TerminalPort {
    /// This port for a side whose values have another form; `backward` may drop a value.
    @inlinable
    func map<Output>(
        forward: @escaping @Sendable (Value) -> Output,
        backward: @escaping @Sendable (Output) -> Value?
    ) -> TerminalPort<Output, Failure> {
        var answer: (@Sendable (Change<Output>) -> Change<Output>?)?
        if let whole = self.answer {
            answer = { change in
                guard let value = backward(change.value) else { return nil }
                return whole(Change<Value>(value, as: change))?.map(forward)
            }
        }
        return TerminalPort<Output, Failure>(
            send: { if let value = backward($0) { self.send(value) } },
            take: { change in
                if let value = backward(change.value) { self.take(Change(value, as: change)) }
            },
            end: self.end,
            add: { sink, replay in
                let changes = Sink<Change<Value>, Failure>(
                    sink.subscription,
                    value: { sink.send($0.map(forward)) },
                    end: sink.finish
                )
                self.add(changes, replay)
            },
            upstreams: self.upstreams,
            isOver: self.isOver,
            remoteness: self.remoteness,
            answer: answer,
            tied: self.tied
        )
    }
}
