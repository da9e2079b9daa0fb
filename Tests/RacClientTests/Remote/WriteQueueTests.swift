import Expectations
import Rac
import RacTesting
import Testing

@testable import RacClient

@Suite struct WriteQueueTests {
    private func change(_ value: Int, cause: UInt64 = 0, ticket: UInt64? = nil) -> Change<Int> {
        Change(value, in: 1, tag: ticket.map { ChangeTag(ticket: $0).rawValue } ?? cause)
    }

    private func values(_ queue: inout WriteQueue<Int>) -> [Int] {
        queue.take().compactMap { entry in
            if case .change(let change) = entry { change.value } else { nil }
        }
    }

    @Test("A property's newest write waits, and the loop is woken once for all that wait")
    func property() {
        var queue = WriteQueue<Int>(isProperty: true, maximumCount: 10)
        expect(queue.append(self.change(1)) == .wake)
        expect(queue.append(self.change(2)) == .waits)
        expect(self.values(&queue) == [2])
        expect(queue.append(self.change(3)) == .wake)
    }

    @Test("Awaited writes stay, and so does a program's own write before one with a cause")
    func kept() {
        var queue = WriteQueue<Int>(isProperty: true, maximumCount: 10)
        _ = queue.append(self.change(1, ticket: 1))
        _ = queue.append(self.change(2))
        _ = queue.append(self.change(3, cause: 5))
        _ = queue.append(self.change(4, cause: 6))
        expect(self.values(&queue) == [1, 2, 4])
    }

    @Test("Every write of a side waits, up to the bound, and ends find room")
    func side() {
        var queue = WriteQueue<Int>(isProperty: false, maximumCount: 2)
        _ = queue.append(self.change(1))
        _ = queue.append(self.change(2))
        expect(queue.append(self.change(3)) == .full)
        expect(queue.append(.completed) == .waits)
        expect(self.values(&queue) == [1, 2])
    }

    @Test("An awaited write of a side finds room beyond the bound, so it gets an answer")
    func awaitedOfSide() {
        var queue = WriteQueue<Int>(isProperty: false, maximumCount: 1)
        _ = queue.append(self.change(1))
        expect(queue.append(self.change(2, ticket: 1)) == .waits)
        expect(queue.append(self.change(3)) == .full)
        expect(self.values(&queue) == [1, 2])
    }

    @Test("A property's queue stays within its bound, whatever its writes have for causes")
    func bound() {
        var queue = WriteQueue<Int>(isProperty: true, maximumCount: 3)
        for cause in (1...9).reversed() { _ = queue.append(self.change(cause, cause: UInt64(cause))) }
        expect(self.values(&queue) == [9, 8, 1])
    }

    @Test("A full queue of a property drops no awaited write and no end, and the newest write finds room behind them")
    func awaitedBeyondBound() {
        var queue = WriteQueue<Int>(isProperty: true, maximumCount: 2)
        for value in 1...4 { _ = queue.append(self.change(value, ticket: UInt64(value))) }
        for value in (5...9).reversed() { _ = queue.append(self.change(value, cause: UInt64(value))) }
        expect(self.values(&queue) == [1, 2, 3, 4, 5])

        _ = queue.append(self.change(1, ticket: 1))
        _ = queue.append(.completed)
        _ = queue.append(self.change(2))
        let isEnd = queue.take().map { if case .end = $0 { true } else { false } }
        expect(isEnd == [false, true, false])
    }
}
