import RacProtocol

/// The daemon's orders for a channel when this program's connection is lost without a goodbye.
///
/// The daemon carries them out at each loss: binding again leaves them anew. A program that comes back finds the value of
/// its will, and sets its own value again if it wants that. The client does not: another program may have set the value
/// of the will, too. A device that a will has switched off stays off until somebody decides. Semantics: protocol.md,
/// "Wills".
public enum ChannelWill<Value: Sendable>: Sendable {
    /// The channel gets this value, from the terminal that left the will.
    case value(Value)
    /// The channel completes.
    case completed
    /// The channel ends with an error.
    case failed(ClientError)
}

/// The wishes that go out with a terminal's bind.
struct BindingOptions: Equatable, Sendable {
    var defaultValue: JSONText?
    /// In milliseconds.
    var interval: UInt64?
    var will: Will?
    /// Whether a leading side gets the last wish, too.
    var replaysWish = false
    /// Whether the first bind makes an ended channel live again.
    var reopens = false

    init() {}

    init<Value>(
        defaultValue: Value?,
        interval: Duration?,
        will: ChannelWill<Value>?,
        _ coding: ValueCoding<Value>
    ) throws(ClientError) {
        if let defaultValue { self.defaultValue = try coding.encode(defaultValue) }
        self.interval = interval.map {
            UInt64(clamping: $0.components.seconds * 1000 + $0.components.attoseconds / 1_000_000_000_000_000)
        }
        switch will {
        case .value(let value): self.will = .value(try coding.encode(value))
        case .completed: self.will = .end(.completed)
        case .failed(let error): self.will = .end(.failed(WireError(error)))
        case nil: break
        }
    }
}

extension BindingOptions {
    /// The options of a binding that serves both.
    func joined(by other: BindingOptions) -> BindingOptions {
        var joined = self
        joined.defaultValue = self.defaultValue ?? other.defaultValue
        joined.replaysWish = self.replaysWish || other.replaysWish
        joined.reopens = self.reopens || other.reopens
        joined.will = other.will ?? self.will
        joined.interval = self.interval.flatMap { own in other.interval.map { min(own, $0) } }
        return joined
    }
}
