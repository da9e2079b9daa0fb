extension Signal {
    /// Hands every event to a scheduler.
    ///
    /// The order is kept, and a failure does not overtake values. Events wait without bound for the scheduler; what
    /// waits at disposal is dropped. Semantics: docs/semantics.md, C183. ReactiveObjC: RACSignal deliverOn:.
    ///
    /// - Parameter scheduler: Where the events arrive, one piece of work each.
    /// - Returns: The same events, later.
    @inlinable
    public func deliver(on scheduler: some Scheduler) -> Signal<Value, Failure> {
        Signal(serial: { sink in
            SchedulerDelivery(on: scheduler, sink: sink).run(self, isImmediate: { false })
        })
    }

    /// Passes events on at once on the main thread, and hands those from other threads to it.
    ///
    /// An event never overtakes one that waits for the main thread: then it waits too, and so does one that is sent
    /// from inside a delivery. What waits at disposal is dropped. Semantics: docs/semantics.md, "Operators".
    /// ReactiveObjC: RACSignal deliverOnMainThread.
    ///
    /// - Returns: The same events.
    public func deliverOnMain() -> Signal<Value, Failure> {
        Signal(serial: { sink in
            SchedulerDelivery(on: SerialScheduler.main, sink: sink).run(self, isImmediate: { SerialScheduler.main.isCurrent })
        })
    }
}
