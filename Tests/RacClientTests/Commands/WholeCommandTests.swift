import Expectations
import RacConnection
import RacProtocol
import RacTesting
import Testing

/// Host, caller and observer of a command, with a whole daemon between them.
@Suite(.timeLimit(.minutes(10))) struct WholeCommandTests {
    private static func connect(_ daemon: LocalDaemon) async throws -> DaemonConnection {
        var configuration = ConnectionConfiguration()
        configuration.replyTimeout = .seconds(60)
        configuration.connectTimeout = .seconds(60)
        return try await DaemonConnection.open(to: daemon.address, configuration: configuration)
    }

    /// Blinks as often as the input says.
    private static func blink(_ hosting: CommandHosting) -> Task<Void, any Error> {
        Task {
            for try await event in hosting {
                switch event {
                case .execute(let execution, let input):
                    guard let times = input.flatMap({ Int($0.text) }) else { continue }
                    for time in 0..<times { try await hosting.tell(.next(.integer(time)), of: execution) }
                    try await hosting.tell(.ended(.completed), of: execution)
                case .cancel(let execution):
                    let error = WireError(code: "cancelled", message: "")
                    try await hosting.tell(.ended(.failed(error)), of: execution)
                }
            }
        }
    }

    @Test(
        "All messages of a host reach the caller whole, and observers see it begin and end",
        arguments: Transport.allCases
    )
    func commands(transport: Transport) async throws {
        let blink = try CommandName("room/blink")
        try await LocalDaemon.with(transport) { daemon in
            let (host, caller) = (try await Self.connect(daemon), try await Self.connect(daemon))
            let observation = try await caller.observe(blink)
            var states = observation.makeAsyncIterator()
            expect(try await states.next() == .state(CommandState(isEnabled: false, isExecuting: false)))
            let hosting = try await host.host(HostCommand(command: blink))
            let blinking = Self.blink(hosting)
            expect(try await states.next() == .state(CommandState(isEnabled: true, isExecuting: false)))

            var values = 0
            for try await event in try await caller.execute(blink, .integer(1_000)) {
                if case .next(let value) = event {
                    expect(value == .integer(values))
                    values += 1
                } else {
                    expect(event == .ended(.completed))
                }
            }
            expect(values == 1_000)

            // Without an input it runs until it is cancelled.
            let call = try await caller.execute(blink)
            let refused = await #expect(throws: ClientError.self) { try await caller.execute(blink) }
            expect(refused?.code == .notEnabled)
            await call.cancel()
            var end = call.makeAsyncIterator()
            expect(try await end.next() == .ended(.failed(WireError(code: "cancelled", message: ""))))

            let last = try await caller.execute(blink)
            await host.close()
            var lost = last.makeAsyncIterator()
            guard case .ended(.failed(let error)) = try await lost.next() else {
                throw Surprise(expected: "the end of an execution whose host has gone")
            }
            expect(error.code == "host-lost")
            _ = try? await blinking.value
            await caller.close()
        }
    }
}
