internal import Dispatch
internal import OpenCombine
internal import Rac
internal import Synchronization

extension CoreCase {
    /// Two threads that send into one subject, with one observer; one operation is one send of either.
    ///
    /// The observer of Rac gets one value at a time. OpenCombine calls it on both threads at once, so it adds atomically
    /// in both.
    static let twoThreads = CoreCase(
        name: "subject, two threads",
        operations: 1_000_000,
        contenders: [
            Contender(.rac) {
                let (subject, tally) = (Rac.Subject<Int, Never>(), SharedTally())
                subject.onValue { tally.add($0) }
                return { count in
                    onTwoThreads(count) { subject.send($0) }
                    return tally.sum
                }
            },
            Contender(.openCombine) {
                let (subject, tally) = (Unchecked(PassthroughSubject<Int, Never>()), SharedTally())
                let handle = Unchecked(subject.value.sink { tally.add($0) })
                return { count in
                    onTwoThreads(count) { subject.value.send($0) }
                    return withExtendedLifetime(handle) { tally.sum }
                }
            },
        ]
    )
}

/// Does half of the work on each of two threads.
private func onTwoThreads(_ count: Int, _ work: @Sendable (Int) -> Void) {
    DispatchQueue.concurrentPerform(iterations: 2) { thread in
        for value in stride(from: thread, to: count, by: 2) { work(value) }
    }
}

/// Adds up what arrives on any thread.
private final class SharedTally: Sendable {
    private let total = Atomic(0)

    var sum: Int { self.total.load(ordering: .relaxed) }

    func add(_ value: Int) {
        self.total.wrappingAdd(value, ordering: .relaxed)
    }
}
