import Expectations
import RacProtocol
import RacTesting
import Testing

/// Links come to rest.
@Suite struct CauseTests {
    @Test("A write whose cause is no newer than the value's root is acknowledged as that and changes nothing")
    func transcript() throws {
        let rig = Rig()
        let (a, r, s) = (rig.connect(), rig.connect(), rig.connect())
        let x = try a.bound("x")
        try r.bound("x")
        let y = try r.bound("y")
        try s.bound("y")
        a.next(x, "1")
        expect(a.take() == ["t3 ack 1@1"])
        expect(r.take() == ["t3 next 1@1"])
        r.next(y, "1", cause: 1)
        expect(r.take() == ["t5 ack 1@2"])
        expect(s.take() == ["t5 next 1@2 from 1"])
        try s.set("x", "1") { $0.cause = Revision(1) }
        expect(s.take() == ["2 rev 1"])
        expect(a.take() + r.take() == [])
        s.next(y, "2")
        a.next(x, "4")
        expect(r.take() == ["t5 next 2@3", "t3 next 4@4"])
        r.next(x, "2", cause: 3)
        r.next(y, "4", cause: 4)
        expect(r.take() == ["t3 unchanged 1 4@4", "t5 ack 2@5"])
        try a.get("x")
        try a.get("y")
        expect(a.take().suffix(2) == ["2 got@4 open shared 4", "3 got@5 open shared 4 from 4"])
    }

    @Test("Of values of an earlier epoch the one with the greatest text stays, until a newer one comes")
    func earlierEpoch() throws {
        let rig = Rig()
        let (a, b) = (rig.connect(), rig.connect())
        let (x, y) = (try a.bound("x"), try b.bound("x"))
        a.next(x, "0", cause: 1)
        expect(a.take() == ["t3 nak 1 bad-message"])
        try b.set("z", "0")
        a.next(x, "20", cause: 1)
        expect(a.take() == ["t3 ack 2@2"])
        for text in ["1", "20", "3"] { b.next(y, text, cause: 1) }
        expect(b.take().suffix(3) == ["t3 unchanged 1 20@2 from 1", "t3 unchanged 2 20@2 from 1", "t3 ack 3@3"])
        expect(a.take() == ["t3 next 3@3 from 1"])
        a.next(x, "1", cause: 2)
        expect(a.take() == ["t3 ack 3@4"])
    }

    @Test("A client whose write changed nothing gets the value that the channel has, its own earlier one too")
    func unchanged() throws {
        let rig = Rig()
        let (a, b) = (rig.connect(), rig.connect())
        let (x, y) = (try a.bound("x"), try b.bound("x"))
        b.next(y, "1")
        expect(a.take() == ["t3 next 1@1"])
        rig.tick {
            a.next(x, "2")
            a.next(x, "3")
            a.next(x, "1", cause: 1)
            a.next(x, "4")
        }
        expect(a.take() == ["t3 ack 2@3", "t3 unchanged 3 3@3", "t3 ack 4@4"])
        a.next(x, "1", cause: 3)
        a.next(x, "5", cause: 4)
        expect(a.take() == ["t3 unchanged 5 4@4", "t3 unchanged 6 4@4"])
        b.next(y, "6", cause: 4)
        expect(b.take().last == "t3 unchanged 2 4@4")
        try b.set("z", "7")
        b.next(y, "7", cause: 5)
        a.next(x, "8", cause: 5)
        expect(a.take().last == "t3 unchanged 7 7@6 from 5")
    }

    @Test("A sync send that changed nothing is answered when the channel's value is on disk")
    func unchangedAndSync() throws {
        let rig = Rig(isStored: true)
        let a = rig.connect()
        let x = try a.bound("x")
        rig.tick {
            a.next(x, "1", sync: true)
            a.next(x, "0", cause: 1, sync: true)
            a.next(x, "2")
        }
        expect(a.take() == [])
        rig.commit()
        expect(a.take() == ["t3 ack 1@1", "t3 unchanged 2 1@1", "t3 ack 3@2"])
    }

    @Test("A conflict has the cause of the write that was faster, so that a link knows its root")
    func causeOfConflict() throws {
        let rig = Rig()
        let (a, b) = (rig.connect(), rig.connect())
        let (x, y) = (try a.bound("x"), try b.bound("y"))
        a.next(x, "1")
        b.next(y, "1", cause: 1)
        _ = a.takeMessages()
        try a.set("y", "2") { $0.condition = Revision.never }
        let refusals = a.takeMessages().compactMap { message -> Refusal? in
            if case .refused(_, let refusal) = message { refusal } else { nil }
        }
        expect(refusals.map(\.revision) == [Revision(2)])
        expect(refusals.map(\.cause) == [Revision(1)])
    }

    @Test("A cause is a revision that the daemon has given out already", arguments: [0, 3, UInt64(Int64.max)])
    func unknownCause(_ cause: UInt64) throws {
        let rig = Rig()
        let a = rig.connect()
        let t = try a.bound("x")
        a.next(t, "1")
        a.next(t, "2")
        try a.set("x", "3") { $0.cause = Revision(cause) }
        a.next(t, "3", cause: cause)
        expect(a.take() == ["t3 ack 1@1", "t3 ack 2@2", "2 refused bad-message", "t3 nak 3 bad-message"])
        let fresh = Rig().connect()
        try fresh.set("x", "1") { $0.cause = Revision(1) }
        expect(fresh.take() == ["1 refused bad-message"])
    }

    /// A program that passes the values of one channel on to others.
    private struct Link {
        let client: Client
        let terminals: [TerminalID]
    }

    /// Lets links pass values on, in random order and delay, until no message is left; returns the number of messages.
    private static func rest(_ rig: Rig, _ links: [Link], _ random: inout SeededRandom) -> Int {
        var waiting: [(link: Link, from: TerminalID, valuation: Valuation)] = []
        var passed = 0
        repeat {
            for link in links {
                for case .next(let terminal, let valuation) in link.client.takeMessages() {
                    waiting.append((link, terminal, valuation))
                }
            }
            // The values of one terminal are passed on in order, as by a program; between terminals any order will do.
            guard let pick = waiting.indices.randomElement(using: &random) else { break }
            let picked = waiting[pick]
            let first = waiting.firstIndex { $0.link.client === picked.link.client && $0.from == picked.from } ?? pick
            let (link, from, valuation) = waiting.remove(at: first)
            rig.tick {
                for terminal in link.terminals where terminal != from {
                    link.client.next(terminal, valuation.value.text, cause: valuation.root.number)
                    passed += 1
                }
            }
        } while passed < 100_000
        return passed
    }

    private static func values(_ rig: Rig, _ channels: [String]) throws -> Set<String> {
        let reader = rig.connect()
        for channel in channels { try reader.get(channel) }
        return Set(
            reader.takeMessages().map { message in
                if case .reply(_, .got(let got)) = message { got.value?.text ?? "" } else { "" }
            }
        )
    }

    @Test(
        "Rings, chains and stars of links come to rest, and their channels agree",
        arguments: ["ring", "chain", "star"]
    )
    func shapes(_ shape: String) throws {
        var random = SeededRandom.ofThisRun
        for round in 0..<15 {
            let count = Int.random(in: 2...6, using: &random)
            let channels = (0..<count).map { "c\($0)" }
            let pairs: [(Int, Int)] =
                switch shape {
                case "ring": (0..<count).map { ($0, ($0 + 1) % count) }
                case "chain": (1..<count).map { ($0 - 1, $0) }
                default: (1..<count).map { (0, $0) }
                }
            let rig = Rig()
            let links = try pairs.map { pair in
                let client = rig.connect()
                return Link(
                    client: client,
                    terminals: try [pair.0, pair.1].map { try client.bound(channels[$0]) }
                )
            }
            let writer = rig.connect()
            var newest = ""
            try rig.tick {
                for write in 0..<Int.random(in: 1...8, using: &random) {
                    newest = "\"\(round).\(write)\""
                    try writer.set(channels.randomElement(using: &random) ?? channels[0], newest)
                }
            }
            let passed = Self.rest(rig, links, &random)
            #expect(passed < 1_000, Comment(rawValue: random.hint))
            expect(try Self.values(rig, channels) == [newest], Comment(rawValue: "\(shape) \(count) \(random.hint)"))
        }
    }
}
