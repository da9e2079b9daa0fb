import Expectations
import NIOCore
import NIOEmbedded
import RacProtocol
import RacTesting
import Testing

@testable import RacConnection

@Suite struct BindingTests {
    private let terminal = TerminalID(1)

    @Test("A binding brings the present value first, then others' values, then the end, and nothing after it")
    func events() async throws {
        let daemon = try await ScriptedDaemon.welcoming()
        async let bound = daemon.connection.bind(Bind(channel: ChannelName("a")))
        let (id, _) = try await daemon.heardRequest()
        try await daemon.say(
            .reply(id, .bound(.sample(1, .sample(3, "3")))),
            .next(self.terminal, .sample(4, "4")),
            .ended(self.terminal, .completed, Revision(5))
        )
        var events = try await bound.makeAsyncIterator()
        expect(
            try await events.take(4)
                == [.value(.sample(3, "3")), .value(.sample(4, "4")), .ended(.completed(5))]
        )
    }

    @Test("Values in a row come in their order, wherever a read is cut off and whatever stands between them")
    func cuts() async throws {
        let daemon = try await ScriptedDaemon.welcoming()
        var events = try await daemon.bind().makeAsyncIterator()
        for cut in try 1..<self.row(from: 1000).readableBytes {
            let first = UInt64(1000 + 3 * cut)
            let bytes = try self.row(from: first)
            try await daemon.sayBytes(#require(bytes.getSlice(at: 0, length: cut)))
            try await daemon.sayBytes(#require(bytes.getSlice(at: cut, length: bytes.readableBytes - cut)))
            let expected = try [Valuation.sample(first, "4"), .sample(first + 1, "[5]"), .sample(first + 2, "6")]
            expect(try await events.take(3) == expected.map { .value($0) }, "cut at \(cut)")
        }
    }

    /// Three values of a terminal, one in another spelling, with another terminal's value and a ping between them.
    private func row(from first: UInt64) throws -> ByteBuffer {
        var bytes = ByteBuffer()
        ServerMessage.next(self.terminal, try .sample(first, "4")).write(to: &bytes)
        ServerMessage.next(TerminalID(9), try .sample(first, "null")).write(to: &bytes)
        bytes.writeFrame { $0.writeString(#"{ "op":"next","t":1,"rev":\#(first + 1),"value":[5]}"#) }
        ServerMessage.ping.write(to: &bytes)
        ServerMessage.next(self.terminal, try .sample(first + 2, "6")).write(to: &bytes)
        return bytes
    }

    @Test("Sends go out in their order, numbered on from what the daemon applied")
    func sends() async throws {
        let daemon = try await ScriptedDaemon.welcoming()
        let binding = try await daemon.bind(.sample(1, lastApplied: 4))
        for number in 5...7 as ClosedRange<UInt64> { try await binding.send(.integer(Int(number))) }
        for number in 5...7 as ClosedRange<UInt64> {
            let send = try await daemon.heardSend()
            expect(send.number == SendNumber(number))
            expect(send.event == .next(.integer(Int(number)), condition: nil, cause: nil))
        }
    }

    @Test("An arrival during an open write comes after its answer, if it is newer")
    func agreement() async throws {
        let daemon = try await ScriptedDaemon.welcoming()
        let binding = try await daemon.bind()
        try await binding.send(.null)
        try await daemon.say(
            .next(self.terminal, .sample(3)),
            .ack(self.terminal, SendNumber(1), Revision(4)),
            .next(self.terminal, .sample(5))
        )
        var events = binding.makeAsyncIterator()
        expect(try await events.next() == .value(.sample(5)))
    }

    @Test("A refused send is reported, and then the value that the channel has")
    func refusal() async throws {
        let daemon = try await ScriptedDaemon.welcoming()
        let binding = try await daemon.bind()
        try await binding.send(.null)
        let refusal = try Refusal.sample(.conflict, .sample(3))
        try await daemon.say(.nak(self.terminal, SendNumber(1), refusal))
        var events = binding.makeAsyncIterator()
        expect(try await events.take(2) == [.refused(refusal), .value(.sample(3))])
    }

    @Test("After a refusal without the channel's value the daemon is asked for it")
    func asking() async throws {
        let daemon = try await ScriptedDaemon.welcoming()
        let binding = try await daemon.bind()
        try await binding.send(.null)
        _ = try await daemon.heardSend()
        try await daemon.say(.nak(self.terminal, SendNumber(1), .sample(.storage)))
        let (id, request) = try await daemon.heardRequest()
        expect(try request == .get(ChannelName("a")))
        let got = try Got(
            revision: Revision(3),
            state: .open,
            mode: .shared,
            value: JSONText("1"),
            cause: nil,
            wish: nil,
            wishRevision: nil,
            changedAt: 0
        )
        try await daemon.say(.reply(id, .got(got)))
        var events = binding.makeAsyncIterator()
        expect(try await events.take(2) == [.refused(.sample(.storage)), .value(.sample(3))])
    }

    @Test("In a paired channel the end comes behind the answers to the sends before it, and nothing else is kept back")
    func pairedEnd() async throws {
        let daemon = try await ScriptedDaemon.welcoming()
        let binding = try await daemon.bind(.sample(1, mode: .paired))
        for _ in 1...2 { try await binding.send(.null) }
        try await daemon.say(.next(self.terminal, .sample(3)), .ended(self.terminal, .completed, Revision(5)))
        var events = binding.makeAsyncIterator()
        expect(try await events.next() == .value(.sample(3)))
        expect(await #expect(throws: ClientError.self) { try await binding.send(.null) }?.code == .terminated)
        try await daemon.say(.ack(self.terminal, SendNumber(1), Revision(4)))
        try await daemon.say(.nak(self.terminal, SendNumber(2), .sample(.terminated)))
        expect(try await events.take(2) == [.refused(.sample(.terminated)), .ended(.completed(5))])
    }

    @Test("In a paired channel nothing is kept back")
    func paired() async throws {
        let daemon = try await ScriptedDaemon.welcoming()
        let binding = try await daemon.bind(.sample(1, mode: .paired))
        try await binding.send(.null)
        try await daemon.say(.next(self.terminal, .sample(3)))
        var events = binding.makeAsyncIterator()
        expect(try await events.next() == .value(.sample(3)))
    }

    @Test("A paired binding whose values nobody takes ends with slow-consumer and unbinds")
    func slowConsumer() async throws {
        var configuration = ConnectionConfiguration()
        configuration.limits.waitingBytes = 1
        let daemon = try await ScriptedDaemon.welcoming(configuration)
        let binding = try await daemon.bind(.sample(1, mode: .paired))
        try await daemon.say(.next(self.terminal, .sample(3)), .next(self.terminal, .sample(4)))
        expect(try await daemon.heardRequest().request == .unbind(self.terminal))
        var events = binding.makeAsyncIterator()
        let taken = try await events.take(3)
        expect(taken.count == 2)
        guard case .ended(let end) = taken.last, case .failed(let error) = end.end else {
            Issue.record("the binding did not fail: \(taken)")
            return
        }
        expect(error.code == "slow-consumer")
    }

    @Test("Settled means that every send has its answer")
    func settled() async throws {
        let daemon = try await ScriptedDaemon.welcoming()
        let binding = try await daemon.bind()
        try await binding.settled()
        try await binding.send(.null)
        try await binding.send(.null)
        let settling = Task { try await binding.settled() }
        try await daemon.say(.ack(self.terminal, SendNumber(1), Revision(3)))
        try await daemon.say(.ack(self.terminal, SendNumber(2), Revision(4)))
        try await settling.value
    }

    @Test("A sender waits while too many sends are on their way, and goes on when one is answered")
    func window() async throws {
        var configuration = ConnectionConfiguration()
        configuration.limits.sendsUnderWay = 2
        let daemon = try await ScriptedDaemon.welcoming(configuration)
        let binding = try await daemon.bind()
        let sending = Task { for number in 1...3 { try await binding.send(.integer(number)) } }
        for _ in 1...2 { _ = try await daemon.heardSend() }
        #expect(try await !daemon.hasMore())
        try await daemon.say(.ack(self.terminal, SendNumber(1), Revision(3)))
        expect(try await daemon.heardSend().number == SendNumber(3))
        try await sending.value
    }

    @Test("Values that are sent together go out as far as there is room, and up to one that is too long")
    func together() async throws {
        var configuration = ConnectionConfiguration()
        configuration.limits.sendsUnderWay = 3
        var welcome = Welcome.sample
        welcome.maximumFrameBytes = 100
        let daemon = try await ScriptedDaemon.welcoming(configuration, welcome)
        let binding = try await daemon.bind()
        let long = JSONText.string(String(repeating: "x", count: 100))
        let values: [JSONText] = [.integer(1), .integer(2), long, .integer(3), .integer(4), .integer(5)]
        expect(try await binding.send(values[...]) == 2)
        expect(await #expect(throws: ClientError.self) { try await binding.send(values[2...]) }?.code == .tooLarge)
        expect(try await binding.send(values[3...]) == 1)
        for number in 1...3 {
            expect(try await daemon.heardSend().event == .next(.integer(number), condition: nil, cause: nil))
        }
        #expect(try await !daemon.hasMore())
    }

    @Test("A sender waits while the socket takes nothing, and can be cancelled")
    func fullSocket() async throws {
        let daemon = try await ScriptedDaemon.welcoming()
        let binding = try await daemon.bind()
        daemon.channel.isWritable = false
        let sending = Task { try await binding.send(.null) }
        #expect(try await !daemon.hasMore())
        sending.cancel()
        expect(await sending.failureCode == .cancelled)
        let second = Task { try await binding.send(.null) }
        #expect(try await !daemon.hasMore())
        daemon.channel.isWritable = true
        try await daemon.channel.testingEventLoop.executeInContext {
            daemon.channel.pipeline.fireChannelWritabilityChanged()
        }
        expect(try await daemon.heardSend().number == SendNumber(1))
        try await second.value
    }

    @Test("Sending into an ended terminal is refused on this side, even while the end waits for an answer")
    func sendAfterEnd() async throws {
        let daemon = try await ScriptedDaemon.welcoming()
        let binding = try await daemon.bind()
        try await binding.send(.null)
        _ = try await daemon.heardSend()
        try await daemon.say(.ended(self.terminal, .completed, Revision(4)))
        expect(await #expect(throws: ClientError.self) { try await binding.send(.null) }?.code == .terminated)
        try await daemon.say(.nak(self.terminal, SendNumber(1), .sample(.terminated, .sample(3))))
        expect(await #expect(throws: ClientError.self) { try await binding.send(.null) }?.code == .terminated)
        var events = binding.makeAsyncIterator()
        expect(
            try await events.take(4)
                == [.refused(.sample(.terminated, .sample(3))), .value(.sample(3)), .ended(.completed(4))]
        )
    }

    @Test(
        "An end that waits for an answer comes when the connection is lost, and its send stays without an answer",
        arguments: [ChannelMode.shared, .paired]
    )
    func lostBehindEnd(mode: ChannelMode) async throws {
        let daemon = try await ScriptedDaemon.welcoming()
        let binding = try await daemon.bind(.sample(1, mode: mode))
        try await binding.send(.null)
        try await daemon.say(.ended(self.terminal, .completed, Revision(4)))
        try await daemon.hangUp()
        var events = binding.makeAsyncIterator()
        expect(try await events.take(2) == [.ended(.completed(4))])
        expect(await binding.rest().unansweredCount == 1)
    }

    @Test("Leaving unbinds, and what has come is still taken")
    func leaving() async throws {
        let daemon = try await ScriptedDaemon.welcoming()
        let binding = try await daemon.bind()
        try await daemon.say(.next(self.terminal, .sample(3)))
        await binding.leave()
        expect(try await daemon.heardRequest().request == .unbind(self.terminal))
        try await daemon.say(.next(self.terminal, .sample(4)))
        var events = binding.makeAsyncIterator()
        expect(try await events.take(2) == [.value(.sample(3))])
    }

    @Test("Leaving with open sends leaves their outcome unknown to a task that waits for it")
    func leavingOpenSends() async throws {
        let daemon = try await ScriptedDaemon.welcoming()
        let binding = try await daemon.bind()
        for _ in 1...2 { try await binding.send(.null) }
        let settling = Task { try await binding.settled() }
        try await daemon.say(.ack(self.terminal, SendNumber(1), Revision(3)))
        await binding.leave()
        for _ in 1...2 { _ = try await daemon.heardSend() }
        expect(try await daemon.heardRequest().request == .unbind(self.terminal))
        expect(await settling.failureCode == .outcomeUnknown)
        try await daemon.say(.nak(self.terminal, SendNumber(2), .sample(.notBound)))
        expect(await #expect(throws: ClientError.self) { try await binding.settled() }?.code == .outcomeUnknown)
    }

    @Test("A task that is cancelled while it waits for an event gets no more")
    func cancelledTaking() async throws {
        let daemon = try await ScriptedDaemon.welcoming()
        let binding = try await daemon.bind()
        let taking = Task {
            var events = binding.makeAsyncIterator()
            return try await events.next()
        }
        taking.cancel()
        expect(try await taking.value == nil)
    }

    @Test("After an end a program can bind the same terminal again, and each binding gets its own events")
    func bindAgain() async throws {
        let daemon = try await ScriptedDaemon.welcoming()
        let first = try await daemon.bind()
        try await daemon.say(.ended(self.terminal, .completed, Revision(3)))
        let second = try await daemon.bind(.sample(1, .sample(4)))
        try await daemon.say(.next(self.terminal, .sample(5)))
        var ended = first.makeAsyncIterator()
        expect(try await ended.take(2) == [.ended(.completed(3))])
        var events = second.makeAsyncIterator()
        expect(try await events.take(2) == [.value(.sample(4)), .value(.sample(5))])
    }
}
