import Expectations
import Rac
import RacAccess
import RacClient
import RacTesting
import Testing

/// The objects of a client that is closed, or refused for good: none of them waits for ever.
@Suite(.timeLimit(.minutes(10))) struct ClosedClientTests {
    private func error(_ wait: () async throws -> Void) async -> ClientError.Code? {
        await #expect(throws: ClientError.self) { try await wait() }?.code
    }

    @Test("A wait for a command ends with the client, also one that begins behind the end")
    func whenEnabled() async throws {
        try await LocalDaemon.with(.unix) { daemon in
            let client = Client(daemon.address, configuration: .quick)
            let command = try client.command("nobody", as: Int.self, returning: Int.self)
            let waiting = Task { try await command.whenEnabled() }
            try await client.ping()
            await client.close()
            expect(await self.error { try await waiting.value } == .closed)
            expect(await self.error { try await command.whenEnabled() } == .closed)
            expect(await self.error { try await command.whenEnabled(timeout: .seconds(600)) } == .closed)
        }
    }

    @Test("A wait for a command of a refused client says why it is refused")
    func refused() async throws {
        try await LocalDaemon.with(.unix, access: .kiosk(["one"])) { daemon in
            let client = Client(daemon.address, configuration: .quick)
            let command = try client.command("room/a", as: Int.self, returning: Int.self)
            expect(await self.error { try await command.whenEnabled() } == .unauthenticated)
            await client.close()
            expect(await self.error { try await command.whenEnabled() } == .unauthenticated)
        }
    }

    @Test("A wait for a command that this program may not observe says so")
    func unobserved() async throws {
        try await LocalDaemon.with(.unix, access: .kiosk(["one"], lacking: .observe)) { daemon in
            var configuration = ClientConfiguration.quick
            configuration.token = .token(try AccessToken("one"))
            let client = Client(daemon.address, configuration: configuration)
            let command = try client.command("room/a", as: Int.self, returning: Int.self)
            expect(await self.error { try await command.whenEnabled() } == .forbidden)
            let other = try client.command("room/a", as: Int.self, returning: Int.self)
            expect(await self.error { try await other.whenEnabled() } == .forbidden)
            await client.close()
        }
    }

    @Test("A wait for a command that lasts too long says what is in the way")
    func hindrances() async throws {
        try await LocalDaemon.with(.unix) { daemon in
            let client = Client(daemon.address, configuration: .quick)
            let hindrance = { (command: Command<Int, Int, ClientError>) in
                await #expect(throws: ClientError.self) {
                    try await command.whenEnabled(timeout: .milliseconds(1))
                }?.message
            }
            let command = try client.command("c", as: Int.self, returning: Int.self)
            try await client.ping()
            expect(await hindrance(command)?.contains(": it has no host, or its host does not allow") == true)
            let host = try client.host("c", Command<Int, Int, Never> { _ in .never })
            try await command.whenEnabled()
            command.execute(1)
            try await eventually { !command.isEnabled.value }
            expect(await hindrance(command)?.hasSuffix(": it is executing") == true)
            let local = Command<Int, Int, ClientError>(enabledIf: Property(false)) { .just($0) }
            expect(await hindrance(local)?.hasSuffix(": its condition does not hold") == true)
            try await daemon.stop()
            try await client.until { if case .lost = $0 { true } else { false } }
            expect(await hindrance(command)?.contains("in time: ") == true)
            host.dispose()
            await client.close()
        }
    }

    @Test("Each signal of a client's objects ends with the client", arguments: [false, true])
    func signals(isLate: Bool) async throws {
        try await LocalDaemon.with(.unix) { daemon in
            let client = Client(daemon.address, configuration: .quick)
            let property = try client.property("n", as: Int.self)
            let ended = try client.property("e", as: Int.self)
            let terminal = try client.terminal("t", .leading, as: Int.self)
            let paired = try client.terminal("p", .leading, sends: Int.self, receives: String.self)
            let command = try client.command("c", as: Int.self, returning: Int.self)
            let hosted = try client.host("c", Command<Int, Int, Never> { .just($0) })
            let link = try client.link("l", "m")
            try await command.whenEnabled()
            try await client.finish("e")
            try await eventually { await self.error { try await ended.write(1) } == .terminated }
            if isLate { await client.close() }
            let ends: [(String, Recorder<Void, Never>)] = [
                ("connection", Recorder(client.connection.signal.map { _ in })),
                ("errors", Recorder(property.errors.map { _ in })),
                ("problem", Recorder(property.problem.signal.map { _ in })),
                ("errors of an ended property", Recorder(ended.errors.map { _ in })),
                ("problem of an ended property", Recorder(ended.problem.signal.map { _ in })),
                ("errors of a terminal", Recorder(terminal.errors.map { _ in })),
                ("problem of a paired terminal", Recorder(paired.problem.signal.map { _ in })),
                ("isEnabled", Recorder(command.isEnabled.signal.map { _ in })),
                ("isExecuting", Recorder(command.isExecuting.signal.map { _ in })),
                ("errors of a command", Recorder(command.errors.map { _ in })),
                ("values of a command", Recorder(command.values.map { _ in })),
                ("refusals of a command", Recorder(command.refusals.map { _ in })),
                ("isHosted", Recorder(hosted.isHosted.signal.map { _ in })),
                ("problem of a host", Recorder(hosted.problem.signal.map { _ in })),
                ("errors of a link", Recorder(link.errors.map { _ in })),
            ]
            if !isLate { await client.close() }
            for (name, recorder) in ends {
                #expect(recorder.isDisposed, "\(name)")
            }
            #expect(client.connection.value == .closed && !command.isEnabled.value && !hosted.isHosted.value)
            expect(ended.problem.value?.code == .terminated)
        }
    }

    @Test("A client that is refused for good ends the signal of its connection")
    func refusedConnection() async throws {
        try await LocalDaemon.with(.unix, access: .kiosk(["one"])) { daemon in
            let client = Client(daemon.address, configuration: .quick)
            var last: ConnectionState?
            for await state in client.connection.values { last = state }
            guard case .refused(let error) = last else {
                Issue.record("\(String(describing: last))")
                return
            }
            expect(error.code == .unauthenticated)
            await client.close()
        }
    }
}
