import Expectations
import RacProtocol
import Testing

@testable import RacHost

@Suite struct AckLedgerTests {
    private static func ack(_ number: UInt64, _ revision: UInt64) -> AckLedger.Ack {
        AckLedger.Ack(number: SendNumber(number), revision: Revision(revision))
    }

    private static let standing = Valuation(value: .null, revision: Revision(12), cause: nil)

    private static let refusal = Refusal(WireError(.conflict, "somebody was first"))

    /// Sends 1, 2, 3… as revisions 11, 12, 13…, each with the ticket that it waits for.
    private static func ledger(_ tickets: [UInt64?]) -> AckLedger {
        var ledger = AckLedger()
        for (index, ticket) in tickets.enumerated() {
            ledger.applied(SendNumber(UInt64(index) + 1), as: Revision(UInt64(index) + 11), ticket: ticket)
        }
        return ledger
    }

    @Test("Sends that wait for nothing are acknowledged at once, all in one")
    func cumulative() {
        var ledger = Self.ledger([nil, nil, nil])
        expect(ledger.waiting == 0)
        expect(ledger.take() == Self.ack(3, 13))
        expect(ledger.take() == nil)
    }

    @Test("While sends come together an acknowledgement waits, for a limited number of bursts")
    func stream() {
        var ledger = Self.ledger([nil, nil])
        /// Whether the acknowledgement waits for another turn in each of these turns, by the streams that came in it.
        func waits(_ streams: [Bool]) -> [Bool] {
            streams.map { isStreaming in
                if isStreaming { ledger.streams() }
                return ledger.waitsForMore()
            }
        }
        let patience = Int(AckLedger.patience)
        let pause = Array(repeating: false, count: patience)
        expect(waits([false, true] + pause) == [false] + Array(repeating: true, count: patience) + [false])
        expect(waits([true]) == [true])
        ledger.applied(SendNumber(3), as: Revision(13), ticket: nil)
        expect(waits([false]) == [false])
        let last = ledger.take()
        expect(last == Self.ack(3, 13))
        let most = Int(AckLedger.mostBursts)
        expect(waits(Array(repeating: true, count: most)) == Array(repeating: true, count: most - 1) + [false])
    }

    @Test("Sends behind one that waits for its commit wait with it")
    func order() {
        var ledger = Self.ledger([nil, 5, nil, nil, 7, nil])
        expect(ledger.take() == Self.ack(1, 11))
        #expect(ledger.committed(through: 4).isEmpty)
        expect(ledger.take() == nil)
        #expect(ledger.committed(through: 5).isEmpty)
        expect(ledger.take() == Self.ack(4, 14))
        expect(ledger.waiting == 2)
        #expect(ledger.committed(through: 9).isEmpty)
        expect(ledger.take() == Self.ack(6, 16))
        expect(ledger.waiting == 0)
    }

    @Test("Sends that wait only for their turn take one place, however many they are")
    func bounded() {
        let ledger = Self.ledger([5] + Array(repeating: nil, count: 1_000))
        expect(ledger.waiting == 2)
    }

    @Test("A send that is repeated behind later ones takes nothing back")
    func repetition() {
        var ledger = Self.ledger([5, nil, nil])
        ledger.applied(SendNumber(2), as: Revision(13), ticket: nil)
        expect(ledger.waiting == 2)
        #expect(ledger.committed(through: 5).isEmpty)
        expect(ledger.take() == Self.ack(3, 13))
    }

    @Test("A refusal comes behind the acknowledgement of the sends before it")
    func refusal() {
        var ledger = Self.ledger([nil])
        let outcomes = ledger.refused(SendNumber(2), Self.refusal)
        expect(outcomes == [.acknowledged(Self.ack(1, 11)), .refused(SendNumber(2), Self.refusal)])
        expect(ledger.take() == nil)
    }

    @Test("A refusal waits for its turn behind a commit")
    func refusalWaits() {
        var ledger = Self.ledger([5])
        #expect(ledger.refused(SendNumber(2), Self.refusal).isEmpty)
        ledger.applied(SendNumber(3), as: Revision(13), ticket: nil)
        expect(ledger.waiting == 3)
        expect(
            ledger.committed(through: 5) == [
                .acknowledged(Self.ack(1, 11)), .refused(SendNumber(2), Self.refusal),
            ]
        )
        expect(ledger.take() == Self.ack(3, 13))
    }

    @Test("A held refusal is dropped when its send comes again, and takes no place of a later one")
    func judgedAgain() {
        var ledger = Self.ledger([5])
        for number in 2...4 { _ = ledger.refused(SendNumber(UInt64(number)), Self.refusal) }
        ledger.judged(again: SendNumber(3))
        ledger.judged(again: SendNumber(9))
        #expect(ledger.committed(through: 4).isEmpty)
        ledger.applied(SendNumber(5), as: Revision(15), ticket: 6)
        expect(
            ledger.committed(through: 5) == [
                .acknowledged(Self.ack(1, 11)), .refused(SendNumber(2), Self.refusal),
                .refused(SendNumber(4), Self.refusal),
            ]
        )
        _ = ledger.refused(SendNumber(6), Self.refusal)
        ledger.judged(again: SendNumber(2))
        ledger.judged(again: SendNumber(6))
        #expect(ledger.committed(through: 6).isEmpty)
        expect(ledger.take() == Self.ack(5, 15))
        #expect(ledger.isSettled)
    }

    @Test("A send that changed nothing is answered alone, behind the acknowledgement of the sends before it")
    func unchanged() {
        var ledger = Self.ledger([nil, nil])
        let outcomes = ledger.unchanged(SendNumber(3), Self.standing, ticket: nil)
        expect(outcomes == [.acknowledged(Self.ack(2, 12)), .unchanged(SendNumber(3), Self.standing)])
        ledger.applied(SendNumber(4), as: Revision(14), ticket: nil)
        expect(ledger.take() == Self.ack(4, 14))
    }

    @Test("A send that changed nothing waits for the disk if it asked for that, and for its turn")
    func unchangedWaits() {
        var ledger = AckLedger()
        #expect(ledger.unchanged(SendNumber(1), Self.standing, ticket: 5).isEmpty)
        #expect(ledger.unchanged(SendNumber(2), Self.standing, ticket: nil).isEmpty)
        expect(ledger.waiting == 2)
        var failed = ledger
        expect(failed.failed(through: 5) == [.notStored(SendNumber(1)), .unchanged(SendNumber(2), Self.standing)])
        expect(
            ledger.committed(through: 5) == [
                .unchanged(SendNumber(1), Self.standing), .unchanged(SendNumber(2), Self.standing),
            ]
        )
        #expect(ledger.isSettled)
    }

    @Test("A failed commit is reported to the sends that waited for it, in their order")
    func failed() {
        var ledger = Self.ledger([nil, 5, nil, 6, 7])
        let outcomes = ledger.failed(through: 6)
        expect(
            outcomes == [
                .acknowledged(Self.ack(1, 11)), .notStored(SendNumber(2)), .acknowledged(Self.ack(3, 13)),
                .notStored(SendNumber(4)),
            ]
        )
        expect(ledger.waiting == 1)
        expect(ledger.take() == nil)
        #expect(ledger.committed(through: 7).isEmpty)
        expect(ledger.take() == Self.ack(5, 15))
    }
}
