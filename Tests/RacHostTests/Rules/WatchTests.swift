import Expectations
import RacProtocol
import RacTesting
import Testing

@testable import RacHost

/// Watches of patterns.
@Suite struct WatchTests {
    private static func limits(namesPerTurn: Int) -> Limits {
        var limits = Limits()
        limits.unitsPerConnection = namesPerTurn * Work.name
        return limits
    }

    private static func limits(nameBytes: Int) -> Limits {
        var limits = Limits()
        limits.watchNameBytesPerConnection = nameBytes
        return limits
    }

    @Test(
        "A paired channel is reported with its value and its wish, to one pattern or to several",
        arguments: [false, true]
    )
    func wishes(areSeveral: Bool) throws {
        let rig = Rig()
        let (a, w) = (rig.connect(), rig.connect())
        try a.create("p", .paired, value: "1")
        if areSeveral { try a.watch("*") }
        try w.watch("**")
        _ = w.take()
        try a.set("p", "2")
        try a.set("p", "3") { $0.role = .leading }
        try w.watch("p")
        let long = "\"\(String(repeating: "x", count: 5_000))\""
        try a.set("p", long)
        try a.delete("p")
        let pattern = areSeveral ? "w2" : "w1"
        let other = areSeveral ? "w3" : "w2"
        let told = w.take().filter { $0.hasPrefix(pattern) || $0.hasPrefix(other) }
        expect(
            told == [
                "\(pattern) p@3 open 1 wish 2@3", "\(pattern) p@4 open 3 wish 2@3", "\(other) p@4 open 3 wish 2@3",
                "\(other) synced", "\(pattern) p@5 open 3 wish \(long)@5", "\(other) p@5 open 3 wish \(long)@5",
                "\(pattern) p@6 deleted", "\(other) p@6 deleted",
            ]
        )
    }

    @Test(
        "A channel that ended with a long error is reported as deleted, to one pattern or to several",
        arguments: [false, true]
    )
    func longError(areSeveral: Bool) throws {
        let rig = Rig()
        let (a, w) = (rig.connect(), rig.connect())
        try w.watch("**")
        if areSeveral { try w.watch("x") }
        try a.set("x", "1")
        try a.finish("x", .failed(WireError(code: "boom", message: String(repeating: "x", count: 5_000))))
        _ = w.take()
        try a.delete("x")
        expect(w.take().sorted() == (areSeveral ? ["w1 x@3 deleted", "w2 x@3 deleted"] : ["w1 x@3 deleted"]))
    }

    @Test("A watch reports the present channels in the order of names, then that these were all, then each change")
    func order() throws {
        let rig = Rig()
        let (a, w) = (rig.connect(), rig.connect())
        for name in ["h/b", "h/a", "g/x"] { try a.set(name, "1") }
        try w.watch("h/**")
        expect(w.take() == ["1 watching w1", "w1 h/a@2 open 1", "w1 h/b@1 open 1", "w1 synced"])
        try a.set("h/c", "2")
        try a.set("g/x", "2")
        try a.finish("h/c")
        try a.reopen("h/c")
        try a.finish("h/c", .failed(WireError(code: "boom", message: "")))
        try a.delete("h/c")
        try a.create("h/p", .paired)
        expect(
            w.take() == [
                "w1 h/c@4 open 2", "w1 h/c@6 completed 2", "w1 h/c@7 open 2", "w1 h/c@8 failed 2", "w1 h/c@9 deleted",
                "w1 h/p@10 open",
            ]
        )
    }

    @Test("Changes of one tick are reported each, in order, and the watcher's own too")
    func sameTick() throws {
        let rig = Rig()
        let a = rig.connect()
        try a.watch("**")
        _ = a.take()
        try rig.tick {
            try a.set("x", "1")
            try a.set("y", "2")
            try a.set("x", "3")
        }
        expect(a.take() == ["2 rev 1", "3 rev 2", "4 rev 3", "w1 x@1 open 1", "w1 y@2 open 2", "w1 x@3 open 3"])
    }

    @Test("A pattern has one number for everybody, is watched once per connection, and unwatched ends it")
    func numbers() throws {
        let rig = Rig()
        let (a, b) = (rig.connect(), rig.connect())
        try a.watch("x/*")
        try b.watch("x/*")
        try b.watch("y/*")
        try b.watch("x/*")
        b.ask(.unwatch(WatchID(1)))
        b.ask(.unwatch(WatchID(1)))
        try a.set("x/1", "1")
        expect(a.take() == ["1 watching w1", "w1 synced", "2 rev 1", "w1 x/1@1 open 1"])
        expect(
            b.take() == [
                "1 watching w1", "w1 synced", "2 watching w2", "w2 synced", "3 refused already-bound", "4 done",
                "5 refused not-bound",
            ]
        )
    }

    @Test("A client that watches and unwatches in one tick gets no channel")
    func unwatchedAtOnce() throws {
        let rig = Rig()
        let a = rig.connect()
        try a.set("x", "1")
        try rig.tick {
            try a.watch("**")
            a.ask(.unwatch(WatchID(1)))
        }
        expect(a.take() == ["1 rev 1", "2 watching w1", "3 done"])
    }

    @Test("A change while the present channels are being reported is reported once, in its turn")
    func changesMeanwhile() throws {
        let rig = Rig(limits: Self.limits(namesPerTurn: 2))
        let (a, w) = (rig.connect(), rig.connect())
        for name in ["a", "b", "c", "d", "e"] { try a.set(name, "0") }
        w.reads(false)
        try w.watch("*")
        rig.firstOfTicks { w.reads(true) }
        expect(w.take() == ["1 watching w1", "w1 a@1 open 0", "w1 b@2 open 0"])
        try rig.tick {
            try a.set("a", "1")
            try a.set("d", "1")
            try a.delete("e")
            try a.set("f", "1")
            try a.set("a0", "1")
        }
        expect(
            w.take() == [
                "w1 a@6 open 1", "w1 a0@10 open 1", "w1 c@3 open 0", "w1 d@7 open 1", "w1 f@9 open 1", "w1 synced",
            ]
        )
    }

    @Test("A slow watcher gets the newest state of each channel that changed, and nobody else waits for it")
    func slow() throws {
        let rig = Rig()
        let (a, w, v) = (rig.connect(), rig.connect(), rig.connect())
        try w.watch("**")
        try v.watch("**")
        _ = (w.take(), v.take())
        w.reads(false)
        for value in 0..<100 { try a.set("x", "\(value)") }
        try a.set("y", "1")
        try a.delete("y")
        try a.set("z", "1")
        try a.delete("z")
        try a.set("z", "2")
        expect(w.take() == [])
        expect(v.take().count == 105)
        w.reads(true)
        expect(w.take() == ["w1 x@100 open 99", "w1 y@102 deleted", "w1 z@105 open 2"])
        try a.set("x", "100")
        expect(w.take() == ["w1 x@106 open 100"])
    }

    @Test("A watcher that is too far behind gets the channels in the order of names, once, and deleted ones first")
    func givenUp() throws {
        let rig = Rig(limits: Self.limits(nameBytes: 500))
        let (a, w) = (rig.connect(), rig.connect())
        for name in ["x0", "x9"] { try a.set(name, "0") }
        try w.watch("**")
        _ = w.take()
        w.reads(false)
        try a.delete("x9")
        for index in (1..<9).reversed() { try a.set("x\(index)", "1") }
        let names = try #require(rig.host.watches.group(of: w.connection.id)).names
        #expect(names.bytes < 300)
        w.reads(true)
        expect(w.take() == ["w1 x9@3 deleted"] + (1..<9).map { "w1 x\($0)@\(12 - $0) open 1" })
        #expect(names.bytes == 0 && rig.host.watches.names.bytes == 0)
        try a.set("x1", "2")
        expect(w.take() == ["w1 x1@12 open 2"])
    }

    @Test("A put that is too much for a turn is reported in later turns, the newest state of each channel")
    func laterTurns() throws {
        var limits = Limits()
        limits.unitsPerTurn = 40
        let rig = Rig(limits: limits)
        let (a, w) = (rig.connect(), rig.connect())
        try w.watch("**")
        _ = w.take()
        try rig.firstOfTicks { try a.put((0..<8).map { ("x\($0)", "0", nil) }) }
        let first = w.take()
        #expect(first.count < 8)
        #expect(rig.host.wantsTick)
        try rig.firstOfTicks { try a.set("x7", "1") }
        rig.tick()
        expect(first + w.take() == (0..<7).map { "w1 x\($0)@\($0 + 1) open 0" } + ["w1 x7@9 open 1"])
    }

    @Test("A long value is encoded for a watch with room only, once for each pattern")
    func longValue() throws {
        let rig = Rig()
        let (a, w, deaf) = (rig.connect(), rig.connect(), rig.connect())
        for client in [w, deaf] { for pattern in ["**", "*", "x"] { try client.watch(pattern) } }
        _ = w.take()
        deaf.reads(false)
        let value = "\"" + String(repeating: "x", count: 300_000) + "\""
        try rig.tick {
            try a.set("x", value)
            try a.set("x", "1")
        }
        let told = w.takeMessages().compactMap { if case .changed(let changed) = $0 { changed } else { nil } }
        expect(told.filter { $0.value?.text == value }.count == 1, "the others had no room, and are told of the next")
        expect(told.filter { $0.value?.text == "1" }.count == 3)
        #expect(deaf.connection.outgoingBytes < 1_000)
    }

    @Test("A turn encodes a limited number of long values; the watches that it leaves out get theirs in later turns")
    func longValues() throws {
        var limits = Limits()
        limits.unitsPerTurn = 4_000
        let rig = Rig(limits: limits)
        let (a, watchers) = (rig.connect(), (0..<5).map { _ in rig.connect() })
        for (index, watcher) in watchers.enumerated() {
            try watcher.watch(Array(repeating: "**", count: index + 1).joined(separator: "/"))
            _ = watcher.take()
        }
        try rig.firstOfTicks { try a.set("x", "\"" + String(repeating: "x", count: 2 << 20) + "\"") }
        expect(watchers.filter { !$0.inbox.isEmpty }.count == 1)
        rig.tick()
        #expect(watchers.allSatisfy { $0.takeMessages().count == 1 })
    }

    @Test("Only a pattern that names it watches the daemon's own channels")
    func system() throws {
        let rig = Rig()
        let (a, b) = (rig.connect(), rig.connect())
        rig.tick { rig.host.refreshFigures([]) }
        try a.watch("**")
        try b.watch("$sys/uptime")
        expect(a.take() == ["1 watching w1", "w1 synced"])
        let told = b.take()
        expect(told.count == 3)
        #expect(told[1].hasPrefix("w2 $sys/uptime@"))
    }

    @Test("A watcher knows in the end what there is, whatever changes and however slowly it reads")
    func random() throws {
        var random = SeededRandom.ofThisRun
        for _ in TestEffort.rounds(6) {
            let rig = Rig(limits: Self.limits(namesPerTurn: 3))
            let writer = rig.connect()
            let watchers = (0..<3).map { _ in rig.connect() }
            var known = Array(repeating: [String: String](), count: watchers.count)
            for step in 0..<200 {
                try rig.tick {
                    let name = "n\(Int.random(in: 0..<12, using: &random))"
                    switch Int.random(in: 0..<4, using: &random) {
                    case 0: try writer.delete(name)
                    default: try writer.set(name, "\(step)")
                    }
                    for (index, watcher) in watchers.enumerated() {
                        if step == 40 * (index + 1) { try watcher.watch("*") }
                        if random.once(in: 4) { watcher.reads(Bool.random(using: &random)) }
                    }
                }
                for (index, watcher) in watchers.enumerated() { Self.learn(&known[index], watcher) }
            }
            for (index, watcher) in watchers.enumerated() {
                watcher.reads(true)
                Self.learn(&known[index], watcher)
            }
            var expected: [String: String] = [:]
            _ = writer.takeMessages()
            try writer.watch("*")
            Self.learn(&expected, writer)
            for each in known { expect(each == expected, Comment(rawValue: random.hint)) }
        }
    }

    @Test("While turns are short and names are given up, a watcher hears of each state once, and of the last")
    func randomShort() throws {
        var random = SeededRandom.ofThisRun
        var limits = Limits()
        limits.unitsPerTurn = 80
        limits.unitsPerConnection = 40
        limits.watchNameBytesPerConnection = 2_600
        for _ in TestEffort.rounds(8) {
            let rig = Rig(limits: limits)
            let writer = rig.connect()
            let watchers = (0..<3).map { _ in rig.connect() }
            var told = Array(repeating: [String: Told](), count: watchers.count)
            for step in 0..<300 {
                rig.firstOfTicks { () in
                    for (index, watcher) in watchers.enumerated() {
                        if step == 40 * index { try? watcher.watch(index == 1 ? "*" : "**") }
                        if step == 40 * index + 10 { try? watcher.watch(index == 1 ? "**" : "*") }
                        if random.once(in: 8) { watcher.reads(Bool.random(using: &random)) }
                    }
                    let names = (0..<Int.random(in: 1...10, using: &random)).map { _ in
                        "n\(Int.random(in: 0..<40, using: &random))"
                    }
                    if random.once(in: 6) {
                        try? writer.delete(names[0])
                    } else {
                        try? writer.put(names.map { (channel: $0, value: "\(step)", condition: nil) })
                    }
                }
                for (index, watcher) in watchers.enumerated() {
                    Self.learn(&told[index], watcher, Comment(rawValue: random.hint))
                }
            }
            for (index, watcher) in watchers.enumerated() where !watcher.isEvicted {
                watcher.reads(true)
                Self.learn(&told[index], watcher, Comment(rawValue: random.hint))
            }
            _ = writer.takeMessages()
            let present = Set((0..<40).compactMap { try? ChannelName("n\($0)") }.compactMap(rig.host.knownRecord))
            for (told, watcher) in zip(told, watchers) where !watcher.isEvicted {
                let known = told.filter { $0.value.isThere }.map { "\($0.key)@\($0.value.revision)" }
                let expected = present.flatMap { record in
                    [1, 2].map { "\($0) \(record.name)@\(record.revision)" }
                }
                expect(known.sorted() == expected.sorted(), Comment(rawValue: random.hint))
            }
        }
    }

    private struct Told {
        let revision: Revision
        let isThere: Bool
    }

    private static func learn(_ told: inout [String: Told], _ watcher: Client, _ hint: Comment) {
        for case .changed(let changed) in watcher.takeMessages() {
            let key = "\(changed.watch.number) \(changed.channel)"
            #expect(changed.revision > told[key]?.revision ?? .never, hint)
            told[key] = Told(revision: changed.revision, isThere: changed.state != nil)
        }
    }

    private static func learn(_ known: inout [String: String], _ watcher: Client) {
        for case .changed(let changed) in watcher.takeMessages() {
            known[changed.channel.text] =
                changed.state == nil ? nil : "\(changed.value?.text ?? "")@\(changed.revision)"
        }
    }
}
