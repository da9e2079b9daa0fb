import Expectations
import NIOCore
import RacProtocol
import RacTesting
import Testing

@testable import RacConnection

/// Commands of one connection, with a daemon that a test plays.
@Suite struct ConnectionCommandTests {
    private let save: CommandName
    private let idle = CommandState(isEnabled: true, isExecuting: false)
    private let busy = CommandState(isEnabled: false, isExecuting: true)
    private let command = CommandID(4)
    private let execution = ExecutionID(9)

    init() throws {
        self.save = try CommandName("save")
    }

    private func hosting(_ daemon: ScriptedDaemon) async throws -> CommandHosting {
        async let hosting = daemon.connection.host(HostCommand(command: self.save))
        let (id, request) = try await daemon.heardRequest()
        expect(request == .host(HostCommand(command: self.save)))
        // An execution that is asked for at once comes in the same read as the reply.
        let execute = Execute(command: self.command, execution: self.execution, input: .integer(1))
        try await daemon.say(.reply(id, .hosting(self.command)), .execute(execute))
        return try await hosting
    }

    private func call(_ daemon: ScriptedDaemon, _ events: ExecutionEvent...) async throws -> CommandCall {
        async let call = daemon.connection.execute(self.save, .integer(1))
        let (id, request) = try await daemon.heardRequest()
        expect(request == .exec(Exec(command: self.save, input: .integer(1))))
        try await daemon.say(.reply(id, .executing(self.execution)))
        for event in events { try await daemon.say(.progress(self.execution, event)) }
        return try await call
    }

    private func observation(_ daemon: ScriptedDaemon) async throws -> CommandObservation {
        async let observation = daemon.connection.observe(self.save)
        let (id, request) = try await daemon.heardRequest()
        expect(request == .observe(self.save))
        try await daemon.say(.reply(id, .observing(self.command, self.idle)))
        return try await observation
    }

    @Test("A host gets executions and cancellations, and answers with values and an end")
    func hosting() async throws {
        let daemon = try await ScriptedDaemon.welcoming()
        let hosting = try await self.hosting(daemon)
        try await daemon.say(.cancel(self.execution))
        var events = hosting.makeAsyncIterator()
        expect(
            try await events.take(2) == [.execute(self.execution, input: .integer(1)), .cancel(self.execution)]
        )
        try await hosting.tell(.next(.null), of: self.execution)
        try await hosting.tell(.ended(.completed), of: self.execution)
        try await hosting.enable(false)
        expect(try await daemon.heard() == .progress(self.execution, .next(.null)))
        expect(try await daemon.heard() == .progress(self.execution, .ended(.completed)))
        expect(try await daemon.heard() == .enabled(self.command, false))
        await hosting.leave()
        expect(try await daemon.heardRequest().request == .unhost(self.command))
        expect(try await events.next() == nil)
    }

    @Test("An execution for which a host's program has no room is refused with limit")
    func fullHost() async throws {
        var configuration = ConnectionConfiguration()
        configuration.limits.waitingExecutions = 1
        let daemon = try await ScriptedDaemon.welcoming(configuration)
        _ = try await self.hosting(daemon)
        try await daemon.say(.execute(Execute(command: self.command, execution: ExecutionID(10), input: nil)))
        guard case .progress(ExecutionID(10), .ended(.failed(let error))) = try await daemon.heard() else {
            Issue.record("it is not refused")
            return
        }
        expect(error.code == "limit")
    }

    @Test("A caller gets values and then the end, and nothing follows")
    func calling() async throws {
        let daemon = try await ScriptedDaemon.welcoming()
        let call = try await self.call(daemon, .next(.integer(1)), .ended(.completed))
        try await daemon.say(.progress(self.execution, .next(.integer(2))))
        var events = call.makeAsyncIterator()
        expect(try await events.take(9) == [.next(.integer(1)), .ended(.completed)])
    }

    @Test("A cancelled call goes on to its end; one that is abandoned is cancelled and over")
    func cancelling() async throws {
        let daemon = try await ScriptedDaemon.welcoming()
        let call = try await self.call(daemon)
        await call.cancel()
        expect(try await daemon.heard() == .cancel(self.execution))
        let cancelled = ExecutionEvent.ended(.failed(WireError(code: "cancelled", message: "")))
        try await daemon.say(.progress(self.execution, cancelled))
        var events = call.makeAsyncIterator()
        expect(try await events.take(9) == [cancelled])
        await call.leave()
        let other = try await self.call(daemon)
        await other.leave()
        expect(try await daemon.heard() == .cancel(self.execution))
        var otherEvents = other.makeAsyncIterator()
        expect(try await otherEvents.next() == nil)
    }

    @Test("A call whose values nobody takes ends with slow-consumer and is cancelled")
    func slowCaller() async throws {
        var configuration = ConnectionConfiguration()
        configuration.limits.waitingBytes = 1
        let daemon = try await ScriptedDaemon.welcoming(configuration)
        let call = try await self.call(daemon, .next(.null), .next(.null))
        expect(try await daemon.heard() == .cancel(self.execution))
        var events = call.makeAsyncIterator()
        guard case .ended(.failed(let error)) = try await events.take(9).last else {
            Issue.record("there is no end")
            return
        }
        expect(error.code == "slow-consumer")
    }

    @Test("A refused execution fails with the daemon's code")
    func refused() async throws {
        let daemon = try await ScriptedDaemon.welcoming()
        let save = self.save
        let calling = Task { try await daemon.connection.execute(save) }
        let (id, _) = try await daemon.heardRequest()
        try await daemon.say(.refused(id, Refusal(WireError(.notEnabled, "it is running"))))
        expect(await calling.failureCode == .notEnabled)
    }

    @Test("An observer gets the present state, errors and changes")
    func observing() async throws {
        let daemon = try await ScriptedDaemon.welcoming()
        let observation = try await self.observation(daemon)
        var events = observation.makeAsyncIterator()
        expect(try await events.next() == .state(self.idle))
        try await daemon.say(.state(self.command, self.busy))
        expect(try await events.next() == .state(self.busy))
        let error = WireError(code: "e", message: "")
        try await daemon.say(.failed(self.command, self.execution, error), .state(self.command, self.idle))
        expect(try await events.take(2) == [.failed(self.execution, error), .state(self.idle)])
        await observation.leave()
        expect(try await daemon.heardRequest().request == .unobserve(self.command))
        expect(try await events.next() == nil)
    }

    @Test("A hosting that the daemon ends fails with the reason, behind what came before; others go on")
    func unhosted() async throws {
        let daemon = try await ScriptedDaemon.welcoming()
        let hosting = try await self.hosting(daemon)
        let error = WireError(.forbidden, "kiosk-7 may not host save")
        try await daemon.say(.unhosted(CommandID(5), error), .unhosted(self.command, error))
        var events = hosting.makeAsyncIterator()
        expect(try await events.next() == .execute(self.execution, input: .integer(1)))
        let end = await #expect(throws: ClientError.self) { try await events.next() }
        expect(end == ClientError(.forbidden, "kiosk-7 may not host save"))
        await hosting.leave()
        let observation = try await self.observation(daemon)
        await observation.leave()
    }

    @Test("A lost connection fails all three with the reason")
    func lost() async throws {
        let daemon = try await ScriptedDaemon.welcoming()
        let observation = try await self.observation(daemon)
        let call = try await self.call(daemon)
        let hosting = try await self.hosting(daemon)
        try await daemon.hangUp()
        let losses = [
            Task { for try await _ in hosting {} }, Task { for try await _ in observation {} },
            Task { for try await _ in call {} },
        ]
        for loss in losses { expect(await loss.failureCode == .connectionLost) }
    }
}
