import Expectations
import RacProtocol
import Testing

@testable import RacHost

/// The accounts of the bytes that are kept because of clients.
@Suite struct AccountTests {
    private static func rig(_ change: (inout Limits) -> Void) -> Rig {
        var limits = Limits()
        change(&limits)
        return Rig(limits: limits)
    }

    private static func will(bytes: Int) -> Will {
        .value(.text("\"" + String(repeating: "x", count: bytes - 2) + "\""))
    }

    @Test("The wills of a connection are bounded, and a binding that goes makes room")
    func willsOfConnection() throws {
        let rig = Self.rig { $0.bytesPerConnection = 100 }
        let (a, b) = (rig.connect(), rig.connect())
        let terminal = try a.bound("x", will: Self.will(bytes: 60))
        try a.bind("y") { $0.will = Self.will(bytes: 60) }
        expect(a.take() == ["2 refused limit"])
        try b.bound("y", will: Self.will(bytes: 60))
        a.ask(.unbind(terminal))
        try a.bound("y", will: Self.will(bytes: 60))
        expect(rig.host.wills.bytes == 120)
        rig.tick { rig.host.refreshFigures([]) }
        try b.get("$sys/memory/wills")
        expect(b.take().last?.hasSuffix(" 120") == true)
        a.lose()
        b.lose()
        expect(rig.host.wills.bytes == 0)
    }

    @Test(
        "The will of a binding that is over makes room at once, although a deadline waits for the binding",
        arguments: 0..<3
    )
    func willsBehindDeadline(kind: Int) throws {
        let rig = Self.rig { _ in }
        let (a, b) = (rig.connect(), rig.connect())
        let terminal = try a.bound("x", will: Self.will(bytes: 60), interval: 100_000)
        for number in 1...3 { try b.set("x", "\(number)") }
        #expect(rig.host.deadlines.count == 1 && rig.host.wills.bytes == 60)
        switch kind {
        case 0: a.ask(.unbind(terminal))
        case 1: a.lose()
        default:
            a.say(.bye)
            a.lose()
        }
        expect(rig.host.wills.bytes == 0)
    }

    @Test("The wills of all connections together are bounded, and a refused bind leaves no channel")
    func willsOfAll() throws {
        let rig = Self.rig { $0.willBytes = 100 }
        let (a, b) = (rig.connect(), rig.connect())
        try a.bound("x", will: Self.will(bytes: 60))
        try b.bind("y") { $0.will = Self.will(bytes: 60) }
        expect(b.take() == ["1 refused limit"])
        expect(rig.host.directory.clientChannelCount == 1)
    }

    @Test("The errors with which channels ended count with the values, until the channel is reopened or deleted")
    func errors() throws {
        let rig = Self.rig { $0.valueBytes = 100 }
        let a = rig.connect()
        let end = ChannelEnd.failed(WireError(code: "broken", message: String(repeating: "x", count: 60)))
        for name in ["x", "y"] { try a.set(name, "1") }
        try a.finish("x", end)
        try a.finish("y", end)
        try a.reopen("x")
        try a.finish("y", end)
        try a.delete("y")
        expect(
            a.take() == [
                "1 rev 1", "2 rev 2", "3 rev 3", "4 refused limit", "5 rev 4", "6 rev 5", "7 rev 6",
            ]
        )
        expect(rig.host.directory.valueBytes - 1 == Self.systemBytes(rig))
    }

    private static func systemBytes(_ rig: Rig) -> Int {
        var bytes = 0
        rig.host.directory.forEach(in: .all, after: nil) { name in
            if name.isReserved { bytes += rig.host.directory[name]?.machine.valueBytes ?? 0 }
            return true
        }
        return bytes
    }

    @Test("The entries of a list that is not through count with the connection's queues until it is answered")
    func lists() throws {
        let rig = Self.rig { ($0.unitsPerConnection, $0.unitsOfShortList) = (160, 0) }
        let (a, slow) = (rig.connect(), rig.connect())
        for number in 100..<200 { try a.set("n/\(number)", "1") }
        slow.reads(false)
        try slow.list()
        let bytes = slow.connection.queuedBytes
        #expect(bytes > 0)
        try slow.list()
        expect(slow.connection.queuedBytes == 2 * bytes)
        slow.reads(true)
        expect(slow.take().count == 2)
        #expect(slow.connection.queuedBytes == 0 && slow.connection.kept.bytes == 0)
    }

    @Test("A second long value that waits for a deaf connection ends its binding, though it waits alone there")
    func firstValues() throws {
        let rig = Self.rig { $0.bytesPerConnection = 1_000 }
        let (a, slow) = (rig.connect(), rig.connect())
        for name in ["x", "y"] { try slow.bound(name, conflate: false) }
        slow.reads(false)
        let long = "\"" + String(repeating: "x", count: 800) + "\""
        for name in ["x", "y"] { try a.set(name, long) }
        slow.reads(true)
        expect(slow.take() == ["t3 next \(long)@1", "t5 error slow-consumer"])
        expect(slow.connection.kept.bytes == 0)
    }

    @Test("Long ends and errors give way to short ones when too much waits for a deaf connection")
    func ends() throws {
        let rig = Self.rig { $0.bytesPerConnection = 1_000 }
        let (h, slow) = (rig.connect(), rig.connect())
        for name in ["a", "b"] {
            try h.host(name)
            try slow.observe(name)
            try slow.exec(name)
        }
        slow.reads(false)
        _ = slow.take()
        let long = WireError(code: "long", message: String(repeating: "x", count: 1_100))
        for execution: UInt64 in 1...2 { h.say(.progress(ExecutionID(execution), .ended(.failed(long)))) }
        #expect(slow.connection.kept.bytes < 3_000)
        slow.reads(true)
        let heard = slow.take()
        expect(heard.filter { $0.contains("error") && $0.contains("slow-consumer") }.count == 3)
        expect(heard.filter { $0.contains("error") && $0.contains("long") }.count == 1)
        expect(slow.connection.kept.bytes == 0)
    }
}
