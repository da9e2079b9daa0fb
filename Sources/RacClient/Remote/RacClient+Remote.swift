import Rac
public import RacProtocol

extension RacClient {
    /// A shared channel as a property.
    ///
    ///     let volume = Property(0)
    ///     volume <~> (try client.property("room/volume", as: Int.self))
    ///
    /// - Parameters:
    ///   - name: The channel's name; the channel is made when it has a value.
    ///   - type: What its values are to be, read and written as JSON.
    ///   - defaultValue: What the channel becomes if it never had a value.
    ///   - interval: At most one value, the newest, comes in each such time, to the millisecond; nil: all that there is
    ///     time for.
    ///   - will: What happens to the channel when this program is lost.
    /// - Returns: A property without a value yet.
    /// - Throws: ``ClientError`` with code `badName` or `badValue`. If the channel is a paired one, the property fails with
    ///   `wrongMode`.
    public func property<Value: Codable & Sendable>(
        _ name: String,
        as type: Value.Type = Value.self,
        default defaultValue: Value? = nil,
        interval: Duration? = nil,
        will: ChannelWill<Value>? = nil
    ) throws(ClientError) -> RemoteProperty<Value> {
        let options = try BindingOptions(defaultValue: defaultValue, interval: interval, will: will, .codable)
        return RemoteProperty(RemoteHandle(try ChannelName(checking: name), .property, options, .codable, self.loop))
    }

    /// A shared channel as a property of JSON text, which is neither read nor written anew.
    ///
    /// - Parameters:
    ///   - name: The channel's name.
    ///   - defaultValue: What the channel becomes if it never had a value.
    ///   - interval: At most one value, the newest, comes in each such time.
    ///   - will: What happens to the channel when this program is lost.
    /// - Returns: A property without a value yet.
    /// - Throws: ``ClientError`` with code `badName`.
    public func property(
        raw name: String,
        default defaultValue: JSONText? = nil,
        interval: Duration? = nil,
        will: ChannelWill<JSONText>? = nil
    ) throws(ClientError) -> RemoteProperty<JSONText> {
        let options = try BindingOptions(defaultValue: defaultValue, interval: interval, will: will, .text)
        return RemoteProperty(RemoteHandle(try ChannelName(checking: name), .property, options, .text, self.loop))
    }

    /// One side of a paired channel, which is made if it does not exist.
    ///
    /// - Parameters:
    ///   - name: The channel's name.
    ///   - role: Which side.
    ///   - type: What its values are to be, read and written as JSON.
    ///   - interval: At most one value, the newest, comes in each such time; nil: every value does.
    ///   - will: What happens to the channel when this program is lost.
    /// - Returns: The terminal.
    /// - Throws: ``ClientError`` with code `badName` or `badValue`. If the channel is a shared one, the terminal fails with
    ///   `wrongMode`.
    public func terminal<Value: Codable & Sendable>(
        _ name: String,
        _ role: Role,
        as type: Value.Type = Value.self,
        interval: Duration? = nil,
        will: ChannelWill<Value>? = nil
    ) throws(ClientError) -> RemoteTerminal<Value> {
        let options = try BindingOptions(defaultValue: nil, interval: interval, will: will, .codable)
        let name = try ChannelName(checking: name)
        return RemoteTerminal(RemoteHandle(name, Self.kind(of: role), options, .codable, self.loop))
    }

    /// One side of a paired channel that carries JSON text, which is neither read nor written anew.
    ///
    /// - Parameters:
    ///   - name: The channel's name.
    ///   - role: Which side.
    ///   - interval: At most one value, the newest, comes in each such time; nil: every value does.
    ///   - will: What happens to the channel when this program is lost.
    /// - Returns: The terminal.
    /// - Throws: ``ClientError`` with code `badName`.
    public func terminal(
        raw name: String,
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
