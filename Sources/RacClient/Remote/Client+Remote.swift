import Rac
public import RacProtocol

extension Client {
    /// A shared channel as a property.
    ///
    ///     let volume = Property(0)
    ///     try volume <~> client.property("room/volume", as: Int.self)
    ///
    /// Properties of one name in one client share a binding. Each keeps its own interval. The first default and the newest
    /// will count for the client.
    ///
    /// - Parameters:
    ///   - name: The channel's name; the channel is created with its first value.
    ///   - type: The type of its values, which are read and written as JSON.
    ///   - defaultValue: The property's value until the daemon reports one, and the channel's if it never had one.
    ///   - interval: At most one value, the newest, comes in each interval, to the millisecond; nil: as many as there is
    ///     time for.
    ///   - will: The daemon's orders for the channel when this program is lost.
    /// - Returns: A property without a value yet, or with the default.
    /// - Throws: `ClientError` with code `badName` or `badValue`. If the channel is a paired one, the property fails with
    ///   `wrongMode`.
    public func property<Value: Codable & Sendable>(
        _ name: some NameText,
        as type: Value.Type = Value.self,
        default defaultValue: Value? = nil,
        interval: Duration? = nil,
        will: ChannelWill<Value>? = nil
    ) throws(ClientError) -> RemoteProperty<Value> {
        let options = try BindingOptions(
            defaultValue: defaultValue,
            interval: interval,
            will: will,
            .codable(self.loop.coders)
        )
        let name = try ChannelName(checking: name)
        let coding = ValueCoding<Value>.codable(self.loop.coders)
        return RemoteProperty(self.loop.property(name, options, coding, default: defaultValue))
    }

    /// A shared channel as a property of JSON text, which is passed on as it is.
    ///
    /// - Parameters:
    ///   - name: The channel's name.
    ///   - defaultValue: The property's value until the daemon reports one, and the channel's if it never had one.
    ///   - interval: At most one value, the newest, comes in each interval.
    ///   - will: The daemon's orders for the channel when this program is lost.
    /// - Returns: A property without a value yet, or with the default.
    /// - Throws: `ClientError` with code `badName`.
    public func property(
        raw name: some NameText,
        default defaultValue: JSONText? = nil,
        interval: Duration? = nil,
        will: ChannelWill<JSONText>? = nil
    ) throws(ClientError) -> RemoteProperty<JSONText> {
        let options = try BindingOptions(defaultValue: defaultValue, interval: interval, will: will, .text)
        let name = try ChannelName(checking: name)
        return RemoteProperty(self.loop.property(name, options, .text, default: defaultValue))
    }

    /// One side of a paired channel, which is created if it does not exist.
    ///
    /// - Parameters:
    ///   - name: The channel's name.
    ///   - role: The side.
    ///   - type: The type of its values, which are read and written as JSON.
    ///   - interval: At most one value, the newest, comes in each interval; nil: every value comes.
    ///   - will: The daemon's orders for the channel when this program is lost.
    /// - Returns: The terminal.
    /// - Throws: `ClientError` with code `badName` or `badValue`. If the channel is a shared one, the terminal fails with
    ///   `wrongMode`.
    public func terminal<Value: Codable & Sendable>(
        _ name: some NameText,
        _ role: Role,
        as type: Value.Type = Value.self,
        interval: Duration? = nil,
        will: ChannelWill<Value>? = nil
    ) throws(ClientError) -> RemoteTerminal<Value> {
        let options = try BindingOptions(defaultValue: nil, interval: interval, will: will, .codable(self.loop.coders))
        let name = try ChannelName(checking: name)
        return RemoteTerminal(RemoteHandle(name, Self.kind(of: role), options, .codable(self.loop.coders), self.loop))
    }

    /// One side of a paired channel of JSON text, which is passed on as it is.
    ///
    /// - Parameters:
    ///   - name: The channel's name.
    ///   - role: The side.
    ///   - interval: At most one value, the newest, comes in each interval; nil: every value comes.
    ///   - will: The daemon's orders for the channel when this program is lost.
    /// - Returns: The terminal.
    /// - Throws: `ClientError` with code `badName`.
    public func terminal(
        raw name: some NameText,
        _ role: Role,
        interval: Duration? = nil,
        will: ChannelWill<JSONText>? = nil
    ) throws(ClientError) -> RemoteTerminal<JSONText> {
        let options = try BindingOptions(defaultValue: nil, interval: interval, will: will, .text)
        let name = try ChannelName(checking: name)
        return RemoteTerminal(RemoteHandle(name, Self.kind(of: role), options, .text, self.loop))
    }

    private static func kind<Value>(of role: Role) -> MirrorCore<Value, ClientError>.Kind {
        role == .leading ? .leading : .following
    }
}
