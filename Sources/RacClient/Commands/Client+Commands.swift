public import Rac
public import RacProtocol

extension Client {
    /// A command that some program hosts, to be used as if it were this program's own.
    ///
    ///     let blink = try client.command("room/blink", as: Int.self, returning: String.self)
    ///     try await blink.whenEnabled()
    ///     for try await word in blink.execute(3).values { print(word) }
    ///
    /// It is not enabled without a host, and before the daemon's first answer: wait for `isEnabled` in a program that
    /// executes once. `isExecuting` is true while an execution of any program runs, and until the host has given up a
    /// cancelled one. So hold the command: one that is made for a single call of `execute` refuses it.
    /// `values`, `executions` and `refusals` are those of this object; `errors` are all failures of the
    /// command, of any caller.
    ///
    /// The daemon decides whether an execution begins. So a call may be accepted here and then end with `notEnabled`,
    /// because another program was faster. `allowsConcurrentExecution` is what the host allows. An execution
    /// fails with the host's code, with `hostLost`, or with `badValue`. It fails with `connectionLost` or `closed` when
    /// this program has lost its way to it. When the client is closed, the command is not enabled and its signals complete.
    /// Announcements come on the client's event loop unless a scheduler is given.
    /// Semantics: docs/semantics.md, command-1 to command-19;
    /// protocol.md, "Commands".
    ///
    /// - Parameters:
    ///   - name: The command's name; it need not be hosted yet.
    ///   - input: The type of the input, written as JSON.
    ///   - output: The type of its values, read from JSON.
    ///   - scheduler: Where observers hear; a serial one.
    /// - Returns: The command, observed for as long as it is held.
    /// - Throws: `ClientError` with code `badName`.
    public func command<Input: Codable & Sendable, Output: Codable & Sendable>(
        _ name: some NameText,
        as input: Input.Type = Input.self,
        returning output: Output.Type = Output.self,
        on scheduler: some Scheduler = ImmediateScheduler()
    ) throws(ClientError) -> Command<Input, Output, ClientError> {
        try self.command(name, InputCoding(.codable(self.loop.coders)), .codable(self.loop.coders), on: scheduler)
    }

    /// A command without an input that some program hosts.
    ///
    /// - Parameters:
    ///   - name: The command's name.
    ///   - output: The type of its values, read from JSON.
    ///   - scheduler: Where observers hear; a serial one.
    /// - Returns: The command, as ``command(_:as:returning:on:)``.
    /// - Throws: `ClientError` with code `badName`.
    public func command<Output: Codable & Sendable>(
        _ name: some NameText,
        returning output: Output.Type = Output.self,
        on scheduler: some Scheduler = ImmediateScheduler()
    ) throws(ClientError) -> Command<Void, Output, ClientError> {
        try self.command(name, InputCoding(), .codable(self.loop.coders), on: scheduler)
    }

    /// A command without an output that some program hosts.
    ///
    ///     let restart = try client.command("room/restart", as: Int.self)
    ///     try await restart.run(3)
    ///
    /// A value that its host sends says only that there is one. For a command that sends no value at all, `Never` is the
    /// output.
    ///
    /// - Parameters:
    ///   - name: The command's name.
    ///   - input: The type of the input, written as JSON.
    ///   - output: `Void`.
    ///   - scheduler: Where observers hear; a serial one.
    /// - Returns: The command, as ``command(_:as:returning:on:)``.
    /// - Throws: `ClientError` with code `badName`.
    public func command<Input: Codable & Sendable>(
        _ name: some NameText,
        as input: Input.Type = Input.self,
        returning output: Void.Type = Void.self,
        on scheduler: some Scheduler = ImmediateScheduler()
    ) throws(ClientError) -> Command<Input, Void, ClientError> {
        try self.command(name, InputCoding(.codable(self.loop.coders)), .nothing, on: scheduler)
    }

    /// A command without an input and an output that some program hosts.
    ///
    /// - Parameters:
    ///   - name: The command's name.
    ///   - output: `Void`.
    ///   - scheduler: Where observers hear; a serial one.
    /// - Returns: The command, as ``command(_:as:returning:on:)``.
    /// - Throws: `ClientError` with code `badName`.
    public func command(
        _ name: some NameText,
        returning output: Void.Type = Void.self,
        on scheduler: some Scheduler = ImmediateScheduler()
    ) throws(ClientError) -> Command<Void, Void, ClientError> {
        try self.command(name, InputCoding(), .nothing, on: scheduler)
    }

    /// A command of JSON text that some program hosts; nothing is read or written anew.
    ///
    /// - Parameters:
    ///   - name: The command's name.
    ///   - scheduler: Where observers hear; a serial one.
    /// - Returns: The command, as ``command(_:as:returning:on:)``.
    /// - Throws: `ClientError` with code `badName`.
    public func command(
        raw name: some NameText,
        on scheduler: some Scheduler = ImmediateScheduler()
    ) throws(ClientError) -> Command<JSONText, JSONText, ClientError> {
        try self.command(name, InputCoding(.text), .text, on: scheduler)
    }

    private func command<Input, Output>(
        _ name: some NameText,
        _ inputs: InputCoding<Input>,
        _ outputs: ValueCoding<Output>,
        on scheduler: some Scheduler
    ) throws(ClientError) -> Command<Input, Output, ClientError> {
        RemoteCommandHandle(try CommandName(checking: name), inputs, outputs, self.loop).command(on: scheduler)
    }
}

extension Client {
    /// Hosts a command of this program, so that every client may execute it.
    ///
    /// Its values go to the caller as JSON. A failure travels as a code and a message: those that `failure` gives it, or
    /// those of a `ClientError` or a `WireError`. A `LocalizedError` travels as `failed` with its description, any other
    /// error as `failed` alone. An input of another type, or a value without a
    /// JSON form, ends that execution with `bad-value`. A command that is not enabled after all ends it with
    /// `not-enabled`. Values that come faster than the daemon takes them end it with `slow-consumer`, when 1 MiB of
    /// them waits. Other programs see the command executing while it runs for them, and not enabled while it runs for
    /// this program.
    ///
    /// - Parameters:
    ///   - name: The command's name.
    ///   - command: Held as long as it is hosted. Whether executions may be concurrent is looked up at each connection.
    ///   - describe: The code and the message of a failure for other programs.
    /// - Returns: The handle of the hosting, which shows its state and ends it.
    /// - Throws: `ClientError` with code `badName`. `HostedCommand.problem` says that another program hosts the name:
    ///   this command takes that place when it is free.
    @discardableResult
    public func host<Input: Codable & Sendable, Output: Codable & Sendable, Failure>(
        _ name: some NameText,
        _ command: Command<Input, Output, Failure>,
        failure describe: (@Sendable (Failure) -> ClientError)? = nil
    ) throws(ClientError) -> HostedCommand {
        let (inputs, coders) = (InputCoding<Input>(.codable(self.loop.coders)), self.loop.coders)
        return try self.host(name, LocalCommand(command, inputs, .codable(coders), failure: describe))
    }

    /// Hosts a command without an input.
    ///
    /// - Parameters:
    ///   - name: The command's name.
    ///   - command: Executed whatever input comes.
    ///   - describe: The code and the message of a failure for other programs.
    /// - Returns: The handle of the hosting, which shows its state and ends it.
    /// - Throws: `ClientError` with code `badName`.
    @discardableResult
    public func host<Output: Codable & Sendable, Failure>(
        _ name: some NameText,
        _ command: Command<Void, Output, Failure>,
        failure describe: (@Sendable (Failure) -> ClientError)? = nil
    ) throws(ClientError) -> HostedCommand {
        try self.host(name, LocalCommand(command, InputCoding(), .codable(self.loop.coders), failure: describe))
    }

    /// Hosts a command without an output, such as one whose work is a function without a result.
    ///
    /// - Parameters:
    ///   - name: The command's name.
    ///   - command: Other programs get `null` for each of its values.
    ///   - describe: The code and the message of a failure for other programs.
    /// - Returns: The handle of the hosting, which shows its state and ends it.
    /// - Throws: `ClientError` with code `badName`.
    @discardableResult
    public func host<Input: Codable & Sendable, Failure>(
        _ name: some NameText,
        _ command: Command<Input, Void, Failure>,
        failure describe: (@Sendable (Failure) -> ClientError)? = nil
    ) throws(ClientError) -> HostedCommand {
        let inputs = InputCoding<Input>(.codable(self.loop.coders))
        return try self.host(name, LocalCommand(command, inputs, .nothing, failure: describe))
    }

    /// Hosts a command without an input and an output.
    ///
    /// - Parameters:
    ///   - name: The command's name.
    ///   - command: Executed whatever input comes.
    ///   - describe: The code and the message of a failure for other programs.
    /// - Returns: The handle of the hosting, which shows its state and ends it.
    /// - Throws: `ClientError` with code `badName`.
    @discardableResult
    public func host<Failure>(
        _ name: some NameText,
        _ command: Command<Void, Void, Failure>,
        failure describe: (@Sendable (Failure) -> ClientError)? = nil
    ) throws(ClientError) -> HostedCommand {
        try self.host(name, LocalCommand(command, InputCoding(), .nothing, failure: describe))
    }

    /// Hosts a command of JSON text, which is neither read nor written anew; an input that is left out is `null`.
    ///
    /// - Parameters:
    ///   - name: The command's name.
    ///   - command: The command.
    /// - Returns: The handle of the hosting, which shows its state and ends it.
    /// - Throws: `ClientError` with code `badName`.
    @discardableResult
    public func host<Failure>(
        raw name: some NameText,
        _ command: Command<JSONText, JSONText, Failure>
    ) throws(ClientError) -> HostedCommand {
        try self.host(name, LocalCommand(command, InputCoding(.text), .text))
    }

    private func host(_ name: some NameText, _ command: LocalCommand) throws(ClientError) -> HostedCommand {
        HostedCommand(try CommandName(checking: name), command, self.loop)
    }
}

extension CommandName {
    /// A name that a program gave.
    fileprivate init(checking text: some NameText) throws(ClientError) {
        do {
            try self.init(text.description)
        } catch {
            throw ClientError(.badName, "\"\(text)\" is no command's name: \(error.description)", cause: error)
        }
    }
}
