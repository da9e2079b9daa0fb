import Expectations
import RacHost
import Testing

@testable import RacServer

@Suite struct StrangersTests {
    private static func id(_ number: UInt64) -> ConnectionID {
        ConnectionNumbers(loop: 0, loopCount: 1).id(number, place: Int(number))
    }

    @Test("The oldest stranger comes first, and connections that are known or gone never do")
    func oldest() {
        var strangers = Strangers()
        for number in 1...4 as ClosedRange<UInt64> { strangers.add(Self.id(number), of: 4) { _ in true } }
        let isStranger = { (id: ConnectionID) in [2, 4].contains(id.place) }
        let taken = (1...3).map { _ in strangers.takeOldest(where: isStranger) }
        expect(taken == [Self.id(2), Self.id(4), nil])
    }

    @Test("The line stays short, however many clients come and are known or go")
    func bound() {
        var strangers = Strangers()
        for number in 1...10_000 as ClosedRange<UInt64> {
            strangers.add(Self.id(number), of: 10) { $0.place + 10 > number }
            #expect(strangers.count <= 2 * 10 + 64 + 1)
        }
        let oldest = strangers.takeOldest { $0.place > 9_990 }
        expect(oldest == Self.id(9_991))
    }
}
