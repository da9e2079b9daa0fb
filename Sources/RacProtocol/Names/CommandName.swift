/// The name of a command: it follows the rules of a channel's name, and a channel of the same name is another thing.
///
/// Semantics: protocol.md, "Names" and "Commands".
public struct CommandName: Hashable, Sendable, CustomStringConvertible {
    /// Compared as channel names are: by its bytes.
    private let name: ChannelName

    /// Checks a text for use as a name.
    ///
    /// - Parameter text: The text to check.
    /// - Throws: ``NameError`` saying what is wrong with it.
    public init(_ text: String) throws(NameError) {
        try NameRules.check(text, as: .command)
        self.name = ChannelName(checked: text)
    }

    /// The name's text.
    public var text: String { self.name.text }

    /// Whether the name begins with `$`: no client hosts such a command.
    public var isReserved: Bool { self.name.isReserved }

    /// The name's text.
    public var description: String { self.text }
}
