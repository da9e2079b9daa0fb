public import Synchronization

extension Signal {
    /// Leaves out values until another signal sends a value or completes.
    ///
    /// It is the rest of ``take(until:)`` with the same trigger, which is observed first. A failure of the trigger is
    /// ignored, so no value follows it. The source's end passes at any time. Semantics: docs/semantics.md, C412. RxSwift:
    /// skip(until:). Combine: drop(untilOutputFrom:).
    ///
    /// - Parameter trigger: Lets the values pass by a value or by completing; then it is cancelled.
    /// - Returns: The source without a prefix, and its end.
    @inlinable
    public func skip(until trigger: some SignalSource) -> Signal<Value, Failure> {
        let trigger = trigger.signal
        return Signal(serial: { sink in
            let door = SkipDoor()
            let watch = Subscription(in: sink.subscription)
            trigger.start(
                watch,
                value: { _ in
                    door.open()
                    watch.dispose()
                },
                end: { ending in
                    if case .completed = ending { door.open() }
                }
            )
            self.body(Sink(sink.subscription, value: { if door.isOpen { sink.send($0) } }, end: sink.finish))
        })
    }
}

/// Whether values pass, for one subscription; one signal opens it while another one reads it.
@usableFromInline
final class SkipDoor: Sendable {
    @usableFromInline let state = Atomic(false)

    @inlinable
    init() {}

    @inlinable
    var isOpen: Bool { self.state.load(ordering: .acquiring) }

    @inlinable
    func open() {
        self.state.store(true, ordering: .releasing)
    }
}
