public import Synchronization

/// The shared part of a run's work, its command and its listeners.
///
/// Guards: `isOver`, `work` and `record` guard themselves. `number` is written once, before the work starts, and only
/// the work reads it, hence `nonisolated(unsafe)`.
@usableFromInline
final class CommandRun<Input: Sendable, Output: Sendable, Failure: Error>: Sendable {
    @usableFromInline let command: CommandCore<Input, Output, Failure>
    /// The events of the work.
    @usableFromInline let record: ReplayCore<Output, CommandError<Failure>>
    /// The subscription to the work.
    @usableFromInline let work: Subscription
    /// Whether the run has ended; the caller that sets it announces the end.
    @usableFromInline let isOver = Atomic(false)
    /// The number of announced runs, this one included.
    @usableFromInline nonisolated(unsafe) var number = 0

    @inlinable
    init(of command: CommandCore<Input, Output, Failure>) {
        self.command = command
        self.work = Subscription()
        self.record = ReplayCore(capacity: .max, upstreams: self.work)
    }

    @inlinable
    deinit {
        // After its end it has released its listeners.
        if !self.isOver.load(ordering: .acquiring) { self.record.abandon() }
    }

    /// The events of the work.
    @inlinable
    var signal: Signal<Output, CommandError<Failure>> {
        Signal(serial: { [record] in record.add($0) })
    }

    /// The events of the work, with completion in place of a failure.
    @inlinable
    var unfailing: Signal<Output, Never> {
        Signal(serial: { [record] sink in
            record.add(Sink(sink.subscription, value: { sink.send($0) }, end: { _ in sink.finish(.completed) }))
        })
    }

    /// Starts the work, unless the run has been cancelled.
    @inlinable
    func start(_ work: Signal<Output, Failure>) {
        work.start(self.work, value: { self.said($0) }, end: { self.workEnded($0) })
    }

    @inlinable
    func said(_ value: Output) {
        self.record.take(.value(value))
        self.command.values.send(RunValue(value, of: self.number))
    }

    @inlinable
    func workEnded(_ ending: Ending<Failure>) {
        switch ending {
        case .completed: self.end(.completed)
        case .failed(let failure): self.end(.failed(self.command.classify?(failure) ?? .failed(failure)))
        }
    }

    @inlinable
    func cancel() {
        self.end(.failed(.cancelled))
        self.work.dispose()
    }

    /// Ends the run, unless it has ended.
    ///
    /// Its place is free first, so a listener may execute the command again at the end. Observers learn afterwards that
    /// the command is free (command-6).
    @inlinable
    func end(_ ending: Ending<CommandError<Failure>>) {
        guard !self.isOver.exchange(true, ordering: .acquiringAndReleasing) else { return }
        self.command.free(after: ending)
        self.record.take(Event(ending))
        self.command.deliverOutbox()
    }
}

/// A value of a run's work.
@usableFromInline
struct RunValue<Output: Sendable>: Sendable {
    @usableFromInline let value: Output
    /// The number of the run.
    @usableFromInline let run: Int

    @inlinable
    init(_ value: Output, of run: Int) {
        self.value = value
        self.run = run
    }
}
