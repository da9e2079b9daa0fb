import Dispatch
import Expectations
import RacTesting
import Testing

@testable import Rac

@Suite struct SerialGateTests {
    @Test("A thread that finds the gate busy leaves an item for the one inside")
    func waiting() {
        let (gate, log) = (SerialGate<Int>(), Log<Int>())
        #expect(gate.enter())
        #expect(!gate.enter())
        #expect(!gate.enterOrWait(1))
        #expect(!gate.enterOrWait(2))
        gate.leave { item in
            log.append(item)
            if item == 1 { #expect(!gate.enterOrWait(3)) }
        }
        expect(log.entries == [1, 2, 3])
        #expect(gate.enter())
    }

    @Test("A thread that finds the gate empty on the second look goes inside")
    func secondLook() {
        let gate = SerialGate<Int>()
        #expect(gate.enterOrWait(1))
        #expect(!gate.enter())
        gate.leave { _ in Issue.record("The item is its sender's to handle.") }
        #expect(gate.enter())
    }

    @Test("One of many threads is inside at a time, and no item is lost")
    func manyThreads() {
        let gate = SerialGate<Int>()
        let (inside, handled) = (Counter(), Counter())
        let handle: @Sendable (Int) -> Void = { _ in
            if inside.increment() == 1 { handled.increment() }
            inside.decrement()
        }
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            for item in 1...2_000 where gate.enter() || gate.enterOrWait(item) {
                handle(item)
                gate.leave(handling: handle)
            }
        }
        expect(handled.count == 8 * 2_000)
    }
}
