import Expectations
import NIOPosix
import Rac
import RacClient
import RacTesting
import Testing

/// Rows of protocol.md's table of a terminal over connections that need a daemon.
@Suite(.timeLimit(.minutes(10))) struct RefusedBindTests {
    @Test("binding: a refusal is reported, ends that property alone, and the program may try again")
    func refused() async throws {
        try await World.with(.unix) { world in
            let client = await world.program()
            for _ in 1...2 {
                // Programs leave no will for the daemon's own channels.
                let property = try client.property(raw: "$sys/version", will: .completed)
                let ear = Ear(property.signal)
                try await eventually { ear.heard.last?.hasPrefix("fail(forbidden: ") == true }
            }
            #expect(try await client.get("$sys/version").value != nil)
        }
    }

    @Test("any: a client whose session another one has taken over is notified, and does not come back")
    func takenOver() async throws {
        try await LocalDaemon.with(.unix) { daemon in
            try await daemon.withClient(ofSession: "s") { older in
                try await older.ping()
                try await daemon.withClient(ofSession: "s") { newer in
                    try await newer.ping()
                    try await older.until { if case .refused = $0 { true } else { false } }
                    expect(await #expect(throws: ClientError.self) { try await older.ping() }?.code == .alreadyBound)
                    try await newer.ping()
                }
            }
        }
    }
}

extension LocalDaemon {
    /// Does something with a client that has the session of that name.
    fileprivate nonisolated func withClient(
        ofSession name: String,
        _ body: (Client) async throws -> Void
    ) async throws {
        let address = self.address
        let surroundings = ClientSurroundings(session: name, random: SeededRandom(seed: 1)) {
            address.dial(on: $0, within: $1, $2)
        }
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let client = Client(address, configuration: .quick, on: loop, in: surroundings)
        do {
            try await body(client)
        } catch {
            await client.close()
            throw error
        }
        await client.close()
    }
}
