extension Signal {
    /// Makes a signal of an asynchronous sequence, which a task iterates for each observer.
    ///
    /// Disposing the subscription cancels the task. Events come on the task's executor, one after another.
    ///
    /// - Parameter values: The sequence. Each observer iterates it anew; its failure becomes the signal's.
    public init<Values: AsyncSequence & Sendable>(values: Values)
    where Values.Element == Value, Values.Failure == Failure {
        self.init(runningTask: nil) { sink in
            do throws(Failure) {
                var iterator = values.makeAsyncIterator()
                while let value = try await iterator.next(isolation: nil) {
                    sink.send(value)
                    // A sequence need not end when its task is cancelled.
                    if sink.isClosed { return }
                }
                sink.complete()
            } catch {
                sink.fail(error)
            }
        }
    }

    /// A signal of asynchronous work, which runs as a task for each observer.
    ///
    /// Disposing the subscription cancels the task and drops its later result. Observing never waits: the value comes
    /// on the task's executor.
    ///
    /// - Parameters:
    ///   - priority: The task's priority; nil takes the observer's.
    ///   - operation: Runs once per observer; its error becomes the signal's failure.
    /// - Returns: `[value, done]` or `[fail]`.
    public static func task(
        priority: TaskPriority? = nil,
        _ operation: @escaping @Sendable () async throws(Failure) -> Value
    ) -> Signal<Value, Failure> {
        Signal(runningTask: priority) { sink in
            do throws(Failure) {
                sink.send(try await operation())
                sink.complete()
            } catch {
                sink.fail(error)
            }
        }
    }

    private init(
        runningTask priority: TaskPriority?,
        _ operation: @escaping @Sendable (Sink<Value, Failure>) async -> Void
    ) {
        self.init(serial: { sink in
            let task = Task(priority: priority) { await operation(sink) }
            sink.subscription.add(AnyDisposable { task.cancel() })
        })
    }
}
