import Expectations
import MetricsTestKit
import Rac
import RacClient
import RacTesting
import Testing

@Suite(.timeLimit(.minutes(10))) struct MetricsTests {
    @Test("A client counts its connections, sends, refusals and the values that come")
    func counters() async throws {
        try await LocalDaemon.with(.unix) { daemon in
            let metrics = TestMetrics()
            var configuration = ClientConfiguration.quick
            configuration.name = "kiosk"
            configuration.metrics = metrics
            let client = Client(daemon.address, configuration: configuration)
            func count(_ name: String) throws -> Int64 {
                let address = "\(daemon.address)"
                let dimensions = [("daemon", address), ("client", "kiosk")]
                return try metrics.expectCounter("rac.client.\(name)", dimensions).totalValue
            }
            let property = try client.property("N", as: Int.self)
            try await property.write(1)
            try await property.write(2)
            try await client.set("N", 3)
            try await eventually { property.value == 3 }
            expect(try [count("sends"), count("values"), count("refusals"), count("losses")] == [2, 1, 0, 0])
            try await client.finish("N")
            let ended = try client.property("N", as: Int.self)
            await #expect(throws: ClientError.self) { try await ended.write(4) }
            try await daemon.stop()
            try await eventually { client.connection.value != .live }
            try await daemon.start()
            try await client.waitUntilLive()
            expect(try [count("connections"), count("losses")] == [2, 1])
            await client.close()
            expect(try count("losses") == 1)
        }
    }
}
