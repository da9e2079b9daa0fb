import Rac
import RacClient
import RacTestKit
import Testing

@Suite(.timeLimit(.minutes(5))) struct TestDaemonTests {
    @Test("A client in memory has a real daemon")
    func inMemory() async throws {
        let client = RacClient.inMemory()
        try await client.set("room/volume", 7)
        let volume = try client.property("room/volume", as: Int.self)
        let recorder = Recorder(volume)
        #expect(try await volume.firstValue() == 7)
        try await volume.write(8)
        #expect(try await recorder.values(count: 2) == [7, 8])
        await client.close()
        guard case .failed(let error) = try await recorder.end() else {
            Issue.record("\(recorder.events)")
            return
        }
        #expect(error.code == .closed)
    }

    @Test("Programs of one daemon follow each other, over lost connections too")
    func lostConnections() async throws {
        let daemon = TestDaemon()
        let (kiosk, phone) = (daemon.client(), daemon.client())
        let model = Property(1)
        try kiosk.publish(model, as: "room/volume")
        let recorder = Recorder(try phone.property("room/volume", as: Int.self))
        #expect(try await recorder.values(count: 1) == [1])
        daemon.isReachable = false
        try await Recorder(phone.connection).wait { $0.values.last.map { !$0.isLive } ?? false }
        model.value = 2
        #expect(recorder.values == [1])
        daemon.isReachable = true
        #expect(try await recorder.values(count: 2) == [1, 2])
        await kiosk.close()
        await phone.close()
        await daemon.stop()
    }

    @Test("A lost connection applies the will")
    func will() async throws {
        let daemon = TestDaemon()
        let (lamp, phone) = (daemon.client(), daemon.client())
        let state = try lamp.property("lamp", as: String.self, will: .value("lost"))
        try await state.write("on")
        let recorder = Recorder(try phone.property("lamp", as: String.self))
        #expect(try await recorder.values(count: 1) == ["on"])
        daemon.loseConnections()
        try await recorder.wait { $0.values.contains("lost") }
        await daemon.stop()
    }

    @Test("A wait that is in vain says what came instead")
    func timeout() async throws {
        let recorder = Recorder(Property(1))
        await #expect(throws: RecorderTimeout.self) { try await recorder.values(count: 9, timeout: .milliseconds(1)) }
    }
}
