import Expectations
import NIOCore
import Rac
import RacProtocol
import RacTesting
import Testing

@testable import RacClient

/// A client that closes goes as soon as nothing is under way, long before `closeTimeout`.
@Suite(.timeLimit(.minutes(10))) struct ClosingTests {
    /// Runs a test with a client that would wait for long.
    private func withClient(_ test: (LocalDaemon, Client) async throws -> Void) async throws {
        try await LocalDaemon.with(.unix) { daemon in
            var configuration = ClientConfiguration.quick
            configuration.closeTimeout = .seconds(3600)
            try await test(daemon, Client(daemon.address, configuration: configuration))
        }
    }

    @Test("Closing waits for the answer to a call, and for nothing behind it")
    func call() async throws {
        try await self.withClient { daemon, client in
            try await client.set("a", .integer(1), sync: true)
            try await daemon.stop()
            try await client.until { !$0.isLive }
            let answers = Log<Bool>()
            let request = Request.get(try ChannelName("a"))
            client.loop.eventLoop.execute { [loop = client.loop] in
                loop.engine.value.ask(request, as: loop.nextTicket()) { result in
                    if case .success = result { answers.append(true) } else { answers.append(false) }
                }
            }
            let isClosed = client.beginToClose()
            try await daemon.start()
            try await eventually { isClosed.isSet }
            expect(answers.entries == [true])
        }
    }

    @Test("Closing waits for an open write, and for nothing behind the refusal of its bind")
    func refusedBind() async throws {
        try await self.withClient { daemon, client in
            try await client.create("paired", mode: .paired, sync: true)
            try await daemon.stop()
            try await client.until { !$0.isLive }
            let property = try client.property("paired", as: Int.self)
            let ear = Ear(property)
            property.send(1)
            let isClosed = client.beginToClose()
            try await daemon.start()
            try await eventually { isClosed.isSet }
            expect(ear.heard.last?.hasPrefix("fail(wrong-mode: ") == true)
        }
    }

    @Test("Closing waits for what a hosted command has sent, and for nothing behind it")
    func hostedCommand() async throws {
        try await self.withClient { daemon, client in
            // The outgoing bytes of a connection, 1 MiB, leave a part of the values in the line.
            let text = String(repeating: "x", count: 50_000)
            let beginning = Log<Flag>()
            let command = Command<Int, String, Never>(on: .immediate) { count in
                Signal { sink -> AnyDisposable in
                    for _ in 0..<count { sink.send(text) }
                    sink.complete()
                    beginning.append(client.beginToClose())
                    return AnyDisposable {}
                }
            }
            try client.host("long", command)
            try await daemon.withClient { caller in
                let remote = try caller.command("long", as: Int.self, returning: String.self)
                try await remote.whenEnabled()
                expect(try await remote.run(30) == text)
            }
            try await eventually { beginning.entries.first?.isSet == true }
        }
    }
}

extension Client {
    /// Begins to close, behind all that the event loop has been given; the flag is set at the end.
    fileprivate func beginToClose() -> Flag {
        let isClosed = Flag()
        self.loop.eventLoop.execute { [engine = self.loop.engine] in engine.value.close { isClosed.set() } }
        return isClosed
    }
}
