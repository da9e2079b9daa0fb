import Expectations
import RacProtocol
import RacTesting
import Testing

@testable import RacConnection

@Suite struct WatchTests {
    private func changed(_ name: String) throws -> Changed {
        Changed(watch: WatchID(1), channel: try ChannelName(name), revision: Revision(1), state: .open, value: .null)
    }

    private func watch(_ daemon: ScriptedDaemon) async throws -> PatternWatch {
        async let watch = daemon.connection.watch(.all)
        let (id, request) = try await daemon.heardRequest()
        expect(request == .watch(.all))
        try await daemon.say(.reply(id, .watching(WatchID(1))))
        return try await watch
    }

    @Test("A watch brings what there is, says so, and goes on with the changes")
    func events() async throws {
        let daemon = try await ScriptedDaemon.welcoming()
        let watch = try await self.watch(daemon)
        try await daemon.say(.changed(self.changed("a")), .synced(WatchID(1)), .changed(self.changed("b")))
        var events = watch.makeAsyncIterator()
        expect(
            try await events.take(3) == [.changed(self.changed("a")), .synced, .changed(self.changed("b"))]
        )
    }

    @Test("A watch whose news nobody takes ends with slow-consumer and is given up")
    func slowConsumer() async throws {
        var configuration = ConnectionConfiguration()
        configuration.limits.waitingChannels = 1
        let daemon = try await ScriptedDaemon.welcoming(configuration)
        let watch = try await self.watch(daemon)
        try await daemon.say(.changed(self.changed("a")), .changed(self.changed("b")))
        expect(try await daemon.heardRequest().request == .unwatch(WatchID(1)))
        let error = await #expect(throws: ClientError.self) {
            var events = watch.makeAsyncIterator()
            _ = try await events.take(3)
        }
        expect(error?.code == .slowConsumer)
    }

    @Test("Leaving unwatches, and nothing follows")
    func leaving() async throws {
        let daemon = try await ScriptedDaemon.welcoming()
        let watch = try await self.watch(daemon)
        await watch.leave()
        expect(try await daemon.heardRequest().request == .unwatch(WatchID(1)))
        var events = watch.makeAsyncIterator()
        expect(try await events.next() == nil)
    }

    @Test("A lost connection ends a watch with the reason")
    func lost() async throws {
        let daemon = try await ScriptedDaemon.welcoming()
        let watch = try await self.watch(daemon)
        try await daemon.hangUp()
        let error = await #expect(throws: ClientError.self) {
            var events = watch.makeAsyncIterator()
            _ = try await events.next()
        }
        expect(error?.code == .connectionLost)
    }
}
