import Expectations
import NIOCore
import RacProtocol
import RacTesting
import Testing

@testable import RacConnection

/// A binding over two connections of one session.
@Suite struct ResumptionTests {
    private let terminal = TerminalID(1)

    /// The rest of a binding that showed revision 3 and sent 1 and 2, of which the daemon acknowledged 1 as revision 4.
    private func rest(mode: ChannelMode = .shared) async throws -> BindingRest {
        let daemon = try await ScriptedDaemon.welcoming()
        let binding = try await daemon.bind(.sample(1, .sample(3), mode: mode))
        for number in 1...2 { try await binding.send(.integer(number)) }
        try await daemon.say(.ack(self.terminal, SendNumber(1), Revision(4)))
        try await daemon.hangUp()
        return await binding.rest()
    }

    /// Binds with that rest, and answers with this.
    private func resumed(
        _ rest: BindingRest,
        _ bound: Bound,
        epoch: String = Welcome.sample.epoch,
        replay: Bool? = nil
    ) async throws -> (ScriptedDaemon, ChannelBinding, Bind) {
        var welcome = Welcome.sample
        welcome.epoch = epoch
        let daemon = try await ScriptedDaemon.welcoming(ConnectionConfiguration(), welcome)
        var wish = try Bind(channel: ChannelName("a"))
        wish.replay = replay
        async let binding = daemon.connection.bind(wish, after: rest)
        let (id, request) = try await daemon.heardRequest()
        guard case .bind(let bind) = request else { throw Surprise(expected: "a bind") }
        try await daemon.say(.reply(id, .bound(bound)))
        return (daemon, try await binding, bind)
    }

    @Test("A refused bind is reported, and the next one goes on with the same sends")
    func refusedBind() async throws {
        let rest = try await self.rest()
        let daemon = try await ScriptedDaemon.welcoming()
        let refused = Task { try await daemon.connection.bind(Bind(channel: ChannelName("a")), after: rest) }
        let (id, _) = try await daemon.heardRequest()
        try await daemon.say(.refused(id, .sample(.limit)))
        expect(await #expect(throws: ClientError.self) { try await refused.value }?.code == .limit)
        async let binding = daemon.connection.bind(Bind(channel: ChannelName("a")), after: rest)
        let (again, _) = try await daemon.heardRequest()
        try await daemon.say(.reply(again, .bound(.sample(1, lastApplied: 1))))
        expect(try await daemon.heardSend().number == SendNumber(2))
        _ = try await binding
    }

    @Test("The bind names the last terminal and asks for the value, and an open send goes out again under its number")
    func again() async throws {
        let (daemon, binding, bind) = try await self.resumed(try await self.rest(), .sample(1, lastApplied: 1))
        #expect(bind.since == Revision.never && bind.was == self.terminal)
        let send = try await daemon.heardSend()
        expect(send.number == SendNumber(2))
        try await binding.send(.null)
        expect(try await daemon.heardSend().number == SendNumber(3))
        try await daemon.say(.ack(self.terminal, SendNumber(3), Revision(6)), .next(self.terminal, .sample(7)))
        var events = binding.makeAsyncIterator()
        expect(try await events.next() == .value(.sample(7)))
    }

    @Test("In another epoch sends are counted anew", arguments: [ChannelMode.shared, .paired])
    func anotherEpoch(mode: ChannelMode) async throws {
        let bound = try Bound.sample(8, .sample(2, "0"), mode: mode)
        let (daemon, binding, bind) = try await self.resumed(try await self.rest(mode: mode), bound, epoch: "e2")
        expect(bind.was == nil)
        let send = try await daemon.heardSend()
        expect(send.terminal == TerminalID(8))
        expect(send.number == SendNumber(1))
        try await daemon.say(.ack(TerminalID(8), SendNumber(1), Revision(3)), .next(TerminalID(8), .sample(4)))
        var events = binding.makeAsyncIterator()
        let values = try await events.take(mode == .shared ? 1 : 2)
        expect(values.last == .value(try .sample(4)))
    }

    @Test("The revision of a reply without a value is the next bind's since", arguments: [ChannelMode.shared, .paired])
    func repliesWithoutValue(mode: ChannelMode) async throws {
        let daemon = try await ScriptedDaemon.welcoming()
        var bound = Bound.sample(1, mode: mode)
        bound.revision = Revision(7)
        let first = try await daemon.bind(bound)
        try await daemon.hangUp()
        let (_, _, bind) = try await self.resumed(await first.rest(), bound)
        expect(bind.since == Revision(7))
    }

    @Test("A bind again asks for what has changed, also where the first one asked for no value")
    func withoutReplay() async throws {
        let (_, _, bind) = try await self.resumed(try await self.rest(), .sample(1, lastApplied: 1), replay: false)
        expect(bind.replay == nil)
    }
}
