import Dispatch
import Foundation
import Testing

/// Faults on purpose, with which `Tests/sanitizers/run` sees that what it runs reports them; RAC_FAULT names the sanitizer.
@Suite struct DeliberateFaultTests {
    private static let wanted = ProcessInfo.processInfo.environment["RAC_FAULT"]

    @Test("Two threads race for one place in memory", .enabled(if: Self.wanted == "thread"))
    func race() {
        let place = UnsafeMutablePointer<Int>.allocate(capacity: 1)
        place.initialize(to: 0)
        let address = UInt(bitPattern: place)
        let ended = DispatchSemaphore(value: 0)
        for _ in 0..<2 {
            Thread.detachNewThread {
                UnsafeMutablePointer<Int>(bitPattern: address)?.pointee += 1
                ended.signal()
            }
        }
        for _ in 0..<2 { ended.wait() }
        place.deallocate()
    }

    @Test("Freed memory is used", .enabled(if: Self.wanted == "address"))
    func useAfterFree() {
        let place = UnsafeMutablePointer<Int>.allocate(capacity: 1)
        place.initialize(to: 0)
        place.deallocate()
        place.pointee += 1
    }
}
