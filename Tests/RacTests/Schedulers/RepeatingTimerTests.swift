import Foundation
import Testing

@testable import Rac

@Suite(.timeLimit(.minutes(5))) struct RepeatingTimerTests {
    @Test("Each tick of a timer calls its work as deep as the first")
    func depth() async {
        let (depths, continuation) = AsyncStream.makeStream(of: Int.self)
        let timer = RepeatingTimer(on: DispatchQueue(label: "test")) {
            continuation.yield(Thread.callStackReturnAddresses.count)
        }
        timer.start(after: .nanoseconds(0), repeatingEvery: .milliseconds(1))
        var first: Int?
        var ticks = 0
        for await depth in depths {
            // The queue may call from a thread's loop or from its first function, which differ by a few calls.
            #expect(depth <= (first ?? depth) + 10)
            first = first ?? depth
            ticks += 1
            if ticks == 100 { break }
        }
        timer.dispose()
    }
}
