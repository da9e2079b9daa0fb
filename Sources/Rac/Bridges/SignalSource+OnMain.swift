extension SignalSource {
    /// Runs the signal and passes values and the end to closures of the main actor.
    ///
    /// An event that is sent on the main actor comes inside that call, the stored value of a property inside this one.
    /// An event of another thread comes in a later turn of the main actor. The order is kept: an event never overtakes
    /// one that waits. Events wait without bound. After a disposal on the main actor no event comes. Semantics:
    /// docs/semantics.md, scheduler-11.
    ///
    /// - Parameters:
    ///   - value: Gets the values one at a time.
    ///   - end: Gets the end, at most once and last.
    /// - Returns: The handle that stops the run; releasing it does not.
    @discardableResult
    public func onMain(
        value: @escaping @MainActor (Value) -> Void,
        end: @escaping @MainActor (Ending<Failure>) -> Void
    ) -> Subscription {
        self.signal.deliverOnMain().observe(
            value: { received in MainActor.assumeIsolated { value(received) } },
            end: { ending in MainActor.assumeIsolated { end(ending) } }
        )
    }
}

extension SignalSource where Failure == Never {
    /// Runs a signal that cannot fail and passes its values to a closure of the main actor.
    ///
    /// Values come as in ``onMain(value:end:)``: of a property, the present value comes inside this call if that is made
    /// on the main actor. The closure is held until the end, so it should refer to an owner of the signal weakly.
    ///
    /// - Parameter handler: Gets the values one at a time.
    /// - Returns: The handle that stops the run; releasing it does not.
    @discardableResult
    public func onMain(_ handler: @escaping @MainActor (Value) -> Void) -> Subscription {
        self.onMain(value: handler, end: { _ in })
    }

    /// Sets a property of an object of the main actor to each value.
    ///
    /// Values come as in ``onMain(_:)``. The object is held weakly: the first value after its release ends the binding.
    /// Semantics: docs/semantics.md, binding-12.
    ///
    /// - Parameters:
    ///   - object: The owner of the property, such as a view or a model.
    ///   - path: The property.
    /// - Returns: The handle that undoes the binding; releasing it does nothing.
    @MainActor
    @discardableResult
    public func bind<Object: AnyObject>(
        to object: Object,
        _ path: ReferenceWritableKeyPath<Object, Value>
    ) -> Subscription {
        self.set(object) { $0[keyPath: path] = $1 }
    }

    /// Sets a property of an object of the main actor that may have no value, such as the text of a label.
    ///
    /// - Parameters:
    ///   - object: As in `bind` for a property that has a value.
    ///   - path: The property.
    /// - Returns: The handle that undoes the binding; releasing it does nothing.
    @MainActor
    @discardableResult
    public func bind<Object: AnyObject>(
        to object: Object,
        _ path: ReferenceWritableKeyPath<Object, Value?>
    ) -> Subscription {
        self.set(object) { $0[keyPath: path] = $1 }
    }

    @MainActor
    private func set<Object: AnyObject>(
        _ object: Object,
        _ set: @escaping @MainActor (Object, Value) -> Void
    ) -> Subscription {
        let binding = SerialDisposable()
        let subscription = self.onMain { [weak object] value in
            if let object { set(object, value) } else { binding.dispose() }
        }
        binding.inner = subscription
        return subscription
    }
}
