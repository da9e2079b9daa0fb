public import Rac

extension SignalSource where Failure == ClientError {
    /// Runs a remote source and passes its values to a closure of the main actor, until it ends, however it ends.
    ///
    /// Values come as in `onMain(value:end:)`, which passes the end on, too.
    ///
    /// - Parameter handler: Gets the values one at a time; held until the end.
    /// - Returns: The handle that stops the run; releasing it does not.
    @_disfavoredOverload
    @discardableResult
    public func onMain(_ handler: @escaping @MainActor (Value) -> Void) -> Subscription {
        self.signal.unfailing.onMain(handler)
    }

    /// Sets a property of an object of the main actor to each value, until the source ends, however it ends.
    ///
    ///     volume.bind(to: view, \.level)
    ///
    /// - Parameters:
    ///   - object: The owner of the property, such as a view or a model, which is held weakly.
    ///   - path: The property, which keeps the last value.
    /// - Returns: The handle that undoes the binding; releasing it does nothing.
    @MainActor
    @_disfavoredOverload
    @discardableResult
    public func bind<Object: AnyObject>(
        to object: Object,
        _ path: ReferenceWritableKeyPath<Object, Value>
    ) -> Subscription {
        self.signal.unfailing.bind(to: object, path)
    }

    /// Sets a property of an object of the main actor that may have no value, such as the text of a label.
    ///
    /// - Parameters:
    ///   - object: As in `bind` for a property that has a value.
    ///   - path: The property.
    /// - Returns: The handle that undoes the binding; releasing it does nothing.
    @MainActor
    @_disfavoredOverload
    @discardableResult
    public func bind<Object: AnyObject>(
        to object: Object,
        _ path: ReferenceWritableKeyPath<Object, Value?>
    ) -> Subscription {
        self.signal.unfailing.bind(to: object, path)
    }
}
