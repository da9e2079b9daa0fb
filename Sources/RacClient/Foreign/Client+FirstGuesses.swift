public import Rac
public import RacProtocol

// Calls that people write first, so that the compiler names the right ones. None can be made.

extension Client {
    /// A call with a time of its own; ``ClientConfiguration/replyTimeout`` holds for all calls.
    @available(*, unavailable, message: "a call waits for ClientConfiguration.replyTimeout, 10 s by default")
    public func get(_ channel: some NameText, timeout: Duration) async throws(ClientError) -> ChannelStatus {
        try await self.get(channel)
    }

    /// A call with a time of its own; ``ClientConfiguration/replyTimeout`` holds for all calls.
    @available(*, unavailable, message: "a call waits for ClientConfiguration.replyTimeout, 10 s by default")
    public func get<Value: Decodable>(
        _ channel: some NameText,
        as type: Value.Type,
        timeout: Duration
    ) async throws(ClientError) -> Value? {
        try await self.get(channel, as: type)
    }

    /// A call with a time of its own; ``ClientConfiguration/replyTimeout`` holds for all calls.
    @available(*, unavailable, message: "a call waits for ClientConfiguration.replyTimeout, 10 s by default")
    @discardableResult
    public func set<Value: Encodable>(
        _ channel: some NameText,
        _ value: Value,
        timeout: Duration
    ) async throws(ClientError) -> Revision {
        try await self.set(channel, value)
    }

    /// Work without a command around it.
    @available(*, unavailable, message: "host a command: client.host(\"name\", Command { input in … })")
    @discardableResult
    public func host<Input, Output>(
        _ name: some NameText,
        _ work: @escaping @Sendable (Input) async throws -> Output
    ) throws(ClientError) -> HostedCommand {
        throw ClientError(.badName, "\(name) has no command")
    }

    /// Work without an input and a command around it.
    @available(*, unavailable, message: "host a command: client.host(\"name\", Command { … })")
    @discardableResult
    public func host<Output>(
        _ name: some NameText,
        _ work: @escaping @Sendable () async throws -> Output
    ) throws(ClientError) -> HostedCommand {
        throw ClientError(.badName, "\(name) has no command")
    }

    /// A command whose input has no type.
    @available(*, unavailable, message: "leave `as: Void.self` out: a command without it has no input")
    public func command<Output>(
        _ name: some NameText,
        as input: Void.Type,
        returning output: Output.Type = Output.self
    ) throws(ClientError) -> Command<Void, Output, ClientError> {
        throw ClientError(.badName, "\(name) has an input without a type")
    }
}

extension RemoteTerminal {
    /// A terminal passes values on and keeps none.
    @available(*, unavailable, message: "a terminal keeps no value: last <~ terminal binds a property of yours to it")
    public var value: Value? { nil }
}

extension PairedTerminal {
    /// A terminal passes values on and keeps none.
    @available(*, unavailable, message: "a terminal keeps no value: last <~ terminal binds a property of yours to it")
    public var value: Received? { nil }
}
