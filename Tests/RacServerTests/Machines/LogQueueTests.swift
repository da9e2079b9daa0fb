import Expectations
import Testing

@testable import RacServer

@Suite struct LogQueueTests {
    @Test("The first line wakes the thread, and later ones wait for it in their order")
    func order() {
        var queue = LogQueue()
        expect(queue.append("a") == true)
        expect(queue.append("b") == false)
        expect(queue.next() == LogQueue.Part(lines: ["a", "b"], dropped: 0))
        expect(queue.append("c") == false)
        expect(queue.next() == LogQueue.Part(lines: ["c"], dropped: 0))
        expect(queue.next() == nil)
        expect(queue.append("d") == true)
    }

    @Test("Lines beyond the limit are dropped and counted, and so is each line behind them")
    func full() {
        var queue = LogQueue()
        let half = String(repeating: "a", count: LogQueue.limit / 2)
        expect(queue.append(half) == true)
        expect(queue.append(half) == false)
        expect(queue.append("b") == false)
        expect(queue.next() == LogQueue.Part(lines: [half, half], dropped: 1))
        expect(queue.append(half + half) == false)
        expect(queue.append(half) == false)
        expect(queue.append("c") == false)
        expect(queue.next() == LogQueue.Part(lines: [half + half], dropped: 2))
        expect(queue.append(half + half + "d") == false)
        expect(queue.append("e") == false)
        expect(queue.next() == LogQueue.Part(lines: [], dropped: 2))
        expect(queue.next() == nil)
    }
}
