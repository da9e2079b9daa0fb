import Expectations
import Rac
import RacClient
import RacTesting
import Testing

@Suite(.timeLimit(.minutes(10))) struct ClientTests {
    @Test("A client connects by itself, and its calls do what they say", arguments: Transport.allCases)
    func calls(transport: Transport) async throws {
        try await LocalDaemon.with(transport) { daemon in
            try await daemon.withClient { client in
                let first = try await client.set("room/volume", JSONText("7"))
                let snapshot = try await client.get("room/volume")
                expect(snapshot.value == (try JSONText("7")))
                expect(snapshot.revision == first)
                let conflict = await #expect(throws: ClientError.self) {
                    try await client.set("room/volume", .integer(8), ifUnchangedSince: Revision.never)
                }
                expect(conflict?.code == .conflict)
                expect(conflict?.revision == first)
                let revisions = try await client.put([ChannelValue("m/a", .integer(1)), ChannelValue("m/b", .null)])
                expect(revisions.count == 2)
                try await client.create("heater", mode: .paired, sync: true)
                expect(try await client.list("**").map(\.name.text) == ["heater", "m/a", "m/b", "room/volume"])
                try await client.finish("m/a", with: .failed(ClientError("worn-out", "too many turns")))
                expect(
                    try await client.get("m/a").state == .failed(WireError(code: "worn-out", message: "too many turns"))
                )
                try await client.reopen("m/a")
                try await client.delete("m/b")
                expect(await #expect(throws: ClientError.self) { try await client.get("m/b") }?.code == .noSuchChannel)
                expect(await #expect(throws: ClientError.self) { try await client.get("a//b") }?.code == .badName)
            }
        }
    }

    // On a socket of its own: a free TCP port may be another one's by the time of the second start.
    @Test("A lost connection is reported with its reason and made again, and calls wait for it")
    func reconnection() async throws {
        try await LocalDaemon.with(.unix) { daemon in
            try await daemon.withClient { client in
                try await client.set("a", .integer(1), sync: true)
                try await daemon.stop()
                try await client.until {
                    if case .lost(let error, _) = $0 { error.code == .unreachable } else { false }
                }
                async let value = client.get("a").value
                try await daemon.start()
                expect(try await value == .integer(1))
                try await client.until(\.isLive)
            }
        }
    }

    @Test("A state of the connection prints in a few words, with the reason of a loss")
    func words() {
        let reason = ClientError(.unreachable, "nobody listens")
        let states: [ConnectionState] = [
            .connecting, .live, .lost(reason, nextAttempt: .now), .refused(reason), .closed,
        ]
        expect(
            states.map { "\($0)" } == [
                "connecting", "live", "lost: unreachable: nobody listens", "refused: unreachable: nobody listens",
                "closed",
            ]
        )
    }

    @Test("A call that finds no daemon in time says so")
    func timeout() async throws {
        try await LocalDaemon.with(.unix) { daemon in
            try await daemon.stop()
            var configuration = ClientConfiguration.quick
            configuration.replyTimeout = .milliseconds(10)
            let client = Client(daemon.address, configuration: configuration)
            expect(await #expect(throws: ClientError.self) { try await client.ping() }?.code == .timedOut)
            await client.close()
        }
    }

    @Test("A client that is closed while it connects ends too, however far it has come", arguments: Transport.allCases)
    func closingEarly(transport: Transport) async throws {
        try await LocalDaemon.with(transport) { daemon in
            for round in 0..<300 {
                let client = Client(daemon.address, configuration: .quick)
                for _ in 0..<(round % 30) { await Task.yield() }
                await client.close()
            }
        }
    }

    @Test("A client that is closed before it has a connection first sends what was set")
    func closingWithWrites() async throws {
        try await LocalDaemon.with(.tcp) { daemon in
            var configuration = ClientConfiguration.quick
            configuration.closeTimeout = .seconds(300)
            let reader = Client(daemon.address, configuration: .quick)
            for value in 1...20 {
                let client = Client(daemon.address, configuration: configuration)
                try client.property("x", as: Int.self).value = value
                await client.close()
                let stored = try await reader.get("x").value
                expect(stored == .integer(value))
            }
            await reader.close()
        }
    }

    @Test("A closed client says bye once, and every call and observer hears that it is closed")
    func closing() async throws {
        try await LocalDaemon.with(.tcp) { daemon in
            let client = Client(daemon.address, configuration: .quick)
            try await client.ping()
            await client.close()
            await client.close()
            expect(await #expect(throws: ClientError.self) { try await client.ping() }?.code == .closed)
            guard case .closed = client.connection.value else {
                Issue.record("\(client.connection.value)")
                return
            }
        }
    }

    @Test("A call whose task is cancelled waits no longer")
    func cancelling() async throws {
        try await LocalDaemon.with(.unix) { daemon in
            try await daemon.stop()
            try await daemon.withClient { client in
                let call = Task { try await client.ping() }
                call.cancel()
                expect(await call.failureCode == .cancelled)
            }
        }
    }
}
