import Expectations
import RacProtocol
import RacTesting
import Testing

@testable import RacConnection

@Suite struct BindingQueueTests {
    private func queue(_ mode: ChannelMode, values: Int = 3, bytes: Int = 1 << 20) -> BindingQueue {
        var limits = ConnectionLimits()
        limits.waitingValues = values
        limits.waitingBytes = bytes
        return BindingQueue(mode: mode, limits: limits)
    }

    private func all(_ queue: BindingQueue) -> [BindingEvent] {
        var queue = queue
        var events: [BindingEvent] = []
        while let event = queue.next() { events.append(event) }
        return events
    }

    @Test("Events are taken in the order of coming")
    func order() throws {
        var queue = self.queue(.shared)
        expect(try queue.append(.sample(1)) == .waits)
        queue.append(.sample(.conflict))
        expect(try queue.append(.sample(2)) == .waits)
        queue.append(.completed(3))
        expect(
            try self.all(queue)
                == [
                    .value(.sample(1)), .refused(.sample(.conflict)), .value(.sample(2)), .ended(.completed(3)),
                ]
        )
    }

    @Test("When too many values of a shared channel wait, they give way to the newest; refusals and the end stay")
    func conflation() throws {
        var queue = self.queue(.shared, values: 3)
        queue.append(.sample(.storage))
        for revision in 1...4 as ClosedRange<UInt64> { expect(try queue.append(.sample(revision)) == .waits) }
        queue.append(.completed(5))
        expect(try self.all(queue) == [.refused(.sample(.storage)), .value(.sample(4)), .ended(.completed(5))])
    }

    @Test("When the values of a shared channel that wait are too long, they give way to the newest")
    func conflationByBytes() throws {
        var queue = self.queue(.shared, values: 100, bytes: 1000)
        let long = "\"\(String(repeating: "a", count: 1000))\""
        _ = try queue.append(.sample(1, long))
        _ = try queue.append(.sample(2, long))
        expect(try self.all(queue) == [.value(.sample(2, long))])
    }

    @Test("Room that was taken comes back when values are taken")
    func room() throws {
        var queue = self.queue(.shared, values: 2)
        for revision in 1...10 as ClosedRange<UInt64> {
            _ = try queue.append(.sample(revision))
            expect(try queue.next() == .value(.sample(revision)))
        }
        _ = try queue.append(.sample(11))
        _ = try queue.append(.sample(12))
        expect(try self.all(queue) == [.value(.sample(11)), .value(.sample(12))])
    }

    @Test("Values of a paired channel all wait, and too many end the binding with slow-consumer")
    func overflow() throws {
        var queue = self.queue(.paired, values: 1, bytes: 1000)
        var waiting = 0
        while try queue.append(.sample(1)) == .waits { waiting += 1 }
        let events = self.all(queue)
        #expect(waiting > 1)
        expect(events.count == waiting + 1)
        guard case .ended(let end) = events.last, case .failed(let error) = end.end else {
            Issue.record("the last event is no error: \(events)")
            return
        }
        expect(error.code == "slow-consumer")
        expect(end.revision == nil)
    }

    @Test("Nothing comes after the end")
    func nothingAfterEnd() throws {
        var queue = self.queue(.shared)
        queue.append(.completed(1))
        _ = try queue.append(.sample(2))
        queue.append(.sample(.conflict))
        queue.append(.failed("late", 3))
        expect(self.all(queue) == [.ended(.completed(1))])
    }

    @Test("Refusals that wait are counted")
    func refusals() {
        var queue = self.queue(.shared)
        queue.append(.sample(.conflict))
        expect(queue.refusals == 1)
        _ = queue.next()
        expect(queue.refusals == 0)
    }
}
