import Logging
import RacClient
import RacTestKit
import ServiceLifecycle
import Testing
import UnixSignals

@Suite(.timeLimit(.minutes(5))) struct DependentTests {
    @Test("A program sets a channel and reads it")
    func volume() async throws {
        let client = Client.inMemory()
        try await client.set("room/volume", 7)
        #expect(try await client.get("room/volume", as: Int.self) == 7)
        await client.close()
    }

    @Test("A client that runs as a service closes at graceful shutdown")
    func service() async throws {
        let client = Client.inMemory()
        let group = ServiceGroup(services: [client], logger: Logger(label: "test"))
        let running = Task { try await group.run() }
        try await client.ping()
        await group.triggerGracefulShutdown()
        try await running.value
        #expect(await #expect(throws: ClientError.self) { try await client.ping() }?.code == .closed)
    }

    /// The example of the guide "A first program", which no test calls: it would use the daemon of the machine.
    func settings() async throws {
        var configuration = ClientConfiguration()
        configuration.name = "kiosk in the hall"
        configuration.logger = Logger(label: "kiosk")
        let client = Client(try .fromEnvironment(), configuration: configuration)

        let group = ServiceGroup(
            services: [client],
            gracefulShutdownSignals: [.sigterm],
            logger: Logger(label: "kiosk")
        )
        try await group.run()
    }
}
