public import Synchronization

/// Passes on the values of several signals of one type, as they come.
///
/// The result completes when all members have, at once if there are none, and fails with the first failure. Members
/// behind one that fails synchronously are not observed. It never ends if one member never does. The members are
/// observed in order; disposal reaches all. Semantics: docs/semantics.md, C072, C073. ReactiveObjC: RACSignal merge:.
///
/// - Parameter members: The signals.
/// - Returns: The values of all, one at a time.
@inlinable
public func merge<Member: SignalSource>(_ members: [Member]) -> Signal<Member.Value, Member.Failure> {
    guard members.count != 1 else { return members[0].signal }
    guard !members.isEmpty else { return .empty }
    return Signal(serial: { sink in
        let join = sink.serialized()
        let countdown = Countdown(from: members.count)
        for member in members where !join.isClosed {
            member.signal.start(
                in: join.subscription,
                value: { join.send($0) },
                end: { ending in
                    switch ending {
                    case .completed: if countdown.isLast() { join.complete() }
                    case .failed: join.end(ending)
                    }
                }
            )
        }
    })
}

/// Passes on the values of several signals of one type, as they come.
///
/// The edge cases are those of `merge` of an array.
///
/// - Parameter members: The signals.
/// - Returns: The values of all, one at a time.
@inlinable
public func merge<Value, Failure>(_ members: Signal<Value, Failure>...) -> Signal<Value, Failure> {
    merge(members)
}

/// The number of outstanding events, counted down by any thread.
@usableFromInline
final class Countdown: Sendable {
    @usableFromInline let left: Atomic<Int>

    @inlinable
    init(from count: Int) {
        self.left = Atomic(count)
    }

    /// Counts one event and returns whether it was the last.
    @inlinable
    func isLast() -> Bool {
        self.left.subtract(1, ordering: .acquiringAndReleasing).newValue == 0
    }
}
