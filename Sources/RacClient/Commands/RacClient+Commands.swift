public import Rac
public import RacProtocol

extension RacClient {
    /// A command that some program hosts, to be used as if it were this program's own.
    ///
    ///     let blink = try client.command("room/blink", as: Int.self, returning: String.self)
    ///     blink.execute(3).signal.onValue { print($0) }
    ///
    /// It is not enabled while nobody hosts it, and before the daemon has been heard of for the first time: wait for
    /// `isEnabled` in a program that executes once. `isExecuting` is true while anybody's execution runs, and until the
    /// host has given up one that was cancelled. `values`, `executions` and `refusals` are those of this object; `errors`
    /// are all failures of the command, whoever executed it.
    ///
    /// The daemon decides whether an execution begins, so of two calls in a row the second may be accepted here and
    /// then end with `notEnabled`. An execution fails with the code that the host gave it, with `hostLost`, with
    /// `connectionLost` or `closed` when this program has lost its way to it, or with `badValue`. What happens is told
    /// on the client's event loop unless a scheduler is given. Semantics: docs/semantics.md, command-1 to command-19;
    /// protocol.md, "Commands".
    ///
    /// - Parameters:
    ///   - name: The command's name; it need not be hosted yet.
    ///   - input: What it is executed with, written as JSON.
    ///   - output: What its values are to be, read from JSON.
    ///   - scheduler: Where observers hear; a serial one.
    /// - Returns: The command, observed for as long as it is held.
    /// - Throws: ``ClientError`` with code `badName`.
    public func command<Input: Codable & Sendable, Output: Codable & Sendable>(
        _ name: String,
        as input: Input.Type = Input.self,
        returning output: Output.Type = Output.self,
        on scheduler: some Scheduler = ImmediateScheduler()
    ) throws(ClientError) -> Command<Input, Output, ClientError> {
        try self.command(name, InputCoding(.codable), .codable, on: scheduler)
    }

    /// A command without an input that some program hosts.
    ///
    /// - Parameters:
    ///   - name: The command's name.
    ///   - output: What its values are to be, read from JSON.
    ///   - scheduler: Where observers hear; a serial one.
    /// - Returns: The command, as ``command(_:as:returning:on:)``.
    /// - Throws: ``ClientError`` with code `badName`.
    public func command<Output: Codable & Sendable>(
        _ name: String,
        returning output: Output.Type = Output.self,
        on scheduler: some Scheduler = ImmediateScheduler()
    ) throws(ClientError) -> Command<Void, Output, ClientError> {
        try self.command(name, InputCoding(), .codable, on: scheduler)
    }

    /// A command of JSON text that some program hosts; nothing is read or written anew.
    ///
    /// - Parameters:
    ///   - name: The command's name.
    ///   - scheduler: Where observers hear; a serial one.
    /// - Returns: The command, as ``command(_:as:returning:on:)``.
    /// - Throws: ``ClientError`` with code `badName`.
    public func command(
        raw name: String,
        on scheduler: some Scheduler = ImmediateScheduler()
    ) throws(ClientError) -> Command<JSONText, JSONText, ClientError> {
        try self.command(name, InputCoding(.text), .text, on: scheduler)
    }

    private func command<Input, Output>(
        _ name: String,
        _ inputs: InputCoding<Input>,
        _ outputs: ValueCoding<Output>,
        on scheduler: some Scheduler
    ) throws(ClientError) -> Command<Input, Output, ClientError> {
        RemoteCommandHandle(try CommandName(checking: name), inputs, outputs, self.loop).command(on: scheduler)
    }
}

extension RacClient {
    /// Hosts a command of this program, so that every client may execute it.
    ///
    /// What it says goes to the caller as JSON. A failure travels as a code and a message: of a ``ClientError`` or a
    /// `WireError` its own, of anything else the code `failed` and its description. An input that is none, or a value that
    /// there is no JSON for, ends that execution with `bad-value`; a command that is not enabled after all, with
    /// `not-enabled`; values that come faster than the daemon takes them, when 1 MiB of them waits, with `slow-consumer`.
    /// Others see the command executing while it runs for them, and not enabled while it runs for this program.
    ///
    /// - Parameters:
    ///   - name: The command's name.
    ///   - command: Held as long as it is hosted. Whether executions may be concurrent is looked up at each connection.
    /// - Returns: What tells how that goes, and ends it.
    /// - Throws: ``ClientError`` with code `badName`. That somebody else hosts the name is told by `HostedCommand.ended`.
    @discardableResult
    public func host<Input: Codable & Sendable, Output: Codable & Sendable, Failure>(
        _ name: String,
        _ command: Command<Input, Output, Failure>
    ) throws(ClientError) -> HostedCommand {
        try self.host(name, LocalCommand(command, InputCoding(.codable), .codable))
    }

    /// Hosts a command without an input.
    ///
    /// - Parameters:
    ///   - name: The command's name.
    ///   - command: Executed whatever input comes.
    /// - Returns: What tells how that goes, and ends it.
    /// - Throws: ``ClientError`` with code `badName`.
    @discardableResult
    public func host<Output: Codable & Sendable, Failure>(
        _ name: String,
        _ command: Command<Void, Output, Failure>
    ) throws(ClientError) -> HostedCommand {
        try self.host(name, LocalCommand(command, InputCoding(), .codable))
    }

    /// Hosts a command of JSON text, which is neither read nor written anew; an input that is left out is `null`.
    ///
    /// - Parameters:
    ///   - name: The command's name.
    ///   - command: The command.
    /// - Returns: What tells how that goes, and ends it.
    /// - Throws: ``ClientError`` with code `badName`.
    @discardableResult
    public func host<Failure>(
        raw name: String,
        _ command: Command<JSONText, JSONText, Failure>
    ) throws(ClientError) -> HostedCommand {
        try self.host(name, LocalCommand(command, InputCoding(.text), .text))
    }

    private func host(_ name: String, _ command: LocalCommand) throws(ClientError) -> HostedCommand {
        HostedCommand(try CommandName(checking: name), command, self.loop)
    }
}

extension CommandName {
    /// A name that a program gave.
    fileprivate init(checking text: String) throws(ClientError) {
        do {
            try self.init(text)
        } catch {
            throw ClientError(.badName, "\"\(text)\" is no command's name: \(error.description)", cause: error)
        }
    }
}
