/// The name of a command: it follows the rules of channel names, and is independent of a channel with this name.
///
/// Semantics: protocol.md, "Names" and "Commands".
public struct CommandName: Hashable, Sendable, CustomStringConvertible {
    /// The name, compared and matched by its bytes as channel names are.
    package let name: ChannelName

    /// Checks a text for use as a name, and throws ``NameError`` with the fault.
    public init(_ text: String) throws(NameError) {
        try NameRules.check(text, as: .command)
        self.name = ChannelName(checked: text)
    }

    /// A channel's name, which follows the same rules.
    package init(_ name: ChannelName) {
        self.name = name
    }

    /// The name's text.
    public var text: String { self.name.text }

    /// Whether the name begins with `$`: no client hosts such a command.
    public var isReserved: Bool { self.name.isReserved }

    /// The name's text.
    public var description: String { self.text }
}
