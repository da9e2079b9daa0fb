extension ChannelTerminal {
    /// This terminal for a side whose values have another form.
    ///
    /// It is the same terminal: neither form gets a value that was sent in the other one, and its end is the same.
    /// Semantics: docs/semantics.md, map-1 to map-3.
    ///
    /// - Parameters:
    ///   - forward: Makes the value that comes out; runs for each observer.
    ///   - backward: Makes the value that is sent.
    /// - Returns: The terminal in the other form, which holds this one.
    @inlinable
    public func map<Output>(
        forward: @escaping @Sendable (Value) -> Output,
        backward: @escaping @Sendable (Output) -> Value
    ) -> ChannelTerminal<Output, Failure> {
        ChannelTerminal<Output, Failure>(
            self.port.map(forward: forward, backward: { .some(backward($0)) }),
            keeping: self
        )
    }

    /// This terminal for a side whose values have another form, and not all of which have a counterpart.
    ///
    /// A text field for a number is one: half of its edits are no numbers. A value without a counterpart is not sent,
    /// so the sender keeps it and the other side its own. Semantics: docs/semantics.md, map-1 to map-3.
    ///
    /// - Parameters:
    ///   - forward: Makes the value that comes out; runs for each observer.
    ///   - backward: Makes the value that is sent; nil drops it.
    /// - Returns: The terminal in the other form, which holds this one.
    @inlinable
    public func map<Output>(
        forward: @escaping @Sendable (Value) -> Output,
        backward: @escaping @Sendable (Output) -> Value?
    ) -> ChannelTerminal<Output, Failure> {
        ChannelTerminal<Output, Failure>(self.port.map(forward: forward, backward: backward), keeping: self)
    }
}
