import Expectations
import RacHost
import RacProtocol
import Testing

/// Revisions come from blocks that the disk has reserved.
@Suite struct RevisionTests {
    @Test("Without a reserved revision nothing changes, and everything goes on when there are more")
    func runOut() throws {
        let rig = Rig(floor: Revision(10), reserved: Revision(12), isStored: true)
        rig.reservesByItself = false
        let a = rig.connect()
        let t = try a.bound("x")
        a.next(t, "1")
        try a.create("c", value: "1")
        try a.put([("p", "1", nil), ("q", "1", nil)])
        a.next(t, "2")
        a.next(t, "3")
        try a.set("y", "1")
        try a.finish("x")
        try a.delete("x")
        try a.bind("z") { $0.defaultValue = .text("1") }
        a.end(t)
        expect(
            a.take() == [
                "t3 ack 1@11", "2 refused storage", "3 refused storage", "t3 ack 2@12", "t3 nak 3 storage",
                "4 refused storage", "5 refused storage", "6 refused storage", "7 refused storage", "t3 nak 4 storage",
            ]
        )
        try a.list()
        expect(a.take() == ["8 listed x@12"])
        expect(rig.host.takeReservation() == Revision(12 + RevisionSource.blockSize))
        rig.tick { rig.host.reserved(through: Revision(12 + RevisionSource.blockSize)) }
        try a.set("y", "1")
        expect(a.take() == ["9 rev 13"])
    }

    @Test("Stored channels are there after a start, and revisions go on")
    func records() throws {
        let name = try ChannelName("x")
        let records = [
            ChannelRecord(
                name: name,
                mode: .paired,
                state: .failed(WireError(code: "boom", message: "")),
                revision: Revision(9),
                value: Valuation(value: .text("1"), revision: Revision(5), cause: Revision(4)),
                wish: Valuation(value: .text("2"), revision: Revision(6), cause: nil),
                changedAt: 77
            )
        ]
        let rig = Rig(records: records, floor: Revision(100), reserved: Revision(200))
        let a = rig.connect()
        try a.get("x")
        try a.bind("x")
        try a.list()
        try a.watch("*")
        try a.reopen("x")
        expect(
            a.take() == [
                "1 got@5 failed paired 1 from 4 wish 2@6", "2 bound t3@5 failed paired n0 1 from 4", "t3 error boom@9",
                "3 listed x@5", "4 watching w1", "w1 x@9 failed 1 wish 2@6", "w1 synced", "5 rev 101",
                "w1 x@101 open 1 wish 2@6",
            ]
        )
    }
}
