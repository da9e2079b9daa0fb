extension Signal {
    /// Hands each event to a scheduler.
    ///
    /// The order is kept, and a failure does not overtake values. Events wait without bound for the scheduler; disposal
    /// drops them. Semantics: docs/semantics.md, C183. ReactiveObjC: RACSignal deliverOn:.
    ///
    /// - Parameter scheduler: Delivers the events, one piece of work each.
    /// - Returns: The source's events, later.
    @inlinable
    public func deliver(on scheduler: some Scheduler) -> Signal<Value, Failure> {
        Signal(serial: { sink in
            SchedulerDelivery(on: scheduler, sink: sink).run(self, isImmediate: { false })
        })
    }

    /// Passes events on at once on the main thread, and hands those of other threads to it.
    ///
    /// An event never overtakes one that waits for the main thread: it waits, too. An event that is sent during a
    /// delivery waits as well. Disposal drops waiting events. Semantics: docs/semantics.md, "Operators". ReactiveObjC:
    /// RACSignal deliverOnMainThread.
    ///
    /// - Returns: The source's events.
    public func deliverOnMain() -> Signal<Value, Failure> {
        Signal(serial: { sink in
            let delivery = SchedulerDelivery(on: SerialScheduler.main, sink: sink)
            delivery.run(self, isImmediate: { SerialScheduler.main.isCurrent })
        })
    }
}
