import Expectations
import NIOCore
import RacAccess
import RacProtocol
import Testing

@testable import RacHost

extension Valuation {
    fileprivate static func numbered(_ number: UInt64) -> Valuation {
        Valuation(value: .integer(Int(number)), revision: Revision(number), cause: nil)
    }
}

@Suite struct TickLogTests {
    private static let terminal = TerminalID(2)

    private static func append(_ number: UInt64, to log: inout TickLog) {
        log.append(.numbered(number), of: Self.terminal)
    }

    private static func frame(_ number: UInt64) -> FrameBytes { FrameBytes(.next(Self.terminal, .numbered(number))) }

    @Test("Each reader gets the entries behind its own place")
    func places() {
        var log = TickLog()
        let start = log.end
        expect(log.frames(from: start) == nil)
        Self.append(1, to: &log)
        let middle = log.end
        Self.append(2, to: &log)
        var both = Self.frame(1)
        both.append(Self.frame(2))
        expect(log.frames(from: start) == both)
        expect(log.frames(from: middle) == Self.frame(2))
        expect(log.frames(from: log.end) == nil)
    }

    @Test("A new tick begins with an empty log, and places go on")
    func ticks() {
        var log = TickLog()
        Self.append(1, to: &log)
        let end = log.end
        log.endTick()
        expect(log.end == end)
        expect(log.frames(from: 0) == nil)
        Self.append(2, to: &log)
        expect(log.frames(from: end) == Self.frame(2))
        expect(log.frames(from: 0) == Self.frame(2))
    }
}

@Suite struct MessageLogTests {
    private static let terminal = TerminalID(2)

    private static func message(_ number: UInt64) -> ServerMessage {
        .next(Self.terminal, .numbered(number))
    }

    private static func append(_ number: UInt64, to log: MessageLog) {
        log.append(.numbered(number), of: Self.terminal)
    }

    @Test("Each reader gets the messages behind its own place, and a new tick begins with an empty log")
    func places() {
        let log = MessageLog()
        Self.append(1, to: log)
        expect(log.end == 0, "nobody reads the log")
        log.readers = 1
        Self.append(2, to: log)
        let middle = log.end
        let value = Array("3".utf8)
        log.append(value.span, as: Revision(3), of: Self.terminal)
        expect(log.messages(from: 0)?.messages == [Self.message(2), Self.message(3)])
        expect(log.messages(from: middle)?.messages == [Self.message(3)])
        #expect(log.messages(from: log.end) == nil)
        log.endTick()
        #expect(log.messages(from: middle) == nil)
        Self.append(4, to: log)
        expect(log.messages(from: middle)?.messages == [Self.message(4)])
    }
}

@Suite struct OutgoingTests {
    private static func frame(_ bytes: Int) -> FrameBytes {
        let text = String(repeating: "x", count: bytes)
        return FrameBytes(.refused(nil, Refusal(WireError(code: "c", message: text))))
    }

    @Test("Frames come out in their order and counted, whatever their size")
    func order() {
        var outgoing = Outgoing()
        var expected = FrameBytes()
        for bytes in [10, 20_000, 5, 5, 16_000, 16_000, 1, 300_000, 2] {
            outgoing.append(Self.frame(bytes))
            expected.append(Self.frame(bytes))
            outgoing.append(.ping)
            expected.append(.ping)
        }
        expect(outgoing.count == expected.count)
        var all = FrameBytes()
        for piece in outgoing.take() { all.append(piece) }
        expect(all == expected)
        expect(outgoing.count == 0)
        #expect(outgoing.take().isEmpty)
    }

    @Test("A frame alone keeps the memory that it shares with other connections")
    func shared() throws {
        let frame = Self.frame(20)
        var outgoing = Outgoing()
        outgoing.append(frame)
        let taken = try #require(Array(outgoing.take()).first)
        let addresses = [frame, taken].map { $0.withUnsafeBytes { $0.baseAddress } }
        expect(addresses[0] == addresses[1])
    }

    @Test("Messages come out in their order and counted, and those of one list stay shared")
    func messages() throws {
        let error = WireError(code: "c", message: String(repeating: "x", count: 500))
        let list = MessageList(.refused(nil, Refusal(error)))
        var outgoing = Outgoing(takesMessages: true)
        outgoing.append(list)
        #expect((500..<700).contains(outgoing.count))
        let taken = try #require(outgoing.take().messages)
        expect(taken.withUnsafeBytes(\.baseAddress) == list.messages.withUnsafeBytes(\.baseAddress))
        outgoing.append(list)
        outgoing.append(.ping)
        outgoing.append(ackOf: SendNumber(1), of: TerminalID(2), as: Revision(3))
        expect(outgoing.messages == taken + [.ping, .ack(TerminalID(2), SendNumber(1), Revision(3))])
        var other = Outgoing(takesMessages: true)
        other.append(outgoing)
        expect(other.count == outgoing.count)
        expect(other.messages == outgoing.messages)
    }

    @Test("The values of messages that may wait keep no large buffer of received bytes")
    func detached() {
        let buffer = ByteBuffer(string: "12" + String(repeating: " ", count: 4_096))
        let value = JSONText(unchecked: buffer, range: 0..<2)
        let message = ServerMessage.progress(ExecutionID(1), .next(value))
        guard case .progress(_, .next(let kept))? = MessageList(message).messages.first else { return }
        #expect(kept.bytes.storageCapacity < 100)
    }

    @Test("Small frames are put together, so that one write takes them")
    func together() {
        var outgoing = Outgoing()
        for _ in 0..<100 { outgoing.append(Self.frame(20)) }
        expect(Array(outgoing.take()).count == 1)
    }
}

@Suite struct DeadlineQueueTests {
    private static func subscriber() -> Subscriber {
        let session = Session(name: nil)
        let client = ConnectedClient(connection: 1)
        let connection = HostedConnection(id: ConnectionID(1), session: session, client: client, limits: Limits())
        return Subscriber(connection: connection)
    }

    private static func at(_ uptime: UInt64) -> Time { Time(uptime: uptime, wall: 0) }

    @Test("Due subscribers are popped, the earliest first")
    func order() {
        let subscribers = [Self.subscriber(), Self.subscriber(), Self.subscriber()]
        var queue = DeadlineQueue()
        queue.insert(subscribers[0], due: 30)
        queue.insert(subscribers[1], due: 10)
        queue.insert(subscribers[2], due: 20)
        expect(queue.next == 10)
        #expect(queue.popDue(at: Self.at(9)) == nil)
        #expect(queue.popDue(at: Self.at(20)) === subscribers[1])
        #expect(queue.popDue(at: Self.at(20)) === subscribers[2])
        #expect(queue.popDue(at: Self.at(20)) == nil)
        expect(queue.next == 30)
    }

    @Test("Subscribers that are over are skipped, and do not fill the memory")
    func over() {
        var queue = DeadlineQueue()
        let alive = Self.subscriber()
        queue.insert(alive, due: 1_000_000)
        for _ in 0..<10_000 {
            let subscriber = Self.subscriber()
            queue.insert(subscriber, due: 900_000)
            subscriber.isOver = true
            queue.noteOver()
        }
        #expect(queue.count < 200)
        #expect(queue.popDue(at: Self.at(2_000_000)) === alive)
        expect(queue.count == 0)
    }
}

@Suite struct SessionTableTests {
    private let connection = ConnectionID(1)

    private static func at(_ uptime: UInt64) -> Time { Time(uptime: uptime, wall: 0) }

    private static func limits(sessions: Int = 10, terminals: Int = 100) -> Limits {
        var limits = Limits()
        limits.sessionLifetime = 1_000
        limits.restingSessions = sessions
        limits.restingTerminals = terminals
        return limits
    }

    /// A session whose connection has ended, with this number of terminals.
    private func rested(
        _ table: inout SessionTable,
        _ name: String,
        at uptime: UInt64 = 0,
        terminals: UInt64 = 1,
        of owner: PrincipalName? = nil,
        _ limits: Limits
    ) -> Session {
        let session = table.session(named: name)
        table.wake(session, for: self.connection)
        session.owner = owner
        for terminal in 0..<terminals { session.remember(SendNumber(1), of: TerminalID(terminal), refused: nil) }
        table.rest(session, at: Self.at(uptime), limits: limits)
        return session
    }

    @Test("A session is kept for its lifetime, and not longer")
    func lifetime() {
        var table = SessionTable()
        let session = self.rested(&table, "s", Self.limits())
        table.forgetRested(at: Self.at(999), limits: Self.limits())
        #expect(table.session(named: "s") === session)
        table.forgetRested(at: Self.at(1_000), limits: Self.limits())
        #expect(table.session(named: "s") !== session)
        expect(table.count == 0)
        expect(table.restingCount == 0)
        expect(table.restingTerminals == 0)
    }

    @Test("A session that has a connection again does not expire")
    func awake() {
        var table = SessionTable()
        let session = self.rested(&table, "s", Self.limits())
        table.wake(session, for: self.connection)
        table.forgetRested(at: Self.at(5_000), limits: Self.limits())
        #expect(table.session(named: "s") === session)
        table.rest(session, at: Self.at(5_000), limits: Self.limits())
        table.forgetRested(at: Self.at(5_999), limits: Self.limits())
        #expect(table.session(named: "s") === session)
    }

    @Test("The oldest sessions go when there are too many, or when they know too many terminals")
    func bounds() {
        var table = SessionTable()
        let sessions = (0..<12).map { self.rested(&table, "s\($0)", Self.limits()) }
        expect(table.restingCount == 10)
        #expect(table.session(named: "s1") !== sessions[1])
        #expect(table.session(named: "s2") === sessions[2])
        _ = self.rested(&table, "big", terminals: 98, Self.limits())
        #expect(table.restingTerminals <= 100)
        expect(table.restingCount == 3)
        #expect(table.session(named: "s9") !== sessions[9])
        #expect(table.session(named: "s10") === sessions[10])
    }

    @Test("The sessions of one principal drive out none of another, however many they are or terminals they know")
    func principals() throws {
        var table = SessionTable()
        let (crowd, other) = (try PrincipalName("crowd"), try PrincipalName("other"))
        let quiet = self.rested(&table, "quiet", terminals: 40, of: other, Self.limits())
        for number in 0..<100 { _ = self.rested(&table, "s\(number)", of: crowd, Self.limits()) }
        #expect(table.restingCount == 10 && table.restingTerminals == 49)
        _ = self.rested(&table, "big", terminals: 99, of: crowd, Self.limits())
        #expect(table.session(named: "quiet") === quiet)
        #expect(table.restingCount == 1 && table.restingTerminals == 40)
        table.forgetRested(at: Self.at(1_000), limits: Self.limits())
        #expect(table.count == 0 && table.restingCount == 0 && table.restingTerminals == 0)
    }

    @Test("A client that connects again and again drives out nobody")
    func again() {
        var table = SessionTable()
        let quiet = self.rested(&table, "quiet", Self.limits())
        let busy = self.rested(&table, "busy", Self.limits())
        for _ in 0..<1_000 {
            table.wake(busy, for: self.connection)
            table.rest(busy, at: Self.at(1), limits: Self.limits())
        }
        #expect(table.session(named: "quiet") === quiet)
        #expect(table.session(named: "busy") === busy)
        expect(table.restingCount == 2)
    }

    @Test("A session without a name ends with its connection")
    func nameless() {
        var table = SessionTable()
        let session = table.session(named: nil)
        table.wake(session, for: self.connection)
        table.rest(session, at: Self.at(0), limits: Self.limits())
        expect(table.count == 0)
        expect(table.restingCount == 0)
        #expect(table.session(named: nil) !== session)
    }
}
