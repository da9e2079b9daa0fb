import NIOCore
import Rac
import RacProtocol

/// The part of a remote command that belongs to the event loop: between the command and what is known of it.
///
/// All state is used on the client's event loop.
final class RemoteCommandSide<Input: Sendable, Output: Sendable> {
    typealias Port = CommandPort<Input, Output, ClientError>

    /// Nil before the command is there, and when it has gone.
    private var port: Port?
    private var observed: ObservedCommand?
    /// Why the daemon does not let this program observe the command.
    private let refusal: Property<ClientError?>
    /// The command, which allows what its host allows.
    private weak var command: Command<Input, Output, ClientError>?
    /// The executions of this command that are under way: they report their failures themselves.
    private var own: Set<ExecutionID> = []

    init(_ refusal: Property<ClientError?>) {
        self.refusal = refusal
    }

    func attach(_ port: Port) {
        self.port = port
    }

    /// Begins to notify the command of its state; a known state is reported inside this call.
    func observe(_ name: CommandName, for command: Command<Input, Output, ClientError>, _ engine: ClientEngine) {
        self.command = command
        self.observed = engine.commands.observe(name, for: self, engine)
    }

    /// The command has gone; what runs goes on.
    func detach() {
        self.port = nil
        self.observed?.remove(self)
        self.observed = nil
    }

    /// The daemon, or the host, did not let an execution begin.
    func refused(_ input: Input) {
        self.port?.refuse(input)
    }

    func start(_ execution: RemoteExecution, _ engine: ClientEngine) {
        execution.onBegin = { [weak self] id in self?.own.insert(id) }
        execution.onOver = { [weak self] id in self?.own.remove(id) }
        execution.start(engine)
    }
}

@available(*, unavailable)
extension RemoteCommandSide: Sendable {}

extension RemoteCommandSide: CommandView {
    func changed(to state: CommandState, isConcurrent: Bool?) {
        if self.refusal.value != nil { self.refusal.value = nil }
        self.command?.allowsConcurrentExecution = isConcurrent ?? true
        self.port?.tell(isEnabled: state.isEnabled, isExecuting: state.isExecuting)
    }

    func failed(_ execution: ExecutionID, _ error: WireError) {
        guard !self.own.contains(execution) else { return }
        self.failed(ClientError(error))
    }

    func refused(_ error: ClientError) {
        self.refusal.value = error
        self.failed(error)
    }

    func gone() {
        self.port?.end()
    }

    private func failed(_ error: ClientError) {
        guard case .failed(let failure) = CommandError(error) else { return }
        self.port?.fail(failure)
    }
}
