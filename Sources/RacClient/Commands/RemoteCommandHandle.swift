import NIOCore
import Rac
import RacProtocol

/// The way from a remote command to its side on the event loop.
struct RemoteCommandHandle<Input: Sendable, Output: Sendable>: Sendable {
    private let name: CommandName
    private let loop: ClientLoop
    private let inputs: InputCoding<Input>
    private let outputs: ValueCoding<Output>
    private let refusal: Property<ClientError?>
    private let side: NIOLoopBoundBox<RemoteCommandSide<Input, Output>>

    init(_ name: CommandName, _ inputs: InputCoding<Input>, _ outputs: ValueCoding<Output>, _ loop: ClientLoop) {
        self.name = name
        self.loop = loop
        self.inputs = inputs
        self.outputs = outputs
        let refusal = Property<ClientError?>(nil)
        self.refusal = refusal
        self.side = NIOLoopBoundBox.makeBoxSendingValue(RemoteCommandSide(refusal), eventLoop: loop.eventLoop)
    }

    /// A command that is observed for as long as somebody holds it.
    func command(on scheduler: some Scheduler) -> Command<Input, Output, ClientError> {
        let command = Command(
            on: scheduler,
            obstacle: combineLatest(self.loop.connection, self.refusal) { [address = self.loop.address] in
                $0.obstacle(to: address) ?? $1
            },
            classify: { CommandError($0) },
            connect: self.connect
        ) { self.work($0) }
        self.loop.eventLoop.execute { [side, name, engine = self.loop.engine, weak command] in
            if let command { side.value.observe(name, for: command, engine.value) }
        }
        return command
    }

    private func connect(_ port: CommandPort<Input, Output, ClientError>) -> any Disposable {
        self.loop.eventLoop.execute { [side] in side.value.attach(port) }
        return AnyDisposable { [side, loop] in loop.eventLoop.execute { side.value.detach() } }
    }

    /// A remote execution as a signal.
    private func work(_ input: Input) -> Signal<Output, ClientError> {
        let text: JSONText?
        do {
            text = try self.inputs.encode(input)
        } catch {
            return .fail(error)
        }
        return Signal { sink -> AnyDisposable in
            let listener = RemoteExecution.Listener(
                value: { [outputs] value throws(ClientError) in sink.send(try outputs.decode(value)) },
                end: { [side] ending in
                    if case .failed(let error) = ending, case .notEnabled = CommandError(error) {
                        side.value.refused(input)
                    }
                    sink.end(ending)
                }
            )
            return self.start(RemoteExecution(self.name, text, listener))
        }
    }

    /// Starts an execution; disposing what this returns cancels it.
    private func start(_ execution: sending RemoteExecution) -> AnyDisposable {
        let eventLoop = self.loop.eventLoop
        let execution = NIOLoopBoundBox.makeBoxSendingValue(execution, eventLoop: eventLoop)
        eventLoop.execute { [side, engine = self.loop.engine] in
            side.value.start(execution.value, engine.value)
        }
        return AnyDisposable { eventLoop.execute { execution.value.cancel() } }
    }
}
