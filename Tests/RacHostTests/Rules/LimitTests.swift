import Expectations
import RacProtocol
import Testing

@testable import RacHost

/// The limits of one connection and of the whole daemon.
@Suite struct LimitTests {
    private static func limits(_ change: (inout Limits) -> Void) -> Limits {
        var limits = Limits()
        change(&limits)
        return limits
    }

    @Test("The bindings and watches of a connection together are limited; leaving makes room")
    func subscriptions() throws {
        let rig = Rig(limits: Self.limits { $0.subscriptionsPerConnection = 2 })
        let (a, b) = (rig.connect(), rig.connect())
        let t = try a.bound("x")
        try a.watch("*")
        try a.bind("y")
        try a.watch("z")
        a.ask(.unbind(t))
        try a.bind("y")
        try b.bind("y")
        expect(
            a.take() == [
                "2 watching w1", "w1 synced", "3 refused limit", "4 refused limit", "5 done",
                "6 bound t5@0 open shared n0",
            ]
        )
        expect(b.take() == ["1 bound t5@0 open shared n0"])
    }

    @Test("The patterns that are watched at a time are limited, over all clients")
    func patterns() throws {
        let rig = Rig(limits: Self.limits { $0.watchedPatterns = 1 })
        let (a, b) = (rig.connect(), rig.connect())
        try a.watch("x")
        try b.watch("x")
        try b.watch("y")
        expect(b.take() == ["1 watching w1", "w1 synced", "2 refused limit"])
        a.lose()
        b.ask(.unwatch(WatchID(1)))
        try b.watch("y")
        expect(b.take() == ["3 done", "4 watching w2", "w2 synced"])
    }

    @Test("The patterns that a connection watches, their segments, and the segments of all patterns are limited")
    func patternsOfConnection() throws {
        let rig = Rig(
            limits: Self.limits {
                ($0.patternsPerConnection, $0.segmentsPerConnection, $0.watchedSegments) = (2, 4, 5)
            }
        )
        let (a, b) = (rig.connect(), rig.connect())
        try a.watch("x/*/**")
        try a.watch("y/z")
        try a.watch("y")
        try a.watch("z")
        expect(
            a.take() == [
                "1 watching w1", "w1 synced", "2 refused limit", "3 watching w2", "w2 synced", "4 refused limit",
            ]
        )
        try b.watch("x/*/z")
        try b.watch("x/y")
        a.ask(.unwatch(WatchID(2)))
        try b.watch("z")
        expect(b.take() == ["1 watching w3", "w3 synced", "2 refused limit", "3 watching w4", "w4 synced"])
    }

    @Test("The number of channels is limited, those that are only bound too")
    func channels() throws {
        let rig = Rig(limits: Self.limits { $0.channels = 2 })
        let (a, b) = (rig.connect(), rig.connect())
        try a.set("x", "1")
        let t = try b.bound("y")
        _ = a.take()
        try a.set("z", "1")
        try a.bind("z")
        try a.create("z")
        try a.set("x", "2")
        b.ask(.unbind(t))
        try a.set("z", "1")
        try a.delete("x")
        try a.create("w")
        expect(
            a.take() == [
                "2 refused limit", "3 refused limit", "4 refused limit", "5 rev 2", "6 rev 3", "7 rev 4", "8 rev 5",
            ]
        )
    }

    @Test("A channel that has the bytes of all values fits the longest row of SQLite")
    func row() {
        let (longestRow, others) = (1_000_000_000, 1 << 20)
        #expect(Limits().valueBytes + others <= longestRow)
    }

    @Test("The bytes of all values together are limited; smaller values and removed ones make room")
    func valueBytes() throws {
        let rig = Rig(limits: Self.limits { $0.valueBytes = 10 })
        let a = rig.connect()
        let t = try a.bound("x")
        try a.set("x", "12345678")
        try a.set("y", "123")
        a.next(t, "12345678901")
        try a.create("z", value: "123")
        expect(a.take() == ["2 rev 1", "t3 next 12345678@1", "3 refused limit", "t3 nak 1 limit", "4 refused limit"])
        try a.set("x", "1234567")
        try a.set("y", "123")
        try a.set("x", "7654321")
        try a.delete("x")
        try a.set("y", "1234567890")
        try a.list()
        expect(
            a.take().filter { !$0.hasPrefix("t") } == [
                "5 rev 2", "6 rev 3", "7 rev 4", "8 rev 5", "9 rev 6", "10 listed y@6",
            ]
        )
    }

    @Test("Values beyond a lower limit are kept, and may shrink")
    func tooManyBytes() throws {
        let value = Valuation(value: .text("12345678"), revision: Revision(1), cause: nil)
        let record = ChannelRecord(
            name: try ChannelName("x"),
            mode: .shared,
            revision: Revision(1),
            value: value,
            changedAt: 0
        )
        let rig = Rig(records: [record], floor: Revision(1), limits: Self.limits { $0.valueBytes = 4 })
        let a = rig.connect()
        try a.set("x", "123456789")
        try a.set("x", "1234567")
        expect(a.take() == ["1 refused limit", "2 rev 2"])
    }

    @Test("The writes of one connection that wait for the disk are limited, requests and sends together")
    func waitingWrites() throws {
        let rig = Rig(isStored: true, limits: Self.limits { $0.requestsInFlight = 3 })
        let (a, b) = (rig.connect(), rig.connect())
        let x = try a.bound("x")
        let y = try a.bound("y")
        a.next(x, "1", sync: true)
        a.next(y, "1", sync: true)
        try a.set("z", "1") { $0.sync = true }
        try a.set("z", "2") { $0.sync = true }
        try a.put([("z", "2", nil)], sync: true)
        a.next(y, "2")
        try a.set("z", "3")
        try b.set("z", "4") { $0.sync = true }
        expect(a.take() == ["4 refused limit", "5 refused limit index 0", "6 rev 4"])
        rig.commit()
        expect(a.take().sorted() == ["3 rev 3", "t3 ack 1@1", "t5 ack 1@2", "t5 nak 2 limit"])
        expect(b.take() == ["1 rev 5"])
        expect(a.connection.waitingWrites == 0)
        a.next(x, "2", sync: true)
        rig.fail("no space")
        expect(a.connection.waitingWrites == 0)
    }

    @Test("A client that keeps sending while nothing is written to the disk is ended, with a reason")
    func tooManyNaks() throws {
        let rig = Rig(isStored: true, limits: Self.limits { $0.requestsInFlight = 3 })
        let a = rig.connect()
        let t = try a.bound("x")
        for value in 1...100 { a.next(t, "\(value)", sync: true) }
        #expect(a.isEvicted)
        expect(a.take() == ["refused limit"])
        expect(a.connection.waitingWrites == 6)
    }

    @Test("A client that keeps repeating a send while nothing is written to the disk is ended, too")
    func tooManyRepetitions() throws {
        let rig = Rig(isStored: true, limits: Self.limits { $0.requestsInFlight = 3 })
        let a = rig.connect()
        let t = try a.bound("x")
        for _ in 1...100 { a.next(t, "1", n: 1, sync: true) }
        #expect(a.isEvicted)
        expect(a.take() == ["refused limit"])
        expect(a.connection.waitingWrites == 6)
    }

    @Test("A watcher with too many pending deletions is ended, with a reason")
    func farBehind() throws {
        let rig = Rig(limits: Self.limits { $0.watchNameBytesPerConnection = 500 })
        let (a, w) = (rig.connect(), rig.connect())
        try w.watch("*")
        w.reads(false)
        for index in 0..<4 {
            try a.set("x\(index)", "1")
            try a.delete("x\(index)")
        }
        #expect(w.isEvicted)
        expect(w.take() == ["1 watching w1", "w1 synced", "refused slow-consumer"])
    }
}
