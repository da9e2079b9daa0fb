import Expectations
import RacProtocol
import Testing

@testable import RacConnection

@Suite struct CommandQueueTests {
    @Test("A limited number of executions waits for the program, and a cancellation always has a place")
    func hosting() {
        var queue = HostingQueue(maximumExecutions: 1)
        expect(queue.execute(ExecutionID(1), .null) == true)
        expect(queue.execute(ExecutionID(2), nil) == false)
        queue.cancel(ExecutionID(1))
        expect(queue.next() == .execute(ExecutionID(1), input: .null))
        expect(queue.execute(ExecutionID(3), nil) == true)
        expect(queue.next() == .cancel(ExecutionID(1)))
        expect(queue.next() == .execute(ExecutionID(3), input: nil))
        expect(queue.next() == nil)
    }

    @Test("The newest state and the newest few errors wait, and errors come first")
    func observation() {
        let (idle, busy) = (
            CommandState(isEnabled: true, isExecuting: false), CommandState(isEnabled: false, isExecuting: true)
        )
        var queue = ObservationQueue(idle, maximumErrors: 2)
        queue.changed(to: busy)
        for number: UInt64 in 1...3 { queue.failed(ExecutionID(number), WireError(code: "e", message: "")) }
        expect(queue.next() == .failed(ExecutionID(2), WireError(code: "e", message: "")))
        expect(queue.next() == .failed(ExecutionID(3), WireError(code: "e", message: "")))
        expect(queue.next() == .state(busy))
        expect(queue.next() == nil)
    }

    @Test("Values that nobody takes end the call with slow-consumer, behind those that are there")
    func call() throws {
        var queue = CallQueue(maximumBytes: 100)
        expect(queue.append(.next(.null)) == true)
        expect(queue.append(.next(.null)) == true)
        expect(queue.append(.next(.null)) == false)
        expect(queue.next() == .next(.null))
        expect(queue.next() == .next(.null))
        guard case .ended(.failed(let error)) = queue.next() else {
            Issue.record("there is no end")
            return
        }
        expect(error.code == "slow-consumer")
    }

    @Test("A program that takes values makes room for more")
    func callGoesOn() {
        var queue = CallQueue(maximumBytes: 100)
        for _ in 1...50 {
            expect(queue.append(.next(.null)) == true)
            expect(queue.next() == .next(.null))
        }
        expect(queue.append(.ended(.completed)) == true)
        expect(queue.next() == .ended(.completed))
    }
}
