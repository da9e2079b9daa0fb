import Expectations
import Foundation
import NIOEmbedded
import Synchronization
import Testing

@testable import RacClient

@Suite struct WakerTests {
    @Test("Each wake calls the action as deep as the first")
    func depth() {
        let waker = Waker(eventLoop: EmbeddedEventLoop())
        let depths = Mutex<Set<Int>>([])
        waker.onWake {
            let depth = Thread.callStackReturnAddresses.count
            depths.withLock { _ = $0.insert(depth) }
        }
        for _ in 0..<100 { waker.act() }
        expect(depths.withLock(\.count) == 1)
    }
}
