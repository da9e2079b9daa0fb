import Expectations
import RacProtocol
import Testing

@testable import RacHost

/// Lists of names.
@Suite struct ListTests {
    @Test("Names come in order, up to a limit, and a further list goes on behind the last name")
    func pages() throws {
        var limits = Limits()
        limits.listedChannels = 3
        let rig = Rig(limits: limits)
        let a = rig.connect()
        for name in ["e", "d", "c", "b", "a", "x/y"] { try a.set(name, "1") }
        _ = a.take()
        try a.list("*")
        try a.list("*", after: "c")
        try a.list("*", after: "c", limit: 1)
        try a.list("*", limit: 0)
        try a.list("*", limit: UInt64(Int64.max))
        try a.list("x/**")
        expect(
            a.take() == [
                "7 listed a@5 b@4 c@3 more", "8 listed d@2 e@1", "9 listed d@2 more", "10 listed  more",
                "11 listed a@5 b@4 c@3 more", "12 listed x/y@6",
            ]
        )
    }

    @Test("A large directory is listed over several turns, and nobody waits for that")
    func large() throws {
        var limits = Limits()
        limits.unitsPerConnection = 10 * Work.name
        limits.unitsOfShortList = 0
        limits.listsInFlight = 3
        let rig = Rig(limits: limits)
        let (a, b) = (rig.connect(), rig.connect())
        for index in 0..<100 { try a.set("n\(index)", "1") }
        try a.set("z", "1")
        _ = a.take()
        try rig.firstOfTicks {
            for _ in 0..<4 { try a.list("**/z") }
            try b.set("x", "1")
        }
        expect(a.take() == ["105 refused limit"])
        expect(b.take() == ["1 rev 102"])
        rig.tick()
        expect(a.take() == ["102 listed z@101", "103 listed z@101", "104 listed z@101"])
    }

    @Test("A list counts the binders, and has the state of each channel")
    func entries() throws {
        let rig = Rig()
        let a = rig.connect()
        try a.create("p", .paired, value: "1")
        try a.bound("p")
        try a.bound("p", .leading)
        try a.set("q", "1")
        try a.finish("q")
        _ = a.take()
        try a.list()
        guard case .reply(_, .listed(let listed)) = try #require(a.takeMessages().first) else {
            Issue.record("no list")
            return
        }
        expect(listed.channels.map(\.bound) == [2, 0])
        expect(listed.channels.map(\.mode) == [.paired, .shared])
        expect(listed.channels.map(\.state) == [.open, .completed])
        expect(listed.channels.map(\.revision.number) == [2, 3])
    }
}
