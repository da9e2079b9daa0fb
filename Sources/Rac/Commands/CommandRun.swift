public import Synchronization

/// The shared part of a run's work, its command and its listeners.
///
/// Guards: `isOver`, `reasons`, `work` and `record` guard themselves, and a lock guards `freedom`. `number` is written once, before the work starts, and only
/// the work reads it, hence `nonisolated(unsafe)`.
@usableFromInline
final class CommandRun<Input: Sendable, Output: Sendable, Failure: Error>: StoppableRun {
    /// Whether the command is free of the run, and who waits for that.
    @usableFromInline
    enum Freedom: Sendable {
        case occupied(@Sendable () -> Void)
        case free
    }

    @usableFromInline let command: CommandCore<Input, Output, Failure>
    /// The events of the work.
    @usableFromInline let record: ReplayCore<Output, CommandError<Failure>>
    /// The subscription to the work.
    @usableFromInline let work: Subscription
    /// Whether the run has ended; the caller that sets it announces the end.
    @usableFromInline let isOver = Atomic(false)
    /// The number of reasons for which the run occupies the command: that it has not ended, and its asynchronous body.
    @usableFromInline let reasons = Atomic(1)
    @usableFromInline let freedom = Guarded(Freedom.occupied({}))
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
        guard self.claimEnd() else { return }
        // A signal's work is over behind its teardown, before the command is free.
        self.work.dispose()
        self.finish(.failed(.cancelled))
    }

    @inlinable
    func end(_ ending: Ending<CommandError<Failure>>) {
        if self.claimEnd() { self.finish(ending) }
    }

    /// One caller gets the right to end the run.
    @inlinable
    func claimEnd() -> Bool { !self.isOver.exchange(true, ordering: .acquiringAndReleasing) }

    /// Ends the run.
    ///
    /// Its place is free first, so a listener may execute the command again at the end, unless a cancelled body still
    /// runs. Observers learn afterwards that the command is free (command-6).
    @inlinable
    func finish(_ ending: Ending<CommandError<Failure>>) {
        if case .failed(.failed(let failure)) = ending { self.command.post(failure) }
        self.leave()
        self.record.take(Event(ending))
        self.command.deliverOutbox()
    }
}

// MARK: The place in the command

extension CommandRun {
    /// The run as a signal of an asynchronous body, which occupies the command until the body has returned.
    @inlinable
    func signal(
        on executor: (any TaskExecutor)? = nil,
        of body: @escaping @Sendable (Sink<Output, Failure>) async throws(Failure) -> Void
    ) -> Signal<Output, Failure> {
        Signal { sink -> AnyDisposable in
            guard self.enter() else { return AnyDisposable {} }
            let task = Task(executorPreference: executor) {
                let ending: Ending<Failure>
                do throws(Failure) {
                    try await body(sink)
                    ending = .completed
                } catch {
                    ending = .failed(error)
                }
                let isFree = self.leave()
                sink.end(ending)
                if isFree { self.command.deliverOutbox() }
            }
            return AnyDisposable { task.cancel() }
        }
    }

    /// A body begins, unless the run has left the command.
    @inlinable
    func enter() -> Bool {
        var reasons = self.reasons.load(ordering: .acquiring)
        while reasons > 0 {
            let (isExchanged, present) = self.reasons.weakCompareExchange(
                expected: reasons,
                desired: reasons + 1,
                ordering: .acquiringAndReleasing
            )
            if isExchanged { return true }
            reasons = present
        }
        return false
    }

    /// One reason is gone; behind the last one the command is free of the run.
    ///
    /// - Returns: Whether this was the last one.
    @inlinable
    @discardableResult
    func leave() -> Bool {
        guard self.reasons.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 else { return false }
        self.command.free()
        let freedom = self.freedom.withLock { freedom in
            defer { freedom = .free }
            return freedom
        }
        if case .occupied(let callBack) = freedom { callBack() }
        return true
    }

    @inlinable
    func whenFree(_ callBack: @escaping @Sendable () -> Void) {
        let isFree = self.freedom.withLock { freedom in
            guard case .occupied(let earlier) = freedom else { return true }
            freedom = .occupied {
                earlier()
                callBack()
            }
            return false
        }
        if isFree { callBack() }
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
