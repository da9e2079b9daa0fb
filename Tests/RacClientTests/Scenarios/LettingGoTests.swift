import Expectations
import NIOCore
import Rac
import RacProtocol
import Testing

@testable import RacClient
@testable import RacConnection

/// A task on the event loop comes to its end before any answer that it asks for.
@Suite(.timeLimit(.minutes(10))) struct LettingGoTests {
    /// Runs a test with a client that is connected.
    private func withClient(_ test: (Client) async throws -> Void) async throws {
        try await World.with(.unix) { world in
            let client = await world.program()
            try await client.ping()
            try await test(client)
        }
    }

    @Test("A property that is let go before it is bound leaves its channel to the next one, then or later")
    func propertyBeforeBinding() async throws {
        try await self.withClient { client in
            let next = try await client.onLoop {
                _ = try client.property("x", as: Int.self)
                return try client.property("x", as: Int.self)
            }
            try await next.write(1)
            try await client.onLoop { _ = try client.property("y", as: Int.self) }
            try await client.ping()
            #expect(try await client.list("y").isEmpty)
            let later = try client.property("y", as: Int.self)
            try await later.write(2)
            #expect(next.value == 1 && later.value == 2)
        }
    }

    @Test("A terminal that is let go before it is bound leaves its side to the next one")
    func terminalBeforeBinding() async throws {
        try await self.withClient { client in
            let next = try await client.onLoop {
                _ = try client.terminal("x", .leading, as: Int.self)
                return try client.terminal("x", .leading, as: Int.self)
            }
            try await next.write(1)
            expect(try await client.get("x").value == .integer(1))
        }
    }

    @Test("A property that is let go before it is bound leaves no will to the next one")
    func willBeforeBinding() async throws {
        try await self.withClient { client in
            let next = try await client.onLoop {
                _ = try client.property("x", as: Int.self, will: .value(7))
                return try client.property("x", as: Int.self)
            }
            try await next.write(1)
            let key = RemoteBinding.Key(channel: try ChannelName("x"), role: .following)
            try await eventually {
                try await client.onLoop {
                    let binding = client.loop.engine.value.sharedUser(key, as: RemoteBinding.self)
                    return binding.map { $0.sentOptions == BindingOptions() } ?? false
                }
            }
        }
    }

    @Test("A watch that is let go before its answer leaves its pattern to the next one, then or later")
    func watchBeforeAnswer() async throws {
        try await self.withClient { client in
            try await client.onLoop { _ = try client.watch("a") }
            try await client.ping()
            let next = try await client.onLoop {
                _ = try client.watch("b")
                return try client.watch("b")
            }
            for watch in [next, try client.watch("a")] {
                var events = watch.makeAsyncIterator()
                expect(try await events.next() == .synced)
            }
        }
    }

    @Test("A binding waits once for room, however many writes there are")
    func room() async throws {
        try await self.withClient { client in
            let count = try await client.onLoop {
                let engine = client.loop.engine.value
                let key = RemoteBinding.Key(channel: try ChannelName("x"), role: .following)
                let binding = try engine.binding(key, .shared)
                guard let dispatcher = engine.dispatcher else { return 0 }
                let text = JSONText.string(String(repeating: "a", count: 1 << 16))
                while dispatcher.hasRoom { dispatcher.tell(.set(SetValue(channel: key.channel, value: text))) }
                for _ in 1...3 { binding.pump() }
                return dispatcher.roomWaiters.count
            }
            expect(count == 1)
        }
    }
}

extension Client {
    /// Does something within one turn of the event loop.
    fileprivate func onLoop<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await self.loop.eventLoop.submit(body).get()
    }
}

extension ClientEngine {
    fileprivate func watch(_ pattern: String) throws -> RemoteWatch {
        let watch = RemoteWatch(try ChannelPattern(pattern), self)
        watch.start()
        return watch
    }
}
