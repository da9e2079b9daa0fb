import Rac
import RacProtocol

/// A command of this program as its host needs it, whatever its types are.
struct LocalCommand: Sendable {
    /// Whether several executions may run at once.
    let isConcurrent: @Sendable () -> Bool
    /// Whether it would accept an execution if so many of those that run had ended.
    let isEnabled: @Sendable (_ besides: Int) -> Bool
    /// Calls back, on any thread, when it may have become enabled or the reverse.
    let observe: @Sendable (@escaping @Sendable () -> Void) -> any Disposable
    /// Executes it, and answers how to cancel that.
    ///
    /// The closure gets the events of the execution on any thread, and returns whether there was room.
    let execute: @Sendable (JSONText?, @escaping @Sendable (ExecutionEvent) -> Bool) throws(ClientError) -> Cancel

    typealias Cancel = @Sendable () -> Void

    init<Input, Output, Failure>(
        _ command: Command<Input, Output, Failure>,
        _ inputs: InputCoding<Input>,
        _ outputs: ValueCoding<Output>,
        failure describe: (@Sendable (Failure) -> ClientError)? = nil
    ) {
        self.isConcurrent = { command.allowsConcurrentExecution }
        self.isEnabled = { command.isEnabled(besides: $0) }
        self.observe = { callBack in command.isEnabled.signal.onValue { _ in callBack() } }
        self.execute = { text, tell throws(ClientError) in
            let execution = command.execute(try inputs.decode(text))
            execution.observe { event in
                // For other programs it is executing until a cancelled body has returned.
                let end = { (event: ExecutionEvent) in execution.whenFree { _ = tell(event) } }
                do throws(ClientError) {
                    let event = try ExecutionEvent(event, outputs, describe)
                    if case .ended = event { return end(event) }
                    if !tell(event) { execution.cancel() }
                } catch {
                    end(.ended(.failed(WireError(error))))
                    execution.cancel()
                }
            }
            return { execution.cancel() }
        }
    }
}

extension ExecutionEvent {
    /// An event of an execution in its wire form.
    fileprivate init<Output, Failure>(
        _ event: Event<Output, CommandError<Failure>>,
        _ outputs: ValueCoding<Output>,
        _ describe: (@Sendable (Failure) -> ClientError)?
    ) throws(ClientError) {
        switch event {
        case .value(let value): self = .next(try outputs.encode(value))
        case .completed: self = .ended(.completed)
        case .failed(let error): self = .ended(.failed(WireError(of: error, describe)))
        }
    }
}
