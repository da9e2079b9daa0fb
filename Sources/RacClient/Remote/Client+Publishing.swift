public import Rac

extension Client {
    /// Publishes a local property as a channel: its value wins at the start, then both follow each other.
    ///
    ///     let volume = Property(0)
    ///     try client.publish(volume, as: "room/volume")
    ///
    /// - Parameters:
    ///   - property: The model, which the binding does not keep alive.
    ///   - name: The channel's name.
    ///   - endsWithOwner: Whether the channel completes, for everybody, when the property's owner goes. Else the binding is
    ///     undone and the channel stays as it is.
    /// - Returns: The handle that undoes it and ends nothing; releasing it does nothing.
    /// - Throws: `ClientError` with code `badName`.
    @discardableResult
    public func publish<Value: Codable & Sendable>(
        _ property: Property<Value>,
        as name: some NameText,
        endsWithOwner: Bool = false
    ) throws(ClientError) -> Subscription {
        let remote = try self.property(name, as: Value.self)
        return bind(remote.terminal(), to: property.terminal(), endsWithOwner: endsWithOwner)
    }
}
