import Expectations
import NIOCore
import RacConnection
import RacProtocol
import RacTesting
import Testing

/// A daemon that does not know the keys that came to protocol version 1 later: `sent`, `deleted`, `applied`, `after` in `who`.
@Suite struct OlderDaemonTests {
    private func say(_ text: String, over daemon: ScriptedDaemon) async throws {
        var bytes = ByteBuffer()
        bytes.writeFrame { $0.writeString(text) }
        try await daemon.sayBytes(bytes)
    }

    @Test("A binding of an older daemon gets values, answers and the end of a deleted channel")
    func binding() async throws {
        let daemon = try await ScriptedDaemon.welcoming()
        async let bound = daemon.connection.bind(Bind(channel: ChannelName("a")))
        let (id, _) = try await daemon.heardRequest()
        let reply = #"{"op":"reply","id":\#(id.number),"t":1,"rev":3,"state":"open","mode":"paired","n":0,"value":1}"#
        try await self.say(reply, over: daemon)
        let binding = try await bound
        try await binding.send(.integer(5))
        expect(try await daemon.heardSend().number == SendNumber(1))
        let error = #"{"code":"storage","message":"applied, but not on disk yet"}"#
        try await self.say(#"{"op":"nak","t":1,"n":1,"error":\#(error),"rev":4,"value":5}"#, over: daemon)
        try await self.say(#"{"op":"completed","t":1,"rev":6}"#, over: daemon)
        var events = binding.makeAsyncIterator()
        let expected = try await events.take(3)
        expect(expected.first == .value(try .sample(3, "1")))
        guard case .refused(let refusal)? = expected.dropFirst().first else {
            Issue.record("the refusal did not come: \(expected)")
            return
        }
        #expect(refusal.error.code == "storage" && !refusal.isApplied)
        expect(expected.last == .ended(.completed(6)))
    }

    @Test("An operation that the daemon does not know is refused with its own code")
    func unknownOperation() async throws {
        let daemon = try await ScriptedDaemon.welcoming()
        async let answer = daemon.connection.commands(List())
        let (id, _) = try await daemon.heardRequest()
        let error = #"{"code":"unknown-op","message":"there is no operation"}"#
        try await self.say(#"{"op":"refused","id":\#(id.number),"error":\#(error)}"#, over: daemon)
        do {
            _ = try await answer
            Issue.record("an answer came")
        } catch {
            expect((error as? ClientError)?.code.rawValue == "unknown-op")
        }
    }

    @Test("A connection of an older daemon has a number, and nothing that came later")
    func connections() async throws {
        let daemon = try await ScriptedDaemon.welcoming()
        async let answer = daemon.connection.connections()
        let (id, request) = try await daemon.heardRequest()
        expect(request == .who(AskWho(channel: nil)))
        try await self.say(#"{"op":"reply","id":\#(id.number),"who":[{"connection":3}]}"#, over: daemon)
        let expected = ListedConnections.Entry(client: ConnectedClient(connection: 3), bound: 0)
        expect(try await answer == ListedConnections(entries: [expected], more: false))
    }

    @Test("An answer to who that begins anew is the same as before")
    func who() async throws {
        let daemon = try await ScriptedDaemon.welcoming()
        let ask = AskWho(channel: try ChannelName("a"), after: 7)
        async let answer = daemon.connection.who(ask)
        let (id, request) = try await daemon.heardRequest()
        expect(request == .who(ask))
        let entry = #"{"connection":3,"role":"following","conflate":true}"#
        try await self.say(#"{"op":"reply","id":\#(id.number),"who":[\#(entry)],"more":true}"#, over: daemon)
        let who = try await answer
        #expect(who.entries.map(\.client.connection) == [3] && who.more)
    }
}
