import RacClient
import RacTestKit
import Testing

/// The examples of the guide "Edits without a connection".
@Suite(.timeLimit(.minutes(5))) struct OfflineEditGuideTests {
    @Test("An edit made offline replaces what others wrote meanwhile")
    func replaces() async throws {
        let daemon = TestDaemon()
        let (kiosk, phone) = (daemon.client(), daemon.client())
        let volume = try kiosk.property("room/volume", as: Int.self)
        try await volume.write(5)

        daemon.isReachable = false
        while volume.current?.isLive != false { await Task.yield() }
        volume.value = 7
        daemon.isReachable = true
        try await volume.settled()
        #expect(volume.value == 7)

        let seen = Recorder(try phone.property("room/volume", as: Int.self))
        try await seen.wait(timeout: .seconds(120)) { $0.values.last == 7 }
        await kiosk.close()
        await phone.close()
        await daemon.stop()
    }

    @Test("Edits that do not replace")
    func careful() async throws {
        let client = Client.inMemory()
        let volume = try client.property("room/volume", as: Int.self, default: 5)

        let louder = try await volume.modify { $0 += 1 }
        #expect(louder == 6)

        _ = try await volume.firstValue()
        if let current = volume.current, let revision = current.revision {
            do {
                try await volume.compareAndSet(current.value + 1, ifUnchangedSince: revision)
            } catch {
                print(error.code == .conflict ? "somebody was faster" : "\(error)")
            }
        }
        #expect(volume.value == 7)

        let isEditable = client.connection.map(\.isLive)
        if isEditable.value { volume.value = 8 }

        if volume.current?.revision == nil { print("on its way") }
        try await volume.settled()
        #expect(volume.value == 8)
        await client.close()
    }

    @Test("Two channels that keep the newer value")
    func links() async throws {
        let client = Client.inMemory()
        try client.link("here/volume", "there/volume")
        try await client.set("here/volume", 3)
        while try await client.get("there/volume", as: Int.self) != 3 { await Task.yield() }
        await client.close()
    }
}
