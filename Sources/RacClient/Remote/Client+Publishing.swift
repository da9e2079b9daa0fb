public import Rac
import RacProtocol

extension Client {
    /// Publishes a local property as a channel: its value wins at the start, then both follow each other.
    ///
    ///     let volume = Property(0)
    ///     try client.publish(volume, as: "room/volume")
    ///
    /// A channel that ends with its owner lives again with the next owner: publishing reopens a channel that has ended. In one
    /// program, call `ping()` between the release of the one owner and the publishing of the next. The channel ends when the
    /// property is released before the client is closed. A program that closes the client first, or crashes, leaves the
    /// channel open; a will ends it after a crash. Without `endsWithOwner` an ended channel stays as it is, and
    /// the property takes its value. The handle reports no refusal: `problem` of a remote property of that name does.
    ///
    /// - Parameters:
    ///   - property: The model, which the binding does not keep alive.
    ///   - name: The channel's name.
    ///   - endsWithOwner: Whether the channel completes, for everybody, at the release of the property. Otherwise the binding
    ///     is undone and the channel stays as it is.
    /// - Returns: The handle that undoes it and ends nothing; releasing it does nothing.
    /// - Throws: `ClientError` with code `badName`.
    @discardableResult
    public func publish<Value: Codable & Sendable>(
        _ property: Property<Value>,
        as name: some NameText,
        endsWithOwner: Bool = false
    ) throws(ClientError) -> Subscription {
        var options = BindingOptions()
        options.reopens = endsWithOwner
        let name = try ChannelName(checking: name)
        let coding = ValueCoding<Value>.codable(self.loop.coders)
        let remote = RemoteProperty(self.loop.property(name, options, coding, default: nil))
        return bind(remote.terminal(), to: property.terminal(), endsWithOwner: endsWithOwner)
    }
}
