import Expectations
import Rac
import RacClient
import Testing

@Suite(.timeLimit(.minutes(10))) struct ChannelWatchTests {
    /// How a watch ends that reports nothing more.
    private func failure(of watch: ChannelWatch) async -> ClientError? {
        await #expect(throws: ClientError.self) {
            var events = watch.makeAsyncIterator()
            _ = try await events.next()
        }
    }

    @Test(
        "A watch delivers the present channels, then a mark that these were all, then changes",
        arguments: Transport.allCases
    )
    func watch(transport: Transport) async throws {
        try await World.with(transport) { world in
            let (p, q) = await (world.program(), world.program())
            try await p.set("home/hall", .integer(1))
            var events = try q.watch("home/*").makeAsyncIterator()
            expect(try await events.next()?.brief == "home/hall: 1")
            expect(try await events.next() == .synced)
            try await p.set("home/hall", .integer(2))
            expect(try await events.next()?.brief == "home/hall: 2")
            try await p.delete("home/hall")
            expect(try await events.next()?.brief == "home/hall: deleted")
        }
    }

    @Test("After a restart of the daemon only changes are delivered, and a channel that is gone as deleted")
    func reconnection() async throws {
        try await World.with(.unix) { world in
            let (p, q) = await (world.program(), world.program())
            for name in ["a", "b", "c"] { try await p.set(name, .integer(1)) }
            var events = try q.watch("*").makeAsyncIterator()
            for _ in 0..<4 { _ = try await events.next() }
            try await world.daemon.stop()
            try await q.until { !$0.isLive }
            try await world.daemon.meanwhile { other in
                try await other.set("b", .integer(2))
                try await other.delete("c")
            }
            try await world.daemon.start()
            var heard: Set<String> = []
            while heard.count < 2, let event = try await events.next() { heard.insert(event.brief) }
            expect(heard == ["b: 2", "c: deleted"])
        }
    }

    @Test("A client watches a pattern once at a time, and again when nobody holds the first watch")
    func twice() async throws {
        try await World.with(.unix) { world in
            let p = await world.program()
            do {
                let first = try p.watch("*")
                var events = first.makeAsyncIterator()
                expect(try await events.next() == .synced)
                let second = try p.watch("*")
                expect(await self.failure(of: second)?.code == .alreadyBound)
                withExtendedLifetime(first) {}
            }
            var third = try p.watch("*").makeAsyncIterator()
            expect(try await third.next() == .synced)
        }
    }

    @Test("A watch ends with its client, and with the task that waits for it")
    func ends() async throws {
        try await World.with(.unix) { world in
            let p = await world.program()
            let all = try p.watch("*")
            var events = all.makeAsyncIterator()
            expect(try await events.next() == .synced)
            let watch = try p.watch("a")
            let waiting = Task {
                var events = watch.makeAsyncIterator()
                return try await [events.next(), events.next()]
            }
            waiting.cancel()
            _ = await waiting.result
            await p.close()
            expect(await self.failure(of: all)?.code == .closed)
        }
    }
}

extension ChannelWatch.Event {
    fileprivate var brief: String {
        switch self {
        case .changed(let change):
            "\(change.name): \(change.state == nil ? "deleted" : change.value?.text ?? "nothing")"
        case .synced: "synced"
        }
    }
}
