import Expectations
import Rac
import RacClient
import RacTesting
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(10))) struct SessionTests {
    private func client(_ session: String, of daemon: LocalDaemon) -> Client {
        var configuration = ClientConfiguration.quick
        configuration.session = session
        return Client(daemon.address, configuration: configuration)
    }

    /// Waits until a client has ended, and returns the reason.
    private func end(of client: Client) async throws -> ClientError.Code? {
        for await state in client.connection.signal.values {
            if case .refused(let error) = state { return error.code }
        }
        return nil
    }

    @Test("A client with the session of an earlier process takes it over: no will is applied, and new sends count")
    func takesOver() async throws {
        try await LocalDaemon.with(.unix) { daemon in
            let old = self.client("kiosk", of: daemon)
            let status = try old.property("status", as: String.self, will: .value("lost"))
            for number in 1...3 { try await status.write("old \(number)") }
            let new = self.client("kiosk", of: daemon)
            let next = try new.property("status", as: String.self, will: .value("lost"))
            try await next.write("new")
            expect(try await self.end(of: old) == .alreadyBound)
            let newest = try await daemon.withClient { try await $0.get("status", as: String.self) }
            expect(newest == "new")
            await old.close()
            await new.close()
        }
    }

    @Test("A session of a name that the program gave is not changed: with another principal's token the client ends")
    func otherPrincipal() async throws {
        try await LocalDaemon.with(.unix, access: .kiosk(["first"])) { daemon in
            let tokens = Mutex(["first", "second"])
            var configuration = ClientConfiguration.quick
            configuration.session = "shared"
            configuration.token = .closure { try AccessToken(tokens.withLock { $0.removeFirst() }) }
            let client = Client(daemon.address, configuration: configuration)
            try await client.set("room/a", .integer(1))
            try await daemon.take(.kiosk(["second"], named: "desk"))
            expect(try await self.end(of: client) == .forbidden)
            await client.close()
        }
    }

    @Test(
        "A session's name has 1 to 64 bytes: another one ends the client at once",
        arguments: ["", "é" + String(repeating: "e", count: 63)]
    )
    func badName(name: String) async throws {
        let client = Client(.unix(path: "/nowhere"), configuration: ClientConfiguration(session: name))
        expect(try await self.end(of: client) == .badMessage)
        await client.close()
    }
}
