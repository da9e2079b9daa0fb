import Expectations
import RacConnection
import Testing

@Suite struct PageOrderTests {
    @Test("A page that does not go on behind the one before it ends the list")
    func pages() throws {
        var order = PageOrder<Int>()
        try order.take([])
        try order.take([1, 4, 2])
        expect(order.last == 4)
        try order.take([5])
        try order.take([])
        let error = #expect(throws: ClientError.self) { try order.take([6, 5]) }
        expect(error?.code == .badMessage)
    }
}
