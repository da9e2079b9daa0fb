import Rac
import RacClient
import RacTestKit
import Testing

@Suite(.timeLimit(.minutes(5))) struct TestDaemonTests {
    /// Other tests keep the threads of this process busy.
    private static let patience = Duration.seconds(120)

    private static let configuration: ClientConfiguration = {
        var configuration = ClientConfiguration()
        configuration.replyTimeout = Self.patience
        return configuration
    }()

    @Test("A client in memory has a real daemon")
    func inMemory() async throws {
        let client = Client.inMemory(configuration: Self.configuration)
        try await client.set("room/volume", 7)
        let volume = try client.property("room/volume", as: Int.self)
        let recorder = Recorder(volume)
        #expect(try await volume.firstValue() == 7)
        try await volume.write(8)
        #expect(try await recorder.values(count: 2, timeout: Self.patience) == [7, 8])
        await client.close()
        guard case .failed(let error) = try await recorder.end(timeout: Self.patience) else {
            Issue.record("\(recorder.events)")
            return
        }
        #expect(error.code == .closed)
    }

    @Test("Programs of one daemon follow each other, over lost connections too")
    func lostConnections() async throws {
        let daemon = TestDaemon()
        let (kiosk, phone) = (
            daemon.client(configuration: Self.configuration), daemon.client(configuration: Self.configuration)
        )
        let model = Property(1)
        try kiosk.publish(model, as: "room/volume")
        let recorder = Recorder(try phone.property("room/volume", as: Int.self))
        #expect(try await recorder.values(count: 1, timeout: Self.patience) == [1])
        daemon.isReachable = false
        try await Recorder(phone.connection).wait(timeout: Self.patience) { $0.values.last.map { !$0.isLive } ?? false }
        model.value = 2
        #expect(recorder.values == [1])
        daemon.isReachable = true
        #expect(try await recorder.values(count: 2, timeout: Self.patience) == [1, 2])
        await kiosk.close()
        await phone.close()
        await daemon.stop()
    }

    @Test("A ping is answered behind the write before it, whenever the connection is lost")
    func fence() async throws {
        let daemon = TestDaemon()
        let p = daemon.client(configuration: Self.configuration)
        // A client of its own keeps its connection.
        let q = Client(daemon.address, configuration: Self.configuration)
        let property = try p.property("N", as: Int.self)
        for value in 1...40 {
            property.value = value
            daemon.loseConnections()
            try await p.ping()
            #expect(try await q.get("N", as: Int.self) == value)
        }
        await p.close()
        await q.close()
        await daemon.stop()
    }

    @Test("A lost connection applies the will")
    func will() async throws {
        let daemon = TestDaemon()
        let lamp = daemon.client(configuration: Self.configuration)
        // A client of its own keeps its connection.
        let phone = Client(daemon.address, configuration: Self.configuration)
        let state = try lamp.property("lamp", as: String.self, will: .value("lost"))
        try await state.write("on")
        let recorder = Recorder(try phone.property("lamp", as: String.self))
        #expect(try await recorder.values(count: 1, timeout: Self.patience) == ["on"])
        daemon.isReachable = false
        try await recorder.wait(timeout: Self.patience) { $0.values.contains("lost") }
        await daemon.stop()
    }

    @Test("A wait that is in vain says what came instead")
    func timeout() async throws {
        let recorder = Recorder(Property(1))
        await #expect(throws: RecorderTimeout.self) { try await recorder.values(count: 9, timeout: .milliseconds(1)) }
    }
}
