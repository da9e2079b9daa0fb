import Expectations
import RacHost
import RacProtocol
import RacTesting
import Testing

/// Values in a row are taken as a burst, with the effect of a message for each.
@Suite struct BurstTests {
    @Test(
        "Random messages have the same effect in bursts as one by one, also if the store gets them in parts",
        arguments: [BatchPolicy.whole, .parts(of: 1), .parts(of: 2)]
    )
    func random(batches: BatchPolicy) throws {
        var random = SeededRandom.ofThisRun
        for _ in TestEffort.rounds(10) {
            let (single, burst) = (Script.Stage(), Script.Stage(batches: batches))
            var script = Script()
            for _ in 0..<60 {
                let step = script.next(using: &random)
                try single.play(step, atOnce: false)
                try burst.play(step, atOnce: true)
                for (one, other) in zip(single.clients, burst.clients) {
                    expect(one.takeMessages() == other.takeMessages(), "\(step) \(random.hint)")
                }
            }
            expect(single.rig.content == burst.rig.content, "\(random.hint)")
            expect(single.rig.host.changeCount == burst.rig.host.changeCount, "\(random.hint)")
        }
    }

    @Test("The others get each value of a burst, the sender one acknowledgement, and the store the last value")
    func burst() throws {
        let rig = Rig(isStored: true)
        let (sender, reader) = (rig.connect(), rig.connect())
        let terminal = try sender.bound("x")
        try reader.bound("x")
        rig.commit()
        rig.tick {
            sender.say(atOnce: (1...3).map { .value(terminal, $0, "1\($0)") })
        }
        expect(reader.take() == (1...3).map { "t\(terminal) next 1\($0)@\($0)" })
        expect(sender.take() == ["t\(terminal) ack 3@3"])
        expect(rig.storedRecords.map(\.value?.value.text) == ["13"])
    }

    /// The output of one of so many senders, and of its reader, in turns in which each sends this many values.
    private static func turns(
        _ counts: [Int],
        senders: Int = Limits().manyAcknowledgements
    ) throws -> (sender: [[String]], reader: [[String]]) {
        let rig = Rig()
        let (clients, reader) = ((0..<senders).map { _ in rig.connect() }, rig.connect())
        let terminals = try clients.indices.map { try clients[$0].bound("x\($0)") }
        try reader.bound("x0")
        var (number, got) = (UInt64(0), (sender: [[String]](), reader: [[String]]()))
        for count in counts {
            let numbers = (0..<UInt64(count)).map { number + 1 + $0 }
            number += UInt64(count)
            rig.firstOfTicks {
                for (client, terminal) in zip(clients, terminals) {
                    client.say(atOnce: numbers.map { .value(terminal, $0, "\($0)") })
                }
            }
            let heard = clients.map { $0.take().map { $0.split(separator: "@")[0] } }
            #expect(heard.allSatisfy { $0.count == heard[0].count })
            got.sender.append(heard[0].map { String($0.dropFirst(3)) })
            got.reader.append(reader.take())
        }
        return got
    }

    @Test("Clients that keep sending get one acknowledgement for sixteen bursts; their readers wait for nothing")
    func stream() throws {
        let got = try Self.turns(Array(repeating: 2, count: 33))
        expect(got.sender.indices.filter { !got.sender[$0].isEmpty } == [15, 31])
        expect(got.sender[15] == ["ack 32"])
        #expect(got.reader.allSatisfy { $0.count == 2 })
    }

    @Test("A single send is acknowledged in its turn, the last ones of a stream eight turns later")
    func endOfStream() throws {
        let pause = try Self.turns([1, 1, 2, 3] + Array(repeating: 0, count: 9)).sender
        expect(pause == [["ack 1"], ["ack 2"]] + Array(repeating: [], count: 9) + [["ack 7"], []])
        let single = try Self.turns([2, 1, 1]).sender
        expect(single == [[], ["ack 3"], ["ack 4"]])
    }

    @Test("Clients that send together in every eighth turn get one acknowledgement for sixteen bursts, too")
    func slowStream() throws {
        let burst = [2] + Array(repeating: 0, count: 7)
        let got = try Self.turns(Array(repeating: burst, count: 16).flatMap { $0 }).sender
        expect(got.indices.filter { !got[$0].isEmpty } == [120])
        expect(got[120] == ["ack 32"])
    }

    @Test("A few clients that keep sending get their acknowledgements in each turn")
    func fewStreams() throws {
        let got = try Self.turns([2, 2], senders: Limits().manyAcknowledgements - 1)
        expect(got.sender == [["ack 2"], ["ack 4"]])
    }

    @Test("An acknowledgement goes with other output of its connection")
    func streamWithAnswers() throws {
        let rig = Rig()
        let clients = (0..<Limits().manyAcknowledgements).map { _ in rig.connect() }
        let terminals = try clients.indices.map { try clients[$0].bound("x\($0)") }
        rig.firstOfTicks {
            for (client, terminal) in zip(clients, terminals) {
                client.say(atOnce: (1...3).map { .value(terminal, $0, "\($0)") })
            }
            clients[0].say(atOnce: [.request(RequestID(9), .ping)])
        }
        expect(clients[0].take().count == 2)
        #expect(clients[1].take().isEmpty)
    }

    @Test("During a tick the store gets awaited changes in parts, each answered by its own commit")
    func parts() throws {
        let rig = Rig(isStored: true, batches: .parts(of: 2))
        let sender = rig.connect()
        let terminals = try ["a", "b", "c", "d", "e"].map { try sender.bound($0) }
        rig.tick {
            sender.say(atOnce: terminals.map { .value($0, 1, "1", sync: true) })
        }
        expect(rig.batches.map(\.changes.count) == [2, 2, 1])
        expect(rig.batches.map(\.isAwaited) == [true, true, true])
        rig.commitFirst()
        expect(sender.take() == ["t\(terminals[0]) ack 1@1", "t\(terminals[1]) ack 1@2"])
        rig.commit()
        expect(sender.take().count == 3)
    }

    @Test("Changes that nobody waits for are one batch, however many they are")
    func unawaitedParts() throws {
        let rig = Rig(isStored: true, batches: .parts(of: 2))
        let sender = rig.connect()
        let terminals = try ["a", "b", "c"].map { try sender.bound($0) }
        rig.tick {
            sender.say(atOnce: terminals.map { .value($0, 1, "1") })
        }
        expect(rig.batches.map(\.changes.count) == [3])
    }
}

extension ClientMessage {
    fileprivate static func value(
        _ terminal: TerminalID,
        _ number: UInt64,
        _ value: String,
        sync: Bool = false,
        condition: Revision? = nil
    ) -> ClientMessage {
        let event = Send.Event.next(.text(value), condition: condition, cause: nil)
        return .send(Send(terminal: terminal, number: SendNumber(number), event: event, sync: sync))
    }
}

/// The random messages of some clients.
private struct Script {
    enum Step {
        /// A client sends all of these in one tick.
        case say(Int, [ClientMessage])
        case reads(Int, Bool)
        case commit
        case reserve
    }

    static let clientCount = 4
    private var numbers: [[TerminalID: UInt64]] = Array(repeating: [:], count: Self.clientCount)
    private var lastRequest: Int64 = 1_000

    mutating func next(using random: inout SeededRandom) -> Step {
        let client = Int.random(in: 0..<Self.clientCount, using: &random)
        switch Int.random(in: 0..<20, using: &random) {
        case 0: return .reads(client, Bool.random(using: &random))
        case 1: return .commit
        case 2: return .reserve
        default:
            let count = Int.random(in: 1...12, using: &random)
            return .say(client, (0..<count).map { _ in self.message(of: client, using: &random) })
        }
    }

    private mutating func message(of client: Int, using random: inout SeededRandom) -> ClientMessage {
        let channel = Int.random(in: 0..<Stage.channels.count, using: &random)
        self.lastRequest += 1
        let id = RequestID(self.lastRequest)
        let order = ChannelOrder(channel: Stage.channels[channel])
        switch Int.random(in: 0..<40, using: &random) {
        case 0: return .request(id, .finish(Finish(channel: order.channel, end: .completed)))
        case 1, 2: return .request(id, .reopen(order))
        case 3: return .request(id, .delete(order))
        case 4: return .request(id, .get(order.channel))
        case 5: return .request(id, .bind(Bind(channel: order.channel)))
        default: return self.send(of: client, using: &random)
        }
    }

    /// Mostly the next number of the terminal of the last message.
    private mutating func send(of client: Int, using random: inout SeededRandom) -> ClientMessage {
        let terminal = TerminalID(
            UInt64.random(in: 0..<2, using: &random) + 2 * UInt64.random(in: 1...4, using: &random)
        )
        let last = self.numbers[client][terminal] ?? 0
        let isAgain = Int.random(in: 0..<12, using: &random) == 0
        let number = isAgain ? UInt64.random(in: 1...last + 1, using: &random) : last + 1
        self.numbers[client][terminal] = max(last, number)
        let value = String(repeating: "1", count: Int.random(in: 1...40, using: &random))
        switch Int.random(in: 0..<16, using: &random) {
        case 0: return .value(terminal, number, value, sync: true)
        case 1: return .value(terminal, number, value, condition: Revision(UInt64.random(in: 0..<40, using: &random)))
        default: return .value(terminal, number, value)
        }
    }

    /// A host with clients that are bound to its channels.
    final class Stage {
        static let channels = ["a", "b", "c", "d"].compactMap { try? ChannelName($0) }

        let rig: Rig
        private(set) var clients: [Client] = []

        init(batches: BatchPolicy = .whole) {
            var limits = Limits()
            limits.valueBytes = 90
            limits.queuedBytesPerBinding = 2_000
            limits.requestsInFlight = 5
            self.rig = Rig(
                reserved: Revision(20),
                isStored: true,
                batches: batches,
                limits: limits
            )
            self.rig.reservesByItself = false
            self.clients = (0..<Script.clientCount).map { _ in self.rig.connect() }
            self.bindAll()
        }

        private func bindAll() {
            var create = Create(channel: Self.channels[3])
            create.mode = .paired
            self.clients[0].ask(.create(create))
            for (place, client) in self.clients.enumerated() {
                for (number, channel) in Self.channels.enumerated() where (place + number) % 4 != 3 {
                    for role in [Role.leading, .following] where place % 3 != (role == .leading ? 1 : 2) {
                        var bind = Bind(channel: channel)
                        bind.role = role
                        bind.conflate = place == 2 ? false : nil
                        client.ask(.bind(bind))
                    }
                }
            }
        }

        func play(_ step: Step, atOnce: Bool) throws {
            switch step {
            case .reads(let client, let reads): self.clients[client].reads(reads)
            case .commit: self.rig.commit()
            case .reserve: self.rig.tick { self.rig.host.reserved(through: Revision(self.rig.host.changeCount + 15)) }
            case .say(let client, let messages):
                self.rig.tick {
                    if atOnce { return self.clients[client].say(atOnce: messages) }
                    for message in messages { self.clients[client].say(message) }
                }
            }
        }
    }
}
