import Expectations
import RacConnection
import RacProtocol
import RacTesting
import Testing

@Suite struct ShownValueTests {
    private var shown = ShownValue()

    @Test("A value of the daemon has its root and revision, and is nobody's write")
    mutating func daemon() throws {
        self.shown.show(Valuation(value: try JSONText("1"), revision: Revision(7), cause: Revision(5)))
        expect(self.shown.root == Revision(5))
        expect(self.shown.revision == Revision(7))
        #expect(self.shown.write == nil)
        #expect(self.shown.shows(try JSONText("1"), from: Revision(5)))
        #expect(!self.shown.shows(try JSONText("1"), from: Revision(7)))
        #expect(self.shown.shows(try JSONText("1")))
    }

    @Test("A write has no root until it is applied, and is newer than every change before")
    mutating func ownWrite() throws {
        self.shown.wrote(try JSONText("2"), cause: nil)
        #expect(self.shown.isNewer(than: .null, from: Revision(1000)))
        expect(self.shown.revision == nil)
        self.shown.stands(at: Revision(8))
        expect(self.shown.root == Revision(8))
        #expect(!self.shown.isNewer(than: .null, from: Revision(9)))
        expect(self.shown.write?.text == (try JSONText("2")))
        expect(self.shown.write?.cause == nil)
    }

    @Test("A write with a cause keeps that as its root")
    mutating func ownWriteWithCause() throws {
        self.shown.wrote(try JSONText("2"), cause: Revision(4))
        self.shown.stands(at: Revision(8))
        expect(self.shown.root == Revision(4))
        expect(self.shown.write?.cause == Revision(4))
    }

    @Test("A value that the daemon lost is not newer than any change")
    mutating func lost() throws {
        try self.shown.show(.sample(7))
        #expect(self.shown.isNewer(than: .null, from: Revision(7)))
        self.shown.markLost()
        #expect(!self.shown.isNewer(than: .null, from: Revision(1)))
        try self.shown.show(.sample(3))
        #expect(self.shown.isNewer(than: .null, from: Revision(3)))
    }

    @Test("A value of an earlier epoch is newer than one of that epoch whose text is not greater")
    mutating func earlierEpoch() throws {
        self.shown.wrote(try JSONText("20"), cause: .first)
        #expect(self.shown.isNewer(than: try JSONText("1"), from: .first))
        #expect(self.shown.isNewer(than: try JSONText("20"), from: .first))
        #expect(!self.shown.isNewer(than: try JSONText("3"), from: .first))
        #expect(!self.shown.isNewer(than: try JSONText("1"), from: Revision(2)))
    }

    @Test("The newest revision is known from all reports, and must be asked for after a refusal without a value")
    mutating func reports() throws {
        expect(self.shown.reported == nil)
        self.shown.bound(at: Revision(4))
        self.shown.report(Revision(9))
        self.shown.report(Revision(6))
        expect(self.shown.since == Revision(9))
        try self.shown.refused(standing: .sample(11))
        expect(self.shown.since == Revision(11))
        self.shown.refused(standing: nil)
        expect(self.shown.since == nil)
        expect(self.shown.reported == Revision(11))
        self.shown.bound(at: Revision(2))
        expect(self.shown.since == Revision(2))
    }
}
