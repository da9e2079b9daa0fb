import Synchronization

/// Sees the numbers `thread * sends + i` of several threads and checks that each thread's come in order.
///
/// `@unchecked Sendable` holds because only its one subscription touches it, and the test after the last event. The
/// thread sanitizer checks this.
final class Witness: @unchecked Sendable {
    private(set) var count = 0
    private(set) var disorder = 0
    private(set) var overlaps = 0
    private(set) var ends = 0
    /// A number that depends on every value and on their order.
    private(set) var digest = 0
    private let sends: Int
    private var next: [Int]
    private let inside = Atomic(false)

    init(sends: Int, threads: Int) {
        self.sends = sends
        self.next = Array(repeating: 0, count: threads)
    }

    func saw(_ value: Int) {
        if self.inside.exchange(true, ordering: .relaxed) { self.overlaps += 1 }
        let (thread, number) = value.quotientAndRemainder(dividingBy: self.sends)
        if self.next[thread] != number { self.disorder += 1 }
        self.next[thread] = number + 1
        self.count += 1
        self.digest = self.digest &* 31 &+ value
        self.inside.store(false, ordering: .relaxed)
    }

    func ended() {
        self.ends += 1
    }
}
